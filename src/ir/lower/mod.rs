//! Typed AST → IR. In: a UDF with its program; out: the graph and the node of its result, or the construct that has no
//! columnar form, with its span.

mod chars;
mod clocks;
mod codecs;
mod collections;
mod control;
mod expr;
mod function;
mod lambdas;
mod library;
mod lists;
mod maps;
mod numbers;
mod options;
mod pattern;
mod strings;
pub mod sym;
mod text_lists;
mod times;

use crate::find::{NullRule, Udf};
use crate::ir::node::{ColTy, Graph, NodeId, Op};
use crate::lang::ast::{Dialect, Program};
use crate::lang::ty::Ty;
use crate::source::{Refusal, Span, Understood};
use sym::{State, Sym};

/// More nodes than this are refused: the text would be unreadable.
const MAX_NODES: usize = 4000;
/// Deepest nesting of inlined calls.
const MAX_DEPTH: u32 = 40;
/// Most turns that a loop with constant bounds is unrolled to, over all loops of a UDF.
const MAX_TURNS: u32 = 256;

/// A UDF as columnar expressions.
#[derive(Debug, Clone)]
pub struct Lowered {
    /// All nodes.
    pub graph: Graph,
    /// The result, for rows in which no primitive argument is null.
    pub result: NodeId,
    /// Columns of primitive parameters: where one is null, so is the result.
    pub null_args: Vec<NodeId>,
    /// Type of the result.
    pub ty: ColTy,
}

impl Lowered {
    /// A node converted to the result's type: decimals are stored as `DECIMAL(38,18)`.
    pub fn fit_result(&mut self, n: NodeId) -> NodeId {
        match &self.ty {
            ColTy::Decimal(..) => self
                .graph
                .call(crate::ir::func::Func::StoreDecimal, vec![n], self.ty.clone()),
            _ => n,
        }
    }
}

/// Lowers a UDF.
pub fn lower(udf: &Udf) -> Understood<Lowered> {
    let program = udf.program.as_ref().map_err(Clone::clone)?;
    let mut lower = Lower {
        program,
        g: Graph::default(),
        frames: 0,
        cells: 0,
        vars: 0,
        depth: 0,
        turns: 0,
        globals: Default::default(),
        lexical: Default::default(),
        functions: Default::default(),
        whole: Default::default(),
        unordered: Default::default(),
    };
    let entry = &program.functions[program.entry.0 as usize];
    let mut state = State::default();
    let frame = lower.new_frame(program.entry, None);
    let mut null_args = Vec::new();
    for (i, param) in udf.params.iter().enumerate() {
        let declared = &entry.params[i];
        lower.g.span = declared.span;
        let sym = lower.parameter(i, param.null_rule, &param.ty, declared.span)?;
        if let (NullRule::ResultIsNull, Sym::Node(n)) = (param.null_rule, &sym) {
            state.set_not_null(*n);
            null_args.push(*n);
        }
        state.locals.insert((frame, i as u32), sym);
    }
    let ty = result_type(program, &udf.returns, entry.span)?;
    let result = lower.tail(&mut state, frame, &entry.body, &ty)?;
    Ok(Lowered {
        graph: lower.g,
        result,
        null_args,
        ty,
    })
}

/// The column type of a result; structs are built from tuples and case classes.
fn result_type(program: &Program, ty: &Ty, span: Span) -> Understood<ColTy> {
    let fields = |items: Vec<(String, &Ty)>| -> Understood<ColTy> {
        let mut out = Vec::new();
        for (name, item) in items {
            out.push((name, result_type(program, item, span)?));
        }
        Ok(ColTy::Struct(out))
    };
    match ty {
        Ty::Tuple(items) => fields(
            items
                .iter()
                .enumerate()
                .map(|(i, t)| (format!("_{}", i + 1), t))
                .collect(),
        ),
        Ty::Option(inner) => result_type(program, inner, span),
        Ty::Class(name) if ColTy::of(ty).is_none() => match program.classes.iter().find(|c| c.name == *name) {
            Some(class) => fields(class.fields.iter().map(|(n, t)| (n.clone(), t)).collect()),
            None => Err(Refusal::new(
                span,
                format!("a result of type `{name}` has no column type here"),
            )),
        },
        _ => {
            ColTy::of(ty).ok_or_else(|| Refusal::new(span, format!("a result of type `{ty}` has no column type here")))
        }
    }
}

/// A symbolic evaluation in progress.
struct Lower<'a> {
    program: &'a Program,
    g: Graph,
    frames: u32,
    cells: u32,
    vars: u32,
    depth: u32,
    turns: u32,
    globals: std::collections::BTreeMap<u32, Sym>,
    /// The frame of the function that lexically encloses a frame's function.
    lexical: std::collections::BTreeMap<u32, u32>,
    /// Which function a frame belongs to; `None` for the initialiser of a global.
    functions: std::collections::BTreeMap<u32, Option<crate::lang::ast::FnId>>,
    /// Lists whose elements, or which fields of whose elements, are never null.
    whole: std::collections::BTreeMap<NodeId, Vec<bool>>,
    /// Lists whose order in a column is not the JVM's.
    unordered: std::collections::BTreeSet<NodeId>,
}

impl Lower<'_> {
    fn parameter(&mut self, index: usize, rule: NullRule, ty: &Ty, span: Span) -> Understood<Sym> {
        let refuse = || Refusal::new(span, format!("a parameter of type `{ty}` has no column form here"));
        if matches!(ty, Ty::Array(a) if **a != Ty::Prim(crate::lang::ty::Prim::Byte)) {
            return Err(refuse());
        }
        let col = ColTy::of(ty).ok_or_else(refuse)?;
        let node = self.g.add(Op::Column(index), col);
        let _ = rule;
        let inner = if let Ty::Option(inner) = ty { inner } else { ty };
        if let Ty::Seq(_, item) | Ty::Array(item) = inner
            && item.prim_type().is_some()
        {
            // Spark throws for a null among primitives before the function is called; the notes announce it.
            self.whole.insert(node, vec![true]);
        }
        Ok(match ty {
            Ty::Option(_) => {
                let missing = self.g.is_null(node);
                Sym::Opt(self.g.not(missing), Box::new(Sym::Node(node)))
            }
            _ => Sym::Node(node),
        })
    }

    fn dialect(&self) -> Dialect {
        self.program.dialect
    }

    /// A refusal at a place.
    fn refuse<T>(&self, span: Span, reason: impl Into<String>) -> Understood<T> {
        Err(Refusal::new(span, reason))
    }

    /// Whether a node may be null where it is reached in this state.
    fn nullable(&self, st: &State, n: NodeId) -> bool {
        if st.is_not_null(n) {
            return false;
        }
        match self.g.op(n) {
            Op::Const(c) => *c == crate::ir::node::Const::Null,
            Op::Column(_) | Op::Var(_) => true,
            Op::Coalesce(_, b) => self.nullable(st, *b),
            Op::Case(branches, other) => branches
                .iter()
                .map(|(_, v)| *v)
                .chain([*other])
                .any(|v| self.nullable(st, v)),
            Op::Call(f, _) => f.may_be_null(),
            _ => false,
        }
    }
}
