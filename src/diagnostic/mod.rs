//! What is wrong with a rule file: a kind, a place, and the words for it. Data only; drawing is `render`'s.

mod problem;
mod render;
mod suggest;

pub(crate) use self::{problem::Problem, render::Excerpt, suggest::nearest};
pub use self::{
    problem::{Severity, Words},
    render::render,
};
use crate::span::Span;

/// Something the checker has to say about a place in a file.
#[derive(Debug, Clone)]
pub struct Diagnostic {
    pub(crate) problem: Problem,
    /// The place.
    pub span: Span,
    /// Another place that helps to understand it, with a few words.
    pub note: Option<(Span, &'static str)>,
    /// The readings and options under which it shows, where not the defaults.
    pub under: Option<String>,
}

impl Diagnostic {
    pub(crate) fn new(problem: Problem, span: Span) -> Self {
        Self { problem, span, note: None, under: None }
    }

    pub(crate) fn with_note(mut self, span: Span, words: &'static str) -> Self {
        self.note = Some((span, words));
        self
    }

    /// Code, severity, message, label and help.
    #[must_use]
    pub fn words(&self) -> Words {
        self.problem.words()
    }
}
