//! Where UDFs stand in a Scala file. In: the syntax tree; out: [`Site`]s with their names and what to type. Reads no types.

use std::collections::{BTreeMap, HashSet};

use streaming_iterator::StreamingIterator;
use tree_sitter::{Node, Query, QueryCursor};

use super::UdfKind;
use crate::lang::scala::{self as cst, Outer, field, field_all, in_container, kids, name_text, span, text, unparen};
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
    source: &'t SourceFile,
    pub sites: Vec<Site<'t>>,
    pub refused: Vec<Refusal>,
    /// Sites by the `def`, `val` or class that they are made from, to list each once.
    by_origin: BTreeMap<usize, usize>,
    used_vals: HashSet<usize>,
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
    fn text(&self) -> &'t str {
        &self.source.text
    }

    fn name_of(&self, n: Node<'t>) -> Option<String> {
        field(n, "name")
            .or_else(|| field(n, "pattern"))
            .map(|x| name_text(x, self.text()).to_owned())
    }

    fn line_name(&self, n: Node<'t>) -> String {
        format!("udf@{}", self.source.line_of(n.start_byte() as u32) + 1)
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
            }
            None => {
                self.by_origin.insert(origin, self.sites.len());
                self.sites.push(site);
            }
        }
    }

    fn class(&mut self, n: Node<'t>) {
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

    fn function_class(&mut self, n: Node<'t>, name: &str, method: &str, arity: Option<usize>, java: bool) {
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

    fn udf_call(&mut self, n: Node<'t>) {
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
    fn named_by(&self, n: Node<'t>) -> (Node<'t>, Option<String>) {
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
    fn sql_name(&self, call: Node<'t>) -> Option<String> {
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

    fn constant_text(&self, n: Node<'t>) -> Option<String> {
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

    /// A function given to `udf` or `register`.
    fn function(
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
    fn of_val(&mut self, def: Node<'t>, mut site: Site<'t>, kind: UdfKind) {
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

    fn wrapped_udf(&self, n: Node<'t>) -> Option<Node<'t>> {
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
    fn instance(&mut self, n: Node<'t>, mut site: Site<'t>, origin: usize) {
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
    fn forwarded(&self, lambda: Node<'t>) -> Option<Node<'t>> {
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
    fn resolve(&self, n: Node<'t>) -> Option<Outer<'t>> {
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

    fn register(&mut self, n: Node<'t>) {
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

    fn function_val(&mut self, n: Node<'t>) {
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

/// A function over tables or sessions is no row function.
fn mentions_frame(val: Node, ty: Node, source: &str) -> bool {
    let head = if ty.kind() == "lambda_expression" {
        field(ty, "parameters").unwrap_or(val)
    } else {
        ty
    };
    let words = ["DataFrame", "Dataset", "Column", "SparkSession", "RDD", "SQLContext"];
    text(head, source)
        .split(|c: char| !c.is_alphanumeric())
        .any(|w| words.contains(&w))
}

fn all_typed(lambda: Node) -> bool {
    let params: Vec<Node> = field_all(lambda, "parameters")
        .into_iter()
        .filter(|h| h.kind() == "bindings")
        .flat_map(kids)
        .collect();
    !params.is_empty() && params.iter().all(|p| field(*p, "type").is_some())
}

/// The literal inside of parentheses and of a block that holds nothing else.
fn literal_of(n: Node) -> Node {
    let n = unparen(n);
    match kids(n)[..] {
        [only] if matches!(n.kind(), "block" | "indented_block") => literal_of(only),
        _ => n,
    }
}

fn outer_call(n: Node) -> Option<Node> {
    n.parent().filter(|p| p.kind() == "call_expression")
}

fn parameters(def: Node) -> Vec<Node> {
    field_all(def, "parameters")
        .into_iter()
        .filter(|p| p.kind() == "parameters")
        .flat_map(kids)
        .collect()
}

fn parameter_count(def: Node) -> usize {
    parameters(def).len()
}

enum Base {
    Function(Option<usize>),
    JavaUdf(Option<usize>),
    Aggregator,
    Hive,
    Other,
}

/// What kind of UDF a supertype makes of a class.
fn base(ty: Node, source: &str) -> Base {
    match ty.kind() {
        "function_type" => Base::Function(field(ty, "parameter_types").map(|p| kids(p).len())),
        "tuple_type" | "parenthesized_expression" | "annotated_type" => match kids(ty)[..] {
            [only] => base(only, source),
            _ => Base::Other,
        },
        "compound_type" => {
            let first = kids(ty)
                .into_iter()
                .map(|k| base(k, source))
                .find(|b| !matches!(b, Base::Other));
            first.unwrap_or(Base::Other)
        }
        "generic_type" | "type_identifier" | "stable_type_identifier" => {
            let head = if ty.kind() == "generic_type" {
                field(ty, "type").unwrap_or(ty)
            } else {
                ty
            };
            let name = text(head, source).rsplit('.').next().unwrap_or_default();
            let digits = |prefix: &str| name.strip_prefix(prefix).and_then(|d| d.parse::<usize>().ok());
            if let Some(n) = digits("Function").or_else(|| digits("AbstractFunction")) {
                return Base::Function(Some(n));
            }
            if let Some(n) = digits("UDF") {
                return Base::JavaUdf(Some(n));
            }
            match name {
                "Aggregator" | "UserDefinedAggregateFunction" => Base::Aggregator,
                "UDF" | "GenericUDF" | "UDAF" => Base::Hive,
                _ => Base::Other,
            }
        }
        _ => Base::Other,
    }
}
