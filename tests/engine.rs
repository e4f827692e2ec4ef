//! The engine and the reference evaluator play the same games: node by node the same choices, throws, boards and
//! results, under every reading and at the ends of every option.
//!
//! `AYN_GAMES` sets how many games of each setup are played (10 if it is not set), `AYN_FILES=tab,kalah` plays some
//! files only.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use std::sync::Arc;

use ayn::{
    Agent, Compiled, Node, Reference, Streams, Tree, Visitor,
    game::{Game, Rules, Setup},
    print_move, print_position,
};

fn games() -> u64 {
    std::env::var("AYN_GAMES").ok().and_then(|games| games.parse().ok()).unwrap_or(10)
}

fn asked(name: &str) -> bool {
    std::env::var("AYN_FILES").map_or(true, |only| only.split(',').any(|file| file == name))
}

/// Plays the same random games on both.
struct Beside<'a> {
    reference: &'a Reference,
    games: u64,
    told: String,
}

impl Visitor for Beside<'_> {
    type Output = ();

    fn visit<T: Tree>(self, engine: &T) {
        for game in 0..self.games {
            let mut streams = Streams::new(5, game, engine.seats());
            self.game(engine, engine.start(), self.reference.start(), &mut streams);
        }
    }
}

impl Beside<'_> {
    fn game<T: Tree>(&self, engine: &T, mut fast: T::Position, mut slow: ayn::Position, streams: &mut Streams) {
        let rules = self.reference.rules();
        let mut record: Vec<String> = vec![];
        loop {
            let (view, wanted) = (engine.view(&fast), self.reference.view(&slow));
            let told = || {
                format!(
                    "{}\n{}\nengine    {}\nreference {}",
                    self.told,
                    record.join(" "),
                    print_position(rules, &view),
                    print_position(rules, &wanted)
                )
            };
            assert!(view == wanted, "{}\n{view:?}\n{wanted:?}", told());
            let node = engine.node(&fast);
            assert_eq!(node, self.reference.node(&slow), "{}", told());
            let (moves, others) = (engine.moves(&fast), self.reference.moves(&slow));
            let names = |moves: &[ayn::Move]| moves.iter().map(|chosen| print_move(rules, chosen)).collect::<Vec<_>>();
            assert!(moves == others, "{}\n{:?}\n{:?}", told(), names(&moves), names(&others));
            assert_eq!(engine.turns(&fast), self.reference.turns(&slow), "{}", told());
            assert_eq!(engine.rounds(&fast), self.reference.rounds(&slow), "{}", told());
            assert_eq!(engine.endless(&fast), self.reference.endless(&slow), "{}", told());
            for seat in rules.seats.ids() {
                assert_eq!(engine.captured(&fast, seat), self.reference.captured(&slow, seat), "{}", told());
                assert_eq!(engine.standing(&fast, seat), self.reference.standing(&slow, seat), "{}", told());
            }
            let n = match node {
                Node::End(_) => return,
                Node::Choice(choice) => {
                    let n = Agent::Random.choose(engine, &fast, choice, streams.players.at_mut(choice.seat));
                    record.push(print_move(rules, &moves[n]));
                    n
                }
                Node::Chance(chance) => {
                    let n = streams.throws.throw(engine.throw(chance.throw));
                    record.push(format!("[{}]", engine.throw(chance.throw).outcomes[n].count));
                    n
                }
            };
            engine.advance(&mut fast, n);
            self.reference.advance(&mut slow, n);
        }
    }
}

fn same(rules: Rules, told: &str, games: u64) {
    let compiled = Compiled::new(rules.clone(), 0);
    let reference = Reference::new(rules);
    compiled.visit(Beside { reference: &reference, games, told: told.to_owned() });
}

fn setups(game: &Arc<Game>) -> Vec<Setup> {
    let mut all = game.single_readings();
    let defaults = Setup::defaults(game);
    for (id, option) in game.options.entries() {
        for value in [option.low, option.high] {
            all.push(defaults.with_option(id, value));
        }
    }
    all
}

#[test]
fn every_game_under_every_reading_and_at_the_ends_of_every_option() {
    for name in common::names().iter().filter(|name| asked(name)) {
        let game = common::game(name);
        for setup in setups(&game) {
            let Ok(rules) = ayn::bind(&game, &setup) else { continue };
            let told = format!("{name} {:?}", setup.named(&game));
            same(rules, &told, games());
        }
    }
}
