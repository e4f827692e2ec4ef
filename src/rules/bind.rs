//! A game bound to its readings and options: what is played.

use std::sync::Arc;

use serde::Serialize;

use super::{
    board::{self, Board, Seat},
    expr::{Expr, Place, Type},
    fold::Folder,
    game::{ChancePlan, Game, Layout, Lifetime, Region, ThrowKind, When},
    setup::Setup,
    stmt::{Block, BoundProcedure, StmtKind},
    table::*,
    throw::Throw,
    way::Way,
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
    /// The sides: partners, or each seat by itself.
    pub sides: Table<SideId, Side>,
    /// The side of each seat.
    pub side_of: Table<SeatId, SideId>,
    /// The board.
    pub board: Board,
    /// For each mark, whether the circuit passes over it.
    pub marks: Table<MarkId, bool>,
    /// The way of each seat; without spots where there are no men.
    pub ways: Table<SeatId, Way>,
    /// Men of each seat.
    pub men: u16,
    /// How many states men can be in; 1 where none are named.
    pub states: u8,
    /// The spots where the men of each seat stand at first, and how many there.
    pub men_start: Table<SeatId, Vec<(SpotId, u8)>>,
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
    /// Whether a rule asks for the turns of a round, so that they belong to a position.
    pub counts_turns: bool,
    /// Whether a turn can be taken back, so that its start must be remembered.
    pub can_take_back: bool,
    /// Whether a rule asks for repeated positions, so that they must be remembered.
    pub remembers: bool,
    /// Whether there are rounds.
    pub has_rounds: bool,
}

/// A side.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct Side {
    /// `South`, `South+North`.
    pub name: String,
    /// Its seats.
    pub seats: Vec<SeatId>,
}

/// A variable and its value at the start.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct BoundVariable {
    /// The value.
    pub start: i32,
    /// How long a value lasts.
    pub lifetime: Lifetime,
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
    pub(crate) fn bind(game: &Arc<Game>, setup: &Setup, laid: &mut Laid) -> Result<Self, BindError> {
        let mut folder = Folder::new(game, setup);
        let (board, seats) = lay_board(game, &mut folder)?;
        let (sides, side_of) = sides(game, &seats)?;
        folder.board = Some(&board);
        folder.seats = seats.clone();
        let ways = laid.ways(game, &board, &seats)?;
        let (men, men_start) = men(game, &mut folder, &board, &seats, &ways)?;
        let throws = throws(game, &mut folder)?;
        let variables = game.variables.iter().map(|variable| {
            let start = folder.fixed(&variable.start).and_then(|n| i32::try_from(n).ok());
            let start =
                start.ok_or_else(|| at(variable.span, Problem::NotFixed { what: "the start of a variable" }))?;
            Ok(BoundVariable { start, lifetime: variable.lifetime })
        });
        let variables = variables.collect::<Result<Vec<_>, BindError>>()?.into();
        for region in &game.regions {
            places(&board, &seats, region)?;
        }
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
        let has_rounds = any(|kind| matches!(kind, StmtKind::NewRound(_)));
        let can_take_back = any(|kind| matches!(kind, StmtKind::TakeBack));
        Ok(Self {
            game: Arc::clone(game),
            setup: setup.clone(),
            sides,
            side_of,
            marks: game.marks.iter().map(|mark| mark.skipped).collect::<Vec<_>>().into(),
            ways,
            men,
            states: game.men.as_ref().map_or(1, |plan| u8::try_from(plan.states.len()).unwrap_or(u8::MAX)).max(1),
            men_start,
            seats,
            throws,
            variables,
            vars,
            turn,
            procedures,
            endings,
            limit: game.limit,
            can_refuse,
            counts_quiet: folder.asks_quiet,
            counts_turns: folder.asks_turns,
            can_take_back,
            remembers: folder.asks_repeated,
            has_rounds,
            blocks,
            board,
        })
    }

    /// Whether a seat is of the same side as another one, and not the same.
    #[must_use]
    pub fn partners(&self, seat: SeatId, other: SeatId) -> bool {
        seat != other && self.side_of.at(seat) == self.side_of.at(other)
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

/// The board that a game was bound to last, with its ways: most setups have the same.
#[derive(Debug, Default)]
pub(crate) struct Laid {
    board: Option<Board>,
    seats: Table<SeatId, Seat>,
    ways: Table<SeatId, Way>,
}

impl Laid {
    /// The ways of all seats.
    fn ways(
        &mut self,
        game: &Game,
        board: &Board,
        seats: &Table<SeatId, Seat>,
    ) -> Result<Table<SeatId, Way>, BindError> {
        if self.board.as_ref() != Some(board) || self.seats != *seats {
            let ways = ways(game, board, seats)?;
            *self = Self { board: Some(board.clone()), seats: seats.clone(), ways };
        }
        Ok(self.ways.clone())
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
    let span = game.board.span;
    let mut size =
        |expr: &Expr| folder.fixed(expr).ok_or_else(|| at(span, Problem::NotFixed { what: "the size of the board" }));
    let board = match &game.board.layout {
        Layout::Pits { rows, pits, direction, through } => {
            Board::pits(size(rows)?, size(pits)?, *direction, *through, &seats)
        }
        Layout::Grid { files, ranks, without } => {
            let (files, ranks) = (size(files)?, size(ranks)?);
            let full = Board::grid(files, ranks, |_, _| true, &seats);
            match (without, full) {
                (Some(region), Ok(full)) => {
                    let missing: Vec<SiteId> = places(&full, &seats, region)?.iter().flatten().copied().collect();
                    let has = |file, rank| {
                        full.site_at(Place::Square { file, rank }).is_some_and(|site| !missing.contains(&site))
                    };
                    Board::grid(files, ranks, has, &seats)
                }
                (_, full) => full,
            }
        }
        Layout::Cross { wide, long } => Board::cross(size(wide)?, size(long)?, &seats),
    };
    let mut board = board.map_err(|problem| {
        let of_seats = matches!(problem, Problem::RowCount { rows: 1..=4, .. } | Problem::UnevenShare { .. });
        at(if of_seats { seats_span } else { span }, problem)
    })?;
    lay_seeds(game, folder, &mut board, &seats)?;
    Ok((board, seats))
}

/// The seeds at the start: later lines go over earlier ones.
fn lay_seeds(
    game: &Game,
    folder: &mut Folder<'_>,
    board: &mut Board,
    seats: &Table<SeatId, Seat>,
) -> Result<(), BindError> {
    for plan in &game.board.start {
        let seeds =
            folder.fixed(&plan.seeds).ok_or_else(|| at(plan.span, Problem::NotFixed { what: "the seeds in a pit" }))?;
        let too_many = |size: i64| at(plan.span, Problem::BoardTooLarge { what: "seeds", size, max: board::MAX_SEEDS });
        let small = u16::try_from(seeds).map_err(|_| too_many(seeds))?;
        let sites = match &plan.places {
            None => board.places().map(|(id, _)| id).collect(),
            Some(region) => places(board, seats, region)?.iter().flatten().copied().collect::<Vec<_>>(),
        };
        for site in sites {
            *board.seeds.at_mut(site) = small;
        }
        let total = i64::from(board.total_seeds());
        if total > board::MAX_SEEDS {
            return Err(too_many(total));
        }
    }
    if matches!(game.board.layout, Layout::Pits { .. }) && board.total_seeds() == 0 {
        return Err(at(game.board.start.first().map_or(game.board.span, |plan| plan.span), Problem::NoSeeds));
    }
    Ok(())
}

/// The sides, and the side of each seat.
type Sides = (Table<SideId, Side>, Table<SeatId, SideId>);

/// Those who face each other, or each by himself.
fn sides(game: &Game, seats: &Table<SeatId, Seat>) -> Result<Sides, BindError> {
    if game.partners && seats.len() != 4 {
        return Err(at(game.seats_span, Problem::PartnersOfFour { players: seats.len() }));
    }
    let count = if game.partners { 2 } else { seats.len() };
    let side_of: Table<SeatId, SideId> =
        seats.ids().map(|seat| SideId::new(seat.index() % count)).collect::<Vec<_>>().into();
    let side = |id: SideId| {
        let own: Vec<SeatId> = seats.ids().filter(|seat| *side_of.at(*seat) == id).collect();
        let names: Vec<&str> = own.iter().map(|seat| seats.at(*seat).name).collect();
        Side { name: names.join("+"), seats: own }
    };
    let sides = (0..count).map(|n| side(SideId::new(n))).collect::<Vec<_>>().into();
    Ok((sides, side_of))
}

fn ways(game: &Game, board: &Board, seats: &Table<SeatId, Seat>) -> Result<Table<SeatId, Way>, BindError> {
    let way = |(id, seat)| Way::lay(&game.tracks, board, id, seat).map_err(|(problem, span)| at(span, problem));
    if game.tracks.is_empty() {
        return Ok(Table::filled(seats.len(), Way::default()));
    }
    Ok(seats.entries().map(way).collect::<Result<Vec<_>, _>>()?.into())
}

/// The places of a region for each seat.
fn places(
    board: &Board,
    seats: &Table<SeatId, Seat>,
    region: &Region,
) -> Result<Table<SeatId, Vec<SiteId>>, BindError> {
    board.places_of(seats, region).map_err(|(problem, span)| at(span, problem))
}

type MenStart = Table<SeatId, Vec<(SpotId, u8)>>;

/// How many men each seat has, and where they stand at first.
fn men(
    game: &Game,
    folder: &mut Folder<'_>,
    board: &Board,
    seats: &Table<SeatId, Seat>,
    ways: &Table<SeatId, Way>,
) -> Result<(u16, MenStart), BindError> {
    let Some(plan) = &game.men else { return Ok((0, Table::filled(seats.len(), vec![]))) };
    let span = plan.span;
    let count = folder.fixed(&plan.count).ok_or_else(|| at(span, Problem::NotFixed { what: "the number of men" }))?;
    if !(1..=MAX_MEN).contains(&count) {
        return Err(at(span, Problem::BoardTooLarge { what: "men for each seat", size: count, max: MAX_MEN }));
    }
    let men = u8::try_from(count).unwrap_or(u8::MAX);
    let Some(region) = &plan.places else {
        return Ok((u16::from(men), Table::filled(seats.len(), vec![(SpotId::new(0), men)])));
    };
    let mut start = Table::default();
    for (sites, way) in places(board, seats, region)?.iter().zip(ways) {
        if sites.len() != usize::from(men) {
            let (squares, men) = (sites.len(), usize::from(men));
            return Err(at(span, Problem::MenPlaces { squares, men }));
        }
        let spots =
            sites.iter().map(|site| way.spots.entries().find(|(_, spot)| spot.site == *site).map(|(id, _)| (id, 1)));
        let spots: Option<Vec<_>> = spots.collect();
        start.push(spots.ok_or_else(|| at(span, Problem::MenOffTrack))?);
    }
    Ok((u16::from(men), start))
}

fn throws(game: &Game, folder: &mut Folder<'_>) -> Result<Table<ThrowId, Throw>, BindError> {
    let bind = |plan: &super::game::ThrowPlan, folder: &mut Folder<'_>| {
        let (pieces, chance, counts, chance_span) = match &plan.kind {
            ThrowKind::Pieces { pieces, chance, counts, chance_span } => (pieces, chance, counts, *chance_span),
            ThrowKind::Faces(faces) => {
                let fixed = |face: &Expr| folder.fixed(face).and_then(|n| i32::try_from(n).ok());
                let faces: Option<Vec<i32>> = faces.iter().map(fixed).collect();
                let faces = faces.ok_or_else(|| at(plan.span, Problem::NotFixed { what: "a face" }))?;
                return Throw::die(&faces).map_err(|problem| at(plan.span, problem));
            }
        };
        let pieces =
            folder.fixed(pieces).ok_or_else(|| at(plan.span, Problem::NotFixed { what: "the number of pieces" }))?;
        let (digits, scale) = match *chance {
            ChancePlan::Fixed { digits, scale } => (digits, scale),
            ChancePlan::Option(id) => {
                (u64::try_from(folder.setup.option(id)).unwrap_or_default(), game.options.at(id).scale)
            }
        };
        let denominator = 10u64.checked_pow(scale).ok_or_else(|| at(chance_span, Problem::ChanceTooFine))?;
        Throw::new(pieces, digits, denominator, counts).map_err(|problem| {
            let chance = matches!(problem, Problem::ChanceTooFine | Problem::ChanceOutOfRange);
            at(if chance { chance_span } else { plan.span }, problem)
        })
    };
    Ok(game.throws.iter().map(|plan| bind(plan, folder)).collect::<Result<Vec<_>, _>>()?.into())
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
