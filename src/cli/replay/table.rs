//! Many records, side by side.

use std::io::Write;

use super::{Done, Told, counted, own, said, said_of_readings, untried};
use crate::{
    cli::output::{BAD, GOOD, STRONG},
    replay::Search,
};

/// How many groups of combinations are told.
const MOST_GROUPS: usize = 12;

pub(super) fn print(out: &mut impl Write, told: &Told<'_>) -> Done {
    let names: Vec<String> = (0..told.records.len()).map(|n| told.name(n)).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    for ((n, record, replayed), name) in told.each().zip(&names) {
        match &replayed.outcome {
            Ok(explained) => {
                let plies = said(explained.plies, "ply", "plies");
                writeln!(out, "{name:width$}  {GOOD}explained{GOOD:#}      {plies}, {}", explained.result)?;
            }
            Err(error) => {
                let words = error.words();
                let line =
                    told.of.get(n).and_then(|file| told.files.get(*file)).map(|file| file.position(error.span.start).0);
                let place = line.map(|line| format!("line {line}, ")).unwrap_or_default();
                writeln!(out, "{name:width$}  {BAD}not explained{BAD:#}  {place}{}: {}", words.label, words.message)?;
                if let Some(found) = told.only_wrong(n) {
                    writeln!(
                        out,
                        "{:width$}                 if it said +{found} there, the chosen readings would explain it",
                        ""
                    )?;
                }
            }
        }
        if let Some(own) = own(told.game, record) {
            writeln!(out, "{:width$}                 it says itself {own}", "")?;
        }
        if let Some(search) = &told.replay.search {
            let evidence = search.evidence(told.game, told.chosen, n);
            writeln!(out, "{:width$}                 {}", "", counted(&evidence))?;
            for line in told.corrections(n, search) {
                writeln!(out, "{:width$}                 {line}", "")?;
            }
        }
    }
    let all = told.replay.records.len();
    let explained = told.replay.records.iter().filter(|record| record.outcome.is_ok()).count();
    writeln!(out, "\nthe chosen readings explain {explained} of {all} records")?;
    if let Some(line) = told.replay.search.as_ref().and_then(untried) {
        writeln!(out, "{line}")?;
    }
    match &told.replay.search {
        Some(search) if search.combinations.len() > 1 => combinations(out, told, search),
        _ => Ok(()),
    }
}

fn combinations(out: &mut impl Write, told: &Told<'_>, search: &Search) -> Done {
    let all = told.records.len();
    writeln!(out, "\n{STRONG}combinations of readings, by the records they explain{STRONG:#}")?;
    let groups = search.groups();
    for group in groups.iter().take(MOST_GROUPS) {
        let evidence = search.common(told.game, told.chosen, group);
        let (records, many) = (group.records.len(), group.combinations.len());
        let chosen = group.combinations.iter().filter_map(|n| search.combinations.get(*n));
        let chosen = if chosen.clone().any(|one| one.changes.is_empty()) { ", the chosen one among them" } else { "" };
        let whole = if many == 1 { "combination".to_owned() } else { "combinations".to_owned() };
        writeln!(out, "{records} of {all}: {many} {whole}{chosen}")?;
        for line in said_of_readings(told.game, &evidence) {
            writeln!(out, "  {line}")?;
        }
        if !evidence.exact {
            writeln!(out, "  though not all combinations of these")?;
        }
    }
    if groups.len() > MOST_GROUPS {
        writeln!(out, "... and {} more groups that explain as few or fewer", groups.len() - MOST_GROUPS)?;
    }
    writeln!(out, "\n{STRONG}alternatives, by the records that some combination with them explains{STRONG:#}")?;
    for (reading, alternatives) in search.by_alternative(told.game, told.chosen) {
        let reading = told.game.readings.at(reading);
        let counts = alternatives.iter().map(|(id, n)| format!("{} {n}", reading.alternatives.at(*id).name));
        writeln!(out, "  {}: {}", reading.name, counts.collect::<Vec<_>>().join(", "))?;
    }
    Ok(())
}
