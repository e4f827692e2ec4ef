//! Games that were played, held against the rules: each move, throw and capture is looked at, and where the chosen
//! readings do not explain a record, it is tried under the others.

mod combinations;
mod evidence;
mod record;
mod search;

pub use self::{
    evidence::{Correction, Evidence, Group, ReadingEvidence},
    record::{Chosen, Explained, Record, read_records},
    search::{Combination, Extent, Limits, Reached, Replay, Replayed, Search, replay},
};
