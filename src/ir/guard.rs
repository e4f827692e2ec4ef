//! When the rest of a turn can refuse what was chosen: where that is known before the choice, moves need not be tried.

use crate::rules::{BlockId, Expr, Op, Rules, Stmt, StmtKind, VarId};

/// When moves can be refused.
pub(super) enum Refusals {
    Never,
    /// Only if this holds when the choice is made.
    When(Expr),
}

/// A condition without which nothing is refused; it speaks only of values that are settled before the first choice.
pub(super) fn refusals(rules: &Rules) -> Refusals {
    if !rules.can_refuse {
        return Refusals::Never;
    }
    let again = rules.blocks.iter().flatten().any(|stmt| matches!(stmt.kind, StmtKind::Again { .. }));
    let guard = Guard { rules, settled: if again { vec![] } else { settled(rules) } };
    match guard.block(rules.turn) {
        Expr::Truth(false) => Refusals::Never,
        condition => Refusals::When(condition),
    }
}

/// The values that are set once, before the first choice of the turn.
fn settled(rules: &Rules) -> Vec<VarId> {
    let first = rules.blocks.at(rules.turn).iter().map_while(|stmt| match &stmt.kind {
        StmtKind::Set(var, _) => Some(*var),
        _ => None,
    });
    let sets = |var: VarId| {
        let all = rules.blocks.iter().flatten();
        all.filter(|stmt| matches!(&stmt.kind, StmtKind::Set(other, _) if *other == var)).count()
    };
    first.filter(|var| sets(*var) == 1).collect()
}

struct Guard<'a> {
    rules: &'a Rules,
    settled: Vec<VarId>,
}

impl Guard<'_> {
    fn block(&self, block: BlockId) -> Expr {
        let all = self.rules.blocks.at(block).iter().map(|stmt| self.stmt(stmt));
        all.fold(Expr::Truth(false), |sum, one| join(Op::Or, sum, one))
    }

    fn stmt(&self, stmt: &Stmt) -> Expr {
        match &stmt.kind {
            StmtKind::Refuse => Expr::Truth(true),
            StmtKind::Require(condition) => self.can(condition, false),
            StmtKind::If(condition, then, otherwise) => {
                let then = join(Op::And, self.can(condition, true), self.block(*then));
                let otherwise = otherwise
                    .map_or(Expr::Truth(false), |block| join(Op::And, self.can(condition, false), self.block(block)));
                join(Op::Or, then, otherwise)
            }
            StmtKind::Call(procedure, _) => self.block(self.rules.procedures.at(*procedure).body),
            kind => {
                let inside = kind.blocks().into_iter().map(|block| self.block(block));
                inside.fold(Expr::Truth(false), |sum, one| join(Op::Or, sum, one))
            }
        }
    }

    /// Whether a condition can be so later in the turn, as far as it is settled already.
    fn can(&self, condition: &Expr, so: bool) -> Expr {
        match condition {
            Expr::Truth(truth) => Expr::Truth(*truth == so),
            Expr::Not(inner) => self.can(inner, !so),
            Expr::Var(var) if self.settled.contains(var) => {
                if so {
                    condition.clone()
                } else {
                    Expr::Not(Box::new(condition.clone()))
                }
            }
            Expr::Binary(op @ (Op::And | Op::Or), left, right) => {
                let both = (*op == Op::And) == so;
                join(if both { Op::And } else { Op::Or }, self.can(left, so), self.can(right, so))
            }
            _ => Expr::Truth(true),
        }
    }
}

fn join(op: Op, left: Expr, right: Expr) -> Expr {
    // With `and` truth is left out, with `or` falsehood; the other one decides.
    let neutral = Expr::Truth(op == Op::And);
    let decides = Expr::Truth(op != Op::And);
    if left == neutral || right == decides {
        right
    } else if right == neutral || left == decides || left == right {
        left
    } else {
        Expr::Binary(op, Box::new(left), Box::new(right))
    }
}
