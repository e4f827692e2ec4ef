//! The commands and what they take.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use super::Failure;
use crate::rules::{SeatId, Table};

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
    /// Say which claims are modelled, what each rule rests on, and which of a source's words no claim covers
    Evidence(EvidenceArgs),
    /// Count the sequences of plies from the start
    Perft(PerftArgs),
    /// Play many games and count what comes of them
    Simulate(SimulateArgs),
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
}

#[derive(Debug, Args)]
pub(crate) struct PlayArgs {
    /// The rule file
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) choices: Choices,
    /// Who plays: human, random or greedy, one for all seats or one a seat [default: human, then greedy]
    #[arg(long, short = 'a', value_name = "AGENT", value_delimiter = ',')]
    pub(crate) agent: Vec<String>,
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
    /// Who plays: random or greedy, one for all seats or one a seat
    #[arg(long, short = 'a', value_name = "AGENT", value_delimiter = ',', default_value = "random")]
    pub(crate) agent: Vec<String>,
}

/// Who sits where: the one who was named sits at every seat, or one was named for each.
pub(crate) fn one_a_seat<T: Clone>(named: Vec<T>, seats: usize) -> Result<Table<SeatId, T>, Failure> {
    match named.as_slice() {
        [one] => Ok(Table::filled(seats, one.clone())),
        all if all.len() == seats => Ok(named.into()),
        all => {
            let many = all.len();
            Err(Failure::Usage(format!("{many} were named for {seats} seats; name one for all, or one a seat")))
        }
    }
}
