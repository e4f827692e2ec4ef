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
//! };
//! let report = simulation.run(&tamman, &Control::default())?;
//! assert_eq!(report.wins.iter().sum::<u64>() + report.draws + report.stopped, 100);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod agents;
mod check;
mod cli;
mod diagnostic;
mod engine;
pub mod evidence;
mod example;
mod ir;
mod notation;
mod random;
mod reference;
mod rules;
mod sim;
mod source;
mod span;
mod syntax;
mod tree;
mod view;

pub use self::{
    agents::{Agent, UnknownAgent},
    check::{Checked, Unplayable, bind, check},
    cli::main,
    diagnostic::{Diagnostic, Severity, Words, render},
    engine::{Compiled, Visitor},
    example::{Failure, run_example},
    notation::{PositionError, RecordError, describe_result, play_record, print_move, print_position, read_position},
    random::{Stream, Streams},
    reference::{Event, Position, Reference, Watch},
    source::{RuleFile, RuleFileError},
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

/// Many games, and what they come to.
pub mod simulation {
    pub use crate::sim::{
        Control, Interval, Outcome, Report, RoundReport, Simulation, SimulationError, Summary, Tally, perft, wilson,
    };
}
