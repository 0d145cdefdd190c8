//! Reads a candidate's text. In: Scala or Java source; out: [`Unit`], or an error with its place: a compile error where the text does
//! not parse, not proven where a construct is not covered. Never resolves names.

use std::sync::Arc;

use tree_sitter::Node;

use super::ast::*;
use crate::error::{Error, Result};
use crate::source::{Language, SourceFile, Span};

mod expr;
mod java;
mod literal;
mod pattern;

/// Parses a whole file.
pub fn parse(file: &SourceFile) -> Result<Unit> {
    if file.language == Language::Java {
        return java::parse(file);
    }
    let tree = tree(file, &tree_sitter_scala::LANGUAGE.into())?;
    Parser { file }.unit(tree.root_node())
}

/// The syntax tree of a text that parses.
fn tree(file: &SourceFile, grammar: &tree_sitter::Language) -> Result<tree_sitter::Tree> {
    let mut parser = tree_sitter::Parser::new();
    parser
        .set_language(grammar)
        .map_err(|e| Error::internal("the grammar does not load").because(e))?;
    let tree = parser
        .parse(file.text.as_bytes(), None)
        .ok_or_else(|| Error::internal("the parser gave no tree"))?;
    match first_error(tree.root_node()) {
        Some(bad) => Err(Parser { file }.syntax_error(bad)),
        None => Ok(tree),
    }
}

fn first_error(node: Node<'_>) -> Option<Node<'_>> {
    if node.is_error() || node.is_missing() {
        return Some(node);
    }
    if !node.has_error() {
        return None;
    }
    let mut cursor = node.walk();
    node.children(&mut cursor).find_map(first_error)
}

/// The body of a method, or why it was not read. Only `evaluateColumnar` has to be: the row function runs on the CPU side and may
/// use all of its language.
fn body_of(name: &str, body: Option<Result<Expr>>) -> Result<(Option<Expr>, Option<String>)> {
    match body {
        Some(Ok(e)) => Ok((Some(e), None)),
        Some(Err(e)) if name == "evaluateColumnar" => Err(e),
        Some(Err(e)) => Ok((None, Some(e.what))),
        None => Ok((None, None)),
    }
}

pub(super) struct Parser<'a> {
    file: &'a SourceFile,
}

impl<'a> Parser<'a> {
    fn text(&self, n: Node<'_>) -> &'a str {
        &self.file.text[n.byte_range()]
    }

    fn span(n: Node<'_>) -> Span {
        Span::new(n.start_byte(), n.end_byte())
    }

    fn syntax_error(&self, n: Node<'_>) -> Error {
        let what = if n.is_missing() {
            format!("`{}` is missing", n.kind())
        } else {
            let near: String = self.text(n).chars().take(30).collect();
            format!("syntax error near `{}`", near.lines().next().unwrap_or_default())
        };
        Error::compile(what).at(self.file.location(Self::span(n)))
    }

    fn refuse<T>(&self, n: Node<'_>, what: impl Into<String>) -> Result<T> {
        Err(Error::not_proven(what).at(self.file.location(Self::span(n))))
    }

    fn field<'t>(&self, n: Node<'t>, name: &str) -> Result<Node<'t>> {
        n.child_by_field_name(name)
            .ok_or_else(|| Error::compile(format!("incomplete {}", n.kind())).at(self.file.location(Self::span(n))))
    }

    /// Named children without comments.
    fn named<'t>(n: Node<'t>) -> Vec<Node<'t>> {
        let mut cursor = n.walk();
        n.named_children(&mut cursor)
            .filter(|c| !c.kind().contains("comment"))
            .collect()
    }

    fn unit(&self, root: Node<'_>) -> Result<Unit> {
        let mut unit = Unit {
            templates: Vec::new(),
            imports: Vec::new(),
        };
        self.top(root, &mut unit)?;
        Ok(unit)
    }

    fn top(&self, parent: Node<'_>, unit: &mut Unit) -> Result<()> {
        for n in Self::named(parent) {
            match n.kind() {
                "package_clause" => {
                    if let Some(body) = n.child_by_field_name("body") {
                        self.top(body, unit)?;
                    }
                }
                "import_declaration" => self.import(n, unit),
                "class_definition" | "object_definition" | "trait_definition" => {
                    unit.templates.push(Arc::new(self.template(n)?));
                }
                other => return self.refuse(n, format!("top-level {} is not covered", other.replace('_', " "))),
            }
        }
        Ok(())
    }

    fn import(&self, n: Node<'_>, unit: &mut Unit) {
        let text = self.text(n).trim_start_matches("import").trim();
        for part in split_imports(text) {
            let compact: String = part.chars().filter(|c| !c.is_whitespace()).collect();
            match compact.split_once('{') {
                Some((prefix, rest)) => {
                    for name in rest.trim_end_matches('}').split(',') {
                        let name = name.split("=>").next().unwrap_or(name);
                        unit.imports.push(format!("{prefix}{name}"));
                    }
                }
                None => unit.imports.push(compact),
            }
        }
    }

    fn template(&self, n: Node<'_>) -> Result<Template> {
        let mut t = Template {
            name: self.text(self.field(n, "name")?).to_string(),
            is_object: n.kind() == "object_definition",
            parents: Vec::new(),
            params: Vec::new(),
            defs: Vec::new(),
            vals: Vec::new(),
            span: Self::span(n),
        };
        if let Some(extend) = n.child_by_field_name("extend") {
            let mut cursor = extend.walk();
            for ty in extend
                .children_by_field_name("type", &mut cursor)
                .filter(|c| c.is_named())
            {
                t.parents.push(self.type_ref(ty).name);
            }
        }
        let mut cursor = n.walk();
        for list in n.children_by_field_name("class_parameters", &mut cursor) {
            t.params.extend(self.params(list)?);
        }
        if let Some(body) = n.child_by_field_name("body") {
            self.members(body, &mut t)?;
        }
        Ok(t)
    }

    fn members(&self, body: Node<'_>, t: &mut Template) -> Result<()> {
        for m in Self::named(body) {
            match m.kind() {
                "function_definition" | "function_declaration" => t.defs.push(Arc::new(self.def(m)?)),
                // Members that the columnar side never touches may hold anything; they fail when they are used.
                "val_definition" | "var_definition" => {
                    if let Ok(v) = self.val(m) {
                        t.vals.push(Arc::new(v));
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn def(&self, n: Node<'_>) -> Result<Def> {
        let mut lists = Vec::new();
        let mut cursor = n.walk();
        for list in n.children_by_field_name("parameters", &mut cursor) {
            if list.kind() == "parameters" {
                lists.push(self.params(list)?);
            }
        }
        let name = self.name_of(self.field(n, "name")?);
        let (body, unread) = body_of(&name, n.child_by_field_name("body").map(|b| self.expr(b)))?;
        Ok(Def {
            name,
            lists,
            ret: n.child_by_field_name("return_type").map(|t| self.type_ref(t)),
            body,
            unread,
            span: Self::span(n),
        })
    }

    fn params(&self, list: Node<'_>) -> Result<Vec<Param>> {
        Self::named(list)
            .into_iter()
            .filter(|p| {
                matches!(
                    p.kind(),
                    "parameter" | "class_parameter" | "binding" | "identifier" | "wildcard"
                )
            })
            .map(|p| self.param(p))
            .collect()
    }

    /// A name without its backticks.
    fn name_of(&self, n: Node<'_>) -> String {
        self.text(n).trim_matches('`').to_string()
    }

    fn param(&self, p: Node<'_>) -> Result<Param> {
        if matches!(p.kind(), "identifier" | "wildcard") {
            return Ok(Param {
                name: self.name_of(p),
                ty: None,
                repeated: false,
                by_name: false,
                default: None,
            });
        }
        let ty = p.child_by_field_name("type");
        Ok(Param {
            name: match p.child_by_field_name("name") {
                Some(n) => self.name_of(n),
                None => "_".into(),
            },
            repeated: ty.is_some_and(|t| t.kind() == "repeated_parameter_type"),
            by_name: ty.is_some_and(|t| t.kind() == "lazy_parameter_type"),
            ty: ty.map(|t| self.type_ref(t)),
            default: match p.child_by_field_name("default_value") {
                Some(d) => Some(self.expr(d)?),
                None => None,
            },
        })
    }

    fn val(&self, n: Node<'_>) -> Result<ValDef> {
        let named = self.field(n, "pattern")?;
        // `val Base = …` defines a name; only inside of a pattern does a capital stand for a value that exists.
        let pattern = match named.kind() {
            "identifier" if self.text(named) != "_" => Pattern {
                kind: PatKind::Bind(self.name_of(named), None),
                span: Self::span(named),
            },
            _ => self.pattern(named)?,
        };
        let value = match n.child_by_field_name("value") {
            Some(v) => self.expr(v)?,
            None => return self.refuse(n, "a val without a value"),
        };
        let lazy = Self::named(n)
            .iter()
            .any(|m| m.kind() == "modifiers" && self.text(*m).split_whitespace().any(|w| w == "lazy"));
        Ok(ValDef {
            pattern,
            ty: n.child_by_field_name("type").map(|t| self.type_ref(t)),
            value,
            lazy,
        })
    }

    /// A type by its last name; what is more than a name and arguments keeps its text.
    pub(super) fn type_ref(&self, n: Node<'_>) -> TypeRef {
        match n.kind() {
            "generic_type" => {
                let mut base = n
                    .child_by_field_name("type")
                    .map(|t| self.type_ref(t))
                    .unwrap_or_else(|| self.plain_type(n));
                if let Some(args) = n.child_by_field_name("type_arguments") {
                    base.args = Self::named(args).into_iter().map(|a| self.type_ref(a)).collect();
                }
                base
            }
            "repeated_parameter_type" | "lazy_parameter_type" | "annotated_type" => match Self::named(n).first() {
                Some(inner) => self.type_ref(*inner),
                None => self.plain_type(n),
            },
            _ => self.plain_type(n),
        }
    }

    fn plain_type(&self, n: Node<'_>) -> TypeRef {
        let text: String = self.text(n).chars().filter(|c| !c.is_whitespace()).collect();
        let name = if text.contains("=>") || text.starts_with('(') {
            text
        } else {
            text.rsplit('.').next().unwrap_or(&text).to_string()
        };
        TypeRef { name, args: Vec::new() }
    }
}

fn split_imports(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0, 0);
    for (i, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&text[start..i]);
                start = i + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}
