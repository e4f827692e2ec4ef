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
    table::{self, Cell},
};
use crate::{
    diagnostic::{Severity, nearest},
    evidence::{
        AlternativeEvidence, BasisKind, ClaimEvidence, ClaimStatus, Coverage, Evidence, ReadingEvidence, RuleEvidence,
        RuleStatus, SourceText, look_up,
    },
    rules::{Game, RuleKind},
};

#[derive(Serialize)]
struct Report<'a> {
    #[serde(flatten)]
    provenance: Provenance,
    file: &'a str,
    evidence: &'a Evidence,
    /// What was found in the texts of the sources, where some were given.
    coverage: Option<&'a Coverage>,
    /// What is wrong with anchors.
    diagnostics: Vec<check::Item>,
}

pub(crate) fn run(args: &EvidenceArgs) -> Done {
    let (source, rules) = load::rules(&args.file, &args.choices)?;
    let game = &rules.game;
    let texts: Vec<SourceText> = args.texts.iter().map(|text| source_text(game, text)).collect::<Result<_, _>>()?;
    let evidence = Evidence::of(&source, game);
    let coverage = (!texts.is_empty()).then(|| look_up(game, &evidence, &texts));
    let diagnostics = coverage.as_ref().map(|coverage| coverage.diagnostics.as_slice()).unwrap_or_default();
    let provenance = Provenance::of(&rules);
    if args.choices.json {
        output::json(&Report {
            provenance,
            file: source.name(),
            evidence: &evidence,
            coverage: coverage.as_ref(),
            diagnostics: check::items(&source, diagnostics),
        })?;
    } else {
        let mut out = output::out();
        let columns = output::columns();
        writeln!(out, "{STRONG}{}{STRONG:#}\n{FAINT}{}{FAINT:#}", provenance.game, provenance.line())?;
        writeln!(out, "{}", evidence.totals)?;
        print(&mut out, &evidence, columns)?;
        if let Some(coverage) = &coverage {
            marked::print(&mut out, &evidence, coverage, &texts, columns)?;
        }
        out.flush()?;
        check::draw(&source, diagnostics);
    }
    let wrong = diagnostics.iter().any(|found| found.words().severity == Severity::Error);
    if wrong { Err(Failure::Told) } else { Ok(()) }
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

fn print(out: &mut impl Write, evidence: &Evidence, columns: usize) -> Done {
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

fn basis(alternative: &AlternativeEvidence) -> String {
    let word = match alternative.basis {
        BasisKind::Silent => "silent",
        BasisKind::Attested => "attested",
        BasisKind::Borrowed => "borrowed",
        BasisKind::Departs => "departs",
    };
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
