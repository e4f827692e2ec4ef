//! A position laid open: what one sees at the board. All that is read or written of a position goes through it,
//! whoever evaluates the game.

use crate::rules::{Id as _, Lifetime, MarkId, Rules, SeatId, SiteId, SpotId, StateId, Table, VariableId};

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

/// What one sees of a position.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct View {
    /// What lies and stands on the board.
    pub board: Placement,
    /// Whose turn it is.
    pub mover: SeatId,
    /// The counts that are still to be used in this turn, in ascending order.
    pub pool: Vec<i32>,
    /// Whole turns since the last one with a capture.
    pub quiet: u32,
    /// Whole turns of this round.
    pub turns: u32,
    /// The number of the round, from 1.
    pub round: u32,
    /// Who began it.
    pub beginner: SeatId,
}

impl View {
    /// The start of a game.
    #[must_use]
    pub fn new(rules: &Rules) -> Self {
        let first = SeatId::new(0);
        let board = Placement::new(rules);
        Self { board, mover: first, pool: vec![], quiet: 0, turns: 0, round: 1, beginner: first }
    }
}

/// What lies and stands on the board and beside it, and what lasts from turn to turn.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Placement {
    /// The seeds at each site, in stores too.
    pub seeds: Table<SiteId, u16>,
    /// For each mark and site, whose mark is on it.
    pub marks: Table<MarkId, Vec<Option<SeatId>>>,
    /// For each seat, how many of its men are at each spot of its way in each state.
    pub men: Table<SeatId, Vec<u8>>,
    /// One value for each seat, or the same for all.
    pub variables: Table<VariableId, Vec<i32>>,
}

impl Placement {
    /// The board at the start.
    #[must_use]
    pub fn new(rules: &Rules) -> Self {
        let seats = rules.seats.len();
        let states = usize::from(rules.states);
        let men = rules.ways.iter().zip(&rules.men_start).map(|(way, start)| {
            let mut men = vec![0; way.spots.len() * states];
            for (spot, count) in start {
                if let Some(slot) = men.get_mut(spot.index() * states) {
                    *slot = *count;
                }
            }
            men
        });
        let variables = rules.variables.iter().map(|variable| {
            let many = if variable.lifetime == Lifetime::Player { seats } else { 1 };
            vec![variable.start; many]
        });
        Self {
            seeds: rules.board.seeds.clone(),
            marks: Table::filled(rules.marks.len(), vec![None; rules.board.sites.len()]),
            men: men.collect::<Vec<_>>().into(),
            variables: variables.collect::<Vec<_>>().into(),
        }
    }

    /// Whose mark is on a site.
    #[must_use]
    pub fn marked(&self, mark: MarkId, site: SiteId) -> Option<SeatId> {
        self.marks.at(mark).get(site.index()).copied().flatten()
    }

    /// Puts a mark on a site, or takes it off.
    pub fn mark(&mut self, mark: MarkId, site: SiteId, seat: Option<SeatId>) {
        if let Some(slot) = self.marks.at_mut(mark).get_mut(site.index()) {
            *slot = seat;
        }
    }

    /// How many men of this description there are.
    #[must_use]
    pub fn men(&self, rules: &Rules, man: Man) -> u8 {
        self.men.at(man.seat).get(slot(rules, man)).copied().unwrap_or(0)
    }

    /// All men of a seat on a spot, whatever their state.
    #[must_use]
    pub fn men_at(&self, rules: &Rules, seat: SeatId, spot: SpotId) -> u8 {
        let states = (0..usize::from(rules.states)).map(StateId::new);
        states.map(|state| self.men(rules, Man { seat, spot, state })).sum()
    }

    /// How many men of a seat are at home.
    #[must_use]
    pub fn home(&self, rules: &Rules, seat: SeatId) -> u8 {
        rules.ways.at(seat).home.map_or(0, |spot| self.men_at(rules, seat, spot))
    }

    /// More men of a description.
    pub fn add(&mut self, rules: &Rules, man: Man, count: u8) {
        if let Some(slot) = self.men.at_mut(man.seat).get_mut(slot(rules, man)) {
            *slot = slot.saturating_add(count);
        }
    }

    /// A man becomes another one, on another spot or in another state; where there is none nothing changes.
    pub fn change(&mut self, rules: &Rules, man: Man, to: Man) {
        let men = self.men.at_mut(man.seat);
        if let Some(from) = men.get_mut(slot(rules, man)).filter(|count| **count > 0) {
            *from -= 1;
            if let Some(to) = men.get_mut(slot(rules, to)) {
                *to += 1;
            }
        }
    }
}

/// Where men of a description are counted.
fn slot(rules: &Rules, man: Man) -> usize {
    man.spot.index() * usize::from(rules.states) + man.state.index()
}
