//! Names and types in expressions.

use super::{
    declare::Builder,
    scope::{Defined, Symbol},
};
use crate::{
    diagnostic::Problem,
    rules::{self, Expr, Op, Place, Query, ReadingId, Type, VarId},
    span::{Name, Span},
    syntax::ast::{BinaryOp, Decimal, Expr as Ast, ExprKind, Noun, Over, Parity, Whose},
};

impl Builder<'_> {
    /// An expression of any type.
    pub(super) fn expr(&mut self, ast: &Ast) -> Option<(Expr, Type)> {
        match &ast.kind {
            ExprKind::Number(number) => Some((Expr::Number(self.whole(*number, ast.span)?), Type::Number)),
            ExprKind::Word(name) => self.word(name, ast.span),
            ExprKind::Call(name, args) => self.call(&name.node, name.span, args, ast.span),
            ExprKind::Phrase(whose, noun) => self.phrase(*whose, noun, ast.span),
            ExprKind::Along { after, from, towards } => {
                let query = if *after { Query::PitsAfter } else { Query::PitsBefore };
                self.check_noun(query, ast.span)?;
                let from = self.typed(from, Type::Site);
                let towards = towards.as_ref().map(|way| self.typed(way, Type::Direction));
                let mut args = vec![from?];
                if let Some(towards) = towards {
                    args.push(towards?);
                }
                Some((Expr::Ask(query, args), Type::Sites))
            }
            ExprKind::Those { name, set, condition, walk } => {
                let (set, kind) = self.set_of(set)?;
                let member = member_of(kind);
                self.scope.open();
                let var = self.bind_local(name, member);
                self.scope.read.insert(var);
                let condition = condition.as_ref().map(|test| self.typed(test, Type::Truth));
                let walk = walk.as_ref().map(|test| self.typed(test, Type::Truth));
                self.scope.close();
                let boxed = |test: Option<Option<Expr>>| match test {
                    None => Some(None),
                    Some(test) => test.map(|test| Some(Box::new(test))),
                };
                let (set, condition, walk) = (Box::new(set), boxed(condition)?, boxed(walk)?);
                Some((Expr::Those { var, set, condition, walk }, kind))
            }
            ExprKind::Listed(items) => {
                let items: Vec<_> = items.iter().map(|item| self.typed(item, Type::Number)).collect();
                Some((Expr::Listed(items.into_iter().collect::<Option<_>>()?), Type::Numbers))
            }
            ExprKind::Ranged { parity, from, to } => {
                let parity = match parity {
                    None => rules::Parity::Any,
                    Some(Parity::Even) => rules::Parity::Even,
                    Some(Parity::Odd) => rules::Parity::Odd,
                };
                let (from, to) = (self.typed(from, Type::Number), self.typed(to, Type::Number));
                Some((Expr::Ranged(parity, Box::new(from?), Box::new(to?)), Type::Numbers))
            }
            ExprKind::Quantified { every, over, condition } => self.quantified(*every, over, condition),
            ExprKind::Not(inner) => Some((Expr::Not(Box::new(self.typed(inner, Type::Truth)?)), Type::Truth)),
            ExprKind::Negate(inner) => Some((Expr::Negate(Box::new(self.typed(inner, Type::Number)?)), Type::Number)),
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right, ast.span),
        }
    }

    /// An expression of one type; a pit serves as a set of one, a man as men.
    pub(super) fn typed(&mut self, ast: &Ast, wanted: Type) -> Option<Expr> {
        let (expr, found) = self.expr(ast)?;
        if fits(found, wanted) {
            return Some(expr);
        }
        self.report(Problem::WrongType { wanted: wanted.words(), found: found.words() }, ast.span);
        None
    }

    /// A set to choose from or to walk over, and the type of its members.
    pub(super) fn set(&mut self, ast: &Ast) -> Option<(Expr, Type)> {
        self.set_of(ast).map(|(expr, kind)| (expr, member_of(kind)))
    }

    /// A set and its type.
    fn set_of(&mut self, ast: &Ast) -> Option<(Expr, Type)> {
        let (expr, found) = self.expr(ast)?;
        let kind = match found {
            Type::Sites | Type::Site => Type::Sites,
            Type::Men | Type::Man => Type::Men,
            Type::Numbers | Type::Directions => found,
            Type::Any => return None,
            _ => {
                self.report(Problem::NotASet { found: found.words() }, ast.span);
                return None;
            }
        };
        Some((expr, kind))
    }

    /// `own pits`, `enemy men`, `own store`, or the places or pits with a mark of some seats.
    fn phrase(&mut self, whose: Whose, noun: &Noun, span: Span) -> Option<(Expr, Type)> {
        let Noun::Named(name) = noun else {
            let query = phrase(whose, noun)?;
            self.check_noun(query, span)?;
            return Some((Expr::Ask(query, vec![]), query.result()));
        };
        let of = match whose {
            Whose::Own => rules::Whose::Own,
            Whose::Friend => rules::Whose::Friend,
            Whose::Enemy => rules::Whose::Enemy,
            Whose::All => rules::Whose::All,
            Whose::No => return Some((Expr::Ask(Query::NoPits, vec![]), Type::Sites)),
        };
        match self.scope.symbol(&name.node) {
            Some(Symbol::Mark(id)) => Some((Expr::Marked(of, id), Type::Sites)),
            Some(Symbol::Region(id)) => {
                if self.game.regions.at(id).symmetry.is_none() {
                    self.report(Problem::NotEverySeatHas { name: name.node.clone() }, name.span);
                    return None;
                }
                Some((Expr::RegionOf(of, id), Type::Sites))
            }
            _ => {
                let groups = |symbol| matches!(symbol, Symbol::Mark(_) | Symbol::Region(_));
                let mut names = self.scope.names_of(groups);
                names.extend(["pits", "men", "store", "stores"]);
                let near = self.nearest(&name.node, names.into_iter());
                self.report(Problem::UnknownGroup { name: name.node.clone(), near }, name.span);
                None
            }
        }
    }

    /// A whole number that fits.
    pub(super) fn whole(&mut self, number: Decimal, span: Span) -> Option<i32> {
        let fitting = i32::try_from(number.digits).ok().filter(|n| number.scale == 0 && *n <= 1_000_000);
        if fitting.is_none() {
            self.report(Problem::NotWhole, span);
        }
        fitting
    }

    fn word(&mut self, name: &str, span: Span) -> Option<(Expr, Type)> {
        if let Some(var) = self.scope.local(name) {
            self.scope.read.insert(var);
            return Some((Expr::Var(var), self.game.vars.at(var).1));
        }
        match self.scope.symbol(name) {
            Some(Symbol::Reading(id)) => return self.reading_value(id, span),
            Some(Symbol::Option(id)) => {
                if self.game.options.at(id).scale > 0 {
                    self.report(Problem::ChanceAsNumber { name: name.to_owned() }, span);
                    return None;
                }
                return Some((Expr::Option(id), Type::Number));
            }
            Some(Symbol::Variable(id)) => return Some((Expr::Variable(id), Type::Number)),
            Some(Symbol::Define(_)) => return self.call(name, span, &[], span),
            Some(Symbol::Region(id)) => {
                if self.game.regions.at(id).symmetry.is_some() {
                    self.report(Problem::EverySeatHas { name: name.to_owned() }, span);
                    return None;
                }
                return Some((Expr::Region(id), Type::Sites));
            }
            Some(Symbol::Mark(_)) => {
                self.report(Problem::EverySeatHas { name: name.to_owned() }, span);
                return None;
            }
            Some(Symbol::Procedure(_) | Symbol::Throw(_) | Symbol::Track(_)) => {
                self.report(Problem::NotAValue { name: name.to_owned() }, span);
                return None;
            }
            None => {}
        }
        if let Some(query) = Query::ALL.iter().copied().find(|query| query.word() == name) {
            if !query.params().is_empty() {
                self.report(Problem::NeedsArguments { name: name.to_owned(), wanted: query.params().len() }, span);
                return None;
            }
            self.check_noun(query, span)?;
            return Some((Expr::Ask(query, vec![]), query.result()));
        }
        if let Some(place) = self.place(name) {
            return Some((Expr::Place(place), Type::Site));
        }
        let near = self.near(name);
        self.report(Problem::UnknownName { name: name.to_owned(), near }, span);
        None
    }

    /// The place a name stands for on the board of this file.
    pub(super) fn place(&self, name: &str) -> Option<Place> {
        rules::board::parse_place(name, self.is_grid)
    }

    fn reading_value(&mut self, id: ReadingId, span: Span) -> Option<(Expr, Type)> {
        let name = self.game.readings.at(id).name.clone();
        if self.in_reading {
            self.report(Problem::ReadingInReading { name }, span);
            return None;
        }
        let Some(kind) = self.reading_types.get(&id).copied() else {
            let all = self.alternative_names(id);
            self.report(Problem::ReadingWithoutValue { name, all }, span);
            return None;
        };
        Some((Expr::Of(id), kind))
    }

    fn call(&mut self, name: &str, name_span: Span, args: &[Ast], span: Span) -> Option<(Expr, Type)> {
        if let Some(query) = Query::ALL.iter().copied().find(|query| query.word() == name && !query.params().is_empty())
        {
            let own = query.params();
            if !(query.directed() && args.len() == own.len() + 1) {
                self.count_arguments(name, own.len(), args.len(), span)?;
            }
            self.check_noun(query, name_span)?;
            let kinds = own.iter().chain(std::iter::once(&Type::Direction));
            let args: Vec<_> = args.iter().zip(kinds).map(|(arg, kind)| self.typed(arg, *kind)).collect();
            return Some((Expr::Ask(query, args.into_iter().collect::<Option<_>>()?), query.result()));
        }
        if Query::ALL.iter().any(|query| query.word() == name) {
            self.report(Problem::TakesNoArguments { name: name.to_owned() }, span);
            return None;
        }
        let index = match self.scope.symbol(name) {
            Some(Symbol::Define(index)) => index,
            Some(Symbol::Procedure(_)) => {
                self.report(Problem::NotAValue { name: name.to_owned() }, name_span);
                return None;
            }
            Some(_) => {
                self.report(Problem::TakesNoArguments { name: name.to_owned() }, span);
                return None;
            }
            None => {
                let near = self.near(name);
                self.report(Problem::UnknownName { name: name.to_owned(), near }, name_span);
                return None;
            }
        };
        let definition = match self.definitions.get(index) {
            Some(Defined::As(definition)) => definition.clone(),
            // What is wrong with it has been said.
            Some(Defined::Faulty) => return None,
            _ => {
                self.report(Problem::UsedBeforeDefined { name: name.to_owned() }, name_span);
                return None;
            }
        };
        self.count_arguments(name, definition.params.len(), args.len(), span)?;
        let kinds: Vec<Type> = definition.params.iter().map(|param| self.game.vars.at(*param).1).collect();
        let args: Vec<_> = args.iter().zip(kinds).map(|(arg, kind)| self.typed(arg, kind)).collect();
        let args: Vec<Expr> = args.into_iter().collect::<Option<_>>()?;
        self.expand(&definition, &args, span)
    }

    fn count_arguments(&mut self, name: &str, wanted: usize, found: usize, span: Span) -> Option<()> {
        if wanted == found {
            return Some(());
        }
        self.report(Problem::WrongCount { name: name.to_owned(), wanted, found }, span);
        None
    }

    fn quantified(&mut self, every: bool, over: &Over, condition: &Ast) -> Option<(Expr, Type)> {
        let Over::Members(name, set) = over else {
            let condition = Box::new(self.typed(condition, Type::Truth)?);
            let partners = matches!(over, Over::Partners);
            return Some((Expr::Players { partners, every, condition }, Type::Truth));
        };
        let set = self.set(set);
        self.scope.open();
        let kind = set.as_ref().map_or(Type::Any, |(_, kind)| *kind);
        let var = self.bind_local(name, kind);
        self.scope.read.insert(var);
        let condition = self.typed(condition, Type::Truth);
        self.scope.close();
        let (set, condition) = (Box::new(set?.0), Box::new(condition?));
        if let Expr::Binary(Op::And | Op::Or, left, right) = &*condition
            && [left, right].into_iter().any(|part| !part.mentions(var))
        {
            self.report(Problem::HasTooMuch { name: name.node.clone() }, name.span);
        }
        Some((Expr::Quantified { every, var, set, condition }, Type::Truth))
    }

    fn binary(&mut self, op: BinaryOp, left: &Ast, right: &Ast, span: Span) -> Option<(Expr, Type)> {
        let make = |op, left, right| Expr::Binary(op, Box::new(left), Box::new(right));
        let number = |op| (op, Type::Number, Type::Number);
        let (op, operand, result) = match op {
            BinaryOp::Is => return self.is(left, right, span),
            BinaryOp::Equal | BinaryOp::NotEqual => {
                let (left_expr, kind) = self.expr(left)?;
                let right = self.typed(right, kind)?;
                if matches!(kind, Type::Sites | Type::Men | Type::Numbers | Type::Directions) {
                    self.report(Problem::WrongType { wanted: "a single value", found: kind.words() }, left.span);
                    return None;
                }
                let op = if op == BinaryOp::Equal { Op::Equal } else { Op::NotEqual };
                return Some((make(op, left_expr, right), Type::Truth));
            }
            BinaryOp::In | BinaryOp::NotIn => {
                let (set, member) = self.set(right)?;
                let inside = make(Op::In, self.typed(left, member)?, set);
                let expr = if op == BinaryOp::In { inside } else { Expr::Not(Box::new(inside)) };
                return Some((expr, Type::Truth));
            }
            BinaryOp::On => {
                let (men, kind) = self.expr(left)?;
                let sites = self.typed(right, Type::Sites)?;
                return match kind {
                    Type::Man => Some((make(Op::StandsOn, men, sites), Type::Truth)),
                    Type::Men => Some((make(Op::MenOn, men, sites), Type::Men)),
                    _ => {
                        self.report(Problem::WrongType { wanted: "a man or men", found: kind.words() }, left.span);
                        None
                    }
                };
            }
            BinaryOp::Or => (Op::Or, Type::Truth, Type::Truth),
            BinaryOp::And => (Op::And, Type::Truth, Type::Truth),
            BinaryOp::AtMost => (Op::AtMost, Type::Number, Type::Truth),
            BinaryOp::AtLeast => (Op::AtLeast, Type::Number, Type::Truth),
            BinaryOp::Less => (Op::Less, Type::Number, Type::Truth),
            BinaryOp::More => (Op::More, Type::Number, Type::Truth),
            BinaryOp::Add | BinaryOp::Subtract => {
                let (left_expr, found) = self.expr(left)?;
                let sets = match found {
                    Type::Sites | Type::Site => Some(Type::Sites),
                    Type::Men | Type::Man => Some(Type::Men),
                    _ => None,
                };
                let plus = op == BinaryOp::Add;
                if let Some(kind) = sets {
                    let op = if plus { Op::Union } else { Op::Without };
                    return Some((make(op, left_expr, self.typed(right, kind)?), kind));
                }
                if found != Type::Number {
                    self.report(Problem::WrongType { wanted: Type::Number.words(), found: found.words() }, left.span);
                    return None;
                }
                let op = if plus { Op::Add } else { Op::Subtract };
                return Some((make(op, left_expr, self.typed(right, Type::Number)?), Type::Number));
            }
            BinaryOp::Multiply => number(Op::Multiply),
        };
        let (left, right) = (self.typed(left, operand), self.typed(right, operand));
        Some((make(op, left?, right?), result))
    }

    /// `reading is alternative`, or `number is even`.
    fn is(&mut self, left: &Ast, right: &Ast, span: Span) -> Option<(Expr, Type)> {
        let ExprKind::Word(value) = &right.kind else {
            let reading = match &left.kind {
                ExprKind::Word(name) => match self.scope.symbol(name) {
                    Some(Symbol::Reading(id)) => Some((name.clone(), self.alternative_names(id))),
                    _ => None,
                },
                _ => None,
            };
            self.report(Problem::IsWhat { reading }, span);
            return None;
        };
        let reading = match &left.kind {
            ExprKind::Word(name) if self.scope.local(name).is_none() => self.scope.symbol(name),
            _ => None,
        };
        if let Some(Symbol::Reading(id)) = reading {
            self.scope.used_alternatives.insert(id);
            let reading = self.game.readings.at(id);
            let found = reading.alternatives.entries().find(|(_, alternative)| alternative.name == *value);
            let Some((alternative, _)) = found else {
                let near = self.nearest(value, reading.alternatives.iter().map(|a| a.name.as_str()));
                let all = reading.alternatives.iter().map(|a| a.name.clone()).collect();
                let reading = reading.name.clone();
                self.report(Problem::UnknownAlternative { reading, name: value.clone(), near, all }, right.span);
                return None;
            };
            return Some((Expr::Is(id, alternative), Type::Truth));
        }
        let man = match &left.kind {
            ExprKind::Word(name) => self.scope.local(name).is_some_and(|var| self.game.vars.at(var).1 == Type::Man),
            _ => false,
        };
        if man {
            let state = self.state(&Name { node: value.clone(), span: right.span })?;
            return Some((Expr::InState(Box::new(self.typed(left, Type::Man)?), state), Type::Truth));
        }
        let parity = match value.as_str() {
            "even" => rules::Parity::Even,
            "odd" => rules::Parity::Odd,
            _ => {
                if let (ExprKind::Word(name), None) = (&left.kind, reading) {
                    let names = self.scope.names_of(|symbol| matches!(symbol, Symbol::Reading(_)));
                    if let Some(near) = self.nearest(name, names.into_iter()) {
                        self.report(Problem::UnknownReading { name: name.clone(), near: Some(near) }, left.span);
                        return None;
                    }
                }
                self.report(Problem::IsWhat { reading: None }, span);
                return None;
            }
        };
        let number = self.typed(left, Type::Number)?;
        let all = Expr::Ranged(parity, Box::new(Expr::Number(i32::MIN)), Box::new(Expr::Number(i32::MAX)));
        Some((Expr::Binary(Op::In, Box::new(number), Box::new(all)), Type::Truth))
    }

    /// The state of this name.
    pub(super) fn state(&mut self, name: &Name) -> Option<rules::StateId> {
        let found = self.scope.states.get(&name.node).copied();
        if found.is_none() {
            let near = self.nearest(&name.node, self.scope.states.keys().map(String::as_str));
            self.report(Problem::UnknownState { name: name.node.clone(), near }, name.span);
        }
        found
    }

    fn alternative_names(&self, id: ReadingId) -> Vec<String> {
        self.game.readings.at(id).alternatives.iter().map(|a| a.name.clone()).collect()
    }

    /// Refuses questions about pits on a grid, and about men where there are none.
    fn check_noun(&mut self, query: Query, span: Span) -> Option<()> {
        let about_men = matches!(
            query,
            Query::Home
                | Query::Passed
                | Query::Trodden
                | Query::StartOf
                | Query::StepsLeft
                | Query::SquareOf
                | Query::SquaresOf
                | Query::Reach
                | Query::Path
                | Query::Waiting
                | Query::PlayerOf
                | Query::OwnMen
                | Query::FriendMen
                | Query::EnemyMen
                | Query::AllMen
                | Query::NoMen
        );
        let about_both = matches!(
            query,
            Query::Size
                | Query::Empty
                | Query::First
                | Query::Pool
                | Query::Total
                | Query::NoPits
                | Query::TurnsPlayed
                | Query::Repeated
                | Query::Round
                | Query::Mover
                | Query::Actor
                | Query::PlayerAfter
                | Query::Beginner
                | Query::RoundWinner
        );
        let problem = if about_men && !self.has_men {
            Problem::NoMen { word: query.word() }
        } else if !about_men && !about_both && self.is_grid {
            Problem::NoPits { word: query.word() }
        } else if query == Query::Home && self.file.tracks.iter().all(|track| track.home.is_none()) {
            Problem::NoHome
        } else {
            return Some(());
        };
        // Said once: whoever mistakes the board does so everywhere.
        if !std::mem::replace(&mut self.told_noun, true) {
            self.report(problem, span);
        }
        None
    }

    /// A new value of the innermost block.
    pub(super) fn bind_local(&mut self, name: &Name, kind: Type) -> VarId {
        let var = self.game.vars.push((name.node.clone(), kind));
        self.scope.bind(name, var, &mut self.found);
        var
    }
}

fn fits(found: Type, wanted: Type) -> bool {
    // A value whose own expression is faulty fits everywhere: its fault has been told.
    found == wanted
        || found == Type::Any
        || matches!(
            (found, wanted),
            (Type::Site, Type::Sites)
                | (Type::Man, Type::Men)
                | (Type::Site | Type::Sites | Type::Man | Type::Men | Type::Numbers, Type::Any)
        )
}

/// The type of the members of a set.
fn member_of(kind: Type) -> Type {
    match kind {
        Type::Sites => Type::Site,
        Type::Men => Type::Man,
        Type::Numbers => Type::Number,
        Type::Directions => Type::Direction,
        other => other,
    }
}

fn phrase(whose: Whose, noun: &Noun) -> Option<Query> {
    Some(match (noun, whose) {
        (Noun::Pits, Whose::Own) => Query::OwnPits,
        (Noun::Pits, Whose::Friend) => Query::FriendPits,
        (Noun::Pits, Whose::Enemy) => Query::EnemyPits,
        (Noun::Pits, Whose::All) => Query::AllPits,
        (Noun::Pits | Noun::Store, Whose::No) => Query::NoPits,
        (Noun::Men, Whose::Own) => Query::OwnMen,
        (Noun::Men, Whose::Friend) => Query::FriendMen,
        (Noun::Men, Whose::Enemy) => Query::EnemyMen,
        (Noun::Men, Whose::All) => Query::AllMen,
        (Noun::Men, Whose::No) => Query::NoMen,
        (Noun::Store, Whose::Own) => Query::OwnStore,
        (Noun::Store, Whose::Enemy) => Query::EnemyStores,
        (Noun::Store, Whose::Friend) => Query::FriendStores,
        (Noun::Store, Whose::All) => Query::AllStores,
        (Noun::Named(_), _) => return None,
    })
}
