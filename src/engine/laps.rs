//! Relays of sowings, and whether they go on for ever.

use super::run::{Halt, Run};
use crate::ir::{Bits as _, Cells as _, Model, NONE, Pc, Relay};

impl<M: Model> Run<'_, M> {
    /// A sowing reached its limit of laps.
    pub(super) fn endless(&mut self, head: Pc) {
        self.tally.endless += 1;
        if self.prove > 0 && !self.trial && self.repeats(head) {
            self.tally.proved += 1;
        }
    }

    /// Whether a loop comes to the same position again within the budget of laps (R. P. Brent, "An Improved Monte
    /// Carlo Factorization Algorithm", 1980, whose method of finding cycles it is); the game does not notice.
    fn repeats(&mut self, head: Pc) -> bool {
        let laps = self.prove;
        self.aside(u64::MAX, Some(head), |run| {
            let (mut kept, mut next) = (run.state.clone(), 1u64);
            for lap in 1..=laps {
                // The round that was halted is begun.
                run.state.pc = head + 1;
                if !matches!(run.run(), Halt::Lap) {
                    return false;
                }
                if *run.state == kept {
                    return true;
                }
                if lap == next {
                    (kept, next) = (run.state.clone(), 2 * next);
                }
            }
            false
        })
    }

    /// Laps that need nothing but a table.
    pub(super) fn relay(&mut self, relay: &Relay<M::Bits>, head: Pc) {
        let Some(table) = self.program.sowings.get(usize::from(relay.table)) else { return };
        let towards = self.num(&relay.towards);
        let bound = self.num(&relay.bound);
        let mover = usize::from(self.state.mover);
        // The ordinary loop stands behind, and goes on where this one cannot.
        if self.state.hand != 0 || self.watched.is_some() {
            return;
        }
        let mut rounds = self.state.number(relay.rounds);
        let mut lifted = NONE;
        loop {
            let last = self.state.last;
            let seeds = self.state.cells.get(last as usize);
            if seeds <= relay.most {
                self.state.pc = relay.exit;
                break;
            }
            if rounds >= bound {
                self.state.pc = relay.reached;
                self.endless(head + 1);
                break;
            }
            let Some((row, end)) = table.sow(mover, towards, last, seeds) else { break };
            self.state.cells.add(row);
            lifted = last;
            self.state.last = end;
            rounds += 1;
        }
        if lifted != NONE
            && let Some(register) = self.program.layout.lifted
        {
            self.state.put_set(register, M::Bits::one(lifted as usize));
        }
        self.state.put(relay.rounds, rounds);
        self.fuel = self.fuel.saturating_sub(rounds as u64);
    }
}
