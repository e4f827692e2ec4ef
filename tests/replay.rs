//! Records of games: what explains them, and what is told where nothing does.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use std::{fs, io::Write, path::Path, process::Stdio, sync::Arc};

use ayn::{
    Node, RecordFile, Reference, RuleFile, Tree,
    game::{Game, Id as _, Setup},
    print_move,
    records::{Chosen, Extent, Limits, Reached, read_records, replay},
};
use common::{json, transcript};

/// The command that the first line of a record file asks for: `# koumma --only`.
fn command(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap();
    let first = text.lines().next().unwrap().trim_start_matches("# ").to_owned();
    let mut words = first.split_whitespace().map(str::to_owned);
    let game = format!("games/{}.ayn", words.next().unwrap());
    let record = path.strip_prefix(common::root()).unwrap().display().to_string();
    ["replay".to_owned(), game, record].into_iter().chain(words).collect()
}

#[test]
fn records_are_explained_or_not() {
    insta::glob!("replay/*.txt", |path| {
        let args = command(path);
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false, snapshot_path => "snapshots/replay" }, {
            insta::assert_snapshot!(transcript(&args));
        });
    });
}

/// Replays a text, and gives what was printed with the exit code.
fn told(game: &str, record: &[u8]) -> (String, Option<i32>) {
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_ayn"))
        .args(["replay", game, "-"])
        .current_dir(common::root())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // What is too long is not read to its end.
    let _ = child.stdin.take().unwrap().write_all(record);
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(!text.contains("panicked"), "{text}");
    (text, output.status.code())
}

#[test]
fn what_nobody_can_read_is_told() {
    let texts: [(&str, Vec<u8>, &str); 15] = [
        ("nothing", vec![], "there is no move in this record"),
        ("a comment", b"# A c B\n".to_vec(), "there is no move in this record"),
        ("no UTF-8", b"A \xff\xfe".to_vec(), "not UTF-8"),
        ("zeros", vec![0; 1000], "cannot stand here"),
        ("two megabytes", vec![b'A'; 2_000_000], "a record file has at most 1048576"),
        ("one long word", vec![b'A'; 1_000_000], "is not on offer"),
        ("moves without end", b"A b ".repeat(200_000), "is not on offer"),
        ("throws without end", [b"[".to_vec(), b"4 ".repeat(300_000)].concat(), "cannot stand here"),
        ("brackets without end", b"[".repeat(300_000), "cannot stand here"),
        ("parentheses without end", b"A(b".repeat(300_000), "cannot stand here"),
        ("strokes without end", [b"A".to_vec(), vec![b'\''; 500_000]].concat(), "is not on offer"),
        ("an open title", b"game \"never closed".to_vec(), "quotes, on both sides"),
        ("titles without moves", b"game \"x\" ".repeat(50_000), "there is no move in this record"),
        ("a number beyond all", b"A+99999999999999999999999".to_vec(), "takes 0, not"),
        ("a throw beyond all", b"A [99999999999999999999999]".to_vec(), "nothing is thrown here"),
    ];
    for (what, text, wanted) in texts {
        let (found, code) = told("games/koumma.ayn", &text);
        assert!(found.contains(wanted), "{what}: {found}");
        assert_eq!(code, Some(1), "{what}");
        assert!(found.len() < 20_000, "{what}: {} bytes are told", found.len());
    }
    for text in ["A c+4 B", "A\r\nc+4\r\nB\r\n", "\u{feff}A # a comment without an end of line", "1.A 1... c+4"] {
        let (found, code) = told("games/koumma.ayn", text.as_bytes());
        assert_eq!(code, Some(0), "{text:?}: {found}");
        assert!(found.contains("standard input: explained"), "{found}");
    }
}

#[test]
fn a_file_that_cannot_be_read_hides_no_other() {
    let args = ["replay", "games/koumma.ayn", "tests/replay/koumma.txt", "tests/replay/koumma-commas.txt", "none.txt"];
    let text = transcript(&args);
    for said in ["no such file", "only spaces and line ends stand between moves", "the chosen readings explain 1 of 1"]
    {
        assert!(text.contains(said), "{said} is missing in\n{text}");
    }
    assert!(text.ends_with("--- exit code 1\n"));
    assert!(transcript(&["replay", "games/koumma.ayn"]).ends_with("--- exit code 2\n"));
}

#[test]
fn json_holds_all_that_is_told() {
    let report = json(&["replay", "games/koumma.ayn", "tests/replay/koumma-several.txt", "--json"]);
    assert_eq!(report["explained"], false);
    for key in ["game", "version", "rules", "readings", "options"] {
        assert!(!report[key].is_null(), "{key}");
    }
    let first = &report["records"][0];
    assert_eq!(first["title"], "at the well");
    assert_eq!(first["failure"]["code"], "takes");
    assert_eq!(first["failure"]["seat"], "South");
    assert_eq!(first["failure"]["ply"], 7);
    assert_eq!(first["failure"]["position"], "5 5 2 / 6 13 3 | 0 2 | S | quiet 4");
    assert_eq!(first["evidence"]["explaining"], 2);
    assert_eq!(first["evidence"]["tried"], 18);
    let search = &report["search"];
    let best = usize::try_from(first["evidence"]["combinations"][0].as_u64().unwrap()).unwrap();
    assert_eq!(search["combinations"][best]["changes"], serde_json::json!(["chain=preceding"]));
    assert_eq!(search["combinations"][best]["variant"], true);
    let third = &report["records"][2]["evidence"];
    assert_eq!(third["explaining"], 0);
    assert_eq!(third["corrections"][0]["takes"], 4);
    assert_eq!(report["records"][3]["options"]["seeds"], 4);
    assert_eq!(report["records"][3]["evidence"]["tried"], 6);
    // Groups part the combinations, and what they explain adds up.
    let combinations = search["combinations"].as_array().unwrap();
    let grouped: usize =
        search["groups"].as_array().unwrap().iter().map(|group| group["combinations"].as_array().unwrap().len()).sum();
    assert_eq!(grouped, combinations.len());
    assert_eq!(search["all"], 18);
    let chosen_only = json(&["replay", "games/koumma.ayn", "tests/replay/koumma.txt", "--json", "--only"]);
    assert!(chosen_only["search"].is_null());
    assert_eq!(chosen_only["explained"], true);
}

/// A game of so many plies at random, as it would be written down.
fn written(reference: &Reference, plies: usize, seed: u64) -> String {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut any = move |n: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n
    };
    let (mut position, mut record, mut done) = (reference.start(), String::new(), 0);
    let captured = |position: &ayn::Position| -> u32 {
        reference.rules().seats.ids().map(|seat| reference.captured(position, seat)).sum()
    };
    while done < plies {
        let before = captured(&position);
        match reference.node(&position) {
            Node::End(_) => break,
            Node::Chance(chance) => {
                let outcomes = &reference.throw(chance.throw).outcomes;
                let n = any(outcomes.len());
                record += &format!("[{}] ", outcomes[n].count);
                reference.advance(&mut position, n);
            }
            Node::Choice(choice) => {
                let moves = reference.moves(&position);
                let n = any(choice.moves);
                reference.advance(&mut position, n);
                record += &format!("{}+{} ", print_move(reference.rules(), &moves[n]), captured(&position) - before);
                done += 1;
            }
        }
    }
    let view = reference.view(&position);
    let stands = ayn::print_position(reference.rules(), &view);
    // In the middle of a turn there is more than a position can say.
    if ayn::read_position(reference.rules(), &stands).is_err() {
        return record;
    }
    record + &format!("\nexpect position \"{stands}\"")
}

fn record_of(text: &str) -> RecordFile {
    RecordFile::new("record.txt", text).unwrap()
}

fn chosen(game: &Game) -> Chosen {
    Chosen::new(game, &[], &[]).unwrap()
}

/// Games played at random under each single reading are explained by it, whatever readings are chosen.
#[test]
fn every_reading_explains_its_own_games() {
    let (mut told_apart, mut tried) = (0, 0);
    for name in ["koumma", "tamman", "tampoduo", "um-ed-dyar", "oware", "bao-kujifunza", "royal-game-of-ur", "tab"] {
        let game = common::game(name);
        let chosen = chosen(&game);
        for (n, setup) in game.single_readings().into_iter().enumerate() {
            let reference = Reference::new(ayn::bind(&game, &setup).unwrap());
            let text = written(&reference, 14, n as u64 + 1);
            let file = record_of(&text);
            let records = read_records(&game, &chosen, &file).unwrap_or_else(|error| panic!("{name}: {error}\n{text}"));
            let found = replay(&game, &chosen, &records, Some(Limits { combinations: 80, ..Limits::default() }));
            let search = found.search.unwrap();
            let own = search.combinations.iter().find(|combination| combination.setup == setup);
            assert!(own.expect("it is tried").explains(0), "{name}, {:?}:\n{text}", setup.named(&game));
            let others = search.combinations.iter().filter(|combination| !combination.explains(0)).count();
            told_apart += usize::from(others > 0);
            tried += 1;
        }
    }
    assert!(told_apart > 5, "{told_apart} of {tried} records tell readings apart");
}

/// What is changed in a record is found: the move is named, and the number that would be right.
#[test]
fn a_wrong_number_is_found_wherever_it_stands() {
    for name in ["koumma", "tampoduo", "oware"] {
        let game = common::game(name);
        let reference = Reference::new(ayn::bind(&game, &Setup::defaults(&game)).unwrap());
        let text = written(&reference, 12, 7);
        let words: Vec<&str> = text.split_whitespace().take_while(|word| *word != "expect").collect();
        for (at, word) in words.iter().enumerate() {
            let (place, taken) = word.split_once('+').unwrap();
            let taken: i64 = taken.parse().unwrap();
            let mut wrong: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            wrong[at] = format!("{place}+{}", taken + 1);
            let file = record_of(&wrong.join("\n"));
            let records = read_records(&game, &chosen(&game), &file).unwrap();
            let found = replay(&game, &chosen(&game), &records, None);
            let error = found.records[0].outcome.as_ref().unwrap_err();
            assert_eq!(file.position(error.span.start).0, at + 1, "{name}: {error}");
            assert_eq!(found.records[0].only_wrong, Some(taken), "{name}");
            assert!(found.search.is_none());
        }
    }
}

/// Whatever is struck out of a record, doubled, or swapped with what follows: it is explained or not, and nothing else happens.
#[test]
fn mutilated_records_do_no_harm() {
    for name in ["koumma", "tamman"] {
        let game = common::game(name);
        let text = fs::read_to_string(common::root().join(format!("tests/replay/{name}.txt"))).unwrap();
        let signs: Vec<char> = text.chars().collect();
        let (mut read, mut explained) = (0, 0);
        for at in 0..signs.len() - 1 {
            for how in 0..3 {
                let mut signs = signs.clone();
                match how {
                    0 => drop(signs.remove(at)),
                    1 => signs.insert(at, signs[at]),
                    _ => signs.swap(at, at + 1),
                }
                let file = record_of(&signs.into_iter().collect::<String>());
                match read_records(&game, &chosen(&game), &file) {
                    Err(error) => assert!(!error.render(&file, false).is_empty()),
                    Ok(records) => {
                        read += 1;
                        let found = replay(&game, &chosen(&game), &records, None);
                        let errors = found.records.iter().filter_map(|record| record.outcome.as_ref().err());
                        let drawn: Vec<String> = errors.map(|error| error.render(&file, false)).collect();
                        explained += usize::from(drawn.is_empty());
                    }
                }
            }
        }
        assert!(explained > 20 && read > explained + 20, "{name}: {read} read, {explained} explained");
    }
}

/// A game of sowing with readings that hang on one another.
fn branching(more: &str) -> Arc<Game> {
    let text = format!(
        "game \"Branches\"\nseats 2\nboard {{ rows 2 of 3 start 2 in each pit sow counterclockwise }}\n\
         reading takes \"?\" {{ no \"n\" silent default yes \"y\" silent }}\n\
         reading side \"?\" only when takes is yes {{ all = all pits \"a\" silent default enemy = enemy pits \"e\" silent }}\n\
         reading least \"?\" only when side is enemy {{ two = 2 \"2\" silent default three = 3 \"3\" silent four = 4 \"4\" silent }}\n\
         {more}\n\
         turn {{ choose hole from own pits where seeds(hole) > 0 if none pass lift hole sow from next(hole)\n\
         if takes is yes and last in side and seeds(last) >= least {{ capture last }} }}\n\
         ending over, after a turn when turns-played >= 20 {{ most captured wins }}\nlimit 100 turns\n"
    );
    let checked = ayn::check(&RuleFile::new("branches.ayn", text).unwrap());
    checked.game.unwrap_or_else(|| panic!("{:?}", checked.diagnostics))
}

#[test]
fn what_hangs_on_another_reading_is_tried_only_with_it() {
    let game = branching("");
    let record = record_of("A+0 a+0");
    let search = |readings: &[&str]| {
        let readings: Vec<String> = readings.iter().map(|text| (*text).to_owned()).collect();
        let chosen = Chosen::new(&game, &readings, &[]).unwrap();
        let records = read_records(&game, &chosen, &record).unwrap();
        replay(&game, &chosen, &records, Some(Limits::default())).search.unwrap()
    };
    // no; yes with all; yes with enemy and two, three or four.
    assert_eq!(search(&[]).combinations.len(), 5);
    assert_eq!(search(&["takes=yes"]).combinations.len(), 4);
    assert_eq!(search(&["takes=yes", "side=enemy"]).combinations.len(), 3);
    assert_eq!(search(&["takes=no"]).combinations.len(), 1);
    assert_eq!(search(&["takes=yes", "side=enemy", "least=four"]).combinations.len(), 1);
    assert!(search(&[]).combinations.iter().all(|combination| combination.rules.is_some()));
}

#[test]
fn of_very_many_combinations_the_nearest_are_tried() {
    let many: String =
        (0..20).map(|n| format!("reading r{n} \"?\" {{ no \"n\" silent default yes \"y\" silent }}\n")).collect();
    let game = branching(&many);
    let chosen = chosen(&game);
    let records = read_records(&game, &chosen, &record_of("A")).unwrap();
    let search = replay(&game, &chosen, &records, Some(Limits::default())).search.unwrap();
    assert_eq!(search.all, 5 << 20);
    assert_eq!(search.extent, Extent::OneOrTwoChanged);
    assert!(search.combinations.len() > 200 && search.combinations.len() <= 2000);
    assert!(search.combinations[0].changes.is_empty());
    let few = Limits { combinations: 2000, steps: 50_000 };
    let search = replay(&game, &chosen, &records, Some(few)).search.unwrap();
    assert_eq!(search.extent, Extent::Steps);
    assert!(search.combinations.len() < 10);
    assert!(search.combinations.iter().all(|combination| combination.reached[0] == Reached::Explained));
}

/// An option under which the game cannot be played is told, and so is one that no record may change.
#[test]
fn options_of_a_record_are_its_own() {
    let game = common::game("koumma");
    let fixed = Chosen::new(&game, &[], &["seeds=4".to_owned()]).unwrap();
    let error = read_records(&game, &fixed, &record_of("option seeds = 5 A")).unwrap_err();
    assert!(error.to_string().contains("`seeds` is 4 on the command line"), "{error}");
    let records = read_records(&game, &fixed, &record_of("option holes = 4 A")).unwrap();
    let holes = game.options.ids().find(|id| game.options.at(*id).name == "holes").unwrap();
    assert_eq!(records[0].setup.option(holes), 4);
    assert_eq!(fixed.setup.option(holes), 3);
    assert_eq!(holes.index(), 0);
}
