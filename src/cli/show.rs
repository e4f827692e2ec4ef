//! `ayn show`.

use std::io::Write;

use serde::Serialize;

use super::{
    Done,
    args::ShowArgs,
    draw,
    load::{self, Provenance},
    output::{self, FAINT, STRONG},
};
use crate::{notation::print_position, rules::Rules, tree::Tree};

#[derive(Serialize)]
struct Report<'a> {
    #[serde(flatten)]
    provenance: Provenance,
    seats: Vec<&'a str>,
    /// The names of the pits or squares.
    places: Vec<&'a str>,
    /// The squares of each seat's track, in order.
    tracks: Vec<Vec<&'a str>>,
    start: String,
}

pub(crate) fn run(args: &ShowArgs) -> Done {
    let (_, reference) = load::reference(&args.file, &args.choices)?;
    let rules = reference.rules();
    let start = reference.view(&reference.start());
    let provenance = Provenance::of(rules);
    if args.choices.json {
        let name = |site: &crate::rules::SiteId| rules.board.sites.at(*site).name.as_str();
        return output::json(&Report {
            provenance,
            seats: rules.seats.iter().map(|seat| seat.name).collect(),
            places: rules.board.places().map(|(_, site)| site.name.as_str()).collect(),
            tracks: rules.ways.iter().map(|way| way.on_the_way().map(|spot| name(&spot.site)).collect()).collect(),
            start: print_position(rules, &start),
        });
    }
    let mut out = output::out();
    writeln!(out, "{STRONG}{}{STRONG:#}", heading(rules))?;
    writeln!(out, "{FAINT}{}{FAINT:#}\n", provenance.line())?;
    writeln!(out, "{}", draw::board(rules, &start))?;
    for region in &rules.game.regions {
        let places = region.places.iter().filter_map(|(place, _)| rules.board.site_at(*place));
        let names: Vec<&str> = places.map(|site| rules.board.sites.at(site).name.as_str()).collect();
        let whose = if region.symmetry.is_some() { ", and so for each seat" } else { "" };
        writeln!(out, "* {}: {}{whose}\n", region.name, names.join(", "))?;
    }
    for (title, drawn) in draw::ways(rules) {
        writeln!(out, "{title}")?;
        writeln!(out, "{drawn}")?;
    }
    writeln!(out, "start: {}", print_position(rules, &start))?;
    out.flush()?;
    Ok(())
}

fn heading(rules: &Rules) -> String {
    let game = &rules.game;
    let also = if game.also.is_empty() { String::new() } else { format!(" (also {})", game.also.join(", ")) };
    let played = if game.played.is_empty() { String::new() } else { format!(", {}", game.played.join("; ")) };
    format!("{}{also}{played}", game.title)
}
