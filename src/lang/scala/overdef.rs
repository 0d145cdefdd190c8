//! Overloaded `def`s of the file. In: the `def`s of one name and the arguments or the function type that is expected; out: the
//! one that scalac would choose, or a refusal. Never guesses: where two fit and neither is more specific, it is refused.

use tree_sitter::Node;

use super::Typer;
use super::calls::{Arg, Call};
use super::coerce::coercible;
use super::cst::{field, field_all, kids};
use super::outer;
use super::overload::small_constant;
use crate::lang::relate::conforms;
use crate::lang::ty::Ty;
use crate::source::Understood;

impl<'t> Typer<'t> {
    /// The `def` that a call means.
    pub(super) fn overload_called(&mut self, def: Node<'t>, call: &mut Call<'t>) -> Understood<Node<'t>> {
        let all = outer::overloads(def, self.text());
        if all.len() == 1 {
            return Ok(def);
        }
        if call.lists.is_empty() {
            let hint = call.hint.clone();
            return self.overload_expected(def, hint.as_ref(), call.at);
        }
        let count = call.lists[0].len();
        let fitting: Vec<Node<'t>> = all.into_iter().filter(|d| first_list(*d).len() == count).collect();
        if let [only] = fitting[..] {
            return Ok(only);
        }
        let mut given = Vec::new();
        for arg in &mut call.lists[0] {
            let typed = match arg {
                Arg::Typed(e) => e.clone(),
                Arg::Node(n) if !self.is_function(*n) => self.expr(*n, None)?,
                _ => return self.refuse(call.at, "overloaded method whose arguments do not tell it apart"),
            };
            given.push(typed.clone());
            *arg = Arg::Typed(typed);
        }
        let mut candidates = Vec::new();
        for d in fitting {
            let params = self.written_params(d)?;
            if given
                .iter()
                .zip(&params)
                .all(|(g, p)| fits(&g.ty, p) || small_constant(g, p))
            {
                candidates.push((d, params));
            }
        }
        let narrower = |a: &[Ty], b: &[Ty]| a.iter().zip(b).all(|(x, y)| fits(x, y));
        let best: Vec<Node<'t>> = candidates
            .iter()
            .filter(|(_, a)| candidates.iter().all(|(_, b)| narrower(a, b)))
            .map(|(d, _)| *d)
            .collect();
        match best[..] {
            [only] => Ok(only),
            _ => self.refuse(
                call.at,
                "overloaded method that the types of the arguments do not tell apart",
            ),
        }
    }

    /// The `def` that a method value means where a function type is expected.
    pub(super) fn overload_expected(&mut self, def: Node<'t>, hint: Option<&Ty>, at: Node<'t>) -> Understood<Node<'t>> {
        let all = outer::overloads(def, self.text());
        if all.len() == 1 {
            return Ok(def);
        }
        let Some(Ty::Fn(want, _)) = hint else {
            return self.refuse(at, "overloaded method where no type says which one is meant");
        };
        let mut exact = Vec::new();
        for d in all {
            if first_list(d).len() == want.len() && self.written_params(d)? == *want {
                exact.push(d);
            }
        }
        match exact[..] {
            [only] => Ok(only),
            _ => self.refuse(at, "overloaded method that the expected type does not tell apart"),
        }
    }

    fn written_params(&mut self, def: Node<'t>) -> Understood<Vec<Ty>> {
        if !self.type_params(def).is_empty() {
            return self.refuse(def, "overloaded generic method");
        }
        let mut out = Vec::new();
        for p in first_list(def) {
            match field(p, "type") {
                Some(t) if !matches!(t.kind(), "lazy_parameter_type" | "repeated_parameter_type") => {
                    out.push(self.ty(t)?);
                }
                _ => return self.refuse(p, "overloaded method with by-name or repeated parameters"),
            }
        }
        Ok(out)
    }
}

/// Whether an argument fits without an implicit view: scalac tries that first, and where only a view helps it is refused here.
fn fits(from: &Ty, to: &Ty) -> bool {
    match (from, to) {
        (Ty::Prim(_), Ty::Any) => true,
        (Ty::Prim(_), Ty::Prim(_)) => coercible(from, to),
        _ => conforms(from, to),
    }
}

fn first_list(def: Node) -> Vec<Node> {
    let lists = field_all(def, "parameters");
    lists
        .into_iter()
        .find(|p| p.kind() == "parameters")
        .map(kids)
        .unwrap_or_default()
}
