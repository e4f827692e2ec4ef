//! Instructions that are often asked together, as one.

use super::{
    Program,
    bits::Bits,
    model::Model,
    op::{Candidates, Choice, Compare, List, Look, Num, Op, Pc, Pick, Pit, Set, Site, Test, Visit},
};

/// All numbers of seeds.
const ANY: u64 = u64::MAX;

impl<M: Model> Program<M> {
    /// Takes together what can be.
    pub(super) fn fuse(&mut self) {
        let fuse = Fuse { seats: self.topology.seats, stores: self.topology.stores };
        for op in &mut self.code {
            fuse.op(op);
        }
        for (_, test) in self.after_turn.iter_mut().chain(&mut self.at_once) {
            fuse.test(test);
        }
        self.thread();
        self.sow_at_once();
    }

    /// Lets what was chosen be sown at once.
    fn sow_at_once(&mut self) {
        for at in 1..self.code.len() {
            let Some((Op::Pick(choice), Op::TableSow(sow))) =
                self.code.get_mut(at - 1..=at).and_then(|pair| match pair {
                    [choice, sow] => Some((choice, sow)),
                    _ => None,
                })
            else {
                continue;
            };
            if sow.pit == Num::Reg(choice.var) && sow.lifts {
                choice.sow = Some((**sow).clone());
            }
        }
    }

    /// Lets jumps to jumps lead to where those lead.
    fn thread(&mut self) {
        let code = self.code.clone();
        let end = |mut pc: Pc| {
            // A loop without an end would lead to itself.
            for _ in 0..code.len() {
                match code.get(pc as usize) {
                    Some(Op::Jump(to)) => pc = *to,
                    _ => break,
                }
            }
            pc
        };
        for op in &mut self.code {
            op.for_each_target(|to| *to = end(*to));
            if let Op::Jump(to) = op
                && matches!(code.get(*to as usize), Some(Op::TurnOver))
            {
                *op = Op::TurnOver;
            }
        }
    }
}

struct Fuse {
    seats: usize,
    stores: [i32; 4],
}

impl Fuse {
    fn op<B: Bits>(&self, op: &mut Op<B>) {
        match op {
            Op::Unless(test, _) | Op::Require(test) | Op::SetTest(_, test) => self.test(test),
            Op::SetNum(register, Num::Truth(test)) => {
                self.test(test);
                *op = Op::SetTest(*register, (**test).clone());
            }
            Op::SetNum(_, num) | Op::SetOwn(_, num) | Op::AddToPool(num) | Op::Spend(num) | Op::NewRound(num) => {
                self.num(num);
            }
            Op::Most(num, _) | Op::CaptureOne(num) => self.num(num),
            Op::SetBits(_, set) | Op::Lift(set) | Op::Keep(set) | Op::Mark(set, _) | Op::Unmark(set, _) => {
                self.set(set);
            }
            Op::SetList(_, list) | Op::CaptureMen(list) | Op::SendBack(list) => self.list(list),
            Op::Make { men, .. } => self.list(men),
            Op::Choose(choose) => {
                for pick in &mut choose.picks {
                    match &mut pick.from {
                        Candidates::Set(set) => self.set(set),
                        Candidates::List(list) => self.list(list),
                    }
                    pick.test.iter_mut().for_each(|test| self.test(test));
                }
                choose.try_when.iter_mut().for_each(|test| self.test(test));
                if let ([Pick { var, from: Candidates::Set(set), test: None, .. }], false) =
                    (choose.picks.as_slice(), choose.may)
                {
                    let (var, from, choose) = (*var, set.clone(), (**choose).clone());
                    *op = Op::Pick(Box::new(Choice { var, from, sow: None, choose }));
                }
            }
            Op::While { test, bound, .. } => {
                self.test(test);
                self.num(bound);
            }
            Op::Relay(relay) => {
                self.num(&mut relay.towards);
                self.num(&mut relay.bound);
            }
            Op::EachMember(_, visit) | Op::EachItem(_, _, visit) => self.visit(visit),
            Op::ByPlayer { player, .. } => self.num(player),
            Op::Sow(sowing) | Op::BeginSowing { sowing, .. } => {
                self.num(&mut sowing.from);
                self.num(&mut sowing.towards);
                sowing.skipping.iter_mut().for_each(|set| self.set(set));
            }
            Op::TableSow(sow) => {
                self.num(&mut sow.pit);
                self.num(&mut sow.towards);
            }
            Op::Capture { most, from } => {
                most.iter_mut().for_each(|most| self.num(most));
                self.set(from);
                if let (None, Set::One(site)) = (most, from) {
                    *op = Op::CaptureOne((**site).clone());
                }
            }
            Op::Put { seeds, from, into } => [seeds, from, into].into_iter().for_each(|num| self.num(num)),
            Op::Move { men, steps, to, .. } => {
                self.list(men);
                self.num(steps);
                to.iter_mut().for_each(|to| self.num(to));
            }
            Op::Again { times, .. } => self.num(times),
            Op::TurnOver
            | Op::Pick(..)
            | Op::Jump(_)
            | Op::EachPlayer { .. }
            | Op::EndBy(_)
            | Op::Call { .. }
            | Op::Return(_)
            | Op::NextSeed { .. }
            | Op::Moved
            | Op::ClearPool
            | Op::Throw(..)
            | Op::Pass
            | Op::Refuse
            | Op::End(_)
            | Op::TakeBack
            | Op::Decide(..)
            | Op::AtOnce
            | Op::AtOnceIfArmed => {}
        }
    }

    fn visit<B: Bits>(&self, visit: &mut Visit<B>) {
        visit.test.iter_mut().chain(&mut visit.walk).for_each(|test| self.test(test));
    }

    fn num<B: Bits>(&self, num: &mut Num<B>) {
        match num {
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

    fn set<B: Bits>(&self, set: &mut Set<B>) {
        match set {
            Set::One(num) => self.num(num),
            Set::Holding(of, _) | Set::Squares(of) => self.set(of),
            Set::And(a, b) => {
                self.set(a);
                self.set(b);
                let all = match (&**a, &**b) {
                    (Set::ByActor(sets), Set::WithSeeds) => Some(*sets),
                    (Set::Const(all), Set::WithSeeds) => Some([*all; 4]),
                    _ => None,
                };
                if let Some(sets) = all {
                    *set = Set::Filled(sets);
                } else if let (Set::Reg(register), Set::ByActor(sets)) = (&**a, &**b) {
                    *set = Set::Among(*register, *sets);
                }
            }
            Set::StandingOn(men, sites) => {
                self.set(men);
                self.set(sites);
                if let Set::One(square) = &**sites {
                    *set = Set::And(men.clone(), Box::new(Set::CellsOf(square.clone())));
                }
            }
            Set::Or(a, b) | Set::Minus(a, b) => {
                self.set(a);
                self.set(b);
            }
            Set::If(test, of) => {
                self.test(test);
                self.set(of);
            }
            Set::Where { of, test, .. } => {
                self.set(of);
                self.test(test);
            }
            Set::Round(a, b) | Set::Path(a, b) => {
                self.num(a);
                self.num(b);
            }
            Set::Along { from, towards, var, test } => {
                self.num(from);
                self.num(towards);
                self.test(test);
                if let Test::Pit(Pit { site: Site::Reg(site), within, holds, facing: ANY }) = **test
                    && site == *var
                {
                    let within = within.unwrap_or([B::of(0..B::WIDTH); 4]);
                    *set = Set::Chain { from: from.clone(), towards: towards.clone(), within, holds };
                }
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
            _ => {}
        }
    }

    fn list<B: Bits>(&self, list: &mut List<B>) {
        match list {
            List::One(num) => self.num(num),
            List::Ascending(set) | List::Men(set) => self.set(set),
            List::Round(a, b) | List::Range(_, a, b) | List::Path(a, b) => {
                self.num(a);
                self.num(b);
            }
            List::Numbers(numbers) => numbers.iter_mut().for_each(|num| self.num(num)),
            List::Those { of, test, walk, .. } => {
                self.list(of);
                test.iter_mut().chain(walk).for_each(|test| self.test(test));
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
            _ => {}
        }
    }

    fn test<B: Bits>(&self, test: &mut Test<B>) {
        match test {
            Test::Compare(compare, a, b) => {
                self.num(a);
                self.num(b);
                // Whether there are members at all.
                if let (Num::Size(set), Num::Const(than)) = (&*a, &*b) {
                    match (compare, than) {
                        (Compare::More | Compare::NotEqual, 0) | (Compare::AtLeast, 1) => {
                            *test = Test::Not(Box::new(Test::Nothing((**set).clone())));
                        }
                        (Compare::AtMost | Compare::Equal, 0) | (Compare::Less, 1) => {
                            *test = Test::Nothing((**set).clone());
                        }
                        _ => {}
                    }
                }
            }
            Test::And(tests) => {
                tests.iter_mut().for_each(|test| self.test(test));
                self.conjunction(tests);
                if tests.len() == 1
                    && let Some(only) = tests.pop()
                {
                    *test = only;
                }
                return;
            }
            Test::Or(tests) => tests.iter_mut().for_each(|test| self.test(test)),
            Test::Not(inner) => {
                self.test(inner);
                if let Test::Compare(compare, a, b) = &**inner {
                    *test = Test::Compare(compare.inverse(), a.clone(), b.clone());
                } else if let Test::Pit(Pit { site, within: None, holds, facing: ANY }) = **inner {
                    *test = Test::Pit(Pit { site, within: None, holds: !holds, facing: ANY });
                } else if let Test::Pit(Pit { site, within: None, holds: ANY, facing }) = **inner {
                    *test = Test::Pit(Pit { site, within: None, holds: ANY, facing: !facing });
                }
            }
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
            Test::Members { of, test, .. } => {
                self.set(of);
                self.test(test);
            }
            Test::Items { of, test, .. } => {
                self.list(of);
                self.test(test);
            }
            Test::Players { partners: false, every, test: inner } => {
                let each: Vec<Test<B>> = (0..self.seats).map(|seat| self.seen_by(seat, inner)).collect();
                let mut all = if *every { Test::And(each) } else { Test::Or(each) };
                if each_known(&all) {
                    self.test(&mut all);
                    *test = all;
                } else {
                    self.test(inner);
                }
            }
            Test::Players { test, .. } => self.test(test),
            Test::Const(_) | Test::Reg(_) | Test::Repeated | Test::Pit(_) => {}
        }
        if let Some(pit) = pit(test) {
            *test = Test::Pit(pit);
        }
    }

    /// Takes together all conditions on the same pit.
    fn conjunction<B: Bits>(&self, tests: &mut Vec<Test<B>>) {
        let mut at = 0;
        while at < tests.len() {
            if let Some(Test::Pit(mut one)) = tests.get(at).cloned() {
                let mut other = at + 1;
                while other < tests.len() {
                    match tests.get(other) {
                        Some(Test::Pit(more)) if more.site == one.site => {
                            one = both(&one, more);
                            tests.remove(other);
                        }
                        _ => other += 1,
                    }
                }
                if let Some(slot) = tests.get_mut(at) {
                    *slot = Test::Pit(one);
                }
            }
            at += 1;
        }
    }

    /// A condition as a player sees it; the same where that is not known to be simple.
    fn seen_by<B: Bits>(&self, seat: usize, test: &Test<B>) -> Test<B> {
        let num = |num: &Num<B>| match num {
            Num::Stored => Num::Count(Box::new(Num::Const(self.stores.get(seat).copied().unwrap_or(-1)))),
            Num::ByActor(numbers) => Num::Const(numbers.get(seat).copied().unwrap_or(-1)),
            Num::Actor => Num::Const(seat as i32),
            Num::OwnReg(first) => Num::Reg(first + seat as u16),
            Num::Seeds(set) => Num::Seeds(Box::new(own(seat, set))),
            num => num.clone(),
        };
        match test {
            Test::Compare(compare, a, b) => Test::Compare(*compare, num(a), num(b)),
            Test::NoSeeds(set) => Test::NoSeeds(own(seat, set)),
            Test::Nothing(set) => Test::Nothing(own(seat, set)),
            Test::Not(inner) => Test::Not(Box::new(self.seen_by(seat, inner))),
            test => test.clone(),
        }
    }
}

/// A set as a player sees it.
fn own<B: Bits>(seat: usize, set: &Set<B>) -> Set<B> {
    match set {
        Set::ByActor(sets) => Set::Const(sets.get(seat).copied().unwrap_or(B::NONE)),
        Set::OwnReg(_) | Set::Regs(..) => set.clone(),
        Set::And(a, b) => Set::And(Box::new(own(seat, a)), Box::new(own(seat, b))),
        set => set.clone(),
    }
}

/// Whether a condition hangs on nobody's eyes.
fn each_known<B: Bits>(test: &Test<B>) -> bool {
    let num = |num: &Num<B>| match num {
        Num::Const(_) | Num::Reg(_) | Num::Quiet | Num::Round | Num::TurnsPlayed | Num::Hand | Num::Last => true,
        Num::Count(inner) => matches!(**inner, Num::Const(_)),
        Num::Seeds(set) => known(set),
        _ => false,
    };
    match test {
        Test::And(tests) | Test::Or(tests) => tests.iter().all(each_known),
        Test::Not(inner) => each_known(inner),
        Test::Compare(_, a, b) => num(a) && num(b),
        Test::NoSeeds(set) | Test::Nothing(set) => known(set),
        Test::Const(_) => true,
        _ => false,
    }
}

fn known<B: Bits>(set: &Set<B>) -> bool {
    match set {
        Set::Const(_) | Set::Reg(_) | Set::WithSeeds => true,
        Set::And(a, b) => known(a) && known(b),
        _ => false,
    }
}

/// A condition on one pit.
fn pit<B: Bits>(test: &Test<B>) -> Option<Pit<B>> {
    let all = |site| Pit { site, within: None, holds: ANY, facing: ANY };
    match test {
        Test::In(num, set) => {
            let within = match set {
                Set::Const(set) => [*set; 4],
                Set::ByActor(sets) => *sets,
                _ => return None,
            };
            Some(Pit { within: Some(within), ..all(site(num)?) })
        }
        Test::Among(num, counts) if counts >> 63 == 0 => holding(num, *counts),
        Test::Compare(compare, num, Num::Const(than @ 0..63)) => {
            let counts = (0..64).filter(|n| compare.holds(*n, *than)).fold(0u64, |counts, n| counts | 1 << n);
            holding(num, counts)
        }
        _ => None,
    }
}

/// A pit, or the one that faces it, with some numbers of seeds.
fn holding<B: Bits>(num: &Num<B>, counts: u64) -> Option<Pit<B>> {
    let Num::Count(num) = num else { return None };
    match &**num {
        Num::Look(Look::Opposite, num) => Some(Pit { site: site(num)?, within: None, holds: ANY, facing: counts }),
        num => Some(Pit { site: site(num)?, within: None, holds: counts, facing: ANY }),
    }
}

fn site<B: Bits>(num: &Num<B>) -> Option<Site> {
    match num {
        Num::Last => Some(Site::Last),
        Num::Reg(register) => Some(Site::Reg(*register)),
        Num::Const(site) => Some(Site::Const(*site)),
        _ => None,
    }
}

fn both<B: Bits>(one: &Pit<B>, other: &Pit<B>) -> Pit<B> {
    let within = match (one.within, other.within) {
        (Some(one), Some(other)) => {
            let mut both = one;
            for (set, other) in both.iter_mut().zip(other) {
                *set = set.and(other);
            }
            Some(both)
        }
        (within, None) | (None, within) => within,
    };
    Pit { site: one.site, within, holds: one.holds & other.holds, facing: one.facing & other.facing }
}
