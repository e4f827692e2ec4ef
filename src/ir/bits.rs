//! Sets of small numbers as bits: sites of the board, or places of men.

use std::{fmt::Debug, hash::Hash};

/// A set of numbers below [`Bits::WIDTH`].
pub(crate) trait Bits: Copy + Eq + Hash + Debug + Send + Sync + 'static {
    /// How many numbers there are.
    const WIDTH: usize;
    /// The set without members.
    const NONE: Self;

    /// The set of one number; none beyond the width.
    fn one(n: usize) -> Self;
    /// The set of the bits of a word, from a number on.
    fn word(word: u64, from: usize) -> Self;
    /// Whether a number is a member.
    fn has(self, n: usize) -> bool;
    /// Whether there are no members.
    fn is_empty(self) -> bool;
    /// The members of both.
    fn and(self, other: Self) -> Self;
    /// The members of either.
    fn or(self, other: Self) -> Self;
    /// The members that are not in another set.
    fn minus(self, other: Self) -> Self;
    /// How many members there are.
    fn len(self) -> usize;
    /// The members as the bits of a byte, from a number on, if all of them fit.
    fn byte_from(self, first: usize) -> Option<u8>;
    /// Takes out the smallest member.
    fn pop(&mut self) -> Option<usize>;
    /// The members from 64 times a number on, as bits.
    fn at(self, word: usize) -> u64;

    /// The smallest member.
    fn first(mut self) -> Option<usize> {
        self.pop()
    }

    /// The n-th member in ascending order.
    #[inline]
    fn nth(mut self, n: usize) -> Option<usize> {
        let first = self.first()?;
        // Choices are mostly among neighbours.
        if let Some(near) = self.byte_from(first) {
            let at = *NTH.get(usize::from(near))?.get(n)?;
            return (at < 8).then_some(first + usize::from(at));
        }
        for _ in 0..n {
            self.pop();
        }
        self.pop()
    }

    /// The set of some numbers.
    fn of(numbers: impl IntoIterator<Item = usize>) -> Self {
        numbers.into_iter().fold(Self::NONE, |set, n| set.or(Self::one(n)))
    }

    /// The members in ascending order.
    fn members(self) -> Members<Self> {
        Members(self)
    }
}

/// For every byte, how many bits it has.
#[expect(clippy::indexing_slicing, reason = "the compiler reckons it out")]
static COUNT: [u8; 256] = {
    let mut counts = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        counts[byte] = (byte as u8).count_ones() as u8;
        byte += 1;
    }
    counts
};

/// For every byte, where its first, second, ... bit is; 8 where it has no more.
#[expect(clippy::indexing_slicing, reason = "the compiler reckons it out")]
pub(crate) static NTH: [[u8; 8]; 256] = {
    let mut all = [[8; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut n) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                all[byte][n] = bit as u8;
                n += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    all
};

/// The members of a set in ascending order.
#[derive(Debug, Clone)]
pub(crate) struct Members<B>(B);

impl<B: Bits> Iterator for Members<B> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        self.0.pop()
    }
}

macro_rules! word {
    ($word:ty) => {
        impl Bits for $word {
            const WIDTH: usize = <$word>::BITS as usize;
            const NONE: Self = 0;

            #[inline]
            fn one(n: usize) -> Self {
                if n < Self::WIDTH { 1 << n } else { 0 }
            }

            #[inline]
            fn word(word: u64, from: usize) -> Self {
                if from < Self::WIDTH { Self::from(word) << from } else { 0 }
            }

            #[inline]
            fn has(self, n: usize) -> bool {
                n < Self::WIDTH && self >> n & 1 == 1
            }

            #[inline]
            fn is_empty(self) -> bool {
                self == 0
            }

            #[inline]
            fn and(self, other: Self) -> Self {
                self & other
            }

            #[inline]
            fn or(self, other: Self) -> Self {
                self | other
            }

            #[inline]
            fn minus(self, other: Self) -> Self {
                self & !other
            }

            #[inline]
            fn len(self) -> usize {
                let first = self.trailing_zeros() as usize;
                match self.byte_from(first) {
                    Some(near) => usize::from(COUNT.get(usize::from(near)).copied().unwrap_or(0)),
                    None => self.count_ones() as usize,
                }
            }

            #[inline]
            fn byte_from(self, first: usize) -> Option<u8> {
                u8::try_from(self.checked_shr(first as u32).unwrap_or(0)).ok()
            }

            #[inline]
            fn pop(&mut self) -> Option<usize> {
                if *self == 0 {
                    return None;
                }
                let n = self.trailing_zeros() as usize;
                *self &= *self - 1;
                Some(n)
            }

            #[inline]
            fn at(self, word: usize) -> u64 {
                self.checked_shr(64 * word as u32).unwrap_or(0) as u64
            }
        }
    };
}

word!(u64);
word!(u128);

/// A set of more numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub(crate) struct Wide<const N: usize>([u64; N]);

impl<const N: usize> Wide<N> {
    fn zip(self, other: Self, with: impl Fn(u64, u64) -> u64) -> Self {
        let mut words = self.0;
        for (word, other) in words.iter_mut().zip(other.0) {
            *word = with(*word, other);
        }
        Self(words)
    }
}

impl<const N: usize> Bits for Wide<N> {
    const WIDTH: usize = 64 * N;
    const NONE: Self = Self([0; N]);

    fn one(n: usize) -> Self {
        let mut set = Self::NONE;
        if let Some(word) = set.0.get_mut(n / 64) {
            *word = 1 << (n % 64);
        }
        set
    }

    fn word(word: u64, from: usize) -> Self {
        word.members().map(|n| Self::one(from + n)).fold(Self::NONE, Self::or)
    }

    fn has(self, n: usize) -> bool {
        self.0.get(n / 64).is_some_and(|word| word >> (n % 64) & 1 == 1)
    }

    fn is_empty(self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    fn and(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }

    fn or(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }

    fn minus(self, other: Self) -> Self {
        self.zip(other, |a, b| a & !b)
    }

    fn len(self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    fn byte_from(self, first: usize) -> Option<u8> {
        let word = self.0.get(first / 64)? >> (first % 64);
        if self.0.iter().skip(first / 64 + 1).all(|word| *word == 0) { u8::try_from(word).ok() } else { None }
    }

    fn pop(&mut self) -> Option<usize> {
        let (at, word) = self.0.iter_mut().enumerate().find(|(_, word)| **word != 0)?;
        word.pop().map(|n| 64 * at + n)
    }

    fn at(self, word: usize) -> u64 {
        self.0.get(word).copied().unwrap_or(0)
    }
}
