//! Plain tables: columns as wide as their longest cell, the last one wrapped.

use std::io::Write;

use anstyle::Style;

use super::Failure;

/// A cell and its style.
pub(super) type Cell = (String, Style);

/// The widest that a column other than the last becomes; longer cells are wrapped too.
const WIDEST: usize = 44;

/// Prints rows of as many cells each, two spaces between columns, so that a line has no more columns than these.
pub(super) fn print(out: &mut impl Write, rows: &[Vec<Cell>], columns: usize) -> Result<(), Failure> {
    let count = rows.iter().map(Vec::len).max().unwrap_or_default();
    let mut widths = vec![0; count];
    for row in rows {
        for ((text, _), width) in row.iter().zip(&mut widths) {
            *width = text.chars().count().min(WIDEST).max(*width);
        }
    }
    if let Some((last, others)) = widths.split_last_mut() {
        let taken: usize = others.iter().map(|width| width + 2).sum();
        *last = columns.saturating_sub(taken + 2).max(20);
    }
    for row in rows {
        let cells: Vec<Vec<String>> = row.iter().zip(&widths).map(|((text, _), width)| wrap(text, *width)).collect();
        let height = cells.iter().map(Vec::len).max().unwrap_or_default();
        for line in 0..height {
            let mut pending = 2;
            for ((cell, (_, style)), width) in cells.iter().zip(row).zip(&widths) {
                let text = cell.get(line).map_or("", String::as_str);
                if !text.is_empty() {
                    write!(out, "{:pending$}{style}{text}{style:#}", "")?;
                    pending = 0;
                }
                pending += width + 2 - text.chars().count().min(*width);
            }
            writeln!(out)?;
        }
    }
    Ok(())
}

/// A text in lines of at most so many characters, broken at spaces, and inside words that are longer.
pub(super) fn wrap(text: &str, width: usize) -> Vec<String> {
    let width = width.max(1);
    let mut lines = vec![];
    let mut line = String::new();
    let mut length = 0;
    for word in text.split_whitespace() {
        let mut rest: Vec<char> = word.chars().collect();
        if length > 0 && length + 1 + rest.len() > width {
            lines.push(std::mem::take(&mut line));
            length = 0;
        }
        let long = rest.len().saturating_sub(1) / width * width;
        lines.extend(rest.chunks(width).take(long / width).map(|piece| piece.iter().collect::<String>()));
        rest.drain(..long);
        if length > 0 {
            line.push(' ');
            length += 1;
        }
        line.extend(&rest);
        length += rest.len();
    }
    if !line.is_empty() || lines.is_empty() {
        lines.push(line);
    }
    lines
}
