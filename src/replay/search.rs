//! Which readings explain which records.

use std::{collections::HashMap, sync::Arc};

use super::{
    combinations::{all, applies, changes, count, near},
    record::{Chosen, Explained, Record},
};
use crate::{
    check::bind,
    notation::RecordError,
    reference::Reference,
    rules::{AlternativeId, Game, ReadingId, Setup},
};

/// How far combinations of readings are tried.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// The most combinations; of more, those are tried that differ from the chosen readings in one or two.
    pub combinations: usize,
    /// The most steps of evaluation for all of them together.
    pub steps: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { combinations: 2000, steps: 200_000_000 }
    }
}

/// Steps of evaluation that are counted for putting readings into rules.
const BIND: u64 = 10_000;

/// What became of records.
#[derive(Debug, Clone)]
pub struct Replay {
    /// Each of them, in order.
    pub records: Vec<Replayed>,
    /// The combinations of readings that were tried, if any were.
    pub search: Option<Search>,
}

/// What became of a record under the chosen readings.
#[derive(Debug, Clone)]
pub struct Replayed {
    /// The hash of the rules, where they can be played.
    pub rules: Option<String>,
    /// What it comes to, or where it is not explained.
    pub outcome: Result<Explained, RecordError>,
    /// Where one number of what a move takes is all that is not explained: the number that would be.
    pub only_wrong: Option<i64>,
}

/// The combinations of readings that were tried.
#[derive(Debug, Clone)]
pub struct Search {
    /// Those tried, with the fewest changes from the chosen readings first.
    pub combinations: Vec<Combination>,
    /// How many there are.
    pub all: u128,
    /// Which of them were tried.
    pub extent: Extent,
}

/// Which combinations were tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// All.
    All,
    /// The chosen readings, and those that differ from them in one or two.
    OneOrTwoChanged,
    /// As many as the limit on steps allowed.
    Steps,
}

/// A combination of readings, and how far each record is explained under it.
#[derive(Debug, Clone)]
pub struct Combination {
    /// The readings, with the chosen options.
    pub setup: Setup,
    /// Where they differ from those chosen.
    pub changes: Vec<(ReadingId, AlternativeId)>,
    /// Whether one of them is no reading of the text but a variant of the game.
    pub variant: bool,
    /// The hash of the rules with the chosen options, where they can be played.
    pub rules: Option<String>,
    /// What becomes of each record.
    pub reached: Vec<Reached>,
}

/// How far a record is explained.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reached {
    /// To its end.
    Explained,
    /// So many of its moves, throws and other statements.
    Stopped {
        /// How many.
        after: usize,
        /// Where only the number that the next move is said to take is wrong, and all the rest is explained: what it takes.
        only_wrong: Option<i64>,
    },
    /// The record says itself that it was played otherwise.
    PlayedOtherwise,
}

impl Combination {
    /// Whether it explains a record.
    #[must_use]
    pub fn explains(&self, record: usize) -> bool {
        self.reached.get(record) == Some(&Reached::Explained)
    }

    /// The statement of a record in which one number is all that it does not explain, and that number.
    #[must_use]
    pub fn corrects(&self, record: usize) -> Option<(usize, i64)> {
        match self.reached.get(record) {
            Some(Reached::Stopped { after, only_wrong }) => only_wrong.map(|found| (*after, found)),
            _ => None,
        }
    }

    /// Whether a record may have been played so, by what it says itself.
    #[must_use]
    pub fn concerns(&self, record: usize) -> bool {
        self.reached.get(record).is_some_and(|reached| *reached != Reached::PlayedOtherwise)
    }
}

/// Holds records against a game: under the readings chosen and, within limits, under all others.
#[must_use]
pub fn replay(game: &Arc<Game>, chosen: &Chosen, records: &[Record], limits: Option<Limits>) -> Replay {
    let mut playing = Playing { game, known: HashMap::new() };
    let replayed = records.iter().map(|record| match playing.bind(&record.setup) {
        Err(reason) => Replayed { rules: None, outcome: Err(record.unplayable(reason)), only_wrong: None },
        Ok(reference) => {
            let run = record.run(&reference, None);
            let only_wrong = record.only_wrong(&reference, &run);
            Replayed { rules: Some(reference.rules().hash()), outcome: run.outcome, only_wrong }
        }
    });
    let replayed = replayed.collect();
    playing.known.clear();
    Replay { records: replayed, search: limits.map(|limits| playing.search(chosen, records, limits)) }
}

impl Search {
    /// The combination that explains most of a record: of several, the one with the fewest changes.
    #[must_use]
    pub fn furthest(&self, record: usize) -> Option<&Combination> {
        let rank = |combination: &Combination| match combination.reached.get(record) {
            Some(Reached::Explained) => usize::MAX,
            Some(Reached::Stopped { after, .. }) => after + 1,
            _ => 0,
        };
        self.combinations.iter().reduce(|best, next| if rank(next) > rank(best) { next } else { best })
    }
}

impl Record {
    /// Where and why it is not explained under a combination of readings.
    #[must_use]
    pub fn under(&self, game: &Arc<Game>, combination: &Combination) -> Option<RecordError> {
        let setup = self
            .options
            .iter()
            .fold(combination.setup.clone(), |setup, option| setup.with_option(*option, self.setup.option(*option)));
        match bind(game, &setup) {
            Ok(rules) => self.run(&Reference::new(rules), None).outcome.err(),
            Err(error) => Some(self.unplayable(error.to_string())),
        }
    }
}

/// Rules that were bound, by their setup.
struct Playing<'a> {
    game: &'a Arc<Game>,
    known: HashMap<Setup, Result<Arc<Reference>, String>>,
}

/// Records that are played with the same options.
struct Alike {
    options: Setup,
    records: Vec<usize>,
    /// What became of them under rules of a hash.
    seen: HashMap<String, Vec<Reached>>,
}

impl Playing<'_> {
    fn bind(&mut self, setup: &Setup) -> Result<Arc<Reference>, String> {
        if let Some(known) = self.known.get(setup) {
            return known.clone();
        }
        let bound =
            bind(self.game, setup).map(|rules| Arc::new(Reference::new(rules))).map_err(|error| error.to_string());
        self.known.insert(setup.clone(), bound.clone());
        bound
    }

    fn search(&self, chosen: &Chosen, records: &[Record], limits: Limits) -> Search {
        let game = self.game;
        let (mut setups, mut extent) = match all(game, chosen, limits.combinations) {
            Some(setups) => (setups, Extent::All),
            None => (near(game, chosen, limits.combinations), Extent::OneOrTwoChanged),
        };
        let known = if extent == Extent::All { setups.len() as u128 } else { count(game, chosen) };
        setups.sort_by_cached_key(|setup| changes(game, &chosen.setup, setup).len());
        let mut alike = alike(game, chosen, records);
        let (mut combinations, mut left) = (vec![], limits.steps);
        for setup in setups {
            let mut reached = vec![Reached::PlayedOtherwise; records.len()];
            let mut rules = None;
            for group in &mut alike {
                let (hash, found, effort) = try_one(game, &setup, group, records, left);
                left = left.saturating_sub(effort);
                if group.options.options == chosen.setup.options {
                    rules = hash;
                }
                for (record, found) in group.records.iter().zip(found) {
                    let fixed = records.get(*record).is_some_and(|record| {
                        record.readings.iter().any(|id| setup.reading(*id) != record.setup.reading(*id))
                    });
                    if let Some(slot) = reached.get_mut(*record).filter(|_| !fixed) {
                        *slot = found;
                    }
                }
            }
            if left == 0 {
                extent = Extent::Steps;
                break;
            }
            let variant = setup.variants(game).any(|id| applies(game, &setup, id));
            let changes = changes(game, &chosen.setup, &setup);
            combinations.push(Combination { setup, changes, variant, rules, reached });
        }
        Search { combinations, all: known, extent }
    }
}

/// Records by the options with which they are played.
fn alike(game: &Game, chosen: &Chosen, records: &[Record]) -> Vec<Alike> {
    let mut found: Vec<Alike> = vec![];
    let mut by_options: HashMap<Setup, usize> = HashMap::new();
    for (n, record) in records.iter().enumerate() {
        let options = game
            .options
            .ids()
            .fold(chosen.setup.clone(), |setup, option| setup.with_option(option, record.setup.option(option)));
        let at = *by_options.entry(options.clone()).or_insert(found.len());
        match found.get_mut(at) {
            Some(group) => group.records.push(n),
            None => found.push(Alike { options, records: vec![n], seen: HashMap::new() }),
        }
    }
    found
}

/// Tries records under a combination of readings; gives the hash of the rules, how far each comes, and the steps it took.
fn try_one(
    game: &Arc<Game>,
    setup: &Setup,
    group: &mut Alike,
    records: &[Record],
    left: u64,
) -> (Option<String>, Vec<Reached>, u64) {
    let setup = game.options.ids().fold(setup.clone(), |setup, id| setup.with_option(id, group.options.option(id)));
    let Ok(rules) = bind(game, &setup) else {
        return (None, vec![Reached::Stopped { after: 0, only_wrong: None }; group.records.len()], BIND);
    };
    let hash = rules.hash();
    if let Some(known) = group.seen.get(&hash) {
        return (Some(hash), known.clone(), BIND);
    }
    let reference = Reference::new(rules);
    let (mut effort, mut found) = (BIND, vec![]);
    for record in group.records.iter().filter_map(|record| records.get(*record)) {
        if effort >= left {
            break;
        }
        let run = record.run(&reference, None);
        // What is only wrong in one number has been played twice.
        effort += 2 * run.effort;
        found.push(match run.outcome {
            Ok(_) => Reached::Explained,
            Err(_) => Reached::Stopped { after: run.done, only_wrong: record.only_wrong(&reference, &run) },
        });
    }
    group.seen.insert(hash.clone(), found.clone());
    (Some(hash), found, effort)
}
