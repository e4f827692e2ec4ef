//! The parser that pest makes of the grammar, and the one way to walk its pairs.
//!
//! Nothing outside `syntax` sees these types.

use std::{
    collections::HashSet,
    iter::{Filter, Peekable},
    sync::LazyLock,
};

use pest::iterators::{Pair as PestPair, Pairs};

use crate::span::{Name, Span, Spanned};

/// The parser made from `grammars/ayn.pest`.
#[derive(pest_derive::Parser)]
#[grammar = "../grammars/ayn.pest"]
pub(super) struct Grammar;

pub(super) type Pair<'a> = PestPair<'a, Rule>;

/// The rules that stand for keywords and marks: they carry nothing that the tree needs.
static KEYWORDS: LazyLock<HashSet<Rule>> = LazyLock::new(|| {
    let mark = [Rule::p_comma, Rule::p_colon, Rule::p_equals, Rule::p_close];
    let words = Rule::all_rules().iter().copied().filter(|rule| keyword(*rule).is_some());
    words.chain(mark).collect()
});

/// The word a keyword rule stands for.
pub(super) fn keyword(rule: Rule) -> Option<String> {
    format!("{rule:?}").strip_prefix("k_").map(str::to_owned)
}

/// The place of a pair.
pub(super) fn span_of(pair: &Pair<'_>) -> Span {
    let span = pair.as_span();
    // A pair may end in the white space that was skipped in search of an optional part.
    Span::new(span.start(), span.start() + span.as_str().trim_end().len())
}

/// The place of the head of a pair: of its first line, up to the brace that opens a block there.
pub(super) fn head_of(pair: &Pair<'_>) -> Span {
    let whole = span_of(pair);
    let Some(line) = pair.as_str().lines().next().filter(|line| line.len() < pair.as_str().trim_end().len()) else {
        return whole;
    };
    let head = line.rfind('{').map_or(line, |brace| line.get(..brace).unwrap_or(line)).trim_end();
    Span::new(whole.start as usize, whole.start as usize + head.len())
}

/// A pair's text with its place.
pub(super) fn named(pair: &Pair<'_>) -> Name {
    Spanned { node: pair.as_str().trim_end().to_owned(), span: span_of(pair) }
}

type IsPart<'a> = fn(&Pair<'a>) -> bool;

/// The parts of a pair, keywords left out.
pub(super) struct Parts<'a> {
    pairs: Peekable<Filter<Pairs<'a, Rule>, IsPart<'a>>>,
}

impl<'a> Parts<'a> {
    pub(super) fn of(pair: Pair<'a>) -> Self {
        fn is_part(pair: &Pair<'_>) -> bool {
            !KEYWORDS.contains(&pair.as_rule())
        }
        Self { pairs: pair.into_inner().filter(is_part as IsPart<'a>).peekable() }
    }

    /// The next part if it is of this rule.
    pub(super) fn maybe(&mut self, rule: Rule) -> Option<Pair<'a>> {
        self.pairs.next_if(|pair| pair.as_rule() == rule)
    }

    /// All next parts of this rule.
    pub(super) fn take_all(&mut self, rule: Rule) -> Vec<Pair<'a>> {
        std::iter::from_fn(|| self.maybe(rule)).collect()
    }
}

impl<'a> Iterator for Parts<'a> {
    type Item = Pair<'a>;

    fn next(&mut self) -> Option<Pair<'a>> {
        self.pairs.next()
    }
}

/// What a rule is called in a message; `None` for rules that say nothing to an author.
pub(super) fn human_name(rule: Rule) -> Option<String> {
    if let Some(word) = keyword(rule) {
        return Some(format!("`{word}`"));
    }
    let name = match rule {
        Rule::p_comma => "`,`",
        Rule::p_colon => "`:`",
        Rule::p_equals => "`=`",
        Rule::p_close => "`]`",
        Rule::name | Rule::callee => "a name",
        Rule::number | Rule::whole | Rule::signed => "a number",
        Rule::text => "a text in quotes",
        Rule::cite | Rule::assumed => "a citation (`@claim`, or `assumed \"why\"`)",
        Rule::block | Rule::arm => "a block in braces",
        Rule::good_statement | Rule::short_statement | Rule::call_statement => "a statement",
        Rule::expr
        | Rule::both
        | Rule::negated
        | Rule::comparison
        | Rule::sum
        | Rule::product
        | Rule::factor
        | Rule::primary
        | Rule::parens
        | Rule::call
        | Rule::word
        | Rule::simple
        | Rule::listed
        | Rule::ranged
        | Rule::counts
        | Rule::set
        | Rule::quantifier
        | Rule::those
        | Rule::phrase
        | Rule::along
        | Rule::minus
        | Rule::denial
        | Rule::whose
        | Rule::even
        | Rule::odd
        | Rule::some
        | Rule::every => "a value",
        Rule::noun => "`pits`, `men` or `store`",
        Rule::compare_op | Rule::not_in | Rule::sum_op | Rule::product_op => "an operator",
        Rule::assign_op => "`=`, `+=` or `-=`",
        Rule::basis | Rule::silent | Rule::attested | Rule::borrowed | Rule::departs => {
            "what the alternative rests on (`silent`, `attested @claim`, `borrowed @claim` or `departs @claim`)"
        }
        Rule::type_name => {
            "a type (`number`, `numbers`, `truth`, `site`, `sites`, `man`, `men`, `player` or `direction`)"
        }
        Rule::source_field | Rule::source_key => "`author`, `year`, `title`, `place`, `retells` or `claim`",
        Rule::bound | Rule::laps | Rule::times => "a bound (`at most N times`)",
        Rule::line | Rule::step | Rule::place_span | Rule::place_list => "a place",
        Rule::symmetry | Rule::same_way => "`for each seat`",
        Rule::item_word | Rule::file => "a part of a file",
        Rule::pick => "`name from set`",
        Rule::position | Rule::position_row | Rule::men_place => "a position",
        Rule::record | Rule::move_token => "a move",
        Rule::throw_token => "a throw in brackets",
        Rule::EOI => "nothing more",
        _ => return None,
    };
    Some(name.to_owned())
}
