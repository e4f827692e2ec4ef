//! A comparison as one page of HTML that needs nothing else: plots, tables, the rules with their claims, and how to run
//! it again.

mod figures;
mod plots;
mod rules;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::{
    compare::{
        Account, Asked, Comparison, ContrastAccount, Divergence, Figures, Findings, Kind, MeasureDifference,
        PartingAccount, SetupAccount, Verdict,
    },
    evidence::Evidence,
    rules::Game,
    source::RuleFile,
};

/// What a page is made of.
#[derive(Debug, Clone, Copy)]
pub struct Page<'a> {
    /// The rule file.
    pub source: &'a RuleFile,
    /// The game in it.
    pub game: &'a Game,
    /// What was compared.
    pub comparison: &'a Comparison,
    /// What was found.
    pub findings: &'a Findings,
    /// The same in words and figures.
    pub account: &'a Account,
    /// The command that gives the same figures.
    pub command: &'a str,
}

impl Page<'_> {
    /// The page as HTML.
    #[must_use]
    pub fn html(&self) -> String {
        let account = self.account;
        let title = format!("{}: {}", account.game, subject(account));
        let evidence = Evidence::of(self.source, self.game);
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    title { (title) }
                    style { (PreEscaped(include_str!("style.css"))) }
                }
                body {
                    header {
                        h1 { (title) }
                        p.faint {
                            "ayn " (account.version) ", seed " (account.seed) ", " (account.games) " games for each setup and line-up"
                            @if account.interrupted { "; stopped before all were played" }
                        }
                        nav {
                            a href="#findings" { "Findings" } a href="#figures" { "Figures" } a href="#setups" { "Setups" }
                            a href="#differences" { "Differences" } a href="#evidence" { "Evidence" } a href="#rules" { "Rules" }
                            a href="#methods" { "Methods" } a href="#again" { "Run it again" }
                        }
                    }
                    (self.summary())
                    section { h2 #figures { "Figures" } (self.figures()) }
                    section { h2 #setups { "Setups" } (self.setups()) }
                    section { h2 #differences { "Differences" } @for contrast in &account.contrasts { (difference(contrast, account, self.source.name())) } }
                    section { h2 #evidence { "Evidence" } (rules::evidence(&evidence)) }
                    section { h2 #rules { "The rules" } (rules::file(self.source, &evidence)) }
                    section { h2 #methods { "Methods" } (self.methods()) }
                    section { h2 #again { "Run it again" } (self.again()) }
                }
            }
        };
        page.into_string()
    }

    /// For every reading, in a line, whether it matters.
    fn summary(&self) -> Markup {
        let account = self.account;
        html! {
            section {
                h2 #findings { "Findings" }
                div.scroll { table {
                    caption {
                        "Whether a reading matters, by who plays: the surest difference of shares, in percentage points, and that of turns, with 95 % intervals of each by itself; or how large a difference can be at most. "
                        "Verdicts are at " (percent(account.level)) ", corrected for all " (account.comparisons) " tests. "
                        @if account.question == Asked::Factorial { "Differences are means over all combinations of the other readings; variants are not averaged over. " }
                        @if account.question == Asked::Each { "Each reading was changed alone, the others as chosen: what one changes can hang on another." }
                    }
                    thead { tr { th { "reading" } th { "rests on" } @for line_up in &account.line_ups { th { (line_up) } } th.n { "random games that part" } } }
                    tbody {
                        @for contrast in account.contrasts.iter().filter(|contrast| contrast.kind.is_main()) {
                            tr {
                                td { a href=(format!("#{}", anchor(contrast, account))) { (contrast.name) } @if contrast.kind == Kind::Variant { span.faint { " (variant)" } } }
                                td { @if let Some(reading) = &contrast.reading { (reading.basis.word()) } }
                                @for differences in &contrast.differences { td { (gist(&differences.measures)) } }
                                td.n { @if let Some(parting) = &contrast.parting { (percent(parting.parted.share)) } }
                            }
                        }
                    }
                } }
                @let hanging = account.contrasts.iter().filter(|contrast| contrast.kind == Kind::Interaction && differs(contrast));
                @let hanging: Vec<&ContrastAccount> = hanging.collect();
                @if account.question == Asked::Factorial {
                    p {
                        @if hanging.is_empty() {
                            "What one of these readings changes was not found to hang on another."
                        } @else {
                            "What one reading changes hangs on another:"
                        }
                    }
                    ul { @for contrast in &hanging { li { a href=(format!("#{}", anchor(contrast, account))) { (contrast.name) } } } }
                }
            }
        }
    }

    fn setups(&self) -> Markup {
        let account = self.account;
        html! {
            p {
                "As chosen: "
                @for (n, (name, value)) in account.chosen.readings.iter().enumerate() { @if n > 0 { ", " } code { (name) "=" (value) } }
                @for (name, value) in &account.chosen.options { ", " code { (name) "=" (value.to_string()) } }
                ". Each further setup is named by what differs from it."
            }
            @for line_up in &account.line_ups {
                h3 { (line_up) }
                div.scroll { table {
                    @let shown = account.setups.iter().filter_map(|setup| Some((setup, of(&setup.played, line_up)?)));
                    @let shown: Vec<_> = shown.filter(|(_, figures)| figures.games > 0).collect();
                    @let known = account.happening(line_up);
                    thead { tr { th { "setup" }
                        @if let Some((_, figures)) = shown.first() { @for share in known.iter().filter_map(|n| figures.shares.get(*n)) { th.n { (share.name) " %" } } }
                        th.n { "turns, mean" } th.n { "sd" } th.n { "quartiles" }
                    } }
                    tbody { @for (setup, figures) in &shown { tr {
                        td.setup { (setup.name) @if setup.variant { span.faint { " (variant)" } } @if let Some(same) = &setup.same_as { span.faint { " (the same rules as " (same) ")" } } }
                        @for share in known.iter().filter_map(|n| figures.shares.get(*n)) { td.n { (fixed(100.0 * share.share, 2)) " " span.interval { "[" (fixed(100.0 * share.interval.low, 2)) ", " (fixed(100.0 * share.interval.high, 2)) "]" } } }
                        td.n { @if let (Some(turns), Some(interval)) = (&figures.turns, figures.turns_interval) { (fixed(turns.mean, 2)) " " span.interval { "[" (fixed(interval.low, 2)) ", " (fixed(interval.high, 2)) "]" } } }
                        td.n { @if let Some(turns) = &figures.turns { (fixed(turns.sd, 2)) } }
                        td.n { @if let Some(turns) = &figures.turns { (turns.quartiles.map(|at| fixed(at, 0)).join(" ")) } }
                    } } }
                } }
                div.scroll { table {
                    caption { "Looked into node by node, the first " (account.looked_into) " games of each setup; means, and the largest where it matters." }
                    thead { tr { th { "setup" } th.n { "moves of a choice" } th.n { "forced %" } th.n { "plies a turn" } th.n { "passes" } th.n { "captures" }
                        th.n { "laps of a sowing (most)" } th.n { "seeds (most)" } th.n { "lead changes" } th.n { "comebacks %" } } }
                    tbody { @for (setup, figures) in &shown { @let detail = &figures.detail; tr {
                        td.setup { (setup.name) }
                        td.n { (mean(detail.branching.as_ref())) }
                        td.n { @if let Some(forced) = detail.forced { (fixed(100.0 * forced, 1)) } }
                        td.n { (mean(detail.moves_per_turn.as_ref())) } td.n { (mean(detail.passes.as_ref())) } td.n { (mean(detail.captures.as_ref())) }
                        td.n { (mean(detail.laps.as_ref())) @if let Some(laps) = &detail.laps { " (" (laps.max) ")" } }
                        td.n { (mean(detail.seeds.as_ref())) @if let Some(seeds) = &detail.seeds { " (" (seeds.max) ")" } }
                        td.n { (mean(detail.lead_changes.as_ref())) }
                        td.n { (fixed(100.0 * detail.comebacks.share, 1)) " " span.interval { "[" (fixed(100.0 * detail.comebacks.interval.low, 1)) ", " (fixed(100.0 * detail.comebacks.interval.high, 1)) "]" } }
                    } } }
                } }
                @if let Some((never, most)) = never(&shown, &account.happening(line_up)) { p.note { "Never under any setup: " (never) " (each in " (most) " of games at most)." } }
                (endings(&shown))
            }
        }
    }

    fn methods(&self) -> Markup {
        let account = self.account;
        html! {
            p { "Every setup was played with the same random numbers: game n of each has the same throws and the same lots of its players, as long as the games are the same. "
                "Differences are therefore taken game by game. Line-ups of unlike players change seats from game to game, through all orders." }
            p { "Shares have Wilson's 95 % interval (Wilson 1927). The interval of a difference of shares is the adjusted Wald interval for pairs (Bonett and Price 2012), that of turns Student's for the mean of paired differences; each is of that figure by itself. "
                "The p-value is that of the same statistic, corrected by Holm's procedure (Holm 1979) for all " (account.comparisons) " tests of readings; what they hang on is corrected by itself. "
                "A difference is called equivalent where two one-sided tests (Schuirmann 1987) at " (percent(account.level)) ", corrected by Bonferroni's inequality, tell that it is within "
                (fixed(100.0 * account.margin, 2)) " points (for turns: per cent of their mean under the setup chosen). "
                "“At most” is the smallest margin for which they would say so: these bounds hold for all tests together." }
            p { "With these numbers of games a difference of " (fixed(100.0 * account.detectable, 2)) " points between shares near one half is found with a chance of 80 % or more, in the strictest step of Holm's procedure and without the help of common random numbers." }
            p { "The player " em { "random" } " makes each move of a choice with the same chance; " em { "greedy" } " the one after which, at the end of his own turn, he stands best against the best other: by seeds in stores, else by steps travelled; ties by lot. " em { "mcts" } " is Monte Carlo tree search (UCT) with so many random games for each choice, " em { "alpha-beta" } " looks so many choices ahead." }
            p { "Wins, draws, and games stopped by a limit are three things and stand apart. A game of two setups parts at the first node where what is offered, what can be thrown, the position, or the result differ, while the same moves are made. "
                "The exact chance for it is reckoned from all sequences of plies, each move of a choice as likely as the others." }
            p { "A turn is all that happens until another seat is to play; a ply is one choice made, or a pass. A lap is one lifting and sowing; a sowing is all laps after one choice. The lead changes when another side stands best than the one that stood best before. "
                "A comeback is a game won by a side while another stood best after half of the turns, in per cent of games with a winner. Sowings that reached their limit of laps are left out of laps and seeds." }
            ul.note {
                li { "E. B. Wilson, “Probable Inference, the Law of Succession, and Statistical Inference”, Journal of the American Statistical Association 22, 1927." }
                li { "D. G. Bonett and R. M. Price, “Adjusted Wald Confidence Interval for a Difference of Binomial Proportions Based on Paired Data”, Journal of Educational and Behavioral Statistics 37, 2012." }
                li { "S. Holm, “A Simple Sequentially Rejective Multiple Test Procedure”, Scandinavian Journal of Statistics 6, 1979." }
                li { "D. J. Schuirmann, “A Comparison of the Two One-Sided Tests Procedure and the Power Approach for Assessing the Equivalence of Average Bioavailability”, Journal of Pharmacokinetics and Biopharmaceutics 15, 1987." }
                li { "L. Kocsis and C. Szepesvári, “Bandit Based Monte-Carlo Planning”, European Conference on Machine Learning, 2006." }
            }
        }
    }

    fn again(&self) -> Markup {
        let account = self.account;
        html! {
            p { "The same version, rules and command give the same figures, on any machine and any number of threads." }
            pre { (self.command) }
            dl {
                dt { "version" } dd { "ayn " (account.version) }
                dt { "file" } dd { (self.source.name()) ", " (self.source.text().len()) " bytes, as printed above" }
                dt { "seed" } dd { (account.seed) }
                dt { "games" } dd { (account.games) " for each of " (account.setups.len()) " setups and " (account.line_ups.len()) " line-ups; the first " (account.looked_into) " of each looked into" }
                dt { "limit" } dd { (account.max_turns) " turns" }
                dt { "line-ups" } dd { (account.line_ups.join(", ")) }
            }
            div.scroll { table {
                caption { "The hash of the rules under each setup: comments and spelling of the file do not change it." }
                thead { tr { th { "setup" } th { "rules" } } }
                tbody { @for setup in &account.setups { tr { td { (setup.name) } td { code { (setup.rules) } } } } }
            } }
        }
    }
}

fn subject(account: &Account) -> &'static str {
    match account.question {
        Asked::Against => "two rule files compared",
        Asked::Factorial => "its readings compared in all combinations",
        Asked::Each => "its readings compared, one at a time",
    }
}

fn of<'a>(played: &'a [Figures], line_up: &str) -> Option<&'a Figures> {
    played.iter().find(|figures| figures.line_up == line_up)
}

fn fixed(number: f64, places: usize) -> String {
    // No minus before a nought.
    let text = format!("{number:.places$}");
    if text.trim_start_matches('-').chars().all(|c| c == '0' || c == '.') {
        text.trim_start_matches('-').to_owned()
    } else {
        text
    }
}

fn percent(share: f64) -> String {
    format!("{} %", fixed(100.0 * share, 2))
}

fn mean(summary: Option<&crate::sim::Summary>) -> String {
    summary.map_or_else(|| "–".to_owned(), |summary| fixed(summary.mean, 2))
}

/// How often each ending applied; files that are compared have endings of their own.
fn endings(shown: &[(&SetupAccount, &Figures)]) -> Markup {
    let names = |figures: &Figures| figures.endings.iter().map(|ending| ending.name.clone()).collect::<Vec<_>>();
    html! {
        @for alike in shown.chunk_by(|one, other| names(one.1) == names(other.1)) { div.scroll { table {
            caption { "How often each ending of the file applied, in per cent of games." }
            thead { tr { th { "setup" } @if let Some((_, figures)) = alike.first() { @for ending in &figures.endings { th.n { (ending.name) } } } th.n { "captured, mean" } } }
            tbody { @for (setup, figures) in alike { tr {
                td { (setup.name) }
                @for ending in &figures.endings { td.n { (fixed(100.0 * ending.share, 2)) } }
                td.n { (mean(figures.captured.as_ref())) }
            } } }
        } } }
    }
}

/// What never happened under any setup, and how often it can at most.
fn never(shown: &[(&SetupAccount, &Figures)], happening: &[usize]) -> Option<(String, String)> {
    let (_, first) = shown.first()?;
    let never = first.shares.iter().enumerate().filter(|(n, _)| !happening.contains(n));
    let never: Vec<_> = never.map(|(_, share)| share).collect();
    let most = percent(never.first()?.interval.high);
    Some((never.iter().map(|share| share.name.as_str()).collect::<Vec<_>>().join(", "), most))
}

/// The name by which a contrast is found on the page.
fn anchor(contrast: &ContrastAccount, account: &Account) -> String {
    let at = account.contrasts.iter().position(|other| other.name == contrast.name).unwrap_or(0);
    format!("difference-{}", at + 1)
}

fn differs(contrast: &ContrastAccount) -> bool {
    let verdicts = contrast.differences.iter().flat_map(|differences| &differences.measures);
    verdicts.into_iter().any(|measure| matches!(measure.finding.verdict, Verdict::Differs | Verdict::Slight))
}

fn class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Differs => "differs",
        Verdict::Slight => "slight",
        Verdict::Equivalent => "equivalent",
        Verdict::Open => "open",
    }
}

/// A difference as it is read: points of share, or turns.
fn signed(measure: &MeasureDifference) -> String {
    let Some(found) = measure.finding.difference else { return String::new() };
    let unit = measure.unit();
    format!("{}{}", if found.mean > 0.0 { "+" } else { "" }, fixed(unit * found.mean, 2))
}

/// What a reading's differences come to in a few words: the surest difference of shares, and that of turns.
fn gist(measures: &[MeasureDifference]) -> Markup {
    let sureness = |measure: &&MeasureDifference| {
        measure.finding.difference.map_or(0.0, |found| (found.mean / found.error.max(f64::MIN_POSITIVE)).abs())
    };
    let found = |measure: &&MeasureDifference| matches!(measure.finding.verdict, Verdict::Differs | Verdict::Slight);
    let surest = measures.iter().filter(|measure| measure.share).filter(found);
    let surest = surest.max_by(|a, b| sureness(a).total_cmp(&sureness(b)));
    let bounds = measures.iter().filter(|measure| measure.share).filter_map(|measure| measure.finding.tested);
    let most = fixed(100.0 * bounds.map(|tested| tested.bound).fold(0.0, f64::max), 2);
    let shares = measures.iter().filter(|measure| measure.share);
    let open = shares.into_iter().any(|measure| measure.finding.verdict == Verdict::Open);
    let verdict = if open { Verdict::Open } else { Verdict::Equivalent };
    let figure = |measure: &MeasureDifference| {
        html! { span class=(class(measure.finding.verdict)) { (measure.finding.verdict.word()) } ": " (measure.measure) " " (signed(measure)) " " (interval(measure)) }
    };
    html! {
        @match surest {
            Some(measure) => (figure(measure)),
            None => { span class=(class(verdict)) { (verdict.word()) } ": shares differ by " (most) " points at most" },
        }
        @for measure in measures.iter().filter(|measure| !measure.share).filter(found) { br; (figure(measure)) }
    }
}

/// The interval of a difference.
fn interval(measure: &MeasureDifference) -> Markup {
    let unit = measure.unit();
    html! { @if let Some(found) = measure.finding.difference {
        span.interval { "[" (fixed(unit * found.interval.low, 2)) ", " (fixed(unit * found.interval.high, 2)) "]" }
    } }
}

fn difference(contrast: &ContrastAccount, account: &Account, file: &str) -> Markup {
    html! {
        @match &contrast.given {
            Some(given) => h4 id=(anchor(contrast, account)) { (given) },
            None => h3 id=(anchor(contrast, account)) { (contrast.name) },
        }
        @if let Some(reading) = contrast.reading.as_ref().filter(|_| contrast.given.is_none()) {
            p { (reading.question) " " em { (reading.to) } ": " (reading.text) "; " (reading.basis.word()) "." @if contrast.kind == Kind::Variant { " This is a variant, and no reading of the text." } }
        }
        div.scroll { table {
            thead { tr { th { "line-up" } th { "measure" } th.n { (contrast.halves[0]) } th.n { (contrast.halves[1]) } th.n { "difference" } th.n { "95 % interval" } th.n { "p (Holm)" } th.n { "at most" } th { "verdict" } } }
            tbody { @for differences in &contrast.differences { @for measure in &differences.measures {
                @if let Some(tested) = measure.finding.tested.filter(|_| measure.happens()) {
                    @let unit = measure.unit();
                    tr {
                        td { (differences.line_up) } td { (measure.measure) @if measure.share { " %" } }
                        td.n { (fixed(unit * measure.finding.means[0], 2)) } td.n { (fixed(unit * measure.finding.means[1], 2)) }
                        td.n { (signed(measure)) }
                        td.n { (interval(measure)) }
                        td.n { @if tested.p < 0.001 { "< 0.001" } @else { (fixed(tested.p, 3)) } }
                        td.n { (fixed(unit * tested.bound, 2)) }
                        td class=(class(measure.finding.verdict)) { (measure.finding.verdict.word()) }
                    }
                }
            } } }
        } }
        @if let Some(parting) = &contrast.parting { (part(parting, contrast, file)) }
    }
}

fn part(parting: &PartingAccount, contrast: &ContrastAccount, file: &str) -> Markup {
    let replay = |first: &Divergence, choices: &str| format!("ayn trace {file}{choices} --moves \"{}\"", first.record);
    html! {
        p {
            "The games part in " (percent(parting.parted.share)) " "
            span.interval { "[" (fixed(100.0 * parting.parted.interval.low, 2)) ", " (fixed(100.0 * parting.parted.interval.high, 2)) "]" }
            " of " (parting.games) " random games."
            @for given in &parting.oftener {
                " " span.slight { "Oftener with " (given.name) } ": " (percent(given.share)) " "
                span.interval { "[" (fixed(100.0 * given.interval.low, 2)) ", " (fixed(100.0 * given.interval.high, 2)) "]" } "."
            }
            @if parting.exact.iter().any(|chance| *chance > 0.0) {
                " Exactly, within so many plies: "
                @for (ply, chance) in parting.exact.iter().enumerate().skip_while(|(_, chance)| **chance == 0.0).take(8) { (ply + 1) ": " (percent(*chance)) "; " }
                "."
            } @else if !parting.exact.is_empty() { " Exactly never within " (parting.exact.len()) " plies." }
        }
        @match &parting.first {
            Some(first) => {
                p { "First found at ply " (first.plies) @if first.record.is_empty() { ", at the start:" } @else { ", after " code { (first.record) } ":" } }
                dl {
                    dt { "before" } dd.position { (first.position) }
                    dt { (contrast.halves[0]) } dd.position { (first.one) }
                    dt { (contrast.halves[1]) } dd.position { (first.two) }
                    @if !first.record.is_empty() && contrast.reading.is_some() {
                        dt { "see it" } dd { @for choices in &parting.choices { code { (replay(first, choices)) } br; } }
                    }
                }
            },
            None => p { "No game was found in which they part." },
        }
    }
}
