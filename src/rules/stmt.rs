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
