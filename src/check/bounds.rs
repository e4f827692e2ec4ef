//! How long a turn can take, and how many moves a choice can offer.

use crate::{
    diagnostic::{Diagnostic, Problem},
    rules::{BlockId, Expr, ProcedureId, Query, Rules, Stmt, StmtKind, Table},
};

/// The most steps of a turn. The evaluator stops a game whose turn takes more.
pub(crate) const MAX_STEPS: u128 = 20_000_000;
/// The most moves of a choice.
const MAX_MOVES: u64 = 2000;

/// What goes beyond the bounds.
pub(super) fn check(rules: &Rules) -> Vec<Diagnostic> {
    let mut bounds =
        Bounds { rules, found: vec![], procedures: Table::filled(rules.procedures.len(), None), most_moves: 1 };
    let steps = bounds.block(rules.turn);
    let tries = if rules.can_refuse { u128::from(bounds.most_moves) } else { 1 };
    let steps = steps.saturating_mul(tries);
    let over = bounds.found.iter().any(|found| matches!(found.problem, Problem::TurnTooLong { .. }));
    if steps > MAX_STEPS && !over {
        let place = rules.blocks.at(rules.turn).iter().max_by_key(|stmt| bounds.statement(stmt));
        let span = place.map_or(rules.game.seats_span, |stmt| rules.game.rules.at(stmt.rule).span);
        bounds.found.push(Diagnostic::new(Problem::TurnTooLong { steps, max: MAX_STEPS }, span));
    }
    bounds.found
}

struct Bounds<'a> {
    rules: &'a Rules,
    found: Vec<Diagnostic>,
    /// The steps of each procedure looked at so far.
    procedures: Table<ProcedureId, Option<u128>>,
    most_moves: u64,
}

impl Bounds<'_> {
    fn block(&mut self, id: BlockId) -> u128 {
        let rules = self.rules;
        rules.blocks.at(id).iter().fold(0, |sum: u128, stmt| sum.saturating_add(self.statement(stmt)))
    }

    fn statement(&mut self, stmt: &Stmt) -> u128 {
        let span = self.rules.game.rules.at(stmt.rule).span;
        let own = match &stmt.kind {
            StmtKind::Choose { picks, condition, none, none_allowed } => {
                let moves = picks.iter().fold(1u64, |product, (_, set)| product.saturating_mul(self.size(set)));
                if moves > MAX_MOVES {
                    self.found.push(Diagnostic::new(Problem::TooManyMoves { moves, max: MAX_MOVES }, span));
                }
                self.most_moves = self.most_moves.max(moves);
                let condition = condition.as_ref().map_or(1, |condition| self.cost(condition));
                let otherwise = self.block(*none).max(none_allowed.map_or(0, |block| self.block(block)));
                u128::from(moves).saturating_mul(condition).saturating_add(otherwise)
            }
            StmtKind::If(condition, then, otherwise) => {
                let longer = self.block(*then).max(otherwise.map_or(0, |block| self.block(block)));
                self.cost(condition).saturating_add(longer)
            }
            StmtKind::While { condition, bound, body, reached, .. } => {
                let Expr::Number(times) = bound else {
                    self.found.push(Diagnostic::new(Problem::BoundNotFixed, span));
                    return 0;
                };
                let round = self.cost(condition).saturating_add(self.block(*body));
                let times = u128::try_from(*times).unwrap_or_default();
                times.saturating_mul(round).saturating_add(self.block(*reached))
            }
            StmtKind::ForEach { set, condition, walk, body, .. } => {
                let tests = [condition, walk].into_iter().flatten().map(|test| self.cost(test)).sum::<u128>();
                let round = self.block(*body).saturating_add(tests);
                u128::from(self.size(set)).saturating_mul(round)
            }
            StmtKind::Move(_, _, Some(body)) => self.block(*body),
            StmtKind::EachPlayer(body) => self.block(*body).saturating_mul(self.rules.seats.len() as u128),
            StmtKind::Sow(..) => u128::from(self.rules.board.total_seeds().min(256)),
            StmtKind::Call(procedure, _) => self.procedure(*procedure),
            StmtKind::Set(_, value) | StmtKind::SetVariable(_, value) | StmtKind::Require(value) => self.cost(value),
            _ => 1,
        };
        own.saturating_add(1)
    }

    fn procedure(&mut self, id: ProcedureId) -> u128 {
        if let Some(steps) = *self.procedures.at(id) {
            return steps;
        }
        let steps = self.rules.procedures.at(id).body.map_or(0, |body| self.block(body));
        *self.procedures.at_mut(id) = Some(steps);
        steps
    }

    /// The most members a set can have.
    fn size(&self, set: &Expr) -> u64 {
        let men = u64::from(self.rules.men) * self.rules.seats.len() as u64;
        match set {
            Expr::Sites(sites) => sites.len() as u64,
            Expr::Listed(items) => items.len() as u64,
            Expr::Ranged(..) => 4096,
            Expr::Ask(Query::Pool, _) => {
                // Equal counts are alike, so there are no more choices than different counts.
                self.rules.throws.iter().map(|throw| throw.outcomes.len() as u64).max().unwrap_or(1)
            }
            Expr::Ask(Query::OwnMen, _) => u64::from(self.rules.men),
            Expr::Ask(Query::OwnPits, _) => (self.rules.board.sites.len() / self.rules.seats.len().max(1)) as u64,
            Expr::Binary(_, left, _) => self.size(left),
            _ => men.max(self.rules.board.sites.len() as u64),
        }
    }

    /// The steps of an expression.
    fn cost(&self, expr: &Expr) -> u128 {
        let inner = match expr {
            Expr::Listed(items) | Expr::Ask(_, items) => {
                items.iter().map(|item| self.cost(item)).fold(0, u128::saturating_add)
            }
            Expr::Ranged(_, a, b) | Expr::Binary(_, a, b) => self.cost(a).saturating_add(self.cost(b)),
            Expr::Not(a) | Expr::Negate(a) => self.cost(a),
            Expr::Players { condition, .. } => self.cost(condition).saturating_mul(4),
            Expr::Quantified { set, condition, .. } => {
                u128::from(self.size(set)).saturating_mul(self.cost(condition)).saturating_add(self.cost(set))
            }
            _ => 0,
        };
        inner.saturating_add(1)
    }
}
