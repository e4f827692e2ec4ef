//! Many games: played on any number of threads, counted exactly, the same for the same seed.

mod inference;
mod perft;
mod statistics;

use std::{
    collections::BTreeMap,
    ops::Range,
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
};

use rayon::prelude::*;

pub use self::{
    inference::{Difference, Paired, Scale, games_to_detect, holm, mean_interval, normal_point},
    perft::perft,
    statistics::{Interval, Summary, Tally, wilson},
};
use crate::{
    agents::Agent,
    random::Streams,
    rules::{EndingId, Id as _, SeatId, SideId, Table},
    tree::{End, GameResult, Node, Rounds, Sides, Tree},
};

/// How many games a thread plays at most before its results are put down.
const CHUNK: u64 = 256;
/// How many games a thread plays before they are told of.
const TOLD: u64 = 16;

/// What to simulate.
#[derive(Debug, Clone)]
pub struct Simulation {
    /// How many games.
    pub games: u64,
    /// The number of the first game: a slice of a larger simulation begins elsewhere than at 0.
    pub first: u64,
    /// The seed.
    pub seed: u64,
    /// How many threads; 0 for one for each processor.
    pub threads: usize,
    /// Games are stopped after so many turns, if the file does not stop them before.
    pub max_turns: u32,
    /// Who plays at each seat.
    pub agents: Table<SeatId, Agent>,
    /// Whether the agents move on by one seat from game to game: then `agents` has their seats in game 0, and in every
    /// game whose number is a multiple of the number of seats.
    pub rotate: bool,
}

/// What many games came to. All counts are exact, so that results of slices can be added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// Games completed.
    pub games: u64,
    /// Games won by each side, in the order of their first seats.
    pub wins: Vec<u64>,
    /// Games won by the side of each seat, in seat order.
    pub wins_by_seat: Vec<u64>,
    /// Games won by the side of each agent, by the seat it has in game 0.
    pub wins_by_place: Vec<u64>,
    /// Games without a single best side.
    pub draws: u64,
    /// The same by the sides that were tied.
    pub tied: BTreeMap<Sides, u64>,
    /// Games stopped by a limit: no result.
    pub stopped: u64,
    /// How often each ending of the file applied.
    pub endings: Vec<u64>,
    /// Games with a sowing that reached its limit.
    pub endless: u64,
    /// Games with such a sowing that was proved to go on for ever.
    pub endless_proved: u64,
    /// Turns of a game, those of all seats counted.
    pub turns: Tally,
    /// Seeds taken by captures, or men sent back or taken, in a game, by all seats.
    pub captured: Tally,
    /// The rounds of the games, where there are any.
    pub rounds: RoundReport,
}

/// What the rounds of many games came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RoundReport {
    /// Rounds of a game.
    pub played: Tally,
    /// Rounds won by each side.
    pub wins: Vec<u64>,
    /// Rounds that nobody won.
    pub draws: u64,
    /// How often each ending of the file settled a round.
    pub endings: Vec<u64>,
}

/// One game, as far as it is counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// How it ended.
    pub end: End,
    /// By how many seats the agents had moved on.
    pub turned: usize,
    /// Its turns.
    pub turns: u32,
    /// What was captured.
    pub captured: u32,
    /// Whether a sowing reached its limit.
    pub endless: bool,
    /// Whether such a sowing was proved to go on for ever.
    pub endless_proved: bool,
}

/// How a simulation can be watched and stopped from outside.
#[derive(Debug, Default)]
pub struct Control {
    /// Games completed so far.
    pub done: AtomicU64,
    /// Set to stop as soon as the games under way are completed.
    pub stop: AtomicBool,
}

impl Control {
    /// Whether it is to be stopped.
    pub(crate) fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// So many more games are completed.
    pub(crate) fn did(&self, games: u64) {
        self.done.fetch_add(games, Ordering::Relaxed);
    }
}

/// Why a simulation cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum SimulationError {
    /// Threads cannot be started.
    #[error("the threads cannot be started: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// There is not one agent for each seat.
    #[error("there are {agents} agents for {seats} seats")]
    Agents {
        /// How many agents were named.
        agents: usize,
        /// How many seats there are.
        seats: usize,
    },
}

impl Simulation {
    /// Plays the games. When it is stopped, the report is that of the first games without a gap, so
    /// that a simulation of just so many games gives the same one.
    ///
    /// # Errors
    /// [`SimulationError`] when threads cannot be started, or there is not one agent for each seat.
    pub fn run<T: Tree>(&self, tree: &T, control: &Control) -> Result<Report, SimulationError> {
        if self.agents.len() != tree.seats() {
            return Err(SimulationError::Agents { agents: self.agents.len(), seats: tree.seats() });
        }
        let mut report = Report::new(tree);
        in_chunks(
            self.games,
            self.threads,
            control,
            |games| self.chunk(tree, games, control),
            |part| report.add(&part),
        )?;
        Ok(report)
    }

    /// The games of one chunk, and whether none was left out because of a stop.
    fn chunk<T: Tree>(&self, tree: &T, games: Range<u64>, control: &Control) -> (Report, bool) {
        let mut report = Report::new(tree);
        let whole = self.each(tree, games, control, |outcome, rounds| report.count(outcome, rounds, tree.sides()));
        (report, whole)
    }

    /// Plays some of the games one after the other and tells what each came to; `false` when some were left out because
    /// of a stop. There must be one agent for each seat.
    pub(crate) fn each<T: Tree>(
        &self,
        tree: &T,
        games: Range<u64>,
        control: &Control,
        mut tell: impl FnMut(&Outcome, &Rounds),
    ) -> bool {
        let mut table = (tree.start(), Streams::new(self.seed, 0, tree.seats()));
        let mut untold = 0;
        for game in games {
            // Threads that write to the same place at every game would wait for each other.
            if untold == TOLD {
                control.did(TOLD);
                untold = 0;
            }
            if control.stopped() {
                control.did(untold);
                return false;
            }
            let outcome = self.play_at(&mut table, tree, self.first.saturating_add(game));
            tell(&outcome, tree.rounds(&table.0));
            untold += 1;
        }
        control.did(untold);
        true
    }

    /// By how many seats the agents have moved on in a game.
    fn turned(&self, game: u64) -> usize {
        if self.rotate { usize::try_from(game % self.agents.len().max(1) as u64).unwrap_or(0) } else { 0 }
    }

    /// Who plays at a seat when all have moved on by some.
    fn agent(&self, seat: SeatId, turned: usize) -> Agent {
        *self.agents.at(place(seat, turned, self.agents.len().max(1)))
    }

    /// Who plays at each seat in a game.
    pub(crate) fn agents_of(&self, game: u64) -> Table<SeatId, Agent> {
        self.agents.ids().map(|seat| self.agent(seat, self.turned(game))).collect::<Vec<_>>().into()
    }

    /// Plays one game by its number. There must be one agent for each seat.
    pub fn play<T: Tree>(&self, tree: &T, game: u64) -> Outcome {
        self.play_at(&mut (tree.start(), Streams::new(self.seed, game, tree.seats())), tree, game)
    }

    /// Plays one game where others were played before, so that no new memory is needed.
    fn play_at<T: Tree>(&self, table: &mut (T::Position, Streams), tree: &T, game: u64) -> Outcome {
        let (position, streams) = table;
        let turned = self.turned(game);
        tree.restart(position);
        streams.restart(self.seed, game);
        if self.agents.iter().all(|agent| *agent == Agent::Random) {
            tree.play_out(position, streams, self.max_turns);
        }
        let end = loop {
            let n = match tree.node(position) {
                Node::End(end) => break end,
                _ if tree.turns(position) >= self.max_turns => {
                    break End { result: GameResult::Stopped(crate::tree::Stop::Limit), ending: None };
                }
                Node::Choice(choice) => {
                    let agent = self.agent(choice.seat, turned);
                    agent.choose(tree, position, choice, streams.players.at_mut(choice.seat))
                }
                Node::Chance(chance) => streams.throws.throw(tree.throw(chance.throw)),
            };
            tree.advance(position, n);
        };
        let captured = (0..tree.seats()).map(|seat| tree.captured(position, SeatId::new(seat))).sum();
        let turns = tree.turns(position);
        let (endless, endless_proved) = (tree.endless(position), tree.endless_proved(position));
        Outcome { end, turned, turns, captured, endless, endless_proved }
    }
}

/// Does a piece of work for each chunk of so many games, on so many threads (0 for one for each processor), and takes
/// the results in order. Of a stop it makes the first games without a gap: `work` says whether its chunk is whole, and
/// the first that is not is the last taken.
///
/// # Errors
/// [`SimulationError::Threads`] when threads cannot be started.
pub(crate) fn in_chunks<R: Send>(
    games: u64,
    threads: usize,
    control: &Control,
    work: impl Fn(Range<u64>) -> (R, bool) + Sync,
    mut take: impl FnMut(R),
) -> Result<(), SimulationError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    // Few games, which may be long ones, are shared out too.
    let size = (games / (8 * pool.current_num_threads() as u64)).clamp(1, CHUNK);
    let chunks = games.div_ceil(size);
    // A round is short enough to be stopped soon, and long enough to keep all threads busy.
    let round = 64 * pool.current_num_threads() as u64;
    let mut next = 0;
    while next < chunks && !control.stopped() {
        let until = chunks.min(next + round);
        let games_of = |chunk: u64| chunk * size..games.min((chunk + 1).saturating_mul(size));
        let parts: Vec<(R, bool)> =
            pool.install(|| (next..until).into_par_iter().map(|chunk| work(games_of(chunk))).collect());
        for (part, whole) in parts {
            take(part);
            if !whole {
                return Ok(());
            }
        }
        next = until;
    }
    Ok(())
}

/// The seat in game 0 of the agent that sits at a seat when all have moved on by some.
fn place(seat: SeatId, turned: usize, seats: usize) -> SeatId {
    SeatId::new((seat.index() + seats - turned) % seats)
}

impl Report {
    /// The report of no games.
    pub(crate) fn new<T: Tree>(tree: &T) -> Self {
        let sides = tree.sides().iter().map(|side| side.index() + 1).max().unwrap_or(0);
        Self {
            games: 0,
            wins: vec![0; sides],
            wins_by_seat: vec![0; tree.seats()],
            wins_by_place: vec![0; tree.seats()],
            draws: 0,
            tied: BTreeMap::new(),
            stopped: 0,
            endings: vec![0; tree.endings()],
            endless: 0,
            endless_proved: 0,
            turns: Tally::default(),
            captured: Tally::default(),
            rounds: RoundReport { wins: vec![0; sides], endings: vec![0; tree.endings()], ..RoundReport::default() },
        }
    }

    /// Counts a game.
    pub(crate) fn count(&mut self, outcome: &Outcome, rounds: &Rounds, side_of: &[SideId]) {
        self.games += 1;
        match outcome.end.result {
            GameResult::Won(side) => {
                bump(&mut self.wins, side.index());
                for (seat, _) in side_of.iter().enumerate().filter(|(_, other)| **other == side) {
                    bump(&mut self.wins_by_seat, seat);
                    bump(&mut self.wins_by_place, place(SeatId::new(seat), outcome.turned, side_of.len()).index());
                }
            }
            GameResult::Draw(tied) => {
                self.draws += 1;
                *self.tied.entry(tied).or_default() += 1;
            }
            GameResult::Stopped(_) => self.stopped += 1,
        }
        if let Some(ending) = outcome.end.ending {
            bump(&mut self.endings, EndingId::index(ending));
        }
        self.endless += u64::from(outcome.endless);
        self.endless_proved += u64::from(outcome.endless_proved);
        self.turns.count(outcome.turns);
        self.captured.count(outcome.captured);
        self.rounds.played.count(rounds.played);
        self.rounds.draws += u64::from(rounds.draws);
        let (own, of_game) = (&mut self.rounds, rounds);
        for (sums, counts) in [(&mut own.wins, &of_game.wins), (&mut own.endings, &of_game.endings)] {
            for (sum, count) in sums.iter_mut().zip(counts) {
                *sum += u64::from(*count);
            }
        }
    }

    /// Adds the report of other games.
    pub fn add(&mut self, other: &Self) {
        self.games += other.games;
        self.draws += other.draws;
        self.stopped += other.stopped;
        self.endless += other.endless;
        self.endless_proved += other.endless_proved;
        self.rounds.draws += other.rounds.draws;
        self.rounds.played.add(&other.rounds.played);
        for (tied, games) in &other.tied {
            *self.tied.entry(*tied).or_default() += games;
        }
        for (mine, theirs) in [
            (&mut self.wins, &other.wins),
            (&mut self.wins_by_seat, &other.wins_by_seat),
            (&mut self.wins_by_place, &other.wins_by_place),
            (&mut self.endings, &other.endings),
            (&mut self.rounds.wins, &other.rounds.wins),
            (&mut self.rounds.endings, &other.rounds.endings),
        ] {
            for (mine, theirs) in mine.iter_mut().zip(theirs) {
                *mine += theirs;
            }
        }
        self.turns.add(&other.turns);
        self.captured.add(&other.captured);
    }
}

fn bump(counts: &mut [u64], at: usize) {
    if let Some(count) = counts.get_mut(at) {
        *count += 1;
    }
}
