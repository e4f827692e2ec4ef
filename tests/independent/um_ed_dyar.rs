//! Um ed-dyar by hand: Koumma's kin of Mauritania, which takes the holes before the last one.
use super::{Independent, Node};

pub struct UmEdDyar {
    pub holes: usize,
    pub seeds: u32,
    /// `anywhere`, `own`, `enemy`: where the last seed must fall to capture.
    pub capture_side: &'static str,
    /// `preceding`, `following`, `none`: the holes taken along with the first.
    pub chain: &'static str,
    /// `start`, `eight`: the largest even number that is taken, what a hole held at first or eight.
    pub largest: &'static str,
    /// `nobody`, `owners`: who gets the rest after fifty turns without a capture.
    pub leftovers: &'static str,
}

impl Default for UmEdDyar {
    fn default() -> Self {
        let (capture_side, chain) = ("anywhere", "preceding");
        UmEdDyar { holes: 4, seeds: 8, capture_side, chain, largest: "start", leftovers: "nobody" }
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

impl UmEdDyar {
    fn is_taken(&self, n: u32) -> bool {
        let largest = if self.largest == "start" { self.seeds } else { 8 };
        n >= 2 && n <= largest && n.is_multiple_of(2)
    }

    fn play(&self, before: &State, pit: usize) -> State {
        let mut s = before.clone();
        let size = 2 * self.holes;

        let hand = s.pits[pit] as usize;
        s.pits[pit] = 0;
        let first = if hand == 1 { pit + 1 } else { pit };
        for step in 0..hand {
            s.pits[(first + step) % size] += 1;
        }

        let last = (first + hand - 1) % size;
        let owner = last / self.holes;
        let right_side = match self.capture_side {
            "own" => owner == s.mover,
            "enemy" => owner != s.mover,
            _ => true,
        };
        if right_side && self.is_taken(s.pits[last]) {
            let step = if self.chain == "preceding" { size - 1 } else { 1 };
            let mut here = last;
            while self.is_taken(s.pits[here]) {
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
        let empty = s.pits.iter().all(|&n| n == 0);
        let stalled = s.quiet >= 50;
        if empty || stalled {
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

impl Independent for UmEdDyar {
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
