//! Pallanguzhi of Tamil Nadu, by hand: a match of rounds; fours go to the owner of the hole, and unfilled holes are closed.

use super::{Independent, Node};

/// Who begins the next round.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Beginner {
    /// Not the one who began the last.
    Alternate,
    /// The player who has more seeds; with equally many they alternate.
    Richer,
    /// The player who has fewer seeds; with equally many they alternate.
    Poorer,
}

/// The game; `default` has the rules as they are played unless something else is said.
pub struct Pallanguzhi {
    pub holes: usize,
    pub seeds: u32,
    /// The most rounds of a match; after the last the richer player wins.
    pub rounds: u32,
    pub counterclockwise: bool,
    /// Fours go to the sower instead of the owner of the hole.
    pub sower_takes_fours: bool,
    /// What lies opposite the captured hole is captured too.
    pub with_opposite: bool,
    pub beginner: Beginner,
}

impl Default for Pallanguzhi {
    fn default() -> Self {
        Pallanguzhi {
            holes: 7,
            seeds: 5,
            rounds: 20,
            counterclockwise: false,
            sower_takes_fours: false,
            with_opposite: false,
            beginner: Beginner::Alternate,
        }
    }
}

/// South's holes from his left, then North's from his.
#[derive(Clone)]
pub struct State {
    pub pits: Vec<u32>,
    pub open: Vec<bool>,
    pub stores: [u32; 2],
    pub mover: usize,
    pub beginner: usize,
    pub rounds: u32,
    pub turns: u32,
    /// How the match has ended.
    pub result: Option<&'static str>,
}

impl Pallanguzhi {
    /// The open hole that follows.
    fn after(&self, state: &State, pit: usize) -> usize {
        let all = 2 * self.holes;
        let mut at = pit;
        loop {
            at = (at + if self.counterclockwise { 1 } else { all - 1 }) % all;
            if state.open[at] {
                return at;
            }
        }
    }

    fn play(&self, state: &State, from: usize) -> State {
        let mut next = state.clone();
        let mover = state.mover;
        let mut at = from;
        let mut laps = 0;
        loop {
            let hand = next.pits[at];
            next.pits[at] = 0;
            for _ in 0..hand {
                at = self.after(&next, at);
                next.pits[at] += 1;
                if next.pits[at] == 4 {
                    let owner = if at < self.holes { 0 } else { 1 };
                    next.stores[if self.sower_takes_fours { mover } else { owner }] += 4;
                    next.pits[at] = 0;
                }
            }
            let follows = self.after(&next, at);
            if next.pits[follows] == 0 {
                let beyond = self.after(&next, follows);
                if next.pits[beyond] > 0 {
                    next.stores[mover] += next.pits[beyond];
                    next.pits[beyond] = 0;
                    if self.with_opposite {
                        let opposite = 2 * self.holes - 1 - beyond;
                        next.stores[mover] += next.pits[opposite];
                        next.pits[opposite] = 0;
                    }
                }
                break;
            }
            if laps == 2000 {
                break;
            }
            laps += 1;
            at = follows;
        }
        next.mover = 1 - mover;
        next.turns += 1;
        self.finish_round(&mut next);
        next
    }

    /// When a row is empty: everybody takes what lies in his own, and the holes are filled again.
    fn finish_round(&self, state: &mut State) {
        let left: u32 = state.pits[..self.holes].iter().sum();
        let right: u32 = state.pits[self.holes..].iter().sum();
        if left > 0 && right > 0 {
            return;
        }
        state.stores[0] += left;
        state.stores[1] += right;
        state.pits.fill(0);
        for player in 0..2 {
            if state.stores[player] < self.seeds {
                state.result = Some(if player == 0 { "North wins" } else { "South wins" });
                return;
            }
        }
        if state.rounds == self.rounds {
            state.result = Some(if state.stores[0] > state.stores[1] {
                "South wins"
            } else if state.stores[1] > state.stores[0] {
                "North wins"
            } else {
                "draw"
            });
            return;
        }
        let richer = if state.stores[0] > state.stores[1] { 0 } else { 1 };
        state.beginner = match self.beginner {
            Beginner::Richer if state.stores[0] != state.stores[1] => richer,
            Beginner::Poorer if state.stores[0] != state.stores[1] => 1 - richer,
            _ => 1 - state.beginner,
        };
        state.mover = state.beginner;
        state.rounds += 1;
        for pit in 0..2 * self.holes {
            let player = pit / self.holes;
            state.open[pit] = state.stores[player] >= self.seeds;
            if state.open[pit] {
                state.stores[player] -= self.seeds;
                state.pits[pit] = self.seeds;
            }
        }
    }
}

impl Independent for Pallanguzhi {
    type State = State;

    fn start(&self) -> State {
        let all = 2 * self.holes;
        let (pits, open) = (vec![self.seeds; all], vec![true; all]);
        State { pits, open, stores: [0, 0], mover: 0, beginner: 0, rounds: 1, turns: 0, result: None }
    }

    fn node(&self, state: &State) -> Node<State> {
        if let Some(result) = state.result {
            return Node::End(result.to_string());
        }
        if state.turns >= 2000 {
            return Node::End("stopped".to_string());
        }
        let mut moves = Vec::new();
        for hole in 0..self.holes {
            let pit = state.mover * self.holes + hole;
            if state.pits[pit] > 0 {
                let letters = if state.mover == 0 { "ABCDEFGHIJKL" } else { "abcdefghijkl" };
                moves.push((letters[hole..=hole].to_string(), self.play(state, pit)));
            }
        }
        Node::Choice(moves)
    }
}
