//! What agents ask of sides.

use crate::{
    rules::{Id as _, SeatId, SideId},
    tree::Tree,
};

/// The most sides that a game can have.
const MOST: usize = 8;

/// The side of a seat.
pub(super) fn side_of<T: Tree>(tree: &T, seat: SeatId) -> SideId {
    tree.sides().get(seat.index()).copied().unwrap_or(SideId::new(0))
}

/// How many sides there are.
pub(super) fn count<T: Tree>(tree: &T) -> usize {
    tree.sides().iter().map(|side| side.index() + 1).max().unwrap_or(0)
}

/// By how much a side stands better than the best other one.
pub(super) fn lead<T: Tree>(tree: &T, position: &T::Position, own: SideId) -> i64 {
    let mut standings = [0i64; MOST];
    for (seat, side) in tree.sides().iter().enumerate() {
        if let Some(sum) = standings.get_mut(side.index()) {
            *sum = sum.saturating_add(tree.standing(position, SeatId::new(seat)));
        }
    }
    let others = standings.iter().take(count(tree)).enumerate().filter(|(side, _)| *side != own.index());
    let best = others.map(|(_, sum)| *sum).max();
    standings.get(own.index()).copied().unwrap_or(0).saturating_sub(best.unwrap_or(0))
}
