//! The generator of one function. In: expressions; out: C++ text of their values. What must run before a value (a throwing call, a
//! branch with statements) becomes lines in front of it, in the order of the original.

use std::collections::HashMap;

use super::constants::Constants;
use super::kernel::Written;
use super::lines::Lines;
use super::regex::Table;
use super::types::{Cpp, literal};
use crate::lang::ast::*;
use crate::lang::ty::Ty;
use crate::source::{Refusal, Span, Understood};

/// The generator of one function's body.
pub(super) struct Emit<'p> {
    pub program: &'p Program,
    /// The function that is written; initialisers have none.
    pub function: Option<FnId>,
    locals: &'p [Local],
    /// Types of the slots, those of `Any` by what they are given.
    slots: Vec<Ty>,
    /// What the enclosing function returns; inside a `try` body, what its closure returns.
    pub ret: Cpp,
    pub lines: Lines,
    temps: usize,
    pub inexact: Vec<(Span, String)>,
    pub partial: bool,
    /// Whether sequences are built, which takes more memory.
    pub roomy: bool,
    /// Regular expressions that were met.
    pub tables: Vec<Table>,
    /// Loops and closures that are open, innermost last.
    pub open: Vec<super::loops::Open>,
    /// Function values by the slot that holds them.
    pub lambdas: HashMap<usize, &'p Expr>,
    /// Whether a call of the function itself goes back to its start.
    pub again: bool,
    /// Whether starting again is counted, because the JVM would call.
    pub counted: bool,
    /// What is known without a row.
    pub constants: &'p Constants<'p>,
    /// What the variables hold that are set once.
    pub inits: HashMap<usize, &'p Expr>,
}

/// The C++ name of a function of the program.
pub(super) fn function_name(program: &Program, id: FnId) -> String {
    let name = super::names::identifier(&program.functions[id.0 as usize].name);
    format!("{name}_{}", id.0)
}

/// The C++ name of a constant of the enclosing object.
pub(super) fn global_name(global: &Global) -> String {
    format!("const_{}", super::names::identifier(&global.name))
}

impl<'p> Emit<'p> {
    pub fn new(
        program: &'p Program,
        function: Option<FnId>,
        locals: &'p [Local],
        body: &'p Expr,
        ret: Cpp,
        constants: &'p Constants<'p>,
    ) -> Emit<'p> {
        let inits = super::slots::inits(body);
        Emit {
            program,
            function,
            locals,
            slots: super::slots::types(locals, body, &inits),
            ret,
            lines: Lines::default(),
            temps: 0,
            inexact: Vec::new(),
            partial: false,
            roomy: false,
            tables: Vec::new(),
            open: Vec::new(),
            lambdas: HashMap::new(),
            again: false,
            counted: false,
            constants,
            inits,
        }
    }

    /// The slots of the function.
    pub fn locals(&self) -> &'p [Local] {
        self.locals
    }

    /// The type of a slot.
    pub fn local_type(&self, slot: usize) -> &Ty {
        &self.slots[slot]
    }

    /// The C++ type of an expression.
    pub fn cpp(&self, e: &Expr) -> Understood<Cpp> {
        match &e.kind {
            ExprKind::Local(id) => Cpp::of(self.local_type(id.0 as usize), e.span),
            ExprKind::Convert(Conv::Box(p), _) => Cpp::of(&Ty::Boxed(*p), e.span),
            ExprKind::Cast(a, Ty::Any) => self.cpp(a),
            ExprKind::Block(stmts, Some(a)) if stmts.is_empty() => self.cpp(a),
            // What is passed on as `Any` keeps what it is.
            _ if e.ty == Ty::Any => match &e.kind {
                ExprKind::Lit(Lit::Str(_)) | ExprKind::Concat(_) => Ok(Cpp::Text),
                ExprKind::CallFn { func, .. } => Cpp::of(&self.program.functions[func.0 as usize].ret, e.span),
                ExprKind::Call { method, .. } if method.sig.ends_with(": String") => Ok(Cpp::Text),
                ExprKind::Global(id) => Cpp::of(&self.program.globals[id.0 as usize].ty, e.span),
                ExprKind::Block(_, Some(value)) => self.cpp(value),
                _ => Cpp::of(&e.ty, e.span),
            },
            _ => Cpp::of(&e.ty, e.span),
        }
    }

    /// Hands over the lines and adds what was noticed.
    pub fn take(&mut self, out: &mut Written) -> Lines {
        out.inexact.append(&mut self.inexact);
        out.partial |= self.partial;
        out.roomy |= self.roomy;
        out.tables.append(&mut self.tables);
        std::mem::take(&mut self.lines)
    }

    /// The C++ name of a slot.
    pub fn local_name(&self, slot: usize) -> String {
        format!("{}_{slot}", super::names::identifier(&self.locals[slot].name))
    }

    /// Declares every slot from `first` on that has a C++ type; the others refuse where they are used.
    pub fn declare(&mut self, first: usize) {
        for slot in first..self.locals.len() {
            if self.locals[slot].captured.is_some() {
                continue;
            }
            let Ok(ty) = Cpp::of(self.local_type(slot), Span::default()) else {
                continue;
            };
            if ty != Cpp::Void && !ty.is_open() {
                let name = self.local_name(slot);
                self.lines.push(None, format!("{} {name}{{}};", ty.name()));
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

    /// Runs `f` inside a block.
    pub fn block(
        &mut self,
        span: Option<Span>,
        head: &str,
        f: impl FnOnce(&mut Self) -> Understood<()>,
    ) -> Understood<()> {
        let (inside, ()) = self.apart(f)?;
        self.lines.push(span, format!("{head} {{"));
        self.lines.nest(inside);
        self.lines.push(None, "}");
        Ok(())
    }

    /// A line of its own.
    pub fn line(&mut self, text: impl Into<String>) {
        self.lines.push(None, text);
    }

    /// A fresh name.
    pub fn temp(&mut self) -> String {
        self.temps += 1;
        format!("t{}", self.temps)
    }

    /// A fresh variable of a type.
    pub fn variable(&mut self, ty: &Cpp) -> String {
        let name = self.temp();
        self.lines.push(None, format!("{} {name}{{}};", ty.name()));
        name
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

    /// Fails the row and leaves the function.
    pub fn fail(&mut self, code: &str, span: Option<Span>) {
        self.lines.push(span, format!("row.fail(rw::{code});"));
        let bail = self.ret.bail();
        self.lines.push(None, bail);
    }

    /// An expression as text of its type.
    pub fn expr(&mut self, e: &'p Expr) -> Understood<String> {
        match &e.kind {
            ExprKind::Lit(Lit::Null) if !matches!(e.ty, Ty::Option(_)) => {
                let null = Cpp::of(&e.ty, e.span).ok().and_then(|c| c.null());
                null.ok_or_else(|| Refusal::new(e.span, "null of a type that has no null on the device"))
            }
            ExprKind::Lit(lit) => literal(lit, e.span),
            ExprKind::Local(id) => {
                Cpp::of(self.local_type(id.0 as usize), e.span)?;
                Ok(self.local_name(id.0 as usize))
            }
            ExprKind::Global(id) => self.global(*id, e.span),
            ExprKind::Unary(op, a) => self.unary(*op, a),
            ExprKind::Binary { op, prim, lhs, rhs } => self.binary(*op, *prim, lhs, rhs, e.span),
            ExprKind::And(a, b) => self.logic(a, b, true, e.span),
            ExprKind::Or(a, b) => self.logic(a, b, false, e.span),
            ExprKind::RefEq { lhs, rhs, negated } => {
                let same = match self.program.dialect {
                    Dialect::Scala => self.equal(lhs, rhs, e.span)?,
                    Dialect::Java => self.identical(lhs, rhs, e.span)?,
                };
                Ok(if *negated { format!("!{same}") } else { same })
            }
            ExprKind::Identity { lhs, rhs, negated } => {
                let same = self.identical(lhs, rhs, e.span)?;
                Ok(if *negated { format!("!{same}") } else { same })
            }
            ExprKind::Convert(conv, a) => self.convert(*conv, a, e),
            ExprKind::Cast(a, _) => self.cast(a, e),
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
            ExprKind::CallFn { func, args } => self.call_function(*func, args, e),
            ExprKind::Apply { func, args } => self.apply(func, args, e),
            ExprKind::Throw(_) | ExprKind::Return(_) => {
                self.statement(e)?;
                Ok(String::new())
            }
            ExprKind::Tuple(items) => self.tuple(items, e),
            ExprKind::TupleField(a, index) => self.operands([a.as_ref()]).map(|v| format!("{}.f{index}", v[0])),
            ExprKind::SeqLit(items) => self.sequence(items, e),
            ExprKind::Index { array, index } => {
                let values = self.operands([array.as_ref(), index.as_ref()])?;
                Ok(self.checked(format!("rw::seq_at(row, {}, {})", values[0], values[1]), e.span))
            }
            _ => Err(Refusal::new(
                e.span,
                format!("this expression of type {} is not covered by the cuda tier", e.ty),
            )),
        }
    }

    /// The value of a branch in the type of the whole: `null` takes its type from there. Empty if the branch never ends.
    pub fn branch(&mut self, e: &'p Expr, ty: &Cpp) -> Understood<String> {
        if super::values::is_null(e) {
            if matches!(e.ty, Ty::Option(_)) {
                return Err(Refusal::new(
                    e.span,
                    "a null instead of an option is not covered by the cuda tier",
                ));
            }
            return ty
                .null()
                .ok_or_else(|| Refusal::new(e.span, "null in a branch whose type has no null on the device"));
        }
        if e.ty == Ty::Nothing {
            self.statement(e)?;
            return Ok(String::new());
        }
        if let ExprKind::Block(stmts, Some(value)) = &e.kind {
            stmts.iter().try_for_each(|s| self.stmt(s))?;
            return self.branch(value, ty);
        }
        let got = self.cpp(e)?;
        let value = self.expr(e)?;
        self.fits(value, &got, ty, e.span)
    }

    /// A value in the type that is wanted, where it is the same but for what is known about it.
    pub fn fits(&mut self, value: String, got: &Cpp, wanted: &Cpp, span: Span) -> Understood<String> {
        match (got, wanted) {
            _ if got == wanted || value.is_empty() || *wanted == Cpp::Void => Ok(value),
            // None, Nil: no value of an unknown type.
            (Cpp::Maybe(inner), Cpp::Maybe(_)) if **inner == Cpp::Void => Ok(format!("{}{{}}", wanted.name())),
            (Cpp::Seq(inner), Cpp::Seq(item)) if **inner == Cpp::Void => {
                self.partial = true;
                self.roomy = true;
                Ok(self.checked(format!("rw::seq_new<{}>(row, 0)", item.name()), span))
            }
            _ => Err(Refusal::new(
                span,
                format!(
                    "a value of {} where {} is expected is not covered by the cuda tier",
                    got.name(),
                    wanted.name()
                ),
            )),
        }
    }
}
