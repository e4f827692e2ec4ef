//! The text of a source with the sentences marked that claims cover.

use std::{
    collections::{HashMap, HashSet},
    io::Write,
};

use super::{
    Done,
    check::plural,
    output::{FAINT, GOOD, STRONG},
    table,
};
use crate::evidence::{AnchorStatus, ClaimStatus, Coverage, Evidence, SourceText, TextCoverage};

/// The sign before a sentence that is covered, and that behind it, before the names of the claims.
const OPEN: char = '⟦';
const CLOSE: char = '⟧';

/// Prints every text with its lines, then what is uncovered, which claims have no anchor, and the shares.
pub(super) fn print(
    out: &mut impl Write,
    evidence: &Evidence,
    coverage: &Coverage,
    texts: &[SourceText],
    columns: usize,
) -> Done {
    for (text, covered) in texts.iter().zip(&coverage.texts) {
        writeln!(out, "\n{STRONG}{}{STRONG:#}", covered.name)?;
        for (n, line) in marked(text.text(), covered, evidence).split(|(c, _)| *c == '\n').enumerate() {
            print_line(out, n + 1, line, columns)?;
        }
        let uncovered: Vec<_> = covered.sentences.iter().filter(|sentence| sentence.claims.is_empty()).collect();
        if !uncovered.is_empty() {
            writeln!(out, "\n{STRONG}Sentences of {} that no claim covers{STRONG:#}", covered.name)?;
            let rows: Vec<_> = uncovered
                .iter()
                .map(|sentence| {
                    vec![(format!("{:>4}", sentence.line), FAINT), (sentence.text.clone(), anstyle::Style::new())]
                })
                .collect();
            table::print(out, &rows, columns)?;
        }
    }
    for (status, title) in [
        (AnchorStatus::NoAnchor, "No anchor: cannot be looked up"),
        (AnchorStatus::NotLookedUp, "Not looked up: no text of the source was given"),
    ] {
        let claims = coverage.claims.iter().filter(|claim| claim.status == status);
        let names: Vec<String> = claims.map(|claim| format!("@{}", claim.claim)).collect();
        if !names.is_empty() {
            writeln!(out, "\n{STRONG}{title}{STRONG:#}")?;
            for line in table::wrap(&names.join(" "), columns.saturating_sub(2)) {
                writeln!(out, "  {line}")?;
            }
        }
    }
    writeln!(out)?;
    for covered in &coverage.texts {
        let sentences = covered.sentences.iter().filter(|sentence| sentence.claims.is_empty()).count();
        writeln!(
            out,
            "{}: {} of {} words covered ({}), {} of them by modelled claims, {} uncovered",
            covered.name,
            covered.covered_words,
            covered.words,
            covered.share(),
            covered.modelled_words,
            plural(sentences, "sentence"),
        )?;
    }
    let counts = [
        (coverage.found, "found"),
        (coverage.missing, "missing"),
        (coverage.ambiguous, "ambiguous"),
        (coverage.without_anchor, "without anchor"),
        (coverage.not_looked_up, "not looked up"),
    ];
    let counts = counts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}"));
    let counts = counts.collect::<Vec<_>>().join(", ");
    writeln!(out, "anchors of {}: {counts}", plural(coverage.claims.len(), "claim"))?;
    Ok(())
}

/// The characters of a text with the signs put in, each with whether it is covered.
fn marked(text: &str, covered: &TextCoverage, evidence: &Evidence) -> Vec<(char, bool)> {
    let sentences = covered.sentences.iter().filter(|sentence| !sentence.claims.is_empty());
    let opens: HashMap<usize, _> = sentences.map(|sentence| (sentence.span.start as usize, sentence)).collect();
    let others = evidence.claims.iter().filter(|claim| claim.status != ClaimStatus::Modelled);
    let others: HashSet<&str> = others.map(|claim| claim.cite.as_str()).collect();
    let name =
        |claim: &String| format!("@{claim}{}", if others.contains(claim.as_str()) { "(not modelled)" } else { "" });
    let mut marked = vec![];
    let mut open = None;
    for (at, c) in text.char_indices() {
        if let Some(sentence) = opens.get(&at) {
            marked.push((OPEN, true));
            open = Some(*sentence);
        }
        marked.push((c, open.is_some()));
        if let Some(sentence) = open.filter(|sentence| at + c.len_utf8() >= sentence.span.end as usize) {
            marked.push((CLOSE, true));
            let names = sentence.claims.iter().map(name).collect::<Vec<_>>().join(" ");
            marked.extend(names.chars().map(|c| (c, true)));
            open = None;
        }
    }
    marked
}

/// A line with its number; what does not fit goes on below.
fn print_line(out: &mut impl Write, number: usize, line: &[(char, bool)], columns: usize) -> Done {
    let width = columns.saturating_sub(6).max(20);
    let mut rest = line;
    let mut margin = format!("{number:>4}  ");
    loop {
        let end = if rest.len() <= width {
            rest.len()
        } else {
            let mut fits = rest.iter().take(width + 1);
            fits.rposition(|(c, _)| *c == ' ').filter(|at| *at > 0).unwrap_or(width)
        };
        let (now, later) = rest.split_at_checked(end).unwrap_or((rest, &[]));
        if now.is_empty() {
            margin.truncate(margin.trim_end().len());
        }
        write!(out, "{FAINT}{margin}{FAINT:#}")?;
        for run in now.chunk_by(|one, next| one.1 == next.1) {
            let text: String = run.iter().map(|(c, _)| *c).collect();
            if run.iter().any(|(_, covered)| *covered) {
                write!(out, "{GOOD}{text}{GOOD:#}")?;
            } else {
                write!(out, "{text}")?;
            }
        }
        writeln!(out)?;
        rest = later.strip_prefix(&[(' ', false)]).or_else(|| later.strip_prefix(&[(' ', true)])).unwrap_or(later);
        if rest.is_empty() {
            return Ok(());
        }
        margin = " ".repeat(6);
    }
}
