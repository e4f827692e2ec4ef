//! Random numbers in the form in which tables are opened by them.

use ayn::{
    Stream, Streams,
    game::{Id as _, SeatId},
};

/// The players' choices. A number below `PARTS`, of which all numbers of moves are divisors, says which one is chosen
/// whatever their number; so they need not be counted. It says the same as a draw among the moves, but
/// where a product of the stream lies within `PARTS` of a multiple of 2^64: once in 2^55 draws.
pub(super) struct Choices<const PARTS: usize> {
    /// What the program makes of each number.
    codes: Box<[u32; PARTS]>,
}

impl<const PARTS: usize> Choices<PARTS> {
    pub(super) fn new(code: impl FnMut(usize) -> u32) -> Self {
        Self { codes: Box::new(std::array::from_fn(code)) }
    }

    /// The choice among `k` moves in the k-th digit, in sixteens.
    pub(super) fn among() -> Self {
        Self::new(|part| (0..8).map(|k| ((part * k / PARTS) as u32) << (4 * k)).sum())
    }

    /// The next code of a player; nothing is drawn where there is no choice.
    #[inline]
    pub(super) fn next(&mut self, streams: &mut Streams, mover: usize, is_choice: impl FnOnce() -> bool) -> u32 {
        if !is_choice() {
            return self.codes[0];
        }
        self.codes[streams.players.at_mut(SeatId::new(mover)).index(PARTS)]
    }
}

/// Falls of four fair pieces, each as one of the sixteen ways in which they can fall, the next one lowest.
#[derive(Default)]
pub(super) struct Falls {
    nibbles: u64,
    left: u32,
}

impl Falls {
    /// The next falls, at least three of them.
    #[inline]
    pub(super) fn see(&mut self, throws: &mut Stream) -> u64 {
        if self.left < 3 {
            self.nibbles |= more_falls(throws, self.left);
            self.left = 16;
        }
        self.nibbles
    }

    /// So many are used.
    #[inline]
    pub(super) fn skip(&mut self, falls: u32) {
        self.nibbles >>= 4 * falls;
        self.left -= falls;
    }
}

/// The falls from one on.
#[cold]
#[inline(never)]
fn more_falls(throws: &mut Stream, from: u32) -> u64 {
    (from..16).map(|n| throws.below(16) << (4 * n)).sum()
}

/// How many pieces are up in each of the sixteen falls, in the order of the throw's outcomes.
pub(super) const UP: [u8; 16] = [0, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 4];
