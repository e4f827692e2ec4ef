//! Where two games part: the first node at which what is offered, what can be thrown, the position or the result differ,
//! while the same moves are made and the same throws fall.

use std::{
    collections::{BTreeMap, HashMap},
    ops::Range,
};

use crate::{
    notation::{describe_result, print_move, print_position},
    random::Streams,
    reference::Reference,
    rules::Rules,
    sim::{Control, Tally},
    tree::{Node, Tree},
    view::View,
};

/// How many different positions of one depth an exact count looks at, where nothing else is asked for.
pub const POSITIONS: usize = 10_000;
/// How many nodes are looked at for each of them.
const NODES: usize = 20;
/// How deep it goes at most.
const DEEPEST: u32 = 64;

/// Where two games part.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Parting {
    /// Random games that were followed in both.
    pub games: u64,
    /// Of them, those in which the two part.
    pub parted: u64,
    /// After how many plies, in those.
    pub plies: Tally,
    /// The chance that the two have parted within 1, 2, ... plies of random play, reckoned from all sequences; as deep as
    /// the positions are few enough. None where rules remember earlier positions.
    pub exact: Vec<f64>,
    /// The first of all that were found.
    pub first: Option<Path>,
}

/// A way to a parting: for each node the move or outcome taken; that of the last is made last before they differ.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Path {
    /// Plies to the parting.
    pub plies: u32,
    /// The index of the move or outcome at every node.
    pub steps: Vec<usize>,
}

/// A parting in words.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Divergence {
    /// Plies to it.
    pub plies: u32,
    /// The moves and throws to it from the start, in the notation of records.
    pub record: String,
    /// The position before the last of them, where the two are still the same.
    pub position: String,
    /// What is so under the first setup.
    pub one: String,
    /// And under the second.
    pub two: String,
}

/// How positions of the two games are held against each other.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair<'a> {
    pub(super) one: &'a Rules,
    pub(super) two: &'a Rules,
}

impl Pair<'_> {
    /// Whether both rules are of one file, so that places and variables have the same numbers.
    fn kin(&self) -> bool {
        std::sync::Arc::ptr_eq(&self.one.game, &self.two.game)
            && self.one.board == self.two.board
            && self.one.ways == self.two.ways
    }

    fn positions(&self, one: &View, two: &View) -> bool {
        if !self.kin() {
            return print_position(self.one, one) == print_position(self.two, two);
        }
        let quiet = !(self.one.counts_quiet && self.two.counts_quiet) || one.quiet == two.quiet;
        let turns = !(self.one.counts_turns && self.two.counts_turns) || one.turns == two.turns;
        let same = (&one.board, one.mover, &one.pool, one.round, one.beginner)
            == (&two.board, two.mover, &two.pool, two.round, two.beginner);
        quiet && turns && same
    }

    /// Whether two nodes are the same, with what is offered and how the position looks.
    fn nodes<T: Tree>(&self, (one, a): (&T, &T::Position), (two, b): (&T, &T::Position)) -> bool {
        let same = match (one.node(a), two.node(b)) {
            (Node::Choice(x), Node::Choice(y)) if x == y => {
                let (mine, theirs) = (one.moves(a), two.moves(b));
                if self.kin() {
                    mine == theirs
                } else {
                    let written = |rules, moves: &[_]| moves.iter().map(|m| print_move(rules, m)).collect::<Vec<_>>();
                    written(self.one, &mine) == written(self.two, &theirs)
                }
            }
            (Node::Chance(x), Node::Chance(y)) => {
                let falls = |tree: &T, throw| {
                    let throw = tree.throw(throw);
                    throw.outcomes.iter().map(|fall| (fall.count, fall.weight)).collect::<Vec<_>>()
                };
                x.seat == y.seat && falls(one, x.throw) == falls(two, y.throw)
            }
            (Node::End(x), Node::End(y)) => x.result == y.result,
            _ => false,
        };
        same && self.positions(&one.view(a), &two.view(b))
    }

    /// Follows random games in both until they part; `false` when some were left out because of a stop.
    pub(super) fn follow<T: Tree>(
        &self,
        trees: (&T, &T),
        seed: u64,
        games: Range<u64>,
        control: &Control,
    ) -> (Parting, bool) {
        let mut found = Parting::default();
        for game in games {
            if control.stopped() {
                return (found, false);
            }
            found.games += 1;
            control.did(1);
            if let Some(path) = self.walk(trees, &mut Streams::new(seed, game, trees.0.seats())) {
                found.parted += 1;
                found.plies.count(path.plies);
                found.see(path);
            }
        }
        (found, true)
    }

    /// The parting of one random game.
    fn walk<T: Tree>(&self, (one, two): (&T, &T), streams: &mut Streams) -> Option<Path> {
        let (mut a, mut b) = (one.start(), two.start());
        let mut path = Path { plies: 0, steps: vec![] };
        while self.nodes((one, &a), (two, &b)) {
            let n = match one.node(&a) {
                Node::End(_) => return None,
                Node::Choice(choice) => {
                    path.plies += 1;
                    if choice.moves < 2 { 0 } else { streams.players.at_mut(choice.seat).index(choice.moves) }
                }
                Node::Chance(chance) => streams.throws.throw(one.throw(chance.throw)),
            };
            path.steps.push(n);
            one.advance(&mut a, n);
            two.advance(&mut b, n);
        }
        Some(path)
    }

    /// The chances that the two have parted within 1, 2, ... plies, and the first way to a parting: all sequences at once,
    /// the same positions taken together.
    pub(super) fn count<T: Tree>(
        &self,
        (one, two): (&T, &T),
        positions: usize,
        control: &Control,
    ) -> (Vec<f64>, Option<Path>) {
        let (mut chances, mut parted, mut first) = (vec![], 0.0, None);
        if self.one.remembers || self.two.remembers {
            return (chances, first);
        }
        let mut level = Level::new(positions);
        let path = Path { plies: 0, steps: vec![] };
        level.put(self, (one, two), Open { one: one.start(), two: two.start(), chance: 1.0, path });
        if level.is_full(positions) {
            return (chances, first);
        }
        if let Some((chance, path)) = level.parted.take() {
            parted += chance;
            first.get_or_insert(path);
        }
        while chances.len() < DEEPEST as usize && !level.open.is_empty() && !control.stopped() {
            let Some(next) = self.ply((one, two), &level, positions) else { break };
            level = next;
            if let Some((chance, path)) = level.parted.take() {
                parted += chance;
                first.get_or_insert(path);
            }
            // Sums of chances are rounded.
            chances.push(f64::min(parted, 1.0));
        }
        (chances, first)
    }

    /// The level one ply deeper; nothing where it has too many positions.
    fn ply<T: Tree>(
        &self,
        trees: (&T, &T),
        level: &Level<T::Position>,
        positions: usize,
    ) -> Option<Level<T::Position>> {
        let mut next = Level::new(positions);
        for open in &level.open {
            let Node::Choice(choice) = trees.0.node(&open.one) else { continue };
            for n in 0..choice.moves {
                let mut after = open.after(trees, n, 1.0 / choice.moves as f64);
                after.path.plies += 1;
                next.put(self, trees, after);
                if next.is_full(positions) {
                    return None;
                }
            }
        }
        Some(next)
    }
}

/// The positions after so many plies in which the two have not parted.
struct Level<P> {
    /// In the order in which they were found, so that sums are always rounded in the same way.
    open: Vec<Open<P>>,
    places: HashMap<P, usize>,
    parted: Option<(f64, Path)>,
    /// How many nodes may still be looked at: throws can have very many outcomes one after the other.
    nodes: usize,
}

/// A position of the one game and of the other, the chance to come there, and a way.
struct Open<P> {
    one: P,
    two: P,
    chance: f64,
    path: Path,
}

impl<P: Clone + Eq + std::hash::Hash> Level<P> {
    fn new(positions: usize) -> Self {
        Self { open: vec![], places: HashMap::new(), parted: None, nodes: positions.saturating_mul(NODES) }
    }

    /// Whether it has become too large to be reckoned.
    fn is_full(&self, positions: usize) -> bool {
        self.nodes == 0 || self.open.len() > positions
    }

    /// Puts down a pair of positions; throws that are due fall first, each outcome once.
    fn put<T: Tree<Position = P>>(&mut self, pair: &Pair<'_>, trees: (&T, &T), open: Open<P>) {
        let (one, two) = trees;
        let mut due = vec![open];
        while let Some(open) = due.pop() {
            if self.nodes == 0 {
                return;
            }
            self.nodes -= 1;
            if !pair.nodes((one, &open.one), (two, &open.two)) {
                self.part(open);
                continue;
            }
            match one.node(&open.one) {
                Node::End(_) => {}
                Node::Choice(_) => self.keep(open),
                Node::Chance(chance) => {
                    let throw = one.throw(chance.throw);
                    let falls = throw.outcomes.iter().enumerate().rev();
                    due.extend(falls.map(|(n, fall)| open.after(trees, n, fall.weight as f64 / throw.total as f64)));
                }
            }
        }
    }

    /// The two have parted here.
    fn part(&mut self, open: Open<P>) {
        let (sum, path) = match self.parted.take() {
            Some((sum, path)) => (sum, path.min(open.path)),
            None => (0.0, open.path),
        };
        self.parted = Some((sum + open.chance, path));
    }

    /// Keeps a position, or adds its chance to that of the same one.
    fn keep(&mut self, open: Open<P>) {
        match self.places.get(&open.one).and_then(|at| self.open.get_mut(*at)) {
            Some(same) => same.chance += open.chance,
            None => {
                self.places.insert(open.one.clone(), self.open.len());
                self.open.push(open);
            }
        }
    }
}

impl<P: Clone> Open<P> {
    /// After the n-th move or outcome, which has this chance.
    fn after<T: Tree<Position = P>>(&self, (one, two): (&T, &T), n: usize, chance: f64) -> Self {
        let (mut a, mut b) = (self.one.clone(), self.two.clone());
        one.advance(&mut a, n);
        two.advance(&mut b, n);
        let mut path = self.path.clone();
        path.steps.push(n);
        Self { one: a, two: b, chance: self.chance * chance, path }
    }
}

impl Parting {
    /// Keeps the shorter of two ways.
    fn see(&mut self, path: Path) {
        if self.first.as_ref().is_none_or(|first| path < *first) {
            self.first = Some(path);
        }
    }

    /// Adds what was found in other games, and by an exact count.
    pub(super) fn add(&mut self, other: Self) {
        self.games += other.games;
        self.parted += other.parted;
        self.plies.add(&other.plies);
        self.exact.extend(other.exact);
        if let Some(path) = other.first {
            self.see(path);
        }
    }

    /// The first parting, told in the words of the notation.
    #[must_use]
    pub fn divergence(&self, one: &Rules, two: &Rules) -> Option<Divergence> {
        let path = self.first.as_ref()?;
        let (mine, theirs) = (Reference::new(one.clone()), Reference::new(two.clone()));
        let (mut a, mut b) = (mine.start(), theirs.start());
        let mut record: Vec<String> = vec![];
        let mut position = print_position(one, &mine.view(&a));
        for n in &path.steps {
            position = print_position(one, &mine.view(&a));
            record.push(match mine.node(&a) {
                Node::Choice(_) => mine.moves(&a).get(*n).map(|chosen| print_move(one, chosen)).unwrap_or_default(),
                Node::Chance(chance) => mine
                    .throw(chance.throw)
                    .outcomes
                    .get(*n)
                    .map(|fall| format!("[{}]", fall.count))
                    .unwrap_or_default(),
                Node::End(_) => String::new(),
            });
            mine.advance(&mut a, *n);
            theirs.advance(&mut b, *n);
        }
        let (one, two) = (state(&mine, &a), state(&theirs, &b));
        let (one, two) = difference(&one, &two);
        Some(Divergence { plies: path.plies, record: record.join(" "), position, one, two })
    }
}

/// The position, what can be done in it, and how the game stands, each in words.
fn state(reference: &Reference, position: &crate::reference::Position) -> BTreeMap<&'static str, String> {
    let rules = reference.rules();
    let node = reference.node(position);
    let offer = match node {
        Node::Choice(_) => {
            let moves = reference.moves(position);
            format!("choices {}", moves.iter().map(|chosen| print_move(rules, chosen)).collect::<Vec<_>>().join(" "))
        }
        Node::Chance(chance) => {
            let outcomes = reference.throw(chance.throw).outcomes.iter();
            format!("throws {}", outcomes.map(|fall| fall.count.to_string()).collect::<Vec<_>>().join(" "))
        }
        Node::End(_) => describe_result(rules, node),
    };
    let written = print_position(rules, &reference.view(position));
    BTreeMap::from([("position", written), ("then", offer)])
}

/// What differs of two such states; all of it where nothing that is written does.
fn difference(one: &BTreeMap<&str, String>, two: &BTreeMap<&str, String>) -> (String, String) {
    let differ: Vec<&str> = one.keys().filter(|key| one.get(*key) != two.get(*key)).copied().collect();
    let keys = if differ.is_empty() { one.keys().copied().collect() } else { differ };
    let told = |state: &BTreeMap<&str, String>| {
        keys.iter().filter_map(|key| state.get(key).cloned()).collect::<Vec<_>>().join(", ")
    };
    (told(one), told(two))
}
