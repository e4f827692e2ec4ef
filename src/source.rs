//! The texts that are read: rule files and records, with their names, their size limits, their lines.

use crate::span::Span;

/// A rule file's text with the name under which messages speak of it.
#[derive(Debug, Clone)]
pub struct RuleFile(Source);

/// The text of a record file with the name under which messages speak of it.
#[derive(Debug, Clone)]
pub struct RecordFile(Source);

#[derive(Debug, Clone)]
struct Source {
    name: String,
    text: String,
}

/// Why bytes are no text that can be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SourceError {
    /// Larger than [`RuleFile::MAX_BYTES`] or [`RecordFile::MAX_BYTES`].
    #[error("{name}: it has {bytes} bytes; {what} has at most {limit}")]
    TooLarge {
        /// The file's name.
        name: String,
        /// Its size in bytes.
        bytes: u64,
        /// What it was read as.
        what: &'static str,
        /// The most bytes of such a file.
        limit: u64,
    },
    /// Not encoded in UTF-8.
    #[error("{name} is not UTF-8 text (byte {offset}, line {line}); save it as UTF-8")]
    NotUtf8 {
        /// The file's name.
        name: String,
        /// The first byte that does not fit.
        offset: usize,
        /// Its line, from 1.
        line: usize,
    },
}

impl Source {
    fn new(name: String, text: String, what: &'static str, limit: u64) -> Result<Self, SourceError> {
        let bytes = text.len() as u64;
        if bytes > limit {
            return Err(SourceError::TooLarge { name, bytes, what, limit });
        }
        Ok(Self { name, text })
    }
}

fn decode(name: &str, bytes: Vec<u8>) -> Result<String, SourceError> {
    String::from_utf8(bytes).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        let line = 1 + error.as_bytes().iter().take(offset).filter(|&&byte| byte == b'\n').count();
        SourceError::NotUtf8 { name: name.to_owned(), offset, line }
    })
}

/// Line and column of a byte, both from 1, the column in characters.
fn line_and_column(text: &str, byte: u32) -> (usize, usize) {
    let before = text.get(..byte as usize).unwrap_or(text);
    let line = before.bytes().filter(|&b| b == b'\n').count() + 1;
    let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
    (line, column)
}

impl RuleFile {
    /// The largest rule file, in bytes.
    pub const MAX_BYTES: u64 = 1 << 20;
    pub(crate) const WHAT: &'static str = "a rule file";

    /// A source from a text.
    ///
    /// # Errors
    /// [`SourceError::TooLarge`] when the text is larger than [`Self::MAX_BYTES`].
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Result<Self, SourceError> {
        Source::new(name.into(), text.into(), Self::WHAT, Self::MAX_BYTES).map(Self)
    }

    /// A source from the bytes of a file.
    ///
    /// # Errors
    /// [`SourceError`] when they are too many, or not UTF-8.
    pub fn from_bytes(name: impl Into<String>, bytes: Vec<u8>) -> Result<Self, SourceError> {
        let name = name.into();
        let text = decode(&name, bytes)?;
        Self::new(name, text)
    }

    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// The text of a span; empty when the span is not one of this text.
    #[must_use]
    pub fn slice(&self, span: Span) -> &str {
        self.0.text.get(span.range()).unwrap_or_default()
    }

    /// The first line of a statement as it is written, without its blocks, grounds and comments.
    #[must_use]
    pub fn first_line(&self, span: Span) -> &str {
        without_blocks(self.slice(span).lines().next().unwrap_or_default())
    }

    /// The same for what begins at a byte and has no other end than that of its line.
    pub(crate) fn line_from(&self, byte: u32) -> &str {
        without_blocks(self.text().get(byte as usize..).and_then(|rest| rest.lines().next()).unwrap_or_default())
    }

    /// Line and column of a byte, both from 1, the column in characters.
    #[must_use]
    pub fn position(&self, byte: u32) -> (usize, usize) {
        line_and_column(&self.0.text, byte)
    }
}

impl RecordFile {
    /// The largest record file, in bytes.
    pub const MAX_BYTES: u64 = 1 << 20;
    pub(crate) const WHAT: &'static str = "a record file";

    /// A record from a text.
    ///
    /// # Errors
    /// [`SourceError::TooLarge`] when the text is larger than [`Self::MAX_BYTES`].
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Result<Self, SourceError> {
        Source::new(name.into(), text.into(), Self::WHAT, Self::MAX_BYTES).map(Self)
    }

    /// A record from the bytes of a file.
    ///
    /// # Errors
    /// [`SourceError`] when they are too many, or not UTF-8.
    pub fn from_bytes(name: impl Into<String>, bytes: Vec<u8>) -> Result<Self, SourceError> {
        let name = name.into();
        let text = decode(&name, bytes)?;
        Self::new(name, text)
    }

    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// Line and column of a byte, both from 1, the column in characters.
    #[must_use]
    pub fn position(&self, byte: u32) -> (usize, usize) {
        line_and_column(&self.0.text, byte)
    }
}

/// What stands in a line before a block, a citation, an assumption or a comment; braces of a set open no block.
fn without_blocks(line: &str) -> &str {
    let (mut quoted, mut in_set) = (false, false);
    for (at, c) in line.char_indices() {
        let before = line.get(..at).unwrap_or_default().trim_end();
        let end = match c {
            '"' => {
                quoted = !quoted;
                false
            }
            _ if quoted => false,
            '{' if before.ends_with(['=', '(', ',']) || before.ends_with(" in") => {
                in_set = true;
                false
            }
            '}' => !std::mem::take(&mut in_set),
            '{' | '@' | '#' => true,
            'a' => line.get(at..).is_some_and(|rest| rest.starts_with("assumed \"")),
            _ => false,
        };
        if end {
            return before;
        }
    }
    line.trim_end()
}
