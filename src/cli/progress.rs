//! Long work: a bar that shows how far it is when somebody can see it, and a stop from the keyboard.

use std::{
    io::IsTerminal,
    sync::{Arc, atomic::Ordering},
    thread,
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressStyle};

use super::Failure;
use crate::sim::{Control, SimulationError};

/// How long a first stop from the keyboard may take before a second one breaks off.
const PATIENCE: Duration = Duration::from_millis(700);

/// Does work of so many games, with a bar; gives what it came to and whether it was stopped.
pub(crate) fn watched<T: Send>(
    games: u64,
    work: impl FnOnce(&Control) -> Result<T, SimulationError> + Send,
) -> Result<(T, bool), Failure> {
    let control = Arc::new(Control::default());
    stop_on_interrupt(&control)?;
    let bar = if std::io::stderr().is_terminal() { ProgressBar::new(games) } else { ProgressBar::hidden() };
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} games, {per_sec}, {eta} left") {
        bar.set_style(style);
    }
    let done = thread::scope(|scope| {
        let watcher = thread::current();
        let control = &control;
        let running = scope.spawn(move || {
            let done = work(control);
            watcher.unpark();
            done
        });
        while !running.is_finished() {
            bar.set_position(control.done.load(Ordering::Relaxed));
            thread::park_timeout(Duration::from_millis(50));
        }
        running.join()
    });
    bar.finish_and_clear();
    match done {
        Ok(Ok(done)) => Ok((done, control.stopped())),
        Ok(Err(error)) => Err(Failure::Message(error.to_string())),
        Err(_) => Err(Failure::Message("the work broke off".to_owned())),
    }
}

/// Once: the games under way are completed and told. Again, when that takes too long: at once. The pause is there because
/// a signal to a group of processes can arrive twice.
fn stop_on_interrupt(control: &Arc<Control>) -> Result<(), Failure> {
    let handler = Arc::clone(control);
    let mut first: Option<Instant> = None;
    ctrlc::set_handler(move || {
        handler.stop.store(true, Ordering::Relaxed);
        if first.get_or_insert_with(Instant::now).elapsed() > PATIENCE {
            std::process::exit(130);
        }
    })
    .map_err(|error| Failure::Message(format!("the keyboard cannot be watched: {error}")))
}
