//! The table of docs/performance.md: the engine beside programs written by hand, and beside the reference evaluator.
//!
//! `cargo bench --bench ratios` prints it. Every round plays the same games on all contenders of a game, one after the
//! other, and asserts that they came to the same; the time of a contender is the median of the rounds. With names of
//! games (`cargo bench --bench ratios -- koumma tamman`) only these are played.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a bench"
)]

mod by_hand;

use std::{
    fs,
    path::Path,
    time::{Duration, Instant},
};

use ayn::{
    Agent, Compiled, Reference, RuleFile, Streams, Tree, Visitor,
    game::{Rules, Setup},
    simulation::{Control, Simulation},
};
use by_hand::{Played, Program};

/// How often each is timed.
const ROUNDS: usize = 7;
/// How long each is played in a round, about.
const ROUND: Duration = Duration::from_millis(100);

fn rules(name: &str) -> Rules {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("games").join(format!("{name}.ayn"));
    let file = RuleFile::from_bytes(name, fs::read(path).expect("it can be read")).expect("it is text");
    let game = ayn::check(&file).game.expect("it is a game");
    ayn::bind(&game, &Setup::defaults(&game)).expect("it can be played")
}

/// What some games came to, taken together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Sum {
    south: u64,
    north: u64,
    turns: u64,
    captured: u64,
    endings: u64,
}

impl Sum {
    fn add(&mut self, played: &Played) {
        self.south += u64::from(played.winner == Some(0));
        self.north += u64::from(played.winner == Some(1));
        self.turns += u64::from(played.turns);
        self.captured += u64::from(played.captured);
        self.endings += u64::from(played.ending.unwrap_or(0));
    }
}

/// Plays games by number on the engine.
struct Engine {
    games: u64,
}

impl Visitor for Engine {
    type Output = Sum;

    fn visit<T: Tree>(self, engine: &T) -> Sum {
        let mut sum = Sum::default();
        let (mut position, mut streams) = (engine.start(), Streams::new(1, 0, engine.seats()));
        for game in 0..self.games {
            sum.add(&Played::at(engine, &mut position, &mut streams, 1, game));
        }
        sum
    }
}

fn by_hand(program: &mut dyn Program, games: u64) -> Sum {
    let (mut sum, mut streams) = (Sum::default(), Streams::new(1, 0, 2));
    for game in 0..games {
        streams.restart(1, game);
        sum.add(&program.play(&mut streams));
    }
    sum
}

fn timed<R>(work: impl FnOnce() -> R) -> (Duration, R) {
    let begin = Instant::now();
    let result = work();
    (begin.elapsed(), result)
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// Has machine code made, and tells where there is none.
fn told(engine: &Compiled) {
    if !engine.hasten() {
        println!("without machine code:");
    }
}

/// So many games that they take about a round.
fn enough(mut play: impl FnMut(u64)) -> u64 {
    let mut games = 1;
    loop {
        let (time, ()) = timed(|| play(games));
        if time > ROUND / 4 {
            return (games as f64 * ROUND.as_secs_f64() / time.as_secs_f64()).ceil() as u64;
        }
        games *= 4;
    }
}

fn thousands(games: u64, time: Duration) -> String {
    format!("{:.1}", games as f64 / time.as_secs_f64() / 1000.0)
}

/// Whether a game is one of those asked for.
fn asked(name: &str) -> bool {
    let mut names = std::env::args().skip(1).filter(|name| !name.starts_with("--")).peekable();
    names.peek().is_none() || names.any(|asked| asked == name)
}

/// The engine beside the programs that know but one game.
fn race() {
    println!(
        "| game | plain, 1000 games/s | fast, 1000 games/s | engine, 1000 games/s | engine / plain | engine / fast |"
    );
    println!("|---|---|---|---|---|---|");
    let mut programs = by_hand::programs();
    for pair in programs.chunk_by_mut(|(one, _), (other, _)| one == other) {
        let name = pair[0].0;
        if !asked(name) {
            continue;
        }
        let engine = Compiled::new(rules(name), 0);
        told(&engine);
        let games = enough(|games| {
            engine.visit(Engine { games });
        });
        let mut times = [vec![], vec![], vec![]];
        for _ in 0..ROUNDS {
            let (time, expected) = timed(|| engine.visit(Engine { games }));
            times[2].push(time);
            for (n, (_, program)) in pair.iter_mut().enumerate() {
                let (time, found) = timed(|| by_hand(&mut **program, games));
                assert_eq!(found, expected, "{} plays other games", program.name());
                times[n].push(time);
            }
        }
        let [plain, fast, engine] = times.map(median);
        let ratio = |other: Duration| format!("{:.2}", other.as_secs_f64() / engine.as_secs_f64());
        let speed = |time| thousands(games, time);
        println!(
            "| {name} | {} | {} | {} | {} | {} |",
            speed(plain),
            speed(fast),
            speed(engine),
            ratio(plain),
            ratio(fast)
        );
    }
}

/// The engine beside the reference evaluator, and on two threads.
fn against_the_reference() {
    println!(
        "| game | reference, games/s | engine, games/s | engine / reference | time of a game on two threads / on one |"
    );
    println!("|---|---|---|---|---|");
    let mut names: Vec<String> = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("games"))
        .expect("games can be listed")
        .map(|entry| entry.expect("an entry").path().file_stem().expect("a name").to_string_lossy().into_owned())
        .collect();
    names.sort();
    for name in names.into_iter().filter(|name| asked(name)) {
        let rules = rules(&name);
        let (engine, reference) = (Compiled::new(rules.clone(), 0), Reference::new(rules));
        told(&engine);
        let few = enough(|games| {
            Engine { games }.visit(&reference);
        });
        let many = enough(|games| {
            engine.visit(Engine { games });
        });
        let (mut slows, mut fasts) = (vec![], vec![]);
        for _ in 0..3 {
            slows.push(timed(|| Engine { games: few }.visit(&reference)).0);
            fasts.push(timed(|| engine.visit(Engine { games: many })).0);
        }
        let (slow, fast) = (median(slows).as_secs_f64() / few as f64, median(fasts).as_secs_f64() / many as f64);
        let threads = |threads| {
            let times =
                (0..3).map(|_| processor_time(|| engine.visit(Running { games: 10 * many, threads }))).collect();
            median(times).as_secs_f64()
        };
        let (one, two) = (threads(1), threads(2));
        println!("| {name} | {:.0} | {:.0} | {:.1} | {:.2} |", 1.0 / slow, 1.0 / fast, slow / fast, two / one);
    }
}

/// A simulation on some threads.
struct Running {
    games: u64,
    threads: usize,
}

impl Visitor for Running {
    type Output = ();

    fn visit<T: Tree>(self, engine: &T) {
        let agents = vec![Agent::Random; engine.seats()].into();
        let Running { games, threads } = self;
        let simulation = Simulation { games, first: 0, seed: 1, threads, max_turns: u32::MAX, agents, rotate: false };
        simulation.run(engine, &Control::default()).expect("threads can be started");
    }
}

/// The processor time of this process, all threads together, that some work takes; the time that passes where the
/// system does not tell.
fn processor_time(work: impl FnOnce()) -> Duration {
    // Fields 14 and 15 behind the name in parentheses: ticks of a hundredth of a second (proc(5)).
    let ticks = || {
        let stat = fs::read_to_string("/proc/self/stat").ok()?;
        let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
        Some(fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?)
    };
    let before = ticks();
    let (passed, ()) = timed(work);
    match (before, ticks()) {
        (Some(before), Some(after)) => Duration::from_millis(10 * (after - before)),
        _ => passed,
    }
}

fn main() {
    race();
    println!();
    against_the_reference();
}
