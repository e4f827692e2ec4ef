//! `ayn simulate`.

use std::io::Write;

use serde::Serialize;

use super::{
    Done, Failure,
    args::{SimulateArgs, agents},
    load::{self, Provenance},
    output::{self, FAINT, STRONG},
    progress::watched,
};
use crate::{
    agents::Agent,
    engine::{Compiled, Visitor},
    rules::Rules,
    sim::{Control, Interval, Report, RoundReport, Simulation, SimulationError, Summary, wilson},
    tree::{Sides, Tree},
};

#[derive(Serialize)]
struct SimulationReport<'a> {
    #[serde(flatten)]
    provenance: Provenance,
    seed: u64,
    /// By seat; with `rotate`, their seats in the first game.
    agents: Vec<Agent>,
    rotate: bool,
    max_turns: u32,
    seats: Vec<&'a str>,
    sides: Vec<&'a str>,
    games: u64,
    /// By side.
    wins: &'a [u64],
    wins_by_seat: &'a [u64],
    /// In the order of `agents`, where they move on from game to game.
    #[serde(skip_serializing_if = "Option::is_none")]
    wins_by_agent: Option<&'a [u64]>,
    draws: u64,
    /// Draws by the sides that were tied.
    #[serde(serialize_with = "as_map")]
    tied: Vec<(String, u64)>,
    stopped: u64,
    intervals: Intervals,
    #[serde(serialize_with = "as_map")]
    endings: Vec<(String, u64)>,
    endless: u64,
    /// Those of them in which a sowing was proved to go on for ever, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    endless_proved: Option<Proved>,
    turns: Option<Summary>,
    captured: Option<Summary>,
    /// The rounds of the matches, where the game has rounds.
    #[serde(skip_serializing_if = "Option::is_none")]
    rounds: Option<RoundsReport<'a>>,
    interrupted: bool,
}

/// Games with a sowing that repeats within a budget of laps.
#[derive(Serialize)]
struct Proved {
    laps: u64,
    games: u64,
}

/// The rounds of the matches. They have no intervals: rounds of one match hang on one another.
#[derive(Serialize)]
struct RoundsReport<'a> {
    played: Option<Summary>,
    /// By side.
    wins: &'a [u64],
    draws: u64,
    #[serde(serialize_with = "as_map")]
    endings: Vec<(String, u64)>,
}

/// 95 % Wilson intervals of the shares.
#[derive(Serialize)]
struct Intervals {
    confidence: f64,
    wins: Vec<Interval>,
    #[serde(skip_serializing_if = "Option::is_none")]
    wins_by_agent: Option<Vec<Interval>>,
    draws: Interval,
    stopped: Interval,
    endless: Interval,
}

fn as_map<S: serde::Serializer>(pairs: &[(String, u64)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(pairs.iter().map(|(name, count)| (name, count)))
}

pub(crate) fn run(args: &SimulateArgs) -> Done {
    let (_, rules) = load::rules(&args.file, &args.choices)?;
    let agents = agents(&args.agents, &rules)?;
    let game = Compiled::new(rules, args.prove_endless.unwrap_or(0));
    let simulation = Simulation {
        games: args.games,
        first: 0,
        seed: args.seed,
        threads: usize::from(args.threads),
        max_turns: args.max_turns.unwrap_or(u32::MAX),
        agents,
        rotate: args.rotate,
    };
    let (report, interrupted) =
        watched(simulation.games, |control| game.visit(Running { simulation: &simulation, control }))?;
    if args.choices.json {
        output::json(&full(game.rules(), &simulation, &report, args.prove_endless, interrupted))?;
    } else {
        print(game.rules(), &simulation, &report, args.prove_endless, interrupted)?;
    }
    if interrupted { Err(Failure::Interrupted) } else { Ok(()) }
}

/// Runs a simulation of whatever game it is.
struct Running<'a> {
    simulation: &'a Simulation,
    control: &'a Control,
}

impl Visitor for Running<'_> {
    type Output = Result<Report, SimulationError>;

    fn visit<T: Tree>(self, tree: &T) -> Self::Output {
        self.simulation.run(tree, self.control)
    }
}

fn full<'a>(
    rules: &'a Rules,
    simulation: &Simulation,
    report: &'a Report,
    proving: Option<u64>,
    interrupted: bool,
) -> SimulationReport<'a> {
    let share = |hits| wilson(hits, report.games);
    SimulationReport {
        provenance: Provenance::of(rules),
        seed: simulation.seed,
        agents: simulation.agents.iter().copied().collect(),
        rotate: simulation.rotate,
        max_turns: simulation.max_turns.min(rules.limit),
        seats: rules.seats.iter().map(|seat| seat.name).collect(),
        sides: rules.sides.iter().map(|side| side.name.as_str()).collect(),
        games: report.games,
        wins: &report.wins,
        wins_by_seat: &report.wins_by_seat,
        wins_by_agent: simulation.rotate.then_some(report.wins_by_place.as_slice()),
        draws: report.draws,
        tied: tied(rules, report),
        stopped: report.stopped,
        intervals: Intervals {
            confidence: 0.95,
            wins: report.wins.iter().map(|hits| share(*hits)).collect(),
            wins_by_agent: simulation.rotate.then(|| report.wins_by_place.iter().map(|hits| share(*hits)).collect()),
            draws: share(report.draws),
            stopped: share(report.stopped),
            endless: share(report.endless),
        },
        endings: endings(rules, &report.endings),
        endless: report.endless,
        endless_proved: proving.map(|laps| Proved { laps, games: report.endless_proved }),
        turns: report.turns.summary(),
        captured: report.captured.summary(),
        rounds: rules.has_rounds.then(|| rounds(rules, &report.rounds)),
        interrupted,
    }
}

fn rounds<'a>(rules: &Rules, report: &'a RoundReport) -> RoundsReport<'a> {
    RoundsReport {
        played: report.played.summary(),
        wins: &report.wins,
        draws: report.draws,
        endings: endings(rules, &report.endings),
    }
}

fn endings(rules: &Rules, counts: &[u64]) -> Vec<(String, u64)> {
    rules.game.endings.iter().map(|ending| ending.name.clone()).zip(counts.iter().copied()).collect()
}

/// Draws by the names of the sides that were tied.
fn tied(rules: &Rules, report: &Report) -> Vec<(String, u64)> {
    let names =
        |sides: Sides| sides.iter().map(|side| rules.sides.at(side).name.as_str()).collect::<Vec<_>>().join(" and ");
    report.tied.iter().map(|(sides, games)| (names(*sides), *games)).collect()
}

fn print(rules: &Rules, simulation: &Simulation, report: &Report, proving: Option<u64>, interrupted: bool) -> Done {
    let provenance = Provenance::of(rules);
    let agents: Vec<String> = simulation.agents.iter().map(ToString::to_string).collect();
    let mut out = output::out();
    let of = if interrupted { format!(" of {} (stopped)", simulation.games) } else { String::new() };
    writeln!(
        out,
        "{STRONG}{}{STRONG:#}: {}{of} games, seed {}, {}{}",
        provenance.game,
        report.games,
        simulation.seed,
        agents.join(" against "),
        if simulation.rotate { ", from all seats in turn" } else { "" }
    )?;
    writeln!(out, "{FAINT}{}{FAINT:#}\n", provenance.line())?;
    for (side, hits) in rules.sides.iter().zip(&report.wins) {
        share(&mut out, &format!("{} wins", side.name), *hits, report.games)?;
    }
    if simulation.rotate {
        for (n, (agent, hits)) in agents.iter().zip(&report.wins_by_place).enumerate() {
            // Agents of the same name are told apart by their seats in the first game.
            let same = agents.iter().filter(|other| *other == agent).count() > 1;
            let name = if same { format!("{agent} ({}) wins", n + 1) } else { format!("{agent} wins") };
            share(&mut out, &name, *hits, report.games)?;
        }
    }
    share(&mut out, "draws", report.draws, report.games)?;
    if rules.sides.len() > 2 {
        for (names, hits) in tied(rules, report) {
            share(&mut out, &format!("  {names}"), hits, report.games)?;
        }
    }
    share(&mut out, "stopped", report.stopped, report.games)?;
    writeln!(out)?;
    for (name, hits) in endings(rules, &report.endings) {
        share(&mut out, &format!("ending {name}"), hits, report.games)?;
    }
    share(&mut out, "endless sowing", report.endless, report.games)?;
    if proving.is_some() {
        share(&mut out, "  proved endless", report.endless_proved, report.games)?;
    }
    writeln!(out)?;
    if rules.has_rounds {
        let played = report.rounds.wins.iter().sum::<u64>() + report.rounds.draws;
        // Rounds of one match hang on one another: an interval as of independent games would be too narrow.
        let mut line = |name: String, hits: u64| {
            let percent = if played == 0 { 0.0 } else { 100.0 * hits as f64 / played as f64 };
            writeln!(out, "{name:<24} {hits:>9}  {percent:>7.3} %")
        };
        for (side, hits) in rules.sides.iter().zip(&report.rounds.wins) {
            line(format!("rounds {} wins", side.name), *hits)?;
        }
        line("rounds drawn".to_owned(), report.rounds.draws)?;
        for (name, hits) in endings(rules, &report.rounds.endings) {
            line(format!("round ends: {name}"), hits)?;
        }
        writeln!(out)?;
    }
    let rounds = rules.has_rounds.then_some(("rounds", &report.rounds.played));
    for (name, tally) in [("turns", &report.turns), ("captured", &report.captured)].into_iter().chain(rounds) {
        if let Some(Summary { mean, sd, min, max, quartiles: [first, median, third] }) = tally.summary() {
            writeln!(
                out,
                "{name:<24} mean {mean:.3}  sd {sd:.3}  min {min}  quartiles {first} {median} {third}  max {max}"
            )?;
        }
    }
    out.flush()?;
    Ok(())
}

fn share(out: &mut impl Write, name: &str, hits: u64, games: u64) -> Done {
    let Interval { low, high } = wilson(hits, games);
    let percent = if games == 0 { 0.0 } else { 100.0 * hits as f64 / games as f64 };
    writeln!(out, "{name:<24} {hits:>9}  {percent:>7.3} %  [{:.3}, {:.3}]", 100.0 * low, 100.0 * high)?;
    Ok(())
}
