//! Library operations as calls of the helpers in `kernels/`. What has no helper is refused by its name.

use super::emit::Emit;
use super::types::Cpp;
use crate::jvm::table::Method;
use crate::lang::ast::*;
use crate::lang::ty::{Prim, Ty};
use crate::source::{Refusal, Span, Understood};

/// How an operation is written.
enum Form {
    /// `name(row, args)`; it may fail.
    Failing(&'static str),
    /// `name(args)`.
    Plain(&'static str),
    /// `name(args)` of CUDA's math library, whose last bits differ.
    Inexact(&'static str),
}

/// The helper for a static function or a method of a primitive.
fn math(recv: &str, name: &str, ty: &Ty) -> Option<Form> {
    let float = *ty == Ty::FLOAT;
    let recv = recv.strip_prefix("static ").unwrap_or(recv);
    if !matches!(
        recv,
        "Math" | "StrictMath" | "math" | "Int" | "Long" | "Float" | "Double" | "Integer"
    ) {
        return None;
    }
    Some(match name {
        "max" => Form::Plain("rw::max_of"),
        "min" => Form::Plain("rw::min_of"),
        "abs" => Form::Plain("rw::abs_of"),
        "round" => Form::Plain("rw::round_half_up"),
        "floor" => Form::Plain(if float { "floorf" } else { "floor" }),
        "ceil" => Form::Plain(if float { "ceilf" } else { "ceil" }),
        "rint" => Form::Plain("rint"),
        "sqrt" => Form::Plain("sqrt"),
        "signum" if *ty == Ty::DOUBLE => Form::Plain("rw::signum"),
        "floorDiv" => Form::Failing("rw::floor_div"),
        "floorMod" => Form::Failing("rw::floor_mod"),
        "isNaN" => Form::Plain("isnan"),
        "isInfinite" => Form::Plain("isinf"),
        "sin" => Form::Inexact("sin"),
        "cos" => Form::Inexact("cos"),
        "tan" => Form::Inexact("tan"),
        "asin" => Form::Inexact("asin"),
        "acos" => Form::Inexact("acos"),
        "atan" => Form::Inexact("atan"),
        "atan2" => Form::Inexact("atan2"),
        "exp" => Form::Inexact("exp"),
        "log" => Form::Inexact("log"),
        "log10" => Form::Inexact("log10"),
        "pow" => Form::Inexact("rw::pow"),
        "cbrt" => Form::Inexact("cbrt"),
        "hypot" => Form::Inexact("hypot"),
        "sinh" => Form::Inexact("sinh"),
        "cosh" => Form::Inexact("cosh"),
        "tanh" => Form::Inexact("tanh"),
        "expm1" => Form::Inexact("expm1"),
        "log1p" => Form::Inexact("log1p"),
        _ => return None,
    })
}

/// The helper for a method of `String`.
fn text(name: &str, args: &[Expr]) -> Option<&'static str> {
    let first = args.first().map(|a| &a.ty);
    Some(match (name, first) {
        ("length" | "size", None) => "rw::length",
        ("charAt" | "apply", Some(_)) => "rw::char_at",
        ("substring", Some(_)) => "rw::substring",
        ("indexOf", Some(Ty::String)) => "rw::index_of",
        ("indexOf", Some(Ty::Prim(Prim::Char | Prim::Int))) if args.len() == 1 => "rw::index_of_char",
        ("startsWith", Some(Ty::String)) if args.len() == 1 => "rw::starts_with",
        ("endsWith", Some(Ty::String)) => "rw::ends_with",
        ("contains", Some(Ty::String)) => "rw::contains",
        ("trim", None) => "rw::trim",
        ("toUpperCase", None) => "rw::map_case<true>",
        ("toLowerCase", None) => "rw::map_case<false>",
        ("toInt", None) => "rw::parse_int",
        ("toLong", None) => "rw::parse_long",
        _ => return None,
    })
}

impl<'p> Emit<'p> {
    /// A library call.
    pub fn call(
        &mut self,
        method: &'static Method,
        recv: Option<&'p Expr>,
        args: &'p [Expr],
        e: &'p Expr,
    ) -> Understood<String> {
        if let Some(r) = recv
            && let Some(done) = self.receiver_call(method, r, args, e)?
        {
            return Ok(done);
        }
        let first = recv.or(args.first());
        if let Some(form) = first.and_then(|f| math(method.recv, method.name, &f.ty)) {
            let values = self.operands(recv.into_iter().chain(args))?;
            return Ok(self.written(form, method.name, values, &e.ty, e.span));
        }
        match (method.recv, method.name) {
            ("static Integer", "parseInt") if args.len() == 1 => self.failing("rw::parse_int", args, e.span),
            ("static Long", "parseLong") if args.len() == 1 => self.failing("rw::parse_long", args, e.span),
            ("static Character", "isDigit") => self.failing("rw::is_digit", args, e.span),
            ("static Character", "isLetter") => self.failing("rw::is_letter", args, e.span),
            ("static Integer" | "static Long" | "static Double" | "static Float", "valueOf")
                if args.len() == 1 && args[0].ty.prim().is_some() && matches!(e.ty, Ty::Boxed(_)) =>
            {
                let value = self.expr(&args[0])?;
                Ok(format!("{}{{{value}, true}}", Cpp::of(&e.ty, e.span)?.name()))
            }
            _ if args.is_empty() && recv.is_none() => self.constant(method, e),
            (r, "apply") if (r.contains("Option") || r.contains("Some")) && args.len() == 1 => {
                self.option_of(&args[0], e)
            }
            _ => Err(uncovered(method, e.span)),
        }
    }

    /// `Double.NaN`, `Int.MaxValue`, `None`.
    fn constant(&mut self, method: &'static Method, e: &Expr) -> Understood<String> {
        let text = match (method.recv.strip_prefix("static ").unwrap_or(""), method.name) {
            ("Double", "NaN") => "nan(\"\")",
            ("Float", "NaN") => "nanf(\"\")",
            ("Double", "PositiveInfinity" | "POSITIVE_INFINITY") => "HUGE_VAL",
            ("Double", "NegativeInfinity" | "NEGATIVE_INFINITY") => "(-HUGE_VAL)",
            ("Double", "MaxValue" | "MAX_VALUE") => "1.7976931348623157e308",
            ("Double", "MinValue") => "(-1.7976931348623157e308)",
            ("Int", "MaxValue") | ("Integer", "MAX_VALUE") => "2147483647",
            ("Int", "MinValue") | ("Integer", "MIN_VALUE") => "(-2147483647 - 1)",
            ("Long", "MaxValue" | "MAX_VALUE") => "int64_t(9223372036854775807LL)",
            ("Long", "MinValue" | "MIN_VALUE") => "(-9223372036854775807LL - 1)",
            ("Math", "PI") => "3.141592653589793",
            ("Math", "E") => "2.718281828459045",
            _ => return Err(uncovered(method, e.span)),
        };
        Ok(text.into())
    }

    fn option_of(&mut self, arg: &'p Expr, e: &'p Expr) -> Understood<String> {
        let ty = Cpp::of(&e.ty, e.span)?;
        let value = self.branch(arg, Cpp::of(&arg.ty, arg.span)?)?;
        match (Cpp::of(&arg.ty, arg.span)?, ty) {
            (Cpp::Maybe(_), Cpp::Maybe(_)) => Ok(value),
            (Cpp::Prim(_), Cpp::Maybe(_)) => Ok(format!("{}{{{value}, true}}", ty.name())),
            (Cpp::Text, Cpp::MaybeText) => {
                let t = self.spill(value, arg.span);
                Ok(format!("rw::Maybe<rw::Text>{{{t}, !{t}.is_null()}}"))
            }
            _ => Err(Refusal::new(
                e.span,
                format!("an {} is not covered by the cuda tier", e.ty),
            )),
        }
    }

    fn failing(&mut self, name: &str, args: &'p [Expr], span: Span) -> Understood<String> {
        self.partial = true;
        let values = self.operands(args.iter())?;
        Ok(self.checked(format!("{name}(row, {})", values.join(", ")), span))
    }

    fn written(&mut self, form: Form, name: &str, values: Vec<String>, ty: &Ty, span: Span) -> String {
        let list = values.join(", ");
        match form {
            Form::Failing(f) => {
                let t = ty.prim().map_or("int32_t", super::types::prim_name);
                self.checked(format!("{f}<{t}>(row, {list})"), span)
            }
            Form::Plain(f) => format!("{f}({list})"),
            Form::Inexact(f) => {
                self.inexact.push((span, name.to_owned()));
                format!("{f}({list})")
            }
        }
    }

    /// Methods of texts, characters, builders, options and boxes; `None` if it is another receiver's.
    fn receiver_call(
        &mut self,
        method: &'static Method,
        recv: &'p Expr,
        args: &'p [Expr],
        e: &'p Expr,
    ) -> Understood<Option<String>> {
        match &recv.ty {
            Ty::String => self.text_call(method, recv, args, e).map(Some),
            Ty::Class(name) if name == "StringBuilder" || name == "StringBuffer" => {
                self.builder_call(method, recv, args, e).map(Some)
            }
            Ty::Option(_) => self.option_call(method, recv, args, e).map(Some),
            Ty::Prim(Prim::Char) => self.char_call(method, recv, e).map(Some),
            Ty::Prim(from) if method.name.starts_with("to") && args.is_empty() => match e.ty.prim() {
                Some(to) => {
                    let value = self.expr(recv)?;
                    Ok(Some(super::emit::convert_prim(&value, *from, to)))
                }
                None => Ok(None),
            },
            Ty::Boxed(p) if method.name.ends_with("Value") && args.is_empty() => {
                let to = e.ty.prim().unwrap_or(*p);
                let value = self.expr(recv)?;
                let value = self.checked(format!("rw::unbox(row, {value})"), e.span);
                Ok(Some(super::emit::convert_prim(&value, *p, to)))
            }
            _ => Ok(None),
        }
    }

    fn char_call(&mut self, method: &'static Method, recv: &'p Expr, e: &'p Expr) -> Understood<String> {
        let helper = match method.name {
            "isDigit" => "rw::is_digit",
            "isLetter" => "rw::is_letter",
            "toUpper" => "rw::to_upper",
            "toLower" => "rw::to_lower",
            "toInt" => {
                let value = self.expr(recv)?;
                return Ok(format!("static_cast<int32_t>({value})"));
            }
            _ => return Err(uncovered(method, e.span)),
        };
        self.partial = true;
        let value = self.expr(recv)?;
        Ok(self.checked(format!("{helper}(row, {value})"), e.span))
    }

    fn text_call(
        &mut self,
        method: &'static Method,
        recv: &'p Expr,
        args: &'p [Expr],
        e: &'p Expr,
    ) -> Understood<String> {
        let empty = matches!(method.name, "isEmpty" | "nonEmpty");
        if empty && args.is_empty() {
            let value = self.expr(recv)?;
            let length = self.checked(format!("rw::length(row, {value})"), e.span);
            return Ok(format!(
                "({length} {} 0)",
                if method.name == "isEmpty" { "==" } else { "!=" }
            ));
        }
        if method.name == "equals" && args.len() == 1 && args[0].ty == Ty::String {
            let values = self.operands(std::iter::once(recv).chain(args))?;
            let receiver = self.spill(values[0].clone(), recv.span);
            self.checked(format!("rw::length(row, {receiver})"), recv.span);
            return Ok(format!("rw::same_text({receiver}, {})", values[1]));
        }
        let helper = text(method.name, args).ok_or_else(|| uncovered(method, e.span))?;
        self.partial = true;
        let values = self.operands(std::iter::once(recv).chain(args))?;
        Ok(self.checked(format!("{helper}(row, {})", values.join(", ")), e.span))
    }

    fn builder_call(
        &mut self,
        method: &'static Method,
        recv: &'p Expr,
        args: &'p [Expr],
        e: &'p Expr,
    ) -> Understood<String> {
        // `sb.append(a).append(b)` appends to the same builder in turn.
        let builder = match &recv.kind {
            ExprKind::Local(id) => self.local_name(id.0 as usize),
            ExprKind::Call { .. } => self.expr(recv)?,
            _ => {
                return Err(Refusal::new(
                    recv.span,
                    "only builders in a variable are covered by the cuda tier",
                ));
            }
        };
        match method.name {
            "append" | "+=" if args.len() == 1 => {
                let value = self.expr(&args[0])?;
                self.append(&builder, &args[0], &value)?;
                self.leave_on_error();
                Ok(builder)
            }
            "toString" | "result" => Ok(self.checked(format!("{builder}.finish(row)"), e.span)),
            "length" | "size" => Ok(format!("{builder}.units")),
            _ => Err(uncovered(method, e.span)),
        }
    }

    fn option_call(
        &mut self,
        method: &'static Method,
        recv: &'p Expr,
        args: &'p [Expr],
        e: &'p Expr,
    ) -> Understood<String> {
        let value = self.expr(recv)?;
        let option = self.spill(value, recv.span);
        match (method.name, args) {
            ("isDefined" | "nonEmpty", []) => Ok(format!("{option}.valid")),
            ("isEmpty", []) => Ok(format!("(!{option}.valid)")),
            (
                "getOrElse",
                [
                    Expr {
                        kind: ExprKind::Lambda { body, .. },
                        ..
                    },
                ],
            ) => {
                let ty = Cpp::of(&e.ty, e.span)?;
                let (inner, other) = self.apart(|s| s.branch(body, ty))?;
                let result = self.temp();
                self.lines
                    .push(None, format!("{} {result} = {};", ty.name(), content(&option, ty)));
                self.lines.push(Some(body.span), format!("if (!{option}.valid) {{"));
                self.lines.nest(inner);
                if !other.is_empty() {
                    let mut set = super::lines::Lines::default();
                    set.push(Some(body.span), format!("{result} = {other};"));
                    self.lines.nest(set);
                }
                self.lines.push(None, "}");
                Ok(result)
            }
            (
                "map" | "flatMap" | "filter" | "exists",
                [
                    Expr {
                        kind: ExprKind::Lambda { params, body },
                        ..
                    },
                ],
            ) => self.option_lambda(method.name, &option, params, body, e),
            _ => Err(uncovered(method, e.span)),
        }
    }

    fn option_lambda(
        &mut self,
        name: &str,
        option: &str,
        params: &[LocalId],
        body: &'p Expr,
        e: &'p Expr,
    ) -> Understood<String> {
        let ty = Cpp::of(&e.ty, e.span)?;
        let item = self.local_name(params[0].0 as usize);
        let inside = content(option, Cpp::of(&self.local_type(params[0].0 as usize), e.span)?);
        let result = self.temp();
        let (mut inside, value) = self.apart(|s| {
            s.lines.push(None, format!("{item} = {inside};"));
            match name {
                "flatMap" => s.branch(body, ty),
                _ => s.expr(body),
            }
        })?;
        let set = match name {
            "map" => format!("{result} = {}{{{value}, true}};", ty.name()),
            "filter" => format!("if ({value}) {result} = {option};"),
            _ => format!("{result} = {value};"),
        };
        if !value.is_empty() {
            inside.push(Some(body.span), set);
        }
        self.lines.push(None, format!("{} {result}{{}};", ty.name()));
        self.lines.push(Some(e.span), format!("if ({option}.valid) {{"));
        self.lines.nest(inside);
        self.lines.push(None, "}");
        Ok(result)
    }
}

/// What an option that has a value holds: a box is such an option itself.
pub(super) fn content(option: &str, ty: Cpp) -> String {
    match ty {
        Cpp::Maybe(_) => option.to_owned(),
        _ => format!("{option}.value"),
    }
}

fn uncovered(method: &Method, span: Span) -> Refusal {
    Refusal::new(span, format!("`{}` has no helper for the device yet", method.name))
}
