//! Choices: the moves on offer, and which of them can be played to the end of the turn.

use super::run::{Halt, Run};
use crate::{
    ir::{Bits, Candidates, Choose, Model, NONE, Pick},
    rules::MAX_MOVES,
};

/// The moves on offer.
#[derive(Debug, Clone)]
pub(super) struct Offer<B> {
    /// Members of a set in ascending order, where one thing is chosen.
    pub(super) set: Option<B>,
    /// Else what each move decides, one after the other, so many things a move.
    pub(super) list: Vec<i32>,
    pub(super) width: usize,
    /// Whether the last move is to choose nothing.
    pub(super) declines: bool,
    pub(super) count: usize,
}

impl<B: Bits> Offer<B> {
    pub(super) fn new() -> Self {
        Self { set: None, list: vec![], width: 0, declines: false, count: 0 }
    }

    /// Becomes like another, in the memory there is.
    pub(super) fn take(&mut self, other: &Self) {
        self.list.clone_from(&other.list);
        (self.set, self.width, self.declines, self.count) = (other.set, other.width, other.declines, other.count);
    }

    fn clear(&mut self, width: usize) {
        self.set = None;
        self.list.clear();
        self.width = width;
        self.declines = false;
        self.count = 0;
    }

    /// One member of a set.
    #[inline(always)]
    pub(super) fn single(&mut self, set: B) {
        self.set = Some(set);
        self.declines = false;
        self.count = set.len();
    }

    /// Nothing but a pass.
    pub(super) fn pass(&mut self) {
        self.clear(0);
        self.declines = true;
        self.count = 1;
    }

    /// Calls with the registers' values of a move; none for the one that chooses nothing.
    #[inline(always)]
    pub(super) fn part(&self, n: usize, part: usize) -> Option<i32> {
        match self.set {
            Some(set) => set.nth(n).map(|member| member as i32),
            None if part < self.width => self.list.get(n * self.width + part).copied(),
            None => None,
        }
    }

    fn reckon(&mut self) {
        let moves = match self.set {
            Some(set) => set.len(),
            None => self.list.len() / self.width.max(1),
        };
        self.count = moves + usize::from(self.declines);
    }
}

impl<M: Model> Run<'_, M> {
    /// Comes to a choice, or goes on where there is none.
    pub(super) fn choose(&mut self, choose: &Choose<M::Bits>) -> Option<Halt> {
        self.offer.clear(choose.picks.len());
        match choose.picks.as_slice() {
            [Pick { from: Candidates::Set(set), test: None, .. }] => self.offer.set = Some(self.set(set)),
            picks => {
                let mut moves = self.scratch.pop().unwrap_or_default();
                moves.clear();
                let mut parts = self.scratch.pop().unwrap_or_default();
                parts.clear();
                self.combine(picks, &mut parts, &mut moves);
                std::mem::swap(&mut self.offer.list, &mut moves);
                self.scratch.extend([moves, parts]);
            }
        }
        self.offer.reckon();
        self.settle(choose)
    }

    /// Comes to a choice whose moves are offered already, each of several parts.
    pub(super) fn choose_among(&mut self, choose: &Choose<M::Bits>, moves: &[i32]) -> Option<Halt> {
        self.offer.clear(choose.picks.len());
        self.offer.list.extend_from_slice(moves);
        self.offer.reckon();
        self.settle(choose)
    }

    /// What becomes of the moves that are offered.
    fn settle(&mut self, choose: &Choose<M::Bits>) -> Option<Halt> {
        if self.fuel == 0 || self.offer.count > MAX_MOVES {
            self.fuel = 0;
            return Some(Halt::OutOfSteps);
        }
        if self.offer.count == 0 {
            self.state.pc = choose.none;
            return None;
        }
        let tries = choose.try_when.as_ref().is_some_and(|test| self.test(test));
        if tries {
            self.allowed(choose);
        }
        if self.offer.count == 0 {
            match choose.none_allowed {
                Some(pc) => self.state.pc = pc,
                // Where nothing must be chosen, nothing is.
                None if choose.may => self.state.pc = choose.none,
                None => return Some(Halt::Refused),
            }
            return None;
        }
        if choose.may {
            self.offer.declines = !tries
                || self.trial(|trial| {
                    trial.state.chosen = true;
                    trial.state.pc = choose.none;
                });
            self.offer.reckon();
        }
        Some(Halt::Choice)
    }

    /// Makes the n-th move of a choice.
    pub(super) fn take_move(&mut self, choose: &Choose<M::Bits>, n: usize) {
        self.state.chosen = true;
        if self.offer.declines && n + 1 == self.offer.count {
            self.state.pc = choose.none;
            return;
        }
        for (at, pick) in choose.picks.iter().enumerate() {
            let part = self.offer.part(n, at).unwrap_or(NONE);
            self.state.put(pick.var, part);
        }
        self.state.pc += 1;
    }

    /// All different moves of a choice, in the order of its sets.
    fn combine(&mut self, picks: &[Pick<M::Bits>], parts: &mut Vec<i32>, moves: &mut Vec<i32>) {
        let Some((pick, rest)) = picks.split_first() else {
            moves.extend_from_slice(parts);
            return;
        };
        let mut items = self.scratch.pop().unwrap_or_default();
        items.clear();
        match &pick.from {
            Candidates::Set(set) => {
                let set = self.set(set);
                items.extend(set.members().map(|n| n as i32));
            }
            Candidates::List(list) => {
                self.list(list, &mut items);
                once_each(&mut items);
            }
        }
        for item in &items {
            if moves.len() > MAX_MOVES * 8 || self.fuel == 0 {
                self.fuel = 0;
                break;
            }
            self.fuel -= 1;
            self.state.put(pick.var, *item);
            if pick.test.as_ref().is_some_and(|test| !self.test(test)) {
                continue;
            }
            parts.push(*item);
            self.combine(rest, parts, moves);
            parts.pop();
        }
        self.scratch.push(items);
    }

    /// Leaves only those moves with which the turn can be played to its end without being refused.
    fn allowed(&mut self, choose: &Choose<M::Bits>) {
        if let Some(set) = self.offer.set {
            let Some(pick) = choose.picks.first() else { return };
            let mut left = M::Bits::NONE;
            for member in set.members() {
                let can = self.trial(|trial| {
                    trial.state.put(pick.var, member as i32);
                    trial.state.chosen = true;
                    trial.state.pc += 1;
                });
                if can {
                    left = left.or(M::Bits::one(member));
                }
            }
            self.offer.set = Some(left);
        } else {
            let moves = std::mem::take(&mut self.offer.list);
            let width = self.offer.width.max(1);
            let mut left = self.scratch.pop().unwrap_or_default();
            left.clear();
            for parts in moves.chunks(width) {
                let can = self.trial(|trial| {
                    for (pick, part) in choose.picks.iter().zip(parts) {
                        trial.state.put(pick.var, *part);
                    }
                    trial.state.chosen = true;
                    trial.state.pc += 1;
                });
                if can {
                    left.extend(parts);
                }
            }
            self.offer.list = left;
            self.scratch.push(moves);
        }
        self.offer.reckon();
    }

    /// Whether the turn, begun so, can be played to its end; nothing of it stays.
    fn trial(&mut self, begin: impl FnOnce(&mut Run<'_, M>)) -> bool {
        let (can, fuel) = self.aside(self.fuel, None, |trial| {
            begin(trial);
            (trial.can_end(), trial.fuel)
        });
        self.fuel = fuel;
        can
    }

    /// Whether the turn can go on to its end, whatever is thrown, with some choice at each node.
    fn can_end(&mut self) -> bool {
        let halt = match self.native.and_then(|native| native.try_out(self)) {
            Some(halt) => halt,
            None => self.run(),
        };
        match halt {
            // Choices are offered only if each of them can end.
            Halt::Choice | Halt::TurnOver | Halt::Over(_) => true,
            Halt::Refused | Halt::OutOfSteps | Halt::Lap | Halt::Pass => false,
            Halt::Throw(throw, register) => {
                let program = self.program;
                let falls = &program.rules.throws.at(throw).outcomes;
                falls.iter().all(|fall| self.trial(|trial| trial.state.put(register, fall.count)))
            }
        }
    }
}

/// Leaves only the first of equal numbers.
pub(super) fn once_each(items: &mut Vec<i32>) {
    let mut kept = 0;
    for at in 0..items.len() {
        let Some(item) = items.get(at).copied() else { break };
        if !items.get(..kept).unwrap_or_default().contains(&item) {
            items.swap(kept, at);
            kept += 1;
        }
    }
    items.truncate(kept);
}
