//! What must hold whatever is played and whatever a file says.
//!
//! `AYN_GAMES` sets how many games of each setup are played (40 if it is not set); the long run of
//! 100,000 is `cargo test --test properties -- --ignored`, and `AYN_FILES=tab,kalah` plays some files only.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use std::{collections::HashSet, sync::Arc};

use ayn::{
    Agent, Compiled, End, GameResult, Node, Reference, RuleFile, Stop, Streams, Tree, Visitor,
    game::{Game, Setup},
    print_move, print_position, read_position,
};
use proptest::{prelude::*, test_runner::RngSeed};

fn games(otherwise: u64) -> u64 {
    std::env::var("AYN_GAMES").ok().and_then(|games| games.parse().ok()).unwrap_or(otherwise)
}

/// Plays a random game and looks at every position on the way.
fn play(reference: &Reference, seed: u64, game: u64, mut look: impl FnMut(&ayn::Position)) {
    let mut streams = Streams::new(seed, game, reference.seats());
    let mut position = reference.start();
    loop {
        look(&position);
        let n = match reference.node(&position) {
            Node::End(_) => return,
            Node::Choice(choice) => {
                assert!(choice.moves > 0);
                Agent::Random.choose(reference, &position, choice, streams.players.at_mut(choice.seat))
            }
            Node::Chance(chance) => streams.throws.throw(reference.throw(chance.throw)),
        };
        reference.advance(&mut position, n);
    }
}

/// Plays games under one setup: seeds and men are conserved at every node, and the seeds lie in pits and
/// stores, not in a hand, at the start of every turn and at the end.
fn conserves(game: &Arc<Game>, setup: &Setup, games: u64) {
    let reference = Reference::new(ayn::bind(game, setup).unwrap());
    let census = reference.census(&reference.start());
    for number in 0..games {
        let mut turn = None;
        play(&reference, 11, number, |position| {
            assert_eq!(reference.census(position), census, "{}", game.title);
            if let Node::Choice(choice) = reference.node(position) {
                let moves = reference.moves(position);
                let names: HashSet<String> = moves.iter().map(|chosen| print_move(reference.rules(), chosen)).collect();
                assert_eq!(names.len(), choice.moves, "{}: {names:?}", game.title);
            }
            let new = turn.replace(reference.turns(position)) != Some(reference.turns(position));
            if census.0 > 0 && (new || matches!(reference.node(position), Node::End(_))) {
                assert_eq!(
                    in_sight(&print_position(reference.rules(), &reference.view(position))),
                    census.0,
                    "{}",
                    game.title
                );
            }
        });
    }
}

/// The seeds in pits and stores, read off a printed position.
fn in_sight(position: &str) -> u32 {
    let parts = position.split('|').take(2).flat_map(|part| part.split(['/', ' ']));
    parts.filter_map(|number| number.parse::<u32>().ok()).sum()
}

fn every_single_reading(games: u64) {
    let only = std::env::var("AYN_FILES").ok();
    let asked = |name: &str| only.as_ref().is_none_or(|only| only.split(',').any(|file| file == name));
    for name in common::names().iter().filter(|name| asked(name)) {
        let game = common::game(name);
        for setup in game.single_readings() {
            conserves(&game, &setup, games);
        }
    }
}

#[test]
fn nothing_is_lost_under_any_single_reading() {
    every_single_reading(games(40));
}

#[test]
#[ignore = "takes many minutes; the short form runs always"]
fn nothing_is_lost_under_any_single_reading_in_100000_games() {
    every_single_reading(games(100_000));
}

#[test]
fn options_at_their_ends_play_too() {
    for (name, choices) in [
        ("koumma", ["holes=2 seeds=2", "holes=6 seeds=12", "holes=2 seeds=12", "holes=6 seeds=2"]),
        ("tampoduo", ["holes=3 seeds=1", "holes=12 seeds=8", "holes=3 seeds=8", "holes=12 seeds=1"]),
        (
            "tamman",
            [
                "players=2 men=1 mouth=0.05",
                "players=4 men=6 mouth=0.95",
                "players=3 men=6 mouth=0.3333",
                "men=1 mouth=0.95",
            ],
        ),
    ] {
        for choices in choices {
            let reference = common::reference(name, choices);
            let census = reference.census(&reference.start());
            for number in 0..10 {
                play(&reference, 5, number, |position| assert_eq!(reference.census(position), census));
            }
        }
    }
}

/// Small files that once broke a promise: each is refused, or keeps it under every combination of its
/// readings and every value of its options.
#[test]
fn files_that_broke_a_promise_keep_it() {
    let mut played = 0;
    for entry in std::fs::read_dir(common::root().join("tests/soundness")).unwrap() {
        let source = common::source(&entry.unwrap().path());
        let Some(game) = ayn::check(&source).game else { continue };
        for example in &game.examples {
            assert_eq!(ayn::run_example(&game, &Setup::defaults(&game), example), Ok(()), "{}", example.title);
        }
        let mut setups = vec![Setup::defaults(&game)];
        for (reading, declared) in game.readings.entries() {
            let all = setups.iter().flat_map(|setup| {
                declared.alternatives.ids().map(move |alternative| setup.with_reading(reading, alternative))
            });
            setups = all.collect();
        }
        for (option, declared) in game.options.entries() {
            let values = declared.low..=declared.high;
            setups = setups
                .iter()
                .flat_map(|setup| values.clone().map(move |value| setup.with_option(option, value)))
                .collect();
        }
        for setup in setups {
            if ayn::bind(&game, &setup).is_ok() {
                conserves(&game, &setup, 3);
                played += 1;
            }
        }
    }
    assert!(played >= 5, "most files are refused, but not all: {played}");
}

/// A reading that is put in means the same as the rule written without it.
#[test]
fn folding_a_reading_changes_nothing() {
    let perft = |name: &str| {
        let source = common::source(&common::root().join("tests/soundness").join(name));
        let game = ayn::check(&source).game.unwrap();
        let reference = Reference::new(ayn::bind(&game, &Setup::defaults(&game)).unwrap());
        ayn::simulation::perft(&reference, &reference.start(), 4)
    };
    assert_eq!(perft("fold-reading.ayn"), perft("fold-plain.ayn"));
}

/// Positions at the start of a turn read back as what was printed.
#[test]
fn positions_print_what_they_read() {
    for path in common::game_files() {
        let game = ayn::check(&common::source(&path)).game.unwrap();
        let reference = Reference::new(ayn::bind(&game, &Setup::defaults(&game)).unwrap());
        for number in 0..10 {
            let mut turn = None;
            play(&reference, 3, number, |position| {
                let new = turn.replace(reference.turns(position)) != Some(reference.turns(position));
                if new && !matches!(reference.node(position), Node::End(_)) {
                    let text = print_position(reference.rules(), &reference.view(position));
                    let read = read_position(reference.rules(), &text).unwrap();
                    let begun = reference.begin_watched(&read, &mut ());
                    assert_eq!(print_position(reference.rules(), &read), text);
                    assert_eq!(reference.moves(&begun), reference.moves(position));
                    assert_eq!(reference.node(&begun), reference.node(position));
                }
            });
        }
    }
}

/// A file, whatever it says: it is checked without a panic, and if it passes, it plays.
fn survives(text: &str) -> bool {
    let Ok(source) = RuleFile::new("mutant.ayn", text) else { return false };
    let checked = ayn::check(&source);
    for found in &checked.diagnostics {
        assert!(!ayn::render(&source, found, false).is_empty());
    }
    let Some(game) = checked.game else {
        assert!(!checked.diagnostics.is_empty(), "a file that is no game gets a reason");
        return false;
    };
    let setup = Setup::defaults(&game);
    conserves(&game, &setup, 20);
    let rules = ayn::bind(&game, &setup).unwrap();
    let reference = Reference::new(rules.clone());
    let compiled = Compiled::new(rules, 0);
    let _ = compiled.hasten();
    compiled.visit(Ends { reference: &reference, text });
    true
}

/// Random games end on the engine as they do on the reference evaluator.
struct Ends<'a> {
    reference: &'a Reference,
    text: &'a str,
}

impl Visitor for Ends<'_> {
    type Output = ();

    fn visit<T: Tree>(self, engine: &T) {
        for game in 0..10 {
            let mut streams = Streams::new(13, game, engine.seats());
            let mut fast = engine.start();
            engine.play_out(&mut fast, &mut streams, u32::MAX);
            streams.restart(13, game);
            let mut slow = self.reference.start();
            self.reference.play_out(&mut slow, &mut streams, u32::MAX);
            let stopped = |node| matches!(node, Node::End(End { result: GameResult::Stopped(Stop::Steps), .. }));
            let (found, wanted) = (engine.node(&fast), self.reference.node(&slow));
            // The two count their steps differently.
            if stopped(found) || stopped(wanted) {
                continue;
            }
            assert_eq!(found, wanted, "{}", self.text);
            assert!(engine.view(&fast) == self.reference.view(&slow), "{}", self.text);
        }
    }
}

fn corpus() -> Vec<String> {
    common::game_files().iter().map(|path| common::source(path).text().to_owned()).collect()
}

/// The words and signs of a file, in order, white space left as it is between them.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = vec![];
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let word = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
        let end = if word(first) { rest.find(|c| !word(c)).unwrap_or(rest.len()) } else { first.len_utf8() };
        let (token, tail) = rest.split_at(end);
        tokens.push(token);
        rest = tail;
    }
    tokens
}

/// Rules of a file without its examples and sources, which would only dilute the mutations.
fn core(text: &str) -> &str {
    let start = text.find("\noption").unwrap_or(0);
    let end = text.find("\nexample").unwrap_or(text.len());
    text.get(start..end).unwrap_or(text)
}

#[derive(Debug, Clone)]
enum Mutation {
    Delete(usize),
    Double(usize),
    Swap(usize, usize),
    Replace(usize, usize),
    Number(usize, u32),
}

fn mutation() -> impl Strategy<Value = Mutation> {
    prop_oneof![
        any::<usize>().prop_map(Mutation::Delete),
        any::<usize>().prop_map(Mutation::Double),
        any::<(usize, usize)>().prop_map(|(a, b)| Mutation::Swap(a, b)),
        any::<(usize, usize)>().prop_map(|(a, b)| Mutation::Replace(a, b)),
        (any::<usize>(), 0u32..200).prop_map(|(at, n)| Mutation::Number(at, n)),
    ]
}

fn mutate(text: &str, mutations: &[Mutation]) -> String {
    let core = core(text);
    let offset = text.find(core).unwrap_or(0);
    let original: Vec<String> = tokens(core).into_iter().map(str::to_owned).collect();
    let mut tokens = original.clone();
    for mutation in mutations {
        // Only words and signs: white space and comments change nothing.
        let places: Vec<usize> = (0..tokens.len()).filter(|at| !tokens[*at].trim().is_empty()).collect();
        let pick = |n: &usize| places[n % places.len()];
        match mutation {
            Mutation::Delete(at) => tokens[pick(at)].clear(),
            Mutation::Double(at) => {
                let copy = format!("{0} {0}", tokens[pick(at)]);
                tokens[pick(at)] = copy;
            }
            Mutation::Swap(a, b) => tokens.swap(pick(a), pick(b)),
            Mutation::Replace(at, from) => tokens[pick(at)] = original[from % original.len()].clone(),
            Mutation::Number(at, n) => {
                let numbers: Vec<usize> = (0..tokens.len())
                    .filter(|at| tokens[*at].chars().all(|c| c.is_ascii_digit()) && !tokens[*at].is_empty())
                    .collect();
                if !numbers.is_empty() {
                    tokens[numbers[at % numbers.len()]] = n.to_string();
                }
            }
        }
    }
    format!("{}{}{}", &text[..offset], tokens.concat(), &text[offset + core.len()..])
}

/// Words and signs of the language, thrown together.
fn soup() -> impl Strategy<Value = String> {
    let words: Vec<String> = corpus()
        .iter()
        .flat_map(|text| tokens(core(text)).into_iter().map(str::to_owned).collect::<Vec<_>>())
        .collect();
    prop::collection::vec(prop::sample::select(words), 0..400).prop_map(|words| words.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: u32::try_from(games(40) * 5).unwrap_or(200), rng_seed: RngSeed::Fixed(games(1)), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn mutated_games_never_panic(which in any::<usize>(), mutations in prop::collection::vec(mutation(), 1..4)) {
        let corpus = corpus();
        survives(&mutate(&corpus[which % corpus.len()], &mutations));
    }

    #[test]
    fn random_words_never_panic(text in soup()) {
        survives(&text);
    }

    #[test]
    fn random_text_never_panics(text in "\\PC*") {
        survives(&text);
    }

    #[test]
    fn random_positions_and_records_never_panic(text in "[A-Fa-f0-9 /|*:+SN\\[\\]a-z]{0,60}") {
        for name in ["koumma", "tamman", "pallanguzhi", "tab"] {
            let reference = common::reference(name, "");
            let _ = read_position(reference.rules(), &text);
            let mut position = reference.start();
            let _ = ayn::play_record(&reference, &mut position, &text, &mut ());
        }
    }
}

/// Mutations do pass the check now and then: else the property above would say nothing.
#[test]
fn some_mutated_games_pass_the_check() {
    let corpus = corpus();
    let passed = (0..60u32).filter(|n| survives(&mutate(&corpus[0], &[Mutation::Number(*n as usize, n % 13)]))).count();
    assert!(passed >= 10, "{passed} of 60");
}
