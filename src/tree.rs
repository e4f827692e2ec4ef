//! The game tree: all that agents, simulation and analysis know of a game.
//!
//! A position is always at one of three kinds of node: a choice, a chance, or an end.

use std::hash::Hash;

use crate::rules::{Direction, EndingId, SeatId, SideId, SiteId, SpotId, StateId, ThrowId};

/// A node of the game tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Node {
    /// A seat chooses among different moves; there is at least one.
    Choice(Choice),
    /// Something is thrown.
    Chance(Chance),
    /// The game is over.
    End(End),
}

/// A seat and the moves it chooses among.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// Who chooses.
    pub seat: SeatId,
    /// The moves, all different.
    pub moves: Vec<Move>,
}

/// What can be thrown, each different outcome once, with its exact chance `weight / total`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chance {
    /// Who throws.
    pub seat: SeatId,
    /// What is thrown.
    pub throw: ThrowId,
    /// The outcomes.
    pub outcomes: Vec<Outcome>,
    /// The sum of the weights.
    pub total: u128,
}

/// An outcome of a throw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// What it counts.
    pub count: i32,
    /// Its weight.
    pub weight: u128,
}

/// A move: all that is decided at once. A pass decides nothing.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Move {
    /// What was decided, in the order in which the rules ask for it.
    pub parts: Vec<Part>,
}

/// A part of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Part {
    /// A pit or a square.
    Site(SiteId),
    /// A man, and the square where he stands.
    Man(Man, SiteId),
    /// A man of another seat than the one that chooses, and the square where he stands.
    Other(Man, SiteId),
    /// A direction of sowing.
    Direction(Direction),
    /// A count.
    Count(i32),
}

/// A man: those of a seat on one spot and in one state are alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Man {
    /// Whose he is.
    pub seat: SeatId,
    /// The spot of its way.
    pub spot: SpotId,
    /// His state.
    pub state: StateId,
}

/// How a game ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct End {
    /// Who won, if anybody.
    pub result: GameResult,
    /// The ending of the file that applied; none when the game was stopped.
    pub ending: Option<EndingId>,
}

/// The three kinds of result: they are never taken together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GameResult {
    /// One side has won.
    Won(SideId),
    /// No single best side; these are tied.
    Draw(Vec<SideId>),
    /// The game was stopped: no result.
    Stopped(Stop),
}

/// Why a game was stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// The number of turns that the file names, or that was asked for.
    Limit,
    /// The step budget of a turn or of the game.
    Steps,
}

/// The rounds of a match that are over.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rounds {
    /// How many.
    pub played: u32,
    /// How many each side has won.
    pub wins: Vec<u32>,
    /// How many nobody has won.
    pub draws: u32,
    /// How often each ending of the file settled one.
    pub endings: Vec<u32>,
}

/// A game as a tree.
pub trait Tree: Sync {
    /// A position with all that its future depends on.
    type Position: Clone + Eq + Hash + Send + Sync;

    /// How many seats there are.
    fn seats(&self) -> usize;

    /// The side of each seat, in seat order: partners have the same.
    fn sides(&self) -> &[SideId];

    /// How many endings the file has.
    fn endings(&self) -> usize;

    /// The position at the start.
    fn start(&self) -> Self::Position;

    /// The node a position is at.
    fn node<'a>(&self, position: &'a Self::Position) -> &'a Node;

    /// Makes the n-th move of a choice, or lets the n-th outcome of a chance fall, and goes on to the
    /// next node. At an end, or beyond the list, nothing happens.
    fn advance(&self, position: &mut Self::Position, n: usize);

    /// Whole turns since the start, those of all seats counted.
    fn turns(&self, position: &Self::Position) -> u32;

    /// Seeds taken by captures, or men sent back or taken, by each seat since the start.
    fn captured(&self, position: &Self::Position, seat: SeatId) -> u32;

    /// Whether a sowing of this game reached its limit of laps.
    fn endless(&self, position: &Self::Position) -> bool;

    /// The rounds that are over.
    fn rounds<'a>(&self, position: &'a Self::Position) -> &'a Rounds;

    /// Steps of evaluation since the start: what a player who looks ahead may reckon with.
    fn effort(&self, position: &Self::Position) -> u64;

    /// How well a seat stands: the seeds in its store where there are stores, else the steps travelled by its men.
    fn standing(&self, position: &Self::Position, seat: SeatId) -> i64;
}

impl Move {
    /// A pass of a whole turn.
    #[must_use]
    pub fn pass() -> Self {
        Self { parts: vec![] }
    }

    /// Whether it is a pass.
    #[must_use]
    pub fn is_pass(&self) -> bool {
        self.parts.is_empty()
    }
}
