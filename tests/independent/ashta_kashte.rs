//! Ashta-kashte, the race on seven by seven squares with four cowries, written by hand.

use std::sync::OnceLock;

use super::{Independent, Node};

const HOME: usize = 49;
const NAMES: [&str; 4] = ["South", "East", "North", "West"];
const WAY: &str = "d1 e1 f1 g1 g2 g3 g4 g5 g6 g7 f7 e7 d7 c7 b7 a7 a6 a5 a4 a3 a2 a1 b1 c1 \
                   b2 b3 b4 b5 b6 c6 d6 e6 f6 f5 f4 f3 f2 e2 d2 c2 c3 c4 c5 d5 e5 e4 e3 d3 d4";
const CASTLES: [&str; 5] = ["d1", "g4", "d7", "a4", "d4"];
const TURNS: usize = 2000;

/// How many play, and what differs.
pub struct AshtaKashte {
    /// Two, three or four.
    pub players: usize,
    /// Men of each player.
    pub men: usize,
    /// Two men of a player on a square that is no castle stop the others.
    pub walls: bool,
    /// Whoever can move must.
    pub duty: bool,
    /// A capture wins another throw.
    pub prize: bool,
    /// Throws of one turn, at most.
    pub throws: usize,
}

impl Default for AshtaKashte {
    fn default() -> Self {
        Self { players: 2, men: 4, walls: true, duty: false, prize: true, throws: 60 }
    }
}

/// What the mover is about to do.
#[derive(Clone, Debug, PartialEq)]
pub enum Phase {
    Throw,
    Play,
    Pass,
}

/// How many men of each seat stand on each step of their way; step 0 is the hand.
#[derive(Clone, Debug)]
pub struct State {
    pub men: Vec<[usize; HOME + 1]>,
    pub pool: Vec<usize>,
    pub mover: usize,
    pub turns: usize,
    pub throws: usize,
    pub chosen: bool,
    pub phase: Phase,
}

/// The square of a step: South's way, turned against the clock for the others.
pub fn square(seat: usize, step: usize) -> &'static str {
    static SQUARES: OnceLock<Vec<String>> = OnceLock::new();
    let all = SQUARES.get_or_init(|| (0..4 * HOME).map(|n| turned(n / HOME, n % HOME)).collect());
    &all[seat * HOME + step - 1]
}

fn turned(seat: usize, index: usize) -> String {
    let south = WAY.split_whitespace().nth(index).unwrap().as_bytes();
    let (mut x, mut y) = (south[0] - b'a', south[1] - b'1');
    for _ in 0..seat {
        (x, y) = (6 - y, x);
    }
    format!("{}{}", (b'a' + x) as char, y + 1)
}

impl AshtaKashte {
    fn seats(&self) -> Vec<usize> {
        if self.players == 2 { vec![0, 2] } else { (0..self.players).collect() }
    }

    fn next_turn(&self, mut state: State) -> State {
        let seats = self.seats();
        let place = seats.iter().position(|&seat| seat == state.mover).unwrap();
        state.mover = seats[(place + 1) % seats.len()];
        state.turns += 1;
        state.throws = 0;
        state.chosen = false;
        state.pool.clear();
        state.phase = Phase::Throw;
        state
    }

    /// The men of the others on a square, as seats and steps.
    fn foes(&self, state: &State, name: &str) -> Vec<(usize, usize)> {
        let mut foes = vec![];
        for seat in self.seats().into_iter().filter(|&seat| seat != state.mover) {
            foes.extend((1..HOME).filter(|&s| state.men[seat][s] > 0 && square(seat, s) == name).map(|s| (seat, s)));
        }
        foes
    }

    fn wall(&self, state: &State, name: &str) -> bool {
        self.walls && !CASTLES.contains(&name) && self.foes(state, name).iter().any(|&(seat, s)| state.men[seat][s] > 1)
    }

    fn moves(&self, state: &State) -> Vec<(String, State)> {
        let me = state.mover;
        let mut counts = state.pool.clone();
        counts.sort_unstable();
        counts.dedup();
        let mut moves = vec![];
        for n in counts {
            for from in (0..HOME).filter(|&from| state.men[me][from] > 0) {
                if from == 0 && n != 4 && n != 8 {
                    continue;
                }
                let to = if from == 0 { 1 } else { from + n };
                if to > HOME || (from + 1..=to).any(|step| self.wall(state, square(me, step))) {
                    continue;
                }
                let mut next = state.clone();
                next.chosen = true;
                next.pool.remove(next.pool.iter().position(|&c| c == n).unwrap());
                next.men[me][from] -= 1;
                next.men[me][to] += 1;
                let name = square(me, to);
                let mut taken = false;
                for (seat, step) in self.foes(state, name) {
                    if !CASTLES.contains(&name) {
                        next.men[seat][0] += next.men[seat][step];
                        next.men[seat][step] = 0;
                        taken = true;
                    }
                }
                if taken && self.prize && next.throws < self.throws {
                    next.phase = Phase::Throw;
                }
                let man = if from == 0 { "hand" } else { square(me, from) };
                moves.push((format!("{n}:{man}"), next));
            }
        }
        moves
    }

    /// The mover plays on if he can, unless a throw comes first.
    fn settle(&self, mut state: State) -> State {
        if state.phase == Phase::Throw || state.men[state.mover][HOME] == self.men || !self.moves(&state).is_empty() {
            return state;
        }
        if state.chosen {
            return self.next_turn(state);
        }
        state.phase = Phase::Pass;
        state
    }

    fn thrown(&self, state: &State, n: usize) -> State {
        let mut next = state.clone();
        next.throws += 1;
        next.pool.push(n);
        next.pool.sort_unstable();
        if n != 4 && n != 8 || next.throws == self.throws {
            next.phase = Phase::Play;
        }
        self.settle(next)
    }
}

impl Independent for AshtaKashte {
    type State = State;

    fn start(&self) -> State {
        let mut men = vec![[0; HOME + 1]; 4];
        for seat in self.seats() {
            men[seat][0] = self.men;
        }
        State { men, pool: vec![], mover: 0, turns: 0, throws: 0, chosen: false, phase: Phase::Throw }
    }

    fn node(&self, state: &State) -> Node<State> {
        if let Some(seat) = self.seats().into_iter().find(|&seat| state.men[seat][HOME] == self.men) {
            return Node::End(format!("{} wins", NAMES[seat]));
        }
        if state.turns == TURNS {
            return Node::End("stopped".into());
        }
        if state.phase == Phase::Throw {
            return Node::Throw([1, 2, 3, 4, 8].map(|n| (i32::try_from(n).unwrap(), self.thrown(state, n))).into());
        }
        let mut moves = if state.phase == Phase::Play { self.moves(state) } else { vec![] };
        moves.iter_mut().for_each(|(_, next)| *next = self.settle(next.clone()));
        if state.phase == Phase::Pass || !self.duty {
            moves.push(("pass".into(), self.next_turn(state.clone())));
        }
        Node::Choice(moves)
    }
}
