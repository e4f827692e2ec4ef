//! Comparisons: formulas against published figures, a game whose chances are known, and exact counts.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use std::sync::Arc;

use ayn::{
    Event, Node, Tree as _,
    comparison::{Account, Comparison, Design, Question, Verdict},
    game::{Game, ReadingId, Setup},
    simulation::{Control, Paired, Scale, games_to_detect, holm, wilson},
};

fn lots() -> Arc<Game> {
    ayn::check(&common::source(&common::root().join("tests/compare/lots.ayn"))).game.expect("a game")
}

fn reading(game: &Game, name: &str) -> ReadingId {
    game.readings.entries().find(|(_, reading)| reading.name == name).expect("a reading").0
}

/// A comparison of random games, one reading at a time.
fn comparison(game: &Arc<Game>, chosen: &[&str], readings: &[&str], seed: u64, games: u64) -> Comparison {
    let chosen: Vec<String> = chosen.iter().map(|text| (*text).to_owned()).collect();
    let setup = Setup::choose(game, &chosen, &[]).unwrap();
    let question = Question::Each(readings.iter().map(|name| reading(game, name)).collect());
    Comparison {
        design: Design::new(game, &setup, question).unwrap(),
        line_ups: vec!["random".parse().unwrap()],
        games,
        look_into: games.min(1000),
        seed,
        threads: 0,
        max_turns: u32::MAX,
        margin: 0.05,
        positions: 400,
        stop_early: false,
    }
}

/// The verdicts of the first contrast by measure: wins of South and North, draws, stopped, endless, turns.
fn verdicts(comparison: &Comparison) -> Vec<Verdict> {
    let findings = comparison.run(&Control::default()).unwrap();
    findings.differences[0][0].iter().map(|finding| finding.verdict).collect()
}

fn account(name: &str, chosen: &[&str], readings: &[&str], games: u64) -> Account {
    let game = common::game(name);
    let mut comparison = comparison(&game, chosen, readings, 1, games);
    comparison.positions = 5000;
    comparison.account(&comparison.run(&Control::default()).unwrap(), false)
}

/// D. G. Bonett and R. M. Price (2012) reckon with one pair more of each kind that differs: by hand, for 16 and 5 of 40.
#[test]
fn intervals_of_paired_shares() {
    let mut paired = Paired::new(1);
    for n in 0..40 {
        paired.count(if n < 16 { 1 } else { -i64::from(n < 21) });
    }
    let found = paired.difference(Scale::Share(1.0)).unwrap();
    let (gained, lost) = (17.0 / 42.0, 6.0 / 42.0);
    let error = ((gained + lost - (gained - lost) * (gained - lost)) / 42.0_f64).sqrt();
    let (low, high) = (gained - lost - 1.959_964 * error, gained - lost + 1.959_964 * error);
    assert!((found.interval.low - low).abs() < 1e-6 && (found.interval.high - high).abs() < 1e-6, "{found:?}");
    assert_eq!((found.games, found.differing), (40, 21));
    assert!((found.mean - 11.0 / 40.0).abs() < 1e-12);
    // Two one-sided tests at 5 % and the interval at 90 % say the same.
    assert!((found.equivalence(found.bound(0.05)) - 0.05).abs() < 1e-9);
}

/// The ten pairs of "Student", "The Probable Error of a Mean" (1908): additional sleep by two drugs, in tenths of an hour.
#[test]
fn intervals_of_paired_means() {
    let mut paired = Paired::new(10);
    for difference in [12, 24, 13, 13, 0, 10, 18, 8, 46, 14] {
        paired.count(difference);
    }
    let found = paired.difference(Scale::Count).unwrap();
    // The sum of squares about the mean is 13.616; two observations off by one are added to it. The point of Student's law
    // with 9 degrees of freedom is 2.262157.
    assert!((found.mean - 1.58).abs() < 1e-9);
    let error = (15.616_f64 / 11.0 / 10.0).sqrt();
    assert!((found.error - error).abs() < 1e-9, "{}", found.error);
    let reach = 2.262_157 * error;
    assert!((found.interval.low - 1.58 + reach).abs() < 1e-6 && (found.interval.high - 1.58 - reach).abs() < 1e-6);
    // Without them every textbook has 0.7001 to 2.4599.
    let plain = ayn::simulation::mean_interval(1.58, 1.229_995, 10).unwrap();
    assert!((plain.low - 0.700_1).abs() < 1e-4 && (plain.high - 2.459_9).abs() < 1e-4, "{plain:?}");
}

#[test]
fn p_values_are_corrected() {
    let adjusted = holm(&[0.01, 0.04, 0.03, 0.005]);
    for (found, wanted) in adjusted.iter().zip([0.03, 0.06, 0.06, 0.02]) {
        assert!((found - wanted).abs() < 1e-12, "{adjusted:?}");
    }
    assert_eq!(holm(&[]), Vec::<f64>::new());
    assert_eq!(holm(&[0.9, 0.8]), [1.0, 1.0]);
}

/// The sizes of sample that are usually cited.
#[test]
fn sizes_of_samples() {
    assert_eq!(games_to_detect(0.05, 0.8, 0.05), 1570);
    assert_eq!(games_to_detect(0.01, 0.8, 0.05), 39_245);
    assert!(games_to_detect(1e-9, 0.8, 0.05) > 1_000_000_000_000);
}

/// Two readings that are the same by construction, though they are written differently, come out as equivalent.
#[test]
fn the_same_in_other_words_is_equivalent() {
    let game = lots();
    let comparison = comparison(&game, &[], &["words"], 1, 3000);
    let hashes: Vec<&str> = comparison.design.cells.iter().map(|cell| cell.hash.as_str()).collect();
    assert_ne!(hashes[0], hashes[1], "the rules are written differently");
    let findings = comparison.run(&Control::default()).unwrap();
    for finding in &findings.differences[0][0] {
        let (difference, tested) = (finding.difference.unwrap(), finding.tested.unwrap());
        assert_eq!(finding.verdict, Verdict::Equivalent);
        assert!(difference.mean == 0.0 && tested.bound < 0.01 && difference.differing == 0, "{finding:?}");
    }
    let parting = findings.partings[0].as_ref().unwrap();
    assert_eq!((parting.parted, parting.first.as_ref()), (0, None));
    assert!(parting.games == 1000 && parting.exact.iter().all(|chance| *chance == 0.0));
}

/// How often, in repeated comparisons with other seeds, South's wins have a verdict.
fn share_of(runs: u64, verdict: Verdict, comparison: impl Fn(u64) -> Comparison) -> f64 {
    let found = (1..=runs).filter(|seed| verdicts(&comparison(1000 + seed))[0] == verdict).count();
    found as f64 / runs as f64
}

const RUNS: u64 = 120;

/// A difference of 5 points between lots that do not hang together is found with the power that was asked for.
#[test]
fn a_bias_is_detected_with_the_power_stated() {
    let game = lots();
    let made = |seed| {
        let mut comparison = comparison(&game, &["die=first"], &["luck"], seed, 2);
        comparison.margin = 0.001;
        comparison.games = comparison.games_to_detect(0.05, 0.8);
        comparison.look_into = 2;
        comparison
    };
    assert!(made(1).games > 1570, "more comparisons than one need more games");
    let power = share_of(RUNS, Verdict::Differs, made);
    // 80 % of 120, give or take three standard errors.
    assert!((0.69..=0.91).contains(&power), "{power}");
}

/// The same chances by another die: found to differ no oftener than the level allows.
#[test]
fn false_alarms_are_as_rare_as_stated() {
    let game = lots();
    let alarms = share_of(RUNS, Verdict::Differs, |seed| comparison(&game, &[], &["die"], seed, 1500));
    assert!(alarms <= 0.05 + 3.0 * (0.05 * 0.95 / RUNS as f64).sqrt(), "{alarms}");
}

/// A true difference as large as the margin is called equivalent no oftener than the level allows.
#[test]
fn what_is_not_equivalent_is_seldom_called_so() {
    let game = lots();
    let wrong = |seed| comparison(&game, &["die=first"], &["luck"], seed, 1500);
    let called = share_of(RUNS, Verdict::Equivalent, wrong) + share_of(RUNS, Verdict::Slight, wrong);
    assert!(called <= 0.05 + 3.0 * (0.05 * 0.95 / RUNS as f64).sqrt(), "{called}");
}

/// Common random numbers: the same lots under both readings, so that only what the readings change differs.
#[test]
fn random_numbers_are_common() {
    let game = lots();
    let findings = comparison(&game, &[], &["luck"], 7, 4000).run(&Control::default()).unwrap();
    let found = findings.differences[0][0][0].difference.unwrap();
    // The readings differ on one face of twenty, always to South's advantage.
    assert!((found.mean - found.differing as f64 / 4000.0).abs() < 1e-12);
    let share = wilson(found.differing, found.games);
    assert!(share.low < 0.05 && 0.05 < share.high, "{share:?}");
}

/// Shares of random games that have parted agree with the exact chance, ply by ply.
#[test]
fn partings_agree_with_exact_counts() {
    for (game, readings) in
        [("koumma", vec!["capture-side", "chain", "leftovers"]), ("kalah", vec![]), ("tamman", vec![])]
    {
        let all: Vec<String> = common::game(game).readings.iter().map(|reading| reading.name.clone()).collect();
        let names = if readings.is_empty() { all.iter().map(String::as_str).collect() } else { readings };
        let account = account(game, &[], &names, 1000);
        assert!(!account.contrasts.is_empty());
        for contrast in &account.contrasts {
            let parting = contrast.parting.as_ref().unwrap();
            assert!(!parting.exact.is_empty(), "{game}: nothing is reckoned");
            for (exact, share) in parting.exact.iter().zip(&parting.by_ply) {
                let error = (exact * (1.0 - exact) / parting.games as f64).sqrt();
                assert!(
                    (share.share - exact).abs() <= 4.5 * error + 1e-9,
                    "{game}: {} {}: {} in random games, {exact} exactly",
                    contrast.name,
                    share.name,
                    share.share
                );
            }
            // The first parting is where the exact chance begins.
            let first = parting.exact.iter().position(|chance| *chance > 0.0);
            if let (Some(first), Some(found)) = (first, &parting.first) {
                // What differs before the first ply counts as within it.
                assert_eq!((found.plies as usize).max(1), first + 1, "{game}: {}", contrast.name);
            }
        }
    }
}

/// What two readings come to after the moves that lead to their parting can be seen by playing them.
#[test]
fn the_first_parting_can_be_replayed() {
    let account = account("koumma", &[], &["capture-side", "chain", "leftovers"], 2000);
    for contrast in &account.contrasts {
        let first = contrast.parting.as_ref().unwrap().first.as_ref().unwrap();
        let alternative = contrast.reading.as_ref().unwrap();
        let shown = |choices: &str| {
            let reference = common::reference("koumma", choices);
            let mut position = reference.start();
            ayn::play_record(&reference, &mut position, &first.record, &mut ()).expect("both play it");
            ayn::print_position(reference.rules(), &reference.view(&position))
        };
        let (one, two) = (shown(""), shown(&format!("{}={}", alternative.name, alternative.to)));
        assert_ne!(one, two);
        assert!(first.one.starts_with(&one) && first.two.starts_with(&two), "{first:?}");
    }
}

/// The same seed gives the same account, on any number of threads.
#[test]
fn accounts_are_reproducible() {
    let told = |threads: usize, seed: u64| {
        let game = common::game("koumma");
        let setup = Setup::defaults(&game);
        let question = Question::Factorial(game.readings.ids().collect());
        let comparison = Comparison {
            design: Design::new(&game, &setup, question).unwrap(),
            line_ups: vec!["random".parse().unwrap(), "greedy/random".parse().unwrap()],
            games: 300,
            look_into: 300,
            seed,
            threads,
            max_turns: u32::MAX,
            margin: 0.02,
            positions: 400,
            stop_early: false,
        };
        let account = comparison.account(&comparison.run(&Control::default()).unwrap(), false);
        serde_json::to_string_pretty(&account).unwrap()
    };
    assert_eq!(told(1, 1), told(2, 1));
    assert_ne!(told(1, 1), told(1, 2));
}

/// Every game of the library can be compared.
#[test]
fn every_game_can_be_compared() {
    for name in common::names() {
        let game = common::game(&name);
        if game.readings.is_empty() {
            continue;
        }
        let readings: Vec<String> = game.readings.iter().map(|reading| reading.name.clone()).collect();
        let names: Vec<&str> = readings.iter().map(String::as_str).collect();
        let mut comparison = comparison(&game, &[], &names, 1, 4);
        comparison.max_turns = 60;
        let account = comparison.account(&comparison.run(&Control::default()).unwrap(), false);
        let alternatives: usize = game.readings.iter().map(|reading| reading.alternatives.len() - 1).sum();
        assert_eq!(account.contrasts.len(), alternatives, "{name}");
        assert!(account.setups.iter().all(|setup| setup.played[0].games == 4), "{name}");
    }
}

/// A reading that hardly matters alone is told to matter where another one is chosen otherwise.
#[test]
fn what_a_reading_hangs_on_is_told() {
    let account = account("koumma", &[], &["leftovers", "capture-side"], 1000);
    let of = |name: &str| {
        let contrast = account.contrasts.iter().find(|contrast| contrast.name == name).unwrap();
        contrast.parting.as_ref().unwrap()
    };
    let leftovers = of("leftovers: owners instead of nobody");
    assert!(leftovers.parted.share < 0.1);
    let [given] = leftovers.oftener.as_slice() else { panic!("{:?}", leftovers.oftener) };
    assert!(given.name == "capture-side=enemy" && given.share > 0.5, "{given:?}");
    // Nothing is oftener than always.
    assert!(of("capture-side: enemy instead of anywhere").oftener.is_empty());
}

/// The factorial: a contrast is a mean over the combinations of the other readings, of which variants are left out.
#[test]
fn factorials_average_over_the_other_readings() {
    let game = common::game("koumma");
    let setup = Setup::defaults(&game);
    let design = Design::new(&game, &setup, Question::Factorial(game.readings.ids().collect())).unwrap();
    assert_eq!(design.cells.len(), 18);
    let pairs = |main: bool| {
        let of = design.contrasts.iter().filter(|contrast| contrast.is_main() == main && !contrast.is_interaction());
        of.map(ayn::comparison::Contrast::pairs).collect::<Vec<_>>()
    };
    // Of the three chains only one is of the text. So 2 leftovers for each row of captures; 3 rows by 2 leftovers for
    // each chain; 3 rows for the leftovers.
    assert_eq!(pairs(true), [2, 2, 6, 6, 3]);
    // Each of these pairs also stands by itself.
    assert_eq!(pairs(false), [1; 2 + 2 + 6 + 6 + 3]);
    assert_eq!(design.contrasts.iter().filter(|contrast| contrast.is_interaction()).count(), 8);
    for contrast in &design.contrasts {
        assert_eq!(contrast.weights.iter().map(|(_, weight)| weight).sum::<i64>(), 0);
    }
}

/// What is averaged over are the differences under each combination, whose mean it is.
#[test]
fn main_differences_are_means_of_simple_ones() {
    let game = common::game("koumma");
    let question = Question::Factorial(["capture-side", "leftovers"].map(|name| reading(&game, name)).to_vec());
    let mut comparison = comparison(&game, &[], &["chain"], 1, 600);
    comparison.design = Design::new(&game, &Setup::defaults(&game), question).unwrap();
    let account = comparison.account(&comparison.run(&Control::default()).unwrap(), false);
    let means = |name: &str| {
        let all = account.contrasts.iter().find(|contrast| contrast.name == name).unwrap();
        all.differences[0].measures.iter().map(|m| m.finding.difference.unwrap().mean).collect::<Vec<f64>>()
    };
    let leftovers = "leftovers: owners instead of nobody";
    let parts = ["all else as chosen", "with capture-side=own", "with capture-side=enemy"];
    let parts = parts.map(|given| means(&format!("{leftovers}, {given}")));
    for (m, mean) in means(leftovers).iter().enumerate() {
        assert!((mean - (parts[0][m] + parts[1][m] + parts[2][m]) / 3.0).abs() < 1e-12);
    }
    // An interaction is the difference of two of them.
    let together = means("capture-side: enemy instead of anywhere, and leftovers: owners instead of nobody");
    for (m, mean) in together.iter().enumerate() {
        assert!((mean - (parts[2][m] - parts[0][m])).abs() < 1e-12);
    }
}

/// A comparison that may stop early plays fewer games where all is soon told, and the same as another where it is not.
#[test]
fn comparisons_can_stop_early() {
    let game = lots();
    let mut told = comparison(&game, &[], &["words"], 1, 5000);
    told.stop_early = true;
    let played = |comparison: &Comparison| {
        let findings = comparison.run(&Control::default()).unwrap();
        (findings.played[0][0].report.clone(), findings.differences)
    };
    assert_eq!(played(&told).0.games, 1000);
    // Half the margin, and a true difference as large: never told.
    let mut open = comparison(&game, &["die=first"], &["luck"], 1, 400);
    let whole = played(&open);
    open.stop_early = true;
    let looked = played(&open);
    assert_eq!(looked.0, whole.0);
    let difference = |found: &[Vec<Vec<ayn::comparison::Finding>>]| found[0][0][0].difference.unwrap();
    assert_eq!(difference(&looked.1), difference(&whole.1));
}

/// What games are like from within, counted once more from what the reference evaluator tells, event by event.
#[test]
fn details_agree_with_a_second_count() {
    for name in ["koumma", "tampoduo", "tamman"] {
        let game = common::game(name);
        let first = game.readings.iter().next().unwrap().name.clone();
        let mut comparison = comparison(&game, &[], &[&first], 3, 40);
        comparison.positions = 10;
        let detail = comparison.run(&Control::default()).unwrap().played[0][0].detail.clone();
        let reference = common::reference(name, "");
        let (mut branching, mut forced, mut plies, mut turns, mut captures, mut passes) = (0, 0, 0, 0, 0, 0);
        let (mut seeds, mut laps, mut cut) = (0, 0, 0);
        for game in 0..40 {
            let mut events = vec![];
            let mut position = reference.start_watched(&mut events);
            let mut streams = ayn::Streams::new(3, game, reference.seats());
            loop {
                let n = match reference.node(&position) {
                    Node::End(_) => break,
                    Node::Choice(choice) => {
                        plies += 1;
                        if !reference.moves(&position)[0].is_pass() {
                            branching += choice.moves;
                            forced += u64::from(choice.moves == 1);
                        }
                        ayn::Agent::Random.choose(&reference, &position, choice, streams.players.at_mut(choice.seat))
                    }
                    Node::Chance(chance) => streams.throws.throw(reference.throw(chance.throw)),
                };
                reference.advance_watched(&mut position, n, &mut events);
            }
            turns += reference.turns(&position);
            for (_, event) in &events {
                match event {
                    Event::Captured(..) | Event::SentBack(..) | Event::Taken(..) => captures += 1,
                    Event::Passed(_) => passes += 1,
                    Event::Sown(path) => (laps, seeds) = (laps + 1, seeds + path.len()),
                    Event::BoundReached(true) => cut += 1,
                    _ => {}
                }
            }
        }
        let sum = |tally: &ayn::simulation::Tally| {
            tally.summary().map_or(0.0, |summary| (summary.mean * tally.len() as f64).round())
        };
        assert_eq!((detail.games, detail.forced), (40, forced), "{name}");
        assert_eq!(sum(&detail.branching), branching as f64, "{name}");
        assert_eq!(sum(&detail.moves), f64::from(plies), "{name}");
        assert_eq!(detail.moves.len(), u64::from(turns), "{name}");
        assert_eq!((sum(&detail.captures), sum(&detail.passes)), (f64::from(captures), f64::from(passes)), "{name}");
        if cut == 0 {
            assert_eq!((sum(&detail.laps), sum(&detail.seeds)), (f64::from(laps), seeds as f64), "{name}");
        }
        assert!(detail.comebacks <= detail.decided && detail.decided <= 40);
        let by_turn: u64 = detail.by_turn.iter().map(|(moves, _)| moves).sum();
        assert_eq!(by_turn, branching as u64, "{name}");
    }
}
