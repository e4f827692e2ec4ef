//! The Royal Game of Ur: seven men in and out by the own row, and eight squares that both use.

/// Where the way ends, off the board; the hand is at 0, the middle row from 5 to 12.
const HOME: usize = 15;
/// The throws of a turn, those that rosettes win among them.
const THROWS: u32 = 60;

/// What one writes first.
pub mod plain {
    use ayn::Streams;

    use super::{
        super::{Played, Program, choose, four_pieces},
        HOME, THROWS,
    };

    /// How many men of each player are at each step of their way.
    pub struct Ur;

    impl Program for Ur {
        fn name(&self) -> &'static str {
            "royal game of ur, plain"
        }

        fn play(&mut self, streams: &mut Streams) -> Played {
            let mut men = [[0u8; HOME + 1]; 2];
            men[0][0] = 7;
            men[1][0] = 7;
            let (mut turns, mut captured, mut mover) = (0, 0, 0);
            while turns < 2000 {
                turns += 1;
                for _ in 0..THROWS {
                    let count = four_pieces(&mut streams.throws);
                    let enemy = 1 - mover;
                    let mut choices = [0; 7];
                    let mut k = 0;
                    if count > 0 {
                        for from in 0..=HOME - count {
                            let to = from + count;
                            let free = to == HOME || men[mover][to] == 0 && !(to == 8 && men[enemy][8] > 0);
                            if men[mover][from] > 0 && free {
                                choices[k] = from;
                                k += 1;
                            }
                        }
                    }
                    if k == 0 {
                        break;
                    }
                    let from = choices[choose(streams, mover, k)];
                    let to = from + count;
                    men[mover][from] -= 1;
                    men[mover][to] += 1;
                    if (5..=12).contains(&to) && men[enemy][to] > 0 {
                        men[enemy][to] = 0;
                        men[enemy][0] += 1;
                        captured += 1;
                    }
                    if men[mover][HOME] == 7 {
                        return Played::won(Some(mover as u8), 0, turns, captured);
                    }
                    if !matches!(to, 4 | 8 | 14) {
                        break;
                    }
                }
                mover = 1 - mover;
            }
            Played::stopped(turns, captured)
        }
    }
}

/// As fast as may be: men in bits by the steps of their way, so that a throw moves all of them at once.
pub mod fast {
    use std::hint::black_box;

    use ayn::Streams;

    use super::{
        super::{
            Played, Program,
            drawn::{Choices, Falls, UP},
        },
        HOME, THROWS,
    };

    /// The rosettes.
    const ROSETTES: u32 = 1 << 4 | REFUGE | 1 << 14;
    /// The one on which a man is safe.
    const REFUGE: u32 = 1 << 8;
    /// The squares that both use.
    const SHARED: u32 = 0x1fe0;

    /// All that a choice can come to.
    pub struct Ur {
        choices: Choices<420>,
        /// How many bits a byte has.
        count: [u8; 256],
        /// By a byte and a number: its bit of that number, if it has so many.
        lower: Box<[u16; 256 * 8]>,
        /// The same for the upper byte, and nothing for numbers below none.
        upper: Box<[u16; 256 * 16]>,
    }

    /// A player's men: on the squares, and in the hand.
    #[derive(Clone, Copy)]
    struct Men {
        squares: u32,
        hand: u32,
    }

    impl Ur {
        /// With its tables.
        pub fn new() -> Self {
            Self {
                choices: Choices::among(),
                count: std::array::from_fn(|byte| byte.count_ones() as u8),
                lower: Box::new(std::array::from_fn(|at| nth_bit(at >> 3, at & 7))),
                upper: Box::new(std::array::from_fn(|at| nth_bit(at >> 4 << 8, at & 15))),
            }
        }
    }

    fn nth_bit(bits: usize, n: usize) -> u16 {
        (0..16).filter(|bit| bits >> bit & 1 == 1).nth(n).map_or(0, |bit| 1 << bit)
    }

    /// Where a game stands.
    struct Game {
        men: [Men; 2],
        falls: Falls,
        captured: u32,
    }

    impl Ur {
        /// One turn; whether it wins the game.
        #[inline(always)]
        fn turn<const MOVER: usize>(&mut self, game: &mut Game, streams: &mut Streams) -> bool {
            for _ in 0..THROWS {
                let [mut own, mut enemy] = [game.men[MOVER], game.men[1 - MOVER]];
                let count = UP[game.falls.see(&mut streams.throws) as usize & 15];
                game.falls.skip(1);
                let from = own.squares | u32::from(own.hand != 0);
                let mut goals = (from << count) & !own.squares & 0xfffe;
                // This and the hit below are branches, as they are rare: else no move could begin before the other
                // player's last one is done.
                if goals & enemy.squares & REFUGE != 0 {
                    goals = black_box(goals) ^ REFUGE;
                }
                let (lower, upper) = (goals as usize & 255, goals as usize >> 8);
                let lower_count = self.count[lower];
                let k = u32::from(lower_count + self.count[upper]);
                let n = self.choices.next(streams, MOVER, || k > 1) >> (4 * k) & 7;
                // One of the two has no such bit; neither has when there is nowhere to go.
                let lower_nth = self.lower[(lower << 3 | n as usize) & 2047];
                let upper_nth =
                    self.upper[(upper << 4 | (n.wrapping_sub(u32::from(lower_count)) & 15) as usize) & 4095];
                let goal = u32::from(lower_nth | upper_nth);
                let from = goal >> count;
                own.squares ^= (goal | from) & !(1 << HOME | 1);
                own.hand -= from & 1;
                let hit = enemy.squares & goal & SHARED;
                if hit != 0 {
                    enemy.squares ^= black_box(hit);
                    enemy.hand += 1;
                    game.captured += 1;
                    game.men[1 - MOVER] = enemy;
                }
                game.men[MOVER] = own;
                if own.squares | own.hand == 0 {
                    return true;
                }
                if goal & ROSETTES == 0 {
                    break;
                }
            }
            false
        }
    }

    impl Program for Ur {
        fn name(&self) -> &'static str {
            "royal game of ur, fast"
        }

        fn play(&mut self, streams: &mut Streams) -> Played {
            let mut game = Game { men: [Men { squares: 0, hand: 7 }; 2], falls: Falls::default(), captured: 0 };
            for turns in (0..2000).step_by(2) {
                if self.turn::<0>(&mut game, streams) {
                    return Played::won(Some(0), 0, turns + 1, game.captured);
                }
                if self.turn::<1>(&mut game, streams) {
                    return Played::won(Some(1), 0, turns + 2, game.captured);
                }
            }
            Played::stopped(2000, game.captured)
        }
    }
}
