//! The parts of a file: each declared once, in its kind, and put into the game.

use std::collections::HashMap;

use super::scope::{Defined, Definition, Scope, Symbol};
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
    let squares =
        |line: &ast::BoardLine| matches!(line.kind, ast::BoardLineKind::Grid { .. } | ast::BoardLineKind::Cross { .. });
    file.boards.iter().flat_map(|board| &board.lines).any(squares)
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
        for (n, track) in self.file.tracks.iter().enumerate() {
            self.scope.declare(&track.name, Symbol::Track(TrackId::new(n)), &mut self.found);
        }
        self.regions();
        self.marks();
        self.states();
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
        let rule = self.rule(RuleKind::Option, option.name.span, &option.grounds);
        let (name, text) = (option.name.node.clone(), option.text.clone());
        Some(GameOption { name, text, scale, default, low, high, rule, span: option.name.span })
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
            self.rule(RuleKind::Seats, seats.span, &seats.grounds);
            self.game.seats_span = seats.span;
            self.game.partners = seats.partners;
            self.typed(&seats.count, Type::Number)
        });
        let board = self.only(
            &file.boards,
            |board| board.span,
            "`board`",
            ("the board", "board { rows 2 of 6  start 4 in each pit  sow counterclockwise }"),
        );
        let board = board.and_then(|board| self.board(board));
        for track in &file.tracks {
            self.track(track);
        }
        if let Some(men) = self.at_most_one(&file.men, |men| men.span, "line of `men`") {
            self.men(men);
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

    pub(super) fn at_most_one<'f, T>(
        &mut self,
        all: &'f [T],
        span: fn(&T) -> Span,
        what: &'static str,
    ) -> Option<&'f T> {
        let first = all.first()?;
        for other in all.iter().skip(1) {
            let problem = Problem::DuplicatePart { what };
            self.found.push(Diagnostic::new(problem, span(other)).with_note(span(first), "the first one is here"));
        }
        Some(first)
    }

    fn variable(&mut self, variable: &ast::Variable) {
        self.rule(RuleKind::Variable, variable.name.span, &variable.grounds);
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
            self.rule(RuleKind::Define, define.name.span, &define.grounds);
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
                    ast::TypeName::Player => Type::Player,
                    ast::TypeName::Direction => Type::Direction,
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
        self.rule(RuleKind::Limit, limit.span, &limit.grounds);
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
        for (n, track) in file.tracks.iter().enumerate().skip(1) {
            unused(self, &track.name, Symbol::Track(TrackId::new(n)), "track");
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
        let (mut regions, mut marks) = (0, 0);
        for line in file.boards.iter().flat_map(|board| &board.lines) {
            match &line.kind {
                ast::BoardLineKind::Places { name, .. } => {
                    unused(self, name, Symbol::Region(RegionId::new(regions)), "name of places");
                    regions += 1;
                }
                ast::BoardLineKind::Mark { name, .. } => {
                    unused(self, name, Symbol::Mark(MarkId::new(marks)), "mark");
                    marks += 1;
                }
                _ => {}
            }
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
        partners: false,
        seats_span: Span::default(),
        board: BoardPlan {
            layout: Layout::Cross { wide: Expr::Number(0), long: Expr::Number(0) },
            start: vec![],
            span: Span::default(),
        },
        regions: Table::default(),
        marks: Table::default(),
        tracks: Table::default(),
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
