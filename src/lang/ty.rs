//! Static types of the typed AST: what the JVM code says, before Spark's or Arrow's types come into it.

use std::fmt;

/// A JVM type as far as UDFs need it. Type variables occur only in the signatures of [`crate::jvm`].
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Ty {
    /// `Unit`, `void`.
    Unit,
    /// The type of `null`.
    Null,
    /// The type of `throw` and `return`.
    Nothing,
    /// `Any`, `AnyRef`, `Object`: only the run-time class is known.
    Any,
    /// A primitive: `Int`, `double`.
    Prim(Prim),
    /// A boxed primitive that may be null: `java.lang.Integer`.
    Boxed(Prim),
    /// `java.lang.String`.
    String,
    /// `scala.math.BigDecimal` (MathContext DECIMAL128 arithmetic).
    ScalaBigDecimal,
    /// `java.math.BigDecimal`.
    JavaBigDecimal,
    /// `scala.math.BigInt` and `java.math.BigInteger`.
    BigInt,
    /// `Option[A]`, `java.util.Optional<A>`.
    Option(Box<Ty>),
    /// Any immutable or mutable sequence but arrays: `Seq`, `List`, `Vector`, `IndexedSeq`, `Range`, `ListBuffer`, `java.util.List`.
    Seq(SeqKind, Box<Ty>),
    /// `Array[A]`, `A[]`.
    Array(Box<Ty>),
    /// `Iterator[A]`, `Stream`.
    Iterator(Box<Ty>),
    /// `Set[A]`.
    Set(Box<Ty>),
    /// `Map[K, V]`.
    Map(Box<Ty>, Box<Ty>),
    /// `Tuple2` and up.
    Tuple(Vec<Ty>),
    /// `scala.util.Try[A]`.
    Try(Box<Ty>),
    /// `Either[A, B]`.
    Either(Box<Ty>, Box<Ty>),
    /// A function value; in Java every functional interface.
    Fn(Vec<Ty>, Box<Ty>),
    /// A generic type of `java.util`, with its type arguments. (`java.util.List` is a [`Ty::Seq`].)
    Java(JavaKind, Vec<Ty>),
    /// A class by its simple name: exceptions, `LocalDate`, `Regex`, `StringBuilder`, `Row`, and the user's case classes
    /// (fields in [`crate::lang::ast::Program::classes`]).
    Class(String),
    /// The companion or static side of a class or an `object`: receiver of `Math.abs`, `Integer.parseInt`, `LocalDate.of`.
    Module(String),
    /// A type variable of a library signature: `A`.
    Var(String),
}

/// The JVM's primitives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Prim {
    /// `Boolean`.
    Boolean,
    /// 8 bits.
    Byte,
    /// 16 bits.
    Short,
    /// An unsigned 16-bit UTF-16 unit.
    Char,
    /// 32 bits.
    Int,
    /// 64 bits.
    Long,
    /// binary32.
    Float,
    /// binary64.
    Double,
}

/// Types of `java.util` that have no counterpart among Scala's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum JavaKind {
    /// `Collection<A>`, `Iterable<A>`: a list, a set, or a view of a map.
    Collection,
    /// `Set<A>`.
    Set,
    /// `Deque<A>`, `Queue<A>`.
    Deque,
    /// `Map<K, V>`.
    Map,
    /// `Map.Entry<K, V>`.
    Entry,
    /// `Optional<A>`.
    Optional,
    /// `Iterator<A>`.
    Iterator,
    /// `Stream<A>`; with a primitive argument `IntStream` and its like.
    Stream,
    /// `Collector<A, ?, R>`: what it takes and what it gives.
    Collector,
}

/// Which sequence; it decides `toString`, mutability and laziness, not the element operations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SeqKind {
    /// `Seq`, `IndexedSeq`, `WrappedArray`.
    Seq,
    /// `List`.
    List,
    /// `Vector`.
    Vector,
    /// `Range`.
    Range,
    /// `ListBuffer`, `ArrayBuffer`: mutable.
    Buffer,
    /// `java.util.List`.
    JavaList,
}

impl Prim {
    /// The name in Scala.
    pub fn name(self) -> &'static str {
        match self {
            Prim::Boolean => "Boolean",
            Prim::Byte => "Byte",
            Prim::Short => "Short",
            Prim::Char => "Char",
            Prim::Int => "Int",
            Prim::Long => "Long",
            Prim::Float => "Float",
            Prim::Double => "Double",
        }
    }

    /// The name of its box in `java.lang`.
    pub fn boxed_name(self) -> &'static str {
        match self {
            Prim::Char => "Character",
            Prim::Int => "Integer",
            other => other.name(),
        }
    }

    /// Whether arithmetic is defined on it.
    pub fn is_numeric(self) -> bool {
        self != Prim::Boolean
    }

    /// Whether it is `Byte`, `Short`, `Char`, `Int` or `Long`.
    pub fn is_integral(self) -> bool {
        matches!(self, Prim::Byte | Prim::Short | Prim::Char | Prim::Int | Prim::Long)
    }
}

impl Ty {
    /// `Int` and so on.
    pub const INT: Ty = Ty::Prim(Prim::Int);
    /// `Long`.
    pub const LONG: Ty = Ty::Prim(Prim::Long);
    /// `Double`.
    pub const DOUBLE: Ty = Ty::Prim(Prim::Double);
    /// `Float`.
    pub const FLOAT: Ty = Ty::Prim(Prim::Float);
    /// `Boolean`.
    pub const BOOLEAN: Ty = Ty::Prim(Prim::Boolean);
    /// `Char`.
    pub const CHAR: Ty = Ty::Prim(Prim::Char);

    /// The primitive, if it is one itself.
    pub fn prim_type(&self) -> Option<Prim> {
        match self {
            Ty::Prim(p) => Some(*p),
            _ => None,
        }
    }

    /// The primitive under a primitive or its box.
    pub fn prim(&self) -> Option<Prim> {
        match self {
            Ty::Prim(p) | Ty::Boxed(p) => Some(*p),
            _ => None,
        }
    }

    /// Whether a value of this type may be null.
    pub fn is_reference(&self) -> bool {
        !matches!(self, Ty::Prim(_) | Ty::Unit | Ty::Nothing)
    }
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |f: &mut fmt::Formatter<'_>, name: &str, args: &[&Ty]| {
            write!(f, "{name}[")?;
            for (i, a) in args.iter().enumerate() {
                write!(f, "{}{a}", if i > 0 { ", " } else { "" })?;
            }
            f.write_str("]")
        };
        match self {
            Ty::Unit => f.write_str("Unit"),
            Ty::Null => f.write_str("Null"),
            Ty::Nothing => f.write_str("Nothing"),
            Ty::Any => f.write_str("Any"),
            Ty::Prim(p) => f.write_str(p.name()),
            Ty::Boxed(p) => write!(f, "java.lang.{}", p.boxed_name()),
            Ty::String => f.write_str("String"),
            Ty::ScalaBigDecimal => f.write_str("BigDecimal"),
            Ty::JavaBigDecimal => f.write_str("java.math.BigDecimal"),
            Ty::BigInt => f.write_str("BigInt"),
            Ty::Option(a) => list(f, "Option", &[a]),
            Ty::Seq(k, a) => list(f, k.name(), &[a]),
            Ty::Array(a) => list(f, "Array", &[a]),
            Ty::Iterator(a) => list(f, "Iterator", &[a]),
            Ty::Set(a) => list(f, "Set", &[a]),
            Ty::Map(k, v) => list(f, "Map", &[k, v]),
            Ty::Try(a) => list(f, "Try", &[a]),
            Ty::Either(a, b) => list(f, "Either", &[a, b]),
            Ty::Tuple(items) => {
                f.write_str("(")?;
                for (i, t) in items.iter().enumerate() {
                    write!(f, "{}{t}", if i > 0 { ", " } else { "" })?;
                }
                f.write_str(")")
            }
            Ty::Fn(params, ret) => {
                f.write_str("(")?;
                for (i, t) in params.iter().enumerate() {
                    write!(f, "{}{t}", if i > 0 { ", " } else { "" })?;
                }
                write!(f, ") => {ret}")
            }
            Ty::Java(kind, args) => list(f, kind.name(), &args.iter().collect::<Vec<_>>()),
            Ty::Class(name) | Ty::Module(name) | Ty::Var(name) => f.write_str(name),
        }
    }
}

impl JavaKind {
    /// The name in `java.util`.
    pub fn name(self) -> &'static str {
        match self {
            JavaKind::Collection => "java.util.Collection",
            JavaKind::Set => "java.util.Set",
            JavaKind::Deque => "java.util.Deque",
            JavaKind::Map => "java.util.Map",
            JavaKind::Entry => "java.util.Map.Entry",
            JavaKind::Optional => "java.util.Optional",
            JavaKind::Iterator => "java.util.Iterator",
            JavaKind::Stream => "java.util.stream.Stream",
            JavaKind::Collector => "java.util.stream.Collector",
        }
    }

    /// Whether every value of this kind is one of another.
    pub fn is(self, other: JavaKind) -> bool {
        self == other || (other == JavaKind::Collection && matches!(self, JavaKind::Set | JavaKind::Deque))
    }
}

impl SeqKind {
    /// The name in Scala.
    pub fn name(self) -> &'static str {
        match self {
            SeqKind::Seq => "Seq",
            SeqKind::List => "List",
            SeqKind::Vector => "Vector",
            SeqKind::Range => "Range",
            SeqKind::Buffer => "ListBuffer",
            SeqKind::JavaList => "java.util.List",
        }
    }
}
