//! Sowing and capturing seeds.

use cranelift_codegen::ir::{
    Block, InstBuilder as _, MemFlagsData, Value,
    condcodes::IntCC,
    types::{I8, I32},
};

use super::{
    call::Helper,
    code::Code,
    words::{Words, known_set},
};
use crate::ir::{Model, NONE, Num, Op, Pc, Relay, Set, Sowing, SowingTable, TableSowing};

impl<M: Model> Code<'_, '_, M> {
    /// An instruction about seeds.
    pub(super) fn seed_work(&mut self, pc: Pc, op: &Op<M::Bits>) {
        match op {
            Op::TableSow(sow) => {
                let pit = self.num(&sow.pit);
                self.table_sow(sow, pit, false);
                return;
            }
            Op::Lift(set) => self.lift(set),
            Op::Capture { most: None, from } if self.is_known(from) => {
                let taken = self.take(from);
                self.count(taken);
            }
            Op::Capture { most: None, from } => {
                // Mostly nothing is captured.
                let sites = self.set_value(from);
                let any = self.any(&sites);
                self.when(any, |code| {
                    let taken = code.take_from(&sites);
                    code.count(taken);
                });
            }
            Op::CaptureOne(site) => self.capture_one(site),
            Op::Keep(from) => {
                self.take(from);
            }
            Op::NextSeed { first, towards, skipping, exit } => {
                self.next_seed(*first, *towards, *skipping, *exit);
            }
            Op::Sow(sowing) => self.sow(sowing),
            Op::BeginSowing { sowing, first, towards, skipping } => {
                let (from, way, skips) = self.sowing(sowing);
                self.put(*first, from);
                self.put(*towards, way);
                self.put_set(*skipping, &skips);
            }
            Op::Put { seeds, from, into } => self.put_seeds(seeds, from, into),
            _ => self.by_interpreter(pc),
        }
        self.to(self.at(pc + 1));
    }

    /// Whether the members of a set are known.
    fn is_known(&self, set: &Set<M::Bits>) -> bool {
        known_set(self.program, self.actor, set).is_some()
    }

    /// Whole pits go to the hand.
    fn lift(&mut self, set: &Set<M::Bits>) {
        let sites = self.set_value(set);
        if self.in_vectors() {
            let mask = self.lanes(&sites);
            let cells = self.cells();
            let counts = self.f.ins().band(cells, mask);
            let others = self.f.ins().band_not(cells, mask);
            self.put_cells(others);
            let (more, hand) = (self.sum_of_lanes(counts), self.get_int(self.fields.hand));
            let hand = self.f.ins().iadd(hand, more);
            self.set(self.fields.hand, hand);
            if let Some(register) = self.program.layout.lifted {
                self.put_set(register, &sites);
            }
            return;
        }
        self.each(&sites, |code, site, _| {
            let (there, hand) = (code.cell(site), code.get_int(code.fields.hand));
            let hand = code.f.ins().iadd(hand, there);
            code.set(code.fields.hand, hand);
            let zero = code.int(0);
            code.put_cell(site, zero);
        });
        if let Some(register) = self.program.layout.lifted {
            self.put_set(register, &sites);
        }
    }

    /// Where a sowing begins, its direction, and what it passes over.
    fn sowing(&mut self, sowing: &Sowing<M::Bits>) -> (Value, Value, Words) {
        let (from, towards) = (self.num(&sowing.from), self.num(&sowing.towards));
        let skips = match &sowing.skipping {
            Some(set) => self.set_value(set),
            None => self.nothing(),
        };
        let mut from = from;
        if let Some(register) = self.program.layout.lifted {
            // The checker sees to it that there is a place; if there were none, the seeds would go back.
            let lifted = self.set_of(register);
            let back = self.first(&lifted);
            let some = self.is_some(from);
            from = self.f.ins().select(some, from, back);
        }
        if !self.program.skipped_marks.is_empty() {
            let marked = self.marked();
            let passed = self.has(&marked, from);
            let (behind, here) = (self.follow(from, towards), from);
            let some = self.is_some(behind);
            let both = self.f.ins().band(passed, some);
            from = self.f.ins().select(both, behind, here);
        }
        (from, towards, skips)
    }

    /// Sows the hand, seed by seed.
    fn sow(&mut self, sowing: &Sowing<M::Bits>) {
        let (from, towards, skips) = self.sowing(sowing);
        let there = self.is(IntCC::SignedGreaterThanOrEqual, from, 0);
        self.when(there, |code| {
            let hand = code.get_int(code.fields.hand);
            let steps = code.index(hand);
            code.charge(steps);
            let (site, left) = (code.variable(I32, from), code.variable(I32, hand));
            let (body, done) = (code.block(), code.block());
            let some = code.is(IntCC::SignedGreaterThan, hand, 0);
            code.branch(some, body, done);
            code.begin(body);
            let (here, n) = (code.f.use_var(site), code.f.use_var(left));
            let here = code.passing(here, towards, &skips);
            code.add_seed(here);
            code.put_last(here);
            let next = code.behind(here, towards);
            code.f.def_var(site, next);
            let n = code.f.ins().iadd_imm_s(n, -1);
            code.f.def_var(left, n);
            let more = code.is(IntCC::NotEqual, n, 0);
            code.branch(more, body, done);
            code.begin(done);
            let last = code.last();
            code.set_last(last);
            let zero = code.int(0);
            let left = code.f.ins().smin(hand, zero);
            code.set(code.fields.hand, left);
        });
    }

    /// One more seed, into the first site or the one behind that of the last seed.
    fn next_seed(&mut self, first: u16, towards: u16, skipping: u16, exit: Pc) {
        self.charge_one();
        let hand = self.get_int(self.fields.hand);
        let (some, exit) = (self.block(), self.at(exit));
        self.branch(hand, some, exit);
        self.begin(some);
        let (from, way, skips) = (self.number(first), self.number(towards), self.set_of(skipping));
        let last = self.last();
        let behind = self.behind(last, way);
        let begins = self.is_some(from);
        let from = self.f.ins().select(begins, from, behind);
        let site = self.passing(from, way, &skips);
        self.add_seed(site);
        let hand = self.f.ins().iadd_imm_s(hand, -1);
        self.set(self.fields.hand, hand);
        self.set_last(site);
        self.put_int(first, NONE);
    }

    /// The site where a seed falls that would come to one, if some are passed over. Where every one is, it is that one.
    fn passing(&mut self, from: Value, towards: Value, skips: &Words) -> Value {
        if skips.iter().all(Option::is_none) {
            return from;
        }
        let site = self.variable(I32, from);
        let passed = self.has(skips, from);
        self.when(passed, |code| {
            let zero = code.int(0);
            let tries = code.variable(I32, zero);
            let goes_on = |code: &mut Self| {
                let (now, n) = (code.f.use_var(site), code.f.use_var(tries));
                let passed = code.has(skips, now);
                let more = code.is(IntCC::UnsignedLessThan, n, code.program.topology.sites as i64);
                code.f.ins().band(passed, more)
            };
            code.repeat(goes_on, |code| {
                let (now, n) = (code.f.use_var(site), code.f.use_var(tries));
                let next = code.behind(now, towards);
                code.f.def_var(site, next);
                let n = code.f.ins().iadd_imm_s(n, 1);
                code.f.def_var(tries, n);
            });
            let now = code.f.use_var(site);
            let passed = code.has(skips, now);
            let there = code.f.ins().select(passed, from, now);
            code.f.def_var(site, there);
        });
        self.f.use_var(site)
    }

    fn behind(&mut self, site: Value, towards: Value) -> Value {
        let next = self.follow(site, towards);
        let some = self.is_some(next);
        self.f.ins().select(some, next, site)
    }

    /// The address of a row of a table for a pit, which may surely be one of the board, and seeds, and where its last
    /// seed falls; goes on elsewhere where it has none.
    fn row(
        &mut self,
        table: &SowingTable<M>,
        towards: Value,
        pit: Value,
        seeds: Value,
        slow: Block,
        sure: bool,
    ) -> (Value, Value) {
        let Some(rows) = table.rows() else {
            let (nowhere, zero) = (self.block(), self.long(0));
            self.to(slow);
            self.begin(nowhere);
            let none = self.nobody();
            return (zero, none);
        };
        let from = rows.from.get(self.seat).copied().unwrap_or_default();
        let [against, with] = from.map(|from| self.int(from as i32));
        let first = match self.known(towards) {
            Some(0) => against,
            Some(_) => with,
            None if from[0] == from[1] => against,
            None => self.f.ins().select(towards, with, against),
        };
        let each = self.f.ins().imul_imm_s(pit, i64::from(rows.seeds));
        let at = self.f.ins().iadd(first, each);
        let at = self.f.ins().iadd(at, seeds);
        let few = self.is(IntCC::UnsignedLessThan, seeds, i64::from(rows.seeds));
        let there = self.block();
        if sure {
            self.branch(few, there, slow);
        } else {
            let inside = self.is(IntCC::UnsignedLessThan, at, rows.len as i64);
            let both = self.f.ins().band(few, inside);
            self.branch(both, there, slow);
        }
        self.begin(there);
        let at = self.index(at);
        let bytes = self.f.ins().imul_imm_s(at, rows.size as i64);
        let base = self.address(rows.first);
        let row = self.f.ins().iadd(base, bytes);
        let flags = MemFlagsData::trusted().with_readonly();
        let last = self.f.ins().load(I32, flags, row, rows.last as i32);
        let there = self.is(IntCC::SignedGreaterThanOrEqual, last, 0);
        let known = self.block();
        self.branch(there, known, slow);
        self.begin(known);
        (self.f.ins().iadd_imm_s(row, rows.delta as i64), last)
    }

    /// A whole sowing at once, or else seed by seed; of a pit that has seeds, if that is sure.
    pub(super) fn table_sow(&mut self, sow: &TableSowing<M::Bits>, pit: Value, sure: bool) {
        let (slow, over) = (self.at(sow.slow), self.at(sow.over));
        let Some(table) = self.program.sowings.get(usize::from(sow.table)) else {
            self.to(slow);
            return;
        };
        let towards = self.num(&sow.towards);
        let hand = self.get_int(self.fields.hand);
        let seeds = if sow.lifts {
            // More in the hand than the one pit gives.
            let (free, empty) = (self.block(), self.is(IntCC::Equal, hand, 0));
            self.branch(empty, free, slow);
            self.begin(free);
            if sure { self.cell(pit) } else { self.cell_or_none(pit) }
        } else {
            hand
        };
        let (row, last) = self.row(table, towards, pit, seeds, slow, sure);
        self.add_row(row);
        self.set_last(last);
        if !sow.lifts {
            self.set_int(self.fields.hand, 0);
        }
        if let Some(register) = self.program.layout.lifted.filter(|_| sow.lifts) {
            let one = self.one(pit);
            self.put_set(register, &one);
        }
        self.to(over);
    }

    /// Laps that need nothing but a table; where they cannot go on, the ordinary loop behind does.
    pub(super) fn relay(&mut self, pc: Pc, relay: &Relay<M::Bits>) {
        let Some(table) = self.program.sowings.get(usize::from(relay.table)) else { return };
        let (towards, bound) = (self.num(&relay.towards), self.num(&relay.bound));
        let hand = self.get_int(self.fields.hand);
        let (free, behind) = (self.block(), self.block());
        let empty = self.is(IntCC::Equal, hand, 0);
        self.branch(empty, free, behind);
        self.begin(free);
        let (start, begun) = (self.last(), self.number(relay.rounds));
        let nobody = self.nobody();
        let (last, rounds, lifted) = (self.variable(I32, start), self.variable(I32, begun), self.variable(I32, nobody));
        let (head, more, lap, exit, reached, slow) =
            (self.block(), self.block(), self.block(), self.block(), self.block(), self.block());
        self.to(head);
        self.begin(head);
        let site = self.f.use_var(last);
        let seeds = self.cell_or_none(site);
        let few = self.is(IntCC::SignedLessThanOrEqual, seeds, i64::from(relay.most));
        self.branch(few, exit, more);
        self.begin(more);
        let done = self.f.use_var(rounds);
        let all = self.f.ins().icmp(IntCC::SignedGreaterThanOrEqual, done, bound);
        self.branch(all, reached, lap);
        self.begin(lap);
        let (row, end) = self.row(table, towards, site, seeds, slow, false);
        self.add_row(row);
        self.f.def_var(lifted, site);
        self.f.def_var(last, end);
        let done = self.f.ins().iadd_imm_s(done, 1);
        self.f.def_var(rounds, done);
        self.to(head);
        // Wherever it ends, what it has come to is written down.
        let (exits, bounds) = (self.at(relay.exit), self.at(relay.reached));
        for (block, is_bound, to) in [(exit, false, exits), (reached, true, bounds), (slow, false, behind)] {
            self.begin(block);
            let (site, done, from) = (self.f.use_var(last), self.f.use_var(rounds), self.f.use_var(lifted));
            self.set_last(site);
            self.put(relay.rounds, done);
            if let Some(register) = self.program.layout.lifted {
                let any = self.is_some(from);
                self.when(any, |code| {
                    let one = code.one(from);
                    code.put_set(register, &one);
                });
            }
            let steps = self.index(done);
            self.charge(steps);
            if is_bound {
                let head = self.long(i64::from(pc) + 1);
                self.call(Helper::Endless, &[head]);
            }
            self.to(to);
        }
        self.begin(behind);
    }

    /// Seeds go from one site to another.
    fn put_seeds(&mut self, seeds: &Num<M::Bits>, from: &Num<M::Bits>, into: &Num<M::Bits>) {
        let (zero, most) = (self.int(0), self.int(65535));
        let seeds = self.num(seeds);
        let seeds = self.f.ins().smax(seeds, zero);
        let seeds = self.f.ins().smin(seeds, most);
        let (from, into) = (self.num(from), self.num(into));
        let (one, other) = (self.is_some(from), self.is_some(into));
        let both = self.f.ins().band(one, other);
        self.when(both, |code| {
            let there = code.cell(from);
            let seeds = code.f.ins().umin(seeds, there);
            let left = code.f.ins().isub(there, seeds);
            code.put_cell(from, left);
            code.add_to_cell(into, seeds);
        });
    }

    /// The store of the acting player.
    fn store(&mut self) -> Value {
        let stores = self.program.topology.stores;
        self.by_actor(&stores)
    }

    /// All seeds of some pits go to the acting player's store; gives how many.
    fn take(&mut self, from: &Set<M::Bits>) -> Value {
        let sites = self.set_value(from);
        self.take_from(&sites)
    }

    fn take_from(&mut self, sites: &Words) -> Value {
        let store = self.store();
        if self.known(store) == Some(i64::from(NONE as u32)) {
            return self.int(0);
        }
        let own = self.one(store);
        let sites = self.minus(sites, &own);
        if self.in_vectors() {
            return self.take_lanes(&sites, store);
        }
        let taken = self.take_each(&sites);
        let some = self.is(IntCC::NotEqual, taken, 0);
        self.when(some, |code| code.add_to_cell(store, taken));
        taken
    }

    fn take_lanes(&mut self, sites: &Words, store: Value) -> Value {
        let mask = self.lanes(sites);
        let cells = self.cells();
        let counts = self.f.ins().band(cells, mask);
        let others = self.f.ins().band_not(cells, mask);
        let taken = self.sum_of_lanes(counts);
        let mask = self.lane(store);
        let more = self.spread(taken, mask);
        let cells = self.f.ins().iadd(others, more);
        self.put_cells(cells);
        taken
    }

    fn take_each(&mut self, sites: &Words) -> Value {
        let zero = self.int(0);
        let taken = self.variable(I32, zero);
        self.each(sites, |code, site, _| {
            let (there, before) = (code.cell(site), code.f.use_var(taken));
            let after = code.f.ins().iadd(before, there);
            code.f.def_var(taken, after);
            let zero = code.int(0);
            code.put_cell(site, zero);
        });
        self.f.use_var(taken)
    }

    /// All seeds of one pit are captured.
    fn capture_one(&mut self, site: &Num<M::Bits>) {
        let (site, store) = (self.num(site), self.store());
        let seeds = self.cell_or_none(site);
        let some = self.is(IntCC::NotEqual, seeds, 0);
        let stored = self.is(IntCC::SignedGreaterThanOrEqual, store, 0);
        let other = self.f.ins().icmp(IntCC::NotEqual, store, site);
        let all = self.f.ins().band(some, stored);
        let all = self.f.ins().band(all, other);
        self.when(all, |code| {
            if code.in_vectors() {
                let (from, into) = (code.lane(site), code.lane(store));
                let (cells, more) = (code.cells(), code.spread(seeds, into));
                let others = code.f.ins().band_not(cells, from);
                let cells = code.f.ins().iadd(others, more);
                code.put_cells(cells);
            } else {
                let zero = code.int(0);
                code.put_cell(site, zero);
                code.add_to_cell(store, seeds);
            }
            code.count_some(seeds);
        });
    }

    /// Counts what the acting player has captured, if anything.
    pub(super) fn count(&mut self, taken: Value) {
        let some = self.is(IntCC::NotEqual, taken, 0);
        self.when(some, |code| code.count_some(taken));
    }

    fn count_some(&mut self, taken: Value) {
        let actor = self.acting();
        let before = self.captures(actor, None);
        let sum = self.f.ins().iadd(before, taken);
        let wrapped = self.f.ins().icmp(IntCC::UnsignedLessThan, sum, before);
        let most = self.int(-1);
        let sum = self.f.ins().select(wrapped, most, sum);
        self.captures(actor, Some(sum));
        let one = self.f.ins().iconst(I8, 1);
        self.set(self.fields.captured, one);
    }
}
