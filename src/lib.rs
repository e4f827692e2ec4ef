//! Ayn runs traditional board games from rule files.

mod check;
mod diagnostic;
mod rules;
mod source;
mod span;
mod syntax;
pub use check::*; pub use diagnostic::*; pub use rules::*; pub use source::*; pub use span::*;
