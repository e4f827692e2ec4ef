//! The tree of a rule file as written: names are strings, everything has its place.

use crate::span::{Name, Span, Spanned};

/// A rule file. Parts that may stand only once are lists here too: the checker says so.
#[derive(Debug, Clone, Default)]
pub(crate) struct File {
    pub(crate) game: Option<Head>,
    pub(crate) sources: Vec<Source>,
    pub(crate) readings: Vec<Reading>,
    pub(crate) options: Vec<OptionDecl>,
    pub(crate) seats: Vec<Seats>,
    pub(crate) boards: Vec<Board>,
    pub(crate) tracks: Vec<Track>,
    pub(crate) men: Vec<Men>,
    pub(crate) throws: Vec<ThrowTable>,
    pub(crate) variables: Vec<Variable>,
    pub(crate) defines: Vec<Define>,
    pub(crate) procedures: Vec<Procedure>,
    pub(crate) turns: Vec<Turn>,
    pub(crate) endings: Vec<Ending>,
    pub(crate) limits: Vec<Limit>,
    pub(crate) examples: Vec<Example>,
}

#[derive(Debug, Clone)]
pub(crate) struct Head {
    pub(crate) title: Spanned<String>,
    pub(crate) also: Vec<String>,
    pub(crate) played: Vec<String>,
}

#[derive(Debug, Clone)]
pub(crate) struct Source {
    pub(crate) name: Name,
    pub(crate) fields: Vec<(Name, String)>,
    pub(crate) retells: Vec<Name>,
    pub(crate) claims: Vec<Claim>,
}

#[derive(Debug, Clone)]
pub(crate) struct Claim {
    pub(crate) name: Name,
    pub(crate) text: String,
    pub(crate) anchors: Vec<Spanned<String>>,
    pub(crate) not_modelled: Option<String>,
}

/// What a rule rests on.
#[derive(Debug, Clone)]
pub(crate) enum Ground {
    Cite(Cite),
    Assumed(Spanned<String>),
}

/// `@claim` or `@source.claim`.
#[derive(Debug, Clone)]
pub(crate) struct Cite {
    pub(crate) source: Option<Name>,
    pub(crate) claim: Name,
}

#[derive(Debug, Clone)]
pub(crate) struct Reading {
    pub(crate) name: Name,
    pub(crate) question: String,
    pub(crate) only_when: Option<(Name, Name)>,
    pub(crate) grounds: Vec<Ground>,
    pub(crate) alternatives: Vec<Alternative>,
}

#[derive(Debug, Clone)]
pub(crate) struct Alternative {
    pub(crate) name: Name,
    pub(crate) value: Option<Expr>,
    pub(crate) text: String,
    pub(crate) basis: Basis,
    pub(crate) default: Option<Span>,
}

#[derive(Debug, Clone)]
pub(crate) enum Basis {
    Silent,
    Attested(Vec<Cite>),
    Borrowed(Vec<Cite>, Option<String>),
    Departs(Vec<Cite>),
}

#[derive(Debug, Clone)]
pub(crate) struct OptionDecl {
    pub(crate) name: Name,
    pub(crate) text: String,
    pub(crate) default: Spanned<Decimal>,
    pub(crate) low: Spanned<Decimal>,
    pub(crate) high: Spanned<Decimal>,
    pub(crate) grounds: Vec<Ground>,
}

/// A number as written: `digits / 10^scale`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Decimal {
    pub(crate) digits: u64,
    pub(crate) scale: u32,
}

#[derive(Debug, Clone)]
pub(crate) struct Seats {
    pub(crate) span: Span,
    pub(crate) count: Expr,
    /// Those who face each other are partners.
    pub(crate) partners: bool,
    pub(crate) grounds: Vec<Ground>,
}

#[derive(Debug, Clone)]
pub(crate) struct Board {
    pub(crate) span: Span,
    pub(crate) lines: Vec<BoardLine>,
}

#[derive(Debug, Clone)]
pub(crate) struct BoardLine {
    pub(crate) span: Span,
    pub(crate) kind: BoardLineKind,
    pub(crate) grounds: Vec<Ground>,
    /// The grounds are those of the board.
    pub(crate) inherited: bool,
}

#[derive(Debug, Clone)]
pub(crate) enum BoardLineKind {
    Rows {
        rows: Expr,
        pits: Expr,
    },
    Grid {
        files: Expr,
        ranks: Expr,
        without: Option<PlaceList>,
    },
    Cross {
        wide: Expr,
        long: Expr,
    },
    /// In each pit where no places are named.
    Start {
        seeds: Expr,
        places: Option<PlaceList>,
    },
    Circuit {
        clockwise: bool,
        through: Option<Through>,
    },
    Places {
        name: Name,
        places: PlaceList,
    },
    Mark {
        name: Name,
        skipped: bool,
    },
}

/// Which stores belong to the circuit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Through {
    Own,
    All,
}

/// Places of South, each alone or from one to another, and how they become those of the other seats.
#[derive(Debug, Clone)]
pub(crate) struct PlaceList {
    pub(crate) spans: Vec<(Name, Option<Name>)>,
    pub(crate) symmetry: Option<Symmetry>,
}

/// How South's places become those of another seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Symmetry {
    Turned,
    Mirrored,
    Same,
}

#[derive(Debug, Clone)]
pub(crate) struct Track {
    pub(crate) span: Span,
    pub(crate) name: Name,
    /// It begins in the hand.
    pub(crate) hand: bool,
    pub(crate) steps: Vec<Step>,
    pub(crate) home: Option<Home>,
    /// The tracks, or squares of tracks, that it leads to.
    pub(crate) then: Vec<(Name, Option<Name>)>,
    pub(crate) symmetry: Symmetry,
    pub(crate) grounds: Vec<Ground>,
}

/// A square of a track; `line` when a straight line of squares leads to it.
#[derive(Debug, Clone)]
pub(crate) struct Step {
    pub(crate) line: bool,
    pub(crate) square: Name,
}

/// Where men are done.
#[derive(Debug, Clone)]
pub(crate) enum Home {
    Square(Name),
    BesideTheBoard,
}

#[derive(Debug, Clone)]
pub(crate) struct Men {
    pub(crate) span: Span,
    pub(crate) count: Expr,
    /// None, or at least two; the first is that of the start.
    pub(crate) states: Vec<Name>,
    pub(crate) start: MenStart,
    pub(crate) grounds: Vec<Ground>,
}

/// Where men stand at first.
#[derive(Debug, Clone)]
pub(crate) enum MenStart {
    AtStart,
    InHand,
    OneEach(PlaceList),
}

#[derive(Debug, Clone)]
pub(crate) struct ThrowTable {
    pub(crate) name: Name,
    pub(crate) kind: ThrowKind,
    pub(crate) grounds: Vec<Ground>,
    pub(crate) lines: Vec<CountLine>,
}

/// What is thrown.
#[derive(Debug, Clone)]
pub(crate) enum ThrowKind {
    Pieces { pieces: Expr, chance: Expr },
    Faces(Vec<Expr>),
}

#[derive(Debug, Clone)]
pub(crate) struct CountLine {
    pub(crate) span: Span,
    pub(crate) up: Spanned<Decimal>,
    pub(crate) count: Spanned<Decimal>,
    pub(crate) name: Option<String>,
    pub(crate) grounds: Vec<Ground>,
}

#[derive(Debug, Clone)]
pub(crate) struct Variable {
    pub(crate) name: Name,
    pub(crate) start: Expr,
    pub(crate) lifetime: Lifetime,
    pub(crate) grounds: Vec<Ground>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lifetime {
    Turn,
    Player,
    Game,
}

#[derive(Debug, Clone)]
pub(crate) struct Define {
    pub(crate) name: Name,
    pub(crate) params: Vec<Param>,
    pub(crate) body: Expr,
    pub(crate) grounds: Vec<Ground>,
}

#[derive(Debug, Clone)]
pub(crate) struct Param {
    pub(crate) name: Name,
    pub(crate) kind: TypeName,
}

/// A type an author can write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TypeName {
    Number,
    Numbers,
    Truth,
    Site,
    Sites,
    Man,
    Men,
    Player,
    Direction,
}

#[derive(Debug, Clone)]
pub(crate) struct Procedure {
    pub(crate) name: Name,
    pub(crate) params: Vec<Param>,
    pub(crate) body: Block,
}

#[derive(Debug, Clone)]
pub(crate) struct Turn {
    pub(crate) span: Span,
    pub(crate) body: Block,
}

#[derive(Debug, Clone)]
pub(crate) struct Ending {
    pub(crate) name: Name,
    pub(crate) when: When,
    pub(crate) body: Block,
}

#[derive(Debug, Clone)]
pub(crate) enum When {
    AtOnce(Expr),
    AfterTurn(Expr),
    Called,
}

#[derive(Debug, Clone)]
pub(crate) struct Limit {
    pub(crate) span: Span,
    pub(crate) turns: Spanned<Decimal>,
    pub(crate) grounds: Vec<Ground>,
}

#[derive(Debug, Clone)]
pub(crate) struct Example {
    pub(crate) title: Spanned<String>,
    pub(crate) grounds: Vec<Ground>,
    pub(crate) lines: Vec<ExampleLine>,
}

#[derive(Debug, Clone)]
pub(crate) struct ExampleLine {
    pub(crate) span: Span,
    pub(crate) kind: ExampleLineKind,
}

#[derive(Debug, Clone)]
pub(crate) enum ExampleLineKind {
    Reading(Name, Name),
    Option(Name, Spanned<Decimal>),
    Position(Spanned<String>),
    Play(Spanned<String>),
    ExpectPosition(Spanned<String>),
    ExpectCaptured(Vec<Spanned<Decimal>>),
    ExpectChoices(Spanned<String>),
    ExpectRefused(Spanned<String>),
    ExpectWinner(Name),
    ExpectDraw,
    ExpectOpen,
    ExpectEnding(Name),
}

/// Statements in braces. The span is that of the opening brace.
#[derive(Debug, Clone)]
pub(crate) struct Block {
    pub(crate) grounds: Vec<Ground>,
    pub(crate) statements: Vec<Stmt>,
}

#[derive(Debug, Clone)]
pub(crate) struct Stmt {
    pub(crate) span: Span,
    pub(crate) kind: StmtKind,
    pub(crate) grounds: Vec<Ground>,
}

#[derive(Debug, Clone)]
pub(crate) enum StmtKind {
    Choose {
        may: bool,
        picks: Vec<(Name, Expr)>,
        condition: Option<Expr>,
        none: Option<Block>,
        none_allowed: Option<Block>,
    },
    If {
        condition: Expr,
        then: Block,
        otherwise: Option<Block>,
    },
    While {
        condition: Expr,
        bound: Option<Bound>,
        body: Block,
        reached: Option<Block>,
    },
    ForEach {
        name: Name,
        set: Expr,
        condition: Option<Expr>,
        walk: Option<Expr>,
        body: Block,
    },
    EachPlayer(Block),
    ByPlayer(Expr, Block),
    Lift(Expr),
    Sow {
        from: Expr,
        towards: Option<Expr>,
        skipping: Option<Expr>,
        body: Option<Block>,
    },
    /// All of a set where no number is said.
    Capture {
        seeds: Option<Expr>,
        from: Expr,
    },
    Keep(Expr),
    Put {
        seeds: Expr,
        from: Expr,
        into: Expr,
    },
    Mark(Expr, Name),
    Unmark(Expr, Name),
    Throw {
        table: Name,
        names: Vec<Name>,
    },
    Move {
        men: Expr,
        by: Expr,
        to: Option<Expr>,
        body: Option<Block>,
    },
    Make(Expr, Name),
    SendBack(Expr),
    Add(Vec<Expr>),
    Spend(Expr),
    ClearPool,
    GoOn,
    Pass,
    Again {
        times: Expr,
        reached: Block,
    },
    Refuse,
    Require(Expr),
    EndBy(Name),
    TakeBack,
    NewRound(Expr),
    MostWins(Expr, Decides),
    MoverWins(Decides),
    MoverLoses(Decides),
    NobodyWins(Decides),
    Let(Name, Expr),
    Assign(Name, AssignOp, Expr),
    Call(Name, Vec<Expr>),
}

impl StmtKind {
    /// The blocks inside, in the order written.
    pub(crate) fn blocks(&self) -> Vec<&Block> {
        match self {
            Self::Choose { none, none_allowed, .. } => none.iter().chain(none_allowed).collect(),
            Self::If { then, otherwise, .. } => std::iter::once(then).chain(otherwise).collect(),
            Self::While { body, reached, .. } => std::iter::once(body).chain(reached).collect(),
            Self::ForEach { body, .. }
            | Self::EachPlayer(body)
            | Self::ByPlayer(_, body)
            | Self::Sow { body: Some(body), .. }
            | Self::Move { body: Some(body), .. }
            | Self::Again { reached: body, .. } => vec![body],
            _ => vec![],
        }
    }
}

/// What a result is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Decides {
    Game,
    Round,
}

#[derive(Debug, Clone)]
pub(crate) struct Bound {
    pub(crate) times: Expr,
    /// The loop is a relay: a sowing that reaches the bound counts as endless.
    pub(crate) laps: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AssignOp {
    Set,
    Add,
    Subtract,
}

#[derive(Debug, Clone)]
pub(crate) struct Expr {
    pub(crate) span: Span,
    pub(crate) kind: ExprKind,
}

#[derive(Debug, Clone)]
pub(crate) enum ExprKind {
    Number(Decimal),
    Word(String),
    Call(Name, Vec<Expr>),
    Phrase(Whose, Noun),
    /// `pits after x` (in the direction of sowing) or `pits before x`.
    Along {
        after: bool,
        from: Box<Expr>,
        towards: Option<Box<Expr>>,
    },
    /// `those x in set where ... while ...`.
    Those {
        name: Name,
        set: Box<Expr>,
        condition: Option<Box<Expr>>,
        walk: Option<Box<Expr>>,
    },
    Listed(Vec<Expr>),
    Ranged {
        parity: Option<Parity>,
        from: Box<Expr>,
        to: Box<Expr>,
    },
    Quantified {
        every: bool,
        over: Over,
        condition: Box<Expr>,
    },
    Not(Box<Expr>),
    Negate(Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
}

/// What a quantifier speaks of.
#[derive(Debug, Clone)]
pub(crate) enum Over {
    Members(Name, Box<Expr>),
    Players,
    Partners,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Whose {
    Own,
    Friend,
    Enemy,
    All,
    No,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Noun {
    Pits,
    Men,
    Store,
    /// A mark, or places of each seat.
    Named(Name),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Parity {
    Even,
    Odd,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BinaryOp {
    Or,
    And,
    Equal,
    NotEqual,
    AtMost,
    AtLeast,
    Less,
    More,
    In,
    NotIn,
    Is,
    On,
    Add,
    Subtract,
    Multiply,
}
