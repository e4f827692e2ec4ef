//! Choices and throws.

use cranelift_codegen::ir::{
    InstBuilder as _, Value,
    condcodes::IntCC,
    types::{I32, I64},
};

use super::{
    call::Helper,
    code::{Code, Words},
};
use crate::{
    ir::{Choice, Model, NONE, NTH, Pc},
    rules::{Id as _, ThrowId},
};

impl<M: Model> Code<'_, '_, M> {
    /// A choice of several things.
    pub(super) fn choose(&mut self, pc: Pc) {
        let at = self.long(i64::from(pc));
        let answer = self.call(Helper::Choose, &[at]);
        self.by_answer(answer);
        let dispatch = self.dispatch;
        self.to(dispatch);
    }

    /// A choice of one member of a set, and what is sown from there at once.
    pub(super) fn pick(&mut self, pc: Pc, choice: &Choice<M::Bits>) {
        let set = self.set_value(&choice.from);
        let any = self.any(&set);
        let (some, none) = (self.block(), self.at(choice.choose.none));
        self.branch(any, some, none);
        self.begin(some);
        if let Some(test) = &choice.choose.try_when {
            let (tried, free) = (self.block(), self.block());
            self.test(test, tried, free);
            self.f.set_cold_block(tried);
            self.begin(tried);
            self.choose(pc);
            self.begin(free);
        }
        self.stop_at(pc);
        let many = self.size(&set);
        let several = self.is(IntCC::UnsignedGreaterThan, many, 1);
        let member = self.either(
            several,
            I32,
            |code| {
                let actor = code.acting();
                let n = code.call(Helper::Draw, &[actor, many]);
                code.nth(&set, n)
            },
            |code| code.pop(&set).0,
        );
        self.set_byte(self.fields.chosen, 1);
        self.put(choice.var, member);
        match &choice.sow {
            Some(sow) => self.table_sow(sow, member),
            None => self.to(self.at(pc + 1)),
        }
    }

    /// The n-th member of a set that has more.
    fn nth(&mut self, set: &Words, n: Value) -> Value {
        let (first, _) = self.pop(set);
        if let [Some(word)] = set.as_slice() {
            // Members that are near each other are found in a table.
            let near = self.f.ins().ushr(*word, first);
            let close = self.is(IntCC::UnsignedLessThan, near, 256);
            let word = *word;
            return self.either(
                close,
                I32,
                |code| {
                    let row = code.f.ins().ishl_imm_u(near, 3);
                    let n = code.index(n);
                    let at = code.f.ins().iadd(row, n);
                    let at = code.f.ins().band_imm_s(at, 2047);
                    let more = code.table_byte(NTH.as_flattened(), at);
                    code.f.ins().iadd(first, more)
                },
                |code| code.nth_bit(word, n),
            );
        }
        // The word in which it is, and how many come before.
        let (mut word, mut base, mut before) = (self.long(0), self.int(0), self.int(0));
        let mut sum = self.int(0);
        for (at, candidate) in set.iter().enumerate() {
            let Some(candidate) = *candidate else { continue };
            let here = self.f.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, n, sum);
            word = self.f.ins().select(here, candidate, word);
            let from = self.int(64 * at as i32);
            base = self.f.ins().select(here, from, base);
            before = self.f.ins().select(here, sum, before);
            let many = self.f.ins().popcnt(candidate);
            let many = self.f.ins().ireduce(I32, many);
            sum = self.f.ins().iadd(sum, many);
        }
        let n = self.f.ins().isub(n, before);
        let bit = self.nth_bit(word, n);
        self.f.ins().iadd(base, bit)
    }

    /// The n-th bit of a word.
    fn nth_bit(&mut self, word: Value, n: Value) -> Value {
        let (left, more) = (self.variable(I64, word), self.variable(I32, n));
        let (head, body, on) = (self.block(), self.block(), self.block());
        self.to(head);
        self.begin(head);
        let (now, n) = (self.f.use_var(left), self.f.use_var(more));
        let again = self.is(IntCC::NotEqual, n, 0);
        self.branch(again, body, on);
        self.begin(body);
        let less = self.f.ins().iadd_imm_s(now, -1);
        let less = self.f.ins().band(now, less);
        self.f.def_var(left, less);
        let n = self.f.ins().iadd_imm_s(n, -1);
        self.f.def_var(more, n);
        self.to(head);
        self.begin(on);
        let bit = self.f.ins().ctz(now);
        self.f.ins().ireduce(I32, bit)
    }

    /// A throw.
    pub(super) fn throw(&mut self, pc: Pc, throw: ThrowId, register: u16) {
        self.stop_at(pc);
        let which = self.long(throw.index() as i64);
        let count = self.call(Helper::Throw, &[which]);
        self.put(register, count);
        self.to(self.at(pc + 1));
    }

    /// Nothing, as a number.
    pub(super) fn nobody(&mut self) -> Value {
        self.int(NONE)
    }
}
