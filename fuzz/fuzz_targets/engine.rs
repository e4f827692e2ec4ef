//! The engine beside the reference evaluator, node by node: the first byte says which game, the next two which readings
//! and options, the others what is chosen and thrown. `cargo +nightly fuzz run engine`.
#![no_main]

use std::{fs, path::Path, sync::OnceLock};

use ayn::{
    Compiled, Node, Reference, RuleFile, Tree, Visitor,
    game::{Rules, Setup},
};
use libfuzzer_sys::fuzz_target;

/// Each game under each single reading, and at the ends of each option.
fn all() -> &'static [Vec<Rules>] {
    static ALL: OnceLock<Vec<Vec<Rules>>> = OnceLock::new();
    ALL.get_or_init(|| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../games");
        let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths.iter().map(|path| setups(path)).collect()
    })
}

fn setups(path: &Path) -> Vec<Rules> {
    let file = RuleFile::from_bytes("game.ayn", fs::read(path).unwrap()).unwrap();
    let game = ayn::check(&file).game.unwrap();
    let defaults = Setup::defaults(&game);
    let ends = game.options.entries().flat_map(|(id, option)| [(id, option.low), (id, option.high)]);
    let options: Vec<Setup> = ends.map(|(id, value)| defaults.with_option(id, value)).collect();
    game.single_readings().into_iter().chain(options).filter_map(|setup| ayn::bind(&game, &setup).ok()).collect()
}

struct Beside<'a> {
    reference: &'a Reference,
    choices: &'a [u8],
}

impl Visitor for Beside<'_> {
    type Output = ();

    fn visit<T: Tree>(self, engine: &T) {
        let (mut fast, mut slow) = (engine.start(), self.reference.start());
        for choice in self.choices {
            assert!(engine.view(&fast) == self.reference.view(&slow));
            assert_eq!(engine.node(&fast), self.reference.node(&slow));
            assert_eq!(engine.moves(&fast), self.reference.moves(&slow));
            let many = match engine.node(&fast) {
                Node::End(_) => return,
                Node::Choice(choice) => choice.moves,
                Node::Chance(chance) => engine.throw(chance.throw).outcomes.len(),
            };
            let n = usize::from(*choice) % many;
            engine.advance(&mut fast, n);
            self.reference.advance(&mut slow, n);
        }
    }
}

fuzz_target!(|data: &[u8]| {
    let [game, high, low, choices @ ..] = data else { return };
    let all = all();
    let setups = &all[usize::from(*game) % all.len()];
    let rules = &setups[(usize::from(*high) * 256 + usize::from(*low)) % setups.len()];
    let reference = Reference::new(rules.clone());
    Compiled::new(rules.clone(), 0).visit(Beside { reference: &reference, choices });
});
