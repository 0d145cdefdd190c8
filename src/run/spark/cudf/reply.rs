//! What the worker says of a call. In: its reply or its log; out: outcomes, findings and errors. Asks nothing itself.

use arrow::array::{StringArray, new_null_array};
use arrow::datatypes::DataType;
use serde_json::Value;

use super::super::accelerator::Library;
use super::super::server::Turn;
use crate::compare::walk::type_name;
use crate::error::Error;
use crate::run::cudf::{fits, library_type};
use crate::run::worker::Lost;
use crate::run::{Finding, Outcome};

/// What the accelerator throws for a result of another type than the UDF declares.
pub const WRONG_TYPE: &str = "IllegalArgumentException";
/// What it throws for another number of rows.
const WRONG_ROWS: &str = "IllegalStateException";
/// What it runs into where there is no column, or a closed one.
const NO_COLUMN: &str = "NullPointerException";

/// Every row of a batch whose call threw.
pub fn all_threw(class: &str, rows: usize) -> Outcome {
    let errors = StringArray::from(vec![class; rows]);
    Outcome::with_errors(new_null_array(&DataType::Null, rows), Some(errors))
}

/// The outcome of a call that gave no column of the right length.
pub fn thrown(reply: &Value, rows: usize) -> Outcome {
    let class = match reply["returned"].as_str() {
        Some("threw") => reply["error"].as_str().unwrap_or("RuntimeException"),
        Some("rows") => WRONG_ROWS,
        _ => NO_COLUMN,
    };
    all_threw(class, rows)
}

/// What was noticed: by the library's side, and what came instead of a column.
pub fn findings(reply: &Value, rows: usize) -> Vec<Finding> {
    let line = |v: &Value| v["line"].as_u64().filter(|l| *l > 0).map(|l| l as u32);
    let instead = match reply["returned"].as_str() {
        Some("null") => Some(("null-result", "evaluateColumnar returns null".to_owned())),
        Some("closed") => Some(("result-closed", "evaluateColumnar returns a closed column".to_owned())),
        Some("rows") => {
            let given = &reply["rows"];
            let what = format!("evaluateColumnar returns {given} rows for a batch of {rows}");
            Some(("row-count", what))
        }
        _ => None,
    };
    let instead = instead.map(|(id, message)| Finding {
        id: id.to_owned(),
        message,
        line: line(reply),
    });
    let said = reply["findings"].as_array().into_iter().flatten().map(|f| Finding {
        id: f["id"].as_str().unwrap_or("unknown").to_owned(),
        message: f["message"].as_str().unwrap_or_default().to_owned(),
        line: line(f),
    });
    instead.into_iter().chain(said).collect()
}

/// A result that the accelerator does not take for the declared type.
pub fn wrong_type(reply: &Value, declared: Option<&DataType>, given: &DataType) -> Option<Finding> {
    let declared = declared.filter(|d| !fits(d, given))?;
    let given = reply["type"].as_str().unwrap_or("another type").to_owned();
    let (wanted, declared) = (library_type(declared), type_name(declared));
    Some(Finding {
        id: "result-type".into(),
        message: format!("evaluateColumnar returns {given}; the UDF declares {declared}, which is {wanted}"),
        line: None,
    })
}

/// An error for a reply that says why there is no answer. A worker whose library does not load, or whose device is lost, is of no
/// more use.
pub fn refusal(turn: &mut Turn, reply: &Value, library: &Library) -> Error {
    let message = reply["message"].as_str().unwrap_or("no reason was given");
    let kind = reply["kind"].as_str().unwrap_or("internal");
    if matches!(kind, "native" | "device" | "fatal" | "exit") {
        turn.give_up(&Lost::Ended(message.to_owned()));
    }
    let jar = library.jar.display();
    match kind {
        "native" => Error::not_proven(format!("the native code of the cuDF library {jar} does not load"))
            .because(message)
            .hint("a jar without it needs the folder of libcudf.so and libcudfjni.so: --rapids-native-dir")
            .hint("a jar is for one platform and one CUDA: take the one whose classifier fits this machine"),
        "device" => Error::not_proven(format!("cuDF cannot use device {} of this machine", library.device))
            .because(message)
            .hint("the library's CUDA has to be one that the driver supports: take a jar for an older CUDA, or a newer driver")
            .hint("`rewright doctor` lists the devices; --device chooses one"),
        "memory" => Error::not_proven("the device has too little memory for the candidate")
            .because(message)
            .hint("test fewer rows: --rows"),
        "fatal" => Error::not_proven("the device failed while the candidate ran")
            .because(message)
            .hint("the next test starts a new worker"),
        "exit" | "unsupported" | "forgotten" => {
            Error::not_proven("the engine `cudf` cannot run the candidate").because(message)
        }
        _ => Error::internal("the engine `cudf` cannot run the candidate").because(message),
    }
}

/// Where native code was when a JVM crashed, as its last message says.
pub fn crash(log: &str) -> Option<String> {
    let lines: Vec<&str> = log.lines().map(|l| l.trim_start_matches('#').trim()).collect();
    let after = lines
        .iter()
        .rposition(|l| l.starts_with("A fatal error has been detected"))?;
    let signal = lines[after..]
        .iter()
        .find(|l| l.starts_with("SIG") || l.starts_with("Internal Error"))?;
    let frame = lines[after..]
        .iter()
        .skip_while(|l| !l.starts_with("Problematic frame"))
        .nth(1);
    let signal = signal.split_whitespace().next().unwrap_or(signal);
    Some(
        match frame
            .map(|f| f.trim_start_matches("C ").trim())
            .filter(|f| !f.is_empty())
        {
            Some(frame) => format!("{signal} in {frame}"),
            None => signal.to_owned(),
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_crash_is_told_by_its_frame() {
        let log = "before\n#\n# A fatal error has been detected by the Java Runtime Environment:\n#\n#  SIGSEGV (0xb) at pc=0x7f, pid=1\n#\n\
                   # JRE version: OpenJDK\n# Problematic frame:\n# C  [libcudf.so+0x1234]  cudf::x+0x1\n#\n";
        let said = crash(log).unwrap();
        assert_eq!(said, "SIGSEGV in [libcudf.so+0x1234]  cudf::x+0x1");
        assert!(crash("a warning\n").is_none());
    }

    #[test]
    fn what_came_instead_of_a_column_is_what_the_accelerator_throws() {
        let class = |reply: Value| thrown(&reply, 2).error(1).map(str::to_owned);
        assert_eq!(class(json!({"returned": "null"})).as_deref(), Some(NO_COLUMN));
        assert_eq!(
            class(json!({"returned": "rows", "rows": 1})).as_deref(),
            Some(WRONG_ROWS)
        );
        assert_eq!(
            class(json!({"returned": "threw", "error": "CudfException"})).as_deref(),
            Some("CudfException")
        );
        let found = findings(&json!({"returned": "closed", "line": 7}), 2);
        assert_eq!((found[0].id.as_str(), found[0].line), ("result-closed", Some(7)));
    }

    #[test]
    fn decimals_fit_by_their_width_and_scale() {
        let wrong = |declared: DataType, given: DataType| wrong_type(&json!({"type": "X"}), Some(&declared), &given);
        assert!(wrong(DataType::Decimal128(12, 2), DataType::Decimal128(18, 2)).is_none());
        assert!(wrong(DataType::Decimal128(12, 2), DataType::Decimal128(38, 2)).is_some());
        assert!(wrong(DataType::Float64, DataType::Int32).is_some());
        assert!(wrong_type(&json!({}), None, &DataType::Int32).is_none());
    }
}
