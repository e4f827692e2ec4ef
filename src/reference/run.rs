//! Statements: one turn, from wherever it stands to the next choice, throw, or its end.

use super::{
    eval::Eval,
    state::{Frame, State, Tally},
    value::Value,
    watch::{Event, Watch},
};
use crate::{
    rules::{
        BlockId, Decides, EndingId, Expr, Id as _, RuleId, Rules, SeatId, SideId, Stmt, StmtKind, ThrowId, VarId, When,
    },
    tree::{End, GameResult, Move},
};

/// Where a turn came to a halt.
#[derive(Debug, Clone)]
pub(crate) enum Halt {
    /// A choice among moves; the statement is at the top frame, just before its next statement. The last
    /// move chooses nothing where the player may do so.
    Choice(Vec<Move>),
    /// A throw whose count goes to a variable, and the rule that throws.
    Throw(ThrowId, VarId, RuleId),
    /// The turn is over.
    TurnOver,
    /// What was chosen is refused.
    Refused,
    /// The game is over.
    Over(End),
    /// A new round begins with this seat, by this rule.
    NewRound(SeatId, RuleId),
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
                Frame::By { before } => {
                    self.state.turn.actor = *before;
                    self.state.turn.frames.pop();
                    Next::On
                }
                Frame::Sowing { block, at, .. } => {
                    let (block, at) = (*block, *at);
                    self.next_seed(block, at);
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
                // What was not looked at to the end does not count.
                return if *self.steps == 0 { Halt::OutOfSteps } else { halt };
            }
        }
    }

    fn push(&mut self, block: BlockId) {
        self.state.turn.frames.push(Frame::Block { block, next: 0 });
    }

    /// Does a block instead of the rest of the innermost one, which speaks of what was not chosen.
    pub(crate) fn instead(&mut self, block: BlockId) {
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

    /// One more seed of a sowing with something done for every seed, or its end.
    fn next_seed(&mut self, block: BlockId, at: usize) {
        let rules = self.rules;
        let Some(Stmt { rule, kind: StmtKind::Sow { body: Some(body), .. } }) = rules.blocks.at(block).get(at) else {
            self.state.turn.frames.pop();
            return;
        };
        if self.state.hand == 0 {
            self.state.turn.frames.pop();
            if self.ending.is_none() {
                self.at_once();
            }
            return;
        }
        let Some(Frame::Sowing { first, towards, skipping, .. }) = self.state.turn.frames.last_mut() else { return };
        let (first, towards, skipping) = (first.take(), *towards, skipping.clone());
        let site = self.drop_seed(first, towards, &skipping);
        self.watch.see(Some(*rule), Event::Sown(vec![site]));
        self.push(*body);
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
            StmtKind::Choose { may, picks, condition, none, none_allowed } => {
                let moves = self.candidates(picks, condition.as_ref());
                if *self.steps == 0 {
                    return Next::Halt(Halt::OutOfSteps);
                }
                if moves.is_empty() {
                    self.watch.see(Some(stmt.rule), Event::NothingToChoose);
                    self.instead(*none);
                    return Next::On;
                }
                let mut allowed = if self.rules.can_refuse { self.allowed(picks, moves) } else { moves };
                match none_allowed {
                    Some(block) if allowed.is_empty() => {
                        self.watch.see(Some(stmt.rule), Event::NothingAllowed);
                        self.instead(*block);
                        return Next::On;
                    }
                    // Where nothing must be chosen, nothing is.
                    None if *may && allowed.is_empty() => {
                        self.watch.see(Some(stmt.rule), Event::NothingAllowed);
                        self.instead(*none);
                        return Next::On;
                    }
                    _ if allowed.is_empty() => return Next::Halt(Halt::Refused),
                    _ => {
                        let declines = *may && (!self.rules.can_refuse || self.may_decline(*none));
                        allowed.extend(declines.then(Move::pass));
                        return Next::Halt(Halt::Choice(allowed));
                    }
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
            StmtKind::ByPlayer(player, body) => {
                if let Some(seat) = self.eval().value(player).player() {
                    let before = std::mem::replace(&mut self.state.turn.actor, seat);
                    self.state.turn.frames.push(Frame::By { before });
                    self.push(*body);
                }
            }
            StmtKind::Sow { from, towards, skipping, body: Some(_) } => {
                if let Some((from, towards, skipping)) = self.sowing(from, towards.as_ref(), skipping.as_ref()) {
                    let first = Some(from);
                    self.state.turn.frames.push(Frame::Sowing { block, at, first, towards, skipping });
                }
            }
            StmtKind::Move { men, by, to, body } => {
                self.move_men(stmt.rule, men, by, to.as_ref());
                self.state.turn.frames.push(Frame::Moving);
                if let Some(body) = body {
                    self.push(*body);
                }
            }
            StmtKind::Again { times, reached } => {
                if self.state.turn.again < self.eval().number(times) {
                    self.state.turn.again += 1;
                    self.watch.see(Some(stmt.rule), Event::PlaysAgain(self.state.mover));
                    // A move that is broken off is over all the same.
                    self.state.turn.frames.clear();
                    self.state.turn.actor = self.state.mover;
                    self.at_once();
                    if self.ending.is_none() {
                        self.push(self.rules.turn);
                    }
                } else {
                    self.watch.see(Some(stmt.rule), Event::BoundReached(false));
                    self.push(*reached);
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
            StmtKind::NewRound(player) => {
                let seat = self.eval().value(player).player().unwrap_or(self.state.beginner);
                return Next::Halt(Halt::NewRound(seat, stmt.rule));
            }
            StmtKind::MostWins(value, what) => {
                let result = self.most(value);
                return self.decide(stmt, *what, result);
            }
            StmtKind::MoverWins(what) => {
                let side = *self.rules.side_of.at(self.state.mover);
                return self.decide(stmt, *what, GameResult::Won(side));
            }
            StmtKind::MoverLoses(what) => {
                let loser = *self.rules.side_of.at(self.state.mover);
                let others: Vec<SideId> = self.rules.sides.ids().filter(|side| *side != loser).collect();
                let result = match others.as_slice() {
                    [one] => GameResult::Won(*one),
                    _ => GameResult::Draw(others.into_iter().collect()),
                };
                return self.decide(stmt, *what, result);
            }
            StmtKind::NobodyWins(what) => {
                let result = GameResult::Draw(self.rules.sides.ids().collect());
                return self.decide(stmt, *what, result);
            }
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

    /// Lets the first ending that applies at once begin. With seeds in the hand none does (they would
    /// be lost), and none before a move is over.
    fn at_once(&mut self) {
        let rules = self.rules;
        if self.state.hand > 0 || self.state.moving() {
            return;
        }
        // They are seen with the eyes of the mover, whoever acts.
        let actor = std::mem::replace(&mut self.state.turn.actor, self.state.mover);
        let found = rules.endings.entries().find(|(_, ending)| match &ending.when {
            When::AtOnce(condition) => self.eval().truth(condition),
            _ => false,
        });
        self.state.turn.actor = actor;
        if let Some((id, _)) = found {
            self.begin_ending(id);
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

    /// The result of the game, or of a round: then what is settled goes on.
    fn decide(&mut self, stmt: &Stmt, what: Decides, result: GameResult) -> Next {
        if what == Decides::Game {
            self.watch.see(Some(stmt.rule), Event::Decided(result));
            return Next::Halt(Halt::Over(End { result, ending: self.ending }));
        }
        self.watch.see(Some(stmt.rule), Event::RoundDecided(result));
        let rounds = &mut self.tally.rounds;
        rounds.played += 1;
        if let Some(count) = self.ending.and_then(|ending| rounds.endings.get_mut(ending.index())) {
            *count += 1;
        }
        self.state.round_winner = None;
        match result {
            GameResult::Won(side) => {
                if let Some(wins) = rounds.wins.get_mut(side.index()) {
                    *wins += 1;
                }
                let winners = &self.rules.sides.at(side).seats;
                let mover = winners.iter().find(|seat| **seat == self.state.mover);
                self.state.round_winner = mover.or(winners.first()).copied();
            }
            _ => rounds.draws += 1,
        }
        Next::On
    }

    /// The side for which a number is largest, its partners together, or a draw between those tied.
    fn most(&mut self, value: &Expr) -> GameResult {
        let rules = self.rules;
        let before = self.state.turn.actor;
        let mut best: Vec<SideId> = vec![];
        let mut most = i64::MIN;
        for (id, side) in rules.sides.entries() {
            let mut sum = 0;
            for seat in &side.seats {
                self.state.turn.actor = *seat;
                sum += i64::from(self.eval().number(value));
            }
            if sum > most || best.is_empty() {
                (most, best) = (sum, vec![id]);
            } else if sum == most {
                best.push(id);
            }
        }
        self.state.turn.actor = before;
        match best.as_slice() {
            [one] => GameResult::Won(*one),
            _ => GameResult::Draw(best.into_iter().collect()),
        }
    }
}
