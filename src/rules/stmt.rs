//! Checked statements.

use serde::Serialize;

use super::{
    expr::Expr,
    table::{BlockId, EndingId, MarkId, ProcedureId, RuleId, StateId, ThrowId, VarId, VariableId},
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
            Self::ForEach { body, .. }
            | Self::EachPlayer(body)
            | Self::ByPlayer(_, body)
            | Self::Sow { body: Some(body), .. }
            | Self::Move { body: Some(body), .. }
            | Self::Again { reached: body, .. } => vec![*body],
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
            Self::Sow { from, towards, skipping, .. } => std::iter::once(from).chain(towards).chain(skipping).collect(),
            Self::Capture { seeds, from } => seeds.iter().chain(std::iter::once(from)).collect(),
            Self::Put { seeds, from, into } => vec![seeds, from, into],
            Self::Move { men, by, to, .. } => vec![men, by].into_iter().chain(to).collect(),
            Self::Call(_, args) => args.iter().collect(),
            Self::If(expr, ..)
            | Self::ByPlayer(expr, _)
            | Self::Lift(expr)
            | Self::CaptureMen(expr)
            | Self::Keep(expr)
            | Self::Mark(expr, _)
            | Self::Unmark(expr, _)
            | Self::Make(expr, _)
            | Self::SendBack(expr)
            | Self::Add(expr)
            | Self::Spend(expr)
            | Self::Again { times: expr, .. }
            | Self::Require(expr)
            | Self::NewRound(expr)
            | Self::MostWins(expr, _)
            | Self::Set(_, expr)
            | Self::SetVariable(_, expr) => vec![expr],
            Self::EachPlayer(_)
            | Self::Throw(..)
            | Self::ClearPool
            | Self::Pass
            | Self::Refuse
            | Self::EndBy(_)
            | Self::TakeBack
            | Self::MoverWins(_)
            | Self::MoverLoses(_)
            | Self::NobodyWins(_) => vec![],
        }
    }

    /// Whether it changes how many seeds lie where, or where men stand, by itself.
    #[must_use]
    pub fn changes_board(&self) -> bool {
        matches!(
            self,
            Self::Lift(_)
                | Self::Sow { .. }
                | Self::Capture { .. }
                | Self::CaptureMen(_)
                | Self::Keep(_)
                | Self::Put { .. }
                | Self::Mark(..)
                | Self::Unmark(..)
                | Self::Make(..)
                | Self::Move { .. }
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
        /// Whether he may also choose nothing, with what `none` does.
        may: bool,
        /// What is chosen, each from a set; all at once. A set may speak of what stands before it.
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
    /// The block is done by this player.
    ByPlayer(Expr, BlockId),
    /// All seeds of these pits go into the hand.
    Lift(Expr),
    /// The hand is sown.
    Sow {
        /// The pit that gets the first seed.
        from: Expr,
        /// The direction, where it is not that of the board.
        towards: Option<Expr>,
        /// Pits passed over.
        skipping: Option<Expr>,
        /// Done for every seed as it falls.
        body: Option<BlockId>,
    },
    /// The acting player captures seeds.
    Capture {
        /// How many of each pit at most; all where no number is said.
        seeds: Option<Expr>,
        /// The pits.
        from: Expr,
    },
    /// These men are captured by the acting player, and out of the game.
    CaptureMen(Expr),
    /// All seeds of these pits go to the acting player without being a capture.
    Keep(Expr),
    /// So many seeds, or as many as there are, go from one place to another.
    Put {
        /// How many at most.
        seeds: Expr,
        /// Where they are.
        from: Expr,
        /// Where they go.
        into: Expr,
    },
    /// The acting player's mark is put on pits.
    Mark(Expr, MarkId),
    /// A mark is taken off pits, whosever it is.
    Unmark(Expr, MarkId),
    /// One throw; the count goes to the variable.
    Throw(ThrowId, VarId),
    /// Men move along their track, at most to its end. The block is part of the move: endings are
    /// looked at behind it.
    Move {
        /// Who moves, all of them.
        men: Expr,
        /// How many steps.
        by: Expr,
        /// The square to come to, where the track forks.
        to: Option<Expr>,
        /// What belongs to the move.
        body: Option<BlockId>,
    },
    /// Men come into a state.
    Make(Expr, StateId),
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
    /// The turn begins anew for the same player.
    Again {
        /// How often at most in a turn.
        times: Expr,
        /// Done instead when that is reached.
        reached: BlockId,
    },
    /// What was chosen is not allowed.
    Refuse,
    /// What was chosen is allowed only if this holds.
    Require(Expr),
    /// The game ends so.
    EndBy(EndingId),
    /// The board is again as it was when the turn began.
    TakeBack,
    /// A new round begins with this player.
    NewRound(Expr),
    /// The side for which this is largest wins; partners add up.
    MostWins(Expr, Decides),
    /// The mover's side wins.
    MoverWins(Decides),
    /// The side of the others wins; where there are several, they are tied.
    MoverLoses(Decides),
    /// A draw.
    NobodyWins(Decides),
    /// A value gets a name, or another value.
    Set(VarId, Expr),
    /// A declared variable gets a value.
    SetVariable(VariableId, Expr),
    /// A procedure is done, its parameters set first.
    Call(ProcedureId, Vec<Expr>),
}

/// What a result is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub enum Decides {
    /// The game, which is over then.
    Game,
    /// The round: what is settled goes on.
    Round,
}

/// A procedure.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct BoundProcedure {
    /// Its parameters.
    pub params: Vec<VarId>,
    /// What it does.
    pub body: BlockId,
}
