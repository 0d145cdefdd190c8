//! Written types. In: a type node; out: a [`Ty`], or a refusal that names the type. Also what a type path means.

use tree_sitter::Node;

use super::Typer;
use super::cst::{field, field_all, kids, name_text, span, text};
use super::outer::{self, Outer};
use crate::jvm::lookup;
use crate::lang::relate::is_throwable;
use crate::lang::ty::{Prim, SeqKind, Ty};
use crate::source::{Refusal, Understood};

impl<'t> Typer<'t> {
    /// The type that a node stands for.
    pub(super) fn ty(&mut self, n: Node<'t>) -> Understood<Ty> {
        match n.kind() {
            "type_identifier" | "identifier" => {
                let name = name_text(n, self.text()).to_owned();
                self.named_type(&name, Vec::new(), n)
            }
            "stable_type_identifier" => {
                let path = text(n, self.text()).replace(char::is_whitespace, "");
                self.path_type(&path, Vec::new(), n)
            }
            "generic_type" => {
                let args = field(n, "type_arguments").map(kids).unwrap_or_default();
                let args = args.into_iter().map(|a| self.ty(a)).collect::<Understood<Vec<Ty>>>()?;
                let Some(head) = field(n, "type") else {
                    return Err(refuse(n, "type without a name"));
                };
                let name = text(head, self.text()).replace(char::is_whitespace, "");
                if head.kind() == "stable_type_identifier" {
                    self.path_type(&name, args, n)
                } else {
                    self.named_type(&name, args, n)
                }
            }
            "tuple_type" => {
                let items = kids(n)
                    .into_iter()
                    .map(|k| self.ty(k))
                    .collect::<Understood<Vec<Ty>>>()?;
                Ok(if items.len() == 1 {
                    items[0].clone()
                } else {
                    Ty::Tuple(items)
                })
            }
            "function_type" => self.function_type(n),
            "annotated_type" | "lazy_parameter_type" | "repeated_parameter_type" => match kids(n).first() {
                Some(k) => self.ty(*k),
                None => Err(refuse(n, "type that cannot be read")),
            },
            "singleton_type" => {
                let path = text(n, self.text()).trim_end_matches(".type").trim().to_owned();
                let name = path.rsplit('.').next().unwrap_or(&path);
                match outer::lookup(n, name, self.text()).or_else(|| self.find_object(name).map(Outer::Object)) {
                    Some(Outer::Object(object)) if outer::is_case(object) => self.user_class(object, n),
                    _ => Err(refuse(n, "singleton types are not covered")),
                }
            }
            "literal_type" => Err(refuse(n, "singleton types are not covered")),
            "wildcard" => Err(refuse(n, "wildcard types are not covered")),
            other => Err(refuse(n, format!("{} is not covered", other.replace('_', " ")))),
        }
    }

    fn function_type(&mut self, n: Node<'t>) -> Understood<Ty> {
        let (Some(params), Some(ret)) = (field(n, "parameter_types"), field(n, "return_type")) else {
            return Err(refuse(n, "function type that cannot be read"));
        };
        let params = kids(params);
        if params
            .iter()
            .any(|p| p.kind() == "lazy_parameter_type" || p.kind() == "repeated_parameter_type")
        {
            return Err(refuse(
                n,
                "function types with by-name or repeated parameters are not covered",
            ));
        }
        let params = params
            .into_iter()
            .map(|p| self.ty(p))
            .collect::<Understood<Vec<Ty>>>()?;
        Ok(Ty::Fn(params, Box::new(self.ty(ret)?)))
    }

    /// A type by a simple name as written.
    pub(super) fn named_type(&mut self, name: &str, args: Vec<Ty>, at: Node<'t>) -> Understood<Ty> {
        if let Some(ty) = self.type_vars.iter().rev().find_map(|vars| vars.get(name)) {
            return Ok(ty.clone());
        }
        if let Some(outer) = outer::lookup_type(at, name, self.text()) {
            match outer {
                Outer::Class(class) => return self.user_class(class, at),
                Outer::Alias(def) => {
                    return match field_all(def, "type").first() {
                        Some(target) if args.is_empty() && field(def, "type_parameters").is_none() => {
                            self.needs.insert(span(def));
                            self.ty(*target)
                        }
                        _ => Err(refuse(
                            at,
                            format!("type alias `{name}` with parameters is not covered"),
                        )),
                    };
                }
                _ => {}
            }
        }
        if let Some(import) = self.imports.named(name, at.start_byte()) {
            let (path, at_import) = (import.path.clone(), import.span);
            let path = self.imports.expand(&path, at_import.start as usize);
            self.needs.insert(at_import);
            return self.path_type(&path, args, at);
        }
        for import in self.imports.wild(at.start_byte()).cloned().collect::<Vec<_>>() {
            let last = import.path.rsplit('.').next().unwrap_or(&import.path).to_owned();
            if let Some(object) = self.find_object(&last)
                && let Some(Outer::Class(class)) = outer::member_type(object, name, self.text())
            {
                self.needs.insert(import.span);
                return self.user_class(class, at);
            }
        }
        if let Some(ty) = self.wildcard_type(name, &args, at) {
            return Ok(ty);
        }
        if let Some(ty) = predefined(name, args) {
            return Ok(ty);
        }
        if is_throwable(name) {
            return Ok(Ty::Class(name.to_owned()));
        }
        Err(refuse(at, format!("type `{name}` is not covered")))
    }

    /// A type that only a wildcard import brings in.
    fn wildcard_type(&mut self, name: &str, args: &[Ty], at: Node<'t>) -> Option<Ty> {
        let wild: Vec<_> = self.imports.wild(at.start_byte()).cloned().collect();
        for import in wild {
            let path = self.imports.expand(&import.path, import.span.start as usize);
            let in_package = match (path.as_str(), name) {
                ("java.math", "BigDecimal" | "BigInteger") => true,
                ("java.sql", "Date" | "Timestamp") => true,
                (
                    "scala.collection.mutable",
                    "Map" | "Set" | "Seq" | "Buffer" | "ListBuffer" | "ArrayBuffer" | "StringBuilder",
                ) => true,
                ("java.util", "List" | "Map" | "Set" | "ArrayList" | "Date" | "Optional" | "Locale" | "Random") => true,
                (
                    "java.time"
                    | "java.time.format"
                    | "java.time.temporal"
                    | "java.util.regex"
                    | "java.text"
                    | "java.nio.charset"
                    | "java.security"
                    | "java.util.concurrent"
                    | "java.io"
                    | "java.net",
                    _,
                ) => (lookup::has_class(name) && !in_every_file(name)) || is_throwable(name),
                ("org.apache.spark.sql", "Row") | ("scala.util", "Try") | ("scala.util.matching", "Regex") => true,
                _ => false,
            };
            if in_package {
                self.needs.insert(import.span);
                return path_named(&format!("{path}.{name}"), args.to_vec());
            }
        }
        None
    }

    /// A type by a dotted path.
    pub(super) fn path_type(&mut self, path: &str, args: Vec<Ty>, at: Node<'t>) -> Understood<Ty> {
        let mut parts: Vec<&str> = path.split('.').collect();
        let last = parts.pop().unwrap_or_default();
        if let Some(first) = parts.first() {
            // `Obj.Type` of this file, `time.LocalDate` of an imported package, or a full path.
            if let Some(Outer::Object(mut object)) = outer::lookup(at, first, self.text()) {
                for part in &parts[1..] {
                    match outer::member(object, part, self.text()) {
                        Some(Outer::Object(inner)) => object = inner,
                        _ => return Err(refuse(at, format!("type `{path}` is not covered"))),
                    }
                }
                return match outer::member_type(object, last, self.text()) {
                    Some(Outer::Class(class)) => self.user_class(class, at),
                    _ => Err(refuse(at, format!("type `{path}` is not covered"))),
                };
            }
            if let Some(import) = self.imports.named(first, at.start_byte()) {
                let full = format!("{}.{}", import.path, path[first.len() + 1..].trim_start_matches('.'));
                self.needs.insert(import.span);
                if full != path {
                    return self.path_type(&full, args, at);
                }
            }
        }
        // A class of this file that is imported from its own object.
        if let Some(class) = self.find_class_by_path(path) {
            return self.user_class(class, at);
        }
        path_named(path, args).ok_or_else(|| refuse(at, format!("type `{path}` is not covered")))
    }

    fn find_class_by_path(&self, path: &str) -> Option<Node<'t>> {
        let mut parts = path.rsplit('.');
        let name = parts.next()?;
        let owner = parts.next()?;
        match self
            .find_object(owner)
            .and_then(|o| outer::member_type(o, name, self.text()))
        {
            Some(Outer::Class(c)) => Some(c),
            _ => None,
        }
    }
}

fn refuse(n: Node, reason: impl Into<String>) -> Refusal {
    Refusal::new(span(n), reason)
}

/// A type by its full path.
pub(super) fn path_named(path: &str, mut args: Vec<Ty>) -> Option<Ty> {
    let path = path.strip_prefix("_root_.").unwrap_or(path);
    let (package, name) = path.rsplit_once('.').unwrap_or(("", path));
    let one = |args: &mut Vec<Ty>| (args.len() == 1).then(|| Box::new(args.remove(0)));
    Some(match (package, name) {
        ("java.math", "BigDecimal") => Ty::JavaBigDecimal,
        ("java.math", "BigInteger") => Ty::BigInt,
        ("java.lang", "Integer") => Ty::Boxed(Prim::Int),
        ("java.lang", "Character") => Ty::Boxed(Prim::Char),
        ("java.lang", _) => match name {
            "Long" => Ty::Boxed(Prim::Long),
            "Double" => Ty::Boxed(Prim::Double),
            "Float" => Ty::Boxed(Prim::Float),
            "Short" => Ty::Boxed(Prim::Short),
            "Byte" => Ty::Boxed(Prim::Byte),
            "Boolean" => Ty::Boxed(Prim::Boolean),
            "String" => Ty::String,
            "Object" => Ty::Any,
            "StringBuilder" | "StringBuffer" => Ty::Class(name.to_owned()),
            _ if is_throwable(name) || lookup::has_class(name) => Ty::Class(name.to_owned()),
            _ => return None,
        },
        ("java.util", "List" | "ArrayList" | "LinkedList") => Ty::Seq(SeqKind::JavaList, one(&mut args)?),
        ("java.util", "Optional") => Ty::Option(one(&mut args)?),
        // Two classes of one simple name: the library knows the one of java.sql.
        ("java.util", "Date" | "Map" | "Set" | "HashMap" | "HashSet" | "Random") => return None,
        ("scala.collection.mutable", _) => {
            return predefined(name, args).or_else(|| match name {
                "Buffer" => one(&mut Vec::new()).map(|a| Ty::Seq(SeqKind::Buffer, a)),
                _ => None,
            });
        }
        ("collection", "Map" | "Seq" | "Set" | "Iterable" | "IndexedSeq") => return predefined(name, args),
        ("mutable", _) => return path_named(&format!("scala.collection.mutable.{name}"), args),
        (
            "scala"
            | "scala.collection"
            | "scala.collection.immutable"
            | "immutable"
            | "scala.math"
            | "scala.util"
            | "scala.Predef"
            | "scala.util.matching",
            _,
        ) => return predefined(name, args).or_else(|| known(name)),
        ("org.apache.spark.sql", "Row") => Ty::Class("Row".into()),
        _ if package.starts_with("java.") || package.starts_with("scala.") => return known(name),
        _ => return None,
    })
}

fn known(name: &str) -> Option<Ty> {
    // Column types are known even where the library has no operation on them.
    let column = matches!(name, "Date" | "Timestamp" | "LocalDate" | "LocalDateTime" | "Instant");
    (column || lookup::has_class(name) || is_throwable(name)).then(|| Ty::Class(name.to_owned()))
}

/// Whether a name is one of `java.lang` or of Scala's own: the packages that may be imported whole have no class of that name.
fn in_every_file(name: &str) -> bool {
    super::names::PREDEFINED.contains(&name) || matches!(name, "Object" | "StringBuffer")
}

/// Types that every Scala file knows.
pub(super) fn predefined(name: &str, mut args: Vec<Ty>) -> Option<Ty> {
    let count = args.len();
    let mut next = || Box::new(args.remove(0));
    Some(match (name, count) {
        ("Int", 0) => Ty::INT,
        ("Long", 0) => Ty::LONG,
        ("Double", 0) => Ty::DOUBLE,
        ("Float", 0) => Ty::FLOAT,
        ("Short", 0) => Ty::Prim(Prim::Short),
        ("Byte", 0) => Ty::Prim(Prim::Byte),
        ("Char", 0) => Ty::CHAR,
        ("Boolean", 0) => Ty::BOOLEAN,
        ("Unit", 0) => Ty::Unit,
        ("Null", 0) => Ty::Null,
        ("Nothing", 0) => Ty::Nothing,
        ("Any" | "AnyRef" | "AnyVal" | "Object", 0) => Ty::Any,
        ("String", 0) => Ty::String,
        ("Integer", 0) => Ty::Boxed(Prim::Int),
        ("Character", 0) => Ty::Boxed(Prim::Char),
        ("BigDecimal", 0) => Ty::ScalaBigDecimal,
        ("BigInt", 0) => Ty::BigInt,
        ("Option" | "Some", 1) => Ty::Option(next()),
        ("Seq" | "IndexedSeq" | "Iterable" | "Traversable" | "WrappedArray" | "LinearSeq", 1) => {
            Ty::Seq(SeqKind::Seq, next())
        }
        ("List", 1) => Ty::Seq(SeqKind::List, next()),
        ("Vector", 1) => Ty::Seq(SeqKind::Vector, next()),
        ("ListBuffer" | "ArrayBuffer" | "Buffer", 1) => Ty::Seq(SeqKind::Buffer, next()),
        ("Range", 0) => Ty::Seq(SeqKind::Range, Box::new(Ty::INT)),
        ("Array", 1) => Ty::Array(next()),
        ("Iterator", 1) => Ty::Iterator(next()),
        ("Set" | "HashSet" | "LinkedHashSet", 1) => Ty::Set(next()),
        ("Map" | "HashMap" | "LinkedHashMap" | "ListMap", 2) => {
            let k = next();
            Ty::Map(k, next())
        }
        ("Try", 1) => Ty::Try(next()),
        ("Either", 2) => {
            let l = next();
            Ty::Either(l, next())
        }
        ("Function1", 2) | ("PartialFunction", 2) => {
            let a = next();
            Ty::Fn(vec![*a], next())
        }
        ("Ordering", 1) => super::orderings::ordering_of(*next()),
        ("Function0", 1) => Ty::Fn(Vec::new(), next()),
        ("Function2", 3) => {
            let (a, b) = (next(), next());
            Ty::Fn(vec![*a, *b], next())
        }
        ("Tuple2", 2) | ("Tuple3", 3) | ("Tuple4", 4) | ("Tuple5", 5) => Ty::Tuple(args),
        ("StringBuilder" | "StringBuffer" | "Regex" | "Throwable", 0) => Ty::Class(name.to_owned()),
        _ => return None,
    })
}
