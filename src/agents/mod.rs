//! Players. They know nothing but the game tree.

mod greedy;

use std::str::FromStr;

use crate::{
    random::Stream,
    tree::{Choice, Tree},
};

/// A way to choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Agent {
    /// Equal chances among the moves of the choice.
    Random,
    /// The best difference, after the whole turn, between its own standing and the best other one;
    /// ties by lot. Throws still to come in the turn are weighed by their chances.
    Greedy,
}

/// An agent that does not exist.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no agent `{0}`; there are: random, greedy")]
pub struct UnknownAgent(String);

impl FromStr for Agent {
    type Err = UnknownAgent;

    fn from_str(text: &str) -> Result<Self, UnknownAgent> {
        match text {
            "random" => Ok(Self::Random),
            "greedy" => Ok(Self::Greedy),
            _ => Err(UnknownAgent(text.to_owned())),
        }
    }
}

impl Agent {
    /// The index of the move it makes. A choice without alternative takes nothing from the stream.
    pub fn choose<T: Tree>(self, tree: &T, position: &T::Position, choice: Choice, stream: &mut Stream) -> usize {
        if choice.moves < 2 {
            return 0;
        }
        match self {
            Self::Random => stream.index(choice.moves),
            Self::Greedy => greedy::choose(tree, position, choice, stream),
        }
    }
}
