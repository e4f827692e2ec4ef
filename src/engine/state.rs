//! Where a game stands: flat, of a fixed size, and without a pointer to its program.

use crate::{
    ir::{Bits as _, Cells as _, Model, NONE, Pc, Program, Registers as _},
    rules::Id as _,
    tree::Rounds,
    view::Man,
    view::View,
};

/// All that the future of a game depends on.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct State<M: Model> {
    pub(super) cells: M::Cells,
    pub(super) sets: M::Sets,
    pub(super) numbers: M::Numbers,
    /// The instruction that is due.
    pub(super) pc: Pc,
    pub(super) hand: i32,
    /// Where the last seed fell, and the square that the last man reached.
    pub(super) last: i32,
    pub(super) reached: i32,
    pub(super) again: i32,
    pub(super) round_winner: i32,
    pub(super) turns: u32,
    pub(super) round_start: u32,
    pub(super) round: u32,
    pub(super) quiet: u32,
    /// The ending that is being settled.
    pub(super) ending: i32,
    pub(super) mover: u8,
    pub(super) actor: u8,
    pub(super) beginner: u8,
    /// How many moves of men are under way: no ending is looked at before they are over.
    pub(super) moving: u8,
    pub(super) chosen: bool,
    pub(super) captured: bool,
    pub(super) repeated: bool,
    /// Whether an ending at once could have applied when the turn began: then it is looked at after every effect.
    pub(super) armed: bool,
}

impl<M: Model> State<M> {
    /// The start of a game, before the first turn.
    pub(super) fn new(program: &Program<M>) -> Self {
        let layout = &program.layout;
        let mut state = Self {
            cells: program.start.clone(),
            sets: M::Sets::new(layout.sets, M::Bits::NONE),
            numbers: M::Numbers::new(layout.numbers, 0),
            pc: 0,
            hand: 0,
            last: NONE,
            reached: NONE,
            again: 0,
            round_winner: NONE,
            turns: 0,
            round_start: 0,
            round: 1,
            quiet: 0,
            ending: NONE,
            mover: 0,
            actor: 0,
            beginner: 0,
            moving: 0,
            chosen: false,
            captured: false,
            repeated: false,
            armed: false,
        };
        for ((first, many), variable) in layout.variables.iter().zip(&program.rules.variables) {
            for register in *first..first + many {
                state.put(register, variable.start);
            }
        }
        state.occupy(program);
        state
    }

    /// Reckons anew which cells of men are occupied.
    fn occupy(&mut self, program: &Program<M>) {
        if let Some(men) = program.layout.men {
            let occupied = self.cells.occupied();
            self.put_set(men, occupied);
        }
    }

    /// A state at the start of a turn.
    pub(super) fn at(program: &Program<M>, view: &View) -> Self {
        let mut state = Self::new(program);
        let (rules, topology) = (&program.rules, &program.topology);
        state.cells = M::Cells::empty(topology.cells);
        if rules.men == 0 {
            for (site, seeds) in view.board.seeds.entries() {
                state.cells.set(site.index(), i32::from(*seeds));
            }
        }
        for (seat, way) in rules.ways.entries().filter(|_| rules.men > 0) {
            for cell in 0..way.spots.len() * topology.states {
                let (spot, in_state) = (cell / topology.states, cell % topology.states);
                let man =
                    Man { seat, spot: crate::rules::SpotId::new(spot), state: crate::rules::StateId::new(in_state) };
                let count = view.board.men(rules, man);
                state.cells.set(seat.index() * topology.cells_each + cell, i32::from(count));
            }
        }
        state.occupy(program);
        let seats = topology.seats;
        for mark in rules.marks.ids() {
            for (site, _) in rules.board.sites.entries() {
                if let Some(seat) = view.board.marked(mark, site) {
                    let register = (mark.index() * seats + seat.index()) as u16;
                    let set = state.set(register).or(M::Bits::one(site.index()));
                    state.put_set(register, set);
                }
            }
        }
        for ((first, _), values) in program.layout.variables.iter().zip(&view.board.variables) {
            for (n, value) in values.iter().enumerate() {
                state.put(first + n as u16, *value);
            }
        }
        state.mover = view.mover.index() as u8;
        state.turns = view.turns;
        state.round = view.round;
        state.beginner = view.beginner.index() as u8;
        state.quiet = view.quiet;
        state
    }

    /// What a register holds.
    #[inline]
    pub(super) fn number(&self, register: u16) -> i32 {
        self.numbers.as_ref().get(usize::from(register)).copied().unwrap_or(0)
    }

    #[inline]
    pub(super) fn put(&mut self, register: u16, value: i32) {
        if let Some(slot) = self.numbers.as_mut().get_mut(usize::from(register)) {
            *slot = value;
        }
    }

    #[inline]
    pub(super) fn set(&self, register: u16) -> M::Bits {
        self.sets.as_ref().get(usize::from(register)).copied().unwrap_or(M::Bits::NONE)
    }

    #[inline]
    pub(super) fn put_set(&mut self, register: u16, set: M::Bits) {
        if let Some(slot) = self.sets.as_mut().get_mut(usize::from(register)) {
            *slot = set;
        }
    }

    /// Forgets what is known only within a turn, so that positions are equal whatever turns led to them.
    #[inline(always)]
    pub(super) fn forget_turn(&mut self, program: &Program<M>) {
        let layout = &program.layout;
        for slot in self.numbers.as_mut().iter_mut().take(layout.numbers).skip(layout.turn_numbers) {
            *slot = 0;
        }
        for slot in self.sets.as_mut().iter_mut().take(layout.sets).skip(layout.turn_sets) {
            *slot = M::Bits::NONE;
        }
        self.pc = 0;
        self.actor = self.mover;
        self.last = NONE;
        self.reached = NONE;
        self.again = 0;
        self.moving = 0;
        self.ending = NONE;
        self.chosen = false;
        self.captured = false;
    }

    /// Sets anew what lasts only a turn.
    #[inline]
    pub(super) fn start_variables(&mut self, program: &Program<M>) {
        for (register, start) in &program.layout.each_turn {
            self.put(*register, *start);
        }
    }

    /// Forgets the counts that are still to be used.
    pub(super) fn clear_pool(&mut self, program: &Program<M>) {
        if let Some(pool) = program.layout.pool {
            let len = self.number(pool.base).clamp(0, i32::from(pool.most)) as u16;
            for register in pool.base..=pool.base + len {
                self.put(register, 0);
            }
        }
    }

    /// The members of a list.
    pub(super) fn items(&self, list: crate::ir::ListReg) -> &[i32] {
        let first = usize::from(list.base) + 1;
        let len = self.number(list.base).clamp(0, i32::from(list.most)) as usize;
        self.numbers.as_ref().get(first..first + len).unwrap_or_default()
    }
}

/// What lies and stands on the board, and what lasts from turn to turn.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct Snapshot<M: Model> {
    cells: M::Cells,
    /// Marks, men and variables, where there are any.
    sets: Vec<M::Bits>,
    numbers: Vec<i32>,
}

impl<M: Model> Clone for Snapshot<M> {
    fn clone(&self) -> Self {
        Self { cells: self.cells.clone(), sets: self.sets.clone(), numbers: self.numbers.clone() }
    }

    fn clone_from(&mut self, other: &Self) {
        self.cells.clone_from(&other.cells);
        self.sets.clone_from(&other.sets);
        self.numbers.clone_from(&other.numbers);
    }
}

impl<M: Model> Snapshot<M> {
    pub(super) fn of(state: &State<M>, program: &Program<M>) -> Self {
        let mut snapshot = Self { cells: state.cells.clone(), sets: vec![], numbers: vec![] };
        snapshot.take(state, program);
        snapshot
    }

    /// Takes the board of a state, into the memory there is.
    #[inline]
    pub(super) fn take(&mut self, state: &State<M>, program: &Program<M>) {
        let layout = &program.layout;
        self.cells.clone_from(&state.cells);
        if layout.turn_sets + layout.board_numbers == 0 {
            return;
        }
        self.sets.clear();
        self.sets.extend(state.sets.as_ref().iter().take(layout.turn_sets));
        self.numbers.clear();
        self.numbers.extend(state.numbers.as_ref().iter().take(layout.board_numbers));
    }

    /// Puts the board back.
    pub(super) fn restore(&self, state: &mut State<M>) {
        state.cells.clone_from(&self.cells);
        for (slot, set) in state.sets.as_mut().iter_mut().zip(&self.sets) {
            *slot = *set;
        }
        for (slot, number) in state.numbers.as_mut().iter_mut().zip(&self.numbers) {
            *slot = *number;
        }
    }

    /// Sets anew what lasts only a turn.
    fn without_turn(&mut self, program: &Program<M>) {
        for (register, start) in &program.layout.each_turn {
            if let Some(slot) = self.numbers.get_mut(usize::from(*register)) {
                *slot = *start;
            }
        }
    }
}

/// The most positions that are remembered.
const MAX_HISTORY: usize = 2000;

/// Positions that were there at the start of turns that followed one another.
#[derive(Debug, Clone)]
pub(super) struct History<M: Model> {
    /// The cells of each, behind their fingerprint.
    past: Vec<(u64, M::Cells)>,
    /// Marks, men and variables of each, where there are any.
    rest: Vec<Snapshot<M>>,
    /// Who moved first.
    first: u8,
}

impl<M: Model> History<M> {
    pub(super) fn new() -> Self {
        Self { past: vec![], rest: vec![], first: 0 }
    }

    pub(super) fn clear(&mut self) {
        self.past.clear();
        self.rest.clear();
    }

    pub(super) fn is_empty(&self) -> bool {
        self.past.is_empty()
    }

    /// Becomes like another, in the memory there is.
    pub(super) fn take(&mut self, other: &Self) {
        self.past.clone_from(&other.past);
        self.rest.clone_from(&other.rest);
        self.first = other.first;
    }

    /// Remembers a position, and says whether it had been there. Beyond their number no more are remembered.
    pub(super) fn see(&mut self, state: &State<M>, mover: u8, program: &Program<M>) -> bool {
        if self.past.is_empty() {
            self.first = mover;
        }
        // The same mover comes again after all others.
        let seats = program.topology.seats;
        let from = (usize::from(mover) + seats - usize::from(self.first)) % seats;
        let print = state.cells.fingerprint();
        let more = program.layout.turn_sets + program.layout.board_numbers > 0;
        let here = more.then(|| {
            let mut snapshot = Snapshot::of(state, program);
            snapshot.without_turn(program);
            snapshot
        });
        let past = self.past.get(from..).unwrap_or_default();
        for (n, (other, cells)) in past.iter().step_by(seats).enumerate() {
            let known = *other == print && *cells == state.cells;
            if known && (here.is_none() || self.rest.get(from + n * seats) == here.as_ref()) {
                return true;
            }
        }
        if self.past.len() < MAX_HISTORY {
            self.past.push((print, state.cells.clone()));
            self.rest.extend(here);
        }
        false
    }
}

/// What is counted beside the game, without influence on it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Tally {
    /// Seeds captured, or men sent back, by each seat; and at the start of the turn.
    pub(super) captured: [u32; 4],
    pub(super) before: [u32; 4],
    /// Sowings that reached their limit of laps, and those of them that were proved to go on for ever.
    pub(super) endless: u32,
    pub(super) proved: u32,
    /// Steps taken since the start.
    pub(super) steps: u64,
}

/// No rounds yet.
pub(super) fn no_rounds<M: Model>(program: &Program<M>) -> Rounds {
    Rounds {
        wins: vec![0; program.rules.sides.len()],
        endings: vec![0; program.rules.endings.len()],
        ..Rounds::default()
    }
}
