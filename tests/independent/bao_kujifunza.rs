//! Bao la kujifunza, the Bao of beginners, by hand: four rows of eight, all seeds on the board, captures sown from a kichwa.

use super::{Independent, Node};

/// The game; `default` has the rules as they are played unless something else is said.
pub struct BaoKujifunza {
    pub seeds: u32,
    /// The most seeds that may start a capturing move.
    pub most: u32,
    /// An empty front row loses as soon as a sowing is over; else when the turn is.
    pub at_once: bool,
    /// A move of more than 1000 laps is forbidden; else the turn ends where it is.
    pub forbidden: bool,
}

impl Default for BaoKujifunza {
    fn default() -> Self {
        BaoKujifunza { seeds: 2, most: 15, at_once: true, forbidden: true }
    }
}

/// Each player's holes in the order of his loop: `A2 B2 .. H2`, then `H1 G1 .. A1`; so the front row is 8 to 15.
#[derive(Clone)]
pub struct State {
    pub pits: [[u32; 16]; 2],
    pub mover: usize,
    pub turns: u32,
    /// Who has won.
    pub won: Option<usize>,
}

const RIGHT_KICHWA: usize = 8;
const LEFT_KICHWA: usize = 15;
/// One hole on along the loop, and one back.
const COUNTERCLOCKWISE: usize = 1;
const CLOCKWISE: usize = 15;

/// The enemy's front hole that faces a front hole.
fn facing(pit: usize) -> usize {
    23 - pit
}

/// The name of a hole of a player's loop.
pub fn name(mover: usize, pit: usize) -> String {
    let letters = if mover == 0 { "ABCDEFGH" } else { "abcdefgh" };
    let (column, row) = if pit < 8 { (pit, 2) } else { (15 - pit, 1) };
    format!("{}{row}", &letters[column..=column])
}

fn front_empty(pits: &[u32; 16]) -> bool {
    pits[8..].iter().all(|&seeds| seeds == 0)
}

impl BaoKujifunza {
    /// Whether the first sowing from this hole ends in a capture.
    fn captures(&self, state: &State, from: usize, step: usize) -> bool {
        let own = &state.pits[state.mover];
        let seeds = own[from];
        if seeds < 2 || seeds > self.most || seeds > 15 {
            return false;
        }
        let end = (from + step * seeds as usize) % 16;
        end >= 8 && own[end] > 0 && state.pits[1 - state.mover][facing(end)] > 0
    }

    /// The moves that may be chosen: holes and directions, and whether they capture.
    fn choices(&self, state: &State) -> (Vec<(usize, usize)>, bool) {
        let own = &state.pits[state.mover];
        let mut all = Vec::new();
        for (pit, &seeds) in own.iter().enumerate() {
            if seeds >= 2 {
                all.push((pit, CLOCKWISE));
                all.push((pit, COUNTERCLOCKWISE));
            }
        }
        let mut list = all.clone();
        list.retain(|&(pit, step)| self.captures(state, pit, step));
        if !list.is_empty() {
            return (list, true);
        }
        if own[8..].iter().any(|&seeds| seeds >= 2) {
            all.retain(|&(pit, _)| pit >= 8);
        }
        // A kichwa that is alone in the front row may not be sown into the back row.
        if own[8..].iter().filter(|&&seeds| seeds > 0).count() == 1 {
            all.retain(|&choice| choice != (LEFT_KICHWA, COUNTERCLOCKWISE) && choice != (RIGHT_KICHWA, CLOCKWISE));
        }
        (all, false)
    }

    /// A whole move, or none when it is forbidden.
    fn play(&self, state: &State, from: usize, direction: usize, capturing: bool) -> Option<State> {
        let mut next = state.clone();
        let (own, enemy) = (state.mover, 1 - state.mover);
        let mut step = direction;
        let mut hand = next.pits[own][from];
        next.pits[own][from] = 0;
        let mut at = from;
        let mut laps = 0;
        loop {
            for _ in 0..hand {
                at = (at + step) % 16;
                next.pits[own][at] += 1;
            }
            if self.at_once && (front_empty(&next.pits[own]) || front_empty(&next.pits[enemy])) {
                break;
            }
            if next.pits[own][at] == 1 {
                break;
            }
            if laps == 1000 {
                if self.forbidden {
                    return None;
                }
                break;
            }
            laps += 1;
            if capturing && at >= 8 && next.pits[enemy][facing(at)] > 0 {
                hand = next.pits[enemy][facing(at)];
                next.pits[enemy][facing(at)] = 0;
                if at >= 14 {
                    step = CLOCKWISE;
                } else if at <= 9 {
                    step = COUNTERCLOCKWISE;
                }
                // One hole before the kichwa, which gets the first seed.
                at = if step == CLOCKWISE { 0 } else { 7 };
            } else {
                hand = next.pits[own][at];
                next.pits[own][at] = 0;
            }
        }
        if front_empty(&next.pits[enemy]) {
            next.won = Some(own);
        } else if front_empty(&next.pits[own]) {
            next.won = Some(enemy);
        }
        next.mover = enemy;
        next.turns += 1;
        Some(next)
    }
}

impl Independent for BaoKujifunza {
    type State = State;

    fn start(&self) -> State {
        State { pits: [[self.seeds; 16]; 2], mover: 0, turns: 0, won: None }
    }

    fn node(&self, state: &State) -> Node<State> {
        let wins = |player| Node::End(if player == 0 { "South wins" } else { "North wins" }.to_string());
        if let Some(player) = state.won {
            return wins(player);
        }
        let mut moves = Vec::new();
        let (choices, capturing) = self.choices(state);
        for (pit, step) in choices {
            if let Some(next) = self.play(state, pit, step, capturing) {
                let direction = if step == CLOCKWISE { "cw" } else { "ccw" };
                moves.push((format!("{}:{direction}", name(state.mover, pit)), next));
            }
        }
        if moves.is_empty() {
            return wins(1 - state.mover);
        }
        if state.turns >= 2000 {
            return Node::End("stopped".to_string());
        }
        Node::Choice(moves)
    }
}
