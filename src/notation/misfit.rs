//! Why rules do not explain a record: every kind, and the words for it.

use super::PositionError;
use crate::{
    diagnostic::{Severity, Words},
    rules::SetupError,
};

/// How many characters of a word are shown.
const MOST_SHOWN: usize = 40;
/// How many moves of a choice are named.
const MOST_NAMED: usize = 24;

/// A kind of reason for which rules do not explain a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Misfit {
    /// It is no record at all.
    Unreadable(Words),
    /// A game without moves.
    NoMoves,
    /// Its readings or options are not those of the game.
    Setup(SetupError),
    /// It names a reading or option that was chosen otherwise.
    ChosenOtherwise {
        /// The reading or option.
        name: String,
        /// What was chosen.
        chosen: String,
    },
    /// The rules cannot be played with its options.
    Unplayable {
        /// Why.
        reason: String,
    },
    /// It begins at a position that is none of this game.
    Position(PositionError),
    /// A name that means nothing here.
    Unknown {
        /// What sort of name.
        what: &'static str,
        /// The name.
        name: String,
        /// One that is alike.
        near: Option<String>,
    },
    /// A move that is not among those that can be made.
    NotOffered {
        /// The move as written.
        written: String,
        /// A part of it that is no place of the board.
        unknown: Option<String>,
        /// The moves that can be made.
        choices: Vec<String>,
    },
    /// A move that takes something else.
    Takes {
        /// The move as written.
        written: String,
        /// What it takes.
        found: i64,
        /// What it is said to take.
        said: i64,
    },
    /// A throw that does not count so.
    NoSuchThrow {
        /// What it is said to count.
        count: i64,
        /// What it can count.
        counts: Vec<i32>,
    },
    /// A throw where a move is due.
    MoveDue {
        /// The moves that can be made.
        choices: Vec<String>,
    },
    /// A move where a throw is due.
    ThrowDue {
        /// What it can count.
        counts: Vec<i32>,
    },
    /// The game was over before.
    Over {
        /// Its result.
        result: String,
    },
    /// It does not stand as the record says.
    Expected {
        /// What was expected, and what was found.
        reason: String,
    },
}

impl Misfit {
    /// Code, severity, message, label and help; the label is what is left to say where no place in a game is known.
    #[must_use]
    pub fn words(&self) -> Words {
        let say = |code, message: String, label: &str, help: Option<String>| Words {
            code,
            severity: Severity::Error,
            message,
            label: label.to_owned(),
            help,
        };
        match self {
            Self::Unreadable(words) => words.clone(),
            Self::NoMoves => say(
                "no-moves",
                "there is no move in this record".to_owned(),
                "nothing to explain",
                Some("a record is moves and throws with spaces between: `A c B+2`, `[4 2] c1`".to_owned()),
            ),
            Self::Setup(error) => say("setup", error.to_string(), "not of this game", None),
            Self::ChosenOtherwise { name, chosen } => say(
                "chosen-otherwise",
                format!("`{name}` is {chosen} on the command line"),
                "and another one here",
                Some("leave it out in one of the two places".to_owned()),
            ),
            Self::Unplayable { reason } => {
                say("unplayable", format!("the rules cannot be played so: {reason}"), "with what is said here", None)
            }
            Self::Position(error) => {
                let said = error.to_string();
                let (message, help) = said.split_once("; ").unwrap_or((&said, ""));
                let help = (!help.is_empty()).then(|| help.to_owned());
                say("position", message.to_owned(), "no position of this game", help)
            }
            Self::Unknown { what, name, near } => say(
                "unknown",
                format!("there is no {what} `{}`", short(name)),
                "unknown",
                near.as_ref().map(|near| format!("did you mean `{near}`?")),
            ),
            Self::NotOffered { written, unknown, choices } => {
                let unknown = unknown.as_ref().map(|name| format!("`{}` is no place of this board; ", short(name)));
                let unknown = unknown.unwrap_or_default();
                let number = !written.is_empty() && written.chars().all(|c| c.is_ascii_digit());
                let number = if number { "the number of a move has a point behind it, like `1.`; " } else { "" };
                let help = Some(format!("{unknown}{number}the choices are {}", named(choices)));
                say("not-offered", format!("`{}` is not on offer", short(written)), "not on offer", help)
            }
            Self::Takes { written, found, said } => {
                say("takes", format!("`{}` takes {found}, not {said}", short(written)), "takes something else", None)
            }
            Self::NoSuchThrow { count, counts } => say(
                "no-such-throw",
                format!("no throw counts {count}"),
                "no such throw",
                Some(format!("it can count {}", named(counts))),
            ),
            Self::MoveDue { choices } => say(
                "move-due",
                "nothing is thrown here".to_owned(),
                "no throw is due",
                Some(format!("a move is due: write it without brackets; the choices are {}", named(choices))),
            ),
            Self::ThrowDue { counts } => say(
                "throw-due",
                "a throw is due before a move".to_owned(),
                "no move is due",
                Some(format!(
                    "write what is thrown in brackets, like `[{}]`; it can count {}",
                    counts.first().copied().unwrap_or_default(),
                    named(counts)
                )),
            ),
            Self::Over { result } => {
                say("over", format!("the game is over: {result}"), "nothing can be played any more", None)
            }
            Self::Expected { reason } => say("expected", reason.clone(), "not so", None),
        }
    }
}

/// A word of a record; a long one is cut.
fn short(word: &str) -> String {
    let begin: String = word.chars().take(MOST_SHOWN).collect();
    if begin.len() < word.len() { format!("{begin}...") } else { begin }
}

fn named<T: ToString>(items: &[T]) -> String {
    let mut names: Vec<String> = items.iter().take(MOST_NAMED).map(ToString::to_string).collect();
    if items.len() > MOST_NAMED {
        names.push(format!("and {} more", items.len() - MOST_NAMED));
    }
    names.join(", ")
}
