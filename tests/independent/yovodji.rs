//! Yovodji by hand: relay sowing, and a lap that ends in an empty own pit takes the pit opposite.
use super::{Independent, Node};

pub struct Yovodji {
    pub holes: usize,
    pub seeds: u32,
    /// `stays`, `taken`: the last seed, when the pit opposite is captured.
    pub last_seed: &'static str,
    /// `passes`, `ends`: what a player to move without seeds does.
    pub no_seeds: &'static str,
    /// `ends`, `forbidden`, `stops`: a sowing of more than 2000 laps after the first.
    pub endless: &'static str,
    /// `repeated`, `quiet`: what ends a game that goes round.
    pub cycle: &'static str,
}

impl Default for Yovodji {
    fn default() -> Self {
        let (last_seed, no_seeds, endless) = ("stays", "passes", "ends");
        Yovodji { holes: 6, seeds: 4, last_seed, no_seeds, endless, cycle: "repeated" }
    }
}

#[derive(Clone)]
pub struct State {
    /// South's pits, then North's, in the order of sowing.
    pub pits: Vec<u32>,
    pub stores: [u32; 2],
    pub mover: usize,
    pub turns: u32,
    /// Turns since the last capture, passes too.
    pub quiet: u32,
    /// Pits and mover of every position since the last capture, this one too.
    pub seen: Vec<(Vec<u32>, usize)>,
    pub result: Option<String>,
}

/// Lifts a pit and sows it on past it; returns where the last seed fell.
fn lap(pits: &mut [u32], pit: usize) -> usize {
    let mut hand = pits[pit];
    pits[pit] = 0;
    let mut last = pit;
    while hand > 0 {
        last = (last + 1) % pits.len();
        if last != pit {
            pits[last] += 1;
            hand -= 1;
        }
    }
    last
}

impl Yovodji {
    fn row(&self, pits: &[u32], seat: usize) -> u32 {
        pits[seat * self.holes..(seat + 1) * self.holes].iter().sum()
    }

    /// Each player adds the seeds of his row to those he has taken.
    fn owners_keep(&self, s: &State) -> String {
        let south = s.stores[0] + self.row(&s.pits, 0);
        let north = s.stores[1] + self.row(&s.pits, 1);
        let result = match south.cmp(&north) {
            std::cmp::Ordering::Greater => "South wins",
            std::cmp::Ordering::Less => "North wins",
            std::cmp::Ordering::Equal => "draw",
        };
        result.into()
    }

    /// The position after the turn; none where the move is not allowed.
    fn play(&self, before: &State, pit: usize) -> Option<State> {
        let mut s = before.clone();
        let (me, enemy) = (s.mover, 1 - s.mover);
        let starving = self.row(&s.pits, enemy) == 0;

        let mut last = lap(&mut s.pits, pit);
        let mut laps = 0;
        while s.pits[last] > 1 {
            if laps == 2000 {
                if starving || self.endless == "forbidden" {
                    return None;
                }
                if self.endless == "ends" {
                    let mut undone = before.clone();
                    undone.result = Some(self.owners_keep(before));
                    return Some(undone);
                }
                return Some(self.end_turn(s, false));
            }
            last = lap(&mut s.pits, last);
            laps += 1;
        }

        let opposite = 2 * self.holes - 1 - last;
        let captures = last / self.holes == me && s.pits[opposite] > 0;
        if captures {
            s.stores[me] += s.pits[opposite];
            s.pits[opposite] = 0;
            if self.last_seed == "taken" {
                s.stores[me] += 1;
                s.pits[last] = 0;
            }
        }
        if starving && self.row(&s.pits, enemy) == 0 {
            return None;
        }
        Some(self.end_turn(s, captures))
    }

    fn end_turn(&self, mut s: State, captured: bool) -> State {
        s.turns += 1;
        s.mover = 1 - s.mover;
        if captured {
            s.quiet = 0;
            s.seen.clear();
        } else {
            s.quiet += 1;
        }
        let position = (s.pits.clone(), s.mover);
        let goes_round = if self.cycle == "repeated" { s.seen.contains(&position) } else { s.quiet >= 100 };
        s.seen.push(position);
        if s.pits.iter().all(|&n| n == 0) || goes_round {
            s.result = Some(self.owners_keep(&s));
        } else if s.turns >= 2000 {
            s.result = Some("stopped".into());
        }
        s
    }
}

impl Independent for Yovodji {
    type State = State;

    fn start(&self) -> State {
        let pits = vec![self.seeds; 2 * self.holes];
        let seen = vec![(pits.clone(), 0)];
        State { pits, stores: [0, 0], mover: 0, turns: 0, quiet: 0, seen, result: None }
    }

    fn node(&self, s: &State) -> Node<State> {
        if let Some(result) = &s.result {
            return Node::End(result.clone());
        }
        if self.row(&s.pits, s.mover) == 0 {
            if self.no_seeds == "ends" {
                return Node::End(self.owners_keep(s));
            }
            return Node::Choice(vec![("pass".into(), self.end_turn(s.clone(), false))]);
        }
        let mut moves = Vec::new();
        for hole in 0..self.holes {
            let pit = s.mover * self.holes + hole;
            if s.pits[pit] > 0
                && let Some(next) = self.play(s, pit)
            {
                let names = if s.mover == 0 { "ABCDEFGHIJKL" } else { "abcdefghijkl" };
                moves.push((names[hole..=hole].to_string(), next));
            }
        }
        if moves.is_empty() { Node::End(self.owners_keep(s)) } else { Node::Choice(moves) }
    }
}
