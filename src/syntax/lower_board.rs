//! From pest's pairs to the tree: the board, what stands on it, and what is thrown.

use super::{
    ast::*,
    grammar::{Pair, Parts, Rule, named, span_of},
    lower::{Bad, grounds, grounds_of, number, text},
    lower_expr::expr,
};
use crate::span::{Name, Span};

pub(super) fn board_line(pair: Pair<'_>) -> Option<BoardLine> {
    let span = span_of(&pair);
    let rule = pair.as_rule();
    let mut parts = Parts::of(pair);
    let first = parts.next()?;
    let kind = match rule {
        Rule::rows => BoardLineKind::Rows { rows: expr(first)?, pits: expr(parts.next()?)? },
        Rule::grid => BoardLineKind::Grid {
            files: expr(first)?,
            ranks: expr(parts.next()?)?,
            without: parts.maybe(Rule::without).and_then(|pair| place_list(Parts::of(pair).next()?)),
        },
        Rule::cross => BoardLineKind::Cross { wide: expr(first)?, long: expr(parts.next()?)? },
        Rule::start => BoardLineKind::Start {
            seeds: expr(first)?,
            places: match parts.maybe(Rule::each_pit) {
                Some(_) => None,
                None => Some(place_list(parts.next()?)?),
            },
        },
        Rule::circuit => BoardLineKind::Circuit {
            clockwise: first.as_rule() == Rule::clockwise,
            through: match (parts.maybe(Rule::own_store), parts.maybe(Rule::all_stores)) {
                (Some(_), _) => Some(Through::Own),
                (_, Some(_)) => Some(Through::All),
                _ => None,
            },
        },
        Rule::mark_decl => BoardLineKind::Mark { name: named(&first), skipped: parts.maybe(Rule::skipped).is_some() },
        _ => BoardLineKind::Places { name: named(&first), places: place_list(parts.next()?)? },
    };
    Some(BoardLine { span, kind, grounds: grounds(&mut parts), inherited: false })
}

fn place_list(pair: Pair<'_>) -> Option<PlaceList> {
    let mut parts = Parts::of(pair);
    let span = |pair: Pair<'_>| {
        let mut parts = Parts::of(pair);
        let first = named(&parts.next()?);
        parts.maybe(Rule::line);
        Some((first, parts.next().map(|pair| named(&pair))))
    };
    let spans = parts.take_all(Rule::place_span).into_iter().map(span).collect::<Option<_>>()?;
    Some(PlaceList { spans, symmetry: parts.next().map(symmetry) })
}

fn symmetry(pair: Pair<'_>) -> Symmetry {
    if Parts::of(pair).maybe(Rule::mirrored).is_some() { Symmetry::Mirrored } else { Symmetry::Turned }
}

pub(super) fn track(span: Span, mut parts: Parts<'_>) -> Option<Track> {
    let step = |pair: Pair<'_>| {
        let mut parts = Parts::of(pair);
        let line = parts.maybe(Rule::line).is_some();
        Some(Step { line, square: named(&parts.next()?) })
    };
    Some(Track {
        span,
        name: named(&parts.next()?),
        hand: parts.maybe(Rule::hand_step).is_some(),
        steps: parts.take_all(Rule::step).into_iter().map(step).collect::<Option<_>>()?,
        home: parts.maybe(Rule::home_step).map(|pair| match Parts::of(pair).next() {
            Some(square) => Home::Square(named(&square)),
            None => Home::BesideTheBoard,
        }),
        then: parts.maybe(Rule::then).map_or(Some(vec![]), |pair| Parts::of(pair).map(one_or_two_names).collect())?,
        symmetry: match parts.maybe(Rule::same_way) {
            Some(_) => Symmetry::Same,
            None => symmetry(parts.next()?),
        },
        grounds: grounds(&mut parts),
    })
}

fn one_or_two_names(pair: Pair<'_>) -> Option<(Name, Option<Name>)> {
    let mut parts = Parts::of(pair);
    Some((named(&parts.next()?), parts.next().map(|pair| named(&pair))))
}

pub(super) fn men(span: Span, mut parts: Parts<'_>) -> Option<Men> {
    Some(Men {
        span,
        count: expr(parts.next()?)?,
        states: parts.maybe(Rule::states).map_or(vec![], |pair| Parts::of(pair).map(|name| named(&name)).collect()),
        start: {
            let start = parts.next()?;
            match start.as_rule() {
                Rule::at_start => MenStart::AtStart,
                Rule::in_hand => MenStart::InHand,
                _ => MenStart::OneEach(place_list(Parts::of(start).next()?)?),
            }
        },
        grounds: grounds(&mut parts),
    })
}

pub(super) fn throw_table<'a>(mut parts: Parts<'a>, bad: &mut Vec<Bad<'a>>) -> Option<ThrowTable> {
    let name = named(&parts.next()?);
    let kind = parts.next()?;
    let kind = if kind.as_rule() == Rule::faces {
        ThrowKind::Faces(Parts::of(kind).map(expr).collect::<Option<_>>()?)
    } else {
        let mut inner = Parts::of(kind);
        ThrowKind::Pieces { pieces: expr(inner.next()?)?, chance: expr(inner.next()?)? }
    };
    let mut table = ThrowTable { name, kind, grounds: grounds(&mut parts), lines: vec![] };
    for line in parts {
        if line.as_rule() == Rule::grounds {
            table.grounds.extend(grounds_of(line));
            continue;
        }
        if line.as_rule() == Rule::bad_line {
            bad.push((Rule::good_throw_line, line));
            continue;
        }
        let span = span_of(&line);
        let mut parts = Parts::of(line);
        table.lines.push(CountLine {
            span,
            up: number(&parts.next()?),
            count: number(&parts.next()?),
            name: parts.maybe(Rule::text).map(|pair| text(&pair).node),
            grounds: grounds(&mut parts),
        });
    }
    Some(table)
}
