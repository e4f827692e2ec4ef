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
    let provenance = Provenance::of(reference.rules());
    if args.choices.json {
        let counts = perft(&reference, &start, usize::from(args.depth));
        return output::json(&Report { provenance, depth: args.depth, counts });
    }
    let mut out = output::out();
    writeln!(out, "{}", provenance.game)?;
    writeln!(out, "{}", provenance.line())?;
    out.flush()?;
    // Depth by depth, so that what is known stands there when a deeper one takes too long.
    for depth in 1..=usize::from(args.depth) {
        let counts = perft(&reference, &start, depth);
        writeln!(out, "{depth:3}  {}", counts.last().copied().unwrap_or(0))?;
        out.flush()?;
    }
    Ok(())
}
