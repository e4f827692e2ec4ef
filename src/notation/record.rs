//! Records: moves and throws, played one after the other.

use crate::{
    diagnostic::{Diagnostic, Excerpt, Words},
    reference::{Position, Reference, Watch},
    rules::{Rules, SeatId, Table, ThrowId},
    source::RecordFile,
    span::Span,
    syntax::{self, MoveToken, Token},
    tree::{Move, Node, Tree},
};

use super::{Misfit, describe_result, print_move, print_position};

/// Where and why rules do not explain a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordError {
    /// The place in the record.
    pub span: Span,
    /// The reason.
    pub misfit: Box<Misfit>,
    /// The place in the game, where it had begun.
    pub at: Option<Box<Standing>>,
}

/// A place in a game that is being replayed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// Who is to move or throw; nobody where the game is over.
    pub seat: Option<&'static str>,
    /// Whether something is thrown there.
    pub throws: bool,
    /// The ply that is due, from 1: a choice made, or a pass of a whole turn; throws are none.
    pub ply: u32,
    /// The same, of that seat's alone.
    pub own: u32,
    /// The position, in notation.
    pub position: String,
}

impl Standing {
    /// `South's 4th move, ply 7`.
    #[must_use]
    pub fn words(&self) -> String {
        let Self { ply, own, .. } = self;
        match self.seat {
            None => format!("after ply {}", ply.saturating_sub(1)),
            Some(seat) if self.throws => format!("{seat}'s throw, before ply {ply}"),
            Some(seat) => format!("{seat}'s {own}{} move, ply {ply}", ordinal(*own)),
        }
    }
}

fn ordinal(n: u32) -> &'static str {
    match (n % 10, n % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    }
}

impl RecordError {
    pub(crate) fn new(span: Span, misfit: Misfit) -> Self {
        Self { span, misfit: Box::new(misfit), at: None }
    }

    pub(crate) fn unreadable(error: &Diagnostic) -> Self {
        Self::new(error.span, Misfit::Unreadable(error.words()))
    }

    /// Code, severity, message, label and help.
    #[must_use]
    pub fn words(&self) -> Words {
        let words = self.misfit.words();
        match (&self.at, self.misfit.as_ref()) {
            (Some(at), Misfit::Expected { .. }) if at.seat.is_some() => {
                Words { label: format!("before {}", at.words()), ..words }
            }
            (Some(at), _) => Words { label: at.words(), ..words },
            (None, _) => words,
        }
    }

    /// Draws it with an excerpt of its file, with colours or without.
    #[must_use]
    pub fn render(&self, file: &RecordFile, colours: bool) -> String {
        let remarks: Vec<String> = self.at.iter().map(|at| format!("before it: {}", at.position)).collect();
        Excerpt { name: file.name(), text: file.text(), span: self.span, note: None, remarks: &remarks }
            .draw(&self.words(), colours)
    }
}

impl std::fmt::Display for RecordError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let words = self.misfit.words();
        f.write_str(&words.message)?;
        match (&words.help, self.misfit.as_ref()) {
            (Some(help), _) => write!(f, "; {help}"),
            (None, Misfit::Unreadable(_)) => write!(f, "; {}", words.label),
            (None, _) => Ok(()),
        }
    }
}

impl std::error::Error for RecordError {}

/// Plays a record from a position. A pass to which there is no alternative may be left out of it.
///
/// # Errors
/// [`RecordError`] at the first token that cannot be read, is not on offer, or says that something
/// else was taken. What was played up to there stays played.
pub fn play_record<W: Watch>(
    reference: &Reference,
    position: &mut Position,
    record: &str,
    watch: &mut W,
) -> Result<(), RecordError> {
    let tokens = syntax::record(record).map_err(|error| RecordError::unreadable(&error))?;
    let mut player = Player::new(reference);
    tokens.iter().try_for_each(|token| player.play(position, token, watch))
}

/// Plays a record token by token, and knows how far it has come.
pub(crate) struct Player<'a> {
    reference: &'a Reference,
    /// Plies played, and those of each seat.
    pub(crate) plies: u32,
    own: Table<SeatId, u32>,
}

impl<'a> Player<'a> {
    pub(crate) fn new(reference: &'a Reference) -> Self {
        Self { reference, plies: 0, own: Table::filled(reference.seats(), 0) }
    }

    /// A place in the record with the place in the game.
    pub(crate) fn fail(&self, position: &Position, span: Span, misfit: Misfit) -> RecordError {
        let rules = self.reference.rules();
        let (seat, throws) = match self.reference.node(position) {
            Node::Choice(choice) => (Some(choice.seat), false),
            Node::Chance(chance) => (Some(chance.seat), true),
            Node::End(_) => (None, false),
        };
        let at = Standing {
            seat: seat.map(|seat| rules.seats.at(seat).name),
            throws,
            ply: self.plies + 1,
            own: seat.map_or(0, |seat| *self.own.at(seat)) + 1,
            position: print_position(rules, &self.reference.view(position)),
        };
        RecordError { at: Some(Box::new(at)), ..RecordError::new(span, misfit) }
    }

    /// Makes the pass to which there is no alternative, if one is due.
    pub(crate) fn pass<W: Watch>(&mut self, position: &mut Position, watch: &mut W) -> bool {
        let Node::Choice(choice) = self.reference.node(position) else { return false };
        let forced = self.reference.moves(position).iter().all(Move::is_pass);
        if forced {
            self.made(choice.seat);
            self.reference.advance_watched(position, 0, watch);
        }
        forced
    }

    fn made(&mut self, seat: SeatId) {
        self.plies += 1;
        *self.own.at_mut(seat) += 1;
    }

    pub(crate) fn play<W: Watch>(
        &mut self,
        position: &mut Position,
        token: &Token,
        watch: &mut W,
    ) -> Result<(), RecordError> {
        if !matches!(token, Token::Move(written) if written.parts == ["pass"]) {
            self.pass(position, watch);
        }
        let misfit = match (token, self.reference.node(position)) {
            (Token::Throw(count), Node::Chance(chance)) => {
                let outcomes = &self.reference.throw(chance.throw).outcomes;
                match outcomes.iter().position(|outcome| i64::from(outcome.count) == count.node) {
                    Some(index) => {
                        self.reference.advance_watched(position, index, watch);
                        return Ok(());
                    }
                    None => Misfit::NoSuchThrow { count: count.node, counts: counts(self.reference, chance.throw) },
                }
            }
            (Token::Move(written), Node::Choice(choice)) => {
                let choices = offered(self.reference, position);
                let spelled = written.parts.join(":");
                match choices.iter().position(|name| *name == spelled) {
                    Some(index) => return self.choose(position, choice.seat, index, written, watch),
                    None => {
                        let unknown = written.parts.iter().find(|part| !is_part(self.reference.rules(), part)).cloned();
                        Misfit::NotOffered { written: spelled, unknown, choices }
                    }
                }
            }
            (Token::Throw(_), Node::Choice(_)) => Misfit::MoveDue { choices: offered(self.reference, position) },
            (Token::Move(_), Node::Chance(chance)) => Misfit::ThrowDue { counts: counts(self.reference, chance.throw) },
            (_, node @ Node::End(_)) => Misfit::Over { result: describe_result(self.reference.rules(), node) },
        };
        Err(self.fail(position, token.span(), misfit))
    }

    fn choose<W: Watch>(
        &mut self,
        position: &mut Position,
        seat: SeatId,
        index: usize,
        written: &MoveToken,
        watch: &mut W,
    ) -> Result<(), RecordError> {
        let captured = |position: &Position| -> i64 {
            let seats = self.reference.rules().seats.ids();
            seats.map(|seat| i64::from(self.reference.captured(position, seat))).sum()
        };
        // What stood before is told where the move turns out to take something else.
        let before = written.taken.map(|said| (said, captured(position), position.clone()));
        self.reference.advance_watched(position, index, watch);
        if let Some((said, had, stood)) = before {
            let found = captured(position) - had;
            if found != said {
                let misfit = Misfit::Takes { written: written.parts.join(":"), found, said };
                return Err(self.fail(&stood, written.span, misfit));
            }
        }
        self.made(seat);
        Ok(())
    }
}

/// Whether a text can be a part of a move: a place, a count, a direction, or `pass`.
pub(crate) fn is_part(rules: &Rules, part: &str) -> bool {
    let place = part.split(['\'', '(']).next().unwrap_or(part);
    // Another seat's man bears its letter.
    let plain = place.strip_prefix(|first| rules.seats.iter().any(|seat| seat.letter == first));
    let named = |name: &str| rules.board.sites.iter().any(|site| site.name == name);
    ["pass", "cw", "ccw"].contains(&part) || part.parse::<i32>().is_ok() || named(place) || plain.is_some_and(named)
}

/// The moves of a choice, as they are written.
fn offered(reference: &Reference, position: &Position) -> Vec<String> {
    reference.moves(position).iter().map(|chosen| print_move(reference.rules(), chosen)).collect()
}

fn counts(reference: &Reference, throw: ThrowId) -> Vec<i32> {
    reference.throw(throw).outcomes.iter().map(|outcome| outcome.count).collect()
}
