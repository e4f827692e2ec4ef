//! `ayn compare`.

mod csv;
mod table;

use std::{fmt::Write as _, path::Path, sync::Arc};

use super::{
    Done, Failure,
    args::{CompareArgs, agents},
    load, output,
    progress::watched,
};
use crate::{
    agents::LineUp,
    compare::{Account, Comparison, Design, DesignError, POSITIONS, Question},
    report::Page,
    rules::{Game, ReadingId, Setup, SetupError},
};

pub(crate) fn run(args: &CompareArgs) -> Done {
    let (source, game) = load::game(&args.file)?;
    let chosen = load::setup(&game, &args.choices)?;
    let question = question(args, &game)?;
    let message = |error: DesignError| Failure::Message(format!("{}: {error}", args.file.display()));
    let design = Design::new(&game, &chosen, question).map_err(message)?;
    let mut comparison = Comparison {
        line_ups: line_ups(args, &design)?,
        design,
        games: args.games,
        look_into: 0,
        seed: args.seed,
        threads: usize::from(args.threads),
        max_turns: args.max_turns.unwrap_or(u32::MAX),
        margin: args.margin / 100.0,
        positions: POSITIONS,
        stop_early: args.stop_early,
    };
    if let Some(points) = args.detect {
        comparison.games = comparison.games_to_detect(points / 100.0, args.power);
        let (games, setups, line_ups) = (comparison.games, comparison.design.cells.len(), comparison.line_ups.len());
        output::tell(&format!("{games} games for each of {setups} setups and {line_ups} line-ups"));
    }
    comparison.look_into = Comparison::some_of(comparison.games);
    // That it cannot be written is told before the games are played.
    let report = args.report.as_ref().map(|path| page_file(path)).transpose()?;
    let (findings, interrupted) = watched(comparison.work(), |control| comparison.run(control))?;
    let account = comparison.account(&findings, interrupted);
    let command = again(args, &account);
    if args.choices.json {
        output::json(&account)?;
    } else if args.csv {
        csv::print(&account)?;
    } else {
        table::print(&account, &command)?;
    }
    if let Some(report) = report {
        let (comparison, findings, account) = (&comparison, &findings, &account);
        let page = Page { source: &source, game: &game, comparison, findings, account, command: &command };
        report.write(&page.html())?;
    }
    if interrupted { Err(Failure::Interrupted) } else { Ok(()) }
}

/// The file of a page. Its name says so: no rule file is written over.
fn page_file(path: &Path) -> Result<output::File<'_>, Failure> {
    let is_page = path.extension().is_some_and(|extension| extension == "html" || extension == "htm");
    if !is_page {
        return Err(Failure::Usage(format!("{}: the name of a report ends in .html", path.display())));
    }
    output::File::create(path)
}

fn question(args: &CompareArgs, game: &Arc<Game>) -> Result<Question, Failure> {
    if let Some(path) = &args.against {
        let (_, other) = load::game(path)?;
        let setup = other_setup(&other, args)?;
        return Ok(Question::Against(other, Box::new(setup)));
    }
    if args.all {
        return Ok(Question::Factorial(game.readings.ids().collect()));
    }
    if args.crossed.is_empty() {
        return Ok(Question::Each(game.readings.ids().collect()));
    }
    let found = args.crossed.iter().map(|name| Setup::find_reading(game, name));
    let mut found: Vec<ReadingId> =
        found.collect::<Result<_, SetupError>>().map_err(|error| Failure::Message(error.to_string()))?;
    found.sort_unstable();
    found.dedup();
    Ok(Question::Factorial(found))
}

/// The setup of the other file: what was chosen for the first is chosen for it too, where it has such a reading or option.
fn other_setup(other: &Game, args: &CompareArgs) -> Result<Setup, Failure> {
    let known = |texts: &[String], names: Vec<&str>| -> Vec<String> {
        let has = |text: &&String| names.contains(&text.split('=').next().unwrap_or_default());
        texts.iter().filter(has).cloned().collect()
    };
    let mut choices = args.choices.clone();
    choices.readings = known(&choices.readings, other.readings.iter().map(|reading| reading.name.as_str()).collect());
    choices.options = known(&choices.options, other.options.iter().map(|option| option.name.as_str()).collect());
    load::setup(other, &choices)
}

fn line_ups(args: &CompareArgs, design: &Design) -> Result<Vec<LineUp>, Failure> {
    let usage = |error: &dyn std::fmt::Display| Failure::Usage(error.to_string());
    let parsed = args.agents.iter().map(|text| text.parse::<LineUp>());
    let line_ups = parsed.collect::<Result<Vec<_>, _>>().map_err(|error| usage(&error))?;
    if let Some(twice) =
        line_ups.iter().enumerate().find(|(n, line_up)| line_ups.iter().take(*n).any(|other| other == *line_up))
    {
        return Err(Failure::Usage(format!("the line-up `{}` is named twice", twice.1)));
    }
    for (line_up, cell) in line_ups.iter().flat_map(|line_up| design.cells.iter().map(move |cell| (line_up, cell))) {
        agents(line_up, &cell.rules)?;
    }
    Ok(line_ups)
}

/// The command that gives the very same figures.
fn again(args: &CompareArgs, account: &Account) -> String {
    let mut text = format!("ayn compare {}", quoted(&args.file));
    for reading in &args.choices.readings {
        let _ = write!(text, " --reading {reading}");
    }
    for option in &args.choices.options {
        let _ = write!(text, " --set {option}");
    }
    if args.all {
        text += " --all";
    }
    if !args.crossed.is_empty() {
        let _ = write!(text, " --readings {}", args.crossed.join(","));
    }
    if let Some(path) = &args.against {
        let _ = write!(text, " --against {}", quoted(path));
    }
    if args.stop_early {
        text += " --stop-early";
    }
    let _ = write!(text, " -n {} --seed {} --agents {}", account.games, account.seed, account.line_ups.join(","));
    if let Some(turns) = args.max_turns {
        let _ = write!(text, " --max-turns {turns}");
    }
    let _ = write!(text, " --margin {}", args.margin);
    text
}

/// A path as a shell reads it.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_alphanumeric() || "-_./".contains(c);
    if text.chars().all(plain) { text } else { format!("'{}'", text.replace('\'', "'\\''")) }
}
