//! The board laid out: sites, circuit, relations, tracks.

use serde::Serialize;

use super::{
    expr::Place,
    table::{Id, SeatId, SiteId, Table},
};
use crate::{diagnostic::Problem, span::Span};

/// The most pits in a row, or squares on a side: they are named by the letters of the alphabet.
const MAX_SIDE: i64 = 26;
/// The most seeds on a board.
const MAX_SEEDS: i64 = 20_000;

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
    /// Two rows of so many pits.
    Pits {
        /// Pits in a row.
        columns: u16,
    },
    /// Squares in files and ranks.
    Grid {
        /// Columns.
        files: u16,
        /// Rows.
        ranks: u16,
    },
}

/// A pit or a square.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct Site {
    /// `A`, `b`, `c3`.
    pub name: String,
    /// The seat it belongs to.
    pub owner: Option<SeatId>,
    /// Where it lies.
    pub place: Place,
    /// The pit that follows when sowing; itself where nothing is sown.
    pub next: SiteId,
    /// The pit before it.
    pub before: SiteId,
    /// The pit that faces it.
    pub opposite: SiteId,
}

/// A board laid out.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct Board {
    /// Its outline.
    pub shape: Shape,
    /// Its pits or squares.
    pub sites: Table<SiteId, Site>,
    /// Seeds in each pit at the start.
    pub seeds: u16,
}

impl Board {
    /// Two rows of pits, South's from left to right, then North's from North's left.
    pub(crate) fn pits(rows: i64, columns: i64, seeds: i64, clockwise: bool, players: usize) -> Result<Self, Problem> {
        if rows != 2 || players != 2 {
            return Err(Problem::RowCount { rows, players });
        }
        let fits = |n: i64, max: i64| (1..=max).contains(&n);
        if !fits(columns, MAX_SIDE) {
            return Err(Problem::BoardTooLarge { what: "pits in a row", size: columns, max: MAX_SIDE });
        }
        if !fits(seeds.saturating_mul(2 * columns), MAX_SEEDS) {
            return Err(Problem::BoardTooLarge {
                what: "seeds",
                size: seeds.saturating_mul(2 * columns),
                max: MAX_SEEDS,
            });
        }
        let columns = small(columns);
        let all = 2 * columns as usize;
        let site = |n: usize| {
            let (row, column) = (n / columns as usize, n % columns as usize);
            let (forward, back) = (SiteId::new((n + 1) % all), SiteId::new((n + all - 1) % all));
            Site {
                name: pit_letter(row, column),
                owner: Some(SeatId::new(row)),
                place: Place::Pit { row: index(row), column: index(column) },
                next: if clockwise { back } else { forward },
                before: if clockwise { forward } else { back },
                opposite: SiteId::new(all - 1 - n),
            }
        };
        let sites = (0..all).map(site).collect::<Vec<_>>().into();
        Ok(Self { shape: Shape::Pits { columns }, sites, seeds: small(seeds) })
    }

    /// Squares in files and ranks, `a1` first, rank by rank.
    pub(crate) fn grid(files: i64, ranks: i64) -> Result<Self, Problem> {
        for (what, size) in [("files", files), ("ranks", ranks)] {
            if !(1..=MAX_SIDE).contains(&size) {
                return Err(Problem::BoardTooLarge { what, size, max: MAX_SIDE });
            }
        }
        let (files, ranks) = (small(files), small(ranks));
        let mut sites = Table::default();
        for rank in 0..ranks {
            for file in 0..files {
                let here = SiteId::new(sites.len());
                let name = format!("{}{}", letter(file as usize), rank + 1);
                let place = Place::Square { file, rank };
                sites.push(Site { name, owner: None, place, next: here, before: here, opposite: here });
            }
        }
        Ok(Self { shape: Shape::Grid { files, ranks }, sites, seeds: 0 })
    }

    /// The site at a place.
    pub(crate) fn site_at(&self, place: Place) -> Option<SiteId> {
        self.sites.entries().find(|(_, site)| site.place == place).map(|(id, _)| id)
    }

    /// The site of this name.
    #[must_use]
    pub fn site_named(&self, name: &str) -> Option<SiteId> {
        self.sites.entries().find(|(_, site)| site.name == name).map(|(id, _)| id)
    }

    /// All seeds of the game.
    #[must_use]
    pub fn total_seeds(&self) -> u32 {
        u32::from(self.seeds) * u32::try_from(self.sites.len()).unwrap_or(u32::MAX)
    }

    /// The place seen from another seat, quarter turns away.
    fn turned(&self, place: Place, quarter: u8) -> Option<Place> {
        let (Shape::Grid { files, ranks }, Place::Square { mut file, mut rank }) = (self.shape, place) else {
            return None;
        };
        if quarter == 2 {
            return Some(Place::Square { file: files.checked_sub(file + 1)?, rank: ranks.checked_sub(rank + 1)? });
        }
        for _ in 0..quarter {
            if files != ranks {
                return None;
            }
            (file, rank) = (files.checked_sub(rank + 1)?, file);
        }
        Some(Place::Square { file, rank })
    }

    /// South's track turned for a seat.
    pub(crate) fn track(&self, steps: &[(bool, Place, Span)], quarter: u8) -> Result<Vec<SiteId>, (Problem, Span)> {
        let mut track: Vec<SiteId> = vec![];
        let mut last: Option<(u16, u16)> = None;
        for &(line, place, span) in steps {
            let Place::Square { file, rank } = place else {
                return Err((Problem::TrackOffBoard { square: describe(place) }, span));
            };
            let path = match last {
                None => vec![(file, rank)],
                Some(from) => walk(from, (file, rank), line).ok_or_else(|| {
                    let from = describe(Place::Square { file: from.0, rank: from.1 });
                    (Problem::TrackJumps { from, to: describe(place), line }, span)
                })?,
            };
            for (file, rank) in path {
                let here = Place::Square { file, rank };
                let site = self.turned(here, quarter).and_then(|place| self.site_at(place));
                track.push(site.ok_or_else(|| match self.site_at(here) {
                    None => (Problem::TrackOffBoard { square: describe(here) }, span),
                    Some(_) => (Problem::TrackCannotTurn, span),
                })?);
            }
            last = Some((file, rank));
        }
        Ok(track)
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

/// A place by its name.
pub(crate) fn describe(place: Place) -> String {
    match place {
        Place::Pit { row, column } => pit_letter(row as usize, column as usize),
        Place::Square { file, rank } => format!("{}{}", letter(file as usize), rank + 1),
    }
}

/// The place a name stands for on this kind of board.
pub(crate) fn parse_place(name: &str, grid: bool) -> Option<Place> {
    let mut chars = name.chars();
    let first = chars.next()?;
    let rest = chars.as_str();
    if grid {
        let rank: u16 = rest.parse().ok().filter(|_| !rest.starts_with(['0', '+']))?;
        return first.is_ascii_lowercase().then(|| Place::Square { file: first as u16 - 'a' as u16, rank: rank - 1 });
    }
    let row = u16::from(first.is_ascii_lowercase());
    let base = if row == 0 { 'A' } else { 'a' };
    (first.is_ascii_alphabetic() && rest.is_empty()).then(|| Place::Pit { row, column: first as u16 - base as u16 })
}

fn pit_letter(row: usize, column: usize) -> String {
    let small = letter(column);
    if row == 0 { small.to_ascii_uppercase().to_string() } else { small.to_string() }
}

fn letter(n: usize) -> char {
    u8::try_from(n).ok().and_then(|n| b'a'.checked_add(n)).map_or('?', char::from)
}

fn index(n: usize) -> u16 {
    u16::try_from(n).unwrap_or(u16::MAX)
}

fn small(n: i64) -> u16 {
    u16::try_from(n).unwrap_or(u16::MAX)
}
