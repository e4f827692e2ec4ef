//! Results as words.

use crate::{
    rules::{Rules, SeatId},
    tree::{GameResult, Node},
};

/// A result in words.
#[must_use]
pub fn describe_result(rules: &Rules, node: &Node) -> String {
    match node {
        Node::End(end) => describe(rules, &end.result),
        _ => "the game goes on".to_owned(),
    }
}

/// A result in words.
pub(crate) fn describe(rules: &Rules, result: &GameResult) -> String {
    let name = |seat: &SeatId| rules.seats.at(*seat).name;
    match result {
        GameResult::Won(seat) => format!("{} wins", name(seat)),
        GameResult::Draw(tied) if tied.len() == rules.seats.len() => "a draw".to_owned(),
        GameResult::Draw(tied) => format!("a draw between {}", tied.iter().map(name).collect::<Vec<_>>().join(" and ")),
        GameResult::Stopped(_) => "the game was stopped".to_owned(),
    }
}
