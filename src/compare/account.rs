//! A comparison in words and figures: what a report prints, whatever its form.

use serde::Serialize;

use super::{
    Cell, Comparison, Contrast, Divergence, Finding, Findings, LEVEL, Measure, Played, Question, Subject,
    design::{AS_CHOSEN, name},
};
use crate::{
    evidence::BasisKind,
    rules::{AlternativeId, EndingId, Game, Id as _, NamedSetup, ReadingId, SeatId, Setup},
    sim::{Interval, Summary, Tally, games_to_detect, mean_interval, wilson},
};

/// A comparison in words and figures.
#[derive(Debug, Clone, Serialize)]
pub struct Account {
    /// The game.
    pub game: String,
    /// The version of the program.
    pub version: &'static str,
    /// What was asked.
    pub question: Asked,
    /// The readings and options chosen, from which the setups depart.
    #[serde(flatten)]
    pub chosen: NamedSetup,
    /// The seed.
    pub seed: u64,
    /// Games asked for, for each setup and line-up.
    pub games: u64,
    /// The fewest that were played of any.
    pub played: u64,
    /// How many of them were looked into node by node.
    pub looked_into: u64,
    /// The limit of turns.
    pub max_turns: u32,
    /// Who plays, each in all seat orders.
    pub line_ups: Vec<String>,
    /// How often the findings were looked at at most, to stop as soon as all is told.
    pub looks: u64,
    /// The level of all tests; intervals are at 95 %, each by itself.
    pub level: f64,
    /// The margin of equivalence, in shares; for turns as a share of their mean.
    pub margin: f64,
    /// How many differences are corrected for together.
    pub comparisons: usize,
    /// The difference of shares that so many games find with a power of 80 %, in the worst case.
    pub detectable: f64,
    /// The setups.
    pub setups: Vec<SetupAccount>,
    /// The comparisons.
    pub contrasts: Vec<ContrastAccount>,
    /// Whether it was stopped before all games were played.
    pub interrupted: bool,
}

/// What was asked, in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Asked {
    /// Each reading by itself.
    Each,
    /// All combinations.
    Factorial,
    /// Two files.
    Against,
}

/// What a comparison is about, in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A reading of the text.
    Reading,
    /// An alternative that is no reading of the text.
    Variant,
    /// Another file.
    File,
    /// A part of the one before it, under one combination of the other readings.
    Simple,
    /// How two readings hang together.
    Interaction,
}

impl Kind {
    /// Whether it asks how much a reading, or a file, matters, and not what that hangs on.
    #[must_use]
    pub fn is_main(self) -> bool {
        !matches!(self, Self::Simple | Self::Interaction)
    }

    /// It as reports write it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Reading => "reading",
            Self::Variant => "variant",
            Self::File => "file",
            Self::Simple => "simple",
            Self::Interaction => "interaction",
        }
    }
}

/// A setup and what was played under it.
#[derive(Debug, Clone, Serialize)]
pub struct SetupAccount {
    /// What differs from the setup chosen.
    pub name: String,
    /// The game.
    pub game: String,
    /// Its readings and options.
    #[serde(flatten)]
    pub setup: NamedSetup,
    /// The hash of the rules.
    pub rules: String,
    /// The first setup with the very same rules, if it is another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_as: Option<String>,
    /// Whether an alternative takes part that is no reading of the text.
    pub variant: bool,
    /// By line-up.
    pub played: Vec<Figures>,
}

/// What the games of a line-up under one setup are like.
#[derive(Debug, Clone, Serialize)]
pub struct Figures {
    /// Who played.
    pub line_up: String,
    /// Games played.
    pub games: u64,
    /// Shares of games, with 95 % Wilson intervals: wins, draws, stopped, endless.
    pub shares: Vec<Share>,
    /// How often each ending of the file applied.
    pub endings: Vec<Share>,
    /// Turns of a game.
    pub turns: Option<Summary>,
    /// The 95 % interval of their mean, by Student's law.
    pub turns_interval: Option<Interval>,
    /// Seeds or men captured in a game.
    pub captured: Option<Summary>,
    /// What was counted node by node.
    pub detail: DetailFigures,
}

/// A share of games.
#[derive(Debug, Clone, Serialize)]
pub struct Share {
    /// Of what.
    pub name: String,
    /// The measure, where it is one.
    #[serde(skip)]
    pub of: Option<Measure>,
    /// How many.
    pub hits: u64,
    /// How many of all.
    pub share: f64,
    /// The 95 % Wilson interval.
    pub interval: Interval,
}

/// What was counted node by node.
#[derive(Debug, Clone, Serialize)]
pub struct DetailFigures {
    /// Games looked into.
    pub games: u64,
    /// Moves of a choice.
    pub branching: Option<Summary>,
    /// The share of choices with a single move.
    pub forced: Option<f64>,
    /// Plies of a turn.
    pub moves_per_turn: Option<Summary>,
    /// Passes of a game.
    pub passes: Option<Summary>,
    /// Captures of a game.
    pub captures: Option<Summary>,
    /// Laps of a sowing.
    pub laps: Option<Summary>,
    /// Seeds of a sowing.
    pub seeds: Option<Summary>,
    /// Changes of the lead in a game.
    pub lead_changes: Option<Summary>,
    /// The share of games won by a side that did not stand best at half time.
    pub comebacks: Share,
}

/// A comparison.
#[derive(Debug, Clone, Serialize)]
pub struct ContrastAccount {
    /// What is compared.
    pub name: String,
    /// What it is about.
    pub kind: Kind,
    /// The two that are held against each other: the second less the first is the difference.
    pub halves: [String; 2],
    /// The combination of the other readings, where it is under one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub given: Option<String>,
    /// The reading, where it is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reading: Option<ReadingAccount>,
    /// By line-up.
    pub differences: Vec<LineUpDifferences>,
    /// Where the two part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parting: Option<PartingAccount>,
}

/// The reading that a comparison is about.
#[derive(Debug, Clone, Serialize)]
pub struct ReadingAccount {
    /// Its name.
    pub name: String,
    /// Its question.
    pub question: String,
    /// The alternative that was chosen.
    pub from: String,
    /// The one held against it.
    pub to: String,
    /// What that one says.
    pub text: String,
    /// What it rests on.
    pub basis: BasisKind,
}

/// The differences of a line-up.
#[derive(Debug, Clone, Serialize)]
pub struct LineUpDifferences {
    /// Who played.
    pub line_up: String,
    /// By measure.
    pub measures: Vec<MeasureDifference>,
}

/// A difference of one figure.
#[derive(Debug, Clone, Serialize)]
pub struct MeasureDifference {
    /// Which.
    pub measure: String,
    /// Whether it is a share of games.
    pub share: bool,
    /// The measure itself.
    #[serde(skip)]
    pub of: Measure,
    /// What it comes to.
    #[serde(flatten)]
    pub finding: Finding,
}

/// Where two setups part.
#[derive(Debug, Clone, Serialize)]
pub struct PartingAccount {
    /// Random games followed.
    pub games: u64,
    /// Of them, those in which the two part.
    pub parted: Share,
    /// The same within 1, 2, ... plies.
    pub by_ply: Vec<Share>,
    /// The exact chance of random play for it, as deep as it was reckoned.
    pub exact: Vec<f64>,
    /// The first that was found.
    pub first: Option<Divergence>,
    /// The readings and options of the two, as a command line chooses them.
    pub choices: [String; 2],
    /// What makes them part surely oftener when it is chosen in both: other alternatives, tried one by one in fewer games.
    pub oftener: Vec<Share>,
}

/// How many plies are told one by one.
const PLIES: u32 = 12;

fn share(name: impl Into<String>, hits: u64, n: u64) -> Share {
    Share { name: name.into(), of: None, hits, share: hits as f64 / n.max(1) as f64, interval: wilson(hits, n) }
}

impl MeasureDifference {
    /// What makes one of its unit: shares are told in percentage points.
    #[must_use]
    pub fn unit(&self) -> f64 {
        if self.share { 100.0 } else { 1.0 }
    }

    /// Whether what is measured happens at all.
    #[must_use]
    pub fn happens(&self) -> bool {
        let differing = self.finding.difference.is_some_and(|found| found.differing > 0);
        differing || self.finding.means.iter().any(|mean| *mean != 0.0)
    }
}

impl Account {
    /// The places, among the shares of a line-up's figures, of what happens under some setup; what never does needs no column.
    #[must_use]
    pub fn happening(&self, line_up: &str) -> Vec<usize> {
        let figures = self.setups.iter().flat_map(|setup| &setup.played).filter(|figures| figures.line_up == line_up);
        let happens = figures.flat_map(|figures| figures.shares.iter().enumerate()).filter(|(_, share)| share.hits > 0);
        let places: std::collections::BTreeSet<usize> = happens.map(|(n, _)| n).collect();
        places.into_iter().collect()
    }
}

impl Comparison {
    /// How many differences are corrected for together: those of readings and files.
    #[must_use]
    pub fn comparisons(&self) -> usize {
        self.design.main_contrasts().count() * self.measures().len() * self.line_ups.len()
    }

    /// The level of every test.
    #[must_use]
    pub fn level(&self) -> f64 {
        LEVEL / self.looks() as f64
    }

    /// How many games are needed to find a difference of shares, with all comparisons corrected for by the strictest
    /// step of Holm's procedure.
    #[must_use]
    pub fn games_to_detect(&self, difference: f64, power: f64) -> u64 {
        games_to_detect(difference, power, self.level() / self.comparisons().max(1) as f64)
    }

    /// The findings in words and figures.
    #[must_use]
    pub fn account(&self, findings: &Findings, interrupted: bool) -> Account {
        let design = &self.design;
        let game = |cell: usize| design.cells.get(cell).map(|cell| &cell.rules.game);
        let rules = design.cells.first().map(|cell| &cell.rules);
        let line_ups: Vec<String> = self.line_ups.iter().map(ToString::to_string).collect();
        // n is a constant over the square of the difference.
        let played = findings.played.iter().flatten().map(|played| played.report.games).min().unwrap_or(0);
        let detectable = (self.games_to_detect(0.01, 0.8) as f64 / played.max(1) as f64).sqrt() * 0.01;
        Account {
            game: rules.map(|rules| rules.game.title.clone()).unwrap_or_default(),
            version: env!("CARGO_PKG_VERSION"),
            question: match design.question {
                Question::Each(_) => Asked::Each,
                Question::Factorial(_) => Asked::Factorial,
                Question::Against(..) => Asked::Against,
            },
            chosen: rules.map_or_else(
                || NamedSetup { readings: vec![], options: vec![] },
                |rules| rules.setup.named(&rules.game),
            ),
            seed: self.seed,
            games: self.games,
            played,
            looked_into: self.look_into,
            max_turns: rules.map_or(0, |rules| rules.limit.min(self.max_turns)),
            looks: self.looks(),
            level: self.level(),
            margin: self.margin,
            comparisons: self.comparisons(),
            detectable: detectable.min(1.0),
            setups: design.cells.iter().enumerate().map(|(n, cell)| self.setup(n, cell, findings)).collect(),
            contrasts: design
                .contrasts
                .iter()
                .enumerate()
                .filter_map(|(n, contrast)| Some(self.contrast(n, contrast, game(0)?, findings)))
                .collect(),
            line_ups,
            interrupted,
        }
    }

    /// What a setup is called.
    fn called(&self, n: usize, cell: &Cell) -> String {
        let title = &cell.rules.game.title;
        let first = self.design.cells.first().map(|cell| &cell.rules.game.title);
        match self.design.question {
            Question::Against(..) if n > 0 && Some(title) == first => format!("{title} (the other file)"),
            Question::Against(..) => title.clone(),
            _ => name(&cell.rules.game, &cell.changes),
        }
    }

    fn setup(&self, n: usize, cell: &Cell, findings: &Findings) -> SetupAccount {
        let same = self.design.cells.iter().enumerate().take(n).find(|(_, other)| other.hash == cell.hash);
        let game = &cell.rules.game;
        let variant = cell.rules.setup.variants(game).next().is_some();
        let played = findings.played.iter().zip(&self.line_ups);
        SetupAccount {
            name: self.called(n, cell),
            game: game.title.clone(),
            setup: cell.rules.setup.named(game),
            rules: cell.hash.clone(),
            same_as: same.map(|(n, other)| self.called(n, other)),
            variant,
            played: played
                .filter_map(|(cells, line_up)| Some(self.figures(cell, cells.get(n)?, &line_up.to_string())))
                .collect(),
        }
    }

    fn figures(&self, cell: &Cell, played: &Played, line_up: &str) -> Figures {
        let (report, detail) = (&played.report, &played.detail);
        let hits = |measure: &Measure| match measure {
            Measure::Wins(place) => report.wins_by_place.get(*place).copied(),
            Measure::Draws => Some(report.draws),
            Measure::Stopped => Some(report.stopped),
            Measure::Endless => Some(report.endless),
            Measure::Turns => None,
        };
        let measures = self.measures();
        let named = |measure: &Measure| self.measure(*measure, line_up);
        let shares = measures.iter().filter_map(|measure| {
            Some(Share { of: Some(*measure), ..share(named(measure), hits(measure)?, report.games) })
        });
        let ending = |(id, ending): (EndingId, &crate::rules::Ending)| {
            share(ending.name.clone(), report.endings.get(id.index()).copied().unwrap_or(0), report.games)
        };
        let choices = detail.branching.len();
        Figures {
            line_up: line_up.to_owned(),
            games: report.games,
            shares: shares.collect(),
            endings: cell.rules.game.endings.entries().map(ending).collect(),
            turns_interval: report.turns.summary().and_then(|turns| mean_interval(turns.mean, turns.sd, report.games)),
            turns: report.turns.summary(),
            captured: report.captured.summary(),
            detail: DetailFigures {
                games: detail.games,
                branching: detail.branching.summary(),
                forced: (choices > 0).then(|| detail.forced as f64 / choices as f64),
                moves_per_turn: detail.moves.summary(),
                passes: detail.passes.summary(),
                captures: detail.captures.summary(),
                laps: detail.laps.summary(),
                seeds: detail.seeds.summary(),
                lead_changes: detail.lead_changes.summary(),
                comebacks: share("comebacks", detail.comebacks, detail.decided),
            },
        }
    }

    /// What a measure is called under a line-up: where all play alike, wins are those of seats.
    #[must_use]
    pub fn measure(&self, measure: Measure, line_up: &str) -> String {
        match measure {
            Measure::Wins(place) => {
                let found = self.line_ups.iter().find(|other| other.to_string() == line_up);
                let rules = self.design.cells.first().map(|cell| &cell.rules);
                let side =
                    rules.and_then(|rules| rules.sides.iter().find(|side| side.seats.contains(&SeatId::new(place))));
                let Some(side) = side else { return String::new() };
                let players = side.seats.iter().map(|seat| found?.player(seat.index())).collect::<Option<Vec<_>>>();
                format!("{} wins", players.map_or_else(|| side.name.clone(), |players| players.join("+")))
            }
            Measure::Draws => "draws".to_owned(),
            Measure::Stopped => "stopped".to_owned(),
            Measure::Endless => "endless sowing".to_owned(),
            Measure::Turns => "turns".to_owned(),
        }
    }

    fn contrast(&self, n: usize, contrast: &Contrast, game: &Game, findings: &Findings) -> ContrastAccount {
        let alternative = |reading: ReadingId, id: AlternativeId| game.readings.at(reading).alternatives.at(id);
        let kind = match &contrast.subject {
            Subject::Reading { within: Some(_), .. } => Kind::Simple,
            Subject::Reading { .. } if contrast.is_variant(game) => Kind::Variant,
            Subject::Reading { .. } => Kind::Reading,
            Subject::Interaction(_) => Kind::Interaction,
            Subject::File => Kind::File,
        };
        let about = |reading: ReadingId, from: AlternativeId, to: AlternativeId| {
            let (name, from, to) =
                (&game.readings.at(reading).name, alternative(reading, from), alternative(reading, to));
            format!("{name}: {} instead of {}", to.name, from.name)
        };
        let cell = |n: usize| self.design.cells.get(n).map(|cell| self.called(n, cell)).unwrap_or_default();
        let given = match contrast.subject {
            Subject::Reading { within: Some(n), .. } => Some(match cell(n) {
                plain if plain == AS_CHOSEN => format!("all else {AS_CHOSEN}"),
                other => format!("with {other}"),
            }),
            _ => None,
        };
        let (called, halves) = match &contrast.subject {
            Subject::Reading { reading, from, to, .. } => {
                let halves = [from, to].map(|id| alternative(*reading, *id).name.clone());
                let given = given.iter().map(|given| format!(", {given}")).collect::<String>();
                (format!("{}{given}", about(*reading, *from, *to)), halves)
            }
            Subject::Interaction([one, two]) => (
                format!("{}, and {}", about(one.0, one.1, one.2), about(two.0, two.1, two.2)),
                [two.1, two.2].map(|id| format!("with {}", alternative(two.0, id).name)),
            ),
            Subject::File => (format!("{} instead of {}", cell(1), cell(0)), [cell(0), cell(1)]),
        };
        let reading = match &contrast.subject {
            Subject::Reading { reading: id, from, to, .. } => {
                let (reading, from, to) = (game.readings.at(*id), alternative(*id, *from), alternative(*id, *to));
                Some(ReadingAccount {
                    name: reading.name.clone(),
                    question: reading.question.clone(),
                    from: from.name.clone(),
                    to: to.name.clone(),
                    text: to.text.clone(),
                    basis: BasisKind::of(&to.basis),
                })
            }
            _ => None,
        };
        let measures = self.measures();
        let of_line_up = |(contrasts, line_up): (&Vec<Vec<Finding>>, &crate::agents::LineUp)| {
            let line_up = line_up.to_string();
            let differences = measures.iter().zip(contrasts.get(n)?).map(|(measure, finding)| MeasureDifference {
                measure: self.measure(*measure, &line_up),
                share: measure.is_share(),
                of: *measure,
                finding: finding.clone(),
            });
            Some(LineUpDifferences { measures: differences.collect(), line_up: line_up.clone() })
        };
        ContrastAccount {
            name: called,
            kind,
            halves,
            given,
            reading,
            differences: findings.differences.iter().zip(&self.line_ups).filter_map(of_line_up).collect(),
            parting: self.parting(n, contrast, game, findings),
        }
    }

    fn parting(&self, n: usize, contrast: &Contrast, game: &Game, findings: &Findings) -> Option<PartingAccount> {
        let parting = findings.partings.get(n)?.as_ref().filter(|parting| parting.games > 0)?;
        let (one, two) = contrast.plainest()?;
        let (one, two) = (self.design.cells.get(one)?, self.design.cells.get(two)?);
        let within = |ply: u32| share(format!("within {ply} plies"), up_to(&parting.plies, ply), parting.games);
        Some(PartingAccount {
            games: parting.games,
            parted: share("parted", parting.parted, parting.games),
            by_ply: (1..=PLIES).map(within).collect(),
            exact: parting.exact.clone(),
            first: parting.divergence(&one.rules, &two.rules),
            oftener: self.oftener(n, game, findings, wilson(parting.parted, parting.games)),
            choices: [one, two].map(|cell| choices(&cell.rules.game, &cell.rules.setup)),
        })
    }
}

/// The most alternatives told that make two setups part oftener.
const OFTENER: usize = 3;

impl Comparison {
    /// The alternatives of other readings under which two setups part oftener than within this interval, the worst first.
    fn oftener(&self, n: usize, game: &Game, findings: &Findings, here: Interval) -> Vec<Share> {
        let tried = findings.elsewhere.get(n).into_iter().flatten();
        let shares = tried.map(|tried| share(name(game, &[tried.given]), tried.parting.parted, tried.parting.games));
        let mut found: Vec<Share> = shares.filter(|share| share.interval.low > here.high).collect();
        found.sort_by_key(|share| std::cmp::Reverse(share.hits));
        found.truncate(OFTENER);
        found
    }
}

/// How a command line chooses a setup: what is not as where nothing is chosen.
fn choices(game: &Game, setup: &Setup) -> String {
    let (named, defaults) = (setup.named(game), Setup::defaults(game).named(game));
    let readings = named.readings.iter().zip(&defaults.readings).filter(|(chosen, default)| chosen != default);
    let readings = readings.map(|((name, value), _)| format!(" --reading {name}={value}"));
    let options = named.options.iter().zip(&defaults.options).filter(|(chosen, default)| chosen != default);
    readings.chain(options.map(|((name, value), _)| format!(" --set {name}={value}"))).collect()
}

/// How many values are no larger than this.
fn up_to(tally: &Tally, most: u32) -> u64 {
    tally.counts().take_while(|(value, _)| *value <= most).map(|(_, count)| count).sum()
}
