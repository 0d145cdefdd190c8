//! Written types. In: a type node; out: a [`Ty`], or a refusal that names the type.

use tree_sitter::Node;

use super::Typer;
use super::cst::{dimensions, field, kids, text};
use crate::jvm::lookup;
use crate::lang::relate::is_throwable;
use crate::lang::ty::{JavaKind, Prim, SeqKind, Ty};
use crate::source::Understood;

/// Hadoop's writable classes and the column type of what they hold.
pub(super) const WRITABLES: &[(&str, &str)] = &[
    ("Text", "String"),
    ("IntWritable", "Integer"),
    ("LongWritable", "Long"),
    ("DoubleWritable", "Double"),
    ("FloatWritable", "Float"),
    ("BooleanWritable", "Boolean"),
    ("ByteWritable", "Byte"),
    ("ShortWritable", "Short"),
];

/// The type under a writable class.
pub(super) fn writable(class: &str) -> Option<Ty> {
    let (_, name) = WRITABLES.iter().find(|(w, _)| *w == class)?;
    Some(match *name {
        "String" => Ty::String,
        name => Ty::Boxed(boxed(name)?),
    })
}

/// The primitive of a box's name.
pub(super) fn boxed(name: &str) -> Option<Prim> {
    Some(match name {
        "Integer" => Prim::Int,
        "Long" => Prim::Long,
        "Double" => Prim::Double,
        "Float" => Prim::Float,
        "Short" => Prim::Short,
        "Byte" => Prim::Byte,
        "Boolean" => Prim::Boolean,
        "Character" => Prim::Char,
        _ => return None,
    })
}

/// A functional interface: its parameters and result.
pub fn functional(name: &str, args: &[Ty]) -> Option<Ty> {
    use Prim::*;
    let f = |params: Vec<Ty>, ret: Ty| Some(Ty::Fn(params, Box::new(ret)));
    let arg = |i: usize| args.get(i).cloned().unwrap_or(Ty::Any);
    let p = Ty::Prim;
    if let Some(n) = name.strip_prefix("UDF").and_then(|d| d.parse::<usize>().ok()) {
        let known = args.len() == n + 1;
        let params = (0..n).map(|i| if known { arg(i) } else { Ty::Any }).collect();
        return f(params, if known { arg(n) } else { Ty::Any });
    }
    match name {
        "Function" => f(vec![arg(0)], arg(1)),
        "BiFunction" => f(vec![arg(0), arg(1)], arg(2)),
        "UnaryOperator" => f(vec![arg(0)], arg(0)),
        "BinaryOperator" => f(vec![arg(0), arg(0)], arg(0)),
        "Supplier" | "Callable" => f(vec![], arg(0)),
        "Consumer" => f(vec![arg(0)], Ty::Unit),
        "BiConsumer" => f(vec![arg(0), arg(1)], Ty::Unit),
        "Predicate" => f(vec![arg(0)], p(Boolean)),
        "BiPredicate" => f(vec![arg(0), arg(1)], p(Boolean)),
        "Comparator" => f(vec![arg(0), arg(0)], p(Int)),
        "Runnable" => f(vec![], Ty::Unit),
        "IntFunction" => f(vec![p(Int)], arg(0)),
        "LongFunction" => f(vec![p(Long)], arg(0)),
        "DoubleFunction" => f(vec![p(Double)], arg(0)),
        "ToIntFunction" => f(vec![arg(0)], p(Int)),
        "ToLongFunction" => f(vec![arg(0)], p(Long)),
        "ToDoubleFunction" => f(vec![arg(0)], p(Double)),
        "IntPredicate" => f(vec![p(Int)], p(Boolean)),
        "IntUnaryOperator" => f(vec![p(Int)], p(Int)),
        "IntBinaryOperator" => f(vec![p(Int), p(Int)], p(Int)),
        "LongUnaryOperator" => f(vec![p(Long)], p(Long)),
        "LongBinaryOperator" => f(vec![p(Long), p(Long)], p(Long)),
        "DoubleUnaryOperator" => f(vec![p(Double)], p(Double)),
        "DoubleBinaryOperator" => f(vec![p(Double), p(Double)], p(Double)),
        "IntSupplier" => f(vec![], p(Int)),
        "BooleanSupplier" => f(vec![], p(Boolean)),
        "DoubleSupplier" => f(vec![], p(Double)),
        _ => None,
    }
}

impl<'t> Typer<'t> {
    /// The type that a node stands for.
    pub(super) fn ty(&mut self, n: Node<'t>) -> Understood<Ty> {
        match n.kind() {
            "integral_type" | "floating_point_type" | "boolean_type" => Ok(Ty::Prim(match text(n, self.text()) {
                "byte" => Prim::Byte,
                "short" => Prim::Short,
                "int" => Prim::Int,
                "long" => Prim::Long,
                "char" => Prim::Char,
                "float" => Prim::Float,
                "double" => Prim::Double,
                _ => Prim::Boolean,
            })),
            "void_type" => Ok(Ty::Unit),
            "array_type" => {
                let Some(element) = field(n, "element") else {
                    return self.refuse(n, "array type that cannot be read");
                };
                let ty = self.ty(element)?;
                Ok(arrays(ty, dimensions(n, self.text())))
            }
            "type_identifier" | "identifier" | "scoped_type_identifier" | "scoped_identifier" | "field_access" => {
                let path = text(n, self.text()).replace(char::is_whitespace, "");
                self.named_type(&path, Vec::new(), n)
            }
            "generic_type" => {
                let parts = kids(n);
                let args = match parts.iter().find(|k| k.kind() == "type_arguments") {
                    Some(list) => kids(*list)
                        .into_iter()
                        .map(|a| self.ty(a))
                        .collect::<Understood<Vec<Ty>>>()?,
                    None => Vec::new(),
                };
                let Some(head) = parts.first() else {
                    return self.refuse(n, "type without a name");
                };
                let path = text(*head, self.text()).replace(char::is_whitespace, "");
                self.named_type(&path, args, n)
            }
            "annotated_type" => match kids(n).last() {
                Some(k) => self.ty(*k),
                None => self.refuse(n, "type that cannot be read"),
            },
            "wildcard" => match kids(n).last() {
                Some(bound) => self.ty(*bound),
                None => Ok(Ty::Any),
            },
            other => self.refuse(n, format!("{} is not covered", other.replace('_', " "))),
        }
    }

    /// A type by its name as written, dotted or not.
    pub(super) fn named_type(&mut self, path: &str, args: Vec<Ty>, at: Node<'t>) -> Understood<Ty> {
        let simple = path.rsplit('.').next().unwrap_or(path).to_owned();
        if path == simple
            && let Some(ty) = self.type_vars.iter().rev().find_map(|vars| vars.get(path))
        {
            return Ok(ty.clone());
        }
        if let Some(class) = self.class_path(at, path) {
            return self.user_type(class, at);
        }
        let full = match path.contains('.') {
            true => Some(path.to_owned()),
            false => self.imported(path),
        };
        if let Some(ty) = self.known_type(&simple, full.as_deref(), args) {
            return Ok(ty);
        }
        self.refuse(at, format!("type `{path}` is not covered"))
    }

    fn known_type(&mut self, name: &str, full: Option<&str>, args: Vec<Ty>) -> Option<Ty> {
        let scala = full.is_some_and(|f| f.starts_with("scala."));
        if let Some(p) = boxed(name) {
            return Some(Ty::Boxed(p));
        }
        let one = |args: &[Ty]| args.first().cloned().unwrap_or(Ty::Any);
        let two = |args: &[Ty]| (one(args), args.get(1).cloned().unwrap_or(Ty::Any));
        if let Some(ty) = functional(name, &args).filter(|_| !scala) {
            return Some(ty);
        }
        Some(match name {
            "String" => Ty::String,
            "Object" => Ty::Any,
            "Void" => Ty::Null,
            "BigDecimal" if full.is_some_and(|f| f.starts_with("java.math")) || self.imports_all("java.math") => {
                Ty::JavaBigDecimal
            }
            "BigInteger" => Ty::BigInt,
            "Map" if scala => {
                let (k, v) = two(&args);
                Ty::Map(Box::new(k), Box::new(v))
            }
            "Seq" | "WrappedArray" | "IndexedSeq" | "ArraySeq" if scala => Ty::Seq(SeqKind::Seq, Box::new(one(&args))),
            "List" if scala => Ty::Seq(SeqKind::List, Box::new(one(&args))),
            "Option" if scala => Ty::Option(Box::new(one(&args))),
            "List" | "ArrayList" | "LinkedList" if !scala => Ty::Seq(SeqKind::JavaList, Box::new(one(&args))),
            "Collection" | "Iterable" => Ty::Java(JavaKind::Collection, vec![one(&args)]),
            "Set" | "HashSet" | "LinkedHashSet" | "TreeSet" | "SortedSet" | "NavigableSet" | "EnumSet" if !scala => {
                Ty::Java(JavaKind::Set, vec![one(&args)])
            }
            "Deque" | "ArrayDeque" | "Queue" | "Stack" => Ty::Java(JavaKind::Deque, vec![one(&args)]),
            "Map" | "HashMap" | "LinkedHashMap" | "TreeMap" | "SortedMap" | "NavigableMap" | "ConcurrentHashMap"
            | "EnumMap" => {
                let (k, v) = two(&args);
                Ty::Java(JavaKind::Map, vec![k, v])
            }
            "Entry" | "SimpleEntry" | "SimpleImmutableEntry" => {
                let (k, v) = two(&args);
                Ty::Java(JavaKind::Entry, vec![k, v])
            }
            "Optional" => Ty::Java(JavaKind::Optional, vec![one(&args)]),
            "OptionalInt" => Ty::Java(JavaKind::Optional, vec![Ty::INT]),
            "OptionalLong" => Ty::Java(JavaKind::Optional, vec![Ty::LONG]),
            "OptionalDouble" => Ty::Java(JavaKind::Optional, vec![Ty::DOUBLE]),
            "Iterator" if !scala => Ty::Java(JavaKind::Iterator, vec![one(&args)]),
            "Stream" => Ty::Java(JavaKind::Stream, vec![one(&args)]),
            "IntStream" => Ty::Java(JavaKind::Stream, vec![Ty::INT]),
            "LongStream" => Ty::Java(JavaKind::Stream, vec![Ty::LONG]),
            "DoubleStream" => Ty::Java(JavaKind::Stream, vec![Ty::DOUBLE]),
            "StringBuffer" => Ty::Class("StringBuilder".into()),
            "Date" if full.is_some_and(|f| f.starts_with("java.util")) => Ty::Class("UtilDate".into()),
            "CharSequence" | "Number" | "Comparable" | "Serializable" | "DeferredObject" | "StringJoiner" => {
                Ty::Class(name.to_owned())
            }
            _ if writable(name).is_some() => Ty::Class(name.to_owned()),
            _ if is_throwable(name) => Ty::Class(name.to_owned()),
            _ if lookup::has_class(name) => Ty::Class(name.to_owned()),
            _ => return None,
        })
    }

    /// The type of a parameter; a repeated one is an array.
    pub(super) fn parameter_type(&mut self, p: Node<'t>) -> Understood<Ty> {
        if p.kind() == "spread_parameter" {
            let ty = kids(p)
                .into_iter()
                .find(|k| !matches!(k.kind(), "modifiers" | "variable_declarator"));
            return match ty {
                Some(t) => Ok(Ty::Array(Box::new(self.ty(t)?))),
                None => self.refuse(p, "parameter without a type"),
            };
        }
        match field(p, "type") {
            Some(t) => {
                let ty = self.ty(t)?;
                Ok(arrays(ty, dimensions(p, self.text())))
            }
            None => self.refuse(p, "parameter without a type"),
        }
    }
}

/// Arrays of arrays of a type.
pub(super) fn arrays(ty: Ty, dimensions: usize) -> Ty {
    (0..dimensions).fold(ty, |t, _| Ty::Array(Box::new(t)))
}
