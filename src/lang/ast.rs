//! The typed AST: small, desugared, with every implicit conversion written out. Oracles interpret it; proposals lower it.
//!
//! Every name is resolved: to a local slot, a global (a `val` of the enclosing object, evaluated once when first used),
//! a function of the [`Program`], or a row of the library of JVM operations ([`crate::jvm::table`]).

use std::sync::Arc;

use crate::jvm::table::Method;
use crate::lang::ty::{Prim, Ty};
use crate::source::Span;

/// Index of a local variable slot in the frame of its function; lambdas share the slots of the function they stand in
/// (a lambda captures by reference, as closures over `var` do).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LocalId(pub u32);
/// Index into [`Program::globals`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct GlobalId(pub u32);
/// Index into [`Program::functions`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FnId(pub u32);
/// Index into [`Program::classes`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ClassId(pub u32);

/// One UDF with everything it needs, closed: nothing refers outside.
#[derive(Debug, Clone)]
pub struct Program {
    /// The function Spark calls.
    pub entry: FnId,
    /// The entry, the helpers and the local functions.
    pub functions: Vec<Function>,
    /// `val`s of enclosing objects, in the order of the source.
    pub globals: Vec<Global>,
    /// The user's case classes (and plain data classes) by which values are built and matched.
    pub classes: Vec<Class>,
    /// Scala and Java differ in `==` on boxes, `+` on null boxes, integer `switch`…
    pub dialect: Dialect,
}

/// Whose rules hold where the languages differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// `==` compares values; unboxing null gives zero.
    Scala,
    /// `==` on references compares identity; unboxing null throws.
    Java,
}

/// A function: the entry, a helper `def`, or a local `def`.
#[derive(Debug, Clone)]
pub struct Function {
    /// Name in the source, `apply` for a lambda.
    pub name: String,
    /// Slots 0.. hold the parameters, in order.
    pub params: Vec<Param>,
    /// Result type.
    pub ret: Ty,
    /// The body; its value is the result, besides `Return`.
    pub body: Expr,
    /// Name and type of every slot, parameters first. Slots of lambdas inside are among them.
    pub locals: Vec<Local>,
    /// For a local `def`: the slots of the enclosing function's frame it shares (it closes over them by reference). When
    /// `Some`, this function runs on a child frame whose parent is the caller's lexical frame; see `Local::captured`.
    pub parent: Option<FnId>,
    /// The whole definition.
    pub span: Span,
}

/// A parameter of a function.
#[derive(Debug, Clone)]
pub struct Param {
    /// Name in the source.
    pub name: String,
    /// Declared type.
    pub ty: Ty,
    /// By-name (`=> A`): the argument is a thunk.
    pub by_name: bool,
    /// Where it is declared.
    pub span: Span,
}

/// A local variable slot.
#[derive(Debug, Clone)]
pub struct Local {
    /// Name in the source, or a made-up one that starts with `$`.
    pub name: String,
    /// Its type.
    pub ty: Ty,
    /// `var`.
    pub mutable: bool,
    /// Set when the slot stands for a variable of the lexically enclosing function (`parent`): its slot there.
    pub captured: Option<LocalId>,
}

/// A `val` (or `lazy val`) of an enclosing object or class.
#[derive(Debug, Clone)]
pub struct Global {
    /// Name in the source.
    pub name: String,
    /// Its type.
    pub ty: Ty,
    /// The initialiser; may refer to other globals.
    pub init: Expr,
    /// Number of local slots that the initialiser needs.
    pub locals: Vec<Local>,
    /// `var`s are refused unless never assigned.
    pub span: Span,
}

/// What kind of class a [`Class`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ClassKind {
    /// `case class`.
    Case,
    /// `case object`: one instance without fields, shown by its name alone.
    Singleton,
    /// An implicit class: only a receiver of its methods, never shown or compared.
    Wrapper,
}

/// A case class.
#[derive(Debug, Clone)]
pub struct Class {
    /// What kind.
    pub kind: ClassKind,
    /// Simple name.
    pub name: String,
    /// Fields in order.
    pub fields: Vec<(String, Ty)>,
    /// Its own `toString`, a function of the instance.
    pub shown_by: Option<FnId>,
    /// Where it is declared.
    pub span: Span,
}

/// An expression with its static type and the source it came from.
#[derive(Debug, Clone)]
pub struct Expr {
    /// What it does.
    pub kind: ExprKind,
    /// Its static type.
    pub ty: Ty,
    /// Where it stands.
    pub span: Span,
}

/// What an expression does. Operands of `Unary` and `Binary` already have the operation's type.
#[derive(Debug, Clone)]
pub enum ExprKind {
    /// A constant.
    Lit(Lit),
    /// Reads a slot.
    Local(LocalId),
    /// Reads a global, initialising it when first used.
    Global(GlobalId),
    /// `-a`, `!a`, `~a`, `+a` on a primitive of the node's type.
    Unary(UnOp, Box<Expr>),
    /// Arithmetic, comparison or bit operation; `prim` is the type of both operands (shifts: of the left one, the right
    /// one is `Int` or `Long`).
    Binary {
        op: BinOp,
        prim: Prim,
        lhs: Box<Expr>,
        rhs: Box<Expr>,
    },
    /// `&&`, `||`: the right side is evaluated only if needed.
    And(Box<Expr>, Box<Expr>),
    /// `||`.
    Or(Box<Expr>, Box<Expr>),
    /// `==` where at least one side is a reference, by the dialect's rules; `negated` for `!=`.
    RefEq {
        lhs: Box<Expr>,
        rhs: Box<Expr>,
        negated: bool,
    },
    /// `eq`/`ne` in Scala, `==` on references in Java.
    Identity {
        lhs: Box<Expr>,
        rhs: Box<Expr>,
        negated: bool,
    },
    /// An implicit or explicit conversion; see [`Conv`].
    Convert(Conv, Box<Expr>),
    /// `"a" + b`, interpolation `s"…"`: the parts' `String.valueOf`, joined. Unformatted.
    Concat(Vec<Expr>),
    /// Statements, then a value (`Unit` if none).
    Block(Vec<Stmt>, Option<Box<Expr>>),
    /// `if`; a missing `else` is `Unit`.
    If {
        cond: Box<Expr>,
        then: Box<Expr>,
        otherwise: Option<Box<Expr>>,
    },
    /// Pattern match. No case matching throws `MatchError`.
    Match { scrutinee: Box<Expr>, cases: Vec<Case> },
    /// `try`; the value of `finally` is dropped. Catch cases match on the exception.
    Try {
        body: Box<Expr>,
        catches: Vec<Case>,
        finally: Option<Box<Expr>>,
    },
    /// `throw`.
    Throw(Box<Expr>),
    /// `return` from the enclosing function, also out of lambdas.
    Return(Option<Box<Expr>>),
    /// A row of the library; `recv` is `None` for static methods and constructors. Arguments have the row's parameter
    /// types (varargs packed into a `Seq` or `Array` literal, by-name ones into a `Lambda` without parameters).
    Call {
        method: &'static Method,
        recv: Option<Box<Expr>>,
        args: Vec<Expr>,
    },
    /// A function of the program.
    CallFn { func: FnId, args: Vec<Expr> },
    /// A function value applied.
    Apply { func: Box<Expr>, args: Vec<Expr> },
    /// A function literal; parameters live in slots of the enclosing function.
    Lambda { params: Vec<LocalId>, body: Arc<Expr> },
    /// A function of the program as a value (`f _`, eta-expansion).
    FnRef(FnId),
    /// `(a, b)`, `a -> b`.
    Tuple(Vec<Expr>),
    /// `_1` and so on, 0-based.
    TupleField(Box<Expr>, usize),
    /// A case class instance; arguments in field order.
    NewClass { class: ClassId, args: Vec<Expr> },
    /// A field of a case class instance, 0-based.
    Field {
        recv: Box<Expr>,
        class: ClassId,
        index: usize,
    },
    /// `Seq(1, 2)`, `Array(…)`, `List(…)`; the node's type says which.
    SeqLit(Vec<Expr>),
    /// `a(i)` on an array; throws ArrayIndexOutOfBoundsException.
    Index { array: Box<Expr>, index: Box<Expr> },
    /// `isInstanceOf[T]`, `instanceof`.
    InstanceOf(Box<Expr>, Ty),
    /// `asInstanceOf[T]`, a reference cast; throws ClassCastException.
    Cast(Box<Expr>, Ty),
}

/// Statements of a block.
#[derive(Debug, Clone)]
pub enum Stmt {
    /// An expression whose value is dropped.
    Expr(Expr),
    /// `val`, `var`: initialises a slot. `lazy` ones are evaluated when first read.
    Let { local: LocalId, init: Expr, lazy: bool },
    /// `val (a, b) = e`, `val Regex(x) = e`: MatchError if it does not match.
    LetPattern { pattern: Pattern, init: Expr },
    /// `x = e`; compound assignments are desugared with their implicit narrowing.
    Assign { local: LocalId, value: Expr },
    /// `a(i) = e`.
    SetIndex { array: Expr, index: Expr, value: Expr },
    /// `while`, `do`, `for(;;)`: `update` runs after the body and after `continue`; `test_first` is false for `do`.
    Loop {
        cond: Expr,
        body: Box<Expr>,
        update: Vec<Stmt>,
        test_first: bool,
        label: Option<String>,
        span: Span,
    },
    /// Java's `break`, with its label.
    Break(Option<String>),
    /// Java's `continue`, with its label.
    Continue(Option<String>),
}

/// One case of a match or of a catch.
#[derive(Debug, Clone)]
pub struct Case {
    /// What must match.
    pub pattern: Pattern,
    /// And hold.
    pub guard: Option<Expr>,
    /// What it is then.
    pub body: Expr,
    /// The whole case.
    pub span: Span,
}

/// A pattern. Slots are bound as they match.
#[derive(Debug, Clone)]
pub struct Pattern {
    /// What must match.
    pub kind: PatternKind,
    /// Where it stands.
    pub span: Span,
}

/// What a pattern asks for.
#[derive(Debug, Clone)]
pub enum PatternKind {
    /// `_`.
    Wildcard,
    /// `x`, `x @ p`.
    Bind(LocalId, Option<Box<Pattern>>),
    /// A literal; compares with `==`.
    Lit(Lit),
    /// A stable identifier or back-quoted name; compares with `==`.
    Value(Box<Expr>),
    /// `x: T`; null does not match.
    Typed(Ty),
    /// `a | b`.
    Alternative(Vec<Pattern>),
    /// `(a, b)`, `a -> b`.
    Tuple(Vec<Pattern>),
    /// `Some(p)`.
    Some(Box<Pattern>),
    /// `None`.
    None,
    /// `Success(p)`, `Failure(p)`, `Left(p)`, `Right(p)`.
    Wrapper(Wrapper, Box<Pattern>),
    /// A regex val as extractor: the whole text must match; groups that took no part are null.
    Regex {
        regex: Box<Expr>,
        groups: Vec<Pattern>,
        rest: bool,
    },
    /// A case class.
    Class { class: ClassId, fields: Vec<Pattern> },
    /// `Seq(a, b)`, `Array(a, _*)`, `List(a, b @ _*)`; `rest` binds or ignores the remaining elements.
    Seq {
        kind: Ty,
        items: Vec<Pattern>,
        rest: Option<Box<Pattern>>,
    },
    /// `head :: tail`.
    Cons(Box<Pattern>, Box<Pattern>),
    /// `Nil`.
    Nil,
    /// `NonFatal(p)`.
    NonFatal(Box<Pattern>),
    /// An `unapply` of the program: called with the value, its result is matched.
    Extract {
        func: FnId,
        takes: Ty,
        gives: Ty,
        result: Box<Pattern>,
    },
    /// `init :+ last`.
    Snoc(Box<Pattern>, Box<Pattern>),
    /// `head +: tail` on any sequence.
    Prepended(Box<Pattern>, Box<Pattern>),
}

/// One-armed wrappers that patterns take apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wrapper {
    /// `scala.util.Success`.
    Success,
    /// `scala.util.Failure`.
    Failure,
    /// `scala.util.Left`.
    Left,
    /// `scala.util.Right`.
    Right,
}

/// Constants.
#[derive(Debug, Clone, PartialEq)]
pub enum Lit {
    /// `()`.
    Unit,
    /// `null`.
    Null,
    /// `true`, `false`.
    Bool(bool),
    /// `1.toByte` folded, or a Java constant.
    Byte(i8),
    /// A 16-bit constant.
    Short(i16),
    /// `'a'`: a UTF-16 unit.
    Char(u16),
    /// `1`.
    Int(i32),
    /// `1L`.
    Long(i64),
    /// `1.0f`.
    Float(f32),
    /// `1.0`.
    Double(f64),
    /// Text with escapes resolved, in UTF-16 because a literal may hold a lone surrogate.
    Str(Arc<[u16]>),
}

/// Unary operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UnOp {
    /// `-a`, wrapping.
    Neg,
    /// `!a`.
    Not,
    /// `~a`.
    BitNot,
}

/// Binary operators on primitives of one type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BinOp {
    /// Wraps on integers.
    Add,
    /// Wraps on integers.
    Sub,
    /// Wraps on integers.
    Mul,
    /// Integers: truncates, throws on zero.
    Div,
    /// Sign of the dividend; integers throw on zero.
    Rem,
    /// `&`; on Boolean without short circuit.
    BitAnd,
    /// `|`.
    BitOr,
    /// `^`.
    BitXor,
    /// Distance taken modulo the width.
    Shl,
    /// Arithmetic shift.
    Shr,
    /// Logical shift.
    UShr,
    /// IEEE `==`.
    Eq,
    /// IEEE `!=`.
    Ne,
    /// `<`.
    Lt,
    /// `<=`.
    Le,
    /// `>`.
    Gt,
    /// `>=`.
    Ge,
}

impl BinOp {
    /// The operator by its sign, which Scala and Java share.
    pub fn of_sign(sign: &str) -> Option<BinOp> {
        Some(match sign {
            "+" => BinOp::Add,
            "-" => BinOp::Sub,
            "*" => BinOp::Mul,
            "/" => BinOp::Div,
            "%" => BinOp::Rem,
            "&" => BinOp::BitAnd,
            "|" => BinOp::BitOr,
            "^" => BinOp::BitXor,
            "<<" => BinOp::Shl,
            ">>" => BinOp::Shr,
            ">>>" => BinOp::UShr,
            "==" => BinOp::Eq,
            "!=" => BinOp::Ne,
            "<" => BinOp::Lt,
            "<=" => BinOp::Le,
            ">" => BinOp::Gt,
            ">=" => BinOp::Ge,
            _ => return None,
        })
    }
}

/// Conversions between types.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Conv {
    /// Primitive to primitive with the JVM's rules: wraps between integers, saturates from floats, NaN is 0.
    Prim { from: Prim, to: Prim },
    /// `int` to `Integer`.
    Box(Prim),
    /// `Integer` to `int`; null is zero in Scala and throws in Java.
    Unbox(Prim),
    /// `Int`, `Long`, `Double` or `java.math.BigDecimal` to Scala's `BigDecimal` (implicit conversions).
    ToScalaBigDecimal,
    /// `Int` or `Long` to `BigInt`.
    ToBigInt,
    /// `String`, arrays and ranges to `Seq` (implicit wrappers); a String becomes a `Seq[Char]`.
    ToSeq,
}
