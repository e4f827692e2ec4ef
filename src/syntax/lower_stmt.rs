//! From pest's pairs to the tree: statements.

use super::{
    ast::*,
    grammar::{Pair, Parts, Rule, head_of, named},
    lower::{Bad, grounds, grounds_of, name_from_set},
    lower_expr::expr,
};

/// A block; `bad` receives the lines that could not be read.
pub(super) fn block<'a>(pair: Pair<'a>, bad: &mut Vec<Bad<'a>>) -> Option<Block> {
    let mut block = Block { grounds: vec![], statements: vec![] };
    for part in Parts::of(pair) {
        match part.as_rule() {
            Rule::grounds => block.grounds.extend(grounds_of(part)),
            Rule::bad_line => bad.push((Rule::good_statement, part)),
            _ => block.statements.push(statement(part, bad)?),
        }
    }
    Some(block)
}

/// A block, or a short statement taken for a block of one.
fn arm<'a>(pair: Pair<'a>, bad: &mut Vec<Bad<'a>>) -> Option<Block> {
    let inner = Parts::of(pair).next()?;
    if inner.as_rule() == Rule::block {
        return block(inner, bad);
    }
    Some(Block { grounds: vec![], statements: vec![statement(inner, bad)?] })
}

fn statement<'a>(pair: Pair<'a>, bad: &mut Vec<Bad<'a>>) -> Option<Stmt> {
    let mut parts = Parts::of(pair);
    let inner = parts.next()?;
    let span = head_of(&inner);
    // A choice has its own grounds before what happens when there is none.
    let own = Parts::of(inner.clone()).find(|part| part.as_rule() == Rule::grounds).map(grounds_of);
    let kind = kind(inner, bad)?;
    let grounds = own.unwrap_or_default().into_iter().chain(grounds(&mut parts)).collect();
    Some(Stmt { span, kind, grounds })
}

fn kind<'a>(pair: Pair<'a>, bad: &mut Vec<Bad<'a>>) -> Option<StmtKind> {
    let rule = pair.as_rule();
    let mut parts = Parts::of(pair);
    Some(match rule {
        Rule::choose => choose(parts, bad)?,
        Rule::if_else => if_else(parts, bad)?,
        Rule::while_loop => StmtKind::While {
            condition: expr(parts.next()?)?,
            bound: parts.maybe(Rule::bound).and_then(bound),
            body: block(parts.next()?, bad)?,
            reached: match parts.next() {
                Some(pair) => Some(arm(pair, bad)?),
                None => None,
            },
        },
        Rule::for_each => StmtKind::ForEach {
            name: named(&parts.next()?),
            set: expr(parts.next()?)?,
            condition: parts.maybe(Rule::where_clause).and_then(inner_expr),
            walk: parts.maybe(Rule::while_clause).and_then(inner_expr),
            body: block(parts.next()?, bad)?,
        },
        Rule::each_seat => StmtKind::EachPlayer(block(parts.next()?, bad)?),
        Rule::by_player => StmtKind::ByPlayer(expr(parts.next()?)?, block(parts.next()?, bad)?),
        Rule::lift => StmtKind::Lift(expr(parts.next()?)?),
        Rule::sow => StmtKind::Sow {
            from: expr(parts.next()?)?,
            towards: parts.maybe(Rule::towards).and_then(inner_expr),
            skipping: parts.maybe(Rule::skipping).and_then(inner_expr),
            body: maybe_block(&mut parts, bad)?,
        },
        Rule::capture => {
            let first = expr(parts.next()?)?;
            match parts.next() {
                Some(from) => StmtKind::Capture { seeds: Some(first), from: expr(from)? },
                None => StmtKind::Capture { seeds: None, from: first },
            }
        }
        Rule::keep => StmtKind::Keep(expr(parts.next()?)?),
        Rule::put => {
            StmtKind::Put { seeds: expr(parts.next()?)?, from: expr(parts.next()?)?, into: expr(parts.next()?)? }
        }
        Rule::mark_pits => StmtKind::Mark(expr(parts.next()?)?, named(&parts.next()?)),
        Rule::unmark => StmtKind::Unmark(expr(parts.next()?)?, named(&parts.next()?)),
        Rule::throw => {
            StmtKind::Throw { table: named(&parts.next()?), names: parts.map(|pair| named(&pair)).collect() }
        }
        Rule::move_men => StmtKind::Move {
            men: expr(parts.next()?)?,
            by: expr(parts.next()?)?,
            to: parts.maybe(Rule::landing).and_then(inner_expr),
            body: maybe_block(&mut parts, bad)?,
        },
        Rule::make => StmtKind::Make(expr(parts.next()?)?, named(&parts.next()?)),
        Rule::send_back => StmtKind::SendBack(expr(parts.next()?)?),
        Rule::add => StmtKind::Add(parts.map(expr).collect::<Option<_>>()?),
        Rule::spend => StmtKind::Spend(expr(parts.next()?)?),
        Rule::clear => StmtKind::ClearPool,
        Rule::go_on => StmtKind::GoOn,
        Rule::pass => StmtKind::Pass,
        Rule::again => StmtKind::Again { times: expr(parts.next()?)?, reached: arm(parts.next()?, bad)? },
        Rule::refuse => StmtKind::Refuse,
        Rule::require => StmtKind::Require(expr(parts.next()?)?),
        Rule::end_by => StmtKind::EndBy(named(&parts.next()?)),
        Rule::take_back => StmtKind::TakeBack,
        Rule::new_round => StmtKind::NewRound(expr(parts.next()?)?),
        Rule::most_wins => StmtKind::MostWins(expr(parts.next()?)?, decides(&mut parts)),
        Rule::mover_wins => StmtKind::MoverWins(decides(&mut parts)),
        Rule::mover_loses => StmtKind::MoverLoses(decides(&mut parts)),
        Rule::nobody_wins => StmtKind::NobodyWins(decides(&mut parts)),
        Rule::let_be => StmtKind::Let(named(&parts.next()?), expr(parts.next()?)?),
        Rule::assign => {
            let name = named(&parts.next()?);
            let op = match parts.next()?.as_str().trim_end() {
                "+=" => AssignOp::Add,
                "-=" => AssignOp::Subtract,
                _ => AssignOp::Set,
            };
            StmtKind::Assign(name, op, expr(parts.next()?)?)
        }
        Rule::call_statement => {
            let mut parts = Parts::of(parts.next()?);
            StmtKind::Call(named(&parts.next()?), parts.map(expr).collect::<Option<_>>()?)
        }
        _ => return None,
    })
}

/// A block that may be left out.
fn maybe_block<'a>(parts: &mut Parts<'a>, bad: &mut Vec<Bad<'a>>) -> Option<Option<Block>> {
    Some(match parts.maybe(Rule::block) {
        Some(pair) => Some(block(pair, bad)?),
        None => None,
    })
}

fn decides(parts: &mut Parts<'_>) -> Decides {
    if parts.maybe(Rule::the_round).is_some() { Decides::Round } else { Decides::Game }
}

fn inner_expr(pair: Pair<'_>) -> Option<Expr> {
    expr(Parts::of(pair).next()?)
}

fn bound(pair: Pair<'_>) -> Option<Bound> {
    let mut parts = Parts::of(pair);
    Some(Bound { times: expr(parts.next()?)?, laps: parts.next()?.as_rule() == Rule::laps })
}

fn choose<'a>(mut parts: Parts<'a>, bad: &mut Vec<Bad<'a>>) -> Option<StmtKind> {
    let may = parts.maybe(Rule::may).is_some();
    let picks = parts.take_all(Rule::pick).into_iter().map(name_from_set).collect::<Option<_>>()?;
    let condition = parts.maybe(Rule::where_clause).and_then(inner_expr);
    parts.maybe(Rule::grounds);
    let (mut none, mut none_allowed) = (None, None);
    for part in parts {
        let target = if part.as_rule() == Rule::if_none { &mut none } else { &mut none_allowed };
        *target = Some(arm(Parts::of(part).next()?, bad)?);
    }
    Some(StmtKind::Choose { may, picks, condition, none, none_allowed })
}

fn if_else<'a>(mut parts: Parts<'a>, bad: &mut Vec<Bad<'a>>) -> Option<StmtKind> {
    let mut branches = vec![(None, expr(parts.next()?)?, block(parts.next()?, bad)?)];
    for pair in parts.take_all(Rule::else_if) {
        let span = head_of(&pair);
        let mut parts = Parts::of(pair);
        branches.push((Some(span), expr(parts.next()?)?, block(parts.next()?, bad)?));
    }
    let mut otherwise = match parts.next() {
        Some(pair) => Some(block(pair, bad)?),
        None => None,
    };
    // From the last branch inwards: each `else if` is an `if` alone in the block of an `else`.
    while let Some((span, condition, then)) = branches.pop() {
        let kind = StmtKind::If { condition, then, otherwise };
        let Some(span) = span else { return Some(kind) };
        otherwise = Some(Block { grounds: vec![], statements: vec![Stmt { span, kind, grounds: vec![] }] });
    }
    None
}
