//! `ayn ir`.

use std::io::Write;

use super::{
    Done,
    args::ShowArgs,
    load::{self, Provenance},
    output,
};
use crate::engine::Compiled;

pub(crate) fn run(args: &ShowArgs) -> Done {
    let (source, rules) = load::rules(&args.file, &args.choices)?;
    let provenance = Provenance::of(&rules);
    let game = Compiled::new(rules, 0);
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
