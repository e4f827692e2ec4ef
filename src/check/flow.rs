//! What can be known along every way through a turn: whether seeds are in the hand, how many at
//! least, and what is never reached.

use std::collections::HashMap;

use crate::{
    diagnostic::{Diagnostic, Problem},
    rules::{BlockId, Expr, Game, Op, ProcedureId, Query, Rules, Stmt, StmtKind},
};

/// Statements that stand behind the end of the turn, whatever readings are chosen.
pub(super) fn unreachable(game: &Game) -> Vec<Diagnostic> {
    let mut found = vec![];
    for block in &game.blocks {
        let end = block.iter().position(|stmt| ends_turn(game, stmt));
        if let Some(next) = end.and_then(|end| block.get(end + 1)) {
            found.push(Diagnostic::new(Problem::Unreachable, game.rules.at(next.rule).span));
        }
    }
    found
}

/// Requirements behind which the same block still changes the board.
pub(super) fn early_requirements(game: &Game) -> Vec<Diagnostic> {
    let mut found = vec![];
    for block in &game.blocks {
        for (n, stmt) in block.iter().enumerate().filter(|(_, stmt)| matches!(stmt.kind, StmtKind::Require(_))) {
            if block.iter().skip(n + 1).any(|later| changes_board(game, later)) {
                found.push(Diagnostic::new(Problem::EarlyRequire, game.rules.at(stmt.rule).span));
            }
        }
    }
    found
}

fn changes_board(game: &Game, stmt: &Stmt) -> bool {
    let inside = |block: &BlockId| game.blocks.at(*block).iter().any(|stmt| changes_board(game, stmt));
    match &stmt.kind {
        StmtKind::Lift(_) | StmtKind::Sow(..) | StmtKind::Capture(_) | StmtKind::Move(..) | StmtKind::SendBack(_) => {
            true
        }
        StmtKind::If(_, then, otherwise) => inside(then) || otherwise.as_ref().is_some_and(inside),
        StmtKind::While { body, .. } | StmtKind::ForEach { body, .. } | StmtKind::EachPlayer(body) => inside(body),
        _ => false,
    }
}

fn ends_turn(game: &Game, stmt: &Stmt) -> bool {
    let ends = |block: &BlockId| game.blocks.at(*block).iter().any(|stmt| ends_turn(game, stmt));
    match &stmt.kind {
        StmtKind::Pass
        | StmtKind::Refuse
        | StmtKind::EndBy(_)
        | StmtKind::MostWins(_)
        | StmtKind::MoverWins
        | StmtKind::NobodyWins => true,
        StmtKind::If(_, then, Some(otherwise)) => ends(then) && ends(otherwise),
        _ => false,
    }
}

/// Seeds that could stay in the hand, and sowings that do nothing.
pub(super) fn check(rules: &Rules) -> Vec<Diagnostic> {
    let mut flow = Flow { rules, found: vec![], procedures: HashMap::new() };
    let start = Known { hand: Hand::Empty, facts: vec![] };
    if let Some(end) = flow.block(rules.turn, start)
        && end.hand != Hand::Empty
    {
        let last = rules.blocks.at(rules.turn).last();
        let span = last.map_or(rules.game.seats_span, |stmt| rules.game.rules.at(stmt.rule).span);
        flow.found.push(Diagnostic::new(Problem::SeedsInHand, span));
    }
    if !rules.blocks.iter().flatten().any(|stmt| matches!(stmt.kind, StmtKind::Choose { .. } | StmtKind::Throw(..))) {
        let first = rules.blocks.at(rules.turn).first();
        let span = first.map_or(rules.game.seats_span, |stmt| rules.game.rules.at(stmt.rule).span);
        flow.found.push(Diagnostic::new(Problem::NothingHappens, span));
    }
    if rules.can_refuse {
        for stmt in rules.blocks.iter().flatten() {
            if matches!(stmt.kind, StmtKind::Choose { none_allowed: None, .. }) {
                let span = rules.game.rules.at(stmt.rule).span;
                flow.found.push(Diagnostic::new(Problem::ChoiceWithoutNoneAllowed, span));
            }
        }
    }
    flow.found
}

/// The hand at some point of a turn.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Hand {
    Empty,
    /// It may hold seeds: at least so many, up to 2; from this pit alone, if it is one.
    Holds {
        least: i32,
        from: Option<Expr>,
    },
}

/// What is known at some point of a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Known {
    hand: Hand,
    /// Pits that hold at least so many seeds.
    facts: Vec<(Expr, i32)>,
}

impl Known {
    fn join(self, other: Self) -> Self {
        let hand = match (self.hand, other.hand) {
            (Hand::Empty, Hand::Empty) => Hand::Empty,
            (Hand::Holds { from, .. }, Hand::Empty) | (Hand::Empty, Hand::Holds { from, .. }) => {
                Hand::Holds { least: 0, from }
            }
            (Hand::Holds { least: a, from: f }, Hand::Holds { least: b, from: g }) => {
                Hand::Holds { least: a.min(b), from: f.filter(|f| g.as_ref() == Some(f)) }
            }
        };
        let facts = self.facts.into_iter().filter(|fact| other.facts.contains(fact)).collect();
        Self { hand, facts }
    }

    /// What is known besides when a condition holds.
    fn assuming(mut self, condition: &Expr, holds: bool) -> Self {
        match condition {
            Expr::Binary(Op::And, a, b) if holds => return self.assuming(a, true).assuming(b, true),
            Expr::Binary(Op::Or, a, b) if !holds => return self.assuming(a, false).assuming(b, false),
            Expr::Not(inner) => return self.assuming(inner, !holds),
            _ => {}
        }
        let Expr::Binary(op, left, right) = condition else { return self };
        let Expr::Number(n) = **right else { return self };
        let least = match (op, holds) {
            (Op::More, true) | (Op::AtMost, false) => n.saturating_add(1),
            (Op::AtLeast | Op::Equal, true) | (Op::Less, false) => n,
            // A hand or pit that holds something, and not just one, holds two.
            (Op::NotEqual, true) | (Op::Equal, false) if n == 1 && self.least_of(left) == Some(1) => 2,
            _ => return self,
        };
        match &**left {
            Expr::Ask(Query::Seeds, args) => self.facts.extend(args.first().map(|pit| (pit.clone(), least))),
            Expr::Ask(Query::Hand, _) => {
                if let Hand::Holds { least: known, .. } = &mut self.hand {
                    *known = (*known).max(least.min(2));
                }
            }
            _ => {}
        }
        self
    }

    fn least_of(&self, asked: &Expr) -> Option<i32> {
        match (asked, &self.hand) {
            (Expr::Ask(Query::Hand, _), Hand::Holds { least, .. }) => Some(*least),
            (Expr::Ask(Query::Seeds, args), _) => args.first().map(|pit| self.seeds_in(pit)),
            _ => None,
        }
    }

    fn seeds_in(&self, pit: &Expr) -> i32 {
        self.facts.iter().filter(|(known, _)| known == pit).map(|(_, least)| *least).max().unwrap_or(0)
    }
}

struct Flow<'a> {
    rules: &'a Rules,
    found: Vec<Diagnostic>,
    /// What holds after a procedure, by what held of the hand before it.
    procedures: HashMap<(ProcedureId, Hand), Option<Hand>>,
}

impl Flow<'_> {
    /// What is known behind a block; `None` when its end is not reached.
    fn block(&mut self, id: BlockId, mut known: Known) -> Option<Known> {
        let rules = self.rules;
        // What holds where nothing could be chosen, and the rest of the block was left out.
        let mut left: Option<Known> = None;
        for stmt in rules.blocks.at(id) {
            if let StmtKind::Choose { none, none_allowed, .. } = &stmt.kind {
                for arm in [Some(none), none_allowed.as_ref()].into_iter().flatten() {
                    left = join(left, self.block(*arm, known.clone()));
                }
            }
            match self.statement(stmt, known) {
                Some(next) => known = next,
                None => return left,
            }
        }
        join(left, Some(known))
    }

    /// Whether a procedure, or one it calls, changes how many seeds lie anywhere.
    fn touches_seeds(&self, procedure: ProcedureId) -> bool {
        self.rules.procedures.at(procedure).body.is_some_and(|body| self.block_touches_seeds(body))
    }

    fn block_touches_seeds(&self, block: BlockId) -> bool {
        self.rules.blocks.at(block).iter().any(|stmt| match &stmt.kind {
            StmtKind::Lift(_) | StmtKind::Sow(..) | StmtKind::Capture(_) | StmtKind::Keep(_) | StmtKind::TakeBack => {
                true
            }
            StmtKind::Choose { none, none_allowed, .. } => {
                self.block_touches_seeds(*none) || none_allowed.is_some_and(|block| self.block_touches_seeds(block))
            }
            StmtKind::If(_, then, otherwise) => {
                self.block_touches_seeds(*then) || otherwise.is_some_and(|block| self.block_touches_seeds(block))
            }
            StmtKind::While { body, reached, .. } => {
                self.block_touches_seeds(*body) || self.block_touches_seeds(*reached)
            }
            StmtKind::ForEach { body, .. } | StmtKind::EachPlayer(body) | StmtKind::Move(_, _, Some(body)) => {
                self.block_touches_seeds(*body)
            }
            StmtKind::Call(procedure, _) => self.touches_seeds(*procedure),
            _ => false,
        })
    }

    fn report(&mut self, problem: Problem, stmt: &Stmt) {
        self.found.push(Diagnostic::new(problem, self.rules.game.rules.at(stmt.rule).span));
    }

    fn statement(&mut self, stmt: &Stmt, mut known: Known) -> Option<Known> {
        match &stmt.kind {
            StmtKind::If(condition, then, otherwise) => {
                let yes = self.block(*then, known.clone().assuming(condition, true));
                let no = known.assuming(condition, false);
                let no = match otherwise {
                    Some(block) => self.block(*block, no),
                    None => Some(no),
                };
                return join(yes, no);
            }
            StmtKind::While { condition, body, reached, .. } => {
                let mut before = known.clone();
                // The hand has few states: three rounds reach what holds before every round.
                for _ in 0..3 {
                    let Some(after) = self.block(*body, before.clone().assuming(condition, true)) else { break };
                    before = before.join(after);
                }
                let bound = self.block(*reached, before.clone().assuming(condition, true));
                return join(Some(before.assuming(condition, false)), bound);
            }
            StmtKind::ForEach { body, condition, walk, .. } => {
                let mut before = known.clone();
                for _ in 0..3 {
                    let mut inside = before.clone();
                    for test in [condition, walk].into_iter().flatten() {
                        inside = inside.assuming(test, true);
                    }
                    let Some(after) = self.block(*body, inside) else { break };
                    before = before.join(after);
                }
                return Some(before);
            }
            StmtKind::Move(_, _, Some(body)) => return self.block(*body, known),
            StmtKind::EachPlayer(body) => {
                let after = self.block(*body, known.clone());
                return join(after, Some(known));
            }
            StmtKind::Lift(set) => {
                let least = known.seeds_in(set);
                known.hand = match known.hand {
                    Hand::Empty => Hand::Holds { least: least.min(2), from: Some(set.clone()) },
                    Hand::Holds { least: more, .. } => Hand::Holds { least: (least + more).min(2), from: None },
                };
                known.facts.clear();
            }
            StmtKind::Sow(from, skipping) => {
                match &known.hand {
                    Hand::Empty | Hand::Holds { least: ..=0, .. } => self.report(Problem::NothingToSow, stmt),
                    Hand::Holds { least: 1, from: Some(origin) } if origin == from && skipping.is_none() => {
                        self.report(Problem::LoneSeed, stmt);
                    }
                    Hand::Holds { .. } => {}
                }
                known = Known { hand: Hand::Empty, facts: vec![] };
            }
            StmtKind::Capture(_) | StmtKind::Keep(_) => known.facts.clear(),
            StmtKind::TakeBack => known = Known { hand: Hand::Empty, facts: vec![] },
            StmtKind::Pass | StmtKind::EndBy(_) => {
                if known.hand != Hand::Empty {
                    self.report(Problem::SeedsInHand, stmt);
                }
                return None;
            }
            StmtKind::Refuse | StmtKind::MostWins(_) | StmtKind::MoverWins | StmtKind::NobodyWins => return None,
            StmtKind::Choose { condition: Some(condition), .. } | StmtKind::Require(condition) => {
                known = known.assuming(condition, true);
            }
            StmtKind::Call(procedure, _) => {
                let key = (*procedure, known.hand.clone());
                let after = match self.procedures.get(&key) {
                    Some(after) => after.clone(),
                    None => {
                        let start = Known { hand: key.1.clone(), facts: vec![] };
                        let body = self.rules.procedures.at(*procedure).body;
                        let after =
                            body.map_or(Some(start.clone()), |body| self.block(body, start)).map(|known| known.hand);
                        self.procedures.insert(key, after.clone());
                        after
                    }
                };
                let facts = if self.touches_seeds(*procedure) { vec![] } else { known.facts };
                return after.map(|hand| Known { hand, facts });
            }
            _ => {}
        }
        Some(known)
    }
}

fn join(a: Option<Known>, b: Option<Known>) -> Option<Known> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.join(b)),
        (a, b) => a.or(b),
    }
}
