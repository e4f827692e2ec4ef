//! The command line: the only place that reads files and prints.

mod args;
mod check;
mod compare;
mod draw;
mod evidence;
mod ir;
mod load;
mod marked;
mod output;
mod perft;
mod play;
mod player;
mod progress;
mod replay;
mod show;
mod simulate;
mod table;
mod test;
mod trace;
mod words;

use std::{io, process::ExitCode};

use clap::Parser;

use self::args::{Cli, Command};

/// Why a command fails, and with which exit code.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// Something that was said already.
    #[error("")]
    Told,
    /// Something to say.
    #[error("{0}")]
    Message(String),
    /// A use of the command line that its parser could not see through.
    #[error("{0}")]
    Usage(String),
    /// Stopped from the keyboard, after what there was has been printed.
    #[error("stopped")]
    Interrupted,
    /// Reading or writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// What a command comes to.
pub(crate) type Done = Result<(), Failure>;

/// Runs the command line of this process.
#[must_use]
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let code = error.exit_code();
            // A closed pipe is no reason to complain.
            let _ = error.print();
            return u8::try_from(code).map_or(ExitCode::from(2), ExitCode::from);
        }
    };
    let done = match cli.command {
        Command::Check(args) => check::run(&args),
        Command::Test(args) => test::run(&args),
        Command::Show(args) => show::run(&args),
        Command::Ir(args) => ir::run(&args),
        Command::Play(args) => play::run(&args),
        Command::Trace(args) => trace::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Evidence(args) => evidence::run(&args),
        Command::Perft(args) => perft::run(&args),
        Command::Simulate(args) => simulate::run(&args),
        Command::Compare(args) => compare::run(&args),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Io(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(Failure::Told) => ExitCode::FAILURE,
        Err(Failure::Interrupted) => ExitCode::from(130),
        Err(Failure::Usage(message)) => {
            output::complain(&message);
            ExitCode::from(2)
        }
        Err(failure) => {
            output::complain(&failure.to_string());
            ExitCode::FAILURE
        }
    }
}
