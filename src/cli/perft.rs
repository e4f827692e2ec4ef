//! `ayn perft`.

use std::io::Write;

use serde::Serialize;

use super::{
    Done,
    args::PerftArgs,
    load::{self, Provenance},
    output,
};
use crate::{
    engine::{Compiled, Visitor},
    sim::perft,
    tree::Tree,
    view::View,
};

#[derive(Serialize)]
struct Report {
    #[serde(flatten)]
    provenance: Provenance,
    depth: u8,
    counts: Vec<u64>,
}

/// Counts from the start, or from a position.
struct Counting<'a> {
    from: Option<&'a View>,
    depth: usize,
}

impl Visitor for Counting<'_> {
    type Output = Vec<u64>;

    fn visit<T: Tree>(self, tree: &T) -> Vec<u64> {
        let position = self.from.map_or_else(|| tree.start(), |view| tree.begin(view));
        perft(tree, &position, self.depth)
    }
}

pub(crate) fn run(args: &PerftArgs) -> Done {
    let (_, rules) = load::rules(&args.file, &args.choices)?;
    let from = args.position.as_deref().map(|text| load::view(&rules, text)).transpose()?;
    let provenance = Provenance::of(&rules);
    let game = Compiled::new(rules, 0);
    let count = |depth| game.visit(Counting { from: from.as_ref(), depth });
    if args.choices.json {
        let counts = count(usize::from(args.depth));
        return output::json(&Report { provenance, depth: args.depth, counts });
    }
    let mut out = output::out();
    writeln!(out, "{}", provenance.game)?;
    writeln!(out, "{}", provenance.line())?;
    out.flush()?;
    // Depth by depth, so that what is known stands there when a deeper one takes too long.
    for depth in 1..=usize::from(args.depth) {
        writeln!(out, "{depth:3}  {}", count(depth).last().copied().unwrap_or(0))?;
        out.flush()?;
    }
    Ok(())
}
