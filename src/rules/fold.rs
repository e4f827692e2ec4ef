//! Readings and options put in, constants folded, branches that cannot be reached left out.

use std::collections::HashMap;

use super::{
    board::{Board, Seat},
    expr::{Expr, Op, Parity, Query, Type, Whose},
    game::Game,
    setup::Setup,
    stmt::{Block, BoundProcedure, Stmt, StmtKind},
    table::*,
};
use crate::{diagnostic::Problem, span::Span};

/// Folds a game's expressions and blocks for one setup.
pub(super) struct Folder<'a> {
    pub(super) game: &'a Game,
    pub(super) setup: &'a Setup,
    /// The board, once it is laid out.
    pub(super) board: Option<&'a Board>,
    pub(super) blocks: Table<BlockId, Block>,
    /// The procedures in the order in which they are met, and their new indices.
    pub(super) procedures: Table<ProcedureId, BoundProcedure>,
    procedure_ids: HashMap<ProcedureId, ProcedureId>,
    /// The types of the values of a turn, in the order in which they are met, and their new indices.
    pub(super) vars: Table<VarId, Type>,
    var_ids: HashMap<VarId, VarId>,
    /// The first place named that is not on the board.
    pub(super) off_board: Option<(Problem, Span)>,
    /// Where the statement or ending stands that is being folded.
    pub(super) here: Span,
    /// Whether a rule asks for the turns without a capture.
    pub(super) asks_quiet: bool,
    /// Whether a rule asks for the turns of a round.
    pub(super) asks_turns: bool,
    /// Whether a rule asks for repeated positions.
    pub(super) asks_repeated: bool,
    /// The seats, once they are known.
    pub(super) seats: Table<SeatId, Seat>,
}

impl<'a> Folder<'a> {
    pub(super) fn new(game: &'a Game, setup: &'a Setup) -> Self {
        Self {
            game,
            setup,
            board: None,
            blocks: Table::default(),
            procedures: Table::default(),
            procedure_ids: HashMap::new(),
            vars: Table::default(),
            var_ids: HashMap::new(),
            off_board: None,
            here: Span::default(),
            asks_quiet: false,
            asks_turns: false,
            asks_repeated: false,
            seats: Table::default(),
        }
    }

    /// A number known before play, if it is one.
    pub(super) fn fixed(&mut self, expr: &Expr) -> Option<i64> {
        match self.expr(expr) {
            Expr::Number(n) => Some(i64::from(n)),
            _ => None,
        }
    }

    pub(super) fn expr(&mut self, expr: &Expr) -> Expr {
        match expr {
            Expr::Option(id) => Expr::Number(i32::try_from(self.setup.option(*id)).unwrap_or(i32::MAX)),
            Expr::Is(reading, alternative) => Expr::Truth(self.setup.reading(*reading) == *alternative),
            Expr::Of(reading) => {
                let chosen = &self.game.readings.at(*reading).alternatives.at(self.setup.reading(*reading));
                match &chosen.value {
                    Some(value) => self.expr(value),
                    None => Expr::Ask(Query::NoPits, vec![]),
                }
            }
            Expr::Place(place) => match self.board.and_then(|board| board.site_at(*place)) {
                Some(site) => Expr::Site(site),
                None => {
                    let problem = Problem::OffBoard { place: super::board::describe(*place) };
                    self.off_board.get_or_insert((problem, self.here));
                    expr.clone()
                }
            },
            Expr::Region(region) => Expr::Sites(self.places(*region).iter().next().cloned().unwrap_or_default()),
            Expr::RegionOf(Whose::All, region) => Expr::Sites(self.places(*region).iter().flatten().copied().collect()),
            Expr::RegionOf(whose, region) => Expr::PlacesOf(*whose, self.places(*region)),
            Expr::InState(man, state) => Expr::InState(Box::new(self.expr(man)), *state),
            Expr::Those { var, set, condition, walk } => Expr::Those {
                var: self.var(*var),
                set: Box::new(self.expr(set)),
                condition: self.condition(condition.as_deref()).map(Box::new),
                walk: self.condition(walk.as_deref()).map(Box::new),
            },
            Expr::Listed(items) => Expr::Listed(items.iter().map(|item| self.expr(item)).collect()),
            Expr::Ranged(parity, from, to) => ranged(*parity, self.expr(from), self.expr(to)),
            Expr::Ask(query, args) => self.ask(*query, args),
            Expr::Binary(op, left, right) => binary(*op, self.expr(left), self.expr(right)),
            Expr::Not(inner) => match self.expr(inner) {
                Expr::Truth(truth) => Expr::Truth(!truth),
                inner => Expr::Not(Box::new(inner)),
            },
            Expr::Negate(inner) => match self.expr(inner) {
                Expr::Number(n) => Expr::Number(n.saturating_neg()),
                inner => Expr::Negate(Box::new(inner)),
            },
            Expr::Quantified { every, var, set, condition } => Expr::Quantified {
                every: *every,
                var: self.var(*var),
                set: Box::new(self.expr(set)),
                condition: Box::new(self.expr(condition)),
            },
            Expr::Players { partners, every, condition } => match self.expr(condition) {
                Expr::Truth(truth) => Expr::Truth(truth),
                condition => Expr::Players { partners: *partners, every: *every, condition: Box::new(condition) },
            },
            Expr::Var(var) => Expr::Var(self.var(*var)),
            Expr::Number(_)
            | Expr::Truth(_)
            | Expr::Site(_)
            | Expr::Sites(_)
            | Expr::PlacesOf(..)
            | Expr::Marked(..)
            | Expr::Variable(_) => expr.clone(),
        }
    }

    /// The places of a region for each seat.
    fn places(&self, region: RegionId) -> Table<SeatId, Vec<SiteId>> {
        let laid = self.board.map(|board| board.places_of(&self.seats, self.game.regions.at(region)));
        laid.and_then(Result::ok).unwrap_or_default()
    }

    fn ask(&mut self, query: Query, args: &[Expr]) -> Expr {
        let args: Vec<Expr> = args.iter().map(|arg| self.expr(arg)).collect();
        let board = self.board;
        self.asks_quiet |= query == Query::QuietTurns;
        self.asks_turns |= query == Query::TurnsPlayed;
        self.asks_repeated |= query == Query::Repeated;
        match (query, args.as_slice()) {
            (Query::TotalSeeds, _) => match board {
                Some(board) => Expr::Number(i32::try_from(board.total_seeds()).unwrap_or(i32::MAX)),
                None => Expr::Ask(query, args),
            },
            (Query::Size, [Expr::Listed(items)]) => Expr::Number(i32::try_from(items.len()).unwrap_or(i32::MAX)),
            (Query::AllPits, _) => match board {
                Some(board) => Expr::Sites(board.places().map(|(id, _)| id).collect()),
                None => Expr::Ask(query, args),
            },
            (Query::NoPits, _) => Expr::Sites(vec![]),
            _ => Expr::Ask(query, args),
        }
    }

    fn condition(&mut self, condition: Option<&Expr>) -> Option<Expr> {
        condition.map(|expr| self.expr(expr)).filter(|expr| *expr != Expr::Truth(true))
    }

    pub(super) fn block(&mut self, id: BlockId) -> BlockId {
        let folded = self.statements(id);
        self.blocks.push(folded)
    }

    fn statements(&mut self, id: BlockId) -> Block {
        let game = self.game;
        let mut folded = vec![];
        for stmt in game.blocks.at(id) {
            self.statement(stmt, &mut folded);
        }
        folded
    }

    /// The branch of an `if` that is always taken. It stays a block of its own where it chooses, because
    /// a choice speaks of the rest of its block.
    fn taken(&mut self, stmt: &Stmt, block: BlockId, out: &mut Block) {
        let folded = self.statements(block);
        if folded.iter().any(|inner| matches!(inner.kind, StmtKind::Choose { .. })) {
            let block = self.blocks.push(folded);
            out.push(Stmt { rule: stmt.rule, kind: StmtKind::If(Expr::Truth(true), block, None) });
        } else {
            out.extend(folded);
        }
    }

    /// The new index of a procedure, its body folded when it is met first.
    fn procedure(&mut self, id: ProcedureId) -> ProcedureId {
        if let Some(known) = self.procedure_ids.get(&id) {
            return *known;
        }
        let procedure = self.game.procedures.at(id);
        let params = procedure.params.iter().map(|param| self.var(*param)).collect();
        let body = self.block(procedure.body);
        let new = self.procedures.push(BoundProcedure { params, body });
        self.procedure_ids.insert(id, new);
        new
    }

    /// The new index of a value.
    fn var(&mut self, id: VarId) -> VarId {
        if let Some(known) = self.var_ids.get(&id) {
            return *known;
        }
        let new = self.vars.push(self.game.vars.at(id).1);
        self.var_ids.insert(id, new);
        new
    }

    fn statement(&mut self, stmt: &Stmt, out: &mut Block) {
        self.here = self.game.rules.at(stmt.rule).span;
        let kind = match &stmt.kind {
            StmtKind::If(condition, then, otherwise) => match self.expr(condition) {
                Expr::Truth(true) => return self.taken(stmt, *then, out),
                Expr::Truth(false) => match otherwise {
                    Some(block) => return self.taken(stmt, *block, out),
                    None => return,
                },
                condition => StmtKind::If(condition, self.block(*then), otherwise.map(|block| self.block(block))),
            },
            StmtKind::Choose { may, picks, condition, none, none_allowed } => StmtKind::Choose {
                may: *may,
                picks: picks.iter().map(|(var, set)| (self.var(*var), self.expr(set))).collect(),
                condition: self.condition(condition.as_ref()),
                none: self.block(*none),
                none_allowed: none_allowed.map(|block| self.block(block)),
            },
            StmtKind::While { condition, bound, laps, body, reached } => {
                let condition = self.expr(condition);
                if condition == Expr::Truth(false) {
                    return;
                }
                StmtKind::While {
                    condition,
                    bound: self.expr(bound),
                    laps: *laps,
                    body: self.block(*body),
                    reached: self.block(*reached),
                }
            }
            StmtKind::ForEach { var, set, condition, walk, body } => {
                let set = self.expr(set);
                if set == Expr::Sites(vec![]) {
                    return;
                }
                StmtKind::ForEach {
                    var: self.var(*var),
                    set,
                    condition: self.condition(condition.as_ref()),
                    walk: self.condition(walk.as_ref()),
                    body: self.block(*body),
                }
            }
            StmtKind::EachPlayer(body) => StmtKind::EachPlayer(self.block(*body)),
            StmtKind::Lift(set) => StmtKind::Lift(self.expr(set)),
            StmtKind::ByPlayer(player, body) => StmtKind::ByPlayer(self.expr(player), self.block(*body)),
            StmtKind::Sow { from, towards, skipping, body } => {
                let skipping = skipping.as_ref().map(|set| self.expr(set));
                StmtKind::Sow {
                    from: self.expr(from),
                    towards: towards.as_ref().map(|way| self.expr(way)),
                    skipping: skipping.filter(|set| *set != Expr::Sites(vec![])),
                    body: body.map(|block| self.block(block)),
                }
            }
            StmtKind::Capture { seeds, from } => {
                StmtKind::Capture { seeds: seeds.as_ref().map(|n| self.expr(n)), from: self.expr(from) }
            }
            StmtKind::CaptureMen(men) => StmtKind::CaptureMen(self.expr(men)),
            StmtKind::Keep(set) => StmtKind::Keep(self.expr(set)),
            StmtKind::Put { seeds, from, into } => {
                StmtKind::Put { seeds: self.expr(seeds), from: self.expr(from), into: self.expr(into) }
            }
            StmtKind::Mark(set, mark) => StmtKind::Mark(self.expr(set), *mark),
            StmtKind::Unmark(set, mark) => StmtKind::Unmark(self.expr(set), *mark),
            StmtKind::Move { men, by, to, body } => StmtKind::Move {
                men: self.expr(men),
                by: self.expr(by),
                to: to.as_ref().map(|site| self.expr(site)),
                body: body.map(|block| self.block(block)),
            },
            StmtKind::Make(men, state) => StmtKind::Make(self.expr(men), *state),
            StmtKind::Again { times, reached } => {
                StmtKind::Again { times: self.expr(times), reached: self.block(*reached) }
            }
            StmtKind::NewRound(player) => StmtKind::NewRound(self.expr(player)),
            StmtKind::SendBack(set) => StmtKind::SendBack(self.expr(set)),
            StmtKind::Add(count) => StmtKind::Add(self.expr(count)),
            StmtKind::Spend(count) => StmtKind::Spend(self.expr(count)),
            StmtKind::Require(condition) => match self.expr(condition) {
                Expr::Truth(true) => return,
                condition => StmtKind::Require(condition),
            },
            StmtKind::MostWins(value, what) => StmtKind::MostWins(self.expr(value), *what),
            StmtKind::Set(var, value) => StmtKind::Set(self.var(*var), self.expr(value)),
            StmtKind::Throw(throw, var) => StmtKind::Throw(*throw, self.var(*var)),
            StmtKind::SetVariable(variable, value) => StmtKind::SetVariable(*variable, self.expr(value)),
            StmtKind::Call(procedure, args) => {
                let args = args.iter().map(|arg| self.expr(arg)).collect();
                StmtKind::Call(self.procedure(*procedure), args)
            }
            StmtKind::ClearPool
            | StmtKind::Pass
            | StmtKind::Refuse
            | StmtKind::EndBy(_)
            | StmtKind::TakeBack
            | StmtKind::MoverWins(_)
            | StmtKind::MoverLoses(_)
            | StmtKind::NobodyWins(_) => stmt.kind.clone(),
        };
        out.push(Stmt { rule: stmt.rule, kind });
    }
}

/// The largest set of numbers that is written out.
const MAX_LISTED: i64 = 4096;

fn ranged(parity: Parity, from: Expr, to: Expr) -> Expr {
    let (Expr::Number(low), Expr::Number(high)) = (&from, &to) else {
        return Expr::Ranged(parity, Box::new(from), Box::new(to));
    };
    if i64::from(*high) - i64::from(*low) > MAX_LISTED {
        return Expr::Ranged(parity, Box::new(from), Box::new(to));
    }
    Expr::Listed((*low..=*high).filter(|n| parity.admits(*n)).map(Expr::Number).collect())
}

impl Parity {
    /// Whether a number is of this kind.
    #[must_use]
    pub fn admits(self, n: i32) -> bool {
        match self {
            Self::Any => true,
            Self::Even => n % 2 == 0,
            Self::Odd => n % 2 != 0,
        }
    }
}

fn binary(op: Op, left: Expr, right: Expr) -> Expr {
    match (op, &left, &right) {
        (Op::Or, Expr::Truth(true), _) | (Op::Or, _, Expr::Truth(true)) => Expr::Truth(true),
        (Op::And, Expr::Truth(false), _) | (Op::And, _, Expr::Truth(false)) => Expr::Truth(false),
        (Op::Or, Expr::Truth(false), _) | (Op::And, Expr::Truth(true), _) => right,
        (Op::Or, _, Expr::Truth(false)) | (Op::And, _, Expr::Truth(true)) => left,
        (_, Expr::Number(a), Expr::Number(b)) => match op {
            Op::Add => Expr::Number(a.saturating_add(*b)),
            Op::Subtract => Expr::Number(a.saturating_sub(*b)),
            Op::Multiply => Expr::Number(a.saturating_mul(*b)),
            _ => match op.compare(*a, *b) {
                Some(truth) => Expr::Truth(truth),
                None => Expr::Binary(op, Box::new(left), Box::new(right)),
            },
        },
        _ => Expr::Binary(op, Box::new(left), Box::new(right)),
    }
}

impl Op {
    /// The comparison of two numbers, if the operator is one.
    #[must_use]
    pub fn compare(self, a: i32, b: i32) -> Option<bool> {
        Some(match self {
            Self::Equal => a == b,
            Self::NotEqual => a != b,
            Self::AtMost => a <= b,
            Self::AtLeast => a >= b,
            Self::Less => a < b,
            Self::More => a > b,
            _ => return None,
        })
    }
}
