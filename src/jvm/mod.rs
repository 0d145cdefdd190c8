//! The library of JVM operations: one table per receiver type. In: a receiver type, a name and argument types; out: a
//! [`table::Method`] with its signature, what it may throw and how to evaluate it. Never knows the syntax of a language.

pub mod value;
pub mod object;
pub mod order;
pub mod text;
pub mod args;
pub mod number_text;
pub mod format;
pub mod unicode;
pub mod rows;
pub mod math;
pub mod bytes;
pub mod decimal;
pub mod regex;
pub mod time;
pub mod exceptions;
pub mod apply;
pub mod equality;
pub mod hash;
pub mod listing;
pub mod maps;
pub mod chains;
pub mod coll;
pub mod show;
pub mod view;
pub mod table;
pub mod lookup;
mod signature;
pub mod tables;
