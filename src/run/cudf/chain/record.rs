//! What a candidate called. In: calls of the emulated library with their arguments; out: a list of them, with the types that columns
//! had and the values of scalars. Never changes what a call gives.

use std::rc::Rc;

use super::super::column::ScalarValue;
use super::super::dtype::DType;
use super::super::heap::Res;
use super::super::interp::Interp;
use super::super::value::V;
use crate::source::Span;

/// A column or scalar that a call had.
#[derive(Debug, Clone)]
pub enum Known {
    /// A column: its handle and type.
    Column(usize, DType),
    /// A scalar: its value.
    Scalar(Rc<ScalarValue>),
}

/// What a call gave.
#[derive(Debug, Clone, Copy)]
pub enum Gives {
    /// A column or a view of one.
    Column(usize, DType),
    /// A scalar of the library.
    Scalar,
    /// Anything else.
    Other,
}

/// One call.
#[derive(Debug, Clone)]
pub struct Traced {
    /// The method.
    pub name: String,
    /// Where it was called on.
    pub on: Option<Known>,
    /// Its arguments as they were.
    pub args: Vec<V>,
    /// Columns and scalars among them, those of sequences one by one.
    pub known: Vec<Known>,
    /// What it gave.
    pub gives: Gives,
    /// 1-based line.
    pub line: u32,
}

impl Traced {
    /// Whether a column goes into it.
    pub fn reads_columns(&self) -> bool {
        let mut all = self.on.iter().chain(&self.known);
        all.any(|k| matches!(k, Known::Column(..)))
    }
}

/// A call that has begun.
pub struct Begun {
    on: Option<Known>,
    args: Vec<V>,
    known: Vec<Known>,
}

impl Interp<'_> {
    /// Notes a call's arguments while they are still open; nothing where nobody records.
    pub(in crate::run::cudf) fn begin(&self, on: Option<usize>, args: &[V]) -> Option<Begun> {
        self.trace.as_ref()?;
        let mut known = Vec::new();
        args.iter().for_each(|a| self.all_known(a, &mut known));
        Some(Begun {
            on: on.and_then(|id| self.known(id)),
            args: args.to_vec(),
            known,
        })
    }

    /// Notes what it gave.
    pub(in crate::run::cudf) fn end(&mut self, begun: Option<Begun>, name: &str, given: &V, span: Span) {
        let (Some(begun), line) = (begun, self.line(span)) else {
            return;
        };
        let gives = match given {
            V::Ref(id) => match self.known(*id) {
                Some(Known::Column(id, dtype)) => Gives::Column(id, dtype),
                Some(Known::Scalar(_)) => Gives::Scalar,
                None => Gives::Other,
            },
            _ => Gives::Other,
        };
        if let Some(trace) = &mut self.trace {
            trace.push(Traced {
                name: name.to_owned(),
                on: begun.on,
                args: begun.args,
                known: begun.known,
                gives,
                line,
            });
        }
    }

    fn known(&self, id: usize) -> Option<Known> {
        match self.heap.peek(id)? {
            Res::Column(c) | Res::View(c) => Some(Known::Column(id, c.dtype)),
            Res::Scalar(s) => Some(Known::Scalar(s.clone())),
            Res::Table(_) => None,
        }
    }

    fn all_known(&self, v: &V, out: &mut Vec<Known>) {
        match v {
            V::Ref(id) => out.extend(self.known(*id)),
            V::Seq(items) => items.items.borrow().iter().for_each(|i| self.all_known(i, out)),
            _ => {}
        }
    }
}
