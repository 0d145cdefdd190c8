//! Columnar expression IR. In: the typed program of a UDF; out: a graph of pure, total expressions over its columns with
//! JVM semantics, in which every exception is an explicit branch. Never prints and never evaluates over data.
//!
//! Lowering is a symbolic evaluation ([`lower`]): helpers are inlined, `var`s become values merged at branches, `Option`s
//! become a condition and a value, and whatever may throw becomes a condition that is tested first. Equal nodes are shared.

pub mod func;
pub mod build;
pub mod lower;
pub mod node;

pub use func::Func;
pub use lower::{Lowered, lower};
pub use node::{ColTy, Const, Graph, NodeId, Op};
