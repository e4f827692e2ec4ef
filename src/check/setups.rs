//! What shows only once readings and options are put in: a game is bound to every setup worth trying
//! when it is checked, and to the chosen one before it is played.

use std::{collections::HashSet, sync::Arc};

use super::{bounds, flow};
use crate::{
    diagnostic::{Diagnostic, Problem, Severity},
    rules::{EndingId, Expr, Game, GameOption, Laid, Rules, Setup, Table, When},
};

/// How many setups are tried at most, the likeliest first.
const MAX_SETUPS: usize = 1500;
/// Values of two options are tried together where there are no more pairs of them; else only their ends.
const MAX_PAIRS: usize = 64;
/// Every value of an option is tried where there are no more than this.
const MAX_VALUES: i64 = 32;

/// Rules that cannot be played under some choice of readings and options, and why.
#[derive(Debug, Clone)]
pub struct Unplayable {
    /// What is wrong.
    pub diagnostics: Vec<Diagnostic>,
}

impl std::fmt::Display for Unplayable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let messages = self.diagnostics.iter().map(|found| match &found.under {
            Some(under) => format!("{} (with {under})", found.words().message),
            None => found.words().message,
        });
        f.write_str(&messages.collect::<Vec<_>>().join("; "))
    }
}

impl std::error::Error for Unplayable {}

/// Binds a game to its readings and options, and looks whether it can be played under them.
///
/// # Errors
/// [`Unplayable`] when the board, the tracks or the throws cannot be made of these options, or a rule
/// could lose seeds or take too long under them. The checker has tried the defaults, every single
/// reading, pairs of readings and of options, and every value of an option, up to 1500 of them; other
/// combinations are looked at only here.
pub fn bind(game: &Arc<Game>, setup: &Setup) -> Result<Rules, Unplayable> {
    let (rules, mut diagnostics) = try_setup(game, setup, &mut Laid::default());
    diagnostics.retain(|found| found.words().severity == Severity::Error);
    match rules {
        Some(rules) if diagnostics.is_empty() => Ok(rules),
        _ => Err(Unplayable { diagnostics }),
    }
}

/// What shows under one setup.
fn try_setup(game: &Arc<Game>, setup: &Setup, laid: &mut Laid) -> (Option<Rules>, Vec<Diagnostic>) {
    let (rules, mut found) = match Rules::bind(game, setup, laid) {
        Err(error) => (None, vec![Diagnostic::new(error.problem, error.span)]),
        Ok(rules) => {
            let mut found = flow::check(&rules);
            found.extend(bounds::check(&rules));
            (Some(rules), found)
        }
    };
    let under = differences(game, setup);
    for diagnostic in &mut found {
        diagnostic.under.clone_from(&under);
    }
    (rules, found)
}

pub(super) fn check(game: &Arc<Game>) -> Vec<Diagnostic> {
    let mut found = flow::unreachable(game);
    found.extend(flow::early_requirements(game));
    found.extend(flow::endings_outside_turns(game));
    let mut never: Table<EndingId, bool> = Table::filled(game.endings.len(), true);
    let mut laid = Laid::default();
    for setup in setups(game) {
        let (rules, mut here) = try_setup(game, &setup, &mut laid);
        // What shows with the defaults is not told again for every other setup.
        here.retain(|new| {
            !found.iter().any(|old: &Diagnostic| old.span == new.span && old.words().code == new.words().code)
        });
        found.extend(here);
        for (id, ending) in rules.iter().flat_map(|rules| rules.endings.entries()) {
            if !matches!(ending.when, When::AtOnce(Expr::Truth(false)) | When::AfterTurn(Expr::Truth(false))) {
                *never.at_mut(id) = false;
            }
        }
    }
    if !found.iter().any(|diagnostic| diagnostic.words().severity == Severity::Error) {
        for (ending, never) in game.endings.iter().zip(&never) {
            if *never {
                found.push(Diagnostic::new(Problem::EndingNever { name: ending.name.clone() }, ending.span));
            }
        }
        found.extend(same_rules(game));
    }
    found
}

/// The setups to be tried: the defaults, every single reading, all options at their ends, every value
/// of every option, every pair of readings, every reading with the ends of every option.
fn setups(game: &Game) -> Vec<Setup> {
    let singles = game.single_readings();
    let defaults = Setup::defaults(game);
    let mut all = singles.clone();
    for end in [|option: &GameOption| option.low, |option: &GameOption| option.high] {
        all.push(
            game.options.entries().fold(defaults.clone(), |setup, (id, option)| setup.with_option(id, end(option))),
        );
    }
    let values = |option: &GameOption| -> Vec<i64> {
        if option.scale > 0 {
            // A chance just off the end of its range has all its decimal places.
            vec![option.low, option.low + 1, option.high]
        } else if option.high - option.low < MAX_VALUES {
            (option.low..=option.high).collect()
        } else {
            vec![option.low, option.low + 1, option.high - 1, option.high]
        }
    };
    for (id, option) in game.options.entries() {
        all.extend(values(option).into_iter().map(|value| defaults.with_option(id, value)));
    }
    // Sizes can fail to fit together.
    for (first, option) in game.options.entries() {
        for (second, other) in game.options.entries().filter(|(second, _)| *second > first) {
            let (mut own, mut others) = (values(option), values(other));
            if own.len() * others.len() > MAX_PAIRS {
                (own, others) = (vec![option.low, option.high], vec![other.low, other.high]);
            }
            for value in own {
                let setup = defaults.with_option(first, value);
                all.extend(others.iter().map(|value| setup.with_option(second, *value)));
            }
        }
    }
    for first in game.readings.ids() {
        if all.len() > MAX_SETUPS {
            break;
        }
        for second in game.readings.ids().filter(|second| *second > first) {
            for (alternative, setup) in first.alternatives(game) {
                let others = game.readings.at(second).alternatives.ids();
                all.extend(others.map(|other| setup.with_reading(first, alternative).with_reading(second, other)));
            }
        }
    }
    for (id, option) in game.options.entries() {
        for value in [option.low, option.high] {
            all.extend(singles.iter().map(|setup| setup.with_option(id, value)));
        }
    }
    let mut seen = HashSet::new();
    all.retain(|setup| seen.insert(setup.clone()));
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

/// Readings of which two alternatives give the same rules, with the default options and with each at its ends.
fn same_rules(game: &Arc<Game>) -> Vec<Diagnostic> {
    let mut found = vec![];
    let mut laid = Laid::default();
    let mut hash = |setup: &Setup| Rules::bind(game, setup, &mut laid).ok().map(|rules| rules.hash());
    let ends = |setup: &Setup| -> Vec<Setup> {
        let options = game.options.entries();
        options.flat_map(|(id, option)| [option.low, option.high].map(|value| setup.with_option(id, value))).collect()
    };
    for (id, reading) in game.readings.entries() {
        let mut seen: Vec<(Option<String>, Setup, String)> = vec![];
        for (alternative, setup) in id.alternatives(game) {
            let (own, this) = (hash(&setup), reading.alternatives.at(alternative));
            // The ends of options are only looked at where the defaults differ in nothing.
            let other = seen.iter().rev().find(|(other, before, _)| {
                let pairs = || ends(before).into_iter().zip(ends(&setup)).collect::<Vec<_>>();
                own.is_some()
                    && *other == own
                    && pairs().iter().all(|(one, two)| {
                        let (one, two) = (hash(one), hash(two));
                        one.is_some() && one == two
                    })
            });
            if let Some((_, _, other)) = other {
                let (one, other) = (other.clone(), this.name.clone());
                found
                    .push(Diagnostic::new(Problem::SameRules { reading: reading.name.clone(), one, other }, this.span));
            }
            seen.push((own, setup, this.name.clone()));
        }
    }
    found
}
