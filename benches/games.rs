//! A game of each kind, by the engine and by the programs written by hand: `cargo bench --bench games`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, reason = "a bench")]

mod by_hand;

use std::{fs, path::Path};

use ayn::{Compiled, RuleFile, Streams, Tree, Visitor, game::Setup};
use by_hand::Played;
use divan::Bencher;

fn main() {
    divan::main();
}

/// Random games one after the other.
struct Games<'a, 'b>(Bencher<'a, 'b>);

impl Visitor for Games<'_, '_> {
    type Output = ();

    fn visit<T: Tree>(self, engine: &T) {
        let (mut position, mut streams) = (engine.start(), Streams::new(1, 0, engine.seats()));
        let mut game = 0;
        self.0.bench_local(|| {
            game += 1;
            Played::at(engine, &mut position, &mut streams, 1, game)
        });
    }
}

#[divan::bench(args = ["koumma", "tampoduo", "oware", "kalah", "tamman", "royal-game-of-ur"])]
fn engine(bencher: Bencher<'_, '_>, name: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("games").join(format!("{name}.ayn"));
    let file = RuleFile::from_bytes(name, fs::read(path).expect("it can be read")).expect("it is text");
    let game = ayn::check(&file).game.expect("it is a game");
    let rules = ayn::bind(&game, &Setup::defaults(&game)).expect("it can be played");
    let compiled = Compiled::new(rules, 0);
    let _ = compiled.hasten();
    compiled.visit(Games(bencher));
}

#[divan::bench(args = 0..12)]
fn by_hand_program(bencher: Bencher<'_, '_>, number: usize) {
    let (_, mut program) = by_hand::programs().into_iter().nth(number).expect("there are twelve");
    let (mut streams, mut game) = (Streams::new(1, 0, 2), 0);
    bencher.bench_local(|| {
        game += 1;
        streams.restart(1, game);
        program.play(&mut streams)
    });
}
