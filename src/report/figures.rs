//! The plots of a page.

use maud::{Markup, PreEscaped, html};

use super::{
    Page, of,
    plots::{self, Axes, Estimate, Line, Row},
};
use crate::compare::{Figures, Measure, Share};

/// How many setups a plot of lines shows.
const MOST_LINES: usize = 14;
/// How many bars the lengths of games are put into.
const BINS: u32 = 40;
/// How many plies the plot of partings shows.
const PLIES: usize = 40;

impl Page<'_> {
    pub(super) fn figures(&self) -> Markup {
        let line_ups = &self.account.line_ups;
        html! {
            @for (n, line_up) in line_ups.iter().enumerate() {
                (self.differences(n, line_up))
                (self.outcomes(line_up))
                (self.lengths(n, line_up))
                (self.branching(n, line_up))
            }
            (self.endless())
            (self.partings())
        }
    }

    /// The setups that differ from the one chosen in one reading: those that plots of lines show.
    fn plain(&self) -> Vec<usize> {
        let cells = self.comparison.design.cells.iter().enumerate();
        cells.filter(|(n, cell)| *n == 0 || cell.changes.len() < 2).map(|(n, _)| n).take(MOST_LINES).collect()
    }

    /// Which setups plots of lines show, where not all.
    fn shown(&self) -> String {
        let (some, all) = (self.plain().len(), self.account.setups.len());
        if some < all { format!("{some} of {all} setups, those that differ in one reading; ") } else { String::new() }
    }

    fn name(&self, cell: usize) -> String {
        self.account.setups.get(cell).map(|setup| setup.name.clone()).unwrap_or_default()
    }

    /// Shares of a line-up by setup.
    fn shares(&self, line_up: &str, keep: impl Fn(&Figures, &Share) -> bool) -> (Vec<Row>, Vec<String>) {
        let rows = self.account.setups.iter().filter_map(|setup| {
            let figures = of(&setup.played, line_up)?;
            let shares = figures.shares.iter().filter(|share| keep(figures, share));
            Some(Row { name: setup.name.clone(), estimates: shares.map(estimate).collect() })
        });
        let first = self.account.setups.first().and_then(|setup| of(&setup.played, line_up));
        let names = first.map(|figures| {
            figures.shares.iter().filter(|share| keep(figures, share)).map(|share| share.name.clone()).collect()
        });
        (rows.collect(), names.unwrap_or_default())
    }

    /// What every reading changes, in points of share.
    fn differences(&self, n: usize, line_up: &str) -> Markup {
        let mut names: Vec<String> = vec![];
        let mut rows = vec![];
        for contrast in self.account.contrasts.iter().filter(|contrast| contrast.kind.is_main()) {
            let Some(differences) = contrast.differences.get(n) else { continue };
            let shares = differences.measures.iter().filter(|measure| measure.share && !measure.of.is_rare());
            let shares: Vec<_> = shares.filter_map(|measure| Some((measure, measure.finding.difference?))).collect();
            names = shares.iter().map(|(measure, _)| measure.measure.clone()).collect();
            let estimates = shares.iter().map(|(_, found)| Estimate {
                value: 100.0 * found.mean,
                low: 100.0 * found.interval.low,
                high: 100.0 * found.interval.high,
            });
            rows.push(Row { name: contrast.name.clone(), estimates: estimates.collect() });
        }
        let caption =
            format!("What each reading changes, in percentage points of games, with 95 % intervals; {line_up}.");
        figure(&plots::whiskers(&rows, "percentage points"), &names, &caption)
    }

    fn outcomes(&self, line_up: &str) -> Markup {
        let (rows, names) = self.shares(line_up, |_, share| !is_rare(share));
        let caption = "How games end, with 95 % intervals";
        figure(&plots::whiskers(&rows, "per cent of games"), &names, &format!("{caption}; {line_up}."))
    }

    fn endless(&self) -> Markup {
        let wanted = |share: &Share| is_rare(share);
        let any = self.account.setups.iter().flat_map(|setup| &setup.played).flat_map(|figures| &figures.shares);
        if any.into_iter().filter(|share| wanted(share)).all(|share| share.hits == 0) {
            return html! { p.note { "No sowing reached its limit of laps, and no game was stopped by a limit, under any setup and line-up: of the games of each, "
            (super::percent(self.account.setups.first().and_then(|setup| setup.played.first()).and_then(|figures| figures.shares.last()).map_or(1.0, |share| share.interval.high)))
            " at most do (95 %)." } };
        }
        html! {
            @for line_up in &self.account.line_ups {
                @let (rows, names) = self.shares(line_up, |_, share| wanted(share));
                (figure(&plots::whiskers(&rows, "per cent of games"), &names, &format!("Games with a sowing that reached its limit of laps, and games stopped by a limit, with 95 % intervals; {line_up}.")))
            }
        }
    }

    fn lengths(&self, n: usize, line_up: &str) -> Markup {
        let cells = self.plain();
        let played = |cell: &usize| self.findings.played.get(n).and_then(|played| played.get(*cell));
        let longest = cells.iter().filter_map(played).filter_map(|played| quantile(&played.report.turns, 0.995)).max();
        let width = longest.unwrap_or(1).div_ceil(BINS).max(1);
        let lines = cells.iter().enumerate().filter_map(|(colour, cell)| {
            let turns = &played(cell)?.report.turns;
            let mut bins = vec![0u64; usize::try_from(longest? / width + 1).ok()?];
            for (value, count) in turns.counts() {
                if let Some(bin) = bins.get_mut((value / width) as usize) {
                    *bin += count;
                }
            }
            let share = |count: u64| 100.0 * count as f64 / turns.len().max(1) as f64;
            let middle = |bin: usize| (bin as f64 + 0.5) * f64::from(width);
            let points = bins.iter().enumerate().map(|(bin, count)| (middle(bin), share(*count))).collect();
            Some(Line { name: self.name(*cell), points, marks: false, colour })
        });
        let axes = Axes { x: "turns", y: "per cent of games", full: false };
        lines_figure(
            &lines.collect::<Vec<_>>(),
            axes,
            &format!(
                "How long games last, in classes of {width} turns; the longest half per cent are cut off; {}{line_up}.",
                self.shown()
            ),
        )
    }

    fn branching(&self, n: usize, line_up: &str) -> Markup {
        let cells = self.plain();
        let lines = cells.iter().enumerate().filter_map(|(colour, cell)| {
            let detail = &self.findings.played.get(n)?.get(*cell)?.detail;
            // A mean of few choices is noise.
            let enough =
                detail.by_turn.iter().take_while(|(_, choices)| *choices >= 30 && *choices * 50 >= detail.games);
            let points =
                enough.enumerate().map(|(turn, (moves, choices))| (turn as f64 + 1.0, *moves as f64 / *choices as f64));
            Some(Line { name: self.name(*cell), points: points.collect(), marks: false, colour })
        });
        let axes = Axes { x: "turn", y: "moves of a choice, mean", full: false };
        lines_figure(
            &lines.collect::<Vec<_>>(),
            axes,
            &format!(
                "Branching: how many moves there are to choose among, turn by turn, while at least one game in fifty goes on; {}{line_up}.",
                self.shown()
            ),
        )
    }

    fn partings(&self) -> Markup {
        let mut lines = vec![];
        for contrast in self.account.contrasts.iter().filter(|contrast| contrast.parting.is_some()) {
            let at = self.account.contrasts.iter().position(|other| other.name == contrast.name);
            let found = at.and_then(|at| self.findings.partings.get(at)?.as_ref());
            let (Some(parting), colour) = (found, lines.len() / 2) else { continue };
            if colour >= MOST_LINES {
                break;
            }
            let within = |ply: usize| {
                let parted = parting.plies.counts().filter(|(plies, _)| *plies as usize <= ply).map(|(_, count)| count);
                100.0 * parted.sum::<u64>() as f64 / parting.games.max(1) as f64
            };
            let points = (0..=PLIES).map(|ply| (ply as f64, within(ply))).collect();
            lines.push(Line { name: contrast.name.clone(), points, marks: false, colour });
            let exact =
                parting.exact.iter().take(PLIES).enumerate().map(|(ply, chance)| (ply as f64 + 1.0, 100.0 * chance));
            lines.push(Line { name: String::new(), points: exact.collect(), marks: true, colour });
        }
        let axes = Axes { x: "plies", y: "per cent of random games that have parted", full: true };
        let games = self.account.looked_into;
        lines_figure(
            &lines,
            axes,
            &format!(
                "Divergence: how soon random games part. Lines: shares of {games} games; circles: exact chances, as deep as they were reckoned."
            ),
        )
    }
}

fn is_rare(share: &Share) -> bool {
    share.of.is_some_and(Measure::is_rare)
}

fn estimate(share: &Share) -> Estimate {
    Estimate { value: 100.0 * share.share, low: 100.0 * share.interval.low, high: 100.0 * share.interval.high }
}

/// The smallest value that so large a part of all values do not go beyond.
fn quantile(tally: &crate::sim::Tally, part: f64) -> Option<u32> {
    let mut left = part * tally.len() as f64;
    let found = tally.counts().find(|(_, count)| {
        left -= *count as f64;
        left <= 0.0
    });
    found.map(|(value, _)| value)
}

fn lines_figure(lines: &[Line], axes: Axes, caption: &str) -> Markup {
    let names: Vec<(usize, &str)> =
        lines.iter().filter(|line| !line.name.is_empty()).map(|line| (line.colour, line.name.as_str())).collect();
    drawn(&plots::lines(lines, axes), &names, caption)
}

fn figure(svg: &str, names: &[String], caption: &str) -> Markup {
    drawn(svg, &names.iter().enumerate().map(|(n, name)| (n, name.as_str())).collect::<Vec<_>>(), caption)
}

fn drawn(svg: &str, names: &[(usize, &str)], caption: &str) -> Markup {
    if svg.is_empty() {
        return html! {};
    }
    html! {
        figure role="group" aria-label=(caption) {
            ul.legend { @for (colour, name) in names { li { i style=(format!("background:{}", plots::css(*colour))) {} (name) } } }
            (PreEscaped(svg))
            figcaption { (caption) }
        }
    }
}
