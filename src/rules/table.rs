//! Index newtypes, and tables that only their own index opens.

use std::{fmt, marker::PhantomData};

use serde::{Serialize, Serializer};

/// An index into a [`Table`].
pub trait Id: Copy + Eq {
    /// The index of the n-th entry.
    fn new(n: usize) -> Self;
    /// Which entry it is, from 0.
    fn index(self) -> usize;
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident($inner:ty);)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
        pub struct $name($inner);

        impl Id for $name {
            fn new(n: usize) -> Self {
                Self(<$inner>::try_from(n).unwrap_or(<$inner>::MAX))
            }

            fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// A pit or a square of the board.
    SiteId(u16);
    /// A seat, in order of play.
    SeatId(u8);
    /// A side: a seat, or partners.
    SideId(u8);
    /// A spot of a seat's way: a square at some step of its track, its hand, or its home.
    SpotId(u16);
    /// A state of men.
    StateId(u8);
    /// A kind of mark.
    MarkId(u8);
    /// A track as declared.
    TrackId(u32);
    /// A claim of a source.
    ClaimId(u32);
    /// A source.
    SourceId(u32);
    /// A reading.
    ReadingId(u32);
    /// An alternative of a reading.
    AlternativeId(u32);
    /// An option.
    OptionId(u32);
    /// A named group of places.
    RegionId(u32);
    /// A table of throws.
    ThrowId(u32);
    /// A value that lives within a turn: a parameter, a `let`, a thing chosen.
    VarId(u32);
    /// A declared variable.
    VariableId(u32);
    /// A block of statements.
    BlockId(u32);
    /// A procedure.
    ProcedureId(u32);
    /// An ending.
    EndingId(u32);
    /// A rule of the file: a declaration or a statement, by which its place and grounds are found.
    RuleId(u32);
}

/// A list that is opened by one kind of index.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Table<I, T> {
    items: Vec<T>,
    index: PhantomData<I>,
}

impl<I: Id, T> Table<I, T> {
    /// A table of `n` equal entries.
    pub(crate) fn filled(n: usize, item: T) -> Self
    where
        T: Clone,
    {
        vec![item; n].into()
    }

    /// Adds an entry and gives its index.
    pub(crate) fn push(&mut self, item: T) -> I {
        self.items.push(item);
        I::new(self.items.len() - 1)
    }

    /// How many entries there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The entries in order.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.items.iter()
    }

    /// The entries in order, to be changed.
    pub(crate) fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.items.iter_mut()
    }

    /// The indices in order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + use<I, T> {
        (0..self.items.len()).map(I::new)
    }

    /// Indices and entries in order.
    pub fn entries(&self) -> impl Iterator<Item = (I, &T)> {
        self.ids().zip(&self.items)
    }

    /// The entries as a slice.
    pub(crate) fn as_slice(&self) -> &[T] {
        &self.items
    }

    /// The entries, in order, to be changed.
    pub(crate) fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.items
    }

    /// The entry, if there is one.
    #[must_use]
    pub fn get(&self, id: I) -> Option<&T> {
        self.items.get(id.index())
    }
}

impl<I: Id, T> Table<I, T> {
    /// The entry of an index that was made by this table.
    #[expect(
        clippy::indexing_slicing,
        reason = "an index is made by the table it opens, while a game is checked or bound"
    )]
    #[must_use]
    pub fn at(&self, id: I) -> &T {
        &self.items[id.index()]
    }

    /// The entry of an index that was made by this table, to be changed.
    #[expect(
        clippy::indexing_slicing,
        reason = "an index is made by the table it opens, while a game is checked or bound"
    )]
    pub fn at_mut(&mut self, id: I) -> &mut T {
        &mut self.items[id.index()]
    }
}

impl<I, T> Default for Table<I, T> {
    fn default() -> Self {
        Self { items: vec![], index: PhantomData }
    }
}

impl<I, T> From<Vec<T>> for Table<I, T> {
    fn from(items: Vec<T>) -> Self {
        Self { items, index: PhantomData }
    }
}

impl<I, T: fmt::Debug> fmt::Debug for Table<I, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.items.fmt(f)
    }
}

impl<I, T: Serialize> Serialize for Table<I, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.items.serialize(serializer)
    }
}

impl<'a, I, T> IntoIterator for &'a Table<I, T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.iter()
    }
}
