//! From turn to turn, and endings.

use std::mem::offset_of;

use cranelift_codegen::ir::{
    Block, InstBuilder as _, JumpTableData, MemFlagsData, Value,
    condcodes::IntCC,
    types::{I8, I32},
};

use super::{
    call::{ASK, Context, HALTED, Helper, LIMIT},
    code::Code,
};
use crate::{
    engine::run::NOBODY,
    ir::{Model, NONE, Op, Pc},
    rules::{EndingId, Id as _},
};

impl<M: Model> Code<'_, '_, M> {
    /// All turns of all movers.
    pub(super) fn game(&mut self) {
        let program = self.program;
        let known = acts(program);
        for seat in 0..program.topology.seats {
            for ((op, pc), known) in program.code.iter().zip(0..).zip(&known) {
                self.seat = seat;
                self.actor = known.then_some(seat);
                let block = self.at(pc);
                self.begin(block);
                if self.is_too_long() {
                    self.leave(ASK);
                } else {
                    self.instruction(pc, op);
                }
            }
        }
        self.goes_on();
    }

    /// Goes on where the position says.
    fn goes_on(&mut self) {
        let program = self.program;
        let entries = entries(program);
        let dispatch = self.dispatch;
        self.begin(dispatch);
        self.reload();
        let lost = self.block();
        let none = self.f.func.dfg.block_call(lost, &[]);
        let mut all = vec![];
        for seat in 0..program.topology.seats {
            for (pc, entry) in (0..).zip(&entries) {
                let block = if *entry { self.block_of(seat, pc) } else { lost };
                all.push(self.f.func.dfg.block_call(block, &[]));
            }
        }
        let table = self.f.create_jump_table(JumpTableData::new(none, &all));
        let (mover, pc) = (self.get_byte(self.fields.mover), self.get_int(self.fields.pc));
        let first = self.f.ins().imul_imm_s(mover, program.code.len() as i64);
        let at = self.f.ins().iadd(first, pc);
        self.f.ins().br_table(at, table);
        self.begin(lost);
        self.f.set_cold_block(lost);
        self.leave(ASK);
    }

    /// The turn is over: endings are looked at, and the next one begins.
    pub(super) fn turn_over(&mut self) {
        let program = self.program;
        let seat = self.seat;
        let next = (seat + 1) % program.topology.seats;
        let (chosen, closing) = (self.get_byte(self.fields.chosen), self.get_byte(self.fields.closing));
        let nobody = self.is(IntCC::Equal, closing, i64::from(NOBODY));
        let chosen = self.f.ins().ireduce(I8, chosen);
        let over = self.f.ins().band(chosen, nobody);
        let (on, passed) = (self.block(), self.block());
        self.branch(over, on, passed);
        self.f.set_cold_block(passed);
        self.begin(passed);
        self.no_turn();
        self.begin(on);

        let turns = self.get_int(self.fields.turns);
        let turns = self.f.ins().iadd_imm_s(turns, 1);
        self.set(self.fields.turns, turns);
        let quiet = if program.rules.counts_quiet {
            let (captured, quiet) = (self.get_byte(self.fields.captured), self.get_int(self.fields.quiet));
            let (more, zero) = (self.f.ins().iadd_imm_s(quiet, 1), self.int(0));
            self.f.ins().select(captured, zero, more)
        } else {
            self.int(0)
        };
        self.set(self.fields.quiet, quiet);
        if let Some(pool) = program.layout.pool {
            self.put_int(pool.base, 0);
        }
        if program.rules.remembers {
            let next = self.int(next as i32);
            self.call(Helper::Remember, &[next]);
        }
        self.forget_turn();
        self.actor = Some(seat);
        for (ending, test) in &program.after_turn {
            let (yes, no) = (self.block(), self.block());
            self.test(test, yes, no);
            self.f.set_cold_block(yes);
            self.begin(yes);
            self.set_byte(self.fields.repeated, 0);
            self.set_byte(self.fields.closing, next as u8);
            self.begin_ending(*ending);
            self.begin(no);
        }
        self.set_byte(self.fields.repeated, 0);
        self.set_byte(self.fields.mover, next as u8);
        self.next_turn(next);
    }

    /// Nothing was chosen: the turn is passed.
    fn no_turn(&mut self) {
        let answer = self.call(Helper::NoTurn, &[]);
        self.by_answer(answer);
        let again = self.at(0);
        self.to(again);
    }

    /// Goes on where a helper answers 0; else the game halts, or the node is asked for.
    pub(super) fn by_answer(&mut self, answer: Value) {
        let (on, other) = (self.block(), self.block());
        self.branch(answer, other, on);
        self.f.set_cold_block(other);
        self.begin(other);
        let halted = self.is(IntCC::Equal, answer, 1);
        let (ask, halt) = (self.int(ASK), self.int(HALTED));
        let code = self.f.ins().select(halted, halt, ask);
        self.f.ins().return_(&[code]);
        self.begin(on);
    }

    /// What is known only within a turn.
    fn forget_turn(&mut self) {
        let code = &self.program.code;
        let men = self.program.rules.men > 0;
        let again = code.iter().any(|op| matches!(op, Op::Again { .. }));
        self.set_byte(self.fields.actor, self.seat as u8);
        let nowhere = self.int(NONE);
        self.set_last(nowhere);
        self.set_int(self.fields.ending, NONE);
        if men {
            self.set_int(self.fields.reached, NONE);
            self.set_byte(self.fields.moving, 0);
        }
        if again {
            self.set_int(self.fields.again, 0);
        }
        self.set_byte(self.fields.chosen, 0);
        self.set_byte(self.fields.captured, 0);
    }

    /// Begins a turn of a seat.
    fn next_turn(&mut self, next: usize) {
        let program = self.program;
        let seat = std::mem::replace(&mut self.seat, next);
        let turns = self.get_int(self.fields.turns);
        let over = self.is(IntCC::UnsignedGreaterThanOrEqual, turns, i64::from(program.rules.limit));
        let (end, on) = (self.block(), self.block());
        self.branch(over, end, on);
        self.f.set_cold_block(end);
        self.begin(end);
        self.set_int(self.fields.pc, 0);
        self.leave(LIMIT);
        self.begin(on);
        self.set_byte(self.fields.actor, next as u8);
        self.actor = Some(next);
        for (register, start) in &program.layout.each_turn {
            self.put_int(*register, *start);
        }
        if program.rules.can_take_back {
            self.call(Helper::KeepBoard, &[]);
        }
        if !program.at_once.is_empty() {
            let mut armed = self.truth_of(false);
            for (_, test) in &program.at_once {
                let truth = self.truth(test);
                armed = self.f.ins().bor(armed, truth);
            }
            self.set(self.fields.armed, armed);
        }
        self.charge_one();
        let turn = self.at(program.turn);
        self.to(turn);
        self.seat = seat;
        self.actor = Some(seat);
    }

    /// Lets an ending begin.
    pub(super) fn begin_ending(&mut self, ending: EndingId) {
        self.set_byte(self.fields.moving, 0);
        self.set_byte(self.fields.actor, self.seat as u8);
        self.set_int(self.fields.ending, ending.index() as i32);
        let at = self.program.endings.get(ending.index()).copied().unwrap_or(0);
        let block = self.at(at);
        self.to(block);
    }

    /// Endings that apply at once are looked at, with the eyes of the mover; then it goes on elsewhere. Some are only
    /// looked at where no ending is being settled.
    pub(super) fn at_once(&mut self, unless_settled: bool, next: Block) {
        let program = self.program;
        if program.at_once.is_empty() {
            self.to(next);
            return;
        }
        let hand = self.get_int(self.fields.hand);
        let mut ready = self.is(IntCC::SignedLessThanOrEqual, hand, 0);
        let moving = self.get_byte(self.fields.moving);
        let still = self.is(IntCC::Equal, moving, 0);
        ready = self.f.ins().band(ready, still);
        if unless_settled {
            let ending = self.get_int(self.fields.ending);
            let none = self.is(IntCC::Equal, ending, i64::from(NONE));
            ready = self.f.ins().band(ready, none);
        }
        let looked = self.block();
        self.branch(ready, looked, next);
        self.begin(looked);
        let seat = self.seat;
        for (ending, test) in &program.at_once {
            let (yes, no) = (self.block(), self.block());
            let truth = self.as_actor(seat, |code| code.truth(test));
            self.branch(truth, yes, no);
            self.f.set_cold_block(yes);
            self.begin(yes);
            self.begin_ending(*ending);
            self.begin(no);
        }
        self.to(next);
    }

    /// Leaves with the node that is due at an instruction.
    pub(super) fn ask_at(&mut self, pc: Pc) {
        self.set_int(self.fields.pc, pc as i32);
        self.leave(ASK);
    }

    /// Asks for the node of an instruction where enough turns are over.
    pub(super) fn stop_at(&mut self, pc: Pc) {
        let flags = MemFlagsData::trusted().with_readonly();
        let offset = offset_of!(Context<'_, '_, M>, max_turns) as i32;
        let most = self.f.ins().load(I32, flags, self.context, offset);
        let turns = self.get_int(self.fields.turns);
        let over = self.f.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, turns, most);
        let (end, on) = (self.block(), self.block());
        self.branch(over, end, on);
        self.f.set_cold_block(end);
        self.begin(end);
        self.ask_at(pc);
        self.begin(on);
    }
}

/// Instructions at which a game can be taken up: nodes, and where helpers lead.
fn entries<M: Model>(program: &crate::ir::Program<M>) -> Vec<bool> {
    let mut entries = vec![false; program.code.len()];
    let mut mark = |pc: Pc| {
        if let Some(entry) = entries.get_mut(pc as usize) {
            *entry = true;
        }
    };
    mark(0);
    mark(program.turn);
    program.endings.iter().copied().for_each(&mut mark);
    for (op, pc) in program.code.iter().zip(0..) {
        match op {
            Op::Pick(choice) => {
                mark(pc);
                mark(pc + 1);
                mark(choice.choose.none);
                choice.choose.none_allowed.into_iter().for_each(&mut mark);
            }
            Op::Choose(choose) => {
                mark(pc);
                mark(pc + 1);
                mark(choose.none);
                choose.none_allowed.into_iter().for_each(&mut mark);
            }
            Op::Throw(..) => mark(pc),
            Op::NextSeed { exit, .. } => mark(*exit),
            _ => {}
        }
    }
    entries
}

/// At which instructions the one who acts is the mover.
fn acts<M: Model>(program: &crate::ir::Program<M>) -> Vec<bool> {
    let code = &program.code;
    // For each instruction, whether the mover acts; nothing where it has not been reached.
    let mut known: Vec<Option<bool>> = vec![None; code.len()];
    let mut open: Vec<(Pc, bool)> = program.endings.iter().map(|pc| (*pc, true)).collect();
    open.extend([(0, true), (program.turn, true)]);
    while let Some((pc, mover)) = open.pop() {
        let Some(slot) = known.get_mut(pc as usize) else { continue };
        let now = slot.unwrap_or(true) && mover;
        if *slot == Some(now) {
            continue;
        }
        *slot = Some(now);
        let Some(op) = code.get(pc as usize) else { continue };
        let mut targets = vec![];
        op.clone().for_each_target(|to| targets.push(*to));
        match op {
            Op::EachPlayer { exit, .. } => {
                // Behind it acts who acted before it: all who come from outside the block.
                open.push((*exit, now));
                open.push((pc + 1, false));
            }
            Op::ByPlayer { exit, .. } => {
                open.push((*exit, now));
                open.push((pc + 1, false));
            }
            Op::Return(back) => {
                for (call, at) in code.iter().zip(0..) {
                    if matches!(call, Op::Call { back: register, .. } if register == back) {
                        open.push((at + 1, now));
                    }
                }
            }
            Op::TurnOver | Op::Refuse | Op::Pass => {}
            Op::Jump(to) | Op::Call { to, .. } => open.push((*to, now)),
            _ => {
                open.push((pc + 1, now));
                open.extend(targets.into_iter().map(|to| (to, now)));
            }
        }
    }
    known.into_iter().map(|known| known == Some(true)).collect()
}
