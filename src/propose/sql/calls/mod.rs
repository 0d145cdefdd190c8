//! Library functions in Spark SQL, by templates: `{0}` is an argument, `{0.}` one inside an operator of that strength.

mod dates;
mod notes;
mod numbers;
mod pairs;
mod text;

use super::doc::Doc;
use super::{PRIMARY, PRODUCT, Printer, SUM, UNARY, literal};
use crate::ir::func::Func;
use crate::ir::node::{NodeId, Op};
use crate::propose::NoteScope::Everywhere;
use crate::source::Understood;
use dates::{date_by, date_test};

impl Printer<'_> {
    /// Text with `{i}` replaced by arguments in parentheses where they are not simple.
    fn fill(&mut self, template: &str, args: &[NodeId]) -> Understood<Doc> {
        let mut parts = Vec::new();
        let mut rest = template;
        while let Some(at) = rest.find('{') {
            let Some(len) = rest[at..].find('}') else { break };
            let key = &rest[at + 1..at + len];
            let (index, level) = match key.strip_suffix('.') {
                Some(i) => (i, PRIMARY),
                None => (key, 0),
            };
            let Ok(index) = index.parse::<usize>() else { break };
            parts.push(Doc::text(&rest[..at]));
            let level = if level == PRIMARY && self.g.constant(args[index]).is_some() {
                UNARY
            } else {
                level
            };
            parts.push(self.expr(args[index], level)?);
            rest = &rest[at + len + 1..];
        }
        parts.push(Doc::text(rest));
        Ok(Doc::Cat(parts))
    }

    fn call_named(&mut self, name: &str, args: &[NodeId]) -> Understood<(Doc, u8)> {
        let docs = args.iter().map(|a| self.expr(*a, 0)).collect::<Understood<Vec<_>>>()?;
        Ok((Doc::Call(name.into(), docs), PRIMARY))
    }

    /// A function call.
    pub(super) fn call(&mut self, n: NodeId, f: &Func, args: &[NodeId]) -> Understood<(Doc, u8)> {
        self.announce(n, f);
        if let Some(name) = simple_name(f) {
            return self.call_named(name, args);
        }
        if let Some(result) = self.text_call(n, f, args)? {
            return Ok(result);
        }
        if let Some(result) = self.number_call(n, f, args)? {
            return Ok(result);
        }
        self.other_call(n, f, args)
    }

    /// Like `fill`, with `{{` and `}}` for braces.
    fn fill_braces(&mut self, template: &str, args: &[NodeId]) -> Understood<Doc> {
        let hidden = template.replace("{{", "\u{1}").replace("}}", "\u{2}");
        let doc = self.fill(&hidden, args)?;
        Ok(unhide(doc))
    }

    fn units_note(&mut self, n: NodeId) {
        let span = self.g.node(n).span;
        self.note(
            "length-utf16-vs-codepoints",
            span,
            "the JVM counts UTF-16 units, SQL characters: text beyond the basic plane differs",
            Everywhere,
        );
    }

    fn other_call(&mut self, n: NodeId, f: &Func, args: &[NodeId]) -> Understood<(Doc, u8)> {
        let template: String = match f {
            Func::DayOfWeek => return Ok((self.fill("weekday({0}) + 1", args)?, SUM)),
            Func::EpochDay => "CAST(unix_date({0}) AS BIGINT)".into(),
            Func::DaysBetween => "CAST(datediff({1}, {0}) AS BIGINT)".into(),
            Func::MonthsBetween => {
                let t = "((year({1}) * 12L + month({1})) * 32 + day({1}) - (year({0}) * 12L + month({0})) * 32 - day({0})) div 32";
                return Ok((self.fill(t, args)?, PRODUCT));
            }
            Func::Element => "{0.}[{1}]".into(),
            Func::MapValue => "{0.}[{1}]".into(),
            Func::ListContains => "coalesce(array_contains({0}, {1}), false)".into(),
            Func::MkString(sep) => format!("array_join({{0}}, {}, 'null')", brace(&literal::text(sep))),
            Func::Map(v) => match self.g.op(args[0]).clone() {
                Op::Call(f @ (Func::WithIndex | Func::Zip), lists) if !self.keeps_pair(*v, args[1]) => {
                    return self.map_pairs(*v, &f, &lists, args[1]);
                }
                _ => format!("transform({{0}}, x{v} -> {{1}})"),
            },
            Func::Filter(v) => format!("filter({{0}}, x{v} -> {{1}})"),
            Func::Exists(v) => format!("coalesce(exists({{0}}, x{v} -> {{1}}), false)"),
            Func::Forall(v) => format!("coalesce(forall({{0}}, x{v} -> {{1}}), false)"),
            Func::Bytes => "encode({0}, 'UTF-8')".into(),
            Func::Digest(name) => format!("unhex({})", digest_call(name, "{0}")),
            Func::HexOfBytes => match self.g.op(args[0]).clone() {
                Op::Call(Func::Digest(name), bytes) => match self.g.op(bytes[0]).clone() {
                    // The digests take text by its bytes in UTF-8.
                    Op::Call(Func::Bytes, text) => return Ok((self.fill(&digest_call(&name, "{0}"), &text)?, PRIMARY)),
                    _ => return Ok((self.fill(&digest_call(&name, "{0}"), &bytes)?, PRIMARY)),
                },
                _ => "lower(hex({0}))".into(),
            },
            Func::Base64 => match self.g.op(args[0]).clone() {
                // Spark breaks lines as MIME does.
                Op::Call(Func::Bytes, text) => {
                    return Ok((self.fill("replace(base64({0}), '\\r\\n', '')", &text)?, PRIMARY));
                }
                _ => "replace(base64({0}), '\\r\\n', '')".into(),
            },
            Func::ByteLength => match self.g.op(args[0]).clone() {
                Op::Call(Func::Bytes, text) => return Ok((self.fill("octet_length({0})", &text)?, PRIMARY)),
                _ => "octet_length({0})".into(),
            },
            Func::LocalAt(zone) => format!("from_utc_timestamp({{0}}, {})", brace(&literal::text(zone))),
            Func::DateOfTimestamp => "CAST({0} AS DATE)".into(),
            Func::SqlInstant => return self.fill("{0}", args).map(|d| (d, PRIMARY)),
            Func::EpochMillis => "unix_millis({0})".into(),
            Func::EpochSeconds => "unix_seconds({0})".into(),
            Func::EpochMicros => "unix_micros({0})".into(),
            Func::OfMillis | Func::SqlOfMillis => "timestamp_millis({0})".into(),
            Func::OfSeconds => "timestamp_seconds({0})".into(),
            Func::DateText { pattern, .. } => format!("date_format({{0}}, {})", brace(&literal::text(pattern))),
            Func::MonthStart => "trunc({0}, 'MM')".into(),
            Func::MonthEnd => "last_day({0})".into(),
            Func::IsDateBy(p) => return Ok((self.fill_braces(&date_test(p), args)?, PRIMARY)),
            Func::DateBy(p) => date_by(p),
            Func::ListReverse => "reverse({0})".into(),
            Func::ListDistinct => "array_distinct({0})".into(),
            Func::ListMax => "array_max({0})".into(),
            Func::ListMin => "array_min({0})".into(),
            Func::ListSort => "array_sort({0})".into(),
            Func::SortWith(a, b) => format!("array_sort({{0}}, (x{a}, x{b}) -> {{1}})"),
            Func::ListConcat => "concat({0}, {1})".into(),
            Func::Flatten => "flatten({0})".into(),
            Func::Chars => "regexp_extract_all({0}, '(?s).', 0)".into(),
            Func::MapKeys => "map_keys({0})".into(),
            Func::MapValues => "map_values({0})".into(),
            Func::MapEntries => "map_entries({0})".into(),
            Func::ListIndexOf => return Ok((self.fill("CAST(array_position({0}, {1}) AS INT) - 1", args)?, SUM)),
            Func::ListTake => match self.g.as_int(args[1]) {
                Some(n) => format!("slice({{0}}, 1, {})", n.max(0)),
                None if self.small(args[1]) && !self.signed(args[1]) => "slice({0}, 1, {1})".into(),
                None => "slice({0}, 1, greatest({1}, 0))".into(),
            },
            Func::ListDrop => format!("slice({{0}}, {}, size({{0}}))", self.one_based(args[1], "{1}")),
            Func::ListTakeRight => "slice({0}, greatest(size({0}) - greatest({1}, 0), 0) + 1, size({0}))".into(),
            Func::ListDropRight => "slice({0}, 1, greatest(size({0}) - greatest({1}, 0), 0))".into(),
            Func::WithIndex => "transform({0}, (x, i) -> named_struct('_1', x, '_2', i))".into(),
            Func::Zip => {
                "transform(slice({0}, 1, least(size({0}), size({1}))), (x, i) -> named_struct('_1', x, '_2', {1.}[i]))"
                    .into()
            }
            Func::Field(name) => return self.field(args[0], name),
            Func::Fold(acc, v) => format!("aggregate({{0}}, {{1}}, (x{acc}, x{v}) -> {{2}})"),
            Func::MapContains => "map_contains_key({0}, {1})".into(),
            _ => return self.refuse(n, format!("`{f:?}` has no SQL form here")),
        };
        Ok((self.fill_braces(&template, args)?, PRIMARY))
    }

    /// Whether a small number may be below zero.
    fn signed(&self, n: NodeId) -> bool {
        !matches!(self.g.op(n), Op::Call(Func::Length | Func::Size, _))
    }
}

/// The hexadecimal digest of bytes or of a text's UTF-8.
fn digest_call(name: &str, argument: &str) -> String {
    match name {
        "MD5" => format!("md5({argument})"),
        "SHA-224" | "SHA-256" | "SHA-384" | "SHA-512" => format!("sha2({argument}, {})", &name[4..]),
        _ => format!("sha1({argument})"),
    }
}

/// Braces that stand for themselves in a template.
fn brace(text: &str) -> String {
    text.replace('{', "{{").replace('}', "}}")
}

fn unhide(doc: Doc) -> Doc {
    match doc {
        Doc::Cat(items) => Doc::Cat(
            items
                .into_iter()
                .map(|i| match i {
                    Doc::Text(t) => Doc::Text(t.replace('\u{1}', "{").replace('\u{2}', "}")),
                    other => other,
                })
                .collect(),
        ),
        other => other,
    }
}

/// Functions that are one SQL function of the same arguments.
fn simple_name(f: &Func) -> Option<&'static str> {
    Some(match f {
        Func::Upper => "upper",
        Func::Lower => "lower",
        Func::Reverse => "reverse",
        Func::Concat => "concat",
        Func::Contains => "contains",
        Func::StartsWith => "startswith",
        Func::EndsWith => "endswith",
        Func::Replace => "replace",
        Func::Repeat => "repeat",
        Func::CharCode => "ascii",
        Func::Abs => "abs",
        Func::Sqrt => "sqrt",
        Func::Math1(name) => name,
        Func::Pow => "pow",
        Func::Hypot => "hypot",
        Func::Rint => "rint",
        Func::IsNan => "isnan",
        Func::Year => "year",
        Func::Month => "month",
        Func::DayOfMonth => "day",
        Func::DayOfYear => "dayofyear",
        Func::PlusDays => "date_add",
        Func::PlusMonths => "add_months",
        Func::DateOf => "make_date",
        Func::Hour => "hour",
        Func::Minute => "minute",
        Func::Second => "second",
        Func::Size => "size",
        _ => return None,
    })
}
