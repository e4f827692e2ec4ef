//! Agents: what they see, that they play every game, and how they are written.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use std::collections::BTreeSet;

use ayn::{
    Agent, Choice, Compiled, GameResult, LineUp, Node, RuleFile, Streams, Tree, Visitor,
    game::{Id as _, Rules, Setup, SideId},
    print_move, read_position,
    simulation::{Control, Report, Simulation},
};

fn agent(text: &str) -> Agent {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn rules_of(name: &str) -> Rules {
    common::reference(name, "").rules().clone()
}

/// Rules written here, with options.
fn rules_from(text: &str, options: &[&str]) -> Rules {
    let checked = ayn::check(&RuleFile::new("test.ayn", text).unwrap());
    let told: Vec<_> = checked.diagnostics.iter().map(ayn::Diagnostic::words).collect();
    let game = checked.game.unwrap_or_else(|| panic!("{told:?}"));
    let options: Vec<String> = options.iter().map(|option| (*option).to_owned()).collect();
    ayn::bind(&game, &Setup::choose(&game, &[], &options).unwrap()).unwrap()
}

struct Simulated(Simulation);

impl Visitor for Simulated {
    type Output = Report;

    fn visit<T: Tree>(self, tree: &T) -> Report {
        self.0.run(tree, &Control::default()).unwrap()
    }
}

/// Games of a line-up, on two threads.
fn games(rules: &Rules, agents: &str, games: u64, rotate: bool) -> Report {
    let line_up: LineUp = agents.parse().unwrap();
    let agents = line_up.seat(rules.seats.len()).unwrap();
    let simulation = Simulation { games, first: 0, seed: 1, threads: 2, max_turns: u32::MAX, agents, rotate };
    Compiled::new(rules.clone(), 0).visit(Simulated(simulation))
}

#[test]
fn every_game_is_played_to_its_end_by_every_agent() {
    for name in &common::names() {
        let rules = rules_of(name);
        for tested in ["greedy", "mcts:20", "alpha-beta:2"].map(agent) {
            if tested.suits(&rules).is_err() {
                assert!(matches!(tested, Agent::AlphaBeta { .. }), "{name}: {tested}");
                assert!(rules.sides.len() != 2 || !rules.throws.is_empty(), "{name}: {tested}");
                continue;
            }
            let line_up: Vec<String> = (0..rules.seats.len())
                .map(|seat| if seat == 0 { tested.to_string() } else { "random".to_owned() })
                .collect();
            // Long races are played once.
            let many = if rules.men > 0 { 1 } else { 2 };
            let report = games(&rules, &line_up.join("/"), many, false);
            assert_eq!(report.games, many, "{name}: {tested}");
            assert_eq!(report.wins.iter().sum::<u64>() + report.draws + report.stopped, many, "{name}: {tested}");
            assert_eq!(report.stopped, 0, "{name}: {tested}");
        }
    }
}

/// What an agent chooses at a position, by the names of the moves, with so many seeds.
struct Chosen<'a> {
    rules: &'a Rules,
    /// None: the start.
    position: Option<&'a str>,
    agent: Agent,
    seeds: u64,
}

impl Visitor for Chosen<'_> {
    type Output = BTreeSet<String>;

    fn visit<T: Tree>(self, tree: &T) -> BTreeSet<String> {
        let position = match self.position {
            None => tree.start(),
            Some(text) => tree.begin(&read_position(self.rules, text).unwrap()),
        };
        let Node::Choice(choice) = tree.node(&position) else { panic!("there is something to choose") };
        let moves = tree.moves(&position);
        let choose = |seed| {
            let mut streams = Streams::new(seed, 0, tree.seats());
            self.agent.choose(tree, &position, choice, streams.players.at_mut(choice.seat))
        };
        (0..self.seeds).map(|seed| print_move(self.rules, &moves[choose(seed)])).collect()
    }
}

fn chosen(rules: &Rules, position: Option<&str>, agent: &str) -> String {
    let asked = Chosen { rules, position, agent: self::agent(agent), seeds: 6 };
    let names: Vec<String> = Compiled::new(rules.clone(), 0).visit(asked).into_iter().collect();
    names.join(" ")
}

/// One, two or three are taken from a heap; who takes the last wins: four must be left.
const HEAP: &str = r#"
game "Heap"
seats 2
option heap "what lies on the heap" = 5 from 1 to 20
variable left = heap for the game
board { rows 2 of 1  start 1 in each pit  sow counterclockwise }
turn {
  add 1, 2, 3 to pool
  choose n from pool where n <= left
    if none pass
  clear pool
  left -= n
  if left == 0 { end by taken }
}
ending taken, when called { mover wins }
limit 50 turns
"#;

#[test]
fn a_win_in_one_is_made_and_a_loss_in_two_avoided() {
    // Taking from 2 or 3 can win at once; from 5, 6 and 7 all but one move lose at once; from 9 and 10 it takes longer.
    for (heap, best) in [(2, "2"), (3, "3"), (5, "1"), (6, "2"), (7, "3"), (9, "1"), (10, "2")] {
        let rules = rules_from(HEAP, &[&format!("heap={heap}")]);
        for agent in ["mcts:600", "alpha-beta:6"] {
            assert_eq!(chosen(&rules, None, agent), best, "{agent} at {heap}");
        }
    }
    // Looking one choice ahead sees the win, and nothing of the loss.
    let rules = |heap: &str| rules_from(HEAP, &[heap]);
    assert_eq!(chosen(&rules("heap=3"), None, "alpha-beta:1"), "3");
    assert_ne!(chosen(&rules("heap=5"), None, "alpha-beta:1"), "1");
    // In Oware 25 seeds win: F takes two.
    let oware = rules_of("oware");
    for agent in ["mcts:600", "alpha-beta:1", "alpha-beta:3"] {
        assert_eq!(chosen(&oware, Some("1 0 0 0 0 1 / 1 0 0 0 0 1 | 23 21 | S"), agent), "F", "{agent}");
    }
}

#[test]
fn a_win_of_the_partner_is_a_win() {
    // Four at the heap, in two sides that take turns: it is the game of two, and who wins is often the partner.
    let four = HEAP.replace("seats 2", "seats 4, partners opposite").replace(
        "board { rows 2 of 1  start 1 in each pit  sow counterclockwise }",
        "board { grid 2 by 2 }\ntrack way: hand a1 b1 b2 a2 home, the same for each seat\nmen 1 each, in hand",
    );
    for (heap, best) in [(3, "3"), (5, "1"), (6, "2"), (7, "3"), (9, "1")] {
        let rules = rules_from(&four, &[&format!("heap={heap}")]);
        for agent in ["mcts:600", "alpha-beta"] {
            assert_eq!(chosen(&rules, None, agent), best, "{agent} at {heap}");
        }
    }
    // Without partners the next player but one is an enemy.
    let single = four.replace(", partners opposite", "");
    let report = games(&rules_from(&single, &["heap=7"]), "mcts:200", 4, true);
    assert_eq!(report.wins.len(), 4);
    assert_eq!(report.wins.iter().sum::<u64>(), 4);
}

/// A hole is chosen, and the die must not show more than lies in it.
const LUCK: &str = r#"
game "Luck"
seats 2
board { rows 2 of 3  start 4 in each pit  sow counterclockwise }
throw die: faces 1, 2, 3, 4, 5, 6
turn {
  choose hole from own pits
    if none pass
  throw die as n
  if n <= seeds(hole) { end by hit } else { end by missed }
}
ending hit, when called { mover wins }
ending missed, when called { mover loses }
limit 50 turns
"#;

#[test]
fn the_better_chance_is_taken() {
    let rules = rules_from(LUCK, &[]);
    assert_eq!(chosen(&rules, Some("4 4 4 / 1 5 2 | 3 1 | S"), "mcts:500"), "B");
    assert_eq!(chosen(&rules, Some("4 4 4 / 4 1 3 | 3 1 | S"), "mcts:2000"), "A");
}

#[test]
fn the_same_seed_gives_the_same_games() {
    for (name, agents) in [
        ("tamman", "mcts:30/greedy"),
        ("koumma", "mcts:50:1.2/alpha-beta:3"),
        ("pachisi", "mcts:3/random/greedy/random"),
    ] {
        let rules = rules_of(name);
        let line_up: LineUp = agents.parse().unwrap();
        let agents = line_up.seat(rules.seats.len()).unwrap();
        let whole = Simulation { games: 4, first: 0, seed: 3, threads: 1, max_turns: 200, agents, rotate: true };
        let of = |simulation: Simulation| Compiled::new(rules.clone(), 0).visit(Simulated(simulation));
        let one = of(whole.clone());
        assert_eq!(one, of(Simulation { threads: 3, ..whole.clone() }), "{name}");
        let mut parts = of(Simulation { games: 1, ..whole.clone() });
        parts.add(&of(Simulation { games: 3, first: 1, ..whole.clone() }));
        assert_eq!(one, parts, "{name}");
        assert_ne!(one, of(Simulation { seed: 4, ..whole }), "{name}");
    }
}

/// Wins are counted for the seats and for those who sit there.
#[test]
fn agents_move_on_from_game_to_game() {
    let rules = rules_of("koumma");
    let still = games(&rules, "greedy/random", 60, false);
    assert_eq!(still.wins_by_place, still.wins_by_seat);
    let turned = games(&rules, "greedy/random", 60, true);
    assert_eq!(turned.wins_by_place.iter().sum::<u64>(), turned.wins_by_seat.iter().sum::<u64>());
    assert!(turned.wins_by_place[0] > 45, "{turned:?}");
    assert!(turned.wins_by_seat.iter().all(|wins| (15..45).contains(wins)), "{turned:?}");
    // Of partners both have won.
    let pairs = games(&rules_of("pachisi"), "greedy/random/greedy/random", 4, true);
    assert_eq!(pairs.wins_by_place, [4, 0, 4, 0]);
    assert_eq!(pairs.wins_by_seat, [2, 2, 2, 2]);
}

/// Alpha-beta against the plain definition: at positions of random games it chooses, over many seeds, among the very
/// moves that are best.
struct AgainstMinimax<'a> {
    name: &'a str,
    depth: u32,
    positions: usize,
}

impl Visitor for AgainstMinimax<'_> {
    type Output = ();

    fn visit<T: Tree>(self, tree: &T) {
        let mut looked = 0;
        let (mut ties, mut wins) = (0, 0);
        for game in 0.. {
            let mut streams = Streams::new(21, game, tree.seats());
            let mut position = tree.start();
            while let Node::Choice(choice) = tree.node(&position) {
                if choice.moves > 1 {
                    let own = tree.sides()[choice.seat.index()];
                    let values: Vec<i64> = (0..choice.moves)
                        .map(|n| minimax(tree, own, &after(tree, &position, n), self.depth - 1, 1))
                        .collect();
                    let best = values.iter().max().unwrap();
                    let best: BTreeSet<usize> = (0..values.len()).filter(|n| values[*n] == *best).collect();
                    ties += usize::from(best.len() > 1);
                    wins += usize::from(values.iter().any(|value| value.abs() > 1000));
                    let agent = Agent::AlphaBeta { depth: self.depth };
                    let lots = if best.len() > 1 { 40 } else { 1 };
                    let found: BTreeSet<usize> = (0..lots)
                        .map(|_| agent.choose(tree, &position, choice, streams.players.at_mut(choice.seat)))
                        .collect();
                    assert_eq!(found, best, "{}: {values:?}", self.name);
                    looked += 1;
                }
                let n = streams.players.at_mut(choice.seat).index(choice.moves);
                tree.advance(&mut position, n);
            }
            if looked >= self.positions {
                assert!(ties > 10 && wins >= 5, "{}: {ties} ties, {wins} near the end", self.name);
                return;
            }
        }
    }
}

fn after<T: Tree>(tree: &T, position: &T::Position, n: usize) -> T::Position {
    let mut next = position.clone();
    tree.advance(&mut next, n);
    next
}

fn minimax<T: Tree>(tree: &T, own: SideId, position: &T::Position, depth: u32, ply: i64) -> i64 {
    let standings = || -> i64 {
        let signed = |(seat, side): (usize, &SideId)| {
            let standing = tree.standing(position, ayn::game::SeatId::new(seat));
            if *side == own { standing } else { -standing }
        };
        tree.sides().iter().enumerate().map(signed).sum()
    };
    match tree.node(position) {
        Node::End(end) => match end.result {
            GameResult::Won(side) if side == own => (1 << 40) - ply,
            GameResult::Won(_) => ply - (1 << 40),
            _ => 0,
        },
        Node::Choice(Choice { moves: 1, .. }) => minimax(tree, own, &after(tree, position, 0), depth, ply + 1),
        Node::Choice(_) if depth == 0 => standings(),
        Node::Choice(choice) => {
            let values = (0..choice.moves).map(|n| minimax(tree, own, &after(tree, position, n), depth - 1, ply + 1));
            if tree.sides()[choice.seat.index()] == own { values.max().unwrap() } else { values.min().unwrap() }
        }
        Node::Chance(_) => panic!("nothing is thrown"),
    }
}

#[test]
fn alpha_beta_is_minimax() {
    for (name, depth) in [("oware", 3), ("koumma", 3), ("kalah", 3), ("kalah", 4)] {
        Compiled::new(rules_of(name), 0).visit(AgainstMinimax { name, depth, positions: 150 });
    }
}

#[test]
fn alpha_beta_says_what_it_cannot_play() {
    let told = |name: &str| agent("alpha-beta").suits(&rules_of(name)).map_err(|error| error.to_string());
    assert_eq!(told("oware"), Ok(()));
    assert_eq!(
        told("tamman"),
        Err("alpha-beta plays games without throws; in this one something is thrown".to_owned())
    );
    let three = common::reference("tamman", "players=3").rules().clone();
    let told = agent("alpha-beta:2").suits(&three).unwrap_err().to_string();
    assert_eq!(told, "alpha-beta:2 plays games of two sides; this one has 3");
    assert!(agent("mcts").suits(&three).is_ok());
}

#[test]
fn agents_are_printed_as_they_are_written() {
    let same = [
        "random",
        "greedy",
        "mcts",
        "mcts:500",
        "mcts:1000:0.125",
        "mcts:20:2",
        "mcts:1:0",
        "mcts:1000000:100",
        "alpha-beta",
        "alpha-beta:7",
    ];
    for text in same {
        assert_eq!(agent(text).to_string(), text);
    }
    let shorter = [
        ("mcts:1000", "mcts"),
        ("mcts:iterations=50:exploration=0.30", "mcts:50:0.3"),
        ("mcts:exploration=01.5", "mcts:1000:1.5"),
        ("mcts:50:exploration=3", "mcts:50:3"),
        ("alpha-beta:depth=4", "alpha-beta"),
    ];
    for (text, short) in shorter {
        assert_eq!(agent(text).to_string(), short);
        assert_eq!(agent(short), agent(text));
    }
    assert_eq!(serde_json::to_string(&agent("mcts:50:0.30")).unwrap(), "\"mcts:50:0.3\"");
    let line_up: LineUp = "mcts:1000/greedy".parse().unwrap();
    assert_eq!(line_up.to_string(), "mcts/greedy");
    assert_eq!(
        line_up.seat(3).unwrap_err().to_string(),
        "2 were named for 3 seats; name one for all, or one a seat, like `greedy/random`"
    );
    assert_eq!("greedy".parse::<LineUp>().unwrap().seat(3).unwrap().len(), 3);
}

#[test]
fn what_is_no_agent() {
    let all = "there are: random, greedy, mcts, alpha-beta";
    let whole = "it takes a whole number from 1 to";
    let number = "it takes a number from 0 to 100 with at most 3 decimal places";
    let wrong = [
        ("", format!("there is no agent ``; {all}")),
        ("gredy", format!("there is no agent `gredy`, did you mean `greedy`?; {all}")),
        ("clever:5", format!("there is no agent `clever`; {all}")),
        ("greedy:3", "`greedy` cannot take `3`: it has no settings".to_owned()),
        ("random:seed=3", "`random` has no setting `seed`; it has no settings".to_owned()),
        ("mcts:1:2:3", "`mcts` cannot take `3`: it has: iterations, exploration".to_owned()),
        (
            "mcts:iteration=4",
            "`mcts` has no setting `iteration`, did you mean `iterations`?; it has: iterations, exploration".to_owned(),
        ),
        ("mcts:10:iterations=4", "`iterations` of `mcts` is set twice".to_owned()),
        ("mcts:0", format!("`0` is no value for `iterations` of `mcts`: {whole} 1000000")),
        ("mcts:", format!("`` is no value for `iterations` of `mcts`: {whole} 1000000")),
        ("mcts:99999999999", format!("`99999999999` is no value for `iterations` of `mcts`: {whole} 1000000")),
        ("mcts:5:-1", format!("`-1` is no value for `exploration` of `mcts`: {number}")),
        ("mcts:5:0.1234", format!("`0.1234` is no value for `exploration` of `mcts`: {number}")),
        ("mcts:5:nan", format!("`nan` is no value for `exploration` of `mcts`: {number}")),
        ("mcts:5:.5", format!("`.5` is no value for `exploration` of `mcts`: {number}")),
        ("mcts:5:100.001", format!("`100.001` is no value for `exploration` of `mcts`: {number}")),
        ("alpha-beta:51", format!("`51` is no value for `depth` of `alpha-beta`: {whole} 50")),
    ];
    for (text, told) in wrong {
        assert_eq!(text.parse::<Agent>().unwrap_err().to_string(), told);
    }
    assert!("greedy/".parse::<LineUp>().is_err());
    assert!("greedy,random".parse::<LineUp>().is_err());
}

/// A file that makes every decision costly is still decided.
#[test]
fn costly_rules_are_decided() {
    let lines = (0..14).map(|n| format!("  choose hole-{n} from own pits if none pass\n")).collect::<String>();
    let text = format!(
        "game \"Costly\"\nseats 2\nboard {{ rows 2 of 12  start 4 in each pit  sow counterclockwise }}\nvariable n = 0 each turn\n\
         turn {{\n{lines}  while n < 15000 at most 15000 times {{ n += 1 }} else go on\n}}\n\
         ending full, after a turn when empty(all pits) {{ nobody wins }}\nlimit 60 turns\n"
    );
    let rules = rules_from(&text, &[]);
    for agent in ["greedy", "mcts:10", "alpha-beta:50"] {
        assert!(!chosen(&rules, None, agent).is_empty(), "{agent}");
    }
}
