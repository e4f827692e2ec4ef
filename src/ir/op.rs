//! The instructions of a program, and what they ask of a position.
//!
//! Every value is a whole number: a count, or the code of a site, a place of men (a cell), a player (both from 0)
//! or a direction (0 against the clock, 1 with it); −1 stands for none. Sets are bits where their order does not
//! matter or is ascending, and lists of such numbers otherwise.

use super::bits::Bits;
use crate::rules::{EndingId, Op as Operator, Parity, ThrowId};

/// Where an instruction stands.
pub(crate) type Pc = u32;
/// A register that holds a number.
pub(crate) type Reg = u16;
/// A register that holds a set.
pub(crate) type SetReg = u16;

/// Registers that hold a list: its length, then its members.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ListReg {
    pub(crate) base: Reg,
    pub(crate) most: u16,
}

/// A number.
#[derive(Debug, Clone, PartialEq)]
#[repr(u8)]
pub(crate) enum Num<B> {
    Const(i32),
    Reg(Reg),
    /// The register of the acting player, counted from South's.
    OwnReg(Reg),
    /// A number for each acting player.
    ByActor([i32; 4]),
    Hand,
    Last,
    Quiet,
    TurnsPlayed,
    Round,
    Mover,
    Actor,
    Beginner,
    RoundWinner,
    /// The square that the last man reached.
    Reached,
    /// What lies or stands on a cell.
    Count(Box<Self>),
    /// The seeds of some sites.
    Seeds(Box<Set<B>>),
    /// The seeds in the acting player's store.
    Stored,
    /// How many of the acting player's men are home.
    Home,
    /// What a table says of a site or cell.
    Look(Look, Box<Self>),
    /// The site that follows on the mover's circuit, in a direction.
    Next(Box<Self>, Box<Self>),
    /// The site so many pits ahead, in a direction.
    Ahead(Box<Self>, Box<Self>, Box<Self>),
    /// The player who sits next.
    PlayerAfter(Box<Self>),
    /// The other direction.
    Reverse(Box<Self>),
    /// The first member of a list.
    First(Box<List<B>>),
    /// How many members a set has.
    Size(Box<Set<B>>),
    /// How many men stand on some cells.
    Men(Box<Set<B>>),
    /// How many members a list has.
    Length(Box<List<B>>),
    /// The sum of a list.
    Total(Box<List<B>>),
    Add(Box<Self>, Box<Self>),
    Subtract(Box<Self>, Box<Self>),
    Multiply(Box<Self>, Box<Self>),
    /// 1 if it holds, else 0.
    Truth(Box<Test<B>>),
}

/// A table that says one thing of every site, or of every cell of men.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Look {
    Opposite,
    Behind,
    Owner,
    /// The square of a man.
    Square,
    /// The player whose man it is.
    Player,
    /// The steps a man has still to go.
    StepsLeft,
    /// Where the track of his player starts.
    Start,
}

/// A condition.
#[derive(Debug, Clone, PartialEq)]
#[repr(u8)]
pub(crate) enum Test<B> {
    Const(bool),
    /// A register that is not 0.
    Reg(Reg),
    Compare(Compare, Num<B>, Num<B>),
    And(Vec<Self>),
    Or(Vec<Self>),
    Not(Box<Self>),
    /// A number from 0 to 63 that is a member of a fixed set.
    Among(Num<B>, u64),
    /// A number within a range, of a parity.
    Within(Num<B>, Parity, Num<B>, Num<B>),
    /// A member of a set of sites or cells.
    In(Num<B>, Set<B>),
    /// A member of a list.
    Listed(Num<B>, List<B>),
    /// A set without members.
    Nothing(Set<B>),
    /// A list without members.
    Unlisted(List<B>),
    /// No seeds on any of some sites.
    NoSeeds(Set<B>),
    /// For some or every member of a set, which a register holds.
    Members {
        every: bool,
        var: Reg,
        of: Set<B>,
        test: Box<Self>,
    },
    /// The same of a list.
    Items {
        every: bool,
        var: Reg,
        of: List<B>,
        test: Box<Self>,
    },
    /// For some or every player who acts, or only the acting one and his partners.
    Players {
        partners: bool,
        every: bool,
        test: Box<Self>,
    },
    Repeated,
    /// What is asked of one pit.
    Pit(Pit<B>),
}

/// Conditions on one pit, all at once.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Pit<B> {
    pub(crate) site: Site,
    /// Where it lies, for each acting player; nowhere in particular where nothing is said.
    pub(crate) within: Option<[B; 4]>,
    /// How many seeds it holds, 63 for more; and the pit that faces it.
    pub(crate) holds: u64,
    pub(crate) facing: u64,
}

/// A site that is known at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Site {
    Last,
    Reg(Reg),
    Const(i32),
}

/// How numbers are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Compare {
    Equal,
    NotEqual,
    AtMost,
    AtLeast,
    Less,
    More,
}

impl Compare {
    pub(crate) fn of(op: Operator) -> Option<Self> {
        Some(match op {
            Operator::Equal => Self::Equal,
            Operator::NotEqual => Self::NotEqual,
            Operator::AtMost => Self::AtMost,
            Operator::AtLeast => Self::AtLeast,
            Operator::Less => Self::Less,
            Operator::More => Self::More,
            _ => return None,
        })
    }

    /// What holds where this does not.
    pub(crate) fn inverse(self) -> Self {
        match self {
            Self::Equal => Self::NotEqual,
            Self::NotEqual => Self::Equal,
            Self::AtMost => Self::More,
            Self::More => Self::AtMost,
            Self::AtLeast => Self::Less,
            Self::Less => Self::AtLeast,
        }
    }

    #[inline]
    pub(crate) fn holds(self, left: i32, right: i32) -> bool {
        match self {
            Self::Equal => left == right,
            Self::NotEqual => left != right,
            Self::AtMost => left <= right,
            Self::AtLeast => left >= right,
            Self::Less => left < right,
            Self::More => left > right,
        }
    }
}

/// A set of sites, or of cells: then all men on a cell are meant.
#[derive(Debug, Clone, PartialEq)]
#[repr(u8)]
pub(crate) enum Set<B> {
    Const(B),
    /// A set for each acting player.
    ByActor([B; 4]),
    Reg(SetReg),
    /// The register of the acting player, counted from South's.
    OwnReg(SetReg),
    /// The registers of some seats for each acting player, counted from South's; bits say which.
    Regs(SetReg, [u8; 4]),
    /// The one member, or none.
    One(Box<Num<B>>),
    /// The pits and stores in which seeds lie.
    WithSeeds,
    /// Those of some sites that hold a number of seeds below 64 that is a member of a fixed set.
    Holding(Box<Self>, u64),
    And(Box<Self>, Box<Self>),
    Or(Box<Self>, Box<Self>),
    Minus(Box<Self>, Box<Self>),
    /// A set if a condition holds, else none.
    If(Box<Test<B>>, Box<Self>),
    /// Those members that satisfy a condition, while a register holds them.
    Where {
        var: Reg,
        of: Box<Self>,
        test: Box<Test<B>>,
    },
    /// The sites of the mover's circuit behind one, in a direction, without itself.
    Round(Box<Num<B>>, Box<Num<B>>),
    /// The same one after the other, as long as a condition holds while a register holds them.
    Along {
        from: Box<Num<B>>,
        towards: Box<Num<B>>,
        var: Reg,
        test: Box<Test<B>>,
    },
    /// The same, where the condition is one on the pit and where it lies.
    Chain {
        from: Box<Num<B>>,
        towards: Box<Num<B>>,
        within: [B; 4],
        holds: u64,
    },
    /// Pits of some sites in which seeds lie, for each acting player.
    Filled([B; 4]),
    /// The members of a register that are of some cells, for each acting player.
    Among(SetReg, [B; 4]),
    /// Those men that stand on some sites.
    StandingOn(Box<Self>, Box<Self>),
    /// The cells of one square.
    CellsOf(Box<Num<B>>),
    /// The sites on which some men stand.
    Squares(Box<Self>),
    /// Those men that have at least so many steps to go.
    WithStepsLeft(Box<Self>, Box<Num<B>>),
    /// Those men whose every square in reach of so many steps is one of some sites.
    Reaching {
        men: Box<Self>,
        steps: Box<Num<B>>,
        all_on: Box<Self>,
    },
    /// The sites that so many steps can bring all of some men to.
    Reach(Box<List<B>>, Box<Num<B>>),
    /// The sites between a man and where so many steps would bring him.
    Path(Box<Num<B>>, Box<Num<B>>),
    /// The members of a list.
    Of(Box<List<B>>),
}

/// Members in an order; men who are alike each by himself.
#[derive(Debug, Clone, PartialEq)]
#[repr(u8)]
pub(crate) enum List<B> {
    Const(Vec<i32>),
    /// A list for each acting player.
    ByActor([Vec<i32>; 4]),
    Reg(ListReg),
    /// The one member, or none.
    One(Num<B>),
    /// Members of a set in ascending order.
    Ascending(Set<B>),
    /// The men on some cells, in ascending order.
    Men(Set<B>),
    /// The sites of the mover's circuit behind one, in a direction, without itself.
    Round(Num<B>, Num<B>),
    /// The counts that are still to be used.
    Pool,
    Numbers(Vec<Num<B>>),
    Range(Parity, Num<B>, Num<B>),
    /// Those members that satisfy a condition, up to the first of them that does not satisfy another.
    Those {
        var: Reg,
        of: Box<Self>,
        test: Option<Box<Test<B>>>,
        walk: Option<Box<Test<B>>>,
    },
    /// The members of both; of men, as many as the one or the other has.
    Union(Box<Self>, Box<Self>, bool),
    /// The members of the first that are not in the second.
    Without(Box<Self>, Box<Self>),
    /// Those men that stand on some sites.
    StandingOn(Box<Self>, Set<B>),
    /// The squares of some men, each once.
    Squares(Box<Self>),
    /// The squares that so many steps can bring all of some men to.
    Reach(Box<Self>, Num<B>),
    /// The squares between a man and where so many steps would bring him.
    Path(Num<B>, Num<B>),
    /// The squares that the last man passed, and the one that he reached.
    Trodden(ListReg),
}

/// What is chosen, each from its own members.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Pick<B> {
    pub(crate) var: Reg,
    pub(crate) from: Candidates<B>,
    /// What it must satisfy, given those before it.
    pub(crate) test: Option<Test<B>>,
    pub(crate) kind: PickKind,
}

/// What can be chosen.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Candidates<B> {
    /// In ascending order.
    Set(Set<B>),
    /// In its order; equal ones once.
    List(List<B>),
}

/// What a part of a move is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PickKind {
    Site,
    Man,
    Count,
    Direction,
}

/// A choice.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Choose<B> {
    pub(crate) picks: Vec<Pick<B>>,
    /// Whether nothing may be chosen, too.
    pub(crate) may: bool,
    /// Where it goes on when nothing can be chosen, or nothing is.
    pub(crate) none: Pc,
    /// Where it goes on when everything is refused later in the turn.
    pub(crate) none_allowed: Option<Pc>,
    /// When a move could be refused later in the turn, and must be tried; never where there is no test.
    pub(crate) try_when: Option<Test<B>>,
}

/// How a walk goes on from member to member.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Visit<B> {
    pub(crate) var: Reg,
    /// Members that do not satisfy it are passed over.
    pub(crate) test: Option<Test<B>>,
    /// The first that does not satisfy it ends the walk.
    pub(crate) walk: Option<Test<B>>,
    /// Where it goes on behind the walk.
    pub(crate) exit: Pc,
}

/// How a sowing goes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Sowing<B> {
    pub(crate) from: Num<B>,
    pub(crate) towards: Num<B>,
    pub(crate) skipping: Option<Set<B>>,
}

/// Lifting one pit, and sowing in a way that hangs on nothing but that pit, its seeds, and a direction.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TableSowing<B> {
    pub(crate) pit: Num<B>,
    pub(crate) towards: Num<B>,
    /// The table of [`super::Program::sowings`].
    pub(crate) table: u16,
    /// Whether the pit is lifted first; else the hand is sown from there.
    pub(crate) lifts: bool,
    /// Where the same is done seed by seed, for more seeds than the table has, and where it goes on.
    pub(crate) slow: Pc,
    pub(crate) over: Pc,
}

/// Laps that are lifted and sown by a table until the last seed comes to a pit with few others.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Relay<B> {
    pub(crate) table: u16,
    pub(crate) towards: Num<B>,
    /// The most seeds of a pit where it ends, the last one counted.
    pub(crate) most: i32,
    pub(crate) bound: Num<B>,
    pub(crate) rounds: Reg,
    pub(crate) exit: Pc,
    pub(crate) reached: Pc,
}

/// What is decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    MoverWins,
    MoverLoses,
    NobodyWins,
}

/// An instruction.
#[derive(Debug, Clone, PartialEq)]
#[repr(u8)]
pub(crate) enum Op<B> {
    /// The turn is over.
    TurnOver,
    Jump(Pc),
    /// Goes on elsewhere where a condition does not hold.
    Unless(Test<B>, Pc),
    SetNum(Reg, Num<B>),
    /// 1 if it holds, else 0.
    SetTest(Reg, Test<B>),
    /// The register of the acting player, counted from South's.
    SetOwn(Reg, Num<B>),
    SetBits(SetReg, Set<B>),
    SetList(ListReg, List<B>),
    Choose(Box<Choose<B>>),
    /// A choice of one member of a set, which is seldom tried, and what is sown from there at once.
    Pick(Box<Choice<B>>),
    /// The head of a loop; the register counts its rounds.
    While {
        test: Test<B>,
        bound: Num<B>,
        rounds: Reg,
        laps: bool,
        exit: Pc,
        reached: Pc,
    },
    /// Laps that need nothing but a table; the ordinary loop stands behind.
    Relay(Box<Relay<B>>),
    /// A walk over a set in ascending order: what is left of it.
    EachMember(SetReg, Visit<B>),
    /// A walk over a list, and how far it has gone.
    EachItem(ListReg, Reg, Visit<B>),
    /// A block for every player: who acted before, and who is next.
    EachPlayer {
        before: Reg,
        next: Reg,
        exit: Pc,
    },
    /// A block for another player.
    ByPlayer {
        player: Num<B>,
        before: Reg,
        exit: Pc,
    },
    /// The player who acted before acts again.
    EndBy(Reg),
    Call {
        to: Pc,
        back: Reg,
    },
    Return(Reg),
    Lift(Set<B>),
    Sow(Sowing<B>),
    TableSow(Box<TableSowing<B>>),
    /// A sowing with something done for every seed: the site of the first, the direction, what is passed over.
    BeginSowing {
        sowing: Sowing<B>,
        first: Reg,
        towards: Reg,
        skipping: SetReg,
    },
    NextSeed {
        first: Reg,
        towards: Reg,
        skipping: SetReg,
        exit: Pc,
    },
    Capture {
        most: Option<Num<B>>,
        from: Set<B>,
    },
    /// All seeds of one pit.
    CaptureOne(Num<B>),
    Keep(Set<B>),
    Put {
        seeds: Num<B>,
        from: Num<B>,
        into: Num<B>,
    },
    Mark(Set<B>, SetReg),
    Unmark(Set<B>, SetReg),
    CaptureMen(List<B>),
    SendBack(List<B>),
    Make {
        men: List<B>,
        state: u16,
        named: Option<Reg>,
    },
    /// Men go along their tracks; the register that names the one man follows him.
    Move {
        men: List<B>,
        steps: Num<B>,
        to: Option<Num<B>>,
        named: Option<Reg>,
    },
    /// What belongs to a move is over.
    Moved,
    AddToPool(Num<B>),
    Spend(Num<B>),
    ClearPool,
    Throw(ThrowId, Reg),
    Pass,
    Again {
        times: Num<B>,
        reached: Pc,
    },
    Refuse,
    Require(Test<B>),
    End(EndingId),
    TakeBack,
    NewRound(Num<B>),
    /// The side for which a number is largest wins the game, or only the round.
    Most(Num<B>, bool),
    Decide(Verdict, bool),
    /// Endings that apply at once are looked at.
    AtOnce,
    /// The same, unless none of them applied when the turn began: what was done since has no bearing on them.
    AtOnceIfArmed,
}

impl<B: Bits> Num<B> {
    pub(crate) fn boxed(self) -> Box<Self> {
        Box::new(self)
    }
}

/// A choice of one member of a set.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Choice<B> {
    pub(crate) var: Reg,
    pub(crate) from: Set<B>,
    /// What is sown from the pit that was chosen.
    pub(crate) sow: Option<TableSowing<B>>,
    /// The same choice where it must be tried.
    pub(crate) choose: Choose<B>,
}

impl<B> Choose<B> {
    fn for_each_target(&mut self, mut target: impl FnMut(&mut Pc)) {
        target(&mut self.none);
        self.none_allowed.iter_mut().for_each(target);
    }
}

impl<B> Op<B> {
    /// Calls with each place to which it can lead, besides the next one.
    pub(crate) fn for_each_target(&mut self, mut target: impl FnMut(&mut Pc)) {
        match self {
            Self::Jump(to) | Self::Unless(_, to) | Self::Call { to, .. } => target(to),
            Self::Choose(choose) => choose.for_each_target(target),
            Self::Pick(choice) => {
                if let Some(sow) = &mut choice.sow {
                    [&mut sow.slow, &mut sow.over].into_iter().for_each(&mut target);
                }
                choice.choose.for_each_target(target);
            }
            Self::While { exit, reached, .. } => [exit, reached].into_iter().for_each(target),
            Self::Relay(relay) => [&mut relay.exit, &mut relay.reached].into_iter().for_each(target),
            Self::EachMember(_, Visit { exit, .. })
            | Self::EachItem(_, _, Visit { exit, .. })
            | Self::EachPlayer { exit, .. }
            | Self::ByPlayer { exit, .. }
            | Self::NextSeed { exit, .. } => target(exit),
            Self::TableSow(sow) => [&mut sow.slow, &mut sow.over].into_iter().for_each(target),
            Self::Again { reached, .. } => target(reached),
            _ => {}
        }
    }
}
