//! Numbers.

use cranelift_codegen::ir::{
    InstBuilder as _, Value,
    condcodes::IntCC,
    types::{I32, I64},
};

use super::{
    call::Helper,
    code::Code,
    words::{Words, known_set},
};
use crate::ir::{Bits as _, List, Look, Model, NONE, Num, Set, Topology};

impl<M: Model> Code<'_, '_, M> {
    pub(super) fn num(&mut self, num: &Num<M::Bits>) -> Value {
        match num {
            Num::Const(n) => self.int(*n),
            Num::Reg(register) => self.number(*register),
            Num::OwnReg(first) => self.own_number(*first),
            Num::ByActor(numbers) => self.by_actor(numbers),
            Num::Hand => self.get_int(self.fields.hand),
            Num::Last => self.last(),
            Num::Quiet => self.get_int(self.fields.quiet),
            Num::TurnsPlayed => {
                let (turns, start) = (self.get_int(self.fields.turns), self.get_int(self.fields.round_start));
                self.f.ins().isub(turns, start)
            }
            Num::Round => self.get_int(self.fields.round),
            Num::Mover => self.int(self.seat as i32),
            Num::Actor => self.acting(),
            Num::Beginner => self.get_byte(self.fields.beginner),
            Num::RoundWinner => {
                let (winner, beginner) = (self.get_int(self.fields.round_winner), self.get_byte(self.fields.beginner));
                let nobody = self.is(IntCC::Equal, winner, i64::from(NONE));
                self.f.ins().select(nobody, beginner, winner)
            }
            Num::Reached => self.get_int(self.fields.reached),
            Num::Count(cell) => {
                let cell = self.num(cell);
                self.cell_or_none(cell)
            }
            Num::Seeds(set) | Num::Men(set) => self.seeds(set),
            Num::Stored => {
                let stores = self.program.topology.stores;
                let store = self.by_actor(&stores);
                self.cell_or_none(store)
            }
            Num::Home => {
                let home = self.program.topology.home;
                self.seeds(&Set::ByActor(home))
            }
            Num::Look(what, code) => {
                let code = self.num(code);
                self.look_up(*what, code)
            }
            Num::Next(site, towards) => {
                let (site, towards) = (self.num(site), self.num(towards));
                self.follow(site, towards)
            }
            Num::Ahead(site, steps, towards) => {
                let (site, steps, towards) = (self.num(site), self.num(steps), self.num(towards));
                // Rounds of the circuit are left out by the interpreter.
                let rounds = self.is(IntCC::SignedGreaterThan, steps, self.program.topology.sites as i64);
                self.either(rounds, I32, |code| code.number_from_helper(num), |code| code.ahead(site, steps, towards))
            }
            Num::PlayerAfter(player) => {
                let player = self.num(player);
                let seats = self.program.topology.seats as i32;
                let after: Vec<i32> = (0..seats).map(|seat| (seat + 1) % seats).collect();
                self.look(&after, player)
            }
            Num::Reverse(towards) => {
                let towards = self.num(towards);
                let one = self.int(1);
                self.f.ins().isub(one, towards)
            }
            Num::First(list) => match &**list {
                List::Ascending(set) | List::Men(set) => {
                    let set = self.set_value(set);
                    self.first(&set)
                }
                _ => self.number_from_helper(num),
            },
            Num::Size(set) => {
                let set = self.set_value(set);
                self.size(&set)
            }
            Num::Length(list) => match &**list {
                List::Men(set) => self.seeds(set),
                List::Ascending(set) => {
                    let set = self.set_value(set);
                    self.size(&set)
                }
                List::Pool => match self.program.layout.pool {
                    Some(pool) => self.list_len(pool),
                    None => self.int(0),
                },
                List::Reg(list) => self.list_len(*list),
                _ => self.number_from_helper(num),
            },
            Num::Total(list) => match (&**list, self.program.layout.pool) {
                (List::Pool, Some(pool)) => self.total(pool),
                _ => self.number_from_helper(num),
            },
            Num::Add(left, right) => self.reckon(left, right, |code, left, right| code.f.ins().iadd(left, right)),
            Num::Subtract(left, right) => self.reckon(left, right, |code, left, right| code.f.ins().isub(left, right)),
            Num::Multiply(left, right) => self.reckon(left, right, |code, left, right| code.f.ins().imul(left, right)),
            Num::Truth(test) => {
                let truth = self.truth(test);
                self.f.ins().uextend(I32, truth)
            }
        }
    }

    fn number_from_helper(&mut self, num: &Num<M::Bits>) -> Value {
        let address = self.address(num);
        self.call(Helper::Number, &[address])
    }

    /// Reckons with numbers that are kept within 32 bits.
    fn reckon(
        &mut self,
        left: &Num<M::Bits>,
        right: &Num<M::Bits>,
        with: impl FnOnce(&mut Self, Value, Value) -> Value,
    ) -> Value {
        let (small, left, right) = (is_small(left) && is_small(right), self.num(left), self.num(right));
        if small {
            return with(self, left, right);
        }
        let (left, right) = (self.f.ins().sextend(I64, left), self.f.ins().sextend(I64, right));
        let wide = with(self, left, right);
        self.within_bits(wide)
    }

    /// What the board says of a site or a cell.
    pub(super) fn look_up(&mut self, what: Look, code: Value) -> Value {
        let table = relation(&self.program.topology, what);
        self.look(&table, code)
    }

    /// The site that follows on the mover's circuit; sites with a mark that is skipped are passed over.
    pub(super) fn follow(&mut self, site: Value, towards: Value) -> Value {
        let next = self.follow_circuit(site, towards);
        if self.program.skipped_marks.is_empty() {
            return next;
        }
        let marked = self.marked();
        let (zero, here) = (self.int(0), self.variable(I32, next));
        let tries = self.variable(I32, zero);
        let passed = |code: &mut Self| {
            let now = code.f.use_var(here);
            code.has(&marked, now)
        };
        self.repeat(passed, |code| {
            // Where all are marked there is none.
            let (now, n) = (code.f.use_var(here), code.f.use_var(tries));
            let n = code.f.ins().iadd_imm_s(n, 1);
            code.f.def_var(tries, n);
            let more = code.is(IntCC::UnsignedLessThan, n, code.program.topology.sites as i64);
            let (behind, none) = (code.follow_circuit(now, towards), code.nobody());
            let behind = code.f.ins().select(more, behind, none);
            code.f.def_var(here, behind);
        });
        self.f.use_var(here)
    }

    /// The sites that the circuit passes over.
    pub(super) fn marked(&mut self) -> Words {
        let mut all = self.nothing();
        for register in &self.program.skipped_marks {
            let marked = self.set_of(*register);
            all = self.or(&all, &marked);
        }
        all
    }

    /// The site that follows on the mover's circuit, whatever is marked.
    fn follow_circuit(&mut self, site: Value, towards: Value) -> Value {
        let topology = &self.program.topology;
        let circuit = |towards: i32| -> Vec<i32> {
            (0..topology.sites as i32).map(|site| topology.next(self.seat, towards, site)).collect()
        };
        let (against, with) = (circuit(0), circuit(1));
        match self.known(towards) {
            Some(0) => self.look(&against, site),
            Some(_) => self.look(&with, site),
            None if against == with => self.look(&with, site),
            None => {
                let (against, with) = (self.look(&against, site), self.look(&with, site));
                self.f.ins().select(towards, with, against)
            }
        }
    }

    /// The pit so many pits ahead, not more than a round.
    fn ahead(&mut self, from: Value, steps: Value, towards: Value) -> Value {
        let first = self.follow(from, towards);
        let zero = self.int(0);
        let moves = self.is(IntCC::SignedGreaterThan, steps, 0);
        let there = self.is_some(first);
        let goes = self.f.ins().band(moves, there);
        let start = self.f.ins().select(goes, first, from);
        let steps = self.f.ins().iadd_imm_s(steps, -1);
        let steps = self.f.ins().select(goes, steps, zero);
        let here = self.variable(I32, start);
        self.counted(zero, steps, |code, _| {
            // Behind none there is none.
            let now = code.f.use_var(here);
            let next = code.follow(now, towards);
            code.f.def_var(here, next);
        });
        self.f.use_var(here)
    }

    /// The smallest member of a set, or none.
    pub(super) fn first(&mut self, set: &Words) -> Value {
        let (some, (member, _)) = (self.any(set), self.pop(set));
        let none = self.int(NONE);
        self.f.ins().select(some, member, none)
    }

    /// The sum of the counts that are still to be used.
    fn total(&mut self, pool: crate::ir::ListReg) -> Value {
        let len = self.list_len(pool);
        let zero = self.int(0);
        // Mostly there is one.
        let start = if pool.most == 0 {
            zero
        } else {
            let (any, first) = (self.is(IntCC::NotEqual, len, 0), self.list_item(pool, zero));
            self.f.ins().select(any, first, zero)
        };
        let (one, sum) = (self.int(1), self.variable(I32, start));
        self.counted(one, len, |code, n| {
            let (before, item) = (code.f.use_var(sum), code.list_item(pool, n));
            let after = code.sum(before, item);
            code.f.def_var(sum, after);
        });
        self.f.use_var(sum)
    }

    /// A sum that is kept within 32 bits.
    fn sum(&mut self, left: Value, right: Value) -> Value {
        let (left, right) = (self.f.ins().sextend(I64, left), self.f.ins().sextend(I64, right));
        let wide = self.f.ins().iadd(left, right);
        self.within_bits(wide)
    }

    /// A number that is cut to 32 bits.
    fn within_bits(&mut self, wide: Value) -> Value {
        let (least, most) = (self.long(i64::from(i32::MIN)), self.long(i64::from(i32::MAX)));
        let wide = self.f.ins().smax(wide, least);
        let wide = self.f.ins().smin(wide, most);
        self.f.ins().ireduce(I32, wide)
    }

    /// One more count to be used. The helper keeps them in order.
    pub(super) fn add_to_pool(&mut self, count: Value) {
        let Some(pool) = self.program.layout.pool.filter(|pool| pool.most > 0) else {
            self.call(Helper::AddToPool, &[count]);
            self.charge_nothing();
            return;
        };
        let len = self.number(pool.base);
        let (first, more, on) = (self.block(), self.block(), self.block());
        self.branch(len, more, first);
        self.begin(first);
        let zero = self.int(0);
        self.put_list_item(pool, zero, count);
        self.put_int(pool.base, 1);
        self.to(on);
        self.begin(more);
        self.call(Helper::AddToPool, &[count]);
        self.charge_nothing();
        self.to(on);
        self.begin(on);
    }

    /// A helper may have found that the game must be stopped.
    fn charge_nothing(&mut self) {
        let nothing = self.long(0);
        self.charge(nothing);
    }

    /// The seeds or men on the cells of a set.
    pub(super) fn seeds(&mut self, set: &Set<M::Bits>) -> Value {
        if let Some(known) = known_set(self.program, self.actor, set) {
            return self.seeds_on_known(known);
        }
        if let Set::ByActor(sets) = set {
            // One cell for each player.
            let seats = self.program.topology.seats;
            let sets = sets.get(..seats).unwrap_or(sets);
            if sets.iter().all(|set| set.len() == 1) {
                let cells: Vec<i32> = sets.iter().map(|set| set.first().map_or(NONE, |cell| cell as i32)).collect();
                let actor = self.acting();
                let cell = self.look(&cells, actor);
                return self.cell_or_none(cell);
            }
        }
        let words = self.set_value(set);
        self.seeds_on(&words)
    }

    fn seeds_on_known(&mut self, set: M::Bits) -> Value {
        if set.len() > 4 && self.in_vectors() {
            let words = self.constant(set);
            return self.seeds_on(&words);
        }
        let mut sum = None;
        for cell in set.members() {
            let cell = self.int(cell as i32);
            let count = self.cell(cell);
            sum = Some(sum.map_or(count, |sum| self.f.ins().iadd(sum, count)));
        }
        match sum {
            Some(sum) => sum,
            None => self.int(0),
        }
    }

    pub(super) fn seeds_on(&mut self, set: &Words) -> Value {
        if self.in_vectors() {
            let mask = self.lanes(set);
            let cells = self.cells();
            let counts = self.f.ins().band(cells, mask);
            return self.sum_of_lanes(counts);
        }
        let zero = self.int(0);
        let sum = self.variable(I32, zero);
        self.each(set, |code, cell, _| {
            let count = code.cell(cell);
            let before = code.f.use_var(sum);
            let after = code.f.ins().iadd(before, count);
            code.f.def_var(sum, after);
        });
        self.f.use_var(sum)
    }
}

/// What a table of the board says, as a list.
fn relation<B: crate::ir::Bits>(topology: &Topology<B>, what: Look) -> Vec<i32> {
    let men = matches!(what, Look::Square | Look::Player | Look::StepsLeft | Look::Start);
    let codes = if men { topology.cells } else { topology.sites };
    (0..codes as i32).map(|code| topology.look(what, code)).collect()
}

/// Whether a number is far within 32 bits.
fn is_small<B>(num: &Num<B>) -> bool {
    match num {
        Num::Const(n) => n.unsigned_abs() < 1 << 20,
        Num::Hand
        | Num::Last
        | Num::Mover
        | Num::Actor
        | Num::Beginner
        | Num::RoundWinner
        | Num::Reached
        | Num::Count(_)
        | Num::Seeds(_)
        | Num::Stored
        | Num::Home
        | Num::Look(..)
        | Num::Next(..)
        | Num::Size(_)
        | Num::Men(_)
        | Num::Truth(_) => true,
        _ => false,
    }
}
