//! The reference evaluator: it does the rules as they are written, statement by statement, and tells
//! every step. Slow and obvious; other evaluators are measured against it.

mod choices;
mod effects;
mod eval;
mod run;
mod state;
mod value;
mod watch;

use std::hash::{Hash, Hasher};

pub use self::watch::{Event, Watch};
use self::{
    eval::Eval,
    run::{Halt, Run},
    state::{Frame, History, State, Tally, Turn},
    value::Value,
};
use crate::{
    rules::{EndingId, Id as _, Lifetime, RuleId, Rules, SeatId, SideId, StmtKind, Throw, ThrowId, VarId, When},
    tree::{Chance, Choice, End, GameResult, Move, Node, Rounds, Stop, Tree},
    view::{Placement, View},
};

/// The steps from one node to the next before a game is stopped: twice what the checker lets a whole turn ask for,
/// because the evaluator also counts the ends of blocks.
const TURN_STEPS: u64 = 20_000_000;
/// The steps of a game before it is stopped: a game of ordinary rules takes a thousandth of them.
const GAME_STEPS: u64 = 200_000_000;

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
    /// The moves of a choice.
    moves: Vec<Move>,
    /// Where the count of the throw that is due goes, and the rule that throws.
    due: Option<(VarId, RuleId)>,
}

/// Positions are the same when their futures are: what was counted on the way does not matter. Only what
/// the rules remember of earlier positions, where they ask for repetition, is left out.
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
        let seeds = state.board.seeds.iter().map(|seeds| u32::from(*seeds)).sum::<u32>();
        let men = state.board.men.iter().map(|steps| steps.iter().map(|count| u32::from(*count)).sum());
        (seeds + u32::from(state.hand), men.collect())
    }

    /// The start of a game, told to somebody who watches.
    pub fn start_watched<W: Watch>(&self, watch: &mut W) -> Position {
        self.begin_at(State::new(&self.rules), watch)
    }

    /// A game from a position at the start of a turn, told to somebody who watches.
    pub fn begin_watched<W: Watch>(&self, view: &View, watch: &mut W) -> Position {
        self.begin_at(State::at(&self.rules, view), watch)
    }

    /// A game from a state at the start of a turn.
    fn begin_at<W: Watch>(&self, state: State, watch: &mut W) -> Position {
        let mut position = Position {
            state,
            tally: Tally::new(&self.rules),
            node: Node::End(End { result: GameResult::Stopped(Stop::Steps), ending: None }),
            moves: vec![],
            due: None,
        };
        let mut steps = TURN_STEPS;
        // As after a turn of the one before: with his eyes the endings are looked at.
        let (next, seats) = (position.state.mover, self.rules.seats.len());
        position.state.mover = SeatId::new((next.index() + seats - 1) % seats);
        position.state.turn = Turn::new(&self.rules, position.state.mover);
        if !self.close(&mut position, next, &mut steps, watch) {
            self.play_on(&mut position, &mut steps, watch);
        }
        position.tally.steps += TURN_STEPS - steps;
        position
    }

    /// [`Tree::advance`], told to somebody who watches.
    pub fn advance_watched<W: Watch>(&self, position: &mut Position, n: usize, watch: &mut W) {
        let budget = TURN_STEPS.min(GAME_STEPS.saturating_sub(position.tally.steps));
        let mut steps = budget;
        match position.node {
            Node::End(_) => return,
            Node::Choice(choice) => {
                let Some(chosen) = position.moves.get(n).cloned() else { return };
                position.moves.clear();
                if chosen.is_pass() {
                    watch.see(None, Event::Passed(choice.seat));
                    position.state.turn.chosen = true;
                    self.decline(position, &mut steps, watch);
                } else {
                    self.chosen(position, &chosen, &mut steps, watch);
                }
            }
            Node::Chance(chance) => {
                let fall = self.rules.throws.at(chance.throw).outcomes.get(n);
                let (Some(fall), Some((var, rule))) = (fall, position.due) else { return };
                watch.see(Some(rule), Event::Thrown(chance.seat, chance.throw, fall.count));
                *position.state.turn.vars.at_mut(var) = Value::Number(fall.count);
                position.due = None;
            }
        }
        self.play_on(position, &mut steps, watch);
        position.tally.steps += budget - steps;
    }

    /// Where a choice is declined, what stands behind `if none` is done; where there is none to decline, nothing.
    fn decline<W: Watch>(&self, position: &mut Position, steps: &mut u64, watch: &mut W) {
        let Some(Frame::Block { block, next }) = position.state.turn.frames.last() else { return };
        let Some(stmt) = next.checked_sub(1).and_then(|at| self.rules.blocks.at(*block).get(at)) else { return };
        if let StmtKind::Choose { none, .. } = &stmt.kind {
            self.run(position, steps, watch).instead(*none);
        }
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
            if self.halted(position, halt, steps, watch) {
                return;
            }
        }
    }

    /// What a halt means; `true` when a node is reached.
    fn halted<W: Watch>(&self, position: &mut Position, halt: Halt, steps: &mut u64, watch: &mut W) -> bool {
        position.node = match halt {
            Halt::Choice(moves) => {
                position.moves = moves;
                Node::Choice(Choice { seat: position.state.turn.actor, moves: position.moves.len() })
            }
            Halt::Throw(throw, var, rule) => {
                position.due = Some((var, rule));
                Node::Chance(Chance { seat: position.state.turn.actor, throw })
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
            Halt::NewRound(seat, rule) => return self.new_round(position, seat, rule, watch),
            Halt::TurnOver | Halt::Refused if !position.state.turn.chosen => {
                position.state.turn.frames.clear();
                position.moves = vec![Move::pass()];
                Node::Choice(Choice { seat: position.state.mover, moves: 1 })
            }
            Halt::TurnOver | Halt::Refused => return self.end_turn(position, steps, watch),
        };
        true
    }

    /// Begins a new round; `true` when the game is stopped instead.
    fn new_round<W: Watch>(&self, position: &mut Position, seat: SeatId, rule: RuleId, watch: &mut W) -> bool {
        let state = &mut position.state;
        // A round counts at least one turn, so that rounds in which nobody plays come to the limit too.
        let none_yet = state.turns == state.round_start && !state.turn.chosen;
        state.turns += u32::from(state.turn.chosen || none_yet);
        state.round += 1;
        state.round_start = state.turns;
        (state.mover, state.beginner) = (seat, seat);
        state.quiet = 0;
        state.round_winner = None;
        state.hand = 0;
        state.pool.clear();
        position.tally.history = History::default();
        watch.see(Some(rule), Event::RoundBegins(state.round, seat));
        // The first turn of a round is played before any ending is looked at: so rounds cannot follow one another for ever.
        self.next_turn(position, watch)
    }

    /// Begins a turn of the mover; `true` when the game is stopped instead.
    fn next_turn<W: Watch>(&self, position: &mut Position, watch: &mut W) -> bool {
        if position.state.turns >= self.rules.limit {
            watch.see(None, Event::Stopped);
            position.node = Node::End(End { result: GameResult::Stopped(Stop::Limit), ending: None });
            return true;
        }
        self.begin_turn(position, watch);
        false
    }

    /// Ends the turn and begins the next; `true` when the game is over.
    fn end_turn<W: Watch>(&self, position: &mut Position, steps: &mut u64, watch: &mut W) -> bool {
        let state = &mut position.state;
        state.turns += 1;
        state.quiet = if state.turn.captured || !self.rules.counts_quiet { 0 } else { state.quiet + 1 };
        state.pool.clear();
        let mover = state.mover;
        let next = SeatId::new((mover.index() + 1) % self.rules.seats.len());
        if self.rules.remembers {
            if state.turn.captured {
                position.tally.history = History::default();
            }
            state.repeated = position.tally.history.see(self.lasting(state), next);
        }
        state.turn = Turn::new(&self.rules, mover);
        self.close(position, next, steps, watch)
    }

    /// Looks at the endings with the eyes of the one whose turn it was, and goes on to the next one's; `true` when a
    /// node is reached.
    fn close<W: Watch>(&self, position: &mut Position, next: SeatId, steps: &mut u64, watch: &mut W) -> bool {
        let ending = self.after_turn(position, steps);
        position.state.repeated = false;
        let Some(ending) = ending else {
            position.state.mover = next;
            return self.next_turn(position, watch);
        };
        let halt = self.settle(position, ending, steps, watch);
        if !matches!(halt, Halt::NewRound(..)) {
            position.state.mover = next;
        }
        self.halted(position, halt, steps, watch)
    }

    /// The board without what lasts only a turn.
    fn lasting(&self, state: &State) -> Placement {
        let mut board = state.board.clone();
        self.start_variables(&mut board);
        board
    }

    /// Sets anew what lasts only a turn.
    fn start_variables(&self, board: &mut Placement) {
        for (bound, values) in self.rules.variables.iter().zip(board.variables.iter_mut()) {
            if bound.lifetime == Lifetime::Turn {
                values.fill(bound.start);
            }
        }
    }

    fn begin_turn<W: Watch>(&self, position: &mut Position, watch: &mut W) {
        let state = &mut position.state;
        state.turn = Turn::new(&self.rules, state.mover);
        self.start_variables(&mut state.board);
        if self.rules.can_take_back {
            state.turn.before = Some(Box::new(state.board.clone()));
            position.tally.before.clone_from(&position.tally.captured);
        }
        if self.rules.remembers && position.tally.history.is_empty() {
            position.tally.history.see(state.board.clone(), state.mover);
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

    /// Settles an ending: the game is over, or a new round begins.
    fn settle<W: Watch>(&self, position: &mut Position, ending: EndingId, steps: &mut u64, watch: &mut W) -> Halt {
        let mut run = self.run(position, steps, watch);
        run.begin_ending(ending);
        match run.run() {
            halt @ (Halt::Over(_) | Halt::NewRound(..)) => halt,
            _ => Halt::OutOfSteps,
        }
    }
}

impl Tree for Reference {
    type Position = Position;

    fn seats(&self) -> usize {
        self.rules.seats.len()
    }

    fn sides(&self) -> &[SideId] {
        self.rules.side_of.as_slice()
    }

    fn endings(&self) -> usize {
        self.rules.endings.len()
    }

    fn start(&self) -> Position {
        self.start_watched(&mut ())
    }

    fn begin(&self, view: &View) -> Position {
        self.begin_watched(view, &mut ())
    }

    fn view(&self, position: &Position) -> View {
        let state = &position.state;
        View {
            board: state.board.clone(),
            mover: state.mover,
            pool: state.pool.clone(),
            quiet: state.quiet,
            turns: state.turns - state.round_start,
            round: state.round,
            beginner: state.beginner,
        }
    }

    fn node(&self, position: &Position) -> Node {
        position.node
    }

    fn moves(&self, position: &Position) -> Vec<Move> {
        position.moves.clone()
    }

    fn throw(&self, throw: ThrowId) -> &Throw {
        self.rules.throws.at(throw)
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

    fn rounds<'a>(&self, position: &'a Position) -> &'a Rounds {
        &position.tally.rounds
    }

    fn effort(&self, position: &Position) -> u64 {
        position.tally.steps
    }

    fn standing(&self, position: &Position, seat: SeatId) -> i64 {
        if let Some(store) = self.rules.board.stores.get(seat) {
            return i64::from(*position.state.board.seeds.at(*store));
        }
        let way = self.rules.ways.at(seat);
        let on_board = way.spots.entries().filter(|(spot, _)| Some(*spot) != way.out);
        let travelled = on_board.map(|(id, spot)| {
            i64::from(position.state.board.men_at(&self.rules, seat, id)) * i64::from(spot.travelled)
        });
        travelled.sum()
    }
}
