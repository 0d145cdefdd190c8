//! Rows for `Pattern`, `Matcher` and the regex methods of `String`.

use std::sync::{Arc, Mutex};

use super::{compile, compiled, not_replaced, pattern, thrown};
use crate::jvm::args::{int, mismatch, object, row, string};
use crate::jvm::object::{Object, Other};
use crate::jvm::regex::{Captures, Regex, Search, flags, quote, replace, split};
use crate::jvm::show;
use crate::jvm::table::{Context, Method};
use crate::jvm::text::JStr;
use crate::jvm::value::{Eval, Throw, Value};
use crate::jvm::view::lock;
use crate::lang::ty::Ty;

const S: &str = "String";
const P: &str = "Pattern";
const SP: &str = "static Pattern";
const M: &str = "Matcher";
const NONE: &[&str] = &[];
const SYNTAX: &[&str] = &["PatternSyntaxException", "NullPointerException"];
const REPLACE: &[&str] = &[
    "PatternSyntaxException",
    "IllegalArgumentException",
    "IndexOutOfBoundsException",
    "NullPointerException",
];
const STATE: &[&str] = &[
    "IllegalStateException",
    "IndexOutOfBoundsException",
    "IllegalArgumentException",
];

/// A flag of `Pattern` as a row.
macro_rules! flag {
    ($id:literal, $name:literal, $value:expr) => {
        row($id, SP, $name, ": Int", NONE, |_, _, _| Ok(Value::Int($value as i32)))
    };
}

/// The rows.
#[rustfmt::skip]
pub static ROWS: &[Method] = &[
    row("String.matches", S, "matches", "(String): Boolean", SYNTAX, |cx, a, _| matches(cx, &*compiled(string(&a[1])?)?, &a[0])),
    row("String.replaceAll", S, "replaceAll", "(String, String): String", REPLACE, |cx, a, _| {
        replaced(cx, &*compiled(string(&a[1])?)?, &a[0], &a[2], true)
    }),
    row("String.replaceFirst", S, "replaceFirst", "(String, String): String", REPLACE, |cx, a, _| {
        replaced(cx, &*compiled(string(&a[1])?)?, &a[0], &a[2], false)
    }),
    row("String.split", S, "split", "(String): Array[String]", SYNTAX, |cx, a, _| parts(cx, &*compiled(string(&a[1])?)?, &a[0], 0)),
    row("String.split(String,Int)", S, "split", "(String, Int): Array[String]", SYNTAX, |cx, a, _| {
        parts(cx, &*compiled(string(&a[1])?)?, &a[0], int(&a[2])?)
    }),
    row("static Pattern.compile", SP, "compile", "(String): Pattern", SYNTAX, |_, a, _| Ok(Value::obj(Object::Regex(compiled(string(&a[0])?)?)))),
    row("static Pattern.compile(String,Int)", SP, "compile", "(String, Int): Pattern", SYNTAX, |_, a, _| {
        Ok(Value::obj(Object::Regex(compile(string(&a[0])?, int(&a[1])? as u32)?)))
    }),
    row("static Pattern.matches", SP, "matches", "(String, String): Boolean", SYNTAX, |cx, a, _| matches(cx, &*compiled(string(&a[0])?)?, &a[1])),
    row("static Pattern.quote", SP, "quote", "(String): String", NONE, |_, a, _| Ok(Value::Str(JStr::from_units(&quote(&string(&a[0])?.units()))))),
    row("static Matcher.quoteReplacement", "static Matcher", "quoteReplacement", "(String): String", NONE, |_, a, _| quote_replacement(&a[0])),
    flag!("static Pattern.CASE_INSENSITIVE", "CASE_INSENSITIVE", flags::CASE_INSENSITIVE),
    flag!("static Pattern.MULTILINE", "MULTILINE", flags::MULTILINE),
    flag!("static Pattern.DOTALL", "DOTALL", flags::DOTALL),
    flag!("static Pattern.UNICODE_CASE", "UNICODE_CASE", flags::UNICODE_CASE),
    flag!("static Pattern.COMMENTS", "COMMENTS", flags::COMMENTS),
    flag!("static Pattern.LITERAL", "LITERAL", flags::LITERAL),
    flag!("static Pattern.UNIX_LINES", "UNIX_LINES", flags::UNIX_LINES),
    flag!("static Pattern.UNICODE_CHARACTER_CLASS", "UNICODE_CHARACTER_CLASS", flags::UNICODE_CHARACTER_CLASS),
    row("Pattern.matcher", P, "matcher", "(CharSequence): Matcher", NONE, matcher),
    row("Pattern.matcher(String)", P, "matcher", "(String): Matcher", NONE, matcher),
    row("Pattern.pattern", P, "pattern", ": String", NONE, |_, a, _| Ok(Value::Str(JStr::from_units(pattern(&a[0])?.units())))),
    row("Pattern.toString", P, "toString", ": String", NONE, |_, a, _| Ok(Value::Str(JStr::from_units(pattern(&a[0])?.units())))),
    row("Pattern.flags", P, "flags", ": Int", NONE, |_, a, _| Ok(Value::Int(pattern(&a[0])?.flags as i32))),
    row("Pattern.split", P, "split", "(String): Array[String]", NONE, |cx, a, _| parts(cx, pattern(&a[0])?, &a[1], 0)),
    row("Pattern.split(String,Int)", P, "split", "(String, Int): Array[String]", NONE, |cx, a, _| parts(cx, pattern(&a[0])?, &a[1], int(&a[2])?)),
    row("Matcher.matches", M, "matches", ": Boolean", NONE, |cx, a, _| with(&a[0], |m| m.whole(cx, true))),
    row("Matcher.lookingAt", M, "lookingAt", ": Boolean", NONE, |cx, a, _| with(&a[0], |m| m.whole(cx, false))),
    row("Matcher.find", M, "find", ": Boolean", NONE, |cx, a, _| with(&a[0], |m| m.find(cx))),
    row("Matcher.find(Int)", M, "find", "(Int): Boolean", &["IndexOutOfBoundsException"], |cx, a, _| {
        let from = int(&a[1])?;
        with(&a[0], |m| {
            let bad = || Throw::exception("IndexOutOfBoundsException", "Illegal start index");
            let start = usize::try_from(from).ok().filter(|f| *f <= m.units.len()).ok_or_else(bad)?;
            m.search = Search::starting_at(start);
            m.appended = 0;
            m.find(cx)
        })
    }),
    row("Matcher.group", M, "group", ": String", STATE, |_, a, _| with(&a[0], |m| m.text(0))),
    row("Matcher.group(Int)", M, "group", "(Int): String", STATE, |_, a, _| {
        let g = int(&a[1])?;
        with(&a[0], |m| m.text(g))
    }),
    row("Matcher.group(String)", M, "group", "(String): String", STATE, |_, a, _| {
        let name = string(&a[1])?;
        with(&a[0], |m| { let g = m.named(name)?; m.text(g) })
    }),
    row("Matcher.groupCount", M, "groupCount", ": Int", NONE, |_, a, _| with(&a[0], |m| Ok(Value::Int(m.regex.group_count() as i32)))),
    row("Matcher.start", M, "start", ": Int", STATE, |_, a, _| with(&a[0], |m| m.bound(0, true))),
    row("Matcher.start(Int)", M, "start", "(Int): Int", STATE, |_, a, _| { let g = int(&a[1])?; with(&a[0], |m| m.bound(g, true)) }),
    row("Matcher.start(String)", M, "start", "(String): Int", STATE, |_, a, _| { let n = string(&a[1])?; with(&a[0], |m| { let g = m.named(n)?; m.bound(g, true) }) }),
    row("Matcher.end", M, "end", ": Int", STATE, |_, a, _| with(&a[0], |m| m.bound(0, false))),
    row("Matcher.end(Int)", M, "end", "(Int): Int", STATE, |_, a, _| { let g = int(&a[1])?; with(&a[0], |m| m.bound(g, false)) }),
    row("Matcher.end(String)", M, "end", "(String): Int", STATE, |_, a, _| { let n = string(&a[1])?; with(&a[0], |m| { let g = m.named(n)?; m.bound(g, false) }) }),
    row("Matcher.reset", M, "reset", ": Matcher", NONE, |_, a, _| {
        with(&a[0], |m| { m.search = Search::default(); m.found = None; m.appended = 0; Ok(Value::Unit) })?;
        Ok(a[0].clone())
    }),
    row("Matcher.appendReplacement", M, "appendReplacement", "(StringBuffer, String): Matcher", REPLACE, append_replacement),
    row("Matcher.appendReplacement(StringBuilder)", M, "appendReplacement", "(StringBuilder, String): Matcher", REPLACE, append_replacement),
    row("Matcher.appendTail", M, "appendTail", "(StringBuffer): StringBuffer", NONE, append_tail),
    row("Matcher.appendTail(StringBuilder)", M, "appendTail", "(StringBuilder): StringBuilder", NONE, append_tail),
    row("Matcher.replaceAll", M, "replaceAll", "(String): String", REPLACE, |cx, a, _| with(&a[0], |m| m.replace(cx, &a[1], true))),
    row("Matcher.replaceFirst", M, "replaceFirst", "(String): String", REPLACE, |cx, a, _| with(&a[0], |m| m.replace(cx, &a[1], false))),
];

/// A `java.util.regex.Matcher`.
#[derive(Debug)]
pub struct Matcher(Mutex<State>);

#[derive(Debug)]
struct State {
    regex: Arc<Regex>,
    units: Arc<[u16]>,
    search: Search,
    found: Option<Captures>,
    /// How far `appendReplacement` has copied.
    appended: usize,
}

impl Other for Matcher {
    fn class_name(&self) -> &'static str {
        "Matcher"
    }

    fn as_any(&self) -> &dyn std::any::Any {
        self
    }
}

fn matcher(cx: &mut dyn Context, a: &[Value], _: &Ty) -> Eval {
    if a[1].is_null() {
        return Err(Throw::null_pointer());
    }
    let text = show::value_of(cx, &a[1])?;
    Ok(Value::obj(Object::Other(Box::new(Matcher(Mutex::new(State {
        regex: pattern(&a[0])?.clone(),
        units: text.units().into(),
        search: Search::default(),
        found: None,
        appended: 0,
    }))))))
}

fn with(v: &Value, f: impl FnOnce(&mut State) -> Eval) -> Eval {
    let Object::Other(other) = object(v)? else {
        return Err(mismatch("Matcher", v));
    };
    match other.as_any().downcast_ref::<Matcher>() {
        Some(Matcher(state)) => f(&mut lock(state)),
        None => Err(mismatch("Matcher", v)),
    }
}

impl State {
    fn find(&mut self, cx: &mut dyn Context) -> Eval {
        cx.step(1 + self.units.len() as u64 / 16)?;
        let found = self.search.next(&self.regex, &self.units);
        self.found = found.map_err(|e| thrown(e, self.regex.units()))?;
        Ok(Value::Bool(self.found.is_some()))
    }

    /// `matches` and `lookingAt`; a `find` afterwards goes on behind the match.
    fn whole(&mut self, cx: &mut dyn Context, all: bool) -> Eval {
        cx.step(1 + self.units.len() as u64 / 16)?;
        let found = if all {
            self.regex.matches(&self.units)
        } else {
            self.regex.looking_at(&self.units)
        };
        self.found = found.map_err(|e| thrown(e, self.regex.units()))?;
        match &self.found {
            Some(c) => self.search.continue_after(c),
            None => self.search = Search::default(),
        }
        Ok(Value::Bool(self.found.is_some()))
    }

    fn current(&self) -> Eval<&Captures> {
        self.found
            .as_ref()
            .ok_or_else(|| Throw::exception("IllegalStateException", "No match found"))
    }

    fn range(&self, group: i32, what: &str) -> Eval<Option<(usize, usize)>> {
        let found = self.current().map_err(|e| match what {
            "" => e,
            _ => Throw::exception("IllegalStateException", "No match available"),
        })?;
        match usize::try_from(group) {
            Ok(g) if g <= self.regex.group_count() as usize => Ok(found.range(g)),
            _ => Err(Throw::exception(
                "IndexOutOfBoundsException",
                format!("No group {group}"),
            )),
        }
    }

    fn text(&self, group: i32) -> Eval {
        let range = self.range(group, "")?;
        Ok(range.map_or(Value::Null, |(a, b)| Value::Str(JStr::from_units(&self.units[a..b]))))
    }

    fn bound(&self, group: i32, start: bool) -> Eval {
        let range = self.range(group, "bound")?;
        Ok(Value::Int(
            range.map_or(-1, |(a, b)| if start { a as i32 } else { b as i32 }),
        ))
    }

    fn named(&self, name: &JStr) -> Eval<i32> {
        self.current()?;
        let name = name.to_utf8();
        self.regex
            .group_named(&name)
            .map(|g| g as i32)
            .ok_or_else(|| Throw::exception("IllegalArgumentException", format!("No group with name <{name}>")))
    }

    fn replace(&mut self, cx: &mut dyn Context, replacement: &Value, all: bool) -> Eval {
        self.search = Search::default();
        self.found = None;
        self.appended = 0;
        replaced(
            cx,
            &self.regex,
            &Value::Str(JStr::from_units(&self.units)),
            replacement,
            all,
        )
    }
}

/// `appendReplacement`: what stands between the last match and this one, then the replacement.
fn append_replacement(cx: &mut dyn Context, a: &[Value], _: &Ty) -> Eval {
    with(&a[0], |m| {
        let found = m
            .found
            .as_ref()
            .ok_or_else(|| Throw::exception("IllegalStateException", "No match available"))?;
        let replacement = match &a[2] {
            Value::Null => return Err(Throw::null_pointer()),
            other => string(other)?.units(),
        };
        let mut out = Vec::new();
        replace::expand(&m.regex, &m.units, found, &replacement, &mut out).map_err(not_replaced)?;
        if m.appended > found.start() {
            return Err(Throw::Unsupported(
                "appending a match that lies before the last one".into(),
            ));
        }
        cx.grow((out.len() + found.start() - m.appended) * 2)?;
        let mut to = lock(builder(&a[1])?);
        to.extend_from_slice(&m.units[m.appended..found.start()]);
        to.extend_from_slice(&out);
        m.appended = found.end();
        Ok(Value::Unit)
    })?;
    Ok(a[0].clone())
}

/// `appendTail`.
fn append_tail(cx: &mut dyn Context, a: &[Value], _: &Ty) -> Eval {
    with(&a[0], |m| {
        cx.grow((m.units.len() - m.appended) * 2)?;
        lock(builder(&a[1])?).extend_from_slice(&m.units[m.appended..]);
        Ok(Value::Unit)
    })?;
    Ok(a[1].clone())
}

fn builder(v: &Value) -> Eval<&Mutex<Vec<u16>>> {
    match v {
        Value::Null => Err(Throw::null_pointer()),
        other => match other.as_obj() {
            Some(Object::StringBuilder(units)) => Ok(units),
            _ => Err(mismatch("StringBuilder", v)),
        },
    }
}

fn matches(cx: &mut dyn Context, regex: &Regex, text: &Value) -> Eval {
    let text = string(text)?;
    cx.step(1 + text.len() as u64 / 16)?;
    let found = regex.matches(&text.units()).map_err(|e| thrown(e, regex.units()))?;
    Ok(Value::Bool(found.is_some()))
}

/// `replaceAll`, `replaceFirst`.
pub(super) fn replaced(cx: &mut dyn Context, regex: &Regex, text: &Value, replacement: &Value, all: bool) -> Eval {
    let text = string(text)?;
    cx.step(1 + text.len() as u64 / 8)?;
    if replacement.is_null() {
        // A null replacement is only looked at when something matches; `replaceFirst` looks at once.
        let found = regex
            .find_from(&text.units(), 0, 0)
            .map_err(|e| thrown(e, regex.units()))?;
        return if all && found.is_none() {
            Ok(Value::Str(text.clone()))
        } else {
            Err(Throw::null_pointer())
        };
    }
    let replacement = string(replacement)?.units();
    cx.grow((text.len() + 1).saturating_mul(replacement.len() / 4 + 1))?;
    let out = replace::replace(regex, &text.units(), &replacement, all).map_err(not_replaced)?;
    cx.grow(out.len() * 2)?;
    Ok(Value::Str(JStr::from_units(&out)))
}

/// `split`.
pub(super) fn parts(cx: &mut dyn Context, regex: &Regex, text: &Value, limit: i32) -> Eval {
    let text = string(text)?;
    cx.step(1 + text.len() as u64 / 8)?;
    let ranges = split::split(regex, &text.units(), limit).map_err(|e| thrown(e, regex.units()))?;
    cx.grow(ranges.len() * 48 + text.len())?;
    Ok(Value::array(
        ranges.into_iter().map(|(a, b)| Value::Str(text.slice(a, b))).collect(),
    ))
}

/// `Matcher.quoteReplacement`, `Regex.quoteReplacement`.
pub(super) fn quote_replacement(v: &Value) -> Eval {
    let mut out = Vec::new();
    for u in string(v)?.units().iter() {
        if matches!(u, 0x5c | 0x24) {
            out.push(0x5c);
        }
        out.push(*u);
    }
    Ok(Value::Str(JStr::from_units(&out)))
}
