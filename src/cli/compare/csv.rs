//! The figures of a comparison as comma-separated values, one a line.

use std::io::Write;

use csv::Writer;

use crate::{
    cli::{Done, Failure, output},
    compare::{Account, MeasureDifference, Share},
    sim::mean_interval,
};

const COLUMNS: [&str; 15] = [
    "kind",
    "subject",
    "reading",
    "alternative",
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
];

/// Prints the shares and means of setups, then differences. Shares are parts of one.
pub(super) fn print(account: &Account) -> Done {
    let mut out = Writer::from_writer(output::plain());
    write(&mut out, account).map_err(|error| Failure::Io(error.into()))?;
    out.flush()?;
    Ok(())
}

fn write(out: &mut Writer<impl Write>, account: &Account) -> csv::Result<()> {
    out.write_record(COLUMNS)?;
    for setup in &account.setups {
        for figures in &setup.played {
            let games = figures.games.to_string();
            let mut row = |measure: &str, numbers: [String; 3]| {
                let [value, low, high] = numbers;
                let known: [&str; 10] =
                    ["setup", &setup.name, "", "", &figures.line_up, measure, &games, &value, &low, &high];
                out.write_record(known.into_iter().chain([""; 5]))
            };
            let share = |share: &Share| [share.share, share.interval.low, share.interval.high].map(number);
            for found in &figures.shares {
                row(&found.name, share(found))?;
            }
            for ending in &figures.endings {
                row(&format!("ending {}", ending.name), share(ending))?;
            }
            for (name, summary) in [("turns", &figures.turns), ("captured", &figures.captured)] {
                let interval = summary.as_ref().and_then(|all| mean_interval(all.mean, all.sd, figures.games));
                if let (Some(summary), Some(interval)) = (summary, interval) {
                    row(name, [summary.mean, interval.low, interval.high].map(number))?;
                }
            }
        }
    }
    for contrast in &account.contrasts {
        for differences in &contrast.differences {
            for measure in &differences.measures {
                let reading = contrast.reading.as_ref();
                let (reading, to) = reading.map_or(("", ""), |reading| (&reading.name, &reading.to));
                let subject =
                    [contrast.kind.word(), &contrast.name, reading, to, &differences.line_up, &measure.measure];
                if let Some(numbers) = numbers(measure) {
                    let verdict = measure.finding.verdict.word();
                    out.write_record(subject.into_iter().chain(numbers.iter().map(String::as_str)).chain([verdict]))?;
                }
            }
        }
    }
    Ok(())
}

/// What follows the subject of a difference, up to the verdict.
fn numbers(measure: &MeasureDifference) -> Option<[String; 8]> {
    let (found, tested) = measure.finding.difference.zip(measure.finding.tested)?;
    Some([
        found.games.to_string(),
        number(found.mean),
        number(found.interval.low),
        number(found.interval.high),
        format!("{:.3e}", tested.p),
        number(tested.bound),
        number(tested.margin),
        format!("{:.3e}", tested.equivalence),
    ])
}

/// Six decimal places: what is beyond them differs between machines.
fn number(number: f64) -> String {
    format!("{number:.6}")
}
