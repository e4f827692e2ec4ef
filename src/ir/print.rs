//! Programs as text: one instruction a line, with the line of the file that it comes from.

use std::fmt::{self, Display, Formatter, Write as _};

use super::{Program, bits::Bits, model::Model, op::*, topology::Topology};
use crate::rules::{Id as _, Parity, RuleId, Rules, SiteId};

/// A program to be printed; rules are told as their lines.
pub(crate) struct Listing<'a, M: Model, F> {
    pub(crate) program: &'a Program<M>,
    pub(crate) line: F,
}

impl<M: Model, F: Fn(RuleId) -> String> Display for Listing<'_, M, F> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let program = self.program;
        let (layout, rules) = (&program.layout, &program.rules);
        let print = Print { rules, topology: &program.topology };
        writeln!(
            f,
            "{} instructions; {} cells, {} numbers, {} sets ({} bytes a position)",
            program.code.len(),
            program.topology.cells,
            layout.numbers,
            layout.sets,
            program.size(),
        )?;
        for (n, table) in program.sowings.iter().enumerate() {
            writeln!(f, "table {n}: {} sowings", table.len())?;
        }
        for ((first, many), variable) in layout.variables.iter().zip(rules.game.variables.iter()) {
            let more = if *many > 1 { format!(" .. r{}", first + many - 1) } else { String::new() };
            writeln!(f, "r{first}{more}: {}", variable.name)?;
        }
        for (id, mark) in rules.game.marks.entries() {
            let first = id.index() * program.topology.seats;
            writeln!(f, "s{first} .. s{}: {}", first + program.topology.seats - 1, mark.name)?;
        }
        for (when, tests) in [("after a turn", &program.after_turn), ("at once", &program.at_once)] {
            for (id, test) in tests {
                let at = program.endings.get(id.index()).copied().unwrap_or(0);
                writeln!(f, "{when}, {} at {at}: if {}", rules.game.endings.at(*id).name, print.test(test))?;
            }
        }
        for (pc, (op, origin)) in program.code.iter().zip(&program.origins).enumerate() {
            if pc == program.turn as usize {
                writeln!(f, "turn:")?;
            }
            for (id, _) in program.endings.iter().enumerate().filter(|(_, at)| **at as usize == pc) {
                let ending = rules.game.endings.iter().nth(id).map_or("", |ending| ending.name.as_str());
                writeln!(f, "ending {ending}:")?;
            }
            let text = print.op(op);
            match origin {
                Some(rule) => writeln!(f, "{pc:4}  {text:<70} {}", (self.line)(*rule))?,
                None => writeln!(f, "{pc:4}  {text}")?,
            }
        }
        Ok(())
    }
}

struct Print<'a, B> {
    rules: &'a Rules,
    topology: &'a Topology<B>,
}

fn join<T>(items: impl IntoIterator<Item = T>, mut text: impl FnMut(T) -> String, between: &str) -> String {
    items.into_iter().map(&mut text).collect::<Vec<_>>().join(between)
}

impl<B: Bits> Print<'_, B> {
    fn site(&self, n: i32) -> String {
        let site = usize::try_from(n).ok().and_then(|n| self.rules.board.sites.get(SiteId::new(n)));
        site.map_or_else(|| n.to_string(), |site| site.name.clone())
    }

    /// A set of sites by their names, or of cells by their numbers.
    fn bits(&self, set: B) -> String {
        let all = B::of(0..self.topology.sites);
        if all.minus(set).is_empty()
            && self.topology.sites > 0
            && set.len() >= self.topology.sites.max(self.topology.cells)
        {
            return "everywhere".to_owned();
        }
        if set.is_empty() {
            return "nowhere".to_owned();
        }
        if set.minus(all).is_empty() && self.rules.men == 0 {
            return format!("{{{}}}", join(set.members(), |n| self.site(n as i32), " "));
        }
        let mut text = String::new();
        let mut run: Option<(usize, usize)> = None;
        for n in set.members().chain(std::iter::once(usize::MAX)) {
            match run {
                Some((from, to)) if to + 1 == n => run = Some((from, n)),
                Some((from, to)) => {
                    let _ = if from == to { write!(text, "{from} ") } else { write!(text, "{from}-{to} ") };
                    run = Some((n, n));
                }
                None => run = Some((n, n)),
            }
        }
        format!("{{{}}}", text.trim_end())
    }

    fn by_actor(&self, sets: &[B]) -> String {
        let seats = sets.iter().take(self.topology.seats);
        match sets.first() {
            Some(first) if seats.clone().all(|set| set == first) => self.bits(*first),
            _ => format!("by player [{}]", join(seats, |set| self.bits(*set), ", ")),
        }
    }

    fn counts(mask: u64) -> String {
        if mask.count_ones() > 32 {
            let not = join((0..64).filter(|n| mask >> n & 1 == 0), |n| n.to_string(), " ");
            return format!("none of {{{not}}}");
        }
        format!("{{{}}}", join((0..64).filter(|n| mask >> n & 1 == 1), |n| n.to_string(), " "))
    }

    fn num(&self, num: &Num<B>) -> String {
        match num {
            Num::Const(n) => n.to_string(),
            Num::Reg(register) => format!("r{register}"),
            Num::OwnReg(first) => format!("r{first}[player]"),
            Num::ByActor(numbers) => {
                format!("by player {:?}", numbers.get(..self.topology.seats).unwrap_or_default())
            }
            Num::Hand => "hand".to_owned(),
            Num::Last => "last".to_owned(),
            Num::Quiet => "quiet-turns".to_owned(),
            Num::TurnsPlayed => "turns-played".to_owned(),
            Num::Round => "round".to_owned(),
            Num::Mover => "mover".to_owned(),
            Num::Actor => "player".to_owned(),
            Num::Beginner => "beginner".to_owned(),
            Num::RoundWinner => "round-winner".to_owned(),
            Num::Reached => "reached".to_owned(),
            Num::Count(cell) => format!("seeds({})", self.num(cell)),
            Num::Seeds(set) => format!("seeds({})", self.set(set)),
            Num::Stored => "stored".to_owned(),
            Num::Home => "men-home".to_owned(),
            Num::Look(what, code) => format!("{}({})", format!("{what:?}").to_lowercase(), self.num(code)),
            Num::Next(site, towards) => format!("next({}, {})", self.num(site), self.num(towards)),
            Num::Ahead(site, steps, towards) => {
                format!("ahead({}, {}, {})", self.num(site), self.num(steps), self.num(towards))
            }
            Num::PlayerAfter(player) => format!("player-after({})", self.num(player)),
            Num::Reverse(towards) => format!("reverse({})", self.num(towards)),
            Num::First(list) => format!("first({})", self.list(list)),
            Num::Size(set) => format!("size({})", self.set(set)),
            Num::Men(set) => format!("men({})", self.set(set)),
            Num::Length(list) => format!("length({})", self.list(list)),
            Num::Total(list) => format!("total({})", self.list(list)),
            Num::Add(a, b) => format!("({} + {})", self.num(a), self.num(b)),
            Num::Subtract(a, b) => format!("({} - {})", self.num(a), self.num(b)),
            Num::Multiply(a, b) => format!("({} * {})", self.num(a), self.num(b)),
            Num::Truth(test) => format!("truth({})", self.test(test)),
        }
    }

    fn test(&self, test: &Test<B>) -> String {
        let quantifier = |every: bool| if every { "every" } else { "some" };
        match test {
            Test::Const(truth) => truth.to_string(),
            Test::Reg(register) => format!("r{register}"),
            Test::Compare(compare, a, b) => {
                let sign = match compare {
                    Compare::Equal => "==",
                    Compare::NotEqual => "!=",
                    Compare::AtMost => "<=",
                    Compare::AtLeast => ">=",
                    Compare::Less => "<",
                    Compare::More => ">",
                };
                format!("{} {sign} {}", self.num(a), self.num(b))
            }
            Test::And(tests) => join(tests, |test| self.test(test), " and "),
            Test::Or(tests) => format!("({})", join(tests, |test| self.test(test), " or ")),
            Test::Not(test) => format!("not ({})", self.test(test)),
            Test::Among(num, mask) => format!("{} in {}", self.num(num), Self::counts(*mask)),
            Test::Within(num, parity, from, to) => {
                format!("{} in {}{} .. {}", self.num(num), parity_word(*parity), self.num(from), self.num(to))
            }
            Test::In(num, set) => format!("{} in {}", self.num(num), self.set(set)),
            Test::Listed(num, list) => format!("{} in {}", self.num(num), self.list(list)),
            Test::Nothing(set) => format!("nothing in {}", self.set(set)),
            Test::Unlisted(list) => format!("nothing in {}", self.list(list)),
            Test::NoSeeds(set) => format!("no seeds in {}", self.set(set)),
            Test::Members { every, var, of, test } => {
                format!("{} r{var} of {} has {}", quantifier(*every), self.set(of), self.test(test))
            }
            Test::Items { every, var, of, test } => {
                format!("{} r{var} of {} has {}", quantifier(*every), self.list(of), self.test(test))
            }
            Test::Players { partners, every, test } => {
                let who = if *partners { "partner" } else { "player" };
                format!("{} {who} has ({})", quantifier(*every), self.test(test))
            }
            Test::Repeated => "repeated".to_owned(),
            Test::Pit(pit) => {
                let site = match pit.site {
                    Site::Last => "last".to_owned(),
                    Site::Reg(register) => format!("r{register}"),
                    Site::Const(site) => self.site(site),
                };
                let mut parts = vec![];
                parts.extend(pit.within.map(|within| format!("in {}", self.by_actor(&within))));
                parts.extend((pit.holds != u64::MAX).then(|| format!("holds {}", Self::counts(pit.holds))));
                parts.extend((pit.facing != u64::MAX).then(|| format!("faces {}", Self::counts(pit.facing))));
                format!("[{site} {}]", parts.join(", "))
            }
        }
    }

    fn set(&self, set: &Set<B>) -> String {
        match set {
            Set::Const(set) => self.bits(*set),
            Set::ByActor(sets) => self.by_actor(sets),
            Set::Reg(register) => format!("s{register}"),
            Set::OwnReg(first) => format!("s{first}[player]"),
            Set::Regs(first, seats) => {
                format!(
                    "s{first}[{}]",
                    join(seats.iter().take(self.topology.seats), |seats| format!("{seats:b}"), ", ")
                )
            }
            Set::One(num) => format!("{{{}}}", self.num(num)),
            Set::WithSeeds => "filled".to_owned(),
            Set::Filled(sets) => format!("filled({})", self.by_actor(sets)),
            Set::Holding(of, mask) => format!("({} holding {})", self.set(of), Self::counts(*mask)),
            Set::And(a, b) => format!("({} & {})", self.set(a), self.set(b)),
            Set::Or(a, b) => format!("({} | {})", self.set(a), self.set(b)),
            Set::Minus(a, b) => format!("({} - {})", self.set(a), self.set(b)),
            Set::If(test, set) => format!("(if {} then {})", self.test(test), self.set(set)),
            Set::Where { var, of, test } => format!("(r{var} of {} where {})", self.set(of), self.test(test)),
            Set::Round(from, towards) => format!("round({}, {})", self.num(from), self.num(towards)),
            Set::Along { from, towards, var, test } => {
                format!("(r{var} of round({}, {}) while {})", self.num(from), self.num(towards), self.test(test))
            }
            Set::Chain { from, towards, within, holds } => format!(
                "chain({}, {}, in {}, holds {})",
                self.num(from),
                self.num(towards),
                self.by_actor(within),
                Self::counts(*holds)
            ),
            Set::Among(register, sets) => format!("(s{register} & {})", self.by_actor(sets)),
            Set::StandingOn(men, sites) => format!("({} on {})", self.set(men), self.set(sites)),
            Set::CellsOf(square) => format!("cells({})", self.num(square)),
            Set::Squares(men) => format!("squares({})", self.set(men)),
            Set::WithStepsLeft(men, steps) => format!("({} with steps {})", self.set(men), self.num(steps)),
            Set::Reaching { men, steps, all_on } => {
                format!("({} reaching {} on {})", self.set(men), self.num(steps), self.set(all_on))
            }
            Set::Reach(men, steps) => format!("reach({}, {})", self.list(men), self.num(steps)),
            Set::Path(man, steps) => format!("path({}, {})", self.num(man), self.num(steps)),
            Set::Of(list) => format!("set({})", self.list(list)),
        }
    }

    fn list(&self, list: &List<B>) -> String {
        let items = |items: &[i32]| format!("[{}]", join(items, |n| self.site(*n), " "));
        match list {
            List::Const(all) => items(all),
            List::ByActor(lists) => {
                let lists = lists.iter().take(self.topology.seats);
                format!("by player [{}]", join(lists, |list| items(list), ", "))
            }
            List::Reg(list) => format!("l{}", list.base),
            List::One(num) => format!("[{}]", self.num(num)),
            List::Ascending(set) => format!("list({})", self.set(set)),
            List::Men(set) => format!("each({})", self.set(set)),
            List::Round(from, towards) => format!("round({}, {})", self.num(from), self.num(towards)),
            List::Pool => "pool".to_owned(),
            List::Numbers(numbers) => format!("[{}]", join(numbers, |num| self.num(num), " ")),
            List::Range(parity, from, to) => {
                format!("{}{} .. {}", parity_word(*parity), self.num(from), self.num(to))
            }
            List::Those { var, of, test, walk } => {
                let mut text = format!("(r{var} of {}", self.list(of));
                if let Some(test) = test {
                    let _ = write!(text, " where {}", self.test(test));
                }
                if let Some(walk) = walk {
                    let _ = write!(text, " while {}", self.test(walk));
                }
                text + ")"
            }
            List::Union(a, b, _) => format!("({} + {})", self.list(a), self.list(b)),
            List::Without(a, b) => format!("({} - {})", self.list(a), self.list(b)),
            List::StandingOn(men, sites) => format!("({} on {})", self.list(men), self.set(sites)),
            List::Squares(men) => format!("squares({})", self.list(men)),
            List::Reach(men, steps) => format!("reach({}, {})", self.list(men), self.num(steps)),
            List::Path(man, steps) => format!("path({}, {})", self.num(man), self.num(steps)),
            List::Trodden(list) => format!("l{} + [reached]", list.base),
        }
    }

    fn choose(&self, choose: &Choose<B>) -> String {
        let pick = |pick: &Pick<B>| {
            let from = match &pick.from {
                Candidates::Set(set) => self.set(set),
                Candidates::List(list) => self.list(list),
            };
            let test = pick.test.as_ref().map(|test| format!(" where {}", self.test(test))).unwrap_or_default();
            format!("r{} from {from}{test}", pick.var)
        };
        let mut text =
            format!("{} {}", if choose.may { "may choose" } else { "choose" }, join(&choose.picks, pick, ", "));
        let _ = write!(text, " else {}", choose.none);
        if let Some(pc) = choose.none_allowed {
            let _ = write!(text, ", refused {pc}");
        }
        if let Some(test) = &choose.try_when {
            let _ = write!(text, ", tried if {}", self.test(test));
        }
        text
    }

    fn visit(&self, visit: &Visit<B>) -> String {
        let mut text = format!("r{}", visit.var);
        if let Some(test) = &visit.test {
            let _ = write!(text, " where {}", self.test(test));
        }
        if let Some(walk) = &visit.walk {
            let _ = write!(text, " while {}", self.test(walk));
        }
        let _ = write!(text, ", then {}", visit.exit);
        text
    }

    fn op(&self, op: &Op<B>) -> String {
        let named = |named: &Option<Reg>| named.map(|register| format!(", named r{register}")).unwrap_or_default();
        match op {
            Op::TurnOver => "turn over".to_owned(),
            Op::Jump(to) => format!("go to {to}"),
            Op::Unless(test, to) => format!("unless {} go to {to}", self.test(test)),
            Op::SetNum(register, num) => format!("r{register} = {}", self.num(num)),
            Op::SetTest(register, test) => format!("r{register} = truth({})", self.test(test)),
            Op::SetOwn(first, num) => format!("r{first}[player] = {}", self.num(num)),
            Op::SetBits(register, set) => format!("s{register} = {}", self.set(set)),
            Op::SetList(register, list) => format!("l{} = {}", register.base, self.list(list)),
            Op::Choose(choose) => self.choose(choose),
            Op::Pick(choice) => {
                let sown = if choice.sow.is_some() { ", sown at once" } else { "" };
                format!("{}{sown}", self.choose(&choice.choose))
            }
            Op::While { test, bound, rounds, laps, exit, reached } => format!(
                "{} r{rounds} of {} while {}, then {exit}, bound {reached}",
                if *laps { "lap" } else { "round" },
                self.num(bound),
                self.test(test)
            ),
            Op::Relay(relay) => format!(
                "relay r{} of {} by table {}, direction {}, while seeds(last) > {}, then {}, bound {}",
                relay.rounds,
                self.num(&relay.bound),
                relay.table,
                self.num(&relay.towards),
                relay.most,
                relay.exit,
                relay.reached
            ),
            Op::EachMember(rest, visit) => format!("each of s{rest} as {}", self.visit(visit)),
            Op::EachItem(list, cursor, visit) => {
                format!("each of l{} by r{cursor} as {}", list.base, self.visit(visit))
            }
            Op::EachPlayer { before, next, exit } => format!("each player r{next} (before r{before}), then {exit}"),
            Op::ByPlayer { player, before, exit } => {
                format!("by player {} (before r{before}), nobody {exit}", self.num(player))
            }
            Op::EndBy(before) => format!("by player r{before} again"),
            Op::Call { to, back } => format!("call {to}, back by r{back}"),
            Op::Return(back) => format!("return by r{back}"),
            Op::Lift(set) => format!("lift {}", self.set(set)),
            Op::Sow(sowing) => format!("sow {}", self.sowing(sowing)),
            Op::TableSow(sow) => format!(
                "{} {} by table {}, direction {}, then {}, else {}",
                if sow.lifts { "lift and sow" } else { "sow from" },
                self.num(&sow.pit),
                sow.table,
                self.num(&sow.towards),
                sow.over,
                sow.slow
            ),
            Op::BeginSowing { sowing, first, towards, skipping } => {
                format!("sow each seed {} (r{first}, r{towards}, s{skipping})", self.sowing(sowing))
            }
            Op::NextSeed { first, towards, skipping, exit } => {
                format!("next seed (r{first}, r{towards}, s{skipping}), then {exit}")
            }
            Op::Capture { most, from } => {
                let most = most.as_ref().map(|most| format!("{} from ", self.num(most))).unwrap_or_default();
                format!("capture {most}{}", self.set(from))
            }
            Op::CaptureOne(site) => format!("capture {}", self.num(site)),
            Op::Keep(from) => format!("keep {}", self.set(from)),
            Op::Put { seeds, from, into } => {
                format!("put {} from {} into {}", self.num(seeds), self.num(from), self.num(into))
            }
            Op::Mark(set, first) => format!("mark {} in s{first}[player]", self.set(set)),
            Op::Unmark(set, first) => format!("unmark {} in s{first}", self.set(set)),
            Op::CaptureMen(men) => format!("capture men {}", self.list(men)),
            Op::SendBack(men) => format!("send back {}", self.list(men)),
            Op::Make { men, state, named: name } => format!("make {} state {state}{}", self.list(men), named(name)),
            Op::Move { men, steps, to, named: name } => {
                let to = to.as_ref().map(|to| format!(" to {}", self.num(to))).unwrap_or_default();
                format!("move {} by {}{to}{}", self.list(men), self.num(steps), named(name))
            }
            Op::Moved => "moved".to_owned(),
            Op::AddToPool(count) => format!("add {} to pool", self.num(count)),
            Op::Spend(count) => format!("spend {}", self.num(count)),
            Op::ClearPool => "clear pool".to_owned(),
            Op::Throw(throw, register) => {
                let name = self.rules.game.throws.get(*throw).map_or("", |plan| plan.name.as_str());
                format!("throw {name} as r{register}")
            }
            Op::Pass => "pass".to_owned(),
            Op::Again { times, reached } => format!("play again of {}, bound {reached}", self.num(times)),
            Op::Refuse => "refuse".to_owned(),
            Op::Require(test) => format!("require {}", self.test(test)),
            Op::End(ending) => format!("end by {}", self.rules.game.endings.at(*ending).name),
            Op::TakeBack => "take back".to_owned(),
            Op::NewRound(player) => format!("new round, {} begins", self.num(player)),
            Op::Most(num, round) => format!("most {} wins{}", self.num(num), of_round(*round)),
            Op::Decide(verdict, round) => {
                let words = match verdict {
                    Verdict::MoverWins => "mover wins",
                    Verdict::MoverLoses => "mover loses",
                    Verdict::NobodyWins => "nobody wins",
                };
                format!("{words}{}", of_round(*round))
            }
            Op::AtOnce => "endings at once".to_owned(),
            Op::AtOnceIfArmed => "endings at once, if armed".to_owned(),
        }
    }

    fn sowing(&self, sowing: &Sowing<B>) -> String {
        let skipping = sowing.skipping.as_ref().map(|set| format!(" skipping {}", self.set(set))).unwrap_or_default();
        format!("from {}, direction {}{skipping}", self.num(&sowing.from), self.num(&sowing.towards))
    }
}

fn of_round(round: bool) -> &'static str {
    if round { " the round" } else { "" }
}

fn parity_word(parity: Parity) -> &'static str {
    match parity {
        Parity::Any => "",
        Parity::Even => "even ",
        Parity::Odd => "odd ",
    }
}
