//! The combinations of readings under which a record can be tried.

use std::collections::HashSet;

use super::Chosen;
use crate::rules::{AlternativeId, Game, Id as _, ReadingId, Setup};

/// Whether a reading matters under a setup: what it hangs on is so, and matters itself.
pub(super) fn applies(game: &Game, setup: &Setup, reading: ReadingId) -> bool {
    let mut reading = reading;
    for _ in 0..game.readings.len() {
        match game.readings.at(reading).only_when {
            None => return true,
            Some((other, needed)) if setup.reading(other) == needed => reading = other,
            Some(_) => return false,
        }
    }
    true
}

/// The readings in which a setup differs from another one.
pub(super) fn changes(game: &Game, from: &Setup, to: &Setup) -> Vec<(ReadingId, AlternativeId)> {
    let ids = game.readings.ids();
    ids.filter(|id| from.reading(*id) != to.reading(*id)).map(|id| (id, to.reading(id))).collect()
}

/// A setup with another alternative of a reading; readings that no longer matter are as chosen.
pub(super) fn changed(
    game: &Game,
    chosen: &Chosen,
    setup: &Setup,
    reading: ReadingId,
    alternative: AlternativeId,
) -> Setup {
    let mut setup = setup.with_reading(reading, alternative);
    // As many rounds as conditions can hang on one another.
    for _ in 0..game.readings.len() {
        let idle = game.readings.ids().find(|id| {
            !applies(game, &setup, *id) && setup.reading(*id) != chosen.setup.reading(*id) && *id != reading
        });
        let Some(id) = idle else { break };
        setup = setup.with_reading(id, chosen.setup.reading(id));
    }
    setup
}

/// Readings with those first on which others hang.
fn in_order(game: &Game) -> Vec<ReadingId> {
    let mut order: Vec<ReadingId> = vec![];
    let mut placed = vec![false; game.readings.len()];
    let is_placed = |placed: &[bool], id: ReadingId| placed.get(id.index()).copied().unwrap_or(true);
    loop {
        let before = order.len();
        for (id, reading) in game.readings.entries() {
            let ready = reading.only_when.is_none_or(|(other, _)| is_placed(&placed, other));
            if ready && !is_placed(&placed, id) {
                order.push(id);
                placed.iter_mut().skip(id.index()).take(1).for_each(|slot| *slot = true);
            }
        }
        if order.len() == before {
            // Those that hang on one another in a circle are taken as they come.
            order.extend(game.readings.ids().filter(|id| !is_placed(&placed, *id)));
            return order;
        }
    }
}

/// How many combinations there are of the readings that do not stand fast.
pub(super) fn count(game: &Game, chosen: &Chosen) -> u128 {
    let order = in_order(game);
    let mut all = 1u128;
    // For each reading and alternative, the ways to read what hangs on it; the last readings come first.
    let mut ways: Vec<Vec<u128>> = game.readings.iter().map(|reading| vec![1; reading.alternatives.len()]).collect();
    for id in order.iter().rev() {
        let own = ways.get(id.index()).cloned().unwrap_or_default();
        let free = !chosen.readings.contains(id);
        let total = if free {
            own.iter().fold(0u128, |sum, n| sum.saturating_add(*n))
        } else {
            own.get(chosen.setup.reading(*id).index()).copied().unwrap_or(1)
        };
        match game.readings.at(*id).only_when {
            Some((other, needed)) => {
                let slot = ways.get_mut(other.index()).and_then(|ways| ways.get_mut(needed.index()));
                if let Some(slot) = slot {
                    *slot = slot.saturating_mul(total);
                }
            }
            None => all = all.saturating_mul(total),
        }
    }
    all
}

/// All combinations of the readings that do not stand fast, or none where there are more than so many. What matters only
/// under another reading is tried only there.
pub(super) fn all(game: &Game, chosen: &Chosen, most: usize) -> Option<Vec<Setup>> {
    let mut setups = vec![chosen.setup.clone()];
    for id in in_order(game).into_iter().filter(|id| !chosen.readings.contains(id)) {
        let mut next = vec![];
        for setup in &setups {
            if applies(game, setup, id) {
                let alternatives = game.readings.at(id).alternatives.ids();
                next.extend(alternatives.map(|alternative| setup.with_reading(id, alternative)));
            } else {
                next.push(setup.clone());
            }
            if next.len() > most {
                return None;
            }
        }
        setups = next;
    }
    Some(setups)
}

/// The chosen setup, and those with one and with two readings changed, up to so many.
pub(super) fn near(game: &Game, chosen: &Chosen, most: usize) -> Vec<Setup> {
    let mut seen = HashSet::from([chosen.setup.clone()]);
    let mut setups = vec![chosen.setup.clone()];
    let mut begin = 0;
    for _ in 0..2 {
        let from: Vec<Setup> = setups.iter().skip(begin).cloned().collect();
        begin = setups.len();
        for setup in from {
            for next in one_changed(game, chosen, &setup) {
                if setups.len() >= most {
                    return setups;
                }
                if seen.insert(next.clone()) {
                    setups.push(next);
                }
            }
        }
    }
    setups
}

/// All setups that differ from one in one reading, what it hangs on with it.
fn one_changed<'a>(game: &'a Game, chosen: &'a Chosen, setup: &'a Setup) -> impl Iterator<Item = Setup> + 'a {
    let free = |id: &ReadingId| !chosen.readings.contains(id);
    game.readings.ids().filter(free).flat_map(move |id| {
        let alternatives = game.readings.at(id).alternatives.ids().filter(move |other| *other != setup.reading(id));
        alternatives.filter_map(move |alternative| {
            let mut next = setup.clone();
            if let Some((other, needed)) = game.readings.at(id).only_when.filter(|_| !applies(game, setup, id)) {
                if chosen.readings.contains(&other) || !applies(game, setup, other) {
                    return None;
                }
                next = next.with_reading(other, needed);
            }
            Some(changed(game, chosen, &next, id, alternative))
        })
    })
}
