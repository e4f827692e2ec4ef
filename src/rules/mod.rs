//! The checked game, and the rules that are played once readings and options are chosen.
//!
//! `Game` holds what a file says, with every reading and option open; `Rules` is a game bound to one
//! choice of them. Every later stage reads `Rules`. Both hold indices, not names; names and places in
//! the text stand in side tables.

mod bind;
pub(crate) mod board;
mod expr;
mod fold;
mod game;
mod limits;
mod setup;
mod stmt;
mod table;
mod throw;
mod way;

pub(crate) use self::bind::Laid;
pub(crate) use self::limits::{MAX_MOVES, MAX_POOL, MAX_WALK};
pub use self::{
    bind::{BoundEnding, BoundVariable, Rules, Side},
    board::{Board, Circuit, Seat, Shape, Site},
    expr::{Direction, Expr, Op, Parity, Place, Query, Type, Whose},
    game::*,
    setup::{NamedSetup, Setup, SetupError},
    stmt::{Block, BoundProcedure, Decides, Stmt, StmtKind},
    table::*,
    throw::{Fall, Throw},
    way::{Spot, Way},
};
