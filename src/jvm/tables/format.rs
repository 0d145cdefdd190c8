//! Rows for `String.format`, `formatted`, `DecimalFormat`, `Locale`.

use crate::jvm::args::{double, int, long, mismatch, null_row, object, row, string};
use crate::jvm::format::decimal_format::DecimalFormat;
use crate::jvm::format::{Arg, Float, FormatError, format};
use crate::jvm::object::{Object, Other};
use crate::jvm::show;
use crate::jvm::table::{Context, Method};
use crate::jvm::text::JStr;
use crate::jvm::value::{Eval, Throw, Value};
use crate::jvm::view;

/// A `java.util.Locale`, by its language tag; the root locale's is empty.
#[derive(Debug)]
pub struct Locale(pub String);

impl Other for Locale {
    fn class_name(&self) -> &'static str {
        "Locale"
    }

    fn as_any(&self) -> &dyn std::any::Any {
        self
    }
}

impl Other for DecimalFormat {
    fn class_name(&self) -> &'static str {
        "DecimalFormat"
    }

    fn as_any(&self) -> &dyn std::any::Any {
        self
    }
}

/// Accepts a locale that maps case and writes numbers as the root locale does; others are refused.
pub fn root_like(v: &Value) -> Eval<()> {
    let Object::Other(other) = object(v)? else {
        return Err(mismatch("Locale", v));
    };
    let Some(Locale(tag)) = other.as_any().downcast_ref() else {
        return Err(mismatch("Locale", v));
    };
    match tag.as_str() {
        "" | "en" | "en-US" | "en-GB" => Ok(()),
        other => Err(Throw::Unsupported(format!(
            "the rules of locale {other} are not covered"
        ))),
    }
}

const THROWS: &[&str] = &[
    "MissingFormatArgumentException",
    "IllegalFormatConversionException",
    "UnknownFormatConversionException",
    "FormatFlagsConversionMismatchException",
    "IllegalFormatPrecisionException",
    "IllegalFormatFlagsException",
    "MissingFormatWidthException",
    "NullPointerException",
];
const S: &str = "String";
const L: &str = "static Locale";
const NONE: &[&str] = &[];

macro_rules! locale {
    ($id:literal, $name:literal, $tag:literal) => {
        row($id, L, $name, ": Locale", NONE, |_, _, _| Ok(locale($tag)))
    };
}

/// The rows.
#[rustfmt::skip]
pub static ROWS: &[Method] = &[
    row("String.format", S, "format", "(Any*): String", THROWS, |cx, a, _| formatted(cx, &a[0], &a[1])),
    row("String.formatted", S, "formatted", "(Any*): String", THROWS, |cx, a, _| formatted(cx, &a[0], &a[1])),
    row("String.formatLocal", S, "formatLocal", "(Locale, Any*): String", THROWS, |cx, a, _| {
        root_like(&a[1])?;
        formatted(cx, &a[0], &a[2])
    }),
    row("static String.format", "static String", "format", "(String, Any*): String", THROWS, |cx, a, _| formatted(cx, &a[0], &a[1])),
    row("static String.format(Locale)", "static String", "format", "(Locale, String, Any*): String", THROWS, |cx, a, _| {
        if !a[0].is_null() {
            root_like(&a[0])?;
        }
        formatted(cx, &a[1], &a[2])
    }),
    null_row("Any.formatted", "Any", "formatted", "(String): String", THROWS, |cx, a, _| {
        let arg = arg(cx, &a[0])?;
        made(cx, string(&a[1])?, &[arg])
    }),
    locale!("static Locale.ROOT", "ROOT", ""),
    locale!("static Locale.ENGLISH", "ENGLISH", "en"),
    locale!("static Locale.US", "US", "en-US"),
    locale!("static Locale.UK", "UK", "en-GB"),
    locale!("static Locale.GERMANY", "GERMANY", "de-DE"),
    locale!("static Locale.FRANCE", "FRANCE", "fr-FR"),
    row("static Locale.getDefault", L, "getDefault", ": Locale", NONE, |_, _, _| Ok(locale("en-US"))),
    row("static Locale.forLanguageTag", L, "forLanguageTag", "(String): Locale", &["NullPointerException"], |_, a, _| Ok(locale(&string(&a[0])?.to_utf8()))),
    row("new Locale", "new Locale", "Locale", "(String): Locale", &["NullPointerException"], |_, a, _| Ok(locale(&string(&a[0])?.to_utf8()))),
    row("new Locale(String,String)", "new Locale", "Locale", "(String, String): Locale", &["NullPointerException"], |_, a, _| {
        Ok(locale(&format!("{}-{}", string(&a[0])?.to_utf8(), string(&a[1])?.to_utf8())))
    }),
    row("new DecimalFormat", "new DecimalFormat", "DecimalFormat", "(String): DecimalFormat", &["IllegalArgumentException"], |_, a, _| decimal_format(&a[0])),
    row("new DecimalFormat(String,DecimalFormatSymbols)", "new DecimalFormat", "DecimalFormat", "(String, DecimalFormatSymbols): DecimalFormat", &["IllegalArgumentException"], |_, a, _| {
        // The symbols are represented by their locale.
        root_like(&a[1])?;
        decimal_format(&a[0])
    }),
    row("static DecimalFormatSymbols.getInstance", "static DecimalFormatSymbols", "getInstance", "(Locale): DecimalFormatSymbols", NONE, |_, a, _| {
        root_like(&a[0])?;
        Ok(a[0].clone())
    }),
    row("new DecimalFormatSymbols", "new DecimalFormatSymbols", "DecimalFormatSymbols", "(Locale): DecimalFormatSymbols", NONE, |_, a, _| {
        root_like(&a[0])?;
        Ok(a[0].clone())
    }),
    row("DecimalFormat.format(Double)", "DecimalFormat", "format", "(Double): String", NONE, |_, a, _| {
        Ok(Value::str(&format_of(&a[0])?.double(double(&a[1])?)))
    }),
    row("DecimalFormat.format(Long)", "DecimalFormat", "format", "(Long): String", NONE, |_, a, _| {
        Ok(Value::str(&format_of(&a[0])?.long(long(&a[1])?)))
    }),
];

fn locale(tag: &str) -> Value {
    Value::obj(Object::Other(Box::new(Locale(tag.to_string()))))
}

fn decimal_format(pattern: &Value) -> Eval {
    let format = DecimalFormat::new(&string(pattern)?.to_utf8()).map_err(Throw::Unsupported)?;
    Ok(Value::obj(Object::Other(Box::new(format))))
}

fn format_of(v: &Value) -> Eval<&DecimalFormat> {
    let Object::Other(other) = object(v)? else {
        return Err(mismatch("DecimalFormat", v));
    };
    other
        .as_any()
        .downcast_ref()
        .ok_or_else(|| mismatch("DecimalFormat", v))
}

fn formatted(cx: &mut dyn Context, pattern: &Value, args: &Value) -> Eval {
    let mut list = Vec::new();
    for v in view::all(cx, args)? {
        list.push(arg(cx, &v)?);
    }
    made(cx, string(pattern)?, &list)
}

fn made(cx: &mut dyn Context, pattern: &JStr, args: &[Arg]) -> Eval {
    cx.step(1 + pattern.len() as u64 / 4)?;
    match format(&pattern.units(), args) {
        Ok(units) => {
            cx.grow(units.len() * 2)?;
            Ok(Value::Str(JStr::from_units(&units)))
        }
        Err(FormatError::Throws(class, message)) => Err(Throw::exception(class, message)),
        Err(FormatError::Unsupported(what)) => Err(Throw::Unsupported(what)),
    }
}

/// A value as a formatter's argument; Scala's decimals are unwrapped.
fn arg(cx: &mut dyn Context, v: &Value) -> Eval<Arg> {
    Ok(match v {
        Value::Null => Arg::Null,
        Value::Bool(b) => Arg::Bool(*b),
        Value::Char(c) => Arg::Char(*c),
        Value::Byte(_) => Arg::Int(i64::from(int(v)?), 8),
        Value::Short(_) => Arg::Int(i64::from(int(v)?), 16),
        Value::Int(i) => Arg::Int(i64::from(*i), 32),
        Value::Long(i) => Arg::Int(*i, 64),
        Value::Float(f) => Arg::Double(f64::from(*f), Float::Single),
        Value::Double(d) => Arg::Double(*d, Float::Double),
        Value::Str(s) => Arg::Text(s.units().into_owned(), "java.lang.String"),
        Value::Obj(o) => match &**o {
            Object::Decimal { value, .. } => Arg::Decimal(value.clone()),
            Object::BigInt(i) => Arg::BigInt(i.clone()),
            _ => Arg::Text(show::value_of(cx, v)?.units().into_owned(), show::class_of(v)),
        },
        Value::Unit => Arg::Text("()".encode_utf16().collect(), "scala.runtime.BoxedUnit"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_vectors::{call_row, shown, vectors};

    #[test]
    fn rows_give_what_the_jvm_gave() {
        for (file, pattern) in [
            ("format_2f", "%.2f"),
            ("int_format_05d", "%05d"),
            ("int_format_grouped", "%,d"),
        ] {
            for row in vectors(file).rows() {
                let value = if file == "format_2f" {
                    row.f64("a").map(Value::Double)
                } else {
                    row.parse("a").map(Value::Int)
                };
                let Some(value) = value else { continue };
                let got = call_row("String.format", &[Value::str(pattern), Value::list(vec![value])]).unwrap();
                assert_eq!(shown(&got), row.raw("jvm_result"), "{row:?}");
            }
        }
    }
}
