//! Sets of sites and men whose order does not matter, or is ascending.

use super::{Bits, Lower, Model, Num, Set};
use crate::{
    ir::op::List,
    rules::{Expr, Id as _, Op, Query, SeatId, Type, Whose},
};

impl<M: Model> Lower<'_, M> {
    /// A set of sites, or of cells for men.
    pub(super) fn set(&mut self, expr: &Expr) -> Set<M::Bits> {
        match self.kind(expr) {
            Type::Site | Type::Man => return one(self.num(expr)),
            Type::Sites | Type::Men => {}
            _ => return Set::Const(M::Bits::NONE),
        }
        match expr {
            Expr::Sites(sites) => Set::Const(M::Bits::of(sites.iter().map(|site| site.index()))),
            Expr::PlacesOf(whose, places) => {
                self.by_actor(*whose, |seat| M::Bits::of(places.at(seat).iter().map(|site| site.index())))
            }
            Expr::Marked(whose, mark) => {
                let first = (mark.index() * self.rules.seats.len()) as u16;
                match whose {
                    Whose::Own => Set::OwnReg(first),
                    whose => Set::Regs(first, self.seen(*whose)),
                }
            }
            Expr::Var(id) => {
                let place = self.vars.get(id.index()).copied().unwrap_or_default();
                if self.kind(expr) == Type::Sites {
                    self.found.as_bits.insert(*id);
                }
                match (place.bits, place.list) {
                    (Some(register), _) => Set::Reg(register),
                    (None, Some(list)) => Set::Of(Box::new(List::Reg(list))),
                    (None, None) => Set::Const(M::Bits::NONE),
                }
            }
            Expr::Ask(query, args) => self.ask_set(*query, args),
            Expr::Those { var, set, condition, walk: None } => {
                let of = self.set(set);
                match condition {
                    Some(condition) => self.narrowed(of, *var, &[condition]),
                    None => of,
                }
            }
            Expr::Those { var, set, condition: None, walk: Some(walk) } => match &**set {
                Expr::Ask(query @ (Query::PitsAfter | Query::PitsBefore), args) => {
                    let (from, towards) = self.round(*query, args);
                    let (var, test) = (self.var(*var), Box::new(self.test(walk)));
                    Set::Along { from: from.boxed(), towards: towards.boxed(), var, test }
                }
                _ => Set::Of(Box::new(self.list(expr))),
            },
            Expr::Binary(Op::Union, left, right) => Set::Or(Box::new(self.set(left)), Box::new(self.set(right))),
            Expr::Binary(Op::Without, left, right) => Set::Minus(Box::new(self.set(left)), Box::new(self.set(right))),
            Expr::Binary(Op::MenOn, men, sites) => Set::StandingOn(Box::new(self.set(men)), Box::new(self.set(sites))),
            _ => Set::Of(Box::new(self.list(expr))),
        }
    }

    /// Where a walk along the circuit begins, and its direction.
    pub(super) fn round(&mut self, query: Query, args: &[Expr]) -> (Num<M::Bits>, Num<M::Bits>) {
        let towards = if query == Query::PitsAfter { self.towards(args) } else { self.backwards(args) };
        let from = args.first().map_or(Num::Const(-1), |site| self.num(site));
        (from, towards)
    }

    fn ask_set(&mut self, query: Query, args: &[Expr]) -> Set<M::Bits> {
        let none = Expr::Sites(vec![]);
        let first = args.first().unwrap_or(&none);
        let whose = whose(query);
        match query {
            Query::Lifted => {
                self.found.lifted = true;
                Set::Reg(self.layout.lifted.unwrap_or_default())
            }
            Query::Passed => self.passed(),
            Query::Trodden => Set::Or(Box::new(self.passed()), Box::new(one(Num::Reached))),
            Query::OwnPits | Query::FriendPits | Query::EnemyPits | Query::AllPits => {
                let board = &self.rules.board;
                let pits = |seat: SeatId| {
                    let own = board.places().filter(move |(_, site)| site.owner == Some(seat));
                    M::Bits::of(own.map(|(site, _)| site.index()))
                };
                self.by_actor(whose, pits)
            }
            Query::FriendStores | Query::EnemyStores | Query::AllStores => {
                let stores = &self.rules.board.stores;
                self.by_actor(whose, |seat| M::Bits::of(stores.get(seat).map(|site| site.index())))
            }
            Query::OwnMen | Query::FriendMen | Query::EnemyMen | Query::AllMen => {
                let (ways, topology, states) = (&self.rules.ways, self.topology, usize::from(self.rules.states));
                let in_play = |seat: SeatId| {
                    let way = ways.at(seat);
                    let spots = way.spots.ids().filter(|spot| Some(*spot) != way.home && Some(*spot) != way.out);
                    let first = |spot: usize| seat.index() * topology.cells_each + spot * states;
                    M::Bits::of(spots.flat_map(|spot| first(spot.index())..first(spot.index()) + states))
                };
                let cells = self.by_actor(whose, in_play);
                Set::And(Box::new(Set::Reg(self.layout.men.unwrap_or_default())), Box::new(cells))
            }
            Query::SquaresOf => Set::Squares(Box::new(self.set(first))),
            Query::Reach => {
                let steps = args.get(1).map_or(Num::Const(0), |steps| self.num(steps));
                Set::Reach(Box::new(self.list(first)), steps.boxed())
            }
            Query::Path => {
                let steps = args.get(1).map_or(Num::Const(0), |steps| self.num(steps));
                Set::Path(self.num(first).boxed(), steps.boxed())
            }
            Query::PitsAfter | Query::PitsBefore => {
                let (from, towards) = self.round(query, args);
                Set::Round(from.boxed(), towards.boxed())
            }
            _ => Set::Const(M::Bits::NONE),
        }
    }

    fn passed(&mut self) -> Set<M::Bits> {
        self.found.passed = true;
        Set::Reg(self.layout.passed.unwrap_or_default())
    }

    /// Whether the members of a set come in ascending order, each once, as far as a choice or a walk is concerned.
    pub(super) fn ascending(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Sites(sites) => sites.is_sorted_by(|a, b| a < b),
            Expr::PlacesOf(whose, places) => {
                let seats = self.seen(*whose);
                seats.iter().take(self.rules.seats.len()).all(|seats| {
                    let seats = self.rules.seats.ids().filter(|seat| seats >> seat.index() & 1 == 1);
                    let all: Vec<_> = seats.flat_map(|seat| places.at(seat).clone()).collect();
                    all.is_sorted_by(|a, b| a < b)
                })
            }
            Expr::Marked(..) | Expr::Site(_) => true,
            Expr::Ask(query, _) => {
                use Query as Q;
                matches!(
                    query,
                    Q::OwnPits | Q::FriendPits | Q::EnemyPits | Q::AllPits | Q::NoPits | Q::NoMen | Q::OwnStore
                ) || matches!(
                    query,
                    Q::FriendStores
                        | Q::EnemyStores
                        | Q::AllStores
                        | Q::OwnMen
                        | Q::FriendMen
                        | Q::EnemyMen
                        | Q::AllMen
                ) || matches!(query.result(), Type::Site)
            }
            Expr::Var(id) => matches!(self.rules.vars.at(*id), Type::Site | Type::Man),
            Expr::Those { set, walk: None, .. } => self.ascending(set),
            Expr::Binary(Op::Without | Op::MenOn, left, _) => self.ascending(left),
            _ => false,
        }
    }

    /// Whether a set of sites may have a member twice.
    pub(super) fn repeats(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Sites(_) | Expr::PlacesOf(..) => !self.ascending(expr),
            Expr::Ask(query, _) => matches!(query, Query::Passed | Query::Trodden | Query::Path | Query::Reach),
            Expr::Var(id) => self.repeating.contains(id),
            Expr::Those { set, .. } => self.repeats(set),
            Expr::Binary(_, left, right) => self.repeats(left) || self.repeats(right),
            _ => false,
        }
    }

    /// Whether a set of men has all men of every cell that it has one of.
    pub(super) fn whole(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Ask(query, _) => query.result() == Type::Men,
            Expr::Those { set, walk: None, .. } => self.whole(set),
            Expr::Binary(Op::MenOn | Op::Without, left, _) => self.whole(left),
            Expr::Binary(Op::Union, left, right) => self.whole(left) && self.whole(right),
            _ => false,
        }
    }
}

fn one<B: Bits>(num: Num<B>) -> Set<B> {
    match num {
        Num::Const(n) => Set::Const(usize::try_from(n).map_or(B::NONE, B::one)),
        num => Set::One(num.boxed()),
    }
}

/// Whose pits, stores or men a question is about.
fn whose(query: Query) -> Whose {
    match query {
        Query::FriendPits | Query::FriendStores | Query::FriendMen => Whose::Friend,
        Query::EnemyPits | Query::EnemyStores | Query::EnemyMen => Whose::Enemy,
        Query::AllPits | Query::AllStores | Query::AllMen => Whose::All,
        _ => Whose::Own,
    }
}
