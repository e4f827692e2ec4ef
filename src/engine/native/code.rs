//! What all machine code is made of: fields of a position, tables, sets as words, and loops.

use std::mem::offset_of;

use cranelift_codegen::ir::{
    AliasRegion, AliasRegionData, Block, BlockArg, InstBuilder as _, InstructionData, MemFlagsData, Opcode, SigRef,
    StackSlot, StackSlotData, StackSlotKind, Type, Value,
    condcodes::IntCC,
    types::{I8, I8X16, I32, I64},
};
use cranelift_frontend::{FunctionBuilder, Variable};

use super::call::{Address, Context, Helper};
use crate::{
    engine::{
        run::Run,
        state::{State, Tally},
    },
    ir::{Bits as _, ListReg, Model, NONE, Num, Op, Pc, Program, Reg, Set, SetReg},
};

/// Words of a set; those that are none have no members.
pub(super) type Words = Vec<Option<Value>>;

/// Constants that machine code reads: each stays where it is as long as the code is there.
#[derive(Debug, Default)]
pub(super) struct Tables(Vec<Box<[u64]>>);

impl Tables {
    /// The address of a table.
    fn keep(&mut self, words: Vec<u64>) -> Address {
        let found = self.0.iter().position(|table| **table == *words);
        let at = found.unwrap_or_else(|| {
            self.0.push(words.into());
            self.0.len() - 1
        });
        self.0.get(at).map_or(Address::NONE, |table| Address::of(table.as_ptr()))
    }
}

/// Where a field of a position is, and what else is in the same memory.
#[derive(Debug, Clone, Copy)]
pub(super) struct Field {
    base: Base,
    offset: i32,
    region: AliasRegion,
}

#[derive(Debug, Clone, Copy)]
enum Base {
    State,
    Run,
    Tally,
}

/// The fields that machine code knows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fields {
    pub(super) pc: Field,
    pub(super) hand: Field,
    pub(super) last: Field,
    pub(super) reached: Field,
    pub(super) again: Field,
    pub(super) round_winner: Field,
    pub(super) turns: Field,
    pub(super) round_start: Field,
    pub(super) round: Field,
    pub(super) quiet: Field,
    pub(super) ending: Field,
    pub(super) mover: Field,
    pub(super) actor: Field,
    pub(super) beginner: Field,
    pub(super) moving: Field,
    pub(super) chosen: Field,
    pub(super) captured: Field,
    pub(super) repeated: Field,
    pub(super) armed: Field,
    pub(super) fuel: Field,
    pub(super) closing: Field,
    pub(super) captures: Field,
    cells: Field,
    sets: Field,
    numbers: Field,
}

/// Machine code under construction.
pub(super) struct Code<'a, 'f, M: Model> {
    pub(super) program: &'a Program<M>,
    pub(super) f: FunctionBuilder<'f>,
    pub(super) trial: bool,
    pub(super) fields: Fields,
    /// The memory of each register that is only known by its number.
    registers: Vec<AliasRegion>,
    set_registers: Vec<AliasRegion>,
    tables: &'a mut Tables,
    /// The memory of random streams.
    pub(super) streams: AliasRegion,
    pub(super) context: Value,
    state: Value,
    run: Value,
    tally: Value,
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
    last: Variable,
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
        let mut next = 0;
        let mut region = || {
            next += 1;
            f.func.dfg.alias_regions.insert(AliasRegionData { user_id: next, description: "".into() })
        };
        let mut field = |base, offset: usize| Field { base, offset: offset as i32, region: region() };
        let mut state = |offset| field(Base::State, offset);
        let fields = Fields {
            pc: state(offset_of!(State<M>, pc)),
            hand: state(offset_of!(State<M>, hand)),
            last: state(offset_of!(State<M>, last)),
            reached: state(offset_of!(State<M>, reached)),
            again: state(offset_of!(State<M>, again)),
            round_winner: state(offset_of!(State<M>, round_winner)),
            turns: state(offset_of!(State<M>, turns)),
            round_start: state(offset_of!(State<M>, round_start)),
            round: state(offset_of!(State<M>, round)),
            quiet: state(offset_of!(State<M>, quiet)),
            ending: state(offset_of!(State<M>, ending)),
            mover: state(offset_of!(State<M>, mover)),
            actor: state(offset_of!(State<M>, actor)),
            beginner: state(offset_of!(State<M>, beginner)),
            moving: state(offset_of!(State<M>, moving)),
            chosen: state(offset_of!(State<M>, chosen)),
            captured: state(offset_of!(State<M>, captured)),
            repeated: state(offset_of!(State<M>, repeated)),
            armed: state(offset_of!(State<M>, armed)),
            cells: state(offset_of!(State<M>, cells)),
            sets: state(offset_of!(State<M>, sets)),
            numbers: state(offset_of!(State<M>, numbers)),
            fuel: field(Base::Run, offset_of!(Run<'_, M>, fuel)),
            closing: field(Base::Run, offset_of!(Run<'_, M>, closing)),
            captures: field(Base::Tally, offset_of!(Tally, captured)),
        };
        let mut registers: Vec<AliasRegion> = (0..program.layout.numbers).map(|_| region()).collect();
        let set_registers = (0..program.layout.sets).map(|_| region()).collect();
        let streams = region();
        for (first, many) in together(program) {
            for slot in registers.iter_mut().skip(first).take(many) {
                *slot = fields.numbers.region;
            }
        }
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
            registers,
            set_registers,
            tables,
            streams,
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

    /// Reads again what is kept beside memory.
    pub(super) fn reload(&mut self) {
        let last = self.get_int(self.fields.last);
        self.f.def_var(self.last, last);
    }

    /// Where the last seed fell.
    pub(super) fn last(&mut self) -> Value {
        self.f.use_var(self.last)
    }

    pub(super) fn set_last(&mut self, site: Value) {
        self.f.def_var(self.last, site);
        self.set(self.fields.last, site);
    }

    /// Whether all cells are one vector of bytes.
    pub(super) fn in_vectors(&self) -> bool {
        size_of::<M::Cells>() == 16
    }

    /// All cells as one vector.
    pub(super) fn cells(&mut self) -> Value {
        self.get(self.fields.cells, I8X16)
    }

    pub(super) fn put_cells(&mut self, cells: Value) {
        self.set(self.fields.cells, cells);
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

    /// The value of a number that is known as it is.
    pub(super) fn known(&self, value: Value) -> Option<i64> {
        let inst = self.f.func.dfg.value_def(value).inst()?;
        #[expect(clippy::indexing_slicing, reason = "an instruction that gives a value is there")]
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
        self.f.ins().jump(on, &[BlockArg::Value(value)]);
        self.begin(no);
        let value = otherwise(self);
        self.f.ins().jump(on, &[BlockArg::Value(value)]);
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

    // Fields.

    fn base(&self, field: Field) -> Value {
        match field.base {
            Base::State => self.state,
            Base::Run => self.run,
            Base::Tally => self.tally,
        }
    }

    pub(super) fn get(&mut self, field: Field, ty: Type) -> Value {
        let flags = MemFlagsData::trusted().with_alias_region(Some(field.region));
        let base = self.base(field);
        self.f.ins().load(ty, flags, base, field.offset)
    }

    pub(super) fn set(&mut self, field: Field, value: Value) {
        let flags = MemFlagsData::trusted().with_alias_region(Some(field.region));
        let base = self.base(field);
        self.f.ins().store(flags, value, base, field.offset);
    }

    pub(super) fn get_int(&mut self, field: Field) -> Value {
        self.get(field, I32)
    }

    pub(super) fn get_byte(&mut self, field: Field) -> Value {
        let byte = self.get(field, I8);
        self.f.ins().uextend(I32, byte)
    }

    pub(super) fn set_int(&mut self, field: Field, n: i32) {
        let n = self.int(n);
        self.set(field, n);
    }

    pub(super) fn set_byte(&mut self, field: Field, n: u8) {
        let n = self.f.ins().iconst(I8, i64::from(n));
        self.set(field, n);
    }

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

    /// What a player has captured, or puts another number there.
    pub(super) fn captures(&mut self, actor: Value, sum: Option<Value>) -> Value {
        let field = self.fields.captures;
        let actor = self.index(actor);
        let bytes = self.f.ins().ishl_imm_u(actor, 2);
        let address = self.f.ins().iadd(self.tally, bytes);
        let flags = MemFlagsData::trusted().with_alias_region(Some(field.region));
        match sum {
            None => self.f.ins().load(I32, flags, address, field.offset),
            Some(sum) => {
                self.f.ins().store(flags, sum, address, field.offset);
                sum
            }
        }
    }

    // Registers.

    fn register(&self, register: Reg) -> Field {
        let region = self.registers.get(usize::from(register)).copied().unwrap_or(self.fields.numbers.region);
        let numbers = self.fields.numbers;
        Field { offset: numbers.offset + 4 * i32::from(register), region, ..numbers }
    }

    pub(super) fn number(&mut self, register: Reg) -> Value {
        let field = self.register(register);
        self.get_int(field)
    }

    pub(super) fn put(&mut self, register: Reg, value: Value) {
        let field = self.register(register);
        self.set(field, value);
    }

    pub(super) fn put_int(&mut self, register: Reg, n: i32) {
        let n = self.int(n);
        self.put(register, n);
    }

    /// Where a register is that a number is added to; the number must be one that the program has room for.
    fn register_after(&mut self, first: Reg, more: Value) -> Value {
        let more = self.index(more);
        let bytes = self.f.ins().ishl_imm_u(more, 2);
        let address = self.f.ins().iadd(self.state, bytes);
        self.f.ins().iadd_imm_s(address, i64::from(self.fields.numbers.offset + 4 * i32::from(first)))
    }

    fn shared(&self) -> MemFlagsData {
        MemFlagsData::trusted().with_alias_region(Some(self.fields.numbers.region))
    }

    /// The register of the acting player.
    pub(super) fn own_number(&mut self, first: Reg) -> Value {
        if let Some(actor) = self.actor {
            return self.number(first + actor as u16);
        }
        let actor = self.acting();
        let address = self.register_after(first, actor);
        let flags = self.shared();
        self.f.ins().load(I32, flags, address, 0)
    }

    pub(super) fn put_own(&mut self, first: Reg, value: Value) {
        if let Some(actor) = self.actor {
            self.put(first + actor as u16, value);
            return;
        }
        let actor = self.acting();
        let address = self.register_after(first, actor);
        let flags = self.shared();
        self.f.ins().store(flags, value, address, 0);
    }

    /// How many members a list has.
    pub(super) fn list_len(&mut self, list: ListReg) -> Value {
        let len = self.number(list.base);
        let most = self.int(i32::from(list.most));
        self.f.ins().umin(len, most)
    }

    /// A member of a list, by a number below its length.
    pub(super) fn list_item(&mut self, list: ListReg, n: Value) -> Value {
        let address = self.register_after(list.base + 1, n);
        let flags = self.shared();
        self.f.ins().load(I32, flags, address, 0)
    }

    pub(super) fn put_list_item(&mut self, list: ListReg, n: Value, item: Value) {
        let address = self.register_after(list.base + 1, n);
        let flags = self.shared();
        self.f.ins().store(flags, item, address, 0);
    }

    fn set_register(&self, register: SetReg, word: usize) -> Field {
        let sets = self.fields.sets;
        let region = self.set_registers.get(usize::from(register)).copied().unwrap_or(sets.region);
        let offset = sets.offset + (usize::from(register) * size_of::<M::Bits>() + 8 * word) as i32;
        Field { offset, region, ..sets }
    }

    pub(super) fn set_of(&mut self, register: SetReg) -> Words {
        (0..self.words)
            .map(|word| {
                let field = self.set_register(register, word);
                Some(self.get(field, I64))
            })
            .collect()
    }

    pub(super) fn put_set(&mut self, register: SetReg, words: &Words) {
        for (n, word) in words.iter().enumerate() {
            let field = self.set_register(register, n);
            let word = word.unwrap_or_else(|| self.long(0));
            self.set(field, word);
        }
    }

    // Cells.

    const CELL: usize = size_of_cell::<M>();

    fn cell_type() -> Type {
        if Self::CELL == 1 { I8 } else { cranelift_codegen::ir::types::I16 }
    }

    pub(super) fn cells_field(&self, n: usize) -> Field {
        let cells = self.fields.cells;
        Field { offset: cells.offset + (n * Self::CELL) as i32, ..cells }
    }

    fn cell_address(&mut self, n: Value) -> Value {
        let mask = (M::CELLS - 1) as i64;
        let n = self.f.ins().band_imm_s(n, mask);
        let n = self.index(n);
        let bytes = if Self::CELL == 1 { n } else { self.f.ins().ishl_imm_u(n, 1) };
        let address = self.f.ins().iadd(self.state, bytes);
        self.f.ins().iadd_imm_s(address, i64::from(self.fields.cells.offset))
    }

    /// What lies or stands on a cell that is one.
    pub(super) fn cell(&mut self, n: Value) -> Value {
        let count = match self.known(n) {
            Some(n) if (0..M::CELLS as i64).contains(&n) => {
                let field = self.cells_field(n as usize);
                self.get(field, Self::cell_type())
            }
            _ => {
                let address = self.cell_address(n);
                let flags = MemFlagsData::trusted().with_alias_region(Some(self.fields.cells.region));
                self.f.ins().load(Self::cell_type(), flags, address, 0)
            }
        };
        self.f.ins().uextend(I32, count)
    }

    /// The same; nothing where it is none.
    pub(super) fn cell_or_none(&mut self, n: Value) -> Value {
        if let Some(known) = self.known(n) {
            return if (known as i32) < 0 { self.int(0) } else { self.cell(n) };
        }
        let count = self.cell(n);
        let there = self.is(IntCC::SignedGreaterThanOrEqual, n, 0);
        let none = self.int(0);
        self.f.ins().select(there, count, none)
    }

    /// Puts so much on a cell that is one.
    pub(super) fn put_cell(&mut self, n: Value, count: Value) {
        if self.in_vectors() {
            // Whole vectors are written, so that they can be read at once.
            let mask = self.lane(n);
            let (cells, there) = (self.cells(), self.spread(count, mask));
            let others = self.f.ins().band_not(cells, mask);
            let cells = self.f.ins().bor(others, there);
            self.put_cells(cells);
            return;
        }
        let count = self.f.ins().ireduce(Self::cell_type(), count);
        if let Some(n) = self.known(n).filter(|n| (0..M::CELLS as i64).contains(n)) {
            let field = self.cells_field(n as usize);
            self.set(field, count);
            return;
        }
        let address = self.cell_address(n);
        let flags = MemFlagsData::trusted().with_alias_region(Some(self.fields.cells.region));
        self.f.ins().store(flags, count, address, 0);
    }

    /// Adds to a cell that is one.
    pub(super) fn add_to_cell(&mut self, n: Value, more: Value) {
        if self.in_vectors() {
            let mask = self.lane(n);
            let (cells, more) = (self.cells(), self.spread(more, mask));
            let cells = self.f.ins().iadd(cells, more);
            self.put_cells(cells);
            return;
        }
        let count = self.cell(n);
        let count = self.f.ins().iadd(count, more);
        self.put_cell(n, count);
    }

    /// How many cells a vector holds, and how many vectors there are.
    pub(super) fn groups(&self) -> (usize, usize) {
        let each = 16 / Self::CELL;
        (each, self.program.topology.cells.max(self.program.topology.sites).div_ceil(each))
    }

    // Tables.

    /// So many bytes into a table.
    pub(super) fn table_address(&mut self, table: Vec<u64>, bytes: Value) -> Value {
        let address = self.tables.keep(table);
        let base = self.long(address.bits());
        self.f.ins().iadd(base, bytes)
    }

    /// Loads from a table of words.
    fn table_word(&mut self, table: Vec<u64>, at: Value, offset: usize) -> Value {
        let address = self.table_address(table, at);
        let flags = MemFlagsData::trusted().with_readonly().with_can_move();
        self.f.ins().load(I64, flags, address, 8 * offset as i32)
    }

    /// What a table says of a number from −1 on; none for those that it does not have.
    pub(super) fn look(&mut self, table: &[i32], n: Value) -> Value {
        if let Some(known) = self.known(n) {
            let value = usize::try_from(known as i32).ok().and_then(|n| table.get(n)).copied().unwrap_or(NONE);
            return self.int(value);
        }
        // Memory is a power of two, so that every number leads into it.
        let len = (table.len() + 1).next_power_of_two();
        let entry = |n: usize| n.checked_sub(1).and_then(|n| table.get(n)).copied().unwrap_or(NONE);
        let pair =
            |n: usize| u64::from(entry(2 * n).cast_unsigned()) | u64::from(entry(2 * n + 1).cast_unsigned()) << 32;
        let words = (0..len.div_ceil(2)).map(pair).collect();
        let n = self.f.ins().iadd_imm_s(n, 1);
        let n = self.f.ins().band_imm_s(n, len as i64 - 1);
        let n = self.index(n);
        let bytes = self.f.ins().ishl_imm_u(n, 2);
        let base = self.tables.keep(words);
        let base = self.long(base.bits());
        let address = self.f.ins().iadd(base, bytes);
        let flags = MemFlagsData::trusted().with_readonly().with_can_move();
        self.f.ins().load(I32, flags, address, 0)
    }

    /// A number for each acting player.
    pub(super) fn by_actor(&mut self, numbers: &[i32]) -> Value {
        let seats = self.program.topology.seats;
        let numbers = numbers.get(..seats).unwrap_or(numbers);
        let first = numbers.first().copied().unwrap_or(NONE);
        if numbers.iter().all(|n| *n == first) {
            return self.int(first);
        }
        let actor = self.acting();
        self.look(numbers, actor)
    }

    /// One of several sets, by a number below their number; the first where it is not.
    pub(super) fn one_of(&mut self, sets: &[M::Bits], n: Value) -> Words {
        let first = sets.first().copied().unwrap_or(M::Bits::NONE);
        let len = sets.len().next_power_of_two();
        if let Some(known) = self.known(n) {
            let set = sets.get(known as usize & (len - 1));
            return self.constant(set.copied().unwrap_or(first));
        }
        if sets.iter().all(|set| *set == first) {
            return self.constant(first);
        }
        let n = self.f.ins().band_imm_s(n, len as i64 - 1);
        let n = self.index(n);
        let bytes = self.f.ins().ishl_imm_u(n, 3);
        (0..self.words)
            .map(|word| {
                let column: Vec<u64> = (0..len).map(|n| sets.get(n).unwrap_or(&first).at(word)).collect();
                if column.iter().all(|word| *word == 0) { None } else { Some(self.table_word(column, bytes, 0)) }
            })
            .collect()
    }

    /// A byte of a table of bytes.
    pub(super) fn table_byte(&mut self, table: &'static [u8], at: Value) -> Value {
        let base = self.long(Address::of(table.as_ptr()).bits());
        let address = self.f.ins().iadd(base, at);
        let flags = MemFlagsData::trusted().with_readonly().with_can_move();
        let byte = self.f.ins().load(I8, flags, address, 0);
        self.f.ins().uextend(I32, byte)
    }

    // Sets.

    pub(super) fn constant(&mut self, set: M::Bits) -> Words {
        (0..self.words)
            .map(|n| match set.at(n) {
                0 => None,
                word => Some(self.word(word)),
            })
            .collect()
    }

    pub(super) fn nothing(&self) -> Words {
        vec![None; self.words]
    }

    pub(super) fn and(&mut self, left: &Words, right: &Words) -> Words {
        let both = |(left, right): (&Option<Value>, &Option<Value>)| Some(self.f.ins().band((*left)?, (*right)?));
        left.iter().zip(right).map(both).collect()
    }

    pub(super) fn or(&mut self, left: &Words, right: &Words) -> Words {
        let either = |(left, right): (&Option<Value>, &Option<Value>)| match (*left, *right) {
            (Some(left), Some(right)) => Some(self.f.ins().bor(left, right)),
            (one, other) => one.or(other),
        };
        left.iter().zip(right).map(either).collect()
    }

    pub(super) fn minus(&mut self, left: &Words, right: &Words) -> Words {
        let without = |(left, right): (&Option<Value>, &Option<Value>)| match (*left, *right) {
            (Some(left), Some(right)) => {
                let others = self.f.ins().bnot(right);
                Some(self.f.ins().band(left, others))
            }
            (left, _) => left,
        };
        left.iter().zip(right).map(without).collect()
    }

    /// One set or another.
    pub(super) fn choose_set(&mut self, condition: Value, then: &Words, otherwise: &Words) -> Words {
        let pairs: Vec<_> = then.iter().copied().zip(otherwise.iter().copied()).collect();
        pairs
            .into_iter()
            .map(|pair| {
                if pair == (None, None) {
                    return None;
                }
                let then = pair.0.unwrap_or_else(|| self.long(0));
                let otherwise = pair.1.unwrap_or_else(|| self.long(0));
                Some(self.f.ins().select(condition, then, otherwise))
            })
            .collect()
    }

    /// All bits of all words in one.
    fn united(&mut self, words: &Words) -> Option<Value> {
        words.iter().flatten().copied().reduce(|left, right| self.f.ins().bor(left, right))
    }

    /// Whether there are members.
    pub(super) fn any(&mut self, words: &Words) -> Value {
        match self.united(words) {
            Some(united) => self.is(IntCC::NotEqual, united, 0),
            None => self.truth_of(false),
        }
    }

    /// Whether there are none.
    pub(super) fn none(&mut self, words: &Words) -> Value {
        match self.united(words) {
            Some(united) => self.is(IntCC::Equal, united, 0),
            None => self.truth_of(true),
        }
    }

    /// Whether a number is a member; none is not.
    pub(super) fn has(&mut self, words: &Words, n: Value) -> Value {
        if let Some(known) = self.known(n) {
            let known = known as i32;
            let word = usize::try_from(known).ok().and_then(|n| words.get(n / 64).copied().flatten());
            return match word {
                Some(word) => {
                    let shifted = self.f.ins().ushr_imm_u(word, i64::from(known % 64));
                    let bit = self.f.ins().band_imm_s(shifted, 1);
                    self.f.ins().ireduce(I8, bit)
                }
                None => self.truth_of(false),
            };
        }
        let mut found: Option<Value> = None;
        for (at, word) in words.iter().enumerate() {
            let Some(word) = *word else { continue };
            let shifted = self.f.ins().ushr(word, n);
            let bit = self.f.ins().ireduce(I8, shifted);
            let within = if at == 0 {
                self.is(IntCC::UnsignedLessThan, n, 64)
            } else {
                let high = self.f.ins().sshr_imm_u(n, 6);
                self.is(IntCC::Equal, high, at as i64)
            };
            let bit = self.f.ins().band(bit, within);
            found = Some(found.map_or(bit, |found| self.f.ins().bor(found, bit)));
        }
        match found {
            Some(found) => found,
            None => self.truth_of(false),
        }
    }

    /// The set of one number; nothing for none.
    pub(super) fn one(&mut self, n: Value) -> Words {
        if let Some(known) = self.known(n) {
            let set = usize::try_from(known as i32).map_or(M::Bits::NONE, M::Bits::one);
            return self.constant(set);
        }
        (0..self.words)
            .map(|at| {
                let within = if at == 0 {
                    self.is(IntCC::UnsignedLessThan, n, 64)
                } else {
                    let high = self.f.ins().sshr_imm_u(n, 6);
                    self.is(IntCC::Equal, high, at as i64)
                };
                let bit = self.f.ins().uextend(I64, within);
                Some(self.f.ins().ishl(bit, n))
            })
            .collect()
    }

    /// The same of a number that is one.
    pub(super) fn just(&mut self, n: Value) -> Words {
        if self.words > 1 || self.known(n).is_some() {
            return self.one(n);
        }
        let bit = self.long(1);
        vec![Some(self.f.ins().ishl(bit, n))]
    }

    /// How many members there are.
    pub(super) fn size(&mut self, words: &Words) -> Value {
        let mut sum = None;
        for word in words.iter().flatten() {
            let many = self.f.ins().popcnt(*word);
            let many = self.f.ins().ireduce(I32, many);
            sum = Some(sum.map_or(many, |sum| self.f.ins().iadd(sum, many)));
        }
        match sum {
            Some(sum) => sum,
            None => self.int(0),
        }
    }

    /// Variables that hold the words of a set.
    pub(super) fn growing(&mut self) -> Vec<Variable> {
        let zero = self.long(0);
        (0..self.words).map(|_| self.variable(I64, zero)).collect()
    }

    pub(super) fn grown(&mut self, variables: &[Variable]) -> Words {
        variables.iter().map(|variable| Some(self.f.use_var(*variable))).collect()
    }

    pub(super) fn grow(&mut self, variables: &[Variable], words: &Words) {
        for (variable, word) in variables.iter().zip(words) {
            if let Some(word) = word {
                let before = self.f.use_var(*variable);
                let after = self.f.ins().bor(before, *word);
                self.f.def_var(*variable, after);
            }
        }
    }

    /// The same, but only where a condition holds.
    pub(super) fn grow_if(&mut self, variables: &[Variable], condition: Value, words: &Words) {
        let wide = self.f.ins().uextend(I64, condition);
        let mask = self.f.ins().ineg(wide);
        for (variable, word) in variables.iter().zip(words) {
            if let Some(word) = word {
                let more = self.f.ins().band(*word, mask);
                let before = self.f.use_var(*variable);
                let after = self.f.ins().bor(before, more);
                self.f.def_var(*variable, after);
            }
        }
    }

    /// Does something with each member, in ascending order; it can leave for the block that it is given.
    pub(super) fn each(&mut self, words: &Words, mut body: impl FnMut(&mut Self, Value, Block)) {
        let done = self.block();
        for (n, word) in words.iter().enumerate() {
            let Some(word) = *word else { continue };
            let left = self.variable(I64, word);
            let (head, on) = (self.block(), self.block());
            let some = self.is(IntCC::NotEqual, word, 0);
            self.branch(some, head, on);
            self.begin(head);
            let now = self.f.use_var(left);
            let bit = self.f.ins().ctz(now);
            let less = self.f.ins().iadd_imm_s(now, -1);
            let less = self.f.ins().band(now, less);
            self.f.def_var(left, less);
            let member = self.f.ins().ireduce(I32, bit);
            let member = self.f.ins().iadd_imm_s(member, 64 * n as i64);
            body(self, member, done);
            let now = self.f.use_var(left);
            let some = self.is(IntCC::NotEqual, now, 0);
            self.branch(some, head, on);
            self.begin(on);
        }
        self.to(done);
        self.begin(done);
    }

    /// The smallest member of a set that has one, and the set without it.
    pub(super) fn pop(&mut self, words: &Words) -> (Value, Words) {
        if let [Some(word)] = words.as_slice() {
            let bit = self.f.ins().ctz(*word);
            let less = self.f.ins().iadd_imm_s(*word, -1);
            let less = self.f.ins().band(*word, less);
            return (self.f.ins().ireduce(I32, bit), vec![Some(less)]);
        }
        // From the last word to the first, so that the first that has members is left.
        let mut member = self.int(NONE);
        let mut left = words.clone();
        for (n, word) in words.iter().enumerate().rev() {
            let Some(word) = *word else { continue };
            let some = self.is(IntCC::NotEqual, word, 0);
            let bit = self.f.ins().ctz(word);
            let bit = self.f.ins().ireduce(I32, bit);
            let bit = self.f.ins().iadd_imm_s(bit, 64 * n as i64);
            member = self.f.ins().select(some, bit, member);
            let less = self.f.ins().iadd_imm_s(word, -1);
            let less = self.f.ins().band(word, less);
            for (at, slot) in left.iter_mut().enumerate() {
                let Some(now) = *slot else { continue };
                if at == n {
                    *slot = Some(self.f.ins().select(some, less, word));
                } else if let Some(whole) = words.get(at).copied().flatten().filter(|_| at > n) {
                    *slot = Some(self.f.ins().select(some, whole, now));
                }
            }
        }
        (member, left)
    }

    /// While a register holds something else, what it held before is kept.
    pub(super) fn while_holding<R>(&mut self, register: Reg, look: impl FnOnce(&mut Self) -> R) -> R {
        let before = self.number(register);
        let result = look(self);
        self.put(register, before);
        result
    }
}

/// Bytes of a cell.
const fn size_of_cell<M: Model>() -> usize {
    if M::MOST > 255 { 2 } else { 1 }
}

/// Registers that are reached by their number only: they share their memory.
fn together<M: Model>(program: &Program<M>) -> Vec<(usize, usize)> {
    let layout = &program.layout;
    let list = |list: &ListReg| (usize::from(list.base), usize::from(list.most) + 1);
    let mut found: Vec<(usize, usize)> = layout
        .variables
        .iter()
        .filter(|(_, many)| *many > 1)
        .map(|(first, many)| (usize::from(*first), usize::from(*many)))
        .collect();
    found.extend(layout.pool.iter().chain(&layout.passed_in_order).map(list));
    found.extend(program.code.iter().filter_map(|op| match op {
        Op::SetList(register, _) | Op::EachItem(register, ..) => Some(list(register)),
        _ => None,
    }));
    found
}

/// A set that is known as it is.
pub(super) fn known_set<M: Model>(program: &Program<M>, actor: Option<usize>, set: &Set<M::Bits>) -> Option<M::Bits> {
    match set {
        Set::Const(set) => Some(*set),
        Set::ByActor(sets) => {
            let sets = sets.get(..program.topology.seats)?;
            match actor {
                Some(actor) => sets.get(actor).copied(),
                None => sets.first().copied().filter(|first| sets.iter().all(|set| set == first)),
            }
        }
        Set::And(left, right) => Some(known_set(program, actor, left)?.and(known_set(program, actor, right)?)),
        Set::Or(left, right) => Some(known_set(program, actor, left)?.or(known_set(program, actor, right)?)),
        Set::Minus(left, right) => Some(known_set(program, actor, left)?.minus(known_set(program, actor, right)?)),
        Set::One(num) => match &**num {
            Num::Const(n) => Some(usize::try_from(*n).map_or(M::Bits::NONE, M::Bits::one)),
            _ => None,
        },
        _ => None,
    }
}
