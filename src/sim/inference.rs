//! Differences between samples: intervals, tests, and how many games they need.
//!
//! Two samples are compared game by game: the n-th game of one has the same random numbers as the n-th of the other
//! ("common random numbers"), so the differences of pairs are what is independent from game to game.

use serde::Serialize;
use statrs::distribution::{ContinuousCDF as _, Normal, StudentsT};

use super::statistics::Interval;

/// Differences of paired games, summed exactly. A difference is a whole number of `1 / parts`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Paired {
    /// How many parts make one: pairs that are averaged over.
    parts: u32,
    games: u64,
    sum: i128,
    squares: u128,
    differing: u64,
}

/// What paired differences come to.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Difference {
    /// Games in each sample.
    pub games: u64,
    /// Games whose difference is not nought.
    pub differing: u64,
    /// The mean difference.
    pub mean: f64,
    /// Its 95 % interval.
    pub interval: Interval,
    /// The chance of a difference this large, or larger, where there is none (two-sided), of this comparison by itself.
    #[serde(rename = "p_uncorrected")]
    pub p: f64,
    /// Standard error of `mean`, with what [`Scale`] adds.
    pub error: f64,
    /// The centre of the interval.
    #[serde(skip)]
    centre: f64,
    #[serde(skip)]
    ends: f64,
    #[serde(skip)]
    law: Law,
}

/// What a single difference can be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Scale {
    /// A share: each single difference lies between minus and plus this many. Two observations are added, one at each
    /// end, so that samples without a difference still have an interval: for two samples this is the interval of
    /// D. G. Bonett and R. M. Price, "Adjusted Wald Confidence Interval for a Difference of Binomial Proportions Based
    /// on Paired Data", 2012.
    Share(f64),
    /// A count without an upper end: Student's interval for the mean of paired differences, with two observations added to
    /// the spread, one off by one each way, so that few games that are alike do not look like certainty.
    Count,
}

/// The law of the mean over its standard error.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Law {
    Normal,
    Student(f64),
}

impl Law {
    fn below(self, x: f64) -> f64 {
        match self {
            Self::Normal => standard().map_or(f64::NAN, |law| law.cdf(x)),
            Self::Student(freedom) => StudentsT::new(0.0, 1.0, freedom).map_or(f64::NAN, |law| law.cdf(x)),
        }
    }

    fn point(self, p: f64) -> f64 {
        match self {
            Self::Normal => normal_point(p),
            Self::Student(freedom) => StudentsT::new(0.0, 1.0, freedom).map_or(f64::NAN, |law| law.inverse_cdf(p)),
        }
    }
}

fn standard() -> Option<Normal> {
    Normal::new(0.0, 1.0).ok()
}

/// The point of the standard normal law below which a share `p` lies.
#[must_use]
pub fn normal_point(p: f64) -> f64 {
    standard().map_or(f64::NAN, |law| law.inverse_cdf(p))
}

impl Paired {
    /// No games yet; each difference will be a sum over so many pairs.
    #[must_use]
    pub fn new(parts: u32) -> Self {
        Self { parts: parts.max(1), games: 0, sum: 0, squares: 0, differing: 0 }
    }

    /// Counts the difference of a game, summed over its pairs.
    pub fn count(&mut self, difference: i64) {
        self.games += 1;
        self.sum += i128::from(difference);
        let size = u128::from(difference.unsigned_abs());
        self.squares += size * size;
        self.differing += u64::from(difference != 0);
    }

    /// Adds the differences of other games.
    pub fn add(&mut self, other: &Self) {
        self.games += other.games;
        self.sum += other.sum;
        self.squares += other.squares;
        self.differing += other.differing;
    }

    /// What the differences come to; nothing for fewer than two games.
    #[must_use]
    pub fn difference(&self, scale: Scale) -> Option<Difference> {
        if self.games < 2 {
            return None;
        }
        let (n, parts) = (self.games as f64, f64::from(self.parts));
        let (sum, squares) = (self.sum as f64 / parts, self.squares as f64 / (parts * parts));
        let mean = sum / n;
        let (centre, error, law, ends) = match scale {
            Scale::Share(end) => {
                let n = n + 2.0;
                let centre = sum / n;
                let variance = (squares + 2.0 * end * end) / n - centre * centre;
                (centre, (variance.max(0.0) / n).sqrt(), Law::Normal, end)
            }
            Scale::Count => {
                let variance = ((squares - sum * sum / n).max(0.0) + 2.0) / (n + 1.0);
                (mean, (variance / n).sqrt(), Law::Student(n - 1.0), f64::INFINITY)
            }
        };
        let reach = |p: f64| if error > 0.0 { law.point(p) * error } else { 0.0 };
        let interval = Interval { low: (centre - reach(0.975)).max(-ends), high: (centre + reach(0.975)).min(ends) };
        let p = if error > 0.0 { 2.0 * law.below(-(centre / error).abs()) } else { f64::from(u8::from(centre == 0.0)) };
        Some(Difference { games: self.games, differing: self.differing, mean, interval, p, error, centre, ends, law })
    }
}

impl Difference {
    /// No true difference is farther from nought than this, at a level: the smallest margin for which two one-sided tests
    /// tell that the samples are equivalent.
    #[must_use]
    pub fn bound(&self, level: f64) -> f64 {
        let reach = if self.error > 0.0 { self.law.point(1.0 - level) * self.error } else { 0.0 };
        (self.centre.abs() + reach).min(self.ends)
    }

    /// The p-value of two one-sided tests that the true difference lies within `margin` of nought (D. J. Schuirmann,
    /// "A Comparison of the Two One-Sided Tests Procedure and the Power Approach", 1987).
    #[must_use]
    pub fn equivalence(&self, margin: f64) -> f64 {
        let room = margin - self.centre.abs();
        if self.error > 0.0 { self.law.below(-room / self.error) } else { f64::from(u8::from(room <= 0.0)) }
    }
}

/// The 95 % interval of a mean by Student's law: of so many values with this mean and standard deviation; nothing for fewer
/// than two.
#[must_use]
pub fn mean_interval(mean: f64, sd: f64, n: u64) -> Option<Interval> {
    if n < 2 {
        return None;
    }
    let reach = Law::Student((n - 1) as f64).point(0.975) * sd / (n as f64).sqrt();
    Some(Interval { low: mean - reach, high: mean + reach })
}

/// p-values made larger so that, among all of them, the chance of a false alarm stays at the level they are held
/// against (S. Holm, "A Simple Sequentially Rejective Multiple Test Procedure", 1979). In the order given.
#[must_use]
pub fn holm(p: &[f64]) -> Vec<f64> {
    let mut order: Vec<(usize, f64)> = p.iter().copied().enumerate().collect();
    order.sort_by(|a, b| a.1.total_cmp(&b.1));
    let mut adjusted = vec![1.0; p.len()];
    let mut largest: f64 = 0.0;
    for (rank, (at, p)) in order.into_iter().enumerate() {
        largest = largest.max(p * (adjusted.len() - rank) as f64).min(1.0);
        if let Some(slot) = adjusted.get_mut(at) {
            *slot = largest;
        }
    }
    adjusted
}

/// How many games each of two samples needs so that a difference of shares is found with this power at this two-sided
/// level: for shares near one half and samples that do not hang together, which is the worst case. With 5 % and
/// 80 % about 1,570 games for 5 points and 39,000 for 1 (J. L. Fleiss, "Statistical Methods for Rates and Proportions", 1981).
#[must_use]
pub fn games_to_detect(difference: f64, power: f64, level: f64) -> u64 {
    let points = normal_point(1.0 - level / 2.0) + normal_point(power);
    // Twice the variance of a share of one half.
    let games = (points * points * 0.5 / (difference * difference)).ceil();
    // A float cast saturates.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "positive, and saturated")]
    let games = games as u64;
    games.max(2)
}
