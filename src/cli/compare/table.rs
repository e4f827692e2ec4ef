//! A comparison as it is read at the terminal.

use std::io::Write;

use crate::{
    cli::{
        Done,
        output::{self, BAD, FAINT, GOOD, STRONG},
        table::wrap,
    },
    compare::{Account, ContrastAccount, LineUpDifferences, MeasureDifference, PartingAccount, Share, Verdict},
};

/// How many plies of an exact chance are printed.
const PLIES: usize = 6;

/// Prints a comparison and the command that gives the same.
pub(super) fn print(account: &Account, command: &str) -> Done {
    let mut out = output::out();
    let main = account.contrasts.iter().filter(|contrast| contrast.kind != "interaction").count();
    writeln!(
        out,
        "{STRONG}{}{STRONG:#}: {} setups, {main} comparisons, {} games for each setup and line-up, seed {}",
        account.game,
        account.setups.len(),
        account.games,
        account.seed,
    )?;
    let played = account.setups.iter().flat_map(|setup| &setup.played).map(|figures| figures.games).max().unwrap_or(0);
    if account.interrupted {
        writeln!(out, "stopped from the keyboard: the figures are those of the games played until then")?;
    } else if played < account.games {
        writeln!(out, "all was told after {played} games")?;
    }
    writeln!(out, "{FAINT}ayn {}: {command}", account.version)?;
    let chosen = account.chosen.readings.iter().map(|(name, value)| format!("{name}={value}"));
    let options = account.chosen.options.iter().map(|(name, value)| format!("{name}={value}"));
    writeln!(out, "as chosen: {}", chosen.chain(options).collect::<Vec<_>>().join(" "))?;
    writeln!(
        out,
        "so many games find a difference of {:.2} percentage points with a chance of 80 % or more (level {} %, Holm, {} tests){FAINT:#}",
        100.0 * account.detectable,
        100.0 * account.level,
        account.comparisons
    )?;
    for line_up in &account.line_ups {
        setups(&mut out, account, line_up)?;
    }
    for (kind, heading) in [
        ("reading", "Readings of the text"),
        ("variant", "Variants: they depart from the text, or are borrowed"),
        ("file", "The two files"),
        ("interaction", "How readings hang together: how much more the first changes where the second is chosen too"),
    ] {
        let mut contrasts = account.contrasts.iter().filter(|contrast| contrast.kind == kind).peekable();
        if contrasts.peek().is_some() {
            writeln!(out, "\n{STRONG}{heading}{STRONG:#}")?;
        }
        for found in contrasts {
            contrast(&mut out, found)?;
        }
    }
    out.flush()?;
    Ok(())
}

/// What was played, a setup a line.
fn setups(out: &mut impl Write, account: &Account, line_up: &str) -> Done {
    let played = account.setups.iter().filter_map(|setup| {
        let figures = setup.played.iter().find(|figures| figures.line_up == line_up)?;
        Some((setup, figures))
    });
    let played: Vec<_> = played.collect();
    // What never happens needs no column.
    let happens =
        |n: usize| played.iter().any(|(_, figures)| figures.shares.get(n).is_some_and(|share| share.hits > 0));
    let width = played.iter().map(|(setup, _)| setup.name.chars().count()).max().unwrap_or(0).min(60);
    let first: &[Share] = played.first().map_or(&[], |(_, figures)| figures.shares.as_slice());
    let heads = first.iter().enumerate().filter(|(n, _)| happens(*n));
    let heads = heads.map(|(_, share)| format!("{:>22}", share.name)).collect::<String>();
    writeln!(out, "\n{STRONG}{line_up}{STRONG:#}, shares in per cent with 95 % intervals")?;
    writeln!(out, "{:<width$}{heads}{:>18}", "", "turns (sd)")?;
    for (setup, figures) in &played {
        let shares = figures.shares.iter().enumerate().filter(|(n, _)| happens(*n)).map(|(_, share)| {
            let (low, high) = (100.0 * share.interval.low, 100.0 * share.interval.high);
            format!("{:>22}", format!("{:.2} [{low:.2}, {high:.2}]", 100.0 * share.share))
        });
        let turns = figures.turns.as_ref().map(|turns| format!("{:.2} ({:.2})", turns.mean, turns.sd));
        let same = setup.same_as.as_ref().map(|other| format!("  the same rules as {other}")).unwrap_or_default();
        writeln!(out, "{:<width$}{}{:>18}{same}", setup.name, shares.collect::<String>(), turns.unwrap_or_default())?;
    }
    let never = first.iter().enumerate().filter(|(n, _)| !happens(*n)).map(|(_, share)| share);
    let never: Vec<&Share> = never.collect();
    if let Some(share) = never.first() {
        let names: Vec<&str> = never.iter().map(|share| share.name.as_str()).collect();
        writeln!(
            out,
            "{FAINT}never: {} (each at most {:.2} %){FAINT:#}",
            names.join(", "),
            100.0 * share.interval.high
        )?;
    }
    Ok(())
}

fn contrast(out: &mut impl Write, contrast: &ContrastAccount) -> Done {
    writeln!(out, "\n{STRONG}{}{STRONG:#}", contrast.name)?;
    if let Some(reading) = &contrast.reading {
        writeln!(
            out,
            "  {FAINT}{} {}: {}; {}{FAINT:#}",
            reading.question,
            reading.to,
            reading.text,
            reading.basis.word()
        )?;
    }
    for differences in &contrast.differences {
        line_up(out, differences)?;
    }
    if let Some(parting) = &contrast.parting {
        part(out, parting)?;
    }
    Ok(())
}

fn line_up(out: &mut impl Write, differences: &LineUpDifferences) -> Done {
    for verdict in [Verdict::Differs, Verdict::Slight, Verdict::Equivalent, Verdict::Open] {
        let of_verdict = differences.measures.iter().filter(|measure| measure.finding.verdict == verdict);
        let told: Vec<String> =
            of_verdict.filter(|measure| happens(measure)).filter_map(|m| told(m, verdict)).collect();
        if told.is_empty() {
            continue;
        }
        let style = match verdict {
            Verdict::Differs | Verdict::Slight => BAD,
            Verdict::Equivalent => GOOD,
            Verdict::Open => FAINT,
        };
        let more = if matches!(verdict, Verdict::Equivalent | Verdict::Open) { ", no larger than" } else { "" };
        let head = format!("  {:<10} {}{more}: ", differences.line_up, verdict.word());
        let lines = wrap(&told.join("; "), output::columns().saturating_sub(15).max(40));
        for (n, line) in lines.iter().enumerate() {
            if n == 0 {
                writeln!(out, "{style}{head}{style:#}{line}")?;
            } else {
                writeln!(out, "{:13}{line}", "")?;
            }
        }
    }
    Ok(())
}

/// Whether what is measured happens at all.
fn happens(measure: &MeasureDifference) -> bool {
    let differing = measure.finding.difference.is_some_and(|found| found.differing > 0);
    differing || measure.finding.means.iter().any(|mean| *mean != 0.0)
}

/// A difference, or how large it can be at most.
fn told(measure: &MeasureDifference, verdict: Verdict) -> Option<String> {
    let difference = measure.finding.difference?;
    let unit = if measure.share { 100.0 } else { 1.0 };
    let name = &measure.measure;
    Some(match verdict {
        Verdict::Differs | Verdict::Slight => format!(
            "{name} {:+.2} [{:+.2}, {:+.2}]{}",
            unit * difference.mean,
            unit * difference.interval.low,
            unit * difference.interval.high,
            measure.finding.tested.map(|tested| format!(" p {}", p_value(tested.p))).unwrap_or_default()
        ),
        _ => format!("{name} {:.2}", unit * difference.bound),
    })
}

/// A p-value as it is cited.
fn p_value(p: f64) -> String {
    if p < 0.001 { "< 0.001".to_owned() } else { format!("{p:.3}") }
}

fn part(out: &mut impl Write, parting: &PartingAccount) -> Done {
    let (share, interval) = (100.0 * parting.parted.share, parting.parted.interval);
    writeln!(
        out,
        "  they part in {share:.2} % [{:.2}, {:.2}] of {} random games",
        100.0 * interval.low,
        100.0 * interval.high,
        parting.games
    )?;
    let told = parting.exact.iter().zip(&parting.by_ply).enumerate();
    let told = told.skip_while(|(_, (exact, _))| **exact == 0.0).take(PLIES);
    let told: Vec<String> = told
        .map(|(ply, (exact, share))| {
            let (low, high) = (100.0 * share.interval.low, 100.0 * share.interval.high);
            format!("{} {:.2} [{low:.2}, {high:.2}] exactly {:.2}", ply + 1, 100.0 * share.share, 100.0 * exact)
        })
        .collect();
    if !told.is_empty() {
        let lines =
            wrap(&format!("per cent within plies: {}", told.join("; ")), output::columns().saturating_sub(4).max(40));
        for line in lines {
            writeln!(out, "  {FAINT}{line}{FAINT:#}")?;
        }
    } else if let Some(plies) = Some(parting.exact.len()).filter(|plies| *plies > 0) {
        writeln!(out, "  {FAINT}exactly never within {plies} plies{FAINT:#}")?;
    }
    match &parting.first {
        Some(first) => {
            let record = if first.record.is_empty() { "at the start" } else { &first.record };
            writeln!(out, "  first at ply {}: {record}", first.plies)?;
            writeln!(
                out,
                "  {FAINT}  from  {}\n    one   {}\n    other {}{FAINT:#}",
                first.position, first.one, first.two
            )?;
        }
        None => writeln!(out, "  no game was found in which they part")?,
    }
    Ok(())
}
