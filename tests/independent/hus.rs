//! Hus of Namibia, by hand: four rows, each player sows round his own two, and goes on with what he captures.

use super::{Independent, Node};

/// The game; `default` has the rules as they are played unless something else is said.
pub struct Hus {
    /// Holes in a row, an even number.
    pub columns: usize,
    /// Seeds in each hole that is filled at the start.
    pub seeds: u32,
    /// A capture needs seeds in both holes of the file; else the front one is enough.
    pub both: bool,
    /// The capturing hole is lifted with the captured seeds; else only these are sown.
    pub with_own: bool,
    /// Sown clockwise instead of counterclockwise.
    pub clockwise: bool,
    /// A sowing of more than 2000 laps is forbidden; else the turn ends where it is.
    pub forbidden: bool,
}

impl Default for Hus {
    fn default() -> Self {
        Hus { columns: 8, seeds: 2, both: true, with_own: false, clockwise: false, forbidden: false }
    }
}

/// Each player's holes in the order of his loop: `A2 B2 .. H2`, then `H1 G1 .. A1`.
#[derive(Clone)]
pub struct State {
    pub pits: [Vec<u32>; 2],
    pub mover: usize,
    pub turns: u32,
}

impl Hus {
    /// The name of a hole of a player's loop.
    pub fn name(&self, mover: usize, pit: usize) -> String {
        let letters = if mover == 0 { "ABCDEFGHIJKLMNOPQRSTUVWX" } else { "abcdefghijklmnopqrstuvwx" };
        let (column, row) = if pit < self.columns { (pit, 2) } else { (2 * self.columns - 1 - pit, 1) };
        format!("{}{row}", &letters[column..=column])
    }

    /// The turn that starts at a hole, or none when it is forbidden.
    fn play(&self, state: &State, from: usize) -> Option<State> {
        let mut next = state.clone();
        let (own, enemy) = (state.mover, 1 - state.mover);
        let holes = 2 * self.columns;
        let step = if self.clockwise { holes - 1 } else { 1 };
        let mut hand = next.pits[own][from];
        next.pits[own][from] = 0;
        let mut at = from;
        let mut laps = 0;
        loop {
            for _ in 0..hand {
                at = (at + step) % holes;
                next.pits[own][at] += 1;
            }
            if next.pits[own][at] == 1 {
                break;
            }
            if laps == 2000 {
                if self.forbidden {
                    return None;
                }
                break;
            }
            laps += 1;
            hand = 0;
            if at >= self.columns {
                let (front, back) = (3 * self.columns - 1 - at, at - self.columns);
                let needed = if self.both { next.pits[enemy][back] } else { 1 };
                if next.pits[enemy][front] > 0 && needed > 0 {
                    hand = next.pits[enemy][front] + next.pits[enemy][back];
                    next.pits[enemy][front] = 0;
                    next.pits[enemy][back] = 0;
                }
            }
            if hand == 0 || self.with_own {
                hand += next.pits[own][at];
                next.pits[own][at] = 0;
            }
        }
        next.mover = enemy;
        next.turns += 1;
        Some(next)
    }
}

impl Independent for Hus {
    type State = State;

    fn start(&self) -> State {
        let mut row = vec![self.seeds; 2 * self.columns];
        for pit in &mut row[self.columns + self.columns / 2..] {
            *pit = 0;
        }
        State { pits: [row.clone(), row], mover: 0, turns: 0 }
    }

    fn node(&self, state: &State) -> Node<State> {
        let mut moves = Vec::new();
        for pit in 0..2 * self.columns {
            if state.pits[state.mover][pit] >= 2
                && let Some(next) = self.play(state, pit)
            {
                moves.push((self.name(state.mover, pit), next));
            }
        }
        if moves.is_empty() {
            return Node::End(if state.mover == 0 { "North wins" } else { "South wins" }.to_string());
        }
        if state.turns >= 2000 {
            return Node::End("stopped".to_string());
        }
        Node::Choice(moves)
    }
}
