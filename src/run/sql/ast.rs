//! The untyped syntax tree of one expression. Operators are calls by their symbol, so that the analyzer has one table.

use super::ty::Ty;
use super::val::Val;
use crate::source::Span;

/// A node and where it was written.
#[derive(Debug, Clone)]
pub struct Ast {
    /// What it is.
    pub kind: AstKind,
    /// Where it was written.
    pub span: Span,
}

/// What a node is.
#[derive(Debug, Clone)]
pub enum AstKind {
    /// A literal with its type.
    Lit(Val<'static>, Ty),
    /// A column or lambda variable, with the fields that follow it.
    Name(Vec<String>),
    /// A function or operator.
    Call(String, Vec<Ast>),
    /// `CAST(x AS T)`; the flag marks `try_cast`.
    Cast(Box<Ast>, Ty, bool),
    /// `x.field` where `x` is not a name.
    Field(Box<Ast>, String),
    /// `x -> e`.
    Lambda(Vec<String>, Box<Ast>),
    /// `e AS name` inside `struct(…)`.
    Alias(Box<Ast>, String),
}

impl Ast {
    /// A node.
    pub fn new(kind: AstKind, span: Span) -> Ast {
        Ast { kind, span }
    }

    /// A call.
    pub fn call(name: &str, args: Vec<Ast>, span: Span) -> Ast {
        Ast::new(AstKind::Call(name.to_string(), args), span)
    }
}
