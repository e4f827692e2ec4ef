//! Instructions: what each becomes, and how one leads to the next.

use cranelift_codegen::ir::{
    InstBuilder as _, Value,
    condcodes::IntCC,
    types::{I8, I32},
};

use super::{
    call::{Helper, MOST_LISTS, REFUSED, TURN_OVER},
    code::Code,
};
use crate::ir::{List, Model, Op, Pc, Visit};

impl<M: Model> Code<'_, '_, M> {
    /// The code of one instruction of the mover's turn; it always leads on.
    pub(super) fn instruction(&mut self, pc: Pc, op: &Op<M::Bits>) {
        let next = self.at(pc + 1);
        match op {
            Op::TurnOver if self.trial => self.leave(TURN_OVER),
            Op::Refuse if self.trial => self.leave(REFUSED),
            Op::Require(test) if self.trial => {
                let refused = self.block();
                self.test(test, next, refused);
                self.begin(refused);
                self.leave(REFUSED);
            }
            Op::Choose(_) | Op::Pick(_) | Op::Throw(..) if self.trial => self.ask_at(pc),
            Op::TurnOver => self.turn_over(),
            Op::Jump(to) => self.to(self.at(*to)),
            Op::Unless(test, to) => {
                let to = self.at(*to);
                self.test(test, next, to);
            }
            Op::SetNum(register, num) => {
                let value = self.num(num);
                self.put(*register, value);
                self.to(next);
            }
            Op::SetTest(register, test) => {
                let truth = self.truth(test);
                let value = self.f.ins().uextend(I32, truth);
                self.put(*register, value);
                self.to(next);
            }
            Op::SetOwn(first, num) => {
                let value = self.num(num);
                self.put_own(*first, value);
                self.to(next);
            }
            Op::SetBits(register, set) => {
                let words = self.set_value(set);
                self.put_set(*register, &words);
                self.to(next);
            }
            Op::SetList(register, List::Men(set)) => {
                // Mostly there are none.
                let words = self.set_value(set);
                let (some, none) = (self.block(), self.block());
                let any = self.any(&words);
                self.branch(any, some, none);
                self.begin(none);
                self.put_int(register.base, 0);
                self.to(next);
                self.begin(some);
                self.put_men(*register, &words);
                self.to(next);
            }
            Op::Choose(choose) if choose.picks.len() <= MOST_LISTS => self.choose(pc, choose),
            Op::Choose(_) => {
                let none = self.int(0);
                self.choose_by_interpreter(pc, none);
            }
            Op::Pick(choice) => self.pick(pc, choice),
            Op::Throw(throw, register) => self.throw(pc, *throw, *register),
            Op::While { test, bound, rounds, laps, exit, reached } => {
                self.charge_one();
                let on = self.block();
                let exit = self.at(*exit);
                self.test(test, on, exit);
                self.begin(on);
                let (done, bound) = (self.number(*rounds), self.num(bound));
                let more = self.f.ins().icmp(IntCC::SignedLessThan, done, bound);
                let (round, end) = (self.block(), self.block());
                self.branch(more, round, end);
                self.begin(end);
                if *laps {
                    let head = self.long(i64::from(pc));
                    self.call(Helper::Endless, &[head]);
                }
                self.to(self.at(*reached));
                self.begin(round);
                let done = self.f.ins().iadd_imm_s(done, 1);
                self.put(*rounds, done);
                self.to(next);
            }
            Op::Relay(relay) => {
                self.relay(pc, relay);
                self.to(next);
            }
            Op::EachMember(rest, visit) => {
                self.charge_one();
                let left = self.set_of(*rest);
                let any = self.any(&left);
                let some = self.block();
                let exit = self.at(visit.exit);
                self.branch(any, some, exit);
                self.begin(some);
                let (member, left) = self.pop(&left);
                self.put_set(*rest, &left);
                self.visit(pc, member, visit);
            }
            Op::EachItem(list, cursor, visit) => {
                self.charge_one();
                let (at, len) = (self.number(*cursor), self.list_len(*list));
                let more = self.f.ins().icmp(IntCC::UnsignedLessThan, at, len);
                let some = self.block();
                let exit = self.at(visit.exit);
                self.branch(more, some, exit);
                self.begin(some);
                let item = self.list_item(*list, at);
                let at = self.f.ins().iadd_imm_s(at, 1);
                self.put(*cursor, at);
                self.visit(pc, item, visit);
            }
            Op::EachPlayer { before, next: counter, exit } => {
                let seat = self.number(*counter);
                let more = self.is(IntCC::UnsignedLessThan, seat, self.program.topology.seats as i64);
                let (some, end) = (self.block(), self.block());
                self.branch(more, some, end);
                self.begin(some);
                self.set_actor(seat);
                let seat = self.f.ins().iadd_imm_s(seat, 1);
                self.put(*counter, seat);
                self.to(next);
                self.begin(end);
                self.restore_actor(*before);
                self.to(self.at(*exit));
            }
            Op::ByPlayer { player, before, exit } => {
                let player = self.num(player);
                let somebody = self.is(IntCC::UnsignedLessThan, player, self.program.topology.seats as i64);
                let some = self.block();
                let exit = self.at(*exit);
                self.branch(somebody, some, exit);
                self.begin(some);
                let actor = self.acting();
                self.put(*before, actor);
                self.set_actor(player);
                self.to(next);
            }
            Op::EndBy(before) => {
                self.restore_actor(*before);
                self.to(next);
            }
            Op::Call { to, back } => {
                self.put_int(*back, pc as i32 + 1);
                self.to(self.at(*to));
            }
            Op::Return(back) => self.go_back(*back),
            Op::Lift(_)
            | Op::Sow(_)
            | Op::BeginSowing { .. }
            | Op::TableSow(_)
            | Op::NextSeed { .. }
            | Op::Capture { .. }
            | Op::CaptureOne(_)
            | Op::Keep(_)
            | Op::Put { .. } => self.seed_work(pc, op),
            Op::CaptureMen(men) | Op::SendBack(men) => {
                self.send(pc, men, matches!(op, Op::CaptureMen(_)));
                self.to(next);
            }
            Op::Move { men, steps, to, named } => {
                self.move_men(pc, men, steps, to.is_none(), *named);
                self.to(next);
            }
            Op::Moved => {
                let moving = self.get_byte(self.fields.moving);
                let some = self.is(IntCC::NotEqual, moving, 0);
                let less = self.f.ins().iadd_imm_s(moving, -1);
                let left = self.f.ins().select(some, less, moving);
                let left = self.f.ins().ireduce(I8, left);
                self.set(self.fields.moving, left);
                self.at_once(false, next);
            }
            Op::AddToPool(count) => {
                let count = self.num(count);
                self.add_to_pool(count);
                self.to(next);
            }
            Op::ClearPool => {
                if let Some(pool) = self.program.layout.pool {
                    self.put_int(pool.base, 0);
                }
                self.to(next);
            }
            Op::Pass => {
                self.set_byte(self.fields.moving, 0);
                let over = self.at(0);
                self.at_once(false, over);
            }
            Op::Again { times, reached } => {
                self.charge_one();
                let (again, times) = (self.get_int(self.fields.again), self.num(times));
                let more = self.f.ins().icmp(IntCC::SignedLessThan, again, times);
                let yes = self.block();
                let reached = self.at(*reached);
                self.branch(more, yes, reached);
                self.begin(yes);
                let again = self.f.ins().iadd_imm_s(again, 1);
                self.set(self.fields.again, again);
                self.set_byte(self.fields.moving, 0);
                self.set_byte(self.fields.actor, self.seat as u8);
                let turn = self.at(self.program.turn);
                self.at_once(false, turn);
            }
            Op::Refuse => self.to(self.at(0)),
            Op::Require(test) => {
                let over = self.at(0);
                self.test(test, next, over);
            }
            Op::End(ending) => self.begin_ending(*ending),
            Op::AtOnce => self.at_once(true, next),
            Op::AtOnceIfArmed => {
                let armed = self.get_byte(self.fields.armed);
                let looked = self.block();
                self.branch(armed, looked, next);
                self.f.set_cold_block(looked);
                self.begin(looked);
                self.at_once(true, next);
            }
            Op::SetList(..)
            | Op::Mark(..)
            | Op::Unmark(..)
            | Op::Make { .. }
            | Op::Spend(_)
            | Op::TakeBack
            | Op::NewRound(_)
            | Op::Most(..)
            | Op::Decide(..) => {
                self.by_interpreter(pc);
                self.to(next);
            }
        }
    }

    /// Leaves an instruction to the interpreter; goes on behind it, or where the position says.
    pub(super) fn by_interpreter(&mut self, pc: Pc) {
        let at = self.long(i64::from(pc));
        let halted = self.call(Helper::Instruction, &[at]);
        let (halt, on, behind) = (self.block(), self.block(), self.block());
        self.branch(halted, halt, on);
        self.begin(halt);
        self.leave(super::call::HALTED);
        self.begin(on);
        let now = self.get_int(self.fields.pc);
        let ahead = self.is(IntCC::Equal, now, i64::from(pc) + 1);
        let dispatch = self.dispatch;
        self.branch(ahead, behind, dispatch);
        self.begin(behind);
    }

    fn restore_actor(&mut self, before: u16) {
        let actor = self.number(before);
        let last = self.int(self.program.topology.seats as i32 - 1);
        let actor = self.f.ins().umin(actor, last);
        self.set_actor(actor);
    }

    /// One member of a walk, or the next, or its end.
    fn visit(&mut self, head: Pc, member: Value, visit: &Visit<M::Bits>) {
        self.put(visit.var, member);
        let (next, again, exit) = (self.at(head + 1), self.at(head), self.at(visit.exit));
        if let Some(test) = &visit.test {
            let on = self.block();
            self.test(test, on, again);
            self.begin(on);
        }
        match &visit.walk {
            Some(walk) => self.test(walk, next, exit),
            None => self.to(next),
        }
    }

    /// Goes on behind the call that a register names.
    fn go_back(&mut self, back: u16) {
        let program = self.program;
        let calls = program.code.iter().zip(0u32..).filter_map(|(op, pc)| match op {
            Op::Call { back: register, .. } if *register == back => Some(pc + 1),
            _ => None,
        });
        let calls: Vec<Pc> = calls.collect();
        let Some((last, others)) = calls.split_last() else {
            self.to(self.at(0));
            return;
        };
        let to = self.number(back);
        for pc in others {
            let here = self.is(IntCC::Equal, to, i64::from(*pc));
            let (behind, other) = (self.at(*pc), self.block());
            self.branch(here, behind, other);
            self.begin(other);
        }
        self.to(self.at(*last));
    }

    /// The men on some cells as a list.
    fn put_men(&mut self, list: crate::ir::ListReg, cells: &super::words::Words) {
        let zero = self.int(0);
        let len = self.variable(I32, zero);
        let most = i64::from(list.most);
        self.each(cells, |code, cell, _| {
            let (zero, many) = (code.int(0), code.cell(cell));
            code.counted(zero, many, |code, _| {
                let at = code.f.use_var(len);
                let room = code.is(IntCC::UnsignedLessThan, at, most);
                code.when(room, |code| {
                    code.put_list_item(list, at, cell);
                    let at = code.f.ins().iadd_imm_s(at, 1);
                    code.f.def_var(len, at);
                });
            });
        });
        let len = self.f.use_var(len);
        self.put(list.base, len);
    }
}
