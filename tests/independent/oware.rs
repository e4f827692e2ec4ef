//! Oware (abapa) by hand: single laps, and the last seed takes twos and threes from the enemy's row.
use super::{Independent, Node};

pub struct Oware {
    pub holes: usize,
    pub seeds: u32,
    /// `nothing`, `legal`, `forbidden`: a move that would take every enemy seed.
    pub grand_slam: &'static str,
    /// `repeated`, `quiet`: what ends a game that goes round.
    pub cycle: &'static str,
}

impl Default for Oware {
    fn default() -> Self {
        Oware { holes: 6, seeds: 4, grand_slam: "nothing", cycle: "repeated" }
    }
}

#[derive(Clone)]
pub struct State {
    /// South's pits, then North's, in the order of sowing.
    pub pits: Vec<u32>,
    pub stores: [u32; 2],
    pub mover: usize,
    pub turns: u32,
    /// Turns since the last capture.
    pub quiet: u32,
    /// Pits and mover of every position since the last capture, this one too.
    pub seen: Vec<(Vec<u32>, usize)>,
    pub result: Option<String>,
}

fn result(south: u32, north: u32) -> String {
    let result = match south.cmp(&north) {
        std::cmp::Ordering::Greater => "South wins",
        std::cmp::Ordering::Less => "North wins",
        std::cmp::Ordering::Equal => "draw",
    };
    result.into()
}

impl Oware {
    fn row(&self, pits: &[u32], seat: usize) -> u32 {
        pits[seat * self.holes..(seat + 1) * self.holes].iter().sum()
    }

    /// Each player adds the seeds of his row to those he has taken.
    fn owners_keep(&self, s: &State) -> String {
        result(s.stores[0] + self.row(&s.pits, 0), s.stores[1] + self.row(&s.pits, 1))
    }

    /// The position after the turn; none where the move is not allowed.
    fn play(&self, before: &State, pit: usize) -> Option<State> {
        let mut s = before.clone();
        let size = 2 * self.holes;
        let enemy = 1 - s.mover;
        let starving = self.row(&s.pits, enemy) == 0;

        let mut hand = s.pits[pit];
        s.pits[pit] = 0;
        let mut last = pit;
        while hand > 0 {
            last = (last + 1) % size;
            if last != pit {
                s.pits[last] += 1;
                hand -= 1;
            }
        }

        let mut taken = Vec::new();
        let mut here = last;
        while here / self.holes == enemy && (s.pits[here] == 2 || s.pits[here] == 3) {
            taken.push(here);
            here = (here + size - 1) % size;
        }
        let loot: u32 = taken.iter().map(|&p| s.pits[p]).sum();
        if loot > 0 && loot == self.row(&s.pits, enemy) {
            match self.grand_slam {
                "forbidden" => return None,
                "nothing" => taken.clear(),
                _ => {}
            }
        }
        for &p in &taken {
            s.stores[s.mover] += s.pits[p];
            s.pits[p] = 0;
        }
        if starving && self.row(&s.pits, enemy) == 0 {
            return None;
        }

        s.turns += 1;
        s.mover = enemy;
        if taken.is_empty() {
            s.quiet += 1;
        } else {
            s.quiet = 0;
            s.seen.clear();
        }
        let position = (s.pits.clone(), s.mover);
        let goes_round = if self.cycle == "repeated" { s.seen.contains(&position) } else { s.quiet >= 100 };
        s.seen.push(position);
        let all: u32 = s.pits.iter().chain(&s.stores).sum();
        if s.stores.iter().any(|&n| 2 * n > all) {
            s.result = Some(result(s.stores[0], s.stores[1]));
        } else if goes_round {
            s.result = Some(self.owners_keep(&s));
        } else if s.turns >= 2000 {
            s.result = Some("stopped".into());
        }
        Some(s)
    }
}

impl Independent for Oware {
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
