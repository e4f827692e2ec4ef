//! Choices and throws.

use std::mem::offset_of;

use cranelift_codegen::ir::{
    InstBuilder as _, MemFlagsData, Value,
    condcodes::IntCC,
    types::{I32, I64},
};

use cranelift_frontend::Variable;

use super::{
    call::{Context, Helper, OUT_OF_STEPS},
    code::Code,
    words::Words,
};
use crate::{
    engine::choose::once_each,
    ir::{Bits as _, Candidates, Choice, Choose, List, Model, NTH, Pc, Pick},
    random::{AHEAD, Stream},
    rules::{Id as _, MAX_MOVES, ThrowId},
};

/// The most members of a list for which what is done with them is written out for each.
const FEW: usize = 4;

impl<M: Model> Code<'_, '_, M> {
    /// A choice that is left to the interpreter, with so many moves that have been written, or none.
    pub(super) fn choose_by_interpreter(&mut self, pc: Pc, many: Value) {
        let at = self.long(i64::from(pc));
        let answer = self.call(Helper::Choose, &[at, many]);
        self.by_answer(answer);
        let dispatch = self.dispatch;
        self.to(dispatch);
    }

    /// Leaves a choice to the interpreter where moves must be tried.
    fn unless_tried(&mut self, pc: Pc, choose: &Choose<M::Bits>, written: Value) {
        if let Some(test) = &choose.try_when {
            let (tried, free) = (self.block(), self.block());
            self.test(test, tried, free);
            self.f.set_cold_block(tried);
            self.begin(tried);
            self.choose_by_interpreter(pc, written);
            self.begin(free);
        }
    }

    /// A choice of several things, or of one under a condition: all moves are written to memory, then one is drawn.
    pub(super) fn choose(&mut self, pc: Pc, choose: &Choose<M::Bits>) {
        let zero = self.int(0);
        let count = self.variable(I32, zero);
        self.combine(&choose.picks, &choose.picks, count);
        let many = self.f.use_var(count);
        let (some, none) = (self.block(), self.at(choose.none));
        self.branch(many, some, none);
        self.begin(some);
        self.unless_tried(pc, choose, many);
        self.stop_at(pc);
        let actor = self.acting();
        // The last one is to choose nothing.
        let all = self.f.ins().iadd_imm_s(many, i64::from(choose.may));
        let n = self.draw(actor, all);
        self.set_byte(self.fields.chosen, 1);
        if choose.may {
            let (chosen, declined) = (self.block(), self.f.ins().icmp(IntCC::Equal, n, many));
            self.branch(declined, none, chosen);
            self.begin(chosen);
        }
        let moves = self.moves();
        let first = self.index(n);
        let bytes = self.f.ins().imul_imm_s(first, 4 * choose.picks.len() as i64);
        let first = self.f.ins().iadd(moves, bytes);
        for (at, pick) in choose.picks.iter().enumerate() {
            let flags = MemFlagsData::trusted().with_alias_region(Some(self.fields.streams));
            let part = self.f.ins().load(I32, flags, first, 4 * at as i32);
            self.put(pick.var, part);
        }
        self.to(self.at(pc + 1));
    }

    /// Where moves are written.
    fn moves(&mut self) -> Value {
        let flags = MemFlagsData::trusted().with_readonly().with_can_move();
        self.f.ins().load(I64, flags, self.context, offset_of!(Context<'_, '_, M>, moves) as i32)
    }

    /// Writes all different moves, in the order of what can be chosen.
    fn combine(&mut self, all: &[Pick<M::Bits>], picks: &[Pick<M::Bits>], count: Variable) {
        if self.is_too_long() {
            return;
        }
        let Some((pick, rest)) = picks.split_first() else {
            let many = self.f.use_var(count);
            let room = self.is(IntCC::UnsignedLessThan, many, MAX_MOVES as i64);
            let (on, full) = (self.block(), self.block());
            self.branch(room, on, full);
            self.f.set_cold_block(full);
            self.begin(full);
            self.leave(OUT_OF_STEPS);
            self.begin(on);
            let moves = self.moves();
            let first = self.index(many);
            let bytes = self.f.ins().imul_imm_s(first, 4 * all.len() as i64);
            let first = self.f.ins().iadd(moves, bytes);
            for (at, pick) in all.iter().enumerate() {
                let flags = MemFlagsData::trusted().with_alias_region(Some(self.fields.streams));
                let part = self.number(pick.var);
                self.f.ins().store(flags, part, first, 4 * at as i32);
            }
            let many = self.f.ins().iadd_imm_s(many, 1);
            self.f.def_var(count, many);
            return;
        };
        let item = |code: &mut Self, item: Value| {
            code.charge_one();
            code.put(pick.var, item);
            match &pick.test {
                None => code.combine(all, rest, count),
                Some(test) => {
                    let (yes, on) = (code.block(), code.block());
                    code.test(test, yes, on);
                    code.begin(yes);
                    code.combine(all, rest, count);
                    code.to(on);
                    code.begin(on);
                }
            }
        };
        match &pick.from {
            Candidates::Set(set) | Candidates::List(List::Ascending(set) | List::Men(set)) => {
                let set = self.set_value(set);
                self.each(&set, |code, member, _| item(code, member));
            }
            Candidates::List(List::Pool) => {
                let Some(pool) = self.program.layout.pool else { return };
                let (zero, len) = (self.int(0), self.list_len(pool));
                self.counted(zero, len, |code, n| {
                    // Counts are in order: equal ones follow each other.
                    let (here, at) = (code.list_item(pool, n), code.f.ins().iadd_imm_s(n, -1));
                    let zero = code.int(0);
                    let at = code.f.ins().smax(at, zero);
                    let before = code.list_item(pool, at);
                    let first = code.is(IntCC::Equal, n, 0);
                    let other = code.f.ins().icmp(IntCC::NotEqual, here, before);
                    let new = code.f.ins().bor(first, other);
                    code.when(new, |code| item(code, here));
                });
            }
            Candidates::List(list) if self.known_list(list).is_some() => {
                for known in self.known_list(list).unwrap_or_default() {
                    let known = self.int(known);
                    item(self, known);
                }
            }
            Candidates::List(list) => {
                let (list, depth) = (self.address(list), self.long((all.len() - picks.len()) as i64));
                let len = self.call(Helper::List, &[list, depth]);
                let zero = self.int(0);
                let offset = offset_of!(Context<'_, '_, M>, lists) + 8 * (all.len() - picks.len());
                let items = self.f.ins().load(I64, MemFlagsData::trusted(), self.context, offset as i32);
                self.counted(zero, len, |code, n| {
                    let n = code.index(n);
                    let bytes = code.f.ins().ishl_imm_u(n, 2);
                    let at = code.f.ins().iadd(items, bytes);
                    let here = code.f.ins().load(I32, MemFlagsData::trusted(), at, 0);
                    item(code, here);
                });
            }
        }
    }

    /// The members of a list, each once, where they are known and few.
    fn known_list(&self, list: &List<M::Bits>) -> Option<Vec<i32>> {
        let mut items = match list {
            List::Const(items) => items.clone(),
            List::ByActor(lists) => lists.get(self.actor?)?.clone(),
            _ => return None,
        };
        once_each(&mut items);
        (items.len() <= FEW).then_some(items)
    }

    /// A choice of one member of a set, and what is sown from there at once.
    pub(super) fn pick(&mut self, pc: Pc, choice: &Choice<M::Bits>) {
        let set = self.set_value(&choice.from);
        let any = self.any(&set);
        let (some, none) = (self.block(), self.at(choice.choose.none));
        self.branch(any, some, none);
        self.begin(some);
        let none_written = self.int(0);
        self.unless_tried(pc, &choice.choose, none_written);
        self.stop_at(pc);
        let many = self.size(&set);
        let actor = self.acting();
        let n = self.draw(actor, many);
        let bound = self.bound(&choice.from);
        let member = self.nth(&set, n, bound);
        self.set_byte(self.fields.chosen, 1);
        self.put(choice.var, member);
        match &choice.sow {
            Some(sow) => self.table_sow(sow, member, true),
            None => self.to(self.at(pc + 1)),
        }
    }

    /// A random number of a player below another; only one does not take it from the stream.
    fn draw(&mut self, actor: Value, many: Value) -> Value {
        let players = self.stream(offset_of!(Context<'_, '_, M>, players));
        let seat = self.index(actor);
        let bytes = self.f.ins().imul_imm_s(seat, size_of::<Stream>() as i64);
        let stream = self.f.ins().iadd(players, bytes);
        let wide = self.index(many);
        let several = self.is(IntCC::UnsignedGreaterThan, many, 1);
        let taken = self.index(several);
        self.number_below(stream, wide, taken, |code| code.call(Helper::Draw, &[actor, many]), |_, n| n)
    }

    /// The address of a stream that the context has.
    fn stream(&mut self, offset: usize) -> Value {
        let flags = MemFlagsData::trusted().with_readonly().with_can_move();
        self.f.ins().load(I64, flags, self.context, offset as i32)
    }

    /// A random number below another, by the method of [`Stream::below`]; where numbers must be computed or one must be
    /// drawn again, another way is gone.
    fn number_below(
        &mut self,
        stream: Value,
        below: Value,
        taken: Value,
        slow: impl FnOnce(&mut Self) -> Value,
        with: impl FnOnce(&mut Self, Value) -> Value,
    ) -> Value {
        let flags = MemFlagsData::trusted().with_alias_region(Some(self.fields.streams));
        let drawn = self.f.ins().load(I64, flags, stream, offset_of!(Stream, drawn) as i32);
        let (there, accepted, other, on) = (self.block(), self.block(), self.block(), self.block());
        let result = self.f.append_block_param(on, I32);
        let more = self.is(IntCC::UnsignedLessThan, drawn, AHEAD as i64);
        self.branch(more, there, other);
        self.begin(there);
        let bytes = self.f.ins().ishl_imm_u(drawn, 3);
        let at = self.f.ins().iadd(stream, bytes);
        let number = self.f.ins().load(I64, flags, at, offset_of!(Stream, numbers) as i32);
        let low = self.f.ins().imul(number, below);
        let high = self.f.ins().umulhi(number, below);
        let fair = self.f.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, low, below);
        self.branch(fair, accepted, other);
        self.begin(accepted);
        let drawn = self.f.ins().iadd(drawn, taken);
        self.f.ins().store(flags, drawn, stream, offset_of!(Stream, drawn) as i32);
        let n = self.f.ins().ireduce(I32, high);
        let value = with(self, n);
        self.f.ins().jump(on, &[value.into()]);
        self.f.set_cold_block(other);
        self.begin(other);
        let value = slow(self);
        self.f.ins().jump(on, &[value.into()]);
        self.begin(on);
        result
    }

    /// The n-th member of a set that has more.
    fn nth(&mut self, set: &Words, n: Value, bound: M::Bits) -> Value {
        // Members that are near each other are found in a table.
        let from = bound.first().unwrap_or(0);
        let inside = bound.members().all(|member| member < from + 8 && member / 64 == from / 64);
        if let Some(word) = set.get(from / 64).copied().flatten().filter(|_| inside) {
            let near = self.f.ins().ushr_imm_u(word, from as i64 % 64);
            let row = self.f.ins().ishl_imm_u(near, 3);
            let n = self.index(n);
            let at = self.f.ins().iadd(row, n);
            let at = self.f.ins().band_imm_s(at, 2047);
            let more = self.table_byte(NTH.as_flattened(), at);
            return self.f.ins().iadd_imm_s(more, from as i64);
        }
        let (first, _) = self.pop(set);
        if let [Some(word)] = set.as_slice().get(..).filter(|_| self.program.rules.men == 0).unwrap_or_default() {
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
    fn nth_bit(&mut self, mut word: Value, n: Value) -> Value {
        // The first ones without a branch, which would seldom be foreseen.
        for before in 0..3 {
            let less = self.f.ins().iadd_imm_s(word, -1);
            let less = self.f.ins().band(word, less);
            let more = self.is(IntCC::UnsignedGreaterThan, n, before);
            word = self.f.ins().select(more, less, word);
        }
        let three = self.int(3);
        let n = self.f.ins().umax(n, three);
        let n = self.f.ins().isub(n, three);
        let (zero, left) = (self.int(0), self.variable(I64, word));
        self.counted(zero, n, |code, _| {
            let now = code.f.use_var(left);
            let less = code.f.ins().iadd_imm_s(now, -1);
            let less = code.f.ins().band(now, less);
            code.f.def_var(left, less);
        });
        let now = self.f.use_var(left);
        let bit = self.f.ins().ctz(now);
        self.f.ins().ireduce(I32, bit)
    }

    /// A throw.
    pub(super) fn throw(&mut self, pc: Pc, throw: ThrowId, register: u16) {
        self.stop_at(pc);
        let which = self.long(throw.index() as i64);
        let thrown = self.program.rules.throws.at(throw);
        let counts: Vec<i32> =
            thrown.small().iter().map(|n| thrown.outcomes.get(usize::from(*n)).map_or(0, |fall| fall.count)).collect();
        let count = if counts.is_empty() {
            self.call(Helper::Throw, &[which])
        } else {
            let stream = self.stream(offset_of!(Context<'_, '_, M>, throws));
            let many = self.long(counts.len() as i64);
            let one = self.long(1);
            self.number_below(
                stream,
                many,
                one,
                |code| code.call(Helper::Throw, &[which]),
                |code, n| code.look(&counts, n),
            )
        };
        self.put(register, count);
        self.to(self.at(pc + 1));
    }
}
