//! main
fn main(){
    for path in std::env::args().skip(1) {
        let s = ayn::RuleFile::from_bytes(&path, std::fs::read(&path).unwrap()).unwrap();
        let t = std::time::Instant::now();
        let c = ayn::check(&s);
        eprintln!("{path} {:?} ok={}", t.elapsed(), c.game.is_some());
        for d in &c.diagnostics { eprintln!("{}\n", ayn::render(&s, d, false)); }
    }
}
