//! The board laid out: sites, circuits, relations.

use serde::Serialize;

use super::{
    expr::{Direction, Place},
    game::{Region, Symmetry, Through},
    table::{Id, SeatId, SiteId, Table},
};
use crate::{diagnostic::Problem, span::Span};

/// The most pits of a seat in a row, or squares on a side: they are named by the letters of the alphabet.
const MAX_SIDE: i64 = 26;
/// The most pits that are named by letters alone.
const MAX_LETTERS: usize = 26;
/// The most seeds on a board.
pub(super) const MAX_SEEDS: i64 = 20_000;
/// The most rows of pits.
const MAX_ROWS: i64 = 4;

/// A seat at the board.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct Seat {
    /// Its full name.
    pub name: &'static str,
    /// Its letter in positions.
    pub letter: char,
    /// Quarter turns counterclockwise from South.
    pub quarter: u8,
}

/// South, East, North, West.
const SEATS: [Seat; 4] = [
    Seat { name: "South", letter: 'S', quarter: 0 },
    Seat { name: "East", letter: 'E', quarter: 1 },
    Seat { name: "North", letter: 'N', quarter: 2 },
    Seat { name: "West", letter: 'W', quarter: 3 },
];

/// The seats of so many players in order of play: counterclockwise from South; two face each other.
pub(crate) fn seats(count: i64) -> Result<Table<SeatId, Seat>, Problem> {
    let [south, east, north, west] = SEATS;
    Ok(match count {
        2 => vec![south, north],
        3 => vec![south, east, north],
        4 => vec![south, east, north, west],
        _ => return Err(Problem::SeatCount { count }),
    }
    .into())
}

/// The outline of a board, for drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub enum Shape {
    /// Rows of pits.
    Pits {
        /// How many rows.
        rows: u16,
        /// Pits in a row.
        columns: u16,
        /// Which stores belong to the circuit.
        through: Through,
    },
    /// Squares in files and ranks, some of which may be missing.
    Grid {
        /// Columns.
        files: u16,
        /// Rows.
        ranks: u16,
    },
}

/// A pit, a square, or a place beside the board.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct Site {
    /// `A`, `b2`, `c3`, `hand`.
    pub name: String,
    /// The seat it belongs to.
    pub owner: Option<SeatId>,
    /// Where it lies.
    pub place: Place,
    /// Row and column as seen from South's seat, the nearest row and the left column first; none beside the board.
    pub cell: Option<(u16, u16)>,
    /// The pit that faces it.
    pub opposite: Option<SiteId>,
    /// The pit behind it.
    pub behind: Option<SiteId>,
}

/// The order in which a seat sows: for each site the one that follows against the clock, and the one that follows with it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct Circuit {
    counterclockwise: Table<SiteId, Option<SiteId>>,
    clockwise: Table<SiteId, Option<SiteId>>,
}

impl Circuit {
    /// Closed loops, each given against the clock.
    fn of(sites: usize, loops: &[Vec<SiteId>]) -> Self {
        let mut circuit = Self { counterclockwise: Table::filled(sites, None), clockwise: Table::filled(sites, None) };
        for round in loops {
            for (here, next) in round.iter().zip(round.iter().cycle().skip(1)) {
                *circuit.counterclockwise.at_mut(*here) = Some(*next);
                *circuit.clockwise.at_mut(*next) = Some(*here);
            }
        }
        circuit
    }

    /// The site that follows in a direction; none where nothing is sown.
    #[must_use]
    pub fn next(&self, site: SiteId, direction: Direction) -> Option<SiteId> {
        let table = match direction {
            Direction::Counterclockwise => &self.counterclockwise,
            Direction::Clockwise => &self.clockwise,
        };
        table.get(site).copied().flatten()
    }
}

/// A board laid out.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct Board {
    /// Its outline.
    pub shape: Shape,
    /// Its pits or squares, then the places beside it.
    pub sites: Table<SiteId, Site>,
    /// The circuit of each seat; none on squares.
    pub circuits: Table<SeatId, Circuit>,
    /// The direction in which one sows.
    pub direction: Direction,
    /// The store of each seat; none on squares.
    pub stores: Table<SeatId, SiteId>,
    /// Seeds at the start.
    pub seeds: Table<SiteId, u16>,
}

impl Board {
    /// Rows of pits, shared evenly among the seats along the circuit: South's from left to right, and so on
    /// round the board. Four rows are two loops of two rows each.
    pub(crate) fn pits(
        rows: i64,
        columns: i64,
        direction: Direction,
        through: Through,
        seats: &Table<SeatId, Seat>,
    ) -> Result<Self, Problem> {
        let fits = |n: i64, max: i64| (1..=max).contains(&n);
        if !fits(rows, MAX_ROWS) || (rows == 4 && seats.len() != 2) {
            return Err(Problem::RowCount { rows, players: seats.len() });
        }
        if !fits(columns, MAX_SIDE) {
            return Err(Problem::BoardTooLarge { what: "pits in a row", size: columns, max: MAX_SIDE });
        }
        let (rows, columns) = (small(rows), small(columns));
        let loops = cells(rows, columns, seats.len());
        let all: Vec<(u16, u16)> = loops.iter().flatten().copied().collect();
        let share = all.len() / seats.len();
        if share * seats.len() != all.len() || (rows < 4 && share > MAX_LETTERS) {
            return Err(Problem::UnevenShare { pits: all.len(), players: seats.len() });
        }
        let mut sites: Table<SiteId, Site> = Table::default();
        for (n, cell) in all.iter().enumerate() {
            let owner = SeatId::new(n / share);
            let quarter = seats.at(owner).quarter;
            let (column, depth) = match (rows, quarter) {
                (4, 0) => (cell.1, if cell.0 == 1 { 1 } else { 2 }),
                (4, _) => (columns - 1 - cell.1, if cell.0 == 2 { 1 } else { 2 }),
                _ => (small_index(n % share), 0),
            };
            let place = Place::Pit { quarter, column, depth };
            sites.push(Site {
                name: describe(place),
                owner: Some(owner),
                place,
                cell: Some(*cell),
                opposite: None,
                behind: None,
            });
        }
        let at = |row: u16, column: u16| all.iter().position(|cell| *cell == (row, column)).map(SiteId::new);
        for (n, (row, column)) in all.iter().enumerate() {
            let site = sites.at_mut(SiteId::new(n));
            site.opposite = at(rows - 1 - row, *column).filter(|other| other.index() != n);
            if rows == 4 {
                let behind = if *row == 1 { at(0, *column) } else { at(3, *column) };
                site.behind = behind.filter(|_| *row == 1 || *row == 2);
            }
        }
        let stores: Vec<SiteId> = seats
            .ids()
            .map(|seat| {
                let place = Place::Store(seat);
                sites.push(Site {
                    name: format!("{}{}", describe(place), seats.at(seat).letter),
                    owner: Some(seat),
                    place,
                    cell: None,
                    opposite: None,
                    behind: None,
                })
            })
            .collect();
        let mut first = 0;
        let loops: Vec<Vec<SiteId>> = loops
            .iter()
            .map(|round| {
                let ids = (first..first + round.len()).map(SiteId::new).collect();
                first += round.len();
                ids
            })
            .collect();
        let circuit = |seat: SeatId| {
            let with_stores = loops.iter().map(|round| {
                let mut sown = vec![];
                for (n, site) in round.iter().enumerate() {
                    sown.push(*site);
                    let owner = sites.at(*site).owner;
                    let last = round.get(n + 1).is_none_or(|next| sites.at(*next).owner != owner);
                    let sowed = through == Through::All || (through == Through::Own && owner == Some(seat));
                    sown.extend(owner.filter(|_| last && sowed).and_then(|owner| stores.get(owner.index())));
                }
                sown
            });
            Circuit::of(sites.len(), &with_stores.collect::<Vec<_>>())
        };
        let circuits = seats.ids().map(circuit).collect::<Vec<_>>().into();
        let seeds = Table::filled(sites.len(), 0);
        let shape = Shape::Pits { rows, columns, through };
        Ok(Self { shape, sites, circuits, direction, stores: stores.into(), seeds })
    }

    /// Squares in files and ranks, `a1` first, rank by rank, without some; then the places beside the board.
    pub(crate) fn grid(
        files: i64,
        ranks: i64,
        has: impl Fn(u16, u16) -> bool,
        seats: &Table<SeatId, Seat>,
    ) -> Result<Self, Problem> {
        for (what, size) in [("files", files), ("ranks", ranks)] {
            if !(1..=MAX_SIDE).contains(&size) {
                return Err(Problem::BoardTooLarge { what, size, max: MAX_SIDE });
            }
        }
        let (files, ranks) = (small(files), small(ranks));
        let mut sites = Table::default();
        for (rank, file) in (0..ranks).flat_map(|rank| (0..files).map(move |file| (rank, file))) {
            if has(file, rank) {
                let place = Place::Square { file, rank };
                let name = describe(place);
                sites.push(Site { name, owner: None, place, cell: Some((rank, file)), opposite: None, behind: None });
            }
        }
        for seat in seats.ids() {
            for place in [Place::Hand(seat), Place::Home(seat), Place::Out(seat)] {
                let name = describe(place);
                sites.push(Site { name, owner: Some(seat), place, cell: None, opposite: None, behind: None });
            }
        }
        let seeds = Table::filled(sites.len(), 0);
        Ok(Self {
            shape: Shape::Grid { files, ranks },
            sites,
            circuits: Table::default(),
            direction: Direction::Counterclockwise,
            stores: Table::default(),
            seeds,
        })
    }

    /// A square in the middle and four arms, so wide and so long.
    pub(crate) fn cross(wide: i64, long: i64, seats: &Table<SeatId, Seat>) -> Result<Self, Problem> {
        for (what, size) in [("squares across an arm", wide), ("squares along an arm", long)] {
            if !(1..=MAX_SIDE).contains(&size) {
                return Err(Problem::BoardTooLarge { what, size, max: MAX_SIDE });
            }
        }
        let side = wide + 2 * long;
        let middle = |n: u16| (long..long + wide).contains(&i64::from(n));
        Self::grid(side, side, |file, rank| middle(file) || middle(rank), seats)
    }

    /// The site at a place.
    pub(crate) fn site_at(&self, place: Place) -> Option<SiteId> {
        self.sites.entries().find(|(_, site)| site.place == place).map(|(id, _)| id)
    }

    /// The pit or square of this name.
    #[must_use]
    pub fn site_named(&self, name: &str) -> Option<SiteId> {
        self.sites.entries().find(|(_, site)| site.cell.is_some() && site.name == name).map(|(id, _)| id)
    }

    /// The pits or squares, without the places beside the board.
    pub fn places(&self) -> impl Iterator<Item = (SiteId, &Site)> {
        self.sites.entries().filter(|(_, site)| site.cell.is_some())
    }

    /// All seeds of the game.
    #[must_use]
    pub fn total_seeds(&self) -> u32 {
        self.seeds.iter().map(|seeds| u32::from(*seeds)).sum()
    }

    /// The places of a region for each seat; the same for all where it has no symmetry.
    pub(super) fn places_of(
        &self,
        seats: &Table<SeatId, Seat>,
        region: &Region,
    ) -> Result<Table<SeatId, Vec<SiteId>>, (Problem, Span)> {
        let mut all = Table::default();
        for seat in seats {
            let site = |(place, span): &(Place, Span)| {
                let here = match region.symmetry {
                    Some(symmetry) => self.seen_from(*place, seat, symmetry),
                    None => Some(*place),
                };
                here.and_then(|place| self.site_at(place))
                    .ok_or_else(|| (Problem::OffBoard { place: describe(*place) }, *span))
            };
            all.push(region.places.iter().map(site).collect::<Result<Vec<_>, _>>()?);
        }
        Ok(all)
    }

    /// What a place of South's is to another seat.
    pub(crate) fn seen_from(&self, place: Place, seat: &Seat, symmetry: Symmetry) -> Option<Place> {
        let quarter = seat.quarter;
        match (self.shape, place) {
            (_, Place::Pit { quarter: from, column, depth }) => {
                Some(Place::Pit { quarter: (from + quarter) % 4, column, depth })
            }
            (Shape::Grid { .. }, Place::Square { .. }) if symmetry == Symmetry::Same => Some(place),
            (Shape::Grid { ranks, .. }, Place::Square { file, rank }) if symmetry == Symmetry::Mirrored => {
                match quarter {
                    0 => Some(place),
                    2 => Some(Place::Square { file, rank: ranks.checked_sub(rank + 1)? }),
                    _ => None,
                }
            }
            (Shape::Grid { files, ranks }, Place::Square { mut file, mut rank }) => {
                if quarter == 2 {
                    return Some(Place::Square {
                        file: files.checked_sub(file + 1)?,
                        rank: ranks.checked_sub(rank + 1)?,
                    });
                }
                for _ in 0..quarter {
                    if files != ranks {
                        return None;
                    }
                    (file, rank) = (files.checked_sub(rank + 1)?, file);
                }
                Some(Place::Square { file, rank })
            }
            _ => None,
        }
    }
}

/// The cells of each loop of a circuit against the clock, as row and column seen from South. On three rows each of two
/// players has the outer row before him and the right half of the middle one, which he goes through from its end to
/// the middle of the board; more players go through them to and fro.
fn cells(rows: u16, columns: u16, seats: usize) -> Vec<Vec<(u16, u16)>> {
    let right = |row: u16| (0..columns).map(move |column| (row, column));
    let left = |row: u16| (0..columns).rev().map(move |column| (row, column));
    match rows {
        1 => vec![right(0).collect()],
        2 => vec![right(0).chain(left(1)).collect()],
        3 if seats == 2 => {
            let half = columns / 2;
            let own = right(0).chain((half..columns).rev().map(|column| (1, column)));
            let other = left(2).chain((0..half).map(|column| (1, column)));
            vec![own.chain(other).collect()]
        }
        3 => vec![right(0).chain(left(1)).chain(right(2)).collect()],
        _ => vec![right(0).chain(left(1)).collect(), left(3).chain(right(2)).collect()],
    }
}

/// A place by its name.
pub(crate) fn describe(place: Place) -> String {
    match place {
        Place::Pit { quarter, column, depth } => {
            let letter = letter(column as usize);
            let letter = if quarter == 2 { letter } else { letter.to_ascii_uppercase() };
            let seat = match quarter {
                1 => "E",
                3 => "W",
                _ => "",
            };
            let depth = if depth == 0 { String::new() } else { depth.to_string() };
            format!("{seat}{letter}{depth}")
        }
        Place::Square { file, rank } => format!("{}{}", letter(file as usize), rank + 1),
        Place::Store(_) => "store".to_owned(),
        Place::Hand(_) => "hand".to_owned(),
        Place::Home(_) => "home".to_owned(),
        Place::Out(_) => "out".to_owned(),
    }
}

/// The place a name stands for on this kind of board.
pub(crate) fn parse_place(name: &str, grid: bool) -> Option<Place> {
    let mut chars = name.chars();
    let first = chars.next()?;
    let rest = chars.as_str();
    let column =
        |c: char| u32::from(c.to_ascii_lowercase()).checked_sub(u32::from('a')).and_then(|n| u16::try_from(n).ok());
    if grid {
        let fits = |rank: &u16| i64::from(*rank) <= MAX_SIDE && !rest.starts_with(['0', '+']);
        let rank: u16 = rest.parse().ok().filter(fits)?;
        return first.is_ascii_lowercase().then_some(Place::Square { file: column(first)?, rank: rank - 1 });
    }
    if !first.is_ascii_alphabetic() {
        return None;
    }
    match rest {
        "" | "1" | "2" => {
            let quarter = if first.is_ascii_lowercase() { 2 } else { 0 };
            Some(Place::Pit { quarter, column: column(first)?, depth: rest.parse().unwrap_or(0) })
        }
        _ => {
            let mut rest = rest.chars();
            let letter = rest.next().filter(char::is_ascii_uppercase)?;
            let quarter = match first {
                'E' => 1,
                'W' => 3,
                _ => return None,
            };
            rest.next().is_none().then_some(Place::Pit { quarter, column: column(letter)?, depth: 0 })
        }
    }
}

/// The places from one to another in a straight line, the first left out; only a neighbour unless it is a line.
pub(crate) fn between(from: Place, to: Place, line: bool) -> Option<Vec<Place>> {
    match (from, to) {
        (Place::Square { file, rank }, Place::Square { file: to_file, rank: to_rank }) => {
            let path = walk((file, rank), (to_file, to_rank), line)?;
            Some(path.into_iter().map(|(file, rank)| Place::Square { file, rank }).collect())
        }
        (Place::Pit { quarter, column, depth }, Place::Pit { quarter: to_quarter, column: end, depth: to_depth })
            if quarter == to_quarter && depth == to_depth =>
        {
            let path = walk((column, 0), (end, 0), line)?;
            Some(path.into_iter().map(|(column, _)| Place::Pit { quarter, column, depth }).collect())
        }
        _ => None,
    }
}

/// The squares from one to another, the first left out: a neighbour, or all of a straight line.
fn walk(from: (u16, u16), to: (u16, u16), line: bool) -> Option<Vec<(u16, u16)>> {
    let (across, along) = (i32::from(to.0) - i32::from(from.0), i32::from(to.1) - i32::from(from.1));
    let length = across.abs().max(along.abs());
    let straight = across == 0 || along == 0 || across.abs() == along.abs();
    if length == 0 || !straight || (!line && length > 1) {
        return None;
    }
    let step = |from: u16, delta: i32, n: i32| u16::try_from(i32::from(from) + delta.signum() * n).ok();
    (1..=length).map(|n| Some((step(from.0, across, n)?, step(from.1, along, n)?))).collect()
}

fn letter(n: usize) -> char {
    u8::try_from(n).ok().and_then(|n| b'a'.checked_add(n)).map_or('?', char::from)
}

fn small_index(n: usize) -> u16 {
    u16::try_from(n).unwrap_or(u16::MAX)
}

fn small(n: i64) -> u16 {
    u16::try_from(n).unwrap_or(u16::MAX)
}
