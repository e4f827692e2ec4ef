//! Boards drawn with letters.

use crate::{
    notation::rows,
    reference::Position,
    rules::{Rules, Shape, SiteId},
};

/// The board with what lies and stands on it.
pub(crate) fn board(rules: &Rules, position: &Position) -> String {
    match rules.board.shape {
        Shape::Pits { .. } => pits(rules, |site| position.seeds(site).to_string(), Some(position)),
        Shape::Grid { .. } => {
            let squares = grid(rules, |site| men_on(rules, position, site));
            let home = rules
                .seats
                .entries()
                .map(|(id, seat)| format!("{} {}", seat.name, position.men(id).last().copied().unwrap_or(0)));
            format!("{squares}home: {}\n", home.collect::<Vec<_>>().join(", "))
        }
    }
}

/// The way of each seat: the circuit of sowing, or the steps of its track.
pub(crate) fn ways(rules: &Rules) -> Vec<(String, String)> {
    match rules.board.shape {
        Shape::Pits { .. } => {
            let seats = rules.seats.entries().filter_map(|(id, seat)| {
                let first = rules.board.sites.entries().find(|(_, site)| site.owner == Some(id))?.0;
                let order = circuit(rules, first);
                let number = |site: SiteId| {
                    order.iter().position(|other| *other == site).map_or_else(String::new, |n| (n + 1).to_string())
                };
                Some((
                    format!("{} sows in this order, beginning at {}", seat.name, rules.board.sites.at(first).name),
                    pits(rules, number, None),
                ))
            });
            seats.collect()
        }
        Shape::Grid { .. } => {
            let seats = rules.seats.entries().map(|(id, seat)| {
                let track = rules.tracks.at(id);
                let number = |site: SiteId| {
                    track.iter().position(|other| *other == site).map_or_else(String::new, |n| n.to_string())
                };
                let end = track.last().map(|site| rules.board.sites.at(*site).name.clone()).unwrap_or_default();
                (format!("{}: {} steps, home at {end}", seat.name, track.len().saturating_sub(1)), grid(rules, number))
            });
            seats.collect()
        }
    }
}

fn circuit(rules: &Rules, first: SiteId) -> Vec<SiteId> {
    let mut order = vec![first];
    let mut here = rules.board.sites.at(first).next;
    while here != first && order.len() < rules.board.sites.len() {
        order.push(here);
        here = rules.board.sites.at(here).next;
    }
    order
}

/// Rows of pits as seen from South's seat, the names of each row outside.
fn pits(rules: &Rules, text: impl Fn(SiteId) -> String, position: Option<&Position>) -> String {
    let rows = rows(rules);
    let name = |site: &SiteId| format!("{:>4} ", rules.board.sites.at(*site).name);
    let cell = |site: &SiteId| format!("[{:>3}]", text(*site));
    let line = |row: &[SiteId], each: &dyn Fn(&SiteId) -> String| row.iter().map(each).collect::<String>();
    let mut drawn = String::new();
    let last = rows.len().saturating_sub(1);
    for (n, row) in rows.iter().enumerate() {
        if n == 0 {
            drawn += &format!("  {}\n", line(row, &name).trim_end());
        }
        let owner = row.first().and_then(|site| rules.board.sites.at(*site).owner);
        let store = match (owner, position) {
            (Some(seat), Some(position)) => format!("   {} has {}", rules.seats.at(seat).name, position.store(seat)),
            _ => String::new(),
        };
        drawn += &format!("  {}{store}\n", line(row, &cell));
        if n == last {
            drawn += &format!("  {}\n", line(row, &name).trim_end());
        }
    }
    drawn
}

/// Squares with files below and ranks at the left; squares with a name of their own are marked.
fn grid(rules: &Rules, text: impl Fn(SiteId) -> String) -> String {
    let Shape::Grid { files, .. } = rules.board.shape else { return String::new() };
    let all: Vec<(SiteId, String)> = rules.board.sites.ids().map(|site| (site, text(site))).collect();
    let width = all.iter().map(|(_, text)| text.chars().count()).max().unwrap_or(0).max(3);
    let named = |site: SiteId| {
        rules
            .game
            .regions
            .iter()
            .any(|region| region.squares.iter().any(|(place, _)| rules.board.sites.at(site).place == *place))
    };
    let rule = format!("   +{}\n", format!("{}+", "-".repeat(width + 2)).repeat(usize::from(files)));
    let mut drawn = rule.clone();
    for (n, rank) in all.chunks(usize::from(files)).enumerate().collect::<Vec<_>>().into_iter().rev() {
        drawn += &format!("{:>2} |", n + 1);
        for (site, text) in rank {
            let mark = if named(*site) { '*' } else { ' ' };
            drawn += &format!("{mark}{text:^width$} |");
        }
        drawn += "\n";
        drawn += &rule;
    }
    let letters = (0..files).filter_map(|file| u8::try_from(file).ok()).map(|file| char::from(b'a' + file));
    let room = width + 2;
    let letters: String = letters.map(|letter| format!("{letter:^room$} ")).collect();
    drawn += &format!("    {}\n", letters.trim_end());
    drawn
}

/// The men on a square, a letter for the seat and how many.
fn men_on(rules: &Rules, position: &Position, site: SiteId) -> String {
    let sides = rules.seats.entries().filter_map(|(id, seat)| {
        let steps = position.men(id).iter().zip(rules.tracks.at(id));
        let count: u32 = steps.filter(|(_, square)| **square == site).map(|(count, _)| u32::from(*count)).sum();
        (count > 0).then(|| format!("{}{count}", seat.letter))
    });
    sides.collect::<Vec<_>>().join(" ")
}
