//! `ayn trace`.

use std::io::Write;

use serde::Serialize;

use super::{
    Done, Failure,
    args::{TraceArgs, agents},
    load::{self, Provenance},
    output::{self, FAINT, STRONG},
    words,
};
use crate::{
    evidence::statement,
    notation::{RecordError, describe_result, play_record, print_position},
    random::Streams,
    reference::{Event, Position, Reference, Watch},
    rules::{RuleId, Rules},
    source::RuleFile,
    tree::{Node, Tree},
};

/// The most steps that are told.
const MAX_STEPS: usize = 500_000;

/// What happened, and the rule behind it, up to the most steps that are told.
#[derive(Default)]
struct Log {
    steps: Vec<(Option<RuleId>, Event)>,
    cut: bool,
}

impl Watch for Log {
    fn see(&mut self, rule: Option<RuleId>, event: Event) {
        if self.steps.len() < MAX_STEPS {
            self.steps.push((rule, event));
        } else {
            self.cut = true;
        }
    }

    fn listens(&self) -> bool {
        !self.cut
    }
}

#[derive(Serialize)]
struct Report {
    #[serde(flatten)]
    provenance: Provenance,
    seed: Option<u64>,
    steps: Vec<Step>,
    position: String,
    result: String,
}

#[derive(Serialize)]
struct Step {
    event: String,
    line: Option<usize>,
    statement: Option<String>,
    claims: Vec<ClaimReport>,
    assumed: Option<String>,
}

#[derive(Serialize)]
struct ClaimReport {
    source: String,
    name: String,
    text: String,
}

pub(crate) fn run(args: &TraceArgs) -> Done {
    let (source, reference) = load::reference(&args.file, &args.choices)?;
    let mut log = Log::default();
    let mut position = load::start(&reference, args.position.as_deref(), &mut log)?;
    let mut broken = None;
    match &args.moves {
        Some(moves) => broken = play_record(&reference, &mut position, moves, &mut log).err(),
        None => by_agents(&reference, &mut position, args, &mut log)?,
    }
    let steps: Vec<Step> =
        log.steps.iter().filter_map(|(rule, event)| step(&source, reference.rules(), *rule, event)).collect();
    let report = Report {
        provenance: Provenance::of(reference.rules()),
        seed: args.moves.is_none().then_some(args.seed),
        steps,
        position: print_position(reference.rules(), &reference.view(&position)),
        result: describe_result(reference.rules(), reference.node(&position)),
    };
    if args.choices.json { output::json(&report) } else { print(&report) }?;
    if log.cut {
        let message = format!("only the first {MAX_STEPS} steps are told; `--max-turns` ends a game sooner");
        return Err(Failure::Message(message));
    }
    match (broken, &args.moves) {
        (Some(error), Some(moves)) => Err(Failure::Message(misfit(&error, moves))),
        _ => Ok(()),
    }
}

fn by_agents(reference: &Reference, position: &mut Position, args: &TraceArgs, log: &mut Log) -> Done {
    let agents = agents(&args.agents, reference.rules())?;
    let mut streams = Streams::new(args.seed, args.game, reference.seats());
    let most = args.max_turns.unwrap_or(u32::MAX);
    while reference.turns(position) < most && !log.cut {
        let n = match reference.node(position) {
            Node::End(_) => break,
            Node::Choice(choice) => {
                let stream = streams.players.at_mut(choice.seat);
                agents.at(choice.seat).choose(reference, position, choice, stream)
            }
            Node::Chance(chance) => streams.throws.throw(reference.throw(chance.throw)),
        };
        reference.advance_watched(position, n, log);
    }
    Ok(())
}

fn step(source: &RuleFile, rules: &Rules, rule: Option<RuleId>, event: &Event) -> Option<Step> {
    let event = words::sentence(rules, event)?;
    let game = &rules.game;
    let rule = rule.map(|rule| game.rules.at(rule));
    let claims = rule.map(|rule| rule.claims.as_slice()).unwrap_or_default().iter().map(|claim| {
        let claim = game.claims.at(*claim);
        ClaimReport {
            source: game.sources.at(claim.source).name.clone(),
            name: claim.name.clone(),
            text: claim.text.clone(),
        }
    });
    Some(Step {
        event,
        line: rule.map(|rule| source.position(rule.span.start).0),
        statement: rule.map(|rule| statement(source, rule)),
        claims: claims.collect(),
        assumed: rule.and_then(|rule| rule.assumed.clone()),
    })
}

fn print(report: &Report) -> Done {
    let mut out = output::out();
    writeln!(out, "{STRONG}{}{STRONG:#}", report.provenance.game)?;
    writeln!(out, "{FAINT}{}{FAINT:#}", report.provenance.line())?;
    for step in &report.steps {
        let (Some(line), Some(statement)) = (step.line, &step.statement) else {
            let head = if step.event.ends_with("to play") { "\n" } else { "  " };
            writeln!(out, "{head}{}", step.event)?;
            continue;
        };
        let mut grounds: Vec<String> =
            step.claims.iter().map(|claim| format!("@{} {}: \"{}\"", claim.name, claim.source, claim.text)).collect();
        grounds.extend(step.assumed.iter().map(|why| format!("assumed: \"{why}\"")));
        writeln!(out, "  {:<44} {FAINT}{line:>4}: {statement}{FAINT:#}", step.event)?;
        for ground in grounds {
            writeln!(out, "  {FAINT}{:<44}       {ground}{FAINT:#}", "")?;
        }
    }
    writeln!(out, "\n{}\n{}", report.position, report.result)?;
    out.flush()?;
    Ok(())
}

/// An error in a record, with the place in it.
fn misfit(error: &RecordError, record: &str) -> String {
    let column = record.get(..error.span.start as usize).map_or(0, |before| before.chars().count());
    let width = record.get(error.span.range()).map_or(1, |bad| bad.chars().count().max(1));
    let words = error.misfit.words();
    let help = words.help.map(|help| format!("\n  help: {help}")).unwrap_or_default();
    format!("{}\n  {record}\n  {}{}{help}", words.message, " ".repeat(column), "^".repeat(width))
}
