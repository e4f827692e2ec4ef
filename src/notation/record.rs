//! Records: moves and throws, played one after the other.

use crate::{
    reference::{Position, Reference, Watch},
    span::Span,
    syntax::{self, MoveToken, Token},
    tree::{Move, Node, Tree},
};

use super::print_move;

/// Why a record cannot be played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordError {
    /// The place in the record.
    pub span: Span,
    /// What is wrong there.
    pub message: String,
    /// What would be right.
    pub help: Option<String>,
}

impl std::fmt::Display for RecordError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)?;
        match &self.help {
            Some(help) => write!(f, "; {help}"),
            None => Ok(()),
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
    let tokens = syntax::record(record).map_err(|error| {
        let words = error.words();
        let help = words.help.or(Some(words.label));
        RecordError { span: error.span, message: words.message, help }
    })?;
    for token in tokens {
        step(reference, position, &token, watch)?;
    }
    Ok(())
}

fn step<W: Watch>(
    reference: &Reference,
    position: &mut Position,
    token: &Token,
    watch: &mut W,
) -> Result<(), RecordError> {
    let forced =
        reference.moves(position).iter().all(Move::is_pass) && matches!(reference.node(position), Node::Choice(_));
    if forced && !matches!(token, Token::Move(written) if written.parts == ["pass"]) {
        reference.advance_watched(position, 0, watch);
    }
    let node = reference.node(position);
    match (token, node) {
        (Token::Throw(count), Node::Chance(chance)) => {
            let outcomes = &reference.throw(chance.throw).outcomes;
            let found = outcomes.iter().position(|outcome| i64::from(outcome.count) == count.node);
            let Some(index) = found else {
                let counts = outcomes.iter().map(|outcome| outcome.count.to_string()).collect::<Vec<_>>().join(", ");
                let help = Some(format!("it can count {counts}"));
                return Err(RecordError { span: count.span, message: format!("no throw counts {}", count.node), help });
            };
            reference.advance_watched(position, index, watch);
            Ok(())
        }
        (Token::Move(written), Node::Choice(_)) => {
            let names: Vec<String> =
                reference.moves(position).iter().map(|chosen| print_move(reference.rules(), chosen)).collect();
            let spelled = written.parts.join(":");
            let Some(index) = names.iter().position(|name| *name == spelled) else {
                let help = Some(format!("the choices are {}", names.join(", ")));
                return Err(RecordError { span: written.span, message: format!("`{spelled}` is not on offer"), help });
            };
            let before = captured(reference, position);
            reference.advance_watched(position, index, watch);
            taken(written, captured(reference, position) - before)
        }
        (Token::Throw(count), Node::Choice(_)) => {
            let help = Some("a move is due: write it without brackets".to_owned());
            Err(RecordError { span: count.span, message: "nothing is thrown here".to_owned(), help })
        }
        (Token::Move(written), Node::Chance(_)) => {
            let help = Some("write what is thrown in brackets, like `[4]`".to_owned());
            Err(RecordError { span: written.span, message: "a throw is due before a move".to_owned(), help })
        }
        (token, Node::End(_)) => {
            let span = match token {
                Token::Throw(count) => count.span,
                Token::Move(written) => written.span,
            };
            Err(RecordError { span, message: "the game is over".to_owned(), help: None })
        }
    }
}

fn captured(reference: &Reference, position: &Position) -> i64 {
    reference.rules().seats.ids().map(|seat| i64::from(reference.captured(position, seat))).sum()
}

fn taken(written: &MoveToken, found: i64) -> Result<(), RecordError> {
    match written.taken {
        Some(said) if said != found => {
            Err(RecordError { span: written.span, message: format!("the move takes {found}, not {said}"), help: None })
        }
        _ => Ok(()),
    }
}
