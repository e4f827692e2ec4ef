//! Definitions: their expressions, put in where they are used.

use super::{declare::Builder, scope::Definition};
use crate::{
    diagnostic::Problem,
    rules::{Expr, Type, VarId},
    span::Span,
};

/// How many nodes an expression may have once its definitions are put in.
const MAX_NODES: usize = 1000;

impl Builder<'_> {
    pub(super) fn expand(&mut self, definition: &Definition, args: &[Expr], span: Span) -> Option<(Expr, Type)> {
        let seen = definition.params.iter().zip(args);
        if seen.into_iter().any(|(param, arg)| arg.seen_by_actor() && definition.body.asks_players_of(*param)) {
            self.report(Problem::SeenByOthers, span);
            return None;
        }
        let mut budget = MAX_NODES;
        let replaced: Vec<(VarId, Expr)> = definition.params.iter().copied().zip(args.iter().cloned()).collect();
        let expr = self.replace(&definition.body, &replaced, &mut budget);
        if expr.is_none() {
            self.report(Problem::ExpressionTooLarge { limit: MAX_NODES }, span);
        }
        Some((expr?, definition.kind))
    }

    /// The expression with values put in for parameters; what it quantifies over gets names of its own.
    fn replace(&mut self, expr: &Expr, values: &[(VarId, Expr)], budget: &mut usize) -> Option<Expr> {
        *budget = budget.checked_sub(1)?;
        let mut inner = |builder: &mut Self, expr: &Expr| builder.replace(expr, values, budget).map(Box::new);
        Some(match expr {
            Expr::Var(var) => match values.iter().find(|(param, _)| param == var) {
                Some((_, value)) => {
                    *budget = budget.checked_sub(size(value))?;
                    value.clone()
                }
                None => expr.clone(),
            },
            Expr::Listed(items) => {
                let items = items.iter().map(|item| inner(self, item).map(|item| *item));
                Expr::Listed(items.collect::<Option<_>>()?)
            }
            Expr::Ask(query, args) => {
                let args = args.iter().map(|arg| inner(self, arg).map(|arg| *arg));
                Expr::Ask(*query, args.collect::<Option<_>>()?)
            }
            Expr::Ranged(parity, from, to) => Expr::Ranged(*parity, inner(self, from)?, inner(self, to)?),
            Expr::Binary(op, left, right) => Expr::Binary(*op, inner(self, left)?, inner(self, right)?),
            Expr::Not(value) => Expr::Not(inner(self, value)?),
            Expr::Negate(value) => Expr::Negate(inner(self, value)?),
            Expr::InState(man, state) => Expr::InState(inner(self, man)?, *state),
            Expr::Players { partners, every, condition } => {
                Expr::Players { partners: *partners, every: *every, condition: inner(self, condition)? }
            }
            Expr::Quantified { every, var, set, condition } => {
                let set = inner(self, set)?;
                let (fresh, values) = self.fresh(*var, values);
                let condition = Box::new(self.replace(condition, &values, budget)?);
                Expr::Quantified { every: *every, var: fresh, set, condition }
            }
            Expr::Those { var, set, condition, walk } => {
                let set = inner(self, set)?;
                let (fresh, values) = self.fresh(*var, values);
                let mut test = |test: &Option<Box<Expr>>| match test {
                    None => Some(None),
                    Some(test) => Some(Some(Box::new(self.replace(test, &values, budget)?))),
                };
                let (condition, walk) = (test(condition)?, test(walk)?);
                Expr::Those { var: fresh, set, condition, walk }
            }
            _ => expr.clone(),
        })
    }

    /// A name of its own for what an expression of a definition looks at.
    fn fresh(&mut self, var: VarId, values: &[(VarId, Expr)]) -> (VarId, Vec<(VarId, Expr)>) {
        let own = self.game.vars.at(var).clone();
        let fresh = self.game.vars.push(own);
        let mut values = values.to_vec();
        values.push((var, Expr::Var(fresh)));
        (fresh, values)
    }
}

/// The number of nodes of an expression.
fn size(expr: &Expr) -> usize {
    1 + match expr {
        Expr::Listed(items) | Expr::Ask(_, items) => items.iter().map(size).sum(),
        Expr::Ranged(_, a, b) | Expr::Binary(_, a, b) => size(a) + size(b),
        Expr::Not(a) | Expr::Negate(a) | Expr::InState(a, _) | Expr::Players { condition: a, .. } => size(a),
        Expr::Quantified { set, condition, .. } => size(set) + size(condition),
        Expr::Those { set, condition, walk, .. } => {
            size(set) + condition.iter().chain(walk).map(|test| size(test)).sum::<usize>()
        }
        _ => 0,
    }
}
