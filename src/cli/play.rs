//! `ayn play`.

use std::{
    io::{self, BufRead, Read, Write},
    time::{SystemTime, UNIX_EPOCH},
};

use serde::Serialize;

use super::{
    Done, Failure,
    args::PlayArgs,
    draw,
    load::{self, Provenance},
    output::{self, STRONG},
    player::Player,
    words,
};
use crate::{
    agents::{Agent, LineUp},
    engine::{Compiled, Visitor},
    notation::{describe_result, print_move, print_position},
    random::Streams,
    reference::{Event, Position, Reference},
    rules::{RuleId, Rules, SeatId, Table},
    tree::{Choice, Move, Node, Tree},
    view::View,
};

/// What a person asks for.
enum Wish {
    Move(usize),
    Undo,
    Quit,
}

/// What a person is told, one after the other; with `--json` each is a line of its own.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Message<'a> {
    /// The game begins.
    Game {
        #[serde(flatten)]
        provenance: Provenance,
        seed: u64,
    },
    /// How the board looks now.
    Board { position: String },
    /// Something happened.
    Event(String),
    /// Somebody is to choose.
    Choice { seat: &'a str, moves: &'a [String], pool: &'a [i32] },
    /// An answer to what was typed.
    Answer(String),
    /// The game is over.
    Result { result: String, ending: Option<&'a str> },
}

pub(crate) fn run(args: &PlayArgs) -> Done {
    let (_, reference) = load::reference(&args.file, &args.choices)?;
    let players = players(args.agents.as_ref(), reference.rules())?;
    let clock = SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |time| time.as_secs());
    let seed = args.seed.unwrap_or(clock);
    let position = load::start(&reference, args.position.as_deref(), &mut ())?;
    let begun = match &args.position {
        None => None,
        Some(text) => Some(load::view(reference.rules(), text)?),
    };
    let engine = Compiled::new(reference.rules().clone(), 0);
    engine.visit(Opening { reference: &reference, players, seed, position, begun, json: args.choices.json })
}

fn players(named: Option<&LineUp<Player>>, rules: &Rules) -> Result<Table<SeatId, Player>, Failure> {
    let usage = |error: &dyn std::error::Error| Failure::Usage(error.to_string());
    let Some(named) = named else {
        let first_is_human = |seat| if seat == 0 { Player::Human } else { Player::Agent(Agent::Greedy) };
        return Ok((0..rules.seats.len()).map(first_is_human).collect::<Vec<_>>().into());
    };
    let players = named.seat(rules.seats.len()).map_err(|error| usage(&error))?;
    for player in &players {
        if let Player::Agent(agent) = player {
            agent.suits(rules).map_err(|error| usage(&error))?;
        }
    }
    Ok(players)
}

/// A game that is about to begin.
struct Opening<'a> {
    reference: &'a Reference,
    players: Table<SeatId, Player>,
    seed: u64,
    position: Position,
    /// Where it begins, if not at the start.
    begun: Option<View>,
    json: bool,
}

impl Visitor for Opening<'_> {
    type Output = Done;

    fn visit<T: Tree>(self, engine: &T) -> Done {
        let mut table = Session {
            reference: self.reference,
            engine,
            players: self.players,
            streams: Streams::new(self.seed, 0, self.reference.seats()),
            position: self.position,
            beside: self.begun.map_or_else(|| engine.start(), |view| engine.begin(&view)),
            before: vec![],
            json: self.json,
            out: output::out(),
        };
        table.tell(&Message::Game { provenance: Provenance::of(self.reference.rules()), seed: self.seed })?;
        table.play()
    }
}

struct Session<'a, T: Tree, W> {
    reference: &'a Reference,
    /// The same game, for agents that look ahead.
    engine: &'a T,
    players: Table<SeatId, Player>,
    streams: Streams,
    position: Position,
    /// The same position in the engine.
    beside: T::Position,
    /// Positions at which a person had to choose, for `undo`, with the throws that were to come.
    before: Vec<(Position, T::Position, Streams)>,
    json: bool,
    out: W,
}

impl<T: Tree, W: Write> Session<'_, T, W> {
    fn tell(&mut self, message: &Message<'_>) -> Done {
        if self.json {
            let line = serde_json::to_string(message).map_err(io::Error::from)?;
            writeln!(self.out, "{line}")?;
            return Ok(());
        }
        match message {
            Message::Game { provenance, seed } => {
                writeln!(self.out, "{STRONG}{}{STRONG:#}, seed {seed}. Type a move, or `help`.\n", provenance.game)
            }
            Message::Board { .. } => writeln!(self.out, "{}", draw::board(self.reference.rules(), &self.view())),
            Message::Event(words) => writeln!(self.out, "  {words}"),
            Message::Choice { seat, moves, pool } => {
                let counts = pool.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
                let to_use = if pool.is_empty() { String::new() } else { format!(", {counts} to use") };
                write!(self.out, "{STRONG}{seat}{STRONG:#} ({}){to_use} > ", moves.join(" "))
            }
            Message::Answer(words) => writeln!(self.out, "{words}"),
            Message::Result { result, .. } => writeln!(self.out, "{STRONG}{result}{STRONG:#}"),
        }?;
        Ok(())
    }

    fn view(&self) -> View {
        self.reference.view(&self.position)
    }

    fn play(&mut self) -> Done {
        let rules = self.reference.rules();
        let mut shown = None;
        loop {
            let turn = (self.reference.turns(&self.position), self.before.len());
            let node = self.reference.node(&self.position);
            if shown != Some(turn) || matches!(node, Node::End(_)) {
                self.tell(&Message::Board { position: print_position(rules, &self.view()) })?;
                shown = Some(turn);
            }
            let n = match node {
                Node::End(end) => {
                    let ending = end.ending.map(|ending| rules.game.endings.at(ending).name.as_str());
                    self.tell(&Message::Result { result: describe_result(rules, node), ending })?;
                    self.out.flush()?;
                    return Ok(());
                }
                Node::Chance(chance) => self.streams.throws.throw(self.reference.throw(chance.throw)),
                Node::Choice(choice) => match self.players.at(choice.seat) {
                    Player::Agent(agent) => {
                        agent.choose(self.engine, &self.beside, choice, self.streams.players.at_mut(choice.seat))
                    }
                    Player::Human if self.reference.moves(&self.position).iter().all(Move::is_pass) => 0,
                    Player::Human => match self.ask(choice)? {
                        Wish::Quit => return Ok(()),
                        Wish::Undo => {
                            self.undo()?;
                            shown = None;
                            continue;
                        }
                        Wish::Move(n) => {
                            self.before.push((self.position.clone(), self.beside.clone(), self.streams.clone()));
                            n
                        }
                    },
                },
            };
            self.advance(n)?;
        }
    }

    fn advance(&mut self, n: usize) -> Done {
        let mut events: Vec<(Option<RuleId>, Event)> = vec![];
        self.reference.advance_watched(&mut self.position, n, &mut events);
        self.engine.advance(&mut self.beside, n);
        for (_, event) in &events {
            // Whose turn it is, and what is to be used, shows at the prompt.
            let at_prompt =
                matches!(event, Event::TurnBegins(_) | Event::Pooled(_) | Event::Spent(_) | Event::PoolCleared);
            if !at_prompt && let Some(words) = words::sentence(self.reference.rules(), event) {
                self.tell(&Message::Event(words))?;
            }
        }
        Ok(())
    }

    fn undo(&mut self) -> Done {
        let answer = match self.before.pop() {
            Some((position, beside, streams)) => {
                (self.position, self.beside, self.streams) = (position, beside, streams);
                "your last move is taken back"
            }
            None => "there is nothing to take back",
        };
        self.tell(&Message::Answer(answer.to_owned()))
    }

    /// Asks until the answer is a move on offer, `undo` or `quit`.
    fn ask(&mut self, choice: Choice) -> Result<Wish, Failure> {
        let rules = self.reference.rules();
        let moves: Vec<String> =
            self.reference.moves(&self.position).iter().map(|chosen| print_move(rules, chosen)).collect();
        loop {
            let pool = self.view().pool;
            self.tell(&Message::Choice { seat: rules.seats.at(choice.seat).name, moves: &moves, pool: &pool })?;
            self.out.flush()?;
            let mut line = vec![];
            // Bytes that are no text, or lines without end, are unreadable moves, not the end of the game.
            if io::stdin().lock().take(MAX_LINE).read_until(b'\n', &mut line)? == 0 {
                writeln!(self.out)?;
                self.out.flush()?;
                return Ok(Wish::Quit);
            }
            let line = String::from_utf8_lossy(&line);
            let answer = match line.trim() {
                "" => continue,
                "quit" | "q" | "exit" => return Ok(Wish::Quit),
                "undo" | "u" => return Ok(Wish::Undo),
                "help" | "h" | "?" => HELP.to_owned(),
                "position" => print_position(rules, &self.view()),
                typed => match moves.iter().position(|name| name == typed) {
                    Some(n) => return Ok(Wish::Move(n)),
                    None => format!("`{typed}` is not on offer; the choices are {}; or `help`", moves.join(", ")),
                },
            };
            self.tell(&Message::Answer(answer))?;
        }
    }
}

/// The longest line that is read at once.
const MAX_LINE: u64 = 4096;

const HELP: &str = "\
a move     one of the choices in parentheses, as written there
undo       take back your last move, and what came after it
position   print the position as one line
quit       leave the game";
