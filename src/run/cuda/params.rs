//! The entry of a kernel as its text declares it. In: C++; out: name and parameters with their C types and places. Never
//! trusts what a proposal was made from: a kernel that was edited by hand is read the same way.

use super::shape::Shape;
use super::tokens::{Token, tokens};
use crate::error::{Error, Location, Result};

/// A type that a buffer's elements can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CType {
    /// `uint8_t`; `bool` is stored the same way.
    U8,
    /// `int8_t`.
    I8,
    /// `int16_t`.
    I16,
    /// `uint16_t`.
    U16,
    /// `int32_t`.
    I32,
    /// `uint32_t`.
    U32,
    /// `int64_t`.
    I64,
    /// `uint64_t`.
    U64,
    /// `__int128`.
    I128,
    /// `float`.
    F32,
    /// `double`.
    F64,
}

impl CType {
    /// The name in messages.
    pub fn name(self) -> &'static str {
        match self {
            CType::U8 => "uint8_t",
            CType::I8 => "int8_t",
            CType::I16 => "int16_t",
            CType::U16 => "uint16_t",
            CType::I32 => "int32_t",
            CType::U32 => "uint32_t",
            CType::I64 => "int64_t",
            CType::U64 => "uint64_t",
            CType::I128 => "__int128",
            CType::F32 => "float",
            CType::F64 => "double",
        }
    }

    /// Bytes of an element.
    pub fn width(self) -> usize {
        match self {
            CType::U8 | CType::I8 => 1,
            CType::I16 | CType::U16 => 2,
            CType::I32 | CType::U32 | CType::F32 => 4,
            CType::I64 | CType::U64 | CType::F64 => 8,
            CType::I128 => 16,
        }
    }

    /// The type that words name, without `const`, `std` and the like.
    fn of(words: &[&str]) -> Option<CType> {
        let mut words: Vec<&str> = words.to_vec();
        words.sort_unstable();
        Some(match words.as_slice() {
            ["bool"] | ["uint8_t"] | ["char", "unsigned"] => CType::U8,
            ["int8_t"] | ["char", "signed"] | ["char"] => CType::I8,
            ["int16_t"] | ["short"] | ["int", "short"] => CType::I16,
            ["uint16_t"] | ["short", "unsigned"] | ["char16_t"] => CType::U16,
            ["int32_t"] | ["int"] | ["signed"] | ["int", "signed"] => CType::I32,
            ["uint32_t"] | ["unsigned"] | ["int", "unsigned"] => CType::U32,
            ["int64_t"] | ["long", "long"] | ["int", "long", "long"] | ["long"] => CType::I64,
            ["uint64_t"] | ["size_t"] | ["long", "long", "unsigned"] | ["long", "unsigned"] => CType::U64,
            ["__int128"] | ["__int128_t"] | ["int128_t"] => CType::I128,
            ["float"] => CType::F32,
            ["double"] => CType::F64,
            _ => return None,
        })
    }
}

/// One parameter of the entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Param {
    /// Its name.
    pub name: String,
    /// The type of its value, or of what it points to.
    pub ty: CType,
    /// Whether it is a pointer.
    pub pointer: bool,
    /// 1-based line and column.
    pub place: (u32, u32),
}

impl Param {
    /// As it may be written.
    pub fn words(&self) -> String {
        format!(
            "{}{} {}",
            self.ty.name(),
            if self.pointer { "*" } else { "" },
            self.name
        )
    }
}

/// The entry of a kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Kernel {
    /// Its name.
    pub name: String,
    /// Its parameters, in order.
    pub params: Vec<Param>,
    /// 1-based line and column of its name.
    pub place: (u32, u32),
    /// How a launch of it is divided.
    pub shape: Shape,
}

/// A compile error at a place of the candidate.
pub(super) fn at(place: (u32, u32), what: impl Into<String>) -> Error {
    Error::compile(what).at(Location {
        path: super::FILE.into(),
        line: place.0,
        column: place.1,
    })
}

/// What a compiler says of a place of the candidate.
pub(super) fn does_not_compile(place: (u32, u32), said: &str) -> Error {
    at(place, format!("the kernel does not compile: {said}"))
}

/// What a compiler says, where none of its lines has the form of an error.
pub(super) fn first_line(said: &str) -> String {
    let first = said.lines().next().unwrap_or("the compiler gave no message");
    first.trim().to_owned()
}

impl Kernel {
    /// Reads the entry; there has to be exactly one.
    pub fn parse(text: &str) -> Result<Kernel> {
        let all = tokens(text);
        let entries: Vec<usize> = (0..all.len()).filter(|i| all[*i].text == "__global__").collect();
        let entry = match entries.as_slice() {
            [one] => *one,
            [] => {
                return Err(
                    at((1, 1), "the kernel has no entry").hint("declare it as: extern \"C\" __global__ void NAME(…)")
                );
            }
            [_, second, ..] => {
                let place = (all[*second].line, all[*second].column);
                return Err(at(place, "the file has more than one kernel")
                    .hint("only one entry is run: make the others __device__ functions"));
            }
        };
        let place = (all[entry].line, all[entry].column);
        if !all[..entry].iter().any(|t| t.text == "extern") {
            return Err(at(place, "the entry is not declared extern \"C\"")
                .hint("without it the compiler gives the entry another name"));
        }
        let open = opening(&all, entry).ok_or_else(|| at(place, "the entry has no parameter list"))?;
        let name = all[open - 1];
        let params = arguments(&all[open + 1..]).ok_or_else(|| at(place, "the parameter list never ends"))?;
        let params: Result<Vec<Param>> = params.into_iter().map(param).collect();
        Ok(Kernel {
            name: name.text.to_owned(),
            params: params?,
            place: (name.line, name.column),
            shape: Shape::of(&all)?,
        })
    }
}

/// The bracket behind the entry's name; that of `__launch_bounds__` is skipped.
fn opening(all: &[Token], entry: usize) -> Option<usize> {
    let mut i = entry + 1;
    while i < all.len() {
        match all[i].text {
            "__launch_bounds__" => {
                let mut depth = 0;
                loop {
                    i += 1;
                    match all.get(i)?.text {
                        "(" => depth += 1,
                        ")" => depth -= 1,
                        _ => {}
                    }
                    if depth == 0 {
                        break;
                    }
                }
            }
            "(" => return (all[i - 1].is_word() && i > entry + 1).then_some(i),
            ";" | "{" => return None,
            _ => {}
        }
        i += 1;
    }
    None
}

/// Parameters up to the closing bracket, each as its words.
fn arguments<'t>(rest: &[Token<'t>]) -> Option<Vec<Vec<Token<'t>>>> {
    let (mut out, mut depth) = (vec![Vec::new()], 0);
    for token in rest {
        match token.text {
            ")" if depth == 0 => {
                out.retain(|words| !words.is_empty());
                return Some(out);
            }
            "," if depth == 0 => out.push(Vec::new()),
            other => {
                match other {
                    "(" | "[" | "<" => depth += 1,
                    ")" | "]" | ">" => depth -= 1,
                    _ => {}
                }
                out.last_mut()?.push(*token);
            }
        }
    }
    None
}

fn param(words: Vec<Token>) -> Result<Param> {
    const NO_PART: [&str; 6] = ["const", "volatile", "__restrict__", "__restrict", "std", "::"];
    let first = words.first().map_or((1, 1), |t| (t.line, t.column));
    let text: Vec<&str> = words.iter().map(|t| t.text).collect();
    let written = text.join(" ");
    let wrong = || {
        at(
            first,
            format!("`{written}` is no parameter that a column can be given to"),
        )
        .hint("the parameters of a kernel are described in rw_core.cuh")
    };
    let mut parts: Vec<&str> = text.iter().copied().filter(|t| !NO_PART.contains(t)).collect();
    let name = parts
        .pop()
        .filter(|n| n.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'));
    let name = name.ok_or_else(wrong)?;
    let pointer = parts.last() == Some(&"*");
    if pointer {
        parts.pop();
    }
    let ty = CType::of(&parts).ok_or_else(wrong)?;
    Ok(Param {
        name: name.to_owned(),
        ty,
        pointer,
        place: first,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_entry_is_read_from_the_text() {
        let text = "#include \"rw_text.cuh\"\n__device__ int f(int a) { return a; }\n\
                    extern \"C\" __global__ void __launch_bounds__(256) k(\n  const double* __restrict__ x, const std::uint32_t* x_valid,\n  \
                    unsigned long long *out, __int128* big, int64_t rows) {\n}\n";
        let kernel = Kernel::parse(text).unwrap();
        assert_eq!(kernel.name, "k");
        let words: Vec<String> = kernel.params.iter().map(Param::words).collect();
        assert_eq!(
            words,
            [
                "double* x",
                "uint32_t* x_valid",
                "uint64_t* out",
                "__int128* big",
                "int64_t rows"
            ]
        );
        assert_eq!(kernel.params[0].place, (4, 3));
    }

    #[test]
    fn what_is_no_entry_is_refused_with_its_place() {
        let line = |text: &str| Kernel::parse(text).unwrap_err().location.map(|l| l.line);
        assert_eq!(line("void f() {}"), Some(1));
        assert_eq!(line("\n__global__ void f() {}"), Some(2));
        assert_eq!(
            line("extern \"C\" __global__ void f() {}\nextern \"C\" __global__ void g() {}"),
            Some(2)
        );
        assert_eq!(
            line("extern \"C\" __global__ void f(\n int a,\n Struct* b) {}"),
            Some(3)
        );
        assert_eq!(line("extern \"C\" __global__ void f(int a"), Some(1));
    }
}
