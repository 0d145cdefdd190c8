//! Names outside of a function: members of enclosing templates and blocks, other objects of the file, imports.
//! In: the syntax tree; out: the definition a name stands for. Never types anything.

use std::collections::HashMap;

use tree_sitter::Node;

use super::cst::{field, field_all, has_modifier, has_token, kids, name_text, span, text};
use crate::source::Span;

/// What a name outside of the function stands for.
#[derive(Debug, Clone, Copy)]
pub enum Outer<'t> {
    /// `val`, `var` (the definition, and whether it is a `var`).
    Val { def: Node<'t>, is_var: bool },
    /// `def`.
    Def(Node<'t>),
    /// `object`.
    Object(Node<'t>),
    /// `class`, `trait`.
    Class(Node<'t>),
    /// A parameter of an enclosing class.
    ClassParam(Node<'t>),
    /// A parameter of an enclosing method or lambda, or a pattern variable.
    Param(Node<'t>),
    /// `type`.
    Alias(Node<'t>),
    /// A `val` or `def` without a body.
    Abstract(Node<'t>),
}

/// One imported name.
#[derive(Debug, Clone)]
pub struct Import {
    /// Full path, dotted.
    pub path: String,
    /// The import.
    pub span: Span,
    /// Where it is in force: what encloses the import.
    scope: Span,
}

impl Import {
    fn reaches(&self, at: usize) -> bool {
        let at = at as u32;
        self.scope.start <= at && at < self.scope.end && self.span.start <= at
    }

    /// Whether the import stands further in than a definition, and so hides it.
    pub fn hides(&self, found: &Outer) -> bool {
        let outer = match found {
            Outer::Val { def: n, .. }
            | Outer::Def(n)
            | Outer::Object(n)
            | Outer::Class(n)
            | Outer::ClassParam(n)
            | Outer::Param(n)
            | Outer::Alias(n)
            | Outer::Abstract(n) => n.parent().map(span),
        };
        outer.is_some_and(|o| o.contains(self.scope) && o != self.scope)
    }
}

/// The imports of a file.
#[derive(Debug, Default)]
pub struct Imports {
    named: HashMap<String, Vec<Import>>,
    wild: Vec<Import>,
}

impl Imports {
    /// Collects every import of the file.
    pub fn collect(root: Node, source: &str) -> Imports {
        let mut imports = Imports::default();
        let mut cursor = root.walk();
        loop {
            let import = cursor.node().kind() == "import_declaration";
            if import {
                imports.add(cursor.node(), source);
            }
            if !import && cursor.goto_first_child() {
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return imports;
                }
            }
        }
    }

    /// `import a.b, c.{d => e}`: each clause by itself.
    fn add(&mut self, n: Node, source: &str) {
        let scope = n.parent().map_or(span(n), span);
        let mut cursor = n.walk();
        let (mut path, mut tail) = (Vec::new(), None);
        for k in n.children(&mut cursor) {
            match k.kind() {
                "import" | "." | "comment" | "block_comment" => {}
                "," => self.clause(&std::mem::take(&mut path), tail.take(), (span(n), scope), source),
                "identifier" | "operator_identifier" => path.push(name_text(k, source)),
                _ => tail = Some(k),
            }
        }
        self.clause(&path, tail, (span(n), scope), source);
    }

    fn clause(&mut self, path: &[&str], tail: Option<Node>, (at, scope): (Span, Span), source: &str) {
        let whole = path.join(".");
        let import = |path: String| Import { path, span: at, scope };
        let join = |name: &str| {
            if whole.is_empty() {
                name.to_owned()
            } else {
                format!("{whole}.{name}")
            }
        };
        let Some(tail) = tail else {
            if let Some(name) = path.last() {
                self.named.entry((*name).to_owned()).or_default().push(import(whole));
            }
            return;
        };
        let selectors = match tail.kind() {
            "namespace_selectors" | "import_selectors" => kids(tail),
            _ => vec![tail],
        };
        for s in selectors {
            match s.kind() {
                "arrow_renamed_identifier" | "as_renamed_identifier" => {
                    if let (Some(from), Some(to)) = (field(s, "name"), field(s, "alias"))
                        && to.kind() != "wildcard"
                    {
                        let path = join(name_text(from, source));
                        self.named
                            .entry(name_text(to, source).to_owned())
                            .or_default()
                            .push(import(path));
                    }
                }
                "namespace_wildcard" | "wildcard" => self.wild.push(import(whole.clone())),
                "identifier" | "operator_identifier" | "type_identifier" => {
                    let name = name_text(s, source);
                    self.named.entry(name.to_owned()).or_default().push(import(join(name)));
                }
                _ => {}
            }
        }
    }

    /// The import that gives a name its meaning at a place: the innermost one before it; `None` if there is none, or if two
    /// of the same scope disagree.
    pub fn named(&self, name: &str, at: usize) -> Option<&Import> {
        let all: Vec<&Import> = self.named.get(name)?.iter().filter(|i| i.reaches(at)).collect();
        let innermost = all.iter().map(|i| i.scope.end - i.scope.start).min()?;
        let mut same = all.into_iter().filter(|i| i.scope.end - i.scope.start == innermost);
        let first = same.next()?;
        same.all(|i| i.path == first.path).then_some(first)
    }

    /// Every local name of the file under which something with this last name is imported.
    pub fn names_of(&self, last: &str) -> Vec<&str> {
        let means = |i: &Import| i.path.rsplit('.').next() == Some(last);
        let named = self.named.iter().filter(|(_, all)| all.iter().any(means));
        named.map(|(name, _)| name.as_str()).collect()
    }

    /// A dotted path with its first name replaced by what is imported under it.
    pub fn expand(&self, path: &str, at: usize) -> String {
        let (mut path, mut at) = (path.to_owned(), at);
        for _ in 0..8 {
            let (first, rest) = path
                .split_once('.')
                .map_or((path.as_str(), None), |(f, r)| (f, Some(r)));
            let Some(import) = self.named(first, at) else { break };
            if import.path == first || import.span.start as usize == at {
                break;
            }
            at = import.span.start as usize;
            path = rest.map_or(import.path.clone(), |r| format!("{}.{r}", import.path));
        }
        path
    }

    /// Wildcard imports in force at a place, in the order of the source.
    pub fn wild(&self, at: usize) -> impl Iterator<Item = &Import> {
        self.wild.iter().filter(move |i| i.reaches(at))
    }
}

/// Whether a template of the file that extends the one around a definition overrides it, so that an instance decides.
pub fn overridden(def: Node, name: &str, root: Node, source: &str) -> bool {
    let Some(template) = def.parent().and_then(|body| body.parent()) else {
        return false;
    };
    if !matches!(template.kind(), "class_definition" | "trait_definition") {
        return false;
    }
    let Some(base) = field(template, "name") else {
        return false;
    };
    let base = name_text(base, source);
    let mut cursor = root.walk();
    loop {
        let n = cursor.node();
        if matches!(n.kind(), "function_definition" | "val_definition" | "var_definition")
            && n.id() != def.id()
            && has_modifier(n, "override", source)
            && (field(n, "name").is_some_and(|x| name_text(x, source) == name) || pattern_binds(n, name, source))
            && n.parent()
                .and_then(|body| body.parent())
                .is_some_and(|t| extends(t, base, source, 0))
        {
            return true;
        }
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return false;
            }
        }
    }
}

/// Whether a template, or an instance with a body, extends a class or trait of this name, if only by way of others.
fn extends(template: Node, base: &str, source: &str, depth: usize) -> bool {
    let parents = match template.kind() {
        "instance_expression" => kids(template),
        _ => field(template, "extend").map(kids).unwrap_or_default(),
    };
    parents.into_iter().any(|ty| {
        let words = || {
            text(ty, source)
                .split(|c: char| !c.is_alphanumeric() && c != '_')
                .filter(|w| !w.is_empty())
        };
        let inherits = |name: &str| match top_down(template, name, source) {
            Some(Outer::Class(parent)) if depth < 16 => extends(parent, base, source, depth + 1),
            _ => false,
        };
        ty.kind() != "template_body" && (words().any(|w| w == base) || words().any(inherits))
    })
}

/// Looks a name up from `from` outwards. `position` limits block definitions to those before it (a block's `val`s are
/// initialised in order).
pub fn lookup<'t>(from: Node<'t>, name: &str, source: &str) -> Option<Outer<'t>> {
    let mut at = from;
    while let Some(parent) = at.parent() {
        let found = match parent.kind() {
            "template_body" | "with_template_body" | "compilation_unit" | "block" | "indented_block" | "ERROR"
            | "case_clause" | "package_clause" | "lambda_expression" => in_container(parent, name, source),
            _ => None,
        };
        if found.is_some() {
            return found;
        }
        let found = match parent.kind() {
            "class_definition" | "trait_definition" | "object_definition" => {
                let param = class_param(parent, name, source);
                param
                    .map(Outer::ClassParam)
                    .or_else(|| inherited(parent, name, source, 0))
            }
            "function_definition" => method_param(parent, name, source).map(Outer::Param),
            _ => None,
        };
        if found.is_some() {
            return found;
        }
        if matches!(
            parent.kind(),
            "lambda_expression" | "case_clause" | "enumerators" | "for_expression"
        ) && binds(parent, name, source)
        {
            return Some(Outer::Param(parent));
        }
        at = parent;
    }
    None
}

fn binds(n: Node, name: &str, source: &str) -> bool {
    let heads = match n.kind() {
        "lambda_expression" => field_all(n, "parameters"),
        "case_clause" => field_all(n, "pattern"),
        "for_expression" => field_all(n, "enumerators"),
        _ => Vec::new(),
    };
    heads.into_iter().any(|h| mentions(h, name, source))
}

fn mentions(n: Node, name: &str, source: &str) -> bool {
    (n.kind() == "identifier" && name_text(n, source) == name)
        || kids(n)
            .into_iter()
            .filter(|k| !k.kind().ends_with("expression"))
            .any(|k| mentions(k, name, source))
}

/// A parameter of a class by name.
pub fn class_param<'t>(class: Node<'t>, name: &str, source: &str) -> Option<Node<'t>> {
    let lists = field_all(class, "class_parameters");
    lists
        .into_iter()
        .flat_map(kids)
        .find(|p| p.kind() == "class_parameter" && field(*p, "name").is_some_and(|n| name_text(n, source) == name))
}

fn method_param<'t>(def: Node<'t>, name: &str, source: &str) -> Option<Node<'t>> {
    let lists = field_all(def, "parameters");
    lists
        .into_iter()
        .flat_map(kids)
        .find(|p| p.kind() == "parameter" && field(*p, "name").is_some_and(|n| name_text(n, source) == name))
}

/// Members of the templates that a template extends, if they are in this file.
fn inherited<'t>(template: Node<'t>, name: &str, source: &str, depth: usize) -> Option<Outer<'t>> {
    let extends = field(template, "extend").filter(|_| depth < 16)?;
    for ty in kids(extends) {
        let base = if ty.kind() == "generic_type" {
            field(ty, "type").unwrap_or(ty)
        } else {
            ty
        };
        if base.kind() != "type_identifier" {
            continue;
        }
        let Some(Outer::Class(parent)) = top_down(template, name_text(base, source), source) else {
            continue;
        };
        if parent.id() == template.id() {
            continue;
        }
        let own = member(parent, name, source).or_else(|| inherited(parent, name, source, depth + 1));
        if own.is_some() {
            return own;
        }
    }
    None
}

/// Looks a class up from inside a template's surroundings without walking its inheritance.
fn top_down<'t>(from: Node<'t>, name: &str, source: &str) -> Option<Outer<'t>> {
    let mut at = from;
    while let Some(parent) = at.parent() {
        if let Some(Outer::Class(c)) = in_container_class(parent, name, source) {
            return Some(Outer::Class(c));
        }
        at = parent;
    }
    None
}

fn in_container_class<'t>(container: Node<'t>, name: &str, source: &str) -> Option<Outer<'t>> {
    kids(container)
        .into_iter()
        .find(|k| {
            matches!(k.kind(), "class_definition" | "trait_definition")
                && field(*k, "name").is_some_and(|n| name_text(n, source) == name)
        })
        .map(Outer::Class)
}

/// A member of an object or class by name.
pub fn member<'t>(template: Node<'t>, name: &str, source: &str) -> Option<Outer<'t>> {
    field(template, "body")
        .and_then(|b| in_container(b, name, source))
        .or_else(|| inherited(template, name, source, 0))
}

/// A definition directly inside a container.
pub fn in_container<'t>(container: Node<'t>, name: &str, source: &str) -> Option<Outer<'t>> {
    let mut class = None;
    for k in kids(container) {
        let named = |n: Node| field(n, "name").is_some_and(|n| name_text(n, source) == name);
        match k.kind() {
            "val_definition" | "var_definition" if pattern_binds(k, name, source) => {
                return Some(Outer::Val {
                    def: k,
                    is_var: k.kind() == "var_definition",
                });
            }
            "val_declaration" | "var_declaration" | "function_declaration"
                if field_all(k, "name").iter().any(|n| name_text(*n, source) == name) =>
            {
                return Some(Outer::Abstract(k));
            }
            "function_definition" if named(k) => return Some(Outer::Def(k)),
            "object_definition" if named(k) => return Some(Outer::Object(k)),
            "class_definition" | "trait_definition" if named(k) => class = Some(Outer::Class(k)),
            "type_definition" if named(k) => class = Some(Outer::Alias(k)),
            "package_clause" | "package_object" => {
                for inner in kids(k) {
                    if inner.kind() == "template_body"
                        && let Some(found) = in_container(inner, name, source)
                    {
                        return Some(found);
                    }
                }
            }
            _ => {}
        }
    }
    class
}

/// All `def`s of one name directly inside the same container (overloads).
pub fn overloads<'t>(def: Node<'t>, source: &str) -> Vec<Node<'t>> {
    let (Some(parent), Some(name)) = (def.parent(), field(def, "name")) else {
        return vec![def];
    };
    let name = name_text(name, source);
    kids(parent)
        .into_iter()
        .filter(|k| {
            k.kind() == "function_definition" && field(*k, "name").is_some_and(|n| name_text(n, source) == name)
        })
        .collect()
}

fn pattern_binds(def: Node, name: &str, source: &str) -> bool {
    field(def, "pattern").is_some_and(|p| match p.kind() {
        "identifier" => name_text(p, source) == name,
        _ => pattern_names(p, source).iter().any(|n| n == name),
    })
}

/// The variables that a pattern binds, in order.
pub fn pattern_names(p: Node, source: &str) -> Vec<String> {
    let mut out = Vec::new();
    collect_names(p, source, &mut out);
    out
}

fn collect_names(p: Node, source: &str, out: &mut Vec<String>) {
    match p.kind() {
        "identifier" => {
            let t = text(p, source);
            if t.starts_with(|c: char| c.is_lowercase() || c == '_') {
                out.push(t.to_owned());
            }
        }
        "capture_pattern" => {
            if let Some(n) = field(p, "name") {
                out.push(name_text(n, source).to_owned());
            }
            field_all(p, "pattern")
                .into_iter()
                .for_each(|k| collect_names(k, source, out));
        }
        "case_class_pattern" | "typed_pattern" | "repeat_pattern" => {
            field_all(p, "pattern")
                .into_iter()
                .for_each(|k| collect_names(k, source, out));
        }
        "infix_pattern" => {
            for f in ["left", "right"] {
                field_all(p, f).into_iter().for_each(|k| collect_names(k, source, out));
            }
        }
        "stable_identifier" | "string" => {}
        _ => kids(p).into_iter().for_each(|k| collect_names(k, source, out)),
    }
}

/// Whether a class definition is a `case class`.
pub fn is_case(class: Node) -> bool {
    has_token(class, "case")
}
