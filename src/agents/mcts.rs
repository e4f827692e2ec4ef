//! Monte Carlo tree search: UCT (L. Kocsis and C. Szepesvari, "Bandit Based Monte-Carlo Planning", 2006), which in every
//! choice follows UCB1 (P. Auer, N. Cesa-Bianchi and P. Fischer, "Finite-time Analysis of the Multiarmed Bandit
//! Problem", 2002). Chances are drawn by their weights, with a child for each outcome that fell.

use super::sides::{count, side_of};
use crate::{
    random::{Stream, Streams},
    rules::SideId,
    tree::{Choice, End, GameResult, Node, Stop, Tree},
};

/// How many steps of evaluation one iteration may take on the average: ten times what the longest matches shipped need.
/// Beyond, what is known so far decides.
const EFFORT: u64 = 100_000;

/// How many steps any number of iterations may take.
const FREE_EFFORT: u64 = 1_000_000;

pub(super) fn choose<T: Tree>(
    tree: &T,
    root: &T::Position,
    choice: Choice,
    iterations: u32,
    exploration: f64,
    stream: &mut Stream,
) -> usize {
    let streams = Streams::new(stream.below(u64::MAX), stream.below(u64::MAX), tree.seats());
    let mut search = Search {
        tree,
        root,
        own: side_of(tree, choice.seat),
        sides: count(tree),
        exploration,
        streams,
        position: root.clone(),
        vertices: vec![Vertex::new(0)],
        path: vec![],
        logarithms: vec![0.0],
    };
    let allowed = FREE_EFFORT.saturating_add(EFFORT.saturating_mul(u64::from(iterations)));
    let mut effort = 0u64;
    for _ in 0..iterations {
        search.iterate(stream);
        effort = effort.saturating_add(tree.effort(&search.position).saturating_sub(tree.effort(root)));
        if effort > allowed {
            break;
        }
    }
    search.decide(choice, stream)
}

/// Index of a vertex.
type At = u32;

/// No vertex.
const NONE: At = At::MAX;

/// A vertex of the search tree: what follows a move or an outcome, up to the next choice with an alternative, chance
/// or end.
struct Vertex {
    /// The move or outcome that leads here.
    step: usize,
    visits: u32,
    /// What the visits brought to the side that chose the move.
    reward: f64,
    /// The child that was made last, and the sibling that was made before this one.
    child: At,
    sibling: At,
    /// The move that was tried first, and how many were tried: the others follow in order.
    first: usize,
    tried: usize,
}

impl Vertex {
    fn new(step: usize) -> Self {
        Self { step, visits: 0, reward: 0.0, child: NONE, sibling: NONE, first: 0, tried: 0 }
    }

    fn mean(&self) -> f64 {
        self.reward / f64::from(self.visits.max(1))
    }
}

struct Search<'a, T: Tree> {
    tree: &'a T,
    root: &'a T::Position,
    /// The side that asks.
    own: SideId,
    sides: usize,
    exploration: f64,
    /// For the random games, and for what falls in the tree.
    streams: Streams,
    position: T::Position,
    vertices: Vec<Vertex>,
    /// The vertices of an iteration, each with the side that chose it.
    path: Vec<(At, SideId)>,
    /// Of the visits that a vertex can have.
    logarithms: Vec<f64>,
}

impl<T: Tree> Search<'_, T> {
    /// Goes down the tree to a new vertex, plays on at random, and tells all vertices on the way.
    fn iterate(&mut self, stream: &mut Stream) {
        // That of the system can differ in the last digit from machine to machine.
        self.logarithms.push(libm::log(self.logarithms.len() as f64));
        self.position.clone_from(self.root);
        self.path.clear();
        self.path.push((0, self.own));
        let mut at = 0;
        let end = loop {
            let (step, side, next) = match self.tree.node(&self.position) {
                Node::End(end) => break end,
                Node::Choice(Choice { moves: ..2, .. }) => {
                    self.tree.advance(&mut self.position, 0);
                    continue;
                }
                Node::Choice(choice) => {
                    let (step, next) = match self.untried(at, choice.moves, stream) {
                        Some(step) => (step, NONE),
                        None => self.best(at),
                    };
                    (step, side_of(self.tree, choice.seat), next)
                }
                Node::Chance(chance) => {
                    let step = self.streams.throws.throw(self.tree.throw(chance.throw));
                    (step, self.own, self.child(at, step))
                }
            };
            self.tree.advance(&mut self.position, step);
            if next == NONE {
                let new = self.add(at, step);
                self.path.push((new, side));
                self.tree.play_out(&mut self.position, &mut self.streams, u32::MAX);
                break match self.tree.node(&self.position) {
                    Node::End(end) => end,
                    Node::Choice(_) | Node::Chance(_) => End { result: GameResult::Stopped(Stop::Limit), ending: None },
                };
            }
            self.path.push((next, side));
            at = next;
        };
        for (at, side) in self.path.drain(..) {
            if let Some(vertex) = self.vertices.get_mut(at as usize) {
                vertex.visits += 1;
                vertex.reward += reward(end.result, side, self.sides);
            }
        }
    }

    /// A move of a choice that was never tried. The first is drawn by lot, the others follow.
    fn untried(&mut self, at: At, moves: usize, stream: &mut Stream) -> Option<usize> {
        let vertex = self.vertices.get_mut(at as usize)?;
        if vertex.tried >= moves {
            return None;
        }
        if vertex.tried == 0 {
            vertex.first = stream.index(moves);
        }
        vertex.tried += 1;
        Some((vertex.first + vertex.tried - 1) % moves)
    }

    /// The child of a choice that UCB1 follows, and its move.
    fn best(&self, at: At) -> (usize, At) {
        let visits = self.vertices.get(at as usize).map_or(0, |vertex| vertex.visits);
        let logarithm = self.logarithms.get(visits as usize).copied().unwrap_or(0.0);
        let mut best = (0, NONE, f64::NEG_INFINITY);
        for (child, vertex) in self.children(at) {
            let value = vertex.mean() + self.exploration * (logarithm / f64::from(vertex.visits.max(1))).sqrt();
            if value > best.2 {
                best = (vertex.step, child, value);
            }
        }
        (best.0, best.1)
    }

    /// The child for an outcome, if it fell before.
    fn child(&self, at: At, step: usize) -> At {
        self.children(at).find(|(_, vertex)| vertex.step == step).map_or(NONE, |(child, _)| child)
    }

    fn children(&self, at: At) -> impl Iterator<Item = (At, &Vertex)> {
        let mut next = self.vertices.get(at as usize).map_or(NONE, |vertex| vertex.child);
        std::iter::from_fn(move || {
            let (at, vertex) = (next, self.vertices.get(next as usize)?);
            next = vertex.sibling;
            Some((at, vertex))
        })
    }

    fn add(&mut self, parent: At, step: usize) -> At {
        let new = At::try_from(self.vertices.len()).unwrap_or(NONE);
        let mut vertex = Vertex::new(step);
        if let Some(parent) = self.vertices.get_mut(parent as usize) {
            vertex.sibling = std::mem::replace(&mut parent.child, new);
        }
        self.vertices.push(vertex);
        new
    }

    /// The move that was visited most; of those the one with the best mean; of those any.
    fn decide(&self, choice: Choice, stream: &mut Stream) -> usize {
        let key = |vertex: &Vertex| (vertex.visits, vertex.mean());
        let best = self
            .children(0)
            .map(|(_, vertex)| key(vertex))
            .fold((0, 0.0), |best, other| if other > best { other } else { best });
        let tied: Vec<usize> =
            self.children(0).filter(|(_, vertex)| key(vertex) == best).map(|(_, vertex)| vertex.step).collect();
        tied.get(stream.index(tied.len())).copied().unwrap_or_else(|| stream.index(choice.moves))
    }
}

/// A win is 1, a draw is shared among the sides that are tied, and a stopped game among all.
fn reward(result: GameResult, side: SideId, sides: usize) -> f64 {
    match result {
        GameResult::Won(winner) => f64::from(u8::from(winner == side)),
        GameResult::Draw(tied) if tied.contains(side) => 1.0 / tied.len() as f64,
        GameResult::Draw(_) => 0.0,
        GameResult::Stopped(_) => 1.0 / sides as f64,
    }
}
