//! `ayn check`.

use std::{io::Write, path::Path};

use serde::Serialize;

use super::{
    Done, Failure,
    args::FilesArgs,
    load::{self, Loaded},
    output::{self, BAD, GOOD},
};
use crate::{
    check::bind,
    diagnostic::{Diagnostic, Severity, render},
    rules::Game,
    source::RuleFile,
};

#[derive(Serialize)]
struct FileReport {
    file: String,
    ok: bool,
    /// Why the file could not be looked at.
    failure: Option<String>,
    /// The hash of the rules with the chosen readings and options.
    rules: Option<String>,
    diagnostics: Vec<Item>,
}

/// A diagnostic in JSON.
#[derive(Serialize)]
pub(super) struct Item {
    code: &'static str,
    severity: &'static str,
    message: String,
    label: String,
    help: Option<String>,
    line: usize,
    column: usize,
    start: u32,
    end: u32,
    under: Option<String>,
}

pub(crate) fn run(args: &FilesArgs) -> Done {
    let mut failed = false;
    let mut reports = vec![];
    let mut out = output::out();
    for path in &args.files {
        let (loaded, rules) = match one(path, args) {
            Ok(found) => found,
            Err(Failure::Message(message)) => {
                failed = true;
                if args.choices.json {
                    let file = path.display().to_string();
                    reports.push(FileReport {
                        file,
                        ok: false,
                        failure: Some(message),
                        rules: None,
                        diagnostics: vec![],
                    });
                } else {
                    output::complain(&message);
                }
                continue;
            }
            Err(failure) => return Err(failure),
        };
        failed |= rules.is_none();
        if args.choices.json {
            reports.push(report(&loaded, rules));
            continue;
        }
        draw(&loaded.source, &loaded.checked.diagnostics);
        match (&loaded.checked.game, rules) {
            (Some(game), Some(hash)) => {
                let summary = summary(game, &loaded.checked.diagnostics);
                writeln!(out, "{}: {GOOD}ok{GOOD:#}, {summary}, rules {hash}", path.display())?;
            }
            _ => {
                let errors = count(&loaded.checked.diagnostics, Severity::Error);
                writeln!(out, "{}: {BAD}{errors}{BAD:#}", path.display())?;
            }
        }
        out.flush()?;
    }
    if args.choices.json {
        output::json(&reports)?;
    }
    if failed { Err(Failure::Told) } else { Ok(()) }
}

/// How many diagnostics of a file are drawn.
const MOST_SHOWN: usize = 50;

/// Draws the first diagnostics of a file, and says how many more there are.
pub(super) fn draw(source: &RuleFile, diagnostics: &[Diagnostic]) {
    let more = diagnostics.len().saturating_sub(MOST_SHOWN);
    for diagnostic in diagnostics.iter().take(MOST_SHOWN) {
        output::tell(&render(source, diagnostic, output::colours()));
        output::tell("");
    }
    if more > 0 {
        output::tell(&format!("... and {more} more\n"));
    }
}

/// A file as it was found, and the hash of its rules with the chosen readings and options.
fn one(path: &Path, args: &FilesArgs) -> Result<(Loaded, Option<String>), Failure> {
    let loaded = load::read(path)?;
    let rules = match &loaded.checked.game {
        Some(game) => {
            let setup = load::setup(game, &args.choices)?;
            Some(bind(game, &setup).map_err(|error| load::unplayable(&loaded.source, &error))?.hash())
        }
        None => None,
    };
    Ok((loaded, rules))
}

fn summary(game: &Game, diagnostics: &[Diagnostic]) -> String {
    let setups = game.readings.iter().map(|reading| reading.alternatives.len()).product::<usize>();
    let counts = [
        plural(game.claims.len(), "claim"),
        plural(game.readings.len(), "reading"),
        format!("{setups} in combination"),
        plural(game.options.len(), "option"),
        plural(game.examples.len(), "example"),
        count(diagnostics, Severity::Warning),
        count(diagnostics, Severity::Note),
    ];
    counts.join(", ")
}

fn count(diagnostics: &[Diagnostic], severity: Severity) -> String {
    let n = diagnostics.iter().filter(|found| found.words().severity == severity).count();
    plural(n, word(severity))
}

fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

pub(super) fn plural(n: usize, word: &str) -> String {
    if n == 1 { format!("1 {word}") } else { format!("{n} {word}s") }
}

fn report(loaded: &Loaded, rules: Option<String>) -> FileReport {
    FileReport {
        file: loaded.source.name().to_owned(),
        ok: rules.is_some(),
        failure: None,
        rules,
        diagnostics: items(&loaded.source, &loaded.checked.diagnostics),
    }
}

pub(super) fn items(source: &RuleFile, diagnostics: &[Diagnostic]) -> Vec<Item> {
    let item = |diagnostic: &Diagnostic| {
        let words = diagnostic.words();
        let (line, column) = source.position(diagnostic.span.start);
        Item {
            code: words.code,
            severity: word(words.severity),
            message: words.message,
            label: words.label,
            help: words.help,
            line,
            column,
            start: diagnostic.span.start,
            end: diagnostic.span.end,
            under: diagnostic.under.clone(),
        }
    };
    diagnostics.iter().map(item).collect()
}
