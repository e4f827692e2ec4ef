//! Every kind of problem, and the words for it: the one place where they stand.

use Severity::{Error, Note, Warning};

/// How serious a problem is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The file is no game.
    Error,
    /// The file is a game, though perhaps not the one that was meant.
    Warning,
    /// Something that is missing for a scholar.
    Note,
}

/// What is said about a problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Words {
    /// A short name that does not change.
    pub code: &'static str,
    /// How serious it is.
    pub severity: Severity,
    /// What is wrong.
    pub message: String,
    /// What is said at the place itself.
    pub label: String,
    /// What can be done.
    pub help: Option<String>,
}

/// A kind of problem with what it takes to explain it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[rustfmt::skip]
pub(crate) enum Problem {
    // Text
    UnclosedText,
    TooDeep { limit: usize },
    StrayBracket { found: char },
    UnclosedBracket { expected: char },
    Unexpected { found: String, expected: Vec<String>, help: Option<String> },
    ChainTooLong { limit: usize },
    // Names
    ReservedName { name: String },
    Duplicate { what: &'static str, name: String },
    DuplicatePart { what: &'static str },
    Missing { what: &'static str, example: &'static str },
    UnknownName { name: String, near: Option<String> },
    UnknownSource { name: String, near: Option<String> },
    UnknownClaim { name: String, near: Option<String> },
    AmbiguousClaim { name: String, sources: Vec<String> },
    UnknownReading { name: String, near: Option<String> },
    UnknownAlternative { reading: String, name: String, near: Option<String>, all: Vec<String> },
    UnknownOption { name: String, near: Option<String> },
    UnknownEnding { name: String, near: Option<String> },
    UnknownProcedure { name: String, near: Option<String> },
    UnknownThrow { name: String, near: Option<String> },
    UnknownVariable { name: String, near: Option<String> },
    UnknownTrack { name: String, near: Option<String> },
    UnknownMark { name: String, near: Option<String> },
    UnknownState { name: String, near: Option<String> },
    UnknownGroup { name: String, near: Option<String> },
    UnknownSeat { name: String, near: Option<String> },
    Unused { what: &'static str, name: String },
    // Types
    WrongType { wanted: &'static str, found: &'static str },
    NotASet { found: &'static str },
    NotWhole,
    NoTurns,
    ChanceAsNumber { name: String },
    NotAChance,
    NotAValue { name: String },
    NeedsArguments { name: String, wanted: usize },
    TakesNoArguments { name: String },
    WrongCount { name: String, wanted: usize, found: usize },
    UsedBeforeDefined { name: String },
    ExpressionTooLarge { limit: usize },
    IsWhat { reading: Option<(String, Vec<String>)> },
    NoMen { word: &'static str },
    NoPits { word: &'static str },
    CannotAssign { name: String },
    HasTooMuch { name: String },
    SeenByOthers,
    TwoHomes,
    EverySeatHas { name: String },
    NotEverySeatHas { name: String },
    // Readings and options
    ReadingInReading { name: String },
    ReadingWithoutValue { name: String, all: Vec<String> },
    TwoDefaults { reading: String },
    OneAlternative { reading: String },
    NoDefault { reading: String },
    ValueMissing { reading: String },
    SameRules { reading: String, one: String, other: String },
    DefaultOutOfRange { option: String },
    OptionOutOfRange { option: String, low: String, high: String },
    // Board, tracks, men
    SeatCount { count: i64 },
    RowCount { rows: i64, players: usize },
    UnevenShare { pits: usize, players: usize },
    NoSeeds,
    PartnersOfFour { players: usize },
    PlacesNoLine { from: String, to: String },
    BoardTooLarge { what: &'static str, size: i64, max: i64 },
    OffBoard { place: String },
    NotAPlace { name: String, grid: bool },
    TrackOffBoard { square: String },
    TrackJumps { from: String, to: String, line: bool },
    TrackCannotTurn,
    TrackEndsNowhere { name: String },
    TrackWithoutGrid,
    OffTrack { place: String, track: String },
    HomeAndThen,
    NoHome,
    MenWithoutTrack,
    MenWhere { hand: bool },
    MenPlaces { squares: usize, men: usize },
    MenOffTrack,
    NotFixed { what: &'static str },
    // Throws
    TooManyOutcomes { pieces: i64, max: i64 },
    ChanceOutOfRange,
    ChanceTooFine,
    TableTooLong { up: u64, pieces: u64 },
    TableGap { up: u64 },
    // Turn
    LoopWithoutBound,
    BoundWithoutElse,
    BoundNotFixed,
    Recursion { name: String },
    CallsTooDeep { limit: usize },
    TooMany { what: &'static str, max: usize },
    ChoiceWithoutNone,
    ChoiceWithoutNoneAllowed,
    TooManyMoves { moves: u64, max: u64 },
    TurnTooLong { steps: u128, max: u128 },
    Misplaced { what: &'static str, ending: bool },
    NotWhileFalling { what: &'static str },

    Unreachable,
    EarlyRequire,
    RequireBeforeChoice,
    LastUnset,
    EndingAsksTurn { word: &'static str },
    RangeTooWide { max: u64 },
    NothingHappens,
    SeedsInHand,
    NothingToSow,
    LoneSeed,
    // Endings
    EndingWithoutResult { name: String },
    EndingNever { name: String },
    // Citations and examples
    NoSource,
    RuleWithoutClaim,
    UncitedClaim { name: String },
    CitedNotModelled { name: String },
    ExampleExpectsNothing,
    // Anchors in the words of a source
    AnchorMissing { texts: String, near: Option<String> },
    AnchorAmbiguous { places: String },
}

impl Problem {
    /// The name of the reading that is never used, if that is the problem.
    pub(crate) fn unused_reading(&self) -> Option<String> {
        match self {
            Self::Unused { what: "reading", name } => Some(name.clone()),
            _ => None,
        }
    }

    /// Code, severity, message, label and help.
    #[rustfmt::skip] // A table: one line for each kind of problem.
    pub(crate) fn words(&self) -> Words {
        use Problem::*;
        match self {
            UnclosedText => say(Error, "unclosed-text", "a text in quotes is never closed", "it starts here", "close it with `\"`"),
            TooDeep { limit } => say(Error, "too-deep", format!("this nests deeper than {limit}"), "one too many", "give a part of it a name with `define` or `to`"),
            StrayBracket { found } => say(Error, "stray-bracket", format!("`{found}` closes nothing"), "nothing is open here", "remove it, or open the block before it"),
            UnclosedBracket { expected } => say(Error, "unclosed-bracket", format!("this is never closed with `{expected}`"), "opened here", format!("add `{expected}` where it ends")),
            Unexpected { found, expected, help } => {
                let label = if expected.is_empty() { "cannot stand here".to_owned() } else { format!("expected {}", list(expected)) };
                words(Error, "syntax", format!("{found} cannot stand here"), label, help.clone())
            }
            ChainTooLong { limit } => say(Error, "chain-too-long", format!("more than {limit} operands or branches in a row"), "this is too long", "give a part of it a name with `define`"),

            ReservedName { name } => say(Error, "reserved-name", format!("`{name}` has a meaning of its own in the language"), "cannot be a name", "choose another name"),
            Duplicate { what, name } => say(Error, "duplicate-name", format!("the {what} `{name}` stands twice"), "already taken", "give one of them another name"),
            DuplicatePart { what } => say(Error, "duplicate-part", format!("a file has one {what}"), format!("a second {what}"), "remove one of them"),
            Missing { what, example } => say(Error, "missing-part", format!("{what} is missing"), "missing here", format!("add, for example: {example}")),
            UnknownName { name, near } => unknown("unknown-name", "name", name, near, "names come from `option`, `reading`, `variable`, `define`, `let`, or the board"),
            UnknownSource { name, near } => unknown("unknown-source", "source", name, near, "a source is declared by `source name { ... }`"),
            UnknownClaim { name, near } => unknown("unknown-claim", "claim", name, near, "a claim is declared in a source by `claim name \"...\"`"),
            AmbiguousClaim { name, sources } => say(Error, "ambiguous-claim", format!("more than one source has a claim `{name}`"), "which one?", format!("write `@{}.{name}`", sources.join(&format!(".{name}` or `@")))),
            UnknownReading { name, near } => unknown("unknown-reading", "reading", name, near, "a reading is declared by `reading name \"question\" { ... }`"),
            UnknownAlternative { reading, name, near, all } => {
                let help = near.as_ref().map_or_else(|| format!("its alternatives are {}", all.join(", ")), |near| format!("did you mean `{near}`?"));
                words(Error, "unknown-alternative", format!("the reading `{reading}` has no alternative `{name}`"), "no such alternative", Some(help))
            }
            UnknownOption { name, near } => unknown("unknown-option", "option", name, near, "an option is declared by `option name \"...\" = 4 from 1 to 8`"),
            UnknownEnding { name, near } => unknown("unknown-ending", "ending", name, near, "an ending is declared by `ending name, after a turn when ... { ... }`"),
            UnknownProcedure { name, near } => unknown("unknown-procedure", "procedure", name, near, "a procedure is declared by `to name(...) { ... }`"),
            UnknownThrow { name, near } => unknown("unknown-throw", "throw", name, near, "a throw is declared by `throw name: 4 pieces, up with chance 0.5 { ... }`"),
            UnknownVariable { name, near } => unknown("unknown-variable", "variable", name, near, "a new value gets its name by `let`"),
            UnknownTrack { name, near } => unknown("unknown-track", "track", name, near, "a track is declared by `track name: a1 .. e1, turned for each seat`"),
            UnknownMark { name, near } => unknown("unknown-mark", "mark", name, near, "a mark is declared on the board by `mark name`"),
            UnknownState { name, near } => unknown("unknown-state", "state of men", name, near, "states are declared with the men: `men 9 each, asleep or awake, at start`"),
            UnknownGroup { name, near } => unknown("unknown-group", "group", name, near, "behind `own`, `friend`, `enemy` or `all` comes `pits`, `men`, `store`, a mark, or `places` that every seat has"),
            UnknownSeat { name, near } => unknown("unknown-seat", "seat", name, near, "the seats are South, East, North and West"),
            Unused { what, name } => say(Warning, "unused", format!("the {what} `{name}` is never used"), "declared, but no rule uses it", "use it or remove it"),

            WrongType { wanted, found } => say(Error, "wrong-type", format!("expected {wanted}, found {found}"), format!("expected {wanted}"), type_help(wanted, found)),
            NotASet { found } => say(Error, "not-a-set", format!("there is nothing to choose or visit in {found}"), format!("this is {found}"), "a set is, for example, `own pits`, `enemy men on passed`, or `pool`"),
            NotWhole => say(Error, "not-whole", "a whole number up to 1000000 was expected", "not such a number", None::<String>),
            NoTurns => say(Error, "not-whole", "a limit is at least one turn", "no turn at all", "write, for example, `limit 1000 turns`"),
            ChanceAsNumber { name } => say(Error, "chance-as-number", format!("`{name}` is a chance, not a count"), "a number was expected", "a chance can only stand in a `throw`"),
            NotAChance => say(Error, "not-a-chance", "a chance was expected", "no chance", "write a decimal number such as 0.5, or the name of an option"),
            NotAValue { name } => say(Error, "not-a-value", format!("`{name}` is no value"), "a value was expected", "procedures, throws, tracks and marks are not values; the pits with a mark are `own`, `enemy` or `all` of it"),
            NeedsArguments { name, wanted } => say(Error, "needs-arguments", format!("`{name}` must say of what"), format!("needs {wanted} in parentheses"), format!("write `{name}(...)`, with nothing between the name and the parenthesis")),
            TakesNoArguments { name } => say(Error, "takes-no-arguments", format!("`{name}` takes nothing in parentheses"), "remove the parentheses", None::<String>),
            WrongCount { name, wanted, found } => say(Error, "wrong-count", format!("`{name}` takes {wanted} in parentheses, not {found}"), format!("{found} given"), None::<String>),
            UsedBeforeDefined { name } => say(Error, "used-before-defined", format!("`{name}` cannot be used here"), "not defined yet", "a definition uses only those above it, and the values of readings use none"),
            ExpressionTooLarge { limit } => say(Error, "expression-too-large", format!("this has more than {limit} parts once its definitions are put in"), "too large", "say it with a procedure and variables"),
            IsWhat { reading } => say(Error, "is-what", "`is` compares a reading with one of its alternatives, or asks whether a number is even or odd", "not such a question", match reading {
                Some((name, all)) => format!("the alternatives of `{name}` are {}", all.join(", ")),
                None => "write `==` to compare two values".to_owned(),
            }),
            NoMen { word } => say(Error, "no-men", format!("`{word}` speaks of men, and this game has none"), "there are no men", "men need a `track` and `men 4 each, at start`"),
            NoPits { word } => say(Error, "no-pits", format!("`{word}` speaks of pits, and this board has squares"), "there are no pits", "pits come with `rows 2 of 6`"),
            HasTooMuch { name } => say(Warning, "has-too-much", format!("a part of what stands behind `has` does not speak of `{name}`"), "`has` goes as far as it can", "put the question in parentheses, or that part before it"),
            SeenByOthers => say(Error, "seen-by-others", "the definition asks every player, and would see this with each one's eyes", "whose is it meant to be?", "give it a name with `let` first"),
            TwoHomes => say(Error, "two-homes", "a second track ends at home", "a second home", "let both lead to one track that ends at home: `..., then last-part`"),
            EverySeatHas { name } => say(Error, "every-seat-has", format!("every seat has `{name}` of its own"), "whose?", format!("write `own {name}`, `enemy {name}` or `all {name}`")),
            NotEverySeatHas { name } => say(Error, "not-every-seat-has", format!("`{name}` belongs to no seat"), "nobody's", format!("write `{name}` alone, or declare it `..., for each seat`")),
            CannotAssign { name } => say(Error, "cannot-assign", format!("`{name}` cannot be changed"), "not a variable", "only variables and values named by `let` change during play"),

            ReadingInReading { name } => say(Error, "reading-in-reading", format!("what a reading stands for cannot hang on another reading (`{name}`)"), "a reading", "decide it with `if` where the reading is used"),
            ReadingWithoutValue { name, all } => say(Error, "reading-without-value", format!("the alternatives of `{name}` stand for no values"), "used as a value", format!("ask `{name} is {}`, or give every alternative a value with `=`", all.join(&format!("` or `{name} is ")))),
            TwoDefaults { reading } => say(Error, "two-defaults", format!("the reading `{reading}` has two defaults"), "a second default", "mark one alternative with `default`"),
            OneAlternative { reading } => say(Error, "one-alternative", format!("the reading `{reading}` leaves nothing to choose"), "fewer than two alternatives", "name the other ways to read the source, or state the rule without a reading"),
            NoDefault { reading } => say(Error, "no-default", format!("the reading `{reading}` has no default"), "which alternative when none is chosen?", "mark one alternative with `default`"),
            ValueMissing { reading } => say(Error, "value-missing", format!("some alternatives of `{reading}` stand for a value and this one does not"), "no value", "give it one with `=`"),
            SameRules { reading, one, other } => say(Warning, "same-rules", format!("`{one}` and `{other}` of the reading `{reading}` give the same rules"), "no difference in play", "remove one of them, or write the rule that tells them apart"),
            DefaultOutOfRange { option } => say(Error, "out-of-range", format!("this is outside the range of the option `{option}`"), "out of range", "write `= default from lowest to highest`"),
            OptionOutOfRange { option, low, high } => say(Error, "out-of-range", format!("the option `{option}` goes from {low} to {high}"), "outside", None::<String>),

            SeatCount { count } => say(Error, "seat-count", format!("{count} cannot play"), "a game has two to four players", "write `seats 2`, `seats 3` or `seats 4`"),
            RowCount { rows, players } => say(Error, "row-count", format!("{rows} rows of pits for {players} players cannot be laid out"), "a board has one to three rows for two to four players, or four rows for two", "write, for example, `rows 2 of 6` and `seats 2`"),
            UnevenShare { pits, players } => say(Error, "uneven-share", format!("{pits} pits cannot be shared among {players} players"), "uneven, or more than 26 for each", "each player owns the same number of pits in a row"),
            NoSeeds => say(Error, "no-seeds", "there are no seeds at the start", "no seed at all", "write, for example, `start 4 in each pit`"),
            PartnersOfFour { players } => say(Error, "partners-of-four", format!("{players} players have no partners who face each other"), "partners are four", "write `seats 4, partners opposite`"),
            PlacesNoLine { from, to } => say(Error, "no-line", format!("no straight line leads from `{from}` to `{to}`"), "not in line", "pits of a line lie in one row, squares in a row, a column or a diagonal"),
            BoardTooLarge { what, size, max } => say(Error, "board-size", format!("there cannot be {size} {what}"), format!("1 to {max} can be"), None::<String>),
            OffBoard { place } => say(Error, "off-board", format!("there is no `{place}` on this board"), "off the board", "a smaller board has fewer places: name places that every size has"),
            NotAPlace { name, grid } => say(Error, "not-a-place", format!("`{name}` is no place on a board"), "no place", if *grid { "squares are named a1, b1, ... from the left of South's seat" } else { "South's pits are named A, B, ..., North's a, b, ..., each from the player's left" }),
            TrackOffBoard { square } => say(Error, "track-off-board", format!("the track leaves the board at `{square}`"), "off the board", "squares are named a1, b1, ... from the left of South's seat"),
            TrackJumps { from, to, line } => say(Error, "track-jumps", format!("the track jumps from `{from}` to `{to}`"), if *line { "not in a straight line" } else { "not a neighbour" }, "write neighbours one after the other, and `..` for the squares of a straight line"),
            TrackCannotTurn => say(Error, "track-cannot-turn", "the track cannot be turned or mirrored for every seat", "no such square for another seat", "a board for three or four seats has as many files as ranks; only two can be mirrored; where all go South's way, say `the same for each seat`"),
            TrackEndsNowhere { name } => say(Error, "track-ends-nowhere", format!("the track `{name}` leads nowhere"), "fewer than two squares", "a track goes from its first square to the one where a man is home"),
            TrackWithoutGrid => say(Error, "track-without-grid", "a track needs squares", "this board has none", "squares come with `grid 5 by 5` or `cross 3 by 8`"),
            MenWithoutTrack => say(Error, "men-without-track", "men need a track to walk on", "there is no track", "add, for example: track way: a1 .. e1, turned for each seat"),
            OffTrack { place, track } => say(Error, "off-track", format!("`{place}` is no square of the track `{track}`"), "not on that track", "name one of its squares as South sees it"),
            NoHome => say(Error, "no-home", "no track ends at home", "nobody is ever home", "write `home` before the last square of a track, or behind it where home lies beside the board"),
            HomeAndThen => say(Error, "home-and-then", "a track that ends at home leads to no other", "leads on", "leave out `home`, or `then`"),
            MenWhere { hand } => say(Error, "men-where", if *hand { "the track begins in the hand, and the men do not" } else { "the men begin in the hand, and the track does not" }, "where do they begin?", if *hand { "write `men ... each, in hand`" } else { "write `men ... each, at start`, or let the track begin with `hand`" }),
            MenPlaces { squares, men } => say(Error, "men-places", format!("there are {squares} squares for {men} men"), "not one on each", "name as many squares as each seat has men"),
            MenOffTrack => say(Error, "men-off-track", "a man would stand on a square that his track does not tread", "off the track", "men stand on squares of their track"),
            NotFixed { what } => say(Error, "not-fixed", format!("{what} must be known before play"), "changes during play", "use numbers and options only"),

            TooManyOutcomes { pieces, max } => say(Error, "too-many-outcomes", format!("{pieces} pieces cannot be thrown at once"), format!("1 to {max} can"), "a throw has one outcome for each number of pieces that fall up"),
            ChanceOutOfRange => say(Error, "chance-out-of-range", "a chance lies between 0 and 1", "above 1", None::<String>),
            ChanceTooFine => say(Error, "chance-too-fine", "the exact chances of this throw do not fit", "too many digits for so many pieces", "write the chance with fewer decimal places"),
            TableTooLong { up, pieces } => say(Error, "table-too-long", format!("{up} pieces cannot fall up when {pieces} are thrown"), format!("has a line for {up} up"), "remove that line"),
            TableGap { up } => say(Error, "table-gap", format!("nothing says what {up} up counts"), format!("no line for {up} up"), format!("add a line such as `{up} up counts {up}`")),

            LoopWithoutBound => say(Error, "loop-without-bound", "a loop must have a bound", "how often at most?", "write `while ... at most 12 times { ... } else ...`"),
            BoundWithoutElse => say(Error, "bound-without-else", "a loop must say what happens when it reaches its bound", "and then?", "add `else { ... }` after the loop, or `else go on`"),
            BoundNotFixed => say(Error, "bound-not-fixed", "the bound of a loop must be known before play", "changes during play", "use numbers and options only"),
            Recursion { name } => say(Error, "recursion", format!("`{name}` comes to call itself"), "calls in a circle", "use a loop with a bound"),
            CallsTooDeep { limit } => say(Error, "calls-too-deep", format!("more than {limit} procedures call one another in a row"), "starts here", "join some of them"),
            TooMany { what, max } => say(Error, "too-many", format!("a file has at most {max} {what}"), "one too many", "join some of them"),
            ChoiceWithoutNone => say(Error, "choice-without-none", "a choice must say what happens when there is nothing to choose", "and if there is none?", "add `if none pass`, `if none go on`, or `if none { ... }`"),
            ChoiceWithoutNoneAllowed => say(Error, "choice-without-none-allowed", "a later rule can refuse every choice, and nothing says what happens then", "and if none is allowed?", "add `if none allowed end by ...`, or `if none allowed { ... }`"),
            TooManyMoves { moves, max } => say(Error, "too-many-moves", format!("this choice could offer {moves} moves"), format!("{max} at most"), "choose from smaller sets, or one after the other"),
            TurnTooLong { steps, max } => say(Error, "turn-too-long", if *steps > 1_000_000_000_000_000 { "by its bounds a turn could take more than 10^15 steps".to_owned() } else { format!("by its bounds a turn could take {steps} steps") }, format!("{max} at most"), "lower the bounds: they stand inside one another; `play again` multiplies the turn, and `require` or `refuse` by the moves that are tried"),
            Misplaced { what, ending: true } => say(Error, "misplaced", format!("{what} cannot stand in an ending"), "the round is over here", "an ending settles what is left (`keep`, `put`, `mark`) and names the winner or begins a `new round`"),
            Misplaced { what, ending: false } => say(Error, "misplaced", format!("{what} can stand only in an ending"), "the game goes on here", "write `end by NAME`, and an `ending NAME, when called { ... }`"),
            NotWhileFalling { what } => say(Error, "not-while-falling", format!("{what} cannot be done for every seed as it falls"), "the sowing is still under way", "`if`, `capture`, `mark`, `put` and changes of variables can; do the rest behind the sowing"),
            Unreachable => say(Warning, "unreachable", "this is never reached", "what stands before it ends the turn", "remove it, or move it up"),
            EarlyRequire => say(Warning, "early-require", "the turn goes on after this requirement", "it is judged here, and the board still changes", "move it behind what still changes the board"),
            RequireBeforeChoice => say(Error, "require-before-choice", "nothing has been chosen yet that could be refused", "no choice before it", "put the `choose` before it; use `if` for what does not hang on a choice"),
            LastUnset => say(Error, "last-unset", "`last` is the pit where the last seed fell, and nothing may have been sown in this turn yet", "perhaps no pit", "sow before asking for `last`, and make sure that there is something to sow: `choose hole from own pits where seeds(hole) > 0`"),
            EndingAsksTurn { word } => say(Error, "ending-asks-turn", format!("`{word}` belongs to a turn, and an ending is looked at outside of it"), "not known here", "keep what an ending needs in a `variable ... for the game`"),
            RangeTooWide { max } => say(Error, "range-too-wide", "a range of numbers must be known before play", format!("at most {max} numbers"), "to ask whether a number lies in a range, write `in numbers 1 to ...`"),
            NothingHappens => say(Warning, "nothing-happens", "nobody chooses or throws anything in a turn", "no choice and no throw", "add `choose ... from ... where ... if none pass`"),
            SeedsInHand => say(Error, "seeds-in-hand", "seeds could be left in the hand when the turn ends here", "the hand may hold seeds", "sow the hand before the turn ends, whichever way it goes"),
            NothingToSow => say(Warning, "nothing-to-sow", "the hand can be empty when this sows", "perhaps nothing to sow", "lift pits that hold seeds before: `choose hole from own pits where seeds(hole) > 0`"),
            LoneSeed => say(Warning, "lone-seed", "a lone seed sown into the pit it came from changes nothing", "starts in the pit just lifted", "say what a lone seed does: `if hand == 1 { sow from next(...) } else { ... }`"),

            EndingWithoutResult { name } => say(Error, "ending-without-result", format!("the ending `{name}` does not always name a winner"), "who wins?", "add `most captured wins`, `mover wins` or `nobody wins`"),
            EndingNever { name } => say(Warning, "ending-never", format!("the condition of the ending `{name}` is always false"), "never applies", "remove it, or correct its condition"),

            NoSource => say(Note, "no-source", "the file names no source", "where do the rules come from?", "add `source name { author \"...\" year \"...\" claim name \"...\" }` and cite claims with `@name`"),
            RuleWithoutClaim => say(Note, "rule-without-claim", "no claim supports this rule", "on what does it rest?", "cite a claim with `@name`, or say `assumed \"why\"`"),
            AnchorMissing { texts, near } => {
                let help = near.as_ref().map_or_else(|| "copy a few words as they stand in the text".to_owned(), |near| format!("the nearest words are {near}"));
                say(Error, "anchor-missing", format!("the anchor is not found in {texts}"), "these words do not stand there", help)
            }
            AnchorAmbiguous { places } => say(Warning, "anchor-ambiguous", format!("the anchor is found more than once: {places}"), "covers nothing until it is found once", "add a word, or write `first words ... last words`"),
            UncitedClaim { name } => say(Warning, "uncited-claim", format!("no rule cites the claim `{name}`"), "the source says so, and no rule does", "cite it where it is modelled, or say `not modelled \"why\"`"),
            CitedNotModelled { name } => say(Warning, "cited-not-modelled", format!("the claim `{name}` is cited, and said to be not modelled"), "cited here", "remove `not modelled`, or the citation"),
            ExampleExpectsNothing => say(Warning, "example-expects-nothing", "the example expects nothing", "it cannot fail", "add a line such as `expect captured 3 0`"),
        }
    }
}

fn words(
    severity: Severity,
    code: &'static str,
    message: String,
    label: impl Into<String>,
    help: Option<String>,
) -> Words {
    Words { code, severity, message, label: label.into(), help }
}

/// Help that may be absent.
trait Help {
    fn help(self) -> Option<String>;
}

impl Help for &str {
    fn help(self) -> Option<String> {
        Some(self.to_owned())
    }
}

impl Help for String {
    fn help(self) -> Option<String> {
        Some(self)
    }
}

impl Help for Option<String> {
    fn help(self) -> Option<String> {
        self
    }
}

fn say(
    severity: Severity,
    code: &'static str,
    message: impl Into<String>,
    label: impl Into<String>,
    help: impl Help,
) -> Words {
    words(severity, code, message.into(), label, help.help())
}

fn unknown(code: &'static str, what: &str, name: &str, near: &Option<String>, otherwise: &str) -> Words {
    let help = near.as_ref().map_or_else(|| otherwise.to_owned(), |near| format!("did you mean `{near}`?"));
    words(Error, code, format!("there is no {what} `{name}`"), format!("unknown {what}"), Some(help))
}

/// What may have been meant by a value of another type.
fn type_help(wanted: &str, found: &str) -> Option<String> {
    let sites = found.contains("pit");
    let help = match wanted {
        "a number" if sites => "`seeds(...)` is the number of seeds in pits, `size(...)` the number of places",
        "a number" if found.starts_with("men") => "`size(...)` is the number of men",
        "a number" if found == "a condition" => {
            "`on` and `in` take what stands next to them: put a set of several parts in parentheses"
        }
        "a condition" if found == "a number" => "compare it, for example `... > 0`, or `... in {2, 3}`",
        "a condition" if sites => "ask about it, for example `seeds(...) > 0`, or `... in own pits`",
        "a pit or square" if found == "a number" => "`seeds(...)` is the number of seeds in a pit",
        "men" if sites => "the men there are, for example, `enemy men on ...`",
        "a man or men" if sites => "a place is asked with `in`: `... in own pits`",
        _ => return None,
    };
    Some(help.to_owned())
}

/// `a, b or c`.
fn list(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] if last == "..." => format!("{}, ...", first.join(", ")),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}
