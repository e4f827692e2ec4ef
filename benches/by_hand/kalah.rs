//! Kalah: a store on the way of each player, and a further move for a last seed in it.

/// What one writes first.
pub mod plain {
    use ayn::Streams;

    use super::super::{Played, Program, choose};

    /// Pits and stores in an array, seeds dropped one by one.
    pub struct Kalah;

    impl Program for Kalah {
        fn name(&self) -> &'static str {
            "kalah, plain"
        }

        fn play(&mut self, streams: &mut Streams) -> Played {
            // South's pits and store, then North's.
            let mut pits = [4, 4, 4, 4, 4, 4, 0, 4, 4, 4, 4, 4, 4, 0u8];
            let (mut turns, mut captured, mut mover) = (0, 0, 0);
            let row =
                |pits: &[u8; 14], seat: usize| pits[7 * seat..7 * seat + 6].iter().map(|&seeds| u32::from(seeds)).sum();
            loop {
                let (first, store, enemy_store) = (7 * mover, 7 * mover + 6, 13 - 7 * mover);
                loop {
                    let mut choices = [0; 6];
                    let mut k = 0;
                    for pit in first..store {
                        if pits[pit] > 0 {
                            choices[k] = pit;
                            k += 1;
                        }
                    }
                    if k == 0 {
                        break;
                    }
                    let mut last = choices[choose(streams, mover, k)];
                    let mut hand = std::mem::take(&mut pits[last]);
                    while hand > 0 {
                        last = (last + 1) % 14;
                        if last != enemy_store {
                            pits[last] += 1;
                            hand -= 1;
                        }
                    }
                    if last != store {
                        if (first..store).contains(&last) && pits[last] == 1 && pits[12 - last] > 0 {
                            let taken = 1 + std::mem::take(&mut pits[12 - last]);
                            pits[last] = 0;
                            pits[store] += taken;
                            captured += u32::from(taken);
                        }
                        break;
                    }
                }
                turns += 1;
                let rows: [u32; 2] = [row(&pits, 0), row(&pits, 1)];
                if rows.contains(&0) {
                    let kept = [rows[0] + u32::from(pits[6]), rows[1] + u32::from(pits[13])];
                    return Played::most(kept, 0, turns, captured);
                }
                if turns >= 2000 {
                    return Played::stopped(turns, captured);
                }
                mover = 1 - mover;
            }
        }
    }
}

/// As fast as may be: a row and its store are one number, the mover's first.
pub mod fast {
    use ayn::Streams;

    use super::super::{
        Played, Program,
        drawn::Choices,
        row::{NO_PIT, Picks, Sowings, filled, picks, seeds, sixtieths, sum},
    };

    /// The shift to a store.
    const STORE: u32 = 48;
    /// Stands for the last pit when that is the mover's store: all but this bit says that there is none.
    const AGAIN: u64 = 64;

    /// All that sowing can come to.
    pub struct Kalah {
        choices: Choices<60>,
        picks: Picks,
        /// The last pit is told by its shift if it is the mover's.
        sowings: Sowings,
    }

    impl Kalah {
        /// With its tables.
        pub fn new() -> Self {
            let way: Vec<(usize, u32)> = (0..7).map(|pit| (0, 8 * pit)).chain((0..6).map(|pit| (1, 8 * pit))).collect();
            let last = |at: usize| match at {
                0..6 => 8 * at as u64,
                6 => AGAIN | u64::from(NO_PIT),
                _ => u64::from(NO_PIT),
            };
            Self { choices: sixtieths(), picks: picks(), sowings: Sowings::new(&way, false, last) }
        }
    }

    /// Where a game stands: each row with its store.
    struct Game {
        rows: [u64; 2],
        captured: u32,
    }

    impl Kalah {
        /// One turn; whether the game is over.
        #[inline(always)]
        fn turn<const MOVER: usize>(&mut self, game: &mut Game, streams: &mut Streams) -> bool {
            loop {
                let [mut own, mut enemy] = [game.rows[MOVER], game.rows[1 - MOVER]];
                let playable = filled(own);
                if playable == 0 {
                    break;
                }
                let choice = self.choices.next(streams, MOVER, || playable & (playable - 1) != 0);
                let shift = u32::from(self.picks[choice as usize | playable]);
                let (pit, hand) = ((shift as usize / 8) & 7, seeds(own, shift));
                own = own.wrapping_add(self.sowings.own[pit][hand]);
                enemy = enemy.wrapping_add(self.sowings.enemy[pit][hand]);
                let landed = self.sowings.last[pit][hand];
                let last = landed as u32 & 63;
                let facing = seeds(enemy, 40u32.wrapping_sub(last)) as u64;
                // A last seed alone that faces some, asked in one question.
                if ((seeds(own, last) as u64) << 6 | facing).wrapping_sub(65) < 63 {
                    own = own - (1 << last) + ((1 + facing) << STORE);
                    enemy -= facing << (40 - last);
                    game.captured += 1 + facing as u32;
                }
                game.rows[MOVER] = own;
                game.rows[1 - MOVER] = enemy;
                if landed & AGAIN == 0 {
                    break;
                }
            }
            filled(game.rows[0]) == 0 || filled(game.rows[1]) == 0
        }
    }

    impl Program for Kalah {
        fn name(&self) -> &'static str {
            "kalah, fast"
        }

        fn play(&mut self, streams: &mut Streams) -> Played {
            let mut game = Game { rows: [0x0404_0404_0404; 2], captured: 0 };
            for turns in (0..2000).step_by(2) {
                let over = if self.turn::<0>(&mut game, streams) {
                    1
                } else if self.turn::<1>(&mut game, streams) {
                    2
                } else {
                    continue;
                };
                return Played::most(game.rows.map(sum), 0, turns + over, game.captured);
            }
            Played::stopped(2000, game.captured)
        }
    }
}
