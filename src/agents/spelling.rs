//! How agents are written: a name, then settings behind colons, by their order or by their names.

use std::{fmt, str::FromStr};

use serde::{Serialize, Serializer};

use super::Agent;
use crate::diagnostic::nearest;

/// The agents as they are without settings.
const AGENTS: [Agent; 4] = [Agent::Random, Agent::Greedy, Agent::MCTS, Agent::ALPHA_BETA];

/// The largest exploration constant, in thousandths.
const MOST_EXPLORATION: u32 = 100_000;

/// An agent that does not exist, or not with these settings.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AgentError {
    /// No agent has this name.
    #[error("there is no agent `{name}`{}; there are: {}", strokes(name).unwrap_or_else(|| meant(near)), all())]
    Unknown {
        /// What was asked for.
        name: String,
        /// The agent most like it.
        near: Option<String>,
    },
    /// The agent has no such setting.
    #[error("`{agent}` has no setting `{setting}`{}; {}", meant(near), has(agent))]
    NoSetting {
        /// The agent.
        agent: &'static str,
        /// What was set.
        setting: String,
        /// The setting most like it.
        near: Option<String>,
    },
    /// There are more values than settings.
    #[error("`{agent}` cannot take `{value}`: {}", has(agent))]
    TooMany {
        /// The agent.
        agent: &'static str,
        /// The first value that is too much.
        value: String,
    },
    /// A setting has two values.
    #[error("`{setting}` of `{agent}` is set twice")]
    Twice {
        /// The agent.
        agent: &'static str,
        /// The setting.
        setting: &'static str,
    },
    /// Not a value of the setting.
    #[error("`{value}` is no value for `{setting}` of `{agent}`: it takes {expected}")]
    Value {
        /// The agent.
        agent: &'static str,
        /// The setting.
        setting: &'static str,
        /// What it was set to.
        value: String,
        /// What it can be set to.
        expected: String,
    },
}

fn meant(near: &Option<String>) -> String {
    near.as_ref().map(|near| format!(", did you mean `{near}`?")).unwrap_or_default()
}

/// What a person is told who wrote a line-up with commas.
fn strokes(name: &str) -> Option<String> {
    name.contains(',').then(|| format!(", one line-up has strokes between its agents: `{}`", name.replace(',', "/")))
}

fn all() -> String {
    AGENTS.map(Agent::name).join(", ")
}

fn has(agent: &str) -> String {
    let settings = AGENTS.into_iter().find(|other| other.name() == agent).map_or(&[][..], Agent::settings);
    if settings.is_empty() { "it has no settings".to_owned() } else { format!("it has: {}", settings.join(", ")) }
}

impl Agent {
    /// Its name, without settings.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Greedy => "greedy",
            Self::Mcts { .. } => "mcts",
            Self::AlphaBeta { .. } => "alpha-beta",
        }
    }

    /// The names of its settings, in the order in which they are written.
    #[must_use]
    pub fn settings(self) -> &'static [&'static str] {
        match self {
            Self::Random | Self::Greedy => &[],
            Self::Mcts { .. } => &["iterations", "exploration"],
            Self::AlphaBeta { .. } => &["depth"],
        }
    }

    fn set(&mut self, setting: &'static str, value: &str) -> Result<(), AgentError> {
        let agent = self.name();
        let wrong = |expected| AgentError::Value { agent, setting, value: value.to_owned(), expected };
        let whole = |most: u32| {
            let number = value.parse().ok().filter(|number| (1..=most).contains(number));
            number.ok_or_else(|| wrong(format!("a whole number from 1 to {most}")))
        };
        match (self, setting) {
            (Self::Mcts { iterations, .. }, "iterations") => *iterations = whole(Self::MOST_ITERATIONS)?,
            (Self::Mcts { exploration, .. }, "exploration") => {
                let number = thousandths(value).filter(|number| *number <= MOST_EXPLORATION);
                let most = MOST_EXPLORATION / 1000;
                let expected = || format!("a number from 0 to {most} with at most 3 decimal places");
                *exploration = number.ok_or_else(|| wrong(expected()))?;
            }
            (Self::AlphaBeta { depth }, "depth") => *depth = whole(Self::MOST_DEPTH)?,
            _ => {}
        }
        Ok(())
    }
}

impl FromStr for Agent {
    type Err = AgentError;

    fn from_str(text: &str) -> Result<Self, AgentError> {
        let mut pieces = text.split(':');
        let name = pieces.next().unwrap_or_default();
        let Some(mut agent) = AGENTS.into_iter().find(|agent| agent.name() == name) else {
            let near = nearest(name, AGENTS.map(Self::name).into_iter());
            return Err(AgentError::Unknown { name: name.to_owned(), near });
        };
        let (name, settings) = (agent.name(), agent.settings());
        let mut done: Vec<&str> = vec![];
        for (n, piece) in pieces.enumerate() {
            let (setting, value) = match piece.split_once('=') {
                Some((named, value)) => match settings.iter().find(|setting| **setting == named) {
                    Some(setting) => (*setting, value),
                    None => {
                        let near = nearest(named, settings.iter().copied());
                        return Err(AgentError::NoSetting { agent: name, setting: named.to_owned(), near });
                    }
                },
                None => match settings.get(n) {
                    Some(setting) => (*setting, piece),
                    None => return Err(AgentError::TooMany { agent: name, value: piece.to_owned() }),
                },
            };
            if done.contains(&setting) {
                return Err(AgentError::Twice { agent: name, setting });
            }
            done.push(setting);
            agent.set(setting, value)?;
        }
        Ok(agent)
    }
}

impl fmt::Display for Agent {
    /// Settings that have their defaults are left out, as far as nothing follows them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        match *self {
            _ if AGENTS.contains(self) => Ok(()),
            Self::Random | Self::Greedy => Ok(()),
            Self::AlphaBeta { depth } => write!(f, ":{depth}"),
            Self::Mcts { iterations, exploration } => {
                write!(f, ":{iterations}")?;
                if matches!(Self::MCTS, Self::Mcts { exploration: usual, .. } if usual == exploration) {
                    return Ok(());
                }
                let digits = format!(":{}.{:03}", exploration / 1000, exploration % 1000);
                f.write_str(digits.trim_end_matches('0').trim_end_matches('.'))
            }
        }
    }
}

impl Serialize for Agent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A number without sign and with at most three decimal places, in thousandths.
fn thousandths(text: &str) -> Option<u32> {
    let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(part) || part.len() > 3 {
        return None;
    }
    whole.parse::<u32>().ok()?.checked_mul(1000)?.checked_add(format!("{part:0<3}").parse().ok()?)
}
