//! Readings: their alternatives, what these rest on, and the values they stand for.

use super::{declare::Builder, scope::Symbol};
use crate::{
    diagnostic::Problem,
    rules::{Alternative, AlternativeId, Basis, Id as _, Reading, ReadingId, RuleKind, Table, Type},
    span::Name,
    syntax::ast,
};

impl Builder<'_> {
    /// Declares a reading with its alternatives, their values still unknown.
    pub(super) fn declare_reading(&mut self, reading: &ast::Reading) -> ReadingId {
        let rule = self.rule(RuleKind::Reading, reading.name.span, &reading.grounds);
        let mut alternatives: Table<AlternativeId, Alternative> = Table::default();
        let mut default = None;
        for alternative in &reading.alternatives {
            if alternatives.iter().any(|other| other.name == alternative.name.node) {
                let problem = Problem::Duplicate { what: "alternative", name: alternative.name.node.clone() };
                self.report(problem, alternative.name.span);
            }
            let basis = self.basis(&alternative.basis);
            let id = alternatives.push(Alternative {
                name: alternative.name.node.clone(),
                text: alternative.text.clone(),
                value: None,
                basis,
                span: alternative.name.span,
            });
            if let Some(span) = alternative.default
                && default.replace(id).is_some()
            {
                self.report(Problem::TwoDefaults { reading: reading.name.node.clone() }, span);
            }
        }
        if alternatives.len() < 2 {
            self.report(Problem::OneAlternative { reading: reading.name.node.clone() }, reading.name.span);
        }
        if default.is_none() {
            self.report(Problem::NoDefault { reading: reading.name.node.clone() }, reading.name.span);
        }
        self.game.readings.push(Reading {
            name: reading.name.node.clone(),
            question: reading.question.clone(),
            alternatives,
            default: default.unwrap_or_else(|| AlternativeId::new(0)),
            only_when: None,
            rule,
            span: reading.name.span,
        })
    }

    fn basis(&mut self, basis: &ast::Basis) -> Basis {
        match basis {
            ast::Basis::Silent => Basis::Silent,
            ast::Basis::Attested(cites) => Basis::Attested(self.cites(cites)),
            ast::Basis::Borrowed(cites, text) => Basis::Borrowed(self.cites(cites), text.clone()),
            ast::Basis::Departs(cites) => Basis::Departs(self.cites(cites)),
        }
    }

    /// Looks at what the alternatives stand for, and at what readings hang on.
    pub(super) fn readings(&mut self) {
        self.in_reading = true;
        let file = self.file;
        for (reading, id) in file.readings.iter().zip(self.game.readings.ids().collect::<Vec<_>>()) {
            self.values(reading, id);
            if let Some((other, value)) = &reading.only_when {
                self.game.readings.at_mut(id).only_when = self.condition(id, other, value);
            }
        }
        self.in_reading = false;
    }

    fn values(&mut self, reading: &ast::Reading, id: ReadingId) {
        let with = reading.alternatives.iter().filter(|alternative| alternative.value.is_some()).count();
        if with == 0 {
            return;
        }
        if with < reading.alternatives.len() {
            let missing = reading.alternatives.iter().find(|alternative| alternative.value.is_none());
            let problem = Problem::ValueMissing { reading: reading.name.node.clone() };
            self.report(problem, missing.map_or(reading.name.span, |alternative| alternative.name.span));
            self.reading_types.insert(id, Type::Any);
            return;
        }
        let mut kind: Option<Type> = None;
        let alternatives = self.game.readings.at(id).alternatives.ids().collect::<Vec<_>>();
        for (alternative, slot) in reading.alternatives.iter().zip(alternatives) {
            let Some(value) = &alternative.value else { continue };
            let Some((expr, found)) = self.expr(value) else { continue };
            // A single pit serves as a set of one.
            let found = match found {
                Type::Site => Type::Sites,
                Type::Man => Type::Men,
                other => other,
            };
            if let Some(first) = kind
                && first != found
            {
                self.report(Problem::WrongType { wanted: first.words(), found: found.words() }, value.span);
            }
            kind.get_or_insert(found);
            self.game.readings.at_mut(id).alternatives.at_mut(slot).value = Some(expr);
        }
        if let Some(kind) = kind {
            self.reading_types.insert(id, kind);
        }
    }

    fn condition(&mut self, own: ReadingId, other: &Name, value: &Name) -> Option<(ReadingId, AlternativeId)> {
        let Some(Symbol::Reading(id)) = self.scope.symbol(&other.node).filter(|symbol| *symbol != Symbol::Reading(own))
        else {
            let names = self.scope.names_of(|symbol| matches!(symbol, Symbol::Reading(_)));
            let near = self.nearest(&other.node, names.into_iter());
            self.report(Problem::UnknownReading { name: other.node.clone(), near }, other.span);
            return None;
        };
        self.alternative(id, value).map(|alternative| (id, alternative))
    }

    /// The alternative of this name.
    pub(super) fn alternative(&mut self, id: ReadingId, value: &Name) -> Option<AlternativeId> {
        let reading = self.game.readings.at(id);
        if let Some((found, _)) = reading.alternatives.entries().find(|(_, alternative)| alternative.name == value.node)
        {
            return Some(found);
        }
        let near = self.nearest(&value.node, reading.alternatives.iter().map(|a| a.name.as_str()));
        let all = reading.alternatives.iter().map(|a| a.name.clone()).collect();
        let problem =
            Problem::UnknownAlternative { reading: reading.name.clone(), name: value.node.clone(), near, all };
        self.report(problem, value.span);
        None
    }
}
