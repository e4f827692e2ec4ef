//! The notation of positions and records: text to tokens, with places inside the text.

use pest::Parser as _;

use super::{
    errors::from_pest,
    grammar::{Grammar, Pair, Parts, Rule, named, span_of},
};
use crate::{
    diagnostic::{Diagnostic, Problem},
    span::{Name, Span, Spanned},
};

/// A position as written.
#[derive(Debug, Clone)]
pub(crate) struct Position {
    /// Rows of seeds as seen from South's seat, the farthest first.
    pub(crate) rows: Vec<Vec<Spanned<i64>>>,
    /// The men of each seat named.
    pub(crate) men: Vec<MenSide>,
    /// Stores, or men at home, in seat order.
    pub(crate) stores: Vec<Spanned<i64>>,
    /// The letter of the seat to play.
    pub(crate) to_play: Name,
    /// Counters that are not at their start.
    pub(crate) counters: Vec<Counter>,
}

/// The men of one seat.
#[derive(Debug, Clone)]
pub(crate) struct MenSide {
    pub(crate) seat: Name,
    pub(crate) men: Vec<MenPlace>,
}

/// Men of a seat who are alike.
#[derive(Debug, Clone)]
pub(crate) struct MenPlace {
    /// A square, `hand`, or `out`.
    pub(crate) place: Name,
    /// How often their track has been on the square before.
    pub(crate) again: usize,
    pub(crate) state: Option<Name>,
    pub(crate) count: i64,
}

/// A counter and its values, for one seat or for all.
#[derive(Debug, Clone)]
pub(crate) struct Counter {
    pub(crate) seat: Option<Name>,
    pub(crate) name: Name,
    /// Several for the pool.
    pub(crate) numbers: Vec<i64>,
    /// Places with a mark, or the letter of a seat.
    pub(crate) names: Vec<Name>,
}

/// A word of a record.
#[derive(Debug, Clone)]
pub(crate) enum Token {
    /// One throw: what it counts.
    Throw(Spanned<i64>),
    /// A move.
    Move(MoveToken),
}

impl Token {
    /// Where it stands.
    pub(crate) fn span(&self) -> Span {
        match self {
            Self::Throw(count) => count.span,
            Self::Move(written) => written.span,
        }
    }
}

/// A move as written.
#[derive(Debug, Clone)]
pub(crate) struct MoveToken {
    pub(crate) span: Span,
    /// Places and counts, as written.
    pub(crate) parts: Vec<String>,
    /// What the move is said to have taken.
    pub(crate) taken: Option<i64>,
}

/// Reads a position.
pub(crate) fn position(text: &str) -> Result<Position, Box<Diagnostic>> {
    let mut parts = parts(Rule::position, text).map_err(|mut error| {
        if let Problem::Unexpected { help: help @ None, .. } = &mut error.problem {
            *help = Some("rows or men, stores, who plays, and counters, with strokes between: `4 4 4 / 4 4 4 | 0 0 | S | quiet 3`".to_owned());
        }
        error
    })?;
    let mut position = Position {
        rows: vec![],
        men: vec![],
        stores: vec![],
        to_play: Spanned { node: String::new(), span: Span::default() },
        counters: vec![],
    };
    for part in &mut parts {
        match part.as_rule() {
            Rule::position_row => position.rows.push(Parts::of(part).map(|pair| value(&pair)).collect()),
            Rule::men_side => {
                let mut parts = Parts::of(part);
                let Some(seat) = parts.next().map(|pair| named(&pair)) else { continue };
                position.men.push(MenSide { seat, men: parts.filter_map(men_place).collect() });
            }
            Rule::whole => position.stores.push(value(&part)),
            Rule::seat_letter => position.to_play = named(&part),
            Rule::counter => position.counters.extend(counter(part)),
            _ => {}
        }
    }
    Ok(position)
}

/// Reads a record.
pub(crate) fn record(text: &str) -> Result<Vec<Token>, Box<Diagnostic>> {
    let parts = parts(Rule::record, text).map_err(|mut error| {
        expect_move(&mut error, "a move or a throw");
        error
    })?;
    Ok(parts.flat_map(tokens).collect())
}

/// Where a throw could stand a move could, which the parser does not list.
pub(super) fn expect_move(error: &mut Diagnostic, what: &str) {
    if let Problem::Unexpected { expected, .. } = &mut error.problem
        && expected.iter().any(|name| name == "a throw in brackets")
    {
        *expected = vec![what.to_owned()];
    }
}

/// The tokens of a part of a record: several where one pair of brackets holds several throws.
pub(super) fn tokens(part: Pair<'_>) -> Vec<Token> {
    match part.as_rule() {
        Rule::throw_token => Parts::of(part).map(|pair| Token::Throw(value(&pair))).collect(),
        Rule::move_token => {
            let span = span_of(&part);
            let mut parts = Parts::of(part);
            let places = parts.take_all(Rule::move_part).iter().map(|pair| pair.as_str().to_owned()).collect();
            let taken = parts.next().map(|pair| value(&pair).node);
            vec![Token::Move(MoveToken { span, parts: places, taken })]
        }
        _ => vec![],
    }
}

pub(super) fn parts(rule: Rule, text: &str) -> Result<Parts<'_>, Box<Diagnostic>> {
    match Grammar::parse(rule, text) {
        Ok(mut pairs) => pairs.next().map(Parts::of).ok_or_else(|| unreadable(text)),
        Err(error) => Err(Box::new(from_pest(text, 0, &error))),
    }
}

fn unreadable(text: &str) -> Box<Diagnostic> {
    let problem = Problem::Unexpected { found: format!("`{text}`"), expected: vec![], help: None };
    Box::new(Diagnostic::new(problem, Span::new(0, text.len())))
}

/// A whole number; what is too large becomes a value every check refuses.
fn value(pair: &Pair<'_>) -> Spanned<i64> {
    Spanned { node: signed(pair), span: span_of(pair) }
}

/// A whole number with its sign; what is too large becomes a value every check refuses.
fn signed(pair: &Pair<'_>) -> i64 {
    pair.as_str().trim_end().parse().unwrap_or(i64::MAX)
}

fn men_place(pair: Pair<'_>) -> Option<MenPlace> {
    let mut parts = Parts::of(pair);
    Some(MenPlace {
        place: named(&parts.next()?),
        again: parts.maybe(Rule::again_here).map_or(0, |pair| pair.as_str().trim_end().len()),
        state: parts.maybe(Rule::name).map(|pair| named(&pair)),
        count: parts.next().map_or(1, |pair| value(&pair).node),
    })
}

fn counter(pair: Pair<'_>) -> Option<Counter> {
    let mut parts = Parts::of(pair);
    let seat = parts.maybe(Rule::seat_letter).map(|pair| named(&pair));
    let name = named(&parts.next()?);
    let (numbers, names): (Vec<_>, Vec<_>) = parts.partition(|pair| pair.as_rule() == Rule::signed);
    Some(Counter {
        seat,
        name,
        numbers: numbers.iter().map(signed).collect(),
        names: names.iter().map(named).collect(),
    })
}
