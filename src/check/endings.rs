//! Endings: when they apply, and that each names a result.

use super::{citations::Grounds, declare::Builder, statements::Place};
use crate::{
    diagnostic::Problem,
    rules::{Ending, Id as _, Type, When},
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
        for ending in &file.endings {
            let grounds = self.grounds(&ending.body.grounds, &Grounds::default());
            let rule = self.rule_on(ending.name.span, &grounds);
            self.scope.fresh();
            let when = match &ending.when {
                ast::When::AtOnce(condition) => self.typed(condition, Type::Truth).map(When::AtOnce),
                ast::When::AfterTurn(condition) => self.typed(condition, Type::Truth).map(When::AfterTurn),
                ast::When::Called => Some(When::Called),
            };
            let body = self.block(&ending.body, &Grounds::default(), Place::Ending);
            if !decides(file, &ending.body, MAX_CALLS) {
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

/// Whether a block names a result, or begins a new round, whichever way it goes; a procedure may do it for it.
fn decides(file: &ast::File, block: &ast::Block, depth: usize) -> bool {
    block.statements.iter().any(|stmt| match &stmt.kind {
        ast::StmtKind::MostWins(_, what)
        | ast::StmtKind::MoverWins(what)
        | ast::StmtKind::MoverLoses(what)
        | ast::StmtKind::NobodyWins(what) => *what == ast::Decides::Game,
        ast::StmtKind::NewRound(_) => true,
        ast::StmtKind::If { then, otherwise: Some(otherwise), .. } => {
            decides(file, then, depth) && decides(file, otherwise, depth)
        }
        ast::StmtKind::Call(name, _) => {
            let called = file.procedures.iter().find(|procedure| procedure.name.node == name.node);
            depth > 0 && called.is_some_and(|called| decides(file, &called.body, depth - 1))
        }
        _ => false,
    })
}
