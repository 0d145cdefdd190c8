//! The small untyped tree of a candidate's Scala. Every node keeps its span; nothing is resolved.

use std::sync::Arc;

use crate::source::Span;

/// A type as written: its last name and its arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypeRef {
    /// `ColumnVector`, `Int`, `Array`…; packages are dropped.
    pub name: String,
    /// Type arguments.
    pub args: Vec<TypeRef>,
}

/// A parameter of a `def` or a lambda.
#[derive(Debug, Clone)]
pub struct Param {
    /// Its name.
    pub name: String,
    /// Its type, if written.
    pub ty: Option<TypeRef>,
    /// `T*`.
    pub repeated: bool,
    /// `=> T`.
    pub by_name: bool,
    /// Default value.
    pub default: Option<Expr>,
}

/// A `def`, of a class or local.
#[derive(Debug)]
pub struct Def {
    /// Its name.
    pub name: String,
    /// Parameter lists.
    pub lists: Vec<Vec<Param>>,
    /// Result type, if written.
    pub ret: Option<TypeRef>,
    /// Its body; abstract ones have none.
    pub body: Option<Expr>,
    /// Why the body was not read, where it holds what is not covered.
    pub unread: Option<String>,
    /// The whole definition.
    pub span: Span,
}

/// A `val`, `var` or `lazy val`.
#[derive(Debug, Clone)]
pub struct ValDef {
    /// What it binds.
    pub pattern: Pattern,
    /// Declared type.
    pub ty: Option<TypeRef>,
    /// Its value.
    pub value: Expr,
    /// `lazy`.
    pub lazy: bool,
}

/// A class, object or trait of the file.
#[derive(Debug)]
pub struct Template {
    /// Its name.
    pub name: String,
    /// `object`.
    pub is_object: bool,
    /// Names of the supertypes, without arguments.
    pub parents: Vec<String>,
    /// Constructor parameters.
    pub params: Vec<Param>,
    /// Methods.
    pub defs: Vec<Arc<Def>>,
    /// Fields in order.
    pub vals: Vec<Arc<ValDef>>,
    /// The whole definition.
    pub span: Span,
}

/// A parsed candidate.
#[derive(Debug)]
pub struct Unit {
    /// Templates in the order of the source.
    pub templates: Vec<Arc<Template>>,
    /// Full imported names, selectors expanded; `_` for wildcards.
    pub imports: Vec<String>,
}

/// An expression.
#[derive(Debug, Clone)]
pub struct Expr {
    /// What it is.
    pub kind: Kind,
    /// Where it stands.
    pub span: Span,
}

/// One argument.
#[derive(Debug, Clone)]
pub struct Arg {
    /// `name = value`.
    pub name: Option<String>,
    /// The value.
    pub value: Expr,
    /// `xs: _*`.
    pub splat: bool,
}

/// Kinds of expressions.
#[derive(Debug, Clone)]
pub enum Kind {
    Unit,
    Null,
    Bool(bool),
    Int(i32),
    Long(i64),
    Float(f32),
    Double(f64),
    Char(u16),
    Str(String),
    /// `s"…"`: literal parts and expressions in turn.
    Interp(Vec<Expr>),
    Ident(String),
    This,
    Select(Box<Expr>, String),
    Apply(Box<Expr>, Vec<Arg>),
    TypeApply(Box<Expr>, Vec<TypeRef>),
    New(TypeRef, Vec<Arg>),
    Infix(Box<Expr>, String, Box<Expr>),
    Prefix(char, Box<Expr>),
    Assign(Box<Expr>, Box<Expr>),
    Block(Vec<Stmt>),
    If(Box<Expr>, Box<Expr>, Option<Box<Expr>>),
    While(Box<Expr>, Box<Expr>),
    DoWhile(Box<Expr>, Box<Expr>),
    For(Vec<Gen>, Box<Expr>, bool),
    Match(Box<Expr>, Arc<Vec<Case>>),
    Try(Box<Expr>, Arc<Vec<Case>>, Option<Box<Expr>>),
    Throw(Box<Expr>),
    Return(Option<Box<Expr>>),
    Lambda(Arc<Lambda>),
    /// `{ case … }`.
    Cases(Arc<Vec<Case>>),
    Tuple(Vec<Expr>),
    /// `_` not yet bound to a lambda.
    Wildcard,
    Typed(Box<Expr>, TypeRef),
}

/// A function literal.
#[derive(Debug, Clone)]
pub struct Lambda {
    /// Its parameters.
    pub params: Vec<Param>,
    /// Its body.
    pub body: Expr,
}

/// A clause of a `for`.
#[derive(Debug, Clone)]
pub enum Gen {
    /// `p <- e`.
    From(Pattern, Expr),
    /// `p = e`.
    Let(Pattern, Expr),
    /// `if e`.
    Guard(Expr),
}

/// A statement of a block.
#[derive(Debug, Clone)]
pub enum Stmt {
    Expr(Expr),
    Val(Arc<ValDef>),
    Def(Arc<Def>),
    /// `import`.
    Nothing,
}

/// `case p if g => body`.
#[derive(Debug, Clone)]
pub struct Case {
    /// What must match.
    pub pattern: Pattern,
    /// And hold.
    pub guard: Option<Expr>,
    /// The value then.
    pub body: Expr,
}

/// A pattern.
#[derive(Debug, Clone)]
pub struct Pattern {
    /// What it asks.
    pub kind: PatKind,
    /// Where it stands.
    pub span: Span,
}

/// Kinds of patterns.
#[derive(Debug, Clone)]
pub enum PatKind {
    Any,
    Bind(String, Option<Box<Pattern>>),
    Typed(Box<Pattern>, TypeRef),
    /// A literal or a stable identifier.
    Value(Box<Expr>),
    Alt(Vec<Pattern>),
    Tuple(Vec<Pattern>),
    /// `Seq(a, b)`, `Some(x)`, `Array(a, rest @ _*)`.
    Extract(String, Vec<Pattern>),
    /// `_*` inside an extractor.
    Rest,
    /// `a +: b`, `a :: b`.
    Cons(Box<Pattern>, Box<Pattern>),
}
