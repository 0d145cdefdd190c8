//! Expressions and statements as C++. An expression becomes text; what must run before it (a throwing call, a branch with
//! statements) becomes lines in front of it, in the order of the original.

use super::kernel::Written;
use super::lines::Lines;
use super::types::{Cpp, literal, prim_name};
use crate::lang::ast::*;
use crate::lang::ty::{Prim, Ty};
use crate::source::{Refusal, Span, Understood};

/// The generator of one function's body.
pub(super) struct Emit<'p> {
    pub program: &'p Program,
    locals: &'p [Local],
    /// What the enclosing function returns; inside a `try` body, what its closure returns.
    pub ret: Cpp,
    pub lines: Lines,
    temps: usize,
    pub inexact: Vec<(Span, String)>,
    pub partial: bool,
    /// How many closures a `return` would have to leave.
    pub in_try: usize,
}

/// The C++ name of a function of the program.
pub(super) fn function_name(program: &Program, id: FnId) -> String {
    let name = super::kernel::identifier(&program.functions[id.0 as usize].name);
    format!("{name}_{}", id.0)
}

/// The C++ name of a constant of the enclosing object.
pub(super) fn global_name(global: &Global) -> String {
    format!("const_{}", super::kernel::identifier(&global.name))
}

impl<'p> Emit<'p> {
    pub fn new(program: &'p Program, locals: &'p [Local], ret: Cpp) -> Emit<'p> {
        let lines = Lines::default();
        Emit {
            program,
            locals,
            ret,
            lines,
            temps: 0,
            inexact: Vec::new(),
            partial: false,
            in_try: 0,
        }
    }

    /// The slots of the function.
    pub fn locals(&self) -> &'p [Local] {
        self.locals
    }

    /// Hands over the lines and adds what was noticed.
    pub fn take(&mut self, out: &mut Written) -> Lines {
        out.inexact.append(&mut self.inexact);
        out.partial |= self.partial;
        std::mem::take(&mut self.lines)
    }

    /// The C++ name of a slot.
    pub fn local_name(&self, slot: usize) -> String {
        format!("{}_{slot}", super::kernel::identifier(&self.locals[slot].name))
    }

    /// Declares every slot from `first` on that has a C++ type; the others refuse where they are used.
    pub fn declare(&mut self, first: usize) {
        for slot in first..self.locals.len() {
            let Ok(ty) = Cpp::of(&self.locals[slot].ty, Span::default()) else {
                continue;
            };
            let name = self.local_name(slot);
            match ty {
                Cpp::Void => {}
                // A builder claims its scratch memory where the original makes it.
                Cpp::Builder => {}
                _ => self.lines.push(None, format!("{} {name}{{}};", ty.name())),
            }
        }
    }

    /// Runs `f` with lines of its own and gives those.
    pub fn apart<T>(&mut self, f: impl FnOnce(&mut Self) -> Understood<T>) -> Understood<(Lines, T)> {
        let outer = std::mem::take(&mut self.lines);
        let result = f(self);
        let inner = std::mem::replace(&mut self.lines, outer);
        result.map(|value| (inner, value))
    }

    /// A fresh name.
    pub fn temp(&mut self) -> String {
        self.temps += 1;
        format!("t{}", self.temps)
    }

    /// Puts a value into a variable, so that it is evaluated here and once.
    pub fn spill(&mut self, value: String, span: Span) -> String {
        let name = self.temp();
        self.lines.push(Some(span), format!("const auto {name} = {value};"));
        name
    }

    /// Spills a value whose making can fail, and leaves the function if it did.
    pub fn checked(&mut self, value: String, span: Span) -> String {
        let name = self.spill(value, span);
        self.leave_on_error();
        name
    }

    /// Leaves the function if the row has failed.
    pub fn leave_on_error(&mut self) {
        let bail = self.ret.bail();
        self.lines.push(None, format!("if (row.error != rw::kNone) {bail}"));
    }

    /// An expression in tail position: its value, unless it returns on every path.
    pub fn tail(&mut self, e: &'p Expr) -> Understood<Option<String>> {
        if Cpp::of(&e.ty, e.span).is_ok_and(|t| t == Cpp::Void) {
            self.statement(e)?;
            return Ok(None);
        }
        self.expr(e).map(Some)
    }

    /// An expression as text of its type.
    pub fn expr(&mut self, e: &'p Expr) -> Understood<String> {
        match &e.kind {
            ExprKind::Lit(Lit::Null) => {
                let null = Cpp::of(&e.ty, e.span).ok().and_then(Cpp::null);
                null.ok_or_else(|| Refusal::new(e.span, "null of a type that has no null on the device"))
            }
            ExprKind::Lit(lit) => literal(lit, e.span),
            ExprKind::Local(id) => {
                Cpp::of(&self.locals[id.0 as usize].ty, e.span)?;
                Ok(self.local_name(id.0 as usize))
            }
            ExprKind::Global(id) => {
                let call = format!("{}(row)", global_name(&self.program.globals[id.0 as usize]));
                Ok(self.checked(call, e.span))
            }
            ExprKind::Unary(op, a) => self.unary(*op, a),
            ExprKind::Binary { op, prim, lhs, rhs } => self.binary(*op, *prim, lhs, rhs, e.span),
            ExprKind::And(a, b) => self.logic(a, b, true, e.span),
            ExprKind::Or(a, b) => self.logic(a, b, false, e.span),
            ExprKind::RefEq { lhs, rhs, negated } => {
                let same = self.equal(lhs, rhs, e.span)?;
                Ok(if *negated { format!("!{same}") } else { same })
            }
            ExprKind::Identity { lhs, rhs, negated } if is_null(lhs) || is_null(rhs) => {
                let same = self.equal(lhs, rhs, e.span)?;
                Ok(if *negated { format!("!{same}") } else { same })
            }
            ExprKind::Convert(conv, a) => self.convert(*conv, a, e),
            ExprKind::Concat(parts) => self.concat(parts, e.span),
            ExprKind::Block(stmts, value) => {
                stmts.iter().try_for_each(|s| self.stmt(s))?;
                value.as_ref().map_or(Ok(String::new()), |v| self.expr(v))
            }
            ExprKind::If { cond, then, otherwise } => self.if_value(cond, then, otherwise.as_deref(), e),
            ExprKind::Match { scrutinee, cases } => self.match_value(scrutinee, cases, e),
            ExprKind::Try {
                body,
                catches,
                finally: None,
            } => self.try_value(body, catches, e),
            ExprKind::Call { method, recv, args } => self.call(method, recv.as_deref(), args, e),
            ExprKind::CallFn { func, args } => {
                let values = self.operands(args.iter())?;
                let call = format!(
                    "{}({})",
                    function_name(self.program, *func),
                    [vec!["row".into()], values].concat().join(", ")
                );
                Ok(self.checked(call, e.span))
            }
            ExprKind::Throw(_) | ExprKind::Return(_) => {
                self.statement(e)?;
                Ok(String::new())
            }
            _ => Err(Refusal::new(
                e.span,
                format!("this expression of type {} is not covered by the cuda tier", e.ty),
            )),
        }
    }

    /// Operands from left to right; those before one that needs lines are spilled, so that the order stays.
    pub fn operands(&mut self, args: impl Iterator<Item = &'p Expr>) -> Understood<Vec<String>> {
        let mut values: Vec<(String, Span)> = Vec::new();
        for a in args {
            let (inner, value) = self.apart(|s| s.expr(a))?;
            if !inner.is_empty() {
                for (v, span) in &mut values {
                    if !is_simple(v) {
                        *v = self.spill(std::mem::take(v), *span);
                    }
                }
                self.lines.append(inner);
            }
            values.push((value, a.span));
        }
        Ok(values.into_iter().map(|(v, _)| v).collect())
    }

    fn unary(&mut self, op: UnOp, a: &'p Expr) -> Understood<String> {
        let value = self.expr(a)?;
        Ok(match op {
            UnOp::Neg => format!("rw::neg({value})"),
            UnOp::Not => format!("!{value}"),
            UnOp::BitNot => format!("~{value}"),
        })
    }

    fn binary(&mut self, op: BinOp, prim: Prim, lhs: &'p Expr, rhs: &'p Expr, span: Span) -> Understood<String> {
        let values = self.operands([lhs, rhs].into_iter())?;
        let (a, b) = (&values[0], &values[1]);
        let whole = prim.is_integral();
        let symbol = match op {
            BinOp::Add => return Ok(format!("rw::add({a}, {b})")),
            BinOp::Sub => return Ok(format!("rw::sub({a}, {b})")),
            BinOp::Mul => return Ok(format!("rw::mul({a}, {b})")),
            BinOp::Div | BinOp::Rem => {
                let name = if op == BinOp::Div { "div" } else { "rem" };
                if !whole {
                    return Ok(format!("rw::{name}({a}, {b})"));
                }
                // A divisor that is a constant other than zero cannot fail.
                let t = prim_name(prim);
                let call = format!("rw::{name}<{t}>(row, {a}, {b})");
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
    fn logic(&mut self, a: &'p Expr, b: &'p Expr, and: bool, span: Span) -> Understood<String> {
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
        branch.push(Some(b.span), format!("{name} = {right};"));
        self.lines.nest(branch);
        self.lines.push(None, "}");
        Ok(name)
    }

    /// `==` of references.
    pub fn equal(&mut self, lhs: &'p Expr, rhs: &'p Expr, span: Span) -> Understood<String> {
        if is_null(lhs) || is_null(rhs) {
            let other = if is_null(lhs) { rhs } else { lhs };
            let value = self.expr(other)?;
            return match Cpp::of(&other.ty, other.span)? {
                Cpp::Text => Ok(format!("{value}.is_null()")),
                Cpp::Maybe(_) | Cpp::MaybeText => Ok(format!("(!{value}.valid)")),
                _ => Ok("false".into()),
            };
        }
        match (Cpp::of(&lhs.ty, lhs.span)?, Cpp::of(&rhs.ty, rhs.span)?) {
            (Cpp::Text, Cpp::Text) => {
                let values = self.operands([lhs, rhs].into_iter())?;
                Ok(format!("rw::same_text({}, {})", values[0], values[1]))
            }
            (a, b) => Err(Refusal::new(
                span,
                format!("`==` of {} and {} is not covered by the cuda tier", a.name(), b.name()),
            )),
        }
    }

    fn convert(&mut self, conv: Conv, a: &'p Expr, e: &'p Expr) -> Understood<String> {
        // null.asInstanceOf a box: the null of the target's type.
        if is_null(a) {
            return Cpp::of(&e.ty, e.span)?
                .null()
                .ok_or_else(|| Refusal::new(e.span, "null of a primitive type"));
        }
        let value = self.expr(a)?;
        match conv {
            Conv::Prim { from, to } => Ok(convert_prim(&value, from, to)),
            Conv::Box(p) => Ok(format!("rw::some<{}>({value})", prim_name(p))),
            Conv::Unbox(_) if self.program.dialect == Dialect::Scala => Ok(format!("rw::unbox_or_zero({value})")),
            Conv::Unbox(_) => Ok(self.checked(format!("rw::unbox(row, {value})"), e.span)),
            _ => Err(Refusal::new(
                e.span,
                format!("a conversion to {} is not covered by the cuda tier", e.ty),
            )),
        }
    }

    fn concat(&mut self, parts: &'p [Expr], span: Span) -> Understood<String> {
        let values = self.operands(parts.iter())?;
        self.partial = true;
        let name = self.temp();
        self.lines.push(Some(span), format!("rw::Builder {name}(row);"));
        for (part, value) in parts.iter().zip(values) {
            self.append(&name, part, &value)?;
        }
        let text = format!("{name}.finish(row)");
        Ok(self.checked(text, span))
    }

    /// Appends one value to a builder.
    pub fn append(&mut self, builder: &str, part: &Expr, value: &str) -> Understood<()> {
        let value = match &part.ty {
            Ty::Prim(Prim::Byte | Prim::Short) => format!("static_cast<int32_t>({value})"),
            Ty::String | Ty::Prim(Prim::Int | Prim::Long | Prim::Char | Prim::Boolean) => value.to_owned(),
            other => {
                return Err(Refusal::new(
                    part.span,
                    format!("the text of a value of type {other} is not covered by the cuda tier"),
                ));
            }
        };
        self.lines
            .push(Some(part.span), format!("{builder}.append(row, {value});"));
        Ok(())
    }

    fn if_value(
        &mut self,
        cond: &'p Expr,
        then: &'p Expr,
        otherwise: Option<&'p Expr>,
        e: &'p Expr,
    ) -> Understood<String> {
        let ty = Cpp::of(&e.ty, e.span)?;
        let Some(otherwise) = otherwise.filter(|_| ty != Cpp::Void) else {
            self.statement(e)?;
            return Ok(String::new());
        };
        let c = self.expr(cond)?;
        let (mut yes, a) = self.apart(|s| s.branch(then, ty))?;
        let (mut no, b) = self.apart(|s| s.branch(otherwise, ty))?;
        if yes.is_empty() && no.is_empty() && a.len() + b.len() + c.len() < 80 && !a.is_empty() && !b.is_empty() {
            return Ok(format!("({c} ? {a} : {b})"));
        }
        let name = self.temp();
        self.lines.push(None, format!("{} {name}{{}};", ty.name()));
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

    /// The value of a branch in the type of the whole: `null` takes its type from there. Empty if the branch never ends.
    pub fn branch(&mut self, e: &'p Expr, ty: Cpp) -> Understood<String> {
        if is_null(e) {
            return ty
                .null()
                .ok_or_else(|| Refusal::new(e.span, "null in a branch whose type has no null on the device"));
        }
        if e.ty == Ty::Nothing {
            self.statement(e)?;
            return Ok(String::new());
        }
        self.expr(e)
    }
}

/// Whether an expression is the literal `null`, perhaps converted.
pub(super) fn is_null(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Lit(Lit::Null) => true,
        ExprKind::Convert(_, a) | ExprKind::Cast(a, _) => is_null(a),
        _ => false,
    }
}

/// Whether evaluating this text again, later, gives the same: a name or a number.
fn is_simple(value: &str) -> bool {
    value.starts_with(|c: char| c == 't' || c.is_ascii_digit())
        && value.chars().all(|c| c.is_ascii_alphanumeric() || c == '.')
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
