//! Diagnostics as text with excerpts of the file.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use super::{Diagnostic, Severity};
use crate::source::RuleFile;

/// Draws one diagnostic, with colours or without.
#[must_use]
pub fn render(source: &RuleFile, diagnostic: &Diagnostic, colours: bool) -> String {
    let words = diagnostic.words();
    let level = match words.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let text = source.text();
    let clamp = |span: crate::span::Span| {
        let end = (span.end as usize).min(text.len());
        let mut start = (span.start as usize).min(end);
        // An excerpt is cut at characters, whatever a place says.
        while !text.is_char_boundary(start) {
            start -= 1;
        }
        let mut end = end.max(start);
        while !text.is_char_boundary(end) {
            end += 1;
        }
        start..end
    };
    let mut snippet = Snippet::source(text)
        .path(source.name())
        .annotation(AnnotationKind::Primary.span(clamp(diagnostic.span)).label(words.label.as_str()));
    if let Some((span, note)) = diagnostic.note {
        snippet = snippet.annotation(AnnotationKind::Context.span(clamp(span)).label(note));
    }
    let mut group: Group<'_> = level.primary_title(words.message.as_str()).id(words.code).element(snippet);
    if let Some(under) = &diagnostic.under {
        group = group.element(Level::NOTE.message(format!("this shows with {under}")));
    }
    if let Some(help) = &words.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    let renderer = if colours { Renderer::styled() } else { Renderer::plain() };
    renderer.render(&[group])
}
