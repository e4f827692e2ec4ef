//! Readings and options put in, constants folded, branches that cannot be reached left out.

use std::collections::HashMap;

use super::{
    bind::BoundProcedure,
    board::Board,
    expr::{Expr, Op, Parity, Query, Type},
    game::Game,
    setup::Setup,
    stmt::{Block, Stmt, StmtKind},
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
            Expr::Region(region) => {
                let squares = &self.game.regions.at(*region).squares;
                let sites = squares.iter().filter_map(|(place, _)| self.board.and_then(|board| board.site_at(*place)));
                Expr::Sites(sites.collect())
            }
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
            Expr::Players { every, condition } => match self.expr(condition) {
                Expr::Truth(truth) => Expr::Truth(truth),
                condition => Expr::Players { every: *every, condition: Box::new(condition) },
            },
            Expr::Var(var) => Expr::Var(self.var(*var)),
            Expr::Number(_) | Expr::Truth(_) | Expr::Site(_) | Expr::Sites(_) | Expr::Variable(_) => expr.clone(),
        }
    }

    fn ask(&mut self, query: Query, args: &[Expr]) -> Expr {
        let args: Vec<Expr> = args.iter().map(|arg| self.expr(arg)).collect();
        let board = self.board;
        self.asks_quiet |= query == Query::QuietTurns;
        match (query, args.as_slice()) {
            (Query::TotalSeeds, _) => match board {
                Some(board) => Expr::Number(i32::try_from(board.total_seeds()).unwrap_or(i32::MAX)),
                None => Expr::Ask(query, args),
            },
            (Query::Size, [Expr::Listed(items)]) => Expr::Number(i32::try_from(items.len()).unwrap_or(i32::MAX)),
            (Query::AllPits, _) => match board {
                Some(board) => Expr::Sites(board.sites.ids().collect()),
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
            StmtKind::Choose { picks, condition, none, none_allowed } => StmtKind::Choose {
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
            StmtKind::Sow(from, skipping) => {
                let skipping = skipping.as_ref().map(|set| self.expr(set));
                StmtKind::Sow(self.expr(from), skipping.filter(|set| *set != Expr::Sites(vec![])))
            }
            StmtKind::Capture(set) => StmtKind::Capture(self.expr(set)),
            StmtKind::Keep(set) => StmtKind::Keep(self.expr(set)),
            StmtKind::Move(man, by, body) => {
                StmtKind::Move(self.expr(man), self.expr(by), body.map(|block| self.block(block)))
            }
            StmtKind::SendBack(set) => StmtKind::SendBack(self.expr(set)),
            StmtKind::Add(count) => StmtKind::Add(self.expr(count)),
            StmtKind::Spend(count) => StmtKind::Spend(self.expr(count)),
            StmtKind::Require(condition) => match self.expr(condition) {
                Expr::Truth(true) => return,
                condition => StmtKind::Require(condition),
            },
            StmtKind::MostWins(value) => StmtKind::MostWins(self.expr(value)),
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
            | StmtKind::MoverWins
            | StmtKind::NobodyWins => stmt.kind.clone(),
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
