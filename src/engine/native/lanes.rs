//! Many cells at once, as vectors.

use cranelift_codegen::ir::{
    Endianness, InstBuilder as _, MemFlagsData, Value,
    condcodes::IntCC,
    types::{I8, I8X16, I16X8, I32, I64, I64X2},
};

use super::{code::Code, words::Words};
use crate::ir::Model;

const LITTLE: Endianness = Endianness::Little;

impl<M: Model> Code<'_, '_, M> {
    /// The cells that hold a number of seeds, 63 for more, of a fixed set; nothing where that is not to be looked up.
    pub(super) fn holding(&mut self, holds: u64) -> Option<Words> {
        if !self.in_vectors() {
            return None;
        }
        // Beyond fifteen seeds all or none.
        let (few, many) = (holds & 0xffff, holds >> 16);
        let inverse = many != 0;
        if inverse && many != u64::MAX >> 16 {
            return None;
        }
        let mut table = [0; 16];
        for (n, byte) in table.iter_mut().enumerate() {
            *byte = if (few >> n & 1 == 1) == inverse { 0 } else { 255 };
        }
        let (table, cells) = (self.vector(table), self.cells());
        let lanes = self.f.ins().swizzle(table, cells);
        let lanes = if inverse { self.f.ins().bnot(lanes) } else { lanes };
        let bits = self.f.ins().vhigh_bits(I32, lanes);
        let mut words = self.nothing();
        if let Some(slot) = words.first_mut() {
            *slot = Some(self.f.ins().uextend(I64, bits));
        }
        Some(words)
    }

    /// The cells that are not empty.
    pub(super) fn with_seeds(&mut self) -> Words {
        let (each, groups) = self.groups();
        let mut words = self.nothing();
        let per_vector = 16;
        let vectors = (groups * each).div_ceil(per_vector);
        for n in 0..vectors {
            let empty = self.empty_lanes(n);
            let filled = self.f.ins().bnot(empty);
            let bits = self.f.ins().vhigh_bits(I32, filled);
            let bits = self.f.ins().uextend(I64, bits);
            let bits = self.f.ins().ishl_imm_u(bits, (16 * n % 64) as i64);
            if let Some(slot) = words.get_mut(16 * n / 64) {
                *slot = Some(slot.map_or(bits, |word| self.f.ins().bor(word, bits)));
            }
        }
        words
    }

    /// For sixteen cells, bytes of ones where they are empty.
    fn empty_lanes(&mut self, n: usize) -> Value {
        let (each, groups) = self.groups();
        if each == 16 {
            let cells = if self.in_vectors() { self.cells() } else { self.get(self.cells_field(16 * n), I8X16) };
            let zero = self.zeros();
            return self.f.ins().icmp(IntCC::Equal, cells, zero);
        }
        let mut half = |group: usize| {
            let zero = self.zeros();
            let zero = self.f.ins().bitcast(I16X8, MemFlagsData::new().with_endianness(LITTLE), zero);
            if group >= groups {
                return self.f.ins().icmp(IntCC::Equal, zero, zero);
            }
            let cells = self.get(self.cells_field(8 * group), I16X8);
            self.f.ins().icmp(IntCC::Equal, cells, zero)
        };
        let (low, high) = (half(2 * n), half(2 * n + 1));
        self.f.ins().snarrow(low, high)
    }

    fn zeros(&mut self) -> Value {
        let constant = self.f.func.dfg.constants.insert([0u8; 16].as_slice().into());
        self.f.ins().vconst(I8X16, constant)
    }

    fn vector(&mut self, bytes: [u8; 16]) -> Value {
        let constant = self.f.func.dfg.constants.insert(bytes.as_slice().into());
        self.f.ins().vconst(I8X16, constant)
    }

    /// For each of sixteen cells a byte of ones if it is a member, else of zeros.
    pub(super) fn lanes(&mut self, set: &Words) -> Value {
        let Some(word) = set.first().copied().flatten() else { return self.zeros() };
        if let Some(known) = self.known(word) {
            let mut bytes = [0; 16];
            for (n, byte) in bytes.iter_mut().enumerate() {
                *byte = if known >> n & 1 == 1 { 255 } else { 0 };
            }
            return self.vector(bytes);
        }
        let both = self.f.ins().splat(I64X2, word);
        let bytes = self.f.ins().bitcast(I8X16, MemFlagsData::new().with_endianness(LITTLE), both);
        let spread = self.vector([0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1]);
        let bytes = self.f.ins().swizzle(bytes, spread);
        let bits = self.vector([1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128]);
        let bytes = self.f.ins().band(bytes, bits);
        self.f.ins().icmp(IntCC::Equal, bytes, bits)
    }

    /// A byte of ones where a cell is, else of zeros; of zeros where it is none.
    pub(super) fn lane(&mut self, cell: Value) -> Value {
        if let Some(known) = self.known(cell) {
            let mut bytes = [0; 16];
            if let Some(byte) = usize::try_from(known as i32).ok().and_then(|n| bytes.get_mut(n)) {
                *byte = 255;
            }
            return self.vector(bytes);
        }
        let of = |cell: usize| if cell < 16 { 255u128 << (8 * cell) } else { 0 };
        let words = (0..32).flat_map(|cell| [of(cell) as u64, (of(cell) >> 64) as u64]).collect();
        let n = self.f.ins().band_imm_s(cell, 31);
        let n = self.index(n);
        let bytes = self.f.ins().ishl_imm_u(n, 4);
        let address = self.table_address(words, bytes);
        let flags = MemFlagsData::new().with_notrap().with_readonly().with_can_move();
        self.f.ins().load(I8X16, flags, address, 0)
    }

    /// A count on the lanes of a mask.
    pub(super) fn spread(&mut self, count: Value, mask: Value) -> Value {
        let byte = self.f.ins().ireduce(I8, count);
        let all = self.f.ins().splat(I8X16, byte);
        self.f.ins().band(all, mask)
    }

    /// The sum of sixteen bytes.
    pub(super) fn sum_of_lanes(&mut self, counts: Value) -> Value {
        let (low, high) = (self.f.ins().uwiden_low(counts), self.f.ins().uwiden_high(counts));
        let mut sums = self.f.ins().iadd(low, high);
        for _ in 0..3 {
            sums = self.f.ins().iadd_pairwise(sums, sums);
        }
        let sum = self.f.ins().extractlane(sums, 0);
        self.f.ins().uextend(I32, sum)
    }

    /// Adds a row of a table to all cells.
    pub(super) fn add_row(&mut self, row: Value) {
        let (each, groups) = self.groups();
        if self.in_vectors() {
            let flags = MemFlagsData::trusted().with_readonly();
            let (cells, more) = (self.cells(), self.f.ins().load(I8X16, flags, row, 0));
            let sum = self.f.ins().iadd(cells, more);
            self.put_cells(sum);
            return;
        }
        let ty = if each == 16 { I8X16 } else { I16X8 };
        for group in 0..groups {
            let field = self.cells_field(each * group);
            let cells = self.get(field, ty);
            let flags = MemFlagsData::trusted().with_readonly();
            let more = self.f.ins().load(ty, flags, row, 16 * group as i32);
            let sum = self.f.ins().iadd(cells, more);
            self.set(field, sum);
        }
    }
}
