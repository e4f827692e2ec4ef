//! Anchors looked up in the words of the sources, and what of these no claim covers.

use serde::Serialize;

use super::{
    ClaimEvidence, ClaimStatus, Evidence,
    lines::Lines,
    nearest::nearest,
    search::{Haystack, Stretch},
    sentences::sentences,
    text::SourceText,
    totals::percent,
};
use crate::{
    diagnostic::{Diagnostic, Problem},
    rules::{Anchor, Claim, Game},
    span::Span,
};

/// What was found of a game's claims in the texts of its sources.
#[derive(Debug, Clone, Serialize)]
pub struct Coverage {
    /// Claims whose anchors are found, each once in a text, or in one sentence only.
    pub found: usize,
    /// Claims one of whose anchors is in none of the texts in which it was looked for.
    pub missing: usize,
    /// Claims one of whose anchors is found in several places, and covers nothing therefore.
    pub ambiguous: usize,
    /// Claims without an anchor.
    pub without_anchor: usize,
    /// Claims with an anchor, of a source of which no text was given.
    pub not_looked_up: usize,
    /// Every claim in order of the file.
    pub claims: Vec<AnchorEvidence>,
    /// Every text.
    pub texts: Vec<TextCoverage>,
    /// How many missing anchors were told.
    #[serde(skip)]
    told: usize,
    /// What is wrong with anchors: errors and warnings in the rule file.
    #[serde(skip)]
    pub diagnostics: Vec<Diagnostic>,
}

/// A claim and where its anchor is found.
#[derive(Debug, Clone, Serialize)]
pub struct AnchorEvidence {
    /// The claim as a rule cites it.
    pub claim: String,
    /// Its anchors.
    pub anchors: Vec<String>,
    /// What came of them; of several the worst.
    pub status: AnchorStatus,
    /// Where they are found.
    pub places: Vec<AnchorPlace>,
}

/// What came of looking for an anchor, from the best to the worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum AnchorStatus {
    /// There is none.
    NoAnchor,
    /// No text of its source was given.
    NotLookedUp,
    /// It is found, once in any text or in one sentence.
    Found,
    /// It is found in several places of one text, and covers nothing there.
    Ambiguous,
    /// It is not found.
    Missing,
}

/// A place in a text.
#[derive(Debug, Clone, Serialize)]
pub struct AnchorPlace {
    /// The name of the text.
    pub text: String,
    /// The line on which the anchor's words begin.
    pub line: usize,
    /// The line on which they end.
    pub last_line: usize,
    /// The stretch itself.
    #[serde(skip)]
    pub span: Span,
}

/// A text and what claims cover of it.
#[derive(Debug, Clone, Serialize)]
pub struct TextCoverage {
    /// Its name.
    pub name: String,
    /// The source whose text it is, where it is that of one.
    pub source: Option<String>,
    /// How many words it has.
    pub words: usize,
    /// How many of them stand in sentences that a claim covers.
    pub covered_words: usize,
    /// How many of these stand in sentences that a modelled claim covers.
    pub modelled_words: usize,
    /// Its sentences in order.
    pub sentences: Vec<SentenceEvidence>,
}

impl TextCoverage {
    /// The share of its words that stand in covered sentences, like `91.7 %`.
    #[must_use]
    pub fn share(&self) -> String {
        percent(self.covered_words, self.words)
    }
}

/// A sentence and the claims that cover it.
#[derive(Debug, Clone, Serialize)]
pub struct SentenceEvidence {
    /// The line on which it begins.
    pub line: usize,
    /// Its words, line breaks made spaces.
    pub text: String,
    /// How many words it has.
    pub words: usize,
    /// The claims whose anchors stand in it: none if it is uncovered.
    pub claims: Vec<String>,
    /// Whether one of them is modelled.
    pub modelled: bool,
    /// The sentence itself.
    #[serde(skip)]
    pub span: Span,
}

/// The most places of an anchor that are told.
const MAX_PLACES: usize = 10;
/// How many missing anchors are told what stands nearest to them: to look for it takes the longest of all.
const MAX_NEAREST: usize = 30;

/// Looks for the anchors of all claims of a game, of which this is the evidence. A source with a text of its own is looked for in that alone, the others in all
/// texts that belong to no single source.
#[must_use]
pub fn look_up(game: &Game, evidence: &Evidence, texts: &[SourceText]) -> Coverage {
    let mut found = Coverage {
        found: 0,
        missing: 0,
        ambiguous: 0,
        without_anchor: 0,
        not_looked_up: 0,
        claims: vec![],
        texts: vec![],
        told: 0,
        diagnostics: vec![],
    };
    let mut texts: Vec<Text<'_>> = texts.iter().map(Text::of).collect();
    for (claim, record) in game.claims.iter().zip(&evidence.claims) {
        let evidence = found.claim(claim, record, &mut texts);
        *match evidence.status {
            AnchorStatus::Found => &mut found.found,
            AnchorStatus::Missing => &mut found.missing,
            AnchorStatus::Ambiguous => &mut found.ambiguous,
            AnchorStatus::NoAnchor => &mut found.without_anchor,
            AnchorStatus::NotLookedUp => &mut found.not_looked_up,
        } += 1;
        found.claims.push(evidence);
    }
    found.texts = texts.into_iter().map(|text| text.coverage).collect();
    found
}

impl Coverage {
    fn claim(&mut self, claim: &Claim, record: &ClaimEvidence, texts: &mut [Text<'_>]) -> AnchorEvidence {
        let source = record.source.as_str();
        let has_own = texts.iter().any(|text| text.coverage.source.as_deref() == Some(source));
        let wanted = has_own.then_some(source);
        let mut texts: Vec<&mut Text<'_>> =
            texts.iter_mut().filter(|text| text.coverage.source.as_deref() == wanted).collect();
        let mut places = vec![];
        let status = if claim.anchors.is_empty() {
            AnchorStatus::NoAnchor
        } else if texts.is_empty() {
            AnchorStatus::NotLookedUp
        } else {
            let each = claim.anchors.iter().map(|anchor| self.anchor(anchor, record, &mut texts, &mut places));
            // The worst of them, but all are looked for.
            each.collect::<Vec<_>>().into_iter().max().unwrap_or(AnchorStatus::NoAnchor)
        };
        AnchorEvidence { claim: record.cite.clone(), anchors: record.anchors.clone(), status, places }
    }

    /// Looks for one anchor in all texts of its source, and covers the sentences in which it is found.
    fn anchor(
        &mut self,
        anchor: &Anchor,
        record: &ClaimEvidence,
        texts: &mut [&mut Text<'_>],
        places: &mut Vec<AnchorPlace>,
    ) -> AnchorStatus {
        let (mut here, mut ambiguous) = (vec![], false);
        for text in texts.iter_mut() {
            let stretches = text.find(&anchor.words);
            let sentences: Vec<(usize, usize)> = stretches.iter().map(|stretch| text.sentences(*stretch)).collect();
            match sentences.first() {
                Some(first) if sentences.iter().all(|sentence| sentence == first) => text.cover(*first, record),
                Some(_) => ambiguous = true,
                None => {}
            }
            here.extend(stretches.into_iter().map(|stretch| text.place(stretch)));
        }
        let problem = if here.is_empty() {
            let haystacks: Vec<_> = texts.iter().map(|text| &text.haystack).collect();
            let near = if self.told < MAX_NEAREST { nearest(&anchor.words, &haystacks) } else { None };
            self.told += 1;
            let near = near.and_then(|near| texts.get(near.text).map(|text| text.quote(near.span)));
            let names = texts.iter().map(|text| text.coverage.name.as_str()).collect::<Vec<_>>().join(", ");
            Some((AnchorStatus::Missing, Problem::AnchorMissing { texts: names, near }))
        } else if ambiguous {
            let told = here.iter().take(MAX_PLACES).map(|place| format!("{}:{}", place.text, place.line));
            let mut told = told.collect::<Vec<_>>().join(", ");
            if here.len() > MAX_PLACES {
                told += ", ...";
            }
            Some((AnchorStatus::Ambiguous, Problem::AnchorAmbiguous { places: told }))
        } else {
            None
        };
        here.truncate(MAX_PLACES);
        places.extend(here);
        problem.map_or(AnchorStatus::Found, |(status, problem)| {
            self.diagnostics.push(Diagnostic::new(problem, anchor.span));
            status
        })
    }
}

/// A text made ready to be searched, with what is covered so far.
struct Text<'a> {
    text: &'a str,
    lines: Lines<'a>,
    haystack: Haystack,
    coverage: TextCoverage,
}

impl<'a> Text<'a> {
    fn of(source: &'a SourceText) -> Self {
        let text = source.text();
        let (lines, haystack) = (Lines::of(text), Haystack::of(text));
        let sentence = |span: Span| SentenceEvidence {
            line: lines.line(span.start),
            text: on_one_line(text.get(span.range()).unwrap_or_default()),
            words: haystack.words(span),
            claims: vec![],
            modelled: false,
            span,
        };
        let sentences: Vec<SentenceEvidence> =
            sentences(text).into_iter().map(sentence).filter(|sentence| sentence.words > 0).collect();
        let coverage = TextCoverage {
            name: source.name().to_owned(),
            source: source.source().map(str::to_owned),
            words: sentences.iter().map(|sentence| sentence.words).sum(),
            covered_words: 0,
            modelled_words: 0,
            sentences,
        };
        Self { text, lines, haystack, coverage }
    }

    /// The stretches of an anchor; `...` in it stands for whatever lies between.
    fn find(&self, anchor: &str) -> Vec<Stretch> {
        let whole = anchor.replace('…', "...");
        self.haystack.stretches(&whole.split("...").collect::<Vec<_>>())
    }

    /// The first and the last of the sentences in which a stretch stands.
    fn sentences(&self, stretch: Stretch) -> (usize, usize) {
        let of = |byte: u32| self.coverage.sentences.partition_point(|sentence| sentence.span.start <= byte);
        (of(stretch.span.start).saturating_sub(1), of(stretch.span.end.saturating_sub(1)).saturating_sub(1))
    }

    fn cover(&mut self, (first, last): (usize, usize), claim: &ClaimEvidence) {
        for sentence in self.coverage.sentences.iter_mut().take(last + 1).skip(first) {
            if sentence.claims.is_empty() {
                self.coverage.covered_words += sentence.words;
            }
            if claim.status == ClaimStatus::Modelled && !sentence.modelled {
                sentence.modelled = true;
                self.coverage.modelled_words += sentence.words;
            }
            if sentence.claims.last().is_none_or(|last| *last != claim.cite) {
                sentence.claims.push(claim.cite.clone());
            }
        }
    }

    fn place(&self, stretch: Stretch) -> AnchorPlace {
        AnchorPlace {
            text: self.coverage.name.clone(),
            line: self.lines.line(stretch.span.start),
            last_line: self.lines.line(stretch.span.end.saturating_sub(1)),
            span: stretch.span,
        }
    }

    /// A stretch in quotes, with its place.
    fn quote(&self, span: Span) -> String {
        let words = on_one_line(self.text.get(span.range()).unwrap_or_default());
        format!("\"{words}\" ({}:{})", self.coverage.name, self.lines.line(span.start))
    }
}

fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
