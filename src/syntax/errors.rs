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

/// The words with which the parts of a file start, the rule that reads each, and how it looks.
const ITEMS: [(&str, Rule, &str); 16] = [
    ("game", Rule::game, "game \"Koumma\"`, before all other parts, `also \"hefira\"` and `played \"Morocco\""),
    ("source", Rule::source, "source marin { author \"...\" year \"...\" claim board \"...\" }"),
    (
        "reading",
        Rule::reading,
        "reading chain \"Which holes?\" { following \"...\" silent default  none \"...\" silent }",
    ),
    ("option", Rule::option, "option holes \"holes in a row\" = 6 from 3 to 12"),
    ("seats", Rule::seats, "seats 2"),
    ("board", Rule::board, "board { rows 2 of 6  start 4 in each pit  sow counterclockwise }"),
    ("track", Rule::track, "track way: a1 .. e1 e2, turned for each seat"),
    ("men", Rule::men, "men 4 each, at start"),
    ("throw", Rule::throw_table, "throw cowries: 4 pieces, up with chance 0.5 { 0 up counts 8  ... }"),
    ("variable", Rule::variable, "variable slaves = 0 each turn"),
    ("define", Rule::define, "define few(pit: site) = seeds(pit) < 3"),
    ("to", Rule::procedure, "to advance(n: number) { ... }"),
    ("turn", Rule::turn, "turn { ... }"),
    ("ending", Rule::ending, "ending stalled, after a turn when ... { most captured wins }"),
    ("limit", Rule::limit, "limit 1000 turns"),
    ("example", Rule::example, "example \"a capture\" { play \"A\"  expect captured 2 0 }"),
];

/// The words with which lines start, and how the lines look.
const LINES: [(&str, &str); 43] = [
    ("choose", "choose hole from own pits where seeds(hole) > 0 if none pass"),
    ("if", "if hand == 1 { ... } else { ... }"),
    ("while", "while ... at most 12 times { ... } else go on"),
    ("for", "for each pit in own pits where ... { ... }"),
    ("each", "each player { ... }"),
    ("lift", "lift hole"),
    ("sow", "sow from next(hole)"),
    ("capture", "capture last"),
    ("keep", "keep own pits"),
    ("throw", "throw cowries as count"),
    ("move", "move man by count"),
    ("send", "send back foe"),
    ("add", "add count to pool"),
    ("spend", "spend count"),
    ("clear", "clear pool"),
    ("go", "go on"),
    ("pass", "pass"),
    ("refuse", "refuse"),
    ("require", "require not empty(enemy pits)"),
    ("end", "end by stalled"),
    ("take", "take back the turn"),
    ("most", "most captured wins"),
    ("mover", "mover wins"),
    ("nobody", "nobody wins"),
    ("let", "let n = seeds(hole)"),
    ("may", "may choose man from own men where ... if none go on"),
    ("by", "by owner(last) { ... }"),
    ("put", "put 4 from own store in pit"),
    ("mark", "mark last as closed"),
    ("unmark", "unmark own pits as closed"),
    ("make", "make man awake"),
    ("new", "new round, mover begins"),
    ("play", "play again at most 20 times else pass"),
    ("else", "if ... { ... } else { ... }"),
    ("rows", "rows 2 of 6"),
    ("grid", "grid 5 by 5"),
    ("start", "start 4 in each pit"),
    ("places", "places ayn: c1, e3"),
    ("claim", "claim board \"Two rows of six houses.\""),
    ("retells", "retells marin"),
    ("expect", "expect captured 2 0`, `expect choices \"A B\"`, `expect winner North`, `expect draw"),
    ("position", "position \"4 4 4 / 4 4 4 | 0 0 | S\""),
    ("play", "play \"A c B\""),
];

/// How many of the lines are statements.
const STATEMENTS: usize = 33;

fn statements() -> impl Iterator<Item = &'static str> {
    LINES.iter().take(STATEMENTS).map(|(word, _)| *word)
}

/// Why a stretch could not be read by the rule that should have read it.
pub(super) fn explain(text: &str, rule: Rule, bad: &Pair<'_>) -> Diagnostic {
    let start = span_of(bad).start as usize;
    let rest = text.get(start..).unwrap_or_default();
    let first = first_token(rest);
    if rule == Rule::item {
        let item = ITEMS.iter().find(|(word, ..)| *word == first);
        return match item {
            Some((_, Rule::game, form)) if Grammar::parse(Rule::game, rest).is_ok() => {
                unexpected(text, start, vec![], Some(format!("a file begins with `{form}`")))
            }
            Some((_, rule, _)) => reparsed(text, start, *rule),
            None => {
                let near = nearest(first, ITEMS.iter().map(|(word, ..)| *word));
                let words = ITEMS.iter().map(|(word, ..)| *word).collect::<Vec<_>>().join(", ");
                let help = meant(near)
                    .or_else(|| hint(rest))
                    .unwrap_or_else(|| format!("the parts of a file are {words}; a comment starts with `#`"));
                unexpected(text, start, vec!["a part of a file".into()], Some(help))
            }
        };
    }
    if rule == Rule::good_statement {
        let second = first_token(rest.get(first.len()..).unwrap_or_default());
        if first == "if" && second == "none" {
            return misplaced_none(text, start);
        }
        if first == "else" {
            let help = "an `else` stands right behind the block of an `if` or a `while`; behind that of a `while` comes a block or one short statement, no `if`".to_owned();
            return unexpected(text, start, vec!["a statement".into()], Some(help));
        }
        let known = statements().any(|word| word == first);
        if !known && !["=", "+", "-", "("].contains(&second) {
            // Nobody meant an assignment: the first word itself is wrong.
            let help = meant(nearest(first, statements()))
                .or_else(|| hint(rest))
                .unwrap_or_else(|| format!("statements start with {}", statements().collect::<Vec<_>>().join(", ")));
            return unexpected(text, start, vec!["a statement".into()], Some(help));
        }
    }
    reparsed(text, start, rule)
}

/// `if none` where it cannot be read: either what follows is no arm, or no choice stands before it.
fn misplaced_none(text: &str, start: usize) -> Diagnostic {
    let rest = text.get(start..).unwrap_or_default();
    let rule = if rest.split_whitespace().nth(2) == Some("allowed") { Rule::if_none_allowed } else { Rule::if_none };
    let help = match Grammar::parse(rule, rest) {
        Ok(_) => "`if none` stands right behind its `choose`, after `where`",
        Err(_) => "after `if none` comes `pass`, `go on`, `end by NAME`, `clear pool`, a call, or a block in braces",
    };
    unexpected(text, start, vec![], Some(help.to_owned()))
}

fn reparsed(text: &str, start: usize, rule: Rule) -> Diagnostic {
    let rest = text.get(start..).unwrap_or_default();
    match Grammar::parse(rule, rest) {
        Err(error) if rule == Rule::good_reading_line => {
            with_form(from_pest(text, start, &error), "far = all pits \"as far as it goes\" silent default")
        }
        Err(error) if rule == Rule::good_example_line && rest.starts_with("reading") => {
            with_form(from_pest(text, start, &error), "reading chain = far")
        }
        Err(error) if rule == Rule::good_example_line && rest.starts_with("play") => {
            with_form(from_pest(text, start, &error), "play \"A c B\"")
        }
        Err(error) if rule == Rule::good_example_line && rest.starts_with("option") => {
            with_form(from_pest(text, start, &error), "option seeds = 4")
        }
        Err(error) => from_pest(text, start, &error),
        // The rule reads it now, so it was the words before it that were complete too early.
        Ok(_) => unexpected(text, start, vec![], None),
    }
}

/// The same with the form that was wanted as its help.
fn with_form(mut found: Diagnostic, form: &str) -> Diagnostic {
    if let Problem::Unexpected { help, .. } = &mut found.problem {
        *help = Some(format!("it looks like this: `{form}`"));
    }
    found
}

/// The account of an error pest gives for a text that begins at `offset` of the whole.
pub(super) fn from_pest(text: &str, offset: usize, error: &Error<Rule>) -> Diagnostic {
    let (InputLocation::Pos(at) | InputLocation::Span((at, _))) = error.location;
    let at = offset + at;
    let rest = text.get(at..).unwrap_or_default();
    let at = at + (rest.len() - rest.trim_start().len());
    let rest = rest.trim_start();
    let found = first_token(rest);
    let ErrorVariant::ParsingError { positives, .. } = &error.variant else {
        return unexpected(text, at, vec![], None);
    };
    let words: Vec<String> = positives.iter().filter_map(|rule| keyword(*rule)).collect();
    let known = statements().any(|word| word == found) || ITEMS.iter().any(|(word, ..)| *word == found);
    let near = if known { None } else { nearest(found, words.iter().map(String::as_str)) };
    let form = || form_of(text.get(offset..).unwrap_or_default());
    // Where a text is missing, what stands there instead is not to blame.
    let sign = if positives == &[Rule::text] && rest.starts_with('=') { None } else { hint(rest) };
    let help = sign.or_else(|| meant(near)).or_else(form);
    unexpected(text, at, expectations(positives), help)
}

/// What was expected, in the words of an author; the most telling first.
fn expectations(positives: &[Rule]) -> Vec<String> {
    let many = positives.iter().filter(|rule| keyword(**rule).is_some()).count() > 20;
    if many || positives.contains(&Rule::good_statement) {
        return vec!["a statement".into()];
    }
    // Where a sign or a block is missing, that an expression could also go on helps nobody.
    let signs = [Rule::p_comma, Rule::p_colon, Rule::p_equals, Rule::block];
    let sign = positives.iter().any(|rule| signs.contains(rule));
    let operator = |rule: &Rule| {
        matches!(rule, Rule::compare_op | Rule::sum_op | Rule::product_op | Rule::not_in)
            || matches!(keyword(*rule).as_deref(), Some("and" | "or" | "on" | "in" | "is" | "not"))
    };
    let mut names: Vec<String> =
        positives.iter().filter(|rule| !(sign && operator(rule))).filter_map(|rule| human_name(*rule)).collect();
    names.sort();
    names.dedup();
    if names.len() > LISTED {
        names.truncate(LISTED);
        names.push("...".into());
    }
    names
}

fn meant(near: Option<String>) -> Option<String> {
    near.map(|near| format!("did you mean `{near}`?"))
}

/// How the part or line looks that a text begins with.
fn form_of(text: &str) -> Option<String> {
    let word = first_token(text);
    let items = ITEMS.iter().map(|(name, _, form)| (*name, *form));
    // A throw in a turn and a throw of the file start alike; the colon tells them apart.
    let declared =
        word == "throw" && text.lines().next().is_some_and(|line| line.contains(':') || line.contains("pieces"));
    let lines = LINES.iter().copied().filter(|_| !declared);
    let form = lines.chain(items).find(|(name, _)| *name == word)?.1;
    Some(format!("it looks like this: `{form}`"))
}

/// Signs that other languages, keyboards or word processors have.
fn hint(found: &str) -> Option<String> {
    const SIGNS: [(&str, &str); 30] = [
        ("or ", "conditions are joined with `or`, sets with `+`"),
        ("anticlockwise", "the directions are `counterclockwise` and `clockwise`"),
        ("counter-clockwise", "the directions are `counterclockwise` and `clockwise`"),
        ("=>", "\"not below\" is written `>=`"),
        ("=<", "\"not above\" is written `<=`"),
        ("≥", "\"not below\" is written `>=`"),
        ("≤", "\"not above\" is written `<=`"),
        ("≠", "\"not equal\" is written `!=`"),
        ("<>", "\"not equal\" is written `!=`"),
        ("==", "one `=` gives a value a name"),
        ("=", "two values are compared with `==`"),
        ("“", "texts stand between straight quotes: `\"`"),
        ("”", "texts stand between straight quotes: `\"`"),
        ("„", "texts stand between straight quotes: `\"`"),
        ("«", "texts stand between straight quotes: `\"`"),
        ("‘", "texts stand between straight quotes: `\"`"),
        ("’", "texts stand between straight quotes: `\"`"),
        ("'", "texts stand between straight quotes: `\"`"),
        ("–", "a minus sign is written `-`, with spaces around it"),
        ("—", "a minus sign is written `-`, with spaces around it"),
        ("−", "a minus sign is written `-`, with spaces around it"),
        ("…", "a straight line of squares is written `..`"),
        ("//", "a comment starts with `#`"),
        ("/*", "a comment starts with `#`"),
        ("/", "there is no division: multiply the other side"),
        (";", "a line needs no `;`"),
        ("[", "parentheses are round: `seeds(hole)`"),
        ("(", "nothing stands between a name and its parenthesis: `next(hole)`"),
        ("&", "both of two conditions are joined with `and`"),
        ("then", "what happens then stands in braces: `{ ... }`"),
    ];
    SIGNS.iter().find(|(sign, _)| found.trim_start().starts_with(sign)).map(|(_, help)| (*help).to_owned())
}

fn unexpected(text: &str, at: usize, expected: Vec<String>, help: Option<String>) -> Diagnostic {
    let found = first_token(text.get(at..).unwrap_or_default());
    let span = Span::new(at, at + found.len().max(1));
    let found = if found.is_empty() { "the end of the text".to_owned() } else { format!("`{found}`") };
    Diagnostic::new(Problem::Unexpected { found, expected, help }, span)
}

/// The word or sign with which a text goes on.
fn first_token(rest: &str) -> &str {
    let rest = rest.trim_start();
    let word = rest.find(|c: char| !(c.is_alphanumeric() || c == '-' || c == '_')).unwrap_or(rest.len());
    let end = if word > 0 { word } else { rest.chars().next().map_or(0, char::len_utf8) };
    rest.get(..end).unwrap_or_default()
}
