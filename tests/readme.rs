//! Every block of the README and of docs/ runs, and prints what stands there.
//!
//! A block of rules or a record whose first line is `# name.ayn` or `# name.txt` is a file; a `console` block runs `$ ayn ...` in a
//! folder with the files so far and with `games`; the `sh` block is the two commands of the project.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use std::{fs, path::Path, process::Command};

use ayn::game::Query;

struct CodeBlock {
    language: String,
    text: String,
}

fn blocks(page: &str) -> Vec<CodeBlock> {
    let mut blocks = vec![];
    let mut open: Option<CodeBlock> = None;
    for line in page.lines() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(language)) => open = Some(CodeBlock { language: language.to_owned(), text: String::new() }),
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some(block), None) => block.text += &format!("{line}\n"),
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a block is never closed");
    blocks
}

fn run_page(page: &str) {
    let text = fs::read_to_string(common::root().join(page)).unwrap();
    let folder = std::env::temp_dir().join(format!("ayn-{}-{}", page.replace('/', "-"), std::process::id()));
    fs::create_dir_all(folder.join("games")).unwrap();
    for path in common::game_files() {
        fs::copy(&path, folder.join("games").join(path.file_name().unwrap())).unwrap();
    }
    for block in blocks(&text) {
        match block.language.as_str() {
            "ayn" => {
                let first = block.text.lines().next().unwrap();
                let name = first.strip_prefix("# ").expect("the first line of a rule block names its file");
                fs::write(folder.join(name), &block.text).unwrap();
            }
            "record" => {
                let name = block.text.lines().next().and_then(|line| line.strip_prefix("# "));
                fs::write(folder.join(name.expect("the first line of a record names its file")), &block.text).unwrap();
            }
            "console" => run_console(&block.text, &folder),
            "sh" => assert_eq!(block.text, "cargo run --release -- simulate games/tamman.ayn\ncargo test\n"),
            "text" => {}
            other => panic!("a block of {other} is not run"),
        }
    }
    fs::remove_dir_all(&folder).unwrap();
}

/// Runs each `$ ayn ...` line; what follows it, up to the next, must be what it prints. `...`
/// stands for anything.
fn run_console(text: &str, folder: &Path) {
    for part in text.split("$ ayn ").skip(1) {
        let (command, wanted) = part.split_once('\n').unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_ayn"))
            .args(words(command))
            .current_dir(folder)
            .stdin(std::process::Stdio::null())
            .output()
            .unwrap();
        let found = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        let mut rest = tidy(&found);
        for (n, stretch) in tidy(wanted).split("...").enumerate() {
            let at = rest.find(stretch).filter(|at| n > 0 || *at == 0);
            let Some(at) = at else { panic!("`ayn {command}` prints\n{found}\nand not\n{wanted}") };
            rest = rest[at + stretch.len()..].to_owned();
        }
        assert!(wanted.trim_end().ends_with("...") || rest.trim().is_empty(), "`ayn {command}` prints more:\n{rest}");
    }
}

/// Lines without white space at their ends, and no empty lines at the end.
fn tidy(text: &str) -> String {
    let lines = text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
    format!("{}\n", lines.trim_end())
}

/// The words of a command, those in double quotes together.
fn words(command: &str) -> Vec<String> {
    let mut words = vec![];
    for (n, part) in command.split('"').enumerate() {
        if n % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}

#[test]
fn the_readme_runs() {
    run_page("README.md");
}

#[test]
fn the_language_reference_runs() {
    run_page("docs/language.md");
}

#[test]
fn the_page_on_records_runs() {
    run_page("docs/records.md");
}

#[test]
fn the_list_of_games_runs() {
    run_page("docs/games.md");
}

#[test]
fn the_page_on_comparisons_runs() {
    run_page("docs/compare.md");
}

#[test]
fn the_page_on_agents_runs() {
    run_page("docs/agents.md");
}

/// Every file of the language reference is a game without an error, and its examples hold.
#[test]
fn the_files_of_the_language_reference_are_games() {
    for text in files_of_the_reference() {
        let name = text.lines().next().unwrap().trim_start_matches("# ").to_owned();
        let checked = ayn::check(&ayn::RuleFile::new(&name, text).unwrap());
        let told: Vec<_> = checked.diagnostics.iter().map(ayn::Diagnostic::words).collect();
        assert!(told.iter().all(|words| words.severity == ayn::Severity::Note), "{name}: {told:?}");
        let game = checked.game.unwrap();
        for example in &game.examples {
            if let Err(failure) = ayn::run_example(&game, &ayn::game::Setup::defaults(&game), example) {
                panic!("{name}: {}: {}", example.title, failure.message);
            }
        }
    }
}

fn files_of_the_reference() -> Vec<String> {
    let page = fs::read_to_string(common::root().join("docs/language.md")).unwrap();
    blocks(&page).into_iter().filter(|block| block.language == "ayn").map(|block| block.text).collect()
}

/// The reference of the language explains every question in the very words of the code, and shows every word of
/// the grammar in a file that runs.
#[test]
fn the_language_reference_is_complete() {
    let page = fs::read_to_string(common::root().join("docs/language.md")).unwrap();
    for query in Query::ALL {
        assert!(page.contains(&format!("`{}", query.word())), "{} is not explained", query.word());
        assert!(page.contains(query.doc()), "{}: {}", query.word(), query.doc());
    }
    let files = files_of_the_reference().concat();
    let shown: std::collections::HashSet<&str> = files.split(|c: char| !(c.is_alphanumeric() || c == '-')).collect();
    let grammar = fs::read_to_string(common::root().join("grammars/ayn.pest")).unwrap();
    let words = grammar.lines().filter(|line| line.starts_with("k_")).map(|line| line.split('"').nth(1).unwrap());
    let missing: Vec<&str> = words.filter(|word| !shown.contains(word)).collect();
    assert!(missing.is_empty(), "no file of the reference shows {missing:?}");
}
