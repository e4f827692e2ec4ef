//! Tamman: four men round the rim and the inner ring to the middle, past men who are sent back.

/// The middle, where the way ends.
const HOME: usize = 24;
/// What falls with so many cowries up.
const COUNTS: [usize; 5] = [8, 1, 2, 3, 4];

/// What one writes first.
pub mod plain {
    use ayn::{Stream, Streams};

    use super::{
        super::{Played, Program, choose, four_pieces},
        COUNTS, HOME,
    };

    /// How many men of each player stand at each step of their way.
    pub struct Tamman;

    /// The same square on the way of the other player.
    fn across(spot: usize) -> usize {
        if spot < 16 { (spot + 8) % 16 } else { 16 + (spot + 4) % 8 }
    }

    fn cast(throws: &mut Stream) -> usize {
        COUNTS[four_pieces(throws)]
    }

    /// A throw with those that it wins.
    fn series(throws: &mut Stream) -> usize {
        match cast(throws) {
            8 => match cast(throws) + cast(throws) {
                16 => 0,
                more => 8 + more,
            },
            4 => 4 + cast(throws),
            count => count,
        }
    }

    impl Program for Tamman {
        fn name(&self) -> &'static str {
            "tamman, plain"
        }

        fn play(&mut self, streams: &mut Streams) -> Played {
            let mut men = [[0u8; HOME + 1]; 2];
            men[0][0] = 4;
            men[1][0] = 4;
            let (mut turns, mut captured, mut mover) = (0, 0, 0);
            while turns < 5000 {
                turns += 1;
                let mut count = series(&mut streams.throws);
                let (mut slaves, mut thrown) = (0, 0);
                loop {
                    let mut choices = [0; 4];
                    let mut k = 0;
                    if count > 0 {
                        for spot in 0..=HOME - count {
                            if men[mover][spot] > 0 {
                                choices[k] = spot;
                                k += 1;
                            }
                        }
                    }
                    if k > 0 {
                        let from = choices[choose(streams, mover, k)];
                        let to = from + count;
                        men[mover][from] -= 1;
                        men[mover][to] += 1;
                        for spot in from + 1..to {
                            if spot >= 16 || spot % 4 != 0 {
                                let foes = std::mem::take(&mut men[1 - mover][across(spot)]);
                                men[1 - mover][0] += foes;
                                slaves += foes;
                                captured += u32::from(foes);
                            }
                        }
                        if men[mover][HOME] == 4 {
                            return Played::won(Some(mover as u8), 0, turns, captured);
                        }
                    }
                    if slaves == 0 || thrown == 4 {
                        break;
                    }
                    slaves -= 1;
                    thrown += 1;
                    count = cast(&mut streams.throws);
                }
                mover = 1 - mover;
            }
            Played::stopped(turns, captured)
        }
    }
}

/// As fast as may be: men in bits by the steps of their way.
pub mod fast {
    use ayn::Streams;

    use super::{
        super::{
            Played, Program,
            drawn::{Choices, Falls, UP},
        },
        COUNTS, HOME,
    };

    /// The greatest count: two tamman and a waraq.
    const MOST: usize = 20;

    /// A count with which no man can move.
    const NOTHING: u8 = 25;

    /// All that throws and moves can come to.
    pub struct Tamman {
        choices: Choices<12>,
        /// By three falls: the count of a series, and how many of them belong to it.
        series: Box<[(u8, u8); 4096]>,
        /// By the step and the count: the steps of the other player's way where men are sent back.
        passed: Box<[[u32; 32]; 32]>,
    }

    /// The steps where at least one, two, three and four men of a player stand.
    #[derive(Clone, Copy)]
    struct Men([u32; 4]);

    impl Men {
        #[inline]
        fn put(&mut self, to: u32) {
            let Self([one, two, three, four]) = *self;
            *self = Self([one | to, two | one & to, three | two & to, four | three & to]);
        }

        #[inline]
        fn take(&mut self, from: u32) {
            let Self([one, two, three, four]) = *self;
            *self = Self([one & (two | !from), two & (three | !from), three & (four | !from), four & !from]);
        }

        /// Sends back to the start who stands in some places, and says how many.
        #[cold]
        fn send_back(&mut self, from: u32) -> u32 {
            let men = self.0.iter().map(|men| (men & from).count_ones()).sum();
            self.0 = self.0.map(|men| men & !from);
            for _ in 0..men {
                self.put(1);
            }
            men
        }
    }

    impl Tamman {
        /// With its tables.
        pub fn new() -> Self {
            let count = |falls: usize, n: usize| COUNTS[usize::from(UP[falls >> (4 * n) & 15])] as u8;
            let across = |spot: usize| if spot < 16 { (spot + 8) % 16 } else { 16 + (spot + 4) % 8 };
            Self {
                choices: Choices::among(),
                series: Box::new(std::array::from_fn(|falls| match [0, 1, 2].map(|n| count(falls, n)) {
                    [8, 8, 8] => (NOTHING, 3),
                    [8, second, third] => (8 + second + third, 3),
                    [4, second, _] => (4 + second, 2),
                    [first, ..] => (first, 1),
                })),
                passed: Box::new(std::array::from_fn(|from| {
                    std::array::from_fn(|count| {
                        let passed = from + 1..(from + count.min(MOST)).min(HOME);
                        passed.filter(|spot| *spot >= 16 || spot % 4 != 0).map(|spot| 1 << across(spot)).sum()
                    })
                })),
            }
        }
    }

    /// Where a game stands.
    struct Game {
        men: [Men; 2],
        falls: Falls,
        captured: u32,
    }

    impl Tamman {
        /// One turn; whether it wins the game.
        #[inline(always)]
        fn turn<const MOVER: usize>(&mut self, game: &mut Game, streams: &mut Streams) -> bool {
            let (mut count, used) = self.series[game.falls.see(&mut streams.throws) as usize & 4095];
            game.falls.skip(u32::from(used));
            let (mut slaves, mut thrown) = (0, 0);
            loop {
                let own = &mut game.men[MOVER];
                // Men at home are beyond any count.
                let first = own.0[0] & ((1 << (25 - count)) - 1);
                let second = first & first.wrapping_sub(1);
                let third = second & second.wrapping_sub(1);
                let fourth = third & third.wrapping_sub(1);
                let code = self.choices.next(streams, MOVER, || second != 0);
                let k = u32::from(first != 0) + u32::from(second != 0) + u32::from(third != 0) + u32::from(fourth != 0);
                if first != 0 {
                    let from = [first, second, third, fourth][(code >> (4 * k) & 3) as usize].trailing_zeros();
                    own.take(1 << from);
                    own.put(1 << (from + u32::from(count)));
                    let home = own.0[3] >> HOME != 0;
                    let passed = self.passed[from as usize & 31][usize::from(count) & 31];
                    if game.men[1 - MOVER].0[0] & passed != 0 {
                        let sent = game.men[1 - MOVER].send_back(passed);
                        slaves += sent;
                        game.captured += sent;
                    }
                    if home {
                        return true;
                    }
                }
                if slaves == 0 || thrown == 4 {
                    return false;
                }
                slaves -= 1;
                thrown += 1;
                count = COUNTS[usize::from(UP[game.falls.see(&mut streams.throws) as usize & 15])] as u8;
                game.falls.skip(1);
            }
        }
    }

    impl Program for Tamman {
        fn name(&self) -> &'static str {
            "tamman, fast"
        }

        fn play(&mut self, streams: &mut Streams) -> Played {
            let mut game = Game { men: [Men([1; 4]); 2], falls: Falls::default(), captured: 0 };
            for turns in (0..5000).step_by(2) {
                if self.turn::<0>(&mut game, streams) {
                    return Played::won(Some(0), 0, turns + 1, game.captured);
                }
                if self.turn::<1>(&mut game, streams) {
                    return Played::won(Some(1), 0, turns + 2, game.captured);
                }
            }
            Played::stopped(5000, game.captured)
        }
    }
}
