//! The rule file with its citations linked to the claims.

use maud::{Markup, html};

use crate::{
    rules::{ClaimId, Game, Id as _},
    source::RuleFile,
};

/// The name by which a claim is found on the page.
fn claim_anchor(id: ClaimId) -> String {
    format!("claim-{}", id.index() + 1)
}

/// The claims, with links to the lines of the rules that cite them.
pub(super) fn evidence(source: &RuleFile, game: &Game) -> Markup {
    let cited = |id: ClaimId| {
        let rules = game.rules.iter().filter(move |rule| rule.claims.contains(&id));
        let mut lines: Vec<usize> = rules.map(|rule| source.position(rule.span.start).0).collect();
        lines.sort_unstable();
        lines.dedup();
        lines
    };
    html! {
        div.scroll { table {
            thead { tr { th { "claim" } th { "says" } th { "rules" } } }
            tbody { @for (id, claim) in game.claims.entries() { tr id=(claim_anchor(id)) {
                td { "@" (claim.name) } td { (claim.text) }
                td { @if let Some(why) = &claim.not_modelled { span.faint { "not modelled: " (why) } } @for line in cited(id) { a href=(format!("#line-{line}")) { (line) } " " } }
            } } }
        } }
    }
}

/// The text of the file, line by line; `@claim` leads to the claim.
pub(super) fn file(source: &RuleFile, game: &Game) -> Markup {
    html! {
        div.rules { @for (n, line) in source.text().lines().enumerate() {
            span id=(format!("line-{}", n + 1)) { b { (n + 1) } (linked(line, game)) }
        } }
    }
}

fn linked(line: &str, game: &Game) -> Markup {
    html! { @for (piece, claim) in pieces(line, game) {
        @match claim { Some(id) => a href=(format!("#{}", claim_anchor(id))) { (piece) }, None => (piece) }
    } }
}

/// A line cut into citations and what stands between them. Neither texts nor comments cite.
fn pieces<'a>(line: &'a str, game: &Game) -> Vec<(&'a str, Option<ClaimId>)> {
    let mut pieces = vec![];
    let (mut from, mut quoted) = (0, false);
    for (at, c) in line.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '#' if !quoted => break,
            '@' if !quoted && at >= from => {
                let rest = line.get(at + 1..).unwrap_or_default();
                let word = |c: char| c.is_alphanumeric() || c == '-' || c == '.' || c == '_';
                let end = rest.find(|c| !word(c)).unwrap_or(rest.len());
                let Some(found) = rest.get(..end).and_then(|name| claim(game, name)) else { continue };
                pieces.push((line.get(from..at).unwrap_or_default(), None));
                pieces.push((line.get(at..at + 1 + end).unwrap_or_default(), Some(found)));
                from = at + 1 + end;
            }
            _ => {}
        }
    }
    pieces.push((line.get(from..).unwrap_or_default(), None));
    pieces
}

/// The claim of a citation.
fn claim(game: &Game, name: &str) -> Option<ClaimId> {
    let (source, name) = name.split_once('.').map_or((None, name), |(source, name)| (Some(source), name));
    let fits = |(_, claim): &(ClaimId, &crate::rules::Claim)| {
        claim.name == name && source.is_none_or(|source| game.sources.at(claim.source).name == source)
    };
    game.claims.entries().find(fits).map(|(id, _)| id)
}
