//! From pest's account of a failure to one an author can act on.

use pest::{
    Parser as _,
    error::{Error, ErrorVariant, InputLocation},
};

use super::grammar::{Grammar, Pair, Rule, human_name, keyword, span_of};
use crate::{
    diagnostic::{Diagnostic, Problem, nearest},
    span::Span,
};

/// More alternatives than this are not listed one by one.
const LISTED: usize = 6;

/// Why a stretch could not be read by the rule that should have read it.
pub(super) fn explain(text: &str, rule: Rule, bad: &Pair<'_>) -> Diagnostic {
    let span = span_of(bad);
    let rest = text.get(span.start as usize..).unwrap_or_default();
    let rule = if rule == Rule::item { item_rule(rest).unwrap_or(rule) } else { rule };
    if rule == Rule::item {
        let found = first_token(rest);
        let near = nearest(found, ITEMS.iter().map(|(word, _)| *word));
        return unexpected(found, vec!["a part of a file".into()], near, here(span.start as usize, found));
    }
    match Grammar::parse(rule, rest) {
        Err(error) => from_pest(text, span.start as usize, &error),
        // The rule reads it now, so it was the words before it that were complete too early.
        Ok(_) => unexpected(first_token(rest), vec![], None, here(span.start as usize, first_token(rest))),
    }
}

/// The words with which the parts of a file start.
const ITEMS: [(&str, Rule); 16] = [
    ("game", Rule::game),
    ("source", Rule::source),
    ("reading", Rule::reading),
    ("option", Rule::option),
    ("seats", Rule::seats),
    ("board", Rule::board),
    ("track", Rule::track),
    ("men", Rule::men),
    ("throw", Rule::throw_table),
    ("variable", Rule::variable),
    ("define", Rule::define),
    ("to", Rule::procedure),
    ("turn", Rule::turn),
    ("ending", Rule::ending),
    ("limit", Rule::limit),
    ("example", Rule::example),
];

fn item_rule(rest: &str) -> Option<Rule> {
    let word = first_token(rest);
    ITEMS.iter().find(|(name, _)| *name == word).map(|(_, rule)| *rule)
}

/// The account of an error pest gives for a text that begins at `offset` of the whole.
pub(super) fn from_pest(text: &str, offset: usize, error: &Error<Rule>) -> Diagnostic {
    let (InputLocation::Pos(at) | InputLocation::Span((at, _))) = error.location;
    let at = offset + at;
    let rest = text.get(at..).unwrap_or_default();
    let at = at + (rest.len() - rest.trim_start().len());
    let found = first_token(rest);
    let ErrorVariant::ParsingError { positives, .. } = &error.variant else {
        return unexpected(found, vec![], None, here(at, found));
    };
    let statement =
        positives.contains(&Rule::good_statement) || positives.iter().filter(|r| keyword(**r).is_some()).count() > 20;
    let words: Vec<String> = positives.iter().filter_map(|rule| keyword(*rule)).collect();
    let mut expected: Vec<String> = if statement {
        vec!["a statement".into()]
    } else {
        let mut names: Vec<String> = positives.iter().filter_map(|rule| human_name(*rule)).collect();
        names.sort();
        names.dedup();
        names
    };
    let known = STATEMENTS.contains(&found) || ITEMS.iter().any(|(word, _)| *word == found);
    let mut near = if known { None } else { nearest(found, words.iter().map(String::as_str)) };
    if near.is_none() && expected.iter().any(|name| name.contains("`=`")) {
        // A line that starts with an unknown word is read as an assignment: look at that word instead.
        let start = text.get(offset..).map(first_token).unwrap_or_default();
        near = nearest(start, STATEMENTS.iter().copied());
        if near.is_some() {
            return unexpected(start, vec!["a statement".into()], near, here(offset, start));
        }
    }
    if expected.len() > LISTED {
        expected.truncate(LISTED);
        expected.push("...".into());
    }
    unexpected(found, expected, near, here(at, found))
}

/// The words with which statements start.
const STATEMENTS: [&str; 26] = [
    "choose", "if", "while", "for", "each", "lift", "sow", "capture", "keep", "throw", "move", "send", "add", "spend",
    "clear", "go", "pass", "refuse", "require", "end", "take", "most", "mover", "nobody", "let", "else",
];

fn unexpected(found: &str, expected: Vec<String>, near: Option<String>, span: Span) -> Diagnostic {
    let found = if found.is_empty() { "the end of the text".to_owned() } else { format!("`{found}`") };
    Diagnostic::new(Problem::Unexpected { found, expected, near }, span)
}

fn here(at: usize, found: &str) -> Span {
    Span::new(at, at + found.len().max(1))
}

/// The word or sign with which a text goes on.
fn first_token(rest: &str) -> &str {
    let rest = rest.trim_start();
    let word = rest.find(|c: char| !(c.is_alphanumeric() || c == '-' || c == '_')).unwrap_or(rest.len());
    let end = if word > 0 { word } else { rest.chars().next().map_or(0, char::len_utf8) };
    rest.get(..end).unwrap_or_default()
}
