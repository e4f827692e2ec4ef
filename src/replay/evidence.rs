//! What the combinations that explain a record say of each reading.

use std::collections::{HashMap, HashSet};

use super::{
    combinations::{applies, changed},
    record::Chosen,
    search::{Combination, Search},
};
use crate::rules::{AlternativeId, Game, ReadingId, Setup};

/// What some combinations of readings have in common, among all that were tried.
#[derive(Debug, Clone)]
pub struct Evidence {
    /// How many they are.
    pub explaining: usize,
    /// Of how many.
    pub of: usize,
    /// Each reading that was tried.
    pub readings: Vec<ReadingEvidence>,
    /// Whether they are all combinations of the values that occur.
    pub exact: bool,
}

/// One number in a record that may be wrong.
#[derive(Debug, Clone)]
pub struct Correction {
    /// The statement: its place is [`Record::place`](super::Record::place).
    pub statement: usize,
    /// What the move takes.
    pub found: i64,
    /// The combinations that explain the record with that number.
    pub evidence: Evidence,
}

/// The values of a reading that occur among some combinations.
#[derive(Debug, Clone)]
pub struct ReadingEvidence {
    /// The reading.
    pub reading: ReadingId,
    /// The alternatives that occur.
    pub values: Vec<AlternativeId>,
    /// The others that were tried.
    pub never: Vec<AlternativeId>,
    /// Whether another alternative of this reading alone ever makes the difference.
    pub matters: bool,
}

/// Combinations that explain the same records.
#[derive(Debug, Clone)]
pub struct Group {
    /// The records.
    pub records: Vec<usize>,
    /// The combinations, by their place in the search.
    pub combinations: Vec<usize>,
}

impl Search {
    /// What the combinations that explain a record say of the readings.
    #[must_use]
    pub fn evidence(&self, game: &Game, chosen: &Chosen, record: usize) -> Evidence {
        let tried = self.combinations.iter().filter(|combination| combination.concerns(record));
        evidence(game, chosen, tried.map(|combination| (combination, combination.explains(record))))
    }

    /// Where no combination explains a record as it is written: the corrections of one number after which some do, with
    /// what these combinations say of the readings, those that most combinations ask for first.
    #[must_use]
    pub fn corrections(&self, game: &Game, chosen: &Chosen, record: usize) -> Vec<Correction> {
        if self.combinations.iter().any(|combination| combination.explains(record)) {
            return vec![];
        }
        let mut asked: Vec<(usize, i64)> = self.combinations.iter().filter_map(|one| one.corrects(record)).collect();
        asked.sort_unstable();
        asked.dedup();
        let corrections = asked.into_iter().map(|(statement, found)| {
            let tried = self.combinations.iter().filter(|combination| combination.concerns(record));
            let with = |one: &Combination| one.corrects(record) == Some((statement, found));
            let evidence = evidence(game, chosen, tried.map(|combination| (combination, with(combination))));
            Correction { statement, found, evidence }
        });
        let mut corrections: Vec<Correction> = corrections.collect();
        corrections.sort_by_key(|correction| std::cmp::Reverse(correction.evidence.explaining));
        corrections
    }

    /// What a group of combinations has in common.
    #[must_use]
    pub fn common(&self, game: &Game, chosen: &Chosen, group: &Group) -> Evidence {
        let members: HashSet<usize> = group.combinations.iter().copied().collect();
        let tried = self.combinations.iter().enumerate();
        evidence(game, chosen, tried.map(|(n, combination)| (combination, members.contains(&n))))
    }

    /// The combinations by the records they explain, those that explain most first.
    #[must_use]
    pub fn groups(&self) -> Vec<Group> {
        let mut groups: Vec<Group> = vec![];
        let mut places: HashMap<Vec<usize>, usize> = HashMap::new();
        for (n, combination) in self.combinations.iter().enumerate() {
            let records: Vec<usize> = (0..combination.reached.len()).filter(|at| combination.explains(*at)).collect();
            let at = *places.entry(records.clone()).or_insert(groups.len());
            match groups.get_mut(at) {
                Some(group) => group.combinations.push(n),
                None => groups.push(Group { records, combinations: vec![n] }),
            }
        }
        groups.sort_by_key(|group| std::cmp::Reverse(group.records.len()));
        groups
    }

    /// For each alternative of each reading that was tried, how many records some combination with it explains.
    #[must_use]
    pub fn by_alternative(&self, game: &Game, chosen: &Chosen) -> Vec<(ReadingId, Vec<(AlternativeId, usize)>)> {
        let free = game.readings.entries().filter(|(id, _)| !chosen.readings.contains(id));
        let counted = free.map(|(id, reading)| {
            let alternatives = reading.alternatives.ids().map(|alternative| {
                let with = self.combinations.iter().filter(|combination| {
                    applies(game, &combination.setup, id) && combination.setup.reading(id) == alternative
                });
                let explained: HashSet<usize> = with
                    .flat_map(|combination| (0..combination.reached.len()).filter(|at| combination.explains(*at)))
                    .collect();
                (alternative, explained.len())
            });
            (id, alternatives.collect())
        });
        counted.collect()
    }
}

fn evidence<'a>(game: &Game, chosen: &Chosen, tried: impl Iterator<Item = (&'a Combination, bool)>) -> Evidence {
    let tried: HashMap<&Setup, bool> = tried.map(|(combination, within)| (&combination.setup, within)).collect();
    let within: Vec<&Setup> = tried.iter().filter(|(_, within)| **within).map(|(setup, _)| *setup).collect();
    let mut readings = vec![];
    for (id, reading) in game.readings.entries().filter(|(id, _)| !chosen.readings.contains(id)) {
        let occurs = |setups: &[&Setup], alternative: AlternativeId| {
            setups.iter().any(|setup| applies(game, setup, id) && setup.reading(id) == alternative)
        };
        let all: Vec<&Setup> = tried.keys().copied().collect();
        let seen: Vec<AlternativeId> = reading.alternatives.ids().filter(|one| occurs(&all, *one)).collect();
        if seen.len() < 2 {
            continue;
        }
        let (values, never) = seen.iter().partition(|one| occurs(&within, **one));
        let matters = tried.iter().filter(|(setup, _)| applies(game, setup, id)).any(|(setup, within)| {
            let others = seen.iter().filter(|one| setup.reading(id) != **one);
            others.map(|one| changed(game, chosen, setup, id, *one)).any(|next| {
                // Where another reading comes to matter with it, its values count as this one's.
                tried.get(&next).is_some_and(|other| other != within)
            })
        });
        readings.push(ReadingEvidence { reading: id, values, never, matters });
    }
    let fits = |setup: &Setup| {
        readings
            .iter()
            .all(|found| !applies(game, setup, found.reading) || found.values.contains(&setup.reading(found.reading)))
    };
    let exact = tried.keys().filter(|setup| fits(setup)).count() == within.len();
    Evidence { explaining: within.len(), of: tried.len(), readings, exact }
}
