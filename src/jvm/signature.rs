//! Reads the notation of rows: receiver patterns and signatures. In: text; out: types, or a message that names what cannot
//! be read.

use super::lookup::{ParamSig, Receiver, Row};
use super::table::Method;
use crate::lang::ty::{JavaKind, Prim, SeqKind, Ty};

pub(super) fn self_marker() -> Ty {
    Ty::Var("Self[]".into())
}

/// Parses the receiver and the signature of a row; the message names what cannot be read.
pub fn parse_row(method: &'static Method) -> Result<Row, String> {
    let recv = if let Some(module) = method.recv.strip_prefix("static ") {
        Receiver::Static(module.trim().to_owned())
    } else if let Some(class) = method.recv.strip_prefix("new ") {
        Receiver::New(class.trim().to_owned())
    } else {
        let mut parser = Parser::new(method.recv);
        let ty = parser.ty()?;
        parser.end()?;
        Receiver::Instance(ty)
    };
    let mut p = Parser::new(method.sig);
    let mut vars = Vec::new();
    if p.eat("[") {
        loop {
            let name = p.name()?;
            let bound = if p.eat(">:") { Some(p.ty()?) } else { None };
            vars.push((name, bound));
            if !p.eat(",") {
                break;
            }
        }
        p.expect("]")?;
    }
    let mut params = Vec::new();
    let mut lists = 0;
    while p.eat("(") {
        lists += 1;
        while !p.eat(")") {
            let by_name = p.eat("=>");
            let ty = p.ty()?;
            let varargs = p.eat("*");
            params.push(ParamSig { ty, by_name, varargs });
            if !p.eat(",") {
                p.expect(")")?;
                break;
            }
        }
    }
    p.expect(":")?;
    let ret = p.ty()?;
    p.end()?;
    Ok(Row {
        method,
        recv,
        vars,
        params,
        lists,
        ret,
    })
}

/// The type of a name in the notation of tables.
pub(super) fn named(name: &str, mut args: Vec<Ty>) -> Option<Ty> {
    let count = args.len();
    let mut next = || Box::new(args.remove(0));
    let seq = |k: SeqKind, a: Box<Ty>| Ty::Seq(k, a);
    let ty = match (name, count) {
        ("Self", 0) => Ty::Var("Self".into()),
        ("Self", 1) => Ty::Either(Box::new(self_marker()), next()),
        ("Box", 1) => Ty::Boxed(next().prim()?),
        ("Seq" | "IndexedSeq" | "Iterable", 1) => seq(SeqKind::Seq, next()),
        ("List", 1) => seq(SeqKind::List, next()),
        ("Vector", 1) => seq(SeqKind::Vector, next()),
        ("Range", 0) => seq(SeqKind::Range, Box::new(Ty::INT)),
        ("Range", 1) => seq(SeqKind::Range, next()),
        ("Buffer", 1) => seq(SeqKind::Buffer, next()),
        ("JavaList", 1) => seq(SeqKind::JavaList, next()),
        ("Array", 1) => Ty::Array(next()),
        ("Iterator", 1) => Ty::Iterator(next()),
        ("Set", 1) => Ty::Set(next()),
        ("Map", 2) => {
            let k = next();
            Ty::Map(k, next())
        }
        ("Option", 1) => Ty::Option(next()),
        ("Try", 1) => Ty::Try(next()),
        ("Either", 2) => {
            let l = next();
            Ty::Either(l, next())
        }
        ("PartialFunction", 2) => {
            let from = next();
            Ty::Fn(vec![*from], next())
        }
        (_, 0) => simple_named(name),
        ("JavaMap" | "JavaEntry" | "JavaCollector", 2) => {
            let kind = match name {
                "JavaMap" => JavaKind::Map,
                "JavaEntry" => JavaKind::Entry,
                _ => JavaKind::Collector,
            };
            let k = next();
            Ty::Java(kind, vec![*k, *next()])
        }
        (_, 1) => {
            let kind = match name {
                "JavaCollection" => JavaKind::Collection,
                "JavaSet" => JavaKind::Set,
                "JavaDeque" => JavaKind::Deque,
                "JavaOptional" => JavaKind::Optional,
                "JavaIterator" => JavaKind::Iterator,
                "JavaStream" => JavaKind::Stream,
                _ => return None,
            };
            Ty::Java(kind, vec![*next()])
        }
        _ => return None,
    };
    Some(ty)
}

pub(super) fn simple_named(name: &str) -> Ty {
    match name {
        "Unit" => Ty::Unit,
        "Null" => Ty::Null,
        "Nothing" => Ty::Nothing,
        "Any" | "AnyRef" | "AnyVal" | "Object" => Ty::Any,
        "Boolean" => Ty::BOOLEAN,
        "Byte" => Ty::Prim(Prim::Byte),
        "Short" => Ty::Prim(Prim::Short),
        "Char" => Ty::CHAR,
        "Int" => Ty::INT,
        "Long" => Ty::LONG,
        "Float" => Ty::FLOAT,
        "Double" => Ty::DOUBLE,
        "String" => Ty::String,
        "BigDecimal" => Ty::ScalaBigDecimal,
        "JBigDecimal" => Ty::JavaBigDecimal,
        "BigInt" => Ty::BigInt,
        _ if is_var(name) => Ty::Var(name.to_owned()),
        _ => Ty::Class(name.to_owned()),
    }
}

pub(super) fn is_var(name: &str) -> bool {
    let mut chars = name.chars();
    let first = chars.next().is_some_and(|c| c.is_ascii_uppercase());
    let rest: Vec<char> = chars.collect();
    first && rest.len() <= 1 && rest.iter().all(char::is_ascii_digit)
}

struct Parser<'a> {
    text: &'a str,
    rest: &'a str,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str) -> Self {
        Parser { text, rest: text }
    }

    fn skip(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn eat(&mut self, token: &str) -> bool {
        self.skip();
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, token: &str) -> Result<(), String> {
        if self.eat(token) {
            Ok(())
        } else {
            Err(format!("`{token}` missing before `{}` in `{}`", self.rest, self.text))
        }
    }

    fn end(&mut self) -> Result<(), String> {
        self.skip();
        if self.rest.is_empty() {
            Ok(())
        } else {
            Err(format!("`{}` left over in `{}`", self.rest, self.text))
        }
    }

    fn name(&mut self) -> Result<String, String> {
        self.skip();
        let end = self
            .rest
            .find(|c: char| !c.is_alphanumeric() && c != '_' && c != '.')
            .unwrap_or(self.rest.len());
        if end == 0 {
            return Err(format!("name missing before `{}` in `{}`", self.rest, self.text));
        }
        let (name, rest) = self.rest.split_at(end);
        self.rest = rest;
        Ok(name.to_owned())
    }

    /// A type, with function arrows; stops before `*`.
    fn ty(&mut self) -> Result<Ty, String> {
        let left = if self.eat("(") {
            let mut items = Vec::new();
            while !self.eat(")") {
                items.push(self.ty()?);
                if !self.eat(",") {
                    self.expect(")")?;
                    break;
                }
            }
            if self.eat("=>") {
                return Ok(Ty::Fn(items, Box::new(self.ty()?)));
            }
            if items.len() == 1 {
                items.remove(0)
            } else {
                Ty::Tuple(items)
            }
        } else {
            self.simple()?
        };
        if self.eat("=>") {
            return Ok(Ty::Fn(vec![left], Box::new(self.ty()?)));
        }
        Ok(left)
    }

    fn simple(&mut self) -> Result<Ty, String> {
        let name = self.name()?;
        let mut args = Vec::new();
        if self.eat("[") {
            loop {
                args.push(self.ty()?);
                if !self.eat(",") {
                    break;
                }
            }
            self.expect("]")?;
        }
        named(&name, args).ok_or_else(|| format!("wrong number of type arguments of `{name}` in `{}`", self.text))
    }
}
