//! Programs: rules made ready to be played fast. A program is a list of typed instructions with registers; readings
//! and options are folded in, what the board says is tables, sets are bits, and a whole sowing is one row of a table.
//!
//! It is built once, verifies itself, and never changes; the positions it plays hold no pointer to it.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "codes of sites, cells and registers are small numbers, of which -1 stands for none"
)]

mod bits;
mod fuse;
mod guard;
mod lower;
mod model;
mod op;
mod print;
mod sowing;
mod topology;
mod verify;

use std::sync::Arc;

pub(crate) use self::{
    bits::{Bits, NTH},
    model::{Boundless, Cells, Huge, Large, Medium, Model, Registers, Small},
    op::*,
    print::Listing,
    sowing::SowingTable,
    topology::{NONE, Topology},
};
use crate::rules::{EndingId, RuleId, Rules};

/// Rules made ready to be played.
#[derive(Debug, Clone)]
pub(crate) struct Program<M: Model> {
    pub(crate) rules: Arc<Rules>,
    pub(crate) code: Vec<Op<M::Bits>>,
    /// The rule of the file behind each instruction.
    pub(crate) origins: Vec<Option<RuleId>>,
    /// Where a turn begins.
    pub(crate) turn: Pc,
    /// Where each ending begins.
    pub(crate) endings: Vec<Pc>,
    /// When endings apply between two turns, in the order in which they are looked at.
    pub(crate) after_turn: Vec<(EndingId, Test<M::Bits>)>,
    /// When endings apply at once, in the order in which they are looked at.
    pub(crate) at_once: Vec<(EndingId, Test<M::Bits>)>,
    pub(crate) layout: Layout,
    pub(crate) topology: Topology<M::Bits>,
    pub(crate) sowings: Vec<SowingTable<M>>,
    /// Registers of the marks that the circuit passes over.
    pub(crate) skipped_marks: Vec<SetReg>,
    /// The cells at the start.
    pub(crate) start: M::Cells,
}

/// Which register holds what. Those of the board come first, then those of a turn, which are cleared when it ends.
#[derive(Debug, Clone, Default)]
pub(crate) struct Layout {
    pub(crate) numbers: usize,
    pub(crate) sets: usize,
    /// How many numbers belong to the board.
    pub(crate) board_numbers: usize,
    /// The first registers of a turn.
    pub(crate) turn_numbers: usize,
    pub(crate) turn_sets: usize,
    /// The register of each declared variable, South's where every player has one, and how many there are.
    pub(crate) variables: Vec<(Reg, u16)>,
    /// The registers that are set anew in each turn, with their values.
    pub(crate) each_turn: Vec<(Reg, i32)>,
    /// The occupied cells of men.
    pub(crate) men: Option<SetReg>,
    pub(crate) pool: Option<ListReg>,
    pub(crate) lifted: Option<SetReg>,
    pub(crate) passed: Option<SetReg>,
    pub(crate) passed_in_order: Option<ListReg>,
}

impl<M: Model> Program<M> {
    /// The memory of the cells and registers of a position, in bytes.
    fn size(&self) -> usize {
        size_of::<M::Cells>() + size_of::<M::Sets>() + size_of::<M::Numbers>()
    }
}
