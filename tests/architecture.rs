//! Who may know whom: imports go downward only, and each craft has its one place.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod common;

use std::{fs, path::Path};

/// The parts of the library from the lowest to the highest: each may use those before it.
const LAYERS: [&str; 21] = [
    "span",
    "source",
    "diagnostic",
    "syntax",
    "rules",
    "check",
    "view",
    "random",
    "tree",
    "reference",
    "ir",
    "engine",
    "agents",
    "sim",
    "notation",
    "example",
    "replay",
    "evidence",
    "compare",
    "report",
    "cli",
];

/// What a part may use at most, where that is less than all below it.
const KNOWS: [(&str, &[&str]); 12] = [
    ("syntax", &["diagnostic", "span"]),
    ("rules", &["diagnostic", "span"]),
    ("view", &["rules"]),
    ("random", &["rules"]),
    ("tree", &["random", "rules", "view"]),
    ("reference", &["rules", "tree", "view"]),
    ("ir", &["rules"]),
    ("engine", &["ir", "random", "reference", "rules", "tree", "view"]),
    ("agents", &["diagnostic", "random", "rules", "tree"]),
    ("sim", &["agents", "random", "rules", "tree"]),
    (
        "replay",
        &["check", "diagnostic", "example", "notation", "reference", "rules", "source", "span", "syntax", "tree"],
    ),
    ("evidence", &["diagnostic", "rules", "source", "span"]),
];

fn sources() -> Vec<(String, String, String)> {
    let mut found = vec![];
    let mut open = vec![common::root().join("src")];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(common::root().join("src")).unwrap().to_path_buf();
                found.push((part(&name), name.display().to_string(), fs::read_to_string(&path).unwrap()));
            }
        }
    }
    found
}

fn part(path: &Path) -> String {
    path.iter().next().unwrap().to_string_lossy().trim_end_matches(".rs").to_owned()
}

/// The parts that a text names as `crate::part`, or in a group `crate::{part, ...}`.
fn used(text: &str) -> Vec<String> {
    let code: String = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
    let mut parts = vec![];
    for rest in code.split("crate::").skip(1) {
        if let Some(group) = rest.strip_prefix('{') {
            let (mut depth, mut word) = (0, String::new());
            for c in group.chars() {
                match c {
                    '{' => depth += 1,
                    '}' if depth == 0 => break,
                    '}' => depth -= 1,
                    ',' | ':' | '\n' | ' ' if depth == 0 => {
                        parts.push(std::mem::take(&mut word));
                    }
                    c if depth == 0 => word.push(c),
                    _ => {}
                }
            }
            parts.push(word);
        } else {
            parts.push(rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect());
        }
    }
    parts.retain(|part| LAYERS.contains(&part.as_str()));
    parts
}

#[test]
fn imports_go_downward() {
    let rank = |part: &str| LAYERS.iter().position(|layer| *layer == part);
    for (part, file, text) in sources() {
        let Some(own) = rank(&part) else {
            assert!(["lib", "main"].contains(&part.as_str()), "{file} belongs to no layer");
            continue;
        };
        let allowed = KNOWS.iter().find(|(name, _)| *name == part).map(|(_, parts)| *parts);
        for other in used(&text).into_iter().filter(|other| *other != part) {
            assert!(rank(&other) < Some(own), "{file} uses {other}, which stands above it");
            if let Some(allowed) = allowed {
                assert!(allowed.contains(&other.as_str()), "{file} uses {other}, which it must not know");
            }
        }
    }
}

#[test]
fn each_craft_has_its_place() {
    let only = [
        ("pest::", "syntax"),
        ("pest_derive", "syntax"),
        ("annotate_snippets", "diagnostic"),
        ("rayon", "sim"),
        ("chacha20", "random"),
        ("wide::", "ir"),
        ("cranelift", "engine"),
        ("statrs", "sim"),
        ("plotters", "report"),
        ("maud", "report"),
        ("clap", "cli"),
        ("terminal_size", "cli"),
        ("unicode_normalization", "evidence"),
        ("std::fs", "cli"),
        ("std::io", "cli"),
        ("println!", "cli"),
        ("serde_json", "rules"),
    ];
    for (part, file, text) in sources() {
        for (craft, place) in only {
            let named = text.lines().any(|line| !line.trim_start().starts_with("//") && line.contains(craft));
            let json_is_also_printed = craft == "serde_json" && part == "cli";
            assert!(!named || part == place || json_is_also_printed, "{file} names {craft}, which belongs to {place}");
        }
    }
}

#[test]
fn unsafe_code_is_in_one_file() {
    for (_, file, text) in sources() {
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        let found =
            code.flat_map(|line| line.split(|c: char| !c.is_alphanumeric() && c != '_')).any(|word| word == "unsafe");
        assert!(!found || file == "engine/native/call.rs", "{file} has unsafe code");
    }
}

#[test]
fn files_are_short() {
    for (_, file, text) in sources() {
        assert!(text.lines().count() <= 600, "{file} has {} lines", text.lines().count());
    }
}
