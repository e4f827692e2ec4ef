//! The checked game, with all its readings and options still open.

use super::{
    expr::{Direction, Expr, Place, Type},
    stmt::Block,
    table::*,
};
use crate::span::Span;

/// A checked game.
#[derive(Debug, Clone)]
pub struct Game {
    /// What it is called.
    pub title: String,
    /// Other names.
    pub also: Vec<String>,
    /// Where it is or was played.
    pub played: Vec<String>,
    /// The sources.
    pub sources: Table<SourceId, Source>,
    /// Their claims.
    pub claims: Table<ClaimId, Claim>,
    /// The readings.
    pub readings: Table<ReadingId, Reading>,
    /// The options.
    pub options: Table<OptionId, GameOption>,
    /// How many sit at the board.
    pub seats: Expr,
    /// Whether those who face each other are partners.
    pub partners: bool,
    /// Where that is written.
    pub seats_span: Span,
    /// The board.
    pub board: BoardPlan,
    /// Named groups of places.
    pub regions: Table<RegionId, Region>,
    /// What can be put on a pit.
    pub marks: Table<MarkId, Mark>,
    /// The ways of the men; the first is where they begin.
    pub tracks: Table<TrackId, TrackPlan>,
    /// The men of each seat.
    pub men: Option<MenPlan>,
    /// What is thrown.
    pub throws: Table<ThrowId, ThrowPlan>,
    /// Declared variables.
    pub variables: Table<VariableId, Variable>,
    /// Values within a turn: name and type of each.
    pub vars: Table<VarId, (String, Type)>,
    /// All blocks.
    pub blocks: Table<BlockId, Block>,
    /// What a player does in a turn.
    pub turn: BlockId,
    /// Parts of the turn, or of endings, with a name.
    pub procedures: Table<ProcedureId, Procedure>,
    /// The endings, in the order in which they are looked at.
    pub endings: Table<EndingId, Ending>,
    /// The number of turns after which a game is stopped.
    pub limit: u32,
    /// Every rule of the file.
    pub rules: Table<RuleId, Rule>,
    /// The examples.
    pub examples: Vec<Example>,
}

/// A source of rules.
#[derive(Debug, Clone)]
pub struct Source {
    /// The name by which the file speaks of it.
    pub name: String,
    /// Author, year, title, place in the work, as far as given.
    pub fields: Vec<(String, String)>,
    /// The source it retells.
    pub retells: Option<SourceId>,
}

/// A claim of a source, in the words of the file's author.
#[derive(Debug, Clone)]
pub struct Claim {
    /// The source.
    pub source: SourceId,
    /// Its name.
    pub name: String,
    /// What is claimed.
    pub text: String,
    /// A few words by which it is found in the original, for each place where it stands.
    pub anchors: Vec<Anchor>,
    /// Why no rule models it.
    pub not_modelled: Option<String>,
    /// Where it is written.
    pub span: Span,
}

/// A few words by which a claim, or a part of it, is found in the original.
#[derive(Debug, Clone)]
pub struct Anchor {
    /// The words; `...` between the first and the last of a stretch.
    pub words: String,
    /// Where they are written.
    pub span: Span,
}

/// A silence of the sources and the ways to fill it.
#[derive(Debug, Clone)]
pub struct Reading {
    /// Its name.
    pub name: String,
    /// The question it answers.
    pub question: String,
    /// The ways to answer it.
    pub alternatives: Table<AlternativeId, Alternative>,
    /// The one used when none is chosen.
    pub default: AlternativeId,
    /// It matters only when another reading has this alternative.
    pub only_when: Option<(ReadingId, AlternativeId)>,
    /// Its rule.
    pub rule: RuleId,
    /// Where its name is written.
    pub span: Span,
}

/// One way to answer a reading's question.
#[derive(Debug, Clone)]
pub struct Alternative {
    /// Its name.
    pub name: String,
    /// What it says.
    pub text: String,
    /// What it stands for where the reading is used as a value.
    pub value: Option<Expr>,
    /// What it rests on.
    pub basis: Basis,
    /// Where its name is written.
    pub span: Span,
}

/// What an alternative rests on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Basis {
    /// The source is silent or unclear.
    Silent,
    /// A claim says so.
    Attested(Vec<ClaimId>),
    /// Another source or game says so.
    Borrowed(Vec<ClaimId>, Option<String>),
    /// It goes against a claim on purpose.
    Departs(Vec<ClaimId>),
}

impl Basis {
    /// Whether it is that of a variant of the game, and of no reading of the text.
    #[must_use]
    pub fn is_variant(&self) -> bool {
        matches!(self, Self::Borrowed(..) | Self::Departs(_))
    }
}

/// A number the source leaves open. Values are `digits / 10^scale`, all of one scale.
#[derive(Debug, Clone)]
pub struct GameOption {
    /// Its name.
    pub name: String,
    /// What it is.
    pub text: String,
    /// Decimal places: 0 for sizes, more for chances.
    pub scale: u32,
    /// The value used when none is chosen.
    pub default: i64,
    /// The smallest value.
    pub low: i64,
    /// The largest value.
    pub high: i64,
    /// Its rule.
    pub rule: RuleId,
    /// Where its name is written.
    pub span: Span,
}

/// What the board is made of.
#[derive(Debug, Clone)]
pub struct BoardPlan {
    /// Pits or squares.
    pub layout: Layout,
    /// Seeds at the start: everywhere, or at some places; later lines go over earlier ones.
    pub start: Vec<StartPlan>,
    /// Where the size is declared.
    pub span: Span,
}

/// Pits or squares.
#[derive(Debug, Clone)]
pub enum Layout {
    /// Rows of pits.
    Pits {
        /// How many rows.
        rows: Expr,
        /// How many pits in a row.
        pits: Expr,
        /// The direction in which one sows.
        direction: Direction,
        /// Which stores belong to the circuit.
        through: Through,
    },
    /// A grid of squares.
    Grid {
        /// Columns.
        files: Expr,
        /// Rows.
        ranks: Expr,
        /// Squares that it does not have.
        without: Option<Region>,
    },
    /// A square in the middle and four arms.
    Cross {
        /// How wide they are.
        wide: Expr,
        /// How long the arms are.
        long: Expr,
    },
}

/// Which stores belong to the circuit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
pub enum Through {
    /// None.
    None,
    /// That of the one who sows.
    Own,
    /// All.
    All,
}

/// Seeds at the start.
#[derive(Debug, Clone)]
pub struct StartPlan {
    /// How many.
    pub seeds: Expr,
    /// In which pits; in all where none is named.
    pub places: Option<Region>,
    /// Where it is declared.
    pub span: Span,
}

/// Places with a common name.
#[derive(Debug, Clone)]
pub struct Region {
    /// Its name.
    pub name: String,
    /// South's places, or those of all, each with its place in the text.
    pub places: Vec<(Place, Span)>,
    /// How they become those of the other seats, if every seat has its own.
    pub symmetry: Option<Symmetry>,
}

/// How South's places become those of another seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
pub enum Symmetry {
    /// The board is turned.
    Turned,
    /// The board is mirrored.
    Mirrored,
    /// All have South's.
    Same,
}

/// Something that can be put on a pit.
#[derive(Debug, Clone)]
pub struct Mark {
    /// Its name.
    pub name: String,
    /// Whether the circuit passes over pits with it.
    pub skipped: bool,
    /// Where its name is written.
    pub span: Span,
}

/// South's track; the other seats' are turned or mirrored, or the same.
#[derive(Debug, Clone)]
pub struct TrackPlan {
    /// Its name.
    pub name: String,
    /// Whether men begin beside the board.
    pub hand: bool,
    /// The squares in order; `true` where a straight line leads to one.
    pub steps: Vec<(bool, Place, Span)>,
    /// Whether its end is home; a home beside the board is not among the squares.
    pub home: Option<HomePlan>,
    /// What it leads to: a track, at its start or at one of its squares.
    pub then: Vec<(TrackId, Option<Place>, Span)>,
    /// How it becomes that of another seat.
    pub symmetry: Symmetry,
    /// Where it is declared.
    pub span: Span,
}

/// Where men are done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HomePlan {
    /// On the last square.
    LastSquare,
    /// Beside the board.
    BesideTheBoard,
}

/// The men of each seat.
#[derive(Debug, Clone)]
pub struct MenPlan {
    /// How many.
    pub count: Expr,
    /// The names of their states, none or at least two; the first is that of the start.
    pub states: Table<StateId, String>,
    /// The squares on each of which one stands at first; all where the track begins if there are none.
    pub places: Option<Region>,
    /// Where they are declared.
    pub span: Span,
}

/// What is thrown and what each fall counts.
#[derive(Debug, Clone)]
pub struct ThrowPlan {
    /// Its name.
    pub name: String,
    /// How its counts come about.
    pub kind: ThrowKind,
    /// Where its name is written.
    pub span: Span,
}

/// How the counts of a throw come about.
#[derive(Debug, Clone)]
pub enum ThrowKind {
    /// By two-sided pieces.
    Pieces {
        /// How many.
        pieces: Expr,
        /// The chance that one falls up.
        chance: ChancePlan,
        /// For each number of pieces up: the count, and what it is called.
        counts: Vec<CountPlan>,
        /// Where the chance is written.
        chance_span: Span,
    },
    /// By a die, all faces equally likely.
    Faces(Vec<Expr>),
}

/// A line of a throw's table.
#[derive(Debug, Clone)]
pub struct CountPlan {
    /// Pieces up.
    pub up: u64,
    /// What it counts.
    pub count: i32,
    /// What it is called.
    pub name: Option<String>,
}

/// A chance as written, or an option that holds it.
#[derive(Debug, Clone, Copy)]
pub enum ChancePlan {
    /// `digits / 10^scale`.
    Fixed {
        /// The digits.
        digits: u64,
        /// The decimal places.
        scale: u32,
    },
    /// An option's value.
    Option(OptionId),
}

/// How long a variable's value lasts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
pub enum Lifetime {
    /// It is set anew at the start of each turn.
    Turn,
    /// The game; every player has one.
    Player,
    /// The game; there is one.
    Game,
}

/// A declared variable.
#[derive(Debug, Clone)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// The value at the start.
    pub start: Expr,
    /// How long its value lasts.
    pub lifetime: Lifetime,
    /// Where its name is written.
    pub span: Span,
}

/// A part of the turn, or of endings, with a name.
#[derive(Debug, Clone)]
pub struct Procedure {
    /// Its name.
    pub name: String,
    /// Its parameters.
    pub params: Vec<VarId>,
    /// What it does.
    pub body: BlockId,
    /// Where its name is written.
    pub span: Span,
}

/// A way for the game to end.
#[derive(Debug, Clone)]
pub struct Ending {
    /// Its name.
    pub name: String,
    /// When it applies.
    pub when: When,
    /// What is settled, and who wins.
    pub body: BlockId,
    /// Its rule.
    pub rule: RuleId,
    /// Where its name is written.
    pub span: Span,
}

/// When an ending applies.
#[derive(Debug, Clone, PartialEq, Eq, Hash, serde::Serialize)]
pub enum When {
    /// Looked at after every effect.
    AtOnce(Expr),
    /// Looked at after every turn, and at the start.
    AfterTurn(Expr),
    /// Reached by `end by`.
    Called,
}

/// A rule of the file: where it stands and what it rests on, its block's grounds included.
#[derive(Debug, Clone)]
pub struct Rule {
    /// Where it stands: a statement, or the name or first word of a declaration.
    pub span: Span,
    /// What kind of rule it is.
    pub kind: RuleKind,
    /// Whether it is only a frame: a statement that holds others or names a value, or a heading, without grounds of its
    /// own. What it holds is grounded line by line.
    pub frame: bool,
    /// The claims it models.
    pub claims: Vec<ClaimId>,
    /// Why it is there although no source says so.
    pub assumed: Option<String>,
    /// Where its grounds are written; none if it has none.
    pub grounds: Option<Span>,
    /// Whether its grounds are those of its block.
    pub inherited: bool,
}

/// Kinds of rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RuleKind {
    /// An option.
    Option,
    /// A reading.
    Reading,
    /// How many play.
    Seats,
    /// A line of the board.
    Board,
    /// A track.
    Track,
    /// The men.
    Men,
    /// What is thrown.
    Throw,
    /// What a fall counts.
    Count,
    /// A variable.
    Variable,
    /// An expression with a name.
    Define,
    /// The heading of the turn.
    Turn,
    /// The heading of a procedure.
    Procedure,
    /// An ending.
    Ending,
    /// The limit of turns.
    Limit,
    /// A statement.
    Statement,
}

/// An example of the file.
#[derive(Debug, Clone)]
pub struct Example {
    /// What it shows.
    pub title: String,
    /// The claims it illustrates.
    pub claims: Vec<ClaimId>,
    /// The readings under which it holds, where not the defaults.
    pub readings: Vec<(ReadingId, AlternativeId)>,
    /// The options under which it holds, where not the defaults.
    pub options: Vec<(OptionId, i64)>,
    /// What is done and expected, in order.
    pub steps: Vec<(ExampleStep, Span)>,
    /// Where its title is written.
    pub span: Span,
}

/// A line of an example.
#[derive(Debug, Clone)]
pub enum ExampleStep {
    /// The game is put into this position.
    Position(String),
    /// These moves are made.
    Play(String),
    /// The position must be this.
    ExpectPosition(String),
    /// Each seat must have captured so much.
    ExpectCaptured(Vec<i64>),
    /// These moves, and no others, are on offer.
    ExpectChoices(String),
    /// This move is not on offer.
    ExpectRefused(String),
    /// This seat has won.
    ExpectWinner(String),
    /// The game is drawn.
    ExpectDraw,
    /// The game goes on.
    ExpectOpen,
    /// It ended so.
    ExpectEnding(EndingId),
}
