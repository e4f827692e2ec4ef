//! How long a turn can take, and how many moves a choice can offer.

use crate::{
    diagnostic::{Diagnostic, Problem},
    rules::{
        BlockId, Expr, MAX_MOVES, MAX_POOL, MAX_WALK, Op, ProcedureId, Query, RuleId, Rules, Stmt, StmtKind, Table,
        Type, When,
    },
};

/// The most steps of a turn. The evaluator stops a game whose turn takes more.
const MAX_STEPS: u128 = 10_000_000;
/// The most members of a set of numbers.
const MAX_NUMBERS: u64 = 4096;
/// How many different counts a rule is reckoned to make that adds something else than a throw.
const MADE_COUNTS: u64 = 40;

/// What goes beyond the bounds.
pub(super) fn check(rules: &Rules) -> Vec<Diagnostic> {
    let mut bounds =
        Bounds { rules, found: vec![], again: 0, at_once: 0, procedures: Table::filled(rules.procedures.len(), None) };
    let (at_once, after_turn) = bounds.endings();
    bounds.at_once = at_once;
    // What was reckoned without endings at once, from an ending, does not hold for the turn.
    bounds.procedures = Table::filled(rules.procedures.len(), None);
    let once = bounds.block(rules.turn);
    // A turn that begins anew takes as long again, as often as it may.
    let turn = once.times(bounds.again.saturating_add(1));
    // Where a turn can be refused, every way of going on may have to be tried.
    let tries = if rules.can_refuse { turn.ways } else { 1 };
    let steps = turn.steps.saturating_mul(tries).saturating_add(after_turn);
    if steps > MAX_STEPS {
        let block = rules.blocks.at(rules.turn);
        let longest = block.iter().max_by_key(|stmt| bounds.statement(stmt).steps);
        let span = longest.map_or(rules.game.seats_span, |stmt| rules.game.rules.at(stmt.rule).span);
        bounds.found.push(Diagnostic::new(Problem::TurnTooLong { steps, max: MAX_STEPS }, span));
    }
    bounds.found
}

/// What a stretch of rules can take.
#[derive(Debug, Clone, Copy)]
struct Cost {
    /// Statements and expressions done, along the longest way.
    steps: u128,
    /// Ways to go on at choices and throws, multiplied.
    ways: u128,
}

impl Cost {
    const NONE: Self = Self { steps: 0, ways: 1 };

    fn steps(steps: u128) -> Self {
        Self { steps, ways: 1 }
    }

    fn then(self, next: Self) -> Self {
        Self { steps: self.steps.saturating_add(next.steps), ways: self.ways.saturating_mul(next.ways) }
    }

    fn or(self, other: Self) -> Self {
        Self { steps: self.steps.max(other.steps), ways: self.ways.max(other.ways) }
    }

    fn times(self, n: u128) -> Self {
        let exponent = u32::try_from(n).unwrap_or(u32::MAX);
        Self { steps: self.steps.saturating_mul(n), ways: self.ways.saturating_pow(exponent) }
    }
}

struct Bounds<'a> {
    rules: &'a Rules,
    found: Vec<Diagnostic>,
    /// How often a turn may begin anew.
    again: u128,
    /// The steps of all conditions of endings at once: they are looked at after every effect.
    at_once: u128,
    /// The cost of each procedure looked at so far.
    procedures: Table<ProcedureId, Option<Cost>>,
}

impl Bounds<'_> {
    /// The steps of all conditions at once, and of all that is done after a turn.
    fn endings(&mut self) -> (u128, u128) {
        let rules = self.rules;
        let (mut at_once, mut after) = (0u128, 0u128);
        for (id, ending) in rules.endings.entries() {
            let rule = rules.game.endings.at(id).rule;
            match &ending.when {
                When::AtOnce(condition) => at_once = at_once.saturating_add(self.expr(condition, rule)),
                When::AfterTurn(condition) => after = after.saturating_add(self.expr(condition, rule)),
                When::Called => {}
            }
            after = after.saturating_add(self.block(ending.body).steps);
        }
        (at_once, after)
    }

    fn report(&mut self, problem: Problem, rule: RuleId) {
        let found = Diagnostic::new(problem, self.rules.game.rules.at(rule).span);
        if !self.found.iter().any(|other| other.span == found.span && other.problem == found.problem) {
            self.found.push(found);
        }
    }

    fn block(&mut self, id: BlockId) -> Cost {
        let rules = self.rules;
        rules.blocks.at(id).iter().fold(Cost::steps(1), |sum, stmt| sum.then(self.statement(stmt)))
    }

    fn statement(&mut self, stmt: &Stmt) -> Cost {
        let own = stmt.kind.exprs().into_iter().map(|expr| self.expr(expr, stmt.rule)).fold(1, u128::saturating_add);
        let inside = match &stmt.kind {
            StmtKind::Choose { may, picks, condition, none, none_allowed } => {
                // A set is looked at anew for every member of those before it.
                let (mut moves, mut sets) = (1u64, 0u128);
                for (_, set) in picks {
                    sets = sets.saturating_add(self.expr(set, stmt.rule).saturating_mul(u128::from(moves)));
                    moves = moves.saturating_mul(self.choices(set));
                }
                if moves > MAX_MOVES as u64 {
                    self.report(Problem::TooManyMoves { moves, max: MAX_MOVES as u64 }, stmt.rule);
                }
                let test = condition.as_ref().map_or(1, |condition| self.expr(condition, stmt.rule));
                let ways = u128::from(moves.max(1)).saturating_add(u128::from(*may));
                let looked = Cost { steps: u128::from(moves).saturating_mul(test).saturating_add(sets), ways };
                let arms = none_allowed.map_or(Cost::NONE, |block| self.block(block)).or(self.block(*none));
                looked.then(arms)
            }
            StmtKind::If(_, then, otherwise) => {
                self.block(*then).or(otherwise.map_or(Cost::NONE, |block| self.block(block)))
            }
            StmtKind::While { bound, body, reached, .. } => {
                let round = self.block(*body).then(Cost::steps(own));
                let times = self.fixed(bound, stmt.rule);
                round.times(times).then(self.block(*reached))
            }
            StmtKind::ForEach { set, body, .. } => {
                self.block(*body).then(Cost::steps(own)).times(u128::from(self.size(set)))
            }
            StmtKind::EachPlayer(body) => {
                self.block(*body).then(Cost::steps(1)).times(self.rules.seats.len() as u128 + 1)
            }
            StmtKind::ByPlayer(_, body) => self.block(*body),
            StmtKind::Again { times, reached } => {
                let times = self.fixed(times, stmt.rule);
                self.again = self.again.max(times);
                self.block(*reached)
            }
            StmtKind::Move { men, body, .. } => {
                let walked = Cost::steps(u128::from(self.size(men)).saturating_mul(self.walk()));
                walked.then(body.map_or(Cost::NONE, |body| self.block(body)))
            }
            StmtKind::Sow { body, .. } => {
                // While seeds are in the hand no ending is looked at.
                let at_once = std::mem::take(&mut self.at_once);
                let each = body.map_or(Cost::NONE, |body| self.block(body)).then(Cost::steps(1));
                self.at_once = at_once;
                // Behind the last seed, when the hand is empty, they are.
                let last = body.map_or(Cost::NONE, |body| self.block(body));
                each.times(u128::from(self.rules.board.total_seeds())).then(last)
            }
            StmtKind::Throw(throw, _) => {
                Cost { steps: 0, ways: self.rules.throws.at(*throw).outcomes.len().max(1) as u128 }
            }
            StmtKind::Call(procedure, _) => self.procedure(*procedure),
            _ => Cost::NONE,
        };
        let effect = stmt.kind.changes_board()
            || matches!(
                stmt.kind,
                StmtKind::Add(_)
                    | StmtKind::Spend(_)
                    | StmtKind::ClearPool
                    | StmtKind::SetVariable(..)
                    | StmtKind::Pass
            );
        let looked = if effect { self.at_once } else { 0 };
        Cost::steps(own.saturating_add(looked)).then(inside)
    }

    /// A bound that is known before play.
    fn fixed(&mut self, bound: &Expr, rule: RuleId) -> u128 {
        if let Expr::Number(times) = bound {
            return u128::try_from(*times).unwrap_or_default();
        }
        self.report(Problem::BoundNotFixed, rule);
        0
    }

    /// The most steps of a man: those of the longest way, or as many as are looked at where a way comes back to itself.
    fn walk(&self) -> u128 {
        let longest = self.rules.ways.iter().map(|way| way.spots.len() as u128).max().unwrap_or(0);
        let spots = self.rules.ways.iter().flat_map(|way| way.spots.entries());
        let back = spots.into_iter().any(|(id, spot)| spot.next.iter().any(|next| *next <= id));
        if back { longest.max(u128::try_from(MAX_WALK).unwrap_or_default()) } else { longest }
    }

    /// How many different members of a set can be chosen.
    fn choices(&self, set: &Expr) -> u64 {
        match set {
            // Equal counts are alike: there are no more than different counts that are thrown, and what else is added.
            Expr::Ask(Query::Pool, _) => {
                let thrown = self.rules.throws.iter().map(|throw| throw.outcomes.len() as u64).sum::<u64>();
                let stmts = self.rules.blocks.iter().flatten();
                let others = stmts.filter(|stmt| matches!(&stmt.kind, StmtKind::Add(count) if !self.is_thrown(count)));
                thrown.saturating_add(others.count() as u64 * MADE_COUNTS).max(1)
            }
            Expr::Those { set, .. } => self.choices(set),
            _ => self.size(set),
        }
    }

    /// Whether a count is one that was thrown, and nothing else.
    fn is_thrown(&self, count: &Expr) -> bool {
        let Expr::Var(var) = count else { return false };
        let stmts = self.rules.blocks.iter().flatten();
        !stmts.into_iter().any(|stmt| match &stmt.kind {
            StmtKind::Choose { picks, .. } => picks.iter().any(|(other, _)| other == var),
            StmtKind::Set(other, _) | StmtKind::ForEach { var: other, .. } => other == var,
            _ => false,
        }) && !self.rules.procedures.iter().any(|procedure| procedure.params.contains(var))
    }

    fn procedure(&mut self, id: ProcedureId) -> Cost {
        if let Some(cost) = *self.procedures.at(id) {
            return cost;
        }
        let cost = self.block(self.rules.procedures.at(id).body);
        *self.procedures.at_mut(id) = Some(cost);
        cost
    }

    /// The most members a set can have.
    fn size(&self, set: &Expr) -> u64 {
        let men = u64::from(self.rules.men) * self.rules.seats.len() as u64;
        let sites = self.rules.board.places().count() as u64;
        match set {
            Expr::Sites(sites) => sites.len() as u64,
            Expr::Site(_) => 1,
            Expr::PlacesOf(_, places) => places.iter().map(|own| own.len() as u64).sum(),
            Expr::Those { set, .. } => self.size(set),
            Expr::Ask(Query::Directions, _) => 2,
            Expr::Ask(Query::Reach, _) if !self.forks() => 1,
            Expr::Listed(items) => items.len() as u64,
            Expr::Ask(Query::Pool, _) => MAX_POOL as u64,
            Expr::Ask(Query::Path | Query::Passed | Query::Trodden, _) => {
                u64::try_from(self.walk()).unwrap_or(u64::MAX)
            }
            Expr::Ask(Query::PitsAfter | Query::PitsBefore, _) => self.rules.board.sites.len() as u64,
            Expr::Ask(Query::OwnMen, _) => u64::from(self.rules.men),
            Expr::Ask(Query::OwnPits, _) => sites / self.rules.seats.len().max(1) as u64,
            Expr::Ask(query, _) if matches!(query.result(), Type::Men | Type::Man) => men,
            Expr::Ask(Query::SquaresOf, args) => args.first().map_or(0, |men| self.size(men)).min(sites),
            Expr::Ask(query, _) if query.result() == Type::Site => 1,
            Expr::Ask(_, _) | Expr::Marked(..) => sites,
            Expr::Binary(Op::Union, left, right) => self.size(left).saturating_add(self.size(right)),
            Expr::Binary(_, left, _) => self.size(left),
            Expr::Var(var) => match self.rules.vars.at(*var) {
                Type::Number | Type::Truth | Type::Site | Type::Man | Type::Player | Type::Direction => 1,
                Type::Directions => 2,
                Type::Sites => sites,
                Type::Men => men,
                Type::Numbers | Type::Any => MAX_NUMBERS,
            },
            _ => MAX_NUMBERS,
        }
    }

    /// Whether a way leads on to more than one square anywhere.
    fn forks(&self) -> bool {
        self.rules.ways.iter().flat_map(|way| way.spots.iter()).any(|spot| spot.next.len() > 1)
    }

    /// The steps of an expression.
    fn expr(&mut self, expr: &Expr, rule: RuleId) -> u128 {
        let inner = match expr {
            // Whether a number lies in a range takes no more than its ends.
            Expr::Binary(Op::In, left, right) if matches!(**right, Expr::Ranged(..)) => {
                let ends = right.children().into_iter().map(|end| self.expr(end, rule)).fold(0, u128::saturating_add);
                self.expr(left, rule).saturating_add(ends)
            }
            Expr::Ranged(..) => {
                self.report(Problem::RangeTooWide { max: MAX_NUMBERS }, rule);
                0
            }
            Expr::Players { condition, .. } => self.expr(condition, rule).saturating_mul(4),
            Expr::Ask(Query::Reach | Query::Path, args) => {
                let asked = args.iter().map(|arg| self.expr(arg, rule)).fold(0, u128::saturating_add);
                let men = args.first().map_or(1, |men| self.size(men));
                asked.saturating_add(self.walk().saturating_mul(u128::from(men)))
            }
            Expr::Ask(Query::Ahead | Query::PitsAfter | Query::PitsBefore, args) => {
                let asked = args.iter().map(|arg| self.expr(arg, rule)).fold(0, u128::saturating_add);
                asked.saturating_add(self.rules.board.sites.len() as u128 / 8)
            }
            Expr::Those { set, condition, walk, .. } => {
                let tests = condition.iter().chain(walk).map(|test| self.expr(test, rule));
                let each = tests.fold(1, u128::saturating_add).saturating_mul(u128::from(self.size(set)));
                each.saturating_add(self.expr(set, rule))
            }
            Expr::Quantified { set, condition, .. } => {
                let each = self.expr(condition, rule).saturating_mul(u128::from(self.size(set)));
                each.saturating_add(self.expr(set, rule))
            }
            _ => expr.children().into_iter().map(|child| self.expr(child, rule)).fold(0, u128::saturating_add),
        };
        let set = match expr {
            Expr::Sites(_) | Expr::PlacesOf(..) | Expr::Marked(..) | Expr::Those { .. } => true,
            Expr::Ask(query, _) => matches!(query.result(), Type::Sites | Type::Men),
            Expr::Binary(op, ..) => matches!(op, Op::Union | Op::Without | Op::MenOn),
            _ => false,
        };
        // A set costs by its length, too: a step for every eight members.
        let length = if set { u128::from(self.size(expr)) / 8 } else { 0 };
        inner.saturating_add(1).saturating_add(length)
    }
}
