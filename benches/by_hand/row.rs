//! Rows of pits in the bytes of a number: a sowing is an addition, which takes the seeds out of their pit, too.

use std::array::from_fn;

use super::drawn::Choices;

/// Choices by sixtieths, with those of a row of six pits in [`picks`].
pub(super) fn sixtieths() -> Choices<60> {
    Choices::new(|sixtieth| 64 * sixtieth as u32)
}

/// By a choice, and the mask of the pits that can be played: the chosen pit, as the shift to its byte.
pub(super) type Picks = [u8; 60 * 64];

pub(super) fn picks() -> Picks {
    from_fn(|at| {
        let (mask, sixtieth) = (at & 63, at >> 6);
        let pits: Vec<u8> = (0..6).filter(|pit| mask >> pit & 1 == 1).map(|pit| 8 * pit).collect();
        pits.get(sixtieth * pits.len() / 60).copied().unwrap_or(NO_PIT)
    })
}

/// The shift to a byte in which nothing ever lies.
pub(super) const NO_PIT: u8 = 56;

/// The six pits of a row that hold at least one seed, as a mask.
#[inline]
pub(super) fn filled(row: u64) -> usize {
    bits(row + 0x7f7f_7f7f_7f7f)
}

/// The highest bits of six bytes, side by side.
#[inline]
pub(super) fn bits(row: u64) -> usize {
    // Each byte has a factor that brings its bit to the end; all other products fall elsewhere.
    const FACTORS: u64 = 1 << 51 | 1 << 44 | 1 << 37 | 1 << 30 | 1 << 23 | 1 << 16;
    ((row & 0x8080_8080_8080).wrapping_mul(FACTORS) >> 58) as usize
}

/// A pit of a row; it never holds more than 63.
#[inline]
pub(super) fn seeds(row: u64, shift: u32) -> usize {
    (row.wrapping_shr(shift) & 63) as usize
}

/// All seeds of a row.
#[inline]
pub(super) fn sum(row: u64) -> u32 {
    (row.wrapping_mul(0x0101_0101_0101_0101) >> 56) as u32
}

/// What sowing a pit of the mover's comes to, by the pit and its seeds: tables of one size, so that all are opened at
/// the same place.
pub(super) struct Sowings {
    /// What is added to his row.
    pub(super) own: [[u64; 64]; 8],
    /// What is added to the other row.
    pub(super) enemy: [[u64; 64]; 8],
    /// Something about the last pit.
    pub(super) last: [[u64; 64]; 8],
}

impl Sowings {
    /// On a way of pits, each in a row and at a shift.
    pub(super) fn new(way: &[(usize, u32)], skip_origin: bool, last: impl Fn(usize) -> u64) -> Self {
        let sown = |pit: usize, seeds: usize| sowing(way, pit, seeds as u64, skip_origin);
        Self {
            own: from_fn(|pit| from_fn(|seeds| sown(pit, seeds).0[0])),
            enemy: from_fn(|pit| from_fn(|seeds| sown(pit, seeds).0[1])),
            last: from_fn(|pit| from_fn(|seeds| last(sown(pit, seeds).1))),
        }
    }
}

/// What a sowing adds to two rows, and where on the way its last seed falls.
pub(super) fn sowing(way: &[(usize, u32)], pit: usize, seeds: u64, skip_origin: bool) -> ([u64; 2], usize) {
    let mut rows = [0u64; 2];
    rows[way[pit].0] = (seeds << way[pit].1).wrapping_neg();
    let mut last = pit;
    for _ in 0..seeds {
        last = (last + 1) % way.len();
        if skip_origin && last == pit {
            last = (last + 1) % way.len();
        }
        let (row, shift) = way[last];
        rows[row] = rows[row].wrapping_add(1 << shift);
    }
    (rows, last)
}
