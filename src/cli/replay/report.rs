//! All of it as JSON.

use std::path::Path;

use serde::Serialize;

use super::{Told, beyond};
use crate::{
    cli::{
        load::Provenance,
        output::{self},
    },
    notation::RecordError,
    replay::{Evidence, Extent, Reached, Search},
    rules::{AlternativeId, Game, NamedSetup, ReadingId},
    source::RecordFile,
};

/// A file that holds no record that can be read.
#[derive(Serialize)]
pub(super) struct Unread {
    file: String,
    message: String,
    line: Option<usize>,
    column: Option<usize>,
    help: Option<String>,
    #[serde(skip)]
    drawn: Option<String>,
}

impl Unread {
    pub(super) fn file(path: &Path, message: String) -> Self {
        Self { file: path.display().to_string(), message, line: None, column: None, help: None, drawn: None }
    }

    pub(super) fn text(file: &RecordFile, error: &RecordError) -> Self {
        let (line, column) = file.position(error.span.start);
        let words = error.words();
        Self {
            file: file.name().to_owned(),
            message: words.message,
            line: Some(line),
            column: Some(column),
            help: words.help,
            drawn: Some(error.render(file, output::colours())),
        }
    }

    pub(super) fn tell(&self) {
        match &self.drawn {
            Some(drawn) => output::tell(&format!("{drawn}\n")),
            None => output::complain(&self.message),
        }
    }
}

#[derive(Serialize)]
pub(super) struct Report {
    #[serde(flatten)]
    provenance: Provenance,
    /// Whether all records are explained with the chosen readings and options.
    explained: bool,
    records: Vec<RecordReport>,
    unread: Vec<Unread>,
    search: Option<SearchReport>,
}

#[derive(Serialize)]
struct RecordReport {
    file: String,
    title: Option<String>,
    line: Option<usize>,
    explained: bool,
    /// The hash of the rules with the readings and options chosen for it.
    rules: Option<String>,
    #[serde(flatten)]
    setup: NamedSetup,
    plies: Option<u32>,
    turns: Option<u32>,
    result: Option<String>,
    position: Option<String>,
    failure: Option<FailureReport>,
    evidence: Option<EvidenceReport>,
}

#[derive(Serialize)]
struct FailureReport {
    code: &'static str,
    message: String,
    help: Option<String>,
    line: Option<usize>,
    column: Option<usize>,
    start: u32,
    end: u32,
    seat: Option<&'static str>,
    ply: Option<u32>,
    /// The position before it.
    position: Option<String>,
    /// The number that would be explained where one capture is all that is wrong.
    only_wrong: Option<i64>,
}

#[derive(Serialize)]
struct EvidenceReport {
    explaining: usize,
    tried: usize,
    readings: Vec<ReadingReport>,
    /// The combinations that explain it, with the fewest changes from the readings chosen for it first.
    combinations: Vec<usize>,
    /// Where none explains it, the combination that explains most of it.
    furthest: Option<usize>,
    /// Where none explains it, single numbers with which some would.
    corrections: Vec<CorrectionReport>,
}

#[derive(Serialize)]
struct CorrectionReport {
    line: Option<usize>,
    statement: usize,
    takes: i64,
    explaining: usize,
    readings: Vec<ReadingReport>,
}

#[derive(Serialize)]
struct ReadingReport {
    reading: String,
    values: Vec<String>,
    never: Vec<String>,
    matters: bool,
}

#[derive(Serialize)]
struct SearchReport {
    /// How many combinations of readings there are.
    all: u128,
    tried: usize,
    /// `all`, `one or two changed`, or `steps`.
    extent: &'static str,
    combinations: Vec<CombinationReport>,
    groups: Vec<GroupReport>,
    alternatives: Vec<AlternativeReport>,
}

#[derive(Serialize)]
struct CombinationReport {
    #[serde(flatten)]
    setup: NamedSetup,
    changes: Vec<String>,
    variant: bool,
    rules: Option<String>,
    /// The records it explains.
    explains: Vec<usize>,
    /// How many statements of each record it explains; nothing where the record says that it was played otherwise.
    statements: Vec<Option<usize>>,
}

#[derive(Serialize)]
struct GroupReport {
    records: Vec<usize>,
    combinations: Vec<usize>,
    readings: Vec<ReadingReport>,
    exact: bool,
}

#[derive(Serialize)]
struct AlternativeReport {
    reading: String,
    value: String,
    /// How many records some combination with it explains.
    records: usize,
}

impl Report {
    pub(super) fn of(told: &Told<'_>, provenance: Provenance, unread: Vec<Unread>, explained: bool) -> Self {
        let records = (0..told.records.len()).filter_map(|n| record(told, n)).collect();
        let search = told.replay.search.as_ref().map(|search| searched(told, search));
        Self { provenance, explained, records, unread, search }
    }
}

fn record(told: &Told<'_>, n: usize) -> Option<RecordReport> {
    let (record, replayed) = (told.records.get(n)?, told.replay.records.get(n)?);
    let file = told.of.get(n).and_then(|file| told.files.get(*file))?;
    let explained = replayed.outcome.as_ref().ok();
    Some(RecordReport {
        file: file.name().to_owned(),
        title: record.title.clone(),
        line: Some(file.position(record.span.start).0),
        explained: explained.is_some(),
        rules: replayed.rules.clone(),
        setup: record.setup.named(told.game),
        plies: explained.map(|found| found.plies),
        turns: explained.map(|found| found.turns),
        result: explained.map(|found| found.result.clone()),
        position: explained.map(|found| found.position.clone()),
        failure: replayed.outcome.as_ref().err().map(|error| failure(file, error, replayed.only_wrong)),
        evidence: told.replay.search.as_ref().map(|search| evidence(told, search, n)),
    })
}

fn failure(file: &RecordFile, error: &RecordError, only_wrong: Option<i64>) -> FailureReport {
    let words = error.words();
    let (line, column) = file.position(error.span.start);
    FailureReport {
        code: words.code,
        message: words.message,
        help: words.help,
        line: Some(line),
        column: Some(column),
        start: error.span.start,
        end: error.span.end,
        seat: error.at.as_ref().and_then(|at| at.seat),
        ply: error.at.as_ref().map(|at| at.ply),
        position: error.at.as_ref().map(|at| at.position.clone()),
        only_wrong,
    }
}

fn evidence(told: &Told<'_>, search: &Search, n: usize) -> EvidenceReport {
    let found = search.evidence(told.game, told.chosen, n);
    let explaining = search.combinations.iter().enumerate().filter(|(_, combination)| combination.explains(n));
    let mut combinations: Vec<usize> = explaining.map(|(at, _)| at).collect();
    if let Some(record) = told.records.get(n) {
        let changes = |at: &usize| search.combinations.get(*at).map_or(0, |one| beyond(record, one).count());
        combinations.sort_by_key(changes);
    }
    let corrections = search.corrections(told.game, told.chosen, n).into_iter().map(|found| CorrectionReport {
        line: told.line(n, found.statement),
        statement: found.statement,
        takes: found.found,
        explaining: found.evidence.explaining,
        readings: readings(told.game, &found.evidence),
    });
    let furthest = search.furthest(n).filter(|_| combinations.is_empty());
    EvidenceReport {
        explaining: found.explaining,
        tried: found.of,
        readings: readings(told.game, &found),
        furthest: furthest.and_then(|best| search.combinations.iter().position(|one| std::ptr::eq(one, best))),
        combinations,
        corrections: corrections.collect(),
    }
}

fn readings(game: &Game, evidence: &Evidence) -> Vec<ReadingReport> {
    let found = evidence.readings.iter().map(|found| {
        let reading = game.readings.at(found.reading);
        let names = |values: &[AlternativeId]| -> Vec<String> {
            values.iter().map(|id| reading.alternatives.at(*id).name.clone()).collect()
        };
        ReadingReport {
            reading: reading.name.clone(),
            values: names(&found.values),
            never: names(&found.never),
            matters: found.matters,
        }
    });
    found.collect()
}

fn searched(told: &Told<'_>, search: &Search) -> SearchReport {
    let game = told.game;
    let named = |(reading, value): &(ReadingId, AlternativeId)| {
        let reading = game.readings.at(*reading);
        format!("{}={}", reading.name, reading.alternatives.at(*value).name)
    };
    let combinations = search.combinations.iter().map(|combination| CombinationReport {
        setup: combination.setup.named(game),
        changes: combination.changes.iter().map(named).collect(),
        variant: combination.variant,
        rules: combination.rules.clone(),
        explains: (0..told.records.len()).filter(|n| combination.explains(*n)).collect(),
        statements: combination
            .reached
            .iter()
            .zip(told.records)
            .map(|(reached, record)| match reached {
                Reached::Explained => Some(record.statements()),
                Reached::Stopped { after, .. } => Some(*after),
                Reached::PlayedOtherwise => None,
            })
            .collect(),
    });
    let groups = search.groups().into_iter().map(|group| {
        let common = search.common(game, told.chosen, &group);
        let readings = readings(game, &common);
        GroupReport { records: group.records, combinations: group.combinations, readings, exact: common.exact }
    });
    let alternatives = search.by_alternative(game, told.chosen).into_iter().flat_map(|(reading, alternatives)| {
        let reading = game.readings.at(reading);
        alternatives.into_iter().map(move |(id, records)| AlternativeReport {
            reading: reading.name.clone(),
            value: reading.alternatives.at(id).name.clone(),
            records,
        })
    });
    SearchReport {
        all: search.all,
        tried: search.combinations.len(),
        extent: match search.extent {
            Extent::All => "all",
            Extent::OneOrTwoChanged => "one or two changed",
            Extent::Steps => "steps",
        },
        combinations: combinations.collect(),
        groups: groups.collect(),
        alternatives: alternatives.collect(),
    }
}
