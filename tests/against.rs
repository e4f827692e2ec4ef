//! The shipped games beside the same games written by hand: the same moves, throws and results.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;
mod independent;

use ayn::{Node, Tree, describe_result, print_move, print_position, simulation};
use independent::{Independent, Node as Other};

/// How many games are played beside each other; more when asked.
fn games() -> u64 {
    std::env::var("AYN_GAMES").ok().and_then(|games| games.parse().ok()).unwrap_or(150)
}

/// Plays random games on both, node by node, and counts sequences of moves to some depth.
fn same<G: Independent>(name: &str, choices: &str, other: &G, depth: usize) {
    let ayn = common::reference(name, choices);
    counts(name, choices, other, depth);
    for number in 0..games() {
        let mut luck = Luck(number + 1);
        let (mut position, mut state) = (ayn.start(), other.start());
        let mut record = vec![];
        loop {
            let told = || {
                format!(
                    "{name} {choices}, game {number}, after {}:\n{}",
                    record.join(" "),
                    print_position(ayn.rules(), &ayn.view(&position))
                )
            };
            match (ayn.node(&position), other.node(&state)) {
                (Node::Choice(_), Other::Choice(moves)) => {
                    let names: Vec<String> =
                        ayn.moves(&position).iter().map(|chosen| print_move(ayn.rules(), chosen)).collect();
                    assert_eq!(
                        sorted(names.clone()),
                        sorted(moves.iter().map(|(name, _)| name.clone()).collect()),
                        "{}",
                        told()
                    );
                    let n = luck.below(names.len());
                    let (name, next) = moves.into_iter().find(|(name, _)| *name == names[n]).unwrap();
                    record.push(name);
                    ayn.advance(&mut position, n);
                    state = next;
                }
                (Node::Chance(chance), Other::Throw(falls)) => {
                    let outcomes = &ayn.throw(chance.throw).outcomes;
                    let counts = outcomes.iter().map(|fall| fall.count).collect();
                    assert_eq!(sorted(counts), sorted(falls.iter().map(|(count, _)| *count).collect()), "{}", told());
                    let n = luck.below(falls.len());
                    let count = outcomes[n].count;
                    record.push(format!("[{count}]"));
                    ayn.advance(&mut position, n);
                    state = falls.into_iter().find(|(other, _)| *other == count).unwrap().1;
                }
                (node @ Node::End(_), Other::End(result)) => {
                    let found = describe_result(ayn.rules(), node);
                    let found = if found == "a draw" { "draw" } else { &found };
                    let found = if found == "the game was stopped" { "stopped" } else { found };
                    assert_eq!(found, result, "{}", told());
                    break;
                }
                (node, _) => panic!("{}\nthe one is at {node:?}", told()),
            }
        }
    }
}

/// Counts sequences of moves to some depth on both.
fn counts<G: Independent>(name: &str, choices: &str, other: &G, depth: usize) {
    let ayn = common::reference(name, choices);
    let counts = simulation::perft(&ayn, &ayn.start(), depth);
    assert_eq!(counts, independent::perft(other, depth), "{name} {choices}");
}

/// The games that are counted less deep above, to depth 5; where a turn can have many throws, with one.
#[test]
fn counts_to_depth_five() {
    use independent::{ashta_kashte::AshtaKashte, chupu::Chupu, hus::Hus, pachisi::Pachisi, tab::Tab};
    counts("hus", "", &Hus::default(), 5);
    counts("chupu", "", &Chupu::default(), 5);
    counts("pachisi", "", &Pachisi::default(), 5);
    counts("ashta-kashte", "throws=1", &AshtaKashte { throws: 1, ..AshtaKashte::default() }, 5);
    counts("tab", "throws=1", &Tab { throws: 1, ..Tab::default() }, 5);
}

fn sorted<T: Ord>(mut items: Vec<T>) -> Vec<T> {
    items.sort_unstable();
    items
}

/// Numbers enough for a test (G. Marsaglia, "Xorshift RNGs", 2003).
struct Luck(u64);

impl Luck {
    fn below(&mut self, n: usize) -> usize {
        for (left, shift) in [(true, 13), (false, 7), (true, 17)] {
            self.0 ^= if left { self.0 << shift } else { self.0 >> shift };
        }
        usize::try_from(self.0 % n as u64).unwrap()
    }
}

#[test]
fn oware() {
    use independent::oware::Oware;
    same("oware", "", &Oware::default(), 5);
    same(
        "oware",
        "holes=3 seeds=2 grand-slam=legal",
        &Oware { holes: 3, seeds: 2, grand_slam: "legal", ..Oware::default() },
        7,
    );
    same(
        "oware",
        "holes=3 seeds=2 grand-slam=forbidden cycle=hundred",
        &Oware { holes: 3, seeds: 2, grand_slam: "forbidden", cycle: "quiet" },
        7,
    );
}

#[test]
fn kalah() {
    use independent::kalah::Kalah;
    same("kalah", "", &Kalah::default(), 5);
    same("kalah", "empty-capture=yes holes=4 seeds=3", &Kalah { holes: 4, seeds: 3, empty_capture: "yes" }, 5);
}

#[test]
fn bakuk() {
    use independent::bakuk::Bakuk;
    let usual = Bakuk::default;
    same("bakuk", "", &usual(), 5);
    same("bakuk", "chain=preceding leftovers=owners", &Bakuk { chain: "preceding", leftovers: "owners", ..usual() }, 5);
    same("bakuk", "chain=none", &Bakuk { chain: "none", ..usual() }, 5);
    same("bakuk", "origin=skipped", &Bakuk { origin: "skipped", ..usual() }, 5);
    same("bakuk", "capture-side=own", &Bakuk { capture_side: "own", ..usual() }, 5);
    same("bakuk", "capture-side=enemy seeds=12", &Bakuk { capture_side: "enemy", seeds: 12, ..usual() }, 5);
    same("bakuk", "seeds=2 origin=skipped", &Bakuk { seeds: 2, origin: "skipped", ..usual() }, 5);
}

#[test]
fn bao_kujifunza() {
    use independent::bao_kujifunza::BaoKujifunza;
    same("bao-kujifunza", "", &BaoKujifunza::default(), 5);
    same("bao-kujifunza", "front-empty=turn", &BaoKujifunza { at_once: false, ..BaoKujifunza::default() }, 3);
    same(
        "bao-kujifunza",
        "front-empty=turn endless=ends seeds=3 most=4",
        &BaoKujifunza { seeds: 3, most: 4, at_once: false, forbidden: false },
        3,
    );
    same("bao-kujifunza", "seeds=4 most=9", &BaoKujifunza { seeds: 4, most: 9, ..BaoKujifunza::default() }, 3);
}

#[test]
fn hus() {
    use independent::hus::Hus;
    let usual = Hus::default;
    same("hus", "", &usual(), 4);
    same("hus", "captures-when=front", &Hus { both: false, ..usual() }, 3);
    same("hus", "sown-on=all", &Hus { with_own: true, ..usual() }, 3);
    same("hus", "way=with-clock", &Hus { clockwise: true, ..usual() }, 3);
    same("hus", "endless=forbidden seeds=3", &Hus { forbidden: true, seeds: 3, ..usual() }, 2);
}

#[test]
fn layli_goobalay() {
    use independent::layli_goobalay::{Circling, Endless, LayliGoobalay};
    let usual = LayliGoobalay::default;
    let small = || LayliGoobalay { holes: 3, seeds: 2, ..usual() };
    same("layli-goobalay", "", &usual(), 5);
    same("layli-goobalay", "way=with-clock", &LayliGoobalay { clockwise: true, ..usual() }, 5);
    same("layli-goobalay", "endless=forbidden", &LayliGoobalay { endless: Endless::Forbidden, ..usual() }, 4);
    same("layli-goobalay", "endless=stops", &LayliGoobalay { endless: Endless::EndsGame, ..usual() }, 4);
    same("layli-goobalay", "circling=draw", &LayliGoobalay { circling: Circling::Draw, ..usual() }, 2);
    same("layli-goobalay", "holes=3 seeds=2", &small(), 7);
    same("layli-goobalay", "holes=3 seeds=2 circling=draw", &LayliGoobalay { circling: Circling::Draw, ..small() }, 7);
    same(
        "layli-goobalay",
        "holes=3 seeds=2 circling=play-on endless=forbidden",
        &LayliGoobalay { circling: Circling::PlayOn, endless: Endless::Forbidden, ..small() },
        7,
    );
}

#[test]
fn ohvalhu() {
    use independent::ohvalhu::{Beginner, Ohvalhu};
    same("ohvalhu", "", &Ohvalhu::default(), 5);
    same(
        "ohvalhu",
        "capture-side=both last-seed=stays holes=4 seeds=3",
        &Ohvalhu { holes: 4, seeds: 3, both_rows: true, last_stays: true, ..Ohvalhu::default() },
        5,
    );
    same(
        "ohvalhu",
        "round-end=row begins=richer holes=4 seeds=4 rounds=20",
        &Ohvalhu { holes: 4, seeds: 4, rounds: 20, row_ends: true, beginner: Beginner::Richer, ..Ohvalhu::default() },
        5,
    );
    same(
        "ohvalhu",
        "last-seed=stays begins=poorer holes=5 seeds=2",
        &Ohvalhu { holes: 5, seeds: 2, last_stays: true, beginner: Beginner::Poorer, ..Ohvalhu::default() },
        5,
    );
    same("ohvalhu", "capture-side=both", &Ohvalhu { both_rows: true, ..Ohvalhu::default() }, 4);
}

#[test]
fn pallanguzhi() {
    use independent::pallanguzhi::{Beginner, Pallanguzhi};
    same("pallanguzhi", "", &Pallanguzhi::default(), 5);
    let counterclockwise = Pallanguzhi { counterclockwise: true, ..Pallanguzhi::default() };
    same("pallanguzhi", "direction=counterclockwise", &counterclockwise, 4);
    same(
        "pallanguzhi",
        "fours=sower facing-hole=yes holes=4 seeds=4",
        &Pallanguzhi { holes: 4, seeds: 4, sower_takes_fours: true, with_opposite: true, ..Pallanguzhi::default() },
        5,
    );
    same(
        "pallanguzhi",
        "begins=richer holes=4 seeds=6 rounds=30",
        &Pallanguzhi { holes: 4, seeds: 6, rounds: 30, beginner: Beginner::Richer, ..Pallanguzhi::default() },
        5,
    );
    same(
        "pallanguzhi",
        "begins=poorer direction=counterclockwise holes=5 seeds=3",
        &Pallanguzhi {
            holes: 5,
            seeds: 3,
            counterclockwise: true,
            beginner: Beginner::Poorer,
            ..Pallanguzhi::default()
        },
        5,
    );
}

#[test]
fn toguz_korgool() {
    use independent::toguz_korgool::ToguzKorgool;
    let small = || ToguzKorgool { holes: 3, seeds: 3, ..ToguzKorgool::default() };
    same("toguz-korgool", "", &ToguzKorgool::default(), 5);
    same("toguz-korgool", "matching=free", &ToguzKorgool { matching: "free", ..ToguzKorgool::default() }, 3);
    same("toguz-korgool", "holes=5 seeds=5", &ToguzKorgool { holes: 5, seeds: 5, ..ToguzKorgool::default() }, 5);
    same("toguz-korgool", "holes=3 seeds=3 matching=free", &ToguzKorgool { matching: "free", ..small() }, 7);
    same("toguz-korgool", "holes=3 seeds=3 leftovers=nobody", &ToguzKorgool { leftovers: "nobody", ..small() }, 7);
}

#[test]
fn um_ed_dyar() {
    use independent::um_ed_dyar::UmEdDyar;
    let usual = UmEdDyar::default;
    same("um-ed-dyar", "", &usual(), 5);
    same("um-ed-dyar", "chain=following", &UmEdDyar { chain: "following", ..usual() }, 5);
    same("um-ed-dyar", "chain=none leftovers=owners", &UmEdDyar { chain: "none", leftovers: "owners", ..usual() }, 5);
    same("um-ed-dyar", "capture-side=own", &UmEdDyar { capture_side: "own", ..usual() }, 5);
    same("um-ed-dyar", "capture-side=enemy", &UmEdDyar { capture_side: "enemy", ..usual() }, 5);
    same(
        "um-ed-dyar",
        "holes=3 seeds=12 taking=eight leftovers=owners",
        &UmEdDyar { holes: 3, seeds: 12, largest: "eight", leftovers: "owners", ..usual() },
        5,
    );
    same("um-ed-dyar", "holes=2 seeds=4", &UmEdDyar { holes: 2, seeds: 4, ..usual() }, 6);
}

#[test]
fn yovodji() {
    use independent::yovodji::Yovodji;
    let small = || Yovodji { holes: 3, seeds: 2, ..Yovodji::default() };
    let lone = || Yovodji { holes: 3, seeds: 1, ..Yovodji::default() };
    same("yovodji", "", &Yovodji::default(), 5);
    same(
        "yovodji",
        "last-seed=taken cycle=quiet",
        &Yovodji { last_seed: "taken", cycle: "quiet", ..Yovodji::default() },
        4,
    );
    same("yovodji", "holes=3 seeds=2", &small(), 7);
    same("yovodji", "holes=3 seeds=2 last-seed=taken", &Yovodji { last_seed: "taken", ..small() }, 7);
    same(
        "yovodji",
        "holes=3 seeds=2 endless=stops cycle=quiet",
        &Yovodji { endless: "stops", cycle: "quiet", ..small() },
        7,
    );
    same("yovodji", "holes=3 seeds=1 no-seeds=ends", &Yovodji { no_seeds: "ends", ..lone() }, 7);
    same("yovodji", "holes=3 seeds=1 endless=forbidden", &Yovodji { endless: "forbidden", ..lone() }, 7);
}

#[test]
fn royal_game_of_ur() {
    use independent::royal_game_of_ur::RoyalGameOfUr;
    let usual = RoyalGameOfUr::default;
    same("royal-game-of-ur", "", &usual(), 5);
    same("royal-game-of-ur", "men=five", &RoyalGameOfUr { men: 5, ..usual() }, 4);
    same("royal-game-of-ur", "men=five exit=overshoot", &RoyalGameOfUr { men: 5, exact: false, ..usual() }, 5);
    same("royal-game-of-ur", "refuge=none", &RoyalGameOfUr { safe: false, ..usual() }, 5);
    same("royal-game-of-ur", "winning=outer-row", &RoyalGameOfUr { corners: true, ..usual() }, 5);
}

#[test]
fn pachisi() {
    use independent::pachisi::Pachisi;
    let usual = Pachisi::default;
    same("pachisi", "", &usual(), 4);
    same("pachisi", "men=1", &Pachisi { men: 1, ..usual() }, 3);
    same("pachisi", "duty=must", &Pachisi { duty: true, ..usual() }, 3);
    same("pachisi", "prize=no", &Pachisi { prize: false, ..usual() }, 3);
    same("pachisi", "castles=shared", &Pachisi { closed: false, ..usual() }, 3);
    same("pachisi", "first=none-out men=2", &Pachisi { once: false, men: 2, ..usual() }, 3);
    same("pachisi", "graces=mitra", &Pachisi { mitra: true, ..usual() }, 3);
    same("pachisi", "graces=mitra duty=must", &Pachisi { mitra: true, duty: true, ..usual() }, 3);
}

#[test]
fn ashta_kashte() {
    use independent::ashta_kashte::AshtaKashte;
    let usual = AshtaKashte::default;
    let short = || AshtaKashte { throws: 3, ..usual() };
    // With sixty throws a series has no bound to speak of: games alone are held against each other.
    same("ashta-kashte", "", &usual(), 0);
    same("ashta-kashte", "throws=3", &short(), 3);
    same("ashta-kashte", "throws=3 players=4", &AshtaKashte { players: 4, ..short() }, 2);
    same("ashta-kashte", "throws=3 players=3", &AshtaKashte { players: 3, ..short() }, 2);
    same("ashta-kashte", "throws=3 doubles=open", &AshtaKashte { walls: false, ..short() }, 2);
    same("ashta-kashte", "throws=2 men=6 duty=must", &AshtaKashte { men: 6, throws: 2, duty: true, ..usual() }, 3);
    same("ashta-kashte", "throws=3 prize=no", &AshtaKashte { prize: false, ..short() }, 2);
}

#[test]
fn tab() {
    use independent::tab::Tab;
    let usual = Tab::default;
    let short = || Tab { throws: 3, ..usual() };
    // With sixty throws a series has no bound to speak of: games alone are held against each other.
    same("tab", "", &usual(), 0);
    same("tab", "throws=3", &short(), 3);
    same("tab", "throws=2 piles=single", &Tab { united: false, throws: 2, ..usual() }, 4);
    same("tab", "throws=3 tab-use=wake-first", &Tab { wake_first: true, ..short() }, 3);
    same("tab", "throws=3 freeze=thawed", &Tab { frozen: false, ..short() }, 2);
    same("tab", "throws=4 piles=single freeze=thawed", &Tab { united: false, frozen: false, throws: 4, ..usual() }, 2);
}

#[test]
fn chupu() {
    use independent::chupu::Chupu;
    let usual = Chupu::default;
    same("chupu", "", &usual(), 4);
    same("chupu", "players=3", &Chupu { players: 3, ..usual() }, 3);
    same("chupu", "players=4 men=2", &Chupu { players: 4, men: 2, ..usual() }, 3);
    same("chupu", "hits=noble", &Chupu { noble_hits: true, ..usual() }, 3);
    same("chupu", "piles=loose", &Chupu { bound: false, ..usual() }, 3);
    same("chupu", "odds=equal", &Chupu { odds: true, ..usual() }, 3);
    same("chupu", "odds=equal piles=loose", &Chupu { odds: true, bound: false, ..usual() }, 3);
    same("chupu", "fall=ends", &Chupu { fall_ends: true, ..usual() }, 3);
}

/// Every shipped game is held against a program of its own: here, or by its counts in `data/perft.txt`.
#[test]
fn no_game_is_left_out() {
    let here = include_str!("against.rs");
    let counts = include_str!("data/perft.txt");
    for name in common::names() {
        let counted = counts.lines().any(|line| line.starts_with(&format!("{name} ")));
        assert!(
            here.contains(&format!("same(\"{name}\"")) || here.contains(&format!("\"{name}\",")) || counted,
            "{name}"
        );
    }
}
