//! Kalah by hand: the own store lies on the way, and a sowing that ends there is followed by another.
use super::{Independent, Node};

pub struct Kalah {
    pub holes: usize,
    pub seeds: u32,
    /// `no`, `yes`: is the last seed taken although the pit opposite is empty?
    pub empty_capture: &'static str,
}

impl Default for Kalah {
    fn default() -> Self {
        Kalah { holes: 6, seeds: 4, empty_capture: "no" }
    }
}

#[derive(Clone)]
pub struct State {
    /// The rows of South and North, each from its owner's left.
    pub rows: [Vec<u32>; 2],
    pub stores: [u32; 2],
    pub mover: usize,
    pub turns: u32,
    pub result: Option<String>,
}

impl Kalah {
    /// One sowing from a pit of the mover, and the end of the turn if it ends there.
    fn play(&self, before: &State, pit: usize) -> State {
        let mut s = before.clone();
        let (me, enemy, holes) = (s.mover, 1 - s.mover, self.holes);

        let mut hand = s.rows[me][pit];
        s.rows[me][pit] = 0;
        let mut last = pit; // own pits, own store, enemy pits: 0 to 2 * holes
        while hand > 0 {
            last = (last + 1) % (2 * holes + 1);
            if last < holes {
                s.rows[me][last] += 1;
            } else if last == holes {
                s.stores[me] += 1;
            } else {
                s.rows[enemy][last - holes - 1] += 1;
            }
            hand -= 1;
        }

        let in_store = last == holes;
        if last < holes && s.rows[me][last] == 1 {
            let opposite = holes - 1 - last;
            if s.rows[enemy][opposite] > 0 || self.empty_capture == "yes" {
                s.stores[me] += 1 + s.rows[enemy][opposite];
                s.rows[me][last] = 0;
                s.rows[enemy][opposite] = 0;
            }
        }
        if in_store && s.rows[me].iter().any(|&n| n > 0) {
            return s; // the same player sows again
        }

        s.turns += 1;
        s.mover = enemy;
        if s.rows.iter().any(|row| row.iter().all(|&n| n == 0)) {
            for seat in 0..2 {
                s.stores[seat] += s.rows[seat].iter().sum::<u32>();
                s.rows[seat].fill(0);
            }
            let result = match s.stores[0].cmp(&s.stores[1]) {
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

impl Independent for Kalah {
    type State = State;

    fn start(&self) -> State {
        let row = vec![self.seeds; self.holes];
        State { rows: [row.clone(), row], stores: [0, 0], mover: 0, turns: 0, result: None }
    }

    fn node(&self, s: &State) -> Node<State> {
        if let Some(result) = &s.result {
            return Node::End(result.clone());
        }
        let mut moves = Vec::new();
        for pit in 0..self.holes {
            if s.rows[s.mover][pit] > 0 {
                let names = if s.mover == 0 { "ABCDEFGHIJKL" } else { "abcdefghijkl" };
                moves.push((names[pit..=pit].to_string(), self.play(s, pit)));
            }
        }
        Node::Choice(moves)
    }
}
