//! What finding UDFs has in common in all languages: a stack that is large enough, parsing, the place of a site, and what is done
//! once all of them are known. Knows no grammar.

use std::collections::HashMap;

use tree_sitter::{Language, Node, Parser, Tree};

use super::{Found, Udf, UdfKind};
use crate::lang::cst::span;
use crate::source::{Refusal, SourceFile, Span};

/// More syntax errors than this are not listed one by one.
const MAX_ERRORS: usize = 50;

/// Typing walks trees by recursion; callers may stand on a small stack.
const STACK_BYTES: usize = 64 << 20;

/// A place where a UDF stands; `E` is what its language types there.
#[derive(Debug, Clone)]
pub(super) struct Site<'t, E> {
    pub name: String,
    pub aliases: Vec<String>,
    pub kind: UdfKind,
    pub node: Node<'t>,
    pub entry: E,
    /// The result type that is given beside the function: `register("f", new F, IntegerType)`.
    pub declared: Option<Node<'t>>,
}

/// A file of which nothing can be said.
pub(super) fn failed(source: &SourceFile, reason: &str) -> Found {
    Found {
        refused: vec![Refusal::new(Span::new(0, source.text.len()), reason)],
        ..Found::default()
    }
}

/// Finds on a thread with a large stack; a defect of the analysis becomes a refusal of the file.
pub(super) fn on_large_stack(source: &SourceFile, find: impl FnOnce(&SourceFile) -> Found + Send) -> Found {
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().name("find".into()).stack_size(STACK_BYTES);
        match builder.spawn_scoped(scope, || find(source)) {
            Ok(thread) => thread
                .join()
                .unwrap_or_else(|_| failed(source, "a defect of the analysis: please report this file")),
            Err(_) => failed(source, "no thread could be started for the analysis"),
        }
    })
}

/// The syntax tree of a file, or why there is none.
pub(super) fn parse(source: &SourceFile, grammar: &Language) -> Result<Tree, Found> {
    let mut parser = Parser::new();
    if parser.set_language(grammar).is_err() {
        return Err(failed(source, "the grammar does not fit the parser"));
    }
    let tree = parser.parse(source.text.as_bytes(), None);
    tree.ok_or_else(|| failed(source, "the file could not be parsed"))
}

/// Puts what was found in order, and adds what does not parse outside of the UDFs.
pub(super) fn finish(root: Node, mut found: Found) -> Found {
    found.not_udfs.sort_by_key(|r| (r.span.start, r.span.end));
    found.udfs.sort_by_key(|u| (u.span.start, u.span.end));
    number_duplicates(&mut found.udfs);
    errors_outside(root, &found.udfs, &mut found.refused);
    found
}

/// The second UDF of a name becomes `name#2`.
fn number_duplicates(udfs: &mut [Udf]) {
    let mut seen: HashMap<String, usize> = HashMap::new();
    for u in udfs {
        let count = seen.entry(u.name.clone()).or_default();
        *count += 1;
        if *count > 1 {
            u.name = format!("{}#{count}", u.name);
        }
    }
}

/// Lists what does not parse outside of the UDFs.
fn errors_outside(root: Node, udfs: &[Udf], refused: &mut Vec<Refusal>) {
    let mut stack = vec![root];
    while let Some(n) = stack.pop() {
        if !n.has_error() || refused.len() >= MAX_ERRORS {
            continue;
        }
        let at = span(n);
        if n.is_error() || n.is_missing() {
            if !udfs.iter().any(|u| u.span.contains(at) && u.program.is_err()) {
                refused.push(Refusal::syntax(at));
            }
            continue;
        }
        let mut cursor = n.walk();
        let mut children: Vec<Node> = n.children(&mut cursor).collect();
        children.reverse();
        stack.extend(children);
    }
}
