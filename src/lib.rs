//! Ayn runs traditional board games from rule files that can be read against their sources.
//!
//! A rule file is read and checked into a [`game::Game`]; a game with its readings and options chosen
//! is [`game::Rules`], which [`bind`] makes; rules are played by the [`Reference`] evaluator, which is a [`Tree`] of choices,
//! chances and ends.
//!
//! ```
//! use ayn::{Node, Reference, RuleFile, Tree, game::Setup};
//!
//! let file = RuleFile::new("koumma.ayn", include_str!("../games/koumma.ayn"))?;
//! let checked = ayn::check(&file);
//! let game = checked.game.expect("the file has no errors");
//!
//! // Choose a reading and an option; the others keep their defaults.
//! let setup = Setup::choose(&game, &["chain=none".into()], &["seeds=4".into()])?;
//! let koumma = Reference::new(ayn::bind(&game, &setup)?);
//!
//! // Always take the first move or outcome, until the game ends.
//! let mut position = koumma.start();
//! while !matches!(koumma.node(&position), Node::End(_)) {
//!     koumma.advance(&mut position, 0);
//! }
//! assert_eq!(ayn::describe_result(koumma.rules(), koumma.node(&position)), "North wins");
//! println!("{}", ayn::print_position(koumma.rules(), &koumma.view(&position)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Many games at once are a [`simulation::Simulation`]:
//!
//! ```
//! use ayn::{Agent, Reference, RuleFile, game::Setup, simulation::{Control, Simulation}};
//!
//! let file = RuleFile::new("tamman.ayn", include_str!("../games/tamman.ayn"))?;
//! let game = ayn::check(&file).game.expect("the file has no errors");
//! let tamman = Reference::new(ayn::bind(&game, &Setup::defaults(&game))?);
//! let simulation = Simulation {
//!     games: 100,
//!     first: 0,
//!     seed: 1,
//!     threads: 1,
//!     max_turns: u32::MAX,
//!     agents: vec![Agent::Random; 2].into(),
//!     rotate: false,
//! };
//! let report = simulation.run(&tamman, &Control::default())?;
//! assert_eq!(report.wins.iter().sum::<u64>() + report.draws + report.stopped, 100);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Readings are compared by a [`comparison::Comparison`], under the same random numbers:
//!
//! ```
//! use ayn::{RuleFile, comparison::{Comparison, Design, POSITIONS, Question}, game::Setup, simulation::Control};
//!
//! let file = RuleFile::new("koumma.ayn", include_str!("../games/koumma.ayn"))?;
//! let game = ayn::check(&file).game.expect("the file has no errors");
//! let question = Question::Each(game.readings.ids().collect());
//! let comparison = Comparison {
//!     design: Design::new(&game, &Setup::defaults(&game), question)?,
//!     line_ups: vec!["random".parse()?, "greedy/random".parse()?],
//!     games: 100,
//!     look_into: 10,
//!     seed: 1,
//!     threads: 1,
//!     max_turns: u32::MAX,
//!     margin: 0.02,
//!     positions: POSITIONS / 100,
//!     stop_early: false,
//! };
//! let account = comparison.account(&comparison.run(&Control::default())?, false);
//! assert_eq!(account.contrasts[0].name, "capture-side: own instead of anywhere");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod agents;
mod check;
mod cli;
mod compare;
mod diagnostic;
mod engine;
pub mod evidence;
mod example;
mod ir;
mod notation;
mod random;
mod reference;
mod replay;
mod report;
mod rules;
mod sim;
mod source;
mod span;
mod syntax;
mod tree;
mod view;

pub use self::{
    agents::{Agent, AgentError, LineUp, LineUpError, Unsuited},
    check::{Checked, Unplayable, bind, check},
    cli::main,
    diagnostic::{Diagnostic, Severity, Words, render},
    engine::{Compiled, PairVisitor, Visitor},
    example::{Failure, run_example},
    notation::{
        Misfit, PositionError, RecordError, Standing, describe_result, play_record, print_move, print_position,
        read_position,
    },
    random::{Stream, Streams},
    reference::{Event, Position, Reference, Watch},
    report::Page,
    source::{RecordFile, RuleFile, SourceError},
    span::Span,
    tree::{Chance, Choice, End, GameResult, Move, Node, Part, Rounds, Sides, Stop, Tree},
    view::{Man, Placement, View},
};

/// Games: as checked, with readings and options open; and as played, with both chosen.
pub mod game {
    pub use crate::rules::{
        Alternative, AlternativeId, Anchor, Basis, Block, BlockId, Board, BoardPlan, BoundEnding, BoundProcedure,
        BoundVariable, ChancePlan, Circuit, Claim, ClaimId, CountPlan, Decides, Direction, Ending, EndingId, Example,
        ExampleStep, Expr, Fall, Game, GameOption, HomePlan, Id, Layout, Lifetime, Mark, MarkId, MenPlan, NamedSetup,
        Op, OptionId, Parity, Place, Procedure, ProcedureId, Query, Reading, ReadingId, Region, RegionId, Rule, RuleId,
        RuleKind, Rules, Seat, SeatId, Setup, SetupError, Shape, Side, SideId, Site, SiteId, Source, SourceId, Spot,
        SpotId, StartPlan, StateId, Stmt, StmtKind, Symmetry, Table, Through, Throw, ThrowId, ThrowKind, ThrowPlan,
        TrackId, TrackPlan, Type, VarId, Variable, VariableId, Way, When, Whose,
    };
}

/// Games that were played, held against the rules: which readings explain them.
///
/// ```
/// use ayn::{RecordFile, RuleFile, records::{Chosen, Limits, read_records, replay}};
///
/// let file = RuleFile::new("koumma.ayn", include_str!("../games/koumma.ayn"))?;
/// let game = ayn::check(&file).game.expect("the file has no errors");
/// let record = RecordFile::new("well.txt", "A b+2 A c C a A+12 a B b+8")?;
///
/// let chosen = Chosen::new(&game, &[], &[])?;
/// let records = read_records(&game, &chosen, &record)?;
/// let replay = replay(&game, &chosen, &records, Some(Limits::default()));
/// assert_eq!(replay.records[0].outcome.as_ref().unwrap_err().to_string(), "`A` takes 6, not 12");
/// let evidence = replay.search.expect("it was asked for").evidence(&game, &chosen, 0);
/// assert_eq!((evidence.explaining, evidence.of), (2, 18));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub mod records {
    pub use crate::replay::{
        Chosen, Combination, Correction, Evidence, Explained, Extent, Group, Limits, Reached, ReadingEvidence, Record,
        Replay, Replayed, Search, read_records, replay,
    };
}

/// Many games, and what they come to.
pub mod simulation {
    pub use crate::sim::{
        Control, Difference, Interval, Outcome, Paired, Report, RoundReport, Scale, Simulation, SimulationError,
        Summary, Tally, games_to_detect, holm, mean_interval, normal_point, perft, wilson,
    };
}

/// Readings, or two files, compared.
pub mod comparison {
    pub use crate::compare::{
        Account, Asked, Cell, Comparison, Contrast, ContrastAccount, Design, DesignError, Detail, DetailFigures,
        Divergence, Elsewhere, Figures, Finding, Findings, Kind, LEVEL, LineUpDifferences, Measure, MeasureDifference,
        POSITIONS, Parting, PartingAccount, Path, Played, Question, ReadingAccount, SetupAccount, Share, Subject,
        Tested, Verdict,
    };
}
