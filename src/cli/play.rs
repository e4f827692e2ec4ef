//! `ayn play`.

use std::{
    io::{self, BufRead, Write},
    time::{SystemTime, UNIX_EPOCH},
};

use super::{
    Done, Failure,
    args::PlayArgs,
    draw, load,
    output::{self, FAINT, STRONG},
    words,
};
use crate::{
    agents::Agent,
    example::describe_result,
    notation::{print_move, print_position},
    random::Streams,
    reference::{Event, Position, Reference},
    rules::{RuleId, SeatId, Table},
    sim::throw,
    tree::{Choice, Move, Node, Tree},
};

/// Who sits at a seat.
#[derive(Debug, Clone, Copy)]
enum Player {
    Human,
    Agent(Agent),
}

/// What a person asks for.
enum Wish {
    Move(usize),
    Undo,
    Quit,
}

pub(crate) fn run(args: &PlayArgs) -> Done {
    let (_, reference) = load::reference(&args.file, &args.choices)?;
    if args.choices.json {
        return Err(Failure::Usage("`play` speaks to people; use `trace --json` for a game as JSON".to_owned()));
    }
    let players = players(&args.agent, reference.seats())?;
    let clock = SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |time| time.as_secs());
    let seed = args.seed.unwrap_or(clock);
    let start = load::start(&reference, args.position.as_deref())?;
    let mut out = output::out();
    writeln!(out, "{STRONG}{}{STRONG:#}, seed {seed}. Type a move, or `help`.\n", reference.rules().game.title)?;
    let mut table = Session {
        reference: &reference,
        players,
        streams: Streams::new(seed, 0, reference.seats()),
        position: start,
        before: vec![],
        out,
    };
    table.play()
}

fn players(names: &[String], seats: usize) -> Result<Table<SeatId, Player>, Failure> {
    let parse = |name: &String| match name.as_str() {
        "human" => Ok(Player::Human),
        other => other
            .parse()
            .map(Player::Agent)
            .map_err(|_| Failure::Message(format!("there is no player `{other}`; there are: human, random, greedy"))),
    };
    let named: Vec<Player> = names.iter().map(parse).collect::<Result<_, _>>()?;
    let all = match named.as_slice() {
        [] => (0..seats).map(|seat| if seat == 0 { Player::Human } else { Player::Agent(Agent::Greedy) }).collect(),
        [one] => vec![*one; seats],
        all if all.len() == seats => named,
        all => {
            return Err(Failure::Message(format!(
                "{} players were named for {seats} seats; name one, or one a seat",
                all.len()
            )));
        }
    };
    Ok(all.into())
}

struct Session<'a, W> {
    reference: &'a Reference,
    players: Table<SeatId, Player>,
    streams: Streams,
    position: Position,
    /// Positions at which a person had to choose, for `undo`.
    before: Vec<Position>,
    out: W,
}

impl<W: Write> Session<'_, W> {
    fn play(&mut self) -> Done {
        let rules = self.reference.rules();
        let mut shown = None;
        loop {
            let turn = (self.reference.turns(&self.position), self.before.len());
            let node = self.reference.node(&self.position).clone();
            if shown != Some(turn) || matches!(node, Node::End(_)) {
                writeln!(self.out, "{}", draw::board(rules, &self.position))?;
                shown = Some(turn);
            }
            let n = match &node {
                Node::End(_) => {
                    writeln!(self.out, "{STRONG}{}{STRONG:#}", describe_result(rules, &node))?;
                    self.out.flush()?;
                    return Ok(());
                }
                Node::Chance(chance) => throw(chance, &mut self.streams.throws),
                Node::Choice(choice) => match self.players.at(choice.seat) {
                    Player::Agent(agent) => {
                        agent.choose(self.reference, &self.position, choice, self.streams.players.at_mut(choice.seat))
                    }
                    Player::Human if choice.moves.iter().all(Move::is_pass) => 0,
                    Player::Human => match self.ask(choice)? {
                        Wish::Quit => return Ok(()),
                        Wish::Undo => {
                            self.undo()?;
                            shown = None;
                            continue;
                        }
                        Wish::Move(n) => {
                            self.before.push(self.position.clone());
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
        for (_, event) in &events {
            // Whose turn it is shows at the prompt.
            if !matches!(event, Event::TurnBegins(_))
                && let Some(words) = words::sentence(self.reference.rules(), event)
            {
                writeln!(self.out, "  {words}")?;
            }
        }
        Ok(())
    }

    fn undo(&mut self) -> Done {
        match self.before.pop() {
            Some(position) => {
                self.position = position;
                writeln!(self.out, "your last move is taken back")?;
            }
            None => writeln!(self.out, "there is nothing to take back")?,
        }
        Ok(())
    }

    /// Asks until the answer is a move on offer, `undo` or `quit`.
    fn ask(&mut self, choice: &Choice) -> Result<Wish, Failure> {
        let rules = self.reference.rules();
        let names: Vec<String> = choice.moves.iter().map(|chosen| print_move(rules, chosen)).collect();
        loop {
            write!(self.out, "{STRONG}{}{STRONG:#} ({}) > ", rules.seats.at(choice.seat).name, names.join(" "))?;
            self.out.flush()?;
            let mut line = vec![];
            // Bytes that are no text are an unreadable move, not the end of the game.
            if io::stdin().lock().read_until(b'\n', &mut line)? == 0 {
                writeln!(self.out)?;
                self.out.flush()?;
                return Ok(Wish::Quit);
            }
            let line = String::from_utf8_lossy(&line);
            match line.trim() {
                "" => {}
                "quit" | "q" | "exit" => return Ok(Wish::Quit),
                "undo" | "u" => return Ok(Wish::Undo),
                "help" | "h" | "?" => self.help()?,
                "position" => writeln!(self.out, "{}", print_position(rules, &self.position))?,
                typed => match names.iter().position(|name| name == typed) {
                    Some(n) => return Ok(Wish::Move(n)),
                    None => writeln!(
                        self.out,
                        "`{typed}` is not on offer; the choices are {}; or `help`",
                        names.join(", ")
                    )?,
                },
            }
        }
    }

    fn help(&mut self) -> Done {
        writeln!(self.out, "{FAINT}a move     one of the choices in parentheses, as written there")?;
        writeln!(self.out, "undo       take back your last move, and what came after it")?;
        writeln!(self.out, "position   print the position as one line")?;
        writeln!(self.out, "quit       leave the game{FAINT:#}")?;
        Ok(())
    }
}
