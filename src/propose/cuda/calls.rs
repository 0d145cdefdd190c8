//! Library operations. In: a row of the library with its receiver and arguments; out: calls of the helpers in `kernels/`, or loops
//! where they stand. What has no helper is refused by its name.

use super::emit::Emit;
use super::slots::unboxed;
use super::types::Cpp;
use crate::jvm::table::Method;
use crate::lang::ast::*;
use crate::lang::ty::{JavaKind, Prim, Ty};
use crate::source::{Refusal, Span, Understood};

impl<'p> Emit<'p> {
    /// A library call.
    pub fn call(
        &mut self,
        method: &'static Method,
        recv: Option<&'p Expr>,
        args: &'p [Expr],
        e: &'p Expr,
    ) -> Understood<String> {
        if let Some(done) = self.general_call(method, recv, args, e)? {
            return Ok(done);
        }
        let Some(recv) = recv else {
            return self.static_call(method, args, e);
        };
        let collection = matches!(&recv.ty, Ty::Map(..) | Ty::Set(_) | Ty::Java(..));
        if !collection && let Some(done) = self.number_call(method, Some(recv), args, e)? {
            return Ok(done);
        }
        match &recv.ty {
            Ty::Map(..) | Ty::Set(_) | Ty::Java(JavaKind::Map | JavaKind::Set, _) => {
                self.constant_call(method.name.strip_prefix("java.").unwrap_or(method.name), recv, args, e)
            }
            Ty::Class(name) if name == "DayOfWeek" || name == "Month" => self.enumeration_call(method, recv, args, e),
            Ty::Class(name) if name == "ChronoUnit" => self.unit_call(method, recv, args, e),
            Ty::Try(_) => self.try_call(method.name, recv, args, e),
            Ty::Option(_) => self.option_call(method, recv, args, e),
            _ => match self.cpp(recv)? {
                Cpp::Text => self.text_call(method, recv, args, e),
                Cpp::Builder => self.builder_call(method, recv, args, e),
                Cpp::Seq(_) => self.seq_call(method, recv, args, e),
                Cpp::Buffer(_) => self.buffer_call(method, recv, args, e),
                Cpp::Date | Cpp::Moment => self.date_call(method, recv, args, e),
                Cpp::Decimal => self.decimal_call(method, recv, args, e),
                Cpp::Regex => self.regex_call(method, recv, args, e),
                Cpp::Matcher => self.matcher_call(method, recv, args, e),
                Cpp::Prim(Prim::Char) => self.char_call(method, recv, args, e),
                Cpp::Maybe(_) => self.box_call(method, recv, args, e),
                Cpp::Tuple(parts) if method.name == "swap" && parts.len() == 2 => {
                    let value = self.expr(recv)?;
                    let t = self.spill(value, recv.span);
                    let ty = Cpp::of(&e.ty, e.span)?;
                    Ok(format!("{}{{{t}.f1, {t}.f0}}", ty.name()))
                }
                _ => Err(uncovered(method, e.span)),
            },
        }
    }

    /// `toString`, `equals`, `hashCode`, `require` and what else works alike for all types; `None` if it is none of these.
    fn general_call(
        &mut self,
        method: &'static Method,
        recv: Option<&'p Expr>,
        args: &'p [Expr],
        e: &'p Expr,
    ) -> Understood<Option<String>> {
        Ok(Some(match (method.id, recv, args) {
            (id, Some(recv), []) if method.name == "toString" && !id.starts_with("Matcher") => self.shown(recv, e)?,
            ("static String.valueOf", None, [a]) if !matches!(a.ty, Ty::Array(_)) => self.text_of(a, e.span)?,
            (
                "static Double.toString"
                | "static Integer.toString"
                | "static Long.toString"
                | "static Short.toString"
                | "static Byte.toString"
                | "static Boolean.toString"
                | "static Character.toString(Char)",
                None,
                [a],
            ) => self.text_of(a, e.span)?,
            ("Any.equals", Some(recv), [other]) => self.equals(recv, other, e.span)?,
            ("Objects.equals", None, [a, b]) => self.equal(unboxed_same(a, b).0, unboxed_same(a, b).1, e.span)?,
            ("Objects.isNull", None, [a]) => self.is_absent(a)?,
            ("Objects.nonNull", None, [a]) => format!("!{}", self.is_absent(a)?),
            ("Objects.requireNonNull", None, [a]) => {
                let value = self.expr(a)?;
                let value = self.spill(value, a.span);
                self.line(format!("if ({value}.is_null()) row.fail(rw::kNullPointerException);"));
                self.leave_on_error();
                value
            }
            (
                "Predef.require"
                | "Predef.require(Any)"
                | "Predef.assert"
                | "Predef.assert(Any)"
                | "Predef.assume"
                | "Predef.assume(Any)",
                None,
                [cond, ..],
            ) => {
                let code = match method.name {
                    "require" => "kIllegalArgumentException",
                    _ => "kAssertionError",
                };
                let held = self.expr(cond)?;
                let message = args.get(1);
                self.block(Some(e.span), &format!("if (!{held})"), |s| {
                    if let Some(message) = message {
                        s.message(message)?;
                    }
                    s.fail(code, None);
                    Ok(())
                })?;
                String::new()
            }
            ("Predef.identity" | "Predef.locally", None, [a]) => self.expr(a)?,
            ("Try.static apply", None, [body]) => {
                let ty = Cpp::of(&e.ty, e.span)?;
                let ExprKind::Lambda { body, .. } = &body.kind else {
                    return Err(uncovered(method, e.span));
                };
                self.attempt(body, &ty, e.span)?
            }
            _ => return Ok(None),
        }))
    }

    /// A message that is made for an exception: what can fail in it would fail first.
    fn message(&mut self, message: &'p Expr) -> Understood<()> {
        if super::statements::harmless(message) {
            return Ok(());
        }
        match &message.kind {
            ExprKind::Lambda { params, body } if params.is_empty() => self.statement(body),
            _ => self.statement(message),
        }
    }

    fn is_absent(&mut self, a: &'p Expr) -> Understood<String> {
        match self.cpp(a)? {
            Cpp::Prim(_) | Cpp::Tuple(_) | Cpp::Try(_) => Ok("false".into()),
            Cpp::Maybe(_) if matches!(a.ty, Ty::Option(_)) => Ok("false".into()),
            Cpp::Void => Err(Refusal::new(a.span, "this value is not covered by the cuda tier")),
            _ => {
                let value = self.operands([a])?;
                let value = self.spill(value[0].clone(), a.span);
                Ok(format!("{value}.is_null()"))
            }
        }
    }

    /// `toString` of a receiver, which must not be null.
    fn shown(&mut self, recv: &'p Expr, e: &'p Expr) -> Understood<String> {
        let ty = self.cpp(recv)?;
        match ty {
            Cpp::Text => {
                let value = self.expr(recv)?;
                let value = self.spill(value, recv.span);
                self.checked(format!("rw::length(row, {value})"), e.span);
                Ok(value)
            }
            Cpp::Builder => {
                let name = self.held(recv)?;
                Ok(self.checked(format!("{name}.finish(row)"), e.span))
            }
            Cpp::Regex => Err(Refusal::new(
                e.span,
                "the text of a pattern is not covered by the cuda tier",
            )),
            _ => {
                let value = self.expr(recv)?;
                let value = self.spill(value, recv.span);
                if ty.prim().is_none()
                    && !matches!(ty, Cpp::Tuple(_) | Cpp::Try(_))
                    && !matches!(recv.ty, Ty::Option(_))
                {
                    self.line(format!("if ({value}.is_null()) row.fail(rw::kNullPointerException);"));
                    self.leave_on_error();
                }
                self.built(&ty, &value, recv, e.span)
            }
        }
    }

    /// `String.valueOf`.
    fn text_of(&mut self, a: &'p Expr, span: Span) -> Understood<String> {
        let a = unboxed(a);
        let ty = self.cpp(a)?;
        let value = self.expr(a)?;
        let value = self.spill(value, a.span);
        self.built(&ty, &value, a, span)
    }

    fn built(&mut self, ty: &Cpp, value: &str, of: &'p Expr, span: Span) -> Understood<String> {
        self.partial = true;
        let name = self.variable(&Cpp::Builder);
        let line = self.appending(&name, ty, value, of)?;
        self.line(line);
        Ok(self.checked(format!("{name}.finish(row)"), span))
    }

    /// `a.equals(b)`: a null receiver throws.
    fn equals(&mut self, recv: &'p Expr, other: &'p Expr, span: Span) -> Understood<String> {
        let (a, b) = unboxed_same(recv, other);
        let ty = self.cpp(a)?;
        if super::values::is_null(b) || !(ty.plain_equality() || ty == Cpp::Date) || self.cpp(b)? != ty {
            return Err(Refusal::new(
                span,
                format!(
                    "`equals` of {} and {} is not covered by the cuda tier",
                    recv.ty, other.ty
                ),
            ));
        }
        let values = self.operands([a, b])?;
        if ty.prim().is_some() {
            return Ok(format!("({} == {})", values[0], values[1]));
        }
        let receiver = self.spill(values[0].clone(), recv.span);
        self.line(format!(
            "if ({receiver}.is_null()) row.fail(rw::kNullPointerException);"
        ));
        self.leave_on_error();
        Ok(match ty {
            Cpp::Text => format!("rw::same_text({receiver}, {})", values[1]),
            _ => format!("rw::same({receiver}, {})", values[1]),
        })
    }

    /// Static methods and constructors that are no numbers.
    fn static_call(&mut self, method: &'static Method, args: &'p [Expr], e: &'p Expr) -> Understood<String> {
        if let Some(done) = self.number_call(method, None, args, e)? {
            return Ok(done);
        }
        let module = method.recv.strip_prefix("static ").unwrap_or(method.recv);
        match (module, method.name) {
            ("Option" | "Some" | "new Some" | "None" | "Optional" | "Success" | "Failure", _) => {
                self.option_static(module, method.name, args, e)
            }
            ("LocalDate" | "ChronoUnit" | "Date" | "DayOfWeek" | "Month" | "Instant", _) => {
                self.date_static(module, method, args, e)
            }
            ("JBigDecimal" | "BigDecimal" | "new JBigDecimal" | "new BigDecimal", _) => {
                self.decimal_static(module, method.name, args, e)
            }
            ("new StringBuilder" | "new StringBuffer", _) => {
                let name = format!("made_{}", self.temp());
                self.line(format!("rw::Builder {name};"));
                self.fresh(&name, &Cpp::Builder, e)?;
                Ok(name)
            }
            ("Pattern" | "new Regex", _) => self.regex_static(method, args, e),
            ("String", "format") => self.format(args, e),
            ("String", "join") => self.join(args, e),
            ("String", "valueOf" | "copyValueOf") | ("new String", _) => self.string_of(args, e),
            ("Character", _) => self.character_static(method, args, e),
            _ => self.seq_static(module, method.name, args, e),
        }
    }

    /// A helper that may fail: `name(row, args)`.
    pub(super) fn helper(
        &mut self,
        name: &str,
        args: impl IntoIterator<Item = &'p Expr>,
        span: Span,
    ) -> Understood<String> {
        let values = self.operands(args)?;
        Ok(self.helped(name, &values, span))
    }

    /// The same with what is evaluated already.
    pub(super) fn helped(&mut self, name: &str, values: &[String], span: Span) -> String {
        self.partial = true;
        let list: Vec<&str> = std::iter::once("row")
            .chain(values.iter().map(String::as_str))
            .collect();
        self.checked(format!("{name}({})", list.join(", ")), span)
    }
}

/// Both sides without their boxes, if both have one.
fn unboxed_same<'e>(a: &'e Expr, b: &'e Expr) -> (&'e Expr, &'e Expr) {
    let (x, y) = (unboxed(a), unboxed(b));
    match (x.ty.prim_type(), y.ty.prim_type()) {
        (Some(p), Some(q)) if p == q => (x, y),
        _ => (super::slots::bare(a), super::slots::bare(b)),
    }
}

/// A method without a helper.
pub(super) fn uncovered(method: &Method, span: Span) -> Refusal {
    Refusal::new(span, format!("`{}` has no helper for the device yet", method.name))
}
