//! Record files: games that were played, with what is known of them besides their moves.

use super::{
    ast::ExampleLine,
    grammar::{Pair, Parts, Rule, named, span_of},
    lower::{example_line, text},
    notation::{Token, expect_move, parts, tokens},
};
use crate::{
    diagnostic::{Diagnostic, Problem},
    span::{Name, Span, Spanned},
};

/// A game as it was written down.
#[derive(Debug, Clone, Default)]
pub(crate) struct PlayedGame {
    pub(crate) title: Option<Spanned<String>>,
    pub(crate) span: Span,
    /// Readings, options, and where it begins.
    pub(crate) head: Vec<ExampleLine>,
    /// Moves and throws, and what is to be so between them.
    pub(crate) items: Vec<Item>,
    /// Where the result stands, and who has won; nobody where it is a draw.
    pub(crate) result: Option<(Span, Option<Name>)>,
}

/// A part of a game.
#[derive(Debug, Clone)]
pub(crate) enum Item {
    Token(Token),
    Expect(ExampleLine),
}

/// Reads a record file.
pub(crate) fn record_file(written: &str) -> Result<Vec<PlayedGame>, Box<Diagnostic>> {
    let parts = parts(Rule::record_file, written).map_err(|mut error| {
        let rest = written.get(error.span.start as usize..).unwrap_or_default();
        if let Problem::Unexpected { expected, help, .. } = &mut error.problem {
            *help = Some(help_for(rest, expected).to_owned());
        }
        expect_move(&mut error, "a move, a throw, or `result`");
        error
    })?;
    let games = parts.filter_map(|part| match part.as_rule() {
        Rule::titled_game => {
            let mut parts = Parts::of(part);
            let title = text(&parts.next()?);
            Some(PlayedGame { span: title.span, title: Some(title), ..game(parts.next()?) })
        }
        Rule::played_game => Some(game(part)),
        _ => None,
    });
    Ok(games.collect())
}

fn game(pair: Pair<'_>) -> PlayedGame {
    let mut game = PlayedGame { span: span_of(&pair), ..PlayedGame::default() };
    for part in Parts::of(pair) {
        let span = span_of(&part);
        match part.as_rule() {
            Rule::with_reading | Rule::with_option | Rule::at_position => {
                game.head.extend(example_line(part).map(|kind| ExampleLine { span, kind }));
            }
            Rule::expect => {
                game.items.extend(example_line(part).map(|kind| Item::Expect(ExampleLine { span, kind })));
            }
            Rule::game_result => game.result = Some((span, Parts::of(part).next().map(|winner| named(&winner)))),
            _ => game.items.extend(tokens(part).into_iter().map(Item::Token)),
        }
    }
    game
}

/// What helps where a record file cannot be read on.
fn help_for(rest: &str, expected: &[String]) -> &'static str {
    let begins = |words: &[&str]| words.iter().any(|word| rest.starts_with(word));
    let wants = |name: &str| expected.iter().any(|other| other == name);
    if wants("`captured`") {
        "after `expect` comes what an example can expect: `position \"...\"`, `captured 2 0`, `choices \"A B\"`"
    } else if wants("a text in quotes") {
        "titles and positions stand in quotes, on both sides"
    } else if wants("`wins`") || wants("`draw`") {
        "a game ends with `result South wins` or `result draw`"
    } else if begins(&["position", "reading", "option"]) {
        "`reading chain = none`, `option seeds = 4` and `position \"...\"` stand before the moves of their game"
    } else if begins(&["game"]) {
        "a file holds one game, or several that each begin with `game \"title\"`"
    } else if begins(&["expect"]) {
        "between moves stands `expect position \"...\"`, `expect captured 2 0`, or another line of an example"
    } else if begins(&[",", ";"]) {
        "only spaces and line ends stand between moves"
    } else if begins(&["+"]) {
        "what a move takes is written without a space: `B+7`"
    } else {
        "moves are written like `B`, `c1`, `4:c1`, `pass` or `B+7`, throws like `[4]`, and a comment starts with `#`"
    }
}
