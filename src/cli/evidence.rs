//! `ayn evidence`.

use std::{collections::HashMap, io::Write, path::Path};

use anstyle::Style;
use serde::Serialize;

use super::{
    Done, Failure,
    args::EvidenceArgs,
    check,
    load::{self, Provenance},
    marked,
    output::{self, BAD, FAINT, STRONG},
    progress::watched,
    table::{self, Cell},
};
use crate::{
    compare::{Comparison, ContrastAccount, Design, POSITIONS, PartingAccount, Question},
    diagnostic::{Severity, nearest},
    evidence::{
        AlternativeEvidence, BasisKind, ClaimEvidence, ClaimStatus, Coverage, Evidence, ReadingEvidence, RuleEvidence,
        RuleStatus, SourceText, look_up,
    },
    rules::{Game, RuleKind, Rules},
};

#[derive(Serialize)]
struct Report<'a> {
    #[serde(flatten)]
    provenance: Provenance,
    file: &'a str,
    evidence: &'a Evidence,
    /// Whether the alternatives of readings differ in play, where that was measured.
    play: Option<&'a Play>,
    /// What was found in the texts of the sources, where some were given.
    coverage: Option<&'a Coverage>,
    /// What is wrong with anchors.
    diagnostics: Vec<check::Item>,
}

/// Whether the alternatives of readings differ in play.
#[derive(Serialize)]
struct Play {
    seed: u64,
    /// By alternative: each against the one that was chosen, the other readings as chosen.
    differences: Vec<PlayDifference>,
}

/// Where two alternatives of a reading part.
#[derive(Serialize)]
struct PlayDifference {
    reading: String,
    from: String,
    to: String,
    #[serde(flatten)]
    parting: PartingAccount,
}

pub(crate) fn run(args: &EvidenceArgs) -> Done {
    let (source, rules) = load::rules(&args.file, &args.choices)?;
    let game = &rules.game;
    let texts: Vec<SourceText> = args.texts.iter().map(|text| source_text(game, text)).collect::<Result<_, _>>()?;
    let evidence = Evidence::of(&source, game);
    let coverage = (!texts.is_empty()).then(|| look_up(game, &evidence, &texts));
    let (play, interrupted) = play(args, &rules)?;
    let diagnostics = coverage.as_ref().map(|coverage| coverage.diagnostics.as_slice()).unwrap_or_default();
    let provenance = Provenance::of(&rules);
    if args.choices.json {
        output::json(&Report {
            provenance,
            file: source.name(),
            evidence: &evidence,
            play: play.as_ref(),
            coverage: coverage.as_ref(),
            diagnostics: check::items(&source, diagnostics),
        })?;
    } else {
        let mut out = output::out();
        let columns = output::columns();
        writeln!(out, "{STRONG}{}{STRONG:#}\n{FAINT}{}{FAINT:#}", provenance.game, provenance.line())?;
        writeln!(out, "{}", evidence.totals)?;
        print(&mut out, &evidence, play.as_ref(), columns)?;
        if let Some(coverage) = &coverage {
            marked::print(&mut out, &evidence, coverage, &texts, columns)?;
        }
        out.flush()?;
        check::draw(&source, diagnostics);
    }
    let wrong = diagnostics.iter().any(|found| found.words().severity == Severity::Error);
    match (interrupted, wrong) {
        (true, _) => Err(Failure::Interrupted),
        (false, true) => Err(Failure::Told),
        (false, false) => Ok(()),
    }
}

/// Follows random games under every alternative of every reading, and whether that was stopped from the keyboard; nothing
/// where there are no readings, none is asked, or it was stopped.
fn play(args: &EvidenceArgs, rules: &Rules) -> Result<(Option<Play>, bool), Failure> {
    if args.games == 0 || rules.game.readings.is_empty() {
        return Ok((None, false));
    }
    let question = Question::Each(rules.game.readings.ids().collect());
    let design = Design::new(&rules.game, &rules.setup, question);
    let comparison = Comparison {
        design: design.map_err(|error| Failure::Message(error.to_string()))?,
        line_ups: vec![],
        games: args.games,
        look_into: args.games,
        seed: args.seed,
        threads: 0,
        max_turns: u32::MAX,
        margin: 0.0,
        positions: POSITIONS,
        stop_early: false,
    };
    let (findings, interrupted) = watched(comparison.work(), |control| comparison.run(control))?;
    if interrupted {
        return Ok((None, true));
    }
    let contrasts = comparison.account(&findings, false).contrasts;
    let difference = |contrast: ContrastAccount| {
        let (reading, parting) = contrast.reading.zip(contrast.parting)?;
        Some(PlayDifference { reading: reading.name, from: reading.from, to: reading.to, parting })
    };
    let differences = contrasts.into_iter().filter_map(difference).collect();
    Ok((Some(Play { seed: args.seed, differences }), false))
}

/// A text of the command line: a file, or a source of the game and its file.
fn source_text(game: &Game, text: &str) -> Result<SourceText, Failure> {
    let Some((name, path)) = text.split_once('=') else { return load::text(Path::new(text)) };
    let names = || game.sources.iter().map(|source| source.name.as_str());
    if names().any(|source| source == name) {
        return load::text(Path::new(path)).map(|text| text.of_source(name));
    }
    if Path::new(text).exists() {
        return load::text(Path::new(text));
    }
    let help = match nearest(name, names()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("there are: {}", names().collect::<Vec<_>>().join(", ")),
    };
    Err(Failure::Message(format!("there is no source `{name}` in this file, and no file `{text}`; {help}")))
}

const PLAIN: Style = Style::new();

fn plain(text: impl Into<String>) -> Cell {
    (text.into(), PLAIN)
}

fn faint(text: impl Into<String>) -> Cell {
    (text.into(), FAINT)
}

fn strong(text: impl Into<String>) -> Cell {
    (text.into(), STRONG)
}

fn print(out: &mut impl Write, evidence: &Evidence, play: Option<&Play>, columns: usize) -> Done {
    let mut section = |title: &str, rows: Vec<Vec<Cell>>| -> Done {
        if rows.is_empty() {
            return Ok(());
        }
        writeln!(out, "\n{STRONG}{title}{STRONG:#}")?;
        table::print(out, &rows, columns)
    };
    for source in &evidence.sources {
        let fields: Vec<&str> = source.fields.iter().map(|(_, value)| value.as_str()).collect();
        let retells = source.retells.iter().map(|other| format!("; retells {other}")).collect::<String>();
        let claims = evidence.claims.iter().filter(|claim| claim.source == source.name);
        let rows = claims.filter(|claim| claim.status != ClaimStatus::NotModelled);
        let title = format!("Claims of {}: {}{retells}", source.name, fields.join(", "));
        let title = table::wrap(&title, columns).join("\n");
        section(&title, rows.map(|claim| claim_row(evidence, claim)).collect())?;
    }
    let left_out = evidence.claims.iter().filter(|claim| claim.status == ClaimStatus::NotModelled);
    let reason = |claim: &ClaimEvidence| {
        let why = claim.not_modelled.clone().unwrap_or_default();
        vec![plain(format!("@{}", claim.cite)), faint(why), plain(&*claim.text)]
    };
    section("Claims not modelled, and why", left_out.map(reason).collect())?;
    section("Rules, and what they rest on", evidence.rules.iter().map(rule_row).collect())?;
    let groundless = evidence.rules.iter().filter(|rule| rule.status == RuleStatus::Groundless);
    section("Rules that nobody attests, without a reason", groundless.map(rule_row).collect())?;
    section("Assumptions", assumptions(&evidence.rules))?;
    section("Readings", evidence.readings.iter().flat_map(reading_rows).collect())?;
    if let Some(play) = play {
        let games = play.differences.first().map_or(0, |difference| difference.parting.games);
        let title =
            format!("Do they differ in play? {games} random games, seed {}, each followed under both", play.seed);
        section(&title, play.differences.iter().map(play_row).collect())?;
    }
    let options = evidence.options.iter().map(|option| {
        let range = format!("{} from {} to {}", option.default, option.low, option.high);
        vec![
            plain(&*option.name),
            plain(range),
            plain(grounds(&option.claims, option.assumed.as_deref())),
            plain(&*option.text),
        ]
    });
    section("Options", options.collect())?;
    section("Variants: alternatives that depart from a claim", alternatives(evidence, BasisKind::Departs))?;
    section("Borrowed alternatives", alternatives(evidence, BasisKind::Borrowed))
}

/// A claim with the lines and readings that cite it.
fn claim_row(evidence: &Evidence, claim: &ClaimEvidence) -> Vec<Cell> {
    let rules = claim.rules.iter().filter_map(|n| evidence.rules.get(*n));
    let mut lines: Vec<usize> = rules.filter(|rule| rule.kind != RuleKind::Reading).map(|rule| rule.line).collect();
    lines.dedup();
    let lines = lines.iter().map(usize::to_string).chain(claim.readings.iter().cloned());
    let mut cited = lines.collect::<Vec<_>>().join(" ");
    if !claim.examples.is_empty() {
        cited += &format!(" ({})", check::plural(claim.examples.len(), "example"));
    }
    let style = if claim.status == ClaimStatus::Uncited { BAD } else { PLAIN };
    if claim.status == ClaimStatus::Uncited {
        cited = format!("not modelled yet{}{cited}", if cited.is_empty() { "" } else { ": " });
    }
    vec![(format!("@{}", claim.cite), style), (cited.trim_start().to_owned(), style), plain(&*claim.text)]
}

fn rule_row(rule: &RuleEvidence) -> Vec<Cell> {
    let grounds = match rule.status {
        RuleStatus::Frame => faint("(what it holds)"),
        RuleStatus::Groundless => ("nobody".to_owned(), BAD),
        RuleStatus::Silent => plain(format!("silence: {}", grounds(&rule.claims, rule.assumed.as_deref()))),
        RuleStatus::Attested | RuleStatus::Assumed => {
            let block = if rule.inherited { " (block)" } else { "" };
            plain(grounds(&rule.claims, rule.assumed.as_deref()) + block)
        }
    };
    vec![faint(format!("{:>4}", rule.line)), plain(&*rule.text), grounds]
}

fn grounds(claims: &[String], assumed: Option<&str>) -> String {
    let claims = claims.iter().map(|claim| format!("@{claim}"));
    claims.chain(assumed.map(|why| format!("assumed: {why}"))).collect::<Vec<_>>().join(" ")
}

/// Each assumption with the lines of the rules that rest on it alone or beside a claim, frames left out.
fn assumptions(rules: &[RuleEvidence]) -> Vec<Vec<Cell>> {
    let mut found: Vec<(&str, Vec<String>)> = vec![];
    let mut places: HashMap<&str, usize> = HashMap::new();
    for rule in rules.iter().filter(|rule| rule.status != RuleStatus::Frame) {
        let Some(why) = rule.assumed.as_deref() else { continue };
        let line = rule.line.to_string();
        let place = *places.entry(why).or_insert(found.len());
        match found.get_mut(place) {
            // Rules stand in order.
            Some((_, lines)) if lines.last() == Some(&line) => {}
            Some((_, lines)) => lines.push(line),
            None => found.push((why, vec![line])),
        }
    }
    found.into_iter().map(|(why, lines)| vec![faint(lines.join(" ")), plain(why)]).collect()
}

fn reading_rows(reading: &ReadingEvidence) -> Vec<Vec<Cell>> {
    let when = reading.only_when.iter().map(|(other, value)| format!(" (only when {other} is {value})"));
    let question = format!("{}{}", reading.question, when.collect::<String>());
    let head =
        vec![strong(&*reading.name), plain(grounds(&reading.claims, reading.assumed.as_deref())), strong(question)];
    let rows = reading.alternatives.iter().map(|alternative| {
        let default = if alternative.name == reading.default { " (default)" } else { "" };
        vec![plain(format!("- {}{default}", alternative.name)), plain(basis(alternative)), plain(&*alternative.text)]
    });
    std::iter::once(head).chain(rows).collect()
}

/// In how many random games an alternative makes a difference, and where first.
fn play_row(difference: &PlayDifference) -> Vec<Cell> {
    let parted = &difference.parting.parted;
    let name = format!("{}: {} instead of {}", difference.reading, difference.to, difference.from);
    let (low, high) = (100.0 * parted.interval.low, 100.0 * parted.interval.high);
    let share = format!("{:.1} % [{low:.1}, {high:.1}]", 100.0 * parted.share);
    let oftener = difference.parting.oftener.first();
    let oftener =
        oftener.map(|given| format!("; with {} in {:.0} %", given.name, 100.0 * given.share)).unwrap_or_default();
    let first = match &difference.parting.first {
        Some(first) if first.record.is_empty() => "differs at the start".to_owned(),
        Some(first) => format!("first at ply {}: {}", first.plies, first.record),
        None => "not found to differ".to_owned(),
    };
    vec![plain(name), plain(share), plain(first + &oftener)]
}

fn basis(alternative: &AlternativeEvidence) -> String {
    let word = alternative.basis.word();
    let claims = alternative.claims.iter().map(|claim| format!(" @{claim}")).collect::<String>();
    let from = alternative.from.iter().map(|from| format!(" from {from}")).collect::<String>();
    format!("{word}{claims}{from}")
}

fn alternatives(evidence: &Evidence, kind: BasisKind) -> Vec<Vec<Cell>> {
    let all = evidence.readings.iter().flat_map(|reading| reading.alternatives.iter().map(move |one| (reading, one)));
    let all = all.filter(|(_, alternative)| alternative.basis == kind);
    let row = |(reading, alternative): (&ReadingEvidence, &AlternativeEvidence)| {
        let name = format!("{}={}", reading.name, alternative.name);
        vec![plain(name), plain(basis(alternative)), plain(&*alternative.text)]
    };
    all.map(row).collect()
}
