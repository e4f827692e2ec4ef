//! Endings: when they apply, and that each names a result.

use std::collections::HashSet;

use super::{citations::Grounds, declare::Builder, statements::Place};
use crate::{
    diagnostic::Problem,
    rules::{Ending, Id as _, RuleKind, Type, When},
    span::Span,
    syntax::ast,
};

/// How deep procedures may call one another.
const MAX_CALLS: usize = super::statements::MAX_CALLS;

impl Builder<'_> {
    /// Declares the names of the endings.
    pub(super) fn declare_endings(&mut self) {
        let file = self.file;
        if file.endings.is_empty() {
            let example = "ending all-taken, after a turn when empty(all pits) { most captured wins }";
            self.report(Problem::Missing { what: "how the game ends (`ending`)", example }, Span::default());
        }
        for (n, ending) in file.endings.iter().enumerate() {
            let id = crate::rules::EndingId::new(n);
            if self.scope.endings.insert(ending.name.node.clone(), id).is_some() {
                self.report(Problem::Duplicate { what: "ending", name: ending.name.node.clone() }, ending.name.span);
            }
        }
    }

    pub(super) fn endings(&mut self) {
        let file = self.file;
        let deciding = deciding(file);
        for ending in &file.endings {
            let grounds = self.grounds(&ending.body.grounds, &Grounds::default());
            let rule = self.rule_on(RuleKind::Ending, ending.name.span, grounds);
            self.scope.fresh();
            let when = match &ending.when {
                ast::When::AtOnce(condition) => self.typed(condition, Type::Truth).map(When::AtOnce),
                ast::When::AfterTurn(condition) => self.typed(condition, Type::Truth).map(When::AfterTurn),
                ast::When::Called => Some(When::Called),
            };
            let body = self.block(&ending.body, &Grounds::default(), Place::Ending);
            if !decides(&ending.body, &deciding) {
                self.report(Problem::EndingWithoutResult { name: ending.name.node.clone() }, ending.name.span);
            }
            let (name, span) = (ending.name.node.clone(), ending.name.span);
            self.game.endings.push(Ending { name, when: when.unwrap_or(When::Called), body, rule, span });
        }
        for (ending, id) in file.endings.iter().zip(self.game.endings.ids().collect::<Vec<_>>()) {
            if matches!(ending.when, ast::When::Called) && !self.scope.called_endings.contains(&id) {
                self.report(Problem::Unused { what: "ending", name: ending.name.node.clone() }, ending.name.span);
            }
        }
    }
}

/// The procedures that name a result, or begin a new round, whichever way they go.
fn deciding(file: &ast::File) -> HashSet<&str> {
    let mut known = HashSet::new();
    if file.procedures.len() > super::statements::MAX_PROCEDURES {
        return known;
    }
    // Each round of this finds those that call the ones found before: calls are at most so deep.
    for _ in 0..=MAX_CALLS {
        let more = file.procedures.iter().filter(|procedure| decides(&procedure.body, &known));
        let more: Vec<&str> = more.map(|procedure| procedure.name.node.as_str()).collect();
        known.extend(more);
    }
    known
}

/// Whether a block names a result, or begins a new round, whichever way it goes.
fn decides(block: &ast::Block, deciding: &HashSet<&str>) -> bool {
    block.statements.iter().any(|stmt| match &stmt.kind {
        ast::StmtKind::MostWins(_, what)
        | ast::StmtKind::MoverWins(what)
        | ast::StmtKind::MoverLoses(what)
        | ast::StmtKind::NobodyWins(what) => *what == ast::Decides::Game,
        ast::StmtKind::NewRound(_) => true,
        ast::StmtKind::If { then, otherwise: Some(otherwise), .. } => {
            decides(then, deciding) && decides(otherwise, deciding)
        }
        ast::StmtKind::Call(name, _) => deciding.contains(name.node.as_str()),
        _ => false,
    })
}
