//! From a checked game to what it rests on.

use std::collections::HashMap;

use super::{
    AlternativeEvidence, BasisKind, ClaimEvidence, ClaimStatus, Evidence, ExampleEvidence, OptionEvidence,
    ReadingEvidence, RuleEvidence, RuleStatus, SourceEvidence, Totals, lines::Lines,
};
use crate::{
    rules::{Alternative, Basis, Claim, ClaimId, Game, Id as _, Reading, Rule, RuleId, RuleKind},
    source::RuleFile,
};

/// The first line of a rule as it is written, without blocks and grounds.
#[must_use]
pub fn statement(source: &RuleFile, rule: &Rule) -> String {
    let word = match rule.kind {
        RuleKind::Option => "option",
        RuleKind::Reading => "reading",
        RuleKind::Track => "track",
        RuleKind::Throw => "throw",
        RuleKind::Variable => "variable",
        RuleKind::Define => "define",
        RuleKind::Procedure => "to",
        RuleKind::Ending => "ending",
        RuleKind::Seats
        | RuleKind::Board
        | RuleKind::Men
        | RuleKind::Count
        | RuleKind::Turn
        | RuleKind::Limit
        | RuleKind::Statement => return source.first_line(rule.span).to_owned(),
    };
    // The place of these is their name.
    format!("{word} {}", source.line_from(rule.span.start))
}

impl Evidence {
    /// What a game rests on, with the places in its file.
    #[must_use]
    pub fn of(source: &RuleFile, game: &Game) -> Self {
        let mut order: Vec<RuleId> = game.rules.ids().collect();
        // A statement stands before what it holds.
        order.sort_by_key(|rule| {
            let span = game.rules.at(*rule).span;
            (span.start, std::cmp::Reverse(span.end))
        });
        let record = Record { source, lines: Lines::of(source.text()), game, order, names: claim_names(game) };
        let mut evidence = Self {
            totals: Totals::default(),
            sources: record.sources(),
            claims: record.claims(),
            rules: record.rules(),
            readings: game.readings.iter().map(|reading| record.reading(reading)).collect(),
            options: record.options(),
            examples: record.examples(),
        };
        evidence.totals = Totals::of(&evidence, assumptions(game));
        evidence
    }
}

/// How each claim is cited: by its name, with its source where two sources use one name.
fn claim_names(game: &Game) -> Vec<String> {
    let mut uses: HashMap<&str, usize> = HashMap::new();
    for claim in &game.claims {
        *uses.entry(claim.name.as_str()).or_default() += 1;
    }
    let cite = |claim: &Claim| match uses.get(claim.name.as_str()) {
        Some(1) => claim.name.clone(),
        _ => format!("{}.{}", game.sources.at(claim.source).name, claim.name),
    };
    game.claims.iter().map(cite).collect()
}

/// How many times a ground of a rule says `assumed`: what a block says once counts once.
fn assumptions(game: &Game) -> usize {
    let mut places: Vec<_> = game.rules.iter().filter(|rule| rule.assumed.is_some()).map(|rule| rule.grounds).collect();
    places.sort_unstable();
    places.dedup();
    places.len()
}

struct Record<'a> {
    source: &'a RuleFile,
    lines: Lines<'a>,
    game: &'a Game,
    /// The rules in order of the file.
    order: Vec<RuleId>,
    names: Vec<String>,
}

impl Record<'_> {
    fn line(&self, span: crate::span::Span) -> usize {
        self.lines.line(span.start)
    }

    fn cites(&self, claims: &[ClaimId]) -> Vec<String> {
        claims.iter().filter_map(|claim| self.names.get(claim.index()).cloned()).collect()
    }

    fn sources(&self) -> Vec<SourceEvidence> {
        let retold = |id| self.game.sources.at(id).name.clone();
        let source = |source: &crate::rules::Source| SourceEvidence {
            name: source.name.clone(),
            fields: source.fields.clone(),
            retells: source.retells.map(retold),
        };
        self.game.sources.iter().map(source).collect()
    }

    fn claims(&self) -> Vec<ClaimEvidence> {
        let mut claims: Vec<ClaimEvidence> =
            self.game.claims.iter().zip(&self.names).map(|(claim, cite)| self.claim(claim, cite)).collect();
        let mut note = |cited: &[ClaimId], what: &dyn Fn(&mut ClaimEvidence)| {
            for claim in cited {
                if let Some(claim) = claims.get_mut(claim.index()) {
                    what(claim);
                }
            }
        };
        let model = |claim: &mut ClaimEvidence| {
            if claim.not_modelled.is_none() {
                claim.status = ClaimStatus::Modelled;
            }
        };
        for (n, id) in self.order.iter().enumerate() {
            let rule = self.game.rules.at(*id);
            if !rule.frame {
                note(&rule.claims, &|claim| {
                    model(claim);
                    add(&mut claim.rules, &n);
                });
            }
        }
        for reading in &self.game.readings {
            note(&self.game.rules.at(reading.rule).claims, &|claim| add(&mut claim.readings, &reading.name));
            for alternative in &reading.alternatives {
                let (kind, cited) = (BasisKind::of(&alternative.basis), basis_claims(&alternative.basis));
                note(cited, &|claim| add(&mut claim.readings, &reading.name));
                if kind != BasisKind::Departs {
                    note(cited, &model);
                }
            }
        }
        for (n, example) in self.game.examples.iter().enumerate() {
            note(&example.claims, &|claim| add(&mut claim.examples, &n));
        }
        claims
    }

    fn claim(&self, claim: &Claim, cite: &str) -> ClaimEvidence {
        ClaimEvidence {
            cite: cite.to_owned(),
            source: self.game.sources.at(claim.source).name.clone(),
            name: claim.name.clone(),
            text: claim.text.clone(),
            anchors: claim.anchors.iter().map(|anchor| anchor.words.clone()).collect(),
            line: self.line(claim.span),
            status: if claim.not_modelled.is_some() { ClaimStatus::NotModelled } else { ClaimStatus::Uncited },
            not_modelled: claim.not_modelled.clone(),
            rules: vec![],
            readings: vec![],
            examples: vec![],
        }
    }

    fn rules(&self) -> Vec<RuleEvidence> {
        let rule = |id: &RuleId| {
            let rule = self.game.rules.at(*id);
            let (line, column) = self.lines.position(rule.span.start);
            let silent = |reading: &Reading| {
                let attested = |alternative: &Alternative| matches!(alternative.basis, Basis::Attested(_));
                reading.rule == *id && !reading.alternatives.iter().any(attested)
            };
            let status = if rule.frame {
                RuleStatus::Frame
            } else if self.game.readings.iter().any(silent) {
                RuleStatus::Silent
            } else if !rule.claims.is_empty() {
                RuleStatus::Attested
            } else if rule.assumed.is_some() {
                RuleStatus::Assumed
            } else {
                RuleStatus::Groundless
            };
            RuleEvidence {
                line,
                column,
                kind: rule.kind,
                text: statement(self.source, rule),
                status,
                claims: self.cites(&rule.claims),
                assumed: rule.assumed.clone(),
                inherited: rule.inherited,
                span: rule.span,
            }
        };
        self.order.iter().map(rule).collect()
    }

    fn reading(&self, reading: &Reading) -> ReadingEvidence {
        let rule = self.game.rules.at(reading.rule);
        let alternatives: Vec<AlternativeEvidence> =
            reading.alternatives.iter().map(|alternative| self.alternative(alternative)).collect();
        let only_when = reading.only_when.map(|(other, value)| {
            let other = self.game.readings.at(other);
            (other.name.clone(), other.alternatives.at(value).name.clone())
        });
        ReadingEvidence {
            name: reading.name.clone(),
            line: self.line(reading.span),
            question: reading.question.clone(),
            claims: self.cites(&rule.claims),
            assumed: rule.assumed.clone(),
            only_when,
            default: reading.alternatives.at(reading.default).name.clone(),
            silence: alternatives.iter().any(|alternative| alternative.basis == BasisKind::Silent),
            alternatives,
        }
    }

    fn alternative(&self, alternative: &Alternative) -> AlternativeEvidence {
        let from = match &alternative.basis {
            Basis::Borrowed(_, from) => from.clone(),
            _ => None,
        };
        AlternativeEvidence {
            name: alternative.name.clone(),
            line: self.line(alternative.span),
            text: alternative.text.clone(),
            basis: BasisKind::of(&alternative.basis),
            claims: self.cites(basis_claims(&alternative.basis)),
            from,
        }
    }

    fn options(&self) -> Vec<OptionEvidence> {
        let option = |option: &crate::rules::GameOption| {
            let rule = self.game.rules.at(option.rule);
            OptionEvidence {
                name: option.name.clone(),
                line: self.line(option.span),
                text: option.text.clone(),
                default: option.format(option.default),
                low: option.format(option.low),
                high: option.format(option.high),
                claims: self.cites(&rule.claims),
                assumed: rule.assumed.clone(),
            }
        };
        self.game.options.iter().map(option).collect()
    }

    fn examples(&self) -> Vec<ExampleEvidence> {
        let example = |example: &crate::rules::Example| ExampleEvidence {
            title: example.title.clone(),
            line: self.line(example.span),
            claims: self.cites(&example.claims),
        };
        self.game.examples.iter().map(example).collect()
    }
}

/// Adds what is not the last already.
fn add<T: Clone + PartialEq>(list: &mut Vec<T>, item: &T) {
    if list.last() != Some(item) {
        list.push(item.clone());
    }
}

/// The claims that an alternative speaks of.
fn basis_claims(basis: &Basis) -> &[ClaimId] {
    match basis {
        Basis::Silent => &[],
        Basis::Attested(claims) | Basis::Borrowed(claims, _) | Basis::Departs(claims) => claims,
    }
}
