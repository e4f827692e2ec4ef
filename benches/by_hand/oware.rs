//! Oware: one lap, captures of twos and threes, and an end where a position comes again.

/// The most positions that are remembered, that at the start among them.
const HISTORY: usize = 2000;

/// What one writes first.
pub mod plain {
    use ayn::Streams;

    use super::{
        super::{Played, Program, choose},
        HISTORY,
    };

    /// Houses in an array, seeds dropped one by one.
    pub struct Oware {
        /// The positions since the last capture, with who is to move.
        seen: Vec<([u8; 12], usize)>,
    }

    impl Default for Oware {
        fn default() -> Self {
            Self { seen: Vec::with_capacity(HISTORY) }
        }
    }

    fn row(houses: &[u8; 12], seat: usize) -> u32 {
        houses[6 * seat..6 * seat + 6].iter().map(|&seeds| u32::from(seeds)).sum()
    }

    /// Sows a house, and takes what there is to take.
    fn sow(houses: &mut [u8; 12], mover: usize, house: usize) -> u32 {
        let mut last = house;
        let mut hand = std::mem::take(&mut houses[house]);
        while hand > 0 {
            last = (last + 1) % 12;
            if last != house {
                houses[last] += 1;
                hand -= 1;
            }
        }
        let sown = *houses;
        let mut taken = 0;
        while last / 6 != mover && matches!(houses[last], 2 | 3) {
            taken += u32::from(std::mem::take(&mut houses[last]));
            last = (last + 11) % 12;
        }
        if taken > 0 && row(houses, 1 - mover) == 0 {
            *houses = sown;
            return 0;
        }
        taken
    }

    impl Program for Oware {
        fn name(&self) -> &'static str {
            "oware, plain"
        }

        fn play(&mut self, streams: &mut Streams) -> Played {
            let mut houses = [4u8; 12];
            let mut stores = [0u32; 2];
            let (mut turns, mut mover) = (0, 0);
            self.seen.clear();
            self.seen.push((houses, mover));
            loop {
                let starving = row(&houses, 1 - mover) == 0;
                let mut choices = [0; 6];
                let mut k = 0;
                for house in 6 * mover..6 * mover + 6 {
                    let mut after = houses;
                    if houses[house] > 0 && (!starving || (sow(&mut after, mover, house), row(&after, 1 - mover)).1 > 0)
                    {
                        choices[k] = house;
                        k += 1;
                    }
                }
                let keep = |houses: &[u8; 12]| [stores[0] + row(houses, 0), stores[1] + row(houses, 1)];
                if k == 0 {
                    return Played::most(keep(&houses), 2, turns, stores[0] + stores[1]);
                }
                let taken = sow(&mut houses, mover, choices[choose(streams, mover, k)]);
                turns += 1;
                stores[mover] += taken;
                let captured = stores[0] + stores[1];
                if stores[mover] > 24 {
                    return Played::most(stores, 0, turns, captured);
                }
                if taken > 0 {
                    self.seen.clear();
                }
                mover = 1 - mover;
                let position = (houses, mover);
                if self.seen.contains(&position) {
                    let kept = [stores[0] + row(&houses, 0), stores[1] + row(&houses, 1)];
                    return Played::most(kept, 1, turns, captured);
                }
                if turns >= 2000 {
                    return Played::stopped(turns, captured);
                }
                self.seen.push(position);
            }
        }
    }
}

/// As fast as may be: each row is one number.
pub mod fast {
    use std::hint::black_box;

    use ayn::Streams;

    use super::{
        super::{
            Played, Program,
            drawn::Choices,
            row::{Picks, Sowings, bits, filled, picks, seeds, sixtieths, sum},
        },
        HISTORY,
    };

    /// All that sowing and capturing can come to, and the positions that were there.
    pub struct Oware {
        choices: Choices<60>,
        picks: Picks,
        /// The last house is told by the number of its chains.
        sowings: Sowings,
        /// By the enemy's house that gets the last seed, and those that fit: the bytes of those that can be taken.
        chains: [[u64; 64]; 8],
        past: Past,
    }

    /// Positions that were there.
    struct Past {
        /// The rows after each turn of this game.
        positions: Box<[[u64; 2]; HISTORY + 1]>,
        /// For each digest the time when a position had it last.
        times: Box<[u64; 1024]>,
        /// Turns of all games; at the start of this one; after its last capture.
        now: u64,
        start: u64,
        since: u64,
    }

    impl Past {
        fn begin(&mut self, rows: [u64; 2]) {
            self.now += 1;
            (self.start, self.since) = (self.now, self.now);
            self.repeats(rows);
        }

        /// Remembers a position, and says whether it was there since the last capture.
        #[inline]
        fn repeats(&mut self, rows: [u64; 2]) -> bool {
            let turn = (self.now - self.start) as usize;
            self.positions[turn] = rows;
            let digest = (rows[0].wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ rows[1]).wrapping_mul(0xd6e8_feb8_6659_fd93);
            let before = std::mem::replace(&mut self.times[(digest >> 54) as usize], self.now);
            before >= self.since && self.repeats_one(rows, turn)
        }

        /// Whether one of all positions since the last capture, with the same player to move, is the same.
        #[cold]
        #[inline(never)]
        fn repeats_one(&self, rows: [u64; 2], turn: usize) -> bool {
            let past = &self.positions[(self.since - self.start) as usize..turn];
            past.iter().rev().skip(1).step_by(2).any(|other| *other == rows)
        }
    }

    /// Where a game stands.
    struct Game {
        rows: [u64; 2],
        stores: [u32; 2],
    }

    impl Oware {
        /// With its tables.
        pub fn new() -> Self {
            let way: Vec<(usize, u32)> = (0..12).map(|house| (house / 6, 8 * (house as u32 % 6))).collect();
            let chain = |last: usize, fit: usize| {
                let chain = (0..=last).rev().take_while(|house| fit >> house & 1 == 1);
                if last > 5 { 0 } else { chain.map(|house| 0xff << (8 * house)).sum() }
            };
            Self {
                choices: sixtieths(),
                picks: picks(),
                sowings: Sowings::new(&way, true, |last| if last < 6 { 6 } else { last as u64 - 6 }),
                chains: std::array::from_fn(|last| std::array::from_fn(|fit| chain(last, fit))),
                past: Past {
                    positions: Box::new([[0; 2]; HISTORY + 1]),
                    times: Box::new([0; 1024]),
                    now: 0,
                    start: 0,
                    since: 0,
                },
            }
        }

        /// One turn; the ending that applies.
        #[inline(always)]
        fn turn<const MOVER: usize>(&mut self, game: &mut Game, streams: &mut Streams) -> Option<u8> {
            let [mut own, mut enemy] = [game.rows[MOVER], game.rows[1 - MOVER]];
            let playable = if enemy == 0 { black_box(feeding(own)) } else { filled(own) };
            if playable == 0 {
                return Some(2);
            }
            let choice = self.choices.next(streams, MOVER, || playable & (playable - 1) != 0);
            let shift = u32::from(self.picks[choice as usize | playable]);
            let (house, hand) = ((shift as usize / 8) & 7, seeds(own, shift));
            own = own.wrapping_add(self.sowings.own[house][hand]);
            enemy = enemy.wrapping_add(self.sowings.enemy[house][hand]);
            self.past.now += 1;
            let taken = enemy & self.chains[self.sowings.last[house][hand] as usize & 7][fitting(enemy)];
            // A branch, as it is rare: else the next choice would have to wait for it.
            if taken != 0 && taken != enemy {
                enemy ^= black_box(taken);
                game.stores[MOVER] += sum(taken);
                self.past.since = self.past.now;
            }
            game.rows[MOVER] = own;
            game.rows[1 - MOVER] = enemy;
            if game.stores[MOVER] > 24 {
                return Some(0);
            }
            self.past.repeats(game.rows).then_some(1)
        }
    }

    /// The houses with two or three seeds.
    #[inline]
    fn fitting(row: u64) -> usize {
        bits(!(((row ^ 0x0202_0202_0202) & 0xfefe_fefe_fefe) + 0x7f7f_7f7f_7f7f))
    }

    /// The houses from which a seed comes to the other row.
    #[inline]
    fn feeding(row: u64) -> usize {
        bits(row + 0x7f7e_7d7c_7b7a)
    }

    impl Program for Oware {
        fn name(&self) -> &'static str {
            "oware, fast"
        }

        fn play(&mut self, streams: &mut Streams) -> Played {
            let mut game = Game { rows: [0x0404_0404_0404; 2], stores: [0; 2] };
            self.past.begin(game.rows);
            let mut ending = None;
            for _ in 0..1000 {
                ending = self.turn::<0>(&mut game, streams).or_else(|| self.turn::<1>(&mut game, streams));
                if ending.is_some() {
                    break;
                }
            }
            let turns = (self.past.now - self.past.start) as u32;
            let captured = game.stores[0] + game.stores[1];
            match ending {
                None => Played::stopped(turns, captured),
                Some(0) => Played::most(game.stores, 0, turns, captured),
                Some(ending) => {
                    let kept = [0, 1].map(|seat| game.stores[seat] + sum(game.rows[seat]));
                    Played::most(kept, ending, turns, captured)
                }
            }
        }
    }
}
