//! `ayn ir`.

use std::io::Write;

use serde::Serialize;

use super::{
    Done,
    args::ShowArgs,
    load::{self, Provenance},
    output,
};
use crate::engine::Compiled;

#[derive(Serialize)]
struct Report {
    #[serde(flatten)]
    provenance: Provenance,
    /// A line for each instruction, with the place of its rule in the file, in bytes.
    program: Option<Vec<String>>,
}

pub(crate) fn run(args: &ShowArgs) -> Done {
    let (source, rules) = load::rules(&args.file, &args.choices)?;
    let provenance = Provenance::of(&rules);
    let game = Compiled::new(rules, 0);
    if args.choices.json {
        let listing = game.listing(|rule| game.rules().game.rules.at(rule).span.start.to_string());
        let program = listing.map(|text| text.lines().map(str::to_owned).collect());
        return output::json(&Report { provenance, program });
    }
    let mut out = output::out();
    writeln!(out, "{}", provenance.game)?;
    writeln!(out, "{}", provenance.line())?;
    let line = |rule| {
        let span = game.rules().game.rules.at(rule).span;
        let text = source.slice(span).lines().next().unwrap_or_default();
        let end = text.find(['@', '#']).unwrap_or(text.len());
        format!("{:4}: {}", source.position(span.start).0, text.get(..end).unwrap_or(text).trim_end())
    };
    match game.listing(line) {
        Some(listing) => write!(out, "{listing}")?,
        None => writeln!(out, "too large for a program: it is played statement by statement")?,
    }
    out.flush()?;
    Ok(())
}
