//! Ayn runs traditional board games from rule files.

mod agents;
mod check;
mod cli;
mod diagnostic;
mod example;
mod notation;
mod random;
mod reference;
mod rules;
mod sim;
mod source;
mod span;
mod syntax;
mod tree;

pub use self::{
    agents::{Agent, UnknownAgent},
    check::{Checked, check},
    cli::main,
    diagnostic::{Diagnostic, Severity, Words, render},
    example::{Failure, describe_result, run_example},
    notation::{PositionError, RecordError, play_record, print_move, print_position, read_position},
    random::{Stream, Streams},
    reference::{Event, Position, Reference, Watch},
    source::{RuleFile, RuleFileError},
    span::Span,
    tree::{Chance, Choice, End, GameResult, Man, Move, Node, Outcome, Part, Stop, Tree},
};
/// The checked game and the rules that are played.
pub mod game {
    pub use crate::rules::*;
}
/// Many games, and what they come to.
pub mod simulation {
    pub use crate::sim::*;
}
