//! Names that Scala, its library and the accelerator's helpers bring: `require`, `Using`, `withResource`, constructors and the
//! static sides of classes.

use num_bigint::BigInt;

use super::*;
use crate::run::cudf::api;
use crate::run::cudf::dtype::DType;

/// Objects and classes outside the library's table that can be selected from.
pub(super) const MODULES: [&str; 44] = [
    "Using",
    "math",
    "Math",
    "Seq",
    "List",
    "Vector",
    "IndexedSeq",
    "Array",
    "ArrayBuffer",
    "Option",
    "Some",
    "Optional",
    "Integer",
    "Long",
    "Double",
    "Float",
    "Boolean",
    "Byte",
    "Short",
    "Int",
    "Char",
    "String",
    "BigDecimal",
    "BigInt",
    "BigInteger",
    "EnumSet",
    "Arrays",
    "Arm",
    "RapidsPluginImplicits",
    "FindOptions",
    "ListBuffer",
    "Range",
    "NonFatal",
    "System",
    "Objects",
    "Predef",
    "Try",
    "mutable",
    "Collections",
    "Iterator",
    "util",
    "control",
    "StandardCharsets",
    "StripType",
];

/// Functions that are called by name alone.
pub(super) fn is_function(name: &str) -> bool {
    matches!(
        name,
        "require"
            | "assert"
            | "println"
            | "print"
            | "withResource"
            | "closeOnExcept"
            | "withResourceIfAllowed"
            | "freeOnExcept"
            | "identity"
    )
}

impl Interp<'_> {
    /// Calls whose second argument must not be evaluated first.
    pub(super) fn is_by_name_builtin(&self, name: &str) -> bool {
        matches!(name, "require" | "assert" | "Try" | "Option")
    }

    pub(super) fn by_name_builtin(&mut self, name: &str, args: &[Arg], span: Span, env: &Env) -> R {
        let Some(first) = args.first() else {
            return self.refuse(span, format!("`{name}` without arguments is not covered"));
        };
        match name {
            "Try" => {
                let r = self.eval(&first.value, env);
                self.attempt(r)
            }
            "Option" => match self.eval(&first.value, env)? {
                V::Null => Ok(V::Opt(None)),
                v => Ok(V::Opt(Some(Rc::new(v)))),
            },
            _ => {
                if self.condition(&first.value, env)? {
                    return Ok(V::Unit);
                }
                let detail = match args.get(1) {
                    Some(m) => format!(": {}", self.eval(&m.value, env)?.show()),
                    None => String::new(),
                };
                match name {
                    "require" => self.throw(span, "IllegalArgumentException", format!("requirement failed{detail}")),
                    _ => self.throw(span, "AssertionError", format!("assertion failed{detail}")),
                }
            }
        }
    }

    pub(super) fn builtin(&mut self, name: &str, args: Vec<V>, span: Span) -> R {
        match (name, &args[..]) {
            ("println" | "print", _) => Ok(V::Unit),
            ("identity", [x]) => Ok(x.clone()),
            _ => self.refuse(span, format!("`{name}` in this form is not covered")),
        }
    }

    /// `withResource(x) { y => … }`, `closeOnExcept(x) { y => … }`.
    pub(super) fn curried_builtin(&mut self, name: &str, a: Vec<V>, b: Vec<V>, span: Span) -> R {
        let ([resource], [f]) = (&a[..], &b[..]) else {
            return self.refuse(span, format!("this `{name}` is not covered"));
        };
        match name {
            "withResource" => self.with_resource(resource.clone(), f.clone(), span),
            "closeOnExcept" => {
                let out = self.call_value(f.clone(), vec![resource.clone()], span);
                if matches!(out, Err(Stop::Throw(_))) {
                    self.close(resource, span)?;
                }
                out
            }
            _ => self.refuse(span, format!("`{name}` is not covered")),
        }
    }

    fn with_resource(&mut self, resource: V, f: V, span: Span) -> R {
        let out = self.call_value(f, vec![resource.clone()], span);
        if !matches!(out, Err(Stop::Refuse(_))) {
            let closed = self.close(&resource, span);
            if out.is_ok() {
                closed?;
            }
        }
        out
    }

    /// Closes a handle, an option or every element of a sequence.
    pub(super) fn close(&mut self, v: &V, span: Span) -> R<()> {
        match v {
            V::Ref(id) => {
                let line = self.line(span);
                let r = self.heap.close(*id, line);
                self.java(span, r)
            }
            V::Null | V::Opt(None) => Ok(()),
            V::Opt(Some(inner)) => self.close(&(**inner).clone(), span),
            V::Seq(s) => {
                let items = s.items.borrow().clone();
                items.iter().try_for_each(|i| self.close(i, span))
            }
            V::Tuple(t) => t.iter().try_for_each(|i| self.close(i, span)),
            other => self.refuse(span, format!("closing a {} is not covered", other.type_name())),
        }
    }

    fn using_manager(&mut self, f: V, span: Span) -> R {
        let held = Rc::new(RefCell::new(Vec::new()));
        let mut out = self.call_value(f, vec![V::Manager(held.clone())], span);
        if !matches!(out, Err(Stop::Refuse(_))) {
            let opened: Vec<V> = held.borrow_mut().drain(..).rev().collect();
            for v in opened {
                let closed = self.close(&v, span);
                if out.is_ok()
                    && let Err(stop) = closed
                {
                    out = Err(stop);
                }
            }
        }
        self.attempt(out)
    }

    pub(super) fn curried_module(&mut self, module: &str, name: &str, a: Vec<V>, b: Vec<V>, span: Span) -> R {
        match (module, name, &a[..], &b[..]) {
            ("Using", "resource", [r], [f]) => self.with_resource(r.clone(), f.clone(), span),
            ("Using", "apply", [r], [f]) => {
                let out = self.with_resource(r.clone(), f.clone(), span);
                self.attempt(out)
            }
            ("Arm", ..) => self.curried_builtin(name, a, b, span),
            (_, "tabulate", [V::Int(n)], [f]) => {
                let mut out = Vec::new();
                for i in 0..*n {
                    out.push(self.call_value(f.clone(), vec![V::Int(i)], span)?);
                }
                Ok(V::seq(
                    if module == "Array" {
                        SeqKind::Array
                    } else {
                        SeqKind::Seq
                    },
                    out,
                ))
            }
            (_, "fill", [V::Int(n)], [x]) if !matches!(x, V::Ref(_)) => Ok(V::seq(
                if module == "Array" {
                    SeqKind::Array
                } else {
                    SeqKind::Seq
                },
                vec![x.clone(); (*n).max(0) as usize],
            )),
            _ => self.refuse(span, format!("`{module}.{name}` in this form is not covered")),
        }
    }

    /// A static method, an object's member, or a constant.
    pub(super) fn module_method(&mut self, module: &str, name: &str, args: Vec<V>, span: Span) -> R {
        if let Some(def) = self.object_def(module, name) {
            return self.call_def(&def, None, vec![args], span);
        }
        if let Some(v) = self.object_value(module, name, span)? {
            return if args.is_empty() {
                Ok(v)
            } else {
                self.call_value(v, args, span)
            };
        }
        if args.is_empty()
            && let Some(v) = self.constant(module, name)
        {
            return Ok(v);
        }
        if let Some(class) = api::class_name(module) {
            if args.is_empty() {
                let nested = format!("{class}.{name}");
                if let Some(n) = api::class_name(&nested) {
                    return Ok(V::Module(n.into()));
                }
                if name == "FindOptions" {
                    return Ok(V::Module(name.into()));
                }
            }
            return self.library_static(class, name, args, span);
        }
        self.scala_static(module, name, args, span)
    }

    /// `DType.INT32`, `BinaryOp.ADD`.
    pub(super) fn constant(&self, class: &str, name: &str) -> Option<V> {
        if class == "FindOptions" && matches!(name, "FIND_FIRST" | "FIND_LAST") {
            return Some(V::Enum("ColumnView.FindOptions".into(), name.into()));
        }
        let class = api::class_name(class)?;
        let ty = api::constant(class, name)?;
        Some(match (ty, name) {
            ("DType", _) => V::DType(DType::named(name)?),
            ("int", "DECIMAL32_MAX_PRECISION") => V::Int(9),
            ("int", "DECIMAL64_MAX_PRECISION") => V::Int(18),
            ("int", "DECIMAL128_MAX_PRECISION") => V::Int(38),
            _ if ty == class => V::Enum(class.into(), name.into()),
            _ => return None,
        })
    }

    fn scala_static(&mut self, module: &str, name: &str, args: Vec<V>, span: Span) -> R {
        match (module, name, &args[..]) {
            ("Using", "Manager", [f]) => self.using_manager(f.clone(), span),
            ("Using", "Manager", []) => Ok(V::Fn(Rc::new(Func::Method(
                V::Module("Using".into()),
                "Manager".into(),
            )))),
            ("Seq" | "List" | "Vector" | "IndexedSeq" | "Iterator", "apply", _) => Ok(V::seq(SeqKind::Seq, args)),
            ("Arrays", "asList", _) => Ok(V::seq(SeqKind::Seq, args)),
            ("Array", "apply", _) => Ok(V::seq(SeqKind::Array, args)),
            ("ArrayBuffer" | "ListBuffer", "apply" | "empty", _) => Ok(V::seq(SeqKind::Buffer, args)),
            ("mutable", "ArrayBuffer" | "ListBuffer" | "Buffer", []) => Ok(V::Module("ArrayBuffer".into())),
            ("mutable", "ArrayBuffer" | "ListBuffer" | "Buffer", _) => Ok(V::seq(SeqKind::Buffer, args)),
            ("Array", "empty", []) => Ok(V::seq(SeqKind::Array, args)),
            ("Option" | "Optional", "empty", []) => Ok(V::Opt(None)),
            (_, "empty", []) => Ok(V::seq(SeqKind::Seq, args)),
            ("Array" | "Seq" | "List", "fill" | "tabulate", [V::Int(_)]) => {
                self.refuse(span, format!("`{module}.{name}` with one argument list is not covered"))
            }
            ("EnumSet", "of", _) | ("EnumSet", "noneOf", [_]) => {
                Ok(V::seq(SeqKind::Set, if name == "of" { args } else { Vec::new() }))
            }
            ("Some", "apply", [x]) => Ok(V::Opt(Some(Rc::new(x.clone())))),
            ("Optional", "of", [x]) => Ok(V::Opt(Some(Rc::new(x.clone())))),
            ("Option" | "Optional", "apply" | "ofNullable", [x]) => Ok(match x {
                V::Null => V::Opt(None),
                v => V::Opt(Some(Rc::new(v.clone()))),
            }),
            ("math" | "Math", "max" | "min", [a, b]) => self.method(a.clone(), name, vec![b.clone()], span),
            ("math" | "Math", "abs", [a]) => self.method(a.clone(), name, vec![], span),
            ("math", "BigDecimal", []) => Ok(V::Module("BigDecimal".into())),
            ("math", "BigDecimal", _) => self.scala_static("BigDecimal", "apply", args, span),
            ("math" | "Math", "sqrt", [a]) => Ok(V::Double(a.as_f64().unwrap_or(f64::NAN).sqrt())),
            ("math" | "Math", "Pi" | "PI", []) => Ok(V::Double(std::f64::consts::PI)),
            ("math" | "Math", "E", []) => Ok(V::Double(std::f64::consts::E)),
            ("Int" | "Integer", "MaxValue" | "MAX_VALUE", []) => Ok(V::Int(i32::MAX)),
            ("Int" | "Integer", "MinValue" | "MIN_VALUE", []) => Ok(V::Int(i32::MIN)),
            ("Long", "MaxValue" | "MAX_VALUE", []) => Ok(V::Long(i64::MAX)),
            ("Long", "MinValue" | "MIN_VALUE", []) => Ok(V::Long(i64::MIN)),
            ("Byte", "MaxValue" | "MAX_VALUE", []) => Ok(V::Byte(i8::MAX)),
            ("Byte", "MinValue" | "MIN_VALUE", []) => Ok(V::Byte(i8::MIN)),
            ("Short", "MaxValue" | "MAX_VALUE", []) => Ok(V::Short(i16::MAX)),
            ("Short", "MinValue" | "MIN_VALUE", []) => Ok(V::Short(i16::MIN)),
            ("Double", "NaN", []) => Ok(V::Double(f64::NAN)),
            ("Float", "NaN", []) => Ok(V::Float(f32::NAN)),
            ("Double", "PositiveInfinity" | "POSITIVE_INFINITY", []) => Ok(V::Double(f64::INFINITY)),
            ("Double", "NegativeInfinity" | "NEGATIVE_INFINITY", []) => Ok(V::Double(f64::NEG_INFINITY)),
            ("Float", "PositiveInfinity" | "POSITIVE_INFINITY", []) => Ok(V::Float(f32::INFINITY)),
            ("Float", "NegativeInfinity" | "NEGATIVE_INFINITY", []) => Ok(V::Float(f32::NEG_INFINITY)),
            ("Double", "MaxValue" | "MAX_VALUE", []) => Ok(V::Double(f64::MAX)),
            ("Double", "MinValue", []) => Ok(V::Double(f64::MIN)),
            ("Double", "MinPositiveValue" | "MIN_VALUE", []) => Ok(V::Double(f64::from_bits(1))),
            ("Double", "longBitsToDouble", [V::Long(b)]) => Ok(V::Double(f64::from_bits(*b as u64))),
            ("Float", "intBitsToFloat", [V::Int(b)]) => Ok(V::Float(f32::from_bits(*b as u32))),
            (
                "Integer" | "Long" | "Double" | "Float" | "Boolean" | "Byte" | "Short" | "Int",
                "valueOf" | "box",
                [v],
            ) => Ok(match module {
                "Long" => self.adapt(
                    v.clone(),
                    Some(&TypeRef {
                        name: "Long".into(),
                        args: vec![],
                    }),
                ),
                "Double" => self.adapt(
                    v.clone(),
                    Some(&TypeRef {
                        name: "Double".into(),
                        args: vec![],
                    }),
                ),
                _ => v.clone(),
            }),
            ("BigDecimal" | "BigInteger" | "BigInt", ..) => self.big_static(module, name, &args, span),
            ("Boolean", "TRUE", []) => Ok(V::Bool(true)),
            ("Boolean", "FALSE", []) => Ok(V::Bool(false)),
            ("Arm" | "Predef", ..) if !args.is_empty() => self.builtin(name, args, span),
            ("Objects", "requireNonNull", [V::Null, ..]) => self.throw(span, "NullPointerException", ""),
            ("Objects", "requireNonNull", [v, ..]) => Ok(v.clone()),
            (_, _, []) if MODULES.contains(&name) => Ok(V::Module(name.into())),
            (_, "apply", _) if self.unit.templates.iter().any(|t| t.name == module) => {
                self.refuse(span, format!("instances of `{module}` are not covered"))
            }
            _ => self.refuse(span, format!("`{module}.{name}` is not covered")),
        }
    }

    fn big_static(&mut self, module: &str, name: &str, args: &[V], span: Span) -> R {
        let decimal = module == "BigDecimal";
        match (name, args) {
            ("apply" | "valueOf", [v]) if v.as_i64().is_some() => {
                let value = BigInt::from(v.as_i64().unwrap_or(0));
                Ok(if decimal {
                    V::Dec(Rc::new((value, 0)))
                } else {
                    V::BigInt(Rc::new(value))
                })
            }
            ("valueOf" | "apply", [v, V::Int(scale)]) if decimal && v.as_i64().is_some() => {
                Ok(V::Dec(Rc::new((BigInt::from(v.as_i64().unwrap_or(0)), *scale))))
            }
            ("apply", [V::Str(s)]) if decimal => self.parse_decimal(s, span),
            ("apply", [V::Str(s)]) => match s.parse::<BigInt>() {
                Ok(v) => Ok(V::BigInt(Rc::new(v))),
                Err(_) => self.throw(span, "NumberFormatException", s.to_string()),
            },
            ("ZERO", []) => Ok(if decimal {
                V::Dec(Rc::new((0.into(), 0)))
            } else {
                V::BigInt(Rc::new(0.into()))
            }),
            ("ONE", []) => Ok(if decimal {
                V::Dec(Rc::new((1.into(), 0)))
            } else {
                V::BigInt(Rc::new(1.into()))
            }),
            _ => self.refuse(span, format!("`{module}.{name}` in this form is not covered")),
        }
    }

    fn parse_decimal(&mut self, s: &str, span: Span) -> R {
        let (digits, scale) = match s.split_once('.') {
            Some((a, b)) => (format!("{a}{b}"), b.len() as i32),
            None => (s.to_string(), 0),
        };
        match digits.parse::<BigInt>() {
            Ok(v) if !digits.contains(['e', 'E', '_']) => Ok(V::Dec(Rc::new((v, scale)))),
            _ => self.refuse(span, format!("the decimal text \"{s}\" is not covered")),
        }
    }

    /// `new T(…)`.
    pub(super) fn construct(&mut self, ty: &TypeRef, args: Vec<V>, span: Span) -> R {
        match (ty.name.as_str(), &args[..]) {
            ("Array", [V::Int(n)]) => {
                if *n < 0 {
                    return self.throw(span, "NegativeArraySizeException", n.to_string());
                }
                let zero = match ty.args.first().map(|t| t.name.as_str()) {
                    Some("Int") => V::Int(0),
                    Some("Long") => V::Long(0),
                    Some("Double") => V::Double(0.0),
                    Some("Float") => V::Float(0.0),
                    Some("Boolean") => V::Bool(false),
                    Some("Byte") => V::Byte(0),
                    Some("Short") => V::Short(0),
                    Some("Char") => V::Char(0),
                    _ => V::Null,
                };
                Ok(V::seq(SeqKind::Array, vec![zero; *n as usize]))
            }
            ("ArrayBuffer" | "ListBuffer" | "ArrayList", [] | [V::Int(_)]) => Ok(V::seq(SeqKind::Buffer, Vec::new())),
            ("BigDecimal", [V::Str(s)]) => self.parse_decimal(&s.clone(), span),
            ("BigDecimal", [V::BigInt(b), V::Int(scale)]) => Ok(V::Dec(Rc::new(((**b).clone(), *scale)))),
            ("BigDecimal", [v]) if v.as_i64().is_some() => Ok(V::Dec(Rc::new((v.as_i64().unwrap_or(0).into(), 0)))),
            ("BigInteger", [V::Str(_)]) => self.big_static("BigInteger", "apply", &args, span),
            (name, _) if name.ends_with("Exception") || name.ends_with("Error") => {
                let message = args.first().map_or(String::new(), V::show);
                Ok(V::Exc(Rc::new(Exc {
                    class: name.to_string(),
                    message,
                    span,
                })))
            }
            (name, _) => match api::class_name(name) {
                Some(class) => self.library_new(class, args, span),
                None => self.refuse(span, format!("new {name} is not covered")),
            },
        }
    }
}
