//! `ayn test`.

use std::io::Write;

use serde::Serialize;

use super::{
    Done, Failure,
    args::FilesArgs,
    check::plural,
    load,
    output::{self, BAD, GOOD},
};
use crate::example::run_example;

#[derive(Serialize)]
struct FileReport {
    file: String,
    /// Why the file could not be looked at.
    failure: Option<String>,
    passed: usize,
    failed: usize,
    examples: Vec<ExampleReport>,
}

#[derive(Serialize)]
struct ExampleReport {
    example: String,
    line: usize,
    ok: bool,
    message: Option<String>,
}

pub(crate) fn run(args: &FilesArgs) -> Done {
    let mut reports = vec![];
    let mut out = output::out();
    for path in &args.files {
        let loaded = load::game(path).and_then(|(source, game)| {
            let setup = load::setup(&game, &args.choices)?;
            Ok((source, game, setup))
        });
        let (source, game, setup) = match loaded {
            Ok(loaded) => loaded,
            Err(Failure::Message(message)) => {
                if !args.choices.json {
                    output::complain(&message);
                }
                let file = path.display().to_string();
                reports.push(FileReport { file, failure: Some(message), passed: 0, failed: 0, examples: vec![] });
                continue;
            }
            Err(failure) => return Err(failure),
        };
        let examples = game.examples.iter().map(|example| {
            let failure = run_example(&game, &setup, example).err();
            let at = failure.as_ref().map_or(example.span, |failure| failure.span);
            ExampleReport {
                example: example.title.clone(),
                line: source.position(at.start).0,
                ok: failure.is_none(),
                message: failure.map(|failure| failure.message),
            }
        });
        let examples: Vec<ExampleReport> = examples.collect();
        let passed = examples.iter().filter(|example| example.ok).count();
        let report = FileReport {
            file: source.name().to_owned(),
            failure: None,
            passed,
            failed: examples.len() - passed,
            examples,
        };
        if !args.choices.json {
            print(&mut out, &report)?;
        }
        reports.push(report);
    }
    if args.choices.json {
        output::json(&reports)?;
    }
    out.flush()?;
    if reports.iter().any(|report| report.failed > 0 || report.failure.is_some()) { Err(Failure::Told) } else { Ok(()) }
}

fn print(out: &mut impl Write, report: &FileReport) -> Result<(), Failure> {
    for example in &report.examples {
        match &example.message {
            None => writeln!(out, "{GOOD}ok{GOOD:#}     {}", example.example)?,
            Some(message) => {
                writeln!(out, "{BAD}FAILED{BAD:#} {}", example.example)?;
                writeln!(out, "       {}:{}: {message}", report.file, example.line)?;
            }
        }
    }
    let total = plural(report.passed + report.failed, "example");
    writeln!(out, "{}: {total}, {} failed", report.file, report.failed)?;
    Ok(())
}
