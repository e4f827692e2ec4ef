//! From a path to a game that can be played.

use std::{
    fs::File,
    io::{self, ErrorKind, Read},
    path::Path,
    sync::Arc,
};

use serde::Serialize;

use super::{Failure, args::Choices, output};
use crate::{
    check::{Checked, Unplayable, bind, check},
    diagnostic::{Severity, render},
    evidence::SourceText,
    notation::read_position,
    reference::{Position, Reference, Watch},
    rules::{Game, NamedSetup, Rules, Setup},
    source::{RecordFile, RuleFile, SourceError},
    view::View,
};

/// A file and what the checker found in it.
pub(crate) struct Loaded {
    pub(crate) source: RuleFile,
    pub(crate) checked: Checked,
}

/// What every report says of the rules it was made with.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Provenance {
    pub(crate) game: String,
    /// The version of the program.
    pub(crate) version: &'static str,
    /// The hash of the rules with the chosen readings and options.
    pub(crate) rules: String,
    #[serde(flatten)]
    pub(crate) setup: NamedSetup,
}

impl Provenance {
    pub(crate) fn of(rules: &Rules) -> Self {
        Self {
            game: rules.game.title.clone(),
            version: env!("CARGO_PKG_VERSION"),
            rules: rules.hash(),
            setup: rules.setup.named(&rules.game),
        }
    }

    /// One line of it.
    pub(crate) fn line(&self) -> String {
        let readings = self.setup.readings.iter().map(|(name, value)| format!("{name}={value}"));
        let options = self.setup.options.iter().map(|(name, value)| format!("{name}={value}"));
        let choices: Vec<String> = readings.chain(options).collect();
        format!("ayn {}, rules {}\n{}", self.version, self.rules, choices.join(" "))
    }
}

/// Reads a file and checks it.
pub(crate) fn read(path: &Path) -> Result<Loaded, Failure> {
    let bytes = bytes(path, RuleFile::WHAT, RuleFile::MAX_BYTES)?;
    let source =
        RuleFile::from_bytes(path.display().to_string(), bytes).map_err(|error| Failure::Message(error.to_string()))?;
    let checked = check(&source);
    Ok(Loaded { source, checked })
}

/// Reads the text of a source.
pub(crate) fn text(path: &Path) -> Result<SourceText, Failure> {
    let bytes = bytes(path, SourceText::WHAT, SourceText::MAX_BYTES)?;
    SourceText::from_bytes(path.display().to_string(), &bytes).map_err(|error| Failure::Message(error.to_string()))
}

/// Reads a record file; `-` is standard input.
pub(crate) fn record(path: &Path) -> Result<RecordFile, Failure> {
    let named = path.as_os_str() != "-";
    let (name, bytes) = if named {
        (path.display().to_string(), bytes(path, RecordFile::WHAT, RecordFile::MAX_BYTES)?)
    } else {
        let name = "standard input".to_owned();
        let bytes = at_most(io::stdin(), 0, &name, RecordFile::WHAT, RecordFile::MAX_BYTES)?;
        (name, bytes)
    };
    RecordFile::from_bytes(name, bytes).map_err(|error| Failure::Message(error.to_string()))
}

/// The bytes of a file that is not too large.
fn bytes(path: &Path, what: &'static str, limit: u64) -> Result<Vec<u8>, Failure> {
    let name = path.display().to_string();
    let say = |message: &str| Failure::Message(format!("{name}: {message}"));
    let file = File::open(path).map_err(|error| match error.kind() {
        ErrorKind::NotFound => say("there is no such file"),
        ErrorKind::PermissionDenied => say("it may not be read"),
        _ => say(&error.to_string()),
    })?;
    if file.metadata().is_ok_and(|metadata| metadata.is_dir()) {
        return Err(say(&format!("this is a folder; name {what}")));
    }
    let size = file.metadata().map_or(0, |metadata| metadata.len());
    at_most(file, size, &name, what, limit)
}

/// The bytes that can be read, if they are not too many.
fn at_most(from: impl Read, size: u64, name: &str, what: &'static str, limit: u64) -> Result<Vec<u8>, Failure> {
    let mut bytes = vec![];
    // One byte more than is allowed shows that a file is too large, however large it is.
    from.take(limit + 1).read_to_end(&mut bytes).map_err(|error| Failure::Message(format!("{name}: {error}")))?;
    if bytes.len() as u64 > limit {
        let bytes = size.max(bytes.len() as u64);
        let error = SourceError::TooLarge { name: name.to_owned(), bytes, what, limit };
        return Err(Failure::Message(error.to_string()));
    }
    Ok(bytes)
}

/// Reads a file that must be a game; its errors are told.
pub(crate) fn game(path: &Path) -> Result<(RuleFile, Arc<Game>), Failure> {
    let loaded = read(path)?;
    match loaded.checked.game {
        Some(game) => Ok((loaded.source, game)),
        None => {
            let errors = loaded.checked.diagnostics.iter().filter(|found| found.words().severity == Severity::Error);
            for error in errors {
                output::tell(&render(&loaded.source, error, output::colours()));
                output::tell("");
            }
            Err(Failure::Message(format!("{} is no game yet", path.display())))
        }
    }
}

/// The setup that the command line chooses.
pub(crate) fn setup(game: &Game, choices: &Choices) -> Result<Setup, Failure> {
    Setup::choose(game, &choices.readings, &choices.options).map_err(|error| Failure::Message(error.to_string()))
}

/// A game with the readings and options of the command line.
pub(crate) fn rules(path: &Path, choices: &Choices) -> Result<(RuleFile, Rules), Failure> {
    let (source, game) = game(path)?;
    let setup = setup(&game, choices)?;
    let rules = bind(&game, &setup).map_err(|error| unplayable(&source, &error))?;
    Ok((source, rules))
}

/// The same, to be played step by step.
pub(crate) fn reference(path: &Path, choices: &Choices) -> Result<(RuleFile, Reference), Failure> {
    rules(path, choices).map(|(source, rules)| (source, Reference::new(rules)))
}

/// Tells why a game cannot be played under a setup.
pub(crate) fn unplayable(source: &RuleFile, error: &Unplayable) -> Failure {
    for diagnostic in &error.diagnostics {
        output::tell(&render(source, diagnostic, output::colours()));
        output::tell("");
    }
    Failure::Message(format!("{} cannot be played with these readings and options", source.name()))
}

/// A position of the command line.
pub(crate) fn view(rules: &Rules, text: &str) -> Result<View, Failure> {
    read_position(rules, text).map_err(|error| Failure::Message(error.to_string()))
}

/// The position to begin at; what happens at once is told.
pub(crate) fn start<W: Watch>(
    reference: &Reference,
    position: Option<&str>,
    watch: &mut W,
) -> Result<Position, Failure> {
    match position {
        None => Ok(reference.start_watched(watch)),
        Some(text) => Ok(reference.begin_watched(&view(reference.rules(), text)?, watch)),
    }
}
