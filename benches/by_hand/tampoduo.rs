//! Tampoduo: twelve houses, and laps that lead on as long as the last seed joins others.

/// The laps after the first at which a sowing is endless.
const LAPS: u32 = 2000;

/// What one writes first.
pub mod plain {
    use ayn::Streams;

    use super::{
        super::{Played, Program, choose},
        LAPS,
    };

    /// Houses in an array, seeds dropped one by one.
    pub struct Tampoduo;

    /// Sows a house and on; the house of the last seed, if the laps come to an end.
    fn sow(houses: &mut [u8; 12], mut last: usize) -> Option<usize> {
        for _ in 0..=LAPS {
            for _ in 0..std::mem::take(&mut houses[last]) {
                last = (last + 1) % 12;
                houses[last] += 1;
            }
            if houses[last] == 1 {
                return Some(last);
            }
        }
        None
    }

    /// Takes a last seed at home with what lies opposite.
    fn capture(houses: &mut [u8; 12], mover: usize, last: usize) -> u32 {
        let opposite = 11 - last;
        if last / 6 != mover || houses[opposite] == 0 {
            return 0;
        }
        houses[last] = 0;
        1 + u32::from(std::mem::take(&mut houses[opposite]))
    }

    fn row(houses: &[u8; 12], seat: usize) -> u32 {
        houses[6 * seat..6 * seat + 6].iter().map(|&seeds| u32::from(seeds)).sum()
    }

    /// Whether a house brings seeds to a player who has none.
    fn feeds(mut houses: [u8; 12], mover: usize, house: usize) -> bool {
        sow(&mut houses, house).is_some_and(|last| {
            capture(&mut houses, mover, last);
            row(&houses, 1 - mover) > 0
        })
    }

    impl Program for Tampoduo {
        fn name(&self) -> &'static str {
            "tampoduo, plain"
        }

        fn play(&mut self, streams: &mut Streams) -> Played {
            let mut houses = [4u8; 12];
            let mut stores = [0u32; 2];
            let (mut turns, mut quiet, mut mover) = (0, 0, 0);
            loop {
                let captured = stores[0] + stores[1];
                let keep = |houses: &[u8; 12]| [stores[0] + row(houses, 0), stores[1] + row(houses, 1)];
                let starving = row(&houses, 1 - mover) == 0;
                let mut choices = [0; 6];
                let (mut k, mut seeds) = (0, 0);
                for house in 6 * mover..6 * mover + 6 {
                    seeds += houses[house];
                    if houses[house] > 0 && (!starving || feeds(houses, mover, house)) {
                        choices[k] = house;
                        k += 1;
                    }
                }
                if k == 0 && seeds > 0 {
                    return Played::most(keep(&houses), 4, turns, captured);
                }
                turns += 1;
                quiet += 1;
                if k > 0 {
                    let house = choices[choose(streams, mover, k)];
                    let before = houses;
                    let Some(last) = sow(&mut houses, house) else {
                        return Played { endless: true, ..Played::most(keep(&before), 6, turns, captured) };
                    };
                    let taken = capture(&mut houses, mover, last);
                    if taken > 0 {
                        stores[mover] += taken;
                        quiet = 0;
                    }
                }
                let captured = stores[0] + stores[1];
                let rows = [row(&houses, 0), row(&houses, 1)];
                let kept = [stores[0] + rows[0], stores[1] + rows[1]];
                if stores[mover] > 24 {
                    return Played::most(stores, 0, turns, captured);
                }
                if captured == 48 {
                    return Played::most(stores, 1, turns, captured);
                }
                if rows == [1, 1] {
                    return Played::most(kept, 2, turns, captured);
                }
                if quiet >= 100 {
                    return Played::most(kept, 3, turns, captured);
                }
                if turns >= 2000 {
                    return Played::stopped(turns, captured);
                }
                mover = 1 - mover;
            }
        }
    }
}

/// As fast as may be: a row is one number, the mover's first, and a lap is an addition to each.
pub mod fast {
    use ayn::Streams;

    use super::{
        super::{
            Played, Program,
            drawn::Choices,
            row::{NO_PIT, Picks, filled, picks, seeds, sixtieths, sowing, sum},
        },
        LAPS,
    };

    /// All that a lap can come to.
    pub struct Tampoduo {
        choices: Choices<60>,
        picks: Picks,
        laps: Laps,
    }

    /// By house and seeds, what is added to the rows, and where the last seed falls.
    struct Laps {
        own: [u64; 1024],
        enemy: [u64; 1024],
        last: [Last; 1024],
    }

    /// Where a seed falls: the laps of that house, and the shifts to it in both rows, in one of which it is not.
    #[derive(Clone, Copy)]
    struct Last {
        laps: u16,
        own: u8,
        enemy: u8,
    }

    /// Where a game stands.
    struct Game {
        rows: [u64; 2],
        stores: [u32; 2],
        turns: u32,
        quiet: u32,
    }

    impl Tampoduo {
        /// With its tables.
        pub fn new() -> Self {
            let way: Vec<(usize, u32)> = (0..12).map(|house| (house / 6, 8 * (house as u32 % 6))).collect();
            let lap = |at: usize| sowing(&way, (at >> 6) % 12, (at & 63) as u64, false);
            let last = |last: usize| {
                let (row, shift) = (way[last].0, way[last].1 as u8);
                let [own, enemy] = if row == 0 { [shift, NO_PIT] } else { [NO_PIT, shift] };
                Last { laps: 64 * last as u16, own, enemy }
            };
            Self {
                choices: sixtieths(),
                picks: picks(),
                laps: Laps {
                    own: std::array::from_fn(|at| lap(at).0[0]),
                    enemy: std::array::from_fn(|at| lap(at).0[1]),
                    last: std::array::from_fn(|at| last(lap(at).1)),
                },
            }
        }

        /// One turn; the ending that applies.
        #[inline(always)]
        fn turn<const MOVER: usize>(&mut self, game: &mut Game, streams: &mut Streams) -> Option<u8> {
            let [own, enemy] = [game.rows[MOVER], game.rows[1 - MOVER]];
            let playable = if enemy == 0 { self.laps.feeding(own) } else { filled(own) };
            if playable == 0 && own != 0 {
                return Some(4);
            }
            game.turns += 1;
            game.quiet += 1;
            if playable != 0 {
                let choice = self.choices.next(streams, MOVER, || playable & (playable - 1) != 0);
                let shift = self.picks[choice as usize | playable];
                let Some((own, enemy, taken)) = self.laps.sow(own, enemy, shift) else { return Some(6) };
                game.rows[MOVER] = own;
                game.rows[1 - MOVER] = enemy;
                game.stores[MOVER] += taken;
                game.quiet = if taken > 0 { 0 } else { game.quiet };
            }
            if game.stores[MOVER] > 24 {
                return Some(0);
            }
            let [south, north] = game.stores;
            match south + north {
                48 => Some(1),
                46 if game.rows.map(sum) == [1, 1] => Some(2),
                _ => (game.quiet >= 100).then_some(3),
            }
        }
    }

    impl Laps {
        /// Sows a house and on; what is taken with the last seed, if the laps come to an end.
        #[inline]
        fn sow(&self, mut own: u64, mut enemy: u64, shift: u8) -> Option<(u64, u64, u32)> {
            let mut at = usize::from(shift) << 3 | seeds(own, u32::from(shift));
            for _ in 0..LAPS + 1 {
                own = own.wrapping_add(self.own[at]);
                enemy = enemy.wrapping_add(self.enemy[at]);
                let last = self.last[at];
                let shift = u32::from(last.own);
                let hand = seeds(own.wrapping_shr(shift) | enemy.wrapping_shr(u32::from(last.enemy)), 0);
                if hand == 1 {
                    let facing = seeds(enemy, 40u32.wrapping_sub(shift)) as u64;
                    let alone = u64::from(facing > 0);
                    let enemy = enemy - facing.wrapping_shl(40u32.wrapping_sub(shift));
                    return Some((own - (alone << shift), enemy, (alone + facing) as u32));
                }
                at = usize::from(last.laps) | hand;
            }
            None
        }

        /// The houses that bring seeds to a player who has none.
        #[cold]
        #[inline(never)]
        fn feeding(&self, own: u64) -> usize {
            let feeds = |shift| self.sow(own, 0, shift).is_some_and(|(_, enemy, _)| enemy != 0);
            (0..6u8).filter(|house| filled(own) >> house & 1 == 1 && feeds(8 * house)).map(|house| 1 << house).sum()
        }
    }

    impl Program for Tampoduo {
        fn name(&self) -> &'static str {
            "tampoduo, fast"
        }

        fn play(&mut self, streams: &mut Streams) -> Played {
            let mut game = Game { rows: [0x0404_0404_0404; 2], stores: [0; 2], turns: 0, quiet: 0 };
            let mut ending = None;
            for _ in 0..1000 {
                ending = self.turn::<0>(&mut game, streams).or_else(|| self.turn::<1>(&mut game, streams));
                if ending.is_some() {
                    break;
                }
            }
            let captured = game.stores[0] + game.stores[1];
            let Some(ending) = ending else { return Played::stopped(game.turns, captured) };
            if ending != 0 {
                game.stores = [0, 1].map(|seat| game.stores[seat] + sum(game.rows[seat]));
            }
            Played { endless: ending == 6, ..Played::most(game.stores, ending, game.turns, captured) }
        }
    }
}
