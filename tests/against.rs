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
    let counts = simulation::perft(&ayn, &ayn.start(), depth);
    assert_eq!(counts, independent::perft(other, depth), "{name} {choices}");
    for number in 0..games() {
        let mut luck = Luck(number + 1);
        let (mut position, mut state) = (ayn.start(), other.start());
        let mut record = vec![];
        loop {
            let told = || {
                format!(
                    "{name} {choices}, game {number}, after {}:\n{}",
                    record.join(" "),
                    print_position(ayn.rules(), &position)
                )
            };
            match (ayn.node(&position), other.node(&state)) {
                (Node::Choice(choice), Other::Choice(moves)) => {
                    let names: Vec<String> =
                        choice.moves.iter().map(|chosen| print_move(ayn.rules(), chosen)).collect();
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
                    let counts = chance.outcomes.iter().map(|outcome| outcome.count).collect();
                    assert_eq!(sorted(counts), sorted(falls.iter().map(|(count, _)| *count).collect()), "{}", told());
                    let n = luck.below(falls.len());
                    let count = chance.outcomes[n].count;
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
    same(
        "kalah",
        "empty-capture=yes holes=4 seeds=3",
        &Kalah { holes: 4, seeds: 3, empty_capture: "yes", ..Kalah::default() },
        5,
    );
}
