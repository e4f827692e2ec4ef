//! Counting sequences of plies.

use crate::tree::{Node, Tree};

/// The number of sequences of 1, 2, ... `depth` plies from a position. Throws are expanded, each
/// different outcome once, and are no plies; a game that has ended adds nothing longer.
pub fn perft<T: Tree>(tree: &T, position: &T::Position, depth: usize) -> Vec<u64> {
    let mut counts = vec![0; depth];
    expand(tree, position, &mut counts);
    counts
}

/// Adds the sequences from here to the counts, of which the first is for one ply more.
fn expand<T: Tree>(tree: &T, position: &T::Position, counts: &mut [u64]) {
    let Some((here, deeper)) = counts.split_first_mut() else { return };
    match tree.node(position) {
        Node::End(_) => {}
        Node::Choice(choice) => {
            *here += choice.moves as u64;
            if deeper.is_empty() {
                return;
            }
            for n in 0..choice.moves {
                let mut next = position.clone();
                tree.advance(&mut next, n);
                expand(tree, &next, deeper);
            }
        }
        Node::Chance(chance) => {
            for n in 0..tree.throw(chance.throw).outcomes.len() {
                let mut next = position.clone();
                tree.advance(&mut next, n);
                expand(tree, &next, counts);
            }
        }
    }
}
