//! Sets.

use cranelift_codegen::ir::{
    Block, InstBuilder as _, Value,
    condcodes::IntCC,
    types::{I8, I32},
};

use super::{
    call::Helper,
    code::Code,
    words::{Words, known_set},
};
use crate::{
    ir::{Bits as _, List, Look, Model, Set},
    rules::MAX_WALK,
};

impl<M: Model> Code<'_, '_, M> {
    pub(super) fn set_value(&mut self, set: &Set<M::Bits>) -> Words {
        match set {
            Set::Const(set) => self.constant(*set),
            Set::ByActor(sets) => self.set_by_actor(sets),
            Set::Reg(register) => self.set_of(*register),
            Set::OwnReg(first) => {
                let own = self.own_set(|seat| first + seat as u16);
                let places = self.constant(self.program.topology.places);
                self.and(&own, &places)
            }
            Set::Regs(first, seen) => {
                let mut all = None;
                for actor in 0..self.program.topology.seats {
                    if self.actor.is_some_and(|known| known != actor) {
                        continue;
                    }
                    let bits = seen.get(actor).copied().unwrap_or(0);
                    let mut own = self.nothing();
                    for seat in (0..self.program.topology.seats).filter(|seat| bits >> seat & 1 == 1) {
                        let marked = self.set_of(first + seat as u16);
                        own = self.or(&own, &marked);
                    }
                    all = Some(match all {
                        None => own,
                        Some(all) => {
                            let acting = self.acting();
                            let is = self.is(IntCC::Equal, acting, actor as i64);
                            self.choose_set(is, &own, &all)
                        }
                    });
                }
                let all = all.unwrap_or_else(|| self.nothing());
                let places = self.constant(self.program.topology.places);
                self.and(&all, &places)
            }
            Set::One(num) => {
                let n = self.num(num);
                self.one(n)
            }
            Set::WithSeeds => self.with_seeds(),
            Set::Holding(of, mask) => {
                let of = self.set_value(of);
                if let Some(holding) = self.holding(*mask) {
                    return self.and(&of, &holding);
                }
                let those = self.growing();
                self.each(&of, |code, cell, _| {
                    let count = code.cell(cell);
                    let holds = code.count_among(count, *mask);
                    let one = code.just(cell);
                    code.grow_if(&those, holds, &one);
                });
                self.grown(&those)
            }
            Set::And(left, right) => {
                let (left, right) = (self.set_value(left), self.set_value(right));
                self.and(&left, &right)
            }
            Set::Or(left, right) => {
                let (left, right) = (self.set_value(left), self.set_value(right));
                self.or(&left, &right)
            }
            Set::Minus(left, right) => {
                let (left, right) = (self.set_value(left), self.set_value(right));
                self.minus(&left, &right)
            }
            Set::If(test, set) => {
                let truth = self.truth(test);
                let mask = self.mask_of(truth);
                let words = self.set_value(set);
                words.iter().map(|word| word.map(|word| self.f.ins().band(word, mask))).collect()
            }
            Set::Where { var, of, test } => {
                let of = self.set_value(of);
                self.while_holding(*var, |code| {
                    let those = code.growing();
                    code.each(&of, |code, member, _| {
                        code.put(*var, member);
                        let holds = code.truth(test);
                        let one = code.just(member);
                        code.grow_if(&those, holds, &one);
                    });
                    code.grown(&those)
                })
            }
            Set::Round(from, towards) => {
                let (from, towards) = (self.num(from), self.num(towards));
                let sites = self.growing();
                self.along(from, towards, |code, site, on, _| {
                    let one = code.just(site);
                    code.grow(&sites, &one);
                    code.to(on);
                });
                self.grown(&sites)
            }
            Set::Along { from, towards, var, test } => {
                let (from, towards) = (self.num(from), self.num(towards));
                self.while_holding(*var, |code| {
                    let sites = code.growing();
                    code.along(from, towards, |code, site, on, done| {
                        code.put(*var, site);
                        let yes = code.block();
                        code.test(test, yes, done);
                        code.begin(yes);
                        let one = code.just(site);
                        code.grow(&sites, &one);
                        code.to(on);
                    });
                    code.grown(&sites)
                })
            }
            Set::Chain { from, towards, within, holds } => {
                let (from, towards) = (self.num(from), self.num(towards));
                let within = self.set_by_actor(within);
                let sites = self.growing();
                self.along(from, towards, |code, site, on, done| {
                    let inside = code.has(&within, site);
                    let count = code.cell(site);
                    let good = code.count_among(count, *holds);
                    let both = code.f.ins().band(inside, good);
                    let yes = code.block();
                    code.branch(both, yes, done);
                    code.begin(yes);
                    let one = code.just(site);
                    code.grow(&sites, &one);
                    code.to(on);
                });
                self.grown(&sites)
            }
            Set::Filled(sets) => {
                let own = self.set_by_actor(sets);
                let seeds = self.with_seeds();
                self.and(&seeds, &own)
            }
            Set::Among(register, sets) => {
                let own = self.set_by_actor(sets);
                let members = self.set_of(*register);
                self.and(&members, &own)
            }
            Set::StandingOn(men, sites) => {
                let bound = self.bound(men);
                let men = self.set_value(men);
                let sites = self.set_value(sites);
                if let Some(on) = self.cells_on(bound, &sites) {
                    return self.and(&men, &on);
                }
                let those = self.growing();
                self.each(&men, |code, cell, _| {
                    let square = code.look_up(Look::Square, cell);
                    let on = code.has(&sites, square);
                    let one = code.just(cell);
                    code.grow_if(&those, on, &one);
                });
                self.grown(&those)
            }
            Set::CellsOf(square) => {
                let square = self.num(square);
                self.cells_of(square)
            }
            Set::Squares(men) => {
                let bound = self.bound(men);
                let men = self.set_value(men);
                let topology = &self.program.topology;
                let square = |cell: usize| M::Bits::one(topology.square(cell));
                if let Some(squares) = self.image(&men, bound, square) {
                    return squares;
                }
                let squares = self.growing();
                self.each(&men, |code, cell, _| {
                    let square = code.look_up(Look::Square, cell);
                    let one = code.just(square);
                    code.grow(&squares, &one);
                });
                self.grown(&squares)
            }
            Set::WithStepsLeft(men, steps) => {
                let men = self.set_value(men);
                let steps = self.num(steps);
                let left = self.with_steps_left(steps);
                self.and(&men, &left)
            }
            Set::Reaching { men, steps, all_on } if self.program.topology.is_straight() => {
                let bound = self.bound(men);
                let men = self.set_value(men);
                let steps = self.num(steps);
                let all_on = self.set_value(all_on);
                self.reaching(bound, &men, steps, &all_on)
            }
            Set::Path(man, steps) if self.program.topology.is_straight() => {
                let (man, steps) = (self.num(man), self.num(steps));
                let passed = self.growing();
                let some = self.is_some(man);
                self.when(some, |code| {
                    let end = code.end_of_walk(man, steps);
                    let squares = code.passed(man, end);
                    code.grow(&passed, &squares);
                });
                self.grown(&passed)
            }
            Set::Reach(men, steps) if self.program.topology.is_straight() && matches!(**men, List::One(_)) => {
                let List::One(man) = &**men else { return self.nothing() };
                let (steps, man) = (self.num(steps), self.num(man));
                self.reach(man, steps)
            }
            Set::Reaching { .. } | Set::Reach(..) | Set::Path(..) | Set::Of(_) => {
                let address = self.address(set);
                self.call_for_set(Helper::Set, address)
            }
        }
    }

    fn set_by_actor(&mut self, sets: &[M::Bits; 4]) -> Words {
        let seats = self.program.topology.seats;
        let acting = self.acting();
        self.one_of(sets.get(..seats).unwrap_or(sets), acting)
    }

    /// A register of the acting player.
    pub(super) fn own_set(&mut self, of: impl Fn(usize) -> u16) -> Words {
        if let Some(actor) = self.actor {
            return self.set_of(of(actor));
        }
        let acting = self.acting();
        let mut own = self.set_of(of(0));
        for seat in 1..self.program.topology.seats {
            let is = self.is(IntCC::Equal, acting, seat as i64);
            let set = self.set_of(of(seat));
            own = self.choose_set(is, &set, &own);
        }
        own
    }

    /// The cells of a square.
    pub(super) fn cells_of(&mut self, square: Value) -> Words {
        let topology = &self.program.topology;
        let mut sets: Vec<M::Bits> = (0..topology.sites as i32).map(|site| topology.cells_of(site)).collect();
        // None is the last, and all others that there are not.
        let len = (sets.len() + 1).next_power_of_two();
        sets.resize(len, M::Bits::NONE);
        self.one_of(&sets, square)
    }

    /// The cells with at least so many steps to go.
    fn with_steps_left(&mut self, steps: Value) -> Words {
        let topology = &self.program.topology;
        let longest = topology.longest_way();
        let sets: Vec<M::Bits> = (0..=longest).map(|steps| topology.with_steps_left(steps)).collect();
        let (zero, most) = (self.int(0), self.int(longest));
        let steps = self.f.ins().smax(steps, zero);
        let steps = self.f.ins().smin(steps, most);
        self.one_of(&sets, steps)
    }

    /// Members that a set can have at most.
    pub(super) fn bound(&self, set: &Set<M::Bits>) -> M::Bits {
        if let Some(known) = known_set(self.program, self.actor, set) {
            return known;
        }
        let all = || M::Bits::of(0..64 * self.words);
        match set {
            Set::Among(_, sets) | Set::Filled(sets) => {
                known_set(self.program, self.actor, &Set::ByActor(*sets)).unwrap_or_else(all)
            }
            Set::And(left, right) => self.bound(left).and(self.bound(right)),
            Set::Or(left, right) => self.bound(left).or(self.bound(right)),
            Set::Minus(of, _)
            | Set::Holding(of, _)
            | Set::If(_, of)
            | Set::Where { of, .. }
            | Set::StandingOn(of, _)
            | Set::WithStepsLeft(of, _)
            | Set::Reaching { men: of, .. } => self.bound(of),
            _ => all(),
        }
    }

    /// The sets of all members together, looked up by bytes; nothing where members can be too far from each other.
    pub(super) fn image(&mut self, set: &Words, bound: M::Bits, of: impl Fn(usize) -> M::Bits) -> Option<Words> {
        let bytes: Vec<usize> =
            (0..8 * set.len()).filter(|byte| bound.at(byte / 8) >> (8 * (byte % 8)) & 255 != 0).collect();
        if bytes.len() > MOST_BYTES {
            return None;
        }
        let mut all = self.nothing();
        for byte in bytes {
            let Some(word) = set.get(byte / 8).copied().flatten() else { continue };
            let single: Vec<M::Bits> = (8 * byte..8 * byte + 8)
                .map(|member| if bound.has(member) { of(member) } else { M::Bits::NONE })
                .collect();
            let together = |bits: usize| {
                let members = single.iter().enumerate().filter(|(n, _)| bits >> n & 1 == 1);
                members.fold(M::Bits::NONE, |all, (_, set)| all.or(*set))
            };
            let sets: Vec<M::Bits> = (0..256).map(together).collect();
            let bits = self.f.ins().ushr_imm_u(word, 8 * (byte as i64 % 8));
            let bits = self.f.ins().ireduce(I8, bits);
            let bits = self.f.ins().uextend(I32, bits);
            let there = self.one_of(&sets, bits);
            all = self.or(&all, &there);
        }
        Some(all)
    }

    /// Those of some cells whose squares are some sites; nothing where they are not to be looked up.
    fn cells_on(&mut self, cells: M::Bits, sites: &Words) -> Option<Words> {
        let topology = &self.program.topology;
        let inside = cells.members().take_while(|cell| *cell < topology.cells);
        let squares = M::Bits::of(inside.map(|cell| topology.square(cell)));
        self.image(sites, squares, |site| topology.cells_of(site as i32).and(cells))
    }

    /// Members with a number below 64 taken from each.
    fn lowered(&mut self, set: &Words, by: Value) -> Words {
        let by = self.index(by);
        let rest = self.long(63);
        let rest = self.f.ins().isub(rest, by);
        (0..set.len())
            .map(|n| {
                let low = set.get(n).copied().flatten().map(|word| self.f.ins().ushr(word, by));
                let high = set.get(n + 1).copied().flatten().map(|word| {
                    // In two steps, so that nothing is carried where nothing is taken.
                    let word = self.f.ins().ishl_imm_u(word, 1);
                    self.f.ins().ishl(word, rest)
                });
                match (low, high) {
                    (Some(low), Some(high)) => Some(self.f.ins().bor(low, high)),
                    (low, high) => low.or(high),
                }
            })
            .collect()
    }

    /// Men whose square so many steps ahead is one of some sites, or who cannot go so far.
    fn reaching(&mut self, bound: M::Bits, men: &Words, steps: Value, all_on: &Words) -> Words {
        let topology = &self.program.topology;
        let (states, cells) = (topology.states as i64, topology.cells as i64);
        // Wherever they can come to, cells of the same players.
        let players: Vec<usize> = (0..topology.seats)
            .filter(|player| bound.members().any(|cell| cell < topology.cells && topology.player(cell) == *player))
            .collect();
        let all = players.iter().fold(M::Bits::NONE, |all, player| {
            all.or(M::Bits::of(player * topology.cells_each..(player + 1) * topology.cells_each))
        });
        let longest = topology.longest_way().min(MAX_WALK);
        let on = if i64::from(longest) * states < 64 { self.cells_on(all, all_on) } else { None };
        if let Some(on) = on {
            let can = |steps: i32| topology.with_steps_left(steps);
            // A walk of fewer steps than none, or of more than the longest, nobody can make.
            let mut sets: Vec<M::Bits> = (0..=longest).map(can).collect();
            sets.push(M::Bits::NONE);
            let most = self.int(longest + 1);
            let steps = self.f.ins().umin(steps, most);
            let can = self.one_of(&sets, steps);
            let last = self.int(longest);
            let steps = self.f.ins().umin(steps, last);
            let far = self.f.ins().imul_imm_s(steps, states);
            let on = self.lowered(&on, far);
            let cannot = self.minus(men, &can);
            let can = self.and(men, &can);
            let can = self.and(&can, &on);
            return self.or(&can, &cannot);
        }
        let those = self.growing();
        let bytes = self.f.ins().imul_imm_s(steps, states);
        self.each(men, |code, cell, _| {
            let left = code.look_up(Look::StepsLeft, cell);
            let most = code.int(MAX_WALK);
            let left = code.f.ins().smin(left, most);
            let far = code.f.ins().icmp(IntCC::UnsignedGreaterThan, steps, left);
            let end = code.f.ins().iadd(cell, bytes);
            let last = code.int(cells as i32 - 1);
            let end = code.f.ins().umin(end, last);
            let square = code.look_up(Look::Square, end);
            let on = code.has(all_on, square);
            let all = code.f.ins().bor(far, on);
            let one = code.just(cell);
            code.grow_if(&those, all, &one);
        });
        self.grown(&those)
    }

    /// Goes round the circuit behind a site; what is done leads on or out.
    fn along(&mut self, from: Value, towards: Value, visit: impl FnOnce(&mut Self, Value, Block, Block)) {
        let first = self.follow(from, towards);
        let here = self.variable(I32, first);
        let (head, body, on, done) = (self.block(), self.block(), self.block(), self.block());
        // Behind none there is none.
        self.to(head);
        self.begin(head);
        let site = self.f.use_var(here);
        let there = self.is(IntCC::SignedGreaterThanOrEqual, site, 0);
        let other = self.f.ins().icmp(IntCC::NotEqual, site, from);
        let both = self.f.ins().band(there, other);
        self.branch(both, body, done);
        self.begin(body);
        visit(self, site, on, done);
        self.begin(on);
        let next = self.follow(site, towards);
        self.f.def_var(here, next);
        let again = self.f.ins().icmp(IntCC::Equal, next, first);
        self.branch(again, done, head);
        self.begin(done);
    }
}

/// The most bytes of a set that are looked up, and not its members one by one.
const MOST_BYTES: usize = 6;
