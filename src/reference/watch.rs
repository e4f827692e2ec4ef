//! What happens in a game, told as it happens.

use crate::{
    rules::{EndingId, MarkId, RuleId, SeatId, SiteId, StateId, ThrowId},
    tree::{GameResult, Move},
    view::Man,
};

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A turn begins.
    TurnBegins(SeatId),
    /// A move was chosen.
    Chosen(SeatId, Move),
    /// A count was thrown.
    Thrown(SeatId, ThrowId, i32),
    /// A count went into the pool.
    Pooled(i32),
    /// A count was used.
    Spent(i32),
    /// The counts left in the pool are lost, or done with.
    PoolCleared,
    /// Seeds were lifted from a pit.
    Lifted(SiteId, u16),
    /// Seeds were sown, one into each of these pits, in this order.
    Sown(Vec<SiteId>),
    /// Seeds of a pit were captured.
    Captured(SeatId, SiteId, u16),
    /// Seeds of a pit were settled at the end.
    Kept(SeatId, SiteId, u16),
    /// So many seeds were put from one place into another.
    Put(u16, SiteId, SiteId),
    /// A seat's mark was put on a pit.
    Marked(SeatId, SiteId, MarkId),
    /// A mark was taken off a pit.
    Unmarked(SiteId, MarkId),
    /// A man was taken on a square by a seat.
    Taken(SeatId, Man, SiteId),
    /// A man on a square came into a state.
    Made(Man, SiteId, StateId),
    /// The turn begins anew.
    PlaysAgain(SeatId),
    /// A statement names the result of a round.
    RoundDecided(GameResult),
    /// A round begins: its number, and who begins it.
    RoundBegins(u32, SeatId),
    /// A man moved from a square to another.
    Moved(Man, SiteId, SiteId),
    /// A man was sent back from a square by a seat.
    SentBack(SeatId, Man, SiteId),
    /// Nothing could be chosen.
    NothingToChoose,
    /// Something could be chosen, but every choice is refused later in the turn.
    NothingAllowed,
    /// A loop reached its bound; a relay of sowings when `true`.
    BoundReached(bool),
    /// The turn was taken back.
    TakenBack,
    /// A statement ends the turn.
    TurnEnded,
    /// A statement names the result.
    Decided(GameResult),
    /// The player passes.
    Passed(SeatId),
    /// An ending of the file applies.
    Ending(EndingId),
    /// The game was stopped.
    Stopped,
}

/// Somebody who is told what happens.
pub trait Watch {
    /// Told of an event and of the rule of the file behind it, if it is one rule.
    fn see(&mut self, rule: Option<RuleId>, event: Event);

    /// Whether anybody listens; what nobody hears is not prepared.
    fn listens(&self) -> bool {
        true
    }
}

/// Nobody.
impl Watch for () {
    fn see(&mut self, _: Option<RuleId>, _: Event) {}

    fn listens(&self) -> bool {
        false
    }
}

/// A list of all that happened.
impl Watch for Vec<(Option<RuleId>, Event)> {
    fn see(&mut self, rule: Option<RuleId>, event: Event) {
        self.push((rule, event));
    }
}
