//! The board, what stands on it, and what is thrown.

use super::{citations::Grounds, declare::Builder, scope::Symbol};
use crate::{
    diagnostic::{Diagnostic, Problem},
    rules::*,
    span::{Name, Span},
    syntax::ast,
};

impl Builder<'_> {
    /// Declares the named places.
    pub(super) fn regions(&mut self) {
        for line in self.file.boards.iter().flat_map(|board| &board.lines) {
            let ast::BoardLineKind::Places { name, places } = &line.kind else { continue };
            self.board_rule(line);
            let region = self.region(&name.node, places);
            let id = self.game.regions.push(region);
            self.scope.declare(name, Symbol::Region(id), &mut self.found);
        }
    }

    fn board_rule(&mut self, line: &ast::BoardLine) {
        let grounds = self.grounds(&line.grounds, &Grounds::default());
        let inherited = line.inherited && !line.grounds.is_empty();
        self.rule_on(RuleKind::Board, line.span, Grounds { inherited, ..grounds });
    }

    /// A list of places, straight lines written out.
    fn region(&mut self, name: &str, list: &ast::PlaceList) -> Region {
        let mut places: Vec<(Place, Span)> = vec![];
        let mut seen = std::collections::HashSet::new();
        for (from, to) in &list.spans {
            let Some(first) = self.known_place(from) else { continue };
            let mut here = vec![first];
            if let Some(end) = to {
                let Some(last) = self.known_place(end) else { continue };
                match board::between(first, last, true) {
                    Some(line) => here.extend(line),
                    None => {
                        let (from, to) = (from.node.clone(), end.node.clone());
                        self.report(Problem::PlacesNoLine { from, to }, end.span);
                    }
                }
            }
            let span = to.as_ref().map_or(from.span, |end| from.span.to(end.span));
            for place in here {
                if !seen.insert(place) {
                    self.report(Problem::Duplicate { what: "place", name: board::describe(place) }, span);
                } else {
                    places.push((place, span));
                }
            }
        }
        Region { name: name.to_owned(), places, symmetry: list.symmetry.map(symmetry) }
    }

    fn known_place(&mut self, name: &Name) -> Option<Place> {
        let place = self.place(&name.node);
        if place.is_none() {
            self.report(Problem::NotAPlace { name: name.node.clone(), grid: self.is_grid }, name.span);
        }
        place
    }

    /// Declares the marks.
    pub(super) fn marks(&mut self) {
        for line in self.file.boards.iter().flat_map(|board| &board.lines) {
            let ast::BoardLineKind::Mark { name, skipped } = &line.kind else { continue };
            self.board_rule(line);
            let id = self.game.marks.push(Mark { name: name.node.clone(), skipped: *skipped, span: name.span });
            self.scope.declare(name, Symbol::Mark(id), &mut self.found);
            if self.is_grid {
                self.report(Problem::NoPits { word: "mark" }, line.span);
            }
        }
    }

    /// Declares the states of men.
    pub(super) fn states(&mut self) {
        for state in self.file.men.iter().take(1).flat_map(|men| &men.states) {
            let id = StateId::new(self.scope.states.len());
            if self.scope.states.insert(state.node.clone(), id).is_some() {
                self.report(Problem::Duplicate { what: "state", name: state.node.clone() }, state.span);
            }
        }
    }

    pub(super) fn board(&mut self, board: &ast::Board) -> Option<BoardPlan> {
        let (mut size, mut circuit) = (None, None);
        let mut starts = vec![];
        for line in &board.lines {
            let slot = match &line.kind {
                ast::BoardLineKind::Rows { .. }
                | ast::BoardLineKind::Grid { .. }
                | ast::BoardLineKind::Cross { .. } => &mut size,
                ast::BoardLineKind::Circuit { .. } => &mut circuit,
                ast::BoardLineKind::Start { seeds, places } => {
                    self.board_rule(line);
                    starts.push((line, seeds, places));
                    continue;
                }
                ast::BoardLineKind::Places { .. } | ast::BoardLineKind::Mark { .. } => continue,
            };
            if let Some(first) = slot.replace(line) {
                let problem = Problem::DuplicatePart { what: "line of the board" };
                self.found.push(Diagnostic::new(problem, line.span).with_note(first.span, "the first one is here"));
            }
            self.board_rule(line);
        }
        let Some(size) = size else {
            self.report(Problem::Missing { what: "the size of the board", example: "rows 2 of 6" }, board.span);
            return None;
        };
        let start = self.start(&starts);
        if self.is_grid
            && let Some(line) = starts.first().map(|(line, ..)| *line).or(circuit)
        {
            self.report(Problem::NoPits { word: "start" }, line.span);
        }
        let layout = match &size.kind {
            ast::BoardLineKind::Grid { files, ranks, without } => {
                let (files, ranks) = (self.typed(files, Type::Number), self.typed(ranks, Type::Number));
                let without = without.as_ref().map(|list| self.region("", list));
                Layout::Grid { files: files?, ranks: ranks?, without }
            }
            ast::BoardLineKind::Cross { wide, long } => {
                let (wide, long) = (self.typed(wide, Type::Number), self.typed(long, Type::Number));
                Layout::Cross { wide: wide?, long: long? }
            }
            ast::BoardLineKind::Rows { rows, pits } => {
                let (rows, pits) = (self.typed(rows, Type::Number), self.typed(pits, Type::Number));
                if starts.is_empty() {
                    let example = "start 4 in each pit";
                    self.report(Problem::Missing { what: "how many seeds lie in each pit", example }, board.span);
                }
                let (direction, through) = match circuit.map(|line| &line.kind) {
                    Some(ast::BoardLineKind::Circuit { clockwise, through }) => (*clockwise, *through),
                    _ => {
                        let example = "sow counterclockwise";
                        self.report(Problem::Missing { what: "the direction of sowing", example }, board.span);
                        (false, None)
                    }
                };
                let direction = if direction { Direction::Clockwise } else { Direction::Counterclockwise };
                let through = match through {
                    None => Through::None,
                    Some(ast::Through::Own) => Through::Own,
                    Some(ast::Through::All) => Through::All,
                };
                Layout::Pits { rows: rows?, pits: pits?, direction, through }
            }
            _ => return None,
        };
        Some(BoardPlan { layout, start, span: size.span })
    }

    fn start(&mut self, lines: &[(&ast::BoardLine, &ast::Expr, &Option<ast::PlaceList>)]) -> Vec<StartPlan> {
        let mut plans: Vec<StartPlan> = vec![];
        for (line, seeds, places) in lines {
            let everywhere = places.is_none();
            if let Some(first) = plans.iter().find(|plan| everywhere && plan.places.is_none()) {
                let problem = Problem::DuplicatePart { what: "line of the board" };
                self.found.push(Diagnostic::new(problem, line.span).with_note(first.span, "the first one is here"));
            }
            let places = places.as_ref().map(|list| self.region("", list));
            if let Some(seeds) = self.typed(seeds, Type::Number) {
                plans.push(StartPlan { seeds, places, span: line.span });
            }
        }
        // Those for some pits go over that for all, wherever it stands.
        plans.sort_by_key(|plan| plan.places.is_some());
        plans
    }

    pub(super) fn track(&mut self, track: &ast::Track) {
        self.rule(RuleKind::Track, track.name.span, &track.grounds);
        if !self.is_grid {
            self.report(Problem::TrackWithoutGrid, track.name.span);
            return;
        }
        let mut steps = vec![];
        for step in &track.steps {
            if let Some(place) = self.known_place(&step.square) {
                steps.push((step.line, place, step.square.span));
            }
        }
        let home = match &track.home {
            None => None,
            Some(ast::Home::BesideTheBoard) => Some(HomePlan::BesideTheBoard),
            Some(ast::Home::Square(square)) => {
                steps.extend(self.known_place(square).map(|place| (false, place, square.span)));
                Some(HomePlan::LastSquare)
            }
        };
        if steps.len() < 2 {
            self.report(Problem::TrackEndsNowhere { name: track.name.node.clone() }, track.name.span);
        }
        let mut then = vec![];
        for (name, square) in &track.then {
            let found = match self.scope.symbol(&name.node) {
                Some(Symbol::Track(id)) => id,
                _ => {
                    let names = self.scope.names_of(|symbol| matches!(symbol, Symbol::Track(_)));
                    let near = self.nearest(&name.node, names.into_iter());
                    self.report(Problem::UnknownTrack { name: name.node.clone(), near }, name.span);
                    continue;
                }
            };
            let place = square.as_ref().and_then(|square| self.known_place(square));
            then.push((found, place, square.as_ref().map_or(name.span, |square| square.span)));
        }
        if home.is_some()
            && let Some(other) = self.game.tracks.iter().find(|other| other.home.is_some())
        {
            let first = other.span;
            let found = Diagnostic::new(Problem::TwoHomes, track.name.span).with_note(first, "the first one is here");
            self.found.push(found);
        }
        if let (Some(_), Some(goal)) = (home, track.then.first()) {
            self.report(Problem::HomeAndThen, goal.0.span);
        }
        self.game.tracks.push(TrackPlan {
            name: track.name.node.clone(),
            hand: track.hand,
            steps,
            home,
            then,
            symmetry: symmetry(track.symmetry),
            span: track.name.span,
        });
        if self.file.men.is_empty() {
            let example = "men 4 each, at start";
            self.report(Problem::Missing { what: "how many men walk this track", example }, track.span);
        }
    }

    pub(super) fn men(&mut self, men: &ast::Men) {
        self.rule(RuleKind::Men, men.span, &men.grounds);
        let Some(first) = self.file.tracks.first() else {
            self.report(Problem::MenWithoutTrack, men.span);
            return;
        };
        let places = match &men.start {
            ast::MenStart::OneEach(list) => {
                let mut region = self.region("", list);
                region.symmetry.get_or_insert(symmetry(first.symmetry));
                Some(region)
            }
            _ => None,
        };
        if first.hand != matches!(men.start, ast::MenStart::InHand) && places.is_none() {
            self.report(Problem::MenWhere { hand: first.hand }, men.span);
        }
        let states = men.states.iter().map(|state| state.node.clone()).collect::<Vec<_>>().into();
        self.game.men =
            self.typed(&men.count, Type::Number).map(|count| MenPlan { count, states, places, span: men.span });
    }

    pub(super) fn throw_table(&mut self, table: &ast::ThrowTable) {
        let grounds = self.grounds(&table.grounds, &Grounds::default());
        self.rule_on(RuleKind::Throw, table.name.span, grounds.clone());
        let kind = match &table.kind {
            ast::ThrowKind::Faces(faces) => {
                let faces: Vec<_> = faces.iter().map(|face| self.typed(face, Type::Number)).collect();
                faces.into_iter().collect::<Option<_>>().map(ThrowKind::Faces)
            }
            ast::ThrowKind::Pieces { pieces, chance } => {
                let counts = self.counts(table, &grounds);
                let chance_span = chance.span;
                let (chance, pieces) = (self.chance(chance), self.typed(pieces, Type::Number));
                chance.zip(pieces).map(|(chance, pieces)| ThrowKind::Pieces { pieces, chance, counts, chance_span })
            }
        };
        if let Some(kind) = kind {
            self.game.throws.push(ThrowPlan { name: table.name.node.clone(), kind, span: table.name.span });
        }
    }

    fn counts(&mut self, table: &ast::ThrowTable, grounds: &Grounds) -> Vec<CountPlan> {
        let mut counts: Vec<CountPlan> = vec![];
        for line in &table.lines {
            let own = self.grounds(&line.grounds, grounds);
            self.rule_on(RuleKind::Count, line.span, own);
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
        counts
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
}

fn symmetry(written: ast::Symmetry) -> Symmetry {
    match written {
        ast::Symmetry::Turned => Symmetry::Turned,
        ast::Symmetry::Mirrored => Symmetry::Mirrored,
        ast::Symmetry::Same => Symmetry::Same,
    }
}
