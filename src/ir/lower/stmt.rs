//! Statements.

use super::{Bits, Lower, Model, Num, Op, Pc, Procedure, Set};
use crate::{
    ir::{
        op::{Candidates, Choose, Pick, PickKind, Reg, Relay, Sowing, TableSowing, Test, Verdict, Visit},
        sowing::{self, Segment},
    },
    rules::{BlockId, Decides, Expr, Id as _, Lifetime, Query, Stmt, StmtKind, Type, VarId},
};

impl<M: Model> Lower<'_, M> {
    pub(super) fn block(&mut self, block: BlockId) {
        let rules = self.rules;
        self.statements(rules.blocks.at(block));
    }

    fn statements(&mut self, stmts: &[Stmt]) {
        let mut rest = stmts;
        while let Some((stmt, behind)) = rest.split_first() {
            self.here = Some(stmt.rule);
            if let StmtKind::Choose { may, picks, condition, none, none_allowed } = &stmt.kind {
                return self.choose(*may, picks, condition.as_ref(), *none, *none_allowed, behind);
            }
            rest = match self.table_sowing(stmt, behind) {
                Some(sown) => sown,
                None => {
                    self.statement(stmt);
                    behind
                }
            };
        }
    }

    /// A choice, what stands behind it, and what is done instead.
    fn choose(
        &mut self,
        may: bool,
        picks: &[(VarId, Expr)],
        condition: Option<&Expr>,
        none: BlockId,
        none_allowed: Option<BlockId>,
        behind: &[Stmt],
    ) {
        let picks = self.picks(picks, condition);
        let try_when = self.refusals();
        let choose = Choose { picks, may, none: 0, none_allowed: None, try_when };
        let at = self.emit(Op::Choose(Box::new(choose)));
        self.statements(behind);
        let mut ends = vec![self.emit(Op::Jump(0))];
        let none_at = self.pc();
        self.block(none);
        let allowed_at = none_allowed.map(|block| {
            ends.push(self.emit(Op::Jump(0)));
            let at = self.pc();
            self.block(block);
            at
        });
        if let Some(Op::Choose(choose)) = self.code.get_mut(at) {
            (choose.none, choose.none_allowed) = (none_at, allowed_at);
        }
        self.land(&ends);
    }

    /// Lets jumps lead here.
    fn land(&mut self, jumps: &[usize]) {
        let here = self.pc();
        for jump in jumps {
            if let Some(
                Op::Jump(to)
                | Op::Unless(_, to)
                | Op::While { exit: to, .. }
                | Op::EachMember(_, Visit { exit: to, .. })
                | Op::EachItem(_, _, Visit { exit: to, .. })
                | Op::EachPlayer { exit: to, .. }
                | Op::ByPlayer { exit: to, .. }
                | Op::NextSeed { exit: to, .. },
            ) = self.code.get_mut(*jump)
            {
                *to = here;
            }
        }
    }

    /// What is chosen. Each condition is put to the last thing that it speaks of.
    fn picks(&mut self, picks: &[(VarId, Expr)], condition: Option<&Expr>) -> Vec<Pick<M::Bits>> {
        let mut parts = vec![];
        if let Some(condition) = condition {
            conjuncts(condition, &mut parts);
        }
        let of = |part: &Expr| picks.iter().rposition(|(var, _)| part.mentions(*var)).unwrap_or(0);
        let lowered = picks.iter().enumerate().map(|(n, (var, from))| {
            let own: Vec<&Expr> = parts.iter().copied().filter(|part| of(part) == n).collect();
            let kind = match self.kind(from) {
                Type::Men | Type::Man => PickKind::Man,
                Type::Numbers | Type::Number => PickKind::Count,
                Type::Directions | Type::Direction => PickKind::Direction,
                _ => PickKind::Site,
            };
            let set = matches!(kind, PickKind::Site | PickKind::Man) && self.ascending(from);
            let (from, test) = if set {
                let members = self.set(from);
                (Candidates::Set(self.narrowed(members, *var, &own)), None)
            } else {
                let tests: Vec<Test<M::Bits>> = own.iter().map(|part| self.test(part)).collect();
                (Candidates::List(self.list(from)), (!tests.is_empty()).then_some(Test::And(tests)))
            };
            Pick { var: self.var(*var), from, test, kind }
        });
        lowered.collect()
    }

    /// An effect is over.
    fn done(&mut self) {
        if self.at_once {
            self.emit(Op::AtOnce);
        }
    }

    fn effect(&mut self, op: Op<M::Bits>) {
        let touched = Touched::by(&op);
        self.emit(op);
        if self.at_once {
            self.emit(if self.asked_at_once & touched == 0 { Op::AtOnceIfArmed } else { Op::AtOnce });
        }
    }

    fn statement(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            // Handled with what stands behind it.
            StmtKind::Choose { .. } => {}
            StmtKind::If(condition, then, otherwise) => {
                let test = self.test(condition);
                let mut jumps = vec![self.emit(Op::Unless(test, 0))];
                self.block(*then);
                if let Some(otherwise) = otherwise {
                    let end = self.emit(Op::Jump(0));
                    self.land(&jumps);
                    self.block(*otherwise);
                    jumps = vec![end];
                }
                self.land(&jumps);
            }
            StmtKind::While { condition, bound, laps, body, reached } => {
                self.repeat(condition, bound, *laps, *body, *reached);
            }
            StmtKind::ForEach { var, set, condition, walk, body } => {
                self.for_each(*var, set, condition.as_ref(), walk.as_ref(), *body);
            }
            StmtKind::EachPlayer(body) => {
                let (before, next) = (self.numbers(1), self.numbers(1));
                self.emit(Op::SetNum(before, Num::Actor));
                self.emit(Op::SetNum(next, Num::Const(0)));
                let head = self.emit(Op::EachPlayer { before, next, exit: 0 });
                self.block(*body);
                self.emit(Op::Jump(head as Pc));
                self.land(&[head]);
            }
            StmtKind::ByPlayer(player, body) => {
                let (before, player) = (self.numbers(1), self.num(player));
                let head = self.emit(Op::ByPlayer { player, before, exit: 0 });
                self.block(*body);
                self.emit(Op::EndBy(before));
                self.land(&[head]);
            }
            StmtKind::Sow { from, towards, skipping, body } => {
                let sowing = self.sowing(from, towards.as_ref(), skipping.as_ref());
                match body {
                    None => self.effect(Op::Sow(sowing)),
                    Some(body) => {
                        let (first, towards) = (self.numbers(1), self.numbers(1));
                        let skipping = self.set_reg();
                        self.emit(Op::BeginSowing { sowing, first, towards, skipping });
                        let head = self.emit(Op::NextSeed { first, towards, skipping, exit: 0 });
                        self.block(*body);
                        self.emit(Op::Jump(head as Pc));
                        self.land(&[head]);
                        self.done();
                    }
                }
            }
            StmtKind::Lift(set) => {
                let lifted = self.set(set);
                self.effect(Op::Lift(lifted));
            }
            StmtKind::Capture { seeds, from } => {
                let most = seeds.as_ref().map(|seeds| self.num(seeds));
                let from = self.set(from);
                self.effect(Op::Capture { most, from });
            }
            StmtKind::CaptureMen(men) => {
                let men = self.list(men);
                self.effect(Op::CaptureMen(men));
            }
            StmtKind::Keep(set) => {
                let from = self.set(set);
                self.effect(Op::Keep(from));
            }
            StmtKind::Put { seeds, from, into } => {
                let (seeds, from, into) = (self.num(seeds), self.num(from), self.num(into));
                self.effect(Op::Put { seeds, from, into });
            }
            StmtKind::Mark(set, mark) => {
                let (set, mark) = (self.set(set), self.mark(*mark));
                self.effect(Op::Mark(set, mark));
            }
            StmtKind::Unmark(set, mark) => {
                let (set, mark) = (self.set(set), self.mark(*mark));
                self.effect(Op::Unmark(set, mark));
            }
            StmtKind::Throw(throw, var) => {
                let var = self.var(*var);
                self.emit(Op::Throw(*throw, var));
            }
            StmtKind::Move { men, by, to, body } => {
                let named = self.named(men);
                let (men, steps) = (self.list(men), self.num(by));
                let to = to.as_ref().map(|to| self.num(to));
                self.emit(Op::Move { men, steps, to, named });
                if let Some(body) = body {
                    self.block(*body);
                    self.here = Some(stmt.rule);
                }
                self.emit(Op::Moved);
            }
            StmtKind::Make(men, state) => {
                let named = self.named(men);
                let men = self.list(men);
                self.effect(Op::Make { men, state: state.index() as u16, named });
            }
            StmtKind::SendBack(men) => {
                let men = self.list(men);
                self.effect(Op::SendBack(men));
            }
            StmtKind::Add(count) => {
                self.found.pool = true;
                let count = self.num(count);
                self.effect(Op::AddToPool(count));
            }
            StmtKind::Spend(count) => {
                self.found.pool = true;
                let count = self.num(count);
                self.effect(Op::Spend(count));
            }
            StmtKind::ClearPool => {
                self.found.pool = true;
                self.effect(Op::ClearPool);
            }
            StmtKind::SetVariable(id, value) => {
                let value = self.num(value);
                let (register, _) = self.layout.variables.get(id.index()).copied().unwrap_or_default();
                let own = self.rules.variables.at(*id).lifetime == Lifetime::Player;
                self.effect(if own { Op::SetOwn(register, value) } else { Op::SetNum(register, value) });
            }
            StmtKind::TakeBack => self.effect(Op::TakeBack),
            StmtKind::Pass => {
                self.emit(Op::Pass);
            }
            StmtKind::Again { times, reached } => {
                let times = self.num(times);
                let at = self.emit(Op::Again { times, reached: 0 });
                let here = self.pc();
                if let Some(Op::Again { reached, .. }) = self.code.get_mut(at) {
                    *reached = here;
                }
                self.block(*reached);
            }
            StmtKind::Refuse => {
                self.emit(Op::Refuse);
            }
            StmtKind::Require(condition) => {
                let test = self.test(condition);
                self.emit(Op::Require(test));
            }
            StmtKind::EndBy(ending) => {
                self.emit(Op::End(*ending));
            }
            StmtKind::NewRound(player) => {
                let player = self.num(player);
                self.emit(Op::NewRound(player));
            }
            StmtKind::MostWins(value, what) => {
                let value = self.num(value);
                self.emit(Op::Most(value, *what == Decides::Round));
            }
            StmtKind::MoverWins(what) => self.decide(Verdict::MoverWins, *what),
            StmtKind::MoverLoses(what) => self.decide(Verdict::MoverLoses, *what),
            StmtKind::NobodyWins(what) => self.decide(Verdict::NobodyWins, *what),
            StmtKind::Set(var, value) => self.assign(*var, value),
            StmtKind::Call(id, args) => self.call(*id, args),
        }
    }

    fn decide(&mut self, verdict: Verdict, what: Decides) {
        self.emit(Op::Decide(verdict, what == Decides::Round));
    }

    fn mark(&self, mark: crate::rules::MarkId) -> u16 {
        (mark.index() * self.rules.seats.len()) as u16
    }

    /// The register that names the one man, so that he keeps his name.
    fn named(&self, men: &Expr) -> Option<Reg> {
        match men {
            Expr::Var(var) if *self.rules.vars.at(*var) == Type::Man => Some(self.var(*var)),
            _ => None,
        }
    }

    fn sowing(&mut self, from: &Expr, towards: Option<&Expr>, skipping: Option<&Expr>) -> Sowing<M::Bits> {
        let from = self.num(from);
        let towards = match towards {
            Some(towards) => self.num(towards),
            None => self.direction(),
        };
        let skipping = skipping.map(|set| self.set(set)).filter(|set| *set != Set::Const(M::Bits::NONE));
        Sowing { from, towards, skipping }
    }

    /// A loop. Laps of nothing but one sowing each are done at once.
    fn repeat(&mut self, condition: &Expr, bound: &Expr, laps: bool, body: BlockId, reached: BlockId) {
        let rounds = self.numbers(1);
        self.emit(Op::SetNum(rounds, Num::Const(0)));
        let relay = if laps { self.relay(condition, bound, rounds, body) } else { None };
        let head = self.pc();
        let (test, bound) = (self.test(condition), self.num(bound));
        let at = self.emit(Op::While { test, bound, rounds, laps, exit: 0, reached: 0 });
        self.block(body);
        self.emit(Op::Jump(head));
        let reached_at = self.pc();
        self.block(reached);
        if let Some(Op::While { reached, .. }) = self.code.get_mut(at) {
            *reached = reached_at;
        }
        self.land(&[at]);
        let here = self.pc();
        if let Some(Op::Relay(relay)) = relay.and_then(|at| self.code.get_mut(at)) {
            (relay.reached, relay.exit) = (reached_at, here);
        }
    }

    /// Laps of nothing but one sowing by a table, as long as a pit with more seeds is reached.
    fn relay(&mut self, condition: &Expr, bound: &Expr, rounds: Reg, body: BlockId) -> Option<usize> {
        let Expr::Binary(crate::rules::Op::More, seeds, than) = condition else { return None };
        let last = Expr::Ask(Query::Last, vec![]);
        let (Expr::Ask(Query::Seeds, args), Expr::Number(most @ 0..)) = (&**seeds, &**than) else { return None };
        let [lift, sow] = self.rules.blocks.at(body).as_slice() else { return None };
        let StmtKind::Lift(pit) = &lift.kind else { return None };
        // Endings at once are looked at after every lap.
        if args.first() != Some(&last) || *pit != last || self.at_once {
            return None;
        }
        let segment = Segment::lifting(self.rules, pit, sow)?;
        let table = self.table(&segment)?;
        let towards = segment.towards.map_or(Num::Const(0), |towards| self.num(towards));
        let bound = self.num(bound);
        let relay = Relay { table, towards, most: *most, bound, rounds, exit: 0, reached: 0 };
        Some(self.emit(Op::Relay(Box::new(relay))))
    }

    /// The number of the table of a segment, if there can be one.
    fn table(&mut self, segment: &Segment<'_>) -> Option<u16> {
        let table = sowing::SowingTable::new(self.rules, self.topology, segment)?;
        let number = match self.sowings.iter().position(|known| *known == table) {
            Some(number) => number,
            None => {
                self.sowings.push(table);
                self.sowings.len() - 1
            }
        };
        Some(number as u16)
    }

    fn for_each(&mut self, var: VarId, set: &Expr, condition: Option<&Expr>, walk: Option<&Expr>, body: BlockId) {
        if self.captures_along(var, set, condition, walk, body) {
            return;
        }
        let kind = self.kind(set);
        let (head, jump) = if kind == Type::Sites && self.ascending(set) {
            let rest = self.set_reg();
            let members = self.set(set);
            self.emit(Op::SetBits(rest, members));
            let visit = self.visit(var, condition, walk);
            let head = self.pc();
            (head, self.emit(Op::EachMember(rest, visit)))
        } else {
            let most = match kind {
                Type::Men | Type::Man => usize::from(self.rules.men) * self.rules.seats.len(),
                Type::Numbers => super::MAX_NUMBERS,
                Type::Directions => 2,
                _ => self.rules.board.sites.len(),
            };
            let (items, cursor) = (self.list_reg(most), self.numbers(1));
            let list = self.list(set);
            self.emit(Op::SetList(items, list));
            self.emit(Op::SetNum(cursor, Num::Const(0)));
            let visit = self.visit(var, condition, walk);
            let head = self.pc();
            (head, self.emit(Op::EachItem(items, cursor, visit)))
        };
        self.block(body);
        self.emit(Op::Jump(head));
        self.land(&[jump]);
    }

    /// Pits one after the other that are captured as long as something holds of each: they are known beforehand where
    /// it is asked of nothing but the pit itself.
    fn captures_along(
        &mut self,
        var: VarId,
        set: &Expr,
        condition: Option<&Expr>,
        walk: Option<&Expr>,
        body: BlockId,
    ) -> bool {
        let (None, Some(walk)) = (condition, walk) else { return false };
        let [Stmt { kind: StmtKind::Capture { seeds: None, from }, .. }] = self.rules.blocks.at(body).as_slice() else {
            return false;
        };
        let mut parts = vec![];
        conjuncts(walk, &mut parts);
        let of_itself = parts.iter().all(|part| match part {
            Expr::Binary(_, asked, than) => {
                let itself = matches!(&**asked, Expr::Ask(Query::Seeds, args) if args.first() == Some(&Expr::Var(var)))
                    || **asked == Expr::Var(var);
                let fixed = match &**than {
                    Expr::Number(_) | Expr::Listed(_) | Expr::Sites(_) | Expr::PlacesOf(..) => true,
                    Expr::Ranged(_, from, to) => matches!((&**from, &**to), (Expr::Number(_), Expr::Number(_))),
                    Expr::Ask(query, args) => args.is_empty() && query.result() == Type::Sites,
                    _ => false,
                };
                itself && fixed
            }
            _ => false,
        });
        let round = matches!(set, Expr::Ask(Query::PitsAfter | Query::PitsBefore, _));
        if !round || !of_itself || *from != Expr::Var(var) || self.at_once || !self.rules.marks.is_empty() {
            return false;
        }
        let those =
            Expr::Those { var, set: Box::new(set.clone()), condition: None, walk: Some(Box::new(walk.clone())) };
        let from = self.set(&those);
        self.effect(Op::Capture { most: None, from });
        true
    }

    fn visit(&mut self, var: VarId, condition: Option<&Expr>, walk: Option<&Expr>) -> Visit<M::Bits> {
        let test = condition.map(|condition| self.test(condition));
        let walk = walk.map(|walk| self.test(walk));
        Visit { var: self.var(var), test, walk, exit: 0 }
    }

    fn assign(&mut self, var: VarId, value: &Expr) {
        let place = self.vars.get(var.index()).copied().unwrap_or_default();
        if let Some(register) = place.number {
            let value = self.num(value);
            self.emit(Op::SetNum(register, value));
        }
        if let Some(register) = place.list {
            let value = self.list(value);
            self.emit(Op::SetList(register, value));
        }
        if let Some(register) = place.bits {
            let value = self.set(value);
            self.emit(Op::SetBits(register, value));
        }
    }

    /// A procedure that is called once stands where it is called.
    fn call(&mut self, id: crate::rules::ProcedureId, args: &[Expr]) {
        let rules = self.rules;
        let procedure = rules.procedures.at(id);
        for (param, arg) in procedure.params.iter().zip(args) {
            self.assign(*param, arg);
        }
        if self.calls.get(&id).is_none_or(|calls| *calls < 2) {
            return self.block(procedure.body);
        }
        let number = match self.procedures.iter().position(|known| known.id == id) {
            Some(number) => number,
            None => {
                let back = self.numbers(1);
                self.procedures.push(Procedure { id, back, entry: 0 });
                self.procedures.len() - 1
            }
        };
        let back = self.procedures.get(number).map_or(0, |procedure| procedure.back);
        self.emit(Op::Call { to: number as Pc, back });
    }

    /// A sowing that hangs on one pit, its seeds and a direction is one row of a table. Gives the statements behind it.
    fn table_sowing<'s>(&mut self, stmt: &Stmt, behind: &'s [Stmt]) -> Option<&'s [Stmt]> {
        let (segment, rest): (Segment<'_>, &[Stmt]) = match (&stmt.kind, behind.split_first()) {
            (StmtKind::Lift(pit), Some((sow, rest))) => (Segment::lifting(self.rules, pit, sow)?, rest),
            (StmtKind::Sow { body: None, .. }, _) => (Segment::sowing(self.rules, stmt)?, behind),
            _ => return None,
        };
        let table = self.table(&segment)?;
        let pit = self.num(segment.pit);
        let towards = match segment.towards {
            Some(towards) => self.num(towards),
            None => Num::Const(0),
        };
        let lifts = segment.lifts;
        let sow = TableSowing { pit, towards, table, lifts, slow: 0, over: 0 };
        let at = self.emit(Op::TableSow(Box::new(sow)));
        let slow = self.pc();
        if let Some(Op::TableSow(sow)) = self.code.get_mut(at) {
            sow.slow = slow;
        }
        self.statement(stmt);
        if lifts && let Some((sow, _)) = behind.split_first() {
            self.here = Some(sow.rule);
            self.statement(sow);
        }
        let over = self.pc();
        if let Some(Op::TableSow(sow)) = self.code.get_mut(at) {
            sow.over = over;
        }
        self.done();
        Some(rest)
    }
}

/// The parts of a condition that must all hold.
pub(super) fn conjuncts<'e>(condition: &'e Expr, parts: &mut Vec<&'e Expr>) {
    match condition {
        Expr::Binary(crate::rules::Op::And, left, right) => {
            conjuncts(left, parts);
            conjuncts(right, parts);
        }
        part => parts.push(part),
    }
}

/// What effects touch and conditions ask about, as bits.
pub(super) struct Touched;

impl Touched {
    const MEN: u8 = 1;
    const VARIABLES: u8 = 2;
    const POOL: u8 = 4;
    const REST: u8 = 8;

    fn by<B>(op: &Op<B>) -> u8 {
        match op {
            Op::CaptureMen(_) | Op::SendBack(_) | Op::Make { .. } | Op::Move { .. } => Self::MEN,
            Op::SetNum(..) | Op::SetOwn(..) => Self::VARIABLES,
            Op::AddToPool(_) | Op::Spend(_) | Op::ClearPool => Self::POOL,
            Op::TakeBack => u8::MAX,
            _ => Self::REST,
        }
    }

    pub(super) fn asked(expr: &Expr) -> u8 {
        let own = match expr {
            Expr::Variable(_) => Self::VARIABLES,
            Expr::Ask(query, _) => match query {
                Query::Pool => Self::POOL,
                Query::Home
                | Query::OwnMen
                | Query::FriendMen
                | Query::EnemyMen
                | Query::AllMen
                | Query::SquareOf
                | Query::SquaresOf
                | Query::StepsLeft
                | Query::Waiting => Self::MEN,
                Query::Size | Query::Empty | Query::Total | Query::Mover | Query::Actor | Query::PlayerAfter => 0,
                // Where it is not known what an answer hangs on, everything touches it.
                _ => u8::MAX,
            },
            Expr::Marked(..) | Expr::Sites(_) | Expr::Site(_) | Expr::PlacesOf(..) => u8::MAX,
            _ => 0,
        };
        expr.children().into_iter().fold(own, |asked, child| asked | Self::asked(child))
    }
}
