//! The functions that are given to `udf` and `register`: literals, methods, `val`s, instances. In: the argument; out: the site
//! it makes, or another name for one that is known.

use super::UdfKind;
use super::forms::*;
use super::sites::{Entry, Site, Sites};
use crate::lang::scala::{self as cst, Outer, field, field_all, in_container, kids, name_text, span, text, unparen};
use crate::source::Refusal;
use tree_sitter::Node;

impl<'t> Sites<'t> {
    /// A function given to `udf` or `register`.
    pub(super) fn function(
        &mut self,
        n: Node<'t>,
        name: String,
        kind: UdfKind,
        whole: Node<'t>,
        targs: Vec<Node<'t>>,
        origin: usize,
    ) {
        let value = literal_of(n);
        let expression = |node| Entry::Expression {
            node,
            ty: None,
            targs: targs.clone(),
        };
        let mut site = Site {
            name,
            aliases: Vec::new(),
            kind,
            node: whole,
            entry: expression(value),
        };
        let method_kind = if kind == UdfKind::UdfLambda {
            UdfKind::UdfMethod
        } else {
            kind
        };
        let reference = match value.kind() {
            "method_value" => kids(value).first().copied(),
            "identifier" | "field_expression" => Some(value),
            "lambda_expression" => self.forwarded(value),
            "instance_expression" => return self.instance(value, site, origin),
            _ => None,
        };
        let Some(reference) = reference else {
            return self.push(site, origin);
        };
        match self.resolve(reference) {
            Some(Outer::Def(def)) if parameter_count(def) > 0 || value.kind() != "lambda_expression" => {
                let own = self.name_of(def).unwrap_or_default();
                if kind == UdfKind::UdfLambda {
                    site.aliases.push(std::mem::replace(&mut site.name, own));
                } else {
                    site.aliases.push(own);
                }
                site.kind = method_kind;
                site.node = def;
                site.entry = Entry::Def { def, java: false };
                self.push(site, def.id());
            }
            Some(Outer::Val { def, is_var: false }) if value.kind() != "lambda_expression" => {
                self.of_val(def, site, kind)
            }
            Some(Outer::Class(class) | Outer::Object(class)) if self.by_origin.contains_key(&class.id()) => {
                self.push(site, class.id());
            }
            _ => self.push(site, origin),
        }
    }

    /// `udf(f)` and `register("n", f)` for a `val`.
    pub(super) fn of_val(&mut self, def: Node<'t>, mut site: Site<'t>, kind: UdfKind) {
        if let Some(index) = self.by_origin.get(&def.id()).copied() {
            let known = &mut self.sites[index];
            if known.name != site.name {
                known.aliases.push(site.name);
            }
            return;
        }
        let Some(value) = field(def, "value") else { return };
        if let Some(call) = self.wrapped_udf(value) {
            // The val is `udf(method _)`: the site is known under the method.
            let index = self
                .sites
                .iter()
                .position(|s| s.aliases.iter().any(|a| Some(a) == self.name_of(def).as_ref()));
            if let Some(index) = index {
                self.sites[index].aliases.push(site.name);
                return;
            }
            let _ = call;
        }
        self.used_vals.insert(def.id());
        let own = self.name_of(def).unwrap_or_default();
        if kind == UdfKind::UdfLambda {
            site.aliases.push(std::mem::replace(&mut site.name, own));
            site.kind = UdfKind::UdfMethod;
        } else {
            site.aliases.push(own);
        }
        site.node = def;
        site.entry = Entry::Expression {
            node: literal_of(value),
            ty: field(def, "type"),
            targs: Vec::new(),
        };
        self.push(site, def.id());
    }

    pub(super) fn wrapped_udf(&self, n: Node<'t>) -> Option<Node<'t>> {
        let mut at = n;
        loop {
            match at.kind() {
                "call_expression" | "generic_function" => {
                    let f = field(at, "function")?;
                    if f.kind() == "identifier" && name_text(f, self.text()) == "udf" {
                        return Some(at);
                    }
                    if f.kind() == "field_expression"
                        && field(f, "field").is_some_and(|m| name_text(m, self.text()) == "udf")
                    {
                        return Some(at);
                    }
                    at = f;
                }
                "field_expression" => at = field(at, "value")?,
                _ => return None,
            }
        }
    }

    /// `new F` of a class that is a UDF, `new UDF1[A, B] { … }`.
    pub(super) fn instance(&mut self, n: Node<'t>, mut site: Site<'t>, origin: usize) {
        let parts = kids(n);
        let Some(class) = parts.first().copied() else { return };
        if let Some(body) = parts.iter().find(|p| p.kind() == "template_body") {
            let (method, java) = match base(class, self.text()) {
                Base::JavaUdf(_) => ("call", true),
                _ => ("apply", false),
            };
            if let Some(Outer::Def(def)) = in_container(*body, method, self.text()) {
                site.entry = Entry::Def { def, java };
                return self.push(site, origin);
            }
        }
        let name = text(class, self.text());
        if let Some(Outer::Class(def)) = cst::lookup(n, name, self.text())
            && self.by_origin.contains_key(&def.id())
        {
            return self.push(site, def.id());
        }
        site.entry = Entry::Refused(Refusal::new(
            span(n),
            format!("`{name}` is not a function class of this file"),
        ));
        self.push(site, origin);
    }

    /// The method that a literal only passes its parameters to: `(x: A) => f(x)`.
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
        if body.kind() != "call_expression" || params.is_empty() {
            return None;
        }
        let (function, args) = (field(body, "function")?, field(body, "arguments")?);
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
        let same = args.len() == params.len()
            && types.len() == params.len()
            && args.iter().zip(&params).zip(&types).all(|((a, p), t)| {
                let name = field(*p, "name").map(|n| name_text(n, self.text()));
                let ty = field(*p, "type").map(|x| text(x, self.text()));
                a.kind() == "identifier" && Some(name_text(*a, self.text())) == name && ty.is_none_or(|x| x == *t)
            });
        same.then_some(function)
    }

    /// What a name or a dotted path stands for in this file.
    pub(super) fn resolve(&self, n: Node<'t>) -> Option<Outer<'t>> {
        match n.kind() {
            "identifier" => cst::lookup(n, name_text(n, self.text()), self.text()),
            "field_expression" => {
                let (value, member) = (field(n, "value")?, field(n, "field")?);
                let name = name_text(member, self.text());
                if value.kind() == "identifier" && name_text(value, self.text()) == "this" {
                    return cst::lookup(n, name, self.text());
                }
                match self.resolve(value)? {
                    Outer::Object(object) => cst::member(object, name, self.text()),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}
