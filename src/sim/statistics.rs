//! Exact counts and what follows from them.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

/// How often each value occurred. Mean, deviation and quartiles follow exactly; memory grows with the
/// number of different values, not of games.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// Of values below [`FEW`], by value.
    low: Vec<u64>,
    high: BTreeMap<u32, u64>,
}

/// Values up to here are counted in a list.
const FEW: u32 = 4096;

/// What a tally comes to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// Arithmetic mean.
    pub mean: f64,
    /// Standard deviation of the sample (n - 1).
    pub sd: f64,
    /// Smallest value.
    pub min: u32,
    /// Largest value.
    pub max: u32,
    /// First, second and third quartile, interpolated linearly between values (Hyndman and Fan,
    /// "Sample Quantiles in Statistical Packages", 1996, definition 7).
    pub quartiles: [f64; 3],
}

impl Tally {
    /// Counts a value.
    pub fn count(&mut self, value: u32) {
        self.add_times(value, 1);
    }

    fn add_times(&mut self, value: u32, times: u64) {
        if value >= FEW {
            *self.high.entry(value).or_default() += times;
            return;
        }
        let at = value as usize;
        if at >= self.low.len() {
            self.low.resize(at + 1, 0);
        }
        if let Some(count) = self.low.get_mut(at) {
            *count += times;
        }
    }

    /// The values that occurred in ascending order, and how often each did.
    pub(crate) fn counts(&self) -> impl DoubleEndedIterator<Item = (u32, u64)> {
        let low = (0..FEW).zip(&self.low).map(|(value, count)| (value, *count)).filter(|(_, count)| *count > 0);
        let low: Vec<(u32, u64)> = low.collect();
        low.into_iter().chain(self.high.iter().map(|(value, count)| (*value, *count)))
    }

    /// Adds another tally.
    pub fn add(&mut self, other: &Self) {
        for (value, count) in other.counts() {
            self.add_times(value, count);
        }
    }

    /// How many values were counted.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.low.iter().chain(self.high.values()).sum()
    }

    /// Whether none was.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.low.is_empty() && self.high.is_empty()
    }

    /// Mean, deviation, extremes and quartiles; nothing for no values.
    #[must_use]
    pub fn summary(&self) -> Option<Summary> {
        let (min, max) = (self.counts().next()?.0, self.counts().next_back()?.0);
        let n = self.len();
        let weighted = |power: u32| self.counts().map(|(v, c)| u128::from(v).pow(power) * u128::from(c)).sum::<u128>();
        let (sum, squares) = (weighted(1), weighted(2));
        let mean = sum as f64 / n as f64;
        // n * squares - sum^2 in whole numbers: nothing cancels.
        let spread = (u128::from(n) * squares).saturating_sub(sum * sum) as f64;
        let sd = if n > 1 { (spread / n as f64 / (n - 1) as f64).sqrt() } else { 0.0 };
        let quartiles = [1, 2, 3].map(|quarter| self.quantile(quarter, n));
        Some(Summary { mean, sd, min, max, quartiles })
    }

    fn quantile(&self, quarter: u64, n: u64) -> f64 {
        // The place is (n - 1) q / 4, in quarters.
        let quarters = (n - 1) * quarter;
        let (below, part) = (quarters / 4, (quarters % 4) as f64 / 4.0);
        let (low, high) = (self.nth(below), self.nth(below + 1));
        f64::from(low) + part * (f64::from(high) - f64::from(low))
    }

    /// The n-th value in ascending order, or the largest.
    fn nth(&self, n: u64) -> u32 {
        let mut seen = 0;
        let found = self.counts().find(|(_, count)| {
            seen += count;
            seen > n
        });
        found.or_else(|| self.counts().next_back()).map_or(0, |(value, _)| value)
    }
}

impl Serialize for Tally {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.summary().serialize(serializer)
    }
}

/// A confidence interval for a share.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// The 95 % interval for a share of `hits` in `n` (E. B. Wilson, "Probable Inference, the Law of
/// Succession, and Statistical Inference", 1927); all of 0 to 1 when nothing was counted.
#[must_use]
pub fn wilson(hits: u64, n: u64) -> Interval {
    /// The 97.5 % point of the normal law.
    const Z: f64 = 1.959_963_984_540_054;
    if n == 0 {
        return Interval { low: 0.0, high: 1.0 };
    }
    let (hits, n) = (hits as f64, n as f64);
    let share = hits / n;
    let scale = 1.0 + Z * Z / n;
    let centre = (share + Z * Z / (2.0 * n)) / scale;
    let half = Z / scale * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    // At no hits, or nothing but hits, the end of the interval is exact.
    let low = if hits == 0.0 { 0.0 } else { (centre - half).max(0.0) };
    let high = if hits == n { 1.0 } else { (centre + half).min(1.0) };
    Interval { low, high }
}
