//! Random streams: for every seed and every game its own, apart for throws and for each player.
//!
//! The generator is ChaCha8 (D. J. Bernstein, "ChaCha, a variant of Salsa20", 2008), which computes
//! any block of any stream from its counter. The key is made of the seed and the number of the game;
//! stream 0 is for throws, stream 1 + s for the player at seat s. So game 4711 is the same game
//! whoever plays it, in whatever order and on however many threads.

use chacha20::{
    ChaCha8Rng,
    rand_core::{Rng as _, SeedableRng as _},
};

use crate::rules::{Id as _, SeatId, Throw};

/// How many numbers are computed at once: four blocks of the generator.
pub(crate) const AHEAD: usize = 32;

/// A stream of random numbers.
#[derive(Debug)]
pub struct Stream {
    /// Seed, game, and number of the stream.
    key: [u64; 3],
    /// Made when the first number is drawn: many streams of many games are never used.
    generator: Option<ChaCha8Rng>,
    /// Numbers computed ahead, and how many of them are drawn.
    pub(crate) numbers: [u64; AHEAD],
    pub(crate) drawn: usize,
}

impl Clone for Stream {
    fn clone(&self) -> Self {
        let [seed, game, stream] = self.key;
        let mut copy = Self::new(seed, game, stream);
        if let Some(generator) = &self.generator {
            let mut again = Self::begin(self.key);
            again.set_word_pos(generator.get_word_pos());
            copy.generator = Some(again);
        }
        (copy.numbers, copy.drawn) = (self.numbers, self.drawn);
        copy
    }
}

/// The streams of one game.
#[derive(Debug, Clone)]
pub struct Streams {
    /// For throws.
    pub throws: Stream,
    /// For the player at each seat.
    pub players: crate::rules::Table<SeatId, Stream>,
}

impl Streams {
    /// The streams of a game: its seed, its number, and how many play.
    #[must_use]
    pub fn new(seed: u64, game: u64, seats: usize) -> Self {
        let players = (0..seats).map(|seat| Stream::new(seed, game, 1 + SeatId::new(seat).index() as u64));
        Self { throws: Stream::new(seed, game, 0), players: players.collect::<Vec<_>>().into() }
    }

    /// Makes these the streams of another game, with as many players.
    pub fn restart(&mut self, seed: u64, game: u64) {
        self.throws.restart(seed, game, 0);
        for (seat, stream) in self.players.iter_mut().enumerate() {
            stream.restart(seed, game, 1 + seat as u64);
        }
    }
}

impl Stream {
    fn new(seed: u64, game: u64, stream: u64) -> Self {
        Self { key: [seed, game, stream], generator: None, numbers: [0; AHEAD], drawn: AHEAD }
    }

    /// Makes it another stream, at its beginning.
    fn restart(&mut self, seed: u64, game: u64, stream: u64) {
        self.key = [seed, game, stream];
        self.generator = None;
        self.drawn = AHEAD;
    }

    /// The next number of 64 bits.
    #[inline]
    fn next(&mut self) -> u64 {
        if let Some(number) = self.numbers.get(self.drawn) {
            self.drawn += 1;
            return *number;
        }
        self.compute();
        self.drawn = 1;
        self.numbers.first().copied().unwrap_or(0)
    }

    /// Computes numbers ahead.
    #[cold]
    #[inline(never)]
    fn compute(&mut self) {
        let key = self.key;
        let generator = self.generator.get_or_insert_with(|| Self::begin(key));
        for number in &mut self.numbers {
            *number = generator.next_u64();
        }
    }

    fn begin([seed, game, stream]: [u64; 3]) -> ChaCha8Rng {
        let mut key = *b"........########ayn random 1    ";
        for (bytes, number) in key.chunks_exact_mut(8).zip([seed, game]) {
            bytes.copy_from_slice(&number.to_le_bytes());
        }
        let mut generator = ChaCha8Rng::from_seed(key);
        generator.set_stream(stream);
        generator
    }

    /// A number below `n`, all equally likely; 0 when `n` is 0.
    ///
    /// The method is that of D. Lemire, "Fast Random Integer Generation in an Interval", 2019: the
    /// high half of a product, drawn again in the few cases that would favour some numbers.
    #[inline]
    pub fn below(&mut self, n: u64) -> u64 {
        if n == 0 {
            return 0;
        }
        loop {
            let product = u128::from(self.next()) * u128::from(n);
            let high = u64::try_from(product >> 64).unwrap_or(0);
            let low = u64::try_from(product & u128::from(u64::MAX)).unwrap_or(0);
            // The remainder is below `n`, so that it is seldom needed.
            if low >= n || low >= n.wrapping_neg() % n {
                return high;
            }
        }
    }

    /// An index into a list of so many entries.
    #[inline]
    pub fn index(&mut self, len: usize) -> usize {
        usize::try_from(self.below(len as u64)).unwrap_or(0)
    }

    /// The index of an outcome, drawn by the exact chances.
    #[inline]
    pub fn throw(&mut self, throw: &Throw) -> usize {
        match throw.small() {
            [] => throw.outcome(self.below_wide(throw.total)),
            outcomes => outcomes.get(self.index(outcomes.len())).map_or(0, |n| usize::from(*n)),
        }
    }

    /// A number below `n`, which may need more than 64 bits, all equally likely; 0 when `n` is 0.
    pub fn below_wide(&mut self, n: u128) -> u128 {
        if let Ok(small) = u64::try_from(n) {
            return u128::from(self.below(small));
        }
        let mask = u128::MAX >> n.leading_zeros();
        loop {
            let drawn = (u128::from(self.next()) << 64 | u128::from(self.next())) & mask;
            if drawn < n {
                return drawn;
            }
        }
    }
}
