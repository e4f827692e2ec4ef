//! The programs that were written by hand to be raced against play the very same games as the rule files.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

#[path = "../benches/by_hand/mod.rs"]
mod by_hand;
mod common;

use ayn::{Compiled, Streams, Tree, Visitor};
use by_hand::{Played, Program};

/// How many games are played; more when asked.
fn games() -> u64 {
    std::env::var("AYN_GAMES").ok().and_then(|games| games.parse().ok()).unwrap_or(2000)
}

struct Race<'a>(&'a mut dyn Program);

impl Visitor for Race<'_> {
    type Output = ();

    fn visit<T: Tree>(self, engine: &T) {
        for game in 0..games() {
            let expected = Played::by(engine, 1, game);
            let found = self.0.play(&mut Streams::new(1, game, 2));
            assert_eq!(found, expected, "{}, game {game}", self.0.name());
        }
    }
}

#[test]
fn the_same_games() {
    for (name, mut program) in by_hand::programs() {
        let rules = common::reference(name, "").rules().clone();
        let compiled = Compiled::new(rules, 0);
        let _ = compiled.hasten();
        compiled.visit(Race(&mut *program));
    }
}
