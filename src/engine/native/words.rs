//! Sets as words.

use cranelift_codegen::ir::{
    Block, InstBuilder as _, Value,
    condcodes::IntCC,
    types::{I8, I32, I64},
};
use cranelift_frontend::Variable;

use super::code::Code;
use crate::ir::{Bits as _, Model, NONE, Num, Program, Reg, Set};

/// Words of a set; those that are none have no members.
pub(super) type Words = Vec<Option<Value>>;

impl<M: Model> Code<'_, '_, M> {
    pub(super) fn constant(&mut self, set: M::Bits) -> Words {
        (0..self.words)
            .map(|n| match set.at(n) {
                0 => None,
                word => Some(self.word(word)),
            })
            .collect()
    }

    pub(super) fn nothing(&self) -> Words {
        vec![None; self.words]
    }

    pub(super) fn and(&mut self, left: &Words, right: &Words) -> Words {
        let both = |(left, right): (&Option<Value>, &Option<Value>)| Some(self.f.ins().band((*left)?, (*right)?));
        left.iter().zip(right).map(both).collect()
    }

    pub(super) fn or(&mut self, left: &Words, right: &Words) -> Words {
        let either = |(left, right): (&Option<Value>, &Option<Value>)| match (*left, *right) {
            (Some(left), Some(right)) => Some(self.f.ins().bor(left, right)),
            (one, other) => one.or(other),
        };
        left.iter().zip(right).map(either).collect()
    }

    pub(super) fn minus(&mut self, left: &Words, right: &Words) -> Words {
        let without = |(left, right): (&Option<Value>, &Option<Value>)| match (*left, *right) {
            (Some(left), Some(right)) => {
                let others = self.f.ins().bnot(right);
                Some(self.f.ins().band(left, others))
            }
            (left, _) => left,
        };
        left.iter().zip(right).map(without).collect()
    }

    /// One set or another.
    pub(super) fn choose_set(&mut self, condition: Value, then: &Words, otherwise: &Words) -> Words {
        let pairs: Vec<_> = then.iter().copied().zip(otherwise.iter().copied()).collect();
        pairs
            .into_iter()
            .map(|pair| {
                if pair == (None, None) {
                    return None;
                }
                let then = pair.0.unwrap_or_else(|| self.long(0));
                let otherwise = pair.1.unwrap_or_else(|| self.long(0));
                Some(self.f.ins().select(condition, then, otherwise))
            })
            .collect()
    }

    /// All bits of all words in one.
    fn united(&mut self, words: &Words) -> Option<Value> {
        words.iter().flatten().copied().reduce(|left, right| self.f.ins().bor(left, right))
    }

    /// Whether there are members.
    pub(super) fn any(&mut self, words: &Words) -> Value {
        match self.united(words) {
            Some(united) => self.is(IntCC::NotEqual, united, 0),
            None => self.truth_of(false),
        }
    }

    /// Whether there are none.
    pub(super) fn none(&mut self, words: &Words) -> Value {
        match self.united(words) {
            Some(united) => self.is(IntCC::Equal, united, 0),
            None => self.truth_of(true),
        }
    }

    /// Whether a number is a member; none is not.
    pub(super) fn has(&mut self, words: &Words, n: Value) -> Value {
        if let Some(known) = self.known(n) {
            let known = known as i32;
            let word = usize::try_from(known).ok().and_then(|n| words.get(n / 64).copied().flatten());
            return match word {
                Some(word) => {
                    let shifted = self.f.ins().ushr_imm_u(word, i64::from(known % 64));
                    let bit = self.f.ins().band_imm_s(shifted, 1);
                    self.f.ins().ireduce(I8, bit)
                }
                None => self.truth_of(false),
            };
        }
        let mut found: Option<Value> = None;
        for (at, word) in words.iter().enumerate() {
            let Some(word) = *word else { continue };
            let shifted = self.f.ins().ushr(word, n);
            let bit = self.f.ins().ireduce(I8, shifted);
            let within = if at == 0 {
                self.is(IntCC::UnsignedLessThan, n, 64)
            } else {
                let high = self.f.ins().sshr_imm_u(n, 6);
                self.is(IntCC::Equal, high, at as i64)
            };
            let bit = self.f.ins().band(bit, within);
            found = Some(found.map_or(bit, |found| self.f.ins().bor(found, bit)));
        }
        match found {
            Some(found) => found,
            None => self.truth_of(false),
        }
    }

    /// The set of one number; nothing for none.
    pub(super) fn one(&mut self, n: Value) -> Words {
        if let Some(known) = self.known(n) {
            let set = usize::try_from(known as i32).map_or(M::Bits::NONE, M::Bits::one);
            return self.constant(set);
        }
        (0..self.words)
            .map(|at| {
                let within = if at == 0 {
                    self.is(IntCC::UnsignedLessThan, n, 64)
                } else {
                    let high = self.f.ins().sshr_imm_u(n, 6);
                    self.is(IntCC::Equal, high, at as i64)
                };
                let bit = self.f.ins().uextend(I64, within);
                Some(self.f.ins().ishl(bit, n))
            })
            .collect()
    }

    /// The same of a number that is one.
    pub(super) fn just(&mut self, n: Value) -> Words {
        if self.words > 1 || self.known(n).is_some() {
            return self.one(n);
        }
        let bit = self.long(1);
        vec![Some(self.f.ins().ishl(bit, n))]
    }

    /// How many members there are.
    pub(super) fn size(&mut self, words: &Words) -> Value {
        let mut sum = None;
        for word in words.iter().flatten() {
            let many = self.f.ins().popcnt(*word);
            let many = self.f.ins().ireduce(I32, many);
            sum = Some(sum.map_or(many, |sum| self.f.ins().iadd(sum, many)));
        }
        match sum {
            Some(sum) => sum,
            None => self.int(0),
        }
    }

    /// Variables that hold the words of a set.
    pub(super) fn growing(&mut self) -> Vec<Variable> {
        let zero = self.long(0);
        (0..self.words).map(|_| self.variable(I64, zero)).collect()
    }

    pub(super) fn grown(&mut self, variables: &[Variable]) -> Words {
        variables.iter().map(|variable| Some(self.f.use_var(*variable))).collect()
    }

    pub(super) fn grow(&mut self, variables: &[Variable], words: &Words) {
        for (variable, word) in variables.iter().zip(words) {
            if let Some(word) = word {
                let before = self.f.use_var(*variable);
                let after = self.f.ins().bor(before, *word);
                self.f.def_var(*variable, after);
            }
        }
    }

    /// The same, but only where a condition holds.
    pub(super) fn grow_if(&mut self, variables: &[Variable], condition: Value, words: &Words) {
        let wide = self.f.ins().uextend(I64, condition);
        let mask = self.f.ins().ineg(wide);
        for (variable, word) in variables.iter().zip(words) {
            if let Some(word) = word {
                let more = self.f.ins().band(*word, mask);
                let before = self.f.use_var(*variable);
                let after = self.f.ins().bor(before, more);
                self.f.def_var(*variable, after);
            }
        }
    }

    /// Does something with each member, in ascending order; it can leave for the block that it is given.
    pub(super) fn each(&mut self, words: &Words, mut body: impl FnMut(&mut Self, Value, Block)) {
        let done = self.block();
        for (n, word) in words.iter().enumerate() {
            let Some(word) = word.filter(|_| !self.is_too_long()) else { continue };
            let left = self.variable(I64, word);
            let (head, on) = (self.block(), self.block());
            let some = self.is(IntCC::NotEqual, word, 0);
            self.branch(some, head, on);
            self.begin(head);
            let now = self.f.use_var(left);
            let bit = self.f.ins().ctz(now);
            let less = self.f.ins().iadd_imm_s(now, -1);
            let less = self.f.ins().band(now, less);
            self.f.def_var(left, less);
            let member = self.f.ins().ireduce(I32, bit);
            let member = self.f.ins().iadd_imm_s(member, 64 * n as i64);
            body(self, member, done);
            let now = self.f.use_var(left);
            let some = self.is(IntCC::NotEqual, now, 0);
            self.branch(some, head, on);
            self.begin(on);
        }
        self.to(done);
        self.begin(done);
    }

    /// The smallest member of a set that has one, and the set without it.
    pub(super) fn pop(&mut self, words: &Words) -> (Value, Words) {
        if let [Some(word)] = words.as_slice() {
            let bit = self.f.ins().ctz(*word);
            let less = self.f.ins().iadd_imm_s(*word, -1);
            let less = self.f.ins().band(*word, less);
            return (self.f.ins().ireduce(I32, bit), vec![Some(less)]);
        }
        // From the last word to the first, so that the first that has members is left.
        let mut member = self.int(NONE);
        let mut left = words.clone();
        for (n, word) in words.iter().enumerate().rev() {
            let Some(word) = *word else { continue };
            let some = self.is(IntCC::NotEqual, word, 0);
            let bit = self.f.ins().ctz(word);
            let bit = self.f.ins().ireduce(I32, bit);
            let bit = self.f.ins().iadd_imm_s(bit, 64 * n as i64);
            member = self.f.ins().select(some, bit, member);
            let less = self.f.ins().iadd_imm_s(word, -1);
            let less = self.f.ins().band(word, less);
            for (at, slot) in left.iter_mut().enumerate() {
                let Some(now) = *slot else { continue };
                if at == n {
                    *slot = Some(self.f.ins().select(some, less, word));
                } else if let Some(whole) = words.get(at).copied().flatten().filter(|_| at > n) {
                    *slot = Some(self.f.ins().select(some, whole, now));
                }
            }
        }
        (member, left)
    }

    /// While a register holds something else, what it held before is kept.
    pub(super) fn while_holding<R>(&mut self, register: Reg, look: impl FnOnce(&mut Self) -> R) -> R {
        let before = self.number(register);
        let result = look(self);
        self.put(register, before);
        result
    }
}

/// A set that is known as it is.
pub(super) fn known_set<M: Model>(program: &Program<M>, actor: Option<usize>, set: &Set<M::Bits>) -> Option<M::Bits> {
    match set {
        Set::Const(set) => Some(*set),
        Set::ByActor(sets) => {
            let sets = sets.get(..program.topology.seats)?;
            match actor {
                Some(actor) => sets.get(actor).copied(),
                None => sets.first().copied().filter(|first| sets.iter().all(|set| set == first)),
            }
        }
        Set::And(left, right) => Some(known_set(program, actor, left)?.and(known_set(program, actor, right)?)),
        Set::Or(left, right) => Some(known_set(program, actor, left)?.or(known_set(program, actor, right)?)),
        Set::Minus(left, right) => Some(known_set(program, actor, left)?.minus(known_set(program, actor, right)?)),
        Set::One(num) => match &**num {
            Num::Const(n) => Some(usize::try_from(*n).map_or(M::Bits::NONE, M::Bits::one)),
            _ => None,
        },
        _ => None,
    }
}
