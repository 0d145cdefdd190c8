//! Patterns of the candidate's Scala.

use tree_sitter::Node;

use super::super::ast::*;
use super::Parser;
use crate::error::Result;

impl Parser<'_> {
    pub(super) fn pattern(&self, n: Node<'_>) -> Result<Pattern> {
        let kind = match n.kind() {
            "wildcard" => PatKind::Any,
            "identifier" => self.name_pattern(n)?,
            "typed_pattern" => {
                let inner = self.pattern(self.field(n, "pattern")?)?;
                PatKind::Typed(Box::new(inner), self.type_ref(self.field(n, "type")?))
            }
            "capture_pattern" => {
                let name = self.text(self.field(n, "name")?).to_string();
                let inner = self.pattern(self.field(n, "pattern")?)?;
                PatKind::Bind(name, Some(Box::new(inner)))
            }
            "case_class_pattern" => {
                let name = self.type_ref(self.field(n, "type")?).name;
                let mut cursor = n.walk();
                let items: Result<Vec<_>> = n
                    .children_by_field_name("pattern", &mut cursor)
                    .filter(|c| c.is_named())
                    .map(|c| self.pattern(c))
                    .collect();
                PatKind::Extract(name, items?)
            }
            "tuple_pattern" => PatKind::Tuple(self.patterns(n)?),
            "alternative_pattern" => {
                let mut all = Vec::new();
                for p in self.patterns(n)? {
                    match p.kind {
                        PatKind::Alt(inner) => all.extend(inner),
                        _ => all.push(p),
                    }
                }
                PatKind::Alt(all)
            }
            "infix_pattern" => {
                let op = self.text(self.field(n, "operator")?);
                if !matches!(op, "::" | "+:") {
                    return self.refuse(n, format!("the pattern `{op}` is not covered"));
                }
                let left = self.pattern(self.field(n, "left")?)?;
                PatKind::Cons(Box::new(left), Box::new(self.pattern(self.field(n, "right")?)?))
            }
            "repeat_pattern" => PatKind::Rest,
            "null_literal"
            | "integer_literal"
            | "floating_point_literal"
            | "string"
            | "character_literal"
            | "boolean_literal"
            | "stable_identifier"
            | "field_expression"
            | "prefix_expression" => PatKind::Value(Box::new(self.expr(n)?)),
            "parenthesized_pattern" | "given_pattern" => match Self::named(n).first() {
                Some(inner) => return self.pattern(*inner),
                None => PatKind::Any,
            },
            other => return self.refuse(n, format!("{} is not covered", other.replace('_', " "))),
        };
        Ok(Pattern {
            kind,
            span: Self::span(n),
        })
    }

    fn patterns(&self, n: Node<'_>) -> Result<Vec<Pattern>> {
        Self::named(n).into_iter().map(|c| self.pattern(c)).collect()
    }

    fn name_pattern(&self, n: Node<'_>) -> Result<PatKind> {
        let text = self.text(n);
        let stable = text.starts_with('`') || text.chars().next().is_some_and(char::is_uppercase);
        Ok(if text == "_" {
            PatKind::Any
        } else if stable {
            PatKind::Value(Box::new(Expr {
                kind: Kind::Ident(self.name_of(n)),
                span: Self::span(n),
            }))
        } else {
            PatKind::Bind(text.to_string(), None)
        })
    }
}
