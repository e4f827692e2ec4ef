//! The sentences of a text.

use crate::span::Span;

/// What ends a sentence before white space.
const ENDS: [char; 8] = ['.', '!', '?', ';', '؟', '؛', '।', '۔'];
/// What ends a sentence wherever it stands.
const WIDE_ENDS: [char; 4] = ['。', '！', '？', '；'];
/// What still belongs to a sentence behind its end.
const CLOSERS: [char; 11] = [')', ']', '}', '"', '\'', '”', '’', '»', '›', '」', '』'];
/// Words that a full stop shortens.
const SHORTENED: [&str; 14] =
    ["p", "pp", "cf", "fig", "figs", "vol", "ca", "vs", "ed", "st", "mr", "mrs", "dr", "prof"];

/// The sentences of a text, without the white space around them: each up to `. ! ? ;` before white space, or to the end
/// of its paragraph. A full stop behind a single capital, a short form, or the number of a list's line ends none.
pub(super) fn sentences(text: &str) -> Vec<Span> {
    let mut found = vec![];
    let (mut start, mut at) = (0, 0);
    let mut cut = |start: usize, end: usize| {
        let whole = text.get(start..end).unwrap_or_default();
        let inner = whole.trim();
        if !inner.is_empty() {
            let from = start + (whole.len() - whole.trim_start().len());
            found.push(Span::new(from, from + inner.len()));
        }
    };
    while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
        let next = at + c.len_utf8();
        let rest = text.get(next..).unwrap_or_default();
        if c == '\n' && blank_line(rest) {
            cut(start, at);
            start = next;
        } else if ENDS.contains(&c) || WIDE_ENDS.contains(&c) {
            let more = |c: char| ENDS.contains(&c) || CLOSERS.contains(&c) || WIDE_ENDS.contains(&c);
            let behind = rest.trim_start_matches(more);
            let end = text.len() - behind.len();
            let free = WIDE_ENDS.contains(&c) || behind.chars().next().is_none_or(char::is_whitespace);
            if free && !(c == '.' && is_short(text.get(start..at).unwrap_or_default())) {
                cut(start, end);
                start = end;
            }
            at = end;
            continue;
        }
        at = next;
    }
    cut(start, text.len());
    found
}

/// Whether nothing but white space stands before the next line end.
fn blank_line(rest: &str) -> bool {
    rest.chars().find(|c| *c == '\n' || !c.is_whitespace()) == Some('\n')
}

/// Whether a full stop behind this shortens a word or follows a number at the start of a line.
fn is_short(before: &str) -> bool {
    // The last word is short, or it decides nothing.
    let word_start = before.char_indices().rev().take_while(|(_, c)| c.is_alphanumeric()).last().map(|(at, _)| at);
    let Some(word_start) = word_start else { return false };
    let (lead, word) = before.split_at(word_start);
    let mut letters = word.chars();
    let single = letters.next().filter(|_| letters.next().is_none());
    let number = word.chars().all(|c| c.is_ascii_digit());
    let line_begins = lead.trim_end_matches([' ', '\t']).chars().next_back().is_none_or(|c| c == '\n');
    single.is_some_and(|letter| letter.is_uppercase() || (letter.is_alphabetic() && lead.ends_with('.')))
        || (number && line_begins)
        || SHORTENED.contains(&word.to_lowercase().as_str())
}
