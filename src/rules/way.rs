//! The ways of the men: spots, and where each leads.

use std::collections::VecDeque;

use serde::Serialize;

use super::{
    board::{self, Board, Seat},
    expr::Place,
    game::{HomePlan, TrackPlan},
    table::{Id as _, SeatId, SiteId, SpotId, Table, TrackId},
};
use crate::{diagnostic::Problem, span::Span};

/// The most spots of a way.
const MAX_SPOTS: usize = 1000;

/// A spot of a way. A square that a track treads twice is two spots.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct Spot {
    /// The square, or the place beside the board.
    pub site: SiteId,
    /// What follows; several where the way forks, none at an end.
    pub next: Vec<SpotId>,
    /// How many spots before it are on the same square.
    pub again: u8,
    /// The fewest steps that lead here from the first spot.
    pub travelled: u16,
    /// The fewest steps from here to an end; 65535 where the way has none.
    pub left: u16,
}

/// All spots on which the men of a seat can be.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize)]
pub struct Way {
    /// The spots: those of each track in order, then where taken men are.
    pub spots: Table<SpotId, Spot>,
    /// Where men are done.
    pub home: Option<SpotId>,
    /// Where taken men are.
    pub out: Option<SpotId>,
}

impl Way {
    /// The ways of a seat, of at most [`MAX_SPOTS`] spots.
    pub(super) fn lay(
        tracks: &Table<TrackId, TrackPlan>,
        board: &Board,
        id: SeatId,
        seat: &Seat,
    ) -> Result<Self, (Problem, Span)> {
        let mut way = Self::default();
        let mut firsts: Table<TrackId, (SpotId, SpotId)> = Table::default();
        for plan in tracks {
            let first = SpotId::new(way.spots.len());
            if plan.hand {
                way.push(board.site_at(Place::Hand(id)));
            }
            let track = track(board, plan, seat)?;
            let spots = way.spots.len() + track.len();
            if spots > MAX_SPOTS {
                let (size, max) = (i64::try_from(spots).unwrap_or(i64::MAX), 1000);
                return Err((Problem::BoardTooLarge { what: "squares of a way", size, max }, plan.span));
            }
            for site in track {
                way.push(Some(site));
            }
            if plan.home == Some(HomePlan::BesideTheBoard) {
                way.push(board.site_at(Place::Home(id)));
            }
            let last = SpotId::new(way.spots.len().saturating_sub(1));
            for n in first.index()..last.index() {
                way.spots.at_mut(SpotId::new(n)).next.push(SpotId::new(n + 1));
            }
            if plan.home.is_some() {
                way.home = Some(last);
            }
            firsts.push((first, last));
        }
        for (plan, (_, last)) in tracks.iter().zip(firsts.iter()) {
            for (track, place, span) in &plan.then {
                let (first, end) = *firsts.at(*track);
                let goal = match place {
                    None => Some(first),
                    Some(place) => {
                        let seen = board.seen_from(*place, seat, plan.symmetry).and_then(|place| board.site_at(place));
                        let mut spots = (first.index()..=end.index()).map(SpotId::new);
                        spots.find(|spot| Some(way.spots.at(*spot).site) == seen)
                    }
                };
                let Some(goal) = goal else {
                    let place = place.map(board::describe).unwrap_or_default();
                    return Err((Problem::OffTrack { place, track: tracks.at(*track).name.clone() }, *span));
                };
                way.spots.at_mut(*last).next.push(goal);
            }
        }
        way.measure();
        way.push(board.site_at(Place::Out(id)));
        way.out = way.spots.ids().next_back();
        Ok(way)
    }

    fn push(&mut self, site: Option<SiteId>) {
        let Some(site) = site else { return };
        let again = self.spots.iter().filter(|spot| spot.site == site).count();
        let again = u8::try_from(again).unwrap_or(u8::MAX);
        self.spots.push(Spot { site, next: vec![], again, travelled: 0, left: 0 });
    }

    /// Steps from the first spot, and to the nearest end.
    fn measure(&mut self) {
        let all: Vec<SpotId> = self.spots.ids().collect();
        let from = self.distances(all.iter().copied().take(1), |way, spot| way.spots.at(spot).next.clone());
        let ends = all.iter().copied().filter(|spot| self.spots.at(*spot).next.is_empty());
        let mut reversed: Table<SpotId, Vec<SpotId>> = Table::filled(self.spots.len(), vec![]);
        for (id, spot) in self.spots.entries() {
            for next in &spot.next {
                reversed.at_mut(*next).push(id);
            }
        }
        let before = |_: &Self, spot: SpotId| reversed.at(spot).clone();
        let to = self.distances(ends.collect::<Vec<_>>().into_iter(), before);
        for (spot, (travelled, left)) in self.spots.iter_mut().zip(from.iter().zip(to.iter())) {
            (spot.travelled, spot.left) = (*travelled, *left);
        }
    }

    fn distances(
        &self,
        from: impl Iterator<Item = SpotId>,
        next: impl Fn(&Self, SpotId) -> Vec<SpotId>,
    ) -> Table<SpotId, u16> {
        let mut known: Table<SpotId, Option<u16>> = Table::filled(self.spots.len(), None);
        let mut open: VecDeque<SpotId> = VecDeque::new();
        for spot in from {
            *known.at_mut(spot) = Some(0);
            open.push_back(spot);
        }
        while let Some(spot) = open.pop_front() {
            let steps = known.at(spot).unwrap_or(0) + 1;
            for other in next(self, spot) {
                if known.at(other).is_none() {
                    *known.at_mut(other) = Some(steps);
                    open.push_back(other);
                }
            }
        }
        known.iter().map(|steps| steps.unwrap_or(u16::MAX)).collect::<Vec<_>>().into()
    }

    /// The spots without that of taken men.
    pub fn on_the_way(&self) -> impl Iterator<Item = &Spot> {
        self.spots.entries().filter(|(id, _)| Some(*id) != self.out).map(|(_, spot)| spot)
    }

    /// The spots to which exactly so many steps lead, each once.
    #[must_use]
    pub fn reach(&self, from: SpotId, steps: usize) -> Vec<SpotId> {
        let mut here = vec![from];
        for _ in 0..steps {
            let mut next: Vec<SpotId> = here.iter().flat_map(|spot| self.spots.at(*spot).next.clone()).collect();
            next.sort_unstable();
            next.dedup();
            here = next;
        }
        here
    }

    /// The spots of a walk of so many steps that ends on a square, or anywhere; the first left out. Where no
    /// walk ends on the square there is none; where the way is too short the walk ends with it.
    #[must_use]
    pub fn walk(&self, from: SpotId, steps: usize, goal: Option<SiteId>) -> Vec<SpotId> {
        let ends = |spot: &SpotId| goal.is_none_or(|site| self.spots.at(*spot).site == site);
        if self.spots.iter().all(|spot| spot.next.len() < 2) {
            let next = |spot: &SpotId| self.spots.at(*spot).next.first().copied();
            let path: Vec<SpotId> = std::iter::successors(next(&from), next).take(steps).collect();
            let there = goal.is_none() || (path.len() == steps && path.last().is_some_and(ends));
            return if there { path } else { vec![] };
        }
        // Backwards from the goal: after how many steps is it still in reach from where?
        let mut layers: Vec<Vec<bool>> = vec![self.spots.ids().map(|spot| ends(&spot)).collect()];
        let in_reach = |layer: &[bool], spot: &SpotId| layer.get(spot.index()).copied().unwrap_or(false);
        for _ in 0..steps {
            let last = layers.last().map(Vec::as_slice).unwrap_or_default();
            let layer = self.spots.iter().map(|spot| spot.next.iter().any(|next| in_reach(last, next))).collect();
            layers.push(layer);
        }
        if goal.is_some() && !layers.last().is_some_and(|layer| in_reach(layer, &from)) {
            return vec![];
        }
        let mut path = vec![];
        let mut here = from;
        for left in (0..steps).rev() {
            let next = &self.spots.at(here).next;
            let good = next.iter().find(|spot| layers.get(left).is_some_and(|layer| in_reach(layer, spot)));
            let Some(spot) = good.or_else(|| next.first()) else { break };
            path.push(*spot);
            here = *spot;
        }
        path
    }
}

/// South's track as another seat walks it.
fn track(board: &Board, plan: &TrackPlan, seat: &Seat) -> Result<Vec<SiteId>, (Problem, Span)> {
    let mut track: Vec<SiteId> = vec![];
    let mut last: Option<Place> = None;
    for &(line, place, span) in &plan.steps {
        let path = match last {
            None => vec![place],
            Some(from) => {
                board::between(from, place, line).or_else(|| over_gap(board, from, place)).ok_or_else(|| {
                    let problem = Problem::TrackJumps { from: board::describe(from), to: board::describe(place), line };
                    (problem, span)
                })?
            }
        };
        for here in path {
            let site = board.seen_from(here, seat, plan.symmetry).and_then(|place| board.site_at(place));
            track.push(site.ok_or_else(|| match board.site_at(here) {
                None => (Problem::TrackOffBoard { square: board::describe(here) }, span),
                Some(_) => (Problem::TrackCannotTurn, span),
            })?);
        }
        last = Some(place);
    }
    Ok(track)
}

/// A step in a straight line over nothing but squares that the board does not have.
fn over_gap(board: &Board, from: Place, to: Place) -> Option<Vec<Place>> {
    let line = board::between(from, to, true)?;
    let (last, gap) = line.split_last()?;
    gap.iter().all(|place| board.site_at(*place).is_none()).then(|| vec![*last])
}
