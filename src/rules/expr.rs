//! Checked expressions: typed, names resolved.

use serde::Serialize;

use super::table::{
    AlternativeId, MarkId, OptionId, ReadingId, RegionId, SeatId, SiteId, StateId, Table, VarId, VariableId,
};

/// The type of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Type {
    /// A whole number.
    Number,
    /// Several numbers: a set of counts, or the pool.
    Numbers,
    /// True or false.
    Truth,
    /// A pit or a square.
    Site,
    /// Several of them, in an order.
    Sites,
    /// A man.
    Man,
    /// Several men.
    Men,
    /// A player.
    Player,
    /// A direction of sowing.
    Direction,
    /// Both of them.
    Directions,
    /// Sites, men or numbers: what [`Query::Size`] and [`Query::Empty`] are asked about.
    Any,
}

impl Type {
    /// The word for it in messages.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Number => "a number",
            Self::Numbers => "numbers",
            Self::Truth => "a condition",
            Self::Site => "a pit or square",
            Self::Sites => "pits or squares",
            Self::Man => "a man",
            Self::Men => "men",
            Self::Player => "a player",
            Self::Direction => "a direction",
            Self::Directions => "directions",
            Self::Any => "pits, squares, men or numbers",
        }
    }
}

/// A checked expression. After binding, readings and options are gone and constants are folded.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub enum Expr {
    /// A number.
    Number(i32),
    /// A truth value.
    Truth(bool),
    /// The value of an option.
    Option(OptionId),
    /// Whether a reading has this alternative.
    Is(ReadingId, AlternativeId),
    /// What the chosen alternative of a reading stands for.
    Of(ReadingId),
    /// A place by its name; a site once the board is laid out.
    Place(Place),
    /// A site of the board.
    Site(SiteId),
    /// A list of sites of the board.
    Sites(Vec<SiteId>),
    /// A named group of places.
    Region(RegionId),
    /// Places of some seats: a named group that every seat has, before the board is laid out.
    RegionOf(Whose, RegionId),
    /// The same, once it is.
    PlacesOf(Whose, Table<SeatId, Vec<SiteId>>),
    /// The pits with a mark of some seats.
    Marked(Whose, MarkId),
    /// Whether a man is in a state.
    InState(Box<Expr>, StateId),
    /// A value of the turn.
    Var(VarId),
    /// A declared variable (the acting player's, if each has one).
    Variable(VariableId),
    /// A set of numbers.
    Listed(Vec<Expr>),
    /// The numbers from one to another, all or every second.
    Ranged(Parity, Box<Expr>, Box<Expr>),
    /// What the position answers.
    Ask(Query, Vec<Expr>),
    /// An operator between two values.
    Binary(Op, Box<Expr>, Box<Expr>),
    /// It does not hold.
    Not(Box<Expr>),
    /// The number with the other sign.
    Negate(Box<Expr>),
    /// For some or for every member of a set.
    Quantified {
        /// Every one, or at least one.
        every: bool,
        /// The member looked at.
        var: VarId,
        /// The set.
        set: Box<Expr>,
        /// What must hold.
        condition: Box<Expr>,
    },
    /// The members of a set that satisfy a condition, up to the first that does not satisfy another one.
    Those {
        /// The member looked at.
        var: VarId,
        /// The set.
        set: Box<Expr>,
        /// Members that do not satisfy it are left out.
        condition: Option<Box<Expr>>,
        /// The first that does not satisfy it, of those not left out, ends the set.
        walk: Option<Box<Expr>>,
    },
    /// For some or for every player, who acts while the condition is looked at.
    Players {
        /// Only the acting player and his partners.
        partners: bool,
        /// Every one, or at least one.
        every: bool,
        /// What must hold.
        condition: Box<Expr>,
    },
}

impl Expr {
    /// The expressions directly inside.
    #[must_use]
    pub fn children(&self) -> Vec<&Self> {
        match self {
            Self::Listed(items) | Self::Ask(_, items) => items.iter().collect(),
            Self::Ranged(_, a, b) | Self::Binary(_, a, b) => vec![a, b],
            Self::Not(inner)
            | Self::Negate(inner)
            | Self::InState(inner, _)
            | Self::Players { condition: inner, .. } => vec![inner],
            Self::Quantified { set, condition, .. } => vec![set, condition],
            Self::Those { set, condition, walk, .. } => {
                let tests = condition.iter().chain(walk).map(|test| &**test);
                std::iter::once(&**set).chain(tests).collect()
            }
            _ => vec![],
        }
    }

    /// Whether it speaks of a value of the turn anywhere.
    #[must_use]
    pub fn mentions(&self, var: VarId) -> bool {
        *self == Self::Var(var) || self.children().into_iter().any(|child| child.mentions(var))
    }

    /// Whether its value hangs on who acts, not counting what is asked about every player anyway.
    #[must_use]
    pub fn seen_by_actor(&self) -> bool {
        let own = match self {
            Self::RegionOf(whose, _) | Self::PlacesOf(whose, _) | Self::Marked(whose, _) => *whose != Whose::All,
            Self::Variable(_) => true,
            Self::Ask(query, _) => matches!(
                query,
                Query::Captured
                    | Query::Home
                    | Query::Actor
                    | Query::OwnPits
                    | Query::FriendPits
                    | Query::EnemyPits
                    | Query::OwnStore
                    | Query::FriendStores
                    | Query::EnemyStores
                    | Query::OwnMen
                    | Query::FriendMen
                    | Query::EnemyMen
            ),
            _ => false,
        };
        own || self.children().into_iter().any(Self::seen_by_actor)
    }

    /// Whether a question about players speaks of a value of the turn.
    #[must_use]
    pub fn asks_players_of(&self, var: VarId) -> bool {
        match self {
            Self::Players { condition, .. } => condition.mentions(var),
            _ => self.children().into_iter().any(|child| child.asks_players_of(var)),
        }
    }

    /// Whether it asks one of these questions anywhere.
    #[must_use]
    pub fn asks(&self, queries: &[Query]) -> bool {
        matches!(self, Self::Ask(query, _) if queries.contains(query))
            || self.children().into_iter().any(|child| child.asks(queries))
    }
}

/// A place as an author names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub enum Place {
    /// A pit.
    Pit {
        /// The seat whose letters it bears, in quarter turns from South.
        quarter: u8,
        /// From that seat's left, from 0.
        column: u16,
        /// 1 for the front row and 2 for the one behind it where there are two, else 0.
        depth: u8,
    },
    /// A square of a grid.
    Square {
        /// The column, from the left of South's seat.
        file: u16,
        /// The row, from South's seat on.
        rank: u16,
    },
    /// Where a seat keeps what it has taken.
    Store(SeatId),
    /// Where a seat's men wait beside the board.
    Hand(SeatId),
    /// Where a seat's men are done, beside the board.
    Home(SeatId),
    /// Where a seat's men are who have been taken.
    Out(SeatId),
}

/// Whose something is, seen from the acting player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub enum Whose {
    /// His own.
    Own,
    /// His partners'.
    Friend,
    /// Of those who are neither.
    Enemy,
    /// Everybody's.
    All,
}

/// A direction of sowing, seen from above.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub enum Direction {
    /// Against the clock.
    Counterclockwise,
    /// With the clock.
    Clockwise,
}

impl Direction {
    /// The other one.
    #[must_use]
    pub fn reverse(self) -> Self {
        match self {
            Self::Counterclockwise => Self::Clockwise,
            Self::Clockwise => Self::Counterclockwise,
        }
    }
}

/// Which numbers of a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub enum Parity {
    /// All.
    Any,
    /// Even ones.
    Even,
    /// Odd ones.
    Odd,
}

/// Operators between two values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub enum Op {
    /// One of two truths.
    Or,
    /// Both of two truths.
    And,
    /// The same value.
    Equal,
    /// Another value.
    NotEqual,
    /// Not above.
    AtMost,
    /// Not below.
    AtLeast,
    /// Below.
    Less,
    /// Above.
    More,
    /// A number among numbers, a site among sites.
    In,
    /// A man standing on one of some sites.
    StandsOn,
    /// Those men that stand on some sites.
    MenOn,
    /// Sum.
    Add,
    /// Difference.
    Subtract,
    /// Product.
    Multiply,
    /// The members of two sets, each once.
    Union,
    /// The members of a set that are not in another one.
    Without,
}

macro_rules! queries {
    ($($(#[doc = $doc:literal])+ $variant:ident $name:literal ($($param:ident),*) -> $result:ident;)*) => {
        /// What a position can be asked. The words are those of rule files.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
        pub enum Query {
            $($(#[doc = $doc])+ $variant,)*
        }

        impl Query {
            /// All of them, in the order of the language's reference.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// The word in rule files.
            #[must_use]
            pub fn word(self) -> &'static str {
                match self { $(Self::$variant => $name),* }
            }

            /// The types of what it is asked about.
            #[must_use]
            pub fn params(self) -> &'static [Type] {
                match self { $(Self::$variant => &[$(Type::$param),*]),* }
            }

            /// The type of the answer.
            #[must_use]
            pub fn result(self) -> Type {
                match self { $(Self::$variant => Type::$result),* }
            }

            /// One line of explanation.
            #[must_use]
            pub fn doc(self) -> &'static str {
                match self { $(Self::$variant => concat!($($doc),+)),* }.trim()
            }
        }
    };
}

impl Query {
    /// Whether a direction may be given behind its own parameters.
    #[must_use]
    pub fn directed(self) -> bool {
        matches!(self, Self::Next | Self::Before | Self::Ahead | Self::PitsAfter | Self::PitsBefore)
    }
}

queries! {
    /// How many seeds lie in these pits; a single pit is taken for a set of one.
    Seeds "seeds" (Sites) -> Number;
    /// How many pits, squares or men there are in the set, or counts in the pool.
    Size "size" (Any) -> Number;
    /// Whether there is none of them; pits are empty when no seed lies in any.
    Empty "empty" (Any) -> Truth;
    /// The first pit or square of a set; none of an empty one.
    First "first" (Sites) -> Site;
    /// The pit that follows in the direction of sowing.
    Next "next" (Site) -> Site;
    /// The pit before it, against the direction of sowing.
    Before "before" (Site) -> Site;
    /// The pit that lies so many pits ahead in the direction of sowing.
    Ahead "ahead" (Site, Number) -> Site;
    /// The pit that faces it on the other side.
    Opposite "opposite" (Site) -> Site;
    /// The pit behind it, in the second row of the same side.
    Behind "behind" (Site) -> Site;
    /// The player whose pit it is.
    Owner "owner" (Site) -> Player;
    /// With the clock, seen from above.
    Clockwise "clockwise" () -> Direction;
    /// Against the clock, seen from above.
    Counterclockwise "counterclockwise" () -> Direction;
    /// Both directions, to choose from.
    Directions "directions" () -> Directions;
    /// The other direction.
    Reverse "reverse" (Direction) -> Direction;
    /// The seeds in the mover's hand.
    Hand "hand" () -> Number;
    /// The pit where the last seed fell.
    Last "last" () -> Site;
    /// The pits that the last `lift` emptied.
    Lifted "lifted" () -> Sites;
    /// The seeds in the acting player's store: what he has taken or kept so far.
    Captured "captured" () -> Number;
    /// All seeds of the game.
    TotalSeeds "total-seeds" () -> Number;
    /// Whole turns since the last one with a capture, those of all seats counted.
    QuietTurns "turns-without-capture" () -> Number;
    /// Whole turns since the round began, those of all seats counted.
    TurnsPlayed "turns-played" () -> Number;
    /// Whether the same position, with the same player to move, has been there since the last capture.
    Repeated "repeated" () -> Truth;
    /// The number of the round, from 1.
    Round "round" () -> Number;
    /// The player whose turn it is.
    Mover "mover" () -> Player;
    /// The player who acts: the mover, or each player in turn.
    Actor "this-player" () -> Player;
    /// The player who sits next in the order of play.
    PlayerAfter "player-after" (Player) -> Player;
    /// The player who began the round.
    Beginner "beginner" () -> Player;
    /// The player who won the round; where nobody did, the one who began it.
    RoundWinner "round-winner" () -> Player;
    /// How many men of the acting player are home.
    Home "home" () -> Number;
    /// The squares that the last man moved passed over, without the one he left and the one he reached.
    Passed "passed" () -> Sites;
    /// The squares that the last man moved passed over, and the one he reached.
    Trodden "trodden" () -> Sites;
    /// The square where the track of a man's owner starts.
    StartOf "start-of" (Man) -> Site;
    /// The steps a man has still to go to the end of his track, by the shortest way; 65535 where it has no end.
    StepsLeft "steps-left" (Man) -> Number;
    /// The square on which a man stands.
    SquareOf "square-of" (Man) -> Site;
    /// The squares on which some men stand, each once.
    SquaresOf "squares-of" (Men) -> Sites;
    /// The squares to which so many steps can bring a man, or all of some men: none beyond the end, several behind a fork that is passed.
    Reach "reach" (Men, Number) -> Sites;
    /// The squares between a man and where so many steps would bring him.
    Path "path" (Man, Number) -> Sites;
    /// Whether a man is still in the hand, beside the board.
    Waiting "waiting" (Man) -> Truth;
    /// The player whose man it is.
    PlayerOf "player-of" (Man) -> Player;
    /// The counts that are still to be used in this turn.
    Pool "pool" () -> Numbers;
    /// The sum of some numbers.
    Total "total" (Numbers) -> Number;
    /// The pits of the acting player.
    OwnPits "own pits" () -> Sites;
    /// The pits of his partners.
    FriendPits "friend pits" () -> Sites;
    /// The pits of the other side.
    EnemyPits "enemy pits" () -> Sites;
    /// All pits.
    AllPits "all pits" () -> Sites;
    /// No pit at all.
    NoPits "no pits" () -> Sites;
    /// The acting player's store.
    OwnStore "own store" () -> Site;
    /// The stores of his partners.
    FriendStores "friend stores" () -> Sites;
    /// The stores of the other side.
    EnemyStores "enemy stores" () -> Sites;
    /// All stores.
    AllStores "all stores" () -> Sites;
    /// The acting player's men in play: on the board, or in the hand.
    OwnMen "own men" () -> Men;
    /// His partners' men in play.
    FriendMen "friend men" () -> Men;
    /// The other side's men in play.
    EnemyMen "enemy men" () -> Men;
    /// All men in play.
    AllMen "all men" () -> Men;
    /// No man at all.
    NoMen "no men" () -> Men;
    /// The circuit from the next pit round to the one before it.
    PitsAfter "pits after" (Site) -> Sites;
    /// The circuit backwards, from the pit before it round to the next one.
    PitsBefore "pits before" (Site) -> Sites;
}
