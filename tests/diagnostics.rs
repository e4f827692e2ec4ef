//! One small file for each diagnostic, and how it is shown.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod common;

use std::{collections::BTreeSet, fs};

/// Everything the checker says of a file, as a person sees it; and what is said of its anchors where the words of its
/// source stand beside it.
fn told(path: &std::path::Path) -> String {
    let source = common::source(path);
    let checked = ayn::check(&source);
    let mut found = checked.diagnostics;
    if let (Some(game), Ok(words)) = (checked.game, fs::read(path.with_extension("txt"))) {
        let text = ayn::evidence::SourceText::from_bytes("source.txt", &words).unwrap();
        found.extend(ayn::evidence::look_up(&game, &ayn::evidence::Evidence::of(&source, &game), &[text]).diagnostics);
    }
    let told: Vec<String> = found.iter().map(|found| ayn::render(&source, found, false)).collect();
    if told.is_empty() { "nothing to say\n".to_owned() } else { told.join("\n\n") + "\n" }
}

#[test]
fn diagnostics_read_well() {
    insta::glob!("diagnostics/*.ayn", |path| {
        insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
            insta::assert_snapshot!(told(path));
        });
    });
}

/// The code that a file's name begins with is among what is told of it.
#[test]
fn files_show_the_code_they_are_named_for() {
    for path in files() {
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        let told = told(&path);
        let shown = codes().into_iter().filter(|code| stem == *code || stem.starts_with(&format!("{code}-")));
        let longest = shown.max_by_key(String::len);
        match longest {
            Some(code) => assert!(told.contains(&format!("[{code}]")), "{stem} shows\n{told}"),
            None => assert!(stem.starts_with("ok-"), "{stem} is named for no code"),
        }
    }
}

#[test]
fn every_code_has_a_file() {
    let shown: String = files().iter().map(|path| told(path)).collect();
    let missing: Vec<String> = codes().into_iter().filter(|code| !shown.contains(&format!("[{code}]"))).collect();
    assert!(missing.is_empty(), "no file shows {missing:?}");
    assert!(codes().len() >= 30);
}

fn files() -> Vec<std::path::PathBuf> {
    let folder = common::root().join("tests/diagnostics");
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|ext| ext == "ayn"));
    files.sort();
    files
}

/// All codes, from the one place where they stand.
fn codes() -> BTreeSet<String> {
    let words = fs::read_to_string(common::root().join("src/diagnostic/problem.rs")).unwrap();
    let starts = ["say(Error, \"", "say(Warning, \"", "say(Note, \"", "words(Error, \"", "unknown(\""];
    let found = starts
        .iter()
        .flat_map(|start| words.split(start).skip(1).map(|rest| rest.split('"').next().unwrap().to_owned()));
    found.collect()
}
