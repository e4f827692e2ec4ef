//! Toguz korgool by hand: evens are taken from the enemy's row, and a three there becomes a tuz.
use super::{Independent, Node};

pub struct ToguzKorgool {
    pub holes: usize,
    pub seeds: u32,
    /// `same-number`, `free`: may a tuz have the number that the enemy's tuz has?
    pub matching: &'static str,
    /// `owners`, `nobody`: who gets what lies on the board when the player to move has no seeds?
    pub leftovers: &'static str,
}

impl Default for ToguzKorgool {
    fn default() -> Self {
        ToguzKorgool { holes: 9, seeds: 9, matching: "same-number", leftovers: "owners" }
    }
}

#[derive(Clone)]
pub struct State {
    /// South's pits, then North's, in the order of sowing. A tuz is always empty.
    pub pits: Vec<u32>,
    pub stores: [u32; 2],
    /// The pit in the other row that is the tuz of South, of North.
    pub tuz: [Option<usize>; 2],
    pub mover: usize,
    pub turns: u32,
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

impl ToguzKorgool {
    fn may_be_tuz(&self, s: &State, pit: usize) -> bool {
        let number = pit % self.holes;
        let enemy_has_number = s.tuz[1 - s.mover].is_some_and(|t| t % self.holes == number);
        s.tuz[s.mover].is_none() && number != self.holes - 1 && !(enemy_has_number && self.matching == "same-number")
    }

    fn play(&self, before: &State, pit: usize) -> State {
        let mut s = before.clone();
        let size = 2 * self.holes;
        let (me, enemy) = (s.mover, 1 - s.mover);

        let hand = s.pits[pit] as usize;
        s.pits[pit] = 0;
        let first = if hand == 1 { pit + 1 } else { pit };
        for step in 0..hand {
            let here = (first + step) % size;
            match (0..2).find(|&seat| s.tuz[seat] == Some(here)) {
                Some(owner) => s.stores[owner] += 1,
                None => s.pits[here] += 1,
            }
        }

        let last = (first + hand - 1) % size;
        if last / self.holes == enemy {
            let makes_tuz = s.pits[last] == 3 && self.may_be_tuz(&s, last);
            if makes_tuz {
                s.tuz[me] = Some(last);
            }
            if makes_tuz || s.pits[last].is_multiple_of(2) {
                s.stores[me] += s.pits[last];
                s.pits[last] = 0;
            }
        }

        s.turns += 1;
        s.mover = enemy;
        let all: u32 = s.pits.iter().chain(&s.stores).sum();
        if s.stores.iter().any(|&n| 2 * n > all) {
            s.result = Some(result(s.stores[0], s.stores[1]));
        } else if s.turns >= 2000 {
            s.result = Some("stopped".into());
        }
        s
    }
}

impl Independent for ToguzKorgool {
    type State = State;

    fn start(&self) -> State {
        let pits = vec![self.seeds; 2 * self.holes];
        State { pits, stores: [0, 0], tuz: [None, None], mover: 0, turns: 0, result: None }
    }

    fn node(&self, s: &State) -> Node<State> {
        if let Some(result) = &s.result {
            return Node::End(result.clone());
        }
        let mut moves = Vec::new();
        for hole in 0..self.holes {
            let pit = s.mover * self.holes + hole;
            if s.pits[pit] > 0 {
                let names = if s.mover == 0 { "ABCDEFGHIJKL" } else { "abcdefghijkl" };
                moves.push((names[hole..=hole].to_string(), self.play(s, pit)));
            }
        }
        if !moves.is_empty() {
            return Node::Choice(moves);
        }
        let mut total = s.stores;
        if self.leftovers == "owners" {
            for (pit, n) in s.pits.iter().enumerate() {
                total[pit / self.holes] += n;
            }
        }
        Node::End(result(total[0], total[1]))
    }
}
