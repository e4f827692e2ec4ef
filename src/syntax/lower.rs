//! From pest's pairs to the tree: the file and its parts.

use super::{
    ast::*,
    grammar::{Pair, Parts, Rule, head_of, named, span_of},
    lower_board::{board_line, men, throw_table, track},
    lower_expr::expr,
    lower_stmt::block,
};
use crate::span::{Name, Spanned};

/// A stretch that could not be read, and the rule that should have read it.
pub(super) type Bad<'a> = (Rule, Pair<'a>);

/// Lowers a whole file; `bad` receives what could not be read.
pub(super) fn file<'a>(pair: Pair<'a>, bad: &mut Vec<Bad<'a>>) -> File {
    let mut file = File::default();
    for part in Parts::of(pair) {
        // A part that does not have the shape its rule promises is left out; the grammar's own
        // tests would show it.
        let _ = item(&mut file, part, bad);
    }
    file
}

fn item<'a>(file: &mut File, pair: Pair<'a>, bad: &mut Vec<Bad<'a>>) -> Option<()> {
    let span = head_of(&pair);
    let rule = pair.as_rule();
    if matches!(rule, Rule::bad_item) {
        bad.push((Rule::item, pair));
        return None;
    }
    let mut parts = Parts::of(pair);
    match rule {
        Rule::game => {
            let title = text(&parts.next()?);
            let mut head = Head { title, also: vec![], played: vec![] };
            for field in parts {
                let list = if field.as_rule() == Rule::also { &mut head.also } else { &mut head.played };
                list.extend(Parts::of(field).map(|part| text(&part).node));
            }
            file.game = Some(head);
        }
        Rule::source => file.sources.push(source(parts, bad)?),
        Rule::reading => file.readings.push(reading(parts, bad)?),
        Rule::option => file.options.push(OptionDecl {
            name: named(&parts.next()?),
            text: text(&parts.next()?).node,
            default: number(&parts.next()?),
            low: number(&parts.next()?),
            high: number(&parts.next()?),
            grounds: grounds(&mut parts),
        }),
        Rule::seats => file.seats.push(Seats {
            span,
            count: expr(parts.next()?)?,
            partners: parts.maybe(Rule::partners).is_some(),
            grounds: grounds(&mut parts),
        }),
        Rule::board => {
            let mut lines: Vec<BoardLine> = vec![];
            // What stands behind either brace holds for the lines that have no grounds of their own.
            let mut own = vec![];
            for line in parts {
                match line.as_rule() {
                    Rule::bad_line => bad.push((Rule::good_board_line, line)),
                    Rule::grounds => own.extend(grounds_of(line)),
                    _ => lines.push(board_line(line)?),
                }
            }
            for line in lines.iter_mut().filter(|line| line.grounds.is_empty()) {
                line.grounds.clone_from(&own);
                line.inherited = true;
            }
            file.boards.push(Board { span, lines });
        }
        Rule::track => file.tracks.push(track(span, parts)?),
        Rule::men => file.men.push(men(span, parts)?),
        Rule::throw_table => file.throws.push(throw_table(parts, bad)?),
        Rule::variable => file.variables.push(Variable {
            name: named(&parts.next()?),
            start: expr(parts.next()?)?,
            lifetime: match parts.next()?.as_rule() {
                Rule::each_turn => Lifetime::Turn,
                Rule::each_player => Lifetime::Player,
                _ => Lifetime::Game,
            },
            grounds: grounds(&mut parts),
        }),
        Rule::define => file.defines.push(Define {
            name: named(&parts.next()?),
            params: parts.maybe(Rule::params).map_or(Some(vec![]), params)?,
            body: expr(parts.next()?)?,
            grounds: grounds(&mut parts),
        }),
        Rule::procedure => file.procedures.push(Procedure {
            name: named(&parts.next()?),
            params: params(parts.next()?)?,
            body: block(parts.next()?, bad)?,
        }),
        Rule::turn => file.turns.push(Turn { span, body: block(parts.next()?, bad)? }),
        Rule::ending => file.endings.push(Ending {
            name: named(&parts.next()?),
            when: when(parts.next()?)?,
            body: block(parts.next()?, bad)?,
        }),
        Rule::limit => file.limits.push(Limit { span, turns: number(&parts.next()?), grounds: grounds(&mut parts) }),
        Rule::example => file.examples.push(example(parts, bad)?),
        _ => {}
    }
    Some(())
}

/// A text without its quotes, line breaks folded to single spaces; control characters, which could
/// play tricks on a terminal, count as spaces.
pub(super) fn text(pair: &Pair<'_>) -> Spanned<String> {
    let inner = pair.as_str().trim_end().trim_matches('"').replace(char::is_control, " ");
    Spanned { node: inner.split_whitespace().collect::<Vec<_>>().join(" "), span: span_of(pair) }
}

/// A number; digits beyond what fits are cut to the largest value, which every range check refuses.
pub(super) fn number(pair: &Pair<'_>) -> Spanned<Decimal> {
    let written = pair.as_str().trim_end();
    let (whole, part) = written.split_once('.').unwrap_or((written, ""));
    let digits = format!("{whole}{part}").parse().unwrap_or(u64::MAX);
    let scale = u32::try_from(part.len()).unwrap_or(u32::MAX);
    Spanned { node: Decimal { digits, scale }, span: span_of(pair) }
}

pub(super) fn grounds(parts: &mut Parts<'_>) -> Vec<Ground> {
    parts.maybe(Rule::grounds).map(grounds_of).unwrap_or_default()
}

pub(super) fn grounds_of(pair: Pair<'_>) -> Vec<Ground> {
    Parts::of(pair)
        .filter_map(|ground| match ground.as_rule() {
            Rule::cite => Some(Ground::Cite(cite(ground)?)),
            _ => Some(Ground::Assumed(text(&Parts::of(ground).next()?))),
        })
        .collect()
}

fn cite(pair: Pair<'_>) -> Option<Cite> {
    let mut parts = Parts::of(pair);
    let first = named(&parts.next()?);
    Some(match parts.next() {
        Some(claim) => Cite { source: Some(first), claim: named(&claim) },
        None => Cite { source: None, claim: first },
    })
}

fn source<'a>(mut parts: Parts<'a>, bad: &mut Vec<Bad<'a>>) -> Option<Source> {
    let mut source = Source { name: named(&parts.next()?), fields: vec![], retells: vec![], claims: vec![] };
    for line in parts {
        match line.as_rule() {
            Rule::bad_line => bad.push((Rule::good_source_line, line)),
            Rule::retells => source.retells.push(named(&Parts::of(line).next()?)),
            Rule::claim => {
                let mut parts = Parts::of(line);
                source.claims.push(Claim {
                    name: named(&parts.next()?),
                    text: text(&parts.next()?).node,
                    anchors: parts.maybe(Rule::anchor).map(anchors).unwrap_or_default(),
                    not_modelled: parts.maybe(Rule::not_modelled).and_then(only_text),
                });
            }
            _ => {
                let mut parts = Parts::of(line);
                source.fields.push((named(&parts.next()?), text(&parts.next()?).node));
            }
        }
    }
    Some(source)
}

fn anchors(pair: Pair<'_>) -> Vec<Spanned<String>> {
    Parts::of(pair).map(|part| text(&part)).collect()
}

fn only_text(pair: Pair<'_>) -> Option<String> {
    Some(text(&Parts::of(pair).next()?).node)
}

fn two_names(pair: Pair<'_>) -> Option<(Name, Name)> {
    let mut parts = Parts::of(pair);
    Some((named(&parts.next()?), named(&parts.next()?)))
}

fn reading<'a>(mut parts: Parts<'a>, bad: &mut Vec<Bad<'a>>) -> Option<Reading> {
    let mut reading = Reading {
        name: named(&parts.next()?),
        question: text(&parts.next()?).node,
        only_when: parts.maybe(Rule::only_when).and_then(two_names),
        grounds: grounds(&mut parts),
        alternatives: vec![],
    };
    reading.grounds.extend(grounds(&mut parts));
    for line in parts {
        if line.as_rule() == Rule::bad_line {
            bad.push((Rule::good_reading_line, line));
            continue;
        }
        let mut parts = Parts::of(line);
        reading.alternatives.push(Alternative {
            name: named(&parts.next()?),
            value: parts.maybe(Rule::expr).and_then(expr),
            text: text(&parts.next()?).node,
            basis: basis(parts.next()?)?,
            default: parts.maybe(Rule::default).map(|pair| span_of(&pair)),
        });
    }
    Some(reading)
}

fn basis(pair: Pair<'_>) -> Option<Basis> {
    let kind = Parts::of(pair).next()?;
    let rule = kind.as_rule();
    let mut parts = Parts::of(kind);
    let cites = parts.take_all(Rule::cite).into_iter().filter_map(cite).collect();
    Some(match rule {
        Rule::attested => Basis::Attested(cites),
        Rule::borrowed => Basis::Borrowed(cites, parts.next().map(|pair| text(&pair).node)),
        Rule::departs => Basis::Departs(cites),
        _ => Basis::Silent,
    })
}

fn params(pair: Pair<'_>) -> Option<Vec<Param>> {
    Parts::of(pair)
        .map(|param| {
            let mut parts = Parts::of(param);
            let name = named(&parts.next()?);
            let kind = match parts.next()?.as_str().trim_end() {
                "number" => TypeName::Number,
                "numbers" => TypeName::Numbers,
                "truth" => TypeName::Truth,
                "site" => TypeName::Site,
                "sites" => TypeName::Sites,
                "man" => TypeName::Man,
                "men" => TypeName::Men,
                "player" => TypeName::Player,
                _ => TypeName::Direction,
            };
            Some(Param { name, kind })
        })
        .collect()
}

fn when(pair: Pair<'_>) -> Option<When> {
    let rule = pair.as_rule();
    let mut parts = Parts::of(pair);
    Some(match rule {
        Rule::at_once => When::AtOnce(expr(parts.next()?)?),
        Rule::after_turn => When::AfterTurn(expr(parts.next()?)?),
        _ => When::Called,
    })
}

fn example<'a>(mut parts: Parts<'a>, bad: &mut Vec<Bad<'a>>) -> Option<Example> {
    let mut example = Example { title: text(&parts.next()?), grounds: grounds(&mut parts), lines: vec![] };
    for line in parts {
        if line.as_rule() == Rule::bad_line {
            bad.push((Rule::good_example_line, line));
            continue;
        }
        let span = span_of(&line);
        example.lines.push(ExampleLine { span, kind: example_line(line)? });
    }
    Some(example)
}

pub(super) fn example_line(pair: Pair<'_>) -> Option<ExampleLineKind> {
    let rule = pair.as_rule();
    if rule == Rule::with_reading {
        return two_names(pair).map(|(name, value)| ExampleLineKind::Reading(name, value));
    }
    let first = Parts::of(pair.clone()).next()?;
    Some(match rule {
        Rule::with_option => ExampleLineKind::Option(named(&first), number(&Parts::of(pair).nth(1)?)),
        Rule::at_position => ExampleLineKind::Position(text(&first)),
        Rule::play => ExampleLineKind::Play(text(&first)),
        _ => expectation(first)?,
    })
}

fn expectation(pair: Pair<'_>) -> Option<ExampleLineKind> {
    let rule = pair.as_rule();
    let mut parts = Parts::of(pair);
    Some(match rule {
        Rule::want_position => ExampleLineKind::ExpectPosition(text(&parts.next()?)),
        Rule::want_captured => ExampleLineKind::ExpectCaptured(parts.map(|pair| number(&pair)).collect()),
        Rule::want_choices => ExampleLineKind::ExpectChoices(text(&parts.next()?)),
        Rule::want_refused => ExampleLineKind::ExpectRefused(text(&parts.next()?)),
        Rule::want_winner => ExampleLineKind::ExpectWinner(named(&parts.next()?)),
        Rule::want_draw => ExampleLineKind::ExpectDraw,
        Rule::want_open => ExampleLineKind::ExpectOpen,
        _ => ExampleLineKind::ExpectEnding(named(&parts.next()?)),
    })
}

/// A name and the set it is taken from.
pub(super) fn name_from_set(pair: Pair<'_>) -> Option<(Name, Expr)> {
    let mut parts = Parts::of(pair);
    Some((named(&parts.next()?), expr(parts.next()?)?))
}
