//! Examples: their names and their notation. Whether they hold is for `test` to say.

use super::{declare::Builder, scope::Symbol};
use crate::{
    diagnostic::{Diagnostic, Problem},
    rules::{Example, ExampleStep},
    span::{Span, Spanned},
    syntax::{
        self,
        ast::{ExampleLineKind as Line, Ground},
    },
};

impl Builder<'_> {
    pub(super) fn examples(&mut self) {
        let file = self.file;
        for example in &file.examples {
            let claims = example.grounds.iter().filter_map(|ground| match ground {
                Ground::Cite(cite) => Some(cite.clone()),
                Ground::Assumed(_) => None,
            });
            let claims = self.cites(&claims.collect::<Vec<_>>());
            let mut built = Example {
                title: example.title.node.clone(),
                claims,
                readings: vec![],
                options: vec![],
                steps: vec![],
                span: example.title.span,
            };
            for line in &example.lines {
                self.example_line(&line.kind, line.span, &mut built);
            }
            let expects = built.steps.iter().any(|(step, _)| match step {
                ExampleStep::Position(_) => false,
                // What a move is said to take is looked at.
                ExampleStep::Play(record) => record.contains('+'),
                _ => true,
            });
            if !expects {
                self.report(Problem::ExampleExpectsNothing, example.title.span);
            }
            self.game.examples.push(built);
        }
    }

    fn example_line(&mut self, line: &Line, span: Span, example: &mut Example) {
        let step = match line {
            Line::Reading(name, value) => {
                match self.scope.symbol(&name.node) {
                    Some(Symbol::Reading(id)) => {
                        if let Some(alternative) = self.alternative(id, value) {
                            example.readings.push((id, alternative));
                        }
                    }
                    _ => {
                        let names = self.scope.names_of(|symbol| matches!(symbol, Symbol::Reading(_)));
                        let near = self.nearest(&name.node, names.into_iter());
                        self.report(Problem::UnknownReading { name: name.node.clone(), near }, name.span);
                    }
                }
                return;
            }
            Line::Option(name, value) => {
                match self.scope.symbol(&name.node) {
                    Some(Symbol::Option(id)) => {
                        let option = self.game.options.at(id);
                        let factor = option.scale.checked_sub(value.node.scale).and_then(|n| 10i64.checked_pow(n));
                        let value_scaled = i64::try_from(value.node.digits).ok().and_then(|n| n.checked_mul(factor?));
                        match value_scaled.filter(|n| (option.low..=option.high).contains(n)) {
                            Some(n) => example.options.push((id, n)),
                            None => {
                                let (low, high) = (option.format(option.low), option.format(option.high));
                                let option = name.node.clone();
                                self.report(Problem::OptionOutOfRange { option, low, high }, value.span);
                            }
                        }
                    }
                    _ => {
                        let names = self.scope.names_of(|symbol| matches!(symbol, Symbol::Option(_)));
                        let near = self.nearest(&name.node, names.into_iter());
                        self.report(Problem::UnknownOption { name: name.node.clone(), near }, name.span);
                    }
                }
                return;
            }
            Line::Position(text) => ExampleStep::Position(self.position(text)),
            Line::ExpectPosition(text) => ExampleStep::ExpectPosition(self.position(text)),
            Line::Play(text) => ExampleStep::Play(self.record(text)),
            Line::ExpectChoices(text) => ExampleStep::ExpectChoices(self.record(text)),
            Line::ExpectRefused(text) => ExampleStep::ExpectRefused(self.record(text)),
            Line::ExpectCaptured(numbers) => ExampleStep::ExpectCaptured(
                numbers.iter().map(|n| i64::try_from(n.node.digits).unwrap_or(i64::MAX)).collect(),
            ),
            Line::ExpectWinner(name) => {
                const SEATS: [&str; 4] = ["South", "East", "North", "West"];
                if !SEATS.contains(&name.node.as_str()) {
                    let near = self.nearest(&name.node, SEATS.into_iter());
                    self.report(Problem::UnknownSeat { name: name.node.clone(), near }, name.span);
                }
                ExampleStep::ExpectWinner(name.node.clone())
            }
            Line::ExpectDraw => ExampleStep::ExpectDraw,
            Line::ExpectOpen => ExampleStep::ExpectOpen,
            Line::ExpectEnding(name) => match self.scope.endings.get(&name.node) {
                Some(id) => ExampleStep::ExpectEnding(*id),
                None => {
                    let near = self.nearest(&name.node, self.scope.endings.keys().map(String::as_str));
                    self.report(Problem::UnknownEnding { name: name.node.clone(), near }, name.span);
                    return;
                }
            },
        };
        example.steps.push((step, span));
    }

    fn position(&mut self, text: &Spanned<String>) -> String {
        if let Err(error) = syntax::position(&text.node) {
            self.notation(*error, text.span);
        }
        text.node.clone()
    }

    fn record(&mut self, text: &Spanned<String>) -> String {
        if let Err(error) = syntax::record(&text.node) {
            self.notation(*error, text.span);
        }
        text.node.clone()
    }

    /// An error inside a quoted text, shown at its place in the file.
    fn notation(&mut self, error: Diagnostic, text: Span) {
        let inside = error.span.shifted(text.start as usize + 1);
        let span =
            if inside.end < text.end { inside } else { Span { start: text.end.saturating_sub(1), end: text.end } };
        self.report(error.problem, span);
    }
}
