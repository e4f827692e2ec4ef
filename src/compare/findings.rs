//! What is measured, and what the differences come to.

use serde::Serialize;

use super::{Comparison, Sums};
use crate::{
    rules::SideId,
    sim::{Difference, Outcome, Paired, Report, Scale, holm},
    tree::GameResult,
};

/// A figure that is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// The share of games won by the side of the player at this place of the line-up: by that of the seat, where all play
    /// alike.
    Wins(usize),
    /// The share of games without a single best side.
    Draws,
    /// The share of games stopped by a limit.
    Stopped,
    /// The share of games with a sowing that reached its limit of laps.
    Endless,
    /// The turns of a game.
    Turns,
}

/// A difference and what it tells.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Finding {
    /// What is held against each other: the means under the first cells and under the second; for interactions the
    /// difference that the first alternative makes without the second, and with it.
    pub means: [f64; 2],
    /// The difference; nothing for fewer than two games.
    pub difference: Option<Difference>,
    /// What was tested of it.
    pub tested: Option<Tested>,
    /// What it tells.
    pub verdict: Verdict,
}

/// Tests of a difference, corrected for the number of comparisons.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Tested {
    /// The p-value for a difference, by Holm's procedure among all of the comparison.
    pub p: f64,
    /// The margin within which differences are of no interest.
    pub margin: f64,
    /// The p-value for equivalence within that margin, times the number of comparisons (Bonferroni).
    pub equivalence: f64,
    /// No true difference is farther from nought than this, for all comparisons together.
    pub bound: f64,
}

/// What a difference tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// There is a difference, and it is not shown to be within the margin.
    Differs,
    /// There is a difference, and it is within the margin.
    Slight,
    /// No difference larger than the margin.
    Equivalent,
    /// Neither can be said.
    Open,
}

impl Verdict {
    /// The verdict in a word or two.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Differs => "differs",
            Self::Slight => "differs, within the margin",
            Self::Equivalent => "equivalent",
            Self::Open => "open",
        }
    }
}

impl Measure {
    /// The value of a game.
    pub(super) fn of(self, outcome: &Outcome, sides: &[SideId]) -> u32 {
        let result = outcome.end.result;
        u32::from(match self {
            Self::Wins(place) => match result {
                GameResult::Won(winner) => {
                    let seat = (place + outcome.turned) % sides.len().max(1);
                    sides.get(seat) == Some(&winner)
                }
                _ => false,
            },
            Self::Draws => matches!(result, GameResult::Draw(_)),
            Self::Stopped => matches!(result, GameResult::Stopped(_)),
            Self::Endless => outcome.endless,
            Self::Turns => return outcome.turns,
        })
    }

    /// What its single differences can be, for pairs whose shares reach so far.
    fn scale(self, reach: f64) -> Scale {
        if self == Self::Turns { Scale::Count } else { Scale::Share(reach) }
    }

    /// Whether it happens in few games of most rules, or none, and has a figure of its own.
    #[must_use]
    pub fn is_rare(self) -> bool {
        matches!(self, Self::Stopped | Self::Endless)
    }

    /// Whether it is a share of games.
    #[must_use]
    pub fn is_share(self) -> bool {
        self != Self::Turns
    }

    /// Its mean in the games played.
    #[must_use]
    pub fn mean(self, report: &Report) -> f64 {
        let share = |hits: u64| hits as f64 / report.games.max(1) as f64;
        match self {
            Self::Wins(place) => share(report.wins_by_place.get(place).copied().unwrap_or(0)),
            Self::Draws => share(report.draws),
            Self::Stopped => share(report.stopped),
            Self::Endless => share(report.endless),
            Self::Turns => report.turns.summary().map_or(0.0, |summary| summary.mean),
        }
    }
}

impl Comparison {
    /// What the differences come to: by line-up, contrast and measure.
    pub(super) fn findings(&self, sums: &[Sums]) -> Vec<Vec<Vec<Finding>>> {
        let measures = self.measures();
        let mut all: Vec<Vec<Vec<Finding>>> = sums
            .iter()
            .map(|Sums { reports, paired: sums }| {
                let of_contrast = |(contrast, paired): (&super::Contrast, &Vec<Paired>)| {
                    let mean = |measure: Measure, half: &[(usize, i64)]| {
                        let value = |cell: usize| reports.get(cell).map_or(0.0, |report| measure.mean(report));
                        let sum: f64 = half.iter().map(|(cell, weight)| *weight as f64 * value(*cell)).sum();
                        sum / f64::from(contrast.pairs())
                    };
                    let halves = contrast.halves();
                    let finding = |(measure, paired): (&Measure, &Paired)| {
                        let difference = paired.difference(measure.scale(contrast.reach()));
                        let means = [mean(*measure, &halves[0]), mean(*measure, &halves[1])];
                        Finding { means, difference, tested: None, verdict: Verdict::Open }
                    };
                    measures.iter().zip(paired).map(finding).collect()
                };
                self.design.contrasts.iter().zip(sums).map(of_contrast).collect()
            })
            .collect();
        // What readings hang on is a second question, and corrected by itself.
        for main in [true, false] {
            self.test(&mut all, sums, main);
        }
        all
    }

    fn test(&self, all: &mut [Vec<Vec<Finding>>], sums: &[Sums], main: bool) {
        let measures = self.measures();
        // The margin for turns is as many hundredths of their mean under the first cell.
        let margin = |line_up: usize, measure: Measure| {
            let first = sums.get(line_up).and_then(|sums| sums.reports.first());
            let mean = || first.map_or(0.0, |report| measure.mean(report));
            if measure.is_share() { self.margin } else { self.margin * mean().max(1.0) }
        };
        let mut family = vec![];
        for (line_up, contrasts) in all.iter_mut().enumerate() {
            for (contrast, findings) in self.design.contrasts.iter().zip(contrasts) {
                if contrast.is_main() != main {
                    continue;
                }
                for (measure, finding) in measures.iter().zip(findings) {
                    if let Some(difference) = finding.difference {
                        let margin = margin(line_up, *measure);
                        family.push((difference, margin, finding));
                    }
                }
            }
        }
        let differs = holm(&family.iter().map(|(difference, ..)| difference.p).collect::<Vec<_>>());
        let many = family.len() as f64;
        let level = self.level();
        for ((difference, margin, finding), p) in family.into_iter().zip(differs) {
            // Not by Holm's procedure, so that the verdict and the bound say the same.
            let equivalence = (difference.equivalence(margin) * many).min(1.0);
            let bound = difference.bound(level / many);
            finding.verdict = match (p < level, equivalence < level) {
                (true, false) => Verdict::Differs,
                (true, true) => Verdict::Slight,
                (false, true) => Verdict::Equivalent,
                (false, false) => Verdict::Open,
            };
            finding.tested = Some(Tested { p, margin, equivalence, bound });
        }
    }
}
