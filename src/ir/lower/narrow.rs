//! Conditions on each member of a set, as one operation on the whole set.

use super::{Bits, Lower, Model, Num, Set, expr::small_numbers, stmt::conjuncts};
use crate::{
    ir::op::{Compare, Look, Test},
    rules::{Expr, Id as _, Op, Query, Type, VarId},
};

impl<M: Model> Lower<'_, M> {
    /// Those members that satisfy all of some conditions: what can be asked of the whole set first, the rest of each
    /// member that is left.
    pub(super) fn narrowed(&mut self, of: Set<M::Bits>, var: VarId, conditions: &[&Expr]) -> Set<M::Bits> {
        let mut parts = vec![];
        for condition in conditions {
            conjuncts(condition, &mut parts);
        }
        // What does not speak of the member is looked at once, and first.
        let (mut outside, inside): (Vec<&Expr>, Vec<&Expr>) = parts.into_iter().partition(|part| !part.mentions(var));
        let (mut set, mut rest) = (of, vec![]);
        for part in inside {
            match self.narrow(set.clone(), var, part) {
                Some(narrower) => set = narrower,
                None => rest.push(self.test(part)),
            }
        }
        if !rest.is_empty() {
            let test = if rest.len() == 1 { rest.remove(0) } else { Test::And(rest) };
            set = Set::Where { var: self.var(var), of: Box::new(set), test: Box::new(test) };
        }
        while let Some(part) = outside.pop() {
            set = Set::If(Box::new(self.test(part)), Box::new(set));
        }
        set
    }

    /// Those members that satisfy a condition, if that can be asked of the whole set.
    pub(super) fn narrow(&mut self, of: Set<M::Bits>, var: VarId, condition: &Expr) -> Option<Set<M::Bits>> {
        if !condition.mentions(var) {
            return Some(Set::If(Box::new(self.test(condition)), Box::new(of)));
        }
        match condition {
            Expr::Binary(Op::And, left, right) => {
                let of = self.narrow(of, var, left)?;
                self.narrow(of, var, right)
            }
            Expr::Binary(Op::StandsOn, man, sites) if **man == Expr::Var(var) && !sites.mentions(var) => {
                let sites = self.set(sites);
                Some(Set::StandingOn(Box::new(of), Box::new(sites)))
            }
            Expr::Quantified { every: true, var: square, set, condition } => {
                let Expr::Ask(Query::Reach, args) = &**set else { return None };
                let [man, steps] = args.as_slice() else { return None };
                if *man != Expr::Var(var) || steps.mentions(var) || condition.mentions(var) {
                    return None;
                }
                let all_on = self.narrow(everything(), *square, condition)?;
                let steps = self.num(steps).boxed();
                Some(Set::Reaching { men: Box::new(of), steps, all_on: Box::new(all_on) })
            }
            condition => match self.members(var, condition) {
                Some(members) => Some(and(of, members)),
                None => self.holding(of, var, condition),
            },
        }
    }

    fn is_steps_left(&self, op: Op, left: &Expr, right: &Expr, var: VarId) -> bool {
        let (steps, asked) = if op == Op::AtMost { (left, right) } else { (right, left) };
        matches!(asked, Expr::Ask(Query::StepsLeft, args) if args.first() == Some(&Expr::Var(var)))
            && !steps.mentions(var)
    }

    /// All that satisfy a condition, wherever they come from.
    fn members(&mut self, var: VarId, condition: &Expr) -> Option<Set<M::Bits>> {
        if !condition.mentions(var) {
            return Some(Set::If(Box::new(self.test(condition)), Box::new(everything())));
        }
        let itself = |expr: &Expr| *expr == Expr::Var(var);
        match condition {
            Expr::Binary(Op::And, left, right) => Some(and(self.members(var, left)?, self.members(var, right)?)),
            Expr::Binary(Op::Or, left, right) => {
                let (left, right) = (self.members(var, left)?, self.members(var, right)?);
                Some(Set::Or(Box::new(left), Box::new(right)))
            }
            Expr::Not(inner) => Some(minus(everything(), self.members(var, inner)?)),
            Expr::Binary(Op::In, member, set) if itself(member) && !set.mentions(var) => {
                matches!(self.kind(set), Type::Sites | Type::Site | Type::Men | Type::Man).then(|| self.set(set))
            }
            Expr::Binary(op @ (Op::AtMost | Op::AtLeast), left, right) if self.is_steps_left(*op, left, right, var) => {
                let steps = if *op == Op::AtMost { left } else { right };
                Some(Set::WithStepsLeft(Box::new(everything()), self.num(steps).boxed()))
            }
            Expr::Binary(op, asked, than) => {
                let (Expr::Ask(Query::StepsLeft, args), Expr::Number(than)) = (&**asked, &**than) else { return None };
                let compare = Compare::of(*op).filter(|_| args.first().is_some_and(itself))?;
                let topology = self.topology;
                let holds = |cell: &usize| compare.holds(topology.look(Look::StepsLeft, *cell as i32), *than);
                Some(Set::Const(M::Bits::of((0..topology.cells).filter(holds))))
            }
            Expr::InState(man, state) if itself(man) => {
                let topology = self.topology;
                let cells = (0..topology.cells).filter(|cell| topology.in_state(*cell, state.index()) == *cell);
                Some(Set::Const(M::Bits::of(cells)))
            }
            Expr::Ask(Query::Waiting, args) if args.first().is_some_and(itself) => {
                Some(Set::Const(self.topology.waiting(self.rules)))
            }
            Expr::Ask(Query::Empty, args)
                if args.first().is_some_and(itself) && self.kind(&Expr::Var(var)) == Type::Site =>
            {
                Some(minus(everything(), Set::WithSeeds))
            }
            // No men of some on a square: all squares but theirs.
            Expr::Ask(Query::Empty, args) => {
                let Some(Expr::Binary(Op::MenOn, men, square)) = args.first() else { return None };
                if !itself(square) || men.mentions(var) || self.kind(men) != Type::Men {
                    return None;
                }
                let taken = Set::Squares(Box::new(self.set(men)));
                Some(minus(everything(), taken))
            }
            _ => None,
        }
    }

    /// Conditions on how many seeds a pit holds.
    fn holding(&mut self, of: Set<M::Bits>, var: VarId, condition: &Expr) -> Option<Set<M::Bits>> {
        let Expr::Binary(op, asked, than) = condition else { return None };
        if !matches!(&**asked, Expr::Ask(Query::Seeds, args) if args.first() == Some(&Expr::Var(var))) {
            return None;
        }
        if *op == Op::In {
            // Counts from 63 on are taken together.
            let mask = small_numbers(than).filter(|mask| mask >> 63 == 0)?;
            return Some(Set::Holding(Box::new(of), mask));
        }
        let (compare, Num::Const(than @ 0..63)) = (Compare::of(*op)?, self.num(than)) else { return None };
        let mask = (0..64).filter(|n| compare.holds(*n, than)).fold(0u64, |mask, n| mask | 1 << n);
        match mask {
            // One or more.
            0xffff_ffff_ffff_fffe => Some(and(of, Set::WithSeeds)),
            1 => Some(minus(of, Set::WithSeeds)),
            mask => Some(Set::Holding(Box::new(of), mask)),
        }
    }
}

/// All sites and cells.
fn everything<B: Bits>() -> Set<B> {
    Set::Const(B::of(0..B::WIDTH))
}

fn and<B: Bits>(left: Set<B>, right: Set<B>) -> Set<B> {
    if left == everything() {
        return right;
    }
    match right {
        Set::Minus(all, others) if *all == everything() => minus(left, *others),
        Set::WithStepsLeft(all, steps) if *all == everything() => Set::WithStepsLeft(Box::new(left), steps),
        Set::If(test, all) if *all == everything() => Set::If(test, Box::new(left)),
        right => Set::And(Box::new(left), Box::new(right)),
    }
}

/// The members of a set without others; of what is not among the others, those that are.
fn minus<B: Bits>(left: Set<B>, right: Set<B>) -> Set<B> {
    match right {
        Set::Minus(all, kept) if *all == everything() => and(left, *kept),
        right => Set::Minus(Box::new(left), Box::new(right)),
    }
}
