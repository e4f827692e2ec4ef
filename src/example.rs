//! The examples of a file, run as tests.

use std::sync::Arc;

use crate::{
    check::bind,
    notation::{self, describe_result, is_part, play_record, print_move, print_position},
    reference::{Position, Reference},
    rules::{Example, ExampleStep, Game, Rules, Setup},
    span::Span,
    tree::{GameResult, Node, Tree},
};

/// An expectation that was not met, and where it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The line of the example.
    pub span: Span,
    /// What was expected, and what was found.
    pub message: String,
}

/// Runs an example with the readings and options it names, over a given setup.
///
/// # Errors
/// [`Failure`] at the first line that cannot be done or does not hold.
pub fn run_example(game: &Arc<Game>, setup: &Setup, example: &Example) -> Result<(), Failure> {
    let mut setup = setup.clone();
    for (reading, alternative) in &example.readings {
        setup = setup.with_reading(*reading, *alternative);
    }
    for (option, value) in &example.options {
        setup = setup.with_option(*option, *value);
    }
    let rules = bind(game, &setup).map_err(|error| Failure { span: example.span, message: error.to_string() })?;
    let reference = Reference::new(rules);
    let mut position = reference.start();
    let mut before: Vec<u32> = captured(&reference, &position);
    for (step, span) in &example.steps {
        let fail = |message: String| Failure { span: *span, message };
        match step {
            ExampleStep::Position(text) => {
                let view = notation::read_position(reference.rules(), text).map_err(|error| fail(error.to_string()))?;
                position = reference.begin_watched(&view, &mut ());
                before = captured(&reference, &position);
            }
            ExampleStep::Play(record) => {
                play_record(&reference, &mut position, record, &mut ()).map_err(|error| fail(error.to_string()))?;
            }
            expectation => expect(&reference, &position, expectation, &before).map_err(fail)?,
        }
    }
    Ok(())
}

/// What each seat has captured since the position the game began with.
pub(crate) fn captured(reference: &Reference, position: &Position) -> Vec<u32> {
    reference.rules().seats.ids().map(|seat| reference.captured(position, seat)).collect()
}

/// Looks whether a position is as expected.
///
/// # Errors
/// What was expected, and what was found.
pub(crate) fn expect(
    reference: &Reference,
    position: &Position,
    step: &ExampleStep,
    before: &[u32],
) -> Result<(), String> {
    let rules = reference.rules();
    let node = reference.node(position);
    let differ = |wanted: String, found: String| {
        if wanted == found { Ok(()) } else { Err(format!("expected {wanted}, found {found}")) }
    };
    match step {
        ExampleStep::ExpectPosition(text) => match notation::matches(rules, &reference.view(position), text) {
            Ok(true) => Ok(()),
            Ok(false) => {
                Err(format!("expected `{text}`, found `{}`", print_position(rules, &reference.view(position))))
            }
            Err(error) => Err(error.to_string()),
        },
        ExampleStep::ExpectCaptured(wanted) => {
            let now =
                captured(reference, position).into_iter().zip(before).map(|(now, before)| i64::from(now - before));
            let now: Vec<i64> = now.collect();
            let told = |captured: &[i64]| {
                let by_seat = rules.seats.iter().zip(captured).map(|(seat, n)| format!("{n} by {}", seat.name));
                by_seat.collect::<Vec<_>>().join(" and ")
            };
            if now == *wanted {
                Ok(())
            } else {
                Err(format!("expected captures of {}, found {}", told(wanted), told(&now)))
            }
        }
        ExampleStep::ExpectChoices(text) => {
            let (mut wanted, mut found) = (moves_named(rules, text)?, moves_on_offer(reference, position)?);
            wanted.sort_unstable();
            found.sort_unstable();
            differ(format!("the choices {}", wanted.join(" ")), format!("the choices {}", found.join(" ")))
        }
        ExampleStep::ExpectRefused(text) => {
            let (refused, found) = (moves_named(rules, text)?, moves_on_offer(reference, position)?);
            // A move that decides less, or more, than those on offer would be refused in any case.
            let parts = |name: &str| name.split(':').count();
            let offered = found.iter().find(|name| *name != "pass");
            let odd = offered.and_then(|offered| {
                refused.iter().find(|name| *name != "pass" && parts(name) != parts(offered)).map(|name| (name, offered))
            });
            if let Some((name, offered)) = odd {
                return Err(format!("`{name}` is no move here: moves look like `{offered}`"));
            }
            match refused.iter().find(|name| found.contains(name)) {
                None => Ok(()),
                Some(offered) => Err(format!("`{offered}` is on offer")),
            }
        }
        ExampleStep::ExpectWinner(name) => {
            let side = rules.seats.entries().find(|(_, seat)| seat.name == *name).map(|(id, _)| *rules.side_of.at(id));
            match node {
                Node::End(end) if side.is_some_and(|side| end.result == GameResult::Won(side)) => Ok(()),
                _ => differ(format!("{name} wins"), describe_result(rules, node)),
            }
        }
        ExampleStep::ExpectDraw => match node {
            Node::End(end) if matches!(end.result, GameResult::Draw(_)) => Ok(()),
            _ => Err(format!("expected a draw, found {}", describe_result(rules, node))),
        },
        ExampleStep::ExpectOpen => differ("the game goes on".to_owned(), describe_result(rules, node)),
        ExampleStep::ExpectEnding(id) => {
            let name = |id: crate::rules::EndingId| format!("the ending {}", rules.game.endings.at(id).name);
            let found = match node {
                Node::End(end) => end.ending.map_or_else(|| describe_result(rules, node), name),
                _ => describe_result(rules, node),
            };
            differ(name(*id), found)
        }
        ExampleStep::Position(_) | ExampleStep::Play(_) => Ok(()),
    }
}

/// The moves on offer, as they are written.
fn moves_on_offer(reference: &Reference, position: &Position) -> Result<Vec<String>, String> {
    match reference.node(position) {
        Node::Choice(_) => {
            Ok(reference.moves(position).iter().map(|chosen| print_move(reference.rules(), chosen)).collect())
        }
        Node::Chance(_) => Err("nothing can be chosen here: a throw is due".to_owned()),
        Node::End(_) => Err("nothing can be chosen here: the game is over".to_owned()),
    }
}

/// The moves a text names: places of the board and counts.
fn moves_named(rules: &Rules, text: &str) -> Result<Vec<String>, String> {
    text.split_whitespace()
        .map(|name| match name.split(':').find(|part| !is_part(rules, part)) {
            None => Ok(name.to_owned()),
            Some(part) => Err(format!("`{part}` is no place on the board; name moves only, without throws")),
        })
        .collect()
}
