//! Checked statements.

use serde::Serialize;

use super::{
    expr::Expr,
    table::{BlockId, EndingId, ProcedureId, RuleId, ThrowId, VarId, VariableId},
};

/// Statements in order.
pub type Block = Vec<Stmt>;

/// A statement; `rule` finds its place in the file and its grounds.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct Stmt {
    /// Which rule of the file it is. Not part of what the rules mean, hence not of their hash.
    #[serde(skip)]
    pub rule: RuleId,
    /// What it does.
    pub kind: StmtKind,
}

impl StmtKind {
    /// The blocks inside, in the order written.
    #[must_use]
    pub fn blocks(&self) -> Vec<BlockId> {
        match self {
            Self::Choose { none, none_allowed, .. } => std::iter::once(*none).chain(*none_allowed).collect(),
            Self::If(_, then, otherwise) => std::iter::once(*then).chain(*otherwise).collect(),
            Self::While { body, reached, .. } => vec![*body, *reached],
            Self::ForEach { body, .. } | Self::EachPlayer(body) | Self::Move(_, _, Some(body)) => vec![*body],
            _ => vec![],
        }
    }

    /// The expressions outside those blocks, in the order written.
    #[must_use]
    pub fn exprs(&self) -> Vec<&Expr> {
        match self {
            Self::Choose { picks, condition, .. } => picks.iter().map(|(_, set)| set).chain(condition).collect(),
            Self::While { condition, bound, .. } => vec![condition, bound],
            Self::ForEach { set, condition, walk, .. } => std::iter::once(set).chain(condition).chain(walk).collect(),
            Self::Sow(from, skipping) => std::iter::once(from).chain(skipping).collect(),
            Self::Move(man, by, _) => vec![man, by],
            Self::Call(_, args) => args.iter().collect(),
            Self::If(expr, ..)
            | Self::Lift(expr)
            | Self::Capture(expr)
            | Self::Keep(expr)
            | Self::SendBack(expr)
            | Self::Add(expr)
            | Self::Spend(expr)
            | Self::Require(expr)
            | Self::MostWins(expr)
            | Self::Set(_, expr)
            | Self::SetVariable(_, expr) => vec![expr],
            Self::EachPlayer(_)
            | Self::Throw(..)
            | Self::ClearPool
            | Self::Pass
            | Self::Refuse
            | Self::EndBy(_)
            | Self::TakeBack
            | Self::MoverWins
            | Self::NobodyWins => vec![],
        }
    }

    /// Whether it changes how many seeds lie where, or where men stand, by itself.
    #[must_use]
    pub fn changes_board(&self) -> bool {
        matches!(
            self,
            Self::Lift(_)
                | Self::Sow(..)
                | Self::Capture(_)
                | Self::Keep(_)
                | Self::Move(..)
                | Self::SendBack(_)
                | Self::TakeBack
        )
    }
}

/// What a statement does.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub enum StmtKind {
    /// The mover chooses.
    Choose {
        /// What is chosen, each from a set; all at once.
        picks: Vec<(VarId, Expr)>,
        /// What a choice must satisfy.
        condition: Option<Expr>,
        /// Done instead of the rest of the block when nothing satisfies it.
        none: BlockId,
        /// Done instead of the rest when something does, but every choice is refused later in the turn.
        none_allowed: Option<BlockId>,
    },
    /// One block or another.
    If(Expr, BlockId, Option<BlockId>),
    /// A loop with a bound.
    While {
        /// Looked at before each round.
        condition: Expr,
        /// How many rounds at most.
        bound: Expr,
        /// Whether it is a relay of sowings, which counts as endless when it reaches its bound.
        laps: bool,
        /// One round.
        body: BlockId,
        /// Done when the condition still holds at the bound.
        reached: BlockId,
    },
    /// A walk over a set, fixed when the walk starts.
    ForEach {
        /// The member looked at.
        var: VarId,
        /// The set.
        set: Expr,
        /// Members that do not satisfy it are passed over.
        condition: Option<Expr>,
        /// The walk ends at the first member that does not satisfy it.
        walk: Option<Expr>,
        /// Done for each.
        body: BlockId,
    },
    /// The block is done by every player in order of play, South first.
    EachPlayer(BlockId),
    /// All seeds of these pits go into the hand.
    Lift(Expr),
    /// The hand is sown from this pit on, passing over some.
    Sow(Expr, Option<Expr>),
    /// All seeds of these pits are captured by the acting player.
    Capture(Expr),
    /// All seeds of these pits go to the acting player without being a capture.
    Keep(Expr),
    /// One throw; the count goes to the variable.
    Throw(ThrowId, VarId),
    /// A man moves along his track, at most to its end. The block is part of the move: endings are
    /// looked at behind it.
    Move(Expr, Expr, Option<BlockId>),
    /// Men go back to the start of their tracks.
    SendBack(Expr),
    /// A count goes into the pool.
    Add(Expr),
    /// A count leaves the pool.
    Spend(Expr),
    /// The pool is emptied.
    ClearPool,
    /// The turn ends.
    Pass,
    /// What was chosen is not allowed.
    Refuse,
    /// What was chosen is allowed only if this holds.
    Require(Expr),
    /// The game ends so.
    EndBy(EndingId),
    /// The board is again as it was when the turn began.
    TakeBack,
    /// The player for whom this is largest wins.
    MostWins(Expr),
    /// The acting player wins.
    MoverWins,
    /// A draw.
    NobodyWins,
    /// A value gets a name, or another value.
    Set(VarId, Expr),
    /// A declared variable gets a value.
    SetVariable(VariableId, Expr),
    /// A procedure is done, its parameters set first.
    Call(ProcedureId, Vec<Expr>),
}
