//! Values: operators, conversions, comparisons, concatenation, tuples, conditions. In: expressions; out: C++ text.

use super::emit::Emit;
use super::slots::{bare, is_assigned, unboxed};
use super::types::{Cpp, prim_name};
use crate::lang::ast::*;
use crate::lang::ty::{Prim, SeqKind, Ty};
use crate::source::{Refusal, Span, Understood};

impl<'p> Emit<'p> {
    pub(super) fn unary(&mut self, op: UnOp, a: &'p Expr) -> Understood<String> {
        let value = self.expr(a)?;
        Ok(match op {
            UnOp::Neg => format!("rw::neg({value})"),
            UnOp::Not => format!("!{value}"),
            UnOp::BitNot => format!("~{value}"),
        })
    }

    pub(super) fn binary(
        &mut self,
        op: BinOp,
        prim: Prim,
        lhs: &'p Expr,
        rhs: &'p Expr,
        span: Span,
    ) -> Understood<String> {
        let values = self.operands([lhs, rhs])?;
        let (a, b) = (&values[0], &values[1]);
        let symbol = match op {
            BinOp::Add => return Ok(format!("rw::add({a}, {b})")),
            BinOp::Sub => return Ok(format!("rw::sub({a}, {b})")),
            BinOp::Mul => return Ok(format!("rw::mul({a}, {b})")),
            BinOp::Div | BinOp::Rem => {
                let name = if op == BinOp::Div { "div" } else { "rem" };
                if let (BinOp::Div, Some(by)) = (op, super::divide::by_literal(rhs, prim)) {
                    return Ok(format!("rw::div_by({a}, {by})"));
                }
                if !prim.is_integral() {
                    return Ok(format!("rw::{name}({a}, {b})"));
                }
                // A divisor that is a constant other than zero cannot fail.
                let call = format!("rw::{name}<{}>(row, {a}, {b})", prim_name(prim));
                let safe = matches!(&rhs.kind, ExprKind::Lit(Lit::Int(v)) if *v != 0)
                    || matches!(&rhs.kind, ExprKind::Lit(Lit::Long(v)) if *v != 0);
                return Ok(if safe { call } else { self.checked(call, span) });
            }
            BinOp::Shl => return Ok(format!("rw::shl({a}, {b})")),
            BinOp::Shr => return Ok(format!("rw::shr({a}, {b})")),
            BinOp::UShr => return Ok(format!("rw::ushr({a}, {b})")),
            BinOp::BitAnd => "&",
            BinOp::BitOr => "|",
            BinOp::BitXor => "^",
            BinOp::Eq => "==",
            BinOp::Ne => "!=",
            BinOp::Lt => "<",
            BinOp::Le => "<=",
            BinOp::Gt => ">",
            BinOp::Ge => ">=",
        };
        Ok(format!("({a} {symbol} {b})"))
    }

    /// `&&` and `||`; a right side that needs lines goes into a branch of its own.
    pub(super) fn logic(&mut self, a: &'p Expr, b: &'p Expr, and: bool, span: Span) -> Understood<String> {
        let left = self.expr(a)?;
        let (inner, right) = self.apart(|s| s.expr(b))?;
        if inner.is_empty() {
            return Ok(format!("({left} {} {right})", if and { "&&" } else { "||" }));
        }
        let name = self.temp();
        self.lines.push(Some(span), format!("bool {name} = {left};"));
        self.lines
            .push(None, format!("if ({}{name}) {{", if and { "" } else { "!" }));
        let mut branch = inner;
        if !right.is_empty() {
            branch.push(Some(b.span), format!("{name} = {right};"));
        }
        self.lines.nest(branch);
        self.lines.push(None, "}");
        Ok(name)
    }

    /// `==` of references.
    pub fn equal(&mut self, lhs: &'p Expr, rhs: &'p Expr, span: Span) -> Understood<String> {
        if is_null(lhs) || is_null(rhs) {
            let other = if is_null(lhs) { rhs } else { lhs };
            let ty = self.cpp(other)?;
            let value = self.expr(other)?;
            return Ok(match ty {
                Cpp::Void | Cpp::Prim(_) | Cpp::Tuple(_) | Cpp::Try(_) => "false".into(),
                Cpp::Maybe(_) if !matches!(other.ty, Ty::Option(_)) => format!("(!{value}.valid)"),
                // An option is an object itself.
                Cpp::Maybe(_) => "false".into(),
                _ => format!("{value}.is_null()"),
            });
        }
        let (a, b) = (self.cpp(lhs)?, self.cpp(rhs)?);
        let arrays = matches!(lhs.ty, Ty::Array(_)) || matches!(rhs.ty, Ty::Array(_));
        let plain = match self.program.dialect {
            Dialect::Scala => a.comparable(),
            Dialect::Java => a.plain_equality() || matches!(a, Cpp::Date | Cpp::Moment),
        };
        // A primitive beside its box: the box must hold the same.
        let wrapped = |of: &Cpp, t: &Cpp| matches!(of, Cpp::Maybe(inner) if **inner == *t && t.prim().is_some());
        let values = match () {
            _ if arrays => None,
            _ if a == b && plain => Some(self.operands([lhs, rhs])?),
            _ if wrapped(&a, &b) || wrapped(&b, &a) => {
                let values = self.operands([lhs, rhs])?;
                let some = |v: &String, t: &Cpp| match t {
                    Cpp::Prim(_) => format!("rw::some({v})"),
                    _ => v.clone(),
                };
                Some(vec![some(&values[0], &a), some(&values[1], &b)])
            }
            _ => None,
        };
        match values {
            Some(v) if a == Cpp::Text => Ok(format!("rw::same_text({}, {})", v[0], v[1])),
            Some(v) => Ok(format!("rw::same({}, {})", v[0], v[1])),
            None => Err(Refusal::new(
                span,
                format!("`==` of {} and {} is not covered by the cuda tier", lhs.ty, rhs.ty),
            )),
        }
    }

    /// `eq`, and Java's `==` of references.
    pub(super) fn identical(&mut self, lhs: &'p Expr, rhs: &'p Expr, span: Span) -> Understood<String> {
        if is_null(lhs) || is_null(rhs) {
            return self.equal(lhs, rhs, span);
        }
        let (lhs, rhs) = (bare(lhs), bare(rhs));
        if let (ExprKind::Local(a), ExprKind::Local(b)) = (&lhs.kind, &rhs.kind) {
            if a == b {
                return Ok("true".into());
            }
            // Spark makes a new object for each column; only small numbers come from the JVM's cache.
            let entry = self.function == Some(self.program.entry);
            let body = &self.program.functions[self.program.entry.0 as usize];
            let column = |slot: &LocalId| (slot.0 as usize) < body.params.len() && !is_assigned(&body.body, *slot);
            if entry && column(a) && column(b) && lhs.ty == rhs.ty {
                let values = self.operands([lhs, rhs])?;
                match &lhs.ty {
                    Ty::Boxed(p) => {
                        return Ok(format!("rw::same_box<{}>({}, {})", prim_name(*p), values[0], values[1]));
                    }
                    Ty::String => return Ok(format!("({}.is_null() && {}.is_null())", values[0], values[1])),
                    _ => {}
                }
            }
        }
        // Days of the week and months are one object each.
        if matches!(&lhs.ty, Ty::Class(n) if n == "DayOfWeek" || n == "Month") && lhs.ty == rhs.ty {
            let values = self.operands([lhs, rhs])?;
            return Ok(format!("({} == {})", values[0], values[1]));
        }
        Err(Refusal::new(
            span,
            "whether two objects are the same one is not covered by the cuda tier",
        ))
    }

    pub(super) fn convert(&mut self, conv: Conv, a: &'p Expr, e: &'p Expr) -> Understood<String> {
        // null.asInstanceOf a box: the null of the target's type.
        if is_null(a) {
            return Cpp::of(&e.ty, e.span)?
                .null()
                .ok_or_else(|| Refusal::new(e.span, "null of a primitive type"));
        }
        match conv {
            Conv::Prim { from, to } => self.expr(a).map(|v| convert_prim(&v, from, to)),
            Conv::Box(p) => self.expr(a).map(|v| format!("rw::some<{}>({v})", prim_name(p))),
            Conv::Unbox(_) => self.unboxing(a, e.span),
            Conv::ToSeq => self.materialized(a),
            Conv::ToScalaBigDecimal => self.as_decimal(a, e),
            Conv::ToBigInt => Err(Refusal::new(e.span, "BigInt is not covered by the cuda tier")),
        }
    }

    /// What is in a box: of null, Scala makes zero and Java an exception.
    fn unboxing(&mut self, a: &'p Expr, span: Span) -> Understood<String> {
        let value = self.expr(a)?;
        match self.program.dialect {
            Dialect::Scala => Ok(format!("rw::unbox_or_zero({value})")),
            Dialect::Java => Ok(self.checked(format!("rw::unbox(row, {value})"), span)),
        }
    }

    /// A cast that changes nothing but what is known.
    pub(super) fn cast(&mut self, a: &'p Expr, e: &'p Expr) -> Understood<String> {
        let wanted = match &e.ty {
            Ty::Any => self.cpp(a)?,
            ty => Cpp::of(ty, e.span)?,
        };
        if is_null(a) {
            return self.branch(a, &wanted);
        }
        let got = self.cpp(a)?;
        match (&got, &wanted) {
            _ if got == wanted => self.expr(a),
            // A box as its primitive.
            (Cpp::Maybe(inner), Cpp::Prim(_)) if **inner == wanted => self.unboxing(a, e.span),
            _ => Err(Refusal::new(
                e.span,
                format!("a cast of {} to {} is not covered by the cuda tier", a.ty, e.ty),
            )),
        }
    }

    pub(super) fn concat(&mut self, parts: &'p [Expr], span: Span) -> Understood<String> {
        let values = self.operands(parts.iter().map(unboxed))?;
        self.partial = true;
        let name = self.variable(&Cpp::Builder);
        for (part, value) in parts.iter().zip(values) {
            self.append(&name, part, &value)?;
        }
        Ok(self.checked(format!("{name}.finish(row)"), span))
    }

    /// Appends one value to a builder, as its text.
    pub fn append(&mut self, builder: &str, part: &'p Expr, value: &str) -> Understood<()> {
        let part = unboxed(part);
        let ty = self.cpp(part)?;
        let line = self.appending(builder, &ty, value, part)?;
        self.lines.push(Some(part.span), line);
        Ok(())
    }

    /// The line that appends a value of a type.
    pub(super) fn appending(&mut self, builder: &str, ty: &Cpp, value: &str, part: &Expr) -> Understood<String> {
        let shown = match ty {
            _ if matches!(&part.ty, Ty::Class(n) if n == "DayOfWeek" || n == "Month") => None,
            Cpp::Text => Some(value.to_owned()),
            Cpp::Prim(p) if !matches!(p, Prim::Float | Prim::Double) => Some(value.to_owned()),
            Cpp::Maybe(inner)
                if !matches!(part.ty, Ty::Option(_))
                    && inner.prim().is_some_and(|p| !matches!(p, Prim::Float | Prim::Double)) =>
            {
                Some(value.to_owned())
            }
            Cpp::Date => Some(format!("rw::date_shown(row, {value})")),
            Cpp::Prim(Prim::Double) => Some(format!("rw::double_text(row, {value})")),
            Cpp::Maybe(inner) if **inner == Cpp::Prim(Prim::Double) && !matches!(part.ty, Ty::Option(_)) => {
                Some(format!("rw::double_text(row, {value})"))
            }
            Cpp::Decimal => Some(format!("rw::dec_shown(row, {value})")),
            Cpp::Builder => Some(format!("{value}.view(row)")),
            _ => None,
        };
        match shown {
            Some(shown) => Ok(format!("{builder}.append(row, {shown});")),
            None => Err(Refusal::new(
                part.span,
                format!(
                    "the text of a value of type {} is not covered by the cuda tier",
                    part.ty
                ),
            )),
        }
    }

    pub(super) fn if_value(
        &mut self,
        cond: &'p Expr,
        then: &'p Expr,
        otherwise: Option<&'p Expr>,
        e: &'p Expr,
    ) -> Understood<String> {
        let ty = self.value_type(e)?;
        let Some(otherwise) = otherwise.filter(|_| ty != Cpp::Void) else {
            self.statement(e)?;
            return Ok(String::new());
        };
        let c = self.expr(cond)?;
        let (mut yes, a) = self.apart(|s| s.branch(then, &ty))?;
        let (mut no, b) = self.apart(|s| s.branch(otherwise, &ty))?;
        if yes.is_empty() && no.is_empty() && a.len() + b.len() + c.len() < 80 && !a.is_empty() && !b.is_empty() {
            return Ok(format!("({c} ? {a} : {b})"));
        }
        let name = self.variable(&ty);
        for (lines, value, from) in [(&mut yes, a, then), (&mut no, b, otherwise)] {
            if !value.is_empty() {
                lines.push(Some(from.span), format!("{name} = {value};"));
            }
        }
        self.lines.push(Some(cond.span), format!("if ({c}) {{"));
        self.lines.nest(yes);
        self.lines.push(None, "} else {");
        self.lines.nest(no);
        self.lines.push(None, "}");
        Ok(name)
    }

    /// The type of a condition, a match or a `try` whose value is used.
    pub(super) fn value_type(&self, e: &Expr) -> Understood<Cpp> {
        let ty = Cpp::of(&e.ty, e.span)?;
        match ty.stays() {
            true => Err(Refusal::new(
                e.span,
                format!(
                    "a {} that one of several branches gives is not covered by the cuda tier",
                    e.ty
                ),
            )),
            false => Ok(ty),
        }
    }

    pub(super) fn tuple(&mut self, items: &'p [Expr], e: &'p Expr) -> Understood<String> {
        let ty = Cpp::of(&e.ty, e.span)?;
        let Ty::Tuple(types) = &e.ty else {
            return Err(Refusal::new(e.span, "this tuple is not covered by the cuda tier"));
        };
        let values = self.operands_as(items.iter().zip(types))?;
        Ok(format!("{}{{{}}}", ty.name(), values.join(", ")))
    }

    /// `Seq(1, 2)`, `Array(…)`.
    pub(super) fn sequence(&mut self, items: &'p [Expr], e: &'p Expr) -> Understood<String> {
        let (Ty::Seq(_, item) | Ty::Array(item)) = &e.ty else {
            return Err(Refusal::new(
                e.span,
                format!("a {} is not covered by the cuda tier", e.ty),
            ));
        };
        if matches!(e.ty, Ty::Seq(SeqKind::Buffer, _)) {
            return Err(Refusal::new(
                e.span,
                "a buffer that is made with elements is not covered by the cuda tier",
            ));
        }
        if **item == Ty::Nothing && items.is_empty() {
            return Ok("{}".into());
        }
        let name = Cpp::of(item, e.span)?.name();
        let values = self.operands_as(items.iter().map(|i| (i, item.as_ref())))?;
        self.partial = true;
        self.roomy = true;
        let made = self.checked(format!("rw::seq_new<{name}>(row, {})", items.len()), e.span);
        for (i, value) in values.iter().enumerate() {
            self.line(format!("{made}.items[{i}] = {value};"));
        }
        Ok(made)
    }
}

/// Whether an expression is the literal `null`, perhaps converted.
pub(super) fn is_null(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Lit(Lit::Null) => true,
        ExprKind::Convert(_, a) | ExprKind::Cast(a, _) => is_null(a),
        ExprKind::Block(stmts, Some(a)) if stmts.is_empty() => is_null(a),
        _ => false,
    }
}

/// Whether evaluating this text again, later, gives the same: a temporary or a number.
pub(super) fn is_simple(value: &str) -> bool {
    let temp = value
        .strip_prefix('t')
        .is_some_and(|n| n.starts_with(|c: char| c.is_ascii_digit()));
    (temp || value.starts_with(|c: char| c.is_ascii_digit()))
        && value.chars().all(|c| c.is_ascii_alphanumeric() || c == '.')
}

/// Whether this text names a variable of the program.
pub(super) fn is_variable(value: &str) -> bool {
    value.contains('_') && value.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

pub(super) fn convert_prim(value: &str, from: Prim, to: Prim) -> String {
    let floating = matches!(from, Prim::Float | Prim::Double);
    match to {
        Prim::Long if floating => format!("rw::to_long({value})"),
        Prim::Int if floating => format!("rw::to_int({value})"),
        Prim::Byte | Prim::Short | Prim::Char if floating => {
            format!("static_cast<{}>(rw::to_int({value}))", prim_name(to))
        }
        _ => format!("static_cast<{}>({value})", prim_name(to)),
    }
}
