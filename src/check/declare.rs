//! The parts of a file: each declared once, in its kind, and put into the game.

use std::collections::HashMap;

use super::{
    citations::Grounds,
    scope::{Defined, Definition, Scope, Symbol},
};
use crate::{
    diagnostic::{Diagnostic, Problem, nearest},
    rules::*,
    span::{Name, Span, Spanned},
    syntax::ast,
};

/// The game as far as it is built, and what was found on the way.
pub(super) struct Builder<'a> {
    pub(super) file: &'a ast::File,
    pub(super) game: Game,
    pub(super) scope: Scope,
    pub(super) found: Vec<Diagnostic>,
    pub(super) definitions: Vec<Defined>,
    /// The type of each reading whose alternatives have values.
    pub(super) reading_types: HashMap<ReadingId, Type>,
    /// Whether the values of a reading are being looked at: they may not hang on another reading.
    pub(super) in_reading: bool,
    /// Values that `let` and `throw` give a name.
    pub(super) named: Vec<(VarId, Name)>,
    /// Whether it has been told that the board has no pits, or that there are no men.
    pub(super) told_noun: bool,
    pub(super) is_grid: bool,
    pub(super) has_men: bool,
}

/// How many readings, and how many options, a file may have.
const MAX_CHOICES: usize = 60;

/// Very many errors.
const MANY: usize = 100;

/// Builds the game; `None` when a part without which there is none is missing.
pub(super) fn build(file: &ast::File) -> (Option<Game>, Vec<Diagnostic>) {
    let mut builder = Builder {
        file,
        game: empty_game(file),
        scope: Scope::default(),
        found: vec![],
        definitions: vec![],
        reading_types: HashMap::new(),
        in_reading: false,
        named: vec![],
        told_noun: false,
        is_grid: is_grid(file),
        has_men: !file.men.is_empty() && !file.tracks.is_empty(),
    };
    let complete = builder.everything();
    (complete.map(|()| builder.game), builder.found)
}

fn is_grid(file: &ast::File) -> bool {
    file.boards.iter().flat_map(|board| &board.lines).any(|line| matches!(line.kind, ast::BoardLineKind::Grid { .. }))
}

impl Builder<'_> {
    fn everything(&mut self) -> Option<()> {
        self.sources();
        self.names();
        self.readings();
        let parts = self.parts();
        self.definitions();
        self.procedures();
        let turn = self.turn();
        self.endings();
        let limit = self.limit();
        self.examples();
        self.unused();
        self.uncited();
        parts?;
        self.game.turn = turn?;
        self.game.limit = limit?;
        Some(())
    }

    pub(super) fn report(&mut self, problem: Problem, span: Span) {
        self.found.push(Diagnostic::new(problem, span));
    }

    /// The candidate most like a name. A file with very many errors gets no more of these: to look for
    /// them takes the longest of all.
    pub(super) fn nearest<'n>(&self, name: &str, candidates: impl Iterator<Item = &'n str>) -> Option<String> {
        if self.found.len() > MANY { None } else { nearest(name, candidates) }
    }

    /// The visible name most like this one.
    pub(super) fn near(&self, name: &str) -> Option<String> {
        if self.found.len() > MANY { None } else { self.scope.near(name) }
    }

    /// Declares every name before any expression is looked at, so that their order does not matter.
    fn names(&mut self) {
        let file = self.file;
        let spans = |names: Vec<Span>| names.get(MAX_CHOICES).copied();
        let options = spans(file.options.iter().map(|option| option.name.span).collect());
        let readings = spans(file.readings.iter().map(|reading| reading.name.span).collect());
        for (what, extra) in [("options", options), ("readings", readings)] {
            if let Some(span) = extra {
                self.report(Problem::TooMany { what, max: MAX_CHOICES }, span);
            }
        }
        for option in &self.file.options {
            if let Some(declared) = self.option(option) {
                let id = self.game.options.push(declared);
                self.scope.declare(&option.name, Symbol::Option(id), &mut self.found);
            }
        }
        for reading in &self.file.readings {
            let id = self.declare_reading(reading);
            self.scope.declare(&reading.name, Symbol::Reading(id), &mut self.found);
        }
        for (index, define) in self.file.defines.iter().enumerate() {
            self.definitions.push(Defined::NotYet);
            self.scope.declare(&define.name, Symbol::Define(index), &mut self.found);
        }
        for (n, table) in self.file.throws.iter().enumerate() {
            self.scope.declare(&table.name, Symbol::Throw(ThrowId::new(n)), &mut self.found);
        }
        for (n, variable) in self.file.variables.iter().enumerate() {
            self.scope.declare(&variable.name, Symbol::Variable(VariableId::new(n)), &mut self.found);
        }
        for (n, procedure) in self.file.procedures.iter().enumerate() {
            self.scope.declare(&procedure.name, Symbol::Procedure(ProcedureId::new(n)), &mut self.found);
        }
        for track in &self.file.tracks {
            self.scope.declare(&track.name, Symbol::Track, &mut self.found);
        }
        self.regions();
        self.declare_endings();
    }

    fn option(&mut self, option: &ast::OptionDecl) -> Option<GameOption> {
        let scale = [&option.default, &option.low, &option.high].iter().map(|n| n.node.scale).max().unwrap_or(0);
        // A chance can be given to the fourth place, however coarsely its range is written.
        let scale = if scale == 0 { 0 } else { scale.max(4) };
        let mut scaled = |number: &Spanned<ast::Decimal>| {
            let factor = 10u64.checked_pow(scale.checked_sub(number.node.scale)?)?;
            let value =
                number.node.digits.checked_mul(factor).and_then(|n| i64::try_from(n).ok()).filter(|n| *n <= 1_000_000);
            if value.is_none() {
                self.found.push(Diagnostic::new(Problem::NotWhole, number.span));
            }
            value
        };
        let (default, low, high) = (scaled(&option.default)?, scaled(&option.low)?, scaled(&option.high)?);
        if default < low || default > high || low > high {
            self.report(Problem::DefaultOutOfRange { option: option.name.node.clone() }, option.default.span);
        }
        let rule = self.rule(option.name.span, &option.grounds);
        let (name, text) = (option.name.node.clone(), option.text.clone());
        Some(GameOption { name, text, scale, default, low, high, rule, span: option.name.span })
    }

    fn regions(&mut self) {
        let lines: Vec<&ast::BoardLine> = self.file.boards.iter().flat_map(|board| &board.lines).collect();
        for line in lines {
            let ast::BoardLineKind::Squares { name, squares } = &line.kind else { continue };
            self.rule(line.span, &line.grounds);
            let mut places: Vec<(Place, Span)> = vec![];
            for square in squares {
                match self.place(&square.node) {
                    Some(place) if places.iter().any(|(other, _)| *other == place) => {
                        self.report(Problem::Duplicate { what: "square", name: square.node.clone() }, square.span);
                    }
                    Some(place) => places.push((place, square.span)),
                    None => {
                        self.report(Problem::NotAPlace { name: square.node.clone(), grid: self.is_grid }, square.span);
                    }
                }
            }
            let id = self.game.regions.push(Region { name: name.node.clone(), squares: places });
            self.scope.declare(name, Symbol::Region(id), &mut self.found);
        }
    }

    /// The parts that stand once.
    fn parts(&mut self) -> Option<()> {
        let file = self.file;
        let head = file.game.as_ref();
        if head.is_none() {
            self.report(Problem::Missing { what: "the name of the game", example: "game \"Koumma\"" }, Span::default());
        }
        let seats = self.only(&file.seats, |seats| seats.span, "`seats`", ("how many play (`seats`)", "seats 2"));
        let seats = seats.and_then(|seats| {
            self.rule(seats.span, &seats.grounds);
            self.game.seats_span = seats.span;
            self.typed(&seats.count, Type::Number)
        });
        let board = self.only(
            &file.boards,
            |board| board.span,
            "`board`",
            ("the board", "board { rows 2 of 6  start 4 in each pit  sow counterclockwise }"),
        );
        let board = board.and_then(|board| self.board(board));
        if let Some(track) = self.at_most_one(&file.tracks, |track| track.name.span, "`track`") {
            self.track(track);
        }
        if let Some(men) = self.at_most_one(&file.men, |men| men.span, "line of `men`") {
            self.rule(men.span, &men.grounds);
            self.game.men = self.typed(&men.count, Type::Number).map(|count| (count, men.span));
            if file.tracks.is_empty() {
                self.report(Problem::MenWithoutTrack, men.span);
            }
        }
        for table in &file.throws {
            self.throw_table(table);
        }
        for variable in &file.variables {
            self.variable(variable);
        }
        self.game.seats = seats?;
        self.game.board = board?;
        head.map(|_| ())
    }

    /// The one part of its kind, or an error that it is missing.
    pub(super) fn only<'f, T>(
        &mut self,
        all: &'f [T],
        span: fn(&T) -> Span,
        what: &'static str,
        (missing, example): (&'static str, &'static str),
    ) -> Option<&'f T> {
        if all.is_empty() {
            self.report(Problem::Missing { what: missing, example }, Span::default());
        }
        self.at_most_one(all, span, what)
    }

    fn at_most_one<'f, T>(&mut self, all: &'f [T], span: fn(&T) -> Span, what: &'static str) -> Option<&'f T> {
        let first = all.first()?;
        for other in all.iter().skip(1) {
            let problem = Problem::DuplicatePart { what };
            self.found.push(Diagnostic::new(problem, span(other)).with_note(span(first), "the first one is here"));
        }
        Some(first)
    }

    fn board(&mut self, board: &ast::Board) -> Option<BoardPlan> {
        let (mut size, mut start, mut circuit) = (None, None, None);
        for line in &board.lines {
            let slot = match &line.kind {
                ast::BoardLineKind::Rows { .. } | ast::BoardLineKind::Grid { .. } => &mut size,
                ast::BoardLineKind::Start(_) => &mut start,
                ast::BoardLineKind::Circuit { .. } => &mut circuit,
                ast::BoardLineKind::Squares { .. } => continue,
            };
            if let Some(first) = slot.replace(line) {
                let problem = Problem::DuplicatePart { what: "line of the board" };
                self.found.push(Diagnostic::new(problem, line.span).with_note(first.span, "the first one is here"));
            }
            self.rule(line.span, &line.grounds);
        }
        let Some(size) = size else {
            self.report(Problem::Missing { what: "the size of the board", example: "rows 2 of 6" }, board.span);
            return None;
        };
        match &size.kind {
            ast::BoardLineKind::Grid { files, ranks } => {
                if let Some(line) = start.or(circuit) {
                    self.report(Problem::NoPits { word: "start" }, line.span);
                }
                let (files, ranks) = (self.typed(files, Type::Number), self.typed(ranks, Type::Number));
                Some(BoardPlan::Grid { files: files?, ranks: ranks?, span: size.span })
            }
            ast::BoardLineKind::Rows { rows, pits } => {
                let (rows, pits) = (self.typed(rows, Type::Number), self.typed(pits, Type::Number));
                let seeds_span = start.map_or(size.span, |line| line.span);
                let seeds = match start.map(|line| &line.kind) {
                    Some(ast::BoardLineKind::Start(seeds)) => self.typed(seeds, Type::Number),
                    _ => {
                        self.report(
                            Problem::Missing { what: "how many seeds lie in each pit", example: "start 4 in each pit" },
                            board.span,
                        );
                        None
                    }
                };
                let clockwise = match circuit.map(|line| &line.kind) {
                    Some(ast::BoardLineKind::Circuit { clockwise }) => *clockwise,
                    _ => {
                        self.report(
                            Problem::Missing { what: "the direction of sowing", example: "sow counterclockwise" },
                            board.span,
                        );
                        false
                    }
                };
                Some(BoardPlan::Pits {
                    rows: rows?,
                    pits: pits?,
                    seeds: seeds?,
                    seeds_span,
                    clockwise,
                    span: size.span,
                })
            }
            _ => None,
        }
    }

    fn track(&mut self, track: &ast::Track) {
        self.rule(track.name.span, &track.grounds);
        if !self.is_grid {
            self.report(Problem::TrackWithoutGrid, track.name.span);
            return;
        }
        let mut steps = vec![];
        for step in &track.steps {
            match self.place(&step.square.node) {
                Some(place) => steps.push((step.line, place, step.square.span)),
                None => {
                    self.report(Problem::NotAPlace { name: step.square.node.clone(), grid: true }, step.square.span);
                }
            }
        }
        if steps.len() < 2 {
            self.report(Problem::TrackEndsNowhere { name: track.name.node.clone() }, track.name.span);
        }
        self.game.track = Some(TrackPlan { name: track.name.node.clone(), steps, span: track.name.span });
        if self.file.men.is_empty() {
            self.report(
                Problem::Missing { what: "how many men walk this track", example: "men 4 each, at start" },
                track.span,
            );
        }
    }

    fn throw_table(&mut self, table: &ast::ThrowTable) {
        let grounds = self.grounds(&table.grounds, &Grounds::default());
        self.rule_on(table.name.span, &grounds);
        let mut counts: Vec<CountPlan> = vec![];
        for line in &table.lines {
            let own = self.grounds(&line.grounds, &grounds);
            self.rule_on(line.span, &own);
            let Some(up) = self.whole(line.up.node, line.up.span).and_then(|up| u64::try_from(up).ok()) else {
                continue;
            };
            if counts.iter().any(|other| other.up == up) {
                self.report(
                    Problem::Duplicate { what: "line for this number of pieces up:", name: up.to_string() },
                    line.up.span,
                );
            }
            if let Some(count) = self.whole(line.count.node, line.count.span) {
                counts.push(CountPlan { up, count, name: line.name.clone() });
            }
        }
        let chance = self.chance(&table.chance);
        let pieces = self.typed(&table.pieces, Type::Number);
        if let (Some(chance), Some(pieces)) = (chance, pieces) {
            let (span, chance_span) = (table.name.span, table.chance.span);
            self.game.throws.push(ThrowPlan {
                name: table.name.node.clone(),
                pieces,
                chance,
                counts,
                span,
                chance_span,
            });
        }
    }

    fn chance(&mut self, expr: &ast::Expr) -> Option<ChancePlan> {
        match &expr.kind {
            ast::ExprKind::Number(number) => {
                return Some(ChancePlan::Fixed { digits: number.digits, scale: number.scale });
            }
            ast::ExprKind::Word(name) => {
                if let Some(Symbol::Option(id)) = self.scope.symbol(name) {
                    return Some(ChancePlan::Option(id));
                }
            }
            _ => {}
        }
        self.report(Problem::NotAChance, expr.span);
        None
    }

    fn variable(&mut self, variable: &ast::Variable) {
        self.rule(variable.name.span, &variable.grounds);
        let lifetime = match variable.lifetime {
            ast::Lifetime::Turn => Lifetime::Turn,
            ast::Lifetime::Player => Lifetime::Player,
            ast::Lifetime::Game => Lifetime::Game,
        };
        let start = self.typed(&variable.start, Type::Number).unwrap_or(Expr::Number(0));
        let (name, span) = (variable.name.node.clone(), variable.name.span);
        self.game.variables.push(Variable { name, start, lifetime, span });
    }

    fn definitions(&mut self) {
        for (index, define) in self.file.defines.iter().enumerate() {
            self.rule(define.name.span, &define.grounds);
            self.scope.fresh();
            self.scope.open();
            let params = self.params(&define.params);
            let body = self.expr(&define.body);
            self.scope.fresh();
            if let Some(slot) = self.definitions.get_mut(index) {
                *slot = match body {
                    Some((body, kind)) => Defined::As(Definition { params, body, kind }),
                    None => Defined::Faulty,
                };
            }
        }
    }

    /// Binds parameters in the innermost block.
    pub(super) fn params(&mut self, params: &[ast::Param]) -> Vec<VarId> {
        params
            .iter()
            .map(|param| {
                let kind = match param.kind {
                    ast::TypeName::Number => Type::Number,
                    ast::TypeName::Numbers => Type::Numbers,
                    ast::TypeName::Truth => Type::Truth,
                    ast::TypeName::Site => Type::Site,
                    ast::TypeName::Sites => Type::Sites,
                    ast::TypeName::Man => Type::Man,
                    ast::TypeName::Men => Type::Men,
                };
                self.bind_local(&param.name, kind)
            })
            .collect()
    }

    fn limit(&mut self) -> Option<u32> {
        let limit = self.only(
            &self.file.limits,
            |limit| limit.span,
            "`limit`",
            ("the number of turns after which a game is stopped (`limit`)", "limit 1000 turns"),
        )?;
        self.rule(limit.span, &limit.grounds);
        let turns = self.whole(limit.turns.node, limit.turns.span)?;
        if turns == 0 {
            self.report(Problem::NoTurns, limit.turns.span);
        }
        u32::try_from(turns).ok()
    }

    fn unused(&mut self) {
        let unused = |builder: &mut Self, name: &Name, symbol: Symbol, what: &'static str| {
            let told = matches!(symbol, Symbol::Reading(id) if builder.scope.used_alternatives.contains(&id));
            if !told && !builder.scope.used.contains(&symbol) {
                builder.report(Problem::Unused { what, name: name.node.clone() }, name.span);
            }
        };
        let file = self.file;
        for (n, option) in file.options.iter().enumerate().take(self.game.options.len()) {
            unused(self, &option.name, Symbol::Option(OptionId::new(n)), "option");
        }
        for (n, reading) in file.readings.iter().enumerate() {
            unused(self, &reading.name, Symbol::Reading(ReadingId::new(n)), "reading");
        }
        for (n, define) in file.defines.iter().enumerate() {
            unused(self, &define.name, Symbol::Define(n), "definition");
        }
        for (n, table) in file.throws.iter().enumerate() {
            unused(self, &table.name, Symbol::Throw(ThrowId::new(n)), "throw");
        }
        for (n, variable) in file.variables.iter().enumerate() {
            unused(self, &variable.name, Symbol::Variable(VariableId::new(n)), "variable");
        }
        for (n, procedure) in file.procedures.iter().enumerate() {
            unused(self, &procedure.name, Symbol::Procedure(ProcedureId::new(n)), "procedure");
        }
        for (var, name) in std::mem::take(&mut self.named) {
            if !self.scope.read.contains(&var) {
                self.report(Problem::Unused { what: "value", name: name.node }, name.span);
            }
        }
        let regions: Vec<&Name> = file
            .boards
            .iter()
            .flat_map(|board| &board.lines)
            .filter_map(|line| match &line.kind {
                ast::BoardLineKind::Squares { name, .. } => Some(name),
                _ => None,
            })
            .collect();
        for (n, region) in regions.into_iter().enumerate() {
            unused(self, region, Symbol::Region(RegionId::new(n)), "name of squares");
        }
    }
}

fn empty_game(file: &ast::File) -> Game {
    let head = file.game.as_ref();
    Game {
        title: head.map(|head| head.title.node.clone()).unwrap_or_default(),
        also: head.map(|head| head.also.clone()).unwrap_or_default(),
        played: head.map(|head| head.played.clone()).unwrap_or_default(),
        sources: Table::default(),
        claims: Table::default(),
        readings: Table::default(),
        options: Table::default(),
        seats: Expr::Number(0),
        seats_span: Span::default(),
        board: BoardPlan::Grid { files: Expr::Number(0), ranks: Expr::Number(0), span: Span::default() },
        regions: Table::default(),
        track: None,
        men: None,
        throws: Table::default(),
        variables: Table::default(),
        vars: Table::default(),
        blocks: Table::default(),
        turn: BlockId::new(0),
        procedures: Table::default(),
        endings: Table::default(),
        limit: 0,
        rules: Table::default(),
        examples: vec![],
    }
}
