//! Where a game stands: board, men, variables, and the place in the middle of a turn.

use std::sync::Arc;

use super::value::Value;
use crate::{
    rules::{BlockId, Direction, Id as _, Rules, SeatId, SiteId, Table, VarId, VariableId},
    tree::Rounds,
    view::{Placement, View},
};

/// All that the future of a game depends on.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct State {
    pub(crate) board: Placement,
    pub(crate) hand: u16,
    /// Counts still to be used in this turn, in ascending order.
    pub(crate) pool: Vec<i32>,
    pub(crate) mover: SeatId,
    /// Turns since the start of the game, and when the round began.
    pub(crate) turns: u32,
    pub(crate) round_start: u32,
    /// The number of the round, from 1, and who began it.
    pub(crate) round: u32,
    pub(crate) beginner: SeatId,
    /// Who won the round that is being settled.
    pub(crate) round_winner: Option<SeatId>,
    /// Whole turns since the last one with a capture.
    pub(crate) quiet: u32,
    /// Whether this position has been there since the last capture; known while a turn is being closed.
    pub(crate) repeated: bool,
    pub(crate) turn: Turn,
}

/// What is known only within a turn.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Turn {
    /// Who acts: the mover, or each player in turn.
    pub(crate) actor: SeatId,
    pub(crate) vars: Table<VarId, Value>,
    pub(crate) last: Option<SiteId>,
    pub(crate) lifted: Vec<SiteId>,
    /// The squares the last man moved passed over, and the one he reached.
    pub(crate) passed: Vec<SiteId>,
    pub(crate) reached: Option<SiteId>,
    /// Where the evaluator is: the innermost block last. Bounded by the nesting of the file.
    pub(crate) frames: Vec<Frame>,
    /// Whether a choice was made in this turn.
    pub(crate) chosen: bool,
    /// How often the turn began anew.
    pub(crate) again: i32,
    /// Whether something was captured in this turn.
    pub(crate) captured: bool,
    /// The board at the start of the turn, where the rules can take a turn back.
    pub(crate) before: Option<Box<Placement>>,
}

/// A place in a block that is being done.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Frame {
    /// The next statement of a block.
    Block { block: BlockId, next: usize },
    /// A loop, by the place of its statement, with the rounds done.
    While { block: BlockId, at: usize, rounds: i32 },
    /// A walk, by the place of its statement, with the members still to come in reverse.
    Each { block: BlockId, at: usize, rest: Vec<Value> },
    /// A move with what belongs to it: no ending is looked at before it is over.
    Moving,
    /// A block done by every player, with the seat that acted before and the next one.
    Players { body: BlockId, before: SeatId, next: usize },
    /// A block done by another player, with the seat that acted before.
    By { before: SeatId },
    /// A sowing with something done for every seed, by the place of its statement: where the first seed falls, as
    /// long as none has, and the way on.
    Sowing { block: BlockId, at: usize, first: Option<SiteId>, towards: Direction, skipping: Vec<SiteId> },
}

/// What is counted beside the game, without influence on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Tally {
    /// Seeds captured, or men sent back, by each seat.
    pub(crate) captured: Table<SeatId, u32>,
    /// The same at the start of the turn, where a turn can be taken back.
    pub(crate) before: Table<SeatId, u32>,
    /// Sowings that reached their limit of laps.
    pub(crate) endless: u32,
    /// Steps taken since the start.
    pub(crate) steps: u64,
    /// The rounds that are over.
    pub(crate) rounds: Rounds,
    /// The positions at the start of each turn since the last capture, where a rule asks for them.
    pub(crate) history: History,
}

/// The most positions that are remembered.
const MAX_HISTORY: usize = 2000;

/// Positions that were there, the last one first; cheap to copy.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct History {
    last: Option<Arc<Past>>,
    len: usize,
}

#[derive(Debug, PartialEq, Eq)]
struct Past {
    board: Placement,
    mover: SeatId,
    before: Option<Arc<Self>>,
}

impl History {
    pub(crate) fn is_empty(&self) -> bool {
        self.last.is_none()
    }

    /// Remembers a position, and says whether it had been there. Beyond their number no more are remembered.
    pub(crate) fn see(&mut self, board: Placement, mover: SeatId) -> bool {
        let mut here = self.last.as_deref();
        while let Some(past) = here {
            if past.mover == mover && past.board == board {
                return true;
            }
            here = past.before.as_deref();
        }
        if self.len < MAX_HISTORY {
            self.len += 1;
            self.last = Some(Arc::new(Past { board, mover, before: self.last.take() }));
        }
        false
    }
}

impl State {
    /// The start of a game, before the first turn.
    pub(crate) fn new(rules: &Rules) -> Self {
        let mover = rules.seats.ids().next().unwrap_or_else(|| SeatId::new(0));
        Self {
            board: Placement::new(rules),
            hand: 0,
            pool: vec![],
            mover,
            turns: 0,
            round_start: 0,
            round: 1,
            beginner: mover,
            round_winner: None,
            quiet: 0,
            repeated: false,
            turn: Turn::new(rules, mover),
        }
    }

    /// A state at the start of a turn.
    pub(crate) fn at(rules: &Rules, view: &View) -> Self {
        Self {
            board: view.board.clone(),
            mover: view.mover,
            turns: view.turns,
            round: view.round,
            beginner: view.beginner,
            quiet: view.quiet,
            ..Self::new(rules)
        }
    }

    /// The value of a variable for the seat that acts.
    pub(crate) fn variable(&mut self, id: VariableId) -> Option<&mut i32> {
        let slot = if self.board.variables.at(id).len() > 1 { self.turn.actor.index() } else { 0 };
        self.board.variables.at_mut(id).get_mut(slot)
    }

    /// Whether a move is under way: no ending is looked at before it is over.
    pub(crate) fn moving(&self) -> bool {
        self.turn.frames.contains(&Frame::Moving)
    }
}

impl Turn {
    pub(crate) fn new(rules: &Rules, mover: SeatId) -> Self {
        Self {
            actor: mover,
            vars: Table::filled(rules.vars.len(), Value::Number(0)),
            last: None,
            lifted: vec![],
            passed: vec![],
            reached: None,
            frames: vec![],
            chosen: false,
            again: 0,
            captured: false,
            before: None,
        }
    }
}

impl Tally {
    pub(crate) fn new(rules: &Rules) -> Self {
        Self {
            captured: Table::filled(rules.seats.len(), 0),
            before: Table::filled(rules.seats.len(), 0),
            endless: 0,
            steps: 0,
            rounds: Rounds {
                wins: vec![0; rules.sides.len()],
                endings: vec![0; rules.endings.len()],
                ..Rounds::default()
            },
            history: History::default(),
        }
    }
}
