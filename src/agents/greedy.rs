//! The greedy player: looks to the end of his own turn, and no further.

use std::collections::HashMap;

use crate::{
    random::Stream,
    rules::SeatId,
    tree::{Choice, Node, Tree},
};

/// How many positions of a turn are looked at for one choice. In turns with many throws still to come
/// what lies beyond is judged as it stands.
const BUDGET: usize = 3000;

/// Values closer than this are ties: they differ by rounding alone.
const TIE: f64 = 1e-9;

pub(super) fn choose<T: Tree>(tree: &T, position: &T::Position, choice: &Choice, stream: &mut Stream) -> usize {
    let mut look = Look { tree, seat: choice.seat, turn: tree.turns(position), known: HashMap::new(), left: BUDGET };
    let mut best = f64::NEG_INFINITY;
    let mut tied = vec![];
    for n in 0..choice.moves.len() {
        let mut after = position.clone();
        tree.advance(&mut after, n);
        let value = look.value(&after);
        if value > best + TIE {
            best = value;
            tied.clear();
        }
        if value >= best - TIE {
            tied.push(n);
        }
    }
    tied.get(stream.index(tied.len())).copied().unwrap_or(0)
}

struct Look<'a, T: Tree> {
    tree: &'a T,
    seat: SeatId,
    turn: u32,
    /// Values of positions of this turn that can be reached in more than one way.
    known: HashMap<T::Position, f64>,
    left: usize,
}

impl<T: Tree> Look<'_, T> {
    /// The expected difference at the end of the turn, with the best choices on the way.
    fn value(&mut self, position: &T::Position) -> f64 {
        let node = self.tree.node(position);
        let over = self.tree.turns(position) > self.turn || matches!(node, Node::End(_));
        let other = matches!(node, Node::Choice(choice) if choice.seat != self.seat);
        if over || other || self.left == 0 {
            return self.difference(position);
        }
        if let Some(value) = self.known.get(position) {
            return *value;
        }
        self.left -= 1;
        let value = match node {
            Node::Choice(choice) => {
                let values = (0..choice.moves.len()).map(|n| self.after(position, n));
                values.fold(f64::NEG_INFINITY, f64::max)
            }
            Node::Chance(chance) => {
                let total = chance.total as f64;
                let parts = chance.outcomes.iter().enumerate();
                parts.map(|(n, outcome)| outcome.weight as f64 / total * self.after(position, n)).sum()
            }
            Node::End(_) => self.difference(position),
        };
        self.known.insert(position.clone(), value);
        value
    }

    fn after(&mut self, position: &T::Position, n: usize) -> f64 {
        let mut next = position.clone();
        self.tree.advance(&mut next, n);
        self.value(&next)
    }

    fn difference(&self, position: &T::Position) -> f64 {
        let standing = |seat| self.tree.standing(position, seat);
        let others = (0..self.tree.seats()).map(crate::rules::Id::new).filter(|seat| *seat != self.seat);
        let best = others.map(standing).max().unwrap_or(0);
        (standing(self.seat) - best) as f64
    }
}
