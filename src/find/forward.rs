//! Literals that only pass their parameters on to a method: `(x: A) => f(x)`, `f(_)`. In: the literal; out: the method's name
//! where it stands, for then the method is the UDF.

use super::forms::parameters;
use super::sites::Sites;
use crate::lang::scala::{Outer, field, field_all, kids, name_text, overloads, text, unparen};
use tree_sitter::Node;

impl<'t> Sites<'t> {
    /// The method that a literal passes its parameters to: `(x: A) => f(x)`.
    pub(super) fn forwarded(&self, lambda: Node<'t>) -> Option<Node<'t>> {
        let heads = field_all(lambda, "parameters");
        let params: Vec<Node<'t>> = heads
            .iter()
            .filter(|h| h.kind() == "bindings")
            .flat_map(|h| kids(*h))
            .collect();
        let body = kids(lambda)
            .into_iter()
            .filter(|k| !heads.iter().any(|h| h.id() == k.id()))
            .collect::<Vec<_>>();
        let [body] = body[..] else { return None };
        let body = unparen(body);
        if params.is_empty() {
            return None;
        }
        let (function, args, types) = self.method_call(body)?;
        let same = args.len() == params.len()
            && args.iter().zip(&params).zip(&types).all(|((a, p), t)| {
                let name = field(*p, "name").map(|n| name_text(n, self.text()));
                let ty = field(*p, "type").map(|x| text(x, self.text()));
                a.kind() == "identifier" && Some(name_text(*a, self.text())) == name && ty.is_none_or(|x| x == *t)
            });
        same.then_some(function)
    }

    /// The method that placeholders are passed to: `f(_)`, `f(_: A, _: B)`.
    pub(super) fn forwarded_holes(&self, call: Node<'t>) -> Option<Node<'t>> {
        let (function, args, types) = self.method_call(call)?;
        let same = args.iter().zip(&types).all(|(a, t)| match a.kind() {
            "wildcard" => true,
            "ascription_expression" => {
                kids(*a).first().is_some_and(|k| k.kind() == "wildcard")
                    && field_all(*a, "return_type").is_empty()
                    && field(*a, "type").is_some_and(|x| text(x, self.text()) == *t)
            }
            _ => false,
        });
        same.then_some(function)
    }

    /// A call of a method of this file that is not overloaded: its name, the arguments, the types of the parameters.
    fn method_call(&self, call: Node<'t>) -> Option<(Node<'t>, Vec<Node<'t>>, Vec<&'t str>)> {
        if call.kind() != "call_expression" {
            return None;
        }
        let (function, args) = (field(call, "function")?, field(call, "arguments")?);
        if !matches!(function.kind(), "identifier" | "field_expression") || args.kind() != "arguments" {
            return None;
        }
        let Some(Outer::Def(def)) = self.resolve(function) else {
            return None;
        };
        let types: Vec<&str> = parameters(def)
            .into_iter()
            .filter_map(|p| field(p, "type"))
            .map(|t| text(t, self.text()))
            .collect();
        let args = kids(args);
        let fits = overloads(def, self.text()).len() == 1 && !args.is_empty() && args.len() == types.len();
        fits.then_some((function, args, types))
    }
}
