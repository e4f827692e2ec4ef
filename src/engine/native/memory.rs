//! Fields of a position, its registers and cells, and tables.

use std::mem::offset_of;

use cranelift_codegen::ir::{
    AliasRegion, AliasRegionData, InstBuilder as _, MemFlagsData, Type, Value,
    condcodes::IntCC,
    types::{I8, I8X16, I16, I32, I64},
};
use cranelift_frontend::FunctionBuilder;

use super::{call::Address, code::Code, words::Words};
use crate::{
    engine::{
        run::Run,
        state::{State, Tally},
    },
    ir::{Bits as _, ListReg, Model, NONE, Op, Program, Reg, SetReg},
};

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
#[derive(Debug)]
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
    /// The memory of each register that is only known by its number.
    registers: Vec<AliasRegion>,
    set_registers: Vec<AliasRegion>,
    /// The memory of random streams.
    pub(super) streams: AliasRegion,
}

impl Fields {
    pub(super) fn new<M: Model>(f: &mut FunctionBuilder<'_>, program: &Program<M>) -> Self {
        let mut next = 0;
        let mut region = || {
            next += 1;
            f.func.dfg.alias_regions.insert(AliasRegionData { user_id: next, description: "".into() })
        };
        let mut field = |base, offset: usize| Field { base, offset: offset as i32, region: region() };
        let mut state = |offset| field(Base::State, offset);
        let mut fields = Self {
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
            registers: (0..program.layout.numbers).map(|_| region()).collect(),
            set_registers: (0..program.layout.sets).map(|_| region()).collect(),
            streams: region(),
        };
        let shared = fields.numbers.region;
        for (first, many) in together(program) {
            for slot in fields.registers.iter_mut().skip(first).take(many) {
                *slot = shared;
            }
        }
        fields
    }
}

impl<M: Model> Code<'_, '_, M> {
    /// Reads again what is kept beside memory.
    pub(super) fn reload(&mut self) {
        let last = self.get_int(self.fields.last);
        self.f.def_var(self.last, last);
    }

    /// Where the last seed fell.
    pub(super) fn last(&mut self) -> Value {
        self.f.use_var(self.last)
    }

    /// Keeps where the last seed fell beside memory, for now.
    pub(super) fn put_last(&mut self, site: Value) {
        self.f.def_var(self.last, site);
    }

    pub(super) fn set_last(&mut self, site: Value) {
        self.put_last(site);
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
        let region = self.fields.registers.get(usize::from(register)).copied().unwrap_or(self.fields.numbers.region);
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
        let region = self.fields.set_registers.get(usize::from(register)).copied().unwrap_or(sets.region);
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
        if Self::CELL == 1 { I8 } else { I16 }
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

    /// Drops a seed: of a sowing seed by seed, whose cells are not read at once.
    pub(super) fn add_seed(&mut self, n: Value) {
        let address = self.cell_address(n);
        let flags = MemFlagsData::trusted().with_alias_region(Some(self.fields.cells.region));
        let count = self.f.ins().load(Self::cell_type(), flags, address, 0);
        let count = self.f.ins().iadd_imm_s(count, 1);
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
