//! Where a game stands: board, men, variables, and the place in the middle of a turn.

use super::value::Value;
use crate::{
    rules::{BlockId, Lifetime, Rules, SeatId, SiteId, Table, VarId, VariableId},
    tree::Man,
};

/// All that the future of a game depends on.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct State {
    pub(crate) seeds: Table<SiteId, u16>,
    /// Seeds each seat has taken.
    pub(crate) stores: Table<SeatId, u16>,
    pub(crate) hand: u16,
    /// For each seat, how many of its men stand at each step of its track.
    pub(crate) men: Table<SeatId, Vec<u8>>,
    /// Counts still to be used in this turn, in ascending order.
    pub(crate) pool: Vec<i32>,
    /// One value for each seat, or the same for all.
    pub(crate) variables: Table<VariableId, Vec<i32>>,
    pub(crate) mover: SeatId,
    pub(crate) turns: u32,
    /// Whole turns since the last one with a capture.
    pub(crate) quiet: u32,
    pub(crate) turn: Turn,
}

/// What is known only within a turn. It is the same at the start of every turn of a seat.
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
    /// Whether something was captured in this turn.
    pub(crate) captured: bool,
    /// The board at the start of the turn, where the rules can take a turn back.
    pub(crate) before: Option<Box<Before>>,
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
}

/// What `take back the turn` brings back.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Before {
    pub(crate) seeds: Table<SiteId, u16>,
    pub(crate) stores: Table<SeatId, u16>,
    pub(crate) men: Table<SeatId, Vec<u8>>,
    pub(crate) variables: Table<VariableId, Vec<i32>>,
    pub(crate) captured: Table<SeatId, u32>,
}

/// What is counted beside the game, without influence on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Tally {
    /// Seeds captured, or men sent back, by each seat.
    pub(crate) captured: Table<SeatId, u32>,
    /// Sowings that reached their limit of laps.
    pub(crate) endless: u32,
    /// Steps taken since the start.
    pub(crate) steps: u64,
}

impl State {
    /// The start of a game, before the first turn.
    pub(crate) fn new(rules: &Rules) -> Self {
        let seats = rules.seats.len();
        let mover = rules.seats.ids().next().unwrap_or_else(|| crate::rules::Id::new(0));
        let men = rules.tracks.iter().map(|track| {
            let mut steps = vec![0; track.len()];
            if let Some(first) = steps.first_mut() {
                *first = u8::try_from(rules.men).unwrap_or(u8::MAX);
            }
            steps
        });
        let variables = rules.variables.iter().map(|variable| {
            let many = if variable.lifetime == Lifetime::Player { seats } else { 1 };
            vec![variable.start; many]
        });
        Self {
            seeds: Table::filled(rules.board.sites.len(), rules.board.seeds),
            stores: Table::filled(seats, 0),
            hand: 0,
            men: men.collect::<Vec<_>>().into(),
            pool: vec![],
            variables: variables.collect::<Vec<_>>().into(),
            mover,
            turns: 0,
            quiet: 0,
            turn: Turn::new(rules, mover),
        }
    }

    /// The value of a variable for the seat that acts.
    pub(crate) fn variable(&mut self, id: VariableId) -> Option<&mut i32> {
        let slot = if self.variables.at(id).len() > 1 { crate::rules::Id::index(self.turn.actor) } else { 0 };
        self.variables.at_mut(id).get_mut(slot)
    }

    /// How many men of a seat are at home.
    pub(crate) fn home(&self, seat: SeatId) -> u8 {
        self.men.at(seat).last().copied().unwrap_or(0)
    }

    /// Whether a man of this description stands there.
    pub(crate) fn stands(&self, man: Man) -> bool {
        self.men.at(man.seat).get(usize::from(man.step)).is_some_and(|count| *count > 0)
    }

    /// Changes how many men stand at a step; steps off the track change nothing.
    pub(crate) fn place(&mut self, man: Man, change: i8) {
        if let Some(count) = self.men.at_mut(man.seat).get_mut(usize::from(man.step)) {
            *count = count.saturating_add_signed(change);
        }
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
            captured: false,
            before: None,
        }
    }
}

impl Tally {
    pub(crate) fn new(rules: &Rules) -> Self {
        Self { captured: Table::filled(rules.seats.len(), 0), endless: 0, steps: 0 }
    }
}
