//! Readings compared: the same random numbers under every setup, differences with intervals, and where games part.

mod account;
mod design;
mod detail;
mod elsewhere;
mod findings;
mod parting;

use std::ops::Range;

pub use self::{
    account::{
        Account, Asked, ContrastAccount, DetailFigures, Figures, Kind, LineUpDifferences, MeasureDifference,
        PartingAccount, ReadingAccount, SetupAccount, Share,
    },
    design::{Cell, Contrast, Design, DesignError, Question, Subject},
    detail::Detail,
    elsewhere::Elsewhere,
    findings::{Finding, Measure, Tested, Verdict},
    parting::{Divergence, POSITIONS, Parting, Path},
};
use self::{detail::Followed, parting::Pair};
use crate::{
    agents::LineUp,
    engine::{Compiled, PairVisitor, Visitor},
    random::Streams,
    reference::Reference,
    rules::{Id as _, Rules},
    sim::{Control, Outcome, Paired, Report, Simulation, SimulationError, in_chunks},
    tree::Tree,
};

/// The chance of a false alarm that is accepted.
pub const LEVEL: f64 = 0.05;

/// How often a comparison that may stop early is looked at.
const LOOKS: u64 = 5;

/// In how many slices the games between two looks are played, so that of a stop all line-ups have about as many.
const SLICES: u64 = 8;

/// A comparison to be made.
#[derive(Debug, Clone)]
pub struct Comparison {
    /// What is played and compared.
    pub design: Design,
    /// Who plays; each line-up in all its seat orders.
    pub line_ups: Vec<LineUp>,
    /// Games for each cell and line-up.
    pub games: u64,
    /// How many of them are looked into node by node, and followed to where setups part.
    pub look_into: u64,
    /// The seed.
    pub seed: u64,
    /// How many threads; 0 for one for each processor.
    pub threads: usize,
    /// Games are stopped after so many turns, if the file does not stop them before.
    pub max_turns: u32,
    /// No difference larger than this share is of interest: 0.01 for one point.
    pub margin: f64,
    /// Where two setups part is reckoned exactly as deep as there are no more different positions: [`POSITIONS`].
    pub positions: usize,
    /// Whether to stop before all games are played, as soon as of every comparison it is told what it comes to. The
    /// findings are looked at five times, after as many games each, with a fifth of the level at every look: by
    /// Bonferroni's inequality the chance of a false alarm at any of them is no larger than the level.
    pub stop_early: bool,
}

/// What a comparison comes to.
#[derive(Debug, Clone)]
pub struct Findings {
    /// By line-up, then by cell.
    pub played: Vec<Vec<Played>>,
    /// By line-up, then by contrast, then by measure.
    pub differences: Vec<Vec<Vec<Finding>>>,
    /// By contrast: where the two cells that differ in nothing else part; none for interactions.
    pub partings: Vec<Option<Parting>>,
    /// By contrast: where they part when one more reading is changed in both, for those that change a reading alone.
    pub elsewhere: Vec<Vec<Elsewhere>>,
}

/// The games of a line-up under one setup.
#[derive(Debug, Clone)]
pub struct Played {
    /// What they came to.
    pub report: Report,
    /// What those looked into are like.
    pub detail: Detail,
}

impl Comparison {
    /// How many of so many games are looked into where nothing else is asked for: a twentieth, and a thousand at least, if
    /// there are as many.
    #[must_use]
    pub fn some_of(games: u64) -> u64 {
        (games / 20).max(1000).min(games)
    }

    /// How many pieces of work there are, as [`Control::done`] counts them.
    #[must_use]
    pub fn work(&self) -> u64 {
        let cells = self.line_ups.len() as u64 * self.design.cells.len() as u64;
        let pairs = self.design.main_contrasts().count() as u64;
        cells * (self.games + self.look_into) + pairs * self.look_into + self.elsewhere_work()
    }

    /// What is measured and tested.
    #[must_use]
    pub fn measures(&self) -> Vec<Measure> {
        // Partners win together: each side is counted once, by its first seat.
        let sides = self.design.cells.iter().take(1).flat_map(|cell| &cell.rules.sides);
        let wins = sides.filter_map(|side| side.seats.first()).map(|seat| Measure::Wins(seat.index()));
        wins.chain([Measure::Draws, Measure::Stopped, Measure::Endless, Measure::Turns]).collect()
    }

    /// Plays and compares. When it is stopped, what there is stands for the first games without a gap.
    ///
    /// # Errors
    /// [`SimulationError`] when threads cannot be started, or a line-up does not fit the seats.
    pub fn run(&self, control: &Control) -> Result<Findings, SimulationError> {
        let games: Vec<Compiled> = self.design.cells.iter().map(|cell| Compiled::new(cell.rules.clone(), 0)).collect();
        let mut sums: Vec<Sums> = self.line_ups.iter().map(|_| self.no_sums(&games)).collect();
        let (mut differences, mut from) = (vec![], 0);
        for look in 1..=self.looks() {
            for slice in 1..=SLICES {
                let until = share(self.games, (look - 1) * SLICES + slice, self.looks() * SLICES);
                for (line_up, sums) in self.line_ups.iter().zip(&mut sums) {
                    self.play(line_up, &games, from..until, sums, control)?;
                }
                from = until;
            }
            differences = self.findings(&sums);
            if control.stopped() || self.all_told(&differences) {
                break;
            }
        }
        let mut played = vec![];
        for (line_up, sums) in self.line_ups.iter().zip(sums) {
            let details = self.look_into(line_up, &games, from, control)?;
            let both = sums.reports.into_iter().zip(details);
            played.push(both.map(|(report, detail)| Played { report, detail }).collect());
        }
        let partings = self.part(&games, control)?;
        let elsewhere = self.elsewhere(control)?;
        Ok(Findings { played, differences, partings, elsewhere })
    }

    /// How often the findings are looked at: every look has its share of the level.
    #[must_use]
    pub fn looks(&self) -> u64 {
        if self.stop_early { LOOKS.min(self.games).max(1) } else { 1 }
    }

    /// Whether of every comparison of readings or files it is told what it comes to.
    fn all_told(&self, differences: &[Vec<Vec<Finding>>]) -> bool {
        let of_line_up = |contrasts: &Vec<Vec<Finding>>| {
            let main = self.design.contrasts.iter().zip(contrasts).filter(|(contrast, _)| contrast.is_main());
            main.into_iter().flat_map(|(_, findings)| findings).all(|finding| finding.verdict != Verdict::Open)
        };
        differences.iter().all(of_line_up)
    }

    fn no_sums(&self, games: &[Compiled]) -> Sums {
        let measures = self.measures().len();
        let paired = |contrast: &Contrast| vec![Paired::new(contrast.pairs()); measures];
        Sums {
            reports: games.iter().map(|game| game.visit(NoGames)).collect(),
            paired: self.design.contrasts.iter().map(paired).collect(),
        }
    }

    fn simulation(&self, line_up: &LineUp, rules: &Rules, first: u64) -> Result<Simulation, SimulationError> {
        let agents = line_up.seat(rules.seats.len());
        let agents = agents.map_err(|error| SimulationError::Agents { agents: error.named, seats: error.seats })?;
        Ok(Simulation {
            games: self.games,
            first,
            seed: self.seed,
            threads: self.threads,
            max_turns: self.max_turns,
            agents,
            // Where all play alike, wins are those of seats.
            rotate: line_up.player(0).is_some(),
        })
    }

    /// Plays some games of a line-up under every setup, and adds what they come to.
    fn play(
        &self,
        line_up: &LineUp,
        games: &[Compiled],
        range: Range<u64>,
        all: &mut Sums,
        control: &Control,
    ) -> Result<(), SimulationError> {
        let cells = self.design.cells.iter().map(|cell| self.simulation(line_up, &cell.rules, range.start));
        let cells = cells.collect::<Result<Vec<_>, _>>()?;
        let measures = self.measures();
        let work = |range: Range<u64>| {
            let mut sums = self.no_sums(games);
            let mut outcomes = vec![];
            for ((game, simulation), report) in games.iter().zip(&cells).zip(&mut sums.reports) {
                let (values, whole) =
                    game.visit(Chunk { simulation, range: range.clone(), measures: &measures, report, control });
                outcomes.push(values);
                if !whole {
                    // Without the other cells, the games of this chunk are of no use.
                    return (self.no_sums(games), false);
                }
            }
            for (contrast, paired) in self.design.contrasts.iter().zip(&mut sums.paired) {
                for (m, paired) in paired.iter_mut().enumerate() {
                    for n in 0..usize::try_from(range.end - range.start).unwrap_or(0) {
                        let value = |cell: usize| {
                            let values = outcomes.get(cell).and_then(|values| values.get(n * measures.len() + m));
                            values.copied().map_or(0, i64::from)
                        };
                        paired.count(contrast.weights.iter().map(|(cell, weight)| weight * value(*cell)).sum());
                    }
                }
            }
            (sums, true)
        };
        in_chunks(range.end - range.start, self.threads, control, work, |sums| all.add(&sums))
    }

    /// Looks into the first games of a line-up, for every cell.
    fn look_into(
        &self,
        line_up: &LineUp,
        games: &[Compiled],
        played: u64,
        control: &Control,
    ) -> Result<Vec<Detail>, SimulationError> {
        let mut details = vec![];
        for (game, cell) in games.iter().zip(&self.design.cells) {
            let simulation = self.simulation(line_up, &cell.rules, 0)?;
            let reference = &Reference::new(cell.rules.clone());
            let mut detail = Detail::default();
            let work = |range: Range<u64>| game.visit(Look { simulation: &simulation, reference, range, control });
            in_chunks(self.look_into.min(played), self.threads, control, work, |part| detail.add(&part))?;
            details.push(detail);
        }
        Ok(details)
    }

    /// Where the cells of each contrast part.
    fn part(&self, games: &[Compiled], control: &Control) -> Result<Vec<Option<Parting>>, SimulationError> {
        let mut partings = vec![];
        for contrast in &self.design.contrasts {
            let pair = contrast.plainest().and_then(|(one, two)| games.get(one).zip(games.get(two)));
            // On boards of other sizes nothing is the same, and there is nothing to follow.
            let sizes = |game: &Compiled| (game.rules().board.sites.len(), game.rules().seats.len(), game.rules().men);
            let Some((one, two)) = pair.filter(|(one, two)| sizes(one) == sizes(two)) else {
                partings.push(None);
                continue;
            };
            let mut parting = self.follow(one, two, self.look_into, control)?;
            let pair = Pair { one: one.rules(), two: two.rules() };
            parting.add(one.visit_both(two, Exactly { pair, positions: self.positions, control }));
            partings.push(Some(parting));
        }
        Ok(partings)
    }

    /// Where two games part in so many random games.
    fn follow(
        &self,
        one: &Compiled,
        two: &Compiled,
        games: u64,
        control: &Control,
    ) -> Result<Parting, SimulationError> {
        let pair = Pair { one: one.rules(), two: two.rules() };
        let mut parting = Parting::default();
        let work = |range: Range<u64>| one.visit_both(two, Follow { pair, seed: self.seed, range, control });
        in_chunks(games, self.threads, control, work, |found| parting.add(found))?;
        Ok(parting)
    }
}

/// The n-th of so many equal parts of a number, and all before it.
fn share(number: u64, n: u64, parts: u64) -> u64 {
    number / parts * n + number % parts * n / parts
}

/// What some games of a line-up came to.
struct Sums {
    reports: Vec<Report>,
    paired: Vec<Vec<Paired>>,
}

impl Sums {
    fn add(&mut self, other: &Self) {
        for (mine, theirs) in self.reports.iter_mut().zip(&other.reports) {
            mine.add(theirs);
        }
        for (mine, theirs) in self.paired.iter_mut().flatten().zip(other.paired.iter().flatten()) {
            mine.add(theirs);
        }
    }
}

/// The report of no games.
struct NoGames;

impl Visitor for NoGames {
    type Output = Report;

    fn visit<T: Tree>(self, tree: &T) -> Report {
        Report::new(tree)
    }
}

/// Plays some games of one cell; gives the values of all measures, game by game, and whether all games were played.
struct Chunk<'a> {
    simulation: &'a Simulation,
    range: Range<u64>,
    measures: &'a [Measure],
    report: &'a mut Report,
    control: &'a Control,
}

impl Visitor for Chunk<'_> {
    type Output = (Vec<u32>, bool);

    fn visit<T: Tree>(self, tree: &T) -> (Vec<u32>, bool) {
        let Self { simulation, range, measures, report, control } = self;
        let mut values = vec![];
        let whole = simulation.each(tree, range, control, |outcome: &Outcome, rounds| {
            report.count(outcome, rounds, tree.sides());
            values.extend(measures.iter().map(|measure| measure.of(outcome, tree.sides())));
        });
        (values, whole)
    }
}

/// Looks into some games of one cell.
struct Look<'a> {
    simulation: &'a Simulation,
    reference: &'a Reference,
    range: Range<u64>,
    control: &'a Control,
}

impl Visitor for Look<'_> {
    type Output = (Detail, bool);

    fn visit<T: Tree>(self, tree: &T) -> (Detail, bool) {
        let Self { simulation, reference, range, control } = self;
        let followed = Followed { tree, reference, max_turns: simulation.max_turns };
        let mut detail = Detail::default();
        for game in range {
            if control.stopped() {
                return (detail, false);
            }
            followed.play(
                &simulation.agents_of(game),
                &mut Streams::new(simulation.seed, game, tree.seats()),
                &mut detail,
            );
            control.did(1);
        }
        (detail, true)
    }
}

/// Follows some random games.
struct Follow<'a> {
    pair: Pair<'a>,
    seed: u64,
    range: Range<u64>,
    control: &'a Control,
}

impl PairVisitor for Follow<'_> {
    type Output = (Parting, bool);

    fn visit<T: Tree>(self, one: &T, two: &T) -> (Parting, bool) {
        self.pair.follow((one, two), self.seed, self.range, self.control)
    }
}

/// Counts sequences.
struct Exactly<'a> {
    pair: Pair<'a>,
    positions: usize,
    control: &'a Control,
}

impl PairVisitor for Exactly<'_> {
    type Output = Parting;

    fn visit<T: Tree>(self, one: &T, two: &T) -> Parting {
        let (exact, first) = self.pair.count((one, two), self.positions, self.control);
        Parting { exact, first, ..Parting::default() }
    }
}
