//! Expressions: what a position answers.

use std::collections::{HashMap, HashSet};

use super::{state::State, value::Value};
use crate::{
    rules::{Direction, Expr, Id as _, MAX_WALK, Op, Query, Rules, SeatId, SiteId, SpotId, StateId, VarId, Whose},
    view::Man,
};

/// So many members of a set cost a step.
const SET_STEP: u64 = 8;

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
        let value = self.plain_value(expr);
        // A set costs by its length, too.
        let length = match &value {
            Value::Sites(sites) => sites.len(),
            Value::Men(men) => men.len(),
            _ => 0,
        };
        *self.steps = self.steps.saturating_sub(1 + length as u64 / SET_STEP);
        value
    }

    fn plain_value(&mut self, expr: &Expr) -> Value {
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
            Expr::Players { partners, every, condition } => {
                let before = self.state.turn.actor;
                let holds = |eval: &mut Self, seat| {
                    eval.state.turn.actor = seat;
                    eval.truth(condition)
                };
                let rules = self.rules;
                let mut seats = rules
                    .seats
                    .ids()
                    .filter(|seat| !partners || rules.side_of.at(*seat) == rules.side_of.at(before))
                    .collect::<Vec<_>>()
                    .into_iter();
                let answer =
                    if *every { seats.all(|seat| holds(self, seat)) } else { seats.any(|seat| holds(self, seat)) };
                self.state.turn.actor = before;
                Value::Truth(answer)
            }
            Expr::Those { var, set, condition, walk } => self.those(*var, set, condition.as_deref(), walk.as_deref()),
            Expr::InState(man, state) => Value::Truth(self.value(man).man().is_some_and(|man| man.state == *state)),
            Expr::PlacesOf(whose, places) => {
                let seats = self.rules.seats.ids().filter(|seat| self.is(*whose, *seat));
                Value::Sites(seats.flat_map(|seat| places.at(seat).clone()).collect())
            }
            Expr::Marked(whose, mark) => {
                let sites = self.rules.board.places().map(|(id, _)| id);
                let fits =
                    |site: &SiteId| self.state.board.marked(*mark, *site).is_some_and(|seat| self.is(*whose, seat));
                Value::Sites(sites.filter(fits).collect())
            }
            // Binding leaves none of these.
            Expr::Option(_) | Expr::Is(..) | Expr::Of(_) | Expr::Place(_) | Expr::Region(_) | Expr::RegionOf(..) => {
                Value::Number(0)
            }
        }
    }

    /// Whose a seat is in the eyes of the one that acts.
    fn is(&self, whose: Whose, seat: SeatId) -> bool {
        let actor = self.state.turn.actor;
        match whose {
            Whose::All => true,
            Whose::Own => seat == actor,
            Whose::Friend => self.rules.partners(actor, seat),
            Whose::Enemy => self.rules.side_of.at(seat) != self.rules.side_of.at(actor),
        }
    }

    fn those(&mut self, var: VarId, set: &Expr, condition: Option<&Expr>, walk: Option<&Expr>) -> Value {
        let set = self.value(set);
        let before = self.state.turn.vars.at(var).clone();
        let mut kept = vec![];
        for member in set.clone().members() {
            *self.state.turn.vars.at_mut(var) = member.clone();
            if *self.steps == 0 || condition.is_some_and(|condition| !self.truth(condition)) {
                continue;
            }
            if walk.is_some_and(|walk| !self.truth(walk)) {
                break;
            }
            kept.push(member);
        }
        *self.state.turn.vars.at_mut(var) = before;
        match set {
            Value::Men(_) | Value::Man(_) => Value::Men(kept.iter().filter_map(Value::man).collect()),
            Value::Numbers(_) => Value::Numbers(kept.iter().map(Value::number).collect()),
            Value::Directions(_) => Value::Directions(kept.iter().filter_map(Value::direction).collect()),
            _ => Value::Sites(kept.iter().filter_map(Value::site).collect()),
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
            Op::Union | Op::Without => {
                let (left, right) = (self.value(left), self.value(right));
                let men = matches!(left, Value::Men(_) | Value::Man(_));
                let (mut all, others) = (left.members(), right.members());
                // How often each member stands in the first set: men who are alike are counted, each by himself.
                let mut known: HashMap<Value, usize> = HashMap::new();
                if op == Op::Without {
                    let others: HashSet<Value> = others.into_iter().collect();
                    all.retain(|member| !others.contains(member));
                } else {
                    for member in &all {
                        *known.entry(member.clone()).or_default() += 1;
                    }
                    for member in others {
                        match known.get_mut(&member).filter(|count| **count > 0) {
                            Some(count) if men => *count -= 1,
                            Some(_) => {}
                            None => {
                                if !men {
                                    known.insert(member.clone(), 1);
                                }
                                all.push(member);
                            }
                        }
                    }
                }
                if men {
                    Value::Men(all.iter().filter_map(Value::man).collect())
                } else {
                    Value::Sites(all.iter().filter_map(Value::site).collect())
                }
            }
            Op::StandsOn => {
                let (man, sites) = (self.value(left).man(), self.sites(right));
                Value::Truth(man.is_some_and(|man| sites.contains(&self.square(man))))
            }
            Op::MenOn => {
                let (mut men, sites) = (self.value(left).men(), self.sites(right));
                men.retain(|man| sites.contains(&self.square(*man)));
                Value::Men(men)
            }
        }
    }

    fn ask(&mut self, query: Query, args: &[Expr]) -> Value {
        let mut args = args.iter().map(|arg| self.value(arg)).collect::<Vec<_>>().into_iter();
        let argument = args.next();
        let second = args.next();
        let third = args.next();
        let site = |value: &Option<Value>| value.as_ref().and_then(Value::site);
        let man = argument.as_ref().and_then(Value::man);
        let (rules, state) = (self.rules, &*self.state);
        let actor = state.turn.actor;
        // A direction stands behind what else is asked about.
        let towards = second.iter().chain(&third).find_map(Value::direction).unwrap_or(rules.board.direction);
        let number_given = second.as_ref().map_or(0, Value::number);
        match query {
            Query::Seeds => {
                let sites = argument.map(Value::sites).unwrap_or_default();
                number(sites.iter().map(|site| usize::from(*state.board.seeds.at(*site))).sum())
            }
            Query::Size => number(argument.map(Value::members).unwrap_or_default().len()),
            Query::Empty => Value::Truth(match argument {
                Some(Value::Men(men)) => men.is_empty(),
                Some(Value::Man(_) | Value::Directions(_)) => false,
                Some(Value::Numbers(numbers)) => numbers.is_empty(),
                sites => {
                    let sites = sites.map(Value::sites).unwrap_or_default();
                    sites.iter().all(|site| *state.board.seeds.at(*site) == 0)
                }
            }),
            Query::First => Value::Site(argument.map(Value::sites).unwrap_or_default().first().copied()),
            Query::Next => Value::Site(site(&argument).and_then(|site| self.next(site, towards))),
            Query::Before => Value::Site(site(&argument).and_then(|site| self.next(site, towards.reverse()))),
            Query::Ahead => Value::Site(site(&argument).and_then(|site| self.ahead(site, number_given, towards))),
            Query::Opposite => Value::Site(site(&argument).and_then(|site| rules.board.sites.at(site).opposite)),
            Query::Behind => Value::Site(site(&argument).and_then(|site| rules.board.sites.at(site).behind)),
            Query::Owner => Value::Player(site(&argument).and_then(|site| rules.board.sites.at(site).owner)),
            Query::Clockwise => Value::Direction(Direction::Clockwise),
            Query::Counterclockwise => Value::Direction(Direction::Counterclockwise),
            Query::Directions => Value::Directions(vec![Direction::Counterclockwise, Direction::Clockwise]),
            Query::Reverse => {
                let given = argument.as_ref().and_then(Value::direction).unwrap_or(rules.board.direction);
                Value::Direction(given.reverse())
            }
            Query::Hand => number(usize::from(state.hand)),
            Query::Last => Value::Site(state.turn.last),
            Query::Lifted => Value::Sites(state.turn.lifted.clone()),
            Query::Captured => {
                number(rules.board.stores.get(actor).map_or(0, |store| usize::from(*state.board.seeds.at(*store))))
            }
            Query::TotalSeeds => number(rules.board.total_seeds() as usize),
            Query::QuietTurns => number(state.quiet as usize),
            Query::TurnsPlayed => number((state.turns - state.round_start) as usize),
            Query::Repeated => Value::Truth(state.repeated),
            Query::Round => number(state.round as usize),
            Query::Mover => Value::Player(Some(state.mover)),
            Query::Actor => Value::Player(Some(actor)),
            Query::PlayerAfter => {
                let player = argument.as_ref().and_then(Value::player);
                Value::Player(player.map(|seat| SeatId::new((seat.index() + 1) % rules.seats.len())))
            }
            Query::Beginner => Value::Player(Some(state.beginner)),
            Query::RoundWinner => Value::Player(Some(state.round_winner.unwrap_or(state.beginner))),
            Query::Home => number(usize::from(state.board.home(rules, actor))),
            Query::Passed => Value::Sites(state.turn.passed.clone()),
            Query::Trodden => Value::Sites(state.turn.passed.iter().copied().chain(state.turn.reached).collect()),
            Query::StartOf => {
                let way = rules.ways.at(man.map_or(actor, |man| man.seat));
                Value::Site(way.spots.iter().next().map(|spot| spot.site))
            }
            Query::StepsLeft => {
                number(man.map_or(0, |man| usize::from(rules.ways.at(man.seat).spots.at(man.spot).left)))
            }
            Query::SquareOf => Value::Site(man.map(|man| self.square(man))),
            Query::SquaresOf => {
                let mut squares: Vec<SiteId> = vec![];
                for man in argument.map(Value::men).unwrap_or_default() {
                    let square = self.square(man);
                    if !squares.contains(&square) {
                        squares.push(square);
                    }
                }
                Value::Sites(squares)
            }
            Query::Reach => {
                let mut men = argument.map(Value::men).unwrap_or_default().into_iter();
                let mut all = men.next().map_or(vec![], |man| self.reach(man, number_given));
                for man in men {
                    let own = self.reach(man, number_given);
                    all.retain(|square| own.contains(square));
                }
                Value::Sites(all)
            }
            Query::Path => {
                let mut path = man.map_or(vec![], |man| self.walk(man, number_given, None));
                path.pop();
                let spots = man.map(|man| &rules.ways.at(man.seat).spots);
                Value::Sites(path.iter().filter_map(|spot| Some(spots?.at(*spot).site)).collect())
            }
            Query::Waiting => {
                let place = man.map(|man| rules.board.sites.at(self.square(man)).place);
                Value::Truth(matches!(place, Some(crate::rules::Place::Hand(_))))
            }
            Query::PlayerOf => Value::Player(man.map(|man| man.seat)),
            Query::Pool => {
                *self.steps = self.steps.saturating_sub(state.pool.len() as u64);
                Value::Numbers(state.pool.clone())
            }
            Query::Total => {
                let numbers = argument.map(Value::numbers).unwrap_or_default();
                Value::Number(numbers.into_iter().fold(0, i32::saturating_add))
            }
            Query::OwnPits => self.pits(Whose::Own),
            Query::FriendPits => self.pits(Whose::Friend),
            Query::EnemyPits => self.pits(Whose::Enemy),
            Query::AllPits => self.pits(Whose::All),
            Query::NoPits => Value::Sites(vec![]),
            Query::OwnStore => Value::Site(rules.board.stores.get(actor).copied()),
            Query::FriendStores => self.stores(Whose::Friend),
            Query::EnemyStores => self.stores(Whose::Enemy),
            Query::AllStores => self.stores(Whose::All),
            Query::OwnMen => self.men(Whose::Own),
            Query::FriendMen => self.men(Whose::Friend),
            Query::EnemyMen => self.men(Whose::Enemy),
            Query::AllMen => self.men(Whose::All),
            Query::NoMen => Value::Men(vec![]),
            Query::PitsAfter => Value::Sites(site(&argument).map(|site| self.along(site, towards)).unwrap_or_default()),
            Query::PitsBefore => {
                Value::Sites(site(&argument).map(|site| self.along(site, towards.reverse())).unwrap_or_default())
            }
        }
    }

    fn pits(&self, whose: Whose) -> Value {
        let sites = self.rules.board.places().filter(|(_, site)| site.owner.is_some_and(|seat| self.is(whose, seat)));
        Value::Sites(sites.map(|(id, _)| id).collect())
    }

    fn stores(&self, whose: Whose) -> Value {
        let stores = self.rules.board.stores.entries().filter(|(seat, _)| self.is(whose, *seat));
        Value::Sites(stores.map(|(_, site)| *site).collect())
    }

    /// The men in play, each by himself: those at home and those taken are out of it.
    fn men(&self, whose: Whose) -> Value {
        let (rules, board) = (self.rules, &self.state.board);
        let mut men = vec![];
        for seat in rules.seats.ids().filter(|seat| self.is(whose, *seat)) {
            let way = rules.ways.at(seat);
            for spot in way.spots.ids().filter(|spot| Some(*spot) != way.home && Some(*spot) != way.out) {
                for state in (0..usize::from(rules.states)).map(StateId::new) {
                    let man = Man { seat, spot, state };
                    men.extend((0..board.men(rules, man)).map(|_| man));
                }
            }
        }
        Value::Men(men)
    }

    /// The site that follows on the mover's circuit; sites with a mark that is skipped are passed over.
    pub(crate) fn next(&self, from: SiteId, towards: Direction) -> Option<SiteId> {
        let rules = self.rules;
        let circuit = rules.board.circuits.get(self.state.mover)?;
        let mut here = circuit.next(from, towards)?;
        for _ in 0..rules.board.sites.len() {
            if !self.skipped(here) {
                return Some(here);
            }
            here = circuit.next(here, towards)?;
        }
        None
    }

    /// Whether a site has a mark that the circuit passes over.
    pub(crate) fn skipped(&self, site: SiteId) -> bool {
        let marks = self.rules.marks.entries();
        marks.into_iter().any(|(id, skipped)| *skipped && self.state.board.marked(id, site).is_some())
    }

    /// The pit so many pits ahead; the circuit is gone round as often as need be.
    fn ahead(&self, from: SiteId, n: i32, towards: Direction) -> Option<SiteId> {
        let steps = usize::try_from(n).unwrap_or(0);
        if steps == 0 {
            return Some(from);
        }
        let mut round = self.along(from, towards);
        // A pit that the circuit comes back to is the last of its round.
        if round.last().is_none_or(|last| self.next(*last, towards) == Some(from)) {
            round.push(from);
        }
        round.get((steps - 1) % round.len()).copied()
    }

    /// The circuit from a pit on, the pit itself left out.
    fn along(&self, from: SiteId, towards: Direction) -> Vec<SiteId> {
        let mut sites: Vec<SiteId> = vec![];
        let mut here = self.next(from, towards);
        while let Some(site) = here.filter(|site| *site != from && sites.first() != Some(site)) {
            sites.push(site);
            here = self.next(site, towards);
        }
        sites
    }

    /// The square on which a man stands, or his place beside the board.
    pub(crate) fn square(&self, man: Man) -> SiteId {
        self.rules.ways.at(man.seat).spots.at(man.spot).site
    }

    /// The squares to which so many steps can bring a man.
    fn reach(&mut self, man: Man, by: i32) -> Vec<SiteId> {
        let Some(steps) = usize::try_from(by).ok().filter(|_| by <= MAX_WALK) else { return vec![] };
        *self.steps = self.steps.saturating_sub(steps as u64);
        let way = self.rules.ways.at(man.seat);
        way.reach(man.spot, steps).into_iter().map(|spot| way.spots.at(spot).site).collect()
    }

    /// The spots that so many steps of a man tread.
    pub(crate) fn walk(&mut self, man: Man, by: i32, goal: Option<SiteId>) -> Vec<SpotId> {
        let steps = usize::try_from(by.clamp(0, MAX_WALK)).unwrap_or(0);
        *self.steps = self.steps.saturating_sub(steps as u64);
        self.rules.ways.at(man.seat).walk(man.spot, steps, goal)
    }
}

fn number(n: usize) -> Value {
    Value::Number(i32::try_from(n).unwrap_or(i32::MAX))
}
