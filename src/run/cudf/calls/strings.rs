//! Methods of text columns.

use super::*;
use crate::run::cudf::ops::{dates, regex, strings, text_numbers, whole};

impl Interp<'_> {
    /// A pattern given as text or as a `RegexProgram`.
    fn program(&mut self, v: &V, span: Span) -> R<regex::Program> {
        let spec = match v {
            V::Str(s) => RegexSpec {
                pattern: s.to_string(),
                flags: Vec::new(),
                capture: true,
            },
            V::Regex(r) => (**r).clone(),
            other => return self.refuse(span, format!("a pattern of {} is not covered", other.type_name())),
        };
        let p = regex::compile(&spec.pattern, &spec.flags);
        self.lift(p, span)
    }

    /// A method of a text column, or `None` when it is none.
    pub(super) fn string_method(&mut self, c: &Rc<Col>, name: &str, args: &[V], span: Span) -> R<Option<V>> {
        if matches!(
            name,
            "replaceRegex"
                | "stringReplaceWithBackrefs"
                | "extractRe"
                | "extractAllRecord"
                | "matchesRe"
                | "containsRe"
                | "like"
        ) {
            return self.regex_method(c, name, args, span).map(Some);
        }
        if matches!(name, "stringSplit" | "stringSplitRecord") {
            return self.split(c, name, args, span).map(Some);
        }
        let r = match (name, args) {
            ("upper", []) => strings::upper(c),
            ("lower", []) => strings::lower(c),
            ("toTitle", []) => strings::title(c),
            ("capitalize", [d]) => {
                let d = self.scalar(d, span)?;
                strings::capitalize(c, &d)
            }
            ("strip" | "lstrip" | "rstrip", rest) => {
                let set = match rest.first() {
                    Some(s) => Some(self.scalar(s, span)?),
                    None => None,
                };
                strings::strip(c, name, set.as_deref())
            }
            ("substring", [V::Int(a)]) => strings::substring(c, *a, None),
            ("substring", [V::Int(a), V::Int(b)]) => strings::substring(c, *a, Some(*b)),
            ("substring", [a, b]) => {
                let (a, b) = (self.col(a, span)?, self.col(b, span)?);
                strings::substring_columns(c, &a, &b)
            }
            ("getCharLengths", []) => strings::lengths(c, true),
            ("getByteCount", []) => strings::lengths(c, false),
            ("stringLocate", [s, rest @ ..]) => {
                let s = self.scalar(s, span)?;
                let at = |i: usize, d: i32| if let Some(V::Int(v)) = rest.get(i) { *v } else { d };
                strings::locate(c, &s, at(0, 0), at(1, -1))
            }
            ("stringContains" | "startsWith" | "endsWith", [s]) => match self.operand(s, span)? {
                Operand::Scalar(s) => strings::test(c, name, &s),
                Operand::Col(_) => return self.refuse(span, "stringContains with a column of targets is not emulated"),
            },
            ("stringContainsPerRow", [s]) => {
                let s = self.col(s, span)?;
                strings::contains_per_row(c, &s)
            }
            ("stringReplace", [a, b]) => match (self.operand(a, span)?, self.operand(b, span)?) {
                (Operand::Scalar(a), Operand::Scalar(b)) => strings::replace(c, &a, &b),
                _ => return self.refuse(span, "stringReplace with columns is not emulated"),
            },
            ("stringReplacePerRow", [a, b]) => {
                let (a, b) = (self.col(a, span)?, self.col(b, span)?);
                strings::replace_per_row(c, &a, &b)
            }
            ("pad", [V::Int(w), rest @ ..]) => {
                let side = rest.iter().find_map(|a| {
                    if let V::Enum(_, s) = a {
                        Some(s.to_string())
                    } else {
                        None
                    }
                });
                let fill = rest
                    .iter()
                    .find_map(|a| if let V::Str(s) = a { Some(s.to_string()) } else { None });
                strings::pad(
                    c,
                    *w,
                    side.as_deref().unwrap_or("RIGHT"),
                    fill.as_deref().unwrap_or(" "),
                )
            }
            ("zfill", [V::Int(w)]) => strings::zfill(c, *w),
            ("repeatStrings", [V::Int(n)]) => strings::repeat(c, &|_| Some(i64::from(*n))),
            ("repeatStrings", [n]) => {
                let n = self.col(n, span)?;
                whole(&n).and_then(|v| strings::repeat(c, &|i| n.is_valid(i).then(|| v[i])))
            }
            ("reverseStringsOrLists", []) => strings::reverse(c),
            ("urlEncode", []) => strings::url_encode(c),
            ("urlDecode", []) => strings::url_decode(c),
            ("codePoints", []) => strings::code_points(c),
            ("isInteger", []) => text_numbers::is_integer(c, None),
            ("isInteger", [V::DType(t)]) => text_numbers::is_integer(c, Some(*t)),
            ("isFloat", []) => text_numbers::is_float(c),
            ("isFixedPoint", [V::DType(t)]) => text_numbers::is_fixed_point(c, *t),
            ("isTimestamp", [V::Str(f)]) => dates::is_timestamp(c, f),
            ("asTimestamp", [V::DType(t), V::Str(f)]) => dates::parse(c, *t, f),
            ("joinStrings", [sep, narep]) => {
                let (sep, narep) = (self.scalar(sep, span)?, self.scalar(narep, span)?);
                strings::join(c, &sep, &narep)
            }
            _ => return Ok(None),
        };
        self.give(r, span, name).map(Some)
    }

    fn regex_method(&mut self, c: &Rc<Col>, name: &str, args: &[V], span: Span) -> R {
        if name == "like" {
            return self.refuse(span, "`like` is not emulated");
        }
        let p = self.program(&args[0], span)?;
        let r = match (name, args) {
            ("matchesRe", _) => regex::matches(c, &p, true),
            ("containsRe", _) => regex::matches(c, &p, false),
            ("replaceRegex", [_, repl, rest @ ..]) => {
                let repl = self.scalar(repl, span)?;
                let max = if let Some(V::Int(n)) = rest.first() { *n } else { -1 };
                regex::replace(c, &p, &repl, max)
            }
            ("stringReplaceWithBackrefs", [_, V::Str(repl)]) => regex::replace_with_groups(c, &p, repl),
            ("extractRe", _) => {
                let groups = self.lift(regex::extract(c, &p), span)?;
                return Ok(self.table(groups, span, name));
            }
            ("extractAllRecord", [_, V::Int(index)]) => regex::extract_all(c, &p, *index),
            _ => return self.refuse(span, format!("`{name}` in this form is not emulated")),
        };
        self.give(r, span, name)
    }

    /// A table that owns new columns.
    fn table(&mut self, columns: Vec<Col>, span: Span, by: &str) -> V {
        let line = self.line(span);
        let ids = columns
            .into_iter()
            .map(|c| self.heap.alloc(Res::Column(Rc::new(c)), line, by))
            .collect();
        self.alloc(Res::Table(Rc::new(ids)), span, by)
    }

    fn split(&mut self, c: &Rc<Col>, name: &str, args: &[V], span: Span) -> R {
        let limit = args
            .iter()
            .find_map(|a| if let V::Int(n) = a { Some(*n) } else { None });
        let limit = limit.unwrap_or(-1);
        if limit == 0 || limit == 1 {
            return self.throw(
                span,
                "IllegalArgumentException",
                "limit == 0 and limit == 1 are not supported",
            );
        }
        let by_regex = args.iter().any(|a| matches!(a, V::Bool(true) | V::Regex(_)));
        let rows = if by_regex {
            let p = self.program(&args[0], span)?;
            regex::split(c, &p, limit)
        } else {
            match &args[0] {
                V::Str(d) => strings::split(c, d, limit),
                _ => return self.throw(span, "NullPointerException", "delimiter may not be null"),
            }
        };
        let rows = self.lift(rows, span)?;
        if name == "stringSplitRecord" {
            return self.give(strings::record(&rows), span, name);
        }
        let columns = strings::columns(&rows);
        Ok(self.table(columns, span, name))
    }

    pub(super) fn string_concatenate(&mut self, args: Vec<V>, span: Span) -> R {
        let name = "stringConcatenate";
        match &args[..] {
            [V::Seq(_)] => {
                let cols = self.cols(&args, span)?;
                let r = strings::concatenate(&cols, b"", None, true);
                self.give(r, span, name)
            }
            [sep, narep, cols @ V::Seq(_), rest @ ..] => {
                let (sep, narep) = (self.scalar(sep, span)?, self.scalar(narep, span)?);
                let cols = self.cols(std::slice::from_ref(cols), span)?;
                let separate = !matches!(rest.first(), Some(V::Bool(false)));
                let Some(Elem::Str(sep)) = &sep.value else {
                    return self.throw(
                        span,
                        "CudfException",
                        "Parameter separator must be a valid string_scalar",
                    );
                };
                let narep = match &narep.value {
                    Some(Elem::Str(s)) => Some(s.clone()),
                    _ => None,
                };
                let r = strings::concatenate(&cols, sep, narep.as_deref(), separate);
                self.give(r, span, name)
            }
            _ => self.refuse(span, "stringConcatenate with a separator column is not emulated"),
        }
    }
}
