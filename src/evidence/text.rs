//! The words of a source, as its user keeps them.

/// The text of a source with the name under which messages speak of it.
#[derive(Debug, Clone)]
pub struct SourceText {
    name: String,
    text: String,
    source: Option<String>,
}

/// Why bytes are no source's text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SourceTextError {
    /// Larger than [`SourceText::MAX_BYTES`].
    #[error("{name} has {bytes} bytes; the text of a source has at most {}", SourceText::MAX_BYTES)]
    TooLarge {
        /// The file's name.
        name: String,
        /// Its size in bytes.
        bytes: u64,
    },
    /// Some other kind of file.
    #[error("{name} is {kind}, not plain text; save its text as UTF-8")]
    NotText {
        /// The file's name.
        name: String,
        /// What it seems to be.
        kind: &'static str,
    },
    /// Not encoded in UTF-8.
    #[error("{name} is not UTF-8 text (line {line}); save it as UTF-8")]
    NotUtf8 {
        /// The file's name.
        name: String,
        /// The first line that does not fit.
        line: usize,
    },
    /// Without any letter or digit.
    #[error("{name} has no words in which a claim could be found")]
    Empty {
        /// The file's name.
        name: String,
    },
}

/// How files begin that are not plain text.
const SIGNATURES: [(&[u8], &str); 6] = [
    (b"%PDF", "a PDF"),
    (b"PK\x03\x04", "a packed document"),
    (b"{\\rtf", "rich text"),
    (b"\xd0\xcf\x11\xe0", "a word processor's file"),
    (b"\xff\xfe", "text in UTF-16"),
    (b"\xfe\xff", "text in UTF-16"),
];

impl SourceText {
    /// What such a file is called.
    pub(crate) const WHAT: &'static str = "the text of a source";
    /// The largest text, in bytes: a long book has some three million.
    pub const MAX_BYTES: u64 = 8 << 20;

    /// A text from the bytes of a file. Line ends are made alike, and other control characters, which could play tricks on
    /// a terminal, become spaces.
    ///
    /// # Errors
    /// [`SourceTextError`] when it is too large, not text, not UTF-8, or has no words.
    pub fn from_bytes(name: impl Into<String>, bytes: &[u8]) -> Result<Self, SourceTextError> {
        let name = name.into();
        let size = bytes.len() as u64;
        if size > Self::MAX_BYTES {
            return Err(SourceTextError::TooLarge { name, bytes: size });
        }
        let signature = SIGNATURES.iter().find(|(start, _)| bytes.starts_with(start)).map(|(_, kind)| *kind);
        if let Some(kind) = signature.or_else(|| bytes.contains(&0).then_some("a binary file")) {
            return Err(SourceTextError::NotText { name, kind });
        }
        let text = match std::str::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => {
                let before = bytes.get(..error.valid_up_to()).unwrap_or_default();
                let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
                return Err(SourceTextError::NotUtf8 { name, line });
            }
        };
        let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n").replace('\r', "\n");
        if !text.contains(char::is_alphanumeric) {
            return Err(SourceTextError::Empty { name });
        }
        // A page break ends a paragraph no more than a line does.
        let text = text.replace(|c: char| c.is_control() && c != '\n' && c != '\t', " ");
        Ok(Self { name, text, source: None })
    }

    /// The text as that of one source.
    #[must_use]
    pub fn of_source(self, source: impl Into<String>) -> Self {
        Self { source: Some(source.into()), ..self }
    }

    /// The name of its file.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The source whose text it is, where it is that of one.
    #[must_use]
    pub fn source(&self) -> Option<&str> {
        self.source.as_deref()
    }
}
