//! Layli goobalay of Somaliland, by hand: a relay game of two rows whose frozen pairs of holes, the uurs, belong to a player.

use super::{Independent, Node};

/// What happens with a sowing of more than 2000 laps.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Endless {
    /// The turn ends where it is, and nothing is taken.
    EndsTurn,
    /// Such a hole may not be chosen.
    Forbidden,
    /// The turn is taken back, and the game ends: each player keeps what is his.
    EndsGame,
}

/// What happens after 100 turns without a capture.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Circling {
    /// The game ends: each player keeps what is his.
    Split,
    /// The game is a draw.
    Draw,
    /// Nothing.
    PlayOn,
}

/// The game; `default` has the rules as they are played unless something else is said.
pub struct LayliGoobalay {
    pub holes: usize,
    pub seeds: u32,
    pub clockwise: bool,
    pub endless: Endless,
    pub circling: Circling,
}

impl Default for LayliGoobalay {
    fn default() -> Self {
        LayliGoobalay { holes: 6, seeds: 4, clockwise: false, endless: Endless::EndsTurn, circling: Circling::Split }
    }
}

/// South's holes from his left, then North's from his; an uur has an owner.
#[derive(Clone)]
pub struct State {
    pub pits: Vec<u32>,
    pub uur: Vec<Option<usize>>,
    pub stores: [u32; 2],
    pub mover: usize,
    pub quiet: u32,
    pub turns: u32,
    pub over: bool,
}

impl LayliGoobalay {
    /// Who the seeds of a hole belong to when the game is over.
    fn owner(&self, state: &State, pit: usize) -> usize {
        state.uur[pit].unwrap_or(if pit < self.holes { 0 } else { 1 })
    }

    fn result(&self, state: &State) -> Node<State> {
        let mut score = state.stores;
        for pit in 0..2 * self.holes {
            score[self.owner(state, pit)] += state.pits[pit];
        }
        let text = if score[0] > score[1] {
            "South wins"
        } else if score[1] > score[0] {
            "North wins"
        } else {
            "draw"
        };
        Node::End(text.to_string())
    }

    /// The turn that starts at a hole, or none when it is forbidden.
    fn play(&self, state: &State, from: usize) -> Option<State> {
        let mut next = state.clone();
        let all = 2 * self.holes;
        let step = if self.clockwise { all - 1 } else { 1 };
        let mut at = from;
        let mut laps = 0;
        let mut endless = false;
        loop {
            let hand = next.pits[at];
            next.pits[at] = 0;
            for _ in 0..hand {
                at = (at + step) % all;
                next.pits[at] += 1;
            }
            if next.uur[at].is_some() || next.pits[at] == 1 {
                break;
            }
            if laps == 2000 {
                endless = true;
                break;
            }
            laps += 1;
        }
        if endless && self.endless == Endless::Forbidden {
            return None;
        }
        if endless && self.endless == Endless::EndsGame {
            let mut ended = state.clone();
            ended.over = true;
            return Some(ended);
        }
        next.quiet += 1;
        let opposite = all - 1 - at;
        let home = (at < self.holes) == (state.mover == 0);
        if !endless && home && next.uur[at].is_none() && next.uur[opposite].is_none() && next.pits[opposite] > 0 {
            if next.pits[opposite] == 3 {
                next.pits[opposite] = 2;
                next.pits[at] = 2;
                next.uur[opposite] = Some(state.mover);
                next.uur[at] = Some(state.mover);
            } else {
                next.stores[state.mover] += next.pits[opposite] + 1;
                next.pits[opposite] = 0;
                next.pits[at] = 0;
                next.quiet = 0;
            }
        }
        next.mover = 1 - state.mover;
        next.turns += 1;
        Some(next)
    }
}

impl Independent for LayliGoobalay {
    type State = State;

    fn start(&self) -> State {
        let all = 2 * self.holes;
        let (pits, uur) = (vec![self.seeds; all], vec![None; all]);
        State { pits, uur, stores: [0, 0], mover: 0, quiet: 0, turns: 0, over: false }
    }

    fn node(&self, state: &State) -> Node<State> {
        if state.over {
            return self.result(state);
        }
        if state.quiet >= 100 && self.circling == Circling::Split {
            return self.result(state);
        }
        if state.quiet >= 100 && self.circling == Circling::Draw {
            return Node::End("draw".to_string());
        }
        let mut moves = Vec::new();
        for hole in 0..self.holes {
            let pit = state.mover * self.holes + hole;
            if state.uur[pit].is_none()
                && state.pits[pit] > 0
                && let Some(next) = self.play(state, pit)
            {
                let letters = if state.mover == 0 { "ABCDEFGHIJKL" } else { "abcdefghijkl" };
                moves.push((letters[hole..=hole].to_string(), next));
            }
        }
        if moves.is_empty() {
            return self.result(state);
        }
        if state.turns >= 2000 {
            return Node::End("stopped".to_string());
        }
        Node::Choice(moves)
    }
}
