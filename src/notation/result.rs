//! Results as words.

use crate::{
    rules::{Rules, SideId},
    tree::{GameResult, Node},
};

/// A result in words.
#[must_use]
pub fn describe_result(rules: &Rules, node: Node) -> String {
    match node {
        Node::End(end) => describe(rules, end.result),
        _ => "the game goes on".to_owned(),
    }
}

/// A result in words.
pub(crate) fn describe(rules: &Rules, result: GameResult) -> String {
    let name = |side: SideId| rules.sides.at(side).name.as_str();
    match result {
        GameResult::Won(side) => format!("{} wins", name(side)),
        GameResult::Draw(tied) if tied.len() == rules.sides.len() => "a draw".to_owned(),
        GameResult::Draw(tied) => format!("a draw between {}", tied.iter().map(name).collect::<Vec<_>>().join(" and ")),
        GameResult::Stopped(_) => "the game was stopped".to_owned(),
    }
}
