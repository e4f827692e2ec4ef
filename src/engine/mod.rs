//! The engine: plays programs. It makes the same choices, throws and ends as the reference evaluator, from positions
//! that are flat and cheap to copy.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "codes of sites, cells and registers are small numbers, of which -1 stands for none"
)]

mod choose;
mod effects;
mod eval;
mod laps;
mod list;
mod native;
mod run;
mod state;
mod turn;

use std::{
    hash::{Hash, Hasher},
    sync::Arc,
};

use self::{
    choose::Offer,
    native::Eventually,
    run::{GAME_STEPS, Halt, NOBODY, Run},
    state::{History, Snapshot, State, Tally, no_rounds},
};
use crate::{
    ir::{Bits as _, Boundless, Cells as _, Huge, Large, Listing, Medium, Model, NONE, Op, PickKind, Program, Small},
    random::Streams,
    reference::Reference,
    rules::{Direction, Id as _, RuleId, Rules, SeatId, SideId, SiteId, SpotId, StateId, Throw, ThrowId},
    tree::{Chance, Choice, End, GameResult, Move, Node, Part, Rounds, Stop, Tree, play_stepwise},
    view::Man,
    view::{Placement, View},
};

/// A game played by a program, for one size of positions.
#[derive(Debug, Clone)]
pub(crate) struct Engine<M: Model> {
    program: Arc<Program<M>>,
    /// The first node of a game.
    start: Position<M>,
    prove: u64,
    native: Arc<Eventually<M>>,
}

/// A position: the state, the node it is at, and what has been counted on the way.
#[derive(Debug)]
pub(crate) struct Position<M: Model> {
    state: State<M>,
    /// The board when the turn began, where it can be taken back.
    before: Snapshot<M>,
    tally: Tally,
    rounds: Rounds,
    history: History<M>,
    node: Node,
    offer: Offer<M::Bits>,
    /// Where the count of the throw that is due goes.
    due: u16,
    scratch: Vec<Vec<i32>>,
}

impl<M: Model> Position<M> {
    /// Becomes like another, in the memory there is.
    fn take(&mut self, other: &Self) {
        self.state.clone_from(&other.state);
        self.before.clone_from(&other.before);
        self.tally = other.tally;
        let (rounds, from) = (&mut self.rounds, &other.rounds);
        (rounds.played, rounds.draws) = (from.played, from.draws);
        rounds.wins.clone_from(&from.wins);
        rounds.endings.clone_from(&from.endings);
        self.history.take(&other.history);
        self.offer.take(&other.offer);
        (self.node, self.due) = (other.node, other.due);
    }
}

impl<M: Model> Clone for Position<M> {
    fn clone(&self) -> Self {
        Self {
            state: self.state.clone(),
            before: self.before.clone(),
            tally: self.tally,
            rounds: self.rounds.clone(),
            history: self.history.clone(),
            node: self.node,
            offer: self.offer.clone(),
            due: self.due,
            scratch: vec![],
        }
    }

    fn clone_from(&mut self, other: &Self) {
        self.take(other);
    }
}

impl<M: Model> PartialEq for Position<M> {
    fn eq(&self, other: &Self) -> bool {
        self.state == other.state && self.before == other.before
    }
}

impl<M: Model> Eq for Position<M> {}

impl<M: Model> Hash for Position<M> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.state.hash(hasher);
    }
}

/// A game made ready to be played fast, whatever the size of its positions.
#[derive(Debug, Clone)]
pub struct Compiled(Size);

/// The engine for the smallest size of positions that a game fits.
#[derive(Debug, Clone)]
enum Size {
    Small(Box<Engine<Small>>),
    Medium(Box<Engine<Medium>>),
    Large(Box<Engine<Large>>),
    Huge(Box<Engine<Huge>>),
    Boundless(Box<Engine<Boundless>>),
    /// Rules too large for any size are played by the reference evaluator.
    Reference(Box<Reference>),
}

/// Something that is done with a game as a tree, whatever evaluates it.
pub trait Visitor {
    /// What it comes to.
    type Output;

    /// Does it.
    fn visit<T: Tree>(self, tree: &T) -> Self::Output;
}

/// Something that is done with two games side by side, both evaluated in the same way.
pub trait PairVisitor {
    /// What it comes to.
    type Output;

    /// Does it.
    fn visit<T: Tree>(self, one: &T, two: &T) -> Self::Output;
}

impl Compiled {
    /// A program for these rules, of the smallest size that they fit. `prove` is how many laps a sowing that reached
    /// its limit is followed, outside play, to see whether it repeats.
    #[must_use]
    pub fn new(rules: Rules, prove: u64) -> Self {
        Self(Size::new(Arc::new(rules), prove))
    }

    /// The rules.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        match &self.0 {
            Size::Small(engine) => &engine.program.rules,
            Size::Medium(engine) => &engine.program.rules,
            Size::Large(engine) => &engine.program.rules,
            Size::Huge(engine) => &engine.program.rules,
            Size::Boundless(engine) => &engine.program.rules,
            Size::Reference(reference) => reference.rules(),
        }
    }

    /// Makes machine code for random games now, and not only after some games; says whether this machine can have it.
    /// The games are the same with and without.
    #[must_use]
    pub fn hasten(&self) -> bool {
        match &self.0 {
            Size::Small(engine) => engine.native.at_once(&engine.program).is_some(),
            Size::Medium(engine) => engine.native.at_once(&engine.program).is_some(),
            Size::Large(engine) => engine.native.at_once(&engine.program).is_some(),
            Size::Huge(engine) => engine.native.at_once(&engine.program).is_some(),
            Size::Boundless(engine) => engine.native.at_once(&engine.program).is_some(),
            Size::Reference(_) => false,
        }
    }

    /// The program as text, with what a rule of the file is called; nothing where there is no program.
    pub(crate) fn listing(&self, line: impl Fn(RuleId) -> String) -> Option<String> {
        Some(match &self.0 {
            Size::Small(engine) => Listing { program: &*engine.program, line }.to_string(),
            Size::Medium(engine) => Listing { program: &*engine.program, line }.to_string(),
            Size::Large(engine) => Listing { program: &*engine.program, line }.to_string(),
            Size::Huge(engine) => Listing { program: &*engine.program, line }.to_string(),
            Size::Boundless(engine) => Listing { program: &*engine.program, line }.to_string(),
            Size::Reference(_) => return None,
        })
    }

    /// Does something with this game and another one, by the reference evaluator where their sizes differ.
    pub fn visit_both<V: PairVisitor>(&self, other: &Self, visitor: V) -> V::Output {
        match (&self.0, &other.0) {
            (Size::Small(one), Size::Small(two)) => visitor.visit(&**one, &**two),
            (Size::Medium(one), Size::Medium(two)) => visitor.visit(&**one, &**two),
            (Size::Large(one), Size::Large(two)) => visitor.visit(&**one, &**two),
            (Size::Huge(one), Size::Huge(two)) => visitor.visit(&**one, &**two),
            _ => visitor.visit(&Reference::new(self.rules().clone()), &Reference::new(other.rules().clone())),
        }
    }

    /// Does something with the game.
    pub fn visit<V: Visitor>(&self, visitor: V) -> V::Output {
        match &self.0 {
            Size::Small(engine) => visitor.visit(&**engine),
            Size::Medium(engine) => visitor.visit(&**engine),
            Size::Large(engine) => visitor.visit(&**engine),
            Size::Huge(engine) => visitor.visit(&**engine),
            Size::Boundless(engine) => visitor.visit(&**engine),
            Size::Reference(reference) => visitor.visit(&**reference),
        }
    }
}

impl Size {
    fn new(rules: Arc<Rules>, prove: u64) -> Self {
        if let Some(program) = Program::new(&rules) {
            return Self::Small(Box::new(Engine::new(program, prove)));
        }
        if let Some(program) = Program::new(&rules) {
            return Self::Medium(Box::new(Engine::new(program, prove)));
        }
        if let Some(program) = Program::new(&rules) {
            return Self::Large(Box::new(Engine::new(program, prove)));
        }
        if let Some(program) = Program::new(&rules) {
            return Self::Huge(Box::new(Engine::new(program, prove)));
        }
        match Program::new(&rules) {
            Some(program) => Self::Boundless(Box::new(Engine::new(program, prove))),
            None => Self::Reference(Box::new(Reference::new(Arc::unwrap_or_clone(rules)))),
        }
    }
}

impl<M: Model> Engine<M> {
    fn new(program: Program<M>, prove: u64) -> Self {
        let state = State::new(&program);
        let start = Position {
            before: Snapshot::of(&state, &program),
            state,
            tally: Tally::default(),
            rounds: no_rounds(&program),
            history: History::new(),
            node: Node::End(End { result: GameResult::Stopped(Stop::Steps), ending: None }),
            offer: Offer::new(),
            due: 0,
            scratch: vec![],
        };
        let mut engine = Self { program: Arc::new(program), start: start.clone(), prove, native: Arc::default() };
        engine.start = engine.from(start);
        engine
    }

    /// A game from a state before its first turn.
    fn from(&self, mut position: Position<M>) -> Position<M> {
        self.first_turn(&mut position);
        position
    }

    fn first_turn(&self, position: &mut Position<M>) {
        // As after a turn of the one before: with his eyes the endings are looked at.
        let (next, seats) = (position.state.mover, self.program.topology.seats as u8);
        position.state.mover = (next + seats - 1) % seats;
        position.state.forget_turn(&self.program);
        let mut run = self.run(position);
        let halt = match run.close(next) {
            Some(halt) => halt,
            None => run.run(),
        };
        self.halted(position, halt);
    }

    #[inline]
    fn run<'a>(&'a self, position: &'a mut Position<M>) -> Run<'a, M> {
        let fuel = GAME_STEPS.saturating_sub(position.tally.steps);
        Run {
            program: &self.program,
            state: &mut position.state,
            tally: &mut position.tally,
            rounds: &mut position.rounds,
            before: &mut position.before,
            history: &mut position.history,
            offer: &mut position.offer,
            scratch: &mut position.scratch,
            fuel,
            prove: self.prove,
            trial: false,
            watched: None,
            closing: NOBODY,
            native: self.native.made(),
        }
    }

    /// The node that a halt means.
    #[inline]
    fn halted(&self, position: &mut Position<M>, halt: Halt) {
        let (state, moves) = (&position.state, position.offer.count);
        let seat = |seat: u8| SeatId::new(usize::from(seat));
        position.node = match halt {
            Halt::Choice => Node::Choice(Choice { seat: seat(state.actor), moves }),
            Halt::Pass => Node::Choice(Choice { seat: seat(state.mover), moves }),
            Halt::Throw(throw, register) => {
                position.due = register;
                Node::Chance(Chance { seat: seat(state.actor), throw })
            }
            Halt::Over(end) => Node::End(end),
            Halt::OutOfSteps | Halt::TurnOver | Halt::Refused | Halt::Lap => {
                Node::End(End { result: GameResult::Stopped(Stop::Steps), ending: None })
            }
        };
    }

    fn man(&self, cell: i32) -> Man {
        let topology = &self.program.topology;
        let cell = usize::try_from(cell).unwrap_or(0);
        let player = topology.player(cell);
        let own = cell - player * topology.cells_each;
        Man {
            seat: SeatId::new(player),
            spot: SpotId::new(own / topology.states),
            state: StateId::new(own % topology.states),
        }
    }

    fn part(&self, actor: usize, kind: PickKind, code: i32) -> Part {
        let n = usize::try_from(code).unwrap_or(0);
        match kind {
            PickKind::Site => Part::Site(SiteId::new(n)),
            PickKind::Count => Part::Count(code),
            PickKind::Direction if code == 0 => Part::Direction(Direction::Counterclockwise),
            PickKind::Direction => Part::Direction(Direction::Clockwise),
            PickKind::Man => {
                let (man, square) = (self.man(code), SiteId::new(self.program.topology.square(n)));
                if man.seat.index() == actor { Part::Man(man, square) } else { Part::Other(man, square) }
            }
        }
    }
}

impl<M: Model> Tree for Engine<M> {
    type Position = Position<M>;

    fn seats(&self) -> usize {
        self.program.topology.seats
    }

    fn sides(&self) -> &[SideId] {
        self.program.rules.side_of.as_slice()
    }

    fn endings(&self) -> usize {
        self.program.rules.endings.len()
    }

    fn start(&self) -> Position<M> {
        self.start.clone()
    }

    fn begin(&self, view: &View) -> Position<M> {
        let program = &self.program;
        let mut position = self.start.clone();
        position.state = State::at(program, view);
        (position.tally, position.rounds) = (Tally::default(), no_rounds(program));
        position.before.take(&position.state, program);
        position.history.clear();
        self.from(position)
    }

    fn view(&self, position: &Position<M>) -> View {
        let (rules, topology, state) = (&self.program.rules, &self.program.topology, &position.state);
        let mut board = Placement::new(rules);
        for (site, _) in rules.board.sites.entries().filter(|_| rules.men == 0) {
            *board.seeds.at_mut(site) = u16::try_from(state.cells.get(site.index())).unwrap_or(u16::MAX);
        }
        for (seat, way) in rules.ways.entries().filter(|_| rules.men > 0) {
            let first = seat.index() * topology.cells_each;
            let counts = (first..first + way.spots.len() * topology.states).map(|cell| state.cells.get(cell));
            *board.men.at_mut(seat) = counts.map(|count| u8::try_from(count).unwrap_or(u8::MAX)).collect();
        }
        for mark in rules.marks.ids() {
            for seat in rules.seats.ids() {
                let register = (mark.index() * topology.seats + seat.index()) as u16;
                for site in state.set(register).members() {
                    board.mark(mark, SiteId::new(site), Some(seat));
                }
            }
        }
        for ((first, _), values) in self.program.layout.variables.iter().zip(board.variables.iter_mut()) {
            for (n, value) in values.iter_mut().enumerate() {
                *value = state.number(first + n as u16);
            }
        }
        View {
            board,
            mover: SeatId::new(usize::from(state.mover)),
            pool: self.program.layout.pool.map(|pool| state.items(pool).to_vec()).unwrap_or_default(),
            quiet: state.quiet,
            turns: state.turns - state.round_start,
            round: state.round,
            beginner: SeatId::new(usize::from(state.beginner)),
        }
    }

    fn restart(&self, position: &mut Position<M>) {
        position.take(&self.start);
    }

    fn node(&self, position: &Position<M>) -> Node {
        position.node
    }

    fn moves(&self, position: &Position<M>) -> Vec<Move> {
        let Node::Choice(choice) = position.node else { return vec![] };
        let offer = &position.offer;
        let picks = match self.program.code.get(position.state.pc as usize) {
            Some(Op::Choose(choose)) => choose.picks.as_slice(),
            Some(Op::Pick(choice)) => choice.choose.picks.as_slice(),
            _ => &[],
        };
        let named = |n: usize| {
            if offer.declines && n + 1 == choice.moves {
                return Move::pass();
            }
            let parts = picks
                .iter()
                .enumerate()
                .filter_map(|(at, pick)| Some(self.part(choice.seat.index(), pick.kind, offer.part(n, at)?)));
            Move { parts: parts.collect() }
        };
        (0..choice.moves).map(named).collect()
    }

    fn throw(&self, throw: ThrowId) -> &Throw {
        self.program.rules.throws.at(throw)
    }

    fn advance(&self, position: &mut Position<M>, n: usize) {
        match position.node {
            Node::End(_) => return,
            Node::Choice(choice) => {
                if n >= choice.moves {
                    return;
                }
                position.state.chosen = true;
                match self.program.code.get(position.state.pc as usize) {
                    Some(Op::Choose(choose)) => self.run(position).take_move(choose, n),
                    Some(Op::Pick(choice)) => self.run(position).take_move(&choice.choose, n),
                    _ => {}
                }
            }
            Node::Chance(chance) => {
                let Some(fall) = self.program.rules.throws.at(chance.throw).outcomes.get(n) else { return };
                position.state.put(position.due, fall.count);
            }
        }
        let mut run = self.run(position);
        let halt = run.run();
        self.halted(position, halt);
    }

    fn play_out(&self, position: &mut Position<M>, streams: &mut Streams, max_turns: u32) {
        let Some(native) = self.native.for_a_game(&self.program) else {
            play_stepwise(self, position, streams, max_turns);
            return;
        };
        while !matches!(position.node, Node::End(_)) && position.state.turns < max_turns {
            // The instruction behind which a throw is awaited.
            position.state.pc -= u32::from(matches!(position.node, Node::Chance(_)));
            let halt = native.play(self.run(position), streams, max_turns);
            self.halted(position, halt);
        }
    }

    fn turns(&self, position: &Position<M>) -> u32 {
        position.state.turns
    }

    fn captured(&self, position: &Position<M>, seat: SeatId) -> u32 {
        position.tally.captured.get(seat.index()).copied().unwrap_or(0)
    }

    fn endless(&self, position: &Position<M>) -> bool {
        position.tally.endless > 0
    }

    fn endless_proved(&self, position: &Position<M>) -> bool {
        position.tally.proved > 0
    }

    fn rounds<'a>(&self, position: &'a Position<M>) -> &'a Rounds {
        &position.rounds
    }

    fn effort(&self, position: &Position<M>) -> u64 {
        position.tally.steps
    }

    fn standing(&self, position: &Position<M>, seat: SeatId) -> i64 {
        let (topology, cells) = (&self.program.topology, &position.state.cells);
        match topology.stores.get(seat.index()).copied().unwrap_or(NONE) {
            NONE => {
                let own = seat.index() * topology.cells_each..(seat.index() + 1) * topology.cells_each;
                let travelled = topology.travelled.get(own.clone()).unwrap_or_default();
                own.zip(travelled).map(|(cell, steps)| i64::from(cells.get(cell)) * steps).sum()
            }
            store => i64::from(cells.get(store as usize)),
        }
    }
}
