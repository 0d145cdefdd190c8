//! Symbolic values and the state of a symbolic evaluation.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::ir::node::{Graph, NodeId, Op};
use crate::lang::ast::{ClassId, Expr, FnId, LocalId};

/// The body of a function literal; equal only to itself.
#[derive(Debug, Clone)]
pub struct Body(pub Arc<Expr>);

impl PartialEq for Body {
    fn eq(&self, other: &Body) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// Whose clock shows an instant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Clock {
    /// The JVM's own zone, which is the session's.
    Session,
    /// A named zone.
    At(Arc<str>),
}

/// Which names a number stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Names {
    /// `DayOfWeek`.
    Day,
    /// `Month`.
    Month,
}

/// What an expression came to: columns under the shape that the JVM value has.
#[derive(Debug, Clone, PartialEq)]
pub enum Sym {
    /// `()`.
    Unit,
    /// A value that one column holds; may be null.
    Node(NodeId),
    /// An `Option` that is not null itself: whether it is defined, and its value if so.
    Opt(NodeId, Box<Sym>),
    /// `None` of a type that is not known yet.
    NoneOpt,
    /// A tuple.
    Tuple(Vec<Sym>),
    /// An instance of a case class.
    Object(ClassId, Vec<Sym>),
    /// A reference that is null where the condition holds.
    OrNull(NodeId, Box<Sym>),
    /// A sequence or array whose length is known; an element is there only where its condition holds.
    Seq(Vec<(NodeId, Sym)>),
    /// A constant table.
    Map(Vec<(Sym, Sym)>),
    /// A set of known elements.
    Set(Vec<Sym>),
    /// A constant regular expression.
    Regex(Arc<str>),
    /// A function literal over the frame it stands in.
    Closure(u32, Vec<LocalId>, Body),
    /// A function of the program.
    Function(FnId),
    /// A `Try`: whether it succeeded, its value if so.
    Try(NodeId, Box<Sym>),
    /// A `StringBuilder`: its cell.
    Builder(u32),
    /// A date and time as the clock of a zone shows it: the instant, the clock.
    Clock(NodeId, Clock),
    /// A `Duration`, in microseconds.
    Duration(NodeId),
    /// A `Period` between two dates.
    Period(NodeId, NodeId),
    /// A day of the week or a month, by its number from 1.
    Enum(Names, NodeId),
    /// An exception object: class and message.
    Exception(String, String),
    /// A named constant of the library that only some calls understand (a rounding mode, a formatter, a zone, a unit).
    Named(&'static str, String),
}

/// How control leaves before the end.
#[derive(Debug, Clone, PartialEq)]
pub enum Exit {
    /// An exception: class and message.
    Raise(String, String),
    /// `return` from the frame.
    Return(u32, Sym),
}

/// An exit and the condition under which it is taken, if no earlier one was.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// When.
    pub cond: NodeId,
    /// What.
    pub exit: Exit,
}

/// What is known at a point of the evaluation.
#[derive(Debug, Clone, Default)]
pub struct State {
    /// Values of slots, by frame.
    pub locals: BTreeMap<(u32, u32), Sym>,
    /// Contents of `StringBuilder`s.
    pub cells: BTreeMap<u32, NodeId>,
    /// Exits so far, in order; an earlier one wins.
    pub events: Vec<Event>,
    /// Nothing runs any more: every path has left.
    pub dead: bool,
    not_null: BTreeSet<NodeId>,
    known: BTreeMap<NodeId, bool>,
}

impl State {
    /// The state in which a branch starts; its events are its own.
    pub fn branch(&self, graph: &Graph, cond: NodeId, truth: bool) -> State {
        let mut inner = State {
            events: Vec::new(),
            ..self.clone()
        };
        inner.assume(graph, cond, truth);
        inner
    }

    /// The same state with no events of its own.
    pub fn scope(&self) -> State {
        State {
            events: Vec::new(),
            ..self.clone()
        }
    }

    /// Takes over what an inner state knows.
    pub fn learn(&mut self, other: &State) {
        self.not_null = other.not_null.clone();
        self.known = other.known.clone();
    }

    /// Remembers that a condition has this value from here on.
    pub fn assume(&mut self, graph: &Graph, cond: NodeId, truth: bool) {
        self.known.insert(cond, truth);
        match (graph.op(cond), truth) {
            (Op::Not(a), _) => self.assume(graph, *a, !truth),
            (Op::And(a, b), true) | (Op::Or(a, b), false) => {
                self.assume(graph, *a, truth);
                self.assume(graph, *b, truth);
            }
            (Op::IsNull(a), false) => {
                self.not_null.insert(*a);
            }
            (Op::NullSafeEqual(a, b), true) => {
                if matches!(graph.op(*b), Op::Const(c) if *c != super::super::node::Const::Null) {
                    self.not_null.insert(*a);
                }
            }
            _ => {}
        }
    }

    /// Whether a condition is known here.
    pub fn known(&self, cond: NodeId) -> Option<bool> {
        self.known.get(&cond).copied()
    }

    /// Whether a node is known not to be null here.
    pub fn is_not_null(&self, node: NodeId) -> bool {
        self.not_null.contains(&node)
    }

    /// Remembers that a node is not null from here on.
    pub fn set_not_null(&mut self, node: NodeId) {
        self.not_null.insert(node);
    }
}
