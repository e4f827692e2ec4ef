//! `ayn check`.

use std::io::Write;

use serde::Serialize;

use super::{
    Done, Failure,
    args::FilesArgs,
    load::{self, Loaded},
    output::{self, BAD, GOOD},
};
use crate::{
    diagnostic::{Diagnostic, Severity, render},
    rules::{Game, Rules},
};

#[derive(Serialize)]
struct FileReport {
    file: String,
    ok: bool,
    /// The hash of the rules with the chosen readings and options.
    rules: Option<String>,
    diagnostics: Vec<Item>,
}

#[derive(Serialize)]
struct Item {
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
        let loaded = match load::read(path) {
            Ok(loaded) => loaded,
            Err(Failure::Message(message)) => {
                failed = true;
                output::complain(&message);
                continue;
            }
            Err(failure) => return Err(failure),
        };
        let setup = loaded.checked.game.as_ref().map(|game| load::setup(game, &args.choices)).transpose()?;
        let hash = match (&loaded.checked.game, &setup) {
            (Some(game), Some(setup)) => {
                Some(Rules::bind(game, setup).map_err(|error| Failure::Message(error.to_string()))?.hash())
            }
            _ => None,
        };
        failed |= hash.is_none();
        if args.choices.json {
            reports.push(report(&loaded, hash));
            continue;
        }
        for diagnostic in &loaded.checked.diagnostics {
            output::tell(&render(&loaded.source, diagnostic, output::colours()));
            output::tell("");
        }
        match (&loaded.checked.game, hash) {
            (Some(game), Some(hash)) => {
                let style = GOOD;
                writeln!(
                    out,
                    "{}: {style}ok{style:#}, {}, rules {hash}",
                    path.display(),
                    summary(game, &loaded.checked.diagnostics)
                )?;
            }
            _ => {
                let style = BAD;
                let errors = count(&loaded.checked.diagnostics, Severity::Error);
                writeln!(out, "{}: {style}{errors}{style:#}", path.display())?;
            }
        }
        out.flush()?;
    }
    if args.choices.json {
        output::json(&reports)?;
    }
    if failed { Err(Failure::Told) } else { Ok(()) }
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
    let diagnostics = loaded.checked.diagnostics.iter().map(|diagnostic| {
        let words = diagnostic.words();
        let (line, column) = loaded.source.position(diagnostic.span.start);
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
    });
    FileReport { file: loaded.source.name().to_owned(), ok: rules.is_some(), rules, diagnostics: diagnostics.collect() }
}
