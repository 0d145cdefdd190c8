//! Rows for `scala.util.matching.Regex` and its `Match`.

use std::sync::{Arc, Mutex};

use super::java::{parts, quote_replacement, replaced};
use super::{compile, compiled, not_replaced, pattern, thrown};
use crate::jvm::args::{int, mismatch, object, row, string};
use crate::jvm::object::{Iter, Object, Other};
use crate::jvm::regex::{Captures, Regex, Search, replace};
use crate::jvm::table::{Context, Method};
use crate::jvm::text::JStr;
use crate::jvm::value::{Eval, Throw, Value};
use crate::jvm::view;

const R: &str = "Regex";
const MT: &str = "Match";
const NONE: &[&str] = &[];
const NPE: &[&str] = &["NullPointerException"];
const SYNTAX: &[&str] = &["PatternSyntaxException", "NullPointerException"];
const REPLACE: &[&str] = &[
    "IllegalArgumentException",
    "IndexOutOfBoundsException",
    "NullPointerException",
];
const GROUP: &[&str] = &["IndexOutOfBoundsException", "IllegalArgumentException"];

/// The rows.
#[rustfmt::skip]
pub static ROWS: &[Method] = &[
    row("String.r", "String", "r", ": Regex", SYNTAX, |_, a, _| Ok(Value::obj(Object::Regex(compiled(string(&a[0])?)?)))),
    row("String.r(String*)", "String", "r", "(String*): Regex", SYNTAX, |cx, a, _| {
        let names = view::all(cx, &a[1])?.iter().map(|n| string(n).map(|s| s.to_utf8().into_owned())).collect::<Eval<Vec<String>>>()?;
        let regex = compile(string(&a[0])?, 0)?;
        let regex = Arc::try_unwrap(regex).map_err(|_| Throw::Unsupported("a shared pattern cannot name its groups".into()))?;
        Ok(Value::obj(Object::Regex(Arc::new(regex.with_names(names)))))
    }),
    row("new Regex", "new Regex", "Regex", "(String): Regex", SYNTAX, |_, a, _| Ok(Value::obj(Object::Regex(compiled(string(&a[0])?)?)))),
    row("static Regex.quote", "static Regex", "quote", "(String): String", NPE, |_, a, _| {
        Ok(Value::Str(JStr::from_units(&crate::jvm::regex::quote(&string(&a[0])?.units()))))
    }),
    row("static Regex.quoteReplacement", "static Regex", "quoteReplacement", "(String): String", NPE, |_, a, _| quote_replacement(&a[0])),
    row("Regex.findFirstIn", R, "findFirstIn", "(String): Option[String]", NPE, |cx, a, _| {
        let (text, found) = first(cx, &a[0], &a[1])?;
        Ok(Value::option(found.map(|c| Value::Str(text.slice(c.start(), c.end())))))
    }),
    row("Regex.findFirstMatchIn", R, "findFirstMatchIn", "(String): Option[Match]", NPE, |cx, a, _| {
        let (_, found) = first(cx, &a[0], &a[1])?;
        Ok(Value::option(found.map(|c| match_value(pattern(&a[0])?, string(&a[1])?, c)).transpose()?))
    }),
    row("Regex.findPrefixOf", R, "findPrefixOf", "(String): Option[String]", NPE, |cx, a, _| {
        let text = string(&a[1])?;
        cx.step(1 + text.len() as u64 / 16)?;
        let regex = pattern(&a[0])?;
        let found = regex.looking_at(&text.units()).map_err(|e| thrown(e, regex.units()))?;
        Ok(Value::option(found.map(|c| Value::Str(text.slice(c.start(), c.end())))))
    }),
    row("Regex.findAllIn", R, "findAllIn", "(String): Iterator[String]", NPE, |_, a, _| all(&a[0], &a[1], true)),
    row("Regex.findAllMatchIn", R, "findAllMatchIn", "(String): Iterator[Match]", NPE, |_, a, _| all(&a[0], &a[1], false)),
    row("Regex.replaceAllIn", R, "replaceAllIn", "(String, String): String", REPLACE, |cx, a, _| replaced(cx, pattern(&a[0])?, &a[1], &a[2], true)),
    row("Regex.replaceAllIn(Match)", R, "replaceAllIn", "(String, Match => String): String", REPLACE, replace_by),
    row("Regex.replaceFirstIn", R, "replaceFirstIn", "(String, String): String", REPLACE, |cx, a, _| replaced(cx, pattern(&a[0])?, &a[1], &a[2], false)),
    row("Regex.split", R, "split", "(String): Array[String]", NPE, |cx, a, _| parts(cx, pattern(&a[0])?, &a[1], 0)),
    row("Regex.pattern", R, "pattern", ": Pattern", NONE, |_, a, _| Ok(a[0].clone())),
    row("Regex.regex", R, "regex", ": String", NONE, |_, a, _| Ok(Value::Str(JStr::from_units(pattern(&a[0])?.units())))),
    row("Regex.toString", R, "toString", ": String", NONE, |_, a, _| Ok(Value::Str(JStr::from_units(pattern(&a[0])?.units())))),
    row("Match.group(Int)", MT, "group", "(Int): String", GROUP, |_, a, _| group(&a[0], int(&a[1])?)),
    row("Match.group(String)", MT, "group", "(String): String", GROUP, |_, a, _| {
        let g = named(&a[0], string(&a[1])?)?;
        group(&a[0], g)
    }),
    row("Match.groupCount", MT, "groupCount", ": Int", NONE, |_, a, _| Ok(Value::Int(found(&a[0])?.regex.group_count() as i32))),
    row("Match.matched", MT, "matched", ": String", NONE, |_, a, _| group(&a[0], 0)),
    row("Match.toString", MT, "toString", ": String", NONE, |_, a, _| group(&a[0], 0)),
    row("Match.start", MT, "start", ": Int", NONE, |_, a, _| bound(&a[0], 0, true)),
    row("Match.start(Int)", MT, "start", "(Int): Int", GROUP, |_, a, _| bound(&a[0], int(&a[1])?, true)),
    row("Match.end", MT, "end", ": Int", NONE, |_, a, _| bound(&a[0], 0, false)),
    row("Match.end(Int)", MT, "end", "(Int): Int", GROUP, |_, a, _| bound(&a[0], int(&a[1])?, false)),
    row("Match.before", MT, "before", ": String", NONE, |_, a, _| {
        let m = found(&a[0])?;
        Ok(Value::Str(m.text.slice(0, m.captures.start())))
    }),
    row("Match.after", MT, "after", ": String", NONE, |_, a, _| {
        let m = found(&a[0])?;
        Ok(Value::Str(m.text.slice(m.captures.end(), m.text.len())))
    }),
    row("Match.subgroups", MT, "subgroups", ": List[String]", NONE, |_, a, _| {
        let count = found(&a[0])?.regex.group_count() as i32;
        Ok(Value::list((1..=count).map(|g| group(&a[0], g)).collect::<Eval<Vec<Value>>>()?))
    }),
];

/// A `scala.util.matching.Regex.Match`.
#[derive(Debug)]
struct Match {
    regex: Arc<Regex>,
    text: JStr,
    captures: Captures,
}

impl Other for Match {
    fn class_name(&self) -> &'static str {
        "Match"
    }

    fn as_any(&self) -> &dyn std::any::Any {
        self
    }
}

fn match_value(regex: &Arc<Regex>, text: &JStr, captures: Captures) -> Eval {
    Ok(Value::obj(Object::Other(Box::new(Match {
        regex: regex.clone(),
        text: text.clone(),
        captures,
    }))))
}

fn found(v: &Value) -> Eval<&Match> {
    let Object::Other(other) = object(v)? else {
        return Err(mismatch("Match", v));
    };
    other.as_any().downcast_ref().ok_or_else(|| mismatch("Match", v))
}

fn range(v: &Value, group: i32) -> Eval<Option<(usize, usize)>> {
    let m = found(v)?;
    let count = m.regex.group_count() as usize;
    let known = usize::try_from(group).ok().filter(|g| *g <= count);
    // Scala keeps the bounds in arrays.
    let missing = || {
        Throw::exception(
            "ArrayIndexOutOfBoundsException",
            format!("Index {group} out of bounds for length {}", count + 1),
        )
    };
    Ok(m.captures.range(known.ok_or_else(missing)?))
}

fn group(v: &Value, group: i32) -> Eval {
    let range = range(v, group)?;
    let text = &found(v)?.text;
    Ok(range.map_or(Value::Null, |(a, b)| Value::Str(text.slice(a, b))))
}

fn bound(v: &Value, group: i32, start: bool) -> Eval {
    Ok(Value::Int(
        range(v, group)?.map_or(-1, |(a, b)| if start { a as i32 } else { b as i32 }),
    ))
}

fn named(v: &Value, name: &JStr) -> Eval<i32> {
    let name = name.to_utf8();
    let group = found(v)?.regex.group_named(&name);
    group
        .map(|g| g as i32)
        .ok_or_else(|| Throw::exception("IllegalArgumentException", format!("No group with name <{name}>")))
}

fn first(cx: &mut dyn Context, regex: &Value, text: &Value) -> Eval<(JStr, Option<Captures>)> {
    let (regex, text) = (pattern(regex)?, string(text)?);
    cx.step(1 + text.len() as u64 / 16)?;
    let found = regex
        .find_from(&text.units(), 0, 0)
        .map_err(|e| thrown(e, regex.units()))?;
    Ok((text.clone(), found))
}

/// The iterator of `findAllIn` (texts) and `findAllMatchIn` (matches).
#[derive(Debug)]
struct All {
    regex: Arc<Regex>,
    text: JStr,
    units: Arc<[u16]>,
    search: Mutex<Search>,
    texts: bool,
}

impl Iter for All {
    fn next(&mut self, cx: &mut dyn Context) -> Eval<Option<Value>> {
        cx.step(1)?;
        let next = view::lock(&self.search).next(&self.regex, &self.units);
        match next.map_err(|e| thrown(e, self.regex.units()))? {
            None => Ok(None),
            Some(c) if self.texts => Ok(Some(Value::Str(self.text.slice(c.start(), c.end())))),
            Some(c) => match_value(&self.regex, &self.text, c).map(Some),
        }
    }
}

fn all(regex: &Value, text: &Value, texts: bool) -> Eval {
    let text = string(text)?;
    Ok(Value::iterator(Box::new(All {
        regex: pattern(regex)?.clone(),
        text: text.clone(),
        units: text.units().into(),
        search: Mutex::new(Search::default()),
        texts,
    })))
}

/// The function's results are replacement texts themselves, with `$` and `\`.
fn replace_by(cx: &mut dyn Context, a: &[Value], _: &crate::lang::ty::Ty) -> Eval {
    let (regex, text) = (pattern(&a[0])?, string(&a[1])?);
    let units = text.units();
    let mut out = Vec::new();
    let mut copied = 0;
    let mut search = Search::default();
    while let Some(c) = search.next(regex, &units).map_err(|e| thrown(e, regex.units()))? {
        cx.step(1)?;
        let by = cx.call(&a[2], &[match_value(regex, text, c.clone())?])?;
        out.extend_from_slice(&units[copied..c.start()]);
        replace::expand(regex, &units, &c, &string(&by)?.units(), &mut out).map_err(not_replaced)?;
        cx.grow(out.len().saturating_sub(copied))?;
        copied = c.end();
    }
    out.extend_from_slice(&units[copied..]);
    Ok(Value::Str(JStr::from_units(&out)))
}

#[cfg(test)]
mod tests {
    use crate::jvm::value::Value;
    use crate::test_vectors::check_row;

    #[test]
    fn rows_give_what_the_jvm_gave() {
        let s = Value::str;
        let all = |file: &str, p: &str, r: &str| check_row(file, "String.replaceAll", "s", &[s(p), s(r)]);
        all("re_replace_digits", "\\d", "#");
        all("re_replace_word", "\\w", "#");
        all("re_replace_space", "\\s", "#");
        all("re_replace_nonword", "[^a-zA-Z0-9]", "");
        all("re_replace_dot", ".", "#");
        all("re_replace_end_anchor", "c$", "X");
        all("re_replace_dollar_only", "$", "X");
        all("re_replace_empty_match", "a*", "-");
        all("re_replace_backref", "(a)(\\d)", "$2$1");
        all("re_replace_backref12", "(a)", "$12");
        all("re_replace_bad_group", "a", "$1");
        all("re_replace_escaped_dollar", "a", "\\$");
        all("re_replace_word_boundary", "\\b", "|");
        all("re_replace_case_insensitive", "(?i)A", "#");
        all("re_replace_posix_alpha", "\\p{Alpha}", "#");
        all("re_replace_class_intersection", "[a-z&&[^b]]", "#");
        all("re_replace_lookahead", "a(?=\\d)", "#");
        all("re_replace_possessive", "a*+a", "#");
        check_row("re_matches_digits", "String.matches", "s", &[s("[0-9]+")]);
        check_row("split_comma", "String.split", "s", &[s(",")]);
        check_row(
            "split_comma_minus1",
            "String.split(String,Int)",
            "s",
            &[s(","), Value::Int(-1)],
        );
        check_row(
            "split_comma_limit2",
            "String.split(String,Int)",
            "s",
            &[s(","), Value::Int(2)],
        );
        check_row("split_whitespace", "String.split", "s", &[s("\\s+")]);
        check_row("split_empty_pattern", "String.split", "s", &[s("")]);
        check_row("split_pipe_regex", "String.split", "s", &[s("|")]);
    }
}
