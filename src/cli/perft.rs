//! `ayn perft`.

use std::io::Write;

use serde::Serialize;

use super::{
    Done,
    args::PerftArgs,
    load::{self, Provenance},
    output,
};
use crate::sim::perft;

#[derive(Serialize)]
struct Report {
    #[serde(flatten)]
    provenance: Provenance,
    depth: u8,
    counts: Vec<u64>,
}

pub(crate) fn run(args: &PerftArgs) -> Done {
    let (_, reference) = load::reference(&args.file, &args.choices)?;
    let start = load::start(&reference, args.position.as_deref(), &mut ())?;
    let counts = perft(&reference, &start, usize::from(args.depth));
    let provenance = Provenance::of(reference.rules());
    if args.choices.json {
        return output::json(&Report { provenance, depth: args.depth, counts });
    }
    let mut out = output::out();
    writeln!(out, "{}", provenance.game)?;
    writeln!(out, "{}", provenance.line())?;
    for (depth, count) in counts.iter().enumerate() {
        writeln!(out, "{:3}  {count}", depth + 1)?;
    }
    out.flush()?;
    Ok(())
}
