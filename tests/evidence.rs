//! What a rule file rests on, and its claims looked up in the words of the sources.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use std::{fs, path::PathBuf};

use ayn::{
    RuleFile,
    evidence::{AnchorStatus, ClaimStatus, Coverage, Evidence, RuleStatus, SourceText, look_up},
    game::{Game, RuleKind, Setup},
};
use common::{json, transcript};

const WELLS: &str = "tests/evidence/wells.ayn";
const WELLS_TEXT: &str = "tests/evidence/wells.txt";

fn snapshot(name: &str, args: &[&str]) {
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false, snapshot_path => "snapshots/evidence" }, {
        insta::assert_snapshot!(name, transcript(args));
    });
}

#[test]
fn what_the_command_prints() {
    snapshot("table", &["evidence", WELLS]);
    snapshot("text", &["evidence", WELLS, "--text", WELLS_TEXT]);
    snapshot("json", &["evidence", WELLS, "--json", "--text", &format!("walker={WELLS_TEXT}")]);
    snapshot("koumma", &["evidence", "games/koumma.ayn"]);
}

fn evidence(path: &std::path::Path) -> (RuleFile, std::sync::Arc<Game>, Evidence) {
    let source = common::source(path);
    let game = ayn::check(&source).game.unwrap();
    let evidence = Evidence::of(&source, &game);
    (source, game, evidence)
}

/// The figures are those of the lists, and the lists agree with one another.
#[test]
fn the_figures_add_up() {
    let mut files = common::game_files();
    files.push(common::root().join(WELLS));
    for path in files {
        let (source, game, found) = evidence(&path);
        let (name, totals) = (path.display(), &found.totals);
        assert_eq!(totals.claims, totals.modelled + totals.not_modelled + totals.uncited, "{name}");
        assert_eq!(totals.rules, totals.attested + totals.silent + totals.assumed + totals.groundless, "{name}");
        assert_eq!((totals.claims, totals.rules + totals.frames), (game.claims.len(), game.rules.len()), "{name}");
        let lines: Vec<&str> = source.text().lines().collect();
        let framing = [RuleKind::Statement, RuleKind::Turn, RuleKind::Procedure];
        for (n, rule) in found.rules.iter().enumerate() {
            let wanted = match rule.status {
                RuleStatus::Frame => framing.contains(&rule.kind),
                RuleStatus::Attested => !rule.claims.is_empty(),
                RuleStatus::Silent => rule.kind == RuleKind::Reading,
                RuleStatus::Assumed => rule.claims.is_empty() && rule.assumed.is_some(),
                RuleStatus::Groundless => rule.claims.is_empty() && rule.assumed.is_none(),
            };
            assert!(wanted, "{name}: {rule:?}");
            assert!(lines[rule.line - 1].contains(&rule.text), "{name}:{}: {}", rule.line, rule.text);
            for cite in &rule.claims {
                let claim = found.claims.iter().find(|claim| claim.cite == *cite).expect("a claim of the file");
                assert_eq!(claim.rules.contains(&n), rule.status != RuleStatus::Frame, "{name}: {cite}");
            }
        }
        assert!(found.rules.is_sorted_by_key(|rule| rule.line), "{name}");
        for claim in &found.claims {
            let reason = claim.not_modelled.is_some();
            assert_eq!(claim.status == ClaimStatus::NotModelled, reason, "{name}: {}", claim.cite);
            assert!(claim.rules.iter().all(|n| found.rules[*n].claims.contains(&claim.cite)), "{name}: {}", claim.cite);
            assert!(claim.status != ClaimStatus::Uncited || claim.rules.is_empty(), "{name}: {}", claim.cite);
        }
        let silent = found.readings.iter().filter(|reading| reading.silence).count();
        assert_eq!((totals.silences, totals.readings), (silent, game.readings.len()), "{name}");
    }
}

/// The checker has nothing to say of the shipped games, so nothing in them hangs in the air.
#[test]
fn shipped_games_rest_on_something() {
    for path in common::game_files() {
        let (_, _, found) = evidence(&path);
        assert_eq!((found.totals.groundless, found.totals.uncited), (0, 0), "{}", path.display());
        assert!(found.totals.attested > found.totals.assumed, "{}", path.display());
    }
}

/// Anchors are no part of the rules.
#[test]
fn anchors_do_not_change_the_rules() {
    for name in ["koumma", "tamman", "tampoduo"] {
        let hash = |text: String| {
            let game = ayn::check(&RuleFile::new(name, text).unwrap()).game.unwrap();
            ayn::bind(&game, &Setup::defaults(&game)).unwrap().hash()
        };
        let text = fs::read_to_string(common::root().join(format!("games/{name}.ayn"))).unwrap();
        let (anchors, rest): (Vec<&str>, Vec<&str>) =
            text.lines().partition(|line| line.trim_start().starts_with("anchor "));
        assert_eq!(anchors.len(), common::game(name).claims.len(), "{name} has an anchor for every claim");
        assert_eq!(hash(rest.join("\n")), hash(text), "{name}");
    }
}

/// A game with one claim a source and these anchors, by a source's name.
fn game_with(anchors: &[(&str, &str)]) -> (std::sync::Arc<Game>, Evidence) {
    let sources: String = anchors
        .iter()
        .map(|(source, anchor)| format!("source {source} {{ claim {source} \"What it says.\" anchor {anchor} }}\n"))
        .collect();
    let rules = "seats 2 board { rows 2 of 2 start 1 in each pit sow clockwise }
        turn { choose hole from own pits if none pass lift hole sow from next(hole) }
        ending stalled, after a turn when turns-without-capture > 9 { nobody wins } limit 20 turns";
    let file = RuleFile::new("anchors.ayn", format!("game \"Anchors\"\n{sources}{rules}")).unwrap();
    let game = ayn::check(&file).game.expect("a game");
    let evidence = Evidence::of(&file, &game);
    (game, evidence)
}

fn text(text: &str) -> SourceText {
    SourceText::from_bytes("words.txt", text.as_bytes()).unwrap()
}

fn looked_up(anchor: &str, words: &str) -> Coverage {
    let (game, evidence) = game_with(&[("one", anchor)]);
    look_up(&game, &evidence, &[text(words)])
}

#[test]
fn anchors_are_found_however_they_are_printed() {
    use AnchorStatus::{Ambiguous, Found, Missing};
    let cases = [
        ("\"two rows\"", "There are Two\n   ROWS of holes.", Found),
        ("\"two rows\"", "There are two\r\nrows.", Found),
        ("\"two rows\"", "There are twotwo rows.", Missing),
        ("\"two rows\"", "There are two rowsome holes.", Missing),
        ("\"now here\"", "It is nowhere.", Missing),
        ("\"nowhere\"", "It is now here.", Missing),
        ("\"captured\"", "All are cap-\ntured now.", Found),
        ("\"captured\"", "All are cap\u{ad}tured, or cap¬\n tured.", Found),
        ("\"captured\"", "All are captured now. They are captured.", Ambiguous),
        ("\"captured\"", "All that are captured, are captured.", Found),
        ("\"twenty-five seeds\"", "He has twenty-\nfive seeds.", Found),
        ("\"twenty-five seeds\"", "He has twenty–five seeds.", Found),
        ("\"ground-usually\"", "On the ground—usually on sand.", Found),
        ("\"ground - usually\"", "On the ground—usually on sand.", Found),
        ("\"the player's 'ayn\"", "From the player’s ʿayn he goes.", Found),
        ("\"it is 'sown'\"", "He says “it is ‘sown’”.", Found),
        ("\"Ouled M'taa\"", "at Ouled M’taâ", Found),
        ("\"Ouled M'taâ\"", "at Ouled M'taa\u{302}", Found),
        ("\"five stones\"", "The ﬁve stones¹ are sown.", Found),
        ("\"Straße\"", "AUF DER STRASSE", Found),
        ("\"四つの\"", "穴が四つ\nの列にある。", Found),
        ("\"he lifts ... the next\"", "First he lifts. Then he sows. He takes the next. Done.", Found),
        ("\"he lifts … the next\"", "The next he lifts.", Missing),
        ("\"he lifts ... the next\"", "He lifts. He lifts the next.", Ambiguous),
        ("\"two rows\", \"four holes\"", "Two rows. Four holes.", Found),
        ("\"two rows\", \"five holes\"", "Two rows. Four holes.", Missing),
        ("\"\"", "Two rows.", Missing),
        ("\"...\"", "Two rows.", Missing),
    ];
    for (anchor, words, wanted) in cases {
        let found = looked_up(anchor, words);
        assert_eq!(found.claims[0].status, wanted, "{anchor} in {words:?}: {:?}", found.claims[0]);
    }
}

/// The sentences of a text, those that are covered in brackets.
fn sentences(anchor: &str, words: &str) -> Vec<String> {
    let found = looked_up(anchor, words);
    let show = |sentence: &ayn::evidence::SentenceEvidence| {
        if sentence.claims.is_empty() { sentence.text.clone() } else { format!("[{}]", sentence.text) }
    };
    found.texts[0].sentences.iter().map(show).collect()
}

#[test]
fn anchors_cover_the_sentences_in_which_they_stand() {
    let cases: [(&str, &str, &[&str]); 10] = [
        ("\"b\"", "A b c. D e! F? G; h", &["[A b c.]", "D e!", "F?", "G;", "h"]),
        ("\"c d\"", "A b c. D e. F.", &["[A b c.]", "[D e.]", "F."]),
        ("\"ab ... gh\"", "Ab. Cd. Ef. Gh. Ij.", &["[Ab.]", "[Cd.]", "[Ef.]", "[Gh.]", "Ij."]),
        ("\"one\", \"three\"", "One. Two. Three.", &["[One.]", "Two.", "[Three.]"]),
        ("\"title\"", "Title\n\nOne line\nand another", &["[Title]", "One line and another"]),
        ("\"title\"", "Title\r\n \r\nOne", &["[Title]", "One"]),
        ("\"anne\"", "By V. Anne, pp. 3-4, e.g. 2.5 cm. More.", &["[By V. Anne, pp. 3-4, e.g. 2.5 cm.]", "More."]),
        ("\"sow\"", "1. Lift.\n2. Sow. He has 2. Go.", &["1. Lift.", "[2. Sow.]", "He has 2.", "Go."]),
        ("\"it\"", "He says \"Take it.\" (So?) Yes", &["[He says \"Take it.\"]", "(So?)", "Yes"]),
        ("\"列\"", "穴がある。列もある。", &["穴がある。", "[列もある。]"]),
    ];
    for (anchor, words, wanted) in cases {
        assert_eq!(sentences(anchor, words), wanted, "{anchor} in {words:?}");
    }
}

#[test]
fn words_are_counted() {
    let found = looked_up("\"two rows\"", "It has two rows of twenty-\nfive. Nothing else is known.");
    let text = &found.texts[0];
    assert_eq!((text.words, text.covered_words, text.share().as_str()), (10, 6, "60.0 %"));
}

/// A source with its own text is looked for there and nowhere else.
#[test]
fn a_text_can_be_that_of_one_source() {
    use AnchorStatus::{Found, Missing, NotLookedUp};
    let (game, evidence) = game_with(&[("one", "\"red\""), ("two", "\"blue\"")]);
    let statuses = |texts: &[SourceText]| -> Vec<AnchorStatus> {
        look_up(&game, &evidence, texts).claims.iter().map(|claim| claim.status).collect()
    };
    let (red, blue) = (text("Red."), text("Blue."));
    assert_eq!(statuses(&[red.clone(), blue.clone()]), [Found, Found]);
    assert_eq!(statuses(&[red.clone().of_source("one")]), [Found, NotLookedUp]);
    assert_eq!(statuses(&[red.clone().of_source("two"), blue.clone()]), [Missing, Missing]);
    assert_eq!(statuses(&[red.clone().of_source("one"), blue.clone()]), [Found, Found]);
    assert_eq!(statuses(&[red.of_source("one"), blue.of_source("two")]), [Found, Found]);
}

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("ayn-evidence-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn write(&self, name: &str, bytes: &[u8]) -> String {
        let path = self.0.join(name);
        fs::write(&path, bytes).unwrap();
        path.display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn what_bad_texts_are_told() {
    let folder = Folder::new("bad");
    let cases = [
        (folder.write("empty.txt", b""), "no words"),
        (folder.write("blank.txt", b" \n--- \n"), "no words"),
        (folder.write("latin.txt", b"two rows\ncaf\xe9\n"), "not UTF-8 text (line 2)"),
        (folder.write("binary.txt", b"two\0rows"), "a binary file"),
        (folder.write("wide.txt", b"\xff\xfet\0w\0o\0"), "UTF-16"),
        (folder.write("page.pdf", b"%PDF-1.7"), "a PDF"),
        (folder.write("huge.txt", &vec![b'a'; 9_000_000]), "9000000 bytes; the text of a source has at most 8388608"),
        (folder.0.display().to_string(), "this is a folder; name the text of a source"),
        (folder.0.join("none.txt").display().to_string(), "there is no such file"),
        (format!("wlaker={WELLS_TEXT}"), "did you mean `walker`?"),
        ("walker=".to_owned(), "there is no such file"),
    ];
    for (text, wanted) in &cases {
        let told = transcript(&["evidence", WELLS, "--text", text]);
        assert!(told.contains(wanted) && told.ends_with("--- exit code 1\n"), "{text}: {told}");
        assert!(!told.contains("Claims of"), "{text}: {told}");
    }
}

#[test]
fn a_missing_anchor_is_an_error_and_an_ambiguous_one_is_not() {
    let folder = Folder::new("missing");
    let once = fs::read_to_string(common::root().join(WELLS_TEXT)).unwrap();
    let missing = folder.write("missing.txt", once.replace("pletes a pair", "pletes three").as_bytes());
    let told = transcript(&["evidence", WELLS, "--text", &format!("walker={missing}")]);
    assert!(told.ends_with("--- exit code 1\n"), "{told}");
    assert!(told.contains("error[anchor-missing]") && told.contains("wells.ayn:17:12"), "{told}");
    let twice = folder.write("twice.txt", format!("{once}\nA bean completes a pair. {once}").as_bytes());
    let found = json(&["evidence", WELLS, "--json", "--text", &format!("walker={twice}")]);
    let diagnostics = found["diagnostics"].as_array().unwrap();
    assert!(diagnostics.iter().all(|one| one["severity"] == "warning" && one["code"] == "anchor-ambiguous"));
    assert_eq!(diagnostics.len(), 7);
    assert_eq!(found["evidence"]["totals"]["claims"], 8);
    assert_eq!(found["coverage"]["ambiguous"], 6);
    assert_eq!(found["coverage"]["texts"][0]["covered_words"], 0);
}

/// No text and no anchors, however many, take long or break the program.
#[test]
fn large_texts_are_searched() {
    let words = "one two three four five six seven eight nine ten ".repeat(20_000) + "the very end";
    let anchors: Vec<String> = (0..2000).map(|n| format!("\"ten one two three{}\"", " x".repeat(n % 7))).collect();
    let list = anchors.join(", ") + ", \"ten the very end\"";
    let found = looked_up(&list, &words);
    assert_eq!(found.claims[0].status, AnchorStatus::Missing);
    assert_eq!(found.texts[0].words, 200_003);
}
