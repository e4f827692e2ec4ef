//! Choices: the moves on offer, and which of them can be played to the end of the turn.

use std::collections::HashSet;

use super::{
    run::{Halt, Run},
    value::Value,
    watch::Watch,
};
use crate::{
    rules::{BlockId, Expr, MAX_MOVES, VarId},
    tree::{Move, Part},
};

impl<W: Watch> Run<'_, W> {
    /// All different moves of a choice, in the order of its sets.
    pub(super) fn candidates(&mut self, picks: &[(VarId, Expr)], condition: Option<&Expr>) -> Vec<Move> {
        let mut moves = vec![];
        self.combine(picks, &mut vec![], condition, &mut moves);
        moves
    }

    fn combine(
        &mut self,
        picks: &[(VarId, Expr)],
        parts: &mut Vec<Part>,
        condition: Option<&Expr>,
        moves: &mut Vec<Move>,
    ) {
        let Some(((var, set), picks)) = picks.split_first() else {
            if condition.is_none_or(|condition| self.eval().truth(condition)) {
                moves.push(Move { parts: parts.clone() });
            }
            return;
        };
        let mut members = self.eval().value(set).members();
        // Equal counts are alike, and so are men of one seat on one spot.
        let mut seen = HashSet::new();
        members.retain(|member| seen.insert(member.clone()));
        for member in members {
            if *self.steps == 0 {
                return;
            }
            // The checker has seen to it for ordinary sets; a game that offers more is stopped.
            if moves.len() > MAX_MOVES {
                *self.steps = 0;
                return;
            }
            let part = match &member {
                Value::Site(Some(site)) => Part::Site(*site),
                Value::Man(man) if man.seat == self.state.turn.actor => Part::Man(*man, self.eval().square(*man)),
                Value::Man(man) => Part::Other(*man, self.eval().square(*man)),
                Value::Number(count) => Part::Count(*count),
                Value::Direction(direction) => Part::Direction(*direction),
                _ => continue,
            };
            *self.state.turn.vars.at_mut(*var) = member;
            parts.push(part);
            self.combine(picks, parts, condition, moves);
            parts.pop();
        }
    }

    /// Those moves with which the turn can be played to its end without being refused.
    pub(super) fn allowed(&mut self, picks: &[(VarId, Expr)], mut moves: Vec<Move>) -> Vec<Move> {
        moves.retain(|candidate| self.trial(|trial| trial.set(picks, candidate)));
        moves
    }

    /// Whether the turn can be played to its end when the choice is declined.
    pub(super) fn may_decline(&mut self, none: BlockId) -> bool {
        self.trial(|trial| {
            trial.state.turn.chosen = true;
            trial.instead(none);
        })
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
            Halt::Choice(_) | Halt::TurnOver | Halt::Over(_) | Halt::NewRound(..) => true,
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
}
