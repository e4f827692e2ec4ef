//! Whole sowings as rows of a table: what is added to every site, and where the last seed falls.

use std::mem::offset_of;

use super::{
    model::{Cells, Model},
    topology::Topology,
};
use crate::rules::{BlockId, Direction, Expr, Id as _, Op, Query, Rules, SeatId, SiteId, Stmt, StmtKind, Type};

/// The memory of a table, in bytes, beyond which it holds sowings of fewer seeds.
const MOST_BYTES: usize = 1 << 17;
/// A row that is not in the table.
const MISSING: i32 = -2;

/// A sowing that hangs on nothing but one pit, its seeds, the mover and a direction.
#[derive(Debug, Clone, Copy)]
pub(super) struct Segment<'a> {
    rules: &'a Rules,
    /// The pit that is lifted, or where the first seed of the hand falls.
    pub(super) pit: &'a Expr,
    /// The direction, where it is known only when it is sown.
    pub(super) towards: Option<&'a Expr>,
    pub(super) lifts: bool,
    sow: &'a Stmt,
}

impl<'a> Segment<'a> {
    /// Lifting a pit, and then sowing.
    pub(super) fn lifting(rules: &'a Rules, pit: &'a Expr, sow: &'a Stmt) -> Option<Self> {
        let one = match pit {
            Expr::Var(var) => *rules.vars.at(*var) == Type::Site,
            Expr::Ask(Query::Last, _) => true,
            _ => false,
        };
        let mut segment = Self { rules, pit, towards: None, lifts: true, sow };
        segment.towards = segment.direction(sow)?;
        one.then_some(segment)
    }

    /// Sowing the hand.
    pub(super) fn sowing(rules: &'a Rules, sow: &'a Stmt) -> Option<Self> {
        let StmtKind::Sow { from, skipping, .. } = &sow.kind else { return None };
        if skipping.as_ref().is_some_and(|set| *set != Expr::Ask(Query::NoPits, vec![])) {
            return None;
        }
        let mut segment = Self { rules, pit: from, towards: None, lifts: false, sow };
        segment.towards = segment.direction(sow)?;
        Some(segment)
    }

    /// The direction that all sowings of the segment have, if it is known only when they are sown; nothing where they
    /// differ in that.
    fn direction(&self, stmt: &'a Stmt) -> Option<Option<&'a Expr>> {
        match &stmt.kind {
            StmtKind::Sow { towards, body: None, .. } => match towards {
                None | Some(Expr::Ask(Query::Clockwise | Query::Counterclockwise, _)) => Some(None),
                Some(towards @ Expr::Var(_)) => Some(Some(towards)),
                Some(_) => None,
            },
            StmtKind::If(_, then, Some(otherwise)) => {
                let then = self.direction(self.only(*then)?)?;
                let otherwise = self.direction(self.only(*otherwise)?)?;
                (then == otherwise).then_some(then)
            }
            _ => None,
        }
    }

    /// The one statement of a block.
    fn only(&self, block: BlockId) -> Option<&'a Stmt> {
        match self.rules.blocks.at(block).as_slice() {
            [stmt] => Some(stmt),
            _ => None,
        }
    }
}

/// Where a sowing begins, its direction, and the site that it passes over.
struct Sown {
    from: SiteId,
    towards: Direction,
    skipping: Vec<SiteId>,
}

/// One sowing of a segment: for this mover, this pit, so many seeds, this direction.
struct Case<'a> {
    segment: &'a Segment<'a>,
    mover: SeatId,
    pit: SiteId,
    seeds: i32,
    towards: Direction,
}

impl Case<'_> {
    fn stmt(&self, stmt: &Stmt) -> Option<Sown> {
        match &stmt.kind {
            StmtKind::Sow { from, towards, skipping, .. } => {
                let from = if self.segment.lifts { self.site(from)? } else { self.pit };
                let skipping = skipping.as_ref().map_or(Some(vec![]), |set| self.sites(set))?;
                let towards = match towards {
                    None => self.segment.rules.board.direction,
                    Some(Expr::Ask(Query::Clockwise, _)) => Direction::Clockwise,
                    Some(Expr::Ask(Query::Counterclockwise, _)) => Direction::Counterclockwise,
                    Some(_) => self.towards,
                };
                Some(Sown { from, towards, skipping })
            }
            StmtKind::If(condition, then, otherwise) => {
                let block = if self.test(condition)? { *then } else { (*otherwise)? };
                self.stmt(self.segment.only(block)?)
            }
            _ => None,
        }
    }

    fn site(&self, expr: &Expr) -> Option<SiteId> {
        if expr == self.segment.pit {
            return Some(self.pit);
        }
        let circuit = self.segment.rules.board.circuits.get(self.mover)?;
        match expr {
            Expr::Site(site) => Some(*site),
            Expr::Ask(query @ (Query::Next | Query::Before), args) => {
                let towards = match args.get(1) {
                    None => self.segment.rules.board.direction,
                    Some(Expr::Ask(Query::Clockwise, _)) => Direction::Clockwise,
                    Some(Expr::Ask(Query::Counterclockwise, _)) => Direction::Counterclockwise,
                    Some(towards) if Some(towards) == self.segment.towards => self.towards,
                    Some(_) => return None,
                };
                let towards = if *query == Query::Next { towards } else { towards.reverse() };
                circuit.next(self.site(args.first()?)?, towards)
            }
            Expr::Ask(Query::Opposite, args) => self.segment.rules.board.sites.at(self.site(args.first()?)?).opposite,
            _ => None,
        }
    }

    fn sites(&self, expr: &Expr) -> Option<Vec<SiteId>> {
        match expr {
            Expr::Ask(Query::NoPits, _) => Some(vec![]),
            Expr::Ask(Query::Lifted, _) if self.segment.lifts => Some(vec![self.pit]),
            Expr::Sites(sites) => Some(sites.clone()),
            one => self.site(one).map(|site| vec![site]),
        }
    }

    fn number(&self, expr: &Expr) -> Option<i32> {
        match expr {
            Expr::Number(n) => Some(*n),
            Expr::Ask(Query::Hand, _) => Some(self.seeds),
            _ => None,
        }
    }

    fn test(&self, expr: &Expr) -> Option<bool> {
        match expr {
            Expr::Truth(truth) => Some(*truth),
            Expr::Not(inner) => Some(!self.test(inner)?),
            Expr::Binary(Op::And, left, right) => Some(self.test(left)? && self.test(right)?),
            Expr::Binary(Op::Or, left, right) => Some(self.test(left)? || self.test(right)?),
            Expr::Binary(Op::In, site, set) => {
                let (site, set) = (self.site(site)?, self.sites(set)?);
                Some(set.contains(&site))
            }
            Expr::Binary(op, left, right) => {
                let compare = super::op::Compare::of(*op)?;
                Some(compare.holds(self.number(left)?, self.number(right)?))
            }
            _ => None,
        }
    }
}

/// The sowings of a segment.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SowingTable<M: Model> {
    /// By mover, direction, pit and seeds.
    rows: Vec<Row<M>>,
    /// Where the rows of each mover and direction begin.
    from: [[u32; 2]; 4],
    /// The most seeds, and one.
    seeds: u32,
}

/// How a table lies in memory.
pub(crate) struct Rows<'a, M: Model> {
    pub(crate) first: &'a Row<M>,
    pub(crate) len: usize,
    /// Where the rows of each mover begin, by direction.
    pub(crate) from: [[u32; 2]; 4],
    /// The rows of each pit.
    pub(crate) seeds: u32,
    /// The bytes of a row, and where what is added and the last site are in it.
    pub(crate) size: usize,
    pub(crate) delta: usize,
    pub(crate) last: usize,
}

/// A sowing: what is added to all sites, and where the last seed falls.
#[derive(Debug, Clone, PartialEq)]
#[repr(align(16))]
pub(crate) struct Row<M: Model> {
    delta: M::Cells,
    last: i32,
}

impl<M: Model> SowingTable<M> {
    /// The table of a segment; nothing where its sowings hang on something else.
    pub(super) fn new(rules: &Rules, topology: &Topology<M::Bits>, segment: &Segment<'_>) -> Option<Self> {
        if rules.men > 0 || rules.marks.iter().any(|skipped| *skipped) {
            return None;
        }
        let sites = topology.sites;
        let directions = if segment.towards.is_some() { 2 } else { 1 };
        let row = size_of::<M::Cells>().max(sites);
        let most = (MOST_BYTES / (row * sites * directions)).max(4);
        let seeds = most.min(rules.board.total_seeds() as usize) + 1;
        let mut table = Self { rows: vec![], from: [[0; 2]; 4], seeds: seeds as u32 };
        let mut known: Vec<(u32, Vec<Row<M>>)> = vec![];
        let mut any = false;
        for mover in rules.seats.ids() {
            let mut rows = vec![];
            for towards in [Direction::Counterclockwise, Direction::Clockwise].into_iter().take(directions) {
                for pit in rules.board.sites.ids() {
                    for n in 0..seeds {
                        let case = Case { segment, mover, pit, seeds: n as i32, towards };
                        let sown = case.stmt(segment.sow).filter(|_| n > 0);
                        let row = match sown {
                            Some(sown) => Self::row(topology, &case, &sown),
                            None => Row { delta: M::Cells::empty(sites), last: MISSING },
                        };
                        any |= row.last >= 0;
                        rows.push(row);
                    }
                }
            }
            let at = match known.iter().find(|(_, others)| *others == rows) {
                Some((at, _)) => *at,
                None => {
                    let at = table.rows.len() as u32;
                    table.rows.extend(rows.iter().cloned());
                    known.push((at, rows));
                    at
                }
            };
            if let Some(from) = table.from.get_mut(mover.index()) {
                *from = [at, at + if directions > 1 { (sites * seeds) as u32 } else { 0 }];
            }
        }
        any.then_some(table)
    }

    /// One sowing, seed by seed.
    fn row(topology: &Topology<M::Bits>, case: &Case<'_>, sown: &Sown) -> Row<M> {
        let mut counts = vec![0; topology.sites];
        let mover = case.mover.index();
        let towards = i32::from(sown.towards == Direction::Clockwise);
        let skips = |site: i32| sown.skipping.iter().any(|skipped| skipped.index() as i32 == site);
        let mut here = sown.from.index() as i32;
        for n in 0..case.seeds {
            let from = if n == 0 { here } else { topology.next(mover, towards, here) };
            let mut site = from;
            for _ in 0..topology.sites {
                if !skips(site) {
                    break;
                }
                site = topology.next(mover, towards, site);
            }
            // Sowings that leave the circuit are done seed by seed.
            let Some(count) = usize::try_from(site).ok().filter(|_| !skips(site)).and_then(|site| counts.get_mut(site))
            else {
                return Row { delta: M::Cells::empty(topology.sites), last: MISSING };
            };
            *count += 1;
            here = site;
        }
        if case.segment.lifts
            && let Some(count) = counts.get_mut(case.pit.index())
        {
            *count -= case.seeds;
        }
        let mut delta = M::Cells::empty(topology.sites);
        for (site, count) in counts.into_iter().enumerate() {
            delta.set(site, count);
        }
        Row { delta, last: here }
    }

    /// How it lies in memory; nothing where there are no rows.
    pub(crate) fn rows(&self) -> Option<Rows<'_, M>> {
        Some(Rows {
            first: self.rows.first()?,
            len: self.rows.len(),
            from: self.from,
            seeds: self.seeds,
            size: size_of::<Row<M>>(),
            delta: offset_of!(Row<M>, delta),
            last: offset_of!(Row<M>, last),
        })
    }

    /// How many sowings it has.
    pub(crate) fn len(&self) -> usize {
        self.rows.iter().filter(|row| row.last >= 0).count()
    }

    /// What so many seeds of a pit add to the sites, and where the last one falls; nothing where that is not known.
    #[inline(always)]
    pub(crate) fn sow(&self, mover: usize, direction: i32, pit: i32, seeds: i32) -> Option<(&M::Cells, i32)> {
        let (pit, seeds) = (pit as u32, seeds as u32);
        if seeds >= self.seeds {
            return None;
        }
        let from = self.from.get(mover)?.get(usize::from(direction != 0))?;
        let row = self.rows.get(from.wrapping_add(pit.wrapping_mul(self.seeds)).wrapping_add(seeds) as usize)?;
        (row.last >= 0).then_some((&row.delta, row.last))
    }
}
