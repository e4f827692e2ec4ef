//! The reference evaluator: it does the rules as they are written, statement by statement, and tells
//! every step. Slow and obvious; other evaluators are measured against it.

mod eval;
mod run;
mod state;
mod value;
mod watch;

use std::hash::{Hash, Hasher};

pub use self::watch::{Event, Watch};
pub(crate) use self::{eval::Eval, state::State};
use self::{
    run::{Halt, Run},
    state::{Before, Frame, Tally, Turn},
    value::Value,
};
use crate::{
    rules::{EndingId, Id as _, Lifetime, RuleId, Rules, SeatId, SiteId, StmtKind, ThrowId, VarId, When},
    tree::{Chance, Choice, End, GameResult, Move, Node, Outcome, Stop, Tree},
};

/// The steps of a turn before its game is stopped: what the checker lets a file ask for.
const TURN_STEPS: u64 = 10_000_000;
/// The steps of a game before it is stopped: a game of ordinary rules takes a thousandth of them.
const GAME_STEPS: u64 = 100_000_000;

/// A game played by the reference evaluator.
#[derive(Debug, Clone)]
pub struct Reference {
    rules: Rules,
}

/// A position: the state, the node it is at, and what has been counted on the way.
#[derive(Debug, Clone)]
pub struct Position {
    pub(crate) state: State,
    tally: Tally,
    node: Node,
    /// Where the count of the throw that is due goes, and the rule that throws.
    due: Option<(VarId, RuleId)>,
}

impl Position {
    /// The seeds in a pit. The site must be one of the game's board.
    #[must_use]
    pub fn seeds(&self, site: SiteId) -> u16 {
        *self.state.seeds.at(site)
    }

    /// The seeds a seat has taken. The seat must be one of the game's.
    #[must_use]
    pub fn store(&self, seat: SeatId) -> u16 {
        *self.state.stores.at(seat)
    }

    /// For each step of a seat's track, from its start to home, how many of its men stand there.
    #[must_use]
    pub fn men(&self, seat: SeatId) -> &[u8] {
        self.state.men.at(seat)
    }

    /// Whose turn it is.
    #[must_use]
    pub fn mover(&self) -> SeatId {
        self.state.mover
    }

    /// The counts that are still to be used in this turn, in ascending order.
    #[must_use]
    pub fn pool(&self) -> &[i32] {
        &self.state.pool
    }
}

/// Positions are the same when their futures are: what was counted on the way does not matter.
impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        self.state == other.state
    }
}

impl Eq for Position {}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.state.hash(state);
    }
}

impl Reference {
    /// An evaluator of these rules.
    #[must_use]
    pub fn new(rules: Rules) -> Self {
        Self { rules }
    }

    /// The rules.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// All seeds of a position, in pits, stores and hand, and the men of each seat, on the board and at
    /// home: neither ever changes.
    #[must_use]
    pub fn census(&self, position: &Position) -> (u32, Vec<u32>) {
        let state = &position.state;
        let seeds = state.seeds.iter().chain(&state.stores).map(|seeds| u32::from(*seeds)).sum::<u32>();
        let men = state.men.iter().map(|steps| steps.iter().map(|count| u32::from(*count)).sum());
        (seeds + u32::from(state.hand), men.collect())
    }

    /// The start of a game, told to somebody who watches.
    pub fn start_watched<W: Watch>(&self, watch: &mut W) -> Position {
        self.begin_at(State::new(&self.rules), watch)
    }

    /// A game from a state at the start of a turn.
    pub(crate) fn begin_at<W: Watch>(&self, state: State, watch: &mut W) -> Position {
        let mut position = Position {
            state,
            tally: Tally::new(&self.rules),
            node: Node::End(End { result: GameResult::Stopped(Stop::Steps), ending: None }),
            due: None,
        };
        let mut steps = TURN_STEPS;
        if let Some(ending) = self.after_turn(&mut position, &mut steps) {
            self.settle(&mut position, ending, &mut steps, watch);
        } else {
            self.begin_turn(&mut position, watch);
            self.play_on(&mut position, &mut steps, watch);
        }
        position.tally.steps += TURN_STEPS - steps;
        position
    }

    /// [`Tree::advance`], told to somebody who watches.
    pub fn advance_watched<W: Watch>(&self, position: &mut Position, n: usize, watch: &mut W) {
        let budget = TURN_STEPS.min(GAME_STEPS.saturating_sub(position.tally.steps));
        let mut steps = budget;
        match &position.node {
            Node::End(_) => return,
            Node::Choice(choice) => {
                let Some(chosen) = choice.moves.get(n).cloned() else { return };
                if chosen.is_pass() {
                    watch.see(None, Event::Passed(choice.seat));
                    position.state.turn.chosen = true;
                } else {
                    self.chosen(position, &chosen, &mut steps, watch);
                }
            }
            Node::Chance(chance) => {
                let (Some(outcome), Some((var, rule))) = (chance.outcomes.get(n), position.due) else { return };
                watch.see(Some(rule), Event::Thrown(chance.seat, chance.throw, outcome.count));
                *position.state.turn.vars.at_mut(var) = Value::Number(outcome.count);
                position.due = None;
            }
        }
        self.play_on(position, &mut steps, watch);
        position.tally.steps += budget - steps;
    }

    /// Sets what was chosen; the choice is the statement that the innermost block did last.
    fn chosen<W: Watch>(&self, position: &mut Position, chosen: &Move, steps: &mut u64, watch: &mut W) {
        let Some(Frame::Block { block, next }) = position.state.turn.frames.last() else { return };
        let Some(stmt) = next.checked_sub(1).and_then(|at| self.rules.blocks.at(*block).get(at)) else { return };
        if let StmtKind::Choose { picks, .. } = &stmt.kind {
            watch.see(Some(stmt.rule), Event::Chosen(position.state.turn.actor, chosen.clone()));
            self.run(position, steps, watch).set(picks, chosen);
        }
    }

    fn run<'a, W: Watch>(&'a self, position: &'a mut Position, steps: &'a mut u64, watch: &'a mut W) -> Run<'a, W> {
        Run { rules: &self.rules, state: &mut position.state, tally: &mut position.tally, watch, steps, ending: None }
    }

    /// Goes on, through ends of turns, to the next node.
    fn play_on<W: Watch>(&self, position: &mut Position, steps: &mut u64, watch: &mut W) {
        loop {
            let halt = self.run(position, steps, watch).run();
            position.node = match halt {
                Halt::Choice(moves) => Node::Choice(Choice { seat: position.state.turn.actor, moves }),
                Halt::Throw(throw, var, rule) => {
                    position.due = Some((var, rule));
                    Node::Chance(self.chance(position.state.turn.actor, throw))
                }
                Halt::Over(end) => {
                    // A turn in which something was chosen counts, though the game ended before its end.
                    position.state.turns += u32::from(position.state.turn.chosen);
                    Node::End(end)
                }
                Halt::OutOfSteps => {
                    watch.see(None, Event::Stopped);
                    Node::End(End { result: GameResult::Stopped(Stop::Steps), ending: None })
                }
                Halt::TurnOver | Halt::Refused if !position.state.turn.chosen => {
                    position.state.turn.frames.clear();
                    Node::Choice(Choice { seat: position.state.mover, moves: vec![Move::pass()] })
                }
                Halt::TurnOver | Halt::Refused => {
                    if self.end_turn(position, steps, watch) {
                        return;
                    }
                    continue;
                }
            };
            return;
        }
    }

    fn chance(&self, seat: SeatId, throw: ThrowId) -> Chance {
        let bound = self.rules.throws.at(throw);
        let outcomes = bound.outcomes.iter().map(|fall| Outcome { count: fall.count, weight: fall.weight });
        Chance { seat, throw, outcomes: outcomes.collect(), total: bound.total }
    }

    /// Ends the turn and begins the next; `true` when the game is over.
    fn end_turn<W: Watch>(&self, position: &mut Position, steps: &mut u64, watch: &mut W) -> bool {
        let state = &mut position.state;
        state.turns += 1;
        state.quiet = if state.turn.captured || !self.rules.counts_quiet { 0 } else { state.quiet + 1 };
        state.pool.clear();
        let mover = state.mover;
        let next = SeatId::new((mover.index() + 1) % self.rules.seats.len());
        // The endings are looked at with the eyes of the one whose turn it was.
        state.turn = Turn::new(&self.rules, mover);
        if let Some(ending) = self.after_turn(position, steps) {
            self.settle(position, ending, steps, watch);
            position.state.mover = next;
            return true;
        }
        position.state.mover = next;
        if position.state.turns >= self.rules.limit {
            watch.see(None, Event::Stopped);
            position.node = Node::End(End { result: GameResult::Stopped(Stop::Limit), ending: None });
            return true;
        }
        self.begin_turn(position, watch);
        false
    }

    fn begin_turn<W: Watch>(&self, position: &mut Position, watch: &mut W) {
        let state = &mut position.state;
        state.turn = Turn::new(&self.rules, state.mover);
        for (bound, values) in self.rules.variables.iter().zip(state.variables.iter_mut()) {
            if bound.lifetime == Lifetime::Turn {
                values.fill(bound.start);
            }
        }
        if self.rules.can_take_back {
            state.turn.before = Some(Box::new(Before {
                seeds: state.seeds.clone(),
                stores: state.stores.clone(),
                men: state.men.clone(),
                variables: state.variables.clone(),
                captured: position.tally.captured.clone(),
            }));
        }
        state.turn.frames.push(Frame::Block { block: self.rules.turn, next: 0 });
        watch.see(None, Event::TurnBegins(state.mover));
    }

    /// The first ending, in the order written, that applies after a turn.
    fn after_turn(&self, position: &mut Position, steps: &mut u64) -> Option<EndingId> {
        let mut eval = Eval { rules: &self.rules, state: &mut position.state, steps };
        self.rules.endings.entries().find_map(|(id, ending)| match &ending.when {
            When::AfterTurn(condition) => eval.truth(condition).then_some(id),
            _ => None,
        })
    }

    /// Settles an ending.
    fn settle<W: Watch>(&self, position: &mut Position, ending: EndingId, steps: &mut u64, watch: &mut W) {
        let mut run = self.run(position, steps, watch);
        run.begin_ending(ending);
        position.node = match run.run() {
            Halt::Over(end) => Node::End(end),
            _ => Node::End(End { result: GameResult::Stopped(Stop::Steps), ending: None }),
        };
    }
}

impl Tree for Reference {
    type Position = Position;

    fn seats(&self) -> usize {
        self.rules.seats.len()
    }

    fn endings(&self) -> usize {
        self.rules.endings.len()
    }

    fn start(&self) -> Position {
        self.start_watched(&mut ())
    }

    fn node<'a>(&self, position: &'a Position) -> &'a Node {
        &position.node
    }

    fn advance(&self, position: &mut Position, n: usize) {
        self.advance_watched(position, n, &mut ());
    }

    fn turns(&self, position: &Position) -> u32 {
        position.state.turns
    }

    fn captured(&self, position: &Position, seat: SeatId) -> u32 {
        *position.tally.captured.at(seat)
    }

    fn endless(&self, position: &Position) -> bool {
        position.tally.endless > 0
    }

    fn effort(&self, position: &Position) -> u64 {
        position.tally.steps
    }

    fn standing(&self, position: &Position, seat: SeatId) -> i64 {
        if self.rules.board.seeds > 0 {
            return i64::from(*position.state.stores.at(seat));
        }
        let steps = position.state.men.at(seat).iter().zip(0..);
        steps.map(|(count, step): (&u8, i64)| i64::from(*count) * step).sum()
    }
}
