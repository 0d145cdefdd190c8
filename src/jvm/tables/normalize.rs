//! Rows for `java.text.Normalizer`. What later versions of Unicode than that of JDK 17 assign is refused.

use unicode_normalization::UnicodeNormalization;

use crate::jvm::listing::rows_of;
use crate::jvm::object::{Object, Other};
use crate::jvm::table::{Context, Method};
use crate::jvm::text::JStr;
use crate::jvm::unicode::is_assigned_later;
use crate::jvm::value::{Eval, Throw, Value};
use crate::jvm::{args, show};
use crate::lang::ty::Ty;

/// The rows.
pub static ROWS: &[Method] = rows_of![
    "Normalizer.normalize", "static Normalizer", "normalize", "(CharSequence, NormalizerForm): String", ["NullPointerException"], normalize;
    "Normalizer.normalize(String)", "static Normalizer", "normalize", "(String, NormalizerForm): String", ["NullPointerException"], normalize;
    "Normalizer.isNormalized", "static Normalizer", "isNormalized", "(String, NormalizerForm): Boolean", ["NullPointerException"], is_normalized;
    "Normalizer.Form.NFC", "static Form", "NFC", ": NormalizerForm", [], |_, _, _| form(Form::Nfc);
    "Normalizer.Form.NFD", "static Form", "NFD", ": NormalizerForm", [], |_, _, _| form(Form::Nfd);
    "Normalizer.Form.NFKC", "static Form", "NFKC", ": NormalizerForm", [], |_, _, _| form(Form::Nfkc);
    "Normalizer.Form.NFKD", "static Form", "NFKD", ": NormalizerForm", [], |_, _, _| form(Form::Nfkd);
];

/// `Normalizer.Form`.
#[derive(Debug, Clone, Copy)]
enum Form {
    Nfc,
    Nfd,
    Nfkc,
    Nfkd,
}

impl Other for Form {
    fn class_name(&self) -> &'static str {
        "NormalizerForm"
    }

    fn as_any(&self) -> &dyn std::any::Any {
        self
    }
}

fn form(form: Form) -> Eval {
    Ok(Value::obj(Object::Other(Box::new(form))))
}

fn normalized(cx: &mut dyn Context, a: &[Value]) -> Eval<(String, String)> {
    if a[0].is_null() || a[1].is_null() {
        return Err(Throw::null_pointer());
    }
    let units = show::value_of(cx, &a[0])?.units().to_vec();
    cx.step(1 + units.len() as u64 / 4)?;
    cx.grow(units.len() * 8)?;
    let text = String::from_utf16(&units)
        .map_err(|_| Throw::Unsupported("normalizing a lone surrogate is not covered".into()))?;
    if text.chars().any(|c| is_assigned_later(u32::from(c))) {
        return Err(Throw::Unsupported(
            "normalizing a character that JDK 17 does not know is not covered".into(),
        ));
    }
    let Object::Other(other) = args::object(&a[1])? else {
        return Err(args::mismatch("Form", &a[1]));
    };
    let out = match other.as_any().downcast_ref::<Form>() {
        Some(Form::Nfc) => text.nfc().collect(),
        Some(Form::Nfd) => text.nfd().collect(),
        Some(Form::Nfkc) => text.nfkc().collect(),
        Some(Form::Nfkd) => text.nfkd().collect(),
        None => return Err(args::mismatch("Form", &a[1])),
    };
    Ok((text, out))
}

fn normalize(cx: &mut dyn Context, a: &[Value], _: &Ty) -> Eval {
    let (_, out) = normalized(cx, a)?;
    Ok(Value::Str(JStr::new(&out)))
}

fn is_normalized(cx: &mut dyn Context, a: &[Value], _: &Ty) -> Eval {
    let (text, out) = normalized(cx, a)?;
    Ok(Value::Bool(text == out))
}
