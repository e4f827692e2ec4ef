//! What can be known along every way through a turn: whether seeds are in the hand, how many at
//! least, and what is never reached.

use std::collections::{HashMap, HashSet};

use crate::{
    diagnostic::{Diagnostic, Problem},
    rules::{BlockId, Decides, Expr, Game, Op, Query, Rules, Stmt, StmtKind, VarId, When},
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
    let inside = |block: BlockId| game.blocks.at(block).iter().any(|stmt| changes_board(game, stmt));
    let called = match &stmt.kind {
        StmtKind::Call(procedure, _) => inside(game.procedures.at(*procedure).body),
        _ => false,
    };
    called || stmt.kind.changes_board() || stmt.kind.blocks().into_iter().any(inside)
}

/// Endings that ask for what is known only within a turn.
pub(super) fn endings_outside_turns(game: &Game) -> Vec<Diagnostic> {
    const WITHIN: [Query; 6] = [Query::Last, Query::Lifted, Query::Passed, Query::Trodden, Query::Pool, Query::Hand];
    let mut found = vec![];
    for ending in &game.endings {
        let condition = match &ending.when {
            When::AtOnce(condition) | When::AfterTurn(condition) => Some(condition),
            When::Called => None,
        };
        let mut open = vec![ending.body];
        let mut seen = HashSet::new();
        let mut asked: Vec<&Expr> = condition.into_iter().collect();
        while let Some(block) = open.pop() {
            if !seen.insert(block) {
                continue;
            }
            for stmt in game.blocks.at(block) {
                if let StmtKind::Call(procedure, _) = &stmt.kind {
                    open.push(game.procedures.at(*procedure).body);
                }
                open.extend(stmt.kind.blocks());
                asked.extend(stmt.kind.exprs());
            }
        }
        for query in WITHIN {
            if asked.iter().any(|expr| expr.asks(&[query])) {
                found.push(Diagnostic::new(Problem::EndingAsksTurn { word: query.word() }, ending.span));
            }
        }
    }
    found
}

fn ends_turn(game: &Game, stmt: &Stmt) -> bool {
    let ends = |block: &BlockId| game.blocks.at(*block).iter().any(|stmt| ends_turn(game, stmt));
    match &stmt.kind {
        StmtKind::Pass
        | StmtKind::Refuse
        | StmtKind::EndBy(_)
        | StmtKind::NewRound(_)
        | StmtKind::MostWins(_, Decides::Game)
        | StmtKind::MoverWins(Decides::Game)
        | StmtKind::MoverLoses(Decides::Game)
        | StmtKind::NobodyWins(Decides::Game) => true,
        StmtKind::If(_, then, Some(otherwise)) => ends(then) && ends(otherwise),
        _ => false,
    }
}

/// Seeds that could stay in the hand, sowings that do nothing, and what is asked too early.
pub(super) fn check(rules: &Rules) -> Vec<Diagnostic> {
    let mut flow = Flow { rules, found: vec![], known: HashMap::new(), looks: HashMap::new() };
    let start = Known { hand: Hand::Empty, facts: vec![], sown: false, chosen: false };
    if let Some(end) = flow.block(rules.turn, start)
        && end.hand != Hand::Empty
    {
        let last = rules.blocks.at(rules.turn).last();
        let span = last.map_or(rules.game.seats_span, |stmt| rules.game.rules.at(stmt.rule).span);
        flow.found.push(Diagnostic::new(Problem::SeedsInHand, span));
    }
    let first = rules.blocks.at(rules.turn).first();
    if !rules.blocks.iter().flatten().any(|stmt| matches!(stmt.kind, StmtKind::Choose { .. } | StmtKind::Throw(..))) {
        let span = first.map_or(rules.game.seats_span, |stmt| rules.game.rules.at(stmt.rule).span);
        flow.found.push(Diagnostic::new(Problem::NothingHappens, span));
    }
    if rules.can_refuse {
        for stmt in rules.blocks.iter().flatten() {
            if matches!(stmt.kind, StmtKind::Choose { may: false, none_allowed: None, .. }) {
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
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Known {
    hand: Hand,
    /// Pits that hold at least so many seeds.
    facts: Vec<(Expr, i32)>,
    /// Something has been sown in this turn.
    sown: bool,
    /// Something has been chosen in this turn.
    chosen: bool,
}

impl Known {
    /// What is known where two ways meet.
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
        let mut facts = vec![];
        for (pit, least) in self.facts {
            let known = other.facts.iter().filter(|(same, _)| *same == pit).map(|(_, least)| *least).max();
            facts.extend(known.map(|known| (pit, least.min(known))));
        }
        Self { hand, facts, sown: self.sown && other.sown, chosen: self.chosen && other.chosen }
    }

    /// Without what is known of single pits.
    fn weaker(self) -> Self {
        let hand = match self.hand {
            Hand::Holds { least, .. } => Hand::Holds { least, from: None },
            Hand::Empty => Hand::Empty,
        };
        Self { hand, facts: vec![], ..self }
    }

    /// What is known besides when a condition holds.
    fn assuming(mut self, condition: &Expr, holds: bool) -> Self {
        match condition {
            Expr::Binary(Op::And, a, b) if holds => return self.assuming(a, true).assuming(b, true),
            Expr::Binary(Op::Or, a, b) if holds => {
                return self.clone().assuming(a, true).join(self.assuming(b, true));
            }
            Expr::Binary(Op::Or, a, b) if !holds => return self.assuming(a, false).assuming(b, false),
            Expr::Not(inner) => return self.assuming(inner, !holds),
            _ => {}
        }
        if let (Expr::Ask(Query::Empty, args), false) = (condition, holds) {
            self.facts.extend(args.first().map(|pits| (pits.clone(), 1)));
            return self;
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

    /// A value has changed: nothing is known any more of pits that it names.
    fn forget(&mut self, var: VarId) {
        let names = |expr: &Expr| expr.mentions(var);
        self.facts.retain(|(pit, _)| !names(pit));
        if let Hand::Holds { from, .. } = &mut self.hand {
            *from = from.take().filter(|pit| !names(pit));
        }
    }
}

struct Flow<'a> {
    rules: &'a Rules,
    found: Vec<Diagnostic>,
    /// What holds behind a block, by what held before it.
    known: HashMap<(BlockId, Known), Option<Known>>,
    /// How often each block was looked at.
    looks: HashMap<BlockId, usize>,
}

/// A block that was looked at so often is looked at with less in mind: else every call could double the work.
const MAX_LOOKS: usize = 40;

impl Flow<'_> {
    /// What is known behind a block; `None` when its end is not reached.
    fn block(&mut self, id: BlockId, known: Known) -> Option<Known> {
        let known = if self.looks.get(&id).is_some_and(|looks| *looks > MAX_LOOKS) { known.weaker() } else { known };
        let key = (id, known);
        if let Some(after) = self.known.get(&key) {
            return after.clone();
        }
        *self.looks.entry(id).or_default() += 1;
        let after = self.statements(id, key.1.clone());
        self.known.insert(key, after.clone());
        after
    }

    fn statements(&mut self, id: BlockId, mut known: Known) -> Option<Known> {
        let rules = self.rules;
        // What holds where nothing could be chosen, and the rest of the block was left out.
        let mut left: Option<Known> = None;
        for stmt in rules.blocks.at(id) {
            if let StmtKind::Choose { none, none_allowed, .. } = &stmt.kind {
                for arm in std::iter::once(*none).chain(*none_allowed) {
                    left = join(left, self.block(arm, known.clone()));
                }
            }
            if !known.sown && stmt.kind.exprs().iter().any(|expr| expr.asks(&[Query::Last])) {
                self.report(Problem::LastUnset, stmt);
                // Said once: what follows would only say it again.
                known.sown = true;
            }
            match self.statement(stmt, known) {
                Some(next) => known = next,
                None => return left,
            }
        }
        join(left, Some(known))
    }

    fn report(&mut self, problem: Problem, stmt: &Stmt) {
        self.found.push(Diagnostic::new(problem, self.rules.game.rules.at(stmt.rule).span));
    }

    /// What holds before every round of something that is done again and again.
    fn repeat(&mut self, mut before: Known, mut round: impl FnMut(&mut Self, Known) -> Option<Known>) -> Known {
        // Each join knows less, and there is not much to know: this ends soon.
        while let Some(after) = round(self, before.clone()) {
            let joined = before.clone().join(after);
            if joined == before {
                break;
            }
            before = joined;
        }
        before
    }

    fn statement(&mut self, stmt: &Stmt, mut known: Known) -> Option<Known> {
        match &stmt.kind {
            StmtKind::Choose { picks, condition, .. } => {
                for (var, _) in picks {
                    known.forget(*var);
                }
                known.chosen = true;
                if let Some(condition) = condition {
                    known = known.assuming(condition, true);
                }
            }
            StmtKind::If(condition, then, otherwise) => {
                let yes = self.block(*then, known.clone().assuming(condition, true));
                let no = known.assuming(condition, false);
                let no = match otherwise {
                    _ if *condition == Expr::Truth(true) => None,
                    Some(block) => self.block(*block, no),
                    None => Some(no),
                };
                return join(yes, no);
            }
            StmtKind::While { condition, body, reached, .. } => {
                let before = self.repeat(known, |flow, known| flow.block(*body, known.assuming(condition, true)));
                let bound = self.block(*reached, before.clone().assuming(condition, true));
                return join(Some(before.assuming(condition, false)), bound);
            }
            StmtKind::ForEach { var, body, condition, walk, .. } => {
                return Some(self.repeat(known, |flow, mut inside| {
                    inside.forget(*var);
                    for test in [condition, walk].into_iter().flatten() {
                        inside = inside.assuming(test, true);
                    }
                    flow.block(*body, inside)
                }));
            }
            StmtKind::EachPlayer(body) => {
                return Some(self.repeat(known, |flow, inside| {
                    // What is known of a pit, another player's eyes may see as another one.
                    flow.block(*body, Known { facts: vec![], ..inside })
                }));
            }
            StmtKind::ByPlayer(_, body) => {
                let done = self.block(*body, Known { facts: vec![], ..known.clone() });
                return join(done, Some(Known { facts: vec![], ..known }));
            }
            StmtKind::Again { reached, .. } => {
                if known.hand != Hand::Empty {
                    self.report(Problem::SeedsInHand, stmt);
                }
                return self.block(*reached, known);
            }
            StmtKind::Move { body: Some(body), .. } => return self.block(*body, known),
            StmtKind::Lift(set) => {
                let least = known.seeds_in(set);
                known.hand = match known.hand {
                    Hand::Empty => Hand::Holds { least: least.min(2), from: Some(set.clone()) },
                    Hand::Holds { least: more, .. } => Hand::Holds { least: (least + more).min(2), from: None },
                };
                known.facts.clear();
            }
            StmtKind::Sow { from, skipping, body, .. } => {
                match &known.hand {
                    Hand::Empty | Hand::Holds { least: ..=0, .. } => self.report(Problem::NothingToSow, stmt),
                    Hand::Holds { least: 1, from: Some(origin) } if origin == from && skipping.is_none() => {
                        self.report(Problem::LoneSeed, stmt);
                    }
                    Hand::Holds { .. } => {}
                }
                // An empty hand would leave `last` where it was.
                let sown = known.sown || !matches!(known.hand, Hand::Empty | Hand::Holds { least: ..=0, .. });
                known = Known { hand: Hand::Empty, facts: vec![], sown, chosen: known.chosen };
                if let Some(body) = body {
                    self.block(*body, Known { sown: true, ..known.clone() });
                }
            }
            StmtKind::Capture { .. } | StmtKind::Keep(_) | StmtKind::Put { .. } => {
                known.facts.clear();
            }
            StmtKind::TakeBack => {
                known.hand = Hand::Empty;
                known.facts.clear();
            }
            StmtKind::Pass | StmtKind::EndBy(_) => {
                if known.hand != Hand::Empty {
                    self.report(Problem::SeedsInHand, stmt);
                }
                return None;
            }
            StmtKind::Refuse | StmtKind::Require(_) if !known.chosen => {
                self.report(Problem::RequireBeforeChoice, stmt);
            }
            StmtKind::Refuse
            | StmtKind::NewRound(_)
            | StmtKind::MostWins(_, Decides::Game)
            | StmtKind::MoverWins(Decides::Game)
            | StmtKind::MoverLoses(Decides::Game)
            | StmtKind::NobodyWins(Decides::Game) => return None,
            StmtKind::Require(condition) => known = known.assuming(condition, true),
            StmtKind::Set(var, _) | StmtKind::Throw(_, var) => known.forget(*var),
            // Which pit an expression names may hang on variables and marks.
            StmtKind::SetVariable(..) | StmtKind::Mark(..) | StmtKind::Unmark(..) => known = known.weaker(),
            StmtKind::Call(procedure, _) => {
                let procedure = self.rules.procedures.at(*procedure);
                for param in &procedure.params {
                    known.forget(*param);
                }
                return self.block(procedure.body, known);
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
