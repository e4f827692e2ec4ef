//! What is played and what is compared: cells, which are setups, and contrasts between them.

use std::sync::Arc;

use crate::{
    check::bind,
    rules::{AlternativeId, Game, ReadingId, Rules, Setup},
};

/// The most setups of one comparison.
const MAX_CELLS: usize = 512;

/// What is asked of a game's readings.
#[derive(Debug, Clone)]
pub enum Question {
    /// Each of these readings by itself: every alternative against the one chosen, the others as chosen.
    Each(Vec<ReadingId>),
    /// All combinations of these readings.
    Factorial(Vec<ReadingId>),
    /// The game against another one.
    Against(Arc<Game>, Box<Setup>),
}

/// A setup that is played.
#[derive(Debug, Clone)]
pub struct Cell {
    /// How it differs from the setup chosen; empty where it does not.
    pub changes: Vec<(ReadingId, AlternativeId)>,
    /// The game with its readings and options.
    pub rules: Rules,
    /// The hash of these rules.
    pub hash: String,
}

/// What is compared: the mean of a difference over pairs of cells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contrast {
    /// What it is about.
    pub subject: Subject,
    /// The cells, by their place in [`Design::cells`], and whether each is counted (1) or taken off (-1). Each pair of
    /// the two is played with the same random numbers.
    pub weights: Vec<(usize, i64)>,
}

/// What a contrast is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    /// An alternative of a reading against the one that was chosen: on average over what else is combined with it,
    /// variants left out, which are no readings of the text.
    Reading {
        /// The reading.
        reading: ReadingId,
        /// The alternative that was chosen.
        from: AlternativeId,
        /// The other one.
        to: AlternativeId,
        /// The one cell in which the comparison is made, of several that it is averaged over elsewhere.
        within: Option<usize>,
    },
    /// Whether the difference that one alternative makes hangs on another: the difference of the two differences.
    Interaction([(ReadingId, AlternativeId, AlternativeId); 2]),
    /// Another rule file.
    File,
}

/// What is played and what is compared.
#[derive(Debug, Clone)]
pub struct Design {
    /// What was asked.
    pub question: Question,
    /// The setups; the first is the one chosen.
    pub cells: Vec<Cell>,
    /// The comparisons.
    pub contrasts: Vec<Contrast>,
}

/// Why a question cannot be answered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DesignError {
    /// There is nothing to compare.
    #[error("the file has no readings; `--against` compares it with another file")]
    NoReadings,
    /// Readings that hang on others do not matter as these are chosen.
    #[error("as the others are chosen, {reading} does not matter; it does {needed}: choose that with `--reading`")]
    NoMatter {
        /// The reading.
        reading: String,
        /// On what it hangs.
        needed: String,
    },
    /// Too many combinations.
    #[error("these readings have {cells} combinations, and at most {MAX_CELLS} are played; name fewer of them")]
    TooMany {
        /// How many.
        cells: usize,
    },
    /// A setup that cannot be played.
    #[error("it cannot be played with {under}: {why}")]
    Unplayable {
        /// What is chosen.
        under: String,
        /// What is wrong.
        why: String,
    },
    /// Setups that do not have as many players.
    #[error("{0} has {1} seats, and not {2}: who wins cannot be compared")]
    Seats(String, usize, usize),
}

impl Contrast {
    /// How many pairs it averages over.
    #[must_use]
    pub fn pairs(&self) -> u32 {
        let least = match self.subject {
            Subject::Interaction(_) => 4,
            _ => 2,
        };
        u32::try_from(self.weights.len() / least).unwrap_or(u32::MAX).max(1)
    }

    /// What is held against each other, as sums over cells: the second less the first is the contrast.
    pub(super) fn halves(&self) -> [Vec<(usize, i64)>; 2] {
        let mut halves = [vec![], vec![]];
        let [first, second] = &mut halves;
        if self.is_interaction() {
            // Four cells each: neither alternative, the first, the second, both.
            for corners in self.weights.chunks_exact(4) {
                if let [(neither, _), (one, _), (other, _), (both, _)] = corners {
                    first.extend([(*neither, -1), (*one, 1)]);
                    second.extend([(*other, -1), (*both, 1)]);
                }
            }
        } else {
            for (cell, weight) in &self.weights {
                if *weight < 0 { first.push((*cell, 1)) } else { second.push((*cell, 1)) }
            }
        }
        halves
    }

    /// How far from nought a single difference of shares can be.
    #[must_use]
    pub fn reach(&self) -> f64 {
        if self.is_interaction() { 2.0 } else { 1.0 }
    }

    /// Whether it asks how much a reading, or a file, matters, and not what that hangs on.
    #[must_use]
    pub fn is_main(&self) -> bool {
        matches!(self.subject, Subject::Reading { within: None, .. } | Subject::File)
    }

    /// Whether it asks how two readings hang together.
    #[must_use]
    pub fn is_interaction(&self) -> bool {
        matches!(self.subject, Subject::Interaction(_))
    }

    /// Whether an alternative takes part that is no reading of the text: it departs from a claim, or is borrowed from
    /// elsewhere.
    #[must_use]
    pub fn is_variant(&self, game: &Game) -> bool {
        let variant = |reading: ReadingId, alternative: AlternativeId| {
            game.readings.at(reading).alternatives.at(alternative).basis.is_variant()
        };
        match &self.subject {
            Subject::Reading { reading, from, to, .. } => variant(*reading, *from) || variant(*reading, *to),
            Subject::Interaction(both) => {
                both.iter().any(|(reading, from, to)| variant(*reading, *from) || variant(*reading, *to))
            }
            Subject::File => false,
        }
    }

    /// The two cells that differ in nothing else, everything beside being as chosen; none for what is no main contrast.
    #[must_use]
    pub fn plainest(&self) -> Option<(usize, usize)> {
        let first = |sign: i64| self.weights.iter().filter(|(_, weight)| *weight == sign).map(|(cell, _)| *cell).min();
        if self.is_main() { first(-1).zip(first(1)) } else { None }
    }
}

impl Design {
    /// Lays out what is played for a question, beginning from a setup.
    ///
    /// # Errors
    /// [`DesignError`] when there is nothing to compare, too much, or a setup that cannot be played.
    pub fn new(game: &Arc<Game>, chosen: &Setup, question: Question) -> Result<Self, DesignError> {
        let mut design = Self { cells: vec![], contrasts: vec![], question: Question::Each(vec![]) };
        design.cell(game, chosen, chosen)?;
        match &question {
            Question::Each(readings) => design.each(game, chosen, readings)?,
            Question::Factorial(readings) => design.factorial(game, chosen, readings)?,
            Question::Against(other, setup) => {
                design.cell(other, setup, setup)?;
                design.contrasts.push(Contrast { subject: Subject::File, weights: vec![(0, -1), (1, 1)] });
            }
        }
        if design.contrasts.is_empty() {
            return Err(idle(game, &question));
        }
        let seats = design.cells.first().map_or(0, |cell| cell.rules.seats.len());
        if let Some(cell) = design.cells.iter().find(|cell| cell.rules.seats.len() != seats) {
            let called = match question {
                Question::Against(..) => cell.rules.game.title.clone(),
                _ => name(game, &cell.changes),
            };
            return Err(DesignError::Seats(called, cell.rules.seats.len(), seats));
        }
        design.question = question;
        Ok(design)
    }

    /// The cell of a setup.
    fn cell(&mut self, game: &Arc<Game>, chosen: &Setup, setup: &Setup) -> Result<usize, DesignError> {
        if let Some(at) =
            self.cells.iter().position(|cell| cell.rules.setup == *setup && Arc::ptr_eq(&cell.rules.game, game))
        {
            return Ok(at);
        }
        let changes = game.readings.ids().map(|id| (id, setup.reading(id)));
        let changes: Vec<_> = changes.filter(|(id, alternative)| *alternative != chosen.reading(*id)).collect();
        let rules = bind(game, setup)
            .map_err(|error| DesignError::Unplayable { under: name(game, &changes), why: error.to_string() })?;
        let hash = rules.hash();
        self.cells.push(Cell { changes, rules, hash });
        Ok(self.cells.len() - 1)
    }

    fn each(&mut self, game: &Arc<Game>, chosen: &Setup, readings: &[ReadingId]) -> Result<(), DesignError> {
        for id in readings {
            let reading = game.readings.at(*id);
            // A reading that hangs on another, which may hang on a third, is compared where it matters.
            let (mut base, mut hangs) = (chosen.clone(), reading.only_when);
            for _ in &game.readings {
                let Some((other, needed)) = hangs else { break };
                base = base.with_reading(other, needed);
                hangs = game.readings.at(other).only_when;
            }
            let from = base.reading(*id);
            for to in reading.alternatives.ids().filter(|to| *to != from) {
                let minus = self.cell(game, chosen, &base)?;
                let plus = self.cell(game, chosen, &base.with_reading(*id, to))?;
                let subject = Subject::Reading { reading: *id, from, to, within: None };
                self.contrasts.push(Contrast { subject, weights: vec![(minus, -1), (plus, 1)] });
            }
        }
        Ok(())
    }

    fn factorial(&mut self, game: &Arc<Game>, chosen: &Setup, readings: &[ReadingId]) -> Result<(), DesignError> {
        let sizes = readings.iter().map(|id| game.readings.at(*id).alternatives.len());
        let cells = sizes.fold(1usize, usize::saturating_mul);
        if cells > MAX_CELLS {
            return Err(DesignError::TooMany { cells });
        }
        let mut setups = vec![chosen.clone()];
        for id in readings {
            let alternatives = game.readings.at(*id).alternatives.ids();
            // The alternative that was chosen comes first, and so the setup that was chosen.
            let mut order: Vec<AlternativeId> = alternatives.collect();
            order.sort_by_key(|alternative| *alternative != chosen.reading(*id));
            setups = setups
                .iter()
                .flat_map(|setup| {
                    order.iter().map(|alternative| setup.with_reading(*id, *alternative)).collect::<Vec<_>>()
                })
                .collect();
        }
        setups.retain(|setup| setup.matters(game));
        for setup in &setups {
            self.cell(game, chosen, setup)?;
        }
        let others = |id: &ReadingId| {
            let from = chosen.reading(*id);
            let all = game.readings.at(*id).alternatives.ids().filter(move |to| *to != from);
            all.map(move |to| (from, to)).collect::<Vec<_>>()
        };
        // What is no reading of the text is not averaged over, unless it was chosen.
        let of_text = |setup: &Setup| setup.variants(game).all(|id| setup.reading(id) == chosen.reading(id));
        for id in readings {
            for (from, to) in others(id) {
                let mut pairs = vec![];
                for base in setups.iter().filter(|setup| setup.reading(*id) == from && of_text(setup)) {
                    pairs.push(self.corners(game, &[(base.clone(), -1), (base.with_reading(*id, to), 1)]));
                }
                pairs.retain(|pair| !pair.is_empty());
                self.push(Subject::Reading { reading: *id, from, to, within: None }, pairs.concat());
                for pair in pairs.iter().filter(|_| pairs.len() > 1) {
                    let within = pair.first().map(|(cell, _)| *cell);
                    self.push(Subject::Reading { reading: *id, from, to, within }, pair.clone());
                }
            }
        }
        for (n, one) in readings.iter().enumerate() {
            for two in readings.iter().skip(n + 1) {
                for ((from, to), (other_from, other_to)) in
                    others(one).into_iter().flat_map(|a| others(two).into_iter().map(move |b| (a, b)))
                {
                    let mut weights = vec![];
                    let plain = |setup: &&Setup| {
                        setup.reading(*one) == from && setup.reading(*two) == other_from && of_text(setup)
                    };
                    for base in setups.iter().filter(plain) {
                        let (a, b) = (base.with_reading(*one, to), base.with_reading(*two, other_to));
                        let both = a.with_reading(*two, other_to);
                        weights.extend(self.corners(game, &[(base.clone(), 1), (a, -1), (b, -1), (both, 1)]));
                    }
                    self.push(Subject::Interaction([(*one, from, to), (*two, other_from, other_to)]), weights);
                }
            }
        }
        Ok(())
    }

    /// The cells of some setups, if all of them are played.
    fn corners(&self, game: &Game, corners: &[(Setup, i64)]) -> Vec<(usize, i64)> {
        let found = corners.iter().map(|(setup, weight)| {
            let at = self.cells.iter().position(|cell| cell.rules.setup == *setup).filter(|_| setup.matters(game));
            at.map(|at| (at, *weight))
        });
        found.collect::<Option<Vec<_>>>().unwrap_or_default()
    }

    fn push(&mut self, subject: Subject, weights: Vec<(usize, i64)>) {
        if !weights.is_empty() {
            self.contrasts.push(Contrast { subject, weights });
        }
    }

    /// Contrasts that ask how much a reading, or a file, matters.
    pub fn main_contrasts(&self) -> impl Iterator<Item = &Contrast> {
        self.contrasts.iter().filter(|contrast| contrast.is_main())
    }
}

/// Why readings have nothing to be compared.
fn idle(game: &Game, question: &Question) -> DesignError {
    let (Question::Each(readings) | Question::Factorial(readings)) = question else { return DesignError::NoReadings };
    let hanging = readings.iter().find_map(|id| game.readings.at(*id).only_when.map(|when| (id, when)));
    let Some((id, (other, needed))) = hanging else { return DesignError::NoReadings };
    let other = game.readings.at(other);
    let needed = format!("where {} is {}", other.name, other.alternatives.at(needed).name);
    DesignError::NoMatter { reading: game.readings.at(*id).name.clone(), needed }
}

/// What the setup is called from which the others depart.
pub(super) const AS_CHOSEN: &str = "as chosen";

/// Alternatives by name: `chain=none capture-side=own`.
pub(super) fn name(game: &Game, changes: &[(ReadingId, AlternativeId)]) -> String {
    if changes.is_empty() {
        return AS_CHOSEN.to_owned();
    }
    let named = changes.iter().map(|(id, alternative)| {
        let reading = game.readings.at(*id);
        format!("{}={}", reading.name, reading.alternatives.at(*alternative).name)
    });
    named.collect::<Vec<_>>().join(" ")
}
