//! What names stand for, and which of them are used.

use std::collections::{HashMap, HashSet};

use crate::{
    diagnostic::{Diagnostic, Problem, nearest},
    rules::{
        ClaimId, EndingId, Expr, MarkId, OptionId, ProcedureId, Query, ReadingId, RegionId, SourceId, StateId, ThrowId,
        TrackId, Type, VarId, VariableId,
    },
    span::{Name, Span},
};

/// What a name of the file stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Symbol {
    Reading(ReadingId),
    Option(OptionId),
    Variable(VariableId),
    Define(usize),
    Region(RegionId),
    Procedure(ProcedureId),
    Throw(ThrowId),
    Track(TrackId),
    Mark(MarkId),
}

/// An expression with a name; the parameters are replaced where it is used.
#[derive(Debug, Clone)]
pub(super) struct Definition {
    pub(super) params: Vec<VarId>,
    pub(super) body: Expr,
    pub(super) kind: Type,
}

/// How far a definition has come.
#[derive(Debug, Clone)]
pub(super) enum Defined {
    NotYet,
    Faulty,
    As(Definition),
}

/// Names of the whole file, and names of the block being checked.
#[derive(Debug, Default)]
pub(super) struct Scope {
    symbols: HashMap<String, (Symbol, Span)>,
    pub(super) sources: HashMap<String, SourceId>,
    pub(super) claims: HashMap<String, Vec<(SourceId, ClaimId)>>,
    pub(super) endings: HashMap<String, EndingId>,
    pub(super) states: HashMap<String, StateId>,
    locals: Vec<HashMap<String, VarId>>,
    pub(super) used: HashSet<Symbol>,
    pub(super) used_alternatives: HashSet<ReadingId>,
    pub(super) called_endings: HashSet<EndingId>,
    pub(super) cited: HashSet<ClaimId>,
    pub(super) read: HashSet<VarId>,
}

impl Scope {
    /// Declares a name of the file.
    pub(super) fn declare(&mut self, name: &Name, symbol: Symbol, found: &mut Vec<Diagnostic>) {
        if is_reserved(&name.node) {
            found.push(Diagnostic::new(Problem::ReservedName { name: name.node.clone() }, name.span));
        }
        if let Some((_, other)) = self.symbols.get(&name.node) {
            self.used.insert(symbol);
            let problem = Problem::Duplicate { what: "name", name: name.node.clone() };
            let (first, second) = if *other < name.span { (*other, name.span) } else { (name.span, *other) };
            found.push(Diagnostic::new(problem, second).with_note(first, "declared here first"));
            return;
        }
        self.symbols.insert(name.node.clone(), (symbol, name.span));
    }

    /// The symbol of a name, counted as used.
    pub(super) fn symbol(&mut self, name: &str) -> Option<Symbol> {
        let (symbol, _) = self.symbols.get(name)?;
        self.used.insert(*symbol);
        Some(*symbol)
    }

    /// Opens a block.
    pub(super) fn open(&mut self) {
        self.locals.push(HashMap::new());
    }

    /// Closes the innermost block.
    pub(super) fn close(&mut self) {
        self.locals.pop();
    }

    /// Starts anew with no block open, for a procedure, the turn or an ending.
    pub(super) fn fresh(&mut self) {
        self.locals.clear();
    }

    /// Gives a value of the innermost block a name.
    pub(super) fn bind(&mut self, name: &Name, var: VarId, found: &mut Vec<Diagnostic>) {
        if is_reserved(&name.node) {
            found.push(Diagnostic::new(Problem::ReservedName { name: name.node.clone() }, name.span));
        }
        if self.local(&name.node).is_some() || self.symbols.contains_key(&name.node) {
            found.push(Diagnostic::new(Problem::Duplicate { what: "name", name: name.node.clone() }, name.span));
        }
        if let Some(block) = self.locals.last_mut() {
            block.insert(name.node.clone(), var);
        }
    }

    /// The value of this name in the blocks that are open.
    pub(super) fn local(&self, name: &str) -> Option<VarId> {
        self.locals.iter().rev().find_map(|block| block.get(name)).copied()
    }

    /// The visible name most like this one.
    pub(super) fn near(&self, name: &str) -> Option<String> {
        let locals = self.locals.iter().flat_map(HashMap::keys).map(String::as_str);
        let symbols = self.symbols.keys().map(String::as_str);
        let queries = Query::ALL.iter().map(|query| query.word()).filter(|word| !word.contains(' '));
        let mut all: Vec<&str> = locals.chain(symbols).chain(queries).collect();
        all.sort_unstable();
        nearest(name, all.into_iter())
    }

    /// All names of one kind, for suggestions.
    pub(super) fn names_of(&self, kind: fn(Symbol) -> bool) -> Vec<&str> {
        let mut names: Vec<&str> =
            self.symbols.iter().filter(|(_, (symbol, _))| kind(*symbol)).map(|(name, _)| name.as_str()).collect();
        names.sort_unstable();
        names
    }
}

/// Words with a fixed meaning that cannot be names: those that stand alone in expressions.
fn is_reserved(name: &str) -> bool {
    const WORDS: [&str; 27] = [
        "own", "friend", "enemy", "stores", "store", "those", "turns", "began", "all", "no", "some", "every", "even",
        "odd", "numbers", "pits", "not", "and", "or", "in", "is", "on", "none", "where", "while", "if", "quiet",
    ];
    WORDS.contains(&name) || Query::ALL.iter().any(|query| query.params().is_empty() && query.word() == name)
}
