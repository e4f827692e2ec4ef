//! What the rules rest on, and the rule file with its citations linked to the claims.

use maud::{Markup, html};

use crate::{
    evidence::{ClaimStatus, Evidence, RuleEvidence, RuleStatus},
    source::RuleFile,
};

/// The name by which a claim is found on the page.
fn claim_anchor(cite: &str) -> String {
    format!("claim-{cite}")
}

fn line_link(line: usize) -> Markup {
    html! { a href=(format!("#line-{line}")) { (line) } " " }
}

/// The citations of a rule, linked.
fn cites(claims: &[String]) -> Markup {
    html! { @for cite in claims { a href=(format!("#{}", claim_anchor(cite))) { "@" (cite) } " " } }
}

/// Sources, claims with the lines of the rules that cite them, and rules with what they rest on.
pub(super) fn evidence(evidence: &Evidence) -> Markup {
    html! {
        p { (evidence.totals) "." }
        @for source in &evidence.sources {
            h3 { "Source " code { (source.name) } }
            dl { @for (field, value) in &source.fields { dt { (field) } dd { (value) } } @if let Some(other) = &source.retells { dt { "retells" } dd { (other) } } }
            div.scroll { table {
                thead { tr { th { "claim" } th { "says, in the words of the file" } th { "rules that cite it" } } }
                tbody { @for claim in evidence.claims.iter().filter(|claim| claim.source == source.name) { tr id=(claim_anchor(&claim.cite)) {
                    td { "@" (claim.cite) } td { (claim.text) }
                    td {
                        @for rule in claim.rules.iter().filter_map(|n| evidence.rules.get(*n)) { (line_link(rule.line)) }
                        @match claim.status {
                            ClaimStatus::Modelled => {}
                            ClaimStatus::NotModelled => span.faint { "not modelled: " (claim.not_modelled.as_deref().unwrap_or_default()) },
                            ClaimStatus::Uncited => span.differs { "not modelled yet" },
                        }
                    }
                } } }
            } }
        }
        h3 { "Rules, and what they rest on" }
        div.scroll { table {
            thead { tr { th.n { "line" } th { "rule" } th { "rests on" } } }
            tbody { @for rule in evidence.rules.iter().filter(|rule| rule.status != RuleStatus::Frame) { tr {
                td.n { (line_link(rule.line)) } td { code { (rule.text) } } td { (grounds(rule)) }
            } } }
        } }
    }
}

fn grounds(rule: &RuleEvidence) -> Markup {
    html! {
        @if rule.status == RuleStatus::Silent { span.slight { "silence: " } }
        (cites(&rule.claims))
        @if let Some(why) = &rule.assumed { span.slight { "assumed: " } (why) }
        @if rule.status == RuleStatus::Groundless { span.differs { "nobody attests it" } }
        @if rule.inherited { span.faint { " (by its block)" } }
    }
}

/// The text of the file, line by line; `@claim` leads to the claim.
pub(super) fn file(source: &RuleFile, evidence: &Evidence) -> Markup {
    // A text can go over several lines.
    let mut quoted = false;
    html! {
        div.rules { @for (n, line) in source.text().lines().enumerate() {
            span id=(format!("line-{}", n + 1)) { b { (n + 1) } (linked(line, &mut quoted, evidence)) }
        } }
    }
}

fn linked(line: &str, quoted: &mut bool, evidence: &Evidence) -> Markup {
    html! { @for (piece, cite) in pieces(line, quoted, evidence) {
        @match cite { Some(cite) => a href=(format!("#{}", claim_anchor(cite))) { (piece) }, None => (piece) }
    } }
}

/// A line cut into citations and what stands between them. Neither texts nor comments cite.
fn pieces<'a>(line: &'a str, quoted: &mut bool, evidence: &'a Evidence) -> Vec<(&'a str, Option<&'a str>)> {
    let mut pieces = vec![];
    let mut from = 0;
    for (at, c) in line.char_indices() {
        match c {
            '"' => *quoted = !*quoted,
            '#' if !*quoted => break,
            '@' if !*quoted => {
                let rest = line.get(at + 1..).unwrap_or_default();
                let word = |c: char| c.is_alphanumeric() || ['-', '_', '.'].contains(&c);
                let end = rest.find(|c| !word(c)).unwrap_or(rest.len());
                let Some(cite) = rest.get(..end).and_then(|name| claim(evidence, name)) else { continue };
                pieces.push((line.get(from..at).unwrap_or_default(), None));
                pieces.push((line.get(at..=at + end).unwrap_or_default(), Some(cite)));
                from = at + 1 + end;
            }
            _ => {}
        }
    }
    pieces.push((line.get(from..).unwrap_or_default(), None));
    pieces
}

/// The claim that a citation means, as the evidence names it.
fn claim<'a>(evidence: &'a Evidence, cite: &str) -> Option<&'a str> {
    let full = |claim: &&crate::evidence::ClaimEvidence| {
        claim.cite == cite || format!("{}.{}", claim.source, claim.name) == cite
    };
    evidence.claims.iter().find(full).map(|claim| claim.cite.as_str())
}
