//! Effects: what an instruction does to the cells, the men, the pool or the marks.

use super::run::Run;
use crate::ir::{Bits, Cells as _, List, Model, NONE, Num, Op, Pc, Set, Sowing, TableSowing};

impl<M: Model> Run<'_, M> {
    pub(super) fn effect(&mut self, op: &Op<M::Bits>) {
        match op {
            Op::Lift(set) => {
                let sites = self.set(set);
                for site in sites.members() {
                    self.state.hand += self.state.cells.get(site);
                    self.state.cells.set(site, 0);
                }
                if let Some(register) = self.program.layout.lifted {
                    self.state.put_set(register, sites);
                }
            }
            Op::Sow(sowing) => {
                if let Some((mut first, towards, skipping)) = self.sowing(sowing) {
                    self.charge(self.state.hand as u64);
                    while self.state.hand > 0 {
                        self.drop_seed(first, towards, skipping);
                        first = NONE;
                    }
                }
            }
            Op::BeginSowing { sowing, first, towards, skipping } => {
                if let Some((from, way, skips)) = self.sowing(sowing) {
                    self.state.put(*first, from);
                    self.state.put(*towards, way);
                    self.state.put_set(*skipping, skips);
                }
            }
            Op::Capture { most: None, from } => self.capture(from),
            Op::Capture { most: Some(most), from } => {
                let most = self.num(most).clamp(0, 65535);
                let sites = self.set(from);
                let taken = self.take(sites, most);
                if taken > 0 {
                    self.count(taken as u32);
                }
            }
            Op::Keep(from) => {
                let sites = self.set(from);
                self.take(sites, i32::MAX);
            }
            Op::Put { seeds, from, into } => {
                let seeds = self.num(seeds).clamp(0, 65535);
                let (from, into) = (self.num(from), self.num(into));
                if from != NONE && into != NONE {
                    let seeds = seeds.min(self.state.cells.get(from as usize));
                    self.shift(from as usize, into as usize, seeds);
                }
            }
            Op::Mark(set, first) => {
                let sites = self.set(set);
                self.unmark(sites, *first);
                let own = first + u16::from(self.state.actor);
                let marked = self.state.set(own).or(sites);
                self.state.put_set(own, marked);
            }
            Op::Unmark(set, first) => {
                let sites = self.set(set);
                self.unmark(sites, *first);
            }
            Op::CaptureMen(men) => self.remove(men, true),
            Op::SendBack(men) => self.remove(men, false),
            Op::Make { men, state, named } => self.with_list(men, |run, men| {
                for man in men {
                    let made = run.program.topology.in_state(*man as usize, usize::from(*state));
                    run.change(*man as usize, made);
                    run.rename(*named, *man, made);
                }
            }),
            Op::Move { men, steps, to, named } => self.move_men(men, steps, to.as_ref(), *named),
            Op::AddToPool(count) => {
                let count = self.num(count);
                self.add_to_pool(count);
            }
            Op::Spend(count) => {
                let count = self.num(count);
                self.spend(count);
            }
            Op::ClearPool => self.state.clear_pool(self.program),
            Op::TakeBack => {
                self.before.restore(self.state);
                self.tally.captured = self.tally.before;
                self.state.hand = 0;
                self.state.clear_pool(self.program);
                self.state.captured = false;
            }
            _ => {}
        }
    }

    /// A whole sowing at once, or else seed by seed; gives where it goes on.
    #[inline(always)]
    pub(super) fn table_sow(&mut self, sow: &TableSowing<M::Bits>, pit: i32) -> Pc {
        let towards = self.num(&sow.towards);
        let seeds = if !sow.lifts {
            self.state.hand
        } else if self.state.hand == 0 {
            self.on(pit)
        } else {
            // More in the hand than the one pit gives.
            i32::MAX
        };
        let table = self.program.sowings.get(usize::from(sow.table));
        let row = table.and_then(|table| table.sow(usize::from(self.state.mover), towards, pit, seeds));
        let Some((row, last)) = row else { return sow.slow };
        self.state.cells.add(row);
        self.state.last = last;
        self.state.hand = 0;
        if sow.lifts
            && let Some(register) = self.program.layout.lifted
        {
            self.state.put_set(register, M::Bits::one(pit as usize));
        }
        sow.over
    }

    /// The acting player captures all seeds of some pits.
    #[inline(always)]
    pub(super) fn capture(&mut self, from: &Set<M::Bits>) {
        let sites = self.set(from);
        if !sites.is_empty() {
            let taken = self.take(sites, i32::MAX);
            if taken > 0 {
                self.count(taken as u32);
            }
        }
    }

    /// The acting player captures all seeds of one pit.
    #[inline]
    pub(super) fn capture_one(&mut self, site: &Num<M::Bits>) {
        let site = self.num(site);
        let seeds = self.on(site);
        let store = self.program.topology.stores.get(usize::from(self.state.actor)).copied().unwrap_or(NONE);
        if seeds > 0 && store != NONE && store != site {
            self.shift(site as usize, store as usize, seeds);
            self.count(seeds as u32);
        }
    }

    fn shift(&mut self, from: usize, into: usize, seeds: i32) {
        let left = self.state.cells.get(from) - seeds;
        self.state.cells.set(from, left);
        let more = self.state.cells.get(into) + seeds;
        self.state.cells.set(into, more);
    }

    /// Moves seeds of pits to the acting player's store, and says how many.
    fn take(&mut self, sites: M::Bits, most: i32) -> i32 {
        let store = self.program.topology.stores.get(usize::from(self.state.actor)).copied().unwrap_or(NONE);
        if store == NONE {
            return 0;
        }
        let mut taken = 0;
        for site in sites.minus(M::Bits::one(store as usize)).members() {
            let there = self.state.cells.get(site);
            let seeds = most.min(there);
            self.state.cells.set(site, there - seeds);
            taken += seeds;
        }
        if taken > 0 {
            let more = self.state.cells.get(store as usize) + taken;
            self.state.cells.set(store as usize, more);
        }
        taken
    }

    /// Counts what the acting player has captured.
    fn count(&mut self, more: u32) {
        if let Some(sum) = self.tally.captured.get_mut(usize::from(self.state.actor)) {
            *sum = sum.saturating_add(more);
        }
        self.state.captured = true;
    }

    fn unmark(&mut self, sites: M::Bits, first: u16) {
        for seat in 0..self.program.topology.seats as u16 {
            let left = self.state.set(first + seat).minus(sites);
            self.state.put_set(first + seat, left);
        }
    }

    /// Where a sowing begins, its direction, and what it passes over.
    fn sowing(&mut self, sowing: &Sowing<M::Bits>) -> Option<(i32, i32, M::Bits)> {
        let (mut from, towards) = (self.num(&sowing.from), self.num(&sowing.towards));
        let skipping = sowing.skipping.as_ref().map_or(M::Bits::NONE, |set| self.set(set));
        if from == NONE {
            // The checker sees to it that there is a place; if there were none, the seeds would go back.
            from = self.program.layout.lifted.and_then(|lifted| self.state.set(lifted).first())? as i32;
        }
        if self.skipped(from) {
            let behind = self.next(from, towards);
            from = if behind == NONE { from } else { behind };
        }
        Some((from, towards, skipping))
    }

    /// One more seed of a sowing with something done for every seed.
    pub(super) fn next_seed(&mut self, first: u16, towards: u16, skipping: u16) {
        let (from, way, skips) = (self.state.number(first), self.state.number(towards), self.state.set(skipping));
        self.drop_seed(from, way, skips);
        self.state.put(first, NONE);
    }

    /// Drops one seed into the first site, or else into the next one behind that of the last seed. A sowing that must
    /// pass over every pit drops all seeds where it is: nothing is lost.
    fn drop_seed(&mut self, first: i32, towards: i32, skipping: M::Bits) {
        let from = if first == NONE { self.behind(self.state.last, towards) } else { first };
        let mut site = from;
        if !skipping.is_empty() {
            for _ in 0..self.program.topology.sites {
                if !skipping.has(site as usize) {
                    break;
                }
                site = self.behind(site, towards);
            }
            if skipping.has(site as usize) {
                site = from;
            }
        }
        let seeds = self.state.cells.get(site as usize);
        self.state.cells.set(site as usize, seeds + 1);
        self.state.hand -= 1;
        self.state.last = site;
    }

    fn behind(&self, site: i32, towards: i32) -> i32 {
        let next = self.next(site, towards);
        if next == NONE { site } else { next }
    }

    /// A man leaves a cell for another; where there is none nothing changes.
    fn change(&mut self, from: usize, to: usize) {
        let there = self.state.cells.get(from);
        if there == 0 || from == to {
            return;
        }
        self.state.cells.set(from, there - 1);
        let more = self.state.cells.get(to) + 1;
        self.state.cells.set(to, more);
        if let Some(register) = self.program.layout.men {
            let mut men = self.state.set(register).or(M::Bits::one(to));
            if there == 1 {
                men = men.minus(M::Bits::one(from));
            }
            self.state.put_set(register, men);
        }
    }

    /// Takes men from where they are, to their start or out of the game; each counts as a capture.
    fn remove(&mut self, men: &List<M::Bits>, out: bool) {
        match men {
            // Those who come to a cell of the set are at their start, where nobody is taken from.
            List::Men(set) => {
                for cell in self.set(set).members() {
                    for _ in 0..self.state.cells.get(cell) {
                        self.remove_one(cell, out);
                    }
                }
            }
            List::One(man) => {
                let man = self.num(man);
                if man != NONE {
                    self.remove_one(man as usize, out);
                }
            }
            men => self.with_list(men, |run, men| men.iter().for_each(|man| run.remove_one(*man as usize, out))),
        }
    }

    fn remove_one(&mut self, man: usize, out: bool) {
        let topology = &self.program.topology;
        let player = topology.player(man);
        let start = (player * topology.cells_each) as i32;
        let to = if out { topology.out_cell.get(player).copied().unwrap_or(NONE) } else { start };
        let stays = topology.in_state(man, 0) as i32 == to;
        if to != NONE && !stays && self.state.cells.get(man) > 0 {
            self.change(man, to as usize);
            self.count(1);
        }
    }

    /// Moves men along their tracks.
    fn move_men(&mut self, men: &List<M::Bits>, steps: &Num<M::Bits>, to: Option<&Num<M::Bits>>, named: Option<u16>) {
        if let List::One(man) = men {
            let (man, steps) = (self.num(man), self.num(steps));
            let goal = to.map_or(NONE, |to| self.num(to));
            if man != NONE {
                self.move_one(man, steps, goal, named);
            }
        } else {
            self.with_list(men, |run, men| {
                let steps = run.num(steps);
                let goal = to.map_or(NONE, |to| run.num(to));
                men.iter().for_each(|man| run.move_one(*man, steps, goal, named));
            });
        }
        self.state.moving = self.state.moving.saturating_add(1);
    }

    fn move_one(&mut self, man: i32, steps: i32, goal: i32, named: Option<u16>) {
        let from = man as usize;
        if self.state.cells.get(from) > 0 {
            let end = self.walk(from, steps, goal);
            self.change(from, end);
            self.rename(named, man, end);
        }
    }

    /// Where a man comes to, and what he treads on the way.
    fn walk(&mut self, from: usize, steps: i32, goal: i32) -> usize {
        let (layout, topology) = (&self.program.layout, &self.program.topology);
        let (mut passed, mut reached) = (M::Bits::NONE, topology.square(from));
        let (mut count, mut trodden) = (0u16, 0u16);
        let order = layout.passed_in_order;
        let state = &mut *self.state;
        let end = topology.walk(from, steps, goal, |site| {
            if trodden > 0 {
                passed = passed.or(M::Bits::one(reached));
                if let Some(list) = order.filter(|list| count < list.most) {
                    count += 1;
                    state.put(list.base + count, reached as i32);
                }
            }
            trodden += 1;
            reached = site;
        });
        if let Some(list) = order {
            state.put(list.base, i32::from(count));
        }
        if let Some(register) = layout.passed {
            state.put_set(register, passed);
        }
        state.reached = reached as i32;
        end
    }

    /// A man keeps the name by which the rules speak of him.
    fn rename(&mut self, named: Option<u16>, old: i32, new: usize) {
        if let Some(register) = named
            && self.state.number(register) == old
        {
            self.state.put(register, new as i32);
        }
    }

    pub(super) fn add_to_pool(&mut self, count: i32) {
        let Some(pool) = self.program.layout.pool else { return };
        let len = self.state.number(pool.base) as u16;
        // A game that wants more is stopped.
        if len >= pool.most {
            self.fuel = 0;
            return;
        }
        let mut at = pool.base + len;
        while at > pool.base && self.state.number(at) > count {
            let moved = self.state.number(at);
            self.state.put(at + 1, moved);
            at -= 1;
        }
        self.state.put(at + 1, count);
        self.state.put(pool.base, i32::from(len) + 1);
    }

    fn spend(&mut self, count: i32) {
        let Some(pool) = self.program.layout.pool else { return };
        let len = self.state.number(pool.base) as u16;
        let Some(at) = (1..=len).find(|n| self.state.number(pool.base + n) == count) else { return };
        for n in at..len {
            let next = self.state.number(pool.base + n + 1);
            self.state.put(pool.base + n, next);
        }
        self.state.put(pool.base + len, 0);
        self.state.put(pool.base, i32::from(len) - 1);
    }
}
