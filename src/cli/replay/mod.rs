//! `ayn replay`.

mod report;
mod table;

use std::{io::Write, sync::Arc};

use self::report::{Report, Unread};
use super::{
    Done, Failure,
    args::ReplayArgs,
    check::plural,
    load::{self, Provenance},
    output::{self, BAD, FAINT, GOOD, STRONG},
};
use crate::{
    check::bind,
    notation::RecordError,
    replay::{Chosen, Combination, Evidence, Extent, Limits, Record, Replay, Replayed, Search, read_records, replay},
    rules::{AlternativeId, Basis, Game, ReadingId, Rules},
    source::RecordFile,
};

/// Of the combinations that explain a record with the fewest changes, how many are named.
const MOST_NAMED: usize = 6;

/// The records of all files, and what became of them.
struct Told<'a> {
    game: &'a Arc<Game>,
    chosen: &'a Chosen,
    files: &'a [RecordFile],
    /// The file of each record.
    of: &'a [usize],
    records: &'a [Record],
    replay: &'a Replay,
}

pub(crate) fn run(args: &ReplayArgs) -> Done {
    let (source, game) = load::game(&args.file)?;
    let chosen = Chosen::new(&game, &args.choices.readings, &args.choices.options)
        .map_err(|error| Failure::Message(error.to_string()))?;
    let rules = bind(&game, &chosen.setup).map_err(|error| load::unplayable(&source, &error))?;
    let (mut files, mut of, mut records, mut unread) = (vec![], vec![], vec![], vec![]);
    for path in &args.records {
        match load::record(path) {
            Err(Failure::Message(message)) => unread.push(Unread::file(path, message)),
            Err(failure) => return Err(failure),
            Ok(file) => match read_records(&game, &chosen, &file) {
                Err(error) => unread.push(Unread::text(&file, &error)),
                Ok(found) => {
                    of.extend(found.iter().map(|_| files.len()));
                    records.extend(found);
                    files.push(file);
                }
            },
        }
    }
    let replay = replay(&game, &chosen, &records, (!args.only).then(Limits::default));
    let told = Told { game: &game, chosen: &chosen, files: &files, of: &of, records: &records, replay: &replay };
    let all = unread.is_empty() && replay.records.iter().all(|record| record.outcome.is_ok());
    if args.choices.json {
        output::json(&Report::of(&told, Provenance::of(&rules), unread, all))?;
    } else {
        told.print(&rules, &unread, args.records.len() > 1)?;
    }
    if all { Ok(()) } else { Err(Failure::Told) }
}

impl Told<'_> {
    /// The name of a record: that of its file, and its title.
    fn name(&self, record: usize) -> String {
        let file = self.of.get(record).and_then(|file| self.files.get(*file)).map_or("", RecordFile::name);
        match self.records.get(record).and_then(|record| record.title.as_ref()) {
            Some(title) => format!("{file} \"{title}\""),
            None => file.to_owned(),
        }
    }

    /// What became of each record.
    fn each(&self) -> impl Iterator<Item = (usize, &Record, &Replayed)> {
        self.records.iter().zip(&self.replay.records).enumerate().map(|(n, (record, replayed))| (n, record, replayed))
    }

    /// The line of a statement of a record.
    fn line(&self, record: usize, statement: usize) -> Option<usize> {
        let file = self.of.get(record).and_then(|file| self.files.get(*file))?;
        let place = self.records.get(record)?.place(statement)?;
        Some(file.position(place.start).0)
    }

    /// The number with which the chosen readings would explain a record; where no reading explains it as it is written,
    /// the corrections tell more.
    fn only_wrong(&self, record: usize) -> Option<i64> {
        let others = self
            .replay
            .search
            .as_ref()
            .is_none_or(|search| search.combinations.iter().any(|combination| combination.explains(record)));
        self.replay.records.get(record)?.only_wrong.filter(|_| others)
    }

    /// The corrections of one number with which some combinations explain a record.
    fn corrections(&self, record: usize, search: &Search) -> Vec<String> {
        let corrections = search.corrections(self.game, self.chosen, record).into_iter().take(MOST_NAMED);
        let told = corrections.flat_map(|found| {
            let line = self.line(record, found.statement).unwrap_or_default();
            let Evidence { explaining, of, .. } = found.evidence;
            let first =
                format!("with +{} in line {line} and nothing else changed, {explaining} of {of} do", found.found);
            let said = said_of_readings(self.game, &found.evidence).into_iter().map(|line| format!("  {line}"));
            [first].into_iter().chain(said).collect::<Vec<_>>()
        });
        told.collect()
    }

    /// An error with an excerpt of its record.
    fn excerpt(&self, record: usize, error: &RecordError) -> String {
        let file = self.of.get(record).and_then(|file| self.files.get(*file));
        file.map(|file| error.render(file, true)).unwrap_or_default()
    }

    fn print(&self, rules: &Rules, unread: &[Unread], several: bool) -> Done {
        for text in unread {
            text.tell();
        }
        if self.records.is_empty() {
            return Ok(());
        }
        let mut out = output::out();
        let provenance = Provenance::of(rules);
        writeln!(out, "{STRONG}{}{STRONG:#}", provenance.game)?;
        writeln!(out, "{FAINT}{}{FAINT:#}\n", provenance.line())?;
        match self.records {
            [record] if !several => {
                if let Some(replayed) = self.replay.records.first() {
                    self.one(&mut out, record, replayed)?;
                }
            }
            _ => table::print(&mut out, self)?,
        }
        out.flush()?;
        Ok(())
    }

    /// One record and the combinations that explain it.
    fn one(&self, out: &mut impl Write, record: &Record, replayed: &Replayed) -> Done {
        let name = self.name(0);
        match &replayed.outcome {
            Ok(explained) => {
                let (plies, turns) = (said(explained.plies, "ply", "plies"), said(explained.turns, "turn", "turns"));
                writeln!(out, "{name}: {GOOD}explained{GOOD:#}, {plies}, {turns}, {}", explained.result)?;
            }
            Err(error) => {
                writeln!(out, "{}", self.excerpt(0, error))?;
                writeln!(out, "\n{name}: {BAD}not explained{BAD:#} with the chosen readings")?;
                if let Some(found) = self.only_wrong(0) {
                    writeln!(out, "if the record said +{found} there, the chosen readings would explain it")?;
                }
            }
        }
        if let Some(own) = own(self.game, record) {
            writeln!(out, "the record itself says {own}")?;
        }
        let Some(search) = &self.replay.search else { return Ok(()) };
        let evidence = search.evidence(self.game, self.chosen, 0);
        self.search_line(out, search)?;
        writeln!(out, "{}", counted(&evidence))?;
        for line in said_of_readings(self.game, &evidence) {
            writeln!(out, "  {line}")?;
        }
        match &replayed.outcome {
            Ok(_) => Ok(()),
            Err(_) if evidence.explaining > 0 => self.nearest(out, search, record),
            Err(_) => self.furthest(out, search, record),
        }
    }

    /// What was not tried.
    fn search_line(&self, out: &mut impl Write, search: &Search) -> Done {
        if let Some(line) = untried(search) {
            writeln!(out, "{line}")?;
        }
        Ok(())
    }

    /// The combinations with the fewest changes that explain the record.
    fn nearest(&self, out: &mut impl Write, search: &Search, record: &Record) -> Done {
        let mut explaining: Vec<(usize, &Combination)> = search
            .combinations
            .iter()
            .filter(|combination| combination.explains(0))
            .map(|combination| (beyond(record, combination).count(), combination))
            .collect();
        let fewest = explaining.iter().map(|(changes, _)| *changes).min().unwrap_or(0);
        explaining.retain(|(changes, _)| *changes == fewest);
        writeln!(out, "nearest to the chosen readings:")?;
        for (_, combination) in explaining.iter().take(MOST_NAMED) {
            let named: Vec<String> =
                beyond(record, combination).map(|(reading, value)| change(self.game, reading, value)).collect();
            let variant = if combination.variant { "variant" } else { "reading" };
            writeln!(out, "  {variant}  {}", named.join(", "))?;
        }
        if explaining.len() > MOST_NAMED {
            writeln!(out, "  ... and {} more with so few changes", explaining.len() - MOST_NAMED)?;
        }
        if search.combinations.iter().all(|combination| combination.variant || !combination.explains(0)) {
            writeln!(out, "only variants explain it: a reading of the text can be missing from the file")?;
        }
        Ok(())
    }

    /// The combination that gets furthest, where none explains the record.
    fn furthest(&self, out: &mut impl Write, search: &Search, record: &Record) -> Done {
        let corrections = self.corrections(0, search);
        for line in &corrections {
            writeln!(out, "{line}")?;
        }
        let Some(best) = search.furthest(0).filter(|_| corrections.is_empty()) else { return Ok(()) };
        let changes: Vec<String> =
            beyond(record, best).map(|(reading, value)| change(self.game, reading, value)).collect();
        if changes.is_empty() {
            writeln!(out, "none gets further than the chosen one")?;
            return Ok(());
        }
        writeln!(out, "furthest gets {}:", changes.join(", "))?;
        if let Some(error) = record.under(self.game, best) {
            writeln!(out, "{}", self.excerpt(0, &error))?;
        }
        Ok(())
    }
}

/// Where a combination differs from the readings chosen for a record.
fn beyond<'a>(
    record: &'a Record,
    combination: &'a Combination,
) -> impl Iterator<Item = (ReadingId, AlternativeId)> + 'a {
    combination.changes.iter().copied().filter(|(reading, _)| !record.readings.contains(reading))
}

/// `chain=preceding (borrowed): those that come before it`.
fn change(game: &Game, reading: ReadingId, value: AlternativeId) -> String {
    let (reading, value) = (game.readings.at(reading), game.readings.at(reading).alternatives.at(value));
    let basis = match &value.basis {
        Basis::Silent => "silent",
        Basis::Attested(_) => "attested",
        Basis::Borrowed(..) => "borrowed",
        Basis::Departs(_) => "departs",
    };
    format!("{}={} ({basis}: {})", reading.name, value.name, value.text)
}

/// The readings and options that a record names itself.
fn own(game: &Game, record: &Record) -> Option<String> {
    let named = record.setup.named(game);
    let readings = game.readings.ids().zip(&named.readings).filter(|(id, _)| record.readings.contains(id));
    let options = game.options.ids().zip(&named.options).filter(|(id, _)| record.options.contains(id));
    let readings = readings.map(|(_, (name, value))| format!("{name}={value}"));
    let all: Vec<String> = readings.chain(options.map(|(_, (name, value))| format!("{name}={value}"))).collect();
    (!all.is_empty()).then(|| all.join(" "))
}

fn counted(evidence: &Evidence) -> String {
    let Evidence { explaining, of, .. } = evidence;
    let combinations = plural(*of, "combination");
    match (explaining, of) {
        (_, 0) => "no combination of readings was tried".to_owned(),
        (_, 1) => "no other combination of readings was tried".to_owned(),
        (0, _) => format!("none of {combinations} of readings explains it"),
        (1, _) => format!("1 of {combinations} of readings explains it"),
        (n, of) if n == of => format!("all {combinations} of readings explain it: it does not tell them apart"),
        (n, _) => format!("{n} of {combinations} of readings explain it"),
    }
}

/// What is not known because it was not tried.
fn untried(search: &Search) -> Option<String> {
    let (tried, all) = (search.combinations.len(), search.all);
    match search.extent {
        Extent::All => None,
        Extent::OneOrTwoChanged => {
            Some(format!("of {all} combinations of readings, {tried} were tried: those with one or two changes"))
        }
        Extent::Steps => Some(format!("of {all} combinations of readings, {tried} were tried: more takes too long")),
    }
}

/// What some combinations have in common, a line for each kind of thing that can be said.
fn said_of_readings(game: &Game, evidence: &Evidence) -> Vec<String> {
    if evidence.explaining == 0 || evidence.explaining == evidence.of {
        return vec![];
    }
    let (mut always, mut either, mut depends, mut idle) = (vec![], vec![], vec![], vec![]);
    for found in &evidence.readings {
        let reading = game.readings.at(found.reading);
        let names = |values: &[AlternativeId]| {
            let names: Vec<&str> = values.iter().map(|id| reading.alternatives.at(*id).name.as_str()).collect();
            names.join(" or ")
        };
        match found.values.as_slice() {
            _ if !found.matters => idle.push(reading.name.clone()),
            [_] => always.push(format!("{}={}", reading.name, names(&found.values))),
            _ if found.never.is_empty() => depends.push(reading.name.clone()),
            _ => either.push(format!("{}={}, never {}", reading.name, names(&found.values), names(&found.never))),
        }
    }
    let mut lines = vec![];
    if !always.is_empty() {
        lines.push(format!("always     {}", always.join(", ")));
    }
    lines.extend(either.into_iter().map(|line| format!("either     {line}")));
    if !depends.is_empty() {
        lines.push(format!(
            "depends    {}: each value occurs, but not with all values of the others",
            depends.join(", ")
        ));
    }
    if !idle.is_empty() {
        lines.push(format!("no matter  {}", idle.join(", ")));
    }
    lines
}

fn said(n: u32, one: &str, many: &str) -> String {
    if n == 1 { format!("1 {one}") } else { format!("{n} {many}") }
}
