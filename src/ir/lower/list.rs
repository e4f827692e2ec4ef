//! Sets whose order matters, and sets of numbers.

use super::{Lower, Model, Num, Set};
use crate::{
    ir::op::List,
    rules::{Expr, Id as _, Op, Query, Type},
};

impl<M: Model> Lower<'_, M> {
    /// The members of a set in order.
    pub(super) fn list(&mut self, expr: &Expr) -> List<M::Bits> {
        let kind = self.kind(expr);
        match kind {
            Type::Site | Type::Man => return List::One(self.num(expr)),
            Type::Number | Type::Direction => return List::Numbers(vec![self.num(expr)]),
            Type::Sites if self.ascending(expr) => return List::Ascending(self.set(expr)),
            Type::Men if self.ascending(expr) && self.whole(expr) => return List::Men(self.set(expr)),
            _ => {}
        }
        match expr {
            Expr::Sites(sites) => List::Const(sites.iter().map(|site| site.index() as i32).collect()),
            Expr::PlacesOf(whose, places) => {
                let lists = self.seen(*whose).map(|seats| {
                    let seats = self.rules.seats.ids().filter(|seat| seats >> seat.index() & 1 == 1);
                    seats.flat_map(|seat| places.at(seat).iter().map(|site| site.index() as i32)).collect::<Vec<_>>()
                });
                List::ByActor(lists)
            }
            Expr::Var(id) => {
                if kind == Type::Sites {
                    self.found.as_list.insert(*id);
                }
                let place = self.vars.get(id.index()).copied().unwrap_or_default();
                List::Reg(place.list.unwrap_or(crate::ir::op::ListReg { base: 0, most: 0 }))
            }
            Expr::Listed(items) => List::Numbers(items.iter().map(|item| self.num(item)).collect()),
            Expr::Ranged(parity, from, to) => List::Range(*parity, self.num(from), self.num(to)),
            Expr::Those { var, set, condition, walk } => {
                let of = Box::new(self.list(set));
                let test = condition.as_ref().map(|test| Box::new(self.test(test)));
                let walk = walk.as_ref().map(|walk| Box::new(self.test(walk)));
                List::Those { var: self.var(*var), of, test, walk }
            }
            Expr::Binary(Op::Union, left, right) => {
                List::Union(Box::new(self.list(left)), Box::new(self.list(right)), kind == Type::Men)
            }
            Expr::Binary(Op::Without, left, right) => {
                List::Without(Box::new(self.list(left)), Box::new(self.list(right)))
            }
            Expr::Binary(Op::MenOn, men, sites) => List::StandingOn(Box::new(self.list(men)), self.set(sites)),
            Expr::Ask(query, args) => self.ask_list(*query, args),
            _ => List::Const(vec![]),
        }
    }

    fn ask_list(&mut self, query: Query, args: &[Expr]) -> List<M::Bits> {
        let none = Expr::Sites(vec![]);
        let first = args.first().unwrap_or(&none);
        match query {
            Query::Pool => {
                self.found.pool = true;
                List::Pool
            }
            Query::Directions => List::Const(vec![0, 1]),
            Query::Lifted => {
                self.found.lifted = true;
                List::Ascending(Set::Reg(self.layout.lifted.unwrap_or_default()))
            }
            Query::Passed | Query::Trodden => {
                self.found.passed_in_order = true;
                let none = crate::ir::op::ListReg { base: 0, most: 0 };
                let passed = self.layout.passed_in_order.unwrap_or(none);
                if query == Query::Passed { List::Reg(passed) } else { List::Trodden(passed) }
            }
            Query::SquaresOf => List::Squares(Box::new(self.list(first))),
            Query::Reach => {
                let steps = args.get(1).map_or(Num::Const(0), |steps| self.num(steps));
                List::Reach(Box::new(self.list(first)), steps)
            }
            Query::Path => {
                let steps = args.get(1).map_or(Num::Const(0), |steps| self.num(steps));
                List::Path(self.num(first), steps)
            }
            Query::PitsAfter | Query::PitsBefore => {
                let (from, towards) = self.round(query, args);
                List::Round(from, towards)
            }
            _ => List::Const(vec![]),
        }
    }
}
