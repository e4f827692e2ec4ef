//! Instructions: one turn, from wherever it stands to the next choice, throw, or its end.

use super::{
    choose::Offer,
    native::Native,
    state::{History, Snapshot, State, Tally},
};
use crate::{
    ir::{Bits, Choose, List, Model, NONE, Num, Op, Pc, Program, Verdict, Visit},
    rules::{EndingId, Id as _, SeatId, SideId, ThrowId},
    tree::{End, GameResult, Rounds},
};

/// Where a game came to a halt.
#[derive(Debug, Clone, Copy)]
pub(super) enum Halt {
    /// A choice; the instruction is due.
    Choice,
    /// Nothing was chosen in the turn: it is passed.
    Pass,
    /// A throw whose count goes to a register.
    Throw(ThrowId, u16),
    Over(End),
    OutOfSteps,
    /// The turn of a move that is only tried is over, or begins a new round.
    TurnOver,
    /// What was chosen is refused.
    Refused,
    /// The head of the loop that is watched, before another round.
    Lap,
}

/// The steps of a game before it is stopped.
pub(super) const GAME_STEPS: u64 = 200_000_000;

/// Does instructions on a state.
pub(super) struct Run<'a, M: Model> {
    pub(super) program: &'a Program<M>,
    pub(super) state: &'a mut State<M>,
    pub(super) tally: &'a mut Tally,
    pub(super) rounds: &'a mut Rounds,
    /// The board when the turn began, where it can be taken back.
    pub(super) before: &'a mut Snapshot<M>,
    pub(super) history: &'a mut History<M>,
    /// What is offered at a choice.
    pub(super) offer: &'a mut Offer<M::Bits>,
    /// Memory for lists.
    pub(super) scratch: &'a mut Vec<Vec<i32>>,
    /// Steps left in the game.
    pub(super) fuel: u64,
    /// How many laps to look for a repetition where a sowing reaches its limit.
    pub(super) prove: u64,
    /// Whether a move is only tried: it goes to the end of its turn, and nothing of it stays.
    pub(super) trial: bool,
    /// The head of a loop of laps at which to halt.
    pub(super) watched: Option<Pc>,
    /// Who plays next, while an ending between two turns is settled; else nobody.
    pub(super) closing: u8,
    /// Machine code, where there is any, for moves that are only tried.
    pub(super) native: Option<&'a Native<M>>,
}

/// No seat.
pub(super) const NOBODY: u8 = u8::MAX;

impl<M: Model> Run<'_, M> {
    /// Takes steps; `false` when there are none left.
    #[inline]
    pub(super) fn charge(&mut self, steps: u64) -> bool {
        self.fuel = self.fuel.saturating_sub(steps);
        self.fuel > 0
    }

    /// Tries something on a copy of the game, with so many steps; nothing of it stays.
    pub(super) fn aside<R>(&mut self, fuel: u64, watched: Option<Pc>, with: impl FnOnce(&mut Run<'_, M>) -> R) -> R {
        let (mut state, mut tally, mut offer) = (self.state.clone(), *self.tally, Offer::new());
        with(&mut Run {
            program: self.program,
            state: &mut state,
            tally: &mut tally,
            rounds: self.rounds,
            before: self.before,
            history: self.history,
            offer: &mut offer,
            scratch: self.scratch,
            fuel,
            prove: 0,
            trial: true,
            watched,
            closing: NOBODY,
            native: self.native,
        })
    }

    /// Goes on, through ends of turns, to the next halt.
    pub(super) fn run(&mut self) -> Halt {
        let given = self.fuel;
        let halt = self.go_on();
        self.tally.steps += given - self.fuel;
        // What was not looked at to the end does not count.
        if self.fuel == 0 { Halt::OutOfSteps } else { halt }
    }

    fn go_on(&mut self) -> Halt {
        let program = self.program;
        let mut pc = self.state.pc;
        loop {
            let Some(op) = program.code.get(pc as usize) else { return Halt::OutOfSteps };
            let here = pc;
            pc += 1;
            match op {
                Op::TurnOver => {
                    if let Some(halt) = self.turn_over() {
                        return halt;
                    }
                    pc = self.state.pc;
                }
                Op::Pick(choice) => {
                    let set = self.set(&choice.from);
                    if set.is_empty() {
                        pc = choice.choose.none;
                    } else if choice.choose.try_when.as_ref().is_some_and(|test| self.test(test)) {
                        self.state.pc = here;
                        if let Some(halt) = self.tried(&choice.choose) {
                            return halt;
                        }
                        pc = self.state.pc;
                    } else {
                        self.state.pc = here;
                        self.offer.single(set);
                        return Halt::Choice;
                    }
                }
                Op::TableSow(sow) => {
                    let pit = self.num(&sow.pit);
                    pc = self.table_sow(sow, pit);
                }
                Op::Unless(test, to) => {
                    if !self.test(test) {
                        pc = *to;
                    }
                }
                Op::Jump(to) => pc = *to,
                Op::SetNum(register, num) => {
                    let value = self.num(num);
                    self.state.put(*register, value);
                }
                Op::SetTest(register, test) => {
                    let value = self.test(test);
                    self.state.put(*register, i32::from(value));
                }
                Op::SetBits(register, set) => {
                    let value = self.set(set);
                    self.state.put_set(*register, value);
                }
                Op::Capture { most: None, from } => self.capture(from),
                Op::CaptureOne(site) => self.capture_one(site),
                Op::Require(test) => {
                    if !self.test(test) {
                        if self.trial {
                            return Halt::Refused;
                        }
                        // Where what was chosen is not only tried, the turn is over.
                        pc = 0;
                    }
                }
                Op::Throw(throw, var) => {
                    self.state.pc = pc;
                    return Halt::Throw(*throw, *var);
                }
                Op::While { test, bound, rounds, laps, exit, reached } => {
                    if !self.charge(1) {
                        return Halt::OutOfSteps;
                    }
                    if !self.test(test) {
                        pc = *exit;
                    } else if self.watched == Some(here) {
                        self.state.pc = here;
                        return Halt::Lap;
                    } else if self.state.number(*rounds) < self.num(bound) {
                        let done = self.state.number(*rounds);
                        self.state.put(*rounds, done + 1);
                    } else {
                        pc = *reached;
                        if *laps {
                            self.endless(here);
                        }
                    }
                }
                Op::EachMember(rest, visit) => {
                    if !self.charge(1) {
                        return Halt::OutOfSteps;
                    }
                    let mut left = self.state.set(*rest);
                    let member = left.pop();
                    self.state.put_set(*rest, left);
                    pc = self.visit(member.map(|n| n as i32), visit, here);
                }
                Op::EachItem(list, cursor, visit) => {
                    if !self.charge(1) {
                        return Halt::OutOfSteps;
                    }
                    let at = self.state.number(*cursor);
                    let item = self.state.items(*list).get(at as usize).copied();
                    self.state.put(*cursor, at + 1);
                    pc = self.visit(item, visit, here);
                }
                Op::Refuse => {
                    if self.trial {
                        return Halt::Refused;
                    }
                    pc = 0;
                }
                Op::Choose(choose) => {
                    self.state.pc = here;
                    if let Some(halt) = self.tried(choose) {
                        return halt;
                    }
                    pc = self.state.pc;
                }
                Op::AtOnceIfArmed if !self.state.armed => {}
                Op::AtOnce | Op::AtOnceIfArmed => {
                    if self.state.ending == NONE {
                        self.state.pc = pc;
                        self.at_once();
                        pc = self.state.pc;
                    }
                }
                other => {
                    self.state.pc = pc;
                    if let Some(halt) = self.seldom(other, here) {
                        return halt;
                    }
                    pc = self.state.pc;
                }
            }
        }
    }

    /// Comes to a choice whose moves are several things, or must be tried.
    #[inline(never)]
    fn tried(&mut self, choose: &Choose<M::Bits>) -> Option<Halt> {
        match self.choose(choose)? {
            Halt::Refused if !self.trial => {
                self.state.pc = 0;
                None
            }
            halt => Some(halt),
        }
    }

    /// Instructions that a turn has once, or not at all.
    #[inline(never)]
    pub(super) fn seldom(&mut self, op: &Op<M::Bits>, pc: Pc) -> Option<Halt> {
        let program = self.program;
        match op {
            Op::Relay(relay) => self.relay(relay, pc),
            Op::Moved => {
                self.state.moving = self.state.moving.saturating_sub(1);
                self.at_once();
            }
            Op::NextSeed { first, towards, skipping, exit } => {
                if !self.charge(1) {
                    return Some(Halt::OutOfSteps);
                }
                if self.state.hand == 0 {
                    self.state.pc = *exit;
                } else {
                    self.next_seed(*first, *towards, *skipping);
                }
            }
            Op::SetOwn(first, num) => {
                let value = self.num(num);
                self.state.put(first + u16::from(self.state.actor), value);
            }
            Op::SetList(register, List::Men(set)) if self.set(set).is_empty() => self.state.put(register.base, 0),
            Op::SetList(register, list) => self.with_list(list, |run, items| run.put_list(*register, items)),
            Op::EachPlayer { before, next, exit } => {
                let seat = self.state.number(*next);
                if (seat as usize) < program.topology.seats {
                    self.state.actor = seat as u8;
                    self.state.put(*next, seat + 1);
                } else {
                    self.state.actor = self.state.number(*before) as u8;
                    self.state.pc = *exit;
                }
            }
            Op::ByPlayer { player, before, exit } => match self.num(player) {
                NONE => self.state.pc = *exit,
                seat => {
                    let actor = i32::from(self.state.actor);
                    self.state.put(*before, actor);
                    self.state.actor = seat as u8;
                }
            },
            Op::EndBy(before) => self.state.actor = self.state.number(*before) as u8,
            Op::Call { to, back } => {
                self.state.put(*back, pc as i32 + 1);
                self.state.pc = *to;
            }
            Op::Return(back) => self.state.pc = self.state.number(*back) as Pc,
            Op::Pass => {
                self.state.pc = 0;
                // A move that is broken off is over all the same.
                self.state.moving = 0;
                self.at_once();
            }
            Op::Again { times, reached } => {
                if !self.charge(1) {
                    return Some(Halt::OutOfSteps);
                }
                if self.state.again < self.num(times) {
                    self.state.again += 1;
                    self.state.moving = 0;
                    self.state.actor = self.state.mover;
                    self.state.pc = program.turn;
                    self.at_once();
                } else {
                    self.state.pc = *reached;
                }
            }
            Op::End(ending) => self.begin_ending(*ending),
            Op::NewRound(player) => {
                let seat = match self.num(player) {
                    NONE => self.state.beginner,
                    seat => seat as u8,
                };
                return self.new_round(seat);
            }
            Op::Most(num, round) => {
                let result = self.most(num);
                return self.decide(result, *round);
            }
            Op::Decide(verdict, round) => {
                let result = self.verdict(*verdict);
                return self.decide(result, *round);
            }
            effect => self.effect(effect),
        }
        None
    }

    fn put_list(&mut self, register: crate::ir::ListReg, items: &[i32]) {
        if items.len() > usize::from(register.most) {
            // No value of the turn has so many members in a game that is meant to be played.
            self.fuel = 0;
            return;
        }
        self.state.put(register.base, items.len() as i32);
        for (n, item) in items.iter().enumerate() {
            self.state.put(register.base + 1 + n as u16, *item);
        }
    }

    /// One more member of a walk, or its end; gives where it goes on.
    #[inline]
    fn visit(&mut self, member: Option<i32>, visit: &Visit<M::Bits>, head: Pc) -> Pc {
        let Some(member) = member else { return visit.exit };
        self.state.put(visit.var, member);
        // Members that are passed over are not asked whether the walk goes on.
        if visit.test.as_ref().is_some_and(|test| !self.test(test)) {
            head
        } else if visit.walk.as_ref().is_some_and(|walk| !self.test(walk)) {
            visit.exit
        } else {
            head + 1
        }
    }

    /// Lets the first ending that applies at once begin. With seeds in the hand none does (they would
    /// be lost), and none before a move is over.
    fn at_once(&mut self) {
        let program = self.program;
        if self.state.hand > 0 || self.state.moving > 0 || program.at_once.is_empty() {
            return;
        }
        // They are seen with the eyes of the mover, whoever acts.
        let actor = std::mem::replace(&mut self.state.actor, self.state.mover);
        let mut found = None;
        for (id, test) in &program.at_once {
            if self.test(test) {
                found = Some(*id);
                break;
            }
        }
        self.state.actor = actor;
        if let Some(id) = found {
            self.begin_ending(id);
        }
    }

    /// Lets an ending begin: what is left of the turn is not done.
    pub(super) fn begin_ending(&mut self, id: EndingId) {
        self.state.moving = 0;
        self.state.actor = self.state.mover;
        self.state.ending = id.index() as i32;
        self.state.pc = self.program.endings.get(id.index()).copied().unwrap_or(0);
    }

    fn verdict(&self, verdict: Verdict) -> GameResult {
        let rules = &self.program.rules;
        let own = *rules.side_of.at(SeatId::new(usize::from(self.state.mover)));
        match verdict {
            Verdict::MoverWins => GameResult::Won(own),
            Verdict::MoverLoses => {
                let mut others = rules.sides.ids().filter(|side| *side != own);
                match (others.next(), others.next()) {
                    (Some(one), None) => GameResult::Won(one),
                    _ => GameResult::Draw(rules.sides.ids().filter(|side| *side != own).collect()),
                }
            }
            Verdict::NobodyWins => GameResult::Draw(rules.sides.ids().collect()),
        }
    }

    /// The side for which a number is largest, its partners together, or a draw between those tied.
    fn most(&mut self, num: &Num<M::Bits>) -> GameResult {
        let program = self.program;
        let before = self.state.actor;
        let (mut best, mut tied) = (i64::MIN, [false; 8]);
        for (id, side) in program.rules.sides.entries() {
            let mut sum = 0;
            for seat in &side.seats {
                self.state.actor = seat.index() as u8;
                sum += i64::from(self.num(num));
            }
            if sum > best {
                (best, tied) = (sum, [false; 8]);
            }
            if let Some(slot) = tied.get_mut(id.index()) {
                *slot = sum == best;
            }
        }
        self.state.actor = before;
        let mut all = tied.iter().enumerate().filter(|(_, tied)| **tied).map(|(side, _)| SideId::new(side));
        match (all.next(), all.next()) {
            (Some(one), None) => GameResult::Won(one),
            _ => GameResult::Draw((0..8).filter(|n| tied.get(*n) == Some(&true)).map(SideId::new).collect()),
        }
    }

    /// The result of the game, or of a round: then what is settled goes on.
    fn decide(&mut self, result: GameResult, round: bool) -> Option<Halt> {
        let ending = usize::try_from(self.state.ending).ok();
        if !round {
            // A turn in which something was chosen counts, though the game ended before its end.
            self.state.turns += u32::from(self.state.chosen);
            if self.closing != NOBODY {
                self.state.mover = self.closing;
            }
            return Some(Halt::Over(End { result, ending: ending.map(EndingId::new) }));
        }
        self.state.round_winner = NONE;
        if let GameResult::Won(side) = result {
            let winners = &self.program.rules.sides.at(side).seats;
            let mover = SeatId::new(usize::from(self.state.mover));
            let winner = if winners.contains(&mover) { Some(&mover) } else { winners.first() };
            self.state.round_winner = winner.map_or(NONE, |seat| seat.index() as i32);
        }
        if self.trial {
            return None;
        }
        let rounds = &mut *self.rounds;
        rounds.played += 1;
        if let Some(count) = ending.and_then(|ending| rounds.endings.get_mut(ending)) {
            *count += 1;
        }
        match result {
            GameResult::Won(side) => {
                if let Some(wins) = rounds.wins.get_mut(side.index()) {
                    *wins += 1;
                }
            }
            _ => rounds.draws += 1,
        }
        None
    }
}
