//! Texts made comparable: letters without case and marks, and the gaps between them.

use std::ops::RangeInclusive;

use unicode_normalization::UnicodeNormalization;

/// What stands before a letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gap {
    /// Nothing: it goes on a word.
    None,
    /// A hyphen or dash, a word broken at the end of a line, or a letter of a script without spaces: as good as nothing,
    /// and as good as a space.
    Loose,
    /// White space or punctuation: a word begins.
    Space,
}

/// The letters and digits of a text.
pub(super) struct Letters {
    /// Folded: small, without marks, ligatures taken apart.
    pub(super) letters: Vec<char>,
    /// What stands before each.
    pub(super) gaps: Vec<Gap>,
    /// For each the bytes of the character it comes from.
    pub(super) bytes: Vec<(u32, u32)>,
}

impl Letters {
    pub(super) fn of(text: &str) -> Self {
        let mut folded = Self { letters: vec![], gaps: vec![], bytes: vec![] };
        let mut between = Between::default();
        for (at, c) in text.char_indices() {
            match kind(c) {
                Kind::Nothing => {}
                Kind::Letter => {
                    let place = crate::span::Span::new(at, at + c.len_utf8());
                    for letter in fold(c) {
                        let loose = unspaced(letter) || folded.letters.last().is_some_and(|last| unspaced(*last));
                        let gap = if folded.letters.is_empty() { Gap::Space } else { between.gap() };
                        folded.gaps.push(if loose && !folded.letters.is_empty() { Gap::Loose } else { gap });
                        folded.letters.push(letter);
                        folded.bytes.push((place.start, place.end));
                        between = Between::default();
                    }
                }
                Kind::Dash => between.dash(),
                Kind::Line => between.line = true,
                Kind::White => between.white = true,
                Kind::Other => between.other = true,
            }
        }
        folded
    }

    pub(super) fn len(&self) -> usize {
        self.letters.len()
    }

    /// Whether a word may begin with this letter, or have ended before it.
    pub(super) fn is_edge(&self, n: usize) -> bool {
        self.gaps.get(n).is_none_or(|gap| *gap != Gap::None)
    }

    /// Whether a word is counted from this letter on; a letter of a script without spaces counts as one.
    pub(super) fn begins_word(&self, n: usize) -> bool {
        let at = |n: usize| self.letters.get(n).is_some_and(|letter| unspaced(*letter));
        self.gaps.get(n) == Some(&Gap::Space) || at(n) || n.checked_sub(1).is_some_and(at)
    }
}

/// What was seen between two letters.
#[derive(Default)]
struct Between {
    dash: bool,
    line: bool,
    white: bool,
    other: bool,
}

impl Between {
    fn dash(&mut self) {
        // A dash behind white space breaks no word.
        self.other |= self.white || self.line;
        self.dash = true;
    }

    fn gap(&self) -> Gap {
        match self {
            Self { other: true, .. } => Gap::Space,
            Self { dash: true, white, line, .. } if *line || !*white => Gap::Loose,
            Self { dash: false, line: false, white: false, .. } => Gap::None,
            _ => Gap::Space,
        }
    }
}

enum Kind {
    Letter,
    Dash,
    Line,
    White,
    Other,
    /// As if it were not there.
    Nothing,
}

/// Characters that do not count: apostrophes, and the letters for 'ayn and hamza; the marks of footnotes; and what joins,
/// divides or directs without being seen.
const SILENT: [RangeInclusive<char>; 15] = [
    '\''..='\'',
    '`'..='`',
    '´'..='´',
    '\u{2018}'..='\u{201b}',
    '\u{2b9}'..='\u{2bf}',
    '\u{2032}'..='\u{2032}',
    '\u{ff07}'..='\u{ff07}',
    '\u{b2}'..='\u{b3}',
    '\u{b9}'..='\u{b9}',
    '\u{2070}'..='\u{2079}',
    '\u{200b}'..='\u{200f}',
    '\u{202a}'..='\u{202e}',
    '\u{2060}'..='\u{2064}',
    '\u{2066}'..='\u{2069}',
    '\u{feff}'..='\u{feff}',
];

fn kind(c: char) -> Kind {
    match c {
        '\n' => Kind::Line,
        '-'
        | '\u{ad}'
        | '¬'
        | '\u{2010}'..='\u{2015}'
        | '\u{2212}'
        | '\u{2e17}'
        | '\u{fe58}'
        | '\u{fe63}'
        | '\u{ff0d}' => Kind::Dash,
        c if is_mark(c) || SILENT.iter().any(|silent| silent.contains(&c)) => Kind::Nothing,
        c if c.is_whitespace() => Kind::White,
        c if c.is_alphanumeric() => Kind::Letter,
        _ => Kind::Other,
    }
}

/// A character as the letters that are compared: taken apart (NFKD), small, marks left out.
fn fold(c: char) -> impl Iterator<Item = char> {
    let apart = std::iter::once(c).nfkd().flat_map(char::to_lowercase).nfkd();
    apart.filter(|c| !is_mark(*c) && c.is_alphanumeric()).flat_map(|c| {
        let (first, second) = match c {
            'ß' => ('s', Some('s')),
            'æ' => ('a', Some('e')),
            'œ' => ('o', Some('e')),
            'ø' => ('o', None),
            'ł' => ('l', None),
            'đ' => ('d', None),
            'ı' => ('i', None),
            'ς' => ('σ', None),
            c => (c, None),
        };
        std::iter::once(first).chain(second)
    })
}

/// Marks of Latin, Greek and Cyrillic letters, and the points of Hebrew and Arabic. The signs of other scripts are letters.
fn is_mark(c: char) -> bool {
    matches!(c,
        '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}' | '\u{fe20}'..='\u{fe2f}'
        | '\u{591}'..='\u{5bd}' | '\u{5bf}' | '\u{5c1}'..='\u{5c2}' | '\u{610}'..='\u{61a}' | '\u{640}' | '\u{64b}'..='\u{65f}' | '\u{670}')
}

/// Letters of scripts that put no spaces between words.
fn unspaced(c: char) -> bool {
    matches!(c,
        '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{3040}'..='\u{30ff}'
        | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}
