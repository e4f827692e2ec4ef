//! From turn to turn: endings, rounds, and what is remembered.

use super::run::{Halt, Run};
use crate::{
    ir::{Model, NONE},
    tree::{End, GameResult, Stop},
};

impl<M: Model> Run<'_, M> {
    /// The instructions of a turn are done. Where it is not passed, it ends and the next one begins.
    #[inline]
    pub(super) fn turn_over(&mut self) -> Option<Halt> {
        self.state.pc = 0;
        if self.trial {
            return Some(Halt::TurnOver);
        }
        if self.closing.is_some() {
            // An ending that settles nothing.
            self.state.mover = self.closing.take().unwrap_or(self.state.mover);
            return Some(Halt::OutOfSteps);
        }
        if !self.state.chosen {
            self.offer.pass();
            return Some(Halt::Pass);
        }
        let (program, state) = (self.program, &mut *self.state);
        state.turns += 1;
        state.quiet = if state.captured || !program.rules.counts_quiet { 0 } else { state.quiet + 1 };
        state.clear_pool(program);
        let next = state.mover + 1;
        let next = if usize::from(next) == program.topology.seats { 0 } else { next };
        if program.rules.remembers {
            if state.captured {
                self.history.clear();
            }
            state.repeated = self.history.see(state, next, program);
        }
        state.forget_turn(program);
        self.close(next)
    }

    /// Looks at the endings with the eyes of the one whose turn it was, and goes on to the next one's.
    #[inline]
    pub(super) fn close(&mut self, next: u8) -> Option<Halt> {
        let program = self.program;
        let ending = program.after_turn.iter().find(|(_, test)| self.test(test));
        self.state.repeated = false;
        match ending {
            None => {
                self.state.mover = next;
                self.next_turn()
            }
            Some((ending, _)) => {
                self.closing = Some(next);
                self.begin_ending(*ending);
                None
            }
        }
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
        self.closing = None;
        self.history.clear();
        // The first turn of a round is played before any ending is looked at: so rounds cannot follow one another for ever.
        self.next_turn()
    }

    /// Begins a turn of the mover.
    #[inline]
    fn next_turn(&mut self) -> Option<Halt> {
        let (program, state) = (self.program, &mut *self.state);
        if state.turns >= program.rules.limit {
            return Some(Halt::Over(End { result: GameResult::Stopped(Stop::Limit), ending: None }));
        }
        state.actor = state.mover;
        state.start_variables(program);
        state.pc = program.turn;
        if program.rules.can_take_back {
            self.before.take(state, program);
            self.tally.before = self.tally.captured;
        }
        if program.rules.remembers && self.history.is_empty() {
            self.history.see(state, state.mover, program);
        }
        if self.charge(1) { None } else { Some(Halt::OutOfSteps) }
    }
}
