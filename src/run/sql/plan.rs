//! The typed plan: every node knows its type, every cast is written out. Made by the analyzer, run by the evaluator.

use super::col::Rt;
use super::ty::Ty;
use super::val::Val;

/// A typed node.
#[derive(Debug, Clone)]
pub struct Node {
    /// Result type.
    pub ty: Ty,
    /// What it computes.
    pub kind: Kind,
}

/// How an operation treats a value that it cannot compute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Wraps or gives null.
    Legacy,
    /// Raises.
    Ansi,
    /// Gives null.
    Try,
}

/// Arithmetic with two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arith {
    /// `+`.
    Add,
    /// `-`.
    Sub,
    /// `*`.
    Mul,
    /// `/` of doubles or decimals.
    Div,
    /// `div`, always BIGINT.
    IntDiv,
    /// `%`.
    Rem,
    /// `pmod`.
    Pmod,
    /// `&`.
    And,
    /// `|`.
    Or,
    /// `^`.
    Xor,
}

/// Comparisons.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cmp {
    /// `=`.
    Eq,
    /// `<`.
    Lt,
    /// `<=`.
    Le,
    /// `>`.
    Gt,
    /// `>=`.
    Ge,
    /// `<=>`.
    NullSafe,
}

/// Functions that take a lambda.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hof {
    /// `transform`.
    Transform,
    /// `filter`.
    Filter,
    /// `exists`.
    Exists,
    /// `forall`.
    Forall,
    /// `zip_with`.
    ZipWith,
    /// `map_filter`.
    MapFilter,
    /// `transform_values`.
    TransformValues,
    /// `transform_keys`.
    TransformKeys,
}

/// What a node computes.
#[derive(Debug, Clone)]
pub enum Kind {
    /// A constant.
    Lit(Val<'static>),
    /// A slot of the environment: an input column or a lambda variable.
    Slot(usize),
    /// A cast.
    Cast(Box<Node>, Mode),
    /// Arithmetic on operands of one type (decimals may differ in precision and scale).
    Arith(Arith, Box<Node>, Box<Node>, Mode),
    /// A comparison of operands of one type.
    Cmp(Cmp, Box<Node>, Box<Node>),
    /// Three-valued AND.
    And(Box<Node>, Box<Node>),
    /// Three-valued OR.
    Or(Box<Node>, Box<Node>),
    /// NOT.
    Not(Box<Node>),
    /// IS NULL.
    IsNull(Box<Node>),
    /// CASE: conditions with values, and ELSE.
    Case(Vec<(Node, Node)>, Box<Node>),
    /// The first that is not null.
    Coalesce(Vec<Node>),
    /// `a IN (…)`.
    In(Box<Node>, Vec<Node>),
    /// A field of a struct.
    Field(Box<Node>, usize),
    /// A row function.
    Call(&'static Def, Vec<Node>),
    /// A function with a lambda: its collections, the slots of the lambda's variables, the body.
    Hof(Hof, Vec<Node>, Vec<usize>, Box<Node>),
    /// `aggregate`: collection, start, slots of accumulator and element, merge; slot of the accumulator and finish.
    Fold(Box<Node>, Box<Node>, [usize; 2], Box<Node>, Option<(usize, Box<Node>)>),
    /// `array_sort` with a comparator over two slots.
    SortBy(Box<Node>, [usize; 2], Box<Node>),
}

impl Node {
    /// A node.
    pub fn new(ty: Ty, kind: Kind) -> Node {
        Node { ty, kind }
    }

    /// A constant.
    pub fn lit(ty: Ty, v: Val<'static>) -> Node {
        Node::new(ty, Kind::Lit(v))
    }

    /// The constant that this node is, if it is one.
    pub fn constant(&self) -> Option<&Val<'static>> {
        match &self.kind {
            Kind::Lit(v) => Some(v),
            _ => None,
        }
    }

    /// The nodes right below.
    pub fn children(&self) -> Vec<&Node> {
        match &self.kind {
            Kind::Lit(_) | Kind::Slot(_) => Vec::new(),
            Kind::Cast(a, _) | Kind::Not(a) | Kind::IsNull(a) | Kind::Field(a, _) => vec![a],
            Kind::Arith(_, a, b, _) | Kind::Cmp(_, a, b) | Kind::And(a, b) | Kind::Or(a, b) => vec![a, b],
            Kind::Case(whens, e) => whens.iter().flat_map(|(c, v)| [c, v]).chain([&**e]).collect(),
            Kind::Coalesce(v) | Kind::Call(_, v) => v.iter().collect(),
            Kind::In(a, v) => std::iter::once(&**a).chain(v).collect(),
            Kind::Hof(_, v, _, body) => v.iter().chain([&**body]).collect(),
            Kind::Fold(a, z, _, m, f) => {
                let mut out: Vec<&Node> = vec![a, z, m];
                out.extend(f.iter().map(|(_, n)| &**n));
                out
            }
            Kind::SortBy(a, _, body) => vec![a, body],
        }
    }

    /// Adds every slot that this node reads to `out`.
    pub fn slots(&self, out: &mut Vec<usize>) {
        if let Kind::Slot(i) = self.kind
            && !out.contains(&i)
        {
            out.push(i);
        }
        for c in self.children() {
            c.slots(out);
        }
    }

    /// Whether evaluating it on a row that does not need it costs next to nothing and cannot raise.
    pub fn is_total(&self) -> bool {
        let here = match &self.kind {
            Kind::Lit(_) | Kind::Slot(_) | Kind::Not(_) | Kind::IsNull(_) => true,
            Kind::And(..) | Kind::Or(..) | Kind::Case(..) | Kind::Coalesce(_) => true,
            Kind::Cmp(_, a, _) => a.ty.is_numeric() || matches!(a.ty, Ty::Bool | Ty::Date | Ty::Ts),
            Kind::Arith(_, a, _, mode) => *mode == Mode::Legacy && !matches!(a.ty, Ty::Dec(..)),
            Kind::Cast(a, mode) => {
                let plain = |t: &Ty| t.is_integral() || t.is_float() || *t == Ty::Bool;
                *mode == Mode::Legacy && plain(&a.ty) && plain(&self.ty)
            }
            _ => false,
        };
        here && self.children().iter().all(|c| c.is_total())
    }
}

/// Why a row function gives no value.
#[derive(Debug, Clone)]
pub enum Stop {
    /// The row raises: an index into [`CLASSES`].
    Throw(u8),
    /// This value is not covered: the whole run is refused.
    Refuse(String),
}

/// What a row function gives.
pub type RowResult<T> = Result<T, Stop>;

/// How a row function treats nulls and errors among its arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nulls {
    /// The first null argument makes the result null, and later arguments are not evaluated.
    Strict,
    /// All arguments are evaluated, then any null makes the result null.
    Any,
    /// The function sees nulls.
    Sees,
}

/// The types of a call, the settings, and what is cached for the run of a chunk.
pub struct Call<'c> {
    /// Argument types after casts.
    pub args: &'c [Ty],
    /// Result type.
    pub ret: &'c Ty,
    /// Session settings and caches.
    pub rt: &'c Rt,
}

/// Computes one row.
pub type RowFn = for<'a> fn(&Call, &[Val<'a>]) -> RowResult<Val<'a>>;

/// A function of the library.
pub struct Def {
    /// Name in lower case.
    pub name: &'static str,
    /// Argument types and result.
    pub sig: Sig,
    /// Treatment of nulls.
    pub nulls: Nulls,
    /// One row.
    pub run: RowFn,
}

/// How the types of a call are found.
pub enum Sig {
    /// `"s i? -> s"`: see [`super::resolve`].
    Text(&'static str),
    /// Casts the arguments in place and gives the result type, or says why they do not fit.
    Own(fn(&mut Vec<Node>, bool) -> Result<Ty, String>),
}

impl std::fmt::Debug for Def {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// Simple names of the exceptions that a row may raise; index 0 is "none".
pub const CLASSES: [&str; 16] = [
    "",
    "RuntimeException",
    "SparkArithmeticException",
    "SparkNumberFormatException",
    "SparkDateTimeException",
    "SparkRuntimeException",
    "SparkArrayIndexOutOfBoundsException",
    "SparkIllegalArgumentException",
    "SparkUpgradeException",
    "IndexOutOfBoundsException",
    "IllegalArgumentException",
    "NullPointerException",
    "PatternSyntaxException",
    "DateTimeException",
    "ArithmeticException",
    "StringIndexOutOfBoundsException",
];

/// Codes of [`CLASSES`].
pub mod exc {
    /// `raise_error`.
    pub const RUNTIME: u8 = 1;
    /// Overflow, division by zero.
    pub const ARITHMETIC: u8 = 2;
    /// A text that is no number.
    pub const NUMBER_FORMAT: u8 = 3;
    /// A text that is no date or time.
    pub const DATE_TIME: u8 = 4;
    /// Other malformed values.
    pub const SPARK_RUNTIME: u8 = 5;
    /// An index outside an array.
    pub const ARRAY_INDEX: u8 = 6;
    /// Malformed arguments.
    pub const SPARK_ILLEGAL_ARGUMENT: u8 = 7;
    /// A date pattern whose meaning changed.
    pub const UPGRADE: u8 = 8;
    /// A group of a replacement that does not exist.
    pub const INDEX: u8 = 9;
    /// Malformed arguments, from the JVM.
    pub const ILLEGAL_ARGUMENT: u8 = 10;
    /// A null where the JVM needs a value.
    pub const NULL_POINTER: u8 = 11;
    /// A pattern that does not compile.
    pub const PATTERN: u8 = 12;
    /// A date outside the calendar, from the JVM.
    pub const JVM_DATE_TIME: u8 = 13;
    /// Overflow, from the JVM.
    pub const JVM_ARITHMETIC: u8 = 14;
}
