//! What shows only once readings and options are put in: a game is bound to its defaults, to every
//! reading, and to the ends of every option's range.

use std::{collections::HashMap, sync::Arc};

use super::{bounds, flow};
use crate::{
    diagnostic::{Diagnostic, Problem},
    rules::{EndingId, Expr, Game, Rules, Setup, Table, When},
};

/// How many setups are tried at most.
const MAX_SETUPS: usize = 600;

pub(super) fn check(game: &Arc<Game>) -> Vec<Diagnostic> {
    let mut found = flow::unreachable(game);
    found.extend(flow::early_requirements(game));
    let mut never: Table<EndingId, bool> = Table::filled(game.endings.len(), true);
    for setup in setups(game) {
        let (mut here, bound) = match Rules::bind(game, &setup) {
            Err(error) => (vec![Diagnostic::new(error.problem, error.span)], None),
            Ok(rules) => {
                let mut here = flow::check(&rules);
                here.extend(bounds::check(&rules));
                (here, Some(rules))
            }
        };
        for diagnostic in &mut here {
            diagnostic.under = differences(game, &setup);
        }
        // What shows with the defaults is not told again for every other setup.
        here.retain(|new| {
            !found.iter().any(|old: &Diagnostic| old.span == new.span && old.words().code == new.words().code)
        });
        found.extend(here);
        for (id, ending) in bound.iter().flat_map(|rules| rules.endings.entries()) {
            if !matches!(ending.when, When::AtOnce(Expr::Truth(false)) | When::AfterTurn(Expr::Truth(false))) {
                *never.at_mut(id) = false;
            }
        }
    }
    if !found.iter().any(|diagnostic| diagnostic.words().severity == crate::diagnostic::Severity::Error) {
        for (ending, never) in game.endings.iter().zip(&never) {
            if *never {
                found.push(Diagnostic::new(Problem::EndingNever { name: ending.name.clone() }, ending.span));
            }
        }
        found.extend(same_rules(game));
    }
    found
}

/// Every single reading, each with the defaults of the options and with the ends of their ranges.
fn setups(game: &Game) -> Vec<Setup> {
    let singles = game.single_readings();
    let mut all = singles.clone();
    for (id, option) in game.options.entries() {
        // A chance just off the end of its range has all its decimal places.
        let fine = if option.scale > 0 { Some(option.low + 1) } else { None };
        for value in [Some(option.low), Some(option.high), fine].into_iter().flatten() {
            all.extend(singles.iter().map(|setup| setup.with_option(id, value)));
        }
    }
    for end in [|option: &crate::rules::GameOption| option.low, |option: &crate::rules::GameOption| option.high] {
        let corner = game
            .options
            .entries()
            .fold(Setup::defaults(game), |setup, (id, option)| setup.with_option(id, end(option)));
        all.push(corner);
    }
    all.truncate(MAX_SETUPS);
    all
}

/// The choices in which a setup differs from the defaults, as a person writes them.
fn differences(game: &Game, setup: &Setup) -> Option<String> {
    let (own, defaults) = (setup.named(game), Setup::defaults(game).named(game));
    let readings =
        own.readings.iter().zip(&defaults.readings).filter(|(a, b)| a != b).map(|(a, _)| format!("{}={}", a.0, a.1));
    let options =
        own.options.iter().zip(&defaults.options).filter(|(a, b)| a != b).map(|(a, _)| format!("{}={}", a.0, a.1));
    let all: Vec<String> = readings.chain(options).collect();
    (!all.is_empty()).then(|| all.join(", "))
}

/// Readings of which two alternatives give the same rules.
fn same_rules(game: &Arc<Game>) -> Vec<Diagnostic> {
    let mut found = vec![];
    for (id, reading) in game.readings.entries() {
        let mut seen: HashMap<String, String> = HashMap::new();
        for (alternative, setup) in id.alternatives(game) {
            let Ok(rules) = Rules::bind(game, &setup) else { continue };
            let this = reading.alternatives.at(alternative);
            if let Some(other) = seen.insert(rules.hash(), this.name.clone()) {
                let problem =
                    Problem::SameRules { reading: reading.name.clone(), one: other, other: this.name.clone() };
                found.push(Diagnostic::new(problem, this.span));
            }
        }
    }
    found
}
