//! Numbers and conditions.

use super::{Bits, Lower, Model, Num, Set};
use crate::{
    ir::op::{Compare, Look, Test},
    rules::{Expr, Id as _, Op, Query, Type},
};

impl<M: Model> Lower<'_, M> {
    /// A number, or the code of a site, man, player or direction.
    pub(super) fn num(&mut self, expr: &Expr) -> Num<M::Bits> {
        match expr {
            Expr::Number(n) => Num::Const(*n),
            Expr::Site(site) => Num::Const(site.index() as i32),
            Expr::Var(id) => Num::Reg(self.var(*id)),
            Expr::Variable(id) => {
                let (first, many) = self.layout.variables.get(id.index()).copied().unwrap_or_default();
                if many > 1 { Num::OwnReg(first) } else { Num::Reg(first) }
            }
            Expr::Negate(inner) => Num::Subtract(Num::Const(0).boxed(), self.num(inner).boxed()),
            Expr::Binary(Op::Add, left, right) => Num::Add(self.num(left).boxed(), self.num(right).boxed()),
            Expr::Binary(Op::Subtract, left, right) => Num::Subtract(self.num(left).boxed(), self.num(right).boxed()),
            Expr::Binary(Op::Multiply, left, right) => Num::Multiply(self.num(left).boxed(), self.num(right).boxed()),
            Expr::Ask(query, args) if query.result() != Type::Truth => self.ask(*query, args),
            truth => match self.test(truth) {
                Test::Const(truth) => Num::Const(i32::from(truth)),
                test => Num::Truth(Box::new(test)),
            },
        }
    }

    /// The direction that stands behind what else is asked about.
    pub(super) fn towards(&mut self, args: &[Expr]) -> Num<M::Bits> {
        match args.iter().skip(1).find(|arg| self.kind(arg) == Type::Direction) {
            Some(towards) => self.num(towards),
            None => self.direction(),
        }
    }

    pub(super) fn backwards(&mut self, args: &[Expr]) -> Num<M::Bits> {
        match self.towards(args) {
            Num::Const(direction) => Num::Const(1 - direction),
            towards => Num::Reverse(towards.boxed()),
        }
    }

    fn ask(&mut self, query: Query, args: &[Expr]) -> Num<M::Bits> {
        let none = Expr::Number(-1);
        let first = args.first().unwrap_or(&none);
        let look = |lower: &mut Self, what| Num::Look(what, lower.num(first).boxed());
        match query {
            Query::Seeds if self.kind(first) == Type::Site => Num::Count(self.num(first).boxed()),
            Query::Seeds => Num::Seeds(Box::new(self.set(first))),
            Query::Size => match self.kind(first) {
                Type::Sites if !self.repeats(first) => Num::Size(Box::new(self.set(first))),
                Type::Men if self.whole(first) => Num::Men(Box::new(self.set(first))),
                _ => Num::Length(Box::new(self.list(first))),
            },
            Query::First => Num::First(Box::new(self.list(first))),
            Query::Next => {
                let towards = self.towards(args);
                Num::Next(self.num(first).boxed(), towards.boxed())
            }
            Query::Before => {
                let towards = self.backwards(args);
                Num::Next(self.num(first).boxed(), towards.boxed())
            }
            Query::Ahead => {
                let towards = self.towards(args);
                let steps = args.get(1).map_or(Num::Const(0), |steps| self.num(steps));
                Num::Ahead(self.num(first).boxed(), steps.boxed(), towards.boxed())
            }
            Query::Opposite => look(self, Look::Opposite),
            Query::Behind => look(self, Look::Behind),
            Query::Owner => look(self, Look::Owner),
            Query::Clockwise => Num::Const(1),
            Query::Counterclockwise => Num::Const(0),
            Query::Reverse => match self.num(first) {
                Num::Const(direction) => Num::Const(1 - direction),
                towards => Num::Reverse(towards.boxed()),
            },
            Query::Hand => Num::Hand,
            Query::Last => Num::Last,
            Query::Captured => Num::Stored,
            Query::TotalSeeds => Num::Const(i32::try_from(self.rules.board.total_seeds()).unwrap_or(i32::MAX)),
            Query::QuietTurns => Num::Quiet,
            Query::TurnsPlayed => Num::TurnsPlayed,
            Query::Round => Num::Round,
            Query::Mover => Num::Mover,
            Query::Actor => Num::Actor,
            Query::PlayerAfter => Num::PlayerAfter(self.num(first).boxed()),
            Query::Beginner => Num::Beginner,
            Query::RoundWinner => Num::RoundWinner,
            Query::Home if self.topology.states == 1 => Num::Count(Num::ByActor(self.topology.home_cell).boxed()),
            Query::Home => Num::Home,
            Query::StartOf => look(self, Look::Start),
            Query::StepsLeft => look(self, Look::StepsLeft),
            Query::SquareOf => look(self, Look::Square),
            Query::PlayerOf => look(self, Look::Player),
            Query::Total => Num::Total(Box::new(self.list(first))),
            Query::OwnStore => Num::ByActor(self.topology.stores),
            // The others are sets or conditions.
            _ => Num::Const(-1),
        }
    }

    pub(super) fn test(&mut self, expr: &Expr) -> Test<M::Bits> {
        match expr {
            Expr::Truth(truth) => Test::Const(*truth),
            Expr::Var(id) => Test::Reg(self.var(*id)),
            Expr::Not(inner) => not(self.test(inner)),
            Expr::Binary(Op::And, left, right) => {
                let mut all = vec![];
                for part in [self.test(left), self.test(right)] {
                    match part {
                        Test::And(parts) => all.extend(parts),
                        part => all.push(part),
                    }
                }
                Test::And(all)
            }
            Expr::Binary(Op::Or, left, right) => {
                let mut all = vec![];
                for part in [self.test(left), self.test(right)] {
                    match part {
                        Test::Or(parts) => all.extend(parts),
                        part => all.push(part),
                    }
                }
                Test::Or(all)
            }
            Expr::Binary(Op::In, member, set) => self.among(member, set),
            Expr::Binary(Op::StandsOn, man, sites) => {
                let square = Num::Look(Look::Square, self.num(man).boxed());
                Test::In(square, self.set(sites))
            }
            Expr::Binary(op, left, right) => match Compare::of(*op) {
                Some(compare) => self.compare(compare, left, right),
                None => Test::Const(false),
            },
            Expr::InState(man, state) => {
                let topology = self.topology;
                let cells = (0..topology.cells).filter(|cell| topology.in_state(*cell, state.index()) == *cell);
                let cells = M::Bits::of(cells);
                Test::In(self.num(man), Set::Const(cells))
            }
            Expr::Quantified { every, var, set, condition } => self.quantified(*every, *var, set, condition),
            Expr::Players { partners, every, condition } => {
                Test::Players { partners: *partners, every: *every, test: Box::new(self.test(condition)) }
            }
            Expr::Ask(Query::Repeated, _) => Test::Repeated,
            Expr::Ask(Query::Waiting, args) => {
                let waiting = self.topology.waiting(self.rules);
                let man = args.first().map_or(Num::Const(-1), |man| self.num(man));
                Test::In(man, Set::Const(waiting))
            }
            Expr::Ask(Query::Empty, args) => args.first().map_or(Test::Const(true), |set| self.empty(set)),
            // A truth that is kept as a number.
            other => Test::Compare(Compare::NotEqual, self.num_only(other), Num::Const(0)),
        }
    }

    fn num_only(&mut self, expr: &Expr) -> Num<M::Bits> {
        match expr {
            Expr::Variable(_) | Expr::Number(_) => self.num(expr),
            _ => Num::Const(0),
        }
    }

    fn compare(&mut self, compare: Compare, left: &Expr, right: &Expr) -> Test<M::Bits> {
        // Twice a number above an even one is the number above its half.
        if let (
            Compare::More,
            Expr::Binary(Op::Multiply, by, number),
            Expr::Ask(Query::TotalSeeds, _) | Expr::Number(_),
        ) = (compare, left, right)
            && let (Num::Const(by @ 1..), Num::Const(than @ 0..)) = (self.num(by), self.num(right))
        {
            return Test::Compare(Compare::More, self.num(number), Num::Const(than / by));
        }
        Test::Compare(compare, self.num(left), self.num(right))
    }

    fn among(&mut self, member: &Expr, set: &Expr) -> Test<M::Bits> {
        match self.kind(set) {
            Type::Numbers => {
                if let Some(mask) = small_numbers(set) {
                    return Test::Among(self.num(member), mask);
                }
                if let Expr::Ranged(parity, from, to) = set {
                    let (member, from, to) = (self.num(member), self.num(from), self.num(to));
                    return Test::Within(member, *parity, from, to);
                }
                let member = self.num(member);
                Test::Listed(member, self.list(set))
            }
            Type::Sites | Type::Men | Type::Site | Type::Man => {
                let member = self.num(member);
                Test::In(member, self.set(set))
            }
            _ => {
                let member = self.num(member);
                Test::Listed(member, self.list(set))
            }
        }
    }

    fn empty(&mut self, set: &Expr) -> Test<M::Bits> {
        match self.kind(set) {
            Type::Men => Test::Nothing(self.set(set)),
            Type::Numbers => Test::Unlisted(self.list(set)),
            Type::Site => Test::Compare(Compare::AtMost, Num::Count(self.num(set).boxed()), Num::Const(0)),
            Type::Sites => Test::NoSeeds(self.set(set)),
            _ => Test::Const(false),
        }
    }

    fn quantified(&mut self, every: bool, var: crate::rules::VarId, set: &Expr, condition: &Expr) -> Test<M::Bits> {
        let kind = self.kind(set);
        if !matches!(kind, Type::Sites | Type::Site | Type::Men | Type::Man) {
            let (of, test) = (self.list(set), Box::new(self.test(condition)));
            return Test::Items { every, var: self.var(var), of, test };
        }
        let of = self.set(set);
        if let Some(those) = self.narrow(of.clone(), var, condition) {
            let left = if every { Set::Minus(Box::new(of), Box::new(those)) } else { those };
            let nothing = Test::Nothing(left);
            return if every { nothing } else { not(nothing) };
        }
        let test = Box::new(self.test(condition));
        Test::Members { every, var: self.var(var), of, test }
    }
}

pub(super) fn not<B: Bits>(test: Test<B>) -> Test<B> {
    match test {
        Test::Const(truth) => Test::Const(!truth),
        Test::Not(inner) => *inner,
        test => Test::Not(Box::new(test)),
    }
}

/// A fixed set of numbers from 0 to 63.
pub(super) fn small_numbers(set: &Expr) -> Option<u64> {
    let small = |n: i32| (0..64).contains(&n).then(|| 1u64 << n);
    match set {
        Expr::Listed(items) => items.iter().try_fold(0, |mask, item| match item {
            Expr::Number(n) => small(*n).map(|bit| mask | bit),
            _ => None,
        }),
        Expr::Ranged(parity, from, to) => match (&**from, &**to) {
            (Expr::Number(from @ 0..), Expr::Number(to @ ..64)) => {
                Some((*from..=*to).filter(|n| parity.admits(*n)).filter_map(small).fold(0, |mask, bit| mask | bit))
            }
            _ => None,
        },
        _ => None,
    }
}
