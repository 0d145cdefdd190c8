//! C++ types of JVM types, and how constants are written.

use crate::lang::ast::Lit;
use crate::lang::ty::{Prim, Ty};
use crate::source::{Refusal, Span, Understood};

/// A type of the generated code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cpp {
    /// No value.
    Void,
    /// A primitive.
    Prim(Prim),
    /// `rw::Maybe` of a primitive.
    Maybe(Prim),
    /// `rw::Text`, which has a null of its own.
    Text,
    /// `rw::Maybe<rw::Text>`.
    MaybeText,
    /// `rw::Builder`.
    Builder,
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
        Ok(match ty {
            Ty::Unit | Ty::Nothing => Cpp::Void,
            Ty::Prim(p) => Cpp::Prim(*p),
            Ty::Boxed(p) => Cpp::Maybe(*p),
            Ty::String => Cpp::Text,
            Ty::Option(inner) => match inner.as_ref() {
                Ty::Prim(p) | Ty::Boxed(p) => Cpp::Maybe(*p),
                Ty::String => Cpp::MaybeText,
                other => return Err(no_type(&Ty::Option(Box::new(other.clone())), span)),
            },
            Ty::Class(name) if name == "StringBuilder" || name == "StringBuffer" => Cpp::Builder,
            other => return Err(no_type(other, span)),
        })
    }

    /// The C++ name.
    pub fn name(self) -> String {
        match self {
            Cpp::Void => "void".into(),
            Cpp::Prim(p) => prim_name(p).into(),
            Cpp::Maybe(p) => format!("rw::Maybe<{}>", prim_name(p)),
            Cpp::Text => "rw::Text".into(),
            Cpp::MaybeText => "rw::Maybe<rw::Text>".into(),
            Cpp::Builder => "rw::Builder".into(),
        }
    }

    /// The null of a reference type.
    pub fn null(self) -> Option<String> {
        match self {
            Cpp::Maybe(p) => Some(format!("rw::none<{}>()", prim_name(p))),
            Cpp::Text => Some("rw::null_text()".into()),
            Cpp::MaybeText => Some("rw::none<rw::Text>()".into()),
            _ => None,
        }
    }

    /// What a function returns when its row has failed; nobody reads it.
    pub fn bail(self) -> String {
        match self {
            Cpp::Void => "return;".into(),
            Cpp::Text => "return rw::null_text();".into(),
            Cpp::Prim(_) => "return 0;".into(),
            other => format!("return {};", other.null().unwrap_or_else(|| "{}".into())),
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
        ("nan(\"\")", "HUGE_VAL")
    } else {
        ("nanf(\"\")", "HUGE_VALF")
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
fn text_literal(units: &[u16], span: Span) -> Understood<String> {
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
