//! Who sits at a seat of a game that is played: a person or an agent.

use std::str::FromStr;

use crate::agents::{Agent, AgentError};

/// Who sits at a seat.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Player {
    Human,
    Agent(Agent),
}

/// Neither a person nor an agent.
#[derive(Debug, thiserror::Error)]
#[error("{0}{more}", more = if matches!(.0, AgentError::Unknown { .. }) { ", or human" } else { "" })]
pub(crate) struct PlayerError(AgentError);

impl FromStr for Player {
    type Err = PlayerError;

    fn from_str(text: &str) -> Result<Self, PlayerError> {
        if text == "human" { Ok(Self::Human) } else { text.parse().map(Self::Agent).map_err(PlayerError) }
    }
}
