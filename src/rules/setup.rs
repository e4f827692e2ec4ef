//! Which readings and options a game is played with.

use serde::Serialize;

use super::{
    game::{Game, GameOption, Reading},
    table::{AlternativeId, OptionId, ReadingId, Table},
};
use crate::diagnostic::nearest;

/// The chosen alternative of every reading and value of every option.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Setup {
    pub(crate) readings: Table<ReadingId, AlternativeId>,
    pub(crate) options: Table<OptionId, i64>,
}

/// Why a choice of readings and options is none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// No such reading.
    #[error("there is no reading `{name}` in this file{}", suggestion(near, all))]
    UnknownReading {
        /// What was asked for.
        name: String,
        /// One with a similar name.
        near: Option<String>,
        /// All there are.
        all: Vec<String>,
    },
    /// No such alternative.
    #[error("the reading `{reading}` has no value `{value}`{}", suggestion(near, all))]
    UnknownValue {
        /// The reading.
        reading: String,
        /// What was asked for.
        value: String,
        /// One with a similar name.
        near: Option<String>,
        /// All there are.
        all: Vec<String>,
    },
    /// No such option.
    #[error("there is no option `{name}` in this file{}", suggestion(near, all))]
    UnknownOption {
        /// What was asked for.
        name: String,
        /// One with a similar name.
        near: Option<String>,
        /// All there are.
        all: Vec<String>,
    },
    /// Not a number, or one with too many decimal places.
    #[error("`{value}` is no value for the option `{option}`: {expected}")]
    NotANumber {
        /// The option.
        option: String,
        /// What was asked for.
        value: String,
        /// What would be.
        expected: String,
    },
    /// Outside the range the file gives.
    #[error("the option `{option}` goes from {low} to {high}; {value} is outside")]
    OutOfRange {
        /// The option.
        option: String,
        /// What was asked for.
        value: String,
        /// The smallest value.
        low: String,
        /// The largest value.
        high: String,
    },
    /// Not of the form `NAME=VALUE`.
    #[error("`{text}` is not of the form NAME=VALUE")]
    NotAPair {
        /// What was given.
        text: String,
    },
    /// A reading that has no effect.
    #[error("the reading `{reading}` matters only when `{other}` is `{value}`")]
    NoEffect {
        /// The reading.
        reading: String,
        /// The one it hangs on.
        other: String,
        /// The value it needs.
        value: String,
    },
}

fn suggestion(near: &Option<String>, all: &[String]) -> String {
    match near {
        Some(near) => format!("; did you mean `{near}`?"),
        None if all.is_empty() => "; it has none".to_owned(),
        None => format!("; there are: {}", all.join(", ")),
    }
}

impl Setup {
    /// The defaults of a game.
    #[must_use]
    pub fn defaults(game: &Game) -> Self {
        Self {
            readings: game.readings.iter().map(|reading| reading.default).collect::<Vec<_>>().into(),
            options: game.options.iter().map(|option| option.default).collect::<Vec<_>>().into(),
        }
    }

    /// Chooses from texts of the form `NAME=VALUE`.
    ///
    /// # Errors
    /// [`SetupError`] when a name or value is not one of the game's, or a reading would have no effect.
    pub fn choose(game: &Game, readings: &[String], options: &[String]) -> Result<Self, SetupError> {
        let mut setup = Self::defaults(game);
        for text in readings {
            let (name, value) = pair(text)?;
            let reading = Self::find_reading(game, name)?;
            setup.set_reading(game, reading, value)?;
        }
        for text in options {
            let (name, value) = pair(text)?;
            setup.set_option(game, name, value)?;
        }
        setup.all_matter(game)?;
        Ok(setup)
    }

    /// The chosen alternative of a reading.
    #[must_use]
    pub fn reading(&self, reading: ReadingId) -> AlternativeId {
        *self.readings.at(reading)
    }

    /// The value of an option, in units of its scale.
    #[must_use]
    pub fn option(&self, option: OptionId) -> i64 {
        *self.options.at(option)
    }

    /// The reading of this name.
    pub(crate) fn find_reading(game: &Game, name: &str) -> Result<ReadingId, SetupError> {
        game.readings.entries().find(|(_, reading)| reading.name == name).map(|(id, _)| id).ok_or_else(|| {
            let all: Vec<String> = game.readings.iter().map(|reading| reading.name.clone()).collect();
            let near = nearest(name, all.iter().map(String::as_str));
            SetupError::UnknownReading { name: name.to_owned(), near, all }
        })
    }

    pub(crate) fn set_reading(&mut self, game: &Game, id: ReadingId, value: &str) -> Result<(), SetupError> {
        let reading = game.readings.at(id);
        let found = reading.alternatives.entries().find(|(_, alternative)| alternative.name == value);
        let Some((alternative, _)) = found else {
            let all: Vec<String> = reading.alternatives.iter().map(|a| a.name.clone()).collect();
            let near = nearest(value, all.iter().map(String::as_str));
            let reading = reading.name.clone();
            return Err(SetupError::UnknownValue { reading, value: value.to_owned(), near, all });
        };
        *self.readings.at_mut(id) = alternative;
        Ok(())
    }

    pub(crate) fn set_option(&mut self, game: &Game, name: &str, value: &str) -> Result<(), SetupError> {
        let Some((id, option)) = game.options.entries().find(|(_, option)| option.name == name) else {
            let all: Vec<String> = game.options.iter().map(|option| option.name.clone()).collect();
            let near = nearest(name, all.iter().map(String::as_str));
            return Err(SetupError::UnknownOption { name: name.to_owned(), near, all });
        };
        let scaled = option.parse(value).ok_or_else(|| SetupError::NotANumber {
            option: name.to_owned(),
            value: value.to_owned(),
            expected: match option.scale {
                0 => "it takes a whole number".to_owned(),
                places => format!("it takes a number with at most {places} decimal places"),
            },
        })?;
        if scaled < option.low || scaled > option.high {
            return Err(SetupError::OutOfRange {
                option: name.to_owned(),
                value: value.to_owned(),
                low: option.format(option.low),
                high: option.format(option.high),
            });
        }
        *self.options.at_mut(id) = scaled;
        Ok(())
    }

    pub(crate) fn all_matter(&self, game: &Game) -> Result<(), SetupError> {
        for (id, reading) in game.readings.entries() {
            if let Some((other, needed)) = reading.only_when
                && *self.readings.at(id) != reading.default
                && *self.readings.at(other) != needed
            {
                let other = game.readings.at(other);
                return Err(SetupError::NoEffect {
                    reading: reading.name.clone(),
                    other: other.name.clone(),
                    value: other.alternatives.at(needed).name.clone(),
                });
            }
        }
        Ok(())
    }

    /// The readings whose alternative is no reading of the text: it departs from a claim, or is borrowed from elsewhere.
    pub fn variants(&self, game: &Game) -> impl Iterator<Item = ReadingId> {
        let is_variant =
            |(id, reading): &(ReadingId, &Reading)| reading.alternatives.at(self.reading(*id)).basis.is_variant();
        game.readings.entries().filter(is_variant).map(|(id, _)| id)
    }

    /// Whether every reading that is not at its default matters: that on which it hangs has the value it needs.
    #[must_use]
    pub fn matters(&self, game: &Game) -> bool {
        self.all_matter(game).is_ok()
    }

    /// What was chosen, by name.
    #[must_use]
    pub fn named(&self, game: &Game) -> NamedSetup {
        let readings = game
            .readings
            .entries()
            .map(|(id, reading)| (reading.name.clone(), reading.alternatives.at(self.reading(id)).name.clone()));
        let options = game.options.entries().map(|(id, option)| (option.name.clone(), option.number(self.option(id))));
        NamedSetup { readings: readings.collect(), options: options.collect() }
    }
}

/// Readings and options by name, in the order of the file.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NamedSetup {
    /// The value of each reading.
    #[serde(serialize_with = "as_map")]
    pub readings: Vec<(String, String)>,
    /// The value of each option.
    #[serde(serialize_with = "as_map")]
    pub options: Vec<(String, serde_json::Number)>,
}

fn as_map<K: Serialize, V: Serialize, S: serde::Serializer>(
    pairs: &[(K, V)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(pairs.iter().map(|(key, value)| (key, value)))
}

fn pair(text: &str) -> Result<(&str, &str), SetupError> {
    text.split_once('=').ok_or_else(|| SetupError::NotAPair { text: text.to_owned() })
}

impl GameOption {
    /// A value as a person writes it: `0.35` for 35 at two places.
    #[must_use]
    pub fn format(&self, value: i64) -> String {
        if self.scale == 0 {
            return value.to_string();
        }
        let width = self.scale as usize + 1;
        let digits = format!("{value:0width$}");
        let (whole, part) = digits.split_at(digits.len() - self.scale as usize);
        let part = part.trim_end_matches('0');
        if part.is_empty() { whole.to_owned() } else { format!("{whole}.{part}") }
    }

    fn number(&self, value: i64) -> serde_json::Number {
        let written = self.format(value);
        match (self.scale, written.parse::<f64>().ok().and_then(serde_json::Number::from_f64)) {
            (1.., Some(number)) => number,
            _ => value.into(),
        }
    }

    fn parse(&self, text: &str) -> Option<i64> {
        let (whole, part) = text.split_once('.').unwrap_or((text, ""));
        let part = part.trim_end_matches('0');
        let places = self.scale as usize;
        if part.len() > places
            || !(whole.bytes().chain(part.bytes()).all(|byte| byte.is_ascii_digit()))
            || (whole.is_empty() && part.is_empty())
        {
            // A sign is allowed so that a negative number is answered with the range.
            return text.parse::<i64>().ok().filter(|_| self.scale == 0);
        }
        format!("{whole}{part:0<places$}").parse().ok()
    }
}

impl ReadingId {
    /// All setups that differ from the defaults in this one reading, its condition met.
    pub(crate) fn alternatives(self, game: &Game) -> impl Iterator<Item = (AlternativeId, Setup)> + '_ {
        let reading = game.readings.at(self);
        reading.alternatives.ids().map(move |alternative| {
            let mut setup = Setup::defaults(game);
            *setup.readings.at_mut(self) = alternative;
            if let Some((other, needed)) = reading.only_when {
                *setup.readings.at_mut(other) = needed;
            }
            (alternative, setup)
        })
    }
}

impl Game {
    /// Every setup in which at most one reading, or the reading it hangs on with it, is not the default.
    #[must_use]
    pub fn single_readings(&self) -> Vec<Setup> {
        let defaults = Setup::defaults(self);
        let others = self.readings.ids().flat_map(|reading| reading.alternatives(self)).map(|(_, setup)| setup);
        let mut all: Vec<Setup> = others.filter(|setup| *setup != defaults).collect();
        all.insert(0, defaults);
        all
    }
}

impl Setup {
    /// The same setup with another value for an option, in units of its scale. A value outside its range
    /// makes rules that were never looked at: [`crate::bind`] does it then.
    #[must_use]
    pub fn with_option(&self, option: OptionId, value: i64) -> Self {
        let mut setup = self.clone();
        *setup.options.at_mut(option) = value;
        setup
    }

    /// The same setup with another alternative of a reading.
    #[must_use]
    pub fn with_reading(&self, reading: ReadingId, alternative: AlternativeId) -> Self {
        let mut setup = self.clone();
        *setup.readings.at_mut(reading) = alternative;
        setup
    }
}
