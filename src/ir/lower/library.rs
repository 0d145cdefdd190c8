//! Rows of the library: the receiver's shape decides which table answers.

use super::Lower;
use super::sym::{State, Sym};
use crate::ir::node::{ColTy, NodeId};
use crate::jvm::table::Method;
use crate::lang::ast::Expr;
use crate::lang::ty::Prim;
use crate::source::{Span, Understood};

/// A call being lowered.
pub(super) struct Call<'m> {
    /// The name in the source.
    pub name: &'m str,
    /// The library row, for messages.
    pub id: &'m str,
    /// Arguments.
    pub args: Vec<Sym>,
    /// The result's type in the source.
    pub ty: crate::lang::ty::Ty,
    /// The call.
    pub span: Span,
}

impl Call<'_> {
    /// The name and the number of arguments, to match on.
    pub fn key(&self) -> (&str, usize) {
        (self.name, self.args.len())
    }
}

impl Lower<'_> {
    /// A row of the library applied.
    pub(super) fn library(
        &mut self,
        st: &mut State,
        frame: u32,
        method: &'static Method,
        recv: Option<&Expr>,
        args: &[Expr],
        e: &Expr,
    ) -> Understood<Sym> {
        let receiver = match recv {
            Some(r) => Some(self.eval(st, frame, r)?),
            None => None,
        };
        if st.dead {
            return Ok(Sym::Unit);
        }
        let Some(args) = self.eval_all(st, frame, args)? else {
            return Ok(Sym::Unit);
        };
        self.g.span = e.span;
        let call = Call {
            name: method.name,
            id: method.id,
            args,
            ty: e.ty.clone(),
            span: e.span,
        };
        match receiver {
            Some(receiver) => self.method(st, receiver, call),
            None => {
                let base = method.recv.trim_start_matches("static ").trim_start_matches("new ");
                let base = base.split('[').next().unwrap_or(base);
                if method.recv.starts_with("new ") {
                    self.constructor(st, base, call)
                } else {
                    self.static_call(st, base, call)
                }
            }
        }
    }

    fn method(&mut self, st: &mut State, receiver: Sym, call: Call<'_>) -> Understood<Sym> {
        match receiver {
            Sym::OrNull(null, inner) => {
                self.raise_if(st, null, "NullPointerException", "null");
                if st.dead {
                    Ok(Sym::Unit)
                } else {
                    self.method(st, *inner, call)
                }
            }
            Sym::Opt(..) | Sym::NoneOpt => self.option_method(st, &receiver, call),
            Sym::Try(ok, value) => self.try_method(st, ok, *value, call),
            Sym::Seq(_) | Sym::Map(_) | Sym::Set(_) => self.collection_method(st, receiver, call),
            Sym::Builder(cell) => self.builder_method(st, cell, call),
            Sym::Regex(pattern) => self.regex_method(st, pattern, call),
            Sym::Closure(..) | Sym::Function(_) => match call.key() {
                ("apply", _) => self.apply(st, &receiver, &call.args, call.span),
                _ => self.not_covered(&call),
            },
            Sym::Tuple(items) => match call.key() {
                ("swap", 0) if items.len() == 2 => Ok(Sym::Tuple(items.into_iter().rev().collect())),
                _ => self.not_covered(&call),
            },
            Sym::Node(n) => self.node_method(st, n, call),
            Sym::Clock(n, clock) => self.clock_method(st, n, clock, call),
            Sym::Duration(n) => self.duration_method(n, call),
            Sym::Period(a, b) => self.period_method(a, b, call),
            Sym::Enum(names, n) => match call.key() {
                ("equals" | "==", 1) => Ok(Sym::Node(self.equal(
                    st,
                    &receiver_of(names, n),
                    &call.args[0],
                    call.span,
                )?)),
                _ => self.named_day_method(names, n, call),
            },
            Sym::Named(kind, name) => self.named_method(st, kind, &name, call),
            Sym::Exception(_, message) => match call.key() {
                ("getMessage", 0) => Ok(Sym::Node(self.g.text(&message))),
                _ => self.not_covered(&call),
            },
            Sym::Unit | Sym::Object(..) => self.not_covered(&call),
        }
    }

    fn node_method(&mut self, st: &mut State, n: NodeId, call: Call<'_>) -> Understood<Sym> {
        if self.g.is_null_const(n) {
            let always = self.g.bool(true);
            self.raise_if(st, always, "NullPointerException", "null");
            return Ok(Sym::Unit);
        }
        if let ("equals", 1) = call.key() {
            self.require(st, n);
            return Ok(Sym::Node(self.equal(st, &Sym::Node(n), &call.args[0], call.span)?));
        }
        match self.g.ty(n).clone() {
            ColTy::Str => self.string_method(st, n, call),
            ColTy::Prim(Prim::Char) => self.char_method(st, n, call),
            ColTy::Prim(prim) => self.number_method(st, n, prim, call),
            ColTy::Decimal(..) => self.decimal_method(st, n, call),
            ColTy::Binary => self.binary_method(st, n, call),
            ColTy::Date => self.time_method(st, n, call),
            ColTy::Timestamp => {
                self.require(st, n);
                if st.dead {
                    Ok(Sym::Unit)
                } else {
                    self.instant_method(st, n, call)
                }
            }
            ColTy::Array(element) => self.list_method(st, n, *element, call),
            ColTy::Map(key, value) => self.map_method(st, n, (*key, *value), call),
            _ => self.not_covered(&call),
        }
    }

    /// A refusal that names the operation.
    pub(super) fn not_covered<T>(&self, call: &Call<'_>) -> Understood<T> {
        self.refuse(call.span, format!("`{}` has no columnar form here", call.id))
    }

    /// An argument as a column, null allowed.
    pub(super) fn arg(&mut self, call: &Call<'_>, i: usize) -> Understood<NodeId> {
        match &call.args[i] {
            Sym::Node(n) => Ok(*n),
            _ => self.not_covered(call),
        }
    }

    /// An argument as a column of text that is not null (a character counts).
    pub(super) fn text_arg(&mut self, st: &mut State, call: &Call<'_>, i: usize) -> Understood<NodeId> {
        let n = self.arg(call, i)?;
        self.require(st, n);
        match self.g.ty(n) {
            ColTy::Str | ColTy::Prim(Prim::Char) => Ok(n),
            ColTy::Prim(Prim::Int) => Ok(self.g.conv(Prim::Int, Prim::Char, n)),
            _ => self.not_covered(call),
        }
    }

    /// A by-name argument, evaluated now.
    pub(super) fn force(&mut self, st: &mut State, value: &Sym, span: Span) -> Understood<Sym> {
        match value {
            Sym::Closure(_, params, _) if params.is_empty() => self.apply(st, value, &[], span),
            other => Ok(other.clone()),
        }
    }

    /// A value under a condition and another one otherwise, each evaluated on its own branch.
    pub(super) fn choose(
        &mut self,
        st: &mut State,
        cond: NodeId,
        then: impl FnOnce(&mut Self, &mut State) -> Understood<Sym>,
        otherwise: impl FnOnce(&mut Self, &mut State) -> Understood<Sym>,
        span: Span,
    ) -> Understood<Sym> {
        match self.decided(st, cond) {
            Some(true) => return then(self, st),
            Some(false) => return otherwise(self, st),
            None => {}
        }
        let mut a = st.branch(&self.g, cond, true);
        let x = then(self, &mut a)?;
        let mut b = st.branch(&self.g, cond, false);
        let y = otherwise(self, &mut b)?;
        self.g.span = span;
        self.join(st, cond, (a, x), (b, y), span)
    }

    fn constructor(&mut self, st: &mut State, base: &str, call: Call<'_>) -> Understood<Sym> {
        match (base, call.args.len()) {
            ("StringBuilder" | "StringBuffer", 0) => {
                let empty = self.g.text("");
                Ok(self.new_builder(st, empty))
            }
            ("StringBuilder" | "StringBuffer", 1) => {
                let n = self.arg(&call, 0)?;
                let initial = if *self.g.ty(n) == ColTy::Str {
                    n
                } else {
                    self.g.text("")
                };
                self.require(st, initial);
                Ok(self.new_builder(st, initial))
            }
            ("BigDecimal" | "JBigDecimal", 1) => self.java_decimal(st, call),
            ("Timestamp", 1) => self.instant_of(crate::ir::Func::SqlOfMillis, &call),
            ("SimpleDateFormat", 1) => {
                let p = self.constant_text(&call.args[0], call.span, "a pattern")?;
                Ok(Sym::Named("old date pattern", p.to_string()))
            }
            ("Regex", _) => Ok(Sym::Regex(self.constant_text(&call.args[0], call.span, "a pattern")?)),
            (name, n) if name.ends_with("Exception") || name.ends_with("Error") => {
                let message = match (n, call.args.first()) {
                    (1.., Some(Sym::Node(m))) => self.g.as_text(*m).unwrap_or_default(),
                    _ => String::new(),
                };
                Ok(Sym::Exception(name.to_string(), message))
            }
            _ => self.not_covered(&call),
        }
    }

    fn static_call(&mut self, st: &mut State, base: &str, call: Call<'_>) -> Understood<Sym> {
        match base {
            "Math" | "StrictMath" | "math" | "package" => self.math(st, call),
            "Option" | "Optional" | "Some" | "None" => self.option_static(st, base, call),
            "Try" | "Success" | "Failure" => match (base, call.key()) {
                ("Try", ("apply", 1)) => self.try_value(st, &call.args[0].clone(), call.span),
                ("Success", ("apply", 1)) => {
                    let yes = self.g.bool(true);
                    Ok(Sym::Try(yes, Box::new(call.args[0].clone())))
                }
                _ => self.not_covered(&call),
            },
            "Map" | "Set" | "Seq" | "List" | "Vector" | "Array" | "Arrays" | "IndexedSeq" | "HashMap" | "HashSet"
            | "Nil" | "Iterator" | "Range" => self.collection_static(st, base, call),
            "Predef" => self.predef(st, call),
            "Pattern" => match call.key() {
                ("compile", 1) => Ok(Sym::Regex(self.constant_text(&call.args[0], call.span, "a pattern")?)),
                ("matches", 2) => {
                    let p = self.constant_text(&call.args[0], call.span, "a pattern")?;
                    let n = self.text_arg(st, &call, 1)?;
                    Ok(Sym::Node(self.g.call(
                        crate::ir::Func::Matches(p),
                        vec![n],
                        ColTy::BOOL,
                    )))
                }
                _ => self.not_covered(&call),
            },
            "String" => self.string_static(st, call),
            "BigDecimal" | "JBigDecimal" => self.decimal_static(st, call),
            "LocalDate" | "ChronoUnit" | "DateTimeFormatter" | "ZoneId" | "ZoneOffset" | "Date" | "Duration"
            | "Timestamp" | "DAYS" | "MONTHS" | "Instant" | "Period" | "DayOfWeek" | "Month" | "LocalDateTime"
            | "TimeZone" => self.time_static(st, base, call),
            "Integer" | "Long" | "Double" | "Float" | "Short" | "Byte" | "Boolean" | "Int" | "Character" | "Char" => {
                self.box_static(st, base, call)
            }
            "RoundingMode" => Ok(Sym::Named("rounding", call.name.to_string())),
            "MessageDigest" | "Base64" | "StandardCharsets" => self.codec_static(base, &call),
            "Locale" => Ok(Sym::Named("locale", call.name.to_string())),
            "Objects" => self.objects(st, call),
            _ => self.not_covered(&call),
        }
    }

    fn objects(&mut self, st: &mut State, call: Call<'_>) -> Understood<Sym> {
        match call.key() {
            ("isNull", 1) | ("nonNull", 1) => {
                let n = self.arg(&call, 0)?;
                let null = self.null_test(st, n);
                Ok(Sym::Node(if call.name == "isNull" { null } else { self.g.not(null) }))
            }
            ("equals", 2) => Ok(Sym::Node(self.equal(
                st,
                &call.args[0].clone(),
                &call.args[1].clone(),
                call.span,
            )?)),
            _ => self.not_covered(&call),
        }
    }

    fn predef(&mut self, st: &mut State, call: Call<'_>) -> Understood<Sym> {
        match call.key() {
            ("require", 1 | 2) | ("assert", 1 | 2) => {
                let n = self.arg(&call, 0)?;
                let fails = self.g.not(n);
                let class = if call.name == "require" {
                    "IllegalArgumentException"
                } else {
                    "AssertionError"
                };
                self.raise_if(st, fails, class, "requirement failed");
                Ok(Sym::Unit)
            }
            ("identity" | "locally", 1) => Ok(call.args[0].clone()),
            _ => self.not_covered(&call),
        }
    }

    fn named_method(&mut self, st: &mut State, kind: &'static str, name: &str, call: Call<'_>) -> Understood<Sym> {
        match (kind, call.key()) {
            ("digest" | "base64", _) => self.codec_method(st, (kind, name), &call),
            ("unit", ("between", 2)) => self.between(st, name, &call),
            ("date pattern" | "old date pattern", ("format", 1)) => {
                let n = match &call.args[0] {
                    Sym::Clock(..) => return self.not_covered(&call),
                    _ => self.arg(&call, 0)?,
                };
                self.require(st, n);
                if st.dead {
                    return Ok(Sym::Unit);
                }
                if !matches!(self.g.ty(n), ColTy::Date | ColTy::Timestamp) {
                    return self.not_covered(&call);
                }
                self.dated(n, name.into(), &call)
            }
            _ => self.not_covered(&call),
        }
    }
}

/// The receiver of `equals` again.
fn receiver_of(names: super::sym::Names, n: NodeId) -> Sym {
    Sym::Enum(names, n)
}
