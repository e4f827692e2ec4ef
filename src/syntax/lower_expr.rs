//! From pest's pairs to the tree: expressions.

use super::{
    ast::*,
    grammar::{Pair, Parts, Rule, named, span_of},
    lower::number,
};

/// Any level of the expression grammar.
#[expect(clippy::needless_pass_by_value, reason = "all lowering functions take their pair")]
pub(super) fn expr(pair: Pair<'_>) -> Option<Expr> {
    let span = span_of(&pair);
    let rule = pair.as_rule();
    let mut parts = Parts::of(pair.clone());
    let kind = match rule {
        Rule::expr => return chain(parts, |_| Some(BinaryOp::Or), false),
        Rule::both => return chain(parts, |_| Some(BinaryOp::And), false),
        Rule::comparison | Rule::sum | Rule::product => return chain(parts, operator, true),
        Rule::negated => {
            let denied = parts.maybe(Rule::denial).is_some();
            let inner = expr(parts.next()?)?;
            if !denied {
                return Some(inner);
            }
            ExprKind::Not(Box::new(inner))
        }
        Rule::factor | Rule::simple => {
            let minus = parts.maybe(Rule::minus).is_some();
            let mut value = chain(parts, |_| Some(BinaryOp::On), false)?;
            if minus {
                value = Expr { span, kind: ExprKind::Negate(Box::new(value)) };
            }
            return Some(value);
        }
        Rule::set | Rule::primary | Rule::parens | Rule::counts => return expr(parts.next()?),
        Rule::number => ExprKind::Number(number(&pair).node),
        Rule::word => ExprKind::Word(named(&parts.next()?).node),
        Rule::call => ExprKind::Call(named(&Parts::of(parts.next()?).next()?), parts.map(expr).collect::<Option<_>>()?),
        Rule::listed => ExprKind::Listed(parts.map(expr).collect::<Option<_>>()?),
        Rule::ranged => {
            let parity = match (parts.maybe(Rule::even), parts.maybe(Rule::odd)) {
                (Some(_), _) => Some(Parity::Even),
                (_, Some(_)) => Some(Parity::Odd),
                _ => None,
            };
            ExprKind::Ranged { parity, from: Box::new(expr(parts.next()?)?), to: Box::new(expr(parts.next()?)?) }
        }
        Rule::quantifier => {
            let every = parts.next()?.as_rule() == Rule::every;
            let over = parts.next()?;
            let over = match over.as_rule() {
                Rule::each_of => {
                    let mut parts = Parts::of(over);
                    Over::Members(named(&parts.next()?), Box::new(expr(parts.next()?)?))
                }
                Rule::of_partners => Over::Partners,
                _ => Over::Players,
            };
            ExprKind::Quantified { every, over, condition: Box::new(expr(parts.next()?)?) }
        }
        Rule::phrase => {
            let whose = match parts.next()?.as_str().trim_end() {
                "own" => Whose::Own,
                "friend" => Whose::Friend,
                "enemy" => Whose::Enemy,
                "all" => Whose::All,
                _ => Whose::No,
            };
            let word = parts.next()?;
            let noun = match word.as_str().trim_end() {
                "pits" => Noun::Pits,
                "men" => Noun::Men,
                "store" | "stores" => Noun::Store,
                _ => Noun::Named(named(&word)),
            };
            ExprKind::Phrase(whose, noun)
        }
        Rule::along => {
            let after = parts.next()?.as_rule() == Rule::after;
            let from = Box::new(expr(parts.next()?)?);
            ExprKind::Along { after, from, towards: parts.maybe(Rule::heading).and_then(inner_expr) }
        }
        Rule::those => ExprKind::Those {
            name: named(&parts.next()?),
            set: Box::new(expr(parts.next()?)?),
            condition: parts.maybe(Rule::where_clause).and_then(inner_expr),
            walk: parts.maybe(Rule::while_clause).and_then(inner_expr),
        },
        _ => return None,
    };
    Some(Expr { span, kind })
}

fn inner_expr(pair: Pair<'_>) -> Option<Box<Expr>> {
    expr(Parts::of(pair).next()?).map(Box::new)
}

/// A chain of operands, read from the left; `explicit` when operators stand between them as parts.
fn chain(mut parts: Parts<'_>, operator: fn(Option<Pair<'_>>) -> Option<BinaryOp>, explicit: bool) -> Option<Expr> {
    let mut left = expr(parts.next()?)?;
    while let Some(part) = parts.next() {
        let (op, right) = if explicit { (operator(Some(part))?, parts.next()?) } else { (operator(None)?, part) };
        let right = expr(right)?;
        let span = left.span.to(right.span);
        left = Expr { span, kind: ExprKind::Binary(op, Box::new(left), Box::new(right)) };
    }
    Some(left)
}

fn operator(pair: Option<Pair<'_>>) -> Option<BinaryOp> {
    let pair = pair?;
    let written = pair.as_str().split_whitespace().collect::<Vec<_>>().join(" ");
    Some(match written.as_str() {
        "==" => BinaryOp::Equal,
        "!=" => BinaryOp::NotEqual,
        "<=" => BinaryOp::AtMost,
        ">=" => BinaryOp::AtLeast,
        "<" => BinaryOp::Less,
        ">" => BinaryOp::More,
        "not in" => BinaryOp::NotIn,
        "in" => BinaryOp::In,
        "is" => BinaryOp::Is,
        "+" => BinaryOp::Add,
        "-" => BinaryOp::Subtract,
        "*" => BinaryOp::Multiply,
        _ => return None,
    })
}
