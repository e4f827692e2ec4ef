//! The Royal Game of Ur by Finkel's rules, written by hand.

use super::{Independent, Node};

const HOME: usize = 15;
const ROSETTES: [usize; 3] = [4, 8, 14];
const NAMES: [&str; 2] = ["South", "North"];
const TURNS: usize = 2000;
const THROWS: usize = 60;

/// How many men each has, and what differs.
pub struct RoyalGameOfUr {
    /// Men of each player.
    pub men: usize,
    /// A man leaves the board by the exact count only.
    pub exact: bool,
    /// A man on the shared rosette cannot be taken.
    pub safe: bool,
    /// The rosette of the middle row wins no throw.
    pub corners: bool,
}

impl Default for RoyalGameOfUr {
    fn default() -> Self {
        Self { men: 7, exact: true, safe: true, corners: false }
    }
}

/// What the mover is about to do.
#[derive(Clone, Debug)]
pub enum Phase {
    Throw,
    Move(usize),
    Pass,
}

/// How many men of each seat stand on each step of their way; step 0 is the hand.
#[derive(Clone, Debug)]
pub struct State {
    pub men: [[usize; HOME + 1]; 2],
    pub mover: usize,
    pub turns: usize,
    pub throws: usize,
    pub chosen: bool,
    pub phase: Phase,
}

/// The square of a step, by name.
pub fn square(seat: usize, step: usize) -> String {
    let file = b" dcbaabcdefghhg"[step] as char;
    let own = if seat == 0 { 1 } else { 3 };
    let rank = if (5..=12).contains(&step) { 2 } else { own };
    if step == 0 { "hand".into() } else { format!("{file}{rank}") }
}

fn next_turn(mut state: State) -> State {
    state.mover = 1 - state.mover;
    state.turns += 1;
    state.throws = 0;
    state.chosen = false;
    state.phase = Phase::Throw;
    state
}

impl RoyalGameOfUr {
    fn moves(&self, state: &State, n: usize) -> Vec<(String, State)> {
        let (me, foe) = (state.mover, 1 - state.mover);
        let mut moves = vec![];
        for from in (0..HOME).filter(|&from| n > 0 && state.men[me][from] > 0) {
            let to = if self.exact { from + n } else { (from + n).min(HOME) };
            if to > HOME {
                continue;
            }
            let shared = (5..=12).contains(&to);
            let enemy = shared && state.men[foe][to] > 0;
            if to < HOME && state.men[me][to] > 0 || enemy && self.safe && to == 8 {
                continue;
            }
            let mut next = state.clone();
            next.chosen = true;
            next.men[me][from] -= 1;
            next.men[me][to] += 1;
            if enemy {
                next.men[foe][to] = 0;
                next.men[foe][0] += 1;
            }
            next.phase = Phase::Throw;
            let wins = ROSETTES.contains(&to) && !(self.corners && to == 8);
            if next.men[me][HOME] < self.men && (!wins || next.throws == THROWS) {
                next = next_turn(next);
            }
            moves.push((square(me, from), next));
        }
        moves
    }
}

impl Independent for RoyalGameOfUr {
    type State = State;

    fn start(&self) -> State {
        let mut men = [[0; HOME + 1]; 2];
        men[0][0] = self.men;
        men[1][0] = self.men;
        State { men, mover: 0, turns: 0, throws: 0, chosen: false, phase: Phase::Throw }
    }

    fn node(&self, state: &State) -> Node<State> {
        if let Some(seat) = (0..2).find(|&seat| state.men[seat][HOME] == self.men) {
            return Node::End(format!("{} wins", NAMES[seat]));
        }
        if state.turns == TURNS {
            return Node::End("stopped".into());
        }
        match state.phase {
            Phase::Throw => Node::Throw((0..).zip((0..=4).map(|n| self.thrown(state, n))).collect()),
            Phase::Move(n) => Node::Choice(self.moves(state, n)),
            Phase::Pass => Node::Choice(vec![("pass".into(), next_turn(state.clone()))]),
        }
    }
}

impl RoyalGameOfUr {
    fn thrown(&self, state: &State, n: usize) -> State {
        let mut next = state.clone();
        next.throws += 1;
        next.phase = Phase::Move(n);
        if self.moves(&next, n).is_empty() {
            if next.chosen {
                return next_turn(next);
            }
            next.phase = Phase::Pass;
        }
        next
    }
}
