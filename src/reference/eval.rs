//! Expressions: what a position answers.

use super::{state::State, value::Value};
use crate::{
    rules::{Expr, Op, Query, Rules, SeatId, SiteId, VarId},
    tree::Man,
};

/// Rules and the state they are asked about. Asking changes nothing but the values that quantifiers
/// look at and, while they look, the seat that acts; both are put back.
pub(crate) struct Eval<'a> {
    pub(crate) rules: &'a Rules,
    pub(crate) state: &'a mut State,
    /// Steps left in this turn: expressions cost steps too.
    pub(crate) steps: &'a mut u64,
}

impl Eval<'_> {
    pub(crate) fn number(&mut self, expr: &Expr) -> i32 {
        self.value(expr).number()
    }

    pub(crate) fn truth(&mut self, expr: &Expr) -> bool {
        self.value(expr).truth()
    }

    pub(crate) fn sites(&mut self, expr: &Expr) -> Vec<SiteId> {
        self.value(expr).sites()
    }

    pub(crate) fn value(&mut self, expr: &Expr) -> Value {
        *self.steps = self.steps.saturating_sub(1);
        match expr {
            Expr::Number(n) => Value::Number(*n),
            Expr::Truth(truth) => Value::Truth(*truth),
            Expr::Site(site) => Value::Site(Some(*site)),
            Expr::Sites(sites) => Value::Sites(sites.clone()),
            Expr::Var(var) => self.state.turn.vars.at(*var).clone(),
            Expr::Variable(id) => Value::Number(self.state.variable(*id).map_or(0, |value| *value)),
            Expr::Listed(items) => Value::Numbers(items.iter().map(|item| self.number(item)).collect()),
            Expr::Ranged(parity, from, to) => {
                let (from, to) = (self.number(from), self.number(to));
                Value::Numbers((from..=to).filter(|n| parity.admits(*n)).collect())
            }
            Expr::Ask(query, args) => self.ask(*query, args),
            Expr::Binary(op, left, right) => self.binary(*op, left, right),
            Expr::Not(inner) => Value::Truth(!self.truth(inner)),
            Expr::Negate(inner) => Value::Number(self.number(inner).saturating_neg()),
            Expr::Quantified { every, var, set, condition } => self.quantified(*every, *var, set, condition),
            Expr::Players { every, condition } => {
                let before = self.state.turn.actor;
                let holds = |eval: &mut Self, seat| {
                    eval.state.turn.actor = seat;
                    eval.truth(condition)
                };
                let mut seats = self.rules.seats.ids();
                let answer =
                    if *every { seats.all(|seat| holds(self, seat)) } else { seats.any(|seat| holds(self, seat)) };
                self.state.turn.actor = before;
                Value::Truth(answer)
            }
            // Binding leaves none of these.
            Expr::Option(_) | Expr::Is(..) | Expr::Of(_) | Expr::Place(_) | Expr::Region(_) => Value::Number(0),
        }
    }

    fn quantified(&mut self, every: bool, var: VarId, set: &Expr, condition: &Expr) -> Value {
        let mut members = self.value(set).members().into_iter();
        let before = self.state.turn.vars.at(var).clone();
        let mut holds = |member| {
            *self.state.turn.vars.at_mut(var) = member;
            *self.steps > 0 && self.truth(condition)
        };
        let answer = if every { members.all(&mut holds) } else { members.any(&mut holds) };
        *self.state.turn.vars.at_mut(var) = before;
        Value::Truth(answer)
    }

    fn binary(&mut self, op: Op, left: &Expr, right: &Expr) -> Value {
        match op {
            Op::Or => Value::Truth(self.truth(left) || self.truth(right)),
            Op::And => Value::Truth(self.truth(left) && self.truth(right)),
            Op::Add => Value::Number(self.number(left).saturating_add(self.number(right))),
            Op::Subtract => Value::Number(self.number(left).saturating_sub(self.number(right))),
            Op::Multiply => Value::Number(self.number(left).saturating_mul(self.number(right))),
            Op::Equal => Value::Truth(self.value(left) == self.value(right)),
            Op::NotEqual => Value::Truth(self.value(left) != self.value(right)),
            Op::AtMost | Op::AtLeast | Op::Less | Op::More => {
                Value::Truth(op.compare(self.number(left), self.number(right)) == Some(true))
            }
            Op::In => {
                let member = self.value(left);
                if let (Value::Number(n), Expr::Ranged(parity, from, to)) = (&member, right) {
                    let inside = (self.number(from)..=self.number(to)).contains(n);
                    return Value::Truth(inside && parity.admits(*n));
                }
                Value::Truth(self.value(right).members().contains(&member))
            }
            Op::StandsOn => {
                let (man, sites) = (self.value(left).man(), self.sites(right));
                let square = man.and_then(|man| self.square(man));
                Value::Truth(square.is_some_and(|square| sites.contains(&square)))
            }
            Op::MenOn => {
                let (mut men, sites) = (self.value(left).men(), self.sites(right));
                men.retain(|man| self.square(*man).is_some_and(|square| sites.contains(&square)));
                Value::Men(men)
            }
        }
    }

    fn ask(&mut self, query: Query, args: &[Expr]) -> Value {
        let mut args = args.iter().map(|arg| self.value(arg)).collect::<Vec<_>>().into_iter();
        let argument = args.next();
        let site = |value: &Option<Value>| value.as_ref().and_then(Value::site);
        let (rules, state) = (self.rules, &*self.state);
        let actor = state.turn.actor;
        match query {
            Query::Seeds => {
                let sites = argument.map(Value::sites).unwrap_or_default();
                number(sites.iter().map(|site| usize::from(*state.seeds.at(*site))).sum())
            }
            Query::Size => number(argument.map(Value::members).unwrap_or_default().len()),
            Query::Empty => Value::Truth(match argument {
                Some(Value::Men(men)) => men.is_empty(),
                Some(Value::Numbers(numbers)) => numbers.is_empty(),
                sites => sites.map(Value::sites).unwrap_or_default().iter().all(|site| *state.seeds.at(*site) == 0),
            }),
            Query::Next => Value::Site(site(&argument).map(|site| rules.board.sites.at(site).next)),
            Query::Before => Value::Site(site(&argument).map(|site| rules.board.sites.at(site).before)),
            Query::Opposite => Value::Site(site(&argument).map(|site| rules.board.sites.at(site).opposite)),
            Query::Hand => number(usize::from(state.hand)),
            Query::Last => Value::Site(state.turn.last),
            Query::Lifted => Value::Sites(state.turn.lifted.clone()),
            Query::Captured => number(usize::from(*state.stores.at(actor))),
            Query::TotalSeeds => number(rules.board.total_seeds() as usize),
            Query::QuietTurns => number(state.quiet as usize),
            Query::Home => number(usize::from(state.home(actor))),
            Query::Passed => Value::Sites(state.turn.passed.clone()),
            Query::Trodden => Value::Sites(state.turn.passed.iter().copied().chain(state.turn.reached).collect()),
            Query::StartOf => {
                let seat = argument.as_ref().and_then(Value::man).map_or(actor, |man| man.seat);
                Value::Site(rules.tracks.at(seat).first().copied())
            }
            Query::StepsLeft => {
                let man = argument.as_ref().and_then(Value::man);
                number(man.map_or(0, |man| rules.tracks.at(man.seat).len().saturating_sub(1 + usize::from(man.step))))
            }
            Query::SquareOf => Value::Site(argument.as_ref().and_then(Value::man).and_then(|man| self.square(man))),
            Query::Pool => {
                *self.steps = self.steps.saturating_sub(state.pool.len() as u64);
                Value::Numbers(state.pool.clone())
            }
            Query::Total => {
                let numbers = argument.map(Value::numbers).unwrap_or_default();
                Value::Number(numbers.into_iter().fold(0, i32::saturating_add))
            }
            Query::OwnPits => self.pits(|owner| owner == actor),
            Query::EnemyPits => self.pits(|owner| owner != actor),
            Query::AllPits => Value::Sites(rules.board.sites.ids().collect()),
            Query::NoPits => Value::Sites(vec![]),
            Query::OwnMen => self.men(|seat| seat == actor),
            Query::EnemyMen => self.men(|seat| seat != actor),
            Query::AllMen => self.men(|_| true),
            Query::NoMen => Value::Men(vec![]),
            Query::PitsAfter => self.along(site(&argument), |site| rules.board.sites.at(site).next),
            Query::PitsBefore => self.along(site(&argument), |site| rules.board.sites.at(site).before),
        }
    }

    fn pits(&self, fits: impl Fn(SeatId) -> bool) -> Value {
        let sites = self.rules.board.sites.entries().filter(|(_, site)| site.owner.is_some_and(&fits));
        Value::Sites(sites.map(|(id, _)| id).collect())
    }

    /// The men on the board, each by himself; those at home are out of play.
    fn men(&self, fits: impl Fn(SeatId) -> bool) -> Value {
        let mut men = vec![];
        for seat in self.rules.seats.ids().filter(|seat| fits(*seat)) {
            let steps = self.state.men.at(seat);
            for (step, count) in steps.iter().enumerate().take(steps.len().saturating_sub(1)) {
                let man = Man { seat, step: u16::try_from(step).unwrap_or(u16::MAX) };
                men.extend((0..*count).map(|_| man));
            }
        }
        Value::Men(men)
    }

    /// The circuit from a pit on, the pit itself left out.
    fn along(&self, from: Option<SiteId>, step: impl Fn(SiteId) -> SiteId) -> Value {
        let Some(from) = from else { return Value::Sites(vec![]) };
        let mut sites = vec![];
        let mut here = step(from);
        while here != from && sites.len() < self.rules.board.sites.len() {
            sites.push(here);
            here = step(here);
        }
        Value::Sites(sites)
    }

    /// The square on which a man stands.
    pub(crate) fn square(&self, man: Man) -> Option<SiteId> {
        self.rules.tracks.at(man.seat).get(usize::from(man.step)).copied()
    }
}

fn number(n: usize) -> Value {
    Value::Number(i32::try_from(n).unwrap_or(i32::MAX))
}
