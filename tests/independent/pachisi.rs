//! Pachisi with six cowries, four players in two partnerships, written by hand.

use super::{Independent, Node};

const HOME: usize = 84;
const TURNS: usize = 2000;
const THROWS: usize = 60;

/// How many men each has, and what differs.
pub struct Pachisi {
    /// Men of each player.
    pub men: usize,
    /// Whoever can move must.
    pub duty: bool,
    /// A capture wins another throw.
    pub prize: bool,
    /// A castle with men of the other side on it cannot be entered.
    pub closed: bool,
    /// The man who enters with any count is the first of the game; else any whose player has no other out.
    pub once: bool,
    /// The table of Mitra and Parker (none 6, one 10, five 25, six 12; only 10 and 25 are graces).
    pub mitra: bool,
}

impl Default for Pachisi {
    fn default() -> Self {
        Self { men: 4, duty: false, prize: true, closed: true, once: true, mitra: false }
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
    pub men: [[usize; HOME + 1]; 4],
    pub begun: [bool; 4],
    pub mover: usize,
    pub turns: usize,
    pub throws: usize,
    pub chosen: bool,
    pub phase: Phase,
}

/// The file and rank of a step on South's way, counted from 1.
fn south(step: usize) -> (usize, usize) {
    match step {
        1..=8 => (10, 9 - step),
        9..=16 => (11, step - 8),
        17..=24 => (step - 5, 9),
        25 => (19, 10),
        26..=33 => (45 - step, 11),
        34..=41 => (11, step - 22),
        42 => (10, 19),
        43..=50 => (9, 62 - step),
        51..=58 => (59 - step, 11),
        59 => (1, 10),
        60..=67 => (step - 59, 9),
        68..=75 => (9, 76 - step),
        _ => (10, step - 75),
    }
}

/// The same for any seat: turned against the clock.
fn place(seat: usize, step: usize) -> (usize, usize) {
    (0..seat).fold(south(step), |(x, y), _| (20 - y, x))
}

/// A man by his square; on the way back in his own middle row with a stroke.
pub fn name(seat: usize, step: usize) -> String {
    if step == 0 {
        return "hand".into();
    }
    let (x, y) = place(seat, step);
    let back = if step > 75 { "'" } else { "" };
    format!("{}{y}{back}", b" abcdefghijklmnopqrs"[x] as char)
}

fn castle(step: usize) -> bool {
    [8, 12, 21, 25, 29, 38, 42, 46, 55, 59, 63, 72, 76].contains(&step)
}

fn next_turn(mut state: State) -> State {
    state.mover = (state.mover + 1) % 4;
    state.turns += 1;
    state.throws = 0;
    state.chosen = false;
    state.phase = Phase::Throw;
    state
}

impl Pachisi {
    fn counts(&self) -> Vec<usize> {
        if self.mitra { vec![2, 3, 4, 6, 10, 12, 25] } else { vec![2, 3, 4, 5, 6, 10, 25] }
    }

    fn again(&self, n: usize) -> bool {
        [6, 10, 25].contains(&n) || self.mitra && n == 12
    }

    fn enters(&self, state: &State, n: usize) -> bool {
        let me = state.mover;
        let first = if self.once { !state.begun[me] } else { state.men[me][0] == self.men };
        first || self.grace(n)
    }

    /// The counts that bring men in, and off the last square.
    fn grace(&self, n: usize) -> bool {
        n == 10 || n == 25 || n == 6 && !self.mitra
    }

    fn moves(&self, state: &State, n: usize) -> Vec<(String, State)> {
        let me = state.mover;
        let mut moves = vec![];
        for from in (0..HOME).filter(|&from| state.men[me][from] > 0) {
            let off = from == HOME - 1 && self.grace(n);
            let to = if off { HOME } else { from + n };
            if to > HOME || from == 0 && !self.enters(state, n) {
                continue;
            }
            let mut foes = vec![];
            for foe in [(me + 1) % 4, (me + 3) % 4].into_iter().filter(|_| to < HOME) {
                foes.extend(
                    (1..HOME).filter(|&s| state.men[foe][s] > 0 && place(foe, s) == place(me, to)).map(|s| (foe, s)),
                );
            }
            if castle(to) && self.closed && !foes.is_empty() {
                continue;
            }
            let mut next = state.clone();
            next.chosen = true;
            next.begun[me] = true;
            next.men[me][from] -= 1;
            next.men[me][to] += 1;
            let taken = !castle(to) && !foes.is_empty();
            for (foe, step) in foes.into_iter().filter(|_| taken) {
                next.men[foe][0] += next.men[foe][step];
                next.men[foe][step] = 0;
            }
            let more = self.again(n) || taken && self.prize;
            next.phase = Phase::Throw;
            if self.winner(&next).is_none() && (next.men[me][HOME] == self.men || !more || next.throws == THROWS) {
                next = next_turn(next);
            }
            moves.push((name(me, from), next));
        }
        moves
    }

    fn thrown(&self, state: &State, n: usize) -> State {
        let mut next = state.clone();
        next.throws += 1;
        next.phase = Phase::Move(n);
        if self.moves(&next, n).is_empty() {
            next.phase = Phase::Throw;
            if !self.again(n) || next.throws == THROWS {
                if next.chosen {
                    return next_turn(next);
                }
                next.phase = Phase::Pass;
            }
        }
        next
    }

    fn winner(&self, state: &State) -> Option<usize> {
        (0..2).find(|&side| (0..4).all(|seat| seat % 2 != side || state.men[seat][HOME] == self.men))
    }
}

impl Independent for Pachisi {
    type State = State;

    fn start(&self) -> State {
        let mut men = [[0; HOME + 1]; 4];
        for row in &mut men {
            row[0] = self.men;
        }
        State { men, begun: [false; 4], mover: 0, turns: 0, throws: 0, chosen: false, phase: Phase::Throw }
    }

    fn node(&self, state: &State) -> Node<State> {
        if let Some(side) = self.winner(state) {
            return Node::End(["South+North wins", "East+West wins"][side].into());
        }
        if state.turns == TURNS {
            return Node::End("stopped".into());
        }
        let pass = || ("pass".to_string(), next_turn(state.clone()));
        match state.phase {
            Phase::Throw if state.men[state.mover][HOME] == self.men => Node::Choice(vec![pass()]),
            Phase::Throw => Node::Throw(
                self.counts().into_iter().map(|n| (i32::try_from(n).unwrap(), self.thrown(state, n))).collect(),
            ),
            Phase::Move(n) => {
                let mut moves = self.moves(state, n);
                moves.extend((!self.duty).then(pass));
                Node::Choice(moves)
            }
            Phase::Pass => Node::Choice(vec![pass()]),
        }
    }
}
