//! Koumma: six holes, one lap, and a chain of captures.

/// What one writes first.
pub mod plain {
    use ayn::Streams;

    use super::super::{Played, Program, choose};

    /// Holes in an array, seeds dropped one by one.
    pub struct Koumma;

    impl Program for Koumma {
        fn name(&self) -> &'static str {
            "koumma, plain"
        }

        fn play(&mut self, streams: &mut Streams) -> Played {
            let mut holes = [6u8; 6];
            let mut stores = [0u32; 2];
            let (mut turns, mut quiet, mut mover) = (0, 0, 0);
            loop {
                let mut choices = [0; 3];
                let mut k = 0;
                for hole in 3 * mover..3 * mover + 3 {
                    if holes[hole] > 0 {
                        choices[k] = hole;
                        k += 1;
                    }
                }
                turns += 1;
                quiet += 1;
                if k > 0 {
                    let hole = choices[choose(streams, mover, k)];
                    let hand = std::mem::take(&mut holes[hole]);
                    let mut last = if hand == 1 { hole } else { (hole + 5) % 6 };
                    for _ in 0..hand {
                        last = (last + 1) % 6;
                        holes[last] += 1;
                    }
                    while matches!(holes[last], 2 | 4 | 6) {
                        stores[mover] += u32::from(std::mem::take(&mut holes[last]));
                        last = (last + 1) % 6;
                        quiet = 0;
                    }
                }
                let captured = stores[0] + stores[1];
                if captured == 36 {
                    return Played::most(stores, 0, turns, captured);
                }
                if quiet >= 50 {
                    return Played::most(stores, 1, turns, captured);
                }
                mover = 1 - mover;
            }
        }
    }
}

/// As fast as may be: the board is one number, and neither choice nor capture is a branch.
pub mod fast {
    use ayn::Streams;

    use super::super::{
        Played, Program,
        drawn::Choices,
        row::{NO_PIT, bits, filled, seeds, sum},
    };

    /// All that sowing and capturing can come to.
    pub struct Koumma {
        choices: Choices<6>,
        /// For each player, by the sixth that was drawn and the holes that are filled: the shift to the chosen one.
        picks: [[[u8; 64]; 8]; 2],
        /// By a hole and its seeds, what is added to the board.
        sowings: [[u64; 64]; 8],
        /// By a hole and its seeds, the last hole.
        last: [[u8; 64]; 8],
        /// By the last hole and those that fit, which are not taken.
        spared: [[u8; 64]; 8],
        /// By those that are not taken: the bytes of the others.
        taken: [u64; 64],
    }

    /// Where a game stands.
    struct Game {
        board: u64,
        /// The holes with seeds.
        filled: usize,
        stores: [u32; 2],
        turns: u32,
        quiet: u32,
    }

    impl Koumma {
        /// With its tables.
        pub fn new() -> Self {
            let pick = |mover: usize, sixth: usize, filled: usize| {
                let holes: Vec<usize> = (3 * mover..3 * mover + 3).filter(|hole| filled >> hole & 1 == 1).collect();
                holes.get(sixth * holes.len() / 6).map_or(NO_PIT, |hole| 8 * *hole as u8)
            };
            let first = |hole: usize, seeds: usize| hole + usize::from(seeds == 1);
            let sown = |hole: usize, seeds: usize| {
                let sown = (first(hole, seeds)..first(hole, seeds) + seeds).map(|hole| 1u64 << (8 * (hole % 6)));
                sown.sum::<u64>().wrapping_sub((seeds as u64) << (8 * hole))
            };
            let spared = |last: usize, fit: usize| {
                let holes = (last..last + 6).map(|hole| hole % 6);
                63 - holes.take_while(|hole| fit >> hole & 1 == 1).map(|hole| 1 << hole).sum::<u8>()
            };
            Self {
                choices: Choices::new(|sixth| sixth as u32),
                picks: table(|mover| table(|sixth| table(|filled| pick(mover, sixth, filled)))),
                // Nothing changes where no hole is chosen.
                sowings: table(|hole| table(|seeds| if hole < 6 { sown(hole, seeds) } else { 0 })),
                last: table(|hole| {
                    table(|seeds| if hole < 6 { ((first(hole, seeds) + seeds + 5) % 6) as u8 } else { 6 })
                }),
                spared: table(|last| table(|fit| if last < 6 { spared(last, fit) } else { 63 })),
                taken: table(|spared| {
                    (0..6).filter(|hole| spared >> hole & 1 == 0).map(|hole| 0xff << (8 * hole)).sum()
                }),
            }
        }

        /// One turn; whether the game is over.
        #[inline(always)]
        fn turn<const MOVER: usize>(&mut self, game: &mut Game, streams: &mut Streams) -> bool {
            let filled_before = game.filled;
            let sixth = self.choices.next(streams, MOVER, || {
                let playable = filled_before >> (3 * MOVER) & 7;
                playable & playable.wrapping_sub(1) != 0
            });
            let shift = u32::from(self.picks[MOVER][sixth as usize & 7][filled_before]);
            let (hole, hand) = ((shift as usize / 8) & 7, seeds(game.board, shift));
            game.board = game.board.wrapping_add(self.sowings[hole][hand]);
            let spared = usize::from(self.spared[usize::from(self.last[hole][hand] & 7)][fitting(game.board)]);
            // Known before the board is, so that the next choice need not wait for it.
            game.filled = filled(game.board) & spared;
            let taken = game.board & self.taken[spared & 63];
            game.board ^= taken;
            game.stores[MOVER] += sum(taken);
            game.turns += 1;
            game.quiet = if spared == 63 { game.quiet + 1 } else { 0 };
            game.filled == 0 || game.quiet == 50
        }
    }

    fn table<T, const N: usize>(entry: impl FnMut(usize) -> T) -> [T; N] {
        std::array::from_fn(entry)
    }

    /// The holes with two, four or six seeds.
    #[inline]
    fn fitting(board: u64) -> usize {
        let (some, other) = (board + 0x7f7f_7f7f_7f7f, (board & 0xf9f9_f9f9_f9f9) + 0x7f7f_7f7f_7f7f);
        bits(some & !other)
    }

    impl Program for Koumma {
        fn name(&self) -> &'static str {
            "koumma, fast"
        }

        fn play(&mut self, streams: &mut Streams) -> Played {
            let mut game = Game { board: 0x0606_0606_0606, filled: 0b11_1111, stores: [0; 2], turns: 0, quiet: 0 };
            while !self.turn::<0>(&mut game, streams) && !self.turn::<1>(&mut game, streams) {}
            let [south, north] = game.stores;
            Played::most(game.stores, u8::from(game.filled != 0), game.turns, south + north)
        }
    }
}
