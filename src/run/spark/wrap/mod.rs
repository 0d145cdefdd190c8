//! Makes a UDF reachable for a compiler. In: the user's file and a UDF of it; out: texts with an entry point, the whole file
//! first, then only the function with what it uses. Every part knows where in the user's file it stands. Never changes the
//! user's text; a class of a method may be written again with less in it.

mod closure;
mod java;
mod java_names;
mod java_rings;
mod scala;
mod text;
mod unknown;

pub use java::{Ways, java};
pub use scala::{extracted, whole};
pub use text::Wrapped;

use super::ddl::ddl;
use crate::error::{Error, Result};
use crate::find::Udf;
use crate::source::SourceFile;

/// The result type with which a `UDFn` is registered.
fn told_result(udf: &Udf) -> Result<String> {
    udf.return_type.as_ref().and_then(ddl).ok_or_else(|| {
        Error::not_proven(format!(
            "the result type of `{}` cannot be told from the source",
            udf.name
        ))
        .because("a `UDFn` is registered with its result type")
    })
}

/// The file as it stands.
pub fn plain(source: &SourceFile) -> Wrapped {
    let mut out = Wrapped::new("whole file", None);
    out.copy(&source.text, 0..source.text.len());
    out
}

/// The simple name of the entry point's class.
pub const ENTRY: &str = "Rewright__Entry";

/// The function that is added to the class or template which holds the UDF.
const HOOK: &str = "rewright__entry";

/// The error for a function that no text reaches.
pub fn not_reached(udf: &Udf, why: impl std::fmt::Display) -> Error {
    Error::not_proven(format!("`{}` cannot be reached for a call", udf.name)).because(why)
}

#[cfg(test)]
mod tests;
