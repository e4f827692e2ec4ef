//! How many claims are modelled, and how many rules attested.

use std::fmt;

use serde::Serialize;

use super::{BasisKind, ClaimStatus, Evidence, RuleStatus};

/// How many of each there are. `claims = modelled + not_modelled + uncited`, and
/// `rules = attested + silent + assumed + groundless`; frames are no part of the rules.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Totals {
    /// Claims of all sources.
    pub claims: usize,
    /// Those that a rule cites, or by which an alternative is attested or from which it is borrowed.
    pub modelled: usize,
    /// Those that the file leaves out, with the reason.
    pub not_modelled: usize,
    /// The others.
    pub uncited: usize,
    /// Declarations and statements, without frames.
    pub rules: usize,
    /// Those that rest on a claim.
    pub attested: usize,
    /// Of these, those that assume something besides.
    pub attested_with_assumption: usize,
    /// Readings of which no alternative is attested: they rest on the silence of the sources.
    pub silent: usize,
    /// Those that rest on an assumption alone.
    pub assumed: usize,
    /// Those that rest on nothing.
    pub groundless: usize,
    /// Statements that only hold others, without grounds of their own.
    pub frames: usize,
    /// How many times the file says `assumed` of rules: what a block says once counts once.
    pub assumptions: usize,
    /// All readings.
    pub readings: usize,
    /// Those about which the sources are silent: some alternative is `silent`.
    pub silences: usize,
    /// Alternatives that depart from a claim.
    pub variants: usize,
    /// Alternatives that are borrowed from another game or source.
    pub borrowed: usize,
    /// The options.
    pub options: usize,
    /// The examples.
    pub examples: usize,
}

impl Totals {
    pub(super) fn of(evidence: &Evidence, assumptions: usize) -> Self {
        let claims = |status| evidence.claims.iter().filter(|claim| claim.status == status).count();
        let rules = |status| evidence.rules.iter().filter(|rule| rule.status == status).count();
        let alternatives = |basis| {
            let all = evidence.readings.iter().flat_map(|reading| &reading.alternatives);
            all.filter(|alternative| alternative.basis == basis).count()
        };
        let with_assumption =
            evidence.rules.iter().filter(|rule| rule.status == RuleStatus::Attested && rule.assumed.is_some());
        Self {
            claims: evidence.claims.len(),
            modelled: claims(ClaimStatus::Modelled),
            not_modelled: claims(ClaimStatus::NotModelled),
            uncited: claims(ClaimStatus::Uncited),
            rules: evidence.rules.len() - rules(RuleStatus::Frame),
            attested: rules(RuleStatus::Attested),
            attested_with_assumption: with_assumption.count(),
            silent: rules(RuleStatus::Silent),
            assumed: rules(RuleStatus::Assumed),
            groundless: rules(RuleStatus::Groundless),
            frames: rules(RuleStatus::Frame),
            assumptions,
            readings: evidence.readings.len(),
            silences: evidence.readings.iter().filter(|reading| reading.silence).count(),
            variants: alternatives(BasisKind::Departs),
            borrowed: alternatives(BasisKind::Borrowed),
            options: evidence.options.len(),
            examples: evidence.examples.len(),
        }
    }
}

impl fmt::Display for Totals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let claims = [(self.not_modelled, "not modelled"), (self.uncited, "uncited")];
        let rules = [(self.silent, "silent"), (self.assumed, "assumed"), (self.groundless, "without ground")];
        write!(
            f,
            "claims modelled {}, rules attested {}, silences {}, assumptions {}, variants {}, borrowed {}",
            share(self.modelled, self.claims, &claims),
            share(self.attested, self.rules, &rules),
            self.silences,
            self.assumptions,
            self.variants,
            self.borrowed,
        )
    }
}

/// `11 of 12 (91.7 %, 1 uncited)`; what there is none of is not said.
fn share(part: usize, whole: usize, others: &[(usize, &str)]) -> String {
    let percent = (whole > 0).then(|| percent(part, whole));
    let others = others.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}"));
    let inside: Vec<String> = percent.into_iter().chain(others).collect();
    if inside.is_empty() { format!("{part} of {whole}") } else { format!("{part} of {whole} ({})", inside.join(", ")) }
}

/// A share in percent to one decimal place, halves rounded up.
pub(super) fn percent(part: usize, whole: usize) -> String {
    let whole = (whole as u128).max(1);
    let thousandths = (part as u128 * 2000 + whole) / (2 * whole);
    format!("{}.{} %", thousandths / 10, thousandths % 10)
}
