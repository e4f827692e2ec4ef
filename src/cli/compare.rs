//! `ayn compare`.

use std::{fmt::Write as _, io::Write, sync::Arc};

use super::{
    Done, Failure,
    args::CompareArgs,
    load,
    output::{self, BAD, FAINT, GOOD, STRONG},
    progress::watched,
};
use crate::{
    agents::LineUp,
    compare::{
        Account, Comparison, ContrastAccount, Design, DesignError, Figures, LineUpDifferences, MeasureDifference,
        POSITIONS, PartingAccount, Question, Verdict,
    },
    report::Page,
    rules::{Game, ReadingId, Setup, SetupError},
};

pub(crate) fn run(args: &CompareArgs) -> Done {
    let (source, game) = load::game(&args.file)?;
    let chosen = load::setup(&game, &args.choices)?;
    let question = question(args, &game)?;
    let message = |error: DesignError| Failure::Message(format!("{}: {error}", args.file.display()));
    let design = Design::new(&game, &chosen, question).map_err(message)?;
    let mut comparison = Comparison {
        line_ups: line_ups(args, &design)?,
        design,
        games: args.games,
        seed: args.seed,
        threads: usize::from(args.threads),
        max_turns: args.max_turns.unwrap_or(u32::MAX),
        margin: args.margin / 100.0,
        positions: POSITIONS,
    };
    if let Some(points) = args.detect {
        comparison.games = comparison.games_to_detect(points / 100.0, args.power);
    }
    // A file that cannot be written is told before the games are played.
    let report = args.report.as_ref().map(|path| output::File::create(path)).transpose()?;
    let (findings, interrupted) = watched(comparison.work(), |control| comparison.run(control))?;
    let account = comparison.account(&findings, interrupted);
    if let Some(report) = report {
        let command = again(args, &account);
        let (comparison, findings, account) = (&comparison, &findings, &account);
        let page = Page { source: &source, game: &game, comparison, findings, account, command: &command };
        report.write(&page.html())?;
    }
    if args.choices.json {
        output::json(&account)?;
    } else if args.csv {
        csv(&account)?;
    } else {
        print(args, &account)?;
    }
    if interrupted { Err(Failure::Interrupted) } else { Ok(()) }
}

fn question(args: &CompareArgs, game: &Arc<Game>) -> Result<Question, Failure> {
    if let Some(path) = &args.against {
        let (_, other) = load::game(path)?;
        let setup = other_setup(&other, args)?;
        return Ok(Question::Against(other, Box::new(setup)));
    }
    if args.all {
        return Ok(Question::Factorial(game.readings.ids().collect()));
    }
    if args.crossed.is_empty() {
        return Ok(Question::Each(game.readings.ids().collect()));
    }
    let found = args.crossed.iter().map(|name| Setup::find_reading(game, name));
    let mut found: Vec<ReadingId> =
        found.collect::<Result<_, SetupError>>().map_err(|error| Failure::Message(error.to_string()))?;
    found.sort_unstable();
    found.dedup();
    Ok(Question::Factorial(found))
}

/// The setup of the other file: what was chosen for the first is chosen for it too, where it has such a reading or option.
fn other_setup(other: &Game, args: &CompareArgs) -> Result<Setup, Failure> {
    let known = |texts: &[String], names: Vec<&str>| -> Vec<String> {
        let has = |text: &&String| names.contains(&text.split('=').next().unwrap_or_default());
        texts.iter().filter(has).cloned().collect()
    };
    let mut choices = args.choices.clone();
    choices.readings = known(&choices.readings, other.readings.iter().map(|reading| reading.name.as_str()).collect());
    choices.options = known(&choices.options, other.options.iter().map(|option| option.name.as_str()).collect());
    load::setup(other, &choices)
}

fn line_ups(args: &CompareArgs, design: &Design) -> Result<Vec<LineUp>, Failure> {
    let usage = |error: &dyn std::fmt::Display| Failure::Usage(error.to_string());
    let parsed = args.agents.iter().map(|text| text.parse::<LineUp>());
    let line_ups = parsed.collect::<Result<Vec<_>, _>>().map_err(|error| usage(&error))?;
    for (line_up, cell) in line_ups.iter().flat_map(|line_up| design.cells.iter().map(move |cell| (line_up, cell))) {
        let agents = line_up.seat(cell.rules.seats.len()).map_err(|error| usage(&error))?;
        for agent in &agents {
            agent.suits(&cell.rules).map_err(|error| usage(&error))?;
        }
    }
    Ok(line_ups)
}

fn print(args: &CompareArgs, account: &Account) -> Done {
    let mut out = output::out();
    writeln!(
        out,
        "{STRONG}{}{STRONG:#}: {} setups, {} comparisons of readings or files, {} games for each setup and line-up, seed {}",
        account.game,
        account.setups.len(),
        account.contrasts.iter().filter(|contrast| contrast.kind != "interaction").count(),
        account.games,
        account.seed,
    )?;
    if account.interrupted {
        writeln!(out, "stopped from the keyboard: the figures are those of the games played until then")?;
    }
    writeln!(out, "{FAINT}ayn {}, {}", account.version, again(args, account))?;
    let chosen = account.chosen.readings.iter().map(|(name, value)| format!("{name}={value}"));
    let options = account.chosen.options.iter().map(|(name, value)| format!("{name}={value}"));
    writeln!(out, "as chosen: {}", chosen.chain(options).collect::<Vec<_>>().join(" "))?;
    writeln!(
        out,
        "a difference of {:.2} points of share is found with 80 % power at least (5 % level, {} comparisons, Holm){FAINT:#}",
        100.0 * account.detectable,
        account.comparisons
    )?;
    for line_up in &account.line_ups {
        setups(&mut out, account, line_up)?;
    }
    for (kind, heading) in [
        ("reading", "Readings of the text"),
        ("variant", "Variants: they depart from the text, or are borrowed"),
        ("file", "The two files"),
        ("interaction", "How readings hang together"),
    ] {
        let mut contrasts = account.contrasts.iter().filter(|contrast| contrast.kind == kind).peekable();
        if contrasts.peek().is_none() {
            continue;
        }
        writeln!(out, "\n{STRONG}{heading}{STRONG:#}")?;
        for found in contrasts {
            contrast(&mut out, found)?;
        }
    }
    out.flush()?;
    Ok(())
}

/// The command that gives the very same figures.
pub(super) fn again(args: &CompareArgs, account: &Account) -> String {
    let mut text = format!("ayn compare {}", args.file.display());
    for reading in &args.choices.readings {
        let _ = write!(text, " --reading {reading}");
    }
    for option in &args.choices.options {
        let _ = write!(text, " --set {option}");
    }
    if args.all {
        text += " --all";
    }
    if !args.crossed.is_empty() {
        let _ = write!(text, " --readings {}", args.crossed.join(","));
    }
    if let Some(path) = &args.against {
        let _ = write!(text, " --against {}", path.display());
    }
    let _ = write!(text, " -n {} --seed {} --agents {}", account.games, account.seed, account.line_ups.join(","));
    if let Some(turns) = args.max_turns {
        let _ = write!(text, " --max-turns {turns}");
    }
    let _ = write!(text, " --margin {}", args.margin);
    text
}

/// What was played, a setup a line.
fn setups(out: &mut impl Write, account: &Account, line_up: &str) -> Done {
    writeln!(out, "\n{STRONG}{line_up}{STRONG:#}, shares in per cent with 95 % intervals")?;
    let of = |figures: &[Figures]| figures.iter().find(|figures| figures.line_up == line_up).cloned();
    let width = account.setups.iter().map(|setup| setup.name.chars().count()).max().unwrap_or(0).min(60);
    let heads =
        account.setups.iter().find_map(|setup| of(&setup.played)).map(|figures| figures.shares).unwrap_or_default();
    let heads = heads.iter().map(|share| format!("{:>22}", share.name)).collect::<String>();
    writeln!(out, "{:<width$}{heads}{:>20}", "", "turns (sd)")?;
    for setup in &account.setups {
        let Some(figures) = of(&setup.played) else { continue };
        let shares = figures.shares.iter().map(|share| {
            let (low, high) = (100.0 * share.interval.low, 100.0 * share.interval.high);
            format!("{:>22}", format!("{:.2} [{low:.2}, {high:.2}]", 100.0 * share.share))
        });
        let turns = figures.turns.map_or(String::new(), |turns| format!("{:.2} ({:.2})", turns.mean, turns.sd));
        let same = setup.same_as.as_ref().map(|other| format!("  the same rules as {other}")).unwrap_or_default();
        writeln!(out, "{:<width$}{}{turns:>20}{same}", setup.name, shares.collect::<String>())?;
    }
    Ok(())
}

fn contrast(out: &mut impl Write, contrast: &ContrastAccount) -> Done {
    let basis = contrast
        .reading
        .as_ref()
        .map(|reading| format!("  {FAINT}{}: {}{FAINT:#}", reading.basis.word(), reading.text));
    writeln!(out, "\n{}{}", contrast.name, basis.unwrap_or_default())?;
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
        let told: Vec<String> = of_verdict.filter_map(|measure| told(measure, verdict)).collect();
        if told.is_empty() {
            continue;
        }
        let style = match verdict {
            Verdict::Differs | Verdict::Slight => BAD,
            Verdict::Equivalent => GOOD,
            Verdict::Open => FAINT,
        };
        let head = match verdict {
            Verdict::Equivalent => "equivalent, no larger than".to_owned(),
            Verdict::Open => "open, no larger than".to_owned(),
            _ => verdict.word().to_owned(),
        };
        writeln!(out, "  {:<10} {style}{head}{style:#}: {}", differences.line_up, told.join("; "))?;
    }
    Ok(())
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
pub(super) fn p_value(p: f64) -> String {
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
    let told = parting.exact.iter().zip(&parting.by_ply).take(8).enumerate();
    let told: Vec<String> = told
        .map(|(ply, (exact, share))| format!("{} {:.3} (exactly {:.3})", ply + 1, 100.0 * share.share, 100.0 * exact))
        .collect();
    if !told.is_empty() {
        writeln!(out, "  {FAINT}per cent within plies: {}{FAINT:#}", told.join(", "))?;
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

/// One figure a line: those of setups, then differences.
fn csv(account: &Account) -> Done {
    let mut out = csv::Writer::from_writer(output::plain());
    let failed = |error: csv::Error| Failure::Message(error.to_string());
    out.write_record([
        "kind",
        "subject",
        "line_up",
        "measure",
        "games",
        "value",
        "low",
        "high",
        "p",
        "bound",
        "margin",
        "p_equivalence",
        "verdict",
    ])
    .map_err(failed)?;
    for setup in &account.setups {
        for figures in &setup.played {
            for share in figures.shares.iter().chain(&figures.endings) {
                let numbers = [share.share, share.interval.low, share.interval.high].map(|number| number.to_string());
                let [value, low, high] = numbers;
                let row = [
                    "setup",
                    &setup.name,
                    &figures.line_up,
                    &share.name,
                    &figures.games.to_string(),
                    &value,
                    &low,
                    &high,
                    "",
                    "",
                    "",
                    "",
                    "",
                ];
                out.write_record(row).map_err(failed)?;
            }
            if let Some(turns) = figures.turns.as_ref() {
                let row = [
                    "setup",
                    &setup.name,
                    &figures.line_up,
                    "turns",
                    &figures.games.to_string(),
                    &turns.mean.to_string(),
                    "",
                    "",
                    "",
                    "",
                    "",
                    "",
                    "",
                ];
                out.write_record(row).map_err(failed)?;
            }
        }
    }
    for contrast in &account.contrasts {
        for differences in &contrast.differences {
            for measure in &differences.measures {
                let (Some(found), Some(tested)) = (measure.finding.difference, measure.finding.tested) else {
                    continue;
                };
                let numbers = [
                    found.mean,
                    found.interval.low,
                    found.interval.high,
                    tested.p,
                    found.bound,
                    tested.margin,
                    tested.equivalence,
                ];
                let [value, low, high, p, bound, margin, equivalence] = numbers.map(|number| number.to_string());
                let games = found.games.to_string();
                let row = [
                    contrast.kind,
                    &contrast.name,
                    &differences.line_up,
                    &measure.measure,
                    &games,
                    &value,
                    &low,
                    &high,
                    &p,
                    &bound,
                    &margin,
                    &equivalence,
                    measure.finding.verdict.word(),
                ];
                out.write_record(row).map_err(failed)?;
            }
        }
    }
    out.flush()?;
    Ok(())
}
