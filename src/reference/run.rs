//! Statements: one turn, from wherever it stands to the next choice, throw, or its end.

use super::{
    eval::Eval,
    state::{Frame, State, Tally},
    value::Value,
    watch::{Event, Watch},
};
use crate::{
    rules::{BlockId, EndingId, Expr, Id as _, RuleId, Rules, SeatId, SiteId, Stmt, StmtKind, ThrowId, VarId, When},
    tree::{End, GameResult, Man, Move, Part},
};

/// Where a turn came to a halt.
#[derive(Debug, Clone)]
pub(crate) enum Halt {
    /// A choice among moves; the statement is at the top frame, just before its next statement.
    Choice(Vec<Move>),
    /// A throw whose count goes to a variable, and the rule that throws.
    Throw(ThrowId, VarId, RuleId),
    /// The turn is over.
    TurnOver,
    /// What was chosen is refused.
    Refused,
    /// The game is over.
    Over(End),
    /// The steps of the turn are used up.
    OutOfSteps,
}

/// Does statements on a state.
pub(crate) struct Run<'a, W> {
    pub(crate) rules: &'a Rules,
    pub(crate) state: &'a mut State,
    pub(crate) tally: &'a mut Tally,
    pub(crate) watch: &'a mut W,
    /// Steps left in this turn.
    pub(crate) steps: &'a mut u64,
    /// The ending that is being settled.
    pub(crate) ending: Option<EndingId>,
}

/// What to do after a statement.
enum Next {
    On,
    Halt(Halt),
}

impl<'a, W: Watch> Run<'a, W> {
    pub(crate) fn eval(&mut self) -> Eval<'_> {
        Eval { rules: self.rules, state: self.state, steps: self.steps }
    }

    /// Goes on to the next halt.
    pub(crate) fn run(&mut self) -> Halt {
        loop {
            if *self.steps == 0 {
                return Halt::OutOfSteps;
            }
            *self.steps -= 1;
            let Some(frame) = self.state.turn.frames.last_mut() else {
                return Halt::TurnOver;
            };
            let next = match frame {
                Frame::Block { block, next } => {
                    let (block, at) = (*block, *next);
                    *next += 1;
                    match self.rules.blocks.at(block).get(at) {
                        Some(stmt) => self.statement(stmt, block, at),
                        None => {
                            self.state.turn.frames.pop();
                            Next::On
                        }
                    }
                }
                Frame::While { block, at, rounds } => {
                    let (block, at, rounds) = (*block, *at, *rounds);
                    self.round(block, at, rounds);
                    Next::On
                }
                Frame::Each { block, at, rest } => {
                    let (block, at, member) = (*block, *at, rest.pop());
                    self.visit(block, at, member);
                    Next::On
                }
                Frame::Moving => {
                    self.state.turn.frames.pop();
                    self.at_once();
                    Next::On
                }
                Frame::Players { body, before, next } => {
                    let (body, before, seat) = (*body, *before, *next);
                    *next += 1;
                    self.player(body, before, seat);
                    Next::On
                }
            };
            if let Next::Halt(halt) = next {
                return halt;
            }
        }
    }

    fn push(&mut self, block: BlockId) {
        self.state.turn.frames.push(Frame::Block { block, next: 0 });
    }

    /// Does a block instead of the rest of the innermost one, which speaks of what was not chosen.
    fn instead(&mut self, block: BlockId) {
        self.state.turn.frames.pop();
        self.push(block);
    }

    /// One more round of a loop, or its end.
    fn round(&mut self, block: BlockId, at: usize, rounds: i32) {
        let rules = self.rules;
        let Some(Stmt { rule, kind: StmtKind::While { condition, bound, laps, body, reached } }) =
            rules.blocks.at(block).get(at)
        else {
            self.state.turn.frames.pop();
            return;
        };
        if !self.eval().truth(condition) {
            self.state.turn.frames.pop();
        } else if rounds < self.eval().number(bound) {
            if let Some(Frame::While { rounds, .. }) = self.state.turn.frames.last_mut() {
                *rounds += 1;
            }
            self.push(*body);
        } else {
            self.state.turn.frames.pop();
            if *laps {
                self.tally.endless += 1;
            }
            self.watch.see(Some(*rule), Event::BoundReached(*laps));
            self.push(*reached);
        }
    }

    /// One more member of a walk, or its end.
    fn visit(&mut self, block: BlockId, at: usize, member: Option<Value>) {
        let rules = self.rules;
        let (Some(member), Some(Stmt { kind: StmtKind::ForEach { var, condition, walk, body, .. }, .. })) =
            (member, rules.blocks.at(block).get(at))
        else {
            self.state.turn.frames.pop();
            return;
        };
        *self.state.turn.vars.at_mut(*var) = member;
        // Members that are passed over are not asked whether the walk goes on.
        if condition.as_ref().is_some_and(|condition| !self.eval().truth(condition)) {
            return;
        }
        if walk.as_ref().is_some_and(|walk| !self.eval().truth(walk)) {
            self.state.turn.frames.pop();
        } else {
            self.push(*body);
        }
    }

    fn player(&mut self, body: BlockId, before: SeatId, seat: usize) {
        if seat < self.rules.seats.len() {
            self.state.turn.actor = SeatId::new(seat);
            self.push(body);
        } else {
            self.state.turn.actor = before;
            self.state.turn.frames.pop();
        }
    }

    fn statement(&mut self, stmt: &'a Stmt, block: BlockId, at: usize) -> Next {
        match &stmt.kind {
            StmtKind::Choose { picks, condition, none, none_allowed } => {
                let moves = self.candidates(picks, condition.as_ref());
                if moves.is_empty() {
                    self.watch.see(Some(stmt.rule), Event::NothingToChoose);
                    self.instead(*none);
                    return Next::On;
                }
                let allowed = if self.rules.can_refuse { self.allowed(picks, moves) } else { moves };
                match none_allowed {
                    Some(block) if allowed.is_empty() => {
                        self.watch.see(Some(stmt.rule), Event::NothingAllowed);
                        self.instead(*block);
                        return Next::On;
                    }
                    _ if allowed.is_empty() => return Next::Halt(Halt::Refused),
                    _ => return Next::Halt(Halt::Choice(allowed)),
                }
            }
            StmtKind::If(condition, then, otherwise) => {
                if self.eval().truth(condition) {
                    self.push(*then);
                } else if let Some(otherwise) = otherwise {
                    self.push(*otherwise);
                }
            }
            StmtKind::While { .. } => self.state.turn.frames.push(Frame::While { block, at, rounds: 0 }),
            StmtKind::ForEach { set, .. } => {
                let mut rest = self.eval().value(set).members();
                rest.reverse();
                self.state.turn.frames.push(Frame::Each { block, at, rest });
            }
            StmtKind::EachPlayer(body) => {
                let before = self.state.turn.actor;
                self.state.turn.frames.push(Frame::Players { body: *body, before, next: 0 });
            }
            StmtKind::Move(name, by, body) => {
                let (man, by) = (self.eval().value(name).man(), self.eval().number(by));
                if let Some((man, moved, from, to)) = man.and_then(|man| self.move_man(man, by)) {
                    self.watch.see(Some(stmt.rule), Event::Moved(man, from, to));
                    // The man keeps the name by which the rules speak of him.
                    if let Expr::Var(var) = name {
                        *self.state.turn.vars.at_mut(*var) = Value::Man(moved);
                    }
                }
                self.state.turn.frames.push(Frame::Moving);
                if let Some(body) = body {
                    self.push(*body);
                }
            }
            StmtKind::Throw(throw, var) => return Next::Halt(Halt::Throw(*throw, *var, stmt.rule)),
            StmtKind::Pass => {
                self.watch.see(Some(stmt.rule), Event::TurnEnded);
                // A move that is broken off is over all the same.
                self.state.turn.frames.clear();
                self.at_once();
                return if self.ending.is_some() { Next::On } else { Next::Halt(Halt::TurnOver) };
            }
            StmtKind::Refuse => return Next::Halt(Halt::Refused),
            StmtKind::Require(condition) => {
                if !self.eval().truth(condition) {
                    return Next::Halt(Halt::Refused);
                }
            }
            StmtKind::EndBy(ending) => self.begin_ending(*ending),
            StmtKind::MostWins(value) => {
                let result = self.most(value);
                return self.over(stmt, result);
            }
            StmtKind::MoverWins => return self.over(stmt, GameResult::Won(self.state.turn.actor)),
            StmtKind::NobodyWins => return self.over(stmt, GameResult::Draw(self.rules.seats.ids().collect())),
            StmtKind::Set(var, value) => {
                let value = self.eval().value(value);
                *self.state.turn.vars.at_mut(*var) = value;
            }
            StmtKind::Call(procedure, args) => {
                let values: Vec<Value> = args.iter().map(|arg| self.eval().value(arg)).collect();
                let procedure = self.rules.procedures.at(*procedure);
                for (param, value) in procedure.params.iter().zip(values) {
                    *self.state.turn.vars.at_mut(*param) = value;
                }
                self.push(procedure.body);
            }
            _ => {
                self.effect(stmt);
                if self.ending.is_none() {
                    self.at_once();
                }
            }
        }
        Next::On
    }

    /// Statements that change the board, the men, the pool or a variable.
    fn effect(&mut self, stmt: &'a Stmt) {
        let rule = Some(stmt.rule);
        match &stmt.kind {
            StmtKind::Lift(set) => {
                let sites = self.eval().sites(set);
                for site in &sites {
                    let seeds = std::mem::take(self.state.seeds.at_mut(*site));
                    self.state.hand += seeds;
                    self.watch.see(rule, Event::Lifted(*site, seeds));
                }
                self.state.turn.lifted = sites;
            }
            StmtKind::Sow(from, skipping) => {
                let from = self.eval().value(from).site();
                let skipping = skipping.as_ref().map(|set| self.eval().sites(set)).unwrap_or_default();
                // The checker sees to it that there is a place; if there were none, the seeds would go back.
                if let Some(from) = from.or_else(|| self.state.turn.lifted.first().copied()) {
                    let path = self.sow(from, &skipping);
                    self.watch.see(rule, Event::Sown(path));
                }
            }
            StmtKind::Capture(set) => {
                let actor = self.state.turn.actor;
                for site in self.eval().sites(set) {
                    let seeds = self.take(site, actor);
                    if seeds > 0 {
                        *self.tally.captured.at_mut(actor) += u32::from(seeds);
                        self.state.turn.captured = true;
                        self.watch.see(rule, Event::Captured(actor, site, seeds));
                    }
                }
            }
            StmtKind::Keep(set) => {
                let actor = self.state.turn.actor;
                for site in self.eval().sites(set) {
                    let seeds = self.take(site, actor);
                    if seeds > 0 {
                        self.watch.see(rule, Event::Kept(actor, site, seeds));
                    }
                }
            }
            StmtKind::SendBack(men) => {
                let actor = self.state.turn.actor;
                for man in self.eval().value(men).men() {
                    let Some(square) = self.eval().square(man).filter(|_| self.state.stands(man)) else { continue };
                    self.state.place(man, -1);
                    self.state.place(Man { step: 0, ..man }, 1);
                    *self.tally.captured.at_mut(actor) += 1;
                    self.state.turn.captured = true;
                    self.watch.see(rule, Event::SentBack(actor, man, square));
                }
            }
            StmtKind::Add(count) => {
                let count = self.eval().number(count);
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
                    self.state.seeds = before.seeds;
                    self.state.stores = before.stores;
                    self.state.men = before.men;
                    self.state.variables = before.variables;
                    self.tally.captured = before.captured;
                }
                self.state.hand = 0;
                self.state.pool.clear();
                self.state.turn.captured = false;
                self.watch.see(rule, Event::TakenBack);
            }
            _ => {}
        }
    }

    /// Moves all seeds of a pit to the store of a seat.
    fn take(&mut self, site: SiteId, seat: SeatId) -> u16 {
        let seeds = std::mem::take(self.state.seeds.at_mut(site));
        *self.state.stores.at_mut(seat) += seeds;
        seeds
    }

    /// Sows the hand from a pit on, and gives the pits in order. A sowing that must pass over every
    /// pit drops all seeds where it starts: nothing is lost.
    fn sow(&mut self, from: SiteId, skipping: &[SiteId]) -> Vec<SiteId> {
        let mut path = vec![];
        let sites = &self.rules.board.sites;
        let all_skipped = sites.ids().all(|site| skipping.contains(&site));
        let mut here = from;
        *self.steps = self.steps.saturating_sub(u64::from(self.state.hand));
        while self.state.hand > 0 {
            if all_skipped || !skipping.contains(&here) {
                *self.state.seeds.at_mut(here) += 1;
                self.state.hand -= 1;
                self.state.turn.last = Some(here);
                if self.watch.listens() {
                    path.push(here);
                }
            }
            if !all_skipped {
                here = sites.at(here).next;
            }
        }
        path
    }

    /// Moves a man, at most to the end of his track; gives him as he was and as he is, and the squares
    /// he left and reached. Where no man stands, none moves.
    fn move_man(&mut self, man: Man, by: i32) -> Option<(Man, Man, SiteId, SiteId)> {
        self.state.stands(man).then_some(())?;
        let track = self.rules.tracks.at(man.seat);
        let from = usize::from(man.step);
        let to = from.saturating_add(usize::try_from(by).unwrap_or(0)).min(track.len().saturating_sub(1));
        let (start, square) = (*track.get(from)?, *track.get(to)?);
        self.state.turn.passed = track.get(from + 1..to).unwrap_or_default().to_vec();
        self.state.turn.reached = Some(square);
        let moved = Man { step: u16::try_from(to).ok()?, ..man };
        self.state.place(man, -1);
        self.state.place(moved, 1);
        Some((man, moved, start, square))
    }

    /// All different moves of a choice, in the order of its sets.
    fn candidates(&mut self, picks: &[(VarId, Expr)], condition: Option<&Expr>) -> Vec<Move> {
        let sets: Vec<Vec<Value>> = picks
            .iter()
            .map(|(_, set)| {
                let mut members = self.eval().value(set).members();
                // Equal counts are alike, and so are men of one seat on one square.
                let mut seen = std::collections::HashSet::new();
                members.retain(|member| seen.insert(member.clone()));
                members
            })
            .collect();
        let mut moves = vec![];
        self.combine(picks, &sets, &mut vec![], condition, &mut moves);
        moves
    }

    fn combine(
        &mut self,
        picks: &[(VarId, Expr)],
        sets: &[Vec<Value>],
        parts: &mut Vec<Part>,
        condition: Option<&Expr>,
        moves: &mut Vec<Move>,
    ) {
        let (Some(((var, _), picks)), Some((set, sets))) = (picks.split_first(), sets.split_first()) else {
            if condition.is_none_or(|condition| self.eval().truth(condition)) {
                moves.push(Move { parts: parts.clone() });
            }
            return;
        };
        for member in set {
            if *self.steps == 0 {
                return;
            }
            let part = match member {
                Value::Site(Some(site)) => Part::Site(*site),
                Value::Man(man) => match self.eval().square(*man) {
                    Some(square) => Part::Man(*man, square),
                    None => continue,
                },
                Value::Number(count) => Part::Count(*count),
                _ => continue,
            };
            *self.state.turn.vars.at_mut(*var) = member.clone();
            parts.push(part);
            self.combine(picks, sets, parts, condition, moves);
            parts.pop();
        }
    }

    /// Those moves with which the turn can be played to its end without being refused.
    fn allowed(&mut self, picks: &[(VarId, Expr)], mut moves: Vec<Move>) -> Vec<Move> {
        moves.retain(|candidate| self.trial(|trial| trial.set(picks, candidate)));
        moves
    }

    /// Whether the turn, begun so, can be played to its end; nothing of it stays.
    fn trial(&mut self, begin: impl FnOnce(&mut Run<'_, ()>)) -> bool {
        let (mut state, mut tally) = (self.state.clone(), self.tally.clone());
        let mut trial = Run {
            rules: self.rules,
            state: &mut state,
            tally: &mut tally,
            watch: &mut (),
            steps: self.steps,
            ending: None,
        };
        begin(&mut trial);
        trial.can_end()
    }

    /// Sets what a move decides.
    pub(crate) fn set(&mut self, picks: &[(VarId, Expr)], chosen: &Move) {
        for ((var, _), part) in picks.iter().zip(&chosen.parts) {
            *self.state.turn.vars.at_mut(*var) = Value::from(*part);
        }
        self.state.turn.chosen = true;
    }

    /// Whether the turn can go on to its end, whatever is thrown, with some choice at each node.
    fn can_end(&mut self) -> bool {
        match self.run() {
            // Choices are offered only if each of them can end.
            Halt::Choice(_) | Halt::TurnOver | Halt::Over(_) => true,
            Halt::Refused | Halt::OutOfSteps => false,
            Halt::Throw(throw, var, _) => {
                let rules = self.rules;
                let falls = &rules.throws.at(throw).outcomes;
                falls
                    .iter()
                    .all(|fall| self.trial(|trial| *trial.state.turn.vars.at_mut(var) = Value::Number(fall.count)))
            }
        }
    }

    /// Lets the first ending that applies at once begin. With seeds in the hand none does (they would
    /// be lost), and none before a move is over.
    fn at_once(&mut self) {
        let rules = self.rules;
        if self.state.hand > 0 || self.state.turn.frames.contains(&Frame::Moving) {
            return;
        }
        for (id, ending) in rules.endings.entries() {
            if let When::AtOnce(condition) = &ending.when
                && self.eval().truth(condition)
            {
                self.begin_ending(id);
                return;
            }
        }
    }

    /// Lets an ending begin: what is left of the turn is not done.
    pub(crate) fn begin_ending(&mut self, id: EndingId) {
        self.state.turn.frames.clear();
        self.state.turn.actor = self.state.mover;
        self.ending = Some(id);
        self.watch.see(Some(self.rules.game.endings.at(id).rule), Event::Ending(id));
        self.push(self.rules.endings.at(id).body);
    }

    fn over(&mut self, stmt: &Stmt, result: GameResult) -> Next {
        self.watch.see(Some(stmt.rule), Event::Decided(result.clone()));
        Next::Halt(Halt::Over(End { result, ending: self.ending }))
    }

    /// The seat for which a number is largest, or a draw between those tied.
    fn most(&mut self, value: &Expr) -> GameResult {
        let before = self.state.turn.actor;
        let mut best: Vec<SeatId> = vec![];
        let mut most = i32::MIN;
        for seat in self.rules.seats.ids() {
            self.state.turn.actor = seat;
            let value = self.eval().number(value);
            if value > most || best.is_empty() {
                (most, best) = (value, vec![seat]);
            } else if value == most {
                best.push(seat);
            }
        }
        self.state.turn.actor = before;
        match best.as_slice() {
            [one] => GameResult::Won(*one),
            _ => GameResult::Draw(best),
        }
    }
}
