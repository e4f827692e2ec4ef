//! Conditions.

use cranelift_codegen::ir::{
    Block, InstBuilder as _, Value,
    condcodes::IntCC,
    types::{I8, I64},
};

use super::{call::Helper, code::Code};
use crate::{
    ir::{Compare, List, Look, Model, Num, Pit, Set, Site, Test},
    rules::Parity,
};

impl<M: Model> Code<'_, '_, M> {
    /// Goes on in one of two blocks.
    pub(super) fn test(&mut self, test: &Test<M::Bits>, yes: Block, no: Block) {
        match test {
            Test::Not(test) => self.test(test, no, yes),
            Test::And(tests) if !quick(test) => {
                for test in tests {
                    let next = self.block();
                    self.test(test, next, no);
                    self.begin(next);
                }
                self.to(yes);
            }
            Test::Or(tests) if !quick(test) => {
                for test in tests {
                    let next = self.block();
                    self.test(test, yes, next);
                    self.begin(next);
                }
                self.to(no);
            }
            Test::Const(true) => self.to(yes),
            Test::Const(false) => self.to(no),
            test => {
                let truth = self.truth(test);
                self.branch(truth, yes, no);
            }
        }
    }

    /// 1 if a condition holds, else 0.
    pub(super) fn truth(&mut self, test: &Test<M::Bits>) -> Value {
        match test {
            Test::Const(truth) => self.truth_of(*truth),
            Test::Reg(register) => {
                let n = self.number(*register);
                self.is(IntCC::NotEqual, n, 0)
            }
            Test::Compare(compare, left, right) => {
                let (left, right) = (self.num(left), self.num(right));
                self.f.ins().icmp(condition(*compare), left, right)
            }
            Test::And(tests) if quick(test) => self.all_of(tests, true),
            Test::Or(tests) if quick(test) => self.all_of(tests, false),
            Test::And(_) | Test::Or(_) => self.truth_by_branches(test),
            Test::Not(test) => {
                let truth = self.truth(test);
                self.is(IntCC::Equal, truth, 0)
            }
            Test::Among(num, mask) => {
                let n = self.num(num);
                self.among(n, *mask)
            }
            Test::Within(num, parity, from, to) => {
                let n = self.num(num);
                let (from, to) = (self.num(from), self.num(to));
                let from = self.f.ins().icmp(IntCC::SignedLessThanOrEqual, from, n);
                let to = self.f.ins().icmp(IntCC::SignedLessThanOrEqual, n, to);
                let within = self.f.ins().band(from, to);
                if *parity == Parity::Any {
                    return within;
                }
                let odd = self.f.ins().band_imm_s(n, 1);
                let right = self.is(IntCC::Equal, odd, i64::from(parity.admits(1)));
                self.f.ins().band(within, right)
            }
            Test::In(num, set) | Test::Listed(num, List::Ascending(set)) => {
                let n = self.num(num);
                let set = self.set_value(set);
                self.has(&set, n)
            }
            Test::Nothing(set) => {
                let set = self.set_value(set);
                self.none(&set)
            }
            Test::Unlisted(list) => match list {
                List::Ascending(set) | List::Men(set) => {
                    let set = self.set_value(set);
                    self.none(&set)
                }
                List::Pool => match self.program.layout.pool {
                    Some(pool) => {
                        let len = self.number(pool.base);
                        self.is(IntCC::Equal, len, 0)
                    }
                    None => self.truth_of(true),
                },
                _ => self.truth_from_helper(test),
            },
            Test::NoSeeds(set) => {
                let set = self.set_value(set);
                let seeds = self.with_seeds();
                let both = self.and(&set, &seeds);
                self.none(&both)
            }
            Test::Members { every, var, of, test } => {
                let set = self.set_value(of);
                self.while_holding(*var, |code| {
                    let start = code.truth_of(*every);
                    let result = code.variable(I8, start);
                    code.each(&set, |code, member, done| {
                        code.put(*var, member);
                        let (found, on) = (code.block(), code.block());
                        if *every {
                            code.test(test, on, found);
                        } else {
                            code.test(test, found, on);
                        }
                        code.begin(found);
                        let other = code.truth_of(!*every);
                        code.f.def_var(result, other);
                        code.to(done);
                        code.begin(on);
                    });
                    code.f.use_var(result)
                })
            }
            Test::Players { partners, every, test: asked } => {
                let side_of = self.program.rules.side_of.as_slice();
                let seats: Vec<usize> = match (partners, self.actor) {
                    (false, _) => (0..self.program.topology.seats).collect(),
                    (true, Some(actor)) => (0..self.program.topology.seats)
                        .filter(|seat| side_of.get(*seat) == side_of.get(actor))
                        .collect(),
                    (true, None) => return self.truth_from_helper(test),
                };
                let mut all = self.truth_of(*every);
                for seat in seats {
                    if self.is_too_long() {
                        break;
                    }
                    let holds = self.as_actor(seat, |code| code.truth(asked));
                    all = if *every { self.f.ins().band(all, holds) } else { self.f.ins().bor(all, holds) };
                }
                all
            }
            Test::Repeated => self.get(self.fields.repeated, I8),
            Test::Pit(pit) => self.pit(pit),
            Test::Listed(..) | Test::Items { .. } => self.truth_from_helper(test),
        }
    }

    fn truth_from_helper(&mut self, test: &Test<M::Bits>) -> Value {
        let address = self.address(test);
        let truth = self.call(Helper::Test, &[address]);
        self.f.ins().ireduce(I8, truth)
    }

    fn truth_by_branches(&mut self, test: &Test<M::Bits>) -> Value {
        let (yes, no, on) = (self.block(), self.block(), self.block());
        let result = self.f.append_block_param(on, I8);
        self.test(test, yes, no);
        for (block, truth) in [(yes, true), (no, false)] {
            self.begin(block);
            let truth = self.truth_of(truth);
            self.f.ins().jump(on, &[truth.into()]);
        }
        self.begin(on);
        result
    }

    fn all_of(&mut self, tests: &[Test<M::Bits>], every: bool) -> Value {
        let mut all = None;
        for test in tests {
            let truth = self.truth(test);
            all = Some(match all {
                None => truth,
                Some(all) if every => self.f.ins().band(all, truth),
                Some(all) => self.f.ins().bor(all, truth),
            });
        }
        match all {
            Some(all) => all,
            None => self.truth_of(every),
        }
    }

    /// Whether a number from 0 to 63 is a member of a fixed set.
    fn among(&mut self, n: Value, mask: u64) -> Value {
        if mask.count_ones() == 1 {
            return self.is(IntCC::Equal, n, i64::from(mask.trailing_zeros()));
        }
        let bits = self.word(mask);
        let word = vec![Some(bits)];
        self.has(&word, n)
    }

    /// Whether a count of seeds, 63 for more, is a member of a fixed set.
    pub(super) fn count_among(&mut self, count: Value, mask: u64) -> Value {
        let (first, many) = (mask.trailing_zeros(), mask.count_ones());
        if mask == 0 {
            return self.truth_of(false);
        }
        if first + many == 64 {
            return self.is(IntCC::UnsignedGreaterThanOrEqual, count, i64::from(first));
        }
        if many == 1 {
            return self.is(IntCC::Equal, count, i64::from(first));
        }
        if first == 0 && mask.trailing_ones() == many {
            return self.is(IntCC::UnsignedLessThan, count, i64::from(many));
        }
        let most = self.int(63);
        let count = if self.program.rules.board.total_seeds() < 64 { count } else { self.f.ins().umin(count, most) };
        let mask = self.word(mask);
        let shifted = self.f.ins().ushr(mask, count);
        let bit = self.f.ins().band_imm_s(shifted, 1);
        self.f.ins().ireduce(I8, bit)
    }

    fn pit(&mut self, pit: &Pit<M::Bits>) -> Value {
        let site = match pit.site {
            Site::Last => self.last(),
            Site::Reg(register) => self.number(register),
            Site::Const(site) => self.int(site),
        };
        let mut all = vec![];
        if let Some(within) = &pit.within {
            let within = self.set_value(&Set::ByActor(*within));
            all.push(self.has(&within, site));
        }
        if pit.holds != u64::MAX {
            let count = if pit.within.is_some() { self.cell(site) } else { self.cell_or_none(site) };
            all.push(self.count_among(count, pit.holds));
        }
        if pit.facing != u64::MAX {
            let facing = self.look_up(Look::Opposite, site);
            let count = self.cell_or_none(facing);
            all.push(self.count_among(count, pit.facing));
        }
        match all.into_iter().reduce(|left, right| self.f.ins().band(left, right)) {
            Some(all) => all,
            None => self.truth_of(true),
        }
    }

    /// A condition as a mask of all bits, or of none.
    pub(super) fn mask_of(&mut self, truth: Value) -> Value {
        let wide = self.f.ins().uextend(I64, truth);
        self.f.ins().ineg(wide)
    }
}

fn condition(compare: Compare) -> IntCC {
    match compare {
        Compare::Equal => IntCC::Equal,
        Compare::NotEqual => IntCC::NotEqual,
        Compare::AtMost => IntCC::SignedLessThanOrEqual,
        Compare::AtLeast => IntCC::SignedGreaterThanOrEqual,
        Compare::Less => IntCC::SignedLessThan,
        Compare::More => IntCC::SignedGreaterThan,
    }
}

/// Whether a condition is answered sooner than a branch that is not foreseen.
fn quick<B>(test: &Test<B>) -> bool {
    cost_of_test(test) <= 24
}

const SLOW: u32 = 1000;

fn cost_of_test<B>(test: &Test<B>) -> u32 {
    match test {
        Test::Const(_) => 0,
        Test::Reg(_) | Test::Repeated | Test::Unlisted(List::Pool) => 2,
        Test::Compare(_, left, right) => 1 + cost_of_num(left) + cost_of_num(right),
        Test::And(tests) | Test::Or(tests) => tests.iter().map(|test| 1 + cost_of_test(test)).sum(),
        Test::Not(test) => 1 + cost_of_test(test),
        Test::Among(num, _) => 3 + cost_of_num(num),
        Test::Within(num, _, from, to) => 3 + cost_of_num(num) + cost_of_num(from) + cost_of_num(to),
        Test::In(num, set) => 3 + cost_of_num(num) + cost_of_set(set),
        Test::Nothing(set) => 1 + cost_of_set(set),
        Test::NoSeeds(set) => 6 + cost_of_set(set),
        Test::Pit(_) => 8,
        _ => SLOW,
    }
}

fn cost_of_num<B>(num: &Num<B>) -> u32 {
    match num {
        Num::Const(_) | Num::Mover | Num::Actor => 0,
        Num::Count(cell) => 4 + cost_of_num(cell),
        Num::Look(_, code) | Num::Reverse(code) | Num::PlayerAfter(code) => 3 + cost_of_num(code),
        Num::Add(left, right) | Num::Subtract(left, right) => 2 + cost_of_num(left) + cost_of_num(right),
        Num::Truth(test) => cost_of_test(test),
        Num::Size(set) => 2 + cost_of_set(set),
        Num::Seeds(set) => match &**set {
            Set::Const(_) | Set::ByActor(_) => 8,
            _ => SLOW,
        },
        Num::Men(_)
        | Num::Home
        | Num::Next(..)
        | Num::Ahead(..)
        | Num::First(_)
        | Num::Length(_)
        | Num::Total(_)
        | Num::Multiply(..) => SLOW,
        Num::Reg(_)
        | Num::OwnReg(_)
        | Num::ByActor(_)
        | Num::Hand
        | Num::Last
        | Num::Quiet
        | Num::TurnsPlayed
        | Num::Round
        | Num::Beginner
        | Num::RoundWinner
        | Num::Reached
        | Num::Stored => 2,
    }
}

fn cost_of_set<B>(set: &Set<B>) -> u32 {
    match set {
        Set::Const(_) | Set::Reg(_) => 1,
        Set::ByActor(_) | Set::Among(..) | Set::One(_) => 2,
        Set::Filled(_) | Set::WithSeeds => 6,
        Set::And(left, right) | Set::Or(left, right) | Set::Minus(left, right) => {
            1 + cost_of_set(left) + cost_of_set(right)
        }
        _ => SLOW,
    }
}
