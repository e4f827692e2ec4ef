//! Where the lines of a text begin.

/// The lines of a text, looked up by bytes.
pub(super) struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        let behind = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        Self { text, starts: std::iter::once(0).chain(behind).collect() }
    }

    /// The line of a byte, from 1.
    pub(super) fn line(&self, byte: u32) -> usize {
        self.starts.partition_point(|start| *start <= byte as usize)
    }

    /// The line of a byte, and its column in characters, both from 1.
    pub(super) fn position(&self, byte: u32) -> (usize, usize) {
        let line = self.line(byte);
        let start = self.starts.get(line.saturating_sub(1)).copied().unwrap_or_default();
        let before = self.text.get(start..byte as usize).unwrap_or_default();
        (line, before.chars().count() + 1)
    }
}
