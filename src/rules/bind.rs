//! A game bound to its readings and options: what is played.

use std::sync::Arc;

use serde::Serialize;

use super::{
    board::{self, Board, Seat},
    expr::{Expr, Type},
    fold::Folder,
    game::{BoardPlan, ChancePlan, Game, Lifetime, When},
    setup::Setup,
    stmt::{Block, StmtKind},
    table::*,
    throw::Throw,
};
use crate::{diagnostic::Problem, span::Span};

/// The most men a seat has.
const MAX_MEN: i64 = 32;

/// A game with its readings and options chosen: immutable, and all that play needs.
#[derive(Debug, Clone, Serialize)]
pub struct Rules {
    /// The game it comes from.
    #[serde(skip)]
    pub game: Arc<Game>,
    /// What was chosen.
    #[serde(skip)]
    pub setup: Setup,
    /// The seats in order of play.
    pub seats: Table<SeatId, Seat>,
    /// The board.
    pub board: Board,
    /// The track of each seat; empty where there are no men.
    pub tracks: Table<SeatId, Vec<SiteId>>,
    /// Men of each seat.
    pub men: u16,
    /// What is thrown.
    pub throws: Table<ThrowId, Throw>,
    /// Declared variables.
    pub variables: Table<VariableId, BoundVariable>,
    /// The types of the values of a turn.
    #[serde(skip)]
    pub vars: Table<VarId, Type>,
    /// All blocks.
    pub blocks: Table<BlockId, Block>,
    /// What a player does in a turn.
    pub turn: BlockId,
    /// The procedures that are called.
    pub procedures: Table<ProcedureId, BoundProcedure>,
    /// The endings in the order in which they are looked at.
    pub endings: Table<EndingId, BoundEnding>,
    /// The number of turns after which a game is stopped.
    pub limit: u32,
    /// Whether a turn can be refused, so that choices must be tried before they are offered.
    pub can_refuse: bool,
    /// Whether a rule asks for the turns without a capture, so that they must be counted.
    pub counts_quiet: bool,
    /// Whether a turn can be taken back, so that its start must be remembered.
    pub can_take_back: bool,
}

/// A variable and its value at the start.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct BoundVariable {
    /// The value.
    pub start: i32,
    /// How long a value lasts.
    pub lifetime: Lifetime,
}

/// A procedure.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct BoundProcedure {
    /// Its parameters.
    pub params: Vec<VarId>,
    /// What it does.
    pub body: BlockId,
}

/// An ending.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct BoundEnding {
    /// When it applies.
    pub when: When,
    /// What is settled, and who wins.
    pub body: BlockId,
}

/// Why a game cannot be bound to a setup, and where in the file the reason lies.
#[derive(Debug, Clone)]
pub(crate) struct BindError {
    pub(crate) problem: Problem,
    pub(crate) span: Span,
}

impl Rules {
    /// Binds a game to its readings and options, without looking whether it can be played under them.
    pub(crate) fn bind(game: &Arc<Game>, setup: &Setup) -> Result<Self, BindError> {
        let mut folder = Folder::new(game, setup);
        let (board, seats) = lay_board(game, &mut folder)?;
        folder.board = Some(&board);
        let tracks = tracks(game, &board, &seats)?;
        let men = men(game, &mut folder)?;
        let throws = throws(game, &mut folder)?;
        let variables = game.variables.iter().map(|variable| {
            let start = folder.fixed(&variable.start).and_then(|n| i32::try_from(n).ok());
            let start =
                start.ok_or_else(|| at(variable.span, Problem::NotFixed { what: "the start of a variable" }))?;
            Ok(BoundVariable { start, lifetime: variable.lifetime })
        });
        let variables = variables.collect::<Result<Vec<_>, BindError>>()?.into();
        check_regions(game, &board)?;
        let turn = folder.block(game.turn);
        let endings = game.endings.iter().map(|ending| bind_ending(ending, &mut folder)).collect::<Vec<_>>().into();
        if let Some((problem, span)) = folder.off_board.take() {
            return Err(at(span, problem));
        }
        let procedures = std::mem::take(&mut folder.procedures);
        let vars = std::mem::take(&mut folder.vars);
        let blocks = std::mem::take(&mut folder.blocks);
        let any = |test: fn(&StmtKind) -> bool| blocks.iter().flatten().any(|stmt| test(&stmt.kind));
        let can_refuse = any(|kind| matches!(kind, StmtKind::Refuse | StmtKind::Require(_)));
        let can_take_back = any(|kind| matches!(kind, StmtKind::TakeBack));
        Ok(Self {
            game: Arc::clone(game),
            setup: setup.clone(),
            seats,
            tracks,
            men,
            throws,
            variables,
            vars,
            turn,
            procedures,
            endings,
            limit: game.limit,
            can_refuse,
            counts_quiet: folder.asks_quiet,
            can_take_back,
            blocks,
            board,
        })
    }

    /// The hash of these rules: equal for files that mean the same under the same choices, however
    /// they are written. 16 hexadecimal digits.
    #[must_use]
    pub fn hash(&self) -> String {
        // Every part of the rules can be written as JSON.
        let text = serde_json::to_vec(self).unwrap_or_default();
        blake3::hash(&text).to_hex().chars().take(16).collect()
    }
}

fn at(span: Span, problem: Problem) -> BindError {
    BindError { problem, span }
}

fn lay_board(game: &Game, folder: &mut Folder<'_>) -> Result<(Board, Table<SeatId, Seat>), BindError> {
    let seats_span = game.seats_span;
    let count =
        folder.fixed(&game.seats).ok_or_else(|| at(seats_span, Problem::NotFixed { what: "the number of seats" }))?;
    let seats = board::seats(count).map_err(|problem| at(seats_span, problem))?;
    let mut size = |expr: &Expr, span: Span| {
        folder.fixed(expr).ok_or_else(|| at(span, Problem::NotFixed { what: "the size of the board" }))
    };
    match &game.board {
        BoardPlan::Pits { rows, pits, seeds, seeds_span, clockwise, span } => {
            let (rows, pits, seeds) = (size(rows, *span)?, size(pits, *span)?, size(seeds, *seeds_span)?);
            let board = Board::pits(rows, pits, seeds, *clockwise, seats.len()).map_err(|problem| {
                let place = match problem {
                    Problem::BoardTooLarge { what: "seeds", .. } => *seeds_span,
                    Problem::RowCount { rows: 2, .. } => seats_span,
                    _ => *span,
                };
                at(place, problem)
            })?;
            Ok((board, seats))
        }
        BoardPlan::Grid { files, ranks, span } => {
            let board = Board::grid(size(files, *span)?, size(ranks, *span)?).map_err(|problem| at(*span, problem))?;
            Ok((board, seats))
        }
    }
}

fn tracks(game: &Game, board: &Board, seats: &Table<SeatId, Seat>) -> Result<Table<SeatId, Vec<SiteId>>, BindError> {
    let Some(plan) = &game.track else {
        return Ok(Table::filled(seats.len(), vec![]));
    };
    let tracks =
        seats.iter().map(|seat| board.track(&plan.steps, seat.quarter).map_err(|(problem, span)| at(span, problem)));
    let tracks: Vec<Vec<SiteId>> = tracks.collect::<Result<_, _>>()?;
    let mut seen = std::collections::HashSet::new();
    if let Some(twice) = tracks.iter().take(1).flatten().find(|site| !seen.insert(**site)) {
        return Err(at(plan.span, Problem::TrackCrosses { square: board.sites.at(*twice).name.clone() }));
    }
    Ok(tracks.into())
}

fn men(game: &Game, folder: &mut Folder<'_>) -> Result<u16, BindError> {
    let &Some((ref men, span)) = &game.men else { return Ok(0) };
    let count = folder.fixed(men).ok_or_else(|| at(span, Problem::NotFixed { what: "the number of men" }))?;
    if !(1..=MAX_MEN).contains(&count) {
        return Err(at(span, Problem::BoardTooLarge { what: "men for each seat", size: count, max: MAX_MEN }));
    }
    Ok(u16::try_from(count).unwrap_or_default())
}

fn throws(game: &Game, folder: &mut Folder<'_>) -> Result<Table<ThrowId, Throw>, BindError> {
    let bind = |plan: &super::game::ThrowPlan, folder: &mut Folder<'_>| {
        let pieces = folder
            .fixed(&plan.pieces)
            .ok_or_else(|| at(plan.span, Problem::NotFixed { what: "the number of pieces" }))?;
        let (digits, scale) = match plan.chance {
            ChancePlan::Fixed { digits, scale } => (digits, scale),
            ChancePlan::Option(id) => {
                (u64::try_from(folder.setup.option(id)).unwrap_or_default(), game.options.at(id).scale)
            }
        };
        let denominator = 10u64.checked_pow(scale).ok_or_else(|| at(plan.chance_span, Problem::ChanceTooFine))?;
        Throw::new(pieces, digits, denominator, &plan.counts).map_err(|problem| {
            let chance = matches!(problem, Problem::ChanceTooFine | Problem::ChanceOutOfRange);
            at(if chance { plan.chance_span } else { plan.span }, problem)
        })
    };
    Ok(game.throws.iter().map(|plan| bind(plan, folder)).collect::<Result<Vec<_>, _>>()?.into())
}

fn check_regions(game: &Game, board: &Board) -> Result<(), BindError> {
    for region in &game.regions {
        for (place, span) in &region.squares {
            if board.site_at(*place).is_none() {
                return Err(at(*span, Problem::OffBoard { place: board::describe(*place) }));
            }
        }
    }
    Ok(())
}

fn bind_ending(ending: &super::game::Ending, folder: &mut Folder<'_>) -> BoundEnding {
    folder.here = ending.span;
    let when = match &ending.when {
        When::AtOnce(condition) => When::AtOnce(folder.expr(condition)),
        When::AfterTurn(condition) => When::AfterTurn(folder.expr(condition)),
        When::Called => When::Called,
    };
    let never = matches!(when, When::AtOnce(Expr::Truth(false)) | When::AfterTurn(Expr::Truth(false)));
    let body = if never { folder.blocks.push(vec![]) } else { folder.block(ending.body) };
    BoundEnding { when, body }
}
