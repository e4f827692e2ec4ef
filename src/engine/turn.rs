//! From turn to turn: endings, rounds, and what is remembered.

use super::run::{Halt, NOBODY, Run};
use crate::{
    ir::{Model, NONE},
    tree::{End, GameResult, Stop},
};

impl<M: Model> Run<'_, M> {
    /// The instructions of a turn are done. Where it is not passed, it ends, and endings are looked at.
    #[inline(always)]
    pub(super) fn turn_over(&mut self) -> Option<Halt> {
        if self.trial {
            return Some(Halt::TurnOver);
        }
        let (program, state) = (self.program, &mut *self.state);
        if !state.chosen || self.closing != NOBODY {
            return Some(self.no_turn());
        }
        state.turns += 1;
        state.quiet = if state.captured || !program.rules.counts_quiet { 0 } else { state.quiet + 1 };
        if program.layout.pool.is_some() {
            state.clear_pool(program);
        }
        let next = state.mover + 1;
        let next = if usize::from(next) == program.topology.seats { 0 } else { next };
        if program.rules.remembers {
            self.remember(next);
        }
        self.state.forget_turn(program);
        self.close(next)
    }

    /// Looks at the endings with the eyes of the one whose turn it was, and goes on to the next one's.
    #[inline(always)]
    pub(super) fn close(&mut self, next: u8) -> Option<Halt> {
        let program = self.program;
        for (ending, test) in &program.after_turn {
            if self.test(test) {
                self.state.repeated = false;
                self.closing = next;
                self.begin_ending(*ending);
                return None;
            }
        }
        self.state.repeated = false;
        self.state.mover = next;
        self.next_turn()
    }

    /// A turn is passed, or an ending settled nothing.
    #[cold]
    pub(super) fn no_turn(&mut self) -> Halt {
        self.state.pc = 0;
        if self.closing != NOBODY {
            self.state.mover = std::mem::replace(&mut self.closing, NOBODY);
            return Halt::OutOfSteps;
        }
        self.offer.pass();
        Halt::Pass
    }

    #[inline(never)]
    pub(super) fn remember(&mut self, next: u8) {
        if self.state.captured {
            self.history.clear();
        }
        self.state.repeated = self.history.see(self.state, next, self.program);
    }

    /// The first of the positions that are remembered is that at the start.
    pub(super) fn remember_first(&mut self) {
        if self.history.is_empty() {
            self.history.see(self.state, self.state.mover, self.program);
        }
    }

    /// Keeps the board as it is, so that a turn can be taken back.
    pub(super) fn keep_board(&mut self) {
        self.before.take(self.state, self.program);
        self.tally.before = self.tally.captured;
    }

    /// Begins a new round.
    pub(super) fn new_round(&mut self, seat: u8) -> Option<Halt> {
        if self.trial {
            return Some(Halt::TurnOver);
        }
        let (program, state) = (self.program, &mut *self.state);
        // A round counts at least one turn, so that rounds in which nobody plays come to the limit too.
        let none_yet = state.turns == state.round_start && !state.chosen;
        state.turns += u32::from(state.chosen || none_yet);
        state.round += 1;
        state.round_start = state.turns;
        (state.mover, state.beginner) = (seat, seat);
        state.quiet = 0;
        state.round_winner = NONE;
        state.hand = 0;
        state.clear_pool(program);
        state.forget_turn(program);
        self.closing = NOBODY;
        self.history.clear();
        // The first turn of a round is played before any ending is looked at: so rounds cannot follow one another for ever.
        self.next_turn()
    }

    /// Begins a turn of the mover.
    #[inline(always)]
    fn next_turn(&mut self) -> Option<Halt> {
        let (program, state) = (self.program, &mut *self.state);
        if state.turns >= program.rules.limit {
            return Some(Halt::Over(End { result: GameResult::Stopped(Stop::Limit), ending: None }));
        }
        state.actor = state.mover;
        state.start_variables(program);
        state.pc = program.turn;
        if program.rules.can_take_back {
            self.keep_board();
        }
        if program.rules.remembers {
            self.remember_first();
        }
        if !program.at_once.is_empty() {
            let mut armed = false;
            for (_, test) in &program.at_once {
                armed |= self.test(test);
            }
            self.state.armed = armed;
        }
        if self.charge(1) { None } else { Some(Halt::OutOfSteps) }
    }
}
