//! What in a text is nearest to an anchor that is not there.

use std::collections::HashMap;

use super::search::Haystack;
use crate::span::Span;

/// A stretch of one of several texts.
pub(super) struct Near {
    pub(super) text: usize,
    pub(super) span: Span,
}

/// The most words of an anchor that are compared.
const MAX_WORDS: usize = 40;

/// The stretch of as many words as the anchor has that shares the most letters of its words with it, if it shares half of
/// them; of equals the first.
pub(super) fn nearest(anchor: &str, texts: &[&Haystack]) -> Option<Near> {
    let anchor = Haystack::of(anchor);
    let mut numbers: HashMap<&[char], usize> = HashMap::new();
    for (word, _) in anchor.each_word().take(MAX_WORDS) {
        let next = numbers.len();
        numbers.entry(word).or_insert(next);
    }
    let width = anchor.each_word().take(MAX_WORDS).count();
    let all: usize = numbers.keys().map(|word| word.len()).sum();
    let mut best: Option<(usize, Near)> = None;
    for (text, haystack) in texts.iter().enumerate() {
        let words: Vec<(Option<usize>, usize, Span)> =
            haystack.each_word().map(|(word, span)| (numbers.get(word).copied(), word.len(), span)).collect();
        let mut there = vec![0usize; numbers.len()];
        let mut shared = 0;
        for (n, (number, letters, span)) in words.iter().enumerate() {
            if let Some(count) = number.and_then(|number| there.get_mut(number)) {
                *count += 1;
                shared += if *count == 1 { *letters } else { 0 };
            }
            let left = n.checked_sub(width).and_then(|left| words.get(left));
            if let Some((Some(number), letters, _)) = left
                && let Some(count) = there.get_mut(*number)
            {
                *count -= 1;
                shared -= if *count == 0 { *letters } else { 0 };
            }
            let first = words.get((n + 1).saturating_sub(width)).map_or(*span, |first| first.2);
            if shared * 2 >= all && shared > 0 && best.as_ref().is_none_or(|(most, _)| shared > *most) {
                best = Some((shared, Near { text, span: first.to(*span) }));
            }
        }
    }
    best.map(|(_, near)| near)
}
