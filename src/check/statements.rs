//! Names and types in statements; which may stand where.

use std::collections::{HashMap, HashSet};

use super::{citations::Grounds, declare::Builder, scope::Symbol};
use crate::{
    diagnostic::Problem,
    rules::{
        BlockId, Decides, Expr, MarkId, Op, Procedure, ProcedureId, RuleId, RuleKind, Stmt, StmtKind, Table, ThrowId,
        Type,
    },
    span::{Name, Span},
    syntax::ast::{self, AssignOp, StmtKind as Ast},
};

/// How many procedures may call one another in a row.
pub(super) const MAX_CALLS: usize = 12;

/// How many procedures a file may have.
pub(super) const MAX_PROCEDURES: usize = 200;

/// Where a block stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// In the turn, or in a procedure of it.
    Turn,
    /// In an ending, or in a procedure that only endings call.
    Ending,
    /// In what is done for every seed as it falls.
    Falling,
    /// In a procedure that both the turn and an ending call.
    Both,
}

impl Builder<'_> {
    pub(super) fn procedures(&mut self) {
        // Parameters first: a call must know them wherever it stands.
        let file = self.file;
        let callers = Callers::of(file);
        let empty = self.game.blocks.push(vec![]);
        let mut calls: Table<ProcedureId, Vec<(ProcedureId, Span)>> = Table::default();
        let mut locals = vec![];
        for procedure in &file.procedures {
            self.scope.fresh();
            self.scope.open();
            let params = self.params(&procedure.params);
            self.scope.fresh();
            locals.push(params.clone());
            let (name, span) = (procedure.name.node.clone(), procedure.name.span);
            self.game.procedures.push(Procedure { name, params, body: empty, span });
        }
        let names = self.game.procedures.entries().map(|(id, procedure)| (procedure.name.clone(), id));
        // Of two with one name the first is meant.
        let ids: HashMap<String, ProcedureId> = names.collect::<Vec<_>>().into_iter().rev().collect();
        for ((procedure, params), id) in
            file.procedures.iter().zip(locals).zip(self.game.procedures.ids().collect::<Vec<_>>())
        {
            self.scope.fresh();
            self.scope.open();
            for (param, var) in procedure.params.iter().zip(params) {
                self.scope.bind(&param.name, var, &mut self.found);
            }
            let place = callers.place(&procedure.name.node);
            self.heading(RuleKind::Procedure, procedure.name.span, &procedure.body.grounds);
            let body = self.block(&procedure.body, &Grounds::default(), place);
            self.game.procedures.at_mut(id).body = body;
            let mut called = vec![];
            collect_calls(&procedure.body, &mut called);
            let known = called.into_iter().filter_map(|name| Some((*ids.get(&name.node)?, name.span)));
            calls.push(known.collect());
        }
        match file.procedures.get(MAX_PROCEDURES) {
            Some(extra) => self.report(Problem::TooMany { what: "procedures", max: MAX_PROCEDURES }, extra.name.span),
            None => self.recursion(&calls),
        }
    }

    /// A procedure may not call itself, nor call others that call it, nor call too deep.
    fn recursion(&mut self, calls: &Table<ProcedureId, Vec<(ProcedureId, Span)>>) {
        // The longest chain of calls from each procedure, found by as many rounds as chains may be long.
        let mut depth: Table<ProcedureId, usize> = Table::filled(calls.len(), 1);
        for _ in 0..=MAX_CALLS {
            for id in calls.ids() {
                let deepest = calls.at(id).iter().map(|(called, _)| depth.at(*called) + 1).max().unwrap_or(1);
                *depth.at_mut(id) = deepest.min(MAX_CALLS + 2);
            }
        }
        for id in calls.ids() {
            for &(called, span) in calls.at(id) {
                if self.reaches(calls, called, id) {
                    let name = self.game.procedures.at(called).name.clone();
                    self.report(Problem::Recursion { name }, span);
                }
            }
        }
        let circular = |id: ProcedureId| calls.at(id).iter().any(|(called, _)| self.reaches(calls, *called, id));
        let deep = calls.ids().find(|id| *depth.at(*id) > MAX_CALLS && !circular(*id));
        if let Some(id) = deep {
            let span = self.game.procedures.at(id).span;
            self.report(Problem::CallsTooDeep { limit: MAX_CALLS }, span);
        }
    }

    /// Whether a chain of calls leads from a procedure to another, the empty chain included.
    fn reaches(
        &self,
        calls: &Table<ProcedureId, Vec<(ProcedureId, Span)>>,
        from: ProcedureId,
        to: ProcedureId,
    ) -> bool {
        let mut seen: Table<ProcedureId, bool> = Table::filled(calls.len(), false);
        let mut open = vec![from];
        while let Some(id) = open.pop() {
            if id == to {
                return true;
            }
            if !std::mem::replace(seen.at_mut(id), true) {
                open.extend(calls.at(id).iter().map(|(called, _)| *called));
            }
        }
        false
    }

    pub(super) fn turn(&mut self) -> Option<BlockId> {
        let file = self.file;
        let missing = ("what a player does in a turn (`turn`)", "turn { ... }");
        let turn = self.only(&file.turns, |turn| turn.span, "`turn`", missing)?;
        self.scope.fresh();
        self.heading(RuleKind::Turn, turn.span, &turn.body.grounds);
        Some(self.block(&turn.body, &Grounds::default(), Place::Turn))
    }

    /// Records the heading of a block, which says nothing by itself unless it has grounds.
    fn heading(&mut self, kind: RuleKind, span: Span, own: &[ast::Ground]) {
        let grounds = self.grounds(own, &Grounds::default());
        if own.is_empty() {
            self.frame_on(kind, span, grounds)
        } else {
            self.rule_on(kind, span, grounds)
        };
    }

    /// A block; its grounds hold for what has none of its own.
    pub(super) fn block(&mut self, block: &ast::Block, inherited: &Grounds, place: Place) -> BlockId {
        let grounds = self.grounds(&block.grounds, inherited);
        self.scope.open();
        let mut statements = vec![];
        for stmt in &block.statements {
            self.statement(stmt, &grounds, place, &mut statements);
        }
        self.scope.close();
        self.game.blocks.push(statements)
    }

    fn statement(&mut self, stmt: &ast::Stmt, inherited: &Grounds, place: Place, out: &mut Vec<Stmt>) {
        let own = if stmt.grounds.is_empty() { body_grounds(&stmt.kind) } else { &stmt.grounds };
        let grounds = self.grounds(own, inherited);
        // A frame says nothing by itself: what it holds is grounded line by line.
        let frame = matches!(
            stmt.kind,
            Ast::GoOn
                | Ast::Let(..)
                | Ast::EachPlayer(_)
                | Ast::ByPlayer(..)
                | Ast::If { .. }
                | Ast::While { .. }
                | Ast::ForEach { .. }
                | Ast::Call(..)
        );
        let kind = RuleKind::Statement;
        let rule = if frame && own.is_empty() {
            self.frame_on(kind, stmt.span, grounds.clone())
        } else {
            self.rule_on(kind, stmt.span, grounds.clone())
        };
        if let Some((what, ending)) = misplaced(&stmt.kind, place) {
            let problem = match place {
                Place::Falling => Problem::NotWhileFalling { what },
                _ => Problem::Misplaced { what, ending },
            };
            self.report(problem, stmt.span);
        }
        let _ = self.statement_kind(stmt, rule, &grounds, place, out);
    }

    fn statement_kind(
        &mut self,
        stmt: &ast::Stmt,
        rule: RuleId,
        grounds: &Grounds,
        place: Place,
        out: &mut Vec<Stmt>,
    ) -> Option<()> {
        let kind = match &stmt.kind {
            Ast::Choose { .. } => self.choose(stmt, grounds, place)?,
            Ast::If { condition, then, otherwise } => {
                let condition = self.typed(condition, Type::Truth);
                let then = self.block(then, grounds, place);
                let otherwise = otherwise.as_ref().map(|block| self.block(block, grounds, place));
                StmtKind::If(condition?, then, otherwise)
            }
            Ast::While { condition, bound, body, reached } => {
                let condition = self.typed(condition, Type::Truth);
                let times = bound.as_ref().map(|bound| (self.typed(&bound.times, Type::Number), bound.laps));
                let body = self.block(body, grounds, place);
                match (&bound, reached) {
                    (None, _) => self.report(Problem::LoopWithoutBound, stmt.span),
                    (Some(_), None) => self.report(Problem::BoundWithoutElse, stmt.span),
                    _ => {}
                }
                let reached = self.block(reached.as_ref()?, grounds, place);
                let (times, laps) = times?;
                StmtKind::While { condition: condition?, bound: times?, laps, body, reached }
            }
            Ast::ForEach { name, set, condition, walk, body } => {
                let set = self.set(set);
                self.scope.open();
                let kind = set.as_ref().map_or(Type::Any, |(_, kind)| *kind);
                let var = self.bind_local(name, kind);
                self.scope.read.insert(var);
                let condition = condition.as_ref().map(|expr| self.typed(expr, Type::Truth));
                let walk = walk.as_ref().map(|expr| self.typed(expr, Type::Truth));
                let body = self.block(body, grounds, place);
                self.scope.close();
                let (set, _) = set?;
                StmtKind::ForEach { var, set, condition: all(condition)?, walk: all(walk)?, body }
            }
            Ast::EachPlayer(body) => StmtKind::EachPlayer(self.block(body, grounds, place)),
            Ast::ByPlayer(player, body) => {
                let player = self.typed(player, Type::Player);
                let body = self.block(body, grounds, place);
                StmtKind::ByPlayer(player?, body)
            }
            Ast::Lift(set) => StmtKind::Lift(self.typed(set, Type::Sites)?),
            Ast::Sow { from, towards, skipping, body } => {
                let from = self.typed(from, Type::Site);
                let towards = towards.as_ref().map(|way| self.typed(way, Type::Direction));
                let skipping = skipping.as_ref().map(|set| self.typed(set, Type::Sites));
                let body = body.as_ref().map(|block| self.block(block, grounds, Place::Falling));
                StmtKind::Sow { from: from?, towards: all(towards)?, skipping: all(skipping)?, body }
            }
            Ast::Capture { seeds: None, from } => {
                let (captured, kind) = self.expr(from)?;
                match kind {
                    Type::Men | Type::Man => StmtKind::CaptureMen(captured),
                    _ => StmtKind::Capture { seeds: None, from: self.typed(from, Type::Sites)? },
                }
            }
            Ast::Capture { seeds: Some(seeds), from } => {
                let (seeds, from) = (self.typed(seeds, Type::Number), self.typed(from, Type::Sites));
                StmtKind::Capture { seeds: Some(seeds?), from: from? }
            }
            Ast::Put { seeds, from, into } => {
                let seeds = self.typed(seeds, Type::Number);
                let (from, into) = (self.typed(from, Type::Site), self.typed(into, Type::Site));
                StmtKind::Put { seeds: seeds?, from: from?, into: into? }
            }
            Ast::Mark(set, name) => {
                let (set, mark) = (self.typed(set, Type::Sites), self.mark(name));
                StmtKind::Mark(set?, mark?)
            }
            Ast::Unmark(set, name) => {
                let (set, mark) = (self.typed(set, Type::Sites), self.mark(name));
                StmtKind::Unmark(set?, mark?)
            }
            Ast::Keep(set) => StmtKind::Keep(self.typed(set, Type::Sites)?),
            Ast::Throw { table, names } => return self.throw(table, names, rule, out),
            Ast::Move { men, by, to, body } => {
                let (men, by) = (self.typed(men, Type::Men), self.typed(by, Type::Number));
                let to = to.as_ref().map(|site| self.typed(site, Type::Site));
                let body = body.as_ref().map(|block| self.block(block, grounds, place));
                StmtKind::Move { men: men?, by: by?, to: all(to)?, body }
            }
            Ast::Make(men, name) => {
                let (men, state) = (self.typed(men, Type::Men), self.state(name));
                StmtKind::Make(men?, state?)
            }
            Ast::SendBack(men) => StmtKind::SendBack(self.typed(men, Type::Men)?),
            Ast::Add(counts) => {
                for count in counts {
                    if let Some(count) = self.typed(count, Type::Number) {
                        out.push(Stmt { rule, kind: StmtKind::Add(count) });
                    }
                }
                return Some(());
            }
            Ast::Spend(count) => StmtKind::Spend(self.typed(count, Type::Number)?),
            Ast::ClearPool => StmtKind::ClearPool,
            Ast::GoOn => return Some(()),
            Ast::Pass => StmtKind::Pass,
            Ast::Again { times, reached } => {
                let times = self.typed(times, Type::Number);
                let reached = self.block(reached, grounds, place);
                StmtKind::Again { times: times?, reached }
            }
            Ast::Refuse => StmtKind::Refuse,
            Ast::Require(condition) => StmtKind::Require(self.typed(condition, Type::Truth)?),
            Ast::EndBy(name) => {
                let Some(id) = self.scope.endings.get(&name.node).copied() else {
                    let near = self.nearest(&name.node, self.scope.endings.keys().map(String::as_str));
                    self.report(Problem::UnknownEnding { name: name.node.clone(), near }, name.span);
                    return None;
                };
                self.scope.called_endings.insert(id);
                StmtKind::EndBy(id)
            }
            Ast::TakeBack => StmtKind::TakeBack,
            Ast::NewRound(player) => StmtKind::NewRound(self.typed(player, Type::Player)?),
            Ast::MostWins(value, what) => StmtKind::MostWins(self.typed(value, Type::Number)?, decides(*what)),
            Ast::MoverWins(what) => StmtKind::MoverWins(decides(*what)),
            Ast::MoverLoses(what) => StmtKind::MoverLoses(decides(*what)),
            Ast::NobodyWins(what) => StmtKind::NobodyWins(decides(*what)),
            Ast::Let(name, value) => {
                let value = self.expr(value);
                let var = self.bind_local(name, value.as_ref().map_or(Type::Any, |(_, kind)| *kind));
                self.named.push((var, name.clone()));
                StmtKind::Set(var, value?.0)
            }
            Ast::Assign(name, op, value) => self.assign(name, *op, value)?,
            Ast::Call(name, args) => {
                let Some(Symbol::Procedure(id)) = self.scope.symbol(&name.node) else {
                    let near = self
                        .nearest(&name.node, self.scope.names_of(|s| matches!(s, Symbol::Procedure(_))).into_iter());
                    self.report(Problem::UnknownProcedure { name: name.node.clone(), near }, name.span);
                    return None;
                };
                let params = self.game.procedures.at(id).params.clone();
                if params.len() != args.len() {
                    let (wanted, found) = (params.len(), args.len());
                    self.report(Problem::WrongCount { name: name.node.clone(), wanted, found }, name.span);
                    return None;
                }
                let kinds: Vec<Type> = params.iter().map(|param| self.game.vars.at(*param).1).collect();
                let args: Vec<_> = args.iter().zip(kinds).map(|(arg, kind)| self.typed(arg, kind)).collect();
                StmtKind::Call(id, args.into_iter().collect::<Option<_>>()?)
            }
        };
        out.push(Stmt { rule, kind });
        Some(())
    }

    fn choose(&mut self, stmt: &ast::Stmt, grounds: &Grounds, place: Place) -> Option<StmtKind> {
        let Ast::Choose { may, picks, condition, none, none_allowed } = &stmt.kind else { return None };
        // What happens when there is nothing to choose cannot speak of what was chosen.
        let none_block = none.as_ref().map(|block| self.block(block, grounds, place));
        let none_allowed = none_allowed.as_ref().map(|block| self.block(block, grounds, place));
        if none_block.is_none() {
            self.report(Problem::ChoiceWithoutNone, stmt.span);
        }
        let mut bound = vec![];
        for (name, set) in picks {
            let set = self.set(set);
            let kind = set.as_ref().map_or(Type::Any, |(_, kind)| *kind);
            let var = self.bind_local(name, kind);
            self.scope.read.insert(var);
            bound.push(set.map(|(set, _)| (var, set)));
        }
        let condition = all(condition.as_ref().map(|expr| self.typed(expr, Type::Truth)));
        let picks = bound.into_iter().collect::<Option<_>>();
        Some(StmtKind::Choose { may: *may, picks: picks?, condition: condition?, none: none_block?, none_allowed })
    }

    /// The mark of this name.
    fn mark(&mut self, name: &Name) -> Option<MarkId> {
        if let Some(Symbol::Mark(id)) = self.scope.symbol(&name.node) {
            return Some(id);
        }
        let names = self.scope.names_of(|symbol| matches!(symbol, Symbol::Mark(_)));
        let near = self.nearest(&name.node, names.into_iter());
        self.report(Problem::UnknownMark { name: name.node.clone(), near }, name.span);
        None
    }

    fn throw(&mut self, table: &Name, names: &[Name], rule: RuleId, out: &mut Vec<Stmt>) -> Option<()> {
        let id: ThrowId = match self.scope.symbol(&table.node) {
            Some(Symbol::Throw(id)) if self.game.throws.get(id).is_some() => id,
            other => {
                // The names are bound all the same: they are not to blame.
                for name in names {
                    let var = self.bind_local(name, Type::Any);
                    self.scope.read.insert(var);
                }
                if matches!(other, Some(Symbol::Throw(_))) {
                    return None;
                }
                let near =
                    self.nearest(&table.node, self.scope.names_of(|s| matches!(s, Symbol::Throw(_))).into_iter());
                self.report(Problem::UnknownThrow { name: table.node.clone(), near }, table.span);
                return None;
            }
        };
        for name in names {
            let var = self.bind_local(name, Type::Number);
            self.named.push((var, name.clone()));
            out.push(Stmt { rule, kind: StmtKind::Throw(id, var) });
        }
        Some(())
    }

    fn assign(&mut self, name: &Name, op: AssignOp, value: &ast::Expr) -> Option<StmtKind> {
        let value_of = |builder: &mut Self, old: Expr, kind: Type| {
            let wanted = if op == AssignOp::Set { kind } else { Type::Number };
            let new = builder.typed(value, wanted)?;
            Some(match op {
                AssignOp::Set => new,
                AssignOp::Add => Expr::Binary(Op::Add, Box::new(old), Box::new(new)),
                AssignOp::Subtract => Expr::Binary(Op::Subtract, Box::new(old), Box::new(new)),
            })
        };
        if let Some(var) = self.scope.local(&name.node) {
            let kind = self.game.vars.at(var).1;
            if op != AssignOp::Set && kind != Type::Number {
                self.report(Problem::WrongType { wanted: Type::Number.words(), found: kind.words() }, name.span);
                return None;
            }
            return Some(StmtKind::Set(var, value_of(self, Expr::Var(var), kind)?));
        }
        match self.scope.symbol(&name.node) {
            Some(Symbol::Variable(id)) => {
                Some(StmtKind::SetVariable(id, value_of(self, Expr::Variable(id), Type::Number)?))
            }
            Some(_) => {
                self.report(Problem::CannotAssign { name: name.node.clone() }, name.span);
                None
            }
            None => {
                let near = self.near(&name.node);
                self.report(Problem::UnknownVariable { name: name.node.clone(), near }, name.span);
                None
            }
        }
    }
}

/// `Some(None)` when there was nothing, `None` when there was something wrong.
fn all<T>(part: Option<Option<T>>) -> Option<Option<T>> {
    match part {
        None => Some(None),
        Some(inner) => inner.map(Some),
    }
}

fn decides(what: ast::Decides) -> Decides {
    match what {
        ast::Decides::Game => Decides::Game,
        ast::Decides::Round => Decides::Round,
    }
}

/// What stands behind the brace of a statement with a block holds for the statement too.
fn body_grounds(kind: &Ast) -> &[ast::Ground] {
    match kind {
        Ast::If { then: body, .. }
        | Ast::While { body, .. }
        | Ast::ForEach { body, .. }
        | Ast::EachPlayer(body)
        | Ast::ByPlayer(_, body)
        | Ast::Sow { body: Some(body), .. }
        | Ast::Move { body: Some(body), .. } => &body.grounds,
        _ => &[],
    }
}

/// What a statement is called where it may not stand, and whether an ending is such a place for it.
fn misplaced(kind: &Ast, place: Place) -> Option<(&'static str, bool)> {
    let (words, in_turn, in_ending, falling) = match kind {
        Ast::Keep(_) => ("`keep`", false, true, false),
        Ast::MostWins(..) | Ast::MoverWins(_) | Ast::MoverLoses(_) | Ast::NobodyWins(_) => {
            ("`... wins`", false, true, false)
        }
        Ast::NewRound(_) => ("`new round`", false, true, false),
        Ast::Choose { .. } => ("`choose`", true, false, false),
        Ast::Throw { .. } => ("`throw`", true, false, false),
        Ast::While { .. } => ("`while`", true, false, false),
        Ast::Lift(_) => ("`lift`", true, false, false),
        Ast::Sow { .. } => ("`sow`", true, false, false),
        Ast::Capture { .. } => ("`capture`", true, false, true),
        Ast::Move { .. } => ("`move`", true, false, false),
        Ast::Make(..) => ("`make`", true, false, false),
        Ast::SendBack(_) => ("`send back`", true, false, false),
        Ast::Pass => ("`pass`", true, false, false),
        Ast::Again { .. } => ("`play again`", true, false, false),
        Ast::Refuse => ("`refuse`", true, false, false),
        Ast::Require(_) => ("`require`", true, false, false),
        Ast::TakeBack => ("`take back`", true, false, false),
        Ast::EndBy(_) => ("`end by`", true, false, false),
        Ast::Call(..) => ("calling a procedure", true, true, false),
        Ast::Add(_) => ("`add`", true, false, false),
        Ast::Spend(_) => ("`spend`", true, false, false),
        Ast::ClearPool => ("`clear pool`", true, false, false),
        _ => return None,
    };
    let wrong = match place {
        Place::Turn | Place::Both if !in_turn => Some(false),
        Place::Turn => None,
        Place::Ending | Place::Both => (!in_ending).then_some(true),
        Place::Falling => (!falling).then_some(false),
    };
    wrong.map(|ending| (words, ending))
}

/// From where procedures are called, through others or not.
struct Callers {
    in_turn: HashSet<String>,
    in_endings: HashSet<String>,
}

impl Callers {
    fn of(file: &ast::File) -> Self {
        let turns = file.turns.iter().map(|turn| &turn.body);
        let endings = file.endings.iter().map(|ending| &ending.body);
        Self { in_turn: called(file, turns), in_endings: called(file, endings) }
    }

    /// Where a procedure stands; one that nobody calls counts as part of the turn.
    fn place(&self, name: &str) -> Place {
        match (self.in_turn.contains(name), self.in_endings.contains(name)) {
            (true, true) => Place::Both,
            (false, true) => Place::Ending,
            _ => Place::Turn,
        }
    }
}

/// The procedures that some blocks call, through others or not.
fn called<'a>(file: &'a ast::File, bodies: impl Iterator<Item = &'a ast::Block>) -> HashSet<String> {
    let by_name: HashMap<&str, &ast::Block> =
        file.procedures.iter().map(|procedure| (procedure.name.node.as_str(), &procedure.body)).collect();
    let mut open = vec![];
    bodies.for_each(|body| collect_calls(body, &mut open));
    let mut seen = HashSet::new();
    while let Some(call) = open.pop() {
        if seen.insert(call.node.clone())
            && let Some(body) = by_name.get(call.node.as_str())
        {
            collect_calls(body, &mut open);
        }
    }
    seen
}

/// The procedures a block calls, wherever in it.
fn collect_calls(block: &ast::Block, out: &mut Vec<Name>) {
    for stmt in &block.statements {
        if let Ast::Call(name, _) = &stmt.kind {
            out.push(name.clone());
        }
        for block in stmt.kind.blocks() {
            collect_calls(block, out);
        }
    }
}
