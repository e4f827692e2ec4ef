//! Moving men and sending them back.

use cranelift_codegen::ir::{
    InstBuilder as _, Value,
    condcodes::IntCC,
    types::{I8, I32},
};

use super::{code::Code, words::Words};
use crate::{
    ir::{Bits as _, List, Look, Model, NONE, Num, Pc, Reg},
    rules::MAX_WALK,
};

impl<M: Model> Code<'_, '_, M> {
    /// Takes men from where they are; each counts as a capture.
    pub(super) fn send(&mut self, pc: Pc, men: &List<M::Bits>, out: bool) {
        match men {
            List::Men(set) => {
                let cells = self.set_value(set);
                self.each(&cells, |code, cell, _| {
                    let many = code.cell(cell);
                    code.send_from(cell, many, out);
                });
            }
            List::One(man) => {
                let man = self.num(man);
                let some = self.is_some(man);
                self.when(some, |code| {
                    let there = code.cell(man);
                    let zero = code.int(0);
                    let any = code.is(IntCC::NotEqual, there, 0);
                    let one = code.int(1);
                    let one = code.f.ins().select(any, one, zero);
                    code.send_from(man, one, out);
                });
            }
            _ => self.by_interpreter(pc),
        }
    }

    /// So many men of a cell go to their start or out of the game.
    fn send_from(&mut self, cell: Value, many: Value, out: bool) {
        let topology = &self.program.topology;
        let goal = |cell: usize| {
            let player = topology.player(cell);
            let start = (player * topology.cells_each) as i32;
            let to = if out { topology.out_cell.get(player).copied().unwrap_or(NONE) } else { start };
            if topology.in_state(cell, 0) as i32 == to { NONE } else { to }
        };
        let goals: Vec<i32> = (0..topology.cells).map(goal).collect();
        let to = self.look(&goals, cell);
        let (goes, some) = (self.is_some(to), self.is(IntCC::NotEqual, many, 0));
        let both = self.f.ins().band(goes, some);
        self.when(both, |code| {
            code.shift(cell, to, many);
            code.count(many);
        });
    }

    /// Men leave a cell for another.
    fn shift(&mut self, from: Value, to: Value, many: Value) {
        let there = self.cell(from);
        let left = self.f.ins().isub(there, many);
        self.put_cell(from, left);
        self.add_to_cell(to, many);
        if let Some(register) = self.program.layout.men {
            let men = self.set_of(register);
            let empty = self.is(IntCC::Equal, left, 0);
            let (gone, come) = (self.just(from), self.just(to));
            let mask = self.mask_of(empty);
            let gone = gone.iter().map(|word| word.map(|word| self.f.ins().band(word, mask))).collect();
            let men = self.minus(&men, &gone);
            let men = self.or(&men, &come);
            self.put_set(register, &men);
        }
    }

    /// Moves men along their tracks.
    pub(super) fn move_men(
        &mut self,
        pc: Pc,
        men: &List<M::Bits>,
        steps: &Num<M::Bits>,
        anywhere: bool,
        named: Option<Reg>,
    ) {
        let topology = &self.program.topology;
        let List::One(man) = men else {
            self.by_interpreter(pc);
            return;
        };
        let plain = topology.is_straight() && anywhere && self.program.layout.passed_in_order.is_none();
        if !plain {
            self.by_interpreter(pc);
            return;
        }
        let (man, steps) = (self.num(man), self.num(steps));
        let some = self.is_some(man);
        self.when(some, |code| {
            let there = code.cell(man);
            let any = code.is(IntCC::NotEqual, there, 0);
            code.when(any, |code| code.walk(man, steps, named));
        });
        let moving = self.get_byte(self.fields.moving);
        let more = self.f.ins().iadd_imm_s(moving, 1);
        let most = self.int(255);
        let more = self.f.ins().umin(more, most);
        let more = self.f.ins().ireduce(I8, more);
        self.set(self.fields.moving, more);
    }

    /// A man who stands on a cell walks so many steps, or as far as he can.
    fn walk(&mut self, from: Value, steps: Value, named: Option<Reg>) {
        let topology = &self.program.topology;
        let states = topology.states;
        let end = self.end_of_walk(from, steps);
        let reached = self.look_up(Look::Square, end);
        if let Some(register) = self.program.layout.passed {
            let passed = self.passed(from, end);
            self.put_set(register, &passed);
        }
        self.set(self.fields.reached, reached);
        // Men at home are alike, whatever they were.
        let end = if states == 1 {
            end
        } else {
            let homes: Vec<i32> = (0..topology.cells).map(|cell| topology.at_home(cell) as i32).collect();
            self.look(&homes, end)
        };
        let moves = self.f.ins().icmp(IntCC::NotEqual, end, from);
        self.when(moves, |code| {
            let one = code.int(1);
            code.shift(from, end, one);
        });
        if let Some(register) = named {
            let before = self.number(register);
            let same = self.f.ins().icmp(IntCC::Equal, before, from);
            let now = self.f.ins().select(same, end, before);
            self.put(register, now);
        }
    }

    /// Where a walk of so many steps ends, or as many as can be made.
    pub(super) fn end_of_walk(&mut self, from: Value, steps: Value) -> Value {
        let states = self.program.topology.states;
        let left = self.look_up(Look::StepsLeft, from);
        let (zero, most) = (self.int(0), self.int(MAX_WALK));
        let left = self.f.ins().smin(left, most);
        let steps = self.f.ins().smax(steps, zero);
        let steps = self.f.ins().smin(steps, left);
        let far = self.f.ins().imul_imm_s(steps, states as i64);
        self.f.ins().iadd(from, far)
    }

    /// The square that a man can reach with so many steps, if he can.
    pub(super) fn reach(&mut self, man: Value, steps: Value) -> Words {
        let (left, most) = (self.look_up(Look::StepsLeft, man), self.int(MAX_WALK));
        let left = self.f.ins().smin(left, most);
        let there = self.is_some(man);
        let can = self.f.ins().icmp(IntCC::UnsignedLessThanOrEqual, steps, left);
        let end = self.end_of_walk(man, steps);
        let (square, none) = (self.look_up(Look::Square, end), self.int(NONE));
        let can = self.f.ins().band(can, there);
        let square = self.f.ins().select(can, square, none);
        self.one(square)
    }

    /// The squares between two cells of a man's track.
    pub(super) fn passed(&mut self, from: Value, end: Value) -> Words {
        let topology = &self.program.topology;
        if topology.states == 1 {
            // All cells before the end, without those up to the beginning.
            let (end, begun) = (self.below(end), self.below(from));
            let (start, between) = (self.just(from), self.minus(&end, &begun));
            let between = self.minus(&between, &start);
            let all = M::Bits::of(0..topology.cells);
            let square = |cell: usize| M::Bits::one(topology.square(cell));
            if let Some(squares) = self.image(&between, all, square) {
                return squares;
            }
        }
        let states = topology.states as i64;
        let passed = self.growing();
        let first = self.f.ins().iadd_imm_s(from, states);
        let at = self.variable(I32, first);
        let before = |code: &mut Self| {
            let now = code.f.use_var(at);
            code.f.ins().icmp(IntCC::SignedLessThan, now, end)
        };
        self.repeat(before, |code| {
            let now = code.f.use_var(at);
            let square = code.look_up(Look::Square, now);
            let one = code.just(square);
            code.grow(&passed, &one);
            let next = code.f.ins().iadd_imm_s(now, states);
            code.f.def_var(at, next);
        });
        self.grown(&passed)
    }

    /// The numbers below another that is one.
    fn below(&mut self, n: Value) -> Words {
        (0..self.words)
            .map(|at| {
                let from = 64 * at as i64;
                let inside = self.f.ins().iadd_imm_s(n, -from);
                let one = self.long(1);
                let bit = self.f.ins().ishl(one, inside);
                let bits = self.f.ins().iadd_imm_s(bit, -1);
                if self.words == 1 {
                    return Some(bits);
                }
                let (none, all) = (self.long(0), self.long(-1));
                let some = self.is(IntCC::SignedGreaterThan, inside, 0);
                let whole = self.is(IntCC::SignedGreaterThanOrEqual, inside, 64);
                let bits = self.f.ins().select(some, bits, none);
                Some(self.f.ins().select(whole, all, bits))
            })
            .collect()
    }
}
