//! Finds UDFs in source text. In: a [`SourceFile`]; out: sites with their signature and, where it could be typed, their
//! [`Program`]; and what was seen but not understood, with its reason. Never runs anything.

pub mod spark_type;
mod tree;
mod scala;
mod java;
mod java_sites;
mod sites;
mod meaning;
mod calls;
mod functions;
mod forward;
mod instances;
mod forms;

use arrow::datatypes::DataType;

use crate::error::{Error, Result};
use crate::lang::ast::Program;
use crate::lang::ty::Ty;
use crate::source::{Language, Refusal, SourceFile, Span, Understood};

/// How a UDF is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum UdfKind {
    /// A class or object that extends `FunctionN`, `(A, B) => C` or `UDFn`.
    FunctionClass,
    /// `udf(lambda)`.
    UdfLambda,
    /// `udf(method _)`, `udf(method)`.
    UdfMethod,
    /// `spark.udf.register("name", …)`.
    Register,
    /// A typed function value: `val f: String => Int = …`, a field of type `UDFn`.
    FunctionVal,
    /// A Hive `UDF` or `GenericUDF`.
    HiveUdf,
}

/// What Spark does with a null argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NullRule {
    /// A primitive parameter: the function is not called, the result is null.
    ResultIsNull,
    /// Boxed, String, Option…: the function is called with null (or None).
    PassedOn,
}

/// One parameter of a UDF as Spark sees it.
#[derive(Debug, Clone)]
pub struct UdfParam {
    /// Name in the source.
    pub name: String,
    /// The declared type.
    pub ty: Ty,
    /// Spark's column type as Arrow; `None` where only the data can tell (`Row`, `Seq[Row]`).
    pub data_type: Option<DataType>,
    /// What happens with null.
    pub null_rule: NullRule,
}

/// A UDF that was found.
#[derive(Debug, Clone)]
pub struct Udf {
    /// How to pick it: class, val, def, or the SQL name it is registered under.
    pub name: String,
    /// Other names by which it can be picked: the val that wraps a method, the SQL name of a function that has a name.
    pub aliases: Vec<String>,
    /// How it is written.
    pub kind: UdfKind,
    /// The whole definition, for the screen and for extraction.
    pub span: Span,
    /// The body.
    pub body: Span,
    /// Parameters in call order.
    pub params: Vec<UdfParam>,
    /// Result type in the source, after inference.
    pub returns: Ty,
    /// Spark's result type as Arrow; `None` if it cannot be told without running.
    pub return_type: Option<DataType>,
    /// Spans of the helpers, constants, regex vals and imports it uses.
    pub needs: Vec<Span>,
    /// The closed typed program, or why there is none.
    pub program: Understood<Program>,
}

impl Udf {
    /// The parameters' names, in order.
    pub fn param_names(&self) -> Vec<String> {
        self.params.iter().map(|p| p.name.clone()).collect()
    }

    /// Refuses another number of columns than there are parameters.
    pub fn takes(&self, columns: usize) -> Result<()> {
        let params = self.params.len();
        match columns == params {
            true => Ok(()),
            false => Err(Error::input(format!(
                "`{}` takes {params} columns, {columns} are given",
                self.name
            ))),
        }
    }
}

/// What a source file holds.
#[derive(Debug, Clone, Default)]
pub struct Found {
    /// UDFs in the order of the source.
    pub udfs: Vec<Udf>,
    /// Seen, not understood: syntax errors, UDFs of unknown form.
    pub refused: Vec<Refusal>,
    /// Looks like a UDF and is none, with the reason: factories, aggregators, functions that return functions.
    pub not_udfs: Vec<Refusal>,
}

impl Found {
    /// The UDF that a name picks: by its own name, else by another one it goes by.
    pub fn by_name(&self, name: &str) -> Option<&Udf> {
        let other = || self.udfs.iter().find(|u| u.aliases.iter().any(|a| a == name));
        self.udfs.iter().find(|u| u.name == name).or_else(other)
    }
}

/// Finds the UDFs of a source file. Never fails: what cannot be read is listed as refused.
pub fn find(source: &SourceFile) -> Found {
    match source.language {
        Language::Scala if may_hold_udf(&source.text) => scala::find(source),
        Language::Java if may_hold_udf(&source.text) => java::find(source),
        Language::Scala | Language::Java => Found::default(),
        other => {
            let whole = Span::new(0, source.text.len());
            let reason = format!("UDFs in {} are not covered", other.name());
            Found {
                refused: vec![Refusal::new(whole, reason)],
                ..Found::default()
            }
        }
    }
}

/// Whether a file met on the way through a folder is worth a look. A function class has to show it in its head and anything
/// else has to mention UDFs: parsing every file of a large tree would take minutes, and most function values are no UDFs.
pub fn worth_a_look(text: &[u8]) -> bool {
    const WORDS: [&str; 7] = [
        "udf",
        "UDF",
        "Udf",
        "extends (",
        "extends Function",
        "extends AbstractFunction",
        "Aggregator[",
    ];
    let mut words = WORDS.iter();
    words.any(|word| memchr::memmem::find(text, word.as_bytes()).is_some())
}

/// Whether it is worth parsing a text at all.
fn may_hold_udf(text: &str) -> bool {
    ["udf", "=>", "Function", "UDF", "Aggregator"]
        .iter()
        .any(|word| memchr::memmem::find(text.as_bytes(), word.as_bytes()).is_some())
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod form_tests;
