//! Did you mean?

/// How alike two words must be, by Jaro-Winkler, to be offered for one another.
const ALIKE: f64 = 0.8;

/// The candidate most like a word, if one is alike enough; the first of equals.
pub(crate) fn nearest<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Option<String> {
    let scored = candidates.map(|candidate| (strsim::jaro_winkler(word, candidate), candidate));
    let alike = scored.filter(|(score, candidate)| *score >= ALIKE && *candidate != word);
    let best = alike.fold(None, |best: Option<(f64, &str)>, next| match best {
        Some(best) if best.0 >= next.0 => Some(best),
        _ => Some(next),
    });
    best.map(|(_, candidate)| candidate.to_owned())
}
