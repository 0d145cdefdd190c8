//! C++ types of JVM types, and how constants are written.

use crate::lang::ast::Lit;
use crate::lang::ty::{Prim, SeqKind, Ty};
use crate::source::{Refusal, Span, Understood};

/// A type of the generated code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Cpp {
    /// No value.
    Void,
    /// A primitive.
    Prim(Prim),
    /// `rw::Maybe`: a box, or an option.
    Maybe(Box<Cpp>),
    /// `rw::Text`, which has a null of its own.
    Text,
    /// `rw::Builder`, which stands in one variable.
    Builder,
    /// `rw::Seq`: an array or a sequence, with a null of its own.
    Seq(Box<Cpp>),
    /// `rw::Buffer`: a sequence that grows in one variable.
    Buffer(Box<Cpp>),
    /// `rw::Tuple2` and up.
    Tuple(Vec<Cpp>),
    /// `rw::Try`.
    Try(Box<Cpp>),
    /// `rw::Date`.
    Date,
    /// `rw::DateTime`: a moment in microseconds.
    Moment,
    /// `rw::Decimal`.
    Decimal,
    /// `rw::Regex`, known when the kernel is written.
    Regex,
    /// `rw::Matcher`, which stands in one variable.
    Matcher,
}

/// The C++ name of a primitive.
pub(super) fn prim_name(p: Prim) -> &'static str {
    match p {
        Prim::Boolean => "bool",
        Prim::Byte => "int8_t",
        Prim::Short => "int16_t",
        Prim::Char => "uint16_t",
        Prim::Int => "int32_t",
        Prim::Long => "int64_t",
        Prim::Float => "float",
        Prim::Double => "double",
    }
}

impl Cpp {
    /// The type of a JVM type; what has none is refused.
    pub fn of(ty: &Ty, span: Span) -> Understood<Cpp> {
        let inner = |t: &Ty| Cpp::of(t, span).map(Box::new);
        Ok(match ty {
            Ty::Unit | Ty::Nothing => Cpp::Void,
            Ty::Prim(p) => Cpp::Prim(*p),
            Ty::Boxed(p) => Cpp::Maybe(Box::new(Cpp::Prim(*p))),
            Ty::String => Cpp::Text,
            Ty::Option(content) => Cpp::Maybe(inner(content)?),
            Ty::Seq(SeqKind::Buffer, item) => Cpp::Buffer(inner(item)?),
            Ty::Seq(_, item) | Ty::Array(item) | Ty::Iterator(item) => Cpp::Seq(inner(item)?),
            Ty::Tuple(items) if (2..=4).contains(&items.len()) => {
                Cpp::Tuple(items.iter().map(|t| Cpp::of(t, span)).collect::<Understood<_>>()?)
            }
            Ty::Try(content) => Cpp::Try(inner(content)?),
            Ty::ScalaBigDecimal | Ty::JavaBigDecimal => Cpp::Decimal,
            Ty::Class(name) => match name.as_str() {
                "StringBuilder" | "StringBuffer" => Cpp::Builder,
                "LocalDate" | "Date" => Cpp::Date,
                "Timestamp" | "Instant" => Cpp::Moment,
                "DayOfWeek" | "Month" => Cpp::Prim(Prim::Int),
                "Regex" | "Pattern" => Cpp::Regex,
                "Matcher" | "Match" => Cpp::Matcher,
                _ => return Err(no_type(ty, span)),
            },
            other => return Err(no_type(other, span)),
        })
        .and_then(|cpp| cpp.whole().then_some(cpp).ok_or_else(|| no_type(ty, span)))
    }

    /// What stands in one variable is no part of anything.
    fn whole(&self) -> bool {
        match self {
            Cpp::Maybe(inner) | Cpp::Seq(inner) | Cpp::Buffer(inner) | Cpp::Try(inner) => {
                let open = **inner == Cpp::Void && matches!(self, Cpp::Maybe(_) | Cpp::Seq(_));
                open || !inner.stays() && **inner != Cpp::Void
                    || matches!((self, &**inner), (Cpp::Maybe(_), Cpp::Matcher))
            }
            Cpp::Tuple(items) => items.iter().all(|i| !i.stays() && *i != Cpp::Void),
            _ => true,
        }
    }

    /// Whether it is `None` or `Nil`, whose type only the place where they are used tells.
    pub fn is_open(&self) -> bool {
        matches!(self, Cpp::Maybe(inner) | Cpp::Seq(inner) if **inner == Cpp::Void)
    }

    /// Whether a value is an object that changes, so that it must stay in the variable that holds it.
    pub fn stays(&self) -> bool {
        matches!(self, Cpp::Builder | Cpp::Buffer(_) | Cpp::Matcher)
    }

    /// The C++ name.
    pub fn name(&self) -> String {
        match self {
            Cpp::Void => "void".into(),
            Cpp::Prim(p) => prim_name(*p).into(),
            Cpp::Maybe(inner) => format!("rw::Maybe<{}>", inner.name()),
            Cpp::Text => "rw::Text".into(),
            Cpp::Builder => "rw::Builder".into(),
            Cpp::Seq(item) => format!("rw::Seq<{}>", item.name()),
            Cpp::Buffer(item) => format!("rw::Buffer<{}>", item.name()),
            Cpp::Tuple(items) => {
                let names: Vec<String> = items.iter().map(Cpp::name).collect();
                format!("rw::Tuple{}<{}>", items.len(), names.join(", "))
            }
            Cpp::Try(inner) => format!("rw::Try<{}>", inner.name()),
            Cpp::Date => "rw::Date".into(),
            Cpp::Moment => "rw::DateTime".into(),
            Cpp::Decimal => "rw::Decimal".into(),
            Cpp::Regex => "rw::Regex".into(),
            Cpp::Matcher => "rw::Matcher".into(),
        }
    }

    /// The type of a parameter that takes it.
    pub fn parameter(&self) -> String {
        match self.stays() {
            true => format!("{}&", self.name()),
            false => self.name(),
        }
    }

    /// The null of a reference type.
    pub fn null(&self) -> Option<String> {
        match self {
            Cpp::Maybe(inner) => Some(format!("rw::none<{}>()", inner.name())),
            Cpp::Text => Some("rw::null_text()".into()),
            Cpp::Seq(_) | Cpp::Date | Cpp::Moment | Cpp::Decimal => Some(format!("{}{{}}", self.name())),
            _ => None,
        }
    }

    /// What a function returns when its row has failed; nobody reads it.
    pub fn bail(&self) -> String {
        match self {
            Cpp::Void => "return;".into(),
            Cpp::Text => "return rw::null_text();".into(),
            Cpp::Prim(_) => "return 0;".into(),
            _ => "return {};".into(),
        }
    }

    /// The primitive, if it is one.
    pub fn prim(&self) -> Option<Prim> {
        match self {
            Cpp::Prim(p) => Some(*p),
            _ => None,
        }
    }

    /// Whether two values can be compared with `rw::same`.
    pub fn comparable(&self) -> bool {
        match self {
            Cpp::Prim(_) | Cpp::Text | Cpp::Date | Cpp::Moment => true,
            Cpp::Maybe(inner) => inner.comparable(),
            Cpp::Seq(item) => !matches!(**item, Cpp::Seq(_)) && item.comparable(),
            Cpp::Tuple(items) => items.len() == 2 && items.iter().all(|i| !matches!(i, Cpp::Seq(_)) && i.comparable()),
            _ => false,
        }
    }

    /// Whether `==` of elements is plain equality: floats differ between boxes and values.
    pub fn plain_equality(&self) -> bool {
        match self {
            Cpp::Prim(p) => !matches!(p, Prim::Float | Prim::Double),
            Cpp::Text => true,
            Cpp::Maybe(inner) => inner.plain_equality(),
            Cpp::Tuple(items) => items.len() == 2 && items.iter().all(Cpp::plain_equality),
            _ => false,
        }
    }
}

fn no_type(ty: &Ty, span: Span) -> Refusal {
    Refusal::new(span, format!("values of type {ty} are not covered by the cuda tier"))
}

/// A constant in C++.
pub(super) fn literal(lit: &Lit, span: Span) -> Understood<String> {
    Ok(match lit {
        Lit::Unit => String::new(),
        Lit::Null => return Err(Refusal::new(span, "null of an unknown type")),
        Lit::Bool(b) => b.to_string(),
        Lit::Byte(v) => format!("int8_t({v})"),
        Lit::Short(v) => format!("int16_t({v})"),
        Lit::Char(c) => match char::from_u32(u32::from(*c)) {
            Some(c) if c.is_ascii_graphic() && c != '\'' && c != '\\' => format!("uint16_t('{c}')"),
            _ => format!("uint16_t({c})"),
        },
        // The least number has no literal: C++ reads a minus sign and a number that does not fit.
        Lit::Int(i32::MIN) => "(-2147483647 - 1)".into(),
        Lit::Int(v) if *v < 0 => format!("({v})"),
        Lit::Int(v) => v.to_string(),
        Lit::Long(i64::MIN) => "(-9223372036854775807LL - 1)".into(),
        Lit::Long(v) => format!("int64_t({v}LL)"),
        Lit::Float(v) => float_literal(f64::from(*v), &format!("{v:?}"), "f"),
        Lit::Double(v) => float_literal(*v, &format!("{v:?}"), ""),
        Lit::Str(units) => text_literal(units, span)?,
    })
}

fn float_literal(v: f64, digits: &str, suffix: &str) -> String {
    let (nan, infinity) = if suffix.is_empty() {
        ("nan(\"\")", "rw::infinity()")
    } else {
        ("nanf(\"\")", "static_cast<float>(rw::infinity())")
    };
    if v.is_nan() {
        nan.into()
    } else if v.is_infinite() {
        if v > 0.0 {
            infinity.into()
        } else {
            format!("(-{infinity})")
        }
    } else if v.is_sign_negative() {
        format!("({digits}{suffix})")
    } else {
        format!("{digits}{suffix}")
    }
}

/// A text constant: bytes, their number, and the number of UTF-16 units.
pub(super) fn text_literal(units: &[u16], span: Span) -> Understood<String> {
    let text = String::from_utf16(units)
        .map_err(|_| Refusal::new(span, "half a surrogate pair has no UTF-8 form on the device"))?;
    let mut quoted = String::new();
    for b in text.bytes() {
        match b {
            b'"' | b'\\' => quoted.extend(['\\', b as char]),
            b' '..=b'~' => quoted.push(b as char),
            // Three octal digits end by themselves; a hexadecimal escape would swallow the digits behind it.
            _ => quoted.push_str(&format!("\\{b:03o}")),
        }
    }
    let (size, count) = (text.len(), units.len());
    Ok(format!(
        "rw::Text{{reinterpret_cast<const uint8_t*>(\"{quoted}\"), {size}, {count}}}"
    ))
}
