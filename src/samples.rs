//! The bundled samples: source text with, for some, a candidate edited by hand that is worth a test. Embedded in the
//! binary, so that the first screen needs no files.

use crate::propose::Tier;
use crate::source::{Language, SourceFile};

/// A bundled UDF.
#[derive(Debug, Clone, Copy)]
pub struct Sample {
    /// File name, as in `assets/samples`.
    pub file_name: &'static str,
    /// Name of the UDF in it.
    pub udf: &'static str,
    /// One line for the chooser.
    pub title: &'static str,
    /// The source text.
    pub text: &'static str,
    /// A candidate edited by hand, opened in place of the proposal of its tier.
    pub edited: Option<(Tier, &'static str)>,
}

macro_rules! sample {
    ($file:literal) => {
        include_str!(concat!("../assets/samples/", $file))
    };
}

/// All samples, in the order of the chooser.
pub const SAMPLES: &[Sample] = &[
    Sample {
        file_name: "ToFahrenheit.scala",
        udf: "ToFahrenheit",
        title: "Celsius to Fahrenheit: the order of operations shows in the last digit",
        text: sample!("ToFahrenheit.scala"),
        edited: Some((Tier::Cudf, sample!("ToFahrenheit.edited.scala"))),
    },
    Sample {
        file_name: "CreditRisk.scala",
        udf: "riskBand",
        title: "credit-risk bands of a nullable integer",
        text: sample!("CreditRisk.scala"),
        edited: None,
    },
    Sample {
        file_name: "PhoneFormatter.scala",
        udf: "formatPhoneUdf",
        title: "a phone formatter: regular expression and substrings",
        text: sample!("PhoneFormatter.scala"),
        edited: None,
    },
    Sample {
        file_name: "RoundPrice.scala",
        udf: "roundPrice",
        title: "rounding ties: math.round(x * 100) / 100 against round(x, 2)",
        text: sample!("RoundPrice.scala"),
        edited: Some((Tier::Sql, sample!("RoundPrice.edited.sql"))),
    },
    Sample {
        file_name: "RouteChecksum.scala",
        udf: "routeChecksum",
        title: "a loop with carried state, which only CUDA can express",
        text: sample!("RouteChecksum.scala"),
        edited: None,
    },
];

impl Sample {
    /// The sample as a source file that stands nowhere on disk.
    pub fn source(&self) -> SourceFile {
        SourceFile::from_text(self.file_name, Language::Scala, self.text)
    }
}
