//! Players. They know nothing but the game tree.

mod alpha_beta;
mod greedy;
mod line_up;
mod mcts;
mod sides;
mod spelling;

pub use self::{
    line_up::{LineUp, LineUpError},
    spelling::AgentError,
};
use crate::{
    random::Stream,
    rules::Rules,
    tree::{Choice, Tree},
};

/// A way to choose. It is written and printed in one spelling: `random`, `mcts:1000`, `alpha-beta:4`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Agent {
    /// Equal chances among the moves of the choice.
    Random,
    /// The best difference, after the whole turn, between its own standing and the best other one;
    /// ties by lot. Throws still to come in the turn are weighed by their chances.
    Greedy,
    /// Monte Carlo tree search: what led to wins most often in random games from here, which follow good moves
    /// more and more (UCT).
    Mcts {
        /// Random games played for one choice, from 1 to [`Agent::MOST_ITERATIONS`].
        iterations: u32,
        /// How much is tried that has not been good so far: the constant before the root in UCB1, in thousandths.
        exploration: u32,
    },
    /// The best difference of standings that it can be sure of some choices later, both sides choosing their best.
    /// For games of two sides without throws.
    AlphaBeta {
        /// How many choices it looks ahead, from 1 to [`Agent::MOST_DEPTH`]; those without alternative are not counted.
        depth: u32,
    },
}

/// Why an agent cannot play a game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unsuited {
    /// It reckons with one opponent.
    #[error("{agent} plays games of two sides; this one has {sides}")]
    Sides {
        /// The agent.
        agent: Agent,
        /// How many sides there are.
        sides: usize,
    },
    /// It reckons with certain consequences.
    #[error("{agent} plays games without throws; in this one something is thrown")]
    Throws {
        /// The agent.
        agent: Agent,
    },
}

impl Agent {
    /// Monte Carlo tree search with its defaults; no other constant that was tried did better (docs/agents.md).
    pub const MCTS: Self = Self::Mcts { iterations: 1000, exploration: 700 };
    /// Alpha-beta search with its default.
    pub const ALPHA_BETA: Self = Self::AlphaBeta { depth: 4 };
    /// The most iterations of one choice.
    pub const MOST_ITERATIONS: u32 = 1_000_000;
    /// The greatest depth.
    pub const MOST_DEPTH: u32 = 50;

    /// Whether it can play a game.
    ///
    /// # Errors
    /// [`Unsuited`] when it cannot, and why.
    pub fn suits(self, rules: &Rules) -> Result<(), Unsuited> {
        match self {
            Self::AlphaBeta { .. } if rules.sides.len() != 2 => {
                Err(Unsuited::Sides { agent: self, sides: rules.sides.len() })
            }
            Self::AlphaBeta { .. } if !rules.throws.is_empty() => Err(Unsuited::Throws { agent: self }),
            _ => Ok(()),
        }
    }

    /// The index of the move it makes. A choice without alternative takes nothing from the stream.
    pub fn choose<T: Tree>(self, tree: &T, position: &T::Position, choice: Choice, stream: &mut Stream) -> usize {
        if choice.moves < 2 {
            return 0;
        }
        match self {
            Self::Random => stream.index(choice.moves),
            Self::Greedy => greedy::choose(tree, position, choice, stream),
            Self::Mcts { iterations, exploration } => {
                mcts::choose(tree, position, choice, iterations, f64::from(exploration) / 1000.0, stream)
            }
            Self::AlphaBeta { depth } => alpha_beta::choose(tree, position, choice, depth, stream),
        }
    }
}
