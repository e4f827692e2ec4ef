//! The program as a person uses it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use std::{
    io::{Read, Write},
    process::{Command, Stdio},
};

use common::{ayn, json, transcript};

const KOUMMA: &str = "games/koumma.ayn";
const TAMPODUO: &str = "games/tampoduo.ayn";
const TAMMAN: &str = "games/tamman.ayn";

fn snapshot(name: &str, args: &[&str]) {
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false, snapshot_path => "snapshots/cli" }, {
        insta::assert_snapshot!(name, transcript(args));
    });
}

#[test]
fn what_the_commands_print() {
    snapshot("check", &["check", KOUMMA, TAMPODUO, TAMMAN]);
    snapshot("show_koumma", &["show", KOUMMA]);
    snapshot("show_tampoduo", &["show", TAMPODUO, "--set", "holes=4"]);
    snapshot("show_tamman", &["show", TAMMAN, "--set", "players=3"]);
    snapshot("trace_tampoduo", &["trace", TAMPODUO, "--moves", "B+7"]);
    snapshot("trace_tamman", &["trace", TAMMAN, "--moves", "[4 2] c1 [8 8 8] [1] c1"]);
    snapshot("trace_greedy", &["trace", KOUMMA, "--agents", "greedy", "--seed", "3", "--max-turns", "4"]);
    snapshot("perft", &["perft", KOUMMA, "6"]);
    snapshot("simulate_tamman", &["simulate", TAMMAN, "-n", "200", "--threads", "1"]);
    snapshot("simulate_json", &["simulate", TAMPODUO, "-n", "100", "--json", "--agents", "greedy/random"]);
    snapshot("simulate_rotate", &["simulate", KOUMMA, "-n", "50", "--agents", "greedy/random", "--rotate"]);
    snapshot("compare", &["compare", KOUMMA, "-n", "400", "--set", "holes=2"]);
    snapshot(
        "compare_crossed",
        &["compare", KOUMMA, "-n", "300", "--readings", "chain,leftovers", "--agents", "greedy/random"],
    );
    snapshot(
        "compare_csv",
        &["compare", KOUMMA, "-n", "100", "--readings", "leftovers", "--agents", "random", "--csv"],
    );
    snapshot(
        "compare_early",
        &["compare", KOUMMA, "-n", "4000", "--stop-early", "--margin", "20", "--agents", "random"],
    );
    snapshot(
        "compare_files",
        &["compare", KOUMMA, "-n", "100", "--against", "games/um-ed-dyar.ayn", "--agents", "random"],
    );
    snapshot("help", &["--help"]);
    snapshot("ir", &["ir", "games/kalah.ayn"]);
    snapshot("prove_endless", &["simulate", "games/tampoduo.ayn", "-n", "2000", "--prove-endless", "100000"]);
}

/// Bad input: a clear message, exit code 1, or 2 for a wrong use of the command line.
#[test]
fn what_bad_input_is_told() {
    let folder = std::env::temp_dir().join(format!("ayn-bad-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        std::fs::write(&path, bytes).unwrap();
        path.display().to_string()
    };
    let koumma = std::fs::read_to_string(common::root().join(KOUMMA)).unwrap();
    let tamman = std::fs::read_to_string(common::root().join(TAMMAN)).unwrap();
    let loops = "while hand == 0 at most 2000 times { ".repeat(4) + "go on " + &"} else go on ".repeat(4);
    let nested = koumma.replace("lift hole  ", &format!("{loops} lift hole  "));
    assert_ne!(nested, koumma);
    let sixty = tamman.replace("throw cowries: 4 pieces", "throw cowries: 60 pieces");
    assert_ne!(sixty, tamman);
    let files = [
        ("a folder", folder.display().to_string(), "folder"),
        ("an empty file", write("empty.ayn", b""), "missing-part"),
        ("no UTF-8", write("latin.ayn", b"game \"Caf\xe9\"\n"), "not UTF-8"),
        ("20 MB", write("large.ayn", &vec![b'#'; 20_000_000]), "20000000 bytes"),
        ("brackets", write("deep.ayn", "(".repeat(100_000).as_bytes()), "nests deeper"),
        ("braces", write("braces.ayn", "{".repeat(100_000).as_bytes()), "nests deeper"),
        ("a missing file", folder.join("none.ayn").display().to_string(), "no such file"),
        ("sixty cowries", write("sixty.ayn", sixty.as_bytes()), "60 pieces cannot be thrown"),
        ("nested loops", write("loops.ayn", nested.as_bytes()), "a turn could take"),
    ];
    for (what, file, message) in &files {
        for command in ["check", "test", "show", "simulate", "trace", "play"] {
            told(what, &[command, file], 1, message);
        }
        told(what, &["perft", file, "2"], 1, message);
    }
    let choices: [(&[&str], i32, &str); 34] = [
        (&["simulate", KOUMMA, "--reading", "chian=none"], 1, "did you mean `chain`"),
        (&["simulate", KOUMMA, "--reading", "chain=backwards"], 1, "there are: following, preceding, none"),
        (&["simulate", KOUMMA, "--reading", "chain"], 1, "NAME=VALUE"),
        (&["simulate", KOUMMA, "--set", "holes=9"], 1, "goes from 2 to 6"),
        (&["simulate", KOUMMA, "--set", "holes=-1"], 1, "goes from 2 to 6"),
        (&["simulate", KOUMMA, "--set", "holes=many"], 1, "whole number"),
        (&["simulate", TAMMAN, "--set", "mouth=0.99"], 1, "goes from 0.05 to 0.95"),
        (&["simulate", TAMMAN, "--set", "mouth=0.123456"], 1, "4 decimal places"),
        (&["simulate", KOUMMA, "--set", "hole=3"], 1, "did you mean `holes`"),
        (&["simulate", KOUMMA, "--agents", "clever"], 2, "random, greedy"),
        (&["simulate", KOUMMA, "--agents", "random/random/random"], 2, "2 seats"),
        (&["simulate", KOUMMA, "--agents", "greedy,random"], 2, "strokes between its agents: `greedy/random`"),
        (&["simulate", KOUMMA, "--agents", "gredy"], 2, "did you mean `greedy`"),
        (&["simulate", KOUMMA, "--agents", "mcts:0"], 2, "a whole number from 1 to 1000000"),
        (&["simulate", TAMMAN, "--agents", "alpha-beta:2/random"], 2, "games without throws"),
        (&["play", TAMMAN, "--agents", "human/alpha-beta"], 2, "games without throws"),
        (&["trace", KOUMMA, "--moves", "A Z"], 1, "`Z` is not on offer"),
        (&["trace", KOUMMA, "--moves", "A ??"], 1, "cannot stand here"),
        (&["trace", TAMMAN, "--moves", "[7] c1"], 1, "no throw counts 7"),
        (&["trace", KOUMMA, "--moves", "A+3"], 1, "takes 0, not 3"),
        (&["perft", KOUMMA, "deep"], 2, "invalid value"),
        (&["simulate", KOUMMA, "--games"], 2, "a value is required"),
        (&["compare", KOUMMA, "--readings", "chian"], 1, "did you mean `chain`"),
        (&["compare", KOUMMA, "--agents", "random,gredy"], 2, "did you mean `greedy`"),
        (&["compare", KOUMMA, "--agents", "greedy/random/random"], 2, "2 seats"),
        (&["compare", TAMMAN, "--agents", "alpha-beta"], 2, "games without throws"),
        (&["compare", KOUMMA, "--detect", "0"], 2, "percentage points"),
        (&["compare", KOUMMA, "--detect", "1", "-n", "5"], 2, "cannot be used with"),
        (&["compare", KOUMMA, "--all", "--against", TAMMAN], 2, "cannot be used with"),
        (&["compare", KOUMMA, "--against", "games/pachisi.ayn"], 1, "Pachisi has 4 seats, and not 2"),
        (&["compare", KOUMMA, "-n", "2", "--report", "no/such/folder.html"], 1, "no/such/folder.html"),
        (&["compare", KOUMMA, "-n", "2", "--report", KOUMMA], 2, "ends in .html"),
        (&["compare", KOUMMA, "--agents", "random,random"], 2, "named twice"),
        (&["trace", TAMMAN, "--agents", "alpha-beta"], 2, "games without throws"),
    ];
    for (args, code, message) in choices {
        told("a choice", args, code, message);
    }
    told("a position", &["perft", KOUMMA, "2", "--position", "1 2 3"], 1, "is no position");
    told(
        "too many seeds",
        &["perft", KOUMMA, "2", "--position", "9 9 9 / 9 9 9 | 0 0 | S"],
        1,
        "there are only 36 seeds",
    );
    told("no command", &["solve", KOUMMA], 2, "unrecognized subcommand");
    std::fs::remove_dir_all(&folder).unwrap();
}

fn told(what: &str, args: &[&str], code: i32, message: &str) {
    let output = ayn(args);
    let text = String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(code), "{what}: {args:?}\n{text}");
    assert!(text.contains(message), "{what}: {args:?} tells\n{text}");
    assert!(!text.contains("panicked"), "{what}: {text}");
}

#[test]
fn json_adds_up() {
    for file in [KOUMMA, TAMPODUO, TAMMAN] {
        let report = json(&["simulate", file, "-n", "150", "--seed", "5", "--json"]);
        let number = |key: &str| report[key].as_u64().unwrap();
        let wins: u64 = report["wins"].as_array().unwrap().iter().map(|wins| wins.as_u64().unwrap()).sum();
        assert_eq!(wins + number("draws") + number("stopped"), 150);
        let endings: u64 = report["endings"].as_object().unwrap().values().map(|n| n.as_u64().unwrap()).sum();
        assert_eq!(endings + number("stopped"), 150);
        for key in ["game", "readings", "options", "seed", "version", "rules", "endless"] {
            assert!(!report[key].is_null(), "{key}");
        }
        for key in ["turns", "captured"] {
            for part in ["mean", "sd", "min", "max", "quartiles"] {
                assert!(!report[key][part].is_null(), "{key}.{part}");
            }
        }
        let again = json(&["simulate", file, "-n", "150", "--seed", "5", "--json", "--threads", "3"]);
        assert_eq!(report, again);
    }
    assert_eq!(json(&["perft", TAMPODUO, "4", "--json"])["counts"], serde_json::json!([6, 28, 129, 610]));
    assert_eq!(json(&["perft", TAMPODUO, "0", "--json"])["counts"], serde_json::json!([]));
}

/// The figures of a comparison are the same in every form, and those of a simulation.
#[test]
fn comparisons_agree_with_simulations() {
    let args =
        ["compare", KOUMMA, "--readings", "chain,leftovers", "-n", "200", "--seed", "9", "--agents", "random,greedy"];
    let with = |more: &[&'static str]| args.iter().chain(more).copied().collect::<Vec<&str>>();
    let report = json(&with(&["--json"]));
    assert_eq!(report, json(&with(&["--json", "--threads", "3"])));
    assert_eq!(report["setups"].as_array().unwrap().len(), 6);
    for setup in report["setups"].as_array().unwrap() {
        let name = setup["name"].as_str().unwrap();
        for played in setup["played"].as_array().unwrap() {
            let mut same = vec!["simulate", KOUMMA, "-n", "200", "--seed", "9", "--json", "--agents"];
            same.push(played["line_up"].as_str().unwrap());
            for choice in name.split(' ').filter(|_| name != "as chosen") {
                same.extend(["--reading", choice]);
            }
            let simulated = json(&same);
            let hits: Vec<u64> =
                played["shares"].as_array().unwrap().iter().map(|s| s["hits"].as_u64().unwrap()).collect();
            let wins = &simulated["wins"];
            let wanted = [&wins[0], &wins[1], &simulated["draws"], &simulated["stopped"], &simulated["endless"]];
            assert_eq!(hits, wanted.map(|n| n.as_u64().unwrap()), "{name}");
            assert_eq!(played["turns"], simulated["turns"]);
            assert_eq!(setup["rules"], simulated["rules"]);
        }
    }
    // As many games as were asked for by what they can find: six measures of one contrast are tested.
    let detect =
        ["compare", "tests/compare/lots.ayn", "--readings", "luck", "--agents", "random", "--json", "--detect", "5"];
    let games = ayn::simulation::games_to_detect(0.05, 0.8, 0.05 / 6.0);
    assert_eq!(json(&detect)["games"].as_u64(), Some(games));
    // A line of the table of values for every measure of every contrast and line-up.
    let csv = String::from_utf8(ayn(&with(&["--csv"])).stdout).unwrap();
    let rows: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    for contrast in report["contrasts"].as_array().unwrap() {
        for of_line_up in contrast["differences"].as_array().unwrap() {
            for measure in of_line_up["measures"].as_array().unwrap() {
                let subject = [&contrast["kind"], &contrast["name"], &of_line_up["line_up"], &measure["measure"]];
                let subject = subject.map(|text| text.as_str().unwrap());
                let row = rows.iter().find(|row| row.len() > 5 && [row[0], row[1], row[4], row[5]] == subject);
                let Some(row) = row else {
                    // Names with commas are quoted, and cut in two here.
                    assert!(subject[1].contains(','), "{subject:?}");
                    continue;
                };
                let difference = &measure["difference"];
                assert_eq!(row[7], format!("{:.6}", difference["mean"].as_f64().unwrap()));
                assert_eq!(row[8], format!("{:.6}", difference["interval"]["low"].as_f64().unwrap()));
            }
        }
    }
}

#[test]
fn a_game_cut_short_is_stopped_and_no_draw() {
    let report = json(&["simulate", KOUMMA, "-n", "50", "--max-turns", "3", "--json"]);
    assert_eq!(report["stopped"], 50);
    assert_eq!(report["draws"], 0);
    assert_eq!(report["turns"]["max"], 3);
    let none = json(&["simulate", KOUMMA, "-n", "0", "--json"]);
    assert_eq!(none["games"], 0);
}

/// Plays with a script of lines, and gives what was printed.
fn play(args: &[&str], lines: &[u8]) -> (String, Option<i32>) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_ayn"))
        .arg("play")
        .args(args)
        .current_dir(common::root())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The game may be over before all lines are read.
    let _ = child.stdin.take().unwrap().write_all(lines);
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (text, output.status.code())
}

#[test]
fn play_survives_wrong_input() {
    let (text, code) =
        play(&[KOUMMA, "--seed", "1"], b"Z\nnonsense\n\xff\xfe\n\nhelp\nundo\nA\nundo\nA\nposition\nquit\n");
    assert_eq!(code, Some(0));
    for said in [
        "`Z` is not on offer",
        "there is nothing to take back",
        "your last move is taken back",
        "South chooses A",
        "North",
    ] {
        assert!(text.contains(said), "{said} is missing in\n{text}");
    }
    let (text, code) = play(&[TAMMAN, "--seed", "1", "--agents", "human"], b"");
    assert_eq!(code, Some(0), "{text}");
    let (text, code) = play(&[TAMPODUO, "--agents", "random/greedy", "--seed", "3"], b"");
    assert_eq!(code, Some(0));
    assert!(text.contains("wins") || text.contains("draw"), "{text}");
    let (text, code) = play(&[KOUMMA, "--agents", "mcts:20/alpha-beta:2", "--seed", "3"], b"");
    assert_eq!(code, Some(0));
    assert!(text.contains("wins") || text.contains("draw"), "{text}");
    let (text, code) = play(&[TAMMAN, "--agents", "clever"], b"");
    assert_eq!(code, Some(2));
    assert!(text.contains("random, greedy, mcts, alpha-beta, or human"));
}

#[test]
fn play_says_in_words_what_happens() {
    let (text, _) = play(&[TAMPODUO, "--agents", "human", "--seed", "1"], b"B\nquit\n");
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false, snapshot_path => "snapshots/cli" }, {
        insta::assert_snapshot!("play_tampoduo", text);
    });
    let (text, _) = play(&[TAMMAN, "--agents", "human", "--seed", "2"], b"c1\nc5\nquit\n");
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false, snapshot_path => "snapshots/cli" }, {
        insta::assert_snapshot!("play_tamman", text);
    });
}

#[test]
fn a_closed_pipe_is_silent() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_ayn"))
        .args(["trace", TAMMAN, "--seed", "4"])
        .current_dir(common::root())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut few = [0; 10];
    let mut pipe = child.stdout.take().unwrap();
    pipe.read_exact(&mut few).unwrap();
    drop(pipe);
    let mut errors = String::new();
    child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
    assert_eq!(errors, "");
    assert!(child.wait().unwrap().success());
}

#[cfg(unix)]
#[test]
fn a_stopped_simulation_tells_what_it_has() {
    let child = Command::new(env!("CARGO_BIN_EXE_ayn"))
        .args(["simulate", TAMMAN, "-n", "100000000", "--json"])
        .current_dir(common::root())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_millis(1500));
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["interrupted"], true);
    let games = report["games"].as_u64().unwrap();
    assert!(games > 0);
    // The games it has are those that a simulation of just so many gives.
    let same = json(&["simulate", TAMMAN, "-n", &games.to_string(), "--json"]);
    assert_eq!(same["wins"], report["wins"]);
    assert_eq!(same["turns"], report["turns"]);
}

#[test]
fn colours_only_on_a_terminal() {
    for args in
        [&["check", "tests/diagnostics/unknown-name.ayn"][..], &["test", KOUMMA], &["simulate", KOUMMA, "-n", "10"]]
    {
        assert!(!transcript(args).contains('\u{1b}'), "{args:?}");
    }
}
