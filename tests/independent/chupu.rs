//! Chupu, the race of the five woods after Li Ao's Classic, written by hand.

use super::{Independent, Node};

const HOME: usize = 121;
const NAMES: [&str; 4] = ["South", "East", "North", "West"];
const HOLES: [usize; 4] = [40, 41, 80, 81];
const TURNS: usize = 2000;
const THROWS: usize = 60;

/// How many play, and what differs.
pub struct Chupu {
    /// Two, three or four.
    pub players: usize,
    /// Horses of each player.
    pub men: usize,
    /// Only a noble throw takes horses.
    pub noble_hits: bool,
    /// Horses on one place move together; else each by itself.
    pub bound: bool,
    /// Horses are taken only by as many at least.
    pub odds: bool,
    /// A horse that falls into a hole ends the turn.
    pub fall_ends: bool,
}

impl Default for Chupu {
    fn default() -> Self {
        Self { players: 2, men: 4, noble_hits: false, bound: true, odds: false, fall_ends: false }
    }
}

/// What the mover is about to do.
#[derive(Clone, Debug)]
pub enum Phase {
    Throw,
    Plain(usize),
    Move(usize),
    Pass,
}

/// How many horses of each seat stand on each place; 0 is the hand.
#[derive(Clone, Debug)]
pub struct State {
    pub men: Vec<[usize; HOME + 1]>,
    pub mover: usize,
    pub turns: usize,
    pub throws: usize,
    pub chosen: bool,
    pub phase: Phase,
}

/// What so many calves and so many black plain woods count: first the two marked woods are thrown, then the others.
fn count(calves: usize, black: usize) -> usize {
    [[8, 5, 3, 14], [12, 3, 2, 11], [10, 2, 4, 16]][calves][black]
}

fn noble(n: usize) -> bool {
    [8, 10, 14, 16].contains(&n)
}

/// A place by its square: to and fro on twenty files.
pub fn square(step: usize) -> String {
    let (row, col) = ((step - 1) / 20, (step - 1) % 20);
    let file = if row % 2 == 0 { col } else { 19 - col };
    format!("{}{}", b"abcdefghijklmnopqrst"[file] as char, row + 1)
}

impl Chupu {
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
        state.phase = Phase::Throw;
        state
    }

    fn moves(&self, state: &State, n: usize) -> Vec<(String, State)> {
        let me = state.mover;
        let mut moves = vec![];
        for from in (0..HOME).filter(|&from| state.men[me][from] > 0) {
            let to = (from + n).min(HOME);
            let barred = HOLES.contains(&from) || [40, 80].iter().any(|pass| from <= *pass && to > *pass);
            if barred && !noble(n) || to <= 40 && state.men[me][to] > 0 {
                continue;
            }
            let group = if from > 0 && self.bound { state.men[me][from] } else { 1 };
            let foes: Vec<_> =
                self.seats().into_iter().filter(|&seat| seat != me && to < HOME && state.men[seat][to] > 0).collect();
            let strong = foes.iter().map(|&seat| state.men[seat][to]).max().unwrap_or(0);
            if !foes.is_empty() && (self.noble_hits && !noble(n) || self.odds && strong > group) {
                continue;
            }
            let mut next = state.clone();
            next.chosen = true;
            next.men[me][from] -= group;
            next.men[me][to] += group;
            for &foe in &foes {
                next.men[foe][0] += next.men[foe][to];
                next.men[foe][to] = 0;
            }
            let fell = self.fall_ends && HOLES.contains(&to);
            let more = (noble(n) || !foes.is_empty()) && !fell && next.throws < THROWS;
            next.phase = Phase::Throw;
            if next.men[me][HOME] < self.men && !more {
                next = self.next_turn(next);
            }
            moves.push((if from == 0 { "hand".into() } else { square(from) }, next));
        }
        moves
    }

    fn thrown(&self, state: &State, n: usize) -> State {
        let mut next = state.clone();
        next.throws += 1;
        next.phase = Phase::Move(n);
        if self.moves(&next, n).is_empty() {
            next.phase = Phase::Throw;
            if !noble(n) || next.throws == THROWS {
                if next.chosen {
                    return self.next_turn(next);
                }
                next.phase = Phase::Pass;
            }
        }
        next
    }
}

impl Independent for Chupu {
    type State = State;

    fn start(&self) -> State {
        let mut men = vec![[0; HOME + 1]; 4];
        for seat in self.seats() {
            men[seat][0] = self.men;
        }
        State { men, mover: 0, turns: 0, throws: 0, chosen: false, phase: Phase::Throw }
    }

    fn node(&self, state: &State) -> Node<State> {
        if let Some(seat) = self.seats().into_iter().find(|&seat| state.men[seat][HOME] == self.men) {
            return Node::End(format!("{} wins", NAMES[seat]));
        }
        if state.turns == TURNS {
            return Node::End("stopped".into());
        }
        match state.phase {
            Phase::Throw => {
                let marked = |calves| State { phase: Phase::Plain(calves), ..state.clone() };
                Node::Throw((0..).zip((0..=2).map(marked)).collect())
            }
            Phase::Plain(calves) => {
                let counts = (0..=3).map(|black| count(calves, black));
                Node::Throw(counts.map(|n| (i32::try_from(n).unwrap(), self.thrown(state, n))).collect())
            }
            Phase::Move(n) => Node::Choice(self.moves(state, n)),
            Phase::Pass => Node::Choice(vec![("pass".into(), self.next_turn(state.clone()))]),
        }
    }
}
