//! `Pattern`, `Matcher`, `Regex` and the methods of `String` that take a pattern. In: rows of the library; out: calls of the helpers in
//! `rw_match.cuh`. A pattern has to be known when the kernel is written.

use super::calls::uncovered;
use super::emit::Emit;
use super::regex::Table;
use super::types::Cpp;
use super::walk::Step;
use crate::jvm::table::Method;
use crate::jvm::value::Value;
use crate::lang::ast::*;
use crate::lang::ty::Ty;
use crate::source::{Refusal, Span, Understood};

impl<'p> Emit<'p> {
    /// The text of a pattern.
    fn pattern_text(&self, e: &Expr) -> Understood<Vec<u16>> {
        match self.known(e) {
            Some(Value::Str(s)) => Ok(s.units().to_vec()),
            _ => Err(Refusal::new(
                e.span,
                "a regular expression that is no constant is not covered by the cuda tier",
            )),
        }
    }

    /// A pattern as a value.
    fn table(&mut self, pattern: &Expr, flags: u32, span: Span) -> Understood<String> {
        let units = self.pattern_text(pattern)?;
        self.table_of(&units, flags, span)
    }

    fn table_of(&mut self, units: &[u16], flags: u32, span: Span) -> Understood<String> {
        let table = Table::new(units, flags, span)?;
        let value = table.value();
        self.partial = true;
        self.tables.push(table);
        Ok(value)
    }

    /// `Pattern.compile(p)`, `new Regex(p)`, `Pattern.matches(p, text)`.
    pub(super) fn regex_static(
        &mut self,
        method: &'static Method,
        args: &'p [Expr],
        e: &'p Expr,
    ) -> Understood<String> {
        match (method.name, args) {
            ("compile" | "Regex" | "new" | "apply", [pattern]) => self.table(pattern, 0, e.span),
            ("compile", [pattern, flags]) => match self.known(flags) {
                Some(Value::Int(flags)) => self.table(pattern, flags as u32, e.span),
                _ => Err(Refusal::new(
                    flags.span,
                    "flags that are no constant are not covered by the cuda tier",
                )),
            },
            ("matches", [pattern, text]) => {
                let regex = self.table(pattern, 0, e.span)?;
                let text = self.expr(text)?;
                Ok(self.helped("rw::re_whole", &[regex, text], e.span))
            }
            _ => Err(uncovered(method, e.span)),
        }
    }

    /// The number of the group that a name stands for.
    fn named_group(&self, name: &Expr, span: Span) -> Understood<String> {
        let wanted = match self.known(name) {
            Some(Value::Str(s)) => s.to_utf8().into_owned(),
            _ => {
                return Err(Refusal::new(
                    span,
                    "a group's name that is no constant is not covered by the cuda tier",
                ));
            }
        };
        // A matcher does not say which pattern it has; the name must mean the same group in all of them.
        let mut numbers = self
            .tables
            .iter()
            .filter(|t| t.machine)
            .map(|t| t.names.iter().find(|(n, _)| *n == wanted).map(|(_, g)| *g));
        match numbers.next().flatten() {
            Some(group) if numbers.all(|n| n == Some(group)) => Ok(group.to_string()),
            _ => Err(Refusal::new(span, "this group's name is not covered by the cuda tier")),
        }
    }

    /// Methods of `String` that take a pattern; `None` if it is another one.
    pub(super) fn regex_text_call(
        &mut self,
        method: &'static Method,
        recv: &'p Expr,
        args: &'p [Expr],
        e: &'p Expr,
    ) -> Understood<Option<String>> {
        Ok(Some(match (method.id, args) {
            ("String.matches", [pattern]) => {
                let text = self.expr(recv)?;
                let text = self.spill(text, recv.span);
                let regex = self.table(pattern, 0, e.span)?;
                self.helped("rw::re_whole", &[regex, text], e.span)
            }
            ("String.replaceAll" | "String.replaceFirst", [pattern, with]) => {
                let values = self.operands([recv, with])?;
                if let Some(replaced) = self.replace_set(method, (pattern, with), &values, e.span)? {
                    return Ok(Some(replaced));
                }
                let regex = self.table(pattern, 0, e.span)?;
                let helper = match method.name {
                    "replaceAll" => "rw::re_replace_all",
                    _ => "rw::re_replace_first",
                };
                self.helped(helper, &[regex, values[0].clone(), values[1].clone()], e.span)
            }
            ("String.split" | "String.split(String,Int)", [pattern, limit @ ..]) => {
                self.roomy = true;
                let values = self.operands(std::iter::once(recv).chain(limit))?;
                let units = self.pattern_text(pattern)?;
                let limit = values.get(1).cloned().unwrap_or_else(|| "0".into());
                match plain(&units) {
                    Some(by) => {
                        let by = super::types::text_literal(&by, pattern.span)?;
                        self.helped("rw::seq_split", &[values[0].clone(), by, limit], e.span)
                    }
                    None => {
                        let regex = self.table_of(&units, 0, e.span)?;
                        self.helped("rw::re_split", &[regex, values[0].clone(), limit], e.span)
                    }
                }
            }
            ("String.split(Char)", [by]) => {
                self.roomy = true;
                let values = self.operands([recv, by])?;
                let by = self.helped("rw::text_of_value", &[values[1].clone()], by.span);
                self.helped("rw::seq_split", &[values[0].clone(), by, "0".into()], e.span)
            }
            ("String.r", []) => self.table(recv, 0, e.span)?,
            _ => return Ok(None),
        }))
    }

    /// `replaceAll` of a pattern that is one set of characters, or that is plain text, by a text in which nothing stands for a group: no machine runs.
    fn replace_set(
        &mut self,
        method: &Method,
        (pattern, with): (&Expr, &Expr),
        values: &[String],
        span: Span,
    ) -> Understood<Option<String>> {
        let taken_as_it_is = match self.known(with) {
            Some(Value::Str(s)) => !s
                .units()
                .iter()
                .any(|u| [u16::from(b'$'), u16::from(b'\\')].contains(u)),
            _ => false,
        };
        if method.name != "replaceAll" || !taken_as_it_is {
            return Ok(None);
        }
        let units = self.pattern_text(pattern)?;
        if let Some(by) = plain(&units) {
            let by = super::types::text_literal(&by, pattern.span)?;
            return Ok(Some(self.helped(
                "rw::replace",
                &[values[0].clone(), by, values[1].clone()],
                span,
            )));
        }
        let mut table = Table::new(&units, 0, span)?;
        let Some((set, runs)) = table.only_set() else {
            return Ok(None);
        };
        table.machine = false;
        self.tables.push(table);
        let values = [set, runs.to_string(), values[0].clone(), values[1].clone()];
        Ok(Some(self.helped("rw::set_replace_all", &values, span)))
    }

    /// Methods of `Pattern` and `Regex`.
    pub(super) fn regex_call(
        &mut self,
        method: &'static Method,
        recv: &'p Expr,
        args: &'p [Expr],
        e: &'p Expr,
    ) -> Understood<String> {
        let sides = || std::iter::once(recv).chain(args.iter().map(super::slots::bare));
        match (method.name, args) {
            ("pattern", []) if matches!(&e.ty, Ty::Class(n) if n == "Pattern") => self.expr(recv),
            ("matcher", [text]) if self.cpp(super::slots::bare(text))? == Cpp::Text => {
                self.helper_mut("rw::re_matcher", sides(), e.span)
            }
            ("split", _) => {
                self.roomy = true;
                self.helper("rw::re_split", sides(), e.span)
            }
            ("findFirstIn", [_]) => self.helper("rw::re_first", sides(), e.span),
            ("findFirstMatchIn", [_]) => self.helper("rw::re_first_match", sides(), e.span),
            ("replaceAllIn", [_, with]) if with.ty == Ty::String => self.helper("rw::re_replace_all", sides(), e.span),
            ("replaceFirstIn", [_, with]) if with.ty == Ty::String => {
                self.helper("rw::re_replace_first", sides(), e.span)
            }
            ("findPrefixOf", [_]) => self.helper("rw::re_prefix_text", sides(), e.span),
            _ => Err(uncovered(method, e.span)),
        }
    }

    /// Methods of `Matcher` and `Match`.
    pub(super) fn matcher_call(
        &mut self,
        method: &'static Method,
        recv: &'p Expr,
        args: &'p [Expr],
        e: &'p Expr,
    ) -> Understood<String> {
        let m = self.expr(recv)?;
        let is_match = matches!(&recv.ty, Ty::Class(n) if n == "Match");
        let helped = |s: &mut Self, helper: &str, values: Vec<String>| {
            Ok(s.helped(helper, &[vec![m.clone()], values].concat(), e.span))
        };
        match (method.name, args) {
            ("matches", []) => helped(self, "rw::re_matches", vec![]),
            ("find", []) => helped(self, "rw::re_find", vec![]),
            ("lookingAt", []) => helped(self, "rw::re_looking_at", vec![]),
            ("group" | "matched" | "toString", []) => helped(self, "rw::re_group", vec![]),
            ("start", []) => helped(self, "rw::re_start", vec![]),
            ("end", []) => helped(self, "rw::re_end", vec![]),
            ("group" | "start" | "end", [g]) => {
                let group = match self.cpp(g)? {
                    Cpp::Text => self.named_group(g, e.span)?,
                    _ => self.expr(g)?,
                };
                helped(self, &format!("rw::re_{}", method.name), vec![group])
            }
            ("groupCount", []) => Ok(format!("rw::re_group_count({m})")),
            ("reset", []) if !is_match => {
                self.line(format!("rw::re_reset({m});"));
                Ok(m)
            }
            ("replaceAll" | "replaceFirst", [with]) if with.ty == Ty::String => {
                let with = self.expr(with)?;
                let helper = if method.name == "replaceAll" {
                    "rw::re_replace_all"
                } else {
                    "rw::re_replace_first"
                };
                helped(self, helper, vec![with])
            }
            ("appendReplacement", [to, with]) => {
                let b = self.held(to)?;
                let with = self.expr(with)?;
                self.line(format!("rw::re_append_replacement(row, {m}, {b}, {with});"));
                self.leave_on_error();
                Ok(m)
            }
            ("appendTail", [to]) => {
                let b = self.held(to)?;
                self.line(format!("rw::re_append_tail(row, {m}, {b});"));
                self.leave_on_error();
                Ok(b)
            }
            _ => Err(uncovered(method, e.span)),
        }
    }

    /// A helper whose value changes later.
    fn helper_mut(&mut self, name: &str, args: impl IntoIterator<Item = &'p Expr>, span: Span) -> Understood<String> {
        let values = self.operands(args)?;
        self.partial = true;
        let t = self.temp();
        self.lines
            .push(Some(span), format!("auto {t} = {name}(row, {});", values.join(", ")));
        self.leave_on_error();
        Ok(t)
    }

    /// `findAllIn`: every match in turn.
    pub(super) fn all_matches(&mut self, regex: &'p Expr, text: &'p Expr, step: Step<'_, 'p>) -> Understood<()> {
        let m = self.helper_mut("rw::re_matcher", [regex, text], regex.span)?;
        self.block(Some(regex.span), &format!("while (rw::re_find(row, {m}))"), |s| {
            let item = s.spill(format!("rw::re_group(row, {m})"), regex.span);
            step(s, &item, &Cpp::Text)
        })?;
        self.leave_on_error();
        Ok(())
    }
}

/// A pattern that stands for its own text.
fn plain(pattern: &[u16]) -> Option<Vec<u16>> {
    let special = |u: u16| u < 0x80 && b"\\^$.|?*+()[]{}#&-".contains(&(u as u8)) || (0xd800..0xe000).contains(&u);
    match pattern {
        [] => None,
        [92, u] if *u < 0x80 && !(*u as u8).is_ascii_alphanumeric() => Some(vec![*u]),
        [u] if *u == u16::from(b'-') || *u == u16::from(b'#') || *u == u16::from(b'&') => Some(vec![*u]),
        all if all.iter().all(|u| !special(*u)) => Some(all.to_vec()),
        _ => None,
    }
}
