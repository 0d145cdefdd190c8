//! Source languages: a syntax tree comes in, one small typed AST goes out, shared by Scala and Java. Types follow the
//! JVM's promotion rules; what cannot be typed is a refusal with its span. Never evaluates.

pub mod ty;
pub mod ast;
pub mod cst;
pub mod relate;
pub mod pretty;
pub mod scala;
pub mod java;

pub use pretty::pretty;
pub mod visit;
