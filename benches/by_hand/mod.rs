//! Some of the games written by hand, to race against, with the readings and options that are the defaults. Each comes
//! twice: `plain`, as one writes it first, and `fast`, with all that is known of these rules put into tables and words.
#![allow(
    unreachable_pub,
    dead_code,
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    clippy::needless_range_loop,
    reason = "pits and men are numbers here, and bounded by the games; each who includes it uses a part"
)]

mod drawn;
pub mod kalah;
pub mod koumma;
pub mod oware;
mod row;
pub mod tamman;
pub mod tampoduo;
pub mod ur;

use std::cmp::Ordering;

use ayn::{
    End, GameResult, Node, Stream, Streams, Tree,
    game::{Id as _, SeatId},
};

/// What a game came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Played {
    /// The side that won; none for a draw or a stopped game.
    pub winner: Option<u8>,
    /// Whether the limit of turns stopped it.
    pub stopped: bool,
    /// The ending that applied, by its place in the file.
    pub ending: Option<u8>,
    /// Turns, passes among them.
    pub turns: u32,
    /// What captures took.
    pub captured: u32,
    /// Whether a sowing reached its limit.
    pub endless: bool,
}

/// A program for one game.
pub trait Program {
    /// Its name: "koumma, plain".
    fn name(&self) -> &'static str;

    /// Plays one uniformly random game.
    fn play(&mut self, streams: &mut Streams) -> Played;
}

/// All programs, each with the name of its rule file.
pub fn programs() -> Vec<(&'static str, Box<dyn Program>)> {
    vec![
        ("koumma", Box::new(koumma::plain::Koumma)),
        ("koumma", Box::new(koumma::fast::Koumma::new())),
        ("tampoduo", Box::new(tampoduo::plain::Tampoduo)),
        ("tampoduo", Box::new(tampoduo::fast::Tampoduo::new())),
        ("oware", Box::new(oware::plain::Oware::default())),
        ("oware", Box::new(oware::fast::Oware::new())),
        ("kalah", Box::new(kalah::plain::Kalah)),
        ("kalah", Box::new(kalah::fast::Kalah::new())),
        ("tamman", Box::new(tamman::plain::Tamman)),
        ("tamman", Box::new(tamman::fast::Tamman::new())),
        ("royal-game-of-ur", Box::new(ur::plain::Ur)),
        ("royal-game-of-ur", Box::new(ur::fast::Ur::new())),
    ]
}

impl Played {
    /// What a random game came to on a tree, by its seed and number.
    pub fn by<T: Tree>(tree: &T, seed: u64, game: u64) -> Self {
        Self::at(tree, &mut tree.start(), &mut Streams::new(seed, 0, tree.seats()), seed, game)
    }

    /// The same, in memory that is used again.
    pub fn at<T: Tree>(tree: &T, position: &mut T::Position, streams: &mut Streams, seed: u64, game: u64) -> Self {
        tree.restart(position);
        streams.restart(seed, game);
        tree.play_out(position, streams, u32::MAX);
        let (winner, stopped, ending) = match tree.node(position) {
            Node::End(End { result, ending }) => {
                let winner = if let GameResult::Won(side) = result { Some(side.index() as u8) } else { None };
                let stopped = matches!(result, GameResult::Stopped(_));
                (winner, stopped, ending.map(|ending| ending.index() as u8))
            }
            _ => (None, true, None),
        };
        let captured = (0..tree.seats()).map(|seat| tree.captured(position, SeatId::new(seat))).sum();
        Self { winner, stopped, ending, turns: tree.turns(position), captured, endless: tree.endless(position) }
    }

    /// A game that an ending settled.
    fn won(winner: Option<u8>, ending: u8, turns: u32, captured: u32) -> Self {
        Self { winner, stopped: false, ending: Some(ending), turns, captured, endless: false }
    }

    /// A game that whoever has more has won.
    fn most([south, north]: [u32; 2], ending: u8, turns: u32, captured: u32) -> Self {
        let winner = match south.cmp(&north) {
            Ordering::Greater => Some(0),
            Ordering::Less => Some(1),
            Ordering::Equal => None,
        };
        Self::won(winner, ending, turns, captured)
    }

    /// A game that was stopped at the limit of turns.
    fn stopped(turns: u32, captured: u32) -> Self {
        Self { winner: None, stopped: true, ending: None, turns, captured, endless: false }
    }
}

/// The random player's choice among `k`; where there is nothing to choose, nothing is drawn.
#[inline]
fn choose(streams: &mut Streams, mover: usize, k: usize) -> usize {
    if k < 2 { 0 } else { streams.players.at_mut(SeatId::new(mover)).index(k) }
}

/// How many of four fair pieces fall up.
#[inline]
fn four_pieces(throws: &mut Stream) -> usize {
    let mut drawn = throws.below_wide(16);
    for (up, weight) in [1, 4, 6, 4, 1].into_iter().enumerate() {
        match drawn.checked_sub(weight) {
            Some(rest) => drawn = rest,
            None => return up,
        }
    }
    0
}
