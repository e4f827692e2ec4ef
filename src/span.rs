//! Places in a text.

/// A stretch of a text, in bytes from its beginning; `end` is the first byte behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// The first byte behind.
    pub end: u32,
}

impl Span {
    /// A span from byte offsets. Sources are limited to far less than 4 GiB, so offsets always fit.
    pub(crate) fn new(start: usize, end: usize) -> Self {
        let fit = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Self { start: fit(start), end: fit(end) }
    }

    /// The same stretch in a text that begins `by` bytes earlier.
    pub(crate) fn shifted(self, by: usize) -> Self {
        Self::new(self.start as usize + by, self.end as usize + by)
    }

    /// The stretch from the start of this one to the end of the other.
    pub(crate) fn to(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The byte range, for slicing.
    #[must_use]
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A value and the place where it was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Spanned<T> {
    pub(crate) node: T,
    pub(crate) span: Span,
}

/// A name as written.
pub(crate) type Name = Spanned<String>;
