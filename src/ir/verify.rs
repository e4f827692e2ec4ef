//! Whether a program keeps to its code, its registers and its tables. One that does not is not played.

use super::{
    Program,
    bits::Bits,
    model::{Model, Registers as _},
    op::{Candidates, Choose, List, ListReg, Num, Op, Reg, Set, SetReg, Site, Test, Visit},
};

impl<M: Model> Program<M> {
    /// Whether every place that an instruction leads to is one of the program, and every register and table that it
    /// names is there; and whether the program comes to an end or a jump behind its last instruction.
    pub(super) fn verify(&self) -> bool {
        let layout = &self.layout;
        let room = M::Numbers::fit(layout.numbers) && M::Sets::fit(layout.sets);
        let mut verify = Verify {
            numbers: layout.numbers,
            sets: layout.sets,
            seats: self.topology.seats,
            tables: self.sowings.len(),
            sound: room,
        };
        for op in &self.code {
            let mut op = op.clone();
            let mut inside = true;
            op.for_each_target(|to| inside &= (*to as usize) < self.code.len());
            verify.sound &= inside;
            verify.op(&op);
        }
        for (_, test) in self.after_turn.iter().chain(&self.at_once) {
            verify.test(test);
        }
        let entries = self.endings.iter().chain([&self.turn]);
        let begins = entries.into_iter().all(|at| (*at as usize) < self.code.len());
        let ends = matches!(self.code.last(), Some(Op::TurnOver | Op::Jump(_) | Op::Return(_)));
        verify.sound && begins && ends
    }
}

struct Verify {
    numbers: usize,
    sets: usize,
    seats: usize,
    tables: usize,
    sound: bool,
}

impl Verify {
    fn reg(&mut self, register: Reg, more: usize) {
        self.sound &= usize::from(register) + more < self.numbers;
    }

    fn set_reg(&mut self, register: SetReg, more: usize) {
        self.sound &= usize::from(register) + more < self.sets;
    }

    fn list_reg(&mut self, list: ListReg) {
        self.reg(list.base, usize::from(list.most));
    }

    fn table(&mut self, table: u16) {
        self.sound &= usize::from(table) < self.tables;
    }

    fn op<B: Bits>(&mut self, op: &Op<B>) {
        let others = self.seats.saturating_sub(1);
        match op {
            Op::Unless(test, _) | Op::Require(test) => self.test(test),
            Op::SetNum(register, num) => {
                self.reg(*register, 0);
                self.num(num);
            }
            Op::SetTest(register, test) => {
                self.reg(*register, 0);
                self.test(test);
            }
            Op::SetOwn(first, num) => {
                self.reg(*first, others);
                self.num(num);
            }
            Op::SetBits(register, set) => {
                self.set_reg(*register, 0);
                self.set(set);
            }
            Op::SetList(register, list) => {
                self.list_reg(*register);
                self.list(list);
            }
            Op::Choose(choose) => self.choose(choose),
            Op::Pick(choice) => {
                self.reg(choice.var, 0);
                self.set(&choice.from);
                self.choose(&choice.choose);
                if let Some(sow) = &choice.sow {
                    self.table(sow.table);
                    self.num(&sow.towards);
                }
            }
            Op::While { test, bound, rounds, .. } => {
                self.test(test);
                self.num(bound);
                self.reg(*rounds, 0);
            }
            Op::Relay(relay) => {
                self.table(relay.table);
                self.num(&relay.towards);
                self.num(&relay.bound);
                self.reg(relay.rounds, 0);
            }
            Op::EachMember(rest, visit) => {
                self.set_reg(*rest, 0);
                self.visit(visit);
            }
            Op::EachItem(list, cursor, visit) => {
                self.list_reg(*list);
                self.reg(*cursor, 0);
                self.visit(visit);
            }
            Op::EachPlayer { before, next, .. } => {
                self.reg(*before, 0);
                self.reg(*next, 0);
            }
            Op::ByPlayer { player, before, .. } => {
                self.num(player);
                self.reg(*before, 0);
            }
            Op::EndBy(register) | Op::Return(register) | Op::Call { back: register, .. } | Op::Throw(_, register) => {
                self.reg(*register, 0);
            }
            Op::Lift(set) | Op::Keep(set) => self.set(set),
            Op::Sow(sowing) => {
                self.num(&sowing.from);
                self.num(&sowing.towards);
                sowing.skipping.iter().for_each(|set| self.set(set));
            }
            Op::BeginSowing { sowing, first, towards, skipping } => {
                self.num(&sowing.from);
                self.num(&sowing.towards);
                sowing.skipping.iter().for_each(|set| self.set(set));
                self.reg(*first, 0);
                self.reg(*towards, 0);
                self.set_reg(*skipping, 0);
            }
            Op::NextSeed { first, towards, skipping, .. } => {
                self.reg(*first, 0);
                self.reg(*towards, 0);
                self.set_reg(*skipping, 0);
            }
            Op::TableSow(sow) => {
                self.table(sow.table);
                self.num(&sow.pit);
                self.num(&sow.towards);
            }
            Op::Capture { most, from } => {
                most.iter().for_each(|most| self.num(most));
                self.set(from);
            }
            Op::Put { seeds, from, into } => [seeds, from, into].into_iter().for_each(|num| self.num(num)),
            Op::Mark(set, first) | Op::Unmark(set, first) => {
                self.set(set);
                self.set_reg(*first, others);
            }
            Op::CaptureMen(men) | Op::SendBack(men) => self.list(men),
            Op::Make { men, named, .. } => {
                self.list(men);
                named.iter().for_each(|register| self.reg(*register, 0));
            }
            Op::Move { men, steps, to, named } => {
                self.list(men);
                self.num(steps);
                to.iter().for_each(|to| self.num(to));
                named.iter().for_each(|register| self.reg(*register, 0));
            }
            Op::CaptureOne(num) | Op::AddToPool(num) | Op::Spend(num) | Op::NewRound(num) | Op::Most(num, _) => {
                self.num(num);
            }
            Op::Again { times, .. } => self.num(times),
            Op::TurnOver
            | Op::Jump(_)
            | Op::Moved
            | Op::ClearPool
            | Op::Pass
            | Op::Refuse
            | Op::End(_)
            | Op::TakeBack
            | Op::Decide(..)
            | Op::AtOnce
            | Op::AtOnceIfArmed => {}
        }
    }

    fn choose<B: Bits>(&mut self, choose: &Choose<B>) {
        for pick in &choose.picks {
            self.reg(pick.var, 0);
            match &pick.from {
                Candidates::Set(set) => self.set(set),
                Candidates::List(list) => self.list(list),
            }
            pick.test.iter().for_each(|test| self.test(test));
        }
        choose.try_when.iter().for_each(|test| self.test(test));
    }

    fn visit<B: Bits>(&mut self, visit: &Visit<B>) {
        self.reg(visit.var, 0);
        visit.test.iter().chain(&visit.walk).for_each(|test| self.test(test));
    }

    fn num<B: Bits>(&mut self, num: &Num<B>) {
        match num {
            Num::Reg(register) => self.reg(*register, 0),
            Num::OwnReg(first) => self.reg(*first, self.seats.saturating_sub(1)),
            Num::Count(inner) | Num::Look(_, inner) | Num::PlayerAfter(inner) | Num::Reverse(inner) => self.num(inner),
            Num::Seeds(set) | Num::Size(set) | Num::Men(set) => self.set(set),
            Num::Next(a, b) | Num::Add(a, b) | Num::Subtract(a, b) | Num::Multiply(a, b) => {
                self.num(a);
                self.num(b);
            }
            Num::Ahead(a, b, c) => [a, b, c].into_iter().for_each(|num| self.num(num)),
            Num::First(list) | Num::Length(list) | Num::Total(list) => self.list(list),
            Num::Truth(test) => self.test(test),
            _ => {}
        }
    }

    fn test<B: Bits>(&mut self, test: &Test<B>) {
        match test {
            Test::Const(_) | Test::Repeated => {}
            Test::Reg(register) => self.reg(*register, 0),
            Test::Compare(_, a, b) => {
                self.num(a);
                self.num(b);
            }
            Test::And(tests) | Test::Or(tests) => tests.iter().for_each(|test| self.test(test)),
            Test::Not(test) | Test::Players { test, .. } => self.test(test),
            Test::Among(num, _) => self.num(num),
            Test::Within(a, _, b, c) => [a, b, c].into_iter().for_each(|num| self.num(num)),
            Test::In(num, set) => {
                self.num(num);
                self.set(set);
            }
            Test::Listed(num, list) => {
                self.num(num);
                self.list(list);
            }
            Test::Nothing(set) | Test::NoSeeds(set) => self.set(set),
            Test::Unlisted(list) => self.list(list),
            Test::Members { var, of, test, .. } => {
                self.reg(*var, 0);
                self.set(of);
                self.test(test);
            }
            Test::Items { var, of, test, .. } => {
                self.reg(*var, 0);
                self.list(of);
                self.test(test);
            }
            Test::Pit(pit) => {
                if let Site::Reg(register) = pit.site {
                    self.reg(register, 0);
                }
            }
        }
    }

    fn set<B: Bits>(&mut self, set: &Set<B>) {
        match set {
            Set::Const(_) | Set::ByActor(_) | Set::WithSeeds | Set::Filled(_) => {}
            Set::Reg(register) | Set::Among(register, _) => self.set_reg(*register, 0),
            Set::OwnReg(first) | Set::Regs(first, _) => self.set_reg(*first, self.seats.saturating_sub(1)),
            Set::One(num) | Set::CellsOf(num) => self.num(num),
            Set::Holding(of, _) | Set::Squares(of) => self.set(of),
            Set::And(a, b) | Set::Or(a, b) | Set::Minus(a, b) | Set::StandingOn(a, b) => {
                self.set(a);
                self.set(b);
            }
            Set::If(test, of) => {
                self.test(test);
                self.set(of);
            }
            Set::Where { var, of, test } => {
                self.reg(*var, 0);
                self.set(of);
                self.test(test);
            }
            Set::Round(a, b) | Set::Path(a, b) | Set::Chain { from: a, towards: b, .. } => {
                self.num(a);
                self.num(b);
            }
            Set::Along { from, towards, var, test } => {
                self.num(from);
                self.num(towards);
                self.reg(*var, 0);
                self.test(test);
            }
            Set::WithStepsLeft(men, steps) => {
                self.set(men);
                self.num(steps);
            }
            Set::Reaching { men, steps, all_on } => {
                self.set(men);
                self.num(steps);
                self.set(all_on);
            }
            Set::Reach(men, steps) => {
                self.list(men);
                self.num(steps);
            }
            Set::Of(list) => self.list(list),
        }
    }

    fn list<B: Bits>(&mut self, list: &List<B>) {
        match list {
            List::Const(_) | List::ByActor(_) | List::Pool => {}
            List::Reg(register) | List::Trodden(register) => self.list_reg(*register),
            List::One(num) => self.num(num),
            List::Ascending(set) | List::Men(set) => self.set(set),
            List::Round(a, b) | List::Range(_, a, b) | List::Path(a, b) => {
                self.num(a);
                self.num(b);
            }
            List::Numbers(numbers) => numbers.iter().for_each(|num| self.num(num)),
            List::Those { var, of, test, walk } => {
                self.reg(*var, 0);
                self.list(of);
                test.iter().chain(walk).for_each(|test| self.test(test));
            }
            List::Union(a, b, _) | List::Without(a, b) => {
                self.list(a);
                self.list(b);
            }
            List::StandingOn(men, sites) => {
                self.list(men);
                self.set(sites);
            }
            List::Squares(men) => self.list(men),
            List::Reach(men, steps) => {
                self.list(men);
                self.num(steps);
            }
        }
    }
}
