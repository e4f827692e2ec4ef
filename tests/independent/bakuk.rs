//! Bakuk for two by hand: Koumma's kin of the Jbala, which takes only twos and fours.
use super::{Independent, Node};

pub struct Bakuk {
    pub holes: usize,
    pub seeds: u32,
    /// `sown`, `skipped`: does a sowing that comes round drop a seed where it began?
    pub origin: &'static str,
    /// `anywhere`, `own`, `enemy`: where the last seed must fall to capture.
    pub capture_side: &'static str,
    /// `following`, `preceding`, `none`: the holes taken along with the first.
    pub chain: &'static str,
    /// `nobody`, `owners`: who gets the rest after fifty turns without a capture.
    pub leftovers: &'static str,
}

impl Default for Bakuk {
    fn default() -> Self {
        let (capture_side, chain) = ("anywhere", "following");
        Bakuk { holes: 3, seeds: 6, origin: "sown", capture_side, chain, leftovers: "nobody" }
    }
}

#[derive(Clone)]
pub struct State {
    /// South's holes, then North's, in the order of sowing.
    pub pits: Vec<u32>,
    pub stores: [u32; 2],
    pub mover: usize,
    pub turns: u32,
    /// Turns since the last capture, passes too.
    pub quiet: u32,
    pub result: Option<String>,
}

impl Bakuk {
    fn play(&self, before: &State, pit: usize) -> State {
        let mut s = before.clone();
        let size = 2 * self.holes;

        let mut hand = s.pits[pit];
        s.pits[pit] = 0;
        let mut last = pit;
        while hand > 0 {
            last = (last + 1) % size;
            if last != pit || self.origin == "sown" {
                s.pits[last] += 1;
                hand -= 1;
            }
        }

        let owner = last / self.holes;
        let right_side = match self.capture_side {
            "own" => owner == s.mover,
            "enemy" => owner != s.mover,
            _ => true,
        };
        if right_side && matches!(s.pits[last], 2 | 4) {
            let step = if self.chain == "preceding" { size - 1 } else { 1 };
            let mut here = last;
            while matches!(s.pits[here], 2 | 4) {
                s.stores[s.mover] += s.pits[here];
                s.pits[here] = 0;
                if self.chain != "none" {
                    here = (here + step) % size;
                }
            }
            s.quiet = 0;
        } else {
            s.quiet += 1;
        }
        self.end_turn(s)
    }

    fn end_turn(&self, mut s: State) -> State {
        s.turns += 1;
        s.mover = 1 - s.mover;
        if s.pits.iter().all(|&n| n == 0) || s.quiet >= 50 {
            let mut total = s.stores;
            if self.leftovers == "owners" {
                for (pit, n) in s.pits.iter().enumerate() {
                    total[pit / self.holes] += n;
                }
            }
            let result = match total[0].cmp(&total[1]) {
                std::cmp::Ordering::Greater => "South wins",
                std::cmp::Ordering::Less => "North wins",
                std::cmp::Ordering::Equal => "draw",
            };
            s.result = Some(result.into());
        } else if s.turns >= 2000 {
            s.result = Some("stopped".into());
        }
        s
    }
}

impl Independent for Bakuk {
    type State = State;

    fn start(&self) -> State {
        let pits = vec![self.seeds; 2 * self.holes];
        State { pits, stores: [0, 0], mover: 0, turns: 0, quiet: 0, result: None }
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
        if moves.is_empty() {
            let mut passed = s.clone();
            passed.quiet += 1;
            moves.push(("pass".into(), self.end_turn(passed)));
        }
        Node::Choice(moves)
    }
}
