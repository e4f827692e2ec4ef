//! Values of the language while a game is played.

use crate::{
    rules::{Direction, SeatId, SiteId},
    tree::Part,
    view::Man,
};

/// A value. The checker has seen to it that each is of the type that is asked for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Value {
    Number(i32),
    Truth(bool),
    /// A site, or none where nothing has been sown or moved yet.
    Site(Option<SiteId>),
    Sites(Vec<SiteId>),
    Man(Man),
    Men(Vec<Man>),
    Numbers(Vec<i32>),
    /// A player, or nobody.
    Player(Option<SeatId>),
    Direction(Direction),
    Directions(Vec<Direction>),
}

impl Value {
    pub(crate) fn number(&self) -> i32 {
        if let Self::Number(n) = self { *n } else { 0 }
    }

    pub(crate) fn truth(&self) -> bool {
        matches!(self, Self::Truth(true))
    }

    pub(crate) fn site(&self) -> Option<SiteId> {
        if let Self::Site(site) = self { *site } else { None }
    }

    pub(crate) fn man(&self) -> Option<Man> {
        if let Self::Man(man) = self { Some(*man) } else { None }
    }

    pub(crate) fn player(&self) -> Option<SeatId> {
        if let Self::Player(player) = self { *player } else { None }
    }

    pub(crate) fn direction(&self) -> Option<Direction> {
        if let Self::Direction(direction) = self { Some(*direction) } else { None }
    }

    /// The sites of a set, or the one site.
    pub(crate) fn sites(self) -> Vec<SiteId> {
        match self {
            Self::Sites(sites) => sites,
            Self::Site(site) => site.into_iter().collect(),
            _ => vec![],
        }
    }

    /// The men of a set, or the one man.
    pub(crate) fn men(self) -> Vec<Man> {
        match self {
            Self::Men(men) => men,
            Self::Man(man) => vec![man],
            _ => vec![],
        }
    }

    pub(crate) fn numbers(self) -> Vec<i32> {
        if let Self::Numbers(numbers) = self { numbers } else { vec![] }
    }

    /// The members of a set, in order; men who are alike each by himself.
    pub(crate) fn members(self) -> Vec<Self> {
        match self {
            Self::Sites(sites) => sites.into_iter().map(|site| Self::Site(Some(site))).collect(),
            Self::Men(men) => men.into_iter().map(Self::Man).collect(),
            Self::Numbers(numbers) => numbers.into_iter().map(Self::Number).collect(),
            Self::Directions(directions) => directions.into_iter().map(Self::Direction).collect(),
            Self::Site(None) => vec![],
            single => vec![single],
        }
    }
}

impl From<Part> for Value {
    fn from(part: Part) -> Self {
        match part {
            Part::Site(site) => Self::Site(Some(site)),
            Part::Man(man, _) | Part::Other(man, _) => Self::Man(man),
            Part::Count(count) => Self::Number(count),
            Part::Direction(direction) => Self::Direction(direction),
        }
    }
}
