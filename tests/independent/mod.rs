//! Games written by hand, each by itself, to hold the rule files against.
//!
//! They share nothing with the program: no board, no statement, no notation but the names of moves.
#![allow(
    dead_code,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a helper of tests; each uses a part"
)]

pub mod ashta_kashte;
pub mod bakuk;
pub mod bao_kujifunza;
pub mod chupu;
pub mod hus;
pub mod kalah;
pub mod layli_goobalay;
pub mod ohvalhu;
pub mod oware;
pub mod pachisi;
pub mod pallanguzhi;
pub mod royal_game_of_ur;
pub mod tab;
pub mod toguz_korgool;
pub mod um_ed_dyar;
pub mod yovodji;

/// Where a game stands.
pub enum Node<S> {
    /// The moves, by their names, and what each leads to.
    Choice(Vec<(String, S)>),
    /// The different counts of a throw, and what each leads to.
    Throw(Vec<(i32, S)>),
    /// The game is over: `South wins`, `draw`, ...
    End(String),
}

/// A game written by hand.
pub trait Independent {
    /// All that its future depends on.
    type State: Clone;

    /// The start.
    fn start(&self) -> Self::State;

    /// What comes next.
    fn node(&self, state: &Self::State) -> Node<Self::State>;
}

/// The sequences of 1, 2, ... `depth` moves from the start; throws are expanded and count nothing.
pub fn perft<G: Independent>(game: &G, depth: usize) -> Vec<u64> {
    let mut counts = vec![0; depth];
    expand(game, &game.start(), &mut counts);
    counts
}

fn expand<G: Independent>(game: &G, state: &G::State, counts: &mut [u64]) {
    let Some((here, deeper)) = counts.split_first_mut() else { return };
    match game.node(state) {
        Node::End(_) => {}
        Node::Choice(moves) => {
            *here += moves.len() as u64;
            if deeper.is_empty() {
                return;
            }
            for (_, next) in &moves {
                expand(game, next, deeper);
            }
        }
        Node::Throw(falls) => {
            for (_, next) in &falls {
                expand(game, next, counts);
            }
        }
    }
}
