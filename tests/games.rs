//! The shipped games: they are clean, their examples hold, and they agree with what is known of them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use std::collections::BTreeMap;

use ayn::{
    Node, Tree,
    game::{Rules, Setup, SiteId},
    print_position, run_example,
    simulation::{perft, wilson},
};

#[test]
fn shipped_games_have_no_diagnostics() {
    for path in common::game_files() {
        let source = common::source(&path);
        let checked = ayn::check(&source);
        let told: Vec<String> = checked.diagnostics.iter().map(|found| ayn::render(&source, found, false)).collect();
        assert!(told.is_empty(), "{}", told.join("\n"));
        assert!(checked.game.is_some());
    }
}

#[test]
fn examples_of_shipped_games_hold() {
    for path in common::game_files() {
        let source = common::source(&path);
        let game = ayn::check(&source).game.unwrap();
        assert!(game.examples.len() >= 6, "{} has too few examples", game.title);
        for example in &game.examples {
            if let Err(failure) = run_example(&game, &Setup::defaults(&game), example) {
                panic!("{}: {}: {}", game.title, example.title, failure.message);
            }
        }
    }
}

/// The rules of a game are short: what is longer wants a better language.
#[test]
fn rules_are_short() {
    for path in common::game_files() {
        let source = common::source(&path);
        let (mut lines, mut inside) = (0, false);
        for line in source.text().lines() {
            inside |= line.starts_with("source ") || line.starts_with("example ");
            lines += usize::from(!inside && !line.trim().is_empty() && !line.trim_start().starts_with('#'));
            inside &= line != "}";
        }
        assert!(lines <= 125, "{} has {lines} lines without sources and examples", path.display());
    }
}

/// Every game is listed with its readings and sources.
#[test]
fn the_list_of_games_is_complete() {
    let page = std::fs::read_to_string(common::root().join("docs/games.md")).unwrap();
    for path in common::game_files() {
        let game = ayn::check(&common::source(&path)).game.unwrap();
        let file = format!("games/{}", path.file_name().unwrap().to_string_lossy());
        let row = page.lines().find(|line| line.contains(&file)).unwrap_or_else(|| panic!("{file} is not listed"));
        assert!(row.contains(&game.title), "{file}: {}", game.title);
        for reading in &game.readings {
            assert!(row.contains(&format!("`{}`", reading.name)), "{file}: {}", reading.name);
        }
    }
}

/// Counts that were made by a program written for these games alone, from the same sources.
#[test]
fn perft_agrees_with_independent_counts() {
    for line in include_str!("data/perft.txt").lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let [game, choices, counts]: [&str; 3] = line.split('|').map(str::trim).collect::<Vec<_>>().try_into().unwrap();
        let wanted: Vec<u64> = counts.split_whitespace().map(|count| count.parse().unwrap()).collect();
        let reference = common::reference(game, choices);
        assert_eq!(perft(&reference, &reference.start(), wanted.len()), wanted, "{game} {choices}");
    }
}

/// The chance of each count of Tamman's first throws, read off how far the man goes.
#[test]
fn tamman_counts_have_their_exact_chances() {
    let reference = common::reference("tamman", "");
    let mut found: BTreeMap<usize, u64> = BTreeMap::new();
    spread(&reference, &reference.start(), 1 << 12, &mut found);
    let wanted = [
        (0, 1),
        (1, 1024),
        (2, 1536),
        (3, 1024),
        (5, 64),
        (6, 96),
        (7, 64),
        (8, 16),
        (10, 16),
        (11, 48),
        (12, 84),
        (13, 56),
        (14, 28),
        (15, 8),
        (16, 1),
        (17, 8),
        (18, 12),
        (19, 8),
        (20, 2),
    ];
    assert_eq!(found, BTreeMap::from(wanted), "in parts of 4096");
    let mean: u64 = found.iter().map(|(count, parts)| *count as u64 * parts).sum();
    assert_eq!(mean * 512, 1517 * 4096);
}

/// Adds the chance of every count that can be reached, in parts of the whole.
fn spread(reference: &ayn::Reference, position: &ayn::Position, parts: u64, found: &mut BTreeMap<usize, u64>) {
    match reference.node(position) {
        Node::Chance(chance) => {
            let throw = reference.throw(chance.throw);
            for (n, outcome) in throw.outcomes.iter().enumerate() {
                let mut next = position.clone();
                reference.advance(&mut next, n);
                let weight = parts * u64::try_from(outcome.weight).unwrap();
                let total = u64::try_from(throw.total).unwrap();
                assert_eq!(weight % total, 0);
                spread(reference, &next, weight / total, found);
            }
        }
        Node::Choice(choice) => {
            assert_eq!(choice.moves, 1, "all men stand on one square");
            let mut next = position.clone();
            reference.advance(&mut next, 0);
            let text = print_position(reference.rules(), &reference.view(&next));
            let south = text.split('/').next().unwrap();
            let names = south.split_whitespace().skip(1).map(|place| place.split('*').next().unwrap());
            let rules = reference.rules();
            let track = track(rules, 0);
            let steps =
                names.map(|name| track.iter().position(|site| rules.board.site_named(name) == Some(*site)).unwrap());
            *found.entry(steps.max().unwrap()).or_default() += parts;
        }
        Node::End(_) => panic!("the game has not begun"),
    }
}

/// The squares of a seat's way, in order.
fn track(rules: &Rules, seat: usize) -> Vec<SiteId> {
    let way = rules.ways.iter().nth(seat).unwrap();
    way.spots.iter().map(|spot| spot.site).filter(|site| rules.board.sites.at(*site).cell.is_some()).collect()
}

#[test]
fn tamman_way_treads_every_square() {
    let reference = common::reference("tamman", "players=4");
    let rules = reference.rules();
    for seat in 0..4 {
        let track = track(rules, seat);
        assert_eq!(track.len(), 25);
        assert_eq!(track.iter().collect::<std::collections::HashSet<_>>().len(), 25);
        assert_eq!(Some(*track.last().unwrap()), rules.board.site_named("c3"));
    }
    let names = |seat: usize| {
        track(rules, seat).iter().map(|site| rules.board.sites.at(*site).name.as_str()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(names(0), "c1 d1 e1 e2 e3 e4 e5 d5 c5 b5 a5 a4 a3 a2 a1 b1 b2 b3 b4 c4 d4 d3 d2 c2 c3");
    assert_eq!(names(1), "e3 e4 e5 d5 c5 b5 a5 a4 a3 a2 a1 b1 c1 d1 e1 e2 d2 c2 b2 b3 b4 c4 d4 d3 c3");
    assert_eq!(names(2), "c5 b5 a5 a4 a3 a2 a1 b1 c1 d1 e1 e2 e3 e4 e5 d5 d4 d3 d2 c2 b2 b3 b4 c4 c3");
}

/// The expected number of men sent home in the first two turns, by the exact chances.
#[test]
fn tamman_sends_home_as_often_as_computed() {
    let reference = common::reference("tamman", "");
    let exact = expected_captures(&reference, &reference.start());
    assert!((exact - 15273.0 / 262_144.0).abs() < 1e-12, "{exact}");
    // And simulated: the interval of the sample (99.9 %, by the normal law) holds the exact mean.
    let simulation = simulation(&reference, 100_000, 2);
    let report = simulation.run(&reference, &ayn::simulation::Control::default()).unwrap();
    let sample = report.captured.summary().unwrap();
    let half = 3.29 * sample.sd / (report.games as f64).sqrt();
    assert!((sample.mean - exact).abs() < half, "{} is not within {half} of {exact}", sample.mean);
}

fn expected_captures(reference: &ayn::Reference, position: &ayn::Position) -> f64 {
    let after = |n: usize| {
        let mut next = position.clone();
        reference.advance(&mut next, n);
        next
    };
    if reference.turns(position) >= 2 {
        let seats = reference.rules().seats.ids();
        return seats.map(|seat| f64::from(reference.captured(position, seat))).sum();
    }
    match reference.node(position) {
        Node::Chance(chance) => {
            let throw = reference.throw(chance.throw);
            let parts = throw.outcomes.iter().enumerate();
            parts
                .map(|(n, fall)| fall.weight as f64 / throw.total as f64 * expected_captures(reference, &after(n)))
                .sum()
        }
        Node::Choice(choice) => {
            let moves = choice.moves;
            (0..moves).map(|n| expected_captures(reference, &after(n)) / moves as f64).sum()
        }
        Node::End(_) => 0.0,
    }
}

fn simulation(reference: &ayn::Reference, games: u64, max_turns: u32) -> ayn::simulation::Simulation {
    let agents = vec![ayn::Agent::Random; reference.seats()].into();
    ayn::simulation::Simulation { games, first: 0, seed: 1, threads: 1, max_turns, agents, rotate: false }
}

#[test]
fn random_streams_do_not_hang_on_threads_or_slices() {
    for name in &common::names() {
        let reference = common::reference(name, "");
        let whole = simulation(&reference, 300, u32::MAX);
        let control = ayn::simulation::Control::default();
        let one = whole.run(&reference, &control).unwrap();
        for threads in [2, 3, 8] {
            let many = ayn::simulation::Simulation { threads, ..whole.clone() }.run(&reference, &control).unwrap();
            assert_eq!(one, many, "{name} on {threads} threads");
        }
        let mut parts = ayn::simulation::Simulation { games: 123, ..whole.clone() }.run(&reference, &control).unwrap();
        let rest = ayn::simulation::Simulation { games: 177, first: 123, ..whole };
        parts.add(&rest.run(&reference, &control).unwrap());
        assert_eq!(one, parts, "{name} in two slices");
    }
}

/// Everything that happens in a game is told with the rule behind it, and every such rule has grounds.
#[test]
fn every_step_names_its_rule_and_its_grounds() {
    for name in &common::names() {
        let game = common::game(name);
        for setup in game.single_readings() {
            let reference = ayn::Reference::new(ayn::bind(&game, &setup).unwrap());
            let mut streams = ayn::Streams::new(9, 0, reference.seats());
            let mut told: Vec<(Option<ayn::game::RuleId>, ayn::Event)> = vec![];
            let mut position = reference.start_watched(&mut told);
            loop {
                let n = match reference.node(&position) {
                    Node::End(_) => break,
                    Node::Choice(choice) => streams.players.at_mut(choice.seat).index(choice.moves),
                    Node::Chance(chance) => streams.throws.throw(reference.throw(chance.throw)),
                };
                reference.advance_watched(&mut position, n, &mut told);
            }
            for (rule, event) in told {
                match (rule, &event) {
                    (None, ayn::Event::TurnBegins(_) | ayn::Event::Passed(_) | ayn::Event::Stopped) => {}
                    (None, event) => panic!("{name}: no rule behind {event:?}"),
                    (Some(rule), event) => {
                        let rule = game.rules.at(rule);
                        assert!(!rule.claims.is_empty() || rule.assumed.is_some(), "{name}: no grounds for {event:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn greedy_beats_random_from_both_seats() {
    for (name, games) in [("koumma", 400), ("tampoduo", 300), ("tamman", 400)] {
        let reference = common::reference(name, "");
        let mut won = 0;
        for greedy in 0..2 {
            let mut both = simulation(&reference, games, u32::MAX);
            let agents: Vec<ayn::Agent> =
                (0..2).map(|seat| if seat == greedy { ayn::Agent::Greedy } else { ayn::Agent::Random }).collect();
            both.agents = agents.into();
            let report = both.run(&reference, &ayn::simulation::Control::default()).unwrap();
            won += report.wins[greedy];
        }
        let interval = wilson(won, 2 * games);
        assert!(interval.low > 0.5, "{name}: {interval:?}");
    }
}
