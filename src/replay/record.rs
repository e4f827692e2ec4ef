//! A record held against one set of rules.

use std::sync::Arc;

use crate::{
    diagnostic::nearest,
    example::{captured, expect},
    notation::{Misfit, Player, RecordError, describe_result, print_position, read_position},
    reference::{Position, Reference},
    rules::{ExampleStep, Game, OptionId, ReadingId, Setup, SetupError},
    source::RecordFile,
    span::{Name, Span, Spanned},
    syntax::{self, Item, PlayedGame, Token, ast::ExampleLineKind as Line},
    tree::Tree,
};

/// The readings and options chosen for all records, and which of them stand fast.
#[derive(Debug, Clone)]
pub struct Chosen {
    /// What is chosen.
    pub setup: Setup,
    /// Readings that are not tried otherwise.
    pub readings: Vec<ReadingId>,
    /// Options that no record may set otherwise.
    pub options: Vec<OptionId>,
}

impl Chosen {
    /// Chooses from texts of the form `NAME=VALUE`; what is named stands fast.
    ///
    /// # Errors
    /// Those of [`Setup::choose`].
    pub fn new(game: &Game, readings: &[String], options: &[String]) -> Result<Self, SetupError> {
        let setup = Setup::choose(game, readings, options)?;
        let names = |texts: &[String], name: &str| texts.iter().any(|text| text.split('=').next() == Some(name));
        let readings = game.readings.entries().filter(|(_, reading)| names(readings, &reading.name));
        let options = game.options.entries().filter(|(_, option)| names(options, &option.name));
        Ok(Self { setup, readings: readings.map(|(id, _)| id).collect(), options: options.map(|(id, _)| id).collect() })
    }
}

/// A game that was played, as its record tells it.
#[derive(Debug, Clone)]
pub struct Record {
    /// What it is called, where the file holds several.
    pub title: Option<String>,
    /// Where it begins in its file.
    pub span: Span,
    /// The chosen readings and options, with what the record itself says of them.
    pub setup: Setup,
    /// The readings that the record names.
    pub readings: Vec<ReadingId>,
    /// The options that the record names.
    pub options: Vec<OptionId>,
    position: Option<Spanned<String>>,
    pub(super) steps: Vec<Step>,
    /// Where its options are written, else where it begins.
    head: Span,
}

/// A step of a record.
#[derive(Debug, Clone)]
pub(super) enum Step {
    /// A move or a throw.
    Token(Token),
    /// What must be so now.
    Expect(ExampleStep, Span),
    /// How the game ended: passes to which there is no alternative may be missing before.
    Result(ExampleStep, Span),
}

/// A game that the rules explain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explained {
    /// Choices made and passes of whole turns, also those that the record leaves out.
    pub plies: u32,
    /// Whole turns.
    pub turns: u32,
    /// The position after them, in notation.
    pub position: String,
    /// The result in words.
    pub result: String,
}

/// Reads the records of a file.
///
/// # Errors
/// [`RecordError`] where the file cannot be read, or names what the game does not have.
pub fn read_records(game: &Arc<Game>, chosen: &Chosen, file: &RecordFile) -> Result<Vec<Record>, RecordError> {
    let games = syntax::record_file(file.text()).map_err(|error| RecordError::unreadable(&error))?;
    games.into_iter().map(|written| Reader { game, chosen, file }.record(written)).collect()
}

struct Reader<'a> {
    game: &'a Game,
    chosen: &'a Chosen,
    file: &'a RecordFile,
}

impl Reader<'_> {
    fn record(&self, written: PlayedGame) -> Result<Record, RecordError> {
        if written.items.is_empty() && written.result.is_none() {
            return Err(RecordError::new(written.span, Misfit::NoMoves));
        }
        let mut record = Record {
            title: written.title.map(|title| title.node),
            span: written.span,
            setup: self.chosen.setup.clone(),
            readings: vec![],
            options: vec![],
            position: None,
            steps: vec![],
            head: written.span,
        };
        let mut named = None;
        for line in written.head {
            match line.kind {
                Line::Reading(name, value) => {
                    self.reading(&mut record, &name, &value)?;
                    named = Some(line.span);
                }
                Line::Option(name, value) => {
                    self.option(&mut record, &name, value.span)?;
                    (named, record.head) = (Some(line.span), line.span);
                }
                Line::Position(text) => record.position = Some(text),
                _ => {}
            }
        }
        if let Some(span) = named {
            record.setup.all_matter(self.game).map_err(|error| RecordError::new(span, Misfit::Setup(error)))?;
        }
        for item in written.items {
            record.steps.push(match item {
                Item::Token(token) => Step::Token(token),
                Item::Expect(line) => Step::Expect(self.expectation(line.kind)?, line.span),
            });
        }
        if let Some((span, winner)) = written.result {
            let expected = winner.map_or(Ok(ExampleStep::ExpectDraw), |name| self.winner(&name))?;
            record.steps.push(Step::Result(expected, span));
        }
        Ok(record)
    }

    fn reading(&self, record: &mut Record, name: &Name, value: &Name) -> Result<(), RecordError> {
        let game = self.game;
        let id = Setup::find_reading(game, &name.node).map_err(|error| unset(name.span, error))?;
        record.setup.set_reading(game, id, &value.node).map_err(|error| unset(value.span, error))?;
        let chosen = self.chosen.setup.reading(id);
        if self.chosen.readings.contains(&id) && chosen != record.setup.reading(id) {
            let chosen = game.readings.at(id).alternatives.at(chosen).name.clone();
            return Err(RecordError::new(value.span, Misfit::ChosenOtherwise { name: name.node.clone(), chosen }));
        }
        record.readings.push(id);
        Ok(())
    }

    fn option(&self, record: &mut Record, name: &Name, value: Span) -> Result<(), RecordError> {
        let game = self.game;
        let text = self.file.text().get(value.range()).unwrap_or_default();
        record.setup.set_option(game, &name.node, text).map_err(|error| {
            let place = if matches!(error, SetupError::UnknownOption { .. }) { name.span } else { value };
            unset(place, error)
        })?;
        let Some((id, option)) = game.options.entries().find(|(_, option)| option.name == name.node) else {
            return Ok(());
        };
        let chosen = self.chosen.setup.option(id);
        if self.chosen.options.contains(&id) && chosen != record.setup.option(id) {
            let chosen = option.format(chosen);
            return Err(RecordError::new(value, Misfit::ChosenOtherwise { name: name.node.clone(), chosen }));
        }
        record.options.push(id);
        Ok(())
    }

    fn expectation(&self, line: Line) -> Result<ExampleStep, RecordError> {
        Ok(match line {
            Line::ExpectPosition(text) => ExampleStep::ExpectPosition(text.node),
            Line::ExpectCaptured(numbers) => ExampleStep::ExpectCaptured(
                numbers.iter().map(|n| i64::try_from(n.node.digits).unwrap_or(i64::MAX)).collect(),
            ),
            Line::ExpectChoices(text) => ExampleStep::ExpectChoices(text.node),
            Line::ExpectRefused(text) => ExampleStep::ExpectRefused(text.node),
            Line::ExpectWinner(name) => self.winner(&name)?,
            Line::ExpectDraw => ExampleStep::ExpectDraw,
            Line::ExpectEnding(name) => {
                let endings = &self.game.endings;
                match endings.entries().find(|(_, ending)| ending.name == name.node) {
                    Some((id, _)) => ExampleStep::ExpectEnding(id),
                    None => return Err(unknown("ending", &name, endings.iter().map(|ending| ending.name.as_str()))),
                }
            }
            _ => ExampleStep::ExpectOpen,
        })
    }

    fn winner(&self, name: &Name) -> Result<ExampleStep, RecordError> {
        const SEATS: [&str; 4] = ["South", "East", "North", "West"];
        if SEATS.contains(&name.node.as_str()) {
            Ok(ExampleStep::ExpectWinner(name.node.clone()))
        } else {
            Err(unknown("seat", name, SEATS.into_iter()))
        }
    }
}

fn unset(span: Span, error: SetupError) -> RecordError {
    RecordError::new(span, Misfit::Setup(error))
}

fn unknown<'a>(what: &'static str, name: &Name, all: impl Iterator<Item = &'a str>) -> RecordError {
    let near = nearest(&name.node, all);
    RecordError::new(name.span, Misfit::Unknown { what, name: name.node.clone(), near })
}

/// What became of a record under some rules.
pub(super) struct Run {
    pub(super) outcome: Result<Explained, RecordError>,
    /// Steps of the record that the rules explain.
    pub(super) done: usize,
    /// Steps of evaluation.
    pub(super) effort: u64,
}

/// Steps of evaluation that are counted for a step of a record besides those of the rules.
const STEP: u64 = 200;

impl Record {
    /// Where a move, throw or other statement is written, counted from 0.
    #[must_use]
    pub fn place(&self, statement: usize) -> Option<Span> {
        self.steps.get(statement).map(|step| match step {
            Step::Token(token) => token.span(),
            Step::Expect(_, span) | Step::Result(_, span) => *span,
        })
    }

    /// How many moves, throws and other statements it has.
    #[must_use]
    pub fn statements(&self) -> usize {
        self.steps.len()
    }

    /// The error of rules that cannot be played.
    pub(super) fn unplayable(&self, reason: String) -> RecordError {
        RecordError::new(self.head, Misfit::Unplayable { reason })
    }

    /// Plays it; what one move is said to take may be left out of account.
    pub(super) fn run(&self, reference: &Reference, without: Option<usize>) -> Run {
        let mut position = match self.begin(reference) {
            Ok(position) => position,
            Err(error) => return Run { outcome: Err(error), done: 0, effort: STEP },
        };
        let (mut player, mut done) = (Player::new(reference), 0);
        let before = captured(reference, &position);
        let mut outcome = Ok(());
        for (n, step) in self.steps.iter().enumerate() {
            outcome = match step {
                Step::Token(Token::Move(written)) if without == Some(n) => {
                    let token = Token::Move(syntax::MoveToken { taken: None, ..written.clone() });
                    player.play(&mut position, &token, &mut ())
                }
                Step::Token(token) => player.play(&mut position, token, &mut ()),
                Step::Expect(expected, span) | Step::Result(expected, span) => {
                    if matches!(step, Step::Result(..)) {
                        while player.pass(&mut position, &mut ()) {}
                    }
                    expect(reference, &position, expected, &before)
                        .map_err(|reason| player.fail(&position, *span, Misfit::Expected { reason }))
                }
            };
            if outcome.is_err() {
                break;
            }
            done += 1;
        }
        let effort = reference.effort(&position) + STEP * (done as u64 + 1);
        let outcome = outcome.map(|()| Explained {
            plies: player.plies,
            turns: reference.turns(&position),
            position: print_position(reference.rules(), &reference.view(&position)),
            result: describe_result(reference.rules(), reference.node(&position)),
        });
        Run { outcome, done, effort }
    }

    fn begin(&self, reference: &Reference) -> Result<Position, RecordError> {
        let Some(text) = &self.position else { return Ok(reference.start()) };
        let view = read_position(reference.rules(), &text.node)
            .map_err(|error| RecordError::new(text.span, Misfit::Position(error)))?;
        Ok(reference.begin(&view))
    }

    /// Where a run stops because a move takes something else, and all the rest is explained: what it takes.
    pub(super) fn only_wrong(&self, reference: &Reference, run: &Run) -> Option<i64> {
        let Misfit::Takes { found, .. } = run.outcome.as_ref().err()?.misfit.as_ref() else { return None };
        self.run(reference, Some(run.done)).outcome.is_ok().then_some(*found)
    }
}
