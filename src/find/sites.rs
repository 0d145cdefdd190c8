//! Where UDFs stand in a Scala file. In: the syntax tree; out: [`Site`]s with their names and what to type. Reads no types.

use super::forms::*;
use std::collections::{BTreeMap, HashSet};

use streaming_iterator::StreamingIterator;
use tree_sitter::{Node, Query, QueryCursor};

use super::UdfKind;
use crate::lang::scala::{Outer, field, kids, name_text, span, text};
use crate::source::{Refusal, SourceFile};

/// What is typed for a site.
#[derive(Debug, Clone)]
pub(super) enum Entry<'t> {
    /// A function expression, with the written type that it has to have.
    Expression {
        node: Node<'t>,
        ty: Option<Node<'t>>,
        targs: Vec<Node<'t>>,
    },
    /// A `def`.
    Def { def: Node<'t>, java: bool },
    /// Seen, but of a form that is not understood.
    Refused(Refusal),
}

/// A place where a UDF stands.
#[derive(Debug, Clone)]
pub(super) struct Site<'t> {
    pub name: String,
    pub aliases: Vec<String>,
    pub kind: UdfKind,
    pub node: Node<'t>,
    pub entry: Entry<'t>,
}

/// The sites of a file, and what is no site but looks like one.
pub(super) struct Sites<'t> {
    pub(super) source: &'t SourceFile,
    pub sites: Vec<Site<'t>>,
    pub refused: Vec<Refusal>,
    /// Sites by the `def`, `val` or class that they are made from, to list each once.
    pub(super) by_origin: BTreeMap<usize, usize>,
    pub(super) used_vals: HashSet<usize>,
}

/// Collects the sites of a tree.
pub(super) fn collect<'t>(source: &'t SourceFile, root: Node<'t>, query: &Query) -> Sites<'t> {
    let mut found: BTreeMap<&str, Vec<Node<'t>>> = BTreeMap::new();
    let names = query.capture_names();
    let mut cursor = QueryCursor::new();
    let mut matches = cursor.matches(query, root, source.text.as_bytes());
    while let Some(m) = matches.next() {
        for c in m.captures() {
            let name = names[c.index as usize];
            if matches!(name, "udf.call" | "register.call" | "class" | "val") {
                let nodes = found.entry(name).or_default();
                if !nodes.iter().any(|n| n.id() == c.node.id()) {
                    nodes.push(c.node);
                }
            }
        }
    }
    let mut sites = Sites {
        source,
        sites: Vec::new(),
        refused: Vec::new(),
        by_origin: BTreeMap::new(),
        used_vals: HashSet::new(),
    };
    let take = |name: &str| found.get(name).cloned().unwrap_or_default();
    take("class").into_iter().for_each(|n| sites.class(n));
    take("udf.call").into_iter().for_each(|n| sites.udf_call(n));
    take("register.call").into_iter().for_each(|n| sites.register(n));
    take("val").into_iter().for_each(|n| sites.function_val(n));
    sites
}

impl<'t> Sites<'t> {
    pub(super) fn text(&self) -> &'t str {
        &self.source.text
    }

    pub(super) fn name_of(&self, n: Node<'t>) -> Option<String> {
        field(n, "name")
            .or_else(|| field(n, "pattern"))
            .map(|x| name_text(x, self.text()).to_owned())
    }

    pub(super) fn line_name(&self, n: Node<'t>) -> String {
        format!("udf@{}", self.source.line_of(n.start_byte() as u32) + 1)
    }

    pub(super) fn push(&mut self, site: Site<'t>, origin: usize) {
        match self.by_origin.get(&origin) {
            Some(index) => {
                let known = &mut self.sites[*index];
                for name in std::iter::once(site.name).chain(site.aliases) {
                    if name != known.name && !known.aliases.contains(&name) {
                        known.aliases.push(name);
                    }
                }
            }
            None => {
                self.by_origin.insert(origin, self.sites.len());
                self.sites.push(site);
            }
        }
    }

    pub(super) fn class(&mut self, n: Node<'t>) {
        let Some(extends) = field(n, "extend") else { return };
        let name = self.name_of(n).unwrap_or_default();
        for ty in kids(extends).into_iter().filter(|k| k.kind() != "arguments") {
            let refuse = |what: &str| Refusal::new(span(n), format!("`{name}`: {what} are not covered"));
            match base(ty, self.text()) {
                Base::Function(arity) => return self.function_class(n, &name, "apply", arity, false),
                Base::JavaUdf(arity) => return self.function_class(n, &name, "call", arity, true),
                Base::Aggregator => return self.refused.push(refuse("aggregators")),
                Base::Hive => return self.refused.push(refuse("Hive functions")),
                Base::Other => {}
            }
        }
    }

    pub(super) fn function_class(&mut self, n: Node<'t>, name: &str, method: &str, arity: Option<usize>, java: bool) {
        let defs: Vec<Node<'t>> = field(n, "body")
            .map(kids)
            .unwrap_or_default()
            .into_iter()
            .filter(|k| k.kind() == "function_definition" && self.name_of(*k).as_deref() == Some(method))
            .filter(|k| arity.is_none_or(|a| parameter_count(*k) == a))
            .collect();
        let entry = match defs[..] {
            [def] => Entry::Def { def, java },
            _ => Entry::Refused(Refusal::new(
                span(n),
                format!("`{name}` has not exactly one `{method}` in this file"),
            )),
        };
        let site = Site {
            name: name.to_owned(),
            aliases: Vec::new(),
            kind: UdfKind::FunctionClass,
            node: n,
            entry,
        };
        self.push(site, n.id());
    }

    pub(super) fn udf_call(&mut self, n: Node<'t>) {
        let (Some(function), Some(args)) = (field(n, "function"), field(n, "arguments")) else {
            return;
        };
        if outer_call(n).is_some_and(|c| field(c, "function").is_some_and(|f| f.id() == n.id()))
            && args.kind() == "arguments"
            && kids(args).is_empty()
        {
            return;
        }
        let (whole, name) = self.named_by(n);
        let targs = if function.kind() == "generic_function" {
            field(function, "type_arguments").map(kids).unwrap_or_default()
        } else {
            Vec::new()
        };
        let list = if args.kind() == "arguments" {
            kids(args)
        } else {
            vec![args]
        };
        let Some(first) = list.first().copied() else { return };
        let name = name.unwrap_or_else(|| self.line_name(n));
        if list.len() > 1 {
            let reason = "`udf` with a result type is not covered: Spark does not check its arguments for null then";
            let entry = Entry::Refused(Refusal::new(span(n), reason));
            let site = Site {
                name,
                aliases: Vec::new(),
                kind: UdfKind::UdfLambda,
                node: whole,
                entry,
            };
            return self.push(site, n.id());
        }
        self.function(first, name, UdfKind::UdfLambda, whole, targs, whole.id());
    }

    /// The definition around a `udf(…)` call, and the name it gives.
    pub(super) fn named_by(&self, n: Node<'t>) -> (Node<'t>, Option<String>) {
        let mut at = n;
        while let Some(parent) = at.parent() {
            match parent.kind() {
                "field_expression"
                | "parenthesized_expression"
                | "call_expression"
                | "arguments"
                | "generic_function" => {
                    if let Some(name) = self.sql_name(parent) {
                        return (parent, Some(name));
                    }
                }
                "val_definition" | "var_definition" => return (parent, self.name_of(parent)),
                "function_definition" => return (parent, self.name_of(parent)),
                "block" | "indented_block" if kids(parent).last().is_some_and(|l| l.id() == at.id()) => {}
                _ => break,
            }
            if parent.kind() == "arguments" {
                // An argument of some other call is not named by what surrounds it.
                let call = parent.parent();
                if call.and_then(|c| self.sql_name(c)).is_none() {
                    return (n, None);
                }
            }
            at = parent;
        }
        (n, None)
    }

    /// The SQL name that a call registers, if it is `….register("name", …)`.
    pub(super) fn sql_name(&self, call: Node<'t>) -> Option<String> {
        let function = field(call, "function").filter(|_| call.kind() == "call_expression")?;
        let function = if function.kind() == "generic_function" {
            field(function, "function")?
        } else {
            function
        };
        let member = field(function, "field")?;
        if name_text(member, self.text()) != "register" {
            return None;
        }
        let first = kids(field(call, "arguments")?).first().copied()?;
        self.constant_text(first)
    }

    pub(super) fn constant_text(&self, n: Node<'t>) -> Option<String> {
        match n.kind() {
            "string" => {
                let t = text(n, self.text());
                Some(t.trim_matches('"').to_owned())
            }
            "identifier" | "field_expression" => match self.resolve(n)? {
                Outer::Val { def, is_var: false } => field(def, "value")
                    .filter(|v| v.kind() == "string")
                    .and_then(|v| self.constant_text(v)),
                _ => None,
            },
            _ => None,
        }
    }

    pub(super) fn register(&mut self, n: Node<'t>) {
        let Some(args) = field(n, "arguments").filter(|a| a.kind() == "arguments") else {
            return;
        };
        let args = kids(args);
        let [first, function, ..] = args[..] else { return };
        let name = self.constant_text(first).unwrap_or_else(|| self.line_name(n));
        if self.wrapped_udf(function).is_some() {
            return;
        }
        self.function(function, name, UdfKind::Register, n, Vec::new(), n.id());
    }

    pub(super) fn function_val(&mut self, n: Node<'t>) {
        let member = n
            .parent()
            .is_some_and(|p| matches!(p.kind(), "template_body" | "compilation_unit"));
        let (Some(value), Some(name)) = (field(n, "value"), field(n, "pattern")) else {
            return;
        };
        if !member
            || name.kind() != "identifier"
            || self.used_vals.contains(&n.id())
            || self.by_origin.contains_key(&n.id())
        {
            return;
        }
        let ty = field(n, "type");
        let literal = literal_of(value);
        let typed = match ty {
            Some(t) => matches!(base(t, self.text()), Base::Function(_)),
            None => literal.kind() == "lambda_expression" && all_typed(literal),
        };
        if !typed || mentions_frame(n, ty.unwrap_or(literal), self.text()) {
            return;
        }
        let site = Site {
            name: name_text(name, self.text()).to_owned(),
            aliases: Vec::new(),
            kind: UdfKind::FunctionVal,
            node: n,
            entry: Entry::Expression {
                node: literal,
                ty,
                targs: Vec::new(),
            },
        };
        self.push(site, n.id());
    }
}
