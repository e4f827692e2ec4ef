//! Members in their order.

use super::run::Run;
use crate::ir::{Bits, Cells as _, List, Model, NONE};

/// The most numbers of a range that is written out.
const MOST: usize = 100_000;

impl<M: Model> Run<'_, M> {
    /// Adds the members of a list to others.
    pub(super) fn list(&mut self, list: &List<M::Bits>, items: &mut Vec<i32>) {
        match list {
            List::Const(all) => items.extend(all),
            List::ByActor(lists) => items.extend(lists.get(usize::from(self.state.actor)).into_iter().flatten()),
            List::Reg(list) => items.extend(self.state.items(*list)),
            List::One(num) => {
                let n = self.num(num);
                if n != NONE {
                    items.push(n);
                }
            }
            List::Ascending(set) => {
                let set = self.set(set);
                items.extend(set.members().map(|n| n as i32));
            }
            List::Men(set) => {
                let set = self.set(set);
                for cell in set.members() {
                    items.extend((0..self.state.cells.get(cell)).map(|_| cell as i32));
                }
            }
            List::Round(from, towards) => {
                let (from, towards) = (self.num(from), self.num(towards));
                self.along(from, towards, |_, site| {
                    items.push(site);
                    true
                });
            }
            List::Pool => items.extend(self.program.layout.pool.map(|pool| self.state.items(pool)).unwrap_or_default()),
            List::Numbers(numbers) => {
                for number in numbers {
                    let n = self.num(number);
                    items.push(n);
                }
            }
            List::Range(parity, from, to) => {
                let (from, to) = (self.num(from), self.num(to));
                items.extend((from..=to).filter(|n| parity.admits(*n)).take(MOST));
                if items.len() >= MOST {
                    self.fuel = 0;
                }
            }
            List::Those { var, of, test, walk } => self.with_list(of, |run, all| {
                let before = run.state.number(*var);
                for item in all {
                    run.state.put(*var, *item);
                    if test.as_ref().is_some_and(|test| !run.test(test)) {
                        continue;
                    }
                    if walk.as_ref().is_some_and(|walk| !run.test(walk)) {
                        break;
                    }
                    items.push(*item);
                }
                run.state.put(*var, before);
            }),
            List::Union(left, right, men) => {
                let first = items.len();
                self.list(left, items);
                // Men who are alike are counted, each by himself.
                let mut known: Vec<i32> = items.get(first..).unwrap_or_default().to_vec();
                self.with_list(right, |_, others| {
                    for other in others {
                        match known.iter().position(|item| item == other) {
                            Some(at) if *men => {
                                known.swap_remove(at);
                            }
                            Some(_) => {}
                            None => {
                                items.push(*other);
                                if !*men {
                                    known.push(*other);
                                }
                            }
                        }
                    }
                });
            }
            List::Without(left, right) => self.with_list(right, |run, others| {
                run.with_list(left, |_, all| items.extend(all.iter().filter(|item| !others.contains(item))));
            }),
            List::StandingOn(men, sites) => {
                let sites = self.set(sites);
                self.with_list(men, |run, men| {
                    let on = |man: &&i32| sites.has(run.program.topology.square(**man as usize));
                    items.extend(men.iter().filter(on));
                });
            }
            List::Squares(men) => self.with_list(men, |run, men| {
                let mut seen = M::Bits::NONE;
                for man in men {
                    let square = run.program.topology.square(*man as usize);
                    if !seen.has(square) {
                        seen = seen.or(M::Bits::one(square));
                        items.push(square as i32);
                    }
                }
            }),
            List::Reach(men, steps) => {
                let steps = self.num(steps);
                self.with_list(men, |run, men| {
                    let topology = &run.program.topology;
                    let Some((first, others)) = men.split_first() else { return };
                    let from = items.len();
                    topology.reach(*first as usize, steps, |site| items.push(site as i32));
                    for man in others {
                        let mut own = M::Bits::NONE;
                        topology.reach(*man as usize, steps, |site| own = own.or(M::Bits::one(site)));
                        let mut at = 0;
                        items.retain(|site| {
                            at += 1;
                            at <= from || own.has(*site as usize)
                        });
                    }
                });
            }
            List::Path(man, steps) => {
                let (man, steps) = (self.num(man), self.num(steps));
                if man != NONE {
                    let first = items.len();
                    self.program.topology.walk(man as usize, steps, NONE, |site| items.push(site as i32));
                    if items.len() > first {
                        items.pop();
                    }
                }
            }
            List::Trodden(passed) => {
                items.extend(self.state.items(*passed));
                if self.state.reached != NONE {
                    items.push(self.state.reached);
                }
            }
        }
    }
}
