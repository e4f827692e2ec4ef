//! What happens in a game, in words.

use crate::{
    notation::{describe, print_move},
    reference::Event,
    rules::{Place, Rules, SeatId, Site, SiteId},
};

/// An event as a sentence; nothing for what a reader need not be told.
pub(crate) fn sentence(rules: &Rules, event: &Event) -> Option<String> {
    let seat = |seat: &SeatId| rules.seats.at(*seat).name;
    let site = |site: &SiteId| rules.board.sites.at(*site).name.as_str();
    let place = |site: &SiteId| match rules.board.sites.at(*site) {
        Site { place: Place::Store(owner), .. } => format!("{}'s store", seat(owner)),
        other => other.name.clone(),
    };
    Some(match event {
        Event::TurnBegins(who) => format!("{} to play", seat(who)),
        Event::Chosen(who, chosen) => format!("{} chooses {}", seat(who), print_move(rules, chosen)),
        Event::Thrown(who, throw, count) => {
            let name = rules
                .throws
                .at(*throw)
                .outcomes
                .iter()
                .find(|fall| fall.count == *count)
                .and_then(|fall| fall.name.as_deref());
            let name = name.map(|name| format!(" ({name})")).unwrap_or_default();
            format!("{} throws {count}{name}", seat(who))
        }
        Event::Pooled(count) => format!("{count} goes into the pool"),
        Event::Spent(count) => format!("{count} is used"),
        Event::PoolCleared => "the pool is emptied".to_owned(),
        Event::Lifted(from, n) => format!("{} lifted from {}", seeds(*n), site(from)),
        Event::Sown(path) => match path.as_slice() {
            [] => "nothing sown".to_owned(),
            [one] => format!("1 seed sown into {}", place(one)),
            [first, .., last] => format!("{} seeds sown from {} to {}", path.len(), place(first), place(last)),
        },
        Event::Captured(who, from, n) => format!("{} captures {} from {}", seat(who), seeds(*n), site(from)),
        Event::Kept(who, from, n) => format!("{} keeps {} from {}", seat(who), seeds(*n), site(from)),
        Event::Put(n, from, into) => format!("{} put from {} into {}", seeds(*n), place(from), place(into)),
        Event::Marked(who, on, mark) => {
            format!("{} marks {} as {}", seat(who), site(on), rules.game.marks.at(*mark).name)
        }
        Event::Unmarked(on, mark) => format!("{} is no longer {}", site(on), rules.game.marks.at(*mark).name),
        Event::Taken(who, man, from) => format!("{} takes a man of {} on {}", seat(who), seat(&man.seat), site(from)),
        Event::Made(man, on, state) => {
            let name = rules.game.men.as_ref().and_then(|plan| plan.states.get(*state)).map_or("", String::as_str);
            format!("{}'s man on {} is {name} now", seat(&man.seat), site(on))
        }
        Event::PlaysAgain(who) => format!("{} plays again", seat(who)),
        Event::RoundDecided(result) => format!("the round: {}", describe(rules, *result)),
        Event::RoundBegins(round, who) => format!("round {round} begins with {}", seat(who)),
        Event::Moved(man, from, to) => format!("{}'s man goes from {} to {}", seat(&man.seat), site(from), site(to)),
        Event::SentBack(who, man, from) => {
            format!("{} sends a man of {} back from {}", seat(who), seat(&man.seat), site(from))
        }
        Event::NothingToChoose => "there is nothing to choose".to_owned(),
        Event::NothingAllowed => "there is a choice, but none is allowed".to_owned(),
        Event::BoundReached(true) => "the sowing reaches its limit of laps".to_owned(),
        Event::BoundReached(false) => "the loop reaches its bound".to_owned(),
        Event::TakenBack => "the turn is taken back".to_owned(),
        Event::TurnEnded => "the turn ends here".to_owned(),
        Event::Decided(result) => describe(rules, *result),
        Event::Passed(who) => format!("{} passes", seat(who)),
        Event::Ending(ending) => format!("the game ends: {}", rules.game.endings.at(*ending).name),
        Event::Stopped => "the game is stopped".to_owned(),
    })
}

fn seeds(n: u16) -> String {
    if n == 1 { "1 seed".to_owned() } else { format!("{n} seeds") }
}
