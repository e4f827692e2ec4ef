//! Positions as one line.

use crate::{
    reference::{Position, Reference, State, Watch},
    rules::{Id as _, Lifetime, Rules, SeatId, Shape, SiteId, VariableId},
    syntax,
    tree::Man,
};

/// Why a text is no position of a game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// It does not read as a position at all.
    #[error("`{text}` is no position: {reason}; write it like `{start}`")]
    Unreadable {
        /// The text.
        text: String,
        /// What was found.
        reason: String,
        /// The start of this game.
        start: String,
    },
    /// It is one of another board, or of another number of players.
    #[error("{reason}; the start of this game is `{start}`")]
    DoesNotFit {
        /// What does not fit.
        reason: String,
        /// The start of this game.
        start: String,
    },
}

/// The word for the turns since the last capture.
const QUIET: &str = "quiet";

/// A position as one line: rows (or men), stores (or men at home), the seat to play, and what is not
/// as at the start.
#[must_use]
pub fn print_position(rules: &Rules, position: &Position) -> String {
    print(rules, &position.state)
}

fn print(rules: &Rules, state: &State) -> String {
    let board = match rules.board.shape {
        Shape::Pits { .. } => {
            let rows =
                rows(rules).into_iter().map(|row| join(row.iter().map(|site| state.seeds.at(*site).to_string())));
            rows.collect::<Vec<_>>().join(" / ")
        }
        Shape::Grid { .. } => {
            let sides = rules.seats.ids().map(|seat| men_of(rules, state, seat));
            sides.collect::<Vec<_>>().join(" / ")
        }
    };
    let stores = join(rules.seats.ids().map(|seat| match rules.board.shape {
        Shape::Pits { .. } => state.stores.at(seat).to_string(),
        Shape::Grid { .. } => state.home(seat).to_string(),
    }));
    let mut text = format!("{board} | {stores} | {}", rules.seats.at(state.mover).letter);
    let counters = counters(rules, state);
    if !counters.is_empty() {
        text = format!("{text} | {}", counters.join(", "));
    }
    text
}

fn join(items: impl Iterator<Item = String>) -> String {
    items.collect::<Vec<_>>().join(" ")
}

/// The pits as seen from South's seat, the farthest row first.
pub(crate) fn rows(rules: &Rules) -> Vec<Vec<SiteId>> {
    let all: Vec<SiteId> = rules.board.sites.ids().collect();
    let (south, north) = all.split_at(all.len() / 2);
    vec![north.iter().rev().copied().collect(), south.to_vec()]
}

fn men_of(rules: &Rules, state: &State, seat: SeatId) -> String {
    let track = rules.tracks.at(seat);
    let on_board = state.men.at(seat).iter().zip(track).take(track.len().saturating_sub(1));
    let places = on_board.filter(|(count, _)| **count > 0).map(|(count, site)| {
        let name = &rules.board.sites.at(*site).name;
        if *count == 1 { name.clone() } else { format!("{name}*{count}") }
    });
    join(std::iter::once(rules.seats.at(seat).letter.to_string()).chain(places))
}

fn counters(rules: &Rules, state: &State) -> Vec<String> {
    let mut counters = vec![];
    if state.quiet > 0 {
        counters.push(format!("{QUIET} {}", state.quiet));
    }
    for (id, variable) in rules.game.variables.entries() {
        for (seat, value) in state.variables.at(id).iter().enumerate() {
            if *value == rules.variables.at(id).start {
                continue;
            }
            let of_seat = if variable.lifetime == Lifetime::Player {
                rules.seats.get(SeatId::new(seat)).map(|seat| format!("{} ", seat.letter)).unwrap_or_default()
            } else {
                String::new()
            };
            counters.push(format!("{of_seat}{} {value}", variable.name));
        }
    }
    if !state.pool.is_empty() {
        counters.push(format!("pool {}", join(state.pool.iter().map(ToString::to_string))));
    }
    counters
}

/// Reads a position at the start of a turn.
///
/// # Errors
/// [`PositionError`] when the text is no position, or not one of this game.
pub(crate) fn read_state(rules: &Rules, text: &str) -> Result<State, PositionError> {
    let start = State::new(rules);
    let written = syntax::position(text).map_err(|error| PositionError::Unreadable {
        text: text.to_owned(),
        reason: error.words().message,
        start: print(rules, &start),
    })?;
    let reader = Reader { rules, start: print(rules, &start) };
    reader.read(&written, start)
}

/// Reads a position at the start of a turn.
///
/// # Errors
/// [`PositionError`] when the text is no position, or not one of this game.
pub fn read_position(reference: &Reference, text: &str) -> Result<Position, PositionError> {
    begin_position(reference, text, &mut ())
}

/// [`read_position`], with what happens at once told to somebody who watches.
///
/// # Errors
/// [`PositionError`] when the text is no position, or not one of this game.
pub fn begin_position<W: Watch>(reference: &Reference, text: &str, watch: &mut W) -> Result<Position, PositionError> {
    let state = read_state(reference.rules(), text)?;
    Ok(reference.begin_at(state, watch))
}

struct Reader<'a> {
    rules: &'a Rules,
    start: String,
}

impl Reader<'_> {
    fn fail<T>(&self, reason: impl Into<String>) -> Result<T, PositionError> {
        Err(PositionError::DoesNotFit { reason: reason.into(), start: self.start.clone() })
    }

    fn read(&self, written: &syntax::Position, mut state: State) -> Result<State, PositionError> {
        let rules = self.rules;
        match rules.board.shape {
            Shape::Pits { .. } => self.seeds(written, &mut state)?,
            Shape::Grid { .. } => self.men(written, &mut state)?,
        }
        state.mover = self.seat(&written.to_play.node)?;
        for counter in &written.counters {
            self.counter(counter, &mut state)?;
        }
        Ok(state)
    }

    fn seat(&self, letter: &str) -> Result<SeatId, PositionError> {
        let found = self.rules.seats.entries().find(|(_, seat)| letter.len() == 1 && letter.starts_with(seat.letter));
        match found {
            Some((id, _)) => Ok(id),
            None => self.fail(format!("nobody sits at {letter}")),
        }
    }

    fn seeds(&self, written: &syntax::Position, state: &mut State) -> Result<(), PositionError> {
        let rows = rows(self.rules);
        let lengths: Vec<usize> = rows.iter().map(Vec::len).collect();
        let given: Vec<usize> = written.rows.iter().map(Vec::len).collect();
        if lengths != given {
            let (rows, pits) = (lengths.len(), lengths.first().copied().unwrap_or(0));
            return self.fail(format!("the board has {rows} rows of {pits}"));
        }
        if written.stores.len() != self.rules.seats.len() {
            return self.fail(format!("there are {} stores", self.rules.seats.len()));
        }
        let total = i64::from(self.rules.board.total_seeds());
        let mut numbers = written.rows.iter().flatten().chain(&written.stores).map(|number| number.node);
        let sum = numbers.try_fold(0i64, |sum, n| if n < 0 { None } else { sum.checked_add(n) });
        if sum.is_none_or(|sum| sum > total) {
            return self.fail(format!("there are only {total} seeds"));
        }
        let small = |n: i64| u16::try_from(n).unwrap_or(u16::MAX);
        for (sites, numbers) in rows.iter().zip(&written.rows) {
            for (site, number) in sites.iter().zip(numbers) {
                *state.seeds.at_mut(*site) = small(number.node);
            }
        }
        for (store, number) in state.stores.iter_mut().zip(&written.stores) {
            *store = small(number.node);
        }
        Ok(())
    }

    fn men(&self, written: &syntax::Position, state: &mut State) -> Result<(), PositionError> {
        let rules = self.rules;
        if !written.rows.is_empty() {
            return self.fail("a position of men names each seat and its squares");
        }
        if written.stores.len() != rules.seats.len() {
            return self.fail(format!("there are {} seats", rules.seats.len()));
        }
        for seat in rules.seats.ids() {
            state.men.at_mut(seat).fill(0);
        }
        for side in &written.men {
            let seat = self.seat(&side.seat.node)?;
            let track = rules.tracks.at(seat);
            for (square, count) in &side.men {
                let site = rules.board.site_named(&square.node);
                let step = site.and_then(|site| track.iter().position(|other| *other == site));
                let Some(step) = step.filter(|step| step + 1 < track.len()) else {
                    return self.fail(format!("no man in play can stand on {}", square.node));
                };
                let Ok(count) = i8::try_from(*count) else {
                    return self.fail(format!("each seat has {} men", rules.men));
                };
                state.place(Man { seat, step: u16::try_from(step).unwrap_or(u16::MAX) }, count);
            }
        }
        for (seat, home) in rules.seats.ids().zip(&written.stores) {
            let last = rules.tracks.at(seat).len().saturating_sub(1);
            let Ok(count) = i8::try_from(home.node) else {
                return self.fail(format!("each seat has {} men", rules.men));
            };
            state.place(Man { seat, step: u16::try_from(last).unwrap_or(u16::MAX) }, count);
            let all: u32 = state.men.at(seat).iter().map(|count| u32::from(*count)).sum();
            if all != u32::from(rules.men) {
                return self.fail(format!(
                    "{} has {all} men here, and {} in the game",
                    rules.seats.at(seat).name,
                    rules.men
                ));
            }
        }
        Ok(())
    }

    fn counter(&self, counter: &syntax::Counter, state: &mut State) -> Result<(), PositionError> {
        let name = &counter.name.node;
        let [value] = counter.values.as_slice() else {
            return self.fail(format!("`{name}` has one value at the start of a turn"));
        };
        let seat = counter.seat.as_ref().map(|seat| self.seat(&seat.node)).transpose()?;
        if name == QUIET && seat.is_none() {
            return match u32::try_from(*value).ok().filter(|value| *value <= 1_000_000) {
                Some(value) => {
                    state.quiet = value;
                    Ok(())
                }
                None => self.fail(format!("`{QUIET}` is a number of turns")),
            };
        }
        let found = self.rules.game.variables.entries().find(|(_, variable)| variable.name == *name);
        let fitting = found.filter(|(_, variable)| match variable.lifetime {
            Lifetime::Turn => false,
            Lifetime::Player => seat.is_some(),
            Lifetime::Game => seat.is_none(),
        });
        let (Some((id, _)), Ok(value)) = (fitting, i32::try_from(*value)) else {
            return self.fail(format!("there is no counter `{name}` at the start of a turn"));
        };
        self.set(state, id, seat, value);
        Ok(())
    }

    fn set(&self, state: &mut State, id: VariableId, seat: Option<SeatId>, value: i32) {
        if let Some(slot) = state.variables.at_mut(id).get_mut(seat.map_or(0, SeatId::index)) {
            *slot = value;
        }
    }
}

/// Whether a position is the one written. Counters are compared only where the text names them.
pub(crate) fn matches(rules: &Rules, position: &Position, text: &str) -> Result<bool, PositionError> {
    let wanted = read_state(rules, text)?;
    let found = &position.state;
    let named = text.split('|').nth(3).is_some();
    let counters = !named || (wanted.quiet == found.quiet && wanted.variables == found.variables);
    Ok(wanted.seeds == found.seeds
        && wanted.stores == found.stores
        && wanted.men == found.men
        && wanted.mover == found.mover
        && counters)
}
