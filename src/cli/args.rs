//! The commands and what they take.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use super::{Failure, player::Player};
use crate::{
    agents::{Agent, LineUp},
    rules::{Rules, SeatId, Table},
};

/// Runs traditional board games from rule files that can be read against their sources.
#[derive(Debug, Parser)]
#[command(name = "ayn", version, about, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Say what is wrong with rule files
    Check(FilesArgs),
    /// Run the examples of rule files
    Test(FilesArgs),
    /// Draw the board with its names, the way of each seat, and the start
    Show(ShowArgs),
    /// Print the program that a rule file is made into, with the lines it comes from
    Ir(ShowArgs),
    /// Play a game, people and agents at any seat
    Play(PlayArgs),
    /// Tell every step of a game with the statement and the claim behind it
    Trace(TraceArgs),
    /// Hold records of games against the rules, and say which readings explain them
    Replay(ReplayArgs),
    /// Say which claims are modelled, what each rule rests on, and which of a source's words no claim covers
    Evidence(EvidenceArgs),
    /// Count the sequences of plies from the start
    Perft(PerftArgs),
    /// Play many games and count what comes of them
    Simulate(SimulateArgs),
    /// Compare readings, or two files, by figures that can be cited
    Compare(CompareArgs),
}

/// Readings and options, and the form of the output.
#[derive(Debug, Clone, Args)]
pub(crate) struct Choices {
    /// Choose an alternative of a reading
    #[arg(long = "reading", short = 'r', value_name = "NAME=VALUE")]
    pub(crate) readings: Vec<String>,
    /// Choose the value of an option
    #[arg(long = "set", short = 's', value_name = "OPTION=VALUE")]
    pub(crate) options: Vec<String>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct FilesArgs {
    /// The rule files
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) choices: Choices,
}

#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// The rule file
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) choices: Choices,
}

#[derive(Debug, Args)]
pub(crate) struct EvidenceArgs {
    /// The rule file
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) choices: Choices,
    /// Look for the anchors of the claims in this text; with a source's name before it, for those of that source
    #[arg(long = "text", short = 't', value_name = "[SOURCE=]FILE")]
    pub(crate) texts: Vec<String>,
    /// In how many random games to look whether the alternatives of readings differ in play; 0 for none
    #[arg(short = 'n', long = "games", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(0..=1_000_000))]
    pub(crate) games: u64,
    /// The seed of these games
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
}

#[derive(Debug, Args)]
pub(crate) struct PlayArgs {
    /// The rule file
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) choices: Choices,
    /// Who plays: human or an agent, one for all seats or one a seat, like human/greedy [default: human, then greedy]
    #[arg(long, short = 'a', value_name = "PLAYERS")]
    pub(crate) agents: Option<LineUp<Player>>,
    /// The seed of throws and agents [default: by the clock]
    #[arg(long)]
    pub(crate) seed: Option<u64>,
    /// Begin at this position
    #[arg(long)]
    pub(crate) position: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct TraceArgs {
    /// The rule file
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) choices: Choices,
    /// The seed of a random game
    #[arg(long, default_value_t = 1, conflicts_with = "moves")]
    pub(crate) seed: u64,
    /// The number of the game: the same as in a simulation with this seed
    #[arg(long, default_value_t = 0, conflicts_with = "moves")]
    pub(crate) game: u64,
    /// Who plays: one agent for all seats or one a seat, like greedy/random
    #[arg(long, short = 'a', value_name = "AGENTS", default_value = "random", conflicts_with = "moves")]
    pub(crate) agents: LineUp,
    /// The moves and throws of a game, like "[4 2] c1 [1] c5"
    #[arg(long)]
    pub(crate) moves: Option<String>,
    /// Begin at this position
    #[arg(long)]
    pub(crate) position: Option<String>,
    /// Stop after so many turns
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_turns: Option<u32>,
}

#[derive(Debug, Args)]
pub(crate) struct ReplayArgs {
    /// The rule file
    pub(crate) file: PathBuf,
    /// The record files; `-` for standard input
    #[arg(required = true, value_name = "RECORD")]
    pub(crate) records: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) choices: Choices,
    /// Do not try other readings than those chosen
    #[arg(long)]
    pub(crate) only: bool,
}

#[derive(Debug, Args)]
pub(crate) struct PerftArgs {
    /// The rule file
    pub(crate) file: PathBuf,
    /// How many plies
    #[arg(value_parser = clap::value_parser!(u8).range(0..=64))]
    pub(crate) depth: u8,
    #[command(flatten)]
    pub(crate) choices: Choices,
    /// Begin at this position
    #[arg(long)]
    pub(crate) position: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct SimulateArgs {
    /// The rule file
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) choices: Choices,
    /// How many games
    #[arg(short = 'n', long = "games", default_value_t = 10_000)]
    pub(crate) games: u64,
    /// The seed: the same seed gives the same games
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// How many threads; 0 for one for each processor
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=512))]
    pub(crate) threads: u16,
    /// Stop games after so many turns, if the file does not stop them before
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_turns: Option<u32>,
    /// Follow a sowing that reached its limit, outside play, for so many laps more, to see whether it repeats
    #[arg(long, value_name = "LAPS", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) prove_endless: Option<u64>,
    /// Who plays: random, greedy, mcts[:ITERATIONS[:EXPLORATION]] or alpha-beta[:DEPTH], one for all seats or one a
    /// seat, like mcts:1000/greedy
    #[arg(long, short = 'a', value_name = "AGENTS", default_value = "random")]
    pub(crate) agents: LineUp,
    /// Let the agents move on by one seat from game to game, and count the wins of each
    #[arg(long)]
    pub(crate) rotate: bool,
}

#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    /// The rule file
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) choices: Choices,
    /// Play all combinations of these readings [default: each reading by itself, the others as chosen]
    #[arg(long = "readings", value_name = "NAME", value_delimiter = ',', conflicts_with_all = ["all", "against"])]
    pub(crate) crossed: Vec<String>,
    /// Play all combinations of all readings
    #[arg(long, conflicts_with = "against")]
    pub(crate) all: bool,
    /// Compare with another rule file instead
    #[arg(long, value_name = "FILE2")]
    pub(crate) against: Option<PathBuf>,
    /// How many games for each setup and line-up
    #[arg(short = 'n', long = "games", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(2..))]
    pub(crate) games: u64,
    /// Play as many games as find a difference of so many percentage points
    #[arg(long, value_name = "POINTS", conflicts_with = "games", value_parser = points)]
    pub(crate) detect: Option<f64>,
    /// With which chance `--detect` finds it
    #[arg(long, default_value_t = 0.8, requires = "detect", value_parser = power)]
    pub(crate) power: f64,
    /// Look at the findings after each fifth of the games, at a fifth of the level, and stop as soon as every comparison
    /// is told to differ or to be equivalent
    #[arg(long)]
    pub(crate) stop_early: bool,
    /// Who plays: line-ups with commas between, each one agent for all seats or one a seat with strokes between;
    /// each plays in all seat orders
    #[arg(long, short = 'a', value_name = "LINE-UP", value_delimiter = ',', default_value = "random,greedy")]
    pub(crate) agents: Vec<String>,
    /// Differences up to so many percentage points (for turns: per cent of their mean) are of no interest
    #[arg(long, value_name = "POINTS", default_value_t = 2.0, value_parser = points)]
    pub(crate) margin: f64,
    /// The seed: the same seed gives the same games
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// How many threads; 0 for one for each processor
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=512))]
    pub(crate) threads: u16,
    /// Stop games after so many turns, if the file does not stop them before
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_turns: Option<u32>,
    /// Print the figures as comma-separated values, one a line
    #[arg(long, conflicts_with = "json")]
    pub(crate) csv: bool,
    /// Write a page with plots, the rules, and all that is needed to run it again
    #[arg(long, value_name = "FILE.html")]
    pub(crate) report: Option<PathBuf>,
}

/// A number of percentage points.
fn points(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| *number >= 0.001 && *number <= 100.0);
    number.ok_or_else(|| "a number of percentage points, from 0.001 to 100".to_owned())
}

/// A chance to find something.
fn power(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| *number >= 0.5 && *number <= 0.999);
    number.ok_or_else(|| "a chance, from 0.5 to 0.999".to_owned())
}

/// Who plays at each seat; all can play the game.
pub(crate) fn agents(named: &LineUp, rules: &Rules) -> Result<Table<SeatId, Agent>, Failure> {
    let agents = named.seat(rules.seats.len()).map_err(|error| Failure::Usage(error.to_string()))?;
    for agent in &agents {
        agent.suits(rules).map_err(|error| Failure::Usage(error.to_string()))?;
    }
    Ok(agents)
}
