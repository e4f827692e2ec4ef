//! Names and types in statements; which may stand where.

use super::{citations::Grounds, declare::Builder, scope::Symbol};
use crate::{
    diagnostic::Problem,
    rules::{BlockId, Expr, Op, Procedure, ProcedureId, RuleId, Stmt, StmtKind, Table, ThrowId, Type},
    span::{Name, Span},
    syntax::ast::{self, AssignOp, StmtKind as Ast},
};

/// How many procedures may call one another in a row.
const MAX_CALLS: usize = 12;

/// How many procedures a file may have.
const MAX_PROCEDURES: usize = 200;

/// Where a block stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// In the turn, or in a procedure of it.
    Turn,
    /// In an ending.
    Ending,
}

impl Builder<'_> {
    pub(super) fn procedures(&mut self) {
        // Parameters first: a call must know them wherever it stands.
        let file = self.file;
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
        for ((procedure, params), id) in
            file.procedures.iter().zip(locals).zip(self.game.procedures.ids().collect::<Vec<_>>())
        {
            self.scope.fresh();
            self.scope.open();
            for (param, var) in procedure.params.iter().zip(params) {
                self.scope.bind(&param.name, var, &mut self.found);
            }
            let body = self.block(&procedure.body, &Grounds::default(), Place::Turn);
            self.game.procedures.at_mut(id).body = body;
            let mut called = vec![];
            collect_calls(&procedure.body, &mut called);
            let known = called.into_iter().filter_map(|name| {
                let found = self.game.procedures.entries().find(|(_, other)| other.name == name.node)?;
                Some((found.0, name.span))
            });
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
        Some(self.block(&turn.body, &Grounds::default(), Place::Turn))
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
                | Ast::If { .. }
                | Ast::While { .. }
                | Ast::ForEach { .. }
                | Ast::Call(..)
        );
        let rule = if frame && own.is_empty() {
            let rule = crate::rules::Rule {
                span: stmt.span,
                claims: grounds.claims.clone(),
                assumed: grounds.assumed.clone(),
            };
            self.game.rules.push(rule)
        } else {
            self.rule_on(stmt.span, &grounds)
        };
        if let Some(words) = misplaced(&stmt.kind, place) {
            self.report(Problem::Misplaced { what: words, ending: place == Place::Ending }, stmt.span);
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
            Ast::Choose { picks, condition, none, none_allowed } => self.choose(
                stmt.span,
                picks,
                condition.as_ref(),
                (none.as_ref(), none_allowed.as_ref()),
                grounds,
                place,
            )?,
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
            Ast::Lift(set) => StmtKind::Lift(self.typed(set, Type::Sites)?),
            Ast::Sow { from, skipping } => {
                let from = self.typed(from, Type::Site);
                let skipping = skipping.as_ref().map(|set| self.typed(set, Type::Sites));
                StmtKind::Sow(from?, all(skipping)?)
            }
            Ast::Capture(set) => StmtKind::Capture(self.typed(set, Type::Sites)?),
            Ast::Keep(set) => StmtKind::Keep(self.typed(set, Type::Sites)?),
            Ast::Throw { table, names } => return self.throw(table, names, rule, out),
            Ast::Move { man, by, body } => {
                let (man, by) = (self.typed(man, Type::Man), self.typed(by, Type::Number));
                let body = body.as_ref().map(|block| self.block(block, grounds, place));
                StmtKind::Move(man?, by?, body)
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
            Ast::MostWins(value) => StmtKind::MostWins(self.typed(value, Type::Number)?),
            Ast::MoverWins => StmtKind::MoverWins,
            Ast::NobodyWins => StmtKind::NobodyWins,
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

    fn choose(
        &mut self,
        span: Span,
        picks: &[(Name, ast::Expr)],
        condition: Option<&ast::Expr>,
        (none, none_allowed): (Option<&ast::Block>, Option<&ast::Block>),
        grounds: &Grounds,
        place: Place,
    ) -> Option<StmtKind> {
        // What happens when there is nothing to choose cannot speak of what was chosen.
        let none_block = none.map(|block| self.block(block, grounds, place));
        let none_allowed = none_allowed.map(|block| self.block(block, grounds, place));
        if none_block.is_none() {
            self.report(Problem::ChoiceWithoutNone, span);
        }
        let sets: Vec<_> = picks.iter().map(|(name, set)| (name, self.set(set))).collect();
        let mut bound = vec![];
        for (name, set) in sets {
            let kind = set.as_ref().map_or(Type::Any, |(_, kind)| *kind);
            let var = self.bind_local(name, kind);
            self.scope.read.insert(var);
            bound.push(set.map(|(set, _)| (var, set)));
        }
        let condition = all(condition.map(|expr| self.typed(expr, Type::Truth)));
        let picks = bound.into_iter().collect::<Option<_>>();
        Some(StmtKind::Choose { picks: picks?, condition: condition?, none: none_block?, none_allowed })
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

/// What stands behind the brace of a statement with a block holds for the statement too.
fn body_grounds(kind: &Ast) -> &[ast::Ground] {
    match kind {
        Ast::If { then: body, .. }
        | Ast::While { body, .. }
        | Ast::ForEach { body, .. }
        | Ast::EachPlayer(body)
        | Ast::Move { body: Some(body), .. } => &body.grounds,
        _ => &[],
    }
}

/// What a statement is called where it may not stand.
fn misplaced(kind: &Ast, place: Place) -> Option<&'static str> {
    match (place, kind) {
        (Place::Turn, Ast::Keep(_)) => Some("`keep`"),
        (Place::Turn, Ast::MostWins(_) | Ast::MoverWins | Ast::NobodyWins) => Some("`... wins`"),
        (Place::Ending, Ast::Choose { .. }) => Some("`choose`"),
        (Place::Ending, Ast::Throw { .. }) => Some("`throw`"),
        (Place::Ending, Ast::While { .. }) => Some("`while`"),
        (Place::Ending, Ast::Lift(_)) => Some("`lift`"),
        (Place::Ending, Ast::Sow { .. }) => Some("`sow`"),
        (Place::Ending, Ast::Capture(_)) => Some("`capture`"),
        (Place::Ending, Ast::Move { .. }) => Some("`move`"),
        (Place::Ending, Ast::SendBack(_)) => Some("`send back`"),
        (Place::Ending, Ast::Pass) => Some("`pass`"),
        (Place::Ending, Ast::Refuse) => Some("`refuse`"),
        (Place::Ending, Ast::Require(_)) => Some("`require`"),
        (Place::Ending, Ast::TakeBack) => Some("`take back`"),
        (Place::Ending, Ast::EndBy(_)) => Some("`end by`"),
        (Place::Ending, Ast::Call(..)) => Some("calling a procedure"),
        (Place::Ending, Ast::Add(_)) => Some("`add`"),
        (Place::Ending, Ast::Spend(_)) => Some("`spend`"),
        (Place::Ending, Ast::ClearPool) => Some("`clear pool`"),
        _ => None,
    }
}

/// The procedures a block calls, wherever in it.
fn collect_calls(block: &ast::Block, out: &mut Vec<Name>) {
    for stmt in &block.statements {
        match &stmt.kind {
            Ast::Call(name, _) => out.push(name.clone()),
            Ast::Choose { none, none_allowed, .. } => {
                for block in none.iter().chain(none_allowed) {
                    collect_calls(block, out);
                }
            }
            Ast::If { then, otherwise, .. } => {
                collect_calls(then, out);
                if let Some(block) = otherwise {
                    collect_calls(block, out);
                }
            }
            Ast::While { body, reached, .. } => {
                collect_calls(body, out);
                if let Some(block) = reached {
                    collect_calls(block, out);
                }
            }
            Ast::ForEach { body, .. } | Ast::EachPlayer(body) | Ast::Move { body: Some(body), .. } => {
                collect_calls(body, out);
            }
            _ => {}
        }
    }
}
