//! The class hierarchy of exceptions, as far as `catch` needs it.

/// Superclass of an exception class, by simple name; `None` for `Throwable` and unknown classes.
pub fn superclass(class: &str) -> Option<&'static str> {
    Some(match class {
        "Exception" | "Error" | "ControlThrowable" => "Throwable",
        "BreakControl" => "ControlThrowable",
        "RuntimeException" | "IOException" | "CloneNotSupportedException" | "ParseException" => "Exception",
        "ArithmeticException"
        | "ClassCastException"
        | "IllegalArgumentException"
        | "IllegalStateException"
        | "IndexOutOfBoundsException"
        | "NegativeArraySizeException"
        | "NullPointerException"
        | "ArrayStoreException"
        | "UnsupportedOperationException"
        | "NoSuchElementException"
        | "MatchError"
        | "DateTimeException"
        | "ConcurrentModificationException" => "RuntimeException",
        "NumberFormatException"
        | "PatternSyntaxException"
        | "IllegalFormatException"
        | "IllegalCharsetNameException"
        | "UnsupportedCharsetException" => "IllegalArgumentException",
        "UnsupportedEncodingException" => "IOException",
        "NoSuchAlgorithmException" => "GeneralSecurityException",
        "GeneralSecurityException" => "Exception",
        "MissingFormatArgumentException"
        | "MissingFormatWidthException"
        | "IllegalFormatConversionException"
        | "IllegalFormatCodePointException"
        | "IllegalFormatFlagsException"
        | "IllegalFormatPrecisionException"
        | "IllegalFormatWidthException"
        | "UnknownFormatConversionException"
        | "DuplicateFormatFlagsException"
        | "FormatFlagsConversionMismatchException" => "IllegalFormatException",
        "ArrayIndexOutOfBoundsException" | "StringIndexOutOfBoundsException" => "IndexOutOfBoundsException",
        "DateTimeParseException" | "UnsupportedTemporalTypeException" | "ZoneRulesException" => "DateTimeException",
        "StackOverflowError" | "OutOfMemoryError" => "VirtualMachineError",
        "VirtualMachineError" | "AssertionError" | "NotImplementedError" => "Error",
        _ => return None,
    })
}

/// Whether `class` is `ancestor` or one of its subclasses.
pub fn is_subclass(class: &str, ancestor: &str) -> bool {
    let mut at = Some(class);
    while let Some(name) = at {
        if name == ancestor {
            return true;
        }
        at = superclass(name);
    }
    ancestor == "Throwable" || ancestor == "Object"
}

/// Package of a class that the library throws; `None` for unknown ones (the user's).
pub fn package(class: &str) -> Option<&'static str> {
    Some(match class {
        "Throwable"
        | "Exception"
        | "Error"
        | "RuntimeException"
        | "CloneNotSupportedException"
        | "ArithmeticException"
        | "ClassCastException"
        | "IllegalArgumentException"
        | "IllegalStateException"
        | "IndexOutOfBoundsException"
        | "NegativeArraySizeException"
        | "NullPointerException"
        | "ArrayStoreException"
        | "UnsupportedOperationException"
        | "NumberFormatException"
        | "ArrayIndexOutOfBoundsException"
        | "StringIndexOutOfBoundsException"
        | "StackOverflowError"
        | "OutOfMemoryError"
        | "VirtualMachineError"
        | "AssertionError" => "java.lang",
        "NoSuchElementException" | "ConcurrentModificationException" | "IllegalFormatException" => "java.util",
        "MatchError" | "NotImplementedError" => "scala",
        "DateTimeException" => "java.time",
        "DateTimeParseException" => "java.time.format",
        "UnsupportedTemporalTypeException" => "java.time.temporal",
        "ZoneRulesException" => "java.time.zone",
        "PatternSyntaxException" => "java.util.regex",
        "ParseException" => "java.text",
        "IOException" | "UnsupportedEncodingException" => "java.io",
        "NoSuchAlgorithmException" | "GeneralSecurityException" => "java.security",
        "IllegalCharsetNameException" | "UnsupportedCharsetException" => "java.nio.charset",
        _ => return None,
    })
}
