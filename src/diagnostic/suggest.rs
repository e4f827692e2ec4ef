//! Did you mean?

/// How alike two words must be, by Jaro-Winkler, to be offered for one another.
const ALIKE: f64 = 0.84;

/// The candidate most like a word, if one is alike enough; of equals the first in the alphabet. Words of up to three
/// letters are alike when one letter is changed, missing, added or swapped. Case does not matter.
pub(crate) fn nearest<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Option<String> {
    let small = word.to_lowercase();
    let scored =
        candidates.filter(|candidate| *candidate != word).map(|candidate| (likeness(&small, candidate), candidate));
    let best = scored.fold(None, |best: Option<(f64, &str)>, next| match best {
        Some(best) if (best.0, next.1) > (next.0, best.1) => Some(best),
        _ => Some(next),
    });
    best.filter(|(likeness, _)| *likeness >= ALIKE).map(|(_, candidate)| candidate.to_owned())
}

fn likeness(word: &str, candidate: &str) -> f64 {
    let candidate = candidate.to_lowercase();
    if word == candidate {
        return 1.0;
    }
    let close = strsim::osa_distance(word, &candidate) == 1 && word.len().min(candidate.len()) >= 2;
    let alike = strsim::jaro_winkler(word, &candidate);
    if close {
        alike.max(ALIKE)
    } else if word.len() <= 3 {
        0.0
    } else {
        alike
    }
}
