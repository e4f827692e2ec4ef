//! What games are like from within: counted while the reference evaluator follows them and tells every step.

use crate::{
    agents::Agent,
    random::Streams,
    reference::{Event, Position, Reference, Watch},
    rules::{Id as _, RuleId, SeatId, SideId, Table},
    sim::Tally,
    tree::{GameResult, Node, Tree},
};

/// Turns of which the branching is kept apart.
const TURNS: usize = 400;

/// What games are like from within. All counts are exact.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Detail {
    /// Games looked into.
    pub games: u64,
    /// Moves of a choice.
    pub branching: Tally,
    /// Choices with a single move.
    pub forced: u64,
    /// Plies of a turn, passes counted.
    pub moves: Tally,
    /// Passes of a game.
    pub passes: Tally,
    /// Captures of a game: holes taken, men sent back or taken.
    pub captures: Tally,
    /// Laps of a sowing: how often seeds were lifted and sown after one choice. Those that reached their limit are left out.
    pub laps: Tally,
    /// Seeds of a sowing, those of all its laps.
    pub seeds: Tally,
    /// How often, in a game, another side came to stand best than the one that stood best before.
    pub lead_changes: Tally,
    /// Games with a winner.
    pub decided: u64,
    /// Of them, those whose winner did not stand best, and another side did, after half of the turns.
    pub comebacks: u64,
    /// For each turn, the moves of all its choices, and how many choices.
    pub by_turn: Vec<(u64, u64)>,
}

/// What is heard of one game.
#[derive(Debug, Default)]
struct Ear {
    captures: u32,
    passes: u32,
    laps: u32,
    seeds: u32,
    /// Whether the sowing reached its limit of laps.
    cut: bool,
    sowings: Vec<(u32, u32)>,
}

impl Ear {
    fn sowing_ends(&mut self) {
        if self.laps > 0 && !self.cut {
            self.sowings.push((self.laps, self.seeds));
        }
        (self.laps, self.seeds, self.cut) = (0, 0, false);
    }
}

impl Watch for Ear {
    fn see(&mut self, _: Option<RuleId>, event: Event) {
        match event {
            Event::Captured(..) | Event::SentBack(..) | Event::Taken(..) => self.captures += 1,
            Event::Passed(_) => self.passes += 1,
            Event::Sown(path) => {
                self.laps += 1;
                self.seeds = self.seeds.saturating_add(u32::try_from(path.len()).unwrap_or(u32::MAX));
            }
            Event::BoundReached(true) => self.cut = true,
            Event::TurnBegins(_) | Event::Chosen(..) => self.sowing_ends(),
            _ => {}
        }
    }
}

/// A game that is followed: the player's own position, by whatever evaluates it, and the reference evaluator's.
pub(super) struct Followed<'a, T: Tree> {
    pub(super) tree: &'a T,
    pub(super) reference: &'a Reference,
    pub(super) max_turns: u32,
}

impl<T: Tree> Followed<'_, T> {
    /// Plays a game and counts what is in it.
    pub(super) fn play(&self, agents: &Table<SeatId, Agent>, streams: &mut Streams, detail: &mut Detail) {
        let (tree, reference) = (self.tree, self.reference);
        let mut ear = Ear::default();
        let (mut position, mut told) = (tree.start(), reference.start_watched(&mut ear));
        let (mut turn, mut plies) = (tree.turns(&position), 0u32);
        let mut leaders: Vec<Option<SideId>> = vec![];
        let result = loop {
            let node = tree.node(&position);
            if tree.turns(&position) > turn || matches!(node, Node::End(_)) {
                turn = tree.turns(&position);
                if plies > 0 {
                    detail.moves.count(plies);
                }
                plies = 0;
                leaders.push(leader(reference, &told));
            }
            let n = match node {
                Node::End(end) => break Some(end.result),
                _ if turn >= self.max_turns => break None,
                Node::Choice(choice) => {
                    plies += 1;
                    let pass = tree.moves(&position).iter().all(crate::tree::Move::is_pass);
                    if !pass {
                        detail.branching.count(u32::try_from(choice.moves).unwrap_or(u32::MAX));
                        detail.forced += u64::from(choice.moves == 1);
                        detail.branched(turn as usize, choice.moves as u64);
                    }
                    agents.at(choice.seat).choose(tree, &position, choice, streams.players.at_mut(choice.seat))
                }
                Node::Chance(chance) => streams.throws.throw(tree.throw(chance.throw)),
            };
            tree.advance(&mut position, n);
            reference.advance_watched(&mut told, n, &mut ear);
        };
        ear.sowing_ends();
        detail.games += 1;
        detail.passes.count(ear.passes);
        detail.captures.count(ear.captures);
        for (laps, seeds) in ear.sowings {
            detail.laps.count(laps);
            detail.seeds.count(seeds);
        }
        let led: Vec<SideId> = leaders.iter().flatten().copied().collect();
        let changes = led.windows(2).filter(|pair| matches!(pair, [before, after] if before != after)).count();
        detail.lead_changes.count(u32::try_from(changes).unwrap_or(u32::MAX));
        if let Some(GameResult::Won(winner)) = result {
            detail.decided += 1;
            let half = leaders.get((leaders.len() / 2).saturating_sub(1)).copied().flatten();
            detail.comebacks += u64::from(half.is_some_and(|leader| leader != winner));
        }
    }
}

/// The side that stands best, if one does.
fn leader(reference: &Reference, position: &Position) -> Option<SideId> {
    let sides = reference.sides();
    let mut standings = vec![0i64; sides.iter().map(|side| side.index() + 1).max().unwrap_or(0)];
    for (seat, side) in sides.iter().enumerate() {
        if let Some(sum) = standings.get_mut(side.index()) {
            *sum += reference.standing(position, SeatId::new(seat));
        }
    }
    let best = standings.iter().max()?;
    let mut at_best = standings.iter().enumerate().filter(|(_, sum)| *sum == best);
    let first = at_best.next().map(|(side, _)| SideId::new(side));
    if at_best.next().is_some() { None } else { first }
}

impl Detail {
    fn branched(&mut self, turn: usize, moves: u64) {
        if turn >= TURNS {
            return;
        }
        if turn >= self.by_turn.len() {
            self.by_turn.resize(turn + 1, (0, 0));
        }
        if let Some((sum, choices)) = self.by_turn.get_mut(turn) {
            *sum += moves;
            *choices += 1;
        }
    }

    /// Adds what other games are like.
    pub(super) fn add(&mut self, other: &Self) {
        self.games += other.games;
        self.forced += other.forced;
        self.decided += other.decided;
        self.comebacks += other.comebacks;
        for (mine, theirs) in [
            (&mut self.branching, &other.branching),
            (&mut self.moves, &other.moves),
            (&mut self.passes, &other.passes),
            (&mut self.captures, &other.captures),
            (&mut self.laps, &other.laps),
            (&mut self.seeds, &other.seeds),
            (&mut self.lead_changes, &other.lead_changes),
        ] {
            mine.add(theirs);
        }
        if self.by_turn.len() < other.by_turn.len() {
            self.by_turn.resize(other.by_turn.len(), (0, 0));
        }
        for (mine, theirs) in self.by_turn.iter_mut().zip(&other.by_turn) {
            mine.0 += theirs.0;
            mine.1 += theirs.1;
        }
    }
}
