//! The page that a comparison writes.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use std::{collections::HashSet, fs, path::PathBuf};

/// The page of a comparison, and the file it was written to.
fn page(file: &str, args: &[&str]) -> String {
    let name = format!("{file}{}", args.concat()).replace(['/', ',', '.'], "-");
    let path: PathBuf = std::env::temp_dir().join(format!("ayn-report-{}-{name}.html", std::process::id()));
    let mut all = vec!["compare", file, "-n", "60", "--report", path.to_str().unwrap()];
    all.extend(args);
    let output = common::ayn(&all);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = fs::read_to_string(&path).unwrap();
    fs::remove_file(&path).unwrap();
    text
}

/// The values of an attribute.
fn values(page: &str, attribute: &str) -> Vec<String> {
    let start = format!(" {attribute}=\"");
    page.split(&start).skip(1).map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
}

/// A page refers to nothing outside itself, and everything it refers to is there, once.
fn assert_whole(page: &str) {
    let ids = values(page, "id");
    let unique: HashSet<&String> = ids.iter().collect();
    assert_eq!(ids.len(), unique.len(), "an id stands twice");
    let links = values(page, "href");
    assert!(links.len() > 20);
    for link in &links {
        let id = link.strip_prefix('#').unwrap_or_else(|| panic!("{link} leads outside"));
        assert!(unique.contains(&id.to_owned()), "{link} leads nowhere");
    }
    for outside in ["<script", "<link", "<img", "@import", "url("] {
        assert!(!page.contains(outside), "{outside}");
    }
    for element in ["svg", "table", "figure", "section", "div"] {
        let (open, closed) =
            (page.matches(&format!("<{element}")).count(), page.matches(&format!("</{element}>")).count());
        assert_eq!(open, closed, "{element}");
    }
}

#[test]
fn a_page_is_whole() {
    let koumma = page("games/koumma.ayn", &["--all"]);
    assert_whole(&koumma);
    // Differences, outcomes, lengths and branching for two line-ups, and where games part.
    assert_eq!(koumma.matches("<svg").count(), 9);
    assert!(koumma.contains("ayn compare games/koumma.ayn --all -n 60 --seed 1 --agents random,greedy --margin 2"));
    // Every claim is there, and its citations lead to it.
    for claim in &common::game("koumma").claims {
        assert!(koumma.contains(&format!("id=\"claim-{}\"", claim.name)), "{}", claim.name);
        if claim.not_modelled.is_none() && claim.name != "um-dyar" {
            assert!(koumma.contains(&format!("href=\"#claim-{}\"", claim.name)), "{}", claim.name);
        }
    }
    // The rules stand on it as they are.
    let lines = fs::read_to_string(common::root().join("games/koumma.ayn")).unwrap().lines().count();
    assert!(koumma.contains(&format!("id=\"line-{lines}\"")));
}

#[test]
fn every_kind_of_comparison_has_a_page() {
    for (file, args) in [
        ("games/tamman.ayn", vec!["--agents", "random,greedy/random", "--max-turns", "60"]),
        ("games/koumma.ayn", vec!["--against", "games/um-ed-dyar.ayn", "--agents", "random"]),
        ("games/ohvalhu.ayn", vec!["--agents", "random"]),
    ] {
        assert_whole(&page(file, &args));
    }
}

/// What a stranger's file says is text, and nothing else.
#[test]
fn texts_are_escaped() {
    let koumma = fs::read_to_string(common::root().join("games/koumma.ayn")).unwrap();
    let hostile = koumma.replace("game \"Koumma\"", "game \"<script>alert(1)</script>&amp;\"");
    let hostile = hostile.replace("in a hole of the other player\"  ", "</td><img src=x onerror=alert(2)>\"  ");
    let path = std::env::temp_dir().join(format!("ayn-hostile-{}.ayn", std::process::id()));
    fs::write(&path, hostile).unwrap();
    let page = page(path.to_str().unwrap(), &["--agents", "random"]);
    fs::remove_file(&path).unwrap();
    assert_whole(&page);
    assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;"));
}
