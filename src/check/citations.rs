//! Sources, claims, and what each rule rests on.

use super::declare::Builder;
use crate::{
    diagnostic::{Diagnostic, Problem},
    rules::{Anchor, Claim, ClaimId, Rule, RuleId, RuleKind, Source},
    span::{Span, Spanned},
    syntax::ast::{Cite, Ground},
};

fn anchor(words: &Spanned<String>) -> Anchor {
    Anchor { words: words.node.clone(), span: words.span }
}

/// Where a citation is written, without its `@`.
fn cite_span(cite: &Cite) -> Span {
    cite.source.as_ref().map_or(cite.claim.span, |source| source.span.to(cite.claim.span))
}

fn ground_span(ground: &Ground) -> Span {
    match ground {
        Ground::Cite(cite) => cite_span(cite),
        Ground::Assumed(why) => why.span,
    }
}

/// What a rule rests on, resolved.
#[derive(Debug, Clone, Default)]
pub(super) struct Grounds {
    pub(super) claims: Vec<ClaimId>,
    pub(super) assumed: Option<String>,
    /// Where they are written.
    pub(super) at: Option<Span>,
    /// Whether they are those of the block.
    pub(super) inherited: bool,
}

impl Grounds {
    fn is_empty(&self) -> bool {
        self.claims.is_empty() && self.assumed.is_none()
    }
}

impl Builder<'_> {
    pub(super) fn sources(&mut self) {
        let file = self.file;
        if file.sources.is_empty() {
            self.report(Problem::NoSource, file.game.as_ref().map_or_else(Span::default, |head| head.title.span));
        }
        for source in &file.sources {
            let fields = source.fields.iter().map(|(key, value)| (key.node.clone(), value.clone())).collect();
            let id = self.game.sources.push(Source { name: source.name.node.clone(), fields, retells: None });
            if self.scope.sources.insert(source.name.node.clone(), id).is_some() {
                self.report(Problem::Duplicate { what: "source", name: source.name.node.clone() }, source.name.span);
            }
            for claim in &source.claims {
                let claim_id = self.game.claims.push(Claim {
                    source: id,
                    name: claim.name.node.clone(),
                    text: claim.text.clone(),
                    anchors: claim.anchors.iter().map(anchor).collect(),
                    not_modelled: claim.not_modelled.clone(),
                    span: claim.name.span,
                });
                let same = self.scope.claims.entry(claim.name.node.clone()).or_default();
                let twice = same.iter().any(|(source, _)| *source == id);
                if !twice {
                    same.push((id, claim_id));
                } else {
                    self.scope.cited.insert(claim_id);
                    self.report(Problem::Duplicate { what: "claim", name: claim.name.node.clone() }, claim.name.span);
                }
            }
        }
        for (source, id) in file.sources.iter().zip(self.game.sources.ids().collect::<Vec<_>>()) {
            for retold in &source.retells {
                match self.scope.sources.get(&retold.node).copied() {
                    Some(other) if other != id => self.game.sources.at_mut(id).retells = Some(other),
                    _ => {
                        let near = self.nearest(&retold.node, self.scope.sources.keys().map(String::as_str));
                        self.report(Problem::UnknownSource { name: retold.node.clone(), near }, retold.span);
                    }
                }
            }
        }
    }

    /// The claim a citation means.
    pub(super) fn cite(&mut self, cite: &Cite) -> Option<ClaimId> {
        let span = cite_span(cite);
        let named = self.scope.claims.get(&cite.claim.node).cloned().unwrap_or_default();
        let wanted = cite.source.as_ref().map(|source| self.scope.sources.get(&source.node).copied());
        let fitting: Vec<ClaimId> = named
            .iter()
            .filter(|(source, _)| wanted.is_none_or(|wanted| wanted == Some(*source)))
            .map(|(_, claim)| *claim)
            .collect();
        if let (Some(source), Some(None)) = (&cite.source, wanted) {
            let near = self.nearest(&source.node, self.scope.sources.keys().map(String::as_str));
            self.report(Problem::UnknownSource { name: source.node.clone(), near }, source.span);
            return None;
        }
        match fitting.as_slice() {
            [claim] => {
                self.scope.cited.insert(*claim);
                if self.game.claims.at(*claim).not_modelled.is_some() {
                    self.report(Problem::CitedNotModelled { name: cite.claim.node.clone() }, span);
                }
                return Some(*claim);
            }
            [] => {
                let mut names: Vec<&str> = self.scope.claims.keys().map(String::as_str).collect();
                names.sort_unstable();
                let near = self.nearest(&cite.claim.node, names.into_iter());
                self.report(Problem::UnknownClaim { name: cite.claim.node.clone(), near }, span);
            }
            _ => {
                let sources = named.iter().map(|(source, _)| self.game.sources.at(*source).name.clone()).collect();
                self.report(Problem::AmbiguousClaim { name: cite.claim.node.clone(), sources }, span);
            }
        }
        None
    }

    pub(super) fn cites(&mut self, cites: &[Cite]) -> Vec<ClaimId> {
        cites.iter().filter_map(|cite| self.cite(cite)).collect()
    }

    /// What a rule says of its grounds, or else what its block says.
    pub(super) fn grounds(&mut self, own: &[Ground], inherited: &Grounds) -> Grounds {
        if own.is_empty() {
            return Grounds { inherited: !inherited.is_empty(), ..inherited.clone() };
        }
        let mut grounds = Grounds { at: own.first().map(ground_span), ..Grounds::default() };
        for ground in own {
            match ground {
                Ground::Cite(cite) => grounds.claims.extend(self.cite(cite)),
                Ground::Assumed(why) => grounds.assumed = Some(why.node.clone()),
            }
        }
        grounds
    }

    /// Records a declaration as a rule.
    pub(super) fn rule(&mut self, kind: RuleKind, span: Span, own: &[Ground]) -> RuleId {
        let grounds = self.grounds(own, &Grounds::default());
        self.rule_on(kind, span, grounds)
    }

    /// Records a rule with its grounds.
    pub(super) fn rule_on(&mut self, kind: RuleKind, span: Span, grounds: Grounds) -> RuleId {
        if grounds.is_empty() && !self.file.sources.is_empty() {
            self.found.push(Diagnostic::new(Problem::RuleWithoutClaim, span));
        }
        self.push_rule(kind, span, grounds, false)
    }

    /// Records what has no grounds of its own and needs none.
    pub(super) fn frame_on(&mut self, kind: RuleKind, span: Span, grounds: Grounds) -> RuleId {
        self.push_rule(kind, span, grounds, true)
    }

    fn push_rule(&mut self, kind: RuleKind, span: Span, grounds: Grounds, frame: bool) -> RuleId {
        let Grounds { claims, assumed, at, inherited } = grounds;
        self.game.rules.push(Rule { span, kind, frame, claims, assumed, grounds: at, inherited })
    }

    /// Claims that no rule cites.
    pub(super) fn uncited(&mut self) {
        let uncited: Vec<(String, Span)> = self
            .game
            .claims
            .entries()
            .filter(|(id, claim)| claim.not_modelled.is_none() && !self.scope.cited.contains(id))
            .map(|(_, claim)| (claim.name.clone(), claim.span))
            .collect();
        for (name, span) in uncited {
            self.report(Problem::UncitedClaim { name }, span);
        }
    }
}
