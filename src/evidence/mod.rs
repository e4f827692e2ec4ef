//! What a rule file rests on, as plain data: claims and the rules that cite them, rules and their grounds, readings with
//! their alternatives; and where the claims are found in the words of the sources.

mod anchors;
mod lines;
mod nearest;
mod record;
mod search;
mod sentences;
mod text;
mod totals;
mod words;

pub use self::{
    anchors::{AnchorEvidence, AnchorPlace, AnchorStatus, Coverage, SentenceEvidence, TextCoverage, look_up},
    record::statement,
    text::{SourceText, SourceTextError},
    totals::Totals,
};

use serde::{Serialize, Serializer};

use crate::{
    rules::{Basis, RuleKind},
    span::Span,
};

/// What a rule file rests on. Claims are named as a rule cites them, without the `@`; rules and examples by their place in
/// [`Evidence::rules`] and [`Evidence::examples`], from 0; lines count from 1.
#[derive(Debug, Clone, Serialize)]
pub struct Evidence {
    /// How many of each there are.
    pub totals: Totals,
    /// The sources in order of the file.
    pub sources: Vec<SourceEvidence>,
    /// Their claims in order of the file.
    pub claims: Vec<ClaimEvidence>,
    /// Declarations and statements in order of the file.
    pub rules: Vec<RuleEvidence>,
    /// The readings in order of the file.
    pub readings: Vec<ReadingEvidence>,
    /// The options in order of the file.
    pub options: Vec<OptionEvidence>,
    /// The examples in order of the file.
    pub examples: Vec<ExampleEvidence>,
}

/// A source.
#[derive(Debug, Clone, Serialize)]
pub struct SourceEvidence {
    /// Its name.
    pub name: String,
    /// Author, year, title, place in the work, as far as given.
    #[serde(serialize_with = "as_map")]
    pub fields: Vec<(String, String)>,
    /// The source it retells: it is no second witness.
    pub retells: Option<String>,
}

fn as_map<S: Serializer>(pairs: &[(String, String)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(pairs.iter().map(|(key, value)| (key, value)))
}

/// A claim and what becomes of it.
#[derive(Debug, Clone, Serialize)]
pub struct ClaimEvidence {
    /// As a rule cites it: its name, with that of the source before it where two sources use one name.
    pub cite: String,
    /// The name of its source.
    pub source: String,
    /// Its name.
    pub name: String,
    /// What is claimed, in the words of the file's author.
    pub text: String,
    /// A few words by which it is found in the original, for each place where it stands.
    pub anchors: Vec<String>,
    /// Its line.
    pub line: usize,
    /// What becomes of it.
    pub status: ClaimStatus,
    /// Why it is not modelled.
    pub not_modelled: Option<String>,
    /// The rules that cite it, by themselves or through their block.
    pub rules: Vec<usize>,
    /// The names of the readings that interpret it, or one of whose alternatives speaks of it.
    pub readings: Vec<String>,
    /// The examples that illustrate it.
    pub examples: Vec<usize>,
}

/// What becomes of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClaimStatus {
    /// A rule cites it, or an alternative is attested by it or borrowed from it.
    Modelled,
    /// The file says that it is not modelled, and why.
    NotModelled,
    /// Neither: no rule cites it.
    Uncited,
}

/// A declaration or a statement, and what it rests on.
#[derive(Debug, Clone, Serialize)]
pub struct RuleEvidence {
    /// Its line.
    pub line: usize,
    /// Its column, in characters from 1.
    pub column: usize,
    /// What kind of rule it is.
    pub kind: RuleKind,
    /// Its first line as written, without blocks and grounds.
    pub text: String,
    /// What it rests on.
    pub status: RuleStatus,
    /// The claims it cites.
    pub claims: Vec<String>,
    /// What is assumed, and why; it can stand beside claims.
    pub assumed: Option<String>,
    /// Whether claims and assumption are those of its block.
    pub inherited: bool,
    /// Where it stands.
    #[serde(skip)]
    pub span: Span,
}

/// What a rule rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RuleStatus {
    /// On a claim.
    Attested,
    /// On the silence of the sources: a reading of which no alternative is attested.
    Silent,
    /// On an assumption alone.
    Assumed,
    /// On nothing: nobody attests it, and nothing says why it is there.
    Groundless,
    /// It is a frame without grounds of its own: what it holds is counted line by line, and it is not counted.
    Frame,
}

/// A reading: a question and its alternatives.
#[derive(Debug, Clone, Serialize)]
pub struct ReadingEvidence {
    /// Its name.
    pub name: String,
    /// Its line.
    pub line: usize,
    /// The question.
    pub question: String,
    /// The claims it interprets.
    pub claims: Vec<String>,
    /// What it assumes.
    pub assumed: Option<String>,
    /// It matters only when another reading has this alternative.
    pub only_when: Option<(String, String)>,
    /// The alternative used when none is chosen.
    pub default: String,
    /// Whether the sources are silent about it: one of its alternatives rests on their silence.
    pub silence: bool,
    /// The alternatives in order of the file.
    pub alternatives: Vec<AlternativeEvidence>,
}

/// An alternative and what it rests on.
#[derive(Debug, Clone, Serialize)]
pub struct AlternativeEvidence {
    /// Its name.
    pub name: String,
    /// Its line.
    pub line: usize,
    /// What it says.
    pub text: String,
    /// What it rests on.
    pub basis: BasisKind,
    /// The claims by which it is attested, from which it is borrowed or departs.
    pub claims: Vec<String>,
    /// From what it is borrowed, where that is no claim.
    pub from: Option<String>,
}

/// What an alternative rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum BasisKind {
    /// The source is silent or unclear.
    Silent,
    /// A claim says so.
    Attested,
    /// Another source or game says so.
    Borrowed,
    /// It goes against a claim on purpose: a variant.
    Departs,
}

impl BasisKind {
    pub(crate) fn of(basis: &Basis) -> Self {
        match basis {
            Basis::Silent => Self::Silent,
            Basis::Attested(_) => Self::Attested,
            Basis::Borrowed(..) => Self::Borrowed,
            Basis::Departs(_) => Self::Departs,
        }
    }

    /// It as the file writes it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Silent => "silent",
            Self::Attested => "attested",
            Self::Borrowed => "borrowed",
            Self::Departs => "departs",
        }
    }
}

/// An option: a number the sources leave open, or that may be varied.
#[derive(Debug, Clone, Serialize)]
pub struct OptionEvidence {
    /// Its name.
    pub name: String,
    /// Its line.
    pub line: usize,
    /// What it is.
    pub text: String,
    /// The value used when none is chosen.
    pub default: String,
    /// The smallest value.
    pub low: String,
    /// The largest value.
    pub high: String,
    /// The claims it rests on.
    pub claims: Vec<String>,
    /// What is assumed, and why.
    pub assumed: Option<String>,
}

/// An example.
#[derive(Debug, Clone, Serialize)]
pub struct ExampleEvidence {
    /// What it shows.
    pub title: String,
    /// Its line.
    pub line: usize,
    /// The claims it illustrates.
    pub claims: Vec<String>,
}
