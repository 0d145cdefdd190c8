//! Nodes as statements of `evaluateColumnar`: each shared node once, in order.

use std::collections::HashMap;

use crate::find::Udf;
use crate::ir::Lowered;
use crate::ir::func::Func;
use crate::ir::node::{ColTy, Const, Graph, NodeId, Op};
use crate::lang::ast::BinOp;
use crate::lang::ty::Prim;
use crate::propose::{Note, NoteScope};
use crate::source::{Refusal, Span, Understood};

/// One statement: a name, the call that makes it, and where it comes from.
#[derive(Debug, Clone)]
pub struct Statement {
    /// The `val`.
    pub name: String,
    /// The call.
    pub call: String,
    /// The expression of the original.
    pub span: Span,
}

/// The inside of `evaluateColumnar`.
#[derive(Debug)]
pub struct Body {
    /// Everything that is closed at the end.
    pub statements: Vec<Statement>,
    /// The call that makes the result, and where it comes from.
    pub result: (String, Span),
    /// Announced differences.
    pub notes: Vec<Note>,
    /// Names of the parameters.
    pub params: Vec<String>,
    /// Whether regular expressions are used.
    pub regex: bool,
}

/// An operand.
#[derive(Debug, Clone, PartialEq)]
pub enum Val {
    /// A column by name.
    Col(String),
    /// A scalar by name.
    Scalar(String),
}

impl Val {
    /// The name in the text.
    pub fn name(&self) -> &str {
        match self {
            Val::Col(n) | Val::Scalar(n) => n,
        }
    }
}

/// Emits the statements of a UDF.
pub fn body(lowered: &Lowered, udf: &Udf) -> Understood<Body> {
    let names = udf.param_names();
    let mut emit = Emit {
        g: &lowered.graph,
        params: names.clone(),
        done: HashMap::new(),
        scalars: HashMap::new(),
        statements: Vec::new(),
        notes: Vec::new(),
        counter: 0,
        null_args: lowered.null_args.clone(),
        span: udf.body,
        regex: false,
    };
    let value = emit.branch(lowered.result, &lowered.ty)?;
    let value = emit.mask(lowered, value)?;
    let regex = emit.regex;
    let result = match value {
        Val::Scalar(s) => (format!("ColumnVector.fromScalar({s}, numRows)"), udf.body),
        Val::Col(name) => match emit.statements.last() {
            Some(last) if last.name == name && !last.call.contains(".getColumn(") => {
                let last = emit.statements.pop().map(|s| (s.call, s.span));
                last.unwrap_or((format!("{name}.incRefCount()"), udf.body))
            }
            _ => (format!("{name}.incRefCount()"), udf.body),
        },
    };
    Ok(Body {
        statements: emit.statements,
        result,
        notes: emit.notes,
        params: names,
        regex,
    })
}

/// Statements so far.
pub struct Emit<'a> {
    pub(super) g: &'a Graph,
    params: Vec<String>,
    done: HashMap<NodeId, Val>,
    scalars: HashMap<String, String>,
    statements: Vec<Statement>,
    notes: Vec<Note>,
    counter: usize,
    null_args: Vec<NodeId>,
    span: Span,
    pub(super) regex: bool,
}

impl Emit<'_> {
    /// Announces a class of difference, once per place.
    pub(super) fn note(&mut self, class: &str, why: &str, on: NoteScope) {
        let span = self.span;
        if !self.notes.iter().any(|n| n.class == class && n.span == span) {
            self.notes.push(Note {
                class: class.into(),
                span,
                why: why.into(),
                on,
            });
        }
    }

    /// A refusal at the node being emitted.
    pub(super) fn refuse<T>(&self, reason: impl Into<String>) -> Understood<T> {
        Err(Refusal::new(self.span, reason))
    }

    /// A statement; the result is closed at the end.
    pub(super) fn let_(&mut self, call: String) -> String {
        self.counter += 1;
        let name = format!("c{}", self.counter);
        self.statements.push(Statement {
            name: name.clone(),
            call,
            span: self.span,
        });
        name
    }

    /// A column made by a call.
    pub(super) fn make(&mut self, call: String) -> Val {
        Val::Col(self.let_(call))
    }

    /// A scalar made by a call, shared between equal ones.
    pub(super) fn scalar(&mut self, call: String) -> String {
        if let Some(name) = self.scalars.get(&call) {
            return name.clone();
        }
        let name = self.let_(call.clone());
        self.scalars.insert(call, name.clone());
        name
    }

    /// A node as a column.
    pub(super) fn col(&mut self, n: NodeId) -> Understood<String> {
        let value = self.value(n)?;
        Ok(self.as_col(value))
    }

    /// A value as a column.
    pub(super) fn as_col(&mut self, value: Val) -> String {
        match value {
            Val::Col(name) => name,
            Val::Scalar(s) => self.let_(format!("ColumnVector.fromScalar({s}, numRows)")),
        }
    }

    /// A node's value, emitted once.
    pub(super) fn value(&mut self, n: NodeId) -> Understood<Val> {
        if let Some(v) = self.done.get(&n) {
            return Ok(v.clone());
        }
        let before = std::mem::replace(&mut self.span, self.g.node(n).span);
        let value = self.emit(n);
        self.span = before;
        let value = value?;
        self.done.insert(n, value.clone());
        Ok(value)
    }

    /// Marks the result null where a primitive argument is null.
    fn mask(&mut self, lowered: &Lowered, value: Val) -> Understood<Val> {
        let open: Vec<NodeId> = lowered
            .null_args
            .iter()
            .copied()
            .filter(|a| !self.masked_by(lowered.result, *a))
            .collect();
        if open.is_empty() {
            return Ok(value);
        }
        let column = self.as_col(value);
        let mut names = Vec::new();
        for arg in open {
            names.push(self.col(arg)?);
        }
        let call = format!(
            "{column}.mergeAndSetValidity(BinaryOp.BITWISE_AND, {column}, {})",
            names.join(", ")
        );
        Ok(self.make(call))
    }

    /// Whether the emitted value is null wherever the column is.
    fn masked_by(&self, n: NodeId, column: NodeId) -> bool {
        if n == column {
            return true;
        }
        match self.g.op(n) {
            Op::Const(Const::Null) => true,
            Op::Bin(BinOp::Div | BinOp::Rem, p, a, b) if p.is_integral() => {
                self.masked_by(*a, column) || self.masked_by(*b, column)
            }
            Op::Bin(op, _, a, b) if !matches!(op, BinOp::BitAnd | BinOp::BitOr | BinOp::BitXor) => {
                self.masked_by(*a, column) || self.masked_by(*b, column)
            }
            Op::Neg(_, a) => self.masked_by(*a, column),
            Op::Conv(from, _, a) if !matches!(from, Prim::Float | Prim::Double) => self.masked_by(*a, column),
            Op::Call(Func::Math1(_) | Func::Sqrt | Func::Abs | Func::Rint | Func::Floor | Func::Ceil, args) => {
                self.masked_by(args[0], column)
            }
            Op::Case(branches, other) => {
                branches.iter().all(|(_, v)| self.masked_by(*v, column)) && self.masked_by(*other, column)
            }
            _ => false,
        }
    }

    /// Whether a node is surely not null where the row counts.
    pub(super) fn never_null(&self, n: NodeId) -> bool {
        match self.g.op(n) {
            Op::IsNull(_) | Op::NullSafeEqual(..) => true,
            Op::Const(c) => *c != Const::Null,
            Op::Column(_) => self.null_args.contains(&n),
            Op::Var(_) | Op::Raise(..) => false,
            Op::Coalesce(_, b) => self.never_null(*b),
            Op::Case(branches, other) => branches.iter().all(|(_, v)| self.never_null(*v)) && self.never_null(*other),
            Op::Call(f, _) if f.may_be_null() => false,
            _ => self.g.operands(n).into_iter().all(|a| self.never_null(a)),
        }
    }

    fn emit(&mut self, n: NodeId) -> Understood<Val> {
        let op = self.g.op(n).clone();
        Ok(match op {
            Op::Column(i) => Val::Col(super::class::param_name(&self.params[i])),
            Op::Var(_) => return self.refuse("a function over the elements of a list has no cuDF form here"),
            Op::Const(c) => Val::Scalar(self.constant(&c, &self.g.ty(n).clone())?),
            Op::Bin(op, prim, a, b) => self.binary(op, prim, a, b)?,
            Op::Neg(prim, a) => {
                let a = self.col(a)?;
                let minus = self.number(prim, -1);
                self.make(format!("{a}.mul({minus}, {})", dtype_of(prim)))
            }
            Op::BitNot(_, a) => {
                let a = self.col(a)?;
                self.make(format!("{a}.bitInvert()"))
            }
            Op::Conv(from, to, a) => self.convert(from, to, a)?,
            Op::And(a, b) => self.logic("and", "NULL_LOGICAL_AND", a, b)?,
            Op::Or(a, b) => self.logic("or", "NULL_LOGICAL_OR", a, b)?,
            Op::Not(a) => match self.g.op(a).clone() {
                Op::IsNull(x) => {
                    let x = self.col(x)?;
                    self.make(format!("{x}.isNotNull()"))
                }
                _ => {
                    let a = self.col(a)?;
                    self.make(format!("{a}.not()"))
                }
            },
            Op::Equal(a, b) => self.pair("equalTo", a, b)?,
            Op::NullSafeEqual(a, b) => self.pair("equalToNullAware", a, b)?,
            Op::Compare(op, a, b) => {
                if *self.g.ty(a) == ColTy::Str {
                    self.note(
                        "string-order-utf16-vs-utf8",
                        "the JVM orders text by UTF-16 unit, cuDF by byte",
                        NoteScope::Everywhere,
                    );
                }
                self.pair(comparison(op), a, b)?
            }
            Op::IsNull(a) => {
                let a = self.col(a)?;
                self.make(format!("{a}.isNull()"))
            }
            Op::Coalesce(a, b) => {
                let a = self.col(a)?;
                let b = self.value(b)?;
                self.make(format!("{a}.replaceNulls({})", b.name()))
            }
            Op::Case(branches, other) => self.case(n, &branches, other)?,
            Op::Raise(class, _) => {
                self.note(
                    "null-vs-throw",
                    &format!("cuDF cannot raise for one row: {class} becomes null"),
                    NoteScope::Everywhere,
                );
                Val::Scalar(self.scalar(format!("Scalar.fromNull({})", self.dtype(&self.g.ty(n).clone())?)))
            }
            Op::Call(f, args) => self.call(n, &f, &args)?,
            Op::Struct(args) => {
                let mut names = Vec::new();
                let ColTy::Struct(fields) = self.g.ty(n).clone() else {
                    return self.refuse("a struct without fields");
                };
                for (arg, (_, ty)) in args.iter().zip(&fields) {
                    names.push(if self.g.is_null_const(*arg) {
                        let s = self.scalar(format!("Scalar.fromNull({})", self.dtype(ty)?));
                        self.as_col(Val::Scalar(s))
                    } else {
                        self.col(*arg)?
                    });
                }
                self.make(format!("ColumnVector.makeStruct({})", names.join(", ")))
            }
            Op::List(args) => {
                let mut names = Vec::new();
                for arg in args {
                    names.push(self.col(arg)?);
                }
                self.make(format!("ColumnVector.makeList({})", names.join(", ")))
            }
        })
    }

    /// A method of two operands of which at least one is a column; scalars may stand on either side.
    pub(super) fn pair(&mut self, method: &str, a: NodeId, b: NodeId) -> Understood<Val> {
        let (x, y) = (self.value(a)?, self.value(b)?);
        let (x, y) = match (x, y) {
            (Val::Scalar(s), Val::Scalar(t)) => (Val::Col(self.as_col(Val::Scalar(s))), Val::Scalar(t)),
            both => both,
        };
        Ok(self.make(format!("{}.{method}({})", x.name(), y.name())))
    }

    fn logic(&mut self, plain: &str, aware: &str, a: NodeId, b: NodeId) -> Understood<Val> {
        let sure = self.never_null(a) && self.never_null(b);
        let (x, y) = (self.col(a)?, self.value(b)?);
        let y = y.name().to_string();
        Ok(self.make(if sure {
            format!("{x}.{plain}({y})")
        } else {
            format!("{x}.binaryOp(BinaryOp.{aware}, {y}, DType.BOOL8)")
        }))
    }

    /// Branches from the last to the first; a condition that is null counts as false.
    fn case(&mut self, n: NodeId, branches: &[(NodeId, NodeId)], other: NodeId) -> Understood<Val> {
        let ty = self.g.ty(n).clone();
        let mut result = self.branch(other, &ty)?;
        for (cond, value) in branches.iter().rev() {
            let cond = self.col(*cond)?;
            let value = self.branch(*value, &ty)?;
            result = self.make(format!("{cond}.ifElse({}, {})", value.name(), result.name()));
        }
        Ok(result)
    }

    fn branch(&mut self, value: NodeId, ty: &ColTy) -> Understood<Val> {
        match self.g.op(value) {
            Op::Raise(class, _) => {
                let why = format!("cuDF cannot raise for one row: {class} becomes null");
                let before = std::mem::replace(&mut self.span, self.g.node(value).span);
                self.note("null-vs-throw", &why, NoteScope::Everywhere);
                self.span = before;
                Ok(Val::Scalar(
                    self.scalar(format!("Scalar.fromNull({})", self.dtype(ty)?)),
                ))
            }
            Op::Const(Const::Null) => Ok(Val::Scalar(
                self.scalar(format!("Scalar.fromNull({})", self.dtype(ty)?)),
            )),
            Op::Call(Func::DecimalMul, _) => {
                let product = self.col(value)?;
                Ok(Val::Col(self.half_up(&product, 18)?))
            }
            _ => self.value(value),
        }
    }

    /// The cuDF type of a column.
    pub(super) fn dtype(&self, ty: &ColTy) -> Understood<String> {
        Ok(match ty {
            ColTy::Prim(p) => dtype_of(*p).to_string(),
            ColTy::Str | ColTy::Null => "DType.STRING".into(),
            ColTy::Date => "DType.TIMESTAMP_DAYS".into(),
            ColTy::Timestamp => "DType.TIMESTAMP_MICROSECONDS".into(),
            ColTy::Decimal(_, s) => format!("DType.create(DType.DTypeEnum.DECIMAL128, -{s})"),
            other => return self.refuse(format!("a null of type {other:?} has no cuDF form here")),
        })
    }

    /// A constant as a scalar.
    pub(super) fn constant(&mut self, c: &Const, ty: &ColTy) -> Understood<String> {
        let call = match c {
            Const::Null => format!("Scalar.fromNull({})", self.dtype(ty)?),
            Const::Bool(b) => format!("Scalar.fromBool({b})"),
            Const::Int(v) => match ty {
                ColTy::Prim(Prim::Long) => format!("Scalar.fromLong({v}L)"),
                ColTy::Prim(Prim::Short) => format!("Scalar.fromShort({v}.toShort)"),
                ColTy::Prim(Prim::Byte) => format!("Scalar.fromByte({v}.toByte)"),
                _ => format!("Scalar.fromInt({v})"),
            },
            Const::F64(bits) => format!("Scalar.fromDouble({})", double_text(f64::from_bits(*bits))),
            Const::F32(bits) => format!("Scalar.fromFloat({})", float_text(f32::from_bits(*bits))),
            Const::Char(c) => {
                let text = char::from_u32(u32::from(*c)).map(String::from).unwrap_or_default();
                format!("Scalar.fromString({})", super::class::quoted(&text))
            }
            Const::Str(s) => format!("Scalar.fromString({})", super::class::quoted(s)),
            Const::Decimal(v, s) => format!("Scalar.fromDecimal(-{s}, new java.math.BigInteger(\"{v}\"))"),
            Const::Date(d) => format!("Scalar.timestampDaysFromInt({d})"),
        };
        Ok(self.scalar(call))
    }

    /// A small number of a primitive type as a scalar.
    pub(super) fn number(&mut self, prim: Prim, v: i64) -> String {
        let call = match prim {
            Prim::Double => format!("Scalar.fromDouble({v}.0)"),
            Prim::Float => format!("Scalar.fromFloat({v}.0f)"),
            Prim::Long => format!("Scalar.fromLong({v}L)"),
            Prim::Short => format!("Scalar.fromShort({v}.toShort)"),
            Prim::Byte => format!("Scalar.fromByte({v}.toByte)"),
            _ => format!("Scalar.fromInt({v})"),
        };
        self.scalar(call)
    }
}

/// The cuDF type of a primitive.
pub fn dtype_of(prim: Prim) -> &'static str {
    match prim {
        Prim::Boolean => "DType.BOOL8",
        Prim::Byte => "DType.INT8",
        Prim::Short => "DType.INT16",
        Prim::Char => "DType.STRING",
        Prim::Int => "DType.INT32",
        Prim::Long => "DType.INT64",
        Prim::Float => "DType.FLOAT32",
        Prim::Double => "DType.FLOAT64",
    }
}

/// The method of a comparison.
pub fn comparison(op: BinOp) -> &'static str {
    match op {
        BinOp::Eq => "equalTo",
        BinOp::Ne => "notEqualTo",
        BinOp::Lt => "lessThan",
        BinOp::Le => "lessOrEqualTo",
        BinOp::Gt => "greaterThan",
        _ => "greaterOrEqualTo",
    }
}

fn double_text(v: f64) -> String {
    if v.is_nan() {
        "Double.NaN".into()
    } else if v.is_infinite() {
        if v > 0.0 {
            "Double.PositiveInfinity".into()
        } else {
            "Double.NegativeInfinity".into()
        }
    } else {
        format!("{v:?}").replace('e', "E")
    }
}

fn float_text(v: f32) -> String {
    if v.is_nan() {
        "Float.NaN".into()
    } else if v.is_infinite() {
        if v > 0.0 {
            "Float.PositiveInfinity".into()
        } else {
            "Float.NegativeInfinity".into()
        }
    } else {
        format!("{}f", format!("{v:?}").replace('e', "E"))
    }
}
