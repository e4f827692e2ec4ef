//! Tab, the race and war game that Lane saw in Cairo, written by hand.

use super::{Independent, Node};

const NAMES: [&str; 2] = ["South", "North"];
const TURNS: usize = 2000;

/// Squares of a row.
const WIDTH: usize = 9;

/// What differs.
pub struct Tab {
    /// Men of a player who meet are united; else a square takes one man.
    pub united: bool,
    /// A throw of one must wake a man if it can.
    pub wake_first: bool,
    /// Men in the enemy's row wait until their own row is empty.
    pub frozen: bool,
    /// Throws of one turn, at most.
    pub throws: usize,
}

impl Default for Tab {
    fn default() -> Self {
        Self { united: true, wake_first: false, frozen: true, throws: 60 }
    }
}

/// What the mover is about to do.
#[derive(Clone, Debug, PartialEq)]
pub enum Phase {
    Throw,
    Play,
    Pass,
}

/// The men on one square: whose, how many, whether woken, and whether any of them has been in the enemy's row.
#[derive(Clone, Copy, Debug)]
pub struct Unit {
    pub seat: usize,
    pub size: usize,
    pub awake: bool,
    pub raided: bool,
}

/// Rows and columns as South sees them.
#[derive(Clone, Debug)]
pub struct State {
    pub board: Vec<Vec<Option<Unit>>>,
    pub pool: Vec<usize>,
    pub mover: usize,
    pub turns: usize,
    pub throws: usize,
    pub chosen: bool,
    pub phase: Phase,
}

fn next_turn(mut state: State) -> State {
    state.mover = 1 - state.mover;
    state.turns += 1;
    state.throws = 0;
    state.chosen = false;
    state.pool.clear();
    state.phase = Phase::Throw;
    state
}

impl Tab {
    /// South's row and column for those of a seat, and back.
    fn turn(&self, seat: usize, (row, col): (usize, usize)) -> (usize, usize) {
        if seat == 0 { (row, col) } else { (3 - row, WIDTH - 1 - col) }
    }

    fn name(&self, seat: usize, at: (usize, usize)) -> String {
        let (row, col) = self.turn(seat, at);
        format!("{}{}", b"abcdefghijklmno"[col] as char, row + 1)
    }

    fn at(&self, state: &State, at: (usize, usize)) -> Option<Unit> {
        let (row, col) = self.turn(state.mover, at);
        state.board[row][col]
    }

    fn put(&self, state: &mut State, at: (usize, usize), unit: Option<Unit>) {
        let (row, col) = self.turn(state.mover, at);
        state.board[row][col] = unit;
    }

    /// Whether men of a seat stand in a row, counted from the mover's own.
    fn stand(&self, state: &State, row: usize, seat: usize) -> bool {
        (0..WIDTH).any(|col| self.at(state, (row, col)).is_some_and(|unit| unit.seat == seat))
    }

    /// One step on from a square; at the end of the third row into the fourth or back into the second.
    fn step(&self, (row, col): (usize, usize), enter: bool) -> (usize, usize) {
        let last = WIDTH - 1;
        match (row, col) {
            (0, col) if col == last => (1, last),
            (2, col) if col == last => (if enter { 3 } else { 1 }, last),
            (1 | 3, 0) => (2, 0),
            (0 | 2, col) => (row, col + 1),
            (_, col) => (row, col - 1),
        }
    }

    /// Where a unit may come with a count: one square, or two at the fork.
    fn targets(&self, state: &State, unit: Unit, from: (usize, usize), n: usize) -> Vec<(usize, usize)> {
        let me = state.mover;
        let mut targets = vec![];
        for enter in [false, true] {
            let to = (0..n).fold(from, |at, _| self.step(at, enter));
            let open = from.0 == 3 || to.0 != 3 || !unit.raided && self.stand(state, 3, 1 - me);
            let free = self.at(state, to).is_none_or(|other| other.seat != me || other.awake && self.united);
            if open && free && !targets.contains(&to) {
                targets.push(to);
            }
        }
        targets
    }

    fn moves(&self, state: &State) -> Vec<(String, State)> {
        let me = state.mover;
        let mut counts = state.pool.clone();
        counts.dedup();
        let mut moves = vec![];
        let mut wakes = false;
        for n in counts {
            for (row, col) in (0..4).flat_map(|row| (0..WIDTH).map(move |col| (row, col))) {
                let from = (row, col);
                let Some(unit) = self.at(state, from).filter(|unit| unit.seat == me) else { continue };
                if !unit.awake && n != 1 || row == 3 && self.frozen && self.stand(state, 0, me) {
                    continue;
                }
                for to in self.targets(state, unit, from, n) {
                    wakes |= !unit.awake;
                    let name = format!("{n}:{}:{}", self.name(me, from), self.name(me, to));
                    moves.push((name, self.go(state, unit, n, from, to), n == 1 && unit.awake));
                }
            }
        }
        moves.retain(|(_, _, other)| !(self.wake_first && wakes && *other));
        moves.into_iter().map(|(name, next, _)| (name, next)).collect()
    }

    fn go(&self, state: &State, unit: Unit, n: usize, from: (usize, usize), to: (usize, usize)) -> State {
        let mut next = state.clone();
        next.chosen = true;
        next.pool.remove(next.pool.iter().position(|&c| c == n).unwrap());
        self.put(&mut next, from, None);
        let mut moved = Unit { awake: true, raided: unit.raided || to.0 == 3, ..unit };
        if let Some(other) = self.at(&next, to).filter(|other| other.seat == state.mover) {
            moved.size += other.size;
            moved.raided |= other.raided;
        }
        self.put(&mut next, to, Some(moved));
        next
    }

    fn loser(&self, state: &State) -> Option<usize> {
        (0..2).find(|&seat| state.board.iter().flatten().flatten().all(|unit| unit.seat != seat))
    }

    /// The mover plays on if he can.
    fn settle(&self, mut state: State) -> State {
        if self.loser(&state).is_some() || !self.moves(&state).is_empty() {
            return state;
        }
        if state.chosen {
            return next_turn(state);
        }
        state.phase = Phase::Pass;
        state
    }

    fn thrown(&self, state: &State, n: usize) -> State {
        let mut next = state.clone();
        next.throws += 1;
        next.pool.push(n);
        next.pool.sort_unstable();
        if [1, 4, 6].contains(&n) && next.throws < self.throws {
            return next;
        }
        next.phase = Phase::Play;
        self.settle(next)
    }
}

impl Independent for Tab {
    type State = State;

    fn start(&self) -> State {
        let mut board = vec![vec![None; WIDTH]; 4];
        let unit = |seat| Some(Unit { seat, size: 1, awake: false, raided: false });
        board[0] = vec![unit(0); WIDTH];
        board[3] = vec![unit(1); WIDTH];
        State { board, pool: vec![], mover: 0, turns: 0, throws: 0, chosen: false, phase: Phase::Throw }
    }

    fn node(&self, state: &State) -> Node<State> {
        if let Some(loser) = self.loser(state) {
            return Node::End(format!("{} wins", NAMES[1 - loser]));
        }
        if state.turns == TURNS {
            return Node::End("stopped".into());
        }
        if state.phase == Phase::Throw {
            return Node::Throw([1, 2, 3, 4, 6].map(|n| (i32::try_from(n).unwrap(), self.thrown(state, n))).into());
        }
        if state.phase == Phase::Pass {
            return Node::Choice(vec![("pass".into(), next_turn(state.clone()))]);
        }
        Node::Choice(self.moves(state).into_iter().map(|(name, next)| (name, self.settle(next))).collect())
    }
}
