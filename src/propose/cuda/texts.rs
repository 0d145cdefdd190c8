//! Methods of `String`, `StringBuilder` and `Char`. In: a row of the library; out: a helper's call, or a loop over the characters.

use super::calls::uncovered;
use super::emit::Emit;
use super::types::Cpp;
use crate::jvm::table::Method;
use crate::lang::ast::*;
use crate::lang::ty::{Prim, Ty};
use crate::source::{Refusal, Span, Understood};

/// The helper for a method of `String`.
fn text(id: &str) -> Option<&'static str> {
    Some(match id {
        "String.length" | "String.size" => "rw::length",
        "String.charAt" | "String.apply" => "rw::char_at",
        "String.substring(Int)" | "String.substring(Int,Int)" | "String.subSequence" => "rw::substring",
        "String.indexOf(String)" | "String.indexOf(String,Int)" => "rw::index_of",
        "String.lastIndexOf(String)" | "String.lastIndexOf(String,Int)" => "rw::last_index_of",
        "String.indexOf(Int)" | "String.indexOf(Int,Int)" => "rw::index_of_char",
        "String.lastIndexOf(Int)" | "String.lastIndexOf(Int,Int)" => "rw::last_index_of_char",
        "String.contains" | "String.contains(String)" => "rw::contains",
        "String.contains(Char)" => "rw::contains_char",
        "String.startsWith(String)" | "String.startsWith(String,Int)" => "rw::starts_with",
        "String.endsWith" => "rw::ends_with",
        "String.trim" => "rw::trim",
        "String.strip" => "rw::strip_space<true, true>",
        "String.stripLeading" => "rw::strip_space<true, false>",
        "String.stripTrailing" => "rw::strip_space<false, true>",
        "String.isBlank" => "rw::is_blank",
        "String.toUpperCase" => "rw::map_case<true>",
        "String.toLowerCase" => "rw::map_case<false>",
        "String.concat" => "rw::concat",
        "String.replace(Char,Char)" => "rw::replace_char",
        "String.replace(String,String)" | "String.replace(CharSequence,CharSequence)" => "rw::replace",
        "String.repeat" => "rw::repeat_java",
        "String.*" => "rw::repeat",
        "String.compareTo" | "String.compare" => "rw::compare",
        "String.equalsIgnoreCase" => "rw::same_ignoring_case",
        "String.hashCode" => "rw::hash_code",
        "String.head" => "rw::head",
        "String.last" => "rw::last",
        "String.tail" => "rw::tail",
        "String.init" => "rw::init",
        "String.take" => "rw::take",
        "String.drop" => "rw::drop",
        "String.takeRight" => "rw::take_right",
        "String.dropRight" => "rw::drop_right",
        "String.slice" => "rw::slice",
        "String.capitalize" => "rw::capitalize",
        "String.reverse" => "rw::reverse_units",
        "String.stripPrefix" => "rw::strip_prefix",
        "String.stripSuffix" => "rw::strip_suffix",
        "String.padTo" => "rw::pad_to",
        "String.toInt" => "rw::parse_int",
        "String.toLong" => "rw::parse_long",
        "String.toShort" => "rw::parse_short",
        "String.toByte" => "rw::parse_byte",
        "String.toDouble" => "rw::parse_double",
        "String.toBoolean" => "rw::parse_boolean_scala",
        "String.toCharArray"
        | "String.toList"
        | "String.toVector"
        | "String.toSeq"
        | "String.toIndexedSeq"
        | "String.toArray" => "rw::seq_chars",
        _ => return None,
    })
}

/// The helper for a class of characters or a mapping.
fn character(name: &str) -> Option<&'static str> {
    Some(match name {
        "isDigit" => "rw::is_digit",
        "isLetter" => "rw::is_letter",
        "isLetterOrDigit" => "rw::is_letter_or_digit",
        "isAlphabetic" => "rw::is_alphabetic",
        "isWhitespace" => "rw::is_space",
        "isUpper" | "isUpperCase" => "rw::is_upper",
        "isLower" | "isLowerCase" => "rw::is_lower",
        "toUpper" | "toUpperCase" => "rw::to_upper",
        "toLower" | "toLowerCase" => "rw::to_lower",
        "asDigit" | "getNumericValue" => "rw::numeric_value",
        "digit" => "rw::digit_of",
        _ => return None,
    })
}

impl<'p> Emit<'p> {
    pub(super) fn text_call(
        &mut self,
        method: &'static Method,
        recv: &'p Expr,
        args: &'p [Expr],
        e: &'p Expr,
    ) -> Understood<String> {
        let sides = || std::iter::once(recv).chain(args);
        match (method.id, args) {
            ("String.isEmpty" | "String.nonEmpty", []) => {
                let length = self.helper("rw::length", sides(), e.span)?;
                let sign = if method.name == "isEmpty" { "==" } else { "!=" };
                return Ok(format!("({length} {sign} 0)"));
            }
            ("String.equals" | "String.contentEquals(String)", [other]) if self.cpp(other)? == Cpp::Text => {
                let values = self.operands(sides())?;
                let receiver = self.spill(values[0].clone(), recv.span);
                self.checked(format!("rw::length(row, {receiver})"), recv.span);
                return Ok(format!("rw::same_text({receiver}, {})", values[1]));
            }
            ("String.toUpperCase(Locale)" | "String.toLowerCase(Locale)", [locale]) if is_root(locale) => {
                let helper = match method.name {
                    "toUpperCase" => "rw::map_case<true>",
                    _ => "rw::map_case<false>",
                };
                return self.helper(helper, [recv], e.span);
            }
            ("String.<" | "String.<=" | "String.>" | "String.>=", [_]) => {
                let order = self.helper("rw::compare", sides(), e.span)?;
                return Ok(format!("({order} {} 0)", method.name));
            }
            ("String.toString" | "String.intern" | "String.mkString" | "String.seq", []) => {
                let value = self.expr(recv)?;
                let value = self.spill(value, recv.span);
                self.checked(format!("rw::length(row, {value})"), e.span);
                return Ok(value);
            }
            ("String.splitAt", [_]) => {
                let values = self.operands(sides())?;
                let values: Vec<String> = values.into_iter().map(|v| self.spill(v, e.span)).collect();
                let a = self.helped("rw::take", &values, e.span);
                let b = self.helped("rw::drop", &values, e.span);
                return Ok(format!("{}{{{a}, {b}}}", Cpp::of(&e.ty, e.span)?.name()));
            }
            ("String.headOption" | "String.lastOption", []) => {
                let ty = Cpp::of(&e.ty, e.span)?;
                let length = self.helper("rw::length", sides(), e.span)?;
                let value = self.expr(recv)?;
                let at = if method.name == "headOption" {
                    "0".to_owned()
                } else {
                    format!("{length} - 1")
                };
                let result = self.variable(&ty);
                self.line(format!(
                    "if ({length} > 0) {result} = rw::some(rw::char_at(row, {value}, {at}));"
                ));
                return Ok(result);
            }
            ("String.+:" | "String.:+" | "String.++", [other]) if e.ty == Ty::String => {
                let values = self.operands(sides())?;
                let name = self.variable(&Cpp::Builder);
                let order: [(&'p Expr, &String); 2] = match method.name {
                    "+:" => [(other, &values[1]), (recv, &values[0])],
                    _ => [(recv, &values[0]), (other, &values[1])],
                };
                for (part, value) in order {
                    self.append(&name, part, value)?;
                }
                self.partial = true;
                return Ok(self.checked(format!("{name}.finish(row)"), e.span));
            }
            (_, [values]) if method.name == "format" => return self.format_with(recv, values, e),
            (_, [locale, values]) if method.name == "formatLocal" && super::formats::plain_numbers(locale) => {
                return self.format_with(recv, values, e);
            }
            ("String.getBytes(Charset)" | "String.getBytes(String)" | "String.getBytes", _)
                if args.iter().all(|a| self.is_utf8(a)) =>
            {
                self.roomy = true;
                return self.helper("rw::seq_bytes", [recv], e.span);
            }
            _ => {}
        }
        if let Some(done) = self.regex_text_call(method, recv, args, e)? {
            return Ok(done);
        }
        if let Some(helper) = text(method.id) {
            self.roomy |= helper.starts_with("rw::seq_");
            return self.helper(helper, sides(), e.span);
        }
        self.walked_call(method, recv, args, e)
    }

    /// Whether an argument names UTF-8.
    fn is_utf8(&self, a: &Expr) -> bool {
        match &a.kind {
            ExprKind::Call { method, .. } => method.name == "UTF_8",
            ExprKind::Lit(Lit::Str(units)) => String::from_utf16_lossy(units).eq_ignore_ascii_case("utf-8"),
            _ => false,
        }
    }

    pub(super) fn char_call(
        &mut self,
        method: &'static Method,
        recv: &'p Expr,
        args: &'p [Expr],
        e: &'p Expr,
    ) -> Understood<String> {
        match character(method.name) {
            Some(helper) if args.is_empty() => self.helper(helper, [recv], e.span),
            _ => match (method.name, args) {
                ("compare" | "compareTo", [_]) => {
                    let v = self.operands(std::iter::once(recv).chain(args))?;
                    Ok(format!(
                        "(static_cast<int32_t>({}) - static_cast<int32_t>({}))",
                        v[0], v[1]
                    ))
                }
                ("max" | "min", [_]) => {
                    let v = self.operands(std::iter::once(recv).chain(args))?;
                    let (a, b) = (self.spill(v[0].clone(), e.span), self.spill(v[1].clone(), e.span));
                    let sign = if method.name == "max" { ">" } else { "<" };
                    Ok(format!("({a} {sign} {b} ? {a} : {b})"))
                }
                _ => Err(uncovered(method, e.span)),
            },
        }
    }

    /// `Character.isDigit(c)` and its kin; those of code points only take what stands in one unit.
    pub(super) fn character_static(
        &mut self,
        method: &'static Method,
        args: &'p [Expr],
        e: &'p Expr,
    ) -> Understood<String> {
        let (Some(helper), Some(first)) = (character(method.name), args.first()) else {
            return Err(uncovered(method, e.span));
        };
        match self.cpp(first)? {
            Cpp::Prim(Prim::Char) => self.helper(helper, args, e.span),
            Cpp::Prim(Prim::Int) => {
                let mut values = self.operands(args)?;
                let point = self.spill(values[0].clone(), first.span);
                // Halves of pairs are characters of their own, which the tables do not hold.
                self.line(format!(
                    "if ({point} < 0 || {point} > 0xFFFF || ({point} & 0xF800) == 0xD800) row.fail(rw::kNotCovered);"
                ));
                self.leave_on_error();
                values[0] = format!("static_cast<uint16_t>({point})");
                let value = self.helped(helper, &values, e.span);
                Ok(match e.ty {
                    Ty::INT => format!("static_cast<int32_t>({value})"),
                    _ => value,
                })
            }
            _ => Err(uncovered(method, e.span)),
        }
    }

    pub(super) fn builder_call(
        &mut self,
        method: &'static Method,
        recv: &'p Expr,
        args: &'p [Expr],
        e: &'p Expr,
    ) -> Understood<String> {
        // `sb.append(a).append(b)` appends to the same builder in turn.
        let b = self.held(recv)?;
        let done = |s: &mut Self, helper: &str, values: &[String]| {
            let list: Vec<&str> = ["row", b.as_str()]
                .into_iter()
                .chain(values.iter().map(String::as_str))
                .collect();
            s.lines.push(Some(e.span), format!("{helper}({});", list.join(", ")));
            s.leave_on_error();
            b.clone()
        };
        match (method.name, args) {
            ("append" | "+=" | "++=" | "appendAll", [a]) => {
                let part = super::slots::unboxed(a);
                if matches!(self.cpp(part)?, Cpp::Seq(item) if *item == Cpp::Prim(Prim::Char)) {
                    let value = self.expr(part)?;
                    let text = self.helped("rw::seq_string", &[value], e.span);
                    self.line(format!("{b}.append(row, {text});"));
                } else {
                    let value = self.expr(part)?;
                    self.append(&b, a, &value)?;
                }
                self.leave_on_error();
                Ok(b)
            }
            ("append", [text, from, to]) if self.cpp(text)? == Cpp::Text => {
                let part = self.helper("rw::append_part", [text, from, to], e.span)?;
                self.line(format!("{b}.append(row, {part});"));
                self.leave_on_error();
                Ok(b)
            }
            ("toString" | "result" | "mkString", []) => Ok(self.checked(format!("{b}.finish(row)"), e.span)),
            ("length" | "size", []) => Ok(format!("rw::length({b})")),
            ("isEmpty", []) => Ok(format!("(rw::length({b}) == 0)")),
            ("nonEmpty", []) => Ok(format!("(rw::length({b}) != 0)")),
            ("charAt" | "apply", [i]) => {
                let i = self.expr(i)?;
                Ok(self.checked(format!("rw::char_at(row, {b}, {i})"), e.span))
            }
            ("last", []) => Ok(self.checked(format!("rw::last(row, {b}.view(row))"), e.span)),
            ("substring", _) => {
                let values = self.operands(args)?;
                let list = [vec![format!("{b}.view(row)")], values].concat();
                let part = self.helped("rw::substring", &list, e.span);
                // The builder may change; the text does not.
                Ok(self.checked(format!("rw::text_of_value(row, {part})"), e.span))
            }
            ("indexOf", [_]) => {
                let values = self.operands(args)?;
                Ok(self.helped(
                    "rw::index_of",
                    &[vec![format!("{b}.view(row)")], values].concat(),
                    e.span,
                ))
            }
            ("setCharAt" | "update", [_, _]) => {
                let values = self.operands(args)?;
                done(self, "rw::set_char_at", &values);
                Ok(String::new())
            }
            ("deleteCharAt", [_]) => {
                let values = self.operands(args)?;
                Ok(done(self, "rw::erase_char", &values))
            }
            ("delete", [_, _]) => {
                let values = self.operands(args)?;
                Ok(done(self, "rw::erase", &values))
            }
            ("setLength", [_]) => {
                let values = self.operands(args)?;
                done(self, "rw::set_length", &values);
                Ok(String::new())
            }
            ("clear", []) => {
                self.line(format!("{b} = rw::Builder();"));
                Ok(String::new())
            }
            ("insert", [at, what]) => {
                let part = super::slots::unboxed(what);
                let values = self.operands([at, part])?;
                let ty = self.cpp(part)?;
                let text = self.variable(&Cpp::Builder);
                let line = self.appending(&text, &ty, &values[1], part)?;
                self.line(line);
                let text = self.checked(format!("{text}.finish(row)"), e.span);
                Ok(done(self, "rw::insert", &[values[0].clone(), text]))
            }
            ("reverse", []) => Ok(done(self, "rw::reverse", &[])),
            _ => Err(uncovered(method, e.span)),
        }
    }

    /// `new String(chars)`, `String.valueOf(chars)`.
    pub(super) fn string_of(&mut self, args: &'p [Expr], e: &'p Expr) -> Understood<String> {
        match args {
            [] => super::types::text_literal(&[], e.span),
            [a] => match self.cpp(a)? {
                Cpp::Seq(item) if *item == Cpp::Prim(Prim::Char) => self.helper("rw::seq_string", [a], e.span),
                Cpp::Text => self.expr(a),
                _ => Err(self.no_text(a, e.span)),
            },
            _ => Err(self.no_text(e, e.span)),
        }
    }

    fn no_text(&self, of: &Expr, span: Span) -> Refusal {
        Refusal::new(span, format!("a String of a {} is not covered by the cuda tier", of.ty))
    }
}

/// Whether an argument is a locale that maps letters as the root locale does.
fn is_root(locale: &Expr) -> bool {
    matches!(&locale.kind, ExprKind::Call { method, .. } if matches!(method.name, "ROOT" | "ENGLISH" | "US" | "UK" | "GERMAN" | "GERMANY" | "FRENCH" | "FRANCE"))
}
