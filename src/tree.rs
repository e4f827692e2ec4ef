//! The game tree: all that agents, simulation and analysis know of a game.
//!
//! A position is always at one of three kinds of node: a choice, a chance, or an end.

use std::hash::Hash;

use crate::{
    random::Streams,
    rules::{Direction, EndingId, Id as _, SeatId, SideId, SiteId, Throw, ThrowId},
    view::{Man, View},
};

/// A node of the game tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Node {
    /// A seat chooses among different moves; there is at least one.
    Choice(Choice),
    /// Something is thrown: [`Tree::throw`] has the outcomes.
    Chance(Chance),
    /// The game is over.
    End(End),
}

/// A seat, and how many moves it chooses among: [`Tree::moves`] has them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    /// Who chooses.
    pub seat: SeatId,
    /// How many different moves there are.
    pub moves: usize,
}

/// A throw that is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chance {
    /// Who throws.
    pub seat: SeatId,
    /// What is thrown.
    pub throw: ThrowId,
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

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct End {
    /// Who won, if anybody.
    pub result: GameResult,
    /// The ending of the file that applied; none when the game was stopped.
    pub ending: Option<EndingId>,
}

/// The three kinds of result: they are never taken together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameResult {
    /// One side has won.
    Won(SideId),
    /// No single best side; these are tied.
    Draw(Sides),
    /// The game was stopped: no result.
    Stopped(Stop),
}

/// A set of sides.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sides(u8);

impl Sides {
    /// How many there are.
    #[must_use]
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether a side is among them.
    #[must_use]
    pub fn contains(self, side: SideId) -> bool {
        self.0 >> side.index() & 1 == 1
    }

    /// The sides in order.
    pub fn iter(self) -> impl Iterator<Item = SideId> {
        (0..8).map(SideId::new).filter(move |side| self.contains(*side))
    }
}

impl FromIterator<SideId> for Sides {
    fn from_iter<I: IntoIterator<Item = SideId>>(sides: I) -> Self {
        Self(sides.into_iter().fold(0, |set, side| set | 1 << side.index()))
    }
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

    /// A game from a position at the start of a turn.
    fn begin(&self, view: &View) -> Self::Position;

    /// What one sees of a position.
    fn view(&self, position: &Self::Position) -> View;

    /// Puts the start in the place of a position, whose memory is used again.
    fn restart(&self, position: &mut Self::Position) {
        *position = self.start();
    }

    /// The node a position is at.
    fn node(&self, position: &Self::Position) -> Node;

    /// The moves of a choice, in the order in which [`Tree::advance`] counts them; none at other nodes.
    fn moves(&self, position: &Self::Position) -> Vec<Move>;

    /// What can be thrown, each different outcome once, with its exact chance.
    fn throw(&self, throw: ThrowId) -> &Throw;

    /// Makes the n-th move of a choice, or lets the n-th outcome of a chance fall, and goes on to the
    /// next node. At an end, or beyond the list, nothing happens.
    fn advance(&self, position: &mut Self::Position, n: usize);

    /// Plays at random to the end, or to a node after so many turns: each move of a choice is as likely as the others,
    /// outcomes fall by their chances, and a choice without alternative takes nothing from the stream.
    fn play_out(&self, position: &mut Self::Position, streams: &mut Streams, max_turns: u32) {
        play_stepwise(self, position, streams, max_turns);
    }

    /// Whole turns since the start, those of all seats counted.
    fn turns(&self, position: &Self::Position) -> u32;

    /// Seeds taken by captures, or men sent back or taken, by each seat since the start.
    fn captured(&self, position: &Self::Position, seat: SeatId) -> u32;

    /// Whether a sowing of this game reached its limit of laps.
    fn endless(&self, position: &Self::Position) -> bool;

    /// Whether such a sowing was proved to go on for ever; not every evaluator can tell.
    fn endless_proved(&self, _: &Self::Position) -> bool {
        false
    }

    /// The rounds that are over.
    fn rounds<'a>(&self, position: &'a Self::Position) -> &'a Rounds;

    /// Steps of evaluation since the start: what a player who looks ahead may reckon with.
    fn effort(&self, position: &Self::Position) -> u64;

    /// How well a seat stands: the seeds in its store where there are stores, else the steps travelled by its men.
    fn standing(&self, position: &Self::Position, seat: SeatId) -> i64;
}

/// Plays at random, node by node.
pub(crate) fn play_stepwise<T: Tree + ?Sized>(
    tree: &T,
    position: &mut T::Position,
    streams: &mut Streams,
    max_turns: u32,
) {
    while tree.turns(position) < max_turns {
        let n = match tree.node(position) {
            Node::End(_) => return,
            Node::Choice(Choice { moves: ..2, .. }) => 0,
            Node::Choice(choice) => streams.players.at_mut(choice.seat).index(choice.moves),
            Node::Chance(chance) => streams.throws.throw(tree.throw(chance.throw)),
        };
        tree.advance(position, n);
    }
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
