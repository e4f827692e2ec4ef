//! Who plays: one for all seats, or one a seat.

use std::{fmt, str::FromStr};

use super::Agent;
use crate::rules::{SeatId, Table};

/// Who plays, in the order of the seats, or one for all of them: `greedy`, `greedy/random`. There is at least one.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct LineUp<P = Agent>(Vec<P>);

/// A line-up does not fit the seats of a game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{named} were named for {seats} seats; name one for all, or one a seat, like `greedy/random`")]
pub struct LineUpError {
    /// How many were named.
    pub named: usize,
    /// How many seats there are.
    pub seats: usize,
}

impl<P: FromStr> FromStr for LineUp<P> {
    type Err = P::Err;

    fn from_str(text: &str) -> Result<Self, P::Err> {
        text.split('/').map(str::parse).collect::<Result<_, _>>().map(Self)
    }
}

impl<P: fmt::Display> fmt::Display for LineUp<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, player) in self.0.iter().enumerate() {
            write!(f, "{}{player}", if n == 0 { "" } else { "/" })?;
        }
        Ok(())
    }
}

impl<P: Clone> LineUp<P> {
    /// Who sits at each of so many seats.
    ///
    /// # Errors
    /// [`LineUpError`] when neither one was named, nor one for each.
    pub fn seat(&self, seats: usize) -> Result<Table<SeatId, P>, LineUpError> {
        match self.0.as_slice() {
            [one] => Ok(Table::filled(seats, one.clone())),
            all if all.len() == seats => Ok(self.0.clone().into()),
            all => Err(LineUpError { named: all.len(), seats }),
        }
    }

    /// What the player at a place is called among the others; nothing where one was named for all seats.
    #[must_use]
    pub fn player(&self, place: usize) -> Option<String>
    where
        P: fmt::Display,
    {
        let own = self.0.get(place).filter(|_| self.0.len() > 1)?.to_string();
        let same = self.0.iter().filter(|player| player.to_string() == own).count();
        Some(if same > 1 { format!("{own} ({})", place + 1) } else { own })
    }
}
