//! What the tests share: files, games, and the program.
#![allow(
    dead_code,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a helper of tests; each uses a part"
)]

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
    sync::Arc,
};

use ayn::{
    Reference, RuleFile,
    game::{Game, Setup},
};

/// The shipped rule files.
pub fn game_files() -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(root().join("games"))
        .expect("games can be listed")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|ext| ext == "ayn"))
        .collect();
    files.sort();
    assert!(!files.is_empty());
    files
}

/// The names of the shipped games.
pub fn names() -> Vec<String> {
    game_files().iter().map(|path| path.file_stem().expect("a name").to_string_lossy().into_owned()).collect()
}

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

pub fn source(path: &Path) -> RuleFile {
    let name = path.file_name().expect("a file").to_string_lossy();
    RuleFile::from_bytes(name, fs::read(path).expect("it can be read")).expect("it is text")
}

/// A shipped game by its name.
pub fn game(name: &str) -> Arc<Game> {
    let source = source(&root().join("games").join(format!("{name}.ayn")));
    ayn::check(&source).game.unwrap_or_else(|| panic!("{name} is a game"))
}

/// A shipped game with readings and options, written `name=value`; options are found by their names.
pub fn reference(name: &str, choices: &str) -> Reference {
    let game = game(name);
    let is_option = |choice: &&str| {
        let name = choice.split('=').next().expect("a name");
        game.options.iter().any(|option| option.name == name)
    };
    let (options, readings): (Vec<&str>, Vec<&str>) = choices.split_whitespace().partition(is_option);
    let own = |texts: Vec<&str>| texts.into_iter().map(str::to_owned).collect::<Vec<_>>();
    let setup = Setup::choose(&game, &own(readings), &own(options)).expect("choices of the game");
    Reference::new(ayn::bind(&game, &setup).expect("it can be bound"))
}

/// Runs the program in the project's folder.
pub fn ayn(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ayn")).args(args).current_dir(root()).output().expect("it runs")
}

/// What the program printed, with its exit code.
pub fn transcript(args: &[&str]) -> String {
    let output = ayn(args);
    let mut text = format!("$ ayn {}\n", args.join(" "));
    text += &String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    if !errors.is_empty() {
        text += &format!("--- stderr\n{errors}");
    }
    text + &format!("--- exit code {}\n", output.status.code().expect("it ended by itself"))
}

/// JSON that the program printed.
pub fn json(args: &[&str]) -> serde_json::Value {
    let output = ayn(args);
    let text = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(&text)
        .unwrap_or_else(|error| panic!("{error}: {text}{}", String::from_utf8_lossy(&output.stderr)))
}
