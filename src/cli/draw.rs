//! Boards drawn with letters.

use crate::{
    notation::rows,
    rules::{Id as _, Rules, SeatId, Shape, Site, SiteId, StateId, Through},
    view::Man,
    view::View,
};

/// The board with what lies and stands on it.
pub(crate) fn board(rules: &Rules, view: &View) -> String {
    match rules.board.shape {
        Shape::Pits { .. } => {
            let drawn =
                pits(rules, &|site| format!("{}{}", view.board.seeds.at(site), marks(rules, view, site)), Some(view));
            format!("{drawn}{}", legend(rules, view))
        }
        Shape::Grid { .. } => {
            let squares = grid(rules, |site| men_on(rules, view, site));
            format!("{squares}{}", beside(rules, view))
        }
    }
}

/// The way of each seat: the circuit of sowing, or the steps of its track.
pub(crate) fn ways(rules: &Rules) -> Vec<(String, String)> {
    match rules.board.shape {
        Shape::Pits { .. } => {
            let seats = rules.seats.entries().filter_map(|(id, seat)| {
                let first = rules.board.places().find(|(_, site)| site.owner == Some(id))?.0;
                let order = circuit(rules, id, first);
                let number = |site: SiteId| {
                    order.iter().position(|other| *other == site).map_or_else(String::new, |n| (n + 1).to_string())
                };
                let title =
                    format!("{} sows in this order, beginning at {}", seat.name, rules.board.sites.at(first).name);
                Some((title, pits(rules, &number, None)))
            });
            seats.collect()
        }
        Shape::Grid { .. } => rules.seats.ids().map(|seat| track(rules, seat)).collect(),
    }
}

/// A seat's track: the fewest steps that lead to each square, each time that it is trodden.
fn track(rules: &Rules, id: SeatId) -> (String, String) {
    let (seat, way) = (rules.seats.at(id), rules.ways.at(id));
    let number = |site: SiteId| {
        let steps: Vec<String> =
            way.spots.iter().filter(|spot| spot.site == site).map(|spot| spot.travelled.to_string()).collect();
        steps.join("/")
    };
    let home = way.home.map(|home| {
        let spot = way.spots.at(home);
        let at = match rules.board.sites.at(spot.site) {
            Site { cell: Some(_), name, .. } => format!(" at {name}"),
            _ => " beside the board".to_owned(),
        };
        format!(": {} steps, home{at}", spot.travelled)
    });
    (format!("{}{}", seat.name, home.unwrap_or_default()), grid(rules, number))
}

fn circuit(rules: &Rules, seat: SeatId, first: SiteId) -> Vec<SiteId> {
    let mut order = vec![first];
    let next = |site| rules.board.circuits.get(seat).and_then(|circuit| circuit.next(site, rules.board.direction));
    let mut here = next(first);
    while let Some(site) = here.filter(|site| *site != first && order.len() < rules.board.sites.len()) {
        order.push(site);
        here = next(site);
    }
    order
}

/// Rows of pits as seen from South's seat, the names of each row above or below it; stores that are sown stand
/// at the end of a row, others are told behind it.
fn pits(rules: &Rules, text: &dyn Fn(SiteId) -> String, view: Option<&View>) -> String {
    let Shape::Pits { through, .. } = rules.board.shape else { return String::new() };
    let rows = rows(rules);
    let width = rules.board.places().map(|(site, _)| text(site).chars().count()).max().unwrap_or(0).max(3);
    let name = |site: &SiteId| format!("{:>room$} ", rules.board.sites.at(*site).name, room = width + 1);
    let cell = |site: &SiteId| format!("[{:>width$}]", text(*site));
    let sown = through != Through::None;
    let margin = if sown { " ".repeat(width + 5) } else { "  ".to_owned() };
    let line = |row: &[SiteId], each: &dyn Fn(&SiteId) -> String| row.iter().map(each).collect::<String>();
    let store = |seat: SeatId| rules.board.stores.get(seat).map(|site| format!("({:>width$})", text(*site)));
    let mut drawn = String::new();
    let last = rows.len().saturating_sub(1);
    for (n, row) in rows.iter().enumerate() {
        let names = format!("{margin}{}\n", line(row, &name).trim_end());
        let upper = n * 2 < rows.len() && rows.len() > 1;
        if upper && (n == 0 || rows.len() > 2) {
            drawn += &names;
        }
        let owner = row.first().and_then(|site| rules.board.sites.at(*site).owner);
        // North's store lies at his right, behind his last pit; so does South's.
        let (mut left, mut right) = (margin.clone(), String::new());
        if let Some(store) = owner.and_then(store).filter(|_| sown) {
            if n == 0 && last > 0 {
                left = format!("  {store} ");
            } else if n == last {
                right = format!(" {store}");
            }
        }
        if let (Some(seat), Some(view), false) = (owner, view, sown)
            && (n == 0 || n == last)
            && let Some(site) = rules.board.stores.get(seat)
        {
            right = format!("   {} has {}", rules.seats.at(seat).name, view.board.seeds.at(*site));
        }
        drawn += &format!("{left}{}{right}\n", line(row, &cell));
        if !upper {
            drawn += &names;
        }
    }
    // Where not every store has a row to stand at, whose is whose is told below.
    if let Some(view) = view.filter(|_| rules.seats.len() > 2 || last == 0) {
        let stores = rules.seats.entries().zip(&rules.board.stores);
        let told = stores.map(|((_, seat), site)| format!("{} {}", seat.name, view.board.seeds.at(*site)));
        drawn += &format!("  stores: {}\n", told.collect::<Vec<_>>().join(", "));
    }
    drawn
}

/// A sign for every mark on a pit: the letter of the mark, small for North.
fn marks(rules: &Rules, view: &View, site: SiteId) -> String {
    let marks = rules.game.marks.entries().filter_map(|(id, mark)| {
        let seat = view.board.marked(id, site)?;
        let letter = mark.name.chars().next()?;
        Some(if seat.index() == 0 { letter.to_ascii_uppercase() } else { letter.to_ascii_lowercase() })
    });
    marks.collect()
}

/// What the signs of marks stand for, and the round.
fn legend(rules: &Rules, view: &View) -> String {
    let mut lines = String::new();
    for (id, mark) in rules.game.marks.entries() {
        let marked = rules.board.places().filter_map(|(site, place)| {
            let seat = view.board.marked(id, site)?;
            Some(format!("{} ({})", place.name, rules.seats.at(seat).name))
        });
        let marked: Vec<String> = marked.collect();
        if !marked.is_empty() {
            lines += &format!("  {}: {}\n", mark.name, marked.join(", "));
        }
    }
    if rules.has_rounds {
        lines += &format!("  round {}\n", view.round);
    }
    lines
}

/// Squares with files below and ranks at the left; squares with a name of their own are marked.
fn grid(rules: &Rules, text: impl Fn(SiteId) -> String) -> String {
    let Shape::Grid { files, ranks } = rules.board.shape else { return String::new() };
    let at =
        |rank: u16, file: u16| rules.board.places().find(|(_, site)| site.cell == Some((rank, file))).map(|(id, _)| id);
    let width = rules.board.places().map(|(site, _)| text(site).chars().count()).max().unwrap_or(0);
    let width = width.max(if files > 12 { 2 } else { 3 });
    let named = |site: SiteId| {
        let place = rules.board.sites.at(site).place;
        rules.game.regions.iter().any(|region| {
            region.places.iter().any(|(other, _)| match region.symmetry {
                None => *other == place,
                Some(symmetry) => {
                    rules.seats.iter().any(|seat| rules.board.seen_from(*other, seat, symmetry) == Some(place))
                }
            })
        })
    };
    // A line between two ranks is drawn where there is a square on either side of it.
    let rule = |upper: Option<u16>, lower: Option<u16>| {
        let has = |file: u16| [upper, lower].into_iter().flatten().any(|rank| at(rank, file).is_some());
        let mut line = String::from("   ");
        for file in 0..files {
            let corner = has(file) || (file > 0 && has(file - 1));
            line.push(if corner { '+' } else { ' ' });
            line += &(if has(file) { "-" } else { " " }).repeat(width + 2);
        }
        line.push(if has(files - 1) { '+' } else { ' ' });
        format!("{}\n", line.trim_end())
    };
    let mut drawn = String::new();
    for rank in (0..ranks).rev() {
        drawn += &rule((rank + 1 < ranks).then_some(rank + 1), Some(rank));
        let mut line = format!("{:>2} ", rank + 1);
        for file in 0..files {
            let (here, left) = (at(rank, file), file.checked_sub(1).and_then(|left| at(rank, left)));
            line.push(if here.is_some() || left.is_some() { '|' } else { ' ' });
            line += &match here {
                Some(site) => format!("{}{:^width$} ", if named(site) { '*' } else { ' ' }, text(site)),
                None => " ".repeat(width + 2),
            };
        }
        line.push(if at(rank, files - 1).is_some() { '|' } else { ' ' });
        drawn += &format!("{}\n", line.trim_end());
    }
    drawn += &rule(None, Some(0));
    let letters = (0..files).filter_map(|file| u8::try_from(file).ok()).map(|file| char::from(b'a' + file));
    let room = width + 2;
    let letters: String = letters.map(|letter| format!("{letter:^room$} ")).collect();
    drawn += &format!("    {}\n", letters.trim_end());
    drawn
}

/// The men on a square, a letter for the seat and how many; those not in their first state with its first letter.
fn men_on(rules: &Rules, view: &View, site: SiteId) -> String {
    let mut parts = vec![];
    for (seat, letter) in rules.seats.entries().map(|(id, seat)| (id, seat.letter)) {
        let spots = rules.ways.at(seat).spots.entries().filter(|(_, spot)| spot.site == site);
        let spots: Vec<_> = spots.map(|(id, _)| id).collect();
        for state in (0..usize::from(rules.states)).map(StateId::new) {
            let count: u32 =
                spots.iter().map(|spot| u32::from(view.board.men(rules, Man { seat, spot: *spot, state }))).sum();
            if count > 0 {
                let sign =
                    rules.game.men.as_ref().and_then(|plan| plan.states.get(state)).filter(|_| state.index() > 0);
                let sign = sign.and_then(|name| name.chars().next()).map(String::from).unwrap_or_default();
                parts.push(format!("{letter}{count}{sign}"));
            }
        }
    }
    parts.join(" ")
}

/// The men beside the board: in the hand, at home, taken.
fn beside(rules: &Rules, view: &View) -> String {
    let mut lines = String::new();
    for name in ["hand", "home", "out"] {
        let count = |seat: SeatId| -> Option<u32> {
            let way = rules.ways.at(seat);
            let at_home = name == "home";
            let mut spots = way.spots.entries().filter(|(id, spot)| {
                if at_home { Some(*id) == way.home } else { rules.board.sites.at(spot.site).name == name }
            });
            let (id, _) = spots.next()?;
            let states = (0..usize::from(rules.states)).map(StateId::new);
            Some(states.map(|state| u32::from(view.board.men(rules, Man { seat, spot: id, state }))).sum())
        };
        let counts: Vec<(&str, u32)> =
            rules.seats.entries().filter_map(|(id, seat)| Some((seat.name, count(id)?))).collect();
        let shown = !counts.is_empty() && (name != "out" || counts.iter().any(|(_, count)| *count > 0));
        if shown {
            let told: Vec<String> = counts.iter().map(|(seat, count)| format!("{seat} {count}")).collect();
            lines += &format!("{name}: {}\n", told.join(", "));
        }
    }
    lines
}
