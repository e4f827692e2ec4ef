//! Alpha-beta search (D. E. Knuth and R. W. Moore, "An Analysis of Alpha-Beta Pruning", 1975), one choice deeper each
//! time, the moves that were best so far first.

use std::cmp::Reverse;

use super::sides::{lead, side_of};
use crate::{
    random::Stream,
    rules::SideId,
    tree::{Choice, End, GameResult, Node, Tree},
};

/// How many positions are looked at for one choice. The deepest search that was completed decides.
const BUDGET: u64 = 1_000_000;

/// How many steps of evaluation looking ahead may take for one choice.
const EFFORT: u64 = 100_000_000;

/// What a win is worth now: beyond every standing. Each ply until then takes one away.
const WIN: i64 = 1 << 40;

/// Standings are cut to this.
const MOST_STANDING: i64 = 1 << 30;

pub(super) fn choose<T: Tree>(
    tree: &T,
    position: &T::Position,
    choice: Choice,
    depth: u32,
    stream: &mut Stream,
) -> usize {
    let own = side_of(tree, choice.seat);
    let mut search = Search { tree, own, left: BUDGET, effort: 0, cut: false, spare: vec![] };
    let mut moves: Vec<(usize, i64)> = (0..choice.moves).map(|n| (n, 0)).collect();
    let mut best = vec![];
    for depth in 0..depth {
        search.cut = false;
        let Some(found) = search.root(position, &mut moves, depth) else { break };
        best = found;
        if !search.cut {
            break;
        }
        // Stable: equals stay in the order they had.
        moves.sort_by_key(|(_, value)| Reverse(*value));
    }
    // Where not even the moves themselves could be compared, any of them will do.
    best.sort_unstable();
    best.get(stream.index(best.len())).copied().unwrap_or_else(|| stream.index(choice.moves))
}

struct Search<'a, T: Tree> {
    tree: &'a T,
    /// The side that asks: it wants the greatest value, all others the least.
    own: SideId,
    /// Positions still to be looked at.
    left: u64,
    effort: u64,
    /// Whether a position at the horizon had more to come.
    cut: bool,
    /// Positions whose memory can be used again.
    spare: Vec<T::Position>,
}

impl<T: Tree> Search<'_, T> {
    /// The best moves, looking so many choices ahead after each; nothing when the budget is used up. Each move is given
    /// a value that is exact if it is the best, and else an upper bound below it.
    fn root(&mut self, position: &T::Position, moves: &mut [(usize, i64)], depth: u32) -> Option<Vec<usize>> {
        let mut best = i64::MIN + 1;
        for (n, value) in moves.iter_mut() {
            let mut next = self.after(position, *n);
            // One below the best: a move that is just as good is told from one that is less.
            *value = self.value(&mut next, depth, 1, best - 1, i64::MAX)?;
            best = best.max(*value);
            self.spare.push(next);
        }
        Some(moves.iter().filter(|(_, value)| *value == best).map(|(n, _)| *n).collect())
    }

    /// The value of a position if it lies between two bounds; else a value beyond the bound that it is beyond.
    fn value(
        &mut self,
        position: &mut T::Position,
        depth: u32,
        mut ply: i64,
        mut low: i64,
        mut high: i64,
    ) -> Option<i64> {
        let choice = loop {
            self.left = self.left.checked_sub(1)?;
            if self.effort > EFFORT {
                return None;
            }
            match self.tree.node(position) {
                Node::End(end) => return Some(self.of_end(end, ply)),
                Node::Chance(_) => return Some(self.standing(position)),
                Node::Choice(Choice { moves: ..2, .. }) => {
                    self.advance(position, 0);
                    ply += 1;
                }
                Node::Choice(choice) => break choice,
            }
        };
        let Some(depth) = depth.checked_sub(1) else {
            self.cut = true;
            return Some(self.standing(position));
        };
        let own = side_of(self.tree, choice.seat) == self.own;
        let mut ordered = if depth > 0 { self.ordered(position, choice.moves, own) } else { vec![] };
        let mut best = if own { i64::MIN } else { i64::MAX };
        for n in 0..choice.moves {
            let mut next = match ordered.pop() {
                Some((_, next)) => next,
                None => self.after(position, n),
            };
            let value = self.value(&mut next, depth, ply + 1, low, high)?;
            self.spare.push(next);
            if own {
                best = best.max(value);
                low = low.max(value);
            } else {
                best = best.min(value);
                high = high.min(value);
            }
            if low >= high {
                break;
            }
        }
        self.spare.extend(ordered.into_iter().map(|(_, next)| next));
        Some(best)
    }

    /// The positions after all moves, with their standings for the side that chooses, the best last.
    fn ordered(&mut self, position: &T::Position, moves: usize, own: bool) -> Vec<(i64, T::Position)> {
        let mut all = vec![];
        for n in 0..moves {
            let next = self.after(position, n);
            let standing = self.standing(&next);
            all.push((if own { standing } else { -standing }, next));
        }
        all.sort_by_key(|(standing, _)| *standing);
        all
    }

    fn after(&mut self, position: &T::Position, n: usize) -> T::Position {
        let mut next = match self.spare.pop() {
            Some(mut next) => {
                next.clone_from(position);
                next
            }
            None => position.clone(),
        };
        self.advance(&mut next, n);
        next
    }

    fn advance(&mut self, position: &mut T::Position, n: usize) {
        let before = self.tree.effort(position);
        self.tree.advance(position, n);
        self.effort = self.effort.saturating_add(self.tree.effort(position).saturating_sub(before));
    }

    fn standing(&self, position: &T::Position) -> i64 {
        lead(self.tree, position, self.own).clamp(-MOST_STANDING, MOST_STANDING)
    }

    fn of_end(&self, end: End, ply: i64) -> i64 {
        match end.result {
            GameResult::Won(side) if side == self.own => WIN - ply,
            GameResult::Won(_) => ply - WIN,
            GameResult::Draw(_) | GameResult::Stopped(_) => 0,
        }
    }
}
