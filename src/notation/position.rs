//! Positions as one line.

use crate::{
    rules::{Id as _, Lifetime, Rules, SeatId, Shape, SiteId, StateId, VariableId},
    syntax,
    view::Man,
    view::View,
};

use super::{spot_name, state_name};

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
/// The word for the turns of a round.
const TURNS: &str = "turns";
/// The word for the number of a round.
const ROUND: &str = "round";
/// The word for who began it.
const BEGAN: &str = "began";

/// A position as one line: rows (or men), stores (or men at home), the seat to play, and what is not
/// as at the start.
#[must_use]
pub fn print_position(rules: &Rules, view: &View) -> String {
    let board = match rules.board.shape {
        Shape::Pits { .. } => {
            let seeds = |site: &SiteId| view.board.seeds.at(*site).to_string();
            rows(rules).into_iter().map(|row| join(row.iter().map(seeds))).collect::<Vec<_>>().join(" / ")
        }
        Shape::Grid { .. } => {
            let sides = rules.seats.ids().map(|seat| men_of(rules, view, seat));
            sides.collect::<Vec<_>>().join(" / ")
        }
    };
    let stores = join(rules.seats.ids().map(|seat| match rules.board.stores.get(seat) {
        Some(store) => view.board.seeds.at(*store).to_string(),
        None => view.board.home(rules, seat).to_string(),
    }));
    let mut text = format!("{board} | {stores} | {}", rules.seats.at(view.mover).letter);
    let counters = counters(rules, view);
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
    let mut pits: Vec<((u16, u16), SiteId)> =
        rules.board.places().filter_map(|(id, site)| Some((site.cell?, id))).collect();
    pits.sort_unstable_by_key(|((row, column), _)| (std::cmp::Reverse(*row), *column));
    let rows = pits.chunk_by(|(a, _), (b, _)| a.0 == b.0);
    rows.map(|row| row.iter().map(|(_, id)| *id).collect()).collect()
}

fn men_of(rules: &Rules, view: &View, seat: SeatId) -> String {
    let mut places = vec![rules.seats.at(seat).letter.to_string()];
    let way = rules.ways.at(seat);
    for spot in way.spots.ids().filter(|spot| Some(*spot) != way.home) {
        for id in (0..usize::from(rules.states)).map(StateId::new) {
            let man = Man { seat, spot, state: id };
            let count = view.board.men(rules, man);
            if count > 0 {
                let many = if count == 1 { String::new() } else { format!("*{count}") };
                places.push(format!("{}{}{many}", spot_name(rules, man), state_name(rules, man)));
            }
        }
    }
    places.join(" ")
}

fn counters(rules: &Rules, view: &View) -> Vec<String> {
    let mut counters = vec![];
    if view.quiet > 0 {
        counters.push(format!("{QUIET} {}", view.quiet));
    }
    let played = view.turns;
    if rules.counts_turns && played > 0 {
        counters.push(format!("{TURNS} {played}"));
    }
    if rules.has_rounds {
        if view.round > 1 {
            counters.push(format!("{ROUND} {}", view.round));
        }
        if view.beginner.index() > 0 {
            counters.push(format!("{BEGAN} {}", rules.seats.at(view.beginner).letter));
        }
    }
    for (mark, plan) in rules.game.marks.entries() {
        for (seat, letter) in rules.seats.entries().map(|(id, seat)| (id, seat.letter)) {
            let marked = rules.board.places().filter(|(site, _)| view.board.marked(mark, *site) == Some(seat));
            let names: Vec<&str> = marked.map(|(_, site)| site.name.as_str()).collect();
            if !names.is_empty() {
                counters.push(format!("{letter} {} {}", plan.name, names.join(" ")));
            }
        }
    }
    for (id, variable) in rules.game.variables.entries() {
        for (seat, value) in view.board.variables.at(id).iter().enumerate() {
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
    if !view.pool.is_empty() {
        counters.push(format!("pool {}", join(view.pool.iter().map(ToString::to_string))));
    }
    counters
}

/// Reads a position at the start of a turn.
///
/// # Errors
/// [`PositionError`] when the text is no position, or not one of this game.
pub fn read_position(rules: &Rules, text: &str) -> Result<View, PositionError> {
    let start = View::new(rules);
    let written = syntax::position(text).map_err(|error| PositionError::Unreadable {
        text: text.to_owned(),
        reason: error.words().message,
        start: print_position(rules, &start),
    })?;
    let reader = Reader { rules, start: print_position(rules, &start) };
    reader.read(&written, start)
}

struct Reader<'a> {
    rules: &'a Rules,
    start: String,
}

impl Reader<'_> {
    fn fail<T>(&self, reason: impl Into<String>) -> Result<T, PositionError> {
        Err(PositionError::DoesNotFit { reason: reason.into(), start: self.start.clone() })
    }

    fn read(&self, written: &syntax::Position, mut view: View) -> Result<View, PositionError> {
        let rules = self.rules;
        match rules.board.shape {
            Shape::Pits { .. } => self.seeds(written, &mut view)?,
            Shape::Grid { .. } => self.men(written, &mut view)?,
        }
        view.mover = self.seat(&written.to_play.node)?;
        for counter in &written.counters {
            self.counter(counter, &mut view)?;
        }
        Ok(view)
    }

    fn seat(&self, letter: &str) -> Result<SeatId, PositionError> {
        let found = self.rules.seats.entries().find(|(_, seat)| letter.len() == 1 && letter.starts_with(seat.letter));
        match found {
            Some((id, _)) => Ok(id),
            None => self.fail(format!("nobody sits at {letter}")),
        }
    }

    fn seeds(&self, written: &syntax::Position, view: &mut View) -> Result<(), PositionError> {
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
                *view.board.seeds.at_mut(*site) = small(number.node);
            }
        }
        for (store, number) in self.rules.board.stores.iter().zip(&written.stores) {
            *view.board.seeds.at_mut(*store) = small(number.node);
        }
        Ok(())
    }

    fn men(&self, written: &syntax::Position, view: &mut View) -> Result<(), PositionError> {
        let rules = self.rules;
        if !written.rows.is_empty() {
            return self.fail("a position of men names each seat and its squares");
        }
        if written.stores.len() != rules.seats.len() {
            return self.fail(format!("there are {} seats", rules.seats.len()));
        }
        for seat in rules.seats.ids() {
            view.board.men.at_mut(seat).fill(0);
        }
        for side in &written.men {
            let seat = self.seat(&side.seat.node)?;
            for men in &side.men {
                self.place(seat, men, view)?;
            }
        }
        for (seat, home) in rules.seats.ids().zip(&written.stores) {
            if home.node != 0 {
                let Some(spot) = rules.ways.at(seat).home else { return self.fail("no man is ever home") };
                self.put(Man { seat, spot, state: StateId::new(0) }, home.node, view)?;
            }
            let all: u32 = view.board.men.at(seat).iter().map(|count| u32::from(*count)).sum();
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

    /// Men of a seat who are alike.
    fn place(&self, seat: SeatId, men: &syntax::MenPlace, view: &mut View) -> Result<(), PositionError> {
        let rules = self.rules;
        let way = rules.ways.at(seat);
        let name = &men.place.node;
        let found = way.spots.entries().find(|(id, spot)| {
            Some(*id) != way.home
                && usize::from(spot.again) == men.again
                && rules.board.sites.at(spot.site).name == *name
        });
        let Some((spot, _)) = found else {
            return self.fail(format!("no man in play can stand on {name}{}", "'".repeat(men.again)));
        };
        let in_state = match &men.state {
            None => StateId::new(0),
            Some(state) => {
                let states = rules.game.men.iter().flat_map(|plan| plan.states.entries());
                let Some((id, _)) = states.into_iter().find(|(_, other)| **other == state.node) else {
                    return self.fail(format!("no man can be {}", state.node));
                };
                id
            }
        };
        self.put(Man { seat, spot, state: in_state }, men.count, view)
    }

    fn put(&self, man: Man, count: i64, view: &mut View) -> Result<(), PositionError> {
        let Ok(count) = u8::try_from(count) else {
            return self.fail(format!("each seat has {} men", self.rules.men));
        };
        view.board.add(self.rules, man, count);
        Ok(())
    }

    fn counter(&self, counter: &syntax::Counter, view: &mut View) -> Result<(), PositionError> {
        let name = &counter.name.node;
        let seat = counter.seat.as_ref().map(|seat| self.seat(&seat.node)).transpose()?;
        if let Some((mark, _)) = self.rules.game.marks.entries().find(|(_, mark)| mark.name == *name) {
            let Some(seat) = seat.filter(|_| counter.numbers.is_empty()) else {
                return self.fail(format!("a mark is somebody's, on pits: write `S {name} A`"));
            };
            for place in &counter.names {
                let Some(site) = self.rules.board.site_named(&place.node) else {
                    return self.fail(format!("there is no pit {}", place.node));
                };
                view.board.mark(mark, site, Some(seat));
            }
            return Ok(());
        }
        if name == BEGAN && seat.is_none() && self.rules.has_rounds {
            let [letter] = counter.names.as_slice() else { return self.fail("one player began the round") };
            view.beginner = self.seat(&letter.node)?;
            return Ok(());
        }
        let [value] = counter.numbers.as_slice() else {
            return self.fail(format!("`{name}` has one value at the start of a turn"));
        };
        let plain = match name.as_str() {
            QUIET => Some(&mut view.quiet),
            TURNS => Some(&mut view.turns),
            ROUND if self.rules.has_rounds => Some(&mut view.round),
            _ => None,
        };
        if let Some(slot) = plain.filter(|_| seat.is_none()) {
            return match u32::try_from(*value).ok().filter(|value| *value <= 1_000_000) {
                Some(value) => {
                    *slot = value;
                    Ok(())
                }
                None => self.fail(format!("`{name}` is a number of turns or rounds")),
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
        self.set(view, id, seat, value);
        Ok(())
    }

    fn set(&self, view: &mut View, id: VariableId, seat: Option<SeatId>, value: i32) {
        if let Some(slot) = view.board.variables.at_mut(id).get_mut(seat.map_or(0, SeatId::index)) {
            *slot = value;
        }
    }
}

/// Whether a position is the one written. Of counters and marks those are compared that the text names.
pub(crate) fn matches(rules: &Rules, found: &View, text: &str) -> Result<bool, PositionError> {
    let wanted = read_position(rules, text)?;
    let named = syntax::position(text).map(|written| written.counters).unwrap_or_default();
    let same = |counter: &syntax::Counter| {
        let name = &counter.name.node;
        let letter = counter.seat.as_ref().map(|seat| seat.node.as_str());
        let seat = rules.seats.entries().find(|(_, seat)| letter.is_some_and(|letter| letter.starts_with(seat.letter)));
        if let Some((mark, _)) = rules.game.marks.entries().find(|(_, mark)| mark.name == *name) {
            let of = |view: &View| {
                let marked = rules.board.places().map(|(site, _)| view.board.marked(mark, site));
                marked.map(|owner| owner.filter(|owner| seat.is_some_and(|(id, _)| id == *owner))).collect::<Vec<_>>()
            };
            return of(&wanted) == of(found);
        }
        match rules.game.variables.entries().find(|(_, variable)| variable.name == *name) {
            Some((id, _)) => {
                let slot = seat.map_or(0, |(id, _)| id.index());
                wanted.board.variables.at(id).get(slot) == found.board.variables.at(id).get(slot)
            }
            None => match name.as_str() {
                QUIET => wanted.quiet == found.quiet,
                ROUND => wanted.round == found.round,
                BEGAN => wanted.beginner == found.beginner,
                _ => wanted.turns == found.turns,
            },
        }
    };
    Ok(wanted.board.seeds == found.board.seeds
        && wanted.board.men == found.board.men
        && wanted.mover == found.mover
        && named.iter().all(same))
}
