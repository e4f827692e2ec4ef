//! Effects: what a statement does to the board, the men, the pool or a variable.

use super::{
    run::Run,
    value::Value,
    watch::{Event, Watch},
};
use crate::{
    rules::{Direction, Expr, Id as _, MAX_POOL, RuleId, SeatId, SiteId, SpotId, StateId, Stmt, StmtKind},
    view::Man,
};

impl<W: Watch> Run<'_, W> {
    /// Statements that change the board, the men, the pool or a variable.
    pub(super) fn effect(&mut self, stmt: &Stmt) {
        let rule = Some(stmt.rule);
        match &stmt.kind {
            StmtKind::Lift(set) => {
                let sites = self.eval().sites(set);
                for site in &sites {
                    let seeds = std::mem::take(self.state.board.seeds.at_mut(*site));
                    self.state.hand += seeds;
                    self.watch.see(rule, Event::Lifted(*site, seeds));
                }
                self.state.turn.lifted = sites;
            }
            StmtKind::Sow { from, towards, skipping, .. } => {
                if let Some((from, towards, skipping)) = self.sowing(from, towards.as_ref(), skipping.as_ref()) {
                    let path = self.sow(from, towards, &skipping);
                    self.watch.see(rule, Event::Sown(path));
                }
            }
            StmtKind::Capture { seeds, from } => {
                let actor = self.state.turn.actor;
                let most = seeds.as_ref().map(|seeds| self.eval().number(seeds).max(0));
                let most = most.map_or(u16::MAX, |most| u16::try_from(most).unwrap_or(u16::MAX));
                for site in self.eval().sites(from) {
                    let seeds = self.take(site, most, actor);
                    if seeds > 0 {
                        self.count(actor, u32::from(seeds));
                        self.state.turn.captured = true;
                        self.watch.see(rule, Event::Captured(actor, site, seeds));
                    }
                }
            }
            StmtKind::Keep(set) => {
                let actor = self.state.turn.actor;
                for site in self.eval().sites(set) {
                    let seeds = self.take(site, u16::MAX, actor);
                    if seeds > 0 {
                        self.watch.see(rule, Event::Kept(actor, site, seeds));
                    }
                }
            }
            StmtKind::Put { seeds, from, into } => {
                let seeds = u16::try_from(self.eval().number(seeds).max(0)).unwrap_or(u16::MAX);
                let (from, into) = (self.eval().value(from).site(), self.eval().value(into).site());
                if let Some((from, into)) = from.zip(into) {
                    let seeds = seeds.min(*self.state.board.seeds.at(from));
                    *self.state.board.seeds.at_mut(from) -= seeds;
                    *self.state.board.seeds.at_mut(into) += seeds;
                    self.watch.see(rule, Event::Put(seeds, from, into));
                }
            }
            StmtKind::Mark(set, mark) => {
                let actor = self.state.turn.actor;
                for site in self.eval().sites(set) {
                    self.state.board.mark(*mark, site, Some(actor));
                    self.watch.see(rule, Event::Marked(actor, site, *mark));
                }
            }
            StmtKind::Unmark(set, mark) => {
                for site in self.eval().sites(set) {
                    self.state.board.mark(*mark, site, None);
                    self.watch.see(rule, Event::Unmarked(site, *mark));
                }
            }
            StmtKind::CaptureMen(men) => {
                let actor = self.state.turn.actor;
                for man in self.eval().value(men).men() {
                    if let Some(out) = self.rules.ways.at(man.seat).out {
                        let square = self.eval().square(man);
                        if self.remove(man, out) {
                            self.watch.see(rule, Event::Taken(actor, man, square));
                        }
                    }
                }
            }
            StmtKind::SendBack(men) => {
                let actor = self.state.turn.actor;
                for man in self.eval().value(men).men() {
                    let square = self.eval().square(man);
                    if self.remove(man, SpotId::new(0)) {
                        self.watch.see(rule, Event::SentBack(actor, man, square));
                    }
                }
            }
            StmtKind::Make(men, state) => {
                for man in self.eval().value(men).men() {
                    let made = Man { state: *state, ..man };
                    self.state.board.change(self.rules, man, made);
                    self.rename(men, man, made);
                    let square = self.eval().square(man);
                    self.watch.see(rule, Event::Made(man, square, *state));
                }
            }
            StmtKind::Add(count) => {
                let count = self.eval().number(count);
                // A game that wants more is stopped.
                if self.state.pool.len() >= MAX_POOL {
                    *self.steps = 0;
                    return;
                }
                let at = self.state.pool.partition_point(|other| *other <= count);
                self.state.pool.insert(at, count);
                self.watch.see(rule, Event::Pooled(count));
            }
            StmtKind::Spend(count) => {
                let count = self.eval().number(count);
                if let Some(at) = self.state.pool.iter().position(|other| *other == count) {
                    self.state.pool.remove(at);
                    self.watch.see(rule, Event::Spent(count));
                }
            }
            StmtKind::ClearPool if !self.state.pool.is_empty() => {
                self.state.pool.clear();
                self.watch.see(rule, Event::PoolCleared);
            }
            StmtKind::SetVariable(variable, value) => {
                let value = self.eval().number(value);
                if let Some(slot) = self.state.variable(*variable) {
                    *slot = value;
                }
            }
            StmtKind::TakeBack => {
                if let Some(before) = self.state.turn.before.clone() {
                    self.state.board = *before;
                    self.tally.captured.clone_from(&self.tally.before);
                }
                self.state.hand = 0;
                self.state.pool.clear();
                self.state.turn.captured = false;
                self.watch.see(rule, Event::TakenBack);
            }
            _ => {}
        }
    }

    /// Moves seeds of a pit, as many as there are or fewer, to the store of a seat; those that are there stay.
    fn take(&mut self, site: SiteId, most: u16, seat: SeatId) -> u16 {
        let Some(store) = self.rules.board.stores.get(seat).copied().filter(|store| *store != site) else { return 0 };
        let seeds = most.min(*self.state.board.seeds.at(site));
        *self.state.board.seeds.at_mut(site) -= seeds;
        *self.state.board.seeds.at_mut(store) += seeds;
        seeds
    }

    /// Counts what a seat has captured.
    fn count(&mut self, seat: SeatId, more: u32) {
        let sum = self.tally.captured.at_mut(seat);
        *sum = sum.saturating_add(more);
    }

    /// Takes a man from where he is to another spot, in the state of the start; counts as a capture.
    fn remove(&mut self, man: Man, to: SpotId) -> bool {
        if self.state.board.men(self.rules, man) == 0 || man.spot == to {
            return false;
        }
        let back = Man { spot: to, state: StateId::new(0), ..man };
        self.state.board.change(self.rules, man, back);
        self.count(self.state.turn.actor, 1);
        self.state.turn.captured = true;
        true
    }

    /// Where a sowing begins, its direction, and what it passes over.
    pub(super) fn sowing(
        &mut self,
        from: &Expr,
        towards: Option<&Expr>,
        skipping: Option<&Expr>,
    ) -> Option<(SiteId, Direction, Vec<SiteId>)> {
        let from = self.eval().value(from).site();
        let towards = towards.and_then(|way| self.eval().value(way).direction());
        let skipping = skipping.map(|set| self.eval().sites(set)).unwrap_or_default();
        // The checker sees to it that there is a place; if there were none, the seeds would go back.
        let from = from.or_else(|| self.state.turn.lifted.first().copied())?;
        let towards = towards.unwrap_or(self.rules.board.direction);
        let from = if self.eval().skipped(from) { self.eval().next(from, towards).unwrap_or(from) } else { from };
        *self.steps = self.steps.saturating_sub(u64::from(self.state.hand));
        Some((from, towards, skipping))
    }

    /// Sows the hand from a pit on, and gives the pits in order.
    fn sow(&mut self, from: SiteId, towards: Direction, skipping: &[SiteId]) -> Vec<SiteId> {
        let mut path = vec![];
        let mut first = Some(from);
        while self.state.hand > 0 {
            let site = self.drop_seed(first.take(), towards, skipping);
            if self.watch.listens() {
                path.push(site);
            }
        }
        path
    }

    /// Drops one seed into the first site, or else into the next one behind that of the last seed, and gives the
    /// site. A sowing that must pass over every pit drops all seeds where it is: nothing is lost.
    pub(super) fn drop_seed(&mut self, first: Option<SiteId>, towards: Direction, skipping: &[SiteId]) -> SiteId {
        let behind = |run: &mut Self, site| run.eval().next(site, towards).unwrap_or(site);
        let from = match (first, self.state.turn.last) {
            (Some(first), _) => first,
            (None, Some(last)) => behind(self, last),
            // A sowing begins somewhere: there is always one of the two.
            (None, None) => return SiteId::new(0),
        };
        let mut site = from;
        for _ in 0..self.rules.board.sites.len() {
            if !skipping.contains(&site) {
                break;
            }
            site = behind(self, site);
        }
        let site = if skipping.contains(&site) { from } else { site };
        *self.state.board.seeds.at_mut(site) += 1;
        self.state.hand -= 1;
        self.state.turn.last = Some(site);
        site
    }

    /// Moves men along their tracks.
    pub(super) fn move_men(&mut self, rule: RuleId, men: &Expr, by: &Expr, to: Option<&Expr>) {
        let movers = self.eval().value(men).men();
        let by = self.eval().number(by);
        let goal = to.and_then(|to| self.eval().value(to).site());
        for man in movers {
            if self.state.board.men(self.rules, man) == 0 {
                continue;
            }
            let path = self.eval().walk(man, by, goal);
            let way = self.rules.ways.at(man.seat);
            let mut squares: Vec<SiteId> = path.iter().map(|spot| way.spots.at(*spot).site).collect();
            let from = self.eval().square(man);
            let to = squares.pop().unwrap_or(from);
            self.state.turn.passed = squares;
            self.state.turn.reached = Some(to);
            let spot = path.last().copied().unwrap_or(man.spot);
            // Men at home are alike, whatever they were.
            let state = if Some(spot) == way.home { StateId::new(0) } else { man.state };
            let moved = Man { spot, state, ..man };
            self.state.board.change(self.rules, man, moved);
            self.watch.see(Some(rule), Event::Moved(man, from, to));
            self.rename(men, man, moved);
        }
    }

    /// A man keeps the name by which the rules speak of him.
    fn rename(&mut self, name: &Expr, old: Man, new: Man) {
        if let Expr::Var(var) = name
            && let value @ Value::Man(_) = self.state.turn.vars.at_mut(*var)
            && value.man() == Some(old)
        {
            *value = Value::Man(new);
        }
    }
}
