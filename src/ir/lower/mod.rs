//! From rules to a program.

mod expr;
mod list;
mod narrow;
mod set;
mod stmt;

use std::{collections::HashMap, collections::HashSet, sync::Arc};

use super::{
    Layout, Program,
    bits::Bits,
    guard,
    model::{Cells as _, Model, Registers as _},
    op::{ListReg, Num, Op, Pc, Reg, Set, SetReg},
    sowing::SowingTable,
    topology::Topology,
};
use crate::rules::{
    EndingId, Expr, Id as _, Lifetime, MAX_POOL, MAX_WALK, ProcedureId, Query, RuleId, Rules, SeatId, StmtKind, Type,
    VarId, When, Whose,
};

/// How values of sets are kept, which hangs on what is asked of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Demand {
    /// Sets of sites whose order nobody asks for, and those for which somebody does.
    as_bits: HashSet<VarId>,
    as_list: HashSet<VarId>,
    lifted: bool,
    passed: bool,
    passed_in_order: bool,
    pool: bool,
}

/// Where a value of the turn is kept.
#[derive(Debug, Clone, Copy, Default)]
struct VarPlace {
    number: Option<Reg>,
    bits: Option<SetReg>,
    list: Option<ListReg>,
}

struct Procedure {
    id: ProcedureId,
    back: Reg,
    /// Where it stands, once it does.
    entry: Pc,
}

struct Lower<'a, M: Model> {
    rules: &'a Rules,
    topology: &'a Topology<M::Bits>,
    code: Vec<Op<M::Bits>>,
    origins: Vec<Option<RuleId>>,
    layout: Layout,
    vars: Vec<VarPlace>,
    /// What is asked for, as far as an earlier attempt found out, and as this one does.
    demand: &'a Demand,
    found: Demand,
    /// The statement that is being lowered.
    here: Option<RuleId>,
    calls: HashMap<ProcedureId, usize>,
    procedures: Vec<Procedure>,
    sowings: Vec<SowingTable<M>>,
    at_once: bool,
    /// What endings at once ask about.
    asked_at_once: u8,
    /// Values that may have a member twice.
    repeating: HashSet<VarId>,
}

impl<M: Model> Program<M> {
    /// Rules as a program; nothing where this size of positions is too small for them.
    pub(crate) fn new(rules: &Arc<Rules>) -> Option<Self> {
        let walks = rules.blocks.iter().flatten().any(|stmt| matches!(stmt.kind, StmtKind::Move { .. }))
            || asks(rules, |query| matches!(query, Query::Reach | Query::Path));
        let sites = rules.board.sites.len();
        let cells = if rules.men > 0 {
            let spots = rules.ways.iter().map(|way| way.spots.len()).max().unwrap_or(0);
            spots * usize::from(rules.states) * rules.seats.len()
        } else {
            sites
        };
        let most = rules.board.total_seeds().max(u32::from(rules.men));
        if sites.max(cells) > M::Bits::WIDTH || cells > M::CELLS || most > M::MOST {
            return None;
        }
        let topology = Topology::new(rules, walks);
        let mut demand = Demand::default();
        loop {
            let mut lower = Lower::<M>::new(rules, &topology, &demand);
            let entries = lower.program();
            if lower.found == demand {
                return lower.finish(rules, entries, topology.clone());
            }
            demand = lower.found;
        }
    }
}

/// Whether a rule asks something of the position.
pub(super) fn asks(rules: &Rules, wanted: impl Fn(Query) -> bool) -> bool {
    fn inside(expr: &Expr, wanted: &impl Fn(Query) -> bool) -> bool {
        matches!(expr, Expr::Ask(query, _) if wanted(*query))
            || expr.children().into_iter().any(|child| inside(child, wanted))
    }
    let conditions = rules.endings.iter().filter_map(|ending| match &ending.when {
        When::AtOnce(condition) | When::AfterTurn(condition) => Some(condition),
        When::Called => None,
    });
    let statements = rules.blocks.iter().flatten().flat_map(|stmt| stmt.kind.exprs());
    conditions.chain(statements).any(|expr| inside(expr, &wanted))
}

struct Entries<B> {
    turn: Pc,
    endings: Vec<Pc>,
    after_turn: Vec<(EndingId, super::op::Test<B>)>,
    at_once: Vec<(EndingId, super::op::Test<B>)>,
}

impl<'a, M: Model> Lower<'a, M> {
    fn new(rules: &'a Rules, topology: &'a Topology<M::Bits>, demand: &'a Demand) -> Self {
        let mut calls = HashMap::new();
        for stmt in rules.blocks.iter().flatten() {
            if let StmtKind::Call(procedure, _) = stmt.kind {
                *calls.entry(procedure).or_default() += 1;
            }
        }
        let at_once = rules.endings.iter().any(|ending| matches!(ending.when, When::AtOnce(_)));
        let asked_at_once = rules.endings.iter().fold(0, |asked, ending| match &ending.when {
            When::AtOnce(condition) => asked | stmt::Touched::asked(condition),
            _ => asked,
        });
        let mut lower = Self {
            rules,
            topology,
            code: vec![],
            origins: vec![],
            layout: Layout::default(),
            vars: vec![],
            demand,
            found: Demand::default(),
            here: None,
            calls,
            procedures: vec![],
            sowings: vec![],
            at_once,
            asked_at_once,
            repeating: HashSet::new(),
        };
        lower.find_repeating();
        lower.registers();
        lower
    }

    /// Finds the values that may have a member twice, by all that they are set to.
    fn find_repeating(&mut self) {
        let rules = self.rules;
        loop {
            let before = self.repeating.len();
            for stmt in rules.blocks.iter().flatten() {
                match &stmt.kind {
                    StmtKind::Set(var, value) if self.repeats(value) => {
                        self.repeating.insert(*var);
                    }
                    StmtKind::Call(procedure, args) => {
                        for (param, arg) in rules.procedures.at(*procedure).params.iter().zip(args) {
                            if self.repeats(arg) {
                                self.repeating.insert(*param);
                            }
                        }
                    }
                    _ => {}
                }
            }
            if self.repeating.len() == before {
                return;
            }
        }
    }

    /// Gives a register to all that lasts, and to every value of the turn.
    fn registers(&mut self) {
        let seats = self.rules.seats.len();
        for _ in &self.rules.marks {
            self.layout.sets += seats;
        }
        if self.rules.men > 0 {
            self.layout.men = Some(self.set_reg());
        }
        for variable in &self.rules.variables {
            let many = if variable.lifetime == Lifetime::Player { seats } else { 1 };
            let first = self.numbers(many);
            self.layout.variables.push((first, many as u16));
            if variable.lifetime == Lifetime::Turn {
                self.layout.each_turn.push((first, variable.start));
            }
        }
        self.layout.board_numbers = self.layout.numbers;
        if self.demand.pool {
            self.layout.pool = Some(self.list_reg(MAX_POOL));
        }
        self.layout.turn_numbers = self.layout.numbers;
        self.layout.turn_sets = self.layout.sets;
        if self.demand.lifted {
            self.layout.lifted = Some(self.set_reg());
        }
        if self.demand.passed {
            self.layout.passed = Some(self.set_reg());
        }
        if self.demand.passed_in_order {
            self.layout.passed_in_order = Some(self.list_reg(MAX_WALK as usize));
        }
        let men = usize::from(self.rules.men) * seats;
        for (id, kind) in self.rules.vars.entries() {
            let mut place = VarPlace::default();
            match kind {
                Type::Sites => {
                    place.bits = self.demand.as_bits.contains(&id).then(|| self.set_reg());
                    let sites = self.rules.board.sites.len();
                    place.list = self.demand.as_list.contains(&id).then(|| self.list_reg(sites));
                }
                Type::Men => place.list = Some(self.list_reg(men)),
                Type::Numbers => place.list = Some(self.list_reg(MAX_NUMBERS)),
                Type::Directions => place.list = Some(self.list_reg(2)),
                _ => place.number = Some(self.numbers(1)),
            }
            self.vars.push(place);
        }
    }

    fn numbers(&mut self, many: usize) -> Reg {
        let first = self.layout.numbers;
        self.layout.numbers += many;
        first as Reg
    }

    fn set_reg(&mut self) -> SetReg {
        self.layout.sets += 1;
        (self.layout.sets - 1) as SetReg
    }

    fn list_reg(&mut self, most: usize) -> ListReg {
        ListReg { base: self.numbers(most + 1), most: most as u16 }
    }

    /// The register of a value that is one number.
    fn var(&self, id: VarId) -> Reg {
        self.vars.get(id.index()).and_then(|place| place.number).unwrap_or_default()
    }

    fn program(&mut self) -> Entries<M::Bits> {
        self.emit(Op::TurnOver);
        let turn = self.pc();
        self.block(self.rules.turn);
        self.emit(Op::TurnOver);
        let mut endings = vec![];
        for ending in &self.rules.endings {
            endings.push(self.pc());
            self.block(ending.body);
            self.emit(Op::TurnOver);
        }
        self.procedures();
        self.here = None;
        let (mut after_turn, mut at_once) = (vec![], vec![]);
        for (id, ending) in self.rules.endings.entries() {
            match &ending.when {
                When::AfterTurn(condition) => after_turn.push((id, self.test(condition))),
                When::AtOnce(condition) => at_once.push((id, self.test(condition))),
                When::Called => {}
            }
        }
        let can = |(_, test): &(EndingId, super::op::Test<M::Bits>)| *test != super::op::Test::Const(false);
        after_turn.retain(can);
        at_once.retain(can);
        Entries { turn, endings, after_turn, at_once }
    }

    fn finish(self, rules: &Arc<Rules>, entries: Entries<M::Bits>, topology: Topology<M::Bits>) -> Option<Program<M>> {
        let fit = M::Numbers::fit(self.layout.numbers) && M::Sets::fit(self.layout.sets);
        if !fit || self.layout.numbers > usize::from(Reg::MAX) || self.layout.sets > usize::from(SetReg::MAX) {
            return None;
        }
        let mut start = M::Cells::empty(topology.cells);
        for (site, seeds) in rules.board.seeds.entries() {
            if rules.men == 0 {
                start.set(site.index(), i32::from(*seeds));
            }
        }
        for (seat, men) in rules.men_start.entries() {
            for (spot, count) in men {
                let cell = seat.index() * topology.cells_each + spot.index() * topology.states;
                start.set(cell, i32::from(*count));
            }
        }
        let seats = rules.seats.len();
        let skipped = rules.marks.entries().filter(|(_, skipped)| **skipped);
        let skipped_marks =
            skipped.flat_map(|(mark, _)| (0..seats).map(move |seat| (mark.index() * seats + seat) as SetReg)).collect();
        let mut program = Program {
            rules: Arc::clone(rules),
            code: self.code,
            origins: self.origins,
            turn: entries.turn,
            endings: entries.endings,
            after_turn: entries.after_turn,
            at_once: entries.at_once,
            layout: self.layout,
            topology,
            sowings: self.sowings,
            skipped_marks,
            start,
        };
        program.fuse();
        program.verify().then_some(program)
    }

    fn pc(&self) -> Pc {
        self.code.len() as Pc
    }

    fn emit(&mut self, op: Op<M::Bits>) -> usize {
        self.code.push(op);
        self.origins.push(self.here);
        self.code.len() - 1
    }

    /// The procedures that are called from several places, each once; calls name them by their number until then.
    fn procedures(&mut self) {
        let mut done = 0;
        while let Some(procedure) = self.procedures.get_mut(done) {
            procedure.entry = self.code.len() as Pc;
            let (id, back) = (procedure.id, procedure.back);
            self.block(self.rules.procedures.at(id).body);
            self.here = None;
            self.emit(Op::Return(back));
            done += 1;
        }
        for op in &mut self.code {
            if let Op::Call { to, .. } = op
                && let Some(procedure) = self.procedures.get(*to as usize)
            {
                *to = procedure.entry;
            }
        }
    }

    /// The type of a value.
    fn kind(&self, expr: &Expr) -> Type {
        match expr {
            Expr::Number(_) | Expr::Negate(_) | Expr::Option(_) | Expr::Variable(_) => Type::Number,
            Expr::Truth(_)
            | Expr::Not(_)
            | Expr::Quantified { .. }
            | Expr::Players { .. }
            | Expr::InState(..)
            | Expr::Is(..) => Type::Truth,
            Expr::Site(_) | Expr::Place(_) => Type::Site,
            Expr::Sites(_) | Expr::Region(_) | Expr::RegionOf(..) | Expr::PlacesOf(..) | Expr::Marked(..) => {
                Type::Sites
            }
            Expr::Var(id) => *self.rules.vars.at(*id),
            Expr::Listed(_) | Expr::Ranged(..) => Type::Numbers,
            Expr::Ask(query, _) => query.result(),
            Expr::Of(_) => Type::Sites,
            Expr::Binary(op, left, _) => {
                use crate::rules::Op as Operator;
                match op {
                    Operator::Add | Operator::Subtract | Operator::Multiply => Type::Number,
                    Operator::MenOn => Type::Men,
                    Operator::Union | Operator::Without => match self.kind(left) {
                        Type::Man | Type::Men => Type::Men,
                        _ => Type::Sites,
                    },
                    _ => Type::Truth,
                }
            }
            Expr::Those { set, .. } => match self.kind(set) {
                Type::Site => Type::Sites,
                Type::Man => Type::Men,
                kind => kind,
            },
        }
    }

    /// For each acting player, the players who are this to him, as bits.
    fn seen(&self, whose: Whose) -> [u8; 4] {
        Topology::<M::Bits>::seen_by(self.rules, whose)
    }

    /// A set for each acting player, put together from one for each player.
    fn by_actor(&self, whose: Whose, of: impl Fn(SeatId) -> M::Bits) -> Set<M::Bits> {
        let sets = self.seen(whose).map(|seats| {
            let seats = self.rules.seats.ids().filter(|seat| seats >> seat.index() & 1 == 1);
            seats.map(&of).fold(M::Bits::NONE, M::Bits::or)
        });
        let all = sets.iter().take(self.rules.seats.len());
        match all.clone().next() {
            Some(first) if all.clone().all(|set| set == first) => Set::Const(*first),
            _ => Set::ByActor(sets),
        }
    }

    /// When a move could be refused later in the turn.
    fn refusals(&mut self) -> Option<super::op::Test<M::Bits>> {
        match guard::refusals(self.rules) {
            guard::Refusals::Never => None,
            guard::Refusals::When(condition) => Some(self.test(&condition)),
        }
    }

    /// The default direction of sowing.
    fn direction(&self) -> Num<M::Bits> {
        Num::Const(i32::from(self.rules.board.direction == crate::rules::Direction::Clockwise))
    }
}

/// The most numbers of a value that is a set of numbers.
const MAX_NUMBERS: usize = 256;
