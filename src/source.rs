//! A rule file's text: its name, its size limit, its lines.

use crate::span::Span;

/// A rule file's text with the name under which messages speak of it.
#[derive(Debug, Clone)]
pub struct RuleFile {
    name: String,
    text: String,
}

/// Why bytes are no rule file's text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RuleFileError {
    /// Larger than [`RuleFile::MAX_BYTES`].
    #[error("{name} has {bytes} bytes; a rule file has at most {}", RuleFile::MAX_BYTES)]
    TooLarge {
        /// The file's name.
        name: String,
        /// Its size in bytes.
        bytes: u64,
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

impl RuleFile {
    /// The largest rule file, in bytes.
    pub const MAX_BYTES: u64 = 1 << 20;

    /// A source from a text.
    ///
    /// # Errors
    /// [`RuleFileError::TooLarge`] when the text is larger than [`Self::MAX_BYTES`].
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Result<Self, RuleFileError> {
        let (name, text) = (name.into(), text.into());
        let bytes = text.len() as u64;
        if bytes > Self::MAX_BYTES {
            return Err(RuleFileError::TooLarge { name, bytes });
        }
        Ok(Self { name, text })
    }

    /// A source from the bytes of a file.
    ///
    /// # Errors
    /// [`RuleFileError`] when they are too many, or not UTF-8.
    pub fn from_bytes(name: impl Into<String>, bytes: Vec<u8>) -> Result<Self, RuleFileError> {
        let name = name.into();
        match String::from_utf8(bytes) {
            Ok(text) => Self::new(name, text),
            Err(error) => {
                let offset = error.utf8_error().valid_up_to();
                let line = 1 + error.as_bytes().iter().take(offset).filter(|&&byte| byte == b'\n').count();
                Err(RuleFileError::NotUtf8 { name, offset, line })
            }
        }
    }

    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text of a span; empty when the span is not one of this text.
    #[must_use]
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or_default()
    }

    /// The first line of a statement as it is written, without its blocks, grounds and comments.
    #[must_use]
    pub fn first_line(&self, span: Span) -> &str {
        without_blocks(self.slice(span).lines().next().unwrap_or_default())
    }

    /// The same for what begins at a byte and has no other end than that of its line.
    pub(crate) fn line_from(&self, byte: u32) -> &str {
        without_blocks(self.text.get(byte as usize..).and_then(|rest| rest.lines().next()).unwrap_or_default())
    }

    /// Line and column of a byte, both from 1, the column in characters.
    #[must_use]
    pub fn position(&self, byte: u32) -> (usize, usize) {
        let before = self.text.get(..byte as usize).unwrap_or(&self.text);
        let line = before.bytes().filter(|&b| b == b'\n').count() + 1;
        let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
        (line, column)
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
