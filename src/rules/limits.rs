//! What play may come to at most: the checker reckons with it, the evaluator keeps to it.

/// The most moves of a choice.
pub(crate) const MAX_MOVES: usize = 2000;
/// The most counts of a pool.
pub(crate) const MAX_POOL: usize = 64;
/// The most steps that a man goes at once, or that are looked ahead.
pub(crate) const MAX_WALK: i32 = 100;
