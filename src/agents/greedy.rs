//! The greedy player: looks to the end of his own turn, and no further.

use std::collections::HashMap;

use super::sides::{lead, side_of};
use crate::{
    random::Stream,
    rules::{SeatId, SideId},
    tree::{Choice, Node, Tree},
};

/// How many positions of a turn are looked at for one choice. Where more could follow, all moves are
/// judged at the same distance: the farthest at which none needs more.
const BUDGET: usize = 1500;

/// How many steps of evaluation looking ahead may take for one choice: far more than
/// ordinary rules need. Beyond, what is known so far decides.
const EFFORT: u64 = 1_000_000;

/// Values closer than this are ties: they differ by rounding alone.
const TIE: f64 = 1e-9;

pub(super) fn choose<T: Tree>(tree: &T, position: &T::Position, choice: Choice, stream: &mut Stream) -> usize {
    let mut look = Look {
        tree,
        seat: choice.seat,
        own: side_of(tree, choice.seat),
        turn: tree.turns(position),
        known: HashMap::new(),
        left: BUDGET,
        effort: 0,
        cut: false,
    };
    let mut after = vec![];
    for n in 0..choice.moves {
        after.push(look.advanced(position, n));
        if look.effort > EFFORT {
            // Not even the moves themselves can be compared: any of them will do.
            return stream.index(choice.moves);
        }
    }
    let mut values: Vec<f64> = after.iter().map(|position| look.difference(position)).collect();
    for horizon in 1.. {
        look.known.clear();
        look.cut = false;
        let deeper: Vec<f64> = after.iter().map(|position| look.value(position, horizon)).collect();
        if look.left == 0 || look.effort > EFFORT {
            break;
        }
        values = deeper;
        if !look.cut {
            break;
        }
    }
    let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let tied: Vec<usize> =
        (0..values.len()).filter(|n| values.get(*n).is_some_and(|value| *value >= best - TIE)).collect();
    tied.get(stream.index(tied.len())).copied().unwrap_or(0)
}

struct Look<'a, T: Tree> {
    tree: &'a T,
    seat: SeatId,
    own: SideId,
    turn: u32,
    /// Values of positions of this turn that can be reached in more than one way, by the horizon.
    known: HashMap<(T::Position, u32), f64>,
    left: usize,
    /// Steps of evaluation so far.
    effort: u64,
    /// Whether a position at the horizon had more to come.
    cut: bool,
}

impl<T: Tree> Look<'_, T> {
    /// The expected difference at the end of the turn, with the best choices on the way, looking at most
    /// so many nodes ahead.
    fn value(&mut self, position: &T::Position, horizon: u32) -> f64 {
        let node = self.tree.node(position);
        let over = self.tree.turns(position) > self.turn || matches!(node, Node::End(_));
        let other = matches!(node, Node::Choice(choice) if choice.seat != self.seat);
        if over || other || self.left == 0 || self.effort > EFFORT {
            return self.difference(position);
        }
        if horizon == 0 {
            self.cut = true;
            return self.difference(position);
        }
        let key = (position.clone(), horizon);
        if let Some(value) = self.known.get(&key) {
            return *value;
        }
        self.left -= 1;
        let value = match node {
            Node::Choice(choice) => {
                let values = (0..choice.moves).map(|n| self.after(position, n, horizon));
                values.fold(f64::NEG_INFINITY, f64::max)
            }
            Node::Chance(chance) => {
                let throw = self.tree.throw(chance.throw);
                let total = throw.total as f64;
                let parts = throw.outcomes.iter().enumerate();
                parts.map(|(n, outcome)| outcome.weight as f64 / total * self.after(position, n, horizon)).sum()
            }
            Node::End(_) => self.difference(position),
        };
        self.known.insert(key, value);
        value
    }

    fn after(&mut self, position: &T::Position, n: usize, horizon: u32) -> f64 {
        let next = self.advanced(position, n);
        self.value(&next, horizon - 1)
    }

    /// The position after the n-th move or outcome, its effort counted.
    fn advanced(&mut self, position: &T::Position, n: usize) -> T::Position {
        let mut next = position.clone();
        self.tree.advance(&mut next, n);
        self.effort += self.tree.effort(&next).saturating_sub(self.tree.effort(position));
        next
    }

    fn difference(&self, position: &T::Position) -> f64 {
        lead(self.tree, position, self.own) as f64
    }
}
