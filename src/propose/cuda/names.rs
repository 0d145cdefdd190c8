//! Names in C++. In: names of the source; out: identifiers that are no words of C++, of its library or of the kernel itself.

/// A C++ identifier for a UDF's name.
pub(super) fn identifier(name: &str) -> String {
    let mut out: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    if !out.starts_with(|c: char| c.is_ascii_alphabetic()) {
        out.insert_str(0, "udf_");
    }
    out
}

/// Words that a name must not be: those of C++ and of its library, and the kernel's own.
const TAKEN: &[&str] = &[
    "row",
    "rows",
    "cx",
    "error",
    "out",
    "valid",
    "result",
    "scratch",
    "rw",
    "auto",
    "bool",
    "break",
    "case",
    "char",
    "class",
    "const",
    "continue",
    "default",
    "delete",
    "do",
    "double",
    "else",
    "enum",
    "explicit",
    "export",
    "extern",
    "false",
    "float",
    "for",
    "friend",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "namespace",
    "new",
    "operator",
    "private",
    "protected",
    "public",
    "register",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "struct",
    "switch",
    "template",
    "this",
    "throw",
    "true",
    "try",
    "typedef",
    "typename",
    "union",
    "unsigned",
    "using",
    "virtual",
    "void",
    "volatile",
    "while",
    "main",
    "index",
    "abs",
    "round",
    "floor",
    "ceil",
    "sqrt",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "exp",
    "log",
    "log10",
    "pow",
    "signbit",
    "isnan",
    "isinf",
    "min",
    "max",
    "y0",
    "y1",
    "j0",
    "j1",
    "gamma",
    "time",
    "clock",
    "div",
    "rand",
    "remove",
    "rename",
    "select",
    "read",
    "write",
    "open",
    "close",
    "link",
    "truncate",
    "and",
    "or",
    "not",
    "xor",
    "hypot",
    "cbrt",
    "fmod",
    "trunc",
    "rint",
    "memcpy",
    "strlen",
    "printf",
    "free",
    "malloc",
    "exit",
    "abort",
    "system",
    "signal",
    "threadIdx",
    "blockIdx",
    "blockDim",
    "gridDim",
    "warpSize",
];

/// The name of a column's buffers.
pub(super) fn column_name(name: &str) -> String {
    let name = identifier(name);
    match TAKEN.contains(&name.as_str()) {
        true => format!("{name}_"),
        false => name,
    }
}

/// The name of the entry. It is a C function: a short word of small letters may be one of the C library's.
pub(super) fn kernel_name(name: &str) -> String {
    let name = identifier(name);
    let like_the_library = name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    match like_the_library || TAKEN.contains(&name.as_str()) {
        true => format!("udf_{name}"),
        false => name,
    }
}
