//! The imports of a file, each with what it reaches. In: the syntax tree; out: the path that a name means at a place. Never
//! looks at what is behind a path.

use std::collections::HashMap;

use tree_sitter::Node;

use super::cst::{field, kids, name_text, span};
use super::outer::Outer;
use crate::source::Span;

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
