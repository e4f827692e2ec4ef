//! Throws with their exact chances.

use serde::Serialize;

use super::game::CountPlan;
use crate::diagnostic::Problem;

/// The most faces of a die.
const MAX_FACES: usize = 100;
/// The largest sum of weights for which there is a list of outcomes.
const MAX_NUMBERS: u128 = 4096;
/// The most pieces thrown at once.
const MAX_PIECES: i64 = 12;

/// What can be thrown, each different count once.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct Throw {
    /// The counts.
    pub outcomes: Vec<Fall>,
    /// The sum of all weights.
    pub total: u128,
    /// Where the sum is small: the outcome of each number below it.
    #[serde(skip)]
    of_number: Vec<u8>,
}

/// A count and how likely it is.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct Fall {
    /// What it counts.
    pub count: i32,
    /// Its chance is this weight over the total.
    pub weight: u128,
    /// What it is called.
    #[serde(skip)]
    pub name: Option<String>,
}

impl Throw {
    fn of(outcomes: Vec<Fall>) -> Self {
        let total = outcomes.iter().map(|fall| fall.weight).sum();
        let mut of_number = vec![];
        if total <= MAX_NUMBERS {
            for (n, fall) in (0u8..).zip(&outcomes) {
                of_number.extend((0..fall.weight).map(|_| n));
            }
        }
        Self { outcomes, total, of_number }
    }

    /// The outcome of each number below the total, where that is small.
    pub(crate) fn small(&self) -> &[u8] {
        &self.of_number
    }

    /// The outcome of a number below the total, all of which are equally likely.
    #[must_use]
    pub fn outcome(&self, number: u128) -> usize {
        let mut left = number;
        for (n, fall) in self.outcomes.iter().enumerate() {
            match left.checked_sub(fall.weight) {
                Some(rest) => left = rest,
                None => return n,
            }
        }
        0
    }

    /// A die, all faces equally likely, equal ones taken together.
    pub(crate) fn die(faces: &[i32]) -> Result<Self, Problem> {
        if faces.len() > MAX_FACES {
            return Err(Problem::TooMany { what: "faces", max: MAX_FACES });
        }
        let mut outcomes: Vec<Fall> = vec![];
        for count in faces {
            match outcomes.iter_mut().find(|fall| fall.count == *count) {
                Some(fall) => fall.weight += 1,
                None => outcomes.push(Fall { count: *count, weight: 1, name: None }),
            }
        }
        Ok(Self::of(outcomes))
    }

    /// The binomial law of `pieces` that each fall up with chance `numerator / denominator`, the
    /// falls of equal count taken together.
    pub(crate) fn new(pieces: i64, numerator: u64, denominator: u64, counts: &[CountPlan]) -> Result<Self, Problem> {
        if !(1..=MAX_PIECES).contains(&pieces) {
            return Err(Problem::TooManyOutcomes { pieces, max: MAX_PIECES });
        }
        if numerator > denominator {
            return Err(Problem::ChanceOutOfRange);
        }
        let pieces = u64::try_from(pieces).unwrap_or_default();
        if let Some(extra) = counts.iter().find(|line| line.up > pieces) {
            return Err(Problem::TableTooLong { up: extra.up, pieces });
        }
        let divisor = gcd(numerator, denominator).max(1);
        let (up, all) = (u128::from(numerator / divisor), u128::from(denominator / divisor));
        // All weights together sum to all^pieces, so if that fits, each of them does.
        u32::try_from(pieces).ok().and_then(|pieces| all.checked_pow(pieces)).ok_or(Problem::ChanceTooFine)?;
        let mut outcomes: Vec<Fall> = vec![];
        for k in 0..=pieces {
            let Some(line) = counts.iter().find(|line| line.up == k) else {
                return Err(Problem::TableGap { up: k });
            };
            let weight = weight(pieces, k, up, all - up).ok_or(Problem::ChanceTooFine)?;
            match outcomes.iter_mut().find(|fall| fall.count == line.count) {
                Some(fall) => fall.weight += weight,
                None => outcomes.push(Fall { count: line.count, weight, name: line.name.clone() }),
            }
        }
        outcomes.retain(|fall| fall.weight > 0);
        Ok(Self::of(outcomes))
    }
}

/// `C(n, k) up^k down^(n-k)`, if it fits.
fn weight(n: u64, k: u64, up: u128, down: u128) -> Option<u128> {
    let choose = (0..k).fold(1u128, |product, i| product * u128::from(n - i) / u128::from(i + 1));
    let up = up.checked_pow(u32::try_from(k).ok()?)?;
    let down = down.checked_pow(u32::try_from(n - k).ok()?)?;
    choose.checked_mul(up)?.checked_mul(down)
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
