//! How large a position is in memory: a few sizes, so that the usual boards are arrays that fit a processor's
//! registers, and none is too large.

use std::{fmt::Debug, hash::Hash};

use wide::u8x16;

use super::bits::{Bits, Wide};

/// What lies on each site, or how many men stand on each cell.
pub(crate) trait Cells: Clone + Eq + Hash + Debug + Send + Sync + 'static {
    /// So many cells, all empty.
    fn empty(len: usize) -> Self;
    /// What is there; nothing beyond the last.
    fn get(&self, n: usize) -> i32;
    /// Puts so much there.
    fn set(&mut self, n: usize, count: i32);
    /// Adds cell by cell, and wraps: a negative number is added as its complement.
    fn add(&mut self, other: &Self);
    /// The cells that are not empty.
    fn occupied<B: Bits>(&self) -> B;
    /// A number that is the same for equal cells, and seldom for others.
    fn fingerprint(&self) -> u64;
}

/// Registers of one kind.
pub(crate) trait Registers<T>:
    AsRef<[T]> + AsMut<[T]> + Clone + Eq + Hash + Debug + Send + Sync + 'static
{
    /// Whether there is room for so many.
    fn fit(len: usize) -> bool;
    /// So many registers, all the same.
    fn new(len: usize, value: T) -> Self;
}

impl<T: Copy + Eq + Hash + Debug + Send + Sync + 'static, const N: usize> Registers<T> for [T; N] {
    fn fit(len: usize) -> bool {
        len <= N
    }

    fn new(_: usize, value: T) -> Self {
        [value; N]
    }
}

impl<T: Copy + Eq + Hash + Debug + Send + Sync + 'static> Registers<T> for Vec<T> {
    fn fit(_: usize) -> bool {
        true
    }

    fn new(len: usize, value: T) -> Self {
        vec![value; len]
    }
}

/// A size of positions.
pub(crate) trait Model: Clone + PartialEq + Eq + Hash + Debug + Send + Sync + 'static {
    /// Sets of sites and cells.
    type Bits: Bits;
    /// The cells.
    type Cells: Cells;
    /// Registers for sets.
    type Sets: Registers<Self::Bits>;
    /// Registers for numbers.
    type Numbers: Registers<i32>;
    /// How many cells there are at most.
    const CELLS: usize;
    /// What a cell holds at most.
    const MOST: u32;
    /// Whether cells and registers are in the position itself.
    const FIXED: bool;
}

macro_rules! model {
    ($(#[$doc:meta])* $name:ident: $cell:ty, $cells:ty, $count:expr, $bits:ty, $sets:ty, $numbers:ty, $fixed:expr) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub(crate) struct $name;

        impl Model for $name {
            type Bits = $bits;
            type Cells = $cells;
            type Sets = $sets;
            type Numbers = $numbers;
            const CELLS: usize = $count;
            const MOST: u32 = <$cell>::MAX as u32;
            const FIXED: bool = $fixed;
        }
    };
}

model! {
    /// A small board of pits: two rows of seven.
    Small: u8, Bytes<1>, 16, u64, [u64; 8], [i32; 32], true
}
model! {
    /// A larger board of pits, or a race of few men on few squares.
    Medium: u8, Bytes<4>, 64, u64, [u64; 16], [i32; 128], true
}
model! {
    /// Many seeds, or more squares.
    Large: u16, Shorts<128>, 128, u128, [u128; 16], [i32; 192], true
}
model! {
    /// A great board.
    Huge: u16, Shorts<512>, 512, Wide<8>, [Wide<8>; 16], [i32; 256], true
}
model! {
    /// Whatever a file may ask for.
    Boundless: u16, Vec<u16>, 4096, Wide<64>, Vec<Wide<64>>, Vec<i32>, false
}

/// Bytes in groups of sixteen, which are added at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub(crate) struct Bytes<const N: usize>([[u8; 16]; N]);

impl<const N: usize> Cells for Bytes<N> {
    fn empty(_: usize) -> Self {
        Self([[0; 16]; N])
    }

    #[inline]
    fn get(&self, n: usize) -> i32 {
        self.0.as_flattened().get(n).map_or(0, |count| i32::from(*count))
    }

    #[inline]
    fn set(&mut self, n: usize, count: i32) {
        if let Some(cell) = self.0.as_flattened_mut().get_mut(n) {
            *cell = count.to_le_bytes()[0];
        }
    }

    #[inline]
    fn add(&mut self, other: &Self) {
        for (group, other) in self.0.iter_mut().zip(&other.0) {
            *group = (u8x16::new(*group) + u8x16::new(*other)).to_array();
        }
    }

    #[inline]
    fn occupied<B: Bits>(&self) -> B {
        let mut set = B::NONE;
        for (n, group) in self.0.iter().enumerate() {
            let empty = u8x16::new(*group).simd_eq(u8x16::ZERO).to_bitmask();
            set = set.or(B::word(u64::from(!empty & 0xffff), 16 * n));
        }
        set
    }

    #[inline]
    fn fingerprint(&self) -> u64 {
        self.0.as_flattened().as_chunks().0.iter().fold(0, |mixed, word| mix(mixed, u64::from_le_bytes(*word)))
    }
}

/// One more word of a fingerprint. The factor is that of P. L'Ecuyer, "Tables of Linear Congruential Generators", 1999.
#[inline]
fn mix(mixed: u64, word: u64) -> u64 {
    (mixed.rotate_left(26) ^ word).wrapping_mul(0x27BB_2EE6_87B0_B0FD)
}

/// The same of small numbers, four to a word.
fn mix_shorts(shorts: &[u16]) -> u64 {
    shorts
        .chunks(4)
        .fold(0, |mixed, four| mix(mixed, four.iter().fold(0, |word, short| word << 16 | u64::from(*short))))
}

/// Larger numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub(crate) struct Shorts<const N: usize>([u16; N]);

impl<const N: usize> Cells for Shorts<N> {
    fn empty(_: usize) -> Self {
        Self([0; N])
    }

    fn get(&self, n: usize) -> i32 {
        self.0.get(n).map_or(0, |count| i32::from(*count))
    }

    fn set(&mut self, n: usize, count: i32) {
        if let Some(cell) = self.0.get_mut(n) {
            *cell = (count & 0xffff) as u16;
        }
    }

    fn add(&mut self, other: &Self) {
        for (cell, other) in self.0.iter_mut().zip(&other.0) {
            *cell = cell.wrapping_add(*other);
        }
    }

    fn occupied<B: Bits>(&self) -> B {
        B::of((0..N).filter(|n| self.0.get(*n).is_some_and(|count| *count > 0)))
    }

    fn fingerprint(&self) -> u64 {
        mix_shorts(&self.0)
    }
}

impl Cells for Vec<u16> {
    fn empty(len: usize) -> Self {
        vec![0; len]
    }

    fn get(&self, n: usize) -> i32 {
        <[u16]>::get(self, n).map_or(0, |count| i32::from(*count))
    }

    fn set(&mut self, n: usize, count: i32) {
        if let Some(cell) = <[u16]>::get_mut(self, n) {
            *cell = (count & 0xffff) as u16;
        }
    }

    fn add(&mut self, other: &Self) {
        for (cell, other) in self.iter_mut().zip(other) {
            *cell = cell.wrapping_add(*other);
        }
    }

    fn occupied<B: Bits>(&self) -> B {
        B::of((0..self.len()).filter(|n| <[u16]>::get(self, *n).is_some_and(|count| *count > 0)))
    }

    fn fingerprint(&self) -> u64 {
        mix_shorts(self)
    }
}
