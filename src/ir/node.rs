//! Nodes of the IR: a hash-consed graph, so that equal expressions are one node.

use std::collections::HashMap;
use std::sync::Arc;

use super::func::Func;
use crate::lang::ast::BinOp;
use crate::lang::ty::{Prim, Ty};
use crate::source::Span;

/// Index into a [`Graph`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

/// Type of a column. Nullability is not part of it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum ColTy {
    /// A JVM primitive; `Char` is held as a string of one character.
    Prim(Prim),
    /// Text.
    Str,
    /// Bytes.
    Binary,
    /// Decimal with precision and scale as far as known.
    Decimal(u8, i8),
    /// Days.
    Date,
    /// Microseconds since the epoch.
    Timestamp,
    /// List.
    Array(Box<ColTy>),
    /// Map.
    Map(Box<ColTy>, Box<ColTy>),
    /// Struct with field names.
    Struct(Vec<(String, ColTy)>),
    /// The type of a bare null.
    Null,
}

impl ColTy {
    /// `Boolean`.
    pub const BOOL: ColTy = ColTy::Prim(Prim::Boolean);
    /// `Int`.
    pub const INT: ColTy = ColTy::Prim(Prim::Int);
    /// `Long`.
    pub const LONG: ColTy = ColTy::Prim(Prim::Long);
    /// `Double`.
    pub const DOUBLE: ColTy = ColTy::Prim(Prim::Double);

    /// The column type of a JVM type, if one column can hold it.
    pub fn of(ty: &Ty) -> Option<ColTy> {
        Some(match ty {
            Ty::Prim(p) | Ty::Boxed(p) => ColTy::Prim(*p),
            Ty::String => ColTy::Str,
            Ty::ScalaBigDecimal | Ty::JavaBigDecimal => ColTy::Decimal(38, 18),
            Ty::Null | Ty::Nothing => ColTy::Null,
            Ty::Option(a) => ColTy::of(a)?,
            Ty::Array(a) if **a == Ty::Prim(Prim::Byte) => ColTy::Binary,
            Ty::Array(a) | Ty::Seq(_, a) => ColTy::Array(Box::new(ColTy::of(a)?)),
            Ty::Map(k, v) => ColTy::Map(Box::new(ColTy::of(k)?), Box::new(ColTy::of(v)?)),
            Ty::Class(name) => match name.as_str() {
                "LocalDate" | "Date" => ColTy::Date,
                "Instant" | "Timestamp" => ColTy::Timestamp,
                _ => return None,
            },
            _ => return None,
        })
    }

    /// The primitive, if it is one.
    pub fn prim(&self) -> Option<Prim> {
        match self {
            ColTy::Prim(p) => Some(*p),
            _ => None,
        }
    }

    /// Whether it is `Float` or `Double`.
    pub fn is_float(&self) -> bool {
        matches!(self, ColTy::Prim(Prim::Float | Prim::Double))
    }
}

/// A constant. Floats are kept by bits, so that constants can be compared and shared.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Const {
    /// Null of the node's type.
    Null,
    /// Boolean.
    Bool(bool),
    /// `Byte`, `Short`, `Int` or `Long`, by the node's type.
    Int(i64),
    /// `Float`, as its bits.
    F32(u32),
    /// `Double`, as its bits.
    F64(u64),
    /// A UTF-16 unit that is no surrogate.
    Char(u16),
    /// Text.
    Str(Arc<str>),
    /// Unscaled value and scale.
    Decimal(i128, i8),
    /// Days since 1970-01-01.
    Date(i32),
}

/// What a node computes. Operations are total: where the JVM would throw, an enclosing [`Op::Case`] has raised already, and
/// the value is arbitrary.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Op {
    /// A parameter, by position.
    Column(usize),
    /// A variable of a higher-order function.
    Var(u32),
    /// A constant.
    Const(Const),
    /// Arithmetic, bits or comparison of primitives of one type, JVM semantics.
    Bin(BinOp, Prim, NodeId, NodeId),
    /// `-a`.
    Neg(Prim, NodeId),
    /// `~a`.
    BitNot(Prim, NodeId),
    /// Primitive conversion.
    Conv(Prim, Prim, NodeId),
    /// Logical and; operands are not null where it matters.
    And(NodeId, NodeId),
    /// Logical or.
    Or(NodeId, NodeId),
    /// Logical not.
    Not(NodeId),
    /// Equality of two values that are not null (text, dates, decimals by value).
    Equal(NodeId, NodeId),
    /// Equality in which null equals null.
    NullSafeEqual(NodeId, NodeId),
    /// Order of two values that are not null; text by code point.
    Compare(BinOp, NodeId, NodeId),
    /// Null test.
    IsNull(NodeId),
    /// First that is not null.
    Coalesce(NodeId, NodeId),
    /// The first branch whose condition is true, else the last. A condition that is null counts as false.
    Case(Vec<(NodeId, NodeId)>, NodeId),
    /// Throws; stands only as the value of a branch on the way to the result.
    Raise(Arc<str>, Arc<str>),
    /// A library function, null if an argument is null unless the function says otherwise.
    Call(Func, Vec<NodeId>),
    /// A struct from its fields.
    Struct(Vec<NodeId>),
    /// A list from its elements.
    List(Vec<NodeId>),
}

/// A node: what it computes, its type, where it came from.
#[derive(Debug, Clone)]
pub struct Node {
    /// What it computes.
    pub op: Op,
    /// Its type.
    pub ty: ColTy,
    /// The expression of the original that made it first.
    pub span: Span,
}

/// An arena of shared nodes; operands always precede the nodes that use them.
#[derive(Debug, Clone, Default)]
pub struct Graph {
    nodes: Vec<Node>,
    index: HashMap<(Op, ColTy), NodeId>,
    /// The expression that new nodes are charged to.
    pub span: Span,
}

impl Graph {
    /// The node at an index.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// What a node computes.
    pub fn op(&self, id: NodeId) -> &Op {
        &self.node(id).op
    }

    /// A node's type.
    pub fn ty(&self, id: NodeId) -> &ColTy {
        &self.node(id).ty
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The node for an operation, shared with an equal one.
    pub fn add(&mut self, op: Op, ty: ColTy) -> NodeId {
        if let Some(id) = self.index.get(&(op.clone(), ty.clone())) {
            return *id;
        }
        let id = NodeId(self.nodes.len() as u32);
        self.index.insert((op.clone(), ty.clone()), id);
        self.nodes.push(Node {
            op,
            ty,
            span: self.span,
        });
        id
    }

    /// A constant's value.
    pub fn constant(&self, id: NodeId) -> Option<&Const> {
        match self.op(id) {
            Op::Const(c) => Some(c),
            _ => None,
        }
    }

    /// A constant boolean.
    pub fn as_bool(&self, id: NodeId) -> Option<bool> {
        match self.constant(id)? {
            Const::Bool(b) => Some(*b),
            _ => None,
        }
    }

    /// A constant integer.
    pub fn as_int(&self, id: NodeId) -> Option<i64> {
        match self.constant(id)? {
            Const::Int(i) => Some(*i),
            _ => None,
        }
    }

    /// A constant text (a character counts).
    pub fn as_text(&self, id: NodeId) -> Option<String> {
        match self.constant(id)? {
            Const::Str(s) => Some(s.to_string()),
            Const::Char(c) => char::from_u32(u32::from(*c)).map(String::from),
            _ => None,
        }
    }

    /// Whether it is the constant null.
    pub fn is_null_const(&self, id: NodeId) -> bool {
        matches!(self.op(id), Op::Const(Const::Null))
    }

    /// Operands of a node, in order.
    pub fn operands(&self, id: NodeId) -> Vec<NodeId> {
        match self.op(id) {
            Op::Column(_) | Op::Var(_) | Op::Const(_) | Op::Raise(..) => Vec::new(),
            Op::Bin(_, _, a, b)
            | Op::And(a, b)
            | Op::Or(a, b)
            | Op::Equal(a, b)
            | Op::NullSafeEqual(a, b)
            | Op::Compare(_, a, b)
            | Op::Coalesce(a, b) => vec![*a, *b],
            Op::Neg(_, a) | Op::BitNot(_, a) | Op::Conv(_, _, a) | Op::Not(a) | Op::IsNull(a) => vec![*a],
            Op::Case(branches, other) => {
                let mut all: Vec<NodeId> = branches.iter().flat_map(|(c, v)| [*c, *v]).collect();
                all.push(*other);
                all
            }
            Op::Call(_, args) | Op::Struct(args) | Op::List(args) => args.clone(),
        }
    }

    /// Whether a node or anything below it satisfies a test.
    pub fn any(&self, id: NodeId, test: &dyn Fn(&Node) -> bool) -> bool {
        let mut seen = vec![false; self.nodes.len()];
        let mut todo = vec![id];
        while let Some(at) = todo.pop() {
            if std::mem::replace(&mut seen[at.0 as usize], true) {
                continue;
            }
            if test(self.node(at)) {
                return true;
            }
            todo.extend(self.operands(at));
        }
        false
    }
}
