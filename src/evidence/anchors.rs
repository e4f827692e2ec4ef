//! Anchors looked up in the words of the sources, and what of these no claim covers.

use serde::Serialize;

use super::{
    lines::Lines,
    nearest::nearest,
    record::claim_names,
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
    /// Claims whose anchor is found once in a text, or in one sentence only.
    pub found: usize,
    /// Claims whose anchor is in none of the texts in which it was looked for.
    pub missing: usize,
    /// Claims whose anchor is found in several places, and covers nothing therefore.
    pub ambiguous: usize,
    /// Claims without an anchor.
    pub without_anchor: usize,
    /// Claims with an anchor, of a source of which no text was given.
    pub not_looked_up: usize,
    /// Every claim in order of the file.
    pub claims: Vec<AnchorEvidence>,
    /// Every text.
    pub texts: Vec<TextCoverage>,
    /// What is wrong with anchors: errors and warnings in the rule file.
    #[serde(skip)]
    pub diagnostics: Vec<Diagnostic>,
}

/// A claim and where its anchor is found.
#[derive(Debug, Clone, Serialize)]
pub struct AnchorEvidence {
    /// The claim as a rule cites it.
    pub claim: String,
    /// The anchor.
    pub anchor: Option<String>,
    /// What came of it.
    pub status: AnchorStatus,
    /// Where it is found.
    pub places: Vec<AnchorPlace>,
}

/// What came of looking for an anchor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum AnchorStatus {
    /// It is found, once in any text or in one sentence.
    Found,
    /// It is not found.
    Missing,
    /// It is found in several places of one text.
    Ambiguous,
    /// There is none.
    NoAnchor,
    /// No text of its source was given.
    NotLookedUp,
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
    /// The sentence itself.
    #[serde(skip)]
    pub span: Span,
}

/// The most places of an anchor that are told.
const MAX_PLACES: usize = 10;
/// How many missing anchors are told what stands nearest to them: to look for it takes the longest of all.
const MAX_NEAREST: usize = 30;

/// Looks for the anchors of all claims. A source with a text of its own is looked for in that alone, the others in all
/// texts that belong to no single source.
#[must_use]
pub fn look_up(game: &Game, texts: &[SourceText]) -> Coverage {
    let mut found = Coverage {
        found: 0,
        missing: 0,
        ambiguous: 0,
        without_anchor: 0,
        not_looked_up: 0,
        claims: vec![],
        texts: vec![],
        diagnostics: vec![],
    };
    let mut texts: Vec<Text<'_>> = texts.iter().map(Text::of).collect();
    for (claim, cite) in game.claims.iter().zip(claim_names(game)) {
        let evidence = match &claim.anchor {
            None => AnchorEvidence { claim: cite, anchor: None, status: AnchorStatus::NoAnchor, places: vec![] },
            Some(anchor) => found.anchor(game, claim, anchor, cite, &mut texts),
        };
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
    fn anchor(
        &mut self,
        game: &Game,
        claim: &Claim,
        anchor: &Anchor,
        cite: String,
        texts: &mut [Text<'_>],
    ) -> AnchorEvidence {
        let source = game.sources.at(claim.source).name.as_str();
        let has_own = texts.iter().any(|text| text.coverage.source.as_deref() == Some(source));
        let wanted = has_own.then_some(source);
        let mut texts: Vec<&mut Text<'_>> =
            texts.iter_mut().filter(|text| text.coverage.source.as_deref() == wanted).collect();
        let mut places = vec![];
        let mut ambiguous = false;
        for text in &mut texts {
            let here = text.find(&anchor.words);
            let sentences: Vec<(usize, usize)> = here.iter().map(|stretch| text.sentences(*stretch)).collect();
            let one = sentences.iter().all(|sentence| Some(sentence) == sentences.first());
            ambiguous |= !one;
            if let (true, Some(sentences)) = (one, sentences.first()) {
                text.cover(*sentences, &cite);
            }
            places.extend(here.into_iter().map(|stretch| text.place(stretch)));
        }
        let names = || texts.iter().map(|text| text.coverage.name.as_str()).collect::<Vec<_>>().join(", ");
        let status = if texts.is_empty() {
            AnchorStatus::NotLookedUp
        } else if places.is_empty() {
            let near = (self.missing < MAX_NEAREST)
                .then(|| nearest(&anchor.words, &texts.iter().map(|text| &text.haystack).collect::<Vec<_>>()))
                .flatten();
            let near = near.and_then(|near| texts.get(near.text).map(|text| text.quote(near.span)));
            self.diagnostics.push(Diagnostic::new(Problem::AnchorMissing { texts: names(), near }, anchor.span));
            AnchorStatus::Missing
        } else if ambiguous {
            let told = places.iter().take(MAX_PLACES).map(|place: &AnchorPlace| format!("{}:{}", place.text, place.line));
            let mut told = told.collect::<Vec<_>>().join(", ");
            if places.len() > MAX_PLACES {
                told += ", ...";
            }
            self.diagnostics.push(Diagnostic::new(Problem::AnchorAmbiguous { places: told }, anchor.span));
            AnchorStatus::Ambiguous
        } else {
            AnchorStatus::Found
        };
        places.truncate(MAX_PLACES);
        AnchorEvidence { claim: cite, anchor: Some(anchor.words.clone()), status, places }
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
            span,
        };
        let sentences: Vec<SentenceEvidence> =
            sentences(text).into_iter().map(sentence).filter(|sentence| sentence.words > 0).collect();
        let coverage = TextCoverage {
            name: source.name().to_owned(),
            source: source.source().map(str::to_owned),
            words: sentences.iter().map(|sentence| sentence.words).sum(),
            covered_words: 0,
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

    fn cover(&mut self, (first, last): (usize, usize), cite: &str) {
        for sentence in self.coverage.sentences.iter_mut().take(last + 1).skip(first) {
            if sentence.claims.is_empty() {
                self.coverage.covered_words += sentence.words;
            }
            sentence.claims.push(cite.to_owned());
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
