//! What is wrong as text with an excerpt of the file.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use super::{Diagnostic, Severity, Words};
use crate::{source::RuleFile, span::Span};

/// Draws one diagnostic, with colours or without.
#[must_use]
pub fn render(source: &RuleFile, diagnostic: &Diagnostic, colours: bool) -> String {
    let remarks: Vec<String> = diagnostic.under.iter().map(|under| format!("this shows with {under}")).collect();
    Excerpt {
        name: source.name(),
        text: source.text(),
        span: diagnostic.span,
        note: diagnostic.note,
        remarks: &remarks,
    }
    .draw(&diagnostic.words(), colours)
}

/// A stretch of a text about which something is to be said.
pub(crate) struct Excerpt<'a> {
    /// The name of the file.
    pub(crate) name: &'a str,
    /// Its whole text.
    pub(crate) text: &'a str,
    /// The stretch.
    pub(crate) span: Span,
    /// Another stretch that helps to understand it, with a few words.
    pub(crate) note: Option<(Span, &'static str)>,
    /// What is to be known besides.
    pub(crate) remarks: &'a [String],
}

impl Excerpt<'_> {
    /// Draws it with what is said about it.
    pub(crate) fn draw(&self, words: &Words, colours: bool) -> String {
        let level = match words.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Note => Level::NOTE,
        };
        let mut snippet = Snippet::source(self.text)
            .path(self.name)
            .annotation(AnnotationKind::Primary.span(self.cut(self.span)).label(words.label.as_str()));
        if let Some((span, note)) = self.note {
            snippet = snippet.annotation(AnnotationKind::Context.span(self.cut(span)).label(note));
        }
        let mut group: Group<'_> = level.primary_title(words.message.as_str()).id(words.code).element(snippet);
        for remark in self.remarks {
            group = group.element(Level::NOTE.message(remark.as_str()));
        }
        if let Some(help) = &words.help {
            group = group.element(Level::HELP.message(help.as_str()));
        }
        let renderer = if colours { Renderer::styled() } else { Renderer::plain() };
        renderer.render(&[group])
    }

    /// A stretch cut at characters, whatever a place says.
    fn cut(&self, span: Span) -> std::ops::Range<usize> {
        let end = (span.end as usize).min(self.text.len());
        let mut start = (span.start as usize).min(end);
        while !self.text.is_char_boundary(start) {
            start -= 1;
        }
        let mut end = end.max(start);
        while !self.text.is_char_boundary(end) {
            end += 1;
        }
        start..end
    }
}
