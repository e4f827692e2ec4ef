//! main
use ayn::Tree;
fn perft(t: &ayn::Reference, p: &ayn::Position, d: u32, out: &mut Vec<u64>, at: usize) {
    match t.node(p) {
        ayn::Node::End(_) => {}
        ayn::Node::Choice(c) => for i in 0..c.moves.len() { out[at]+=1; if d>1 { let mut q=p.clone(); t.advance(&mut q,i); perft(t,&q,d-1,out,at+1);} },
        ayn::Node::Chance(c) => for i in 0..c.outcomes.len() { let mut q=p.clone(); t.advance(&mut q,i); perft(t,&q,d,out,at); },
    }
}
fn main(){
    let depth: u32 = std::env::var("D").ok().and_then(|d| d.parse().ok()).unwrap_or(3);
    for path in std::env::args().skip(1) {
        let s = ayn::RuleFile::from_bytes(&path, std::fs::read(&path).unwrap()).unwrap();
        let t = std::time::Instant::now();
        let c = ayn::check(&s);
        println!("{path} {:?} ok={}", t.elapsed(), c.game.is_some());
        for d in &c.diagnostics { println!("{}\n", ayn::render(&s, d, false)); }
        let Some(g) = c.game else { continue };
        for e in &g.examples { match ayn::run_example(&g, &ayn::Setup::defaults(&g), e) { Ok(()) => println!("ok {}", e.title), Err(f) => println!("FAIL {}: {:?} {}", e.title, s.position(f.span.start), f.message) } }
        let r = ayn::Reference::new(ayn::Rules::bind(&g, &ayn::Setup::defaults(&g)).unwrap());
        let p = r.start();
        println!("{}", ayn::print_position(r.rules(), &p));
        let mut out = vec![0;depth as usize];
        perft(&r,&p,depth,&mut out,0);
        println!("{out:?} {:?}", t.elapsed());
    }
}
