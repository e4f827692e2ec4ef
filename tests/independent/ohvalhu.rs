//! Ohvalhu of the Maldives, by hand: a match of rounds; the sower's store lies in the circuit, and unfilled holes are closed.

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
pub struct Ohvalhu {
    pub holes: usize,
    pub seeds: u32,
    /// The most rounds of a match; after the last the richer player wins.
    pub rounds: u32,
    /// An empty hole captures in both rows; else in the sower's own.
    pub both_rows: bool,
    /// The last seed stays where it is; else it is taken with those opposite.
    pub last_stays: bool,
    /// A round ends when a row is empty, and what is left belongs to the row; else when all is in the stores.
    pub row_ends: bool,
    pub beginner: Beginner,
}

impl Default for Ohvalhu {
    fn default() -> Self {
        Ohvalhu {
            holes: 8,
            seeds: 8,
            rounds: 10,
            both_rows: false,
            last_stays: false,
            row_ends: false,
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

impl Ohvalhu {
    fn row(&self, state: &State, player: usize) -> u32 {
        state.pits[player * self.holes..(player + 1) * self.holes].iter().sum()
    }

    /// What the mover sows from the first hole of his row on: open holes, and his store, which is called 1000.
    fn circuit(&self, state: &State) -> Vec<usize> {
        let mut list = Vec::new();
        for place in 0..2 * self.holes {
            if place == self.holes {
                list.push(1000);
            }
            let pit = (state.mover * self.holes + place) % (2 * self.holes);
            if state.open[pit] {
                list.push(pit);
            }
        }
        list
    }

    /// A sowing with all its laps; the turn goes on when it ends in the store and there is something to sow.
    fn play(&self, state: &State, from: usize) -> State {
        let mut next = state.clone();
        let mover = state.mover;
        let circuit = self.circuit(state);
        let mut place = circuit.iter().position(|&pit| pit == from).unwrap();
        loop {
            let hand = next.pits[circuit[place]];
            next.pits[circuit[place]] = 0;
            for _ in 0..hand {
                place = (place + 1) % circuit.len();
                if circuit[place] == 1000 {
                    next.stores[mover] += 1;
                } else {
                    next.pits[circuit[place]] += 1;
                }
            }
            if circuit[place] == 1000 || next.pits[circuit[place]] == 1 {
                break;
            }
        }
        let last = circuit[place];
        if last == 1000 && self.row(&next, mover) > 0 {
            return next;
        }
        if last != 1000 {
            let home = last / self.holes == mover;
            let opposite = 2 * self.holes - 1 - last;
            if (home || self.both_rows) && next.pits[opposite] > 0 {
                next.stores[mover] += next.pits[opposite];
                next.pits[opposite] = 0;
                if !self.last_stays {
                    next.stores[mover] += 1;
                    next.pits[last] = 0;
                }
            }
        }
        self.finish_turn(&mut next);
        next
    }

    fn finish_turn(&self, state: &mut State) {
        state.mover = 1 - state.mover;
        state.turns += 1;
        let rows = [self.row(state, 0), self.row(state, 1)];
        let over = if self.row_ends { rows[0] == 0 || rows[1] == 0 } else { rows[0] + rows[1] == 0 };
        if !over {
            return;
        }
        state.stores[0] += rows[0];
        state.stores[1] += rows[1];
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

impl Independent for Ohvalhu {
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
        if moves.is_empty() {
            let mut next = state.clone();
            self.finish_turn(&mut next);
            moves.push(("pass".to_string(), next));
        }
        Node::Choice(moves)
    }
}
