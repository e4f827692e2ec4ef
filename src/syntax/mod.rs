//! Text to tree. The only stage that knows pest; total: it gives a tree and all errors it found.

pub(crate) mod ast;
mod balance;
mod errors;
mod grammar;
mod lower;
mod lower_board;
mod lower_expr;
mod lower_stmt;
mod notation;
mod record_file;

use pest::{Parser as _, iterators::Pairs};

use self::grammar::{Grammar, Rule};
pub(crate) use self::{
    notation::{Counter, MenPlace, MoveToken, Position, Token, position, record},
    record_file::{Item, PlayedGame, record_file},
};
use crate::diagnostic::{Diagnostic, Problem};

/// The most syntax errors that are explained.
const MAX_ERRORS: usize = 100;

/// Reads a rule file. The tree holds every part that could be read.
pub(crate) fn parse(text: &str) -> (ast::File, Vec<Diagnostic>) {
    if let Some(problem) = balance::check(text) {
        return (ast::File::default(), vec![problem]);
    }
    let mut pairs = match Grammar::parse(Rule::file, text) {
        Ok(pairs) => pairs,
        Err(error) => return (ast::File::default(), vec![errors::from_pest(text, 0, &error)]),
    };
    if let Some(problem) = too_long(&pairs) {
        return (ast::File::default(), vec![problem]);
    }
    if let Some(problem) = too_deep(&pairs) {
        return (ast::File::default(), vec![problem]);
    }
    let mut bad = vec![];
    let file = pairs.next().map(|pair| lower::file(pair, &mut bad)).unwrap_or_default();
    let errors = bad.into_iter().take(MAX_ERRORS).map(|(rule, pair)| errors::explain(text, rule, &pair)).collect();
    (file, errors)
}

/// How many operands or branches may stand in one chain: trees are walked by recursion.
const MAX_CHAIN: usize = 65;

/// How deep `some ... has some ... has` may nest: it does so without any bracket.
const MAX_QUANTIFIERS: usize = 32;

fn too_deep(pairs: &Pairs<'_, Rule>) -> Option<Diagnostic> {
    let mut ends: Vec<usize> = vec![];
    for pair in pairs.clone().flatten().filter(|pair| matches!(pair.as_rule(), Rule::quantifier | Rule::those)) {
        let span = pair.as_span();
        ends.retain(|end| *end > span.start());
        ends.push(span.end());
        if ends.len() > MAX_QUANTIFIERS {
            let here = grammar::span_of(&pair);
            return Some(Diagnostic::new(Problem::TooDeep { limit: MAX_QUANTIFIERS }, here));
        }
    }
    None
}

fn too_long(pairs: &Pairs<'_, Rule>) -> Option<Diagnostic> {
    let chains = [Rule::expr, Rule::both, Rule::comparison, Rule::sum, Rule::product, Rule::if_else];
    let long = pairs
        .clone()
        .flatten()
        .find(|pair| chains.contains(&pair.as_rule()) && pair.clone().into_inner().len() > MAX_CHAIN)?;
    Some(Diagnostic::new(Problem::ChainTooLong { limit: MAX_CHAIN / 2 }, grammar::span_of(&long)))
}
