//! Where UDFs stand in a Java file. In: the syntax tree; out: [`Site`]s with their names and what to type. Reads no types.

use std::collections::BTreeMap;

use streaming_iterator::StreamingIterator;
use tree_sitter::{Node, Query, QueryCursor};

use super::UdfKind;
use super::java::udf_arity;
use crate::lang::java::{
    enclosing, field, field_all, is_type_declaration, kids, lookup_class, members, name_of, parameters, span, text,
    unparen,
};
use crate::source::{Refusal, SourceFile};

/// What is typed for a site.
#[derive(Debug, Clone)]
pub(super) enum Entry<'t> {
    /// The `call` of a class, or a method that is referred to.
    Method(Node<'t>),
    /// The `evaluate` of a Hive `UDF`.
    HiveMethod(Node<'t>),
    /// The `evaluate` of a Hive `GenericUDF`.
    Generic { class: Node<'t>, method: Node<'t> },
    /// A lambda or a method reference, with the functional type that is written for it.
    Function { node: Node<'t>, ty: Option<Node<'t>> },
    /// Seen, but of a form that is not understood.
    Refused(Refusal),
}

/// A place where a UDF stands.
pub(super) type Site<'t> = super::tree::Site<'t, Entry<'t>>;

struct Sites<'t> {
    source: &'t SourceFile,
    sites: Vec<Site<'t>>,
    /// Sites by the declaration they are made from, to list each once.
    by_origin: BTreeMap<usize, usize>,
}

/// Collects the sites of a tree.
pub(super) fn collect<'t>(source: &'t SourceFile, root: Node<'t>, query: &Query) -> Vec<Site<'t>> {
    let mut found: BTreeMap<&str, Vec<Node<'t>>> = BTreeMap::new();
    let names = query.capture_names();
    let mut cursor = QueryCursor::new();
    let mut matches = cursor.matches(query, root, source.text.as_bytes());
    while let Some(m) = matches.next() {
        for c in m.captures() {
            let name = names[c.index as usize];
            if name != "call.name" {
                found.entry(name).or_default().push(c.node);
            }
        }
    }
    let mut sites = Sites {
        source,
        sites: Vec::new(),
        by_origin: BTreeMap::new(),
    };
    let take = |name: &str| found.get(name).cloned().unwrap_or_default();
    take("class").into_iter().for_each(|n| sites.class(n));
    take("field").into_iter().for_each(|n| sites.variable(n));
    take("local").into_iter().for_each(|n| sites.variable(n));
    take("call").into_iter().for_each(|n| sites.call(n));
    sites.sites
}

/// The number of parameters of a lambda whose parameter types are all written.
pub(super) fn written_arity(n: Node) -> Option<usize> {
    let head = field(n, "parameters").filter(|h| h.kind() == "formal_parameters")?;
    Some(kids(head).len())
}

/// The types behind `extends` and `implements`.
fn supertypes(class: Node) -> Vec<Node> {
    let mut out = Vec::new();
    for name in ["superclass", "interfaces"] {
        for list in field_all(class, name) {
            for k in kids(list) {
                if k.kind() == "type_list" || k.kind() == "interface_type_list" {
                    out.extend(kids(k));
                } else {
                    out.push(k);
                }
            }
        }
    }
    out
}

impl<'t> Sites<'t> {
    fn text(&self) -> &'t str {
        &self.source.text
    }

    /// The simple name of a type.
    fn type_name(&self, ty: Node<'t>) -> &'t str {
        let head = if ty.kind() == "generic_type" {
            kids(ty).first().copied().unwrap_or(ty)
        } else {
            ty
        };
        text(head, self.text()).rsplit('.').next().unwrap_or_default().trim()
    }

    fn push(&mut self, site: Site<'t>, origin: usize) {
        match self.by_origin.get(&origin) {
            Some(index) => {
                let known = &mut self.sites[*index];
                for name in std::iter::once(site.name).chain(site.aliases) {
                    if name != known.name && !known.aliases.contains(&name) {
                        known.aliases.push(name);
                    }
                }
                if known.declared.is_none() {
                    known.declared = site.declared;
                }
            }
            None => {
                self.by_origin.insert(origin, self.sites.len());
                self.sites.push(site);
            }
        }
    }

    fn site(&self, name: String, kind: UdfKind, node: Node<'t>, entry: Entry<'t>) -> Site<'t> {
        Site {
            name,
            aliases: Vec::new(),
            kind,
            node,
            entry,
            declared: None,
        }
    }

    fn class(&mut self, class: Node<'t>) {
        let Some(name) = name_of(class, self.text()).map(str::to_owned) else {
            return;
        };
        for ty in supertypes(class) {
            let base = self.type_name(ty);
            if let Some(arity) = udf_arity(base) {
                let entry = self.method_of(class, "call", arity, &name);
                let site = self.site(name, UdfKind::FunctionClass, class, entry);
                return self.push(site, class.id());
            }
            match base {
                "UDF" => return self.hive(class, name),
                "GenericUDF" => {
                    let entry = match self.method_of(class, "evaluate", 1, &name) {
                        Entry::Method(method) => Entry::Generic { class, method },
                        other => other,
                    };
                    let site = self.site(name, UdfKind::HiveUdf, class, entry);
                    return self.push(site, class.id());
                }
                "Aggregator"
                | "UserDefinedAggregateFunction"
                | "UDAF"
                | "AbstractGenericUDAFResolver"
                | "GenericUDTF" => {
                    let refusal = Refusal::new(
                        span(class),
                        format!("`{name}`: functions over many rows are not covered"),
                    );
                    let site = self.site(name, UdfKind::FunctionClass, class, Entry::Refused(refusal));
                    return self.push(site, class.id());
                }
                _ => {}
            }
        }
    }

    /// The one method of a name and a number of parameters.
    fn method_of(&self, class: Node<'t>, method: &str, arity: usize, name: &str) -> Entry<'t> {
        let found: Vec<Node<'t>> = members(class)
            .into_iter()
            .filter(|m| m.kind() == "method_declaration" && name_of(*m, self.text()) == Some(method))
            .filter(|m| parameters(*m).len() == arity)
            .collect();
        match found[..] {
            [only] => Entry::Method(only),
            _ => Entry::Refused(Refusal::new(
                span(class),
                format!("`{name}` has not exactly one `{method}` in this file"),
            )),
        }
    }

    /// A Hive `UDF`: each overload of `evaluate` is a function of its own.
    fn hive(&mut self, class: Node<'t>, name: String) {
        let methods: Vec<Node<'t>> = members(class)
            .into_iter()
            .filter(|m| m.kind() == "method_declaration" && name_of(*m, self.text()) == Some("evaluate"))
            .collect();
        if methods.is_empty() {
            let refusal = Refusal::new(span(class), format!("`{name}` declares no `evaluate`"));
            let site = self.site(name, UdfKind::HiveUdf, class, Entry::Refused(refusal));
            return self.push(site, class.id());
        }
        let single = methods.len() == 1;
        for m in methods {
            let node = if single { class } else { m };
            let site = self.site(name.clone(), UdfKind::HiveUdf, node, Entry::HiveMethod(m));
            self.push(site, if single { class.id() } else { m.id() });
        }
    }

    /// A field or a variable of a type `UDFn`, or one that holds `udf(…)`.
    fn variable(&mut self, n: Node<'t>) {
        let Some(ty) = field(n, "type") else { return };
        let is_udf = udf_arity(self.type_name(ty)).is_some();
        for d in field_all(n, "declarator") {
            let (Some(name), Some(value)) = (name_of(d, self.text()), field(d, "value")) else {
                continue;
            };
            if is_udf {
                let site = self.site(
                    name.to_owned(),
                    UdfKind::FunctionVal,
                    n,
                    Entry::Function {
                        node: value,
                        ty: Some(ty),
                    },
                );
                self.function(value, Some(ty), site, d.id());
            }
        }
    }

    /// `register("name", f, type)`, `udf(f, type)`.
    fn call(&mut self, n: Node<'t>) {
        let args = field(n, "arguments").map(kids).unwrap_or_default();
        let is_register = name_of(n, self.text()) == Some("register");
        if is_register {
            let [first, function, ..] = args[..] else { return };
            let Some(name) = self.constant_text(first) else { return };
            let on_udf = field(n, "object").is_some_and(|o| {
                let t = text(o, self.text());
                t.ends_with("udf()") || t.to_ascii_lowercase().contains("udf")
            });
            if !on_udf {
                return;
            }
            let declared = args.get(2).copied();
            return self.given(function, name, UdfKind::Register, n, declared);
        }
        let object = field(n, "object").map(|o| text(o, self.text()));
        if !matches!(object, None | Some("functions")) && !object.is_some_and(|o| o.ends_with(".functions")) {
            return;
        }
        let [function, ref rest @ ..] = args[..] else { return };
        let (whole, name) = self.named_by(n);
        let kind = if unparen(function).kind() == "method_reference" {
            UdfKind::UdfMethod
        } else {
            UdfKind::UdfLambda
        };
        self.given(function, name, kind, whole, rest.first().copied());
    }

    /// The declaration around a `udf(…)` call and the name it gives.
    fn named_by(&self, n: Node<'t>) -> (Node<'t>, String) {
        let mut at = n;
        while let Some(p) = at.parent() {
            match p.kind() {
                "variable_declarator" => {
                    let whole = p.parent().unwrap_or(p);
                    let name = name_of(p, self.text()).unwrap_or_default().to_owned();
                    return (whole, name);
                }
                "return_statement" => {
                    let mut method = Some(p);
                    while let Some(m) = method {
                        if m.kind() == "method_declaration" {
                            return (m, name_of(m, self.text()).unwrap_or_default().to_owned());
                        }
                        method = m.parent();
                    }
                    break;
                }
                "argument_list" if self.registered(p).is_some() => {
                    let name = self.registered(p).unwrap_or_default();
                    return (p.parent().unwrap_or(p), name);
                }
                "method_invocation" | "parenthesized_expression" => at = p,
                _ => break,
            }
        }
        let line = self.source.line_of(n.start_byte() as u32) + 1;
        (n, format!("udf@{line}"))
    }

    /// The SQL name that a call around an argument list registers.
    fn registered(&self, list: Node<'t>) -> Option<String> {
        let call = list.parent().filter(|c| c.kind() == "method_invocation")?;
        if name_of(call, self.text()) != Some("register") {
            return None;
        }
        self.constant_text(*kids(list).first()?)
    }

    fn constant_text(&self, n: Node<'t>) -> Option<String> {
        match n.kind() {
            "string_literal" => Some(text(n, self.text()).trim_matches('"').to_owned()),
            "identifier" | "field_access" => {
                let name = text(n, self.text()).rsplit('.').next()?;
                let d = self.field_named(n, name)?;
                self.constant_text(field(d, "value")?)
            }
            _ => None,
        }
    }

    /// The declarator of a field or a local variable that a name stands for.
    fn field_named(&self, at: Node<'t>, name: &str) -> Option<Node<'t>> {
        let mut here = at.parent();
        while let Some(p) = here {
            let lists = if is_type_declaration(p) || p.kind() == "class_body" {
                members(p)
            } else {
                kids(p)
            };
            for k in lists {
                if !matches!(k.kind(), "field_declaration" | "local_variable_declaration") {
                    continue;
                }
                let found = field_all(k, "declarator")
                    .into_iter()
                    .find(|d| name_of(*d, self.text()) == Some(name));
                if found.is_some() {
                    return found;
                }
            }
            here = p.parent();
        }
        None
    }

    /// A function that is registered or wrapped: a site, or another name of one.
    fn given(&mut self, f: Node<'t>, name: String, kind: UdfKind, whole: Node<'t>, declared: Option<Node<'t>>) {
        let mut site = self.site(
            name,
            kind,
            whole,
            Entry::Refused(Refusal::new(
                span(f),
                "what is registered here is not a function of this file",
            )),
        );
        site.declared = declared;
        self.function(f, None, site, whole.id());
    }

    /// What an expression of a functional type stands for.
    fn function(&mut self, n: Node<'t>, ty: Option<Node<'t>>, mut site: Site<'t>, origin: usize) {
        let n = unparen(n);
        match n.kind() {
            "lambda_expression" => {
                site.entry = Entry::Function { node: n, ty };
                self.push(site, origin);
            }
            "method_reference" => {
                site.entry = Entry::Function { node: n, ty };
                if let Some(method) = self.referenced(n)
                    && ty.is_none()
                {
                    site.entry = Entry::Method(method);
                }
                self.push(site, origin);
            }
            "cast_expression" => {
                let written = field_all(n, "type")
                    .into_iter()
                    .find(|t| udf_arity(self.type_name(*t)).is_some());
                match field(n, "value") {
                    Some(value) => self.function(value, written.or(ty), site, origin),
                    None => self.push(site, origin),
                }
            }
            "object_creation_expression" => self.instance(n, site, origin),
            "identifier" | "field_access" => {
                let name = text(n, self.text()).rsplit('.').next().unwrap_or_default();
                match self.field_named(n, name) {
                    Some(d) if self.by_origin.contains_key(&d.id()) => self.push(site, d.id()),
                    _ => self.push(site, origin),
                }
            }
            // `register("n", udf(f, type))`: the inner call names it.
            "method_invocation" if name_of(n, self.text()) == Some("udf") => {}
            _ => self.push(site, origin),
        }
    }

    /// `new UDF1<A, B>() { … }`, `new F()`.
    fn instance(&mut self, n: Node<'t>, mut site: Site<'t>, origin: usize) {
        let Some(ty) = field(n, "type") else { return };
        let name = self.type_name(ty).to_owned();
        if let Some(body) = kids(n).into_iter().find(|k| k.kind() == "class_body") {
            if let Some(arity) = udf_arity(&name) {
                site.entry = self.method_of(body, "call", arity, &site.name);
            }
            return self.push(site, origin);
        }
        match lookup_class(n, &name, self.text()) {
            Some(class) if self.by_origin.contains_key(&class.id()) => self.push(site, class.id()),
            _ => {
                site.entry = Entry::Refused(Refusal::new(
                    span(n),
                    format!("`{name}` is not a function class of this file"),
                ));
                self.push(site, origin);
            }
        }
    }

    /// The static method of this file that a method reference stands for.
    fn referenced(&self, n: Node<'t>) -> Option<Node<'t>> {
        let parts = kids(n);
        let [head, member] = parts[..] else { return None };
        let name = text(member, self.text());
        let class = match head.kind() {
            "this" => enclosing(n)?,
            _ => lookup_class(n, text(head, self.text()), self.text())?,
        };
        let found: Vec<Node<'t>> = members(class)
            .into_iter()
            .filter(|m| m.kind() == "method_declaration" && name_of(*m, self.text()) == Some(name))
            .collect();
        match found[..] {
            [only] => Some(only),
            _ => None,
        }
    }
}
