//! What all machine code is made of: numbers, blocks, calls, and who acts.

use std::mem::offset_of;

use cranelift_codegen::ir::{
    Block, InstBuilder as _, InstructionData, MemFlagsData, Opcode, SigRef, StackSlot, StackSlotData, StackSlotKind,
    Type, Value,
    condcodes::IntCC,
    types::{I8, I32, I64},
};
use cranelift_frontend::{FunctionBuilder, Variable};

use super::{
    call::{Address, Context, Helper},
    memory::{Fields, Tables},
    words::Words,
};
use crate::{
    engine::run::Run,
    ir::{Model, NONE, Pc, Program},
};

/// The most instructions of a function; the longest of the library has a third of them.
const MOST_CODE: usize = 50_000;

/// Machine code under construction.
pub(super) struct Code<'a, 'f, M: Model> {
    pub(super) program: &'a Program<M>,
    pub(super) f: FunctionBuilder<'f>,
    pub(super) trial: bool,
    pub(super) fields: Fields,
    pub(super) tables: &'a mut Tables,
    pub(super) context: Value,
    pub(super) state: Value,
    pub(super) run: Value,
    pub(super) tally: Value,
    /// Words of a set.
    pub(super) words: usize,
    /// Whose turn it is, and who acts, where that is known.
    pub(super) seat: usize,
    pub(super) actor: Option<usize>,
    /// The code of each instruction, by mover.
    pub(super) blocks: Vec<Vec<Block>>,
    /// Goes on where the position says.
    pub(super) dispatch: Block,
    /// The site of the last seed: it is written to memory too, but read from a processor's register.
    pub(super) last: Variable,
    /// The signatures of helpers, by how many arguments they have.
    signatures: Vec<SigRef>,
    /// Memory for a set that a helper gives.
    slot: StackSlot,
}

/// What a function begins with.
pub(super) struct Frame<'a, 'f, M: Model> {
    pub(super) program: &'a Program<M>,
    pub(super) f: FunctionBuilder<'f>,
    pub(super) tables: &'a mut Tables,
    pub(super) signatures: Vec<SigRef>,
    /// Whether a move is only tried: at the end of its turn, and where something is chosen or thrown, it is left.
    pub(super) trial: bool,
}

impl<'a, 'f, M: Model> Code<'a, 'f, M> {
    pub(super) fn new(frame: Frame<'a, 'f, M>) -> Self {
        let Frame { program, mut f, tables, signatures, trial } = frame;
        let topology = &program.topology;
        let words = topology.cells.max(topology.sites).div_ceil(64).max(1);
        let entry = f.create_block();
        f.append_block_params_for_function_params(entry);
        f.switch_to_block(entry);
        let context = f.block_params(entry).first().copied().unwrap_or_else(|| Value::from_u32(0));
        let fields = Fields::new(&mut f, program);
        let slot = f.create_sized_stack_slot(StackSlotData::new(
            StackSlotKind::ExplicitSlot,
            (8 * words).max(size_of::<M::Bits>()) as u32,
            3,
        ));
        let flags = MemFlagsData::trusted().with_readonly();
        let run = f.ins().load(I64, flags, context, offset_of!(Context<'_, '_, M>, run) as i32);
        let state = f.ins().load(I64, flags, run, offset_of!(Run<'_, M>, state) as i32);
        let tally = f.ins().load(I64, flags, run, offset_of!(Run<'_, M>, tally) as i32);
        let dispatch = f.create_block();
        let blocks = (0..topology.seats).map(|_| program.code.iter().map(|_| f.create_block()).collect()).collect();
        let last = f.declare_var(I32);
        let mut code = Self {
            program,
            f,
            trial,
            fields,
            tables,
            context,
            state,
            run,
            tally,
            words,
            seat: 0,
            actor: None,
            blocks,
            dispatch,
            last,
            signatures,
            slot,
        };
        code.reload();
        code.to(dispatch);
        code
    }

    /// Whether there is more code than a game that is meant to be played needs: it is not finished.
    pub(super) fn is_too_long(&self) -> bool {
        self.f.func.dfg.num_insts() > MOST_CODE
    }

    // Numbers.

    pub(super) fn int(&mut self, n: i32) -> Value {
        self.f.ins().iconst(I32, i64::from(n.cast_unsigned()))
    }

    pub(super) fn long(&mut self, n: i64) -> Value {
        self.f.ins().iconst(I64, n)
    }

    pub(super) fn word(&mut self, n: u64) -> Value {
        self.long(n.cast_signed())
    }

    pub(super) fn truth_of(&mut self, truth: bool) -> Value {
        self.f.ins().iconst(I8, i64::from(truth))
    }

    pub(super) fn is(&mut self, compare: IntCC, value: Value, n: i64) -> Value {
        let ty = self.f.func.dfg.value_type(value);
        let n = if ty == I32 { i64::from(n as i32 as u32) } else { n };
        let n = self.f.ins().iconst(ty, n);
        self.f.ins().icmp(compare, value, n)
    }

    /// A number as an unsigned index.
    pub(super) fn index(&mut self, n: Value) -> Value {
        self.f.ins().uextend(I64, n)
    }

    /// None, as a number.
    pub(super) fn nobody(&mut self) -> Value {
        self.int(NONE)
    }

    /// Whether a number is not none.
    pub(super) fn is_some(&mut self, n: Value) -> Value {
        self.is(IntCC::NotEqual, n, i64::from(NONE))
    }

    /// The value of a number that is known as it is.
    pub(super) fn known(&self, value: Value) -> Option<i64> {
        let inst = self.f.func.dfg.value_def(value).inst()?;
        match &self.f.func.dfg.insts[inst] {
            InstructionData::UnaryImm { opcode: Opcode::Iconst, imm } => Some(imm.bits()),
            _ => None,
        }
    }

    // Blocks.

    pub(super) fn block(&mut self) -> Block {
        self.f.create_block()
    }

    pub(super) fn to(&mut self, block: Block) {
        self.f.ins().jump(block, &[]);
    }

    pub(super) fn begin(&mut self, block: Block) {
        self.f.switch_to_block(block);
    }

    pub(super) fn branch(&mut self, condition: Value, yes: Block, no: Block) {
        self.f.ins().brif(condition, yes, &[], no, &[]);
    }

    /// Does something only where a condition holds.
    pub(super) fn when(&mut self, condition: Value, then: impl FnOnce(&mut Self)) {
        let (yes, on) = (self.block(), self.block());
        self.branch(condition, yes, on);
        self.begin(yes);
        then(self);
        self.to(on);
        self.begin(on);
    }

    /// Does something as long as a condition holds.
    pub(super) fn repeat(&mut self, holds: impl FnOnce(&mut Self) -> Value, body: impl FnOnce(&mut Self)) {
        let (head, again, done) = (self.block(), self.block(), self.block());
        self.to(head);
        self.begin(head);
        let holds = holds(self);
        self.branch(holds, again, done);
        self.begin(again);
        body(self);
        self.to(head);
        self.begin(done);
    }

    /// Does something with each number from one to below another.
    pub(super) fn counted(&mut self, from: Value, to: Value, body: impl FnOnce(&mut Self, Value)) {
        let at = self.variable(I32, from);
        let below = |code: &mut Self| {
            let n = code.f.use_var(at);
            code.f.ins().icmp(IntCC::UnsignedLessThan, n, to)
        };
        self.repeat(below, |code| {
            let n = code.f.use_var(at);
            body(code, n);
            let n = code.f.ins().iadd_imm_s(n, 1);
            code.f.def_var(at, n);
        });
    }

    /// A value where a condition holds, else another.
    pub(super) fn either(
        &mut self,
        condition: Value,
        ty: Type,
        then: impl FnOnce(&mut Self) -> Value,
        otherwise: impl FnOnce(&mut Self) -> Value,
    ) -> Value {
        let (yes, no, on) = (self.block(), self.block(), self.block());
        let result = self.f.append_block_param(on, ty);
        self.branch(condition, yes, no);
        self.begin(yes);
        let value = then(self);
        self.f.ins().jump(on, &[value.into()]);
        self.begin(no);
        let value = otherwise(self);
        self.f.ins().jump(on, &[value.into()]);
        self.begin(on);
        result
    }

    /// Ends what is done here with a code.
    pub(super) fn leave(&mut self, code: i32) {
        let code = self.int(code);
        self.f.ins().return_(&[code]);
    }

    pub(super) fn variable(&mut self, ty: Type, start: Value) -> Variable {
        let variable = self.f.declare_var(ty);
        self.f.def_var(variable, start);
        variable
    }

    /// The block of an instruction of the same turn.
    pub(super) fn at(&self, pc: Pc) -> Block {
        self.block_of(self.seat, pc)
    }

    pub(super) fn block_of(&self, seat: usize, pc: Pc) -> Block {
        let blocks = self.blocks.get(seat);
        blocks.and_then(|blocks| blocks.get(pc as usize)).copied().unwrap_or(self.dispatch)
    }

    // Helpers.

    /// Calls a helper.
    pub(super) fn call(&mut self, helper: Helper, arguments: &[Value]) -> Value {
        let address = self.long(helper.address::<M>().bits());
        let mut all = vec![self.context];
        for argument in arguments {
            let wide = self.f.func.dfg.value_type(*argument) == I64;
            all.push(if wide { *argument } else { self.f.ins().sextend(I64, *argument) });
        }
        let Some(signature) = self.signatures.get(arguments.len()).copied() else { return self.long(0) };
        let call = self.f.ins().call_indirect(signature, address, &all);
        let result = self.f.inst_results(call).first().copied();
        if helper.changes() {
            self.reload();
        }
        match result {
            Some(result) => self.f.ins().ireduce(I32, result),
            None => self.int(0),
        }
    }

    /// A set that a helper gives.
    pub(super) fn call_for_set(&mut self, helper: Helper, argument: Value) -> Words {
        let slot = self.f.ins().stack_addr(I64, self.slot, 0);
        self.call(helper, &[argument, slot]);
        let flags = MemFlagsData::trusted();
        (0..self.words).map(|n| Some(self.f.ins().load(I64, flags, slot, 8 * n as i32))).collect()
    }

    /// The address of something that lasts as long as the program.
    pub(super) fn address<T>(&mut self, of: &T) -> Value {
        self.long(Address::of(std::ptr::from_ref(of)).bits())
    }

    // Steps.

    /// Takes steps; the game is stopped where there are none left.
    pub(super) fn charge(&mut self, steps: Value) {
        let fuel = self.get(self.fields.fuel, I64);
        let left = self.f.ins().isub(fuel, steps);
        let enough = self.f.ins().icmp(IntCC::UnsignedGreaterThan, fuel, steps);
        let (on, out) = (self.block(), self.block());
        self.branch(enough, on, out);
        self.f.set_cold_block(out);
        self.begin(out);
        self.leave(super::call::OUT_OF_STEPS);
        self.begin(on);
        self.set(self.fields.fuel, left);
    }

    pub(super) fn charge_one(&mut self) {
        let one = self.long(1);
        self.charge(one);
    }

    // Who acts.

    /// Who acts.
    pub(super) fn acting(&mut self) -> Value {
        match self.actor {
            Some(actor) => self.int(actor as i32),
            None => self.get_byte(self.fields.actor),
        }
    }

    pub(super) fn set_actor(&mut self, actor: Value) {
        let byte = self.f.ins().ireduce(I8, actor);
        self.set(self.fields.actor, byte);
    }

    /// Looks at something with the eyes of a player.
    pub(super) fn as_actor<R>(&mut self, actor: usize, look: impl FnOnce(&mut Self) -> R) -> R {
        let before = self.actor.replace(actor);
        if before == Some(actor) {
            return look(self);
        }
        let seen = self.get(self.fields.actor, I8);
        self.set_byte(self.fields.actor, actor as u8);
        let result = look(self);
        self.set(self.fields.actor, seen);
        self.actor = before;
        result
    }
}
