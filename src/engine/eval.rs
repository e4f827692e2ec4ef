//! What a position answers.

use super::run::Run;
use crate::ir::{Bits, Cells as _, List, Look, Model, NONE, Num, Pit, Set, Site, Test};

impl<M: Model> Run<'_, M> {
    #[inline(always)]
    pub(super) fn num(&mut self, num: &Num<M::Bits>) -> i32 {
        match num {
            Num::Const(n) => *n,
            Num::Reg(register) => self.state.number(*register),
            Num::Last => self.state.last,
            Num::Quiet => self.state.quiet as i32,
            Num::Count(cell) => match &**cell {
                Num::Last => self.on(self.state.last),
                Num::Reg(register) => self.on(self.state.number(*register)),
                Num::ByActor(cells) => {
                    let cell = cells.get(usize::from(self.state.actor)).copied().unwrap_or(NONE);
                    self.on(cell)
                }
                cell => {
                    let cell = self.other_num(cell);
                    self.on(cell)
                }
            },
            num => self.other_num(num),
        }
    }

    #[inline(never)]
    fn other_num(&mut self, num: &Num<M::Bits>) -> i32 {
        let state = &*self.state;
        match num {
            Num::Const(n) => *n,
            Num::Reg(register) => state.number(*register),
            Num::OwnReg(first) => state.number(first + u16::from(state.actor)),
            Num::ByActor(numbers) => numbers.get(usize::from(state.actor)).copied().unwrap_or(NONE),
            Num::Hand => state.hand,
            Num::Last => state.last,
            Num::Quiet => i32::try_from(state.quiet).unwrap_or(i32::MAX),
            Num::TurnsPlayed => i32::try_from(state.turns - state.round_start).unwrap_or(i32::MAX),
            Num::Round => i32::try_from(state.round).unwrap_or(i32::MAX),
            Num::Mover => i32::from(state.mover),
            Num::Actor => i32::from(state.actor),
            Num::Beginner => i32::from(state.beginner),
            Num::RoundWinner if state.round_winner == NONE => i32::from(state.beginner),
            Num::RoundWinner => state.round_winner,
            Num::Reached => state.reached,
            Num::Count(cell) => {
                let cell = self.num(cell);
                self.on(cell)
            }
            Num::Seeds(set) | Num::Men(set) => {
                let set = self.set(set);
                set.members().map(|cell| self.state.cells.get(cell)).sum()
            }
            Num::Stored => {
                let store = self.program.topology.stores.get(usize::from(state.actor)).copied().unwrap_or(NONE);
                self.on(store)
            }
            Num::Home => {
                let home = self.program.topology.home.get(usize::from(state.actor)).copied().unwrap_or(M::Bits::NONE);
                home.members().map(|cell| state.cells.get(cell)).sum()
            }
            Num::Look(what, code) => {
                let code = self.num(code);
                self.program.topology.look(*what, code)
            }
            Num::Next(site, towards) => {
                let (site, towards) = (self.num(site), self.num(towards));
                self.next(site, towards)
            }
            Num::Ahead(site, steps, towards) => {
                let (site, steps, towards) = (self.num(site), self.num(steps), self.num(towards));
                self.ahead(site, steps, towards)
            }
            Num::PlayerAfter(player) => match self.num(player) {
                NONE => NONE,
                player => (player + 1) % self.program.topology.seats as i32,
            },
            Num::Reverse(towards) => 1 - self.num(towards),
            Num::First(list) => self.with_list(list, |_, items| items.first().copied().unwrap_or(NONE)),
            Num::Size(set) => self.set(set).len() as i32,
            Num::Length(list) => self.with_list(list, |_, items| items.len() as i32),
            Num::Total(list) => {
                self.with_list(list, |_, items| items.iter().fold(0i32, |sum, n| sum.saturating_add(*n)))
            }
            Num::Add(left, right) => self.num(left).saturating_add(self.num(right)),
            Num::Subtract(left, right) => self.num(left).saturating_sub(self.num(right)),
            Num::Multiply(left, right) => self.num(left).saturating_mul(self.num(right)),
            Num::Truth(test) => i32::from(self.test(test)),
        }
    }

    /// What lies or stands on a cell.
    #[inline]
    pub(super) fn on(&self, cell: i32) -> i32 {
        self.state.cells.get(cell as usize)
    }

    /// The site that follows on the mover's circuit; sites with a mark that is skipped are passed over.
    #[inline]
    pub(super) fn next(&self, site: i32, towards: i32) -> i32 {
        let mover = usize::from(self.state.mover);
        let mut here = self.program.topology.next(mover, towards, site);
        if self.program.skipped_marks.is_empty() {
            return here;
        }
        for _ in 0..self.program.topology.sites {
            if !self.skipped(here) {
                return here;
            }
            here = self.program.topology.next(mover, towards, here);
        }
        NONE
    }

    /// Whether a site has a mark that the circuit passes over.
    pub(super) fn skipped(&self, site: i32) -> bool {
        let marks = &self.program.skipped_marks;
        site != NONE && marks.iter().any(|mark| self.state.set(*mark).has(site as usize))
    }

    /// The pit so many pits ahead; the circuit is gone round as often as need be.
    fn ahead(&self, from: i32, steps: i32, towards: i32) -> i32 {
        if steps <= 0 || from == NONE {
            return from;
        }
        let first = self.next(from, towards);
        let mut round = 1;
        let mut here = first;
        if steps as usize > self.program.topology.sites {
            loop {
                here = self.next(here, towards);
                if here == first || here == NONE {
                    break;
                }
                round += 1;
            }
        } else {
            round = i32::MAX;
        }
        if first == NONE {
            return from;
        }
        let mut here = first;
        for _ in 0..(steps - 1) % round {
            here = self.next(here, towards);
        }
        here
    }

    /// Calls with the sites of the circuit behind one, as long as it likes.
    #[inline]
    pub(super) fn along(&mut self, from: i32, towards: i32, mut visit: impl FnMut(&mut Self, i32) -> bool) {
        if from == NONE {
            return;
        }
        let first = self.next(from, towards);
        let mut here = first;
        while here != NONE && here != from {
            if !visit(self, here) {
                return;
            }
            here = self.next(here, towards);
            if here == first {
                return;
            }
        }
    }

    /// Does something with a list, in memory that is used again.
    pub(super) fn with_list<R>(&mut self, list: &List<M::Bits>, with: impl FnOnce(&mut Self, &[i32]) -> R) -> R {
        let mut items = self.scratch.pop().unwrap_or_default();
        items.clear();
        self.list(list, &mut items);
        let result = with(self, &items);
        self.scratch.push(items);
        result
    }

    /// Looks at something while a register holds each of some numbers; then it holds what it did before.
    #[inline]
    fn while_holding<R>(&mut self, register: u16, look: impl FnOnce(&mut Self) -> R) -> R {
        let before = self.state.number(register);
        let result = look(self);
        self.state.put(register, before);
        result
    }

    #[inline]
    pub(super) fn test(&mut self, test: &Test<M::Bits>) -> bool {
        match test {
            Test::Not(test) => !self.plain_test(test),
            Test::And(tests) => {
                for test in tests {
                    if !self.signed_test(test) {
                        return false;
                    }
                }
                true
            }
            Test::Or(tests) => {
                for test in tests {
                    if self.signed_test(test) {
                        return true;
                    }
                }
                false
            }
            test => self.plain_test(test),
        }
    }

    #[inline(always)]
    fn signed_test(&mut self, test: &Test<M::Bits>) -> bool {
        let (test, so) = match test {
            Test::Not(test) => (&**test, false),
            test => (test, true),
        };
        self.plain_test(test) == so
    }

    /// The usual conditions at once, the others by a call.
    #[inline(always)]
    fn plain_test(&mut self, test: &Test<M::Bits>) -> bool {
        match test {
            Test::Pit(pit) => self.pit(pit),
            Test::Reg(register) => self.state.number(*register) != 0,
            Test::NoSeeds(set) => {
                let set = self.set(set);
                self.state.cells.occupied::<M::Bits>().and(set).is_empty()
            }
            Test::Nothing(set) => self.set(set).is_empty(),
            Test::Compare(compare, left, right) => {
                let (left, right) = (self.num(left), self.num(right));
                compare.holds(left, right)
            }
            test => self.other_test(test),
        }
    }

    /// What is asked of one pit.
    #[inline(always)]
    fn pit(&self, pit: &Pit<M::Bits>) -> bool {
        let site = match pit.site {
            Site::Last => self.state.last,
            Site::Reg(register) => self.state.number(register),
            Site::Const(site) => site,
        };
        if let Some(within) = &pit.within {
            let within = within.get(usize::from(self.state.actor)).copied().unwrap_or(M::Bits::NONE);
            if !within.has(site as usize) {
                return false;
            }
        }
        if pit.holds >> self.on(site).min(63) & 1 == 0 {
            return false;
        }
        pit.facing == u64::MAX || {
            let facing = self.program.topology.look(Look::Opposite, site);
            pit.facing >> self.on(facing).min(63) & 1 == 1
        }
    }

    #[inline(never)]
    fn other_test(&mut self, test: &Test<M::Bits>) -> bool {
        match test {
            Test::Pit(pit) => self.pit(pit),
            Test::Const(truth) => *truth,
            Test::Reg(register) => self.state.number(*register) != 0,
            Test::Compare(compare, left, right) => {
                let (left, right) = (self.num(left), self.num(right));
                compare.holds(left, right)
            }
            Test::And(tests) => tests.iter().all(|test| self.test(test)),
            Test::Or(tests) => tests.iter().any(|test| self.test(test)),
            Test::Not(test) => !self.test(test),
            Test::Among(num, mask) => {
                let n = self.num(num);
                (0..64).contains(&n) && mask >> n & 1 == 1
            }
            Test::Within(num, parity, from, to) => {
                let n = self.num(num);
                self.num(from) <= n && n <= self.num(to) && parity.admits(n)
            }
            Test::In(num, set) => {
                let n = self.num(num);
                n != NONE && self.set(set).has(n as usize)
            }
            Test::Listed(num, list) => {
                let n = self.num(num);
                self.with_list(list, |_, items| items.contains(&n))
            }
            Test::Nothing(set) => self.set(set).is_empty(),
            Test::Unlisted(List::Pool) => self.program.layout.pool.is_none_or(|pool| self.state.number(pool.base) == 0),
            Test::Unlisted(list) => self.with_list(list, |_, items| items.is_empty()),
            Test::NoSeeds(set) => {
                let set = self.set(set);
                self.state.cells.occupied::<M::Bits>().and(set).is_empty()
            }
            Test::Members { every, var, of, test } => {
                let set = self.set(of);
                self.while_holding(*var, |run| {
                    let mut members = set.members();
                    let holds = |n| {
                        run.state.put(*var, n as i32);
                        run.test(test)
                    };
                    if *every { members.all(holds) } else { members.any(holds) }
                })
            }
            Test::Items { every, var, of, test } => self.with_list(of, |run, items| {
                run.while_holding(*var, |run| {
                    let mut items = items.iter();
                    let holds = |n: &i32| {
                        run.state.put(*var, *n);
                        run.test(test)
                    };
                    if *every { items.all(holds) } else { items.any(holds) }
                })
            }),
            Test::Players { partners, every, test } => {
                let before = self.state.actor;
                let side_of = self.program.rules.side_of.as_slice();
                let own = side_of.get(usize::from(before));
                let mut holds = *every;
                for seat in 0..self.program.topology.seats {
                    if *partners && side_of.get(seat) != own {
                        continue;
                    }
                    self.state.actor = seat as u8;
                    if self.test(test) != *every {
                        holds = !*every;
                        break;
                    }
                }
                self.state.actor = before;
                holds
            }
            Test::Repeated => self.state.repeated,
        }
    }

    #[inline]
    pub(super) fn set(&mut self, set: &Set<M::Bits>) -> M::Bits {
        match set {
            Set::Const(set) => *set,
            Set::Reg(register) => self.state.set(*register),
            Set::ByActor(sets) => sets.get(usize::from(self.state.actor)).copied().unwrap_or(M::Bits::NONE),
            Set::Among(register, sets) => {
                let own = sets.get(usize::from(self.state.actor)).copied().unwrap_or(M::Bits::NONE);
                self.state.set(*register).and(own)
            }
            Set::Filled(sets) => {
                let own = sets.get(usize::from(self.state.actor)).copied().unwrap_or(M::Bits::NONE);
                self.state.cells.occupied::<M::Bits>().and(own)
            }
            Set::Chain { from, towards, within, holds } => {
                let (from, towards) = (self.num(from), self.num(towards));
                let within = within.get(usize::from(self.state.actor)).copied().unwrap_or(M::Bits::NONE);
                let mut sites = M::Bits::NONE;
                self.along(from, towards, |run, site| {
                    let on = within.has(site as usize) && holds >> run.on(site).min(63) & 1 == 1;
                    if on {
                        sites = sites.or(M::Bits::one(site as usize));
                    }
                    on
                });
                sites
            }
            set => self.other_set(set),
        }
    }

    #[inline(never)]
    fn other_set(&mut self, set: &Set<M::Bits>) -> M::Bits {
        match set {
            Set::Filled(_) | Set::Among(..) | Set::Chain { .. } => self.set(set),
            Set::Const(set) => *set,
            Set::ByActor(sets) => sets.get(usize::from(self.state.actor)).copied().unwrap_or(M::Bits::NONE),
            Set::Reg(register) => self.state.set(*register),
            Set::OwnReg(first) => self.state.set(first + u16::from(self.state.actor)).and(self.program.topology.places),
            Set::Regs(first, seats) => {
                let seats = seats.get(usize::from(self.state.actor)).copied().unwrap_or(0);
                let of = |seat: usize| self.state.set(first + seat as u16);
                let all = (0..4).filter(|seat| seats >> seat & 1 == 1).map(of).fold(M::Bits::NONE, M::Bits::or);
                all.and(self.program.topology.places)
            }
            Set::One(num) => {
                let n = self.num(num);
                if n == NONE { M::Bits::NONE } else { M::Bits::one(n as usize) }
            }
            Set::WithSeeds => self.state.cells.occupied(),
            Set::Holding(of, mask) => {
                let of = self.set(of);
                let holds = |cell: &usize| mask >> self.state.cells.get(*cell).min(63) & 1 == 1;
                M::Bits::of(of.members().filter(holds))
            }
            Set::And(left, right) => {
                let left = self.set(left);
                if left.is_empty() { left } else { left.and(self.set(right)) }
            }
            Set::Or(left, right) => {
                let left = self.set(left);
                left.or(self.set(right))
            }
            Set::Minus(left, right) => {
                let left = self.set(left);
                if left.is_empty() { left } else { left.minus(self.set(right)) }
            }
            Set::If(test, set) => {
                if self.test(test) {
                    self.set(set)
                } else {
                    M::Bits::NONE
                }
            }
            Set::Where { var, of, test } => {
                let of = self.set(of);
                self.while_holding(*var, |run| {
                    let mut those = M::Bits::NONE;
                    for n in of.members() {
                        run.state.put(*var, n as i32);
                        if run.test(test) {
                            those = those.or(M::Bits::one(n));
                        }
                    }
                    those
                })
            }
            Set::Round(from, towards) => {
                let (from, towards) = (self.num(from), self.num(towards));
                let mut sites = M::Bits::NONE;
                self.along(from, towards, |_, site| {
                    sites = sites.or(M::Bits::one(site as usize));
                    true
                });
                sites
            }
            Set::Along { from, towards, var, test } => {
                let (from, towards) = (self.num(from), self.num(towards));
                self.while_holding(*var, |run| {
                    let mut sites = M::Bits::NONE;
                    run.along(from, towards, |run, site| {
                        run.state.put(*var, site);
                        let on = run.test(test);
                        if on {
                            sites = sites.or(M::Bits::one(site as usize));
                        }
                        on
                    });
                    sites
                })
            }
            Set::StandingOn(men, sites) => {
                let men = self.set(men);
                if men.is_empty() {
                    return men;
                }
                let sites = self.set(sites);
                let topology = &self.program.topology;
                let mut those = M::Bits::NONE;
                for cell in men.members() {
                    if sites.has(topology.square(cell)) {
                        those = those.or(M::Bits::one(cell));
                    }
                }
                those
            }
            Set::CellsOf(square) => {
                let square = self.num(square);
                self.program.topology.cells_of(square)
            }
            Set::Squares(men) => {
                let men = self.set(men);
                let topology = &self.program.topology;
                let mut squares = M::Bits::NONE;
                for cell in men.members() {
                    squares = squares.or(M::Bits::one(topology.square(cell)));
                }
                squares
            }
            Set::WithStepsLeft(men, steps) => {
                let men = self.set(men);
                let steps = self.num(steps);
                men.and(self.program.topology.with_steps_left(steps))
            }
            Set::Reaching { men, steps, all_on } => {
                let men = self.set(men);
                if men.is_empty() {
                    return men;
                }
                let (steps, all_on) = (self.num(steps), self.set(all_on));
                let topology = &self.program.topology;
                let mut those = M::Bits::NONE;
                for cell in men.members() {
                    let mut all = true;
                    topology.reach(cell, steps, |site| all &= all_on.has(site));
                    if all {
                        those = those.or(M::Bits::one(cell));
                    }
                }
                those
            }
            Set::Reach(men, steps) => {
                let steps = self.num(steps);
                self.with_list(men, |run, men| {
                    let mut all: Option<M::Bits> = None;
                    for man in men {
                        let mut own = M::Bits::NONE;
                        let reached = |site| own = own.or(M::Bits::one(site));
                        run.program.topology.reach(*man as usize, steps, reached);
                        all = Some(all.map_or(own, |all| all.and(own)));
                    }
                    all.unwrap_or(M::Bits::NONE)
                })
            }
            Set::Path(man, steps) => {
                let (man, steps) = (self.num(man), self.num(steps));
                let (mut sites, mut ahead) = (M::Bits::NONE, None);
                if man != NONE {
                    self.program.topology.walk(man as usize, steps, NONE, |site| {
                        sites = sites.or(ahead.replace(site).map_or(M::Bits::NONE, M::Bits::one));
                    });
                }
                sites
            }
            Set::Of(list) => {
                self.with_list(list, |_, items| M::Bits::of(items.iter().filter(|n| **n >= 0).map(|n| *n as usize)))
            }
        }
    }
}
