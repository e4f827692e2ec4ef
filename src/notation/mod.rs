//! Names for places, moves and positions: one notation, printed and read.
//!
//! The grammar of it stands with that of the rule files; here it meets a game.

mod position;
mod record;
mod result;

pub use self::{
    position::{PositionError, begin_position, print_position, read_position},
    record::{RecordError, play_record},
    result::describe_result,
};
pub(crate) use self::{
    position::{matches, rows},
    result::describe,
};
use crate::{
    rules::Rules,
    tree::{Move, Part},
};

/// A move as it is written: its places and counts, joined by colons; `pass` for none.
#[must_use]
pub fn print_move(rules: &Rules, chosen: &Move) -> String {
    if chosen.is_pass() {
        return "pass".to_owned();
    }
    let parts = chosen.parts.iter().map(|part| match part {
        Part::Site(site) | Part::Man(_, site) => rules.board.sites.at(*site).name.clone(),
        Part::Count(count) => count.to_string(),
    });
    parts.collect::<Vec<_>>().join(":")
}
