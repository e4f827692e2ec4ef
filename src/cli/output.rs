//! Printing: colours only on a terminal, closed pipes without complaint.

use std::{
    fs,
    io::{self, BufWriter, Write},
    path::Path,
};

use anstyle::{AnsiColor, Style};
use serde::Serialize;

use super::Failure;

/// Standard output, colours taken out where they are not wanted.
pub(crate) fn out() -> impl Write {
    BufWriter::new(anstream::AutoStream::auto(io::stdout()))
}

/// Standard output for what another program reads.
pub(crate) fn plain() -> impl Write {
    BufWriter::new(io::stdout())
}

/// Whether messages may have colours.
pub(crate) fn colours() -> bool {
    anstream::AutoStream::choice(&io::stderr()) != anstream::ColorChoice::Never
}

/// Says on standard error what went wrong.
pub(crate) fn complain(message: &str) {
    let style = AnsiColor::Red.on_default().bold();
    let _ = writeln!(anstream::AutoStream::auto(io::stderr()), "{style}error{style:#}: {message}");
}

/// Says something on standard error as it is.
pub(crate) fn tell(text: &str) {
    let _ = writeln!(anstream::AutoStream::auto(io::stderr()), "{text}");
}

/// A file to write.
pub(crate) struct File<'a> {
    path: &'a Path,
    file: fs::File,
}

impl<'a> File<'a> {
    /// Makes it; what was in it is lost.
    pub(crate) fn create(path: &'a Path) -> Result<Self, Failure> {
        let file = fs::File::create(path).map_err(|error| Failure::Message(format!("{}: {error}", path.display())))?;
        Ok(Self { path, file })
    }

    /// Writes all of it.
    pub(crate) fn write(mut self, text: &str) -> Result<(), Failure> {
        let written = self.file.write_all(text.as_bytes()).and_then(|()| self.file.flush());
        written.map_err(|error| Failure::Message(format!("{}: {error}", self.path.display())))
    }
}

/// Prints a value as JSON.
pub(crate) fn json(value: &impl Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(value).map_err(io::Error::from)?;
    let mut out = out();
    writeln!(out, "{text}")?;
    out.flush()?;
    Ok(())
}

/// How many columns a table may take: those of the terminal, or 100 where there is none.
pub(crate) fn columns() -> usize {
    let columns = terminal_size::terminal_size().map_or(100, |(width, _)| usize::from(width.0));
    columns.clamp(60, 160)
}

/// The style of what stands out.
pub(crate) const STRONG: Style = Style::new().bold();
/// The style of what stands back.
pub(crate) const FAINT: Style = Style::new().dimmed();
/// The style of what is well.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
/// The style of what is not.
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();
