//! Whether a reading that was changed alone would matter more if another one were chosen otherwise.

use super::{Comparison, Contrast, Parting, Question, Subject};
use crate::{
    check::bind,
    engine::Compiled,
    rules::{AlternativeId, ReadingId, Setup},
    sim::{Control, SimulationError},
};

/// How many random games are followed for each other alternative.
const GAMES: u64 = 100;
/// The most alternatives that are tried for all contrasts together.
const MOST: usize = 1000;

/// In how many random games two setups part when one more reading is changed in both.
#[derive(Debug, Clone, PartialEq)]
pub struct Elsewhere {
    /// The other reading and its alternative.
    pub given: (ReadingId, AlternativeId),
    /// Where the two part then.
    pub parting: Parting,
}

impl Comparison {
    /// For each contrast that changes a reading alone: all other alternatives of other readings, tried one by one.
    pub(super) fn elsewhere(&self, control: &Control) -> Result<Vec<Vec<Elsewhere>>, SimulationError> {
        let mut left = MOST;
        let mut all = vec![];
        for contrast in &self.design.contrasts {
            let tried: Vec<_> = self.others(contrast).into_iter().take(left).collect();
            left -= tried.len();
            let mut found = vec![];
            for (given, setups) in tried {
                // What cannot be played so is no other reading of the game.
                let games =
                    setups.map(|setup| self.design.cells.first().and_then(|cell| bind(&cell.rules.game, &setup).ok()));
                let [Some(one), Some(two)] = games else { continue };
                let (one, two) = (Compiled::new(one, 0), Compiled::new(two, 0));
                let parting = self.follow(&one, &two, GAMES.min(self.look_into), control)?;
                found.push(Elsewhere { given, parting });
            }
            all.push(found);
        }
        Ok(all)
    }

    /// How many games are followed for this.
    pub(super) fn elsewhere_work(&self) -> u64 {
        let tried: usize = self.design.contrasts.iter().map(|contrast| self.others(contrast).len()).sum();
        tried.min(MOST) as u64 * GAMES.min(self.look_into)
    }

    /// The two setups of a contrast with one more reading changed in both, for each alternative of each other reading.
    fn others(&self, contrast: &Contrast) -> Vec<((ReadingId, AlternativeId), [Setup; 2])> {
        let (Question::Each(_), Subject::Reading { reading, .. }) = (&self.design.question, &contrast.subject) else {
            return vec![];
        };
        let cells = contrast.plainest().map(|(one, two)| [one, two].map(|cell| self.design.cells.get(cell)));
        let Some([Some(one), Some(two)]) = cells else { return vec![] };
        let game = &one.rules.game;
        let mut others = vec![];
        for (other, plan) in game.readings.entries().filter(|(other, _)| other != reading) {
            let chosen = one.rules.setup.reading(other);
            for alternative in plan.alternatives.ids().filter(|alternative| *alternative != chosen) {
                let setups = [one, two].map(|cell| cell.rules.setup.with_reading(other, alternative));
                if setups.iter().all(|setup| setup.matters(game)) {
                    others.push(((other, alternative), setups));
                }
            }
        }
        others
    }
}
