//! rewright turns a row-by-row Spark UDF into a columnar rewrite and tests that the two still mean the same.
//!
//! The modules stand in the order in which data passes through them; `ARCHITECTURE.md` tells the same story.
//!
//! ```text
//! source text ─▶ site ─▶ typed AST ─▶ expression IR ─▶ candidates (sql, cudf, cuda)
//!                         │                               │
//!                         ▼                               ▼
//!  inputs (Arrow) ──▶ oracle outcome ─────▶ compare ◀──── engine outcome
//!                                              │
//!                                   mismatches, verdict ─▶ bench ─▶ session ─▶ screen / JSON / report
//! ```

pub mod error;
pub mod source;

pub mod samples;

pub mod find;
pub mod lang;
pub mod jvm;
pub mod ir;
pub mod propose;
pub mod inputs;
pub mod run;
pub mod compare;
pub mod bench;
pub mod check;
pub mod measure;
pub mod scale;
pub mod session;
pub mod report;
pub mod app;
pub mod view;
pub mod cli;

#[cfg(test)]
pub mod test_vectors;
