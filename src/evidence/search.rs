//! Words looked for in a text, whatever their case, marks, hyphens and line breaks.

use super::words::{Gap, Letters};
use crate::span::Span;

/// A text that can be searched.
pub(super) struct Haystack {
    pub(super) letters: Letters,
    /// Where a word may begin, sorted by the letters from there on.
    starts: Vec<usize>,
    /// Where words that are counted begin, in order.
    words: Vec<usize>,
}

/// Where an anchor is found.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stretch {
    /// Its bytes.
    pub(super) span: Span,
    /// The first letter behind it.
    end: usize,
}

/// By how many letters beginnings are sorted.
const SORTED: usize = 32;
/// The most places of one anchor.
const MAX_PLACES: usize = 1000;

impl Haystack {
    pub(super) fn of(text: &str) -> Self {
        let letters = Letters::of(text);
        let mut starts: Vec<usize> = (0..letters.len()).filter(|n| letters.is_edge(*n)).collect();
        starts.sort_by(|a, b| head(&letters, *a, SORTED).cmp(head(&letters, *b, SORTED)));
        let words = (0..letters.len()).filter(|n| letters.begins_word(*n)).collect();
        Self { letters, starts, words }
    }

    /// How many words begin in a stretch.
    pub(super) fn words(&self, span: Span) -> usize {
        let before = |byte| self.words.partition_point(|n| self.letters.bytes.get(*n).is_some_and(|at| at.0 < byte));
        before(span.end) - before(span.start)
    }

    /// The words in order, each as its letters.
    pub(super) fn each_word(&self) -> impl Iterator<Item = (&[char], Span)> {
        let ends = self.words.iter().skip(1).copied().chain([self.letters.len()]);
        self.words
            .iter()
            .zip(ends)
            .filter_map(|(start, end)| Some((self.letters.letters.get(*start..end)?, self.span(*start, end)?)))
    }

    /// The stretches that begin with the first of these parts and go on to the next place of each further one. There are
    /// none if a part has no letters, except that the first or the last may be missing.
    pub(super) fn stretches(&self, parts: &[&str]) -> Vec<Stretch> {
        let parts: Vec<Letters> = parts.iter().map(|part| Letters::of(part)).filter(|part| part.len() > 0).collect();
        let Some((first, rest)) = parts.split_first() else { return vec![] };
        let mut found = self.places(first, MAX_PLACES);
        if found.is_empty() {
            return found;
        }
        for part in rest {
            let places = self.places(part, usize::MAX);
            found.retain_mut(|stretch| {
                let behind = self.letters.bytes.get(stretch.end).map_or(u32::MAX, |at| at.0);
                let next = places.partition_point(|place| place.span.start < behind);
                let Some(next) = places.get(next) else { return false };
                *stretch = Stretch { span: stretch.span.to(next.span), end: next.end };
                true
            });
        }
        found
    }

    /// Where these words stand, in order.
    fn places(&self, words: &Letters, most: usize) -> Vec<Stretch> {
        let sorted = words.len().min(SORTED);
        let wanted = head(words, 0, sorted);
        let from = self.starts.partition_point(|start| head(&self.letters, *start, sorted) < wanted);
        let candidates = self.starts.iter().skip(from);
        let candidates = candidates.take_while(|start| head(&self.letters, **start, sorted) == wanted);
        let found = candidates.filter(|start| self.stands_at(words, **start)).take(most);
        let stretch = |start: &usize| {
            let end = start + words.len();
            Some(Stretch { span: self.span(*start, end)?, end })
        };
        let mut found: Vec<Stretch> = found.filter_map(stretch).collect();
        found.sort_by_key(|stretch| stretch.span.start);
        found
    }

    /// Whether these words stand at a letter: the same letters, and no space where there is none in the other.
    fn stands_at(&self, words: &Letters, start: usize) -> bool {
        let Some(letters) = self.letters.letters.get(start..start + words.len()) else { return false };
        let gaps = self.letters.gaps.iter().skip(start).zip(&words.gaps).skip(1);
        letters == words.letters
            && self.letters.is_edge(start + words.len())
            && gaps.into_iter().all(|gaps| !matches!(gaps, (Gap::None, Gap::Space) | (Gap::Space, Gap::None)))
    }

    fn span(&self, start: usize, end: usize) -> Option<Span> {
        let (first, last) = (self.letters.bytes.get(start)?, self.letters.bytes.get(end.checked_sub(1)?)?);
        Some(Span { start: first.0, end: last.1 })
    }
}

/// The letters from one on, so many at most.
fn head(letters: &Letters, start: usize, most: usize) -> &[char] {
    let end = (start + most).min(letters.len());
    letters.letters.get(start..end).unwrap_or_default()
}
