//! Tree to checked game: names, types, bounds, boards, throws, endings, citations.
//!
//! Reports all errors it can find, not the first. A file without errors gives a [`Game`] that loads,
//! starts and can be played to a result or to the limit it names.

mod bounds;
mod citations;
mod declare;
mod endings;
mod examples;
mod expand;
mod expressions;
mod flow;
mod layout;
mod readings;
mod scope;
mod setups;
mod statements;

pub use self::setups::{Unplayable, bind};

use std::sync::Arc;

use crate::{
    diagnostic::{Diagnostic, Problem, Severity},
    rules::Game,
    source::RuleFile,
    syntax,
};

/// The most diagnostics that are given of a file.
const MAX_DIAGNOSTICS: usize = 500;

/// What the checker found in a file.
#[derive(Debug, Clone)]
pub struct Checked {
    /// The game, if there are no errors.
    pub game: Option<Arc<Game>>,
    /// Errors, warnings and notes, in the order of the text; the first 500 of them.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads and checks a rule file.
#[must_use]
pub fn check(source: &RuleFile) -> Checked {
    let (file, mut diagnostics) = syntax::parse(source.text());
    let mut game = None;
    // What is missing from a tree with errors would only be reported twice.
    if diagnostics.is_empty() {
        let (built, found) = declare::build(&file);
        diagnostics = found;
        if let Some(built) = built.filter(|_| !has_errors(&diagnostics)) {
            let built = Arc::new(built);
            diagnostics.extend(setups::check(&built));
            game = Some(built);
        }
    }
    let unused: Vec<String> = diagnostics.iter().filter_map(|found| found.problem.unused_reading()).collect();
    diagnostics
        .retain(|found| !matches!(&found.problem, Problem::SameRules { reading, .. } if unused.contains(reading)));
    if has_errors(&diagnostics) {
        // What is only missing or unused may be so because of an error.
        diagnostics.retain(|diagnostic| diagnostic.words().severity == Severity::Error);
    }
    diagnostics.sort_by_cached_key(|diagnostic| (diagnostic.span, diagnostic.problem.words().code));
    diagnostics.dedup_by(|a, b| a.span == b.span && a.problem == b.problem);
    if has_errors(&diagnostics) {
        game = None;
    }
    diagnostics.truncate(MAX_DIAGNOSTICS);
    Checked { game, diagnostics }
}

fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|diagnostic| diagnostic.problem.words().severity == Severity::Error)
}
