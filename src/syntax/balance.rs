//! Braces, parentheses and quotes, looked at before the parser proper: it may then rely on them,
//! and no text can nest deeper than its stack.

use crate::{
    diagnostic::{Diagnostic, Problem},
    span::Span,
};

/// How deep brackets may nest. Rules that people write stay under ten.
const MAX_DEPTH: usize = 32;

/// The first thing that is out of balance.
pub(super) fn check(text: &str) -> Option<Diagnostic> {
    let mut open: Vec<(usize, char)> = vec![];
    let mut long_text: Option<Span> = None;
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        let here = Span::new(at, at + c.len_utf8());
        match c {
            '#' => {
                let _ = chars.by_ref().find(|&(_, c)| c == '\n');
            }
            '"' => {
                let Some((end, _)) = chars.by_ref().find(|&(_, c)| c == '"') else {
                    let found = Diagnostic::new(Problem::UnclosedText, here);
                    return Some(match long_text {
                        Some(start) => found.with_note(start, "or is this text, which runs over lines, not closed?"),
                        None => found,
                    });
                };
                if text.get(at..end).is_some_and(|inside| inside.contains('\n')) {
                    long_text.get_or_insert(here);
                }
            }
            '{' | '(' | '[' => {
                open.push((at, c));
                if open.len() > MAX_DEPTH {
                    return Some(Diagnostic::new(Problem::TooDeep { limit: MAX_DEPTH }, here));
                }
            }
            '}' | ')' | ']' => match open.pop() {
                None => return Some(Diagnostic::new(Problem::StrayBracket { found: c }, here)),
                Some((start, opener)) if closer(opener) != c => {
                    // Either the inner one is never closed, or this one was never opened.
                    if !open.iter().any(|(_, other)| closer(*other) == c) {
                        return Some(Diagnostic::new(Problem::StrayBracket { found: c }, here));
                    }
                    let problem = Problem::UnclosedBracket { expected: closer(opener) };
                    let opened = Span::new(start, start + 1);
                    return Some(Diagnostic::new(problem, opened).with_note(here, "this closes an outer one"));
                }
                Some(_) => {}
            },
            _ => {}
        }
    }
    let (start, opener) = open.pop()?;
    let opened = Span::new(start, start + 1);
    Some(Diagnostic::new(Problem::UnclosedBracket { expected: closer(opener) }, opened))
}

fn closer(opener: char) -> char {
    match opener {
        '{' => '}',
        '(' => ')',
        _ => ']',
    }
}
