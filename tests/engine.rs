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
    game::{Game, Id as _, Rules, SeatId, Setup},
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

/// Games that the engine plays in one go are those that it plays node by node.
struct InOneGo {
    games: u64,
    told: String,
}

impl Visitor for InOneGo {
    type Output = ();

    fn visit<T: Tree>(self, engine: &T) {
        let mut again = engine.start();
        for game in 0..self.games {
            let mut streams = Streams::new(9, game, engine.seats());
            let mut position = engine.start();
            while let Some(n) = match engine.node(&position) {
                Node::End(_) => None,
                Node::Choice(choice) => {
                    Some(Agent::Random.choose(engine, &position, choice, streams.players.at_mut(choice.seat)))
                }
                Node::Chance(chance) => Some(streams.throws.throw(engine.throw(chance.throw))),
            } {
                engine.advance(&mut position, n);
            }
            engine.restart(&mut again);
            streams.restart(9, game);
            // Halting after some turns makes no difference.
            for turns in [1, 2, 5, 30, u32::MAX] {
                engine.play_out(&mut again, &mut streams, turns);
            }
            let told = format!("{}, game {game}", self.told);
            assert_eq!(engine.node(&again), engine.node(&position), "{told}");
            assert_eq!(engine.turns(&again), engine.turns(&position), "{told}");
            assert!(engine.view(&again) == engine.view(&position), "{told}");
            for seat in (0..engine.seats()).map(SeatId::new) {
                assert_eq!(engine.captured(&again, seat), engine.captured(&position, seat), "{told}");
            }
            assert_eq!(engine.rounds(&again), engine.rounds(&position), "{told}");
            assert_eq!(engine.endless(&again), engine.endless(&position), "{told}");
        }
    }
}

/// Positions that are read stand where the reference evaluator has them.
struct FromTheMiddle<'a>(&'a Reference);

impl Visitor for FromTheMiddle<'_> {
    type Output = ();

    fn visit<T: Tree>(self, engine: &T) {
        for turns in 4..14 {
            let mut streams = Streams::new(3, u64::from(turns), engine.seats());
            let mut position = self.0.start();
            self.0.play_out(&mut position, &mut streams, turns);
            let view = self.0.view(&position);
            if matches!(self.0.node(&position), Node::End(_)) || !view.pool.is_empty() {
                continue;
            }
            let (fast, slow) = (engine.begin(&view), self.0.begin(&view));
            assert!(engine.view(&fast) == self.0.view(&slow));
            assert_eq!(engine.moves(&fast), self.0.moves(&slow));
        }
    }
}

fn same(rules: Rules, told: &str, games: u64) {
    let compiled = Compiled::new(rules.clone(), 0);
    let reference = Reference::new(rules);
    compiled.visit(Beside { reference: &reference, games, told: told.to_owned() });
}

/// Whether machine code can be made on such a machine.
fn has_machine_code() -> bool {
    cfg!(any(target_arch = "x86_64", target_arch = "aarch64"))
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

#[test]
fn games_in_one_go_and_positions_from_the_middle() {
    for name in common::names().iter().filter(|name| asked(name)) {
        let game = common::game(name);
        for setup in setups(&game) {
            let Ok(rules) = ayn::bind(&game, &setup) else { continue };
            let told = format!("{name} {:?}", setup.named(&game));
            let compiled = Compiled::new(rules, 0);
            // Some games are interpreted, then there is machine code.
            compiled.visit(InOneGo { games: 5, told: told.clone() });
            assert!(compiled.hasten() || !has_machine_code(), "{told}");
            compiled.visit(InOneGo { games: 20, told });
        }
        let rules = common::reference(name, "").rules().clone();
        let reference = Reference::new(rules.clone());
        Compiled::new(rules, 0).visit(FromTheMiddle(&reference));
    }
}

/// Rules that no shipped game has.
#[test]
fn files_that_once_broke_something() {
    let mut played = 0;
    for entry in std::fs::read_dir(common::root().join("tests/soundness")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "ayn") {
            continue;
        }
        let Some(game) = ayn::check(&common::source(&path)).game else { continue };
        for setup in setups(&game) {
            let Ok(rules) = ayn::bind(&game, &setup) else { continue };
            let told = format!("{} {:?}", path.display(), setup.named(&game));
            same(rules.clone(), &told, 2);
            let compiled = Compiled::new(rules, 0);
            let _ = compiled.hasten();
            compiled.visit(InOneGo { games: 2, told });
            played += 1;
        }
    }
    assert!(played > 20, "{played}");
}

/// A sowing that comes round for ever is proved to, and one that only takes long is not.
#[test]
fn endless_sowings_are_proved() {
    let game = common::game("tampoduo");
    let choose = |holes: &str| {
        Setup::choose(&game, &["endless=stops".into()], &[format!("holes={holes}"), "seeds=1".into()]).unwrap()
    };
    let rules = ayn::bind(&game, &choose("3")).unwrap();
    struct Sown(ayn::View);
    impl Visitor for Sown {
        type Output = (bool, bool);

        fn visit<T: Tree>(self, engine: &T) -> (bool, bool) {
            let mut position = engine.begin(&self.0);
            let moves = engine.moves(&position);
            engine.advance(&mut position, moves.len() - 1);
            (engine.endless(&position), engine.endless_proved(&position))
        }
    }
    // C is sown, and after eighteen laps the board is as it was.
    let view = ayn::read_position(&rules, "0 1 0 / 2 1 2 | 0 0 | S").unwrap();
    assert_eq!(Compiled::new(rules.clone(), 0).visit(Sown(view.clone())), (true, false));
    assert_eq!(Compiled::new(rules.clone(), 5).visit(Sown(view.clone())), (true, false), "five laps prove nothing");
    assert_eq!(Compiled::new(rules, 1000).visit(Sown(view)), (true, true));
}
