//! Names for places, moves and positions: one notation, printed and read.
//!
//! The grammar of it stands with that of the rule files; here it meets a game.

mod misfit;
mod position;
mod record;
mod result;

pub use self::{
    misfit::Misfit,
    position::{PositionError, print_position, read_position},
    record::{RecordError, Standing, play_record},
    result::describe_result,
};
pub(crate) use self::{
    position::{matches, rows},
    record::{Player, is_part},
    result::describe,
};
use crate::{
    rules::{Direction, Id as _, Rules},
    tree::{Move, Part},
    view::Man,
};

/// A move as it is written: its places and counts, joined by colons; `pass` for none.
#[must_use]
pub fn print_move(rules: &Rules, chosen: &Move) -> String {
    if chosen.is_pass() {
        return "pass".to_owned();
    }
    let parts = chosen.parts.iter().map(|part| match part {
        Part::Site(site) => rules.board.sites.at(*site).name.clone(),
        Part::Man(man, _) => format!("{}{}", spot_name(rules, *man), state_name(rules, *man)),
        Part::Other(man, _) => {
            let letter = rules.seats.at(man.seat).letter;
            format!("{letter}{}{}", spot_name(rules, *man), state_name(rules, *man))
        }
        Part::Count(count) => count.to_string(),
        Part::Direction(Direction::Counterclockwise) => "ccw".to_owned(),
        Part::Direction(Direction::Clockwise) => "cw".to_owned(),
    });
    parts.collect::<Vec<_>>().join(":")
}

/// The square of a man, with a stroke for every time that his track has been there before.
pub(crate) fn spot_name(rules: &Rules, man: Man) -> String {
    let spot = rules.ways.at(man.seat).spots.at(man.spot);
    format!("{}{}", rules.board.sites.at(spot.site).name, "'".repeat(usize::from(spot.again)))
}

/// The state of a man in parentheses; nothing for that of the start.
pub(crate) fn state_name(rules: &Rules, man: Man) -> String {
    let states = rules.game.men.as_ref().map(|plan| &plan.states);
    let name = states.and_then(|states| states.get(man.state)).filter(|_| man.state.index() > 0);
    name.map(|name| format!("({name})")).unwrap_or_default()
}
