//! A comparison as it is read at the terminal.

use std::io::Write;

use anstyle::Style;

use crate::{
    cli::{
        Done,
        output::{self, BAD, FAINT, GOOD, STRONG},
        table::wrap,
    },
    compare::{
        Account, Asked, ContrastAccount, Kind, LineUpDifferences, MeasureDifference, PartingAccount, Share, Verdict,
    },
};

/// How many plies of an exact chance are printed.
const PLIES: usize = 6;

/// Prints a comparison and the command that gives the same.
pub(super) fn print(account: &Account, command: &str) -> Done {
    let mut out = output::out();
    let main = account.contrasts.iter().filter(|contrast| contrast.kind.is_main()).count();
    writeln!(
        out,
        "{STRONG}{}{STRONG:#}: {} setups, {main} comparisons, {} games for each setup and line-up, seed {}",
        account.game,
        account.setups.len(),
        account.games,
        account.seed,
    )?;
    let played = account.played;
    if account.interrupted {
        writeln!(out, "stopped from the keyboard: {played} games and more of each were played")?;
    } else if played < account.games {
        writeln!(out, "all was told after {played} games of each")?;
    }
    writeln!(out, "{FAINT}ayn {}: {command}", account.version)?;
    let chosen = account.chosen.readings.iter().map(|(name, value)| format!("{name}={value}"));
    let options = account.chosen.options.iter().map(|(name, value)| format!("{name}={value}"));
    writeln!(out, "as chosen: {}", chosen.chain(options).collect::<Vec<_>>().join(" "))?;
    for setup in account.setups.iter().take(if account.question == Asked::Against { 2 } else { 1 }) {
        writeln!(out, "rules {} {}", setup.rules, setup.game)?;
    }
    writeln!(
        out,
        "so many games find a difference of {:.2} percentage points with a chance of 80 % or more (level {} %, Holm, {} tests){FAINT:#}",
        100.0 * account.detectable,
        100.0 * account.level,
        account.comparisons
    )?;
    writeln!(
        out,
        "{FAINT}intervals are at 95 %, of each figure by itself; p and \"at most\" hold for all {} tests together{FAINT:#}",
        account.comparisons
    )?;
    for line_up in &account.line_ups {
        setups(&mut out, account, line_up)?;
    }
    for (kind, heading) in [
        (Kind::Reading, "Readings of the text"),
        (Kind::Variant, "Variants: they depart from the text, or are borrowed"),
        (Kind::File, "The two files"),
        (
            Kind::Interaction,
            "How readings hang together: how much more the first changes where the second is changed too",
        ),
    ] {
        let contrasts = account.contrasts.iter().enumerate().filter(|(_, contrast)| contrast.kind == kind);
        let contrasts: Vec<(usize, &ContrastAccount)> = contrasts.collect();
        if !contrasts.is_empty() {
            writeln!(out, "\n{STRONG}{heading}{STRONG:#}")?;
        }
        for (n, found) in contrasts {
            contrast(&mut out, found)?;
            let parts = account.contrasts.iter().skip(n + 1).take_while(|part| part.kind == Kind::Simple);
            for part in parts.take_while(|_| kind.is_main()) {
                simple(&mut out, part)?;
            }
            if let Some(parting) = &found.parting {
                parted(&mut out, found, parting)?;
            }
        }
    }
    if account.question == Asked::Each && account.contrasts.len() > 1 {
        writeln!(
            out,
            "\n{FAINT}each reading was changed alone, the others as chosen: `--all` and `--readings` tell what hangs on what{FAINT:#}"
        )?;
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
    let played: Vec<_> = played.filter(|(_, figures)| figures.games > 0).collect();
    if played.is_empty() {
        writeln!(out, "\n{STRONG}{line_up}{STRONG:#}: no games were played")?;
        return Ok(());
    }
    let happening = account.happening(line_up);
    let width = played.iter().map(|(setup, _)| setup.name.chars().count()).max().unwrap_or(0).min(60);
    let first: &[Share] = played.first().map_or(&[], |(_, figures)| figures.shares.as_slice());
    let heads = first.iter().enumerate().filter(|(n, _)| happening.contains(n));
    let heads = heads.map(|(_, share)| format!("  {:>22}", share.name)).collect::<String>();
    writeln!(out, "\n{STRONG}{line_up}{STRONG:#}, shares in per cent with 95 % intervals")?;
    writeln!(out, "{:<width$}{heads}{:>26}", "", "turns")?;
    for (setup, figures) in &played {
        let shares = figures.shares.iter().enumerate().filter(|(n, _)| happening.contains(n)).map(|(_, share)| {
            let (low, high) = (100.0 * share.interval.low, 100.0 * share.interval.high);
            format!("  {:>22}", format!("{:.2} [{low:.2}, {high:.2}]", 100.0 * share.share))
        });
        let turns = figures.turns.as_ref().zip(figures.turns_interval);
        let turns =
            turns.map(|(turns, interval)| format!("{:.2} [{:.2}, {:.2}]", turns.mean, interval.low, interval.high));
        let same = setup.same_as.as_ref().map(|other| format!("  (the rules of: {other})")).unwrap_or_default();
        writeln!(out, "{:<width$}{}{:>26}{same}", setup.name, shares.collect::<String>(), turns.unwrap_or_default())?;
    }
    let never = first.iter().enumerate().filter(|(n, _)| !happening.contains(n)).map(|(_, share)| share);
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
    Ok(())
}

/// What a contrast comes to under one combination of the other readings.
fn simple(out: &mut impl Write, contrast: &ContrastAccount) -> Done {
    writeln!(out, "  {}:", contrast.given.as_deref().unwrap_or_default())?;
    for differences in &contrast.differences {
        let told: Vec<String> = differences.measures.iter().filter(|m| m.happens()).filter_map(figure).collect();
        wrapped(out, &format!("    {:<8} ", differences.line_up), FAINT, &told.join("; "))?;
    }
    Ok(())
}

/// Prints a text over several lines behind a head.
fn wrapped(out: &mut impl Write, head: &str, style: Style, text: &str) -> Done {
    for (n, line) in wrap(text, output::columns().saturating_sub(15).max(40)).iter().enumerate() {
        if n == 0 {
            writeln!(out, "{style}{head}{style:#}{line}")?;
        } else {
            writeln!(out, "{:13}{line}", "")?;
        }
    }
    Ok(())
}

fn line_up(out: &mut impl Write, differences: &LineUpDifferences) -> Done {
    for verdict in [Verdict::Differs, Verdict::Slight, Verdict::Equivalent, Verdict::Open] {
        let of_verdict = differences.measures.iter().filter(|measure| measure.finding.verdict == verdict);
        let told: Vec<String> =
            of_verdict.filter(|measure| measure.happens()).filter_map(|m| told(m, verdict)).collect();
        if told.is_empty() {
            continue;
        }
        let style = match verdict {
            Verdict::Differs | Verdict::Slight => BAD,
            Verdict::Equivalent => GOOD,
            Verdict::Open => FAINT,
        };
        let head = format!("  {:<8} {}: ", differences.line_up, verdict.word());
        wrapped(out, &head, style, &told.join("; "))?;
    }
    Ok(())
}

/// A difference with its interval, and what was tested of it.
fn told(measure: &MeasureDifference, verdict: Verdict) -> Option<String> {
    let tested = measure.finding.tested?;
    let more = match verdict {
        Verdict::Differs => format!(" p {}", p_value(tested.p)),
        Verdict::Slight => format!(" p {}, at most {:.2}", p_value(tested.p), measure.unit() * tested.bound),
        Verdict::Equivalent => format!(" at most {:.2}", measure.unit() * tested.bound),
        Verdict::Open => String::new(),
    };
    Some(figure(measure)? + &more)
}

fn figure(measure: &MeasureDifference) -> Option<String> {
    let (difference, unit) = (measure.finding.difference?, measure.unit());
    let (low, high) = (unit * difference.interval.low, unit * difference.interval.high);
    Some(format!("{} {} [{}, {}]", measure.measure, signed(unit * difference.mean), signed(low), signed(high)))
}

/// Two decimal places with a sign, but none before a nought.
fn signed(number: f64) -> String {
    let text = format!("{number:+.2}");
    if text.ends_with("0.00") && text.len() == 5 { "0.00".to_owned() } else { text }
}

/// A p-value as it is cited.
fn p_value(p: f64) -> String {
    if p < 0.001 { "< 0.001".to_owned() } else { format!("{p:.3}") }
}

/// Where the two part.
fn parted(out: &mut impl Write, contrast: &ContrastAccount, parting: &PartingAccount) -> Done {
    let (share, interval) = (100.0 * parting.parted.share, parting.parted.interval);
    let (low, high) = (100.0 * interval.low, 100.0 * interval.high);
    writeln!(out, "  they part in {share:.2} % [{low:.2}, {high:.2}] of {} random games", parting.games)?;
    for given in &parting.oftener {
        let (low, high) = (100.0 * given.interval.low, 100.0 * given.interval.high);
        writeln!(out, "  {BAD}oftener with {}{BAD:#}: {:.0} % [{low:.0}, {high:.0}]", given.name, 100.0 * given.share)?;
    }
    let exact = parting.exact.iter().enumerate().skip_while(|(_, exact)| **exact == 0.0).take(PLIES);
    let told: Vec<String> = exact.map(|(ply, exact)| format!("{} {:.2} %", ply + 1, 100.0 * exact)).collect();
    if !told.is_empty() {
        writeln!(out, "  {FAINT}exactly, within so many plies: {}{FAINT:#}", told.join(", "))?;
    } else if let Some(plies) = Some(parting.exact.len()).filter(|plies| *plies > 0) {
        writeln!(out, "  {FAINT}exactly never within {plies} plies{FAINT:#}")?;
    }
    let Some(first) = &parting.first else {
        writeln!(out, "  no game was found in which they part")?;
        return Ok(());
    };
    let record = if first.record.is_empty() { "at the start" } else { &first.record };
    writeln!(out, "  first at ply {}: {record}", first.plies)?;
    let [one, two] = &contrast.halves;
    let width = one.chars().count().max(two.chars().count()).max(6);
    for (name, position) in [("before", &first.position), (one.as_str(), &first.one), (two, &first.two)] {
        writeln!(out, "    {FAINT}{name:<width$}  {position}{FAINT:#}")?;
    }
    Ok(())
}
