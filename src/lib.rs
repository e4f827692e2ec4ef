//! Ayn runs traditional board games from rule files.

mod check;
mod diagnostic;
mod example;
mod notation;
mod reference;
mod rules;
mod source;
mod span;
mod syntax;
mod tree;
pub use example::*; pub use notation::*; pub use check::*; pub use diagnostic::*; pub use rules::*; pub use source::*; pub use span::*; pub use reference::*; pub use tree::*;
