//! Which branches one row takes. In: a UDF and a row; out: the spans of the branches, in the order in which they were
//! entered. A copy of the program leaves a mark at the start of each branch; the program that tests run has none.

use std::sync::{Mutex, PoisonError};

use arrow::array::RecordBatch;

use super::Embedded;
use crate::error::Result;
use crate::find::Udf;
use crate::jvm::table::Method;
use crate::jvm::value::Value;
use crate::lang::ast::{Expr, ExprKind, Lit, Stmt};
use crate::lang::ty::Ty;
use crate::lang::visit::rewrite_branches;
use crate::run::{Cancel, Evaluator, Settings};
use crate::source::Span;

/// Most marks that are kept: a loop may take the same branch millions of times.
const MOST: usize = 10_000;

/// Marks of the trace that runs. A row runs on a thread of the pool, so that they cannot be local to a thread.
static MARKS: Mutex<Vec<Span>> = Mutex::new(Vec::new());
/// One trace at a time.
static ONE: Mutex<()> = Mutex::new(());

/// Leaves a mark; no source can name it.
static MARK: Method = Method {
    id: "$mark",
    recv: "static $Trace",
    name: "$mark",
    sig: "(Int, Int): Unit",
    throws: &[],
    eval: |_, args, _| {
        if let [Value::Int(start), Value::Int(end)] = args {
            let mut marks = MARKS.lock().unwrap_or_else(PoisonError::into_inner);
            if marks.len() < MOST {
                marks.push(Span {
                    start: *start as u32,
                    end: *end as u32,
                });
            }
        }
        Ok(Value::Unit)
    },
    null_recv: false,
};

/// The branches that one row of a batch takes, each once, in the order in which they were first entered.
pub fn trace(udf: &Udf, batch: &RecordBatch, row: usize, settings: &Settings) -> Result<Vec<Span>> {
    let mut marked = udf.clone();
    if let Ok(program) = &mut marked.program {
        for function in &mut program.functions {
            rewrite_branches(&mut function.body, &mut mark);
        }
    }
    let mut oracle = Embedded::new(&marked, settings.clone())?;
    oracle.prepare(batch.schema_ref())?;
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    take();
    let ran = oracle.eval(&batch.slice(row, 1), &Cancel::default());
    let mut spans = take();
    ran?;
    let mut seen = std::collections::HashSet::new();
    spans.retain(|s| seen.insert(*s));
    Ok(spans)
}

fn take() -> Vec<Span> {
    std::mem::take(&mut *MARKS.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Puts a mark before a branch.
fn mark(branch: &mut Expr) {
    let span = branch.span;
    let part = |kind, ty| Expr { kind, ty, span };
    let args = [span.start, span.end].map(|at| part(ExprKind::Lit(Lit::Int(at as i32)), Ty::INT));
    let call = part(
        ExprKind::Call {
            method: &MARK,
            recv: None,
            args: args.to_vec(),
        },
        Ty::Unit,
    );
    let ty = branch.ty.clone();
    let body = std::mem::replace(branch, part(ExprKind::Lit(Lit::Unit), Ty::Unit));
    *branch = part(ExprKind::Block(vec![Stmt::Expr(call)], Some(Box::new(body))), ty);
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow::array::{ArrayRef, Int32Array, RecordBatch};

    use super::*;
    use crate::samples::SAMPLES;

    #[test]
    fn a_row_marks_the_branches_that_it_takes() {
        let file = SAMPLES[1].source();
        let found = crate::find::find(&file);
        let scores: ArrayRef = Arc::new(Int32Array::from(vec![Some(700), None, Some(900)]));
        let batch = RecordBatch::try_from_iter([("score", scores)]).expect("one column");
        let last = |row| {
            let spans = trace(&found.udfs[0], &batch, row, &Settings::default()).expect("runs");
            file.slice(*spans.last().expect("a branch")).to_owned()
        };
        assert_eq!(
            [last(0), last(1), last(2)],
            ["\"moderate\"", "\"unscored\"", "\"invalid\""]
        );
    }
}
