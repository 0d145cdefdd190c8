//! The `sql` tier. In: the IR of a UDF; out: one Spark SQL expression (3.5, ANSI off) over the parameter names, with a span
//! map and notes. Spellings are those that give the JVM's outcome in Spark itself. Never runs anything.

mod calls;
mod doc;
mod literal;
mod strict;

pub use strict::maybe_nan;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};

use crate::find::Udf;
use crate::ir::func::Func;
use crate::ir::node::{ColTy, Const, Graph, NodeId, Op};
use crate::ir::{Lowered, lower};
use crate::lang::ast::BinOp;
use crate::lang::ty::Prim;
use crate::propose::{Candidate, Note, NoteScope, Tier};
use crate::source::{Refusal, Span, Understood};
use doc::{Doc, Layout};

/// The longest text that is proposed, in bytes.
const MAX_TEXT: usize = 24_000;
/// The most pieces that are printed: shared parts are repeated in SQL.
const MAX_PIECES: usize = 20_000;

/// Proposes a SQL expression.
pub fn propose(udf: &Udf) -> Understood<Candidate> {
    let mut lowered = lower(udf)?;
    let body = guard_nulls(&mut lowered);
    let body = lowered.fit_result(body);
    same_column(udf)?;
    let names = udf.param_names();
    let mut printer = Printer::new(&lowered.graph, names);
    let doc = printer.expr(body, 0)?;
    let layout = Layout::of(&doc);
    if layout.text.len() > MAX_TEXT {
        return Err(Refusal::new(udf.body, "the SQL expression would be too long to read"));
    }
    let mut notes = printer.notes;
    notes.extend(super::parameter_notes(udf));
    let differs = |n: &Note| n.on == NoteScope::Everywhere && n.class != "exception-class";
    let (rank, rank_reason) = if notes.iter().any(differs) {
        (
            3,
            "one SQL expression, simplest to deploy, but rows in the announced classes differ",
        )
    } else if notes.is_empty() {
        (
            0,
            "one SQL expression that the optimizer and the GPU plugin can see through, exact",
        )
    } else {
        (
            1,
            "one SQL expression, exact on the CPU; the announced classes may differ on a GPU",
        )
    };
    Ok(Candidate {
        tier: Tier::Sql,
        text: layout.text,
        span_map: layout.map,
        notes,
        rank,
        rank_reason: rank_reason.to_string(),
    })
}

/// Two parameters that SQL takes for one column, since its names have no case.
fn same_column(udf: &Udf) -> Understood<()> {
    for (i, param) in udf.params.iter().enumerate() {
        let upper = param.name.to_uppercase();
        if let Some(other) = udf.params[..i].iter().find(|p| p.name.to_uppercase() == upper) {
            let (a, b) = (&other.name, &param.name);
            let why = format!("SQL names have no case: the parameters `{a}` and `{b}` would be one column");
            return Err(Refusal::new(udf.span, why));
        }
    }
    Ok(())
}

/// Spark's rule for primitive parameters: where one is null, so is the result. Said in SQL only where the expression does
/// not do it by itself.
fn guard_nulls(lowered: &mut Lowered) -> NodeId {
    let graph = &mut lowered.graph;
    let missing: Vec<NodeId> = lowered
        .null_args
        .iter()
        .copied()
        .filter(|n| !strict::in_column(graph, lowered.result, *n))
        .collect();
    let Some(first) = missing.first() else {
        return lowered.result;
    };
    let mut cond = graph.add(Op::IsNull(*first), ColTy::BOOL);
    for n in &missing[1..] {
        let other = graph.add(Op::IsNull(*n), ColTy::BOOL);
        cond = graph.or(cond, other);
    }
    let null = graph.null(lowered.ty.clone());
    graph.branch_first(cond, null, lowered.result, lowered.ty.clone())
}

/// Prints nodes.
struct Printer<'a> {
    g: &'a Graph,
    names: Vec<String>,
    notes: Vec<Note>,
    pieces: usize,
    /// Texts that are cut at positions: their length counts the same units as the positions.
    indexed: HashSet<NodeId>,
    /// The condition of a branch is being printed, outside any negation or call.
    null_is_false: bool,
    /// Where the exception being printed is thrown.
    raised_at: Span,
    /// Variables that stand for a pair whose parts have names of their own.
    pairs: HashMap<u32, (Doc, Doc)>,
}

/// Binding strength of SQL operators, weakest first.
const OR: u8 = 1;
const AND: u8 = 2;
const NOT: u8 = 3;
const PREDICATE: u8 = 4;
const BIT_OR: u8 = 5;
const BIT_XOR: u8 = 6;
const BIT_AND: u8 = 7;
const SUM: u8 = 8;
const PRODUCT: u8 = 9;
const UNARY: u8 = 10;
const PRIMARY: u8 = 11;

impl<'a> Printer<'a> {
    fn new(g: &'a Graph, names: Vec<String>) -> Printer<'a> {
        let mut indexed = HashSet::new();
        for i in 0..g.len() {
            if let Op::Call(
                Func::Substring
                | Func::SubstringFrom
                | Func::CharAt
                | Func::IndexOf
                | Func::IndexOfFrom
                | Func::LastIndexOf
                | Func::DropRight,
                args,
            ) = g.op(NodeId(i as u32))
            {
                indexed.insert(args[0]);
            }
        }
        Printer {
            g,
            names,
            notes: Vec::new(),
            pieces: 0,
            indexed,
            null_is_false: false,
            raised_at: Span::default(),
            pairs: HashMap::new(),
        }
    }

    /// Announces a class of difference, once per place.
    fn note(&mut self, class: &str, span: Span, why: &str, on: NoteScope) {
        if !self.notes.iter().any(|n| n.class == class && n.span == span) {
            self.notes.push(Note {
                class: class.into(),
                span,
                why: why.into(),
                on,
            });
        }
    }

    fn refuse<T>(&self, n: NodeId, reason: impl Into<String>) -> Understood<T> {
        Err(Refusal::new(self.g.node(n).span, reason))
    }

    /// A node, in parentheses if it binds weaker than `level`.
    fn expr(&mut self, n: NodeId, level: u8) -> Understood<Doc> {
        self.pieces += 1;
        if self.pieces > MAX_PIECES {
            return self.refuse(
                n,
                "the SQL expression would repeat shared parts too often; another tier computes them once",
            );
        }
        let logic = matches!(self.g.op(n), Op::And(..) | Op::Or(..) | Op::NullSafeEqual(..));
        let before = self.null_is_false;
        self.null_is_false &= logic;
        let printed = self.print(n);
        self.null_is_false = before;
        let (doc, strength) = printed?;
        let doc = if strength < level {
            Doc::Cat(vec![Doc::text("("), doc, Doc::text(")")])
        } else {
            doc
        };
        Ok(match self.g.op(n) {
            Op::Column(_) | Op::Var(_) => doc,
            _ => Doc::Mark(self.g.node(n).span, Box::new(doc)),
        })
    }

    fn print(&mut self, n: NodeId) -> Understood<(Doc, u8)> {
        let op = self.g.op(n).clone();
        Ok(match op {
            Op::Column(i) => (Doc::text(literal::identifier(&self.names[i])), PRIMARY),
            Op::Var(id) => (Doc::text(format!("x{id}")), PRIMARY),
            Op::Const(c) => {
                let text = literal::constant(&c, self.g.ty(n));
                let strength = if text.starts_with('-') { UNARY } else { PRIMARY };
                (Doc::text(text), strength)
            }
            Op::Bin(op, prim, a, b) => self.binary(op, prim, a, b)?,
            Op::Neg(_, a) => {
                let inner = self.expr(a, UNARY)?;
                let inner = if inner.starts_with_minus() {
                    Doc::Cat(vec![Doc::text("("), inner, Doc::text(")")])
                } else {
                    inner
                };
                (Doc::Cat(vec![Doc::text("-"), inner]), UNARY)
            }
            Op::BitNot(_, a) => (Doc::Cat(vec![Doc::text("~"), self.expr(a, UNARY)?]), UNARY),
            Op::Conv(_, to, a) => {
                let inner = self.expr(a, 0)?;
                (cast(inner, literal::prim_type(to)), PRIMARY)
            }
            Op::And(..) => (self.chain(n, true)?, AND),
            Op::Or(..) => match self.membership(n)? {
                Some(doc) => (doc, PREDICATE),
                None => (self.chain(n, false)?, OR),
            },
            Op::Not(a) => self.negation(a)?,
            Op::Equal(a, b) => (self.infix(a, "=", b, PREDICATE)?, PREDICATE),
            Op::NullSafeEqual(a, b) if self.null_is_false && self.plain_constant(b) => {
                (self.infix(a, "=", b, PREDICATE)?, PREDICATE)
            }
            Op::NullSafeEqual(a, b) => (self.infix(a, "<=>", b, PREDICATE)?, PREDICATE),
            Op::Compare(op, a, b) => {
                if *self.g.ty(a) == ColTy::Str {
                    self.note(
                        "string-order-utf16-vs-utf8",
                        self.g.node(n).span,
                        "the JVM orders text by UTF-16 unit, Spark by code point",
                        NoteScope::Everywhere,
                    );
                }
                (self.infix(a, symbol(op), b, PREDICATE)?, PREDICATE)
            }
            Op::IsNull(a) => (
                Doc::Cat(vec![self.expr(a, PREDICATE + 1)?, Doc::text(" IS NULL")]),
                PREDICATE,
            ),
            Op::Coalesce(a, b) => (
                Doc::Call("coalesce".into(), vec![self.expr(a, 0)?, self.expr(b, 0)?]),
                PRIMARY,
            ),
            Op::Case(branches, other) => (self.case(n, &branches, other)?, PRIMARY),
            Op::Raise(class, message) => {
                self.raised_at = self.g.node(n).span;
                (self.raise(&class, &message, &ColTy::Null), PRIMARY)
            }
            Op::Call(f, args) => self.call(n, &f, &args)?,
            Op::Struct(args) => (self.structure(n, &args)?, PRIMARY),
            Op::List(args) => {
                let items = args.iter().map(|a| self.expr(*a, 0)).collect::<Understood<Vec<_>>>()?;
                let list = Doc::Call("array".into(), items);
                let ty = literal::type_name(self.g.ty(n));
                (if args.is_empty() { cast(list, &ty) } else { list }, PRIMARY)
            }
        })
    }

    fn infix(&mut self, a: NodeId, word: &str, b: NodeId, level: u8) -> Understood<Doc> {
        let left = self.expr(a, if level == PREDICATE { level + 1 } else { level })?;
        let right = self.expr(b, level + 1)?;
        Ok(Doc::Cat(vec![left, Doc::text(format!(" {word} ")), right]))
    }

    fn chain(&mut self, n: NodeId, both: bool) -> Understood<Doc> {
        let mut items = Vec::new();
        self.operands(n, both, &mut items);
        let level = if both { AND + 1 } else { OR + 1 };
        let docs = items
            .into_iter()
            .map(|i| self.expr(i, level))
            .collect::<Understood<Vec<_>>>()?;
        Ok(Doc::Chain(if both { "AND" } else { "OR" }, docs))
    }

    fn operands(&self, n: NodeId, both: bool, out: &mut Vec<NodeId>) {
        match (self.g.op(n), both) {
            (Op::And(a, b), true) | (Op::Or(a, b), false) => {
                self.operands(*a, both, out);
                self.operands(*b, both, out);
            }
            _ => out.push(n),
        }
    }

    /// `x = 1 OR x = 2 OR …` as `x IN (…)`.
    fn membership(&mut self, n: NodeId) -> Understood<Option<Doc>> {
        let mut items = Vec::new();
        self.operands(n, false, &mut items);
        let mut subject = None;
        let mut values = Vec::new();
        for item in items {
            let (a, b) = match self.g.op(item) {
                Op::Equal(a, b) => (*a, *b),
                Op::NullSafeEqual(a, b) if self.null_is_false && self.plain_constant(*b) => (*a, *b),
                Op::Bin(BinOp::Eq, p, a, b) if *p != Prim::Double && *p != Prim::Float && *p != Prim::Boolean => {
                    (*a, *b)
                }
                _ => return Ok(None),
            };
            if self.g.constant(b).is_none() || subject.is_some_and(|s| s != a) {
                return Ok(None);
            }
            subject = Some(a);
            values.push(self.expr(b, 0)?);
        }
        let Some(subject) = subject else { return Ok(None) };
        let name = self.expr(subject, PREDICATE + 1)?;
        Ok(Some(Doc::Cat(vec![name, Doc::Call(" IN ".into(), values)])))
    }

    fn plain_constant(&self, n: NodeId) -> bool {
        self.g.constant(n).is_some_and(|c| *c != Const::Null)
    }

    fn negation(&mut self, a: NodeId) -> Understood<(Doc, u8)> {
        Ok(match *self.g.op(a) {
            Op::IsNull(x) => (
                Doc::Cat(vec![self.expr(x, PREDICATE + 1)?, Doc::text(" IS NOT NULL")]),
                PREDICATE,
            ),
            Op::Equal(x, y) => (self.infix(x, "<>", y, PREDICATE)?, PREDICATE),
            _ => (Doc::Cat(vec![Doc::text("NOT "), self.expr(a, PREDICATE + 1)?]), NOT),
        })
    }

    /// Arithmetic and comparison of primitives.
    fn binary(&mut self, op: BinOp, prim: Prim, a: NodeId, b: NodeId) -> Understood<(Doc, u8)> {
        let float = matches!(prim, Prim::Float | Prim::Double);
        Ok(match op {
            BinOp::Add => (self.infix(a, "+", b, SUM)?, SUM),
            BinOp::Sub => (self.infix(a, "-", b, SUM)?, SUM),
            BinOp::Mul => (self.infix(a, "*", b, PRODUCT)?, PRODUCT),
            BinOp::Div if float => self.float_division(prim, a, b)?,
            BinOp::Div => self.int_division(prim, a, b)?,
            BinOp::Rem if float && !self.nonzero(b) => {
                let nan = literal::constant(&nan(prim), &ColTy::Prim(prim));
                let zero = literal::constant(&zero(prim), &ColTy::Prim(prim));
                let test = Doc::Cat(vec![
                    self.expr(b, PREDICATE + 1)?,
                    Doc::text(format!(" = {zero} AND ")),
                    self.expr(a, PREDICATE + 1)?,
                    Doc::text(" IS NOT NULL"),
                ]);
                let rem = self.infix(a, "%", b, PRODUCT)?;
                (iff(test, Doc::text(nan), rem), PRIMARY)
            }
            BinOp::Rem => (self.infix(a, "%", b, PRODUCT)?, PRODUCT),
            BinOp::BitAnd => (self.infix(a, "&", b, BIT_AND)?, BIT_AND),
            BinOp::BitOr => (self.infix(a, "|", b, BIT_OR)?, BIT_OR),
            BinOp::BitXor if prim == Prim::Boolean => (self.infix(a, "<>", b, PREDICATE)?, PREDICATE),
            BinOp::BitXor => (self.infix(a, "^", b, BIT_XOR)?, BIT_XOR),
            BinOp::Shl | BinOp::Shr | BinOp::UShr => {
                let name = match op {
                    BinOp::Shl => "shiftleft",
                    BinOp::Shr => "shiftright",
                    _ => "shiftrightunsigned",
                };
                let mut by = self.expr(b, 0)?;
                if *self.g.ty(b) == ColTy::LONG {
                    by = cast(by, "INT");
                }
                (Doc::Call(name.into(), vec![self.expr(a, 0)?, by]), PRIMARY)
            }
            _ if float => self.float_comparison(op, a, b)?,
            _ => (self.infix(a, symbol(op), b, PREDICATE)?, PREDICATE),
        })
    }

    fn int_division(&mut self, prim: Prim, a: NodeId, b: NodeId) -> Understood<(Doc, u8)> {
        let plain = self.infix(a, "div", b, PRODUCT)?;
        if prim != Prim::Long {
            return Ok((cast(plain, literal::prim_type(prim)), PRIMARY));
        }
        if self.g.as_int(b).is_some_and(|v| v != -1) {
            return Ok((plain, PRODUCT));
        }
        let test = Doc::Cat(vec![self.expr(b, PREDICATE + 1)?, Doc::text(" = -1")]);
        let negative = Doc::Cat(vec![
            Doc::text("-"),
            Doc::Cat(vec![Doc::text("("), self.expr(a, 0)?, Doc::text(")")]),
        ]);
        Ok((iff(test, negative, plain), PRIMARY))
    }

    fn float_division(&mut self, prim: Prim, a: NodeId, b: NodeId) -> Understood<(Doc, u8)> {
        let plain = self.infix(a, "/", b, PRODUCT)?;
        let (doc, strength) = if self.nonzero(b) {
            (plain, PRODUCT)
        } else {
            let test = Doc::Cat(vec![self.expr(b, PREDICATE + 1)?, Doc::text(" = 0")]);
            let power = Doc::Call("pow".into(), vec![self.expr(b, 0)?, Doc::text("-1D")]);
            let by_zero = Doc::Cat(vec![self.expr(a, PRODUCT)?, Doc::text(" * "), power]);
            (iff(test, by_zero, plain), PRIMARY)
        };
        Ok(if prim == Prim::Float {
            (cast(doc, "FLOAT"), PRIMARY)
        } else {
            (doc, strength)
        })
    }

    /// A constant that is not zero.
    fn nonzero(&self, n: NodeId) -> bool {
        match self.g.constant(n) {
            Some(Const::F64(bits)) => f64::from_bits(*bits) != 0.0,
            Some(Const::F32(bits)) => f32::from_bits(*bits) != 0.0,
            Some(Const::Int(v)) => *v != 0,
            _ => false,
        }
    }

    /// Spark holds NaN equal to itself and above all numbers; the JVM compares as IEEE does.
    fn float_comparison(&mut self, op: BinOp, a: NodeId, b: NodeId) -> Understood<(Doc, u8)> {
        let plain = self.infix(a, symbol(op), b, PREDICATE)?;
        let Some(tested) = strict::nan_tested(self.g, op, a, b) else {
            return Ok((plain, PREDICATE));
        };
        let test = Doc::Call("isnan".into(), vec![self.expr(tested, 0)?]);
        if op == BinOp::Ne {
            return Ok((Doc::Chain("OR", vec![plain, test]), OR));
        }
        let test = Doc::Cat(vec![Doc::text("NOT "), test]);
        Ok((Doc::Chain("AND", vec![plain, test]), AND))
    }

    fn case(&mut self, n: NodeId, branches: &[(NodeId, NodeId)], other: NodeId) -> Understood<Doc> {
        let ty = self.g.ty(n).clone();
        let mut docs = Vec::new();
        for (cond, value) in branches {
            let cond = self.condition(*cond)?;
            docs.push((cond, self.branch(*value, &ty)?));
        }
        let other = self.branch(other, &ty)?;
        Ok(Doc::Case(docs, Some(Box::new(other))))
    }

    /// The condition of a branch: one that is null counts as false, so that `=` says what `<=>` says.
    fn condition(&mut self, n: NodeId) -> Understood<Doc> {
        let before = std::mem::replace(&mut self.null_is_false, true);
        let doc = self.expr(n, 0);
        self.null_is_false = before;
        doc
    }

    fn branch(&mut self, value: NodeId, ty: &ColTy) -> Understood<Doc> {
        match self.g.op(value).clone() {
            Op::Raise(class, message) => {
                self.raised_at = self.g.node(value).span;
                let doc = self.raise(&class, &message, ty);
                Ok(Doc::Mark(self.g.node(value).span, Box::new(doc)))
            }
            Op::Const(Const::Null) => Ok(Doc::text("NULL")),
            _ => self.expr(value, 0),
        }
    }

    fn raise(&mut self, class: &str, message: &str, ty: &ColTy) -> Doc {
        let why = format!("SQL raises an exception of its own where the original throws {class}");
        self.note("exception-class", self.raised_at, &why, NoteScope::Everywhere);
        let text = literal::text(&format!("{class}: {message}"));
        let call = format!("raise_error({text})");
        Doc::text(if *ty == ColTy::Null {
            call
        } else {
            format!("CAST({call} AS {})", literal::type_name(ty))
        })
    }

    fn structure(&mut self, n: NodeId, args: &[NodeId]) -> Understood<Doc> {
        let ColTy::Struct(fields) = self.g.ty(n).clone() else {
            return self.refuse(n, "a struct without fields");
        };
        let mut items = Vec::new();
        for (arg, (name, ty)) in args.iter().zip(&fields) {
            items.push(Doc::text(literal::text(name)));
            let value = self.expr(*arg, 0)?;
            items.push(if self.g.is_null_const(*arg) {
                cast(value, &literal::type_name(ty))
            } else {
                value
            });
        }
        Ok(Doc::Call("named_struct".into(), items))
    }
}

/// `CAST(x AS T)`.
fn cast(inner: Doc, ty: &str) -> Doc {
    Doc::Cat(vec![Doc::text("CAST("), inner, Doc::text(format!(" AS {ty})"))])
}

/// `IF(c, a, b)`.
fn iff(cond: Doc, a: Doc, b: Doc) -> Doc {
    Doc::Call("IF".into(), vec![cond, a, b])
}

fn nan(prim: Prim) -> Const {
    if prim == Prim::Float {
        Const::F32(f32::NAN.to_bits())
    } else {
        Const::F64(f64::NAN.to_bits())
    }
}

fn zero(prim: Prim) -> Const {
    if prim == Prim::Float {
        Const::F32(0)
    } else {
        Const::F64(0)
    }
}

fn symbol(op: BinOp) -> &'static str {
    match op {
        BinOp::Eq => "=",
        BinOp::Ne => "<>",
        BinOp::Lt => "<",
        BinOp::Le => "<=",
        BinOp::Gt => ">",
        _ => ">=",
    }
}
