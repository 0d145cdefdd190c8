//! Where UDFs stand in a Scala file. In: the syntax tree; out: [`Site`]s with their names and what to type, and what only
//! looks like one, with the reason. Reads no types.

use std::collections::{BTreeMap, HashMap, HashSet};

use streaming_iterator::StreamingIterator;
use tree_sitter::{Node, Query, QueryCursor};

use super::UdfKind;
use super::forms::{Base, parameter_count};
use super::meaning::Factory;
use crate::lang::scala::{Imports, Instance, Outer, field, kids, member, name_text, span, text};
use crate::source::{Refusal, SourceFile};

/// What is typed for a site.
#[derive(Debug, Clone)]
pub(super) enum Entry<'t> {
    /// A function expression, with the written type that it has to have.
    Expression {
        node: Node<'t>,
        ty: Option<Node<'t>>,
        targs: Vec<Node<'t>>,
        /// Whether Spark calls it as a `UDFn`, without looking at nulls.
        java: bool,
    },
    /// A `def`; of an instance, if it is a method of one.
    Def {
        def: Node<'t>,
        java: bool,
        instance: Instance<'t>,
    },
    /// Seen, but of a form that is not understood.
    Refused(Refusal),
}

/// A place where a UDF stands.
pub(super) type Site<'t> = super::tree::Site<'t, Entry<'t>>;

/// The sites of a file, and what is no site but looks like one.
pub(super) struct Sites<'t> {
    pub(super) source: &'t SourceFile,
    pub(super) imports: &'t Imports,
    pub sites: Vec<Site<'t>>,
    pub refused: Vec<Refusal>,
    pub not_udfs: Vec<Refusal>,
    /// Sites by the `def`, `val` or class that they are made from or kept in, to list each once.
    pub(super) by_origin: BTreeMap<usize, usize>,
    /// Objects by name.
    pub(super) objects: HashMap<&'t str, Node<'t>>,
    /// Names of functions whose calls may make UDFs.
    pub(super) words: HashSet<String>,
    /// Function classes that are made with arguments here, with the names of the UDFs that are.
    pub(super) made: BTreeMap<usize, Vec<String>>,
    /// Methods that pass a parameter to `udf`, by the id of their definition.
    pub(super) factories: HashMap<usize, Factory<'t>>,
}

/// Collects the sites of a tree.
pub(super) fn collect<'t>(source: &'t SourceFile, imports: &'t Imports, root: Node<'t>, query: &Query) -> Sites<'t> {
    let mut sites = Sites {
        source,
        imports,
        sites: Vec::new(),
        refused: Vec::new(),
        not_udfs: Vec::new(),
        by_origin: BTreeMap::new(),
        objects: HashMap::new(),
        words: ["udf", "udaf"].map(str::to_owned).into(),
        factories: HashMap::new(),
        made: BTreeMap::new(),
    };
    for last in ["udf", "udaf"] {
        sites
            .words
            .extend(imports.names_of(last).into_iter().map(str::to_owned));
    }
    let names = query.capture_names();
    let mut found: HashMap<&str, Vec<Node<'t>>> = HashMap::new();
    let mut cursor = QueryCursor::new();
    let mut matches = cursor.matches(query, root, source.text.as_bytes());
    while let Some(m) = matches.next() {
        for c in m.captures() {
            found.entry(names[c.index as usize]).or_default().push(c.node);
        }
    }
    let mut take = |name: &str| found.remove(name).unwrap_or_default();
    for object in take("object") {
        if let Some(name) = field(object, "name") {
            sites.objects.entry(name_text(name, &source.text)).or_insert(object);
        }
    }
    let calls = take("call");
    sites.learn_factories(&calls);
    take("class").into_iter().for_each(|n| sites.class(n));
    calls.iter().for_each(|n| sites.udf_call(*n));
    calls.iter().for_each(|n| sites.register(*n));
    let vals = take("val");
    vals.iter().for_each(|n| sites.renamed(*n));
    take("def").into_iter().for_each(|n| sites.renamed(n));
    vals.into_iter().for_each(|n| sites.function_val(n));
    sites.classes_with_arguments();
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

    pub(super) fn not_udf(&mut self, n: Node<'t>, reason: impl Into<String>) {
        self.not_udfs.push(Refusal::new(span(n), reason));
    }

    /// Adds a site, or its names to the one that is known under the same origin. Its `val` leads to it too.
    pub(super) fn push(&mut self, site: Site<'t>, origin: usize) {
        let whole = site.node;
        let index = match self.by_origin.get(&origin).copied() {
            Some(index) => {
                self.rename(index, std::iter::once(site.name).chain(site.aliases));
                index
            }
            None => {
                self.sites.push(Site {
                    aliases: Vec::new(),
                    ..site.clone()
                });
                let index = self.sites.len() - 1;
                self.rename(index, site.aliases.into_iter());
                index
            }
        };
        self.by_origin.insert(origin, index);
        if matches!(whole.kind(), "val_definition" | "var_definition") {
            self.by_origin.entry(whole.id()).or_insert(index);
        }
    }

    /// Gives a site more names.
    pub(super) fn rename(&mut self, index: usize, names: impl Iterator<Item = String>) {
        let known = &mut self.sites[index];
        for name in names {
            if name != known.name && !known.aliases.contains(&name) {
                known.aliases.push(name);
            }
        }
    }

    fn class(&mut self, n: Node<'t>) {
        let Some(extends) = field(n, "extend") else { return };
        let name = self.name_of(n).unwrap_or_default();
        for ty in kids(extends).into_iter().filter(|k| k.kind() != "arguments") {
            match self.base(ty) {
                Base::Function(arity) => return self.function_class(n, &name, "apply", arity, false),
                Base::JavaUdf(arity) => return self.function_class(n, &name, "call", arity, true),
                Base::Aggregator => {
                    let reason = format!("`{name}` is an aggregator: it works on groups, not on rows");
                    return self.not_udf(n, reason);
                }
                Base::Hive => {
                    let reason = format!("`{name}`: Hive functions are not covered");
                    return self.refused.push(Refusal::new(span(n), reason));
                }
                Base::Other => {}
            }
        }
    }

    fn function_class(&mut self, n: Node<'t>, name: &str, method: &str, arity: Option<usize>, java: bool) {
        let own = |k: &Node<'t>| k.kind() == "function_definition" && self.name_of(*k).as_deref() == Some(method);
        let mut defs: Vec<Node<'t>> = field(n, "body").map(kids).unwrap_or_default();
        defs.retain(own);
        if defs.is_empty()
            && let Some(Outer::Def(def)) = member(n, method, self.text())
        {
            defs.push(def);
        }
        defs.retain(|k| arity.is_none_or(|a| parameter_count(*k) == a));
        if crate::lang::scala::has_modifier(n, "abstract", self.text()) {
            return self.not_udf(n, format!("`{name}` is abstract: what extends it is a UDF"));
        }
        let entry = match defs[..] {
            [def] => Entry::Def {
                def,
                java,
                instance: Instance {
                    template: Some(n),
                    args: Vec::new(),
                },
            },
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
            declared: None,
        };
        self.push(site, n.id());
    }

    /// What kind of UDF a supertype makes of a class; also by way of traits, classes and type names of this file.
    pub(super) fn base(&self, ty: Node<'t>) -> Base {
        self.base_at(ty, 0)
    }

    fn base_at(&self, ty: Node<'t>, depth: usize) -> Base {
        if depth > 8 {
            return Base::Other;
        }
        match ty.kind() {
            "function_type" => Base::Function(field(ty, "parameter_types").map(|p| kids(p).len())),
            "tuple_type" | "parenthesized_expression" | "annotated_type" => match kids(ty).first() {
                Some(only) if kids(ty).len() == 1 || ty.kind() == "annotated_type" => self.base_at(*only, depth + 1),
                _ => Base::Other,
            },
            "compound_type" => self.first_base(kids(ty), depth),
            "generic_type" | "type_identifier" | "stable_type_identifier" => {
                let head = if ty.kind() == "generic_type" {
                    field(ty, "type").unwrap_or(ty)
                } else {
                    ty
                };
                let written = text(head, self.text());
                let simple = head.kind() == "type_identifier";
                match crate::lang::scala::lookup(head, written, self.text()).filter(|_| simple) {
                    Some(Outer::Class(c)) => {
                        let bases = field(c, "extend").map(kids).unwrap_or_default();
                        self.first_base(bases, depth)
                    }
                    Some(Outer::Alias(def)) => {
                        field(def, "type").map_or(Base::Other, |target| self.base_at(target, depth + 1))
                    }
                    _ => Base::of_path(&self.imports.expand(written, head.start_byte())),
                }
            }
            _ => Base::Other,
        }
    }

    fn first_base(&self, types: Vec<Node<'t>>, depth: usize) -> Base {
        let mut bases = types
            .into_iter()
            .filter(|k| k.kind() != "arguments")
            .map(|k| self.base_at(k, depth + 1));
        bases.find(|b| !matches!(b, Base::Other)).unwrap_or(Base::Other)
    }
}
