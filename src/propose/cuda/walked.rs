//! Operations that look at elements one by one, on sequences, arrays, texts, iterators and options. In: a row of the library; out: a
//! loop that fills a builder, a buffer or a variable.

use super::calls::uncovered;
use super::emit::Emit;
use super::types::Cpp;
use crate::jvm::table::Method;
use crate::lang::ast::*;
use crate::lang::ty::{Prim, SeqKind, Ty};
use crate::source::{Refusal, Span, Understood};

const BOOL: Cpp = Cpp::Prim(Prim::Boolean);

/// Where elements go.
pub(super) struct Sink {
    name: String,
    /// The type of an element; a text has characters.
    pub item: Cpp,
    text: bool,
}

impl<'p> Emit<'p> {
    /// What gathers the elements of a result of this type.
    pub(super) fn sink(&mut self, e: &Expr) -> Understood<Sink> {
        self.partial = true;
        match Cpp::of(&e.ty, e.span)? {
            Cpp::Text => Ok(Sink {
                name: self.variable(&Cpp::Builder),
                item: Cpp::Prim(Prim::Char),
                text: true,
            }),
            Cpp::Seq(item) => {
                self.roomy = true;
                Ok(Sink {
                    name: self.variable(&Cpp::Buffer(item.clone())),
                    item: *item,
                    text: false,
                })
            }
            other => Err(Refusal::new(
                e.span,
                format!("gathering a {} is not covered by the cuda tier", other.name()),
            )),
        }
    }

    pub(super) fn add(&mut self, sink: &Sink, value: &str) {
        let verb = if sink.text { "append" } else { "add" };
        self.line(format!("{}.{verb}(row, {value});", sink.name));
        self.leave_on_error();
    }

    pub(super) fn gathered(&mut self, sink: &Sink, span: Span) -> String {
        let verb = if sink.text { "finish" } else { "seq" };
        self.checked(format!("{}.{verb}(row)", sink.name), span)
    }

    /// An operation that walks.
    pub(super) fn walked_call(
        &mut self,
        method: &'static Method,
        recv: &'p Expr,
        args: &'p [Expr],
        e: &'p Expr,
    ) -> Understood<String> {
        match (method.name, args) {
            (
                "map" | "flatMap" | "filter" | "filterNot" | "withFilter" | "collect" | "takeWhile" | "dropWhile",
                [f],
            ) => self.gathering(method.name, recv, f, e),
            ("exists" | "forall" | "count" | "indexWhere" | "find" | "prefixLength", [f]) => {
                self.searching(method, recv, f, e)
            }
            ("foldLeft" | "/:", [zero, f]) | ("fold", [zero, f]) => self.folding(recv, zero, f, e),
            ("reduce" | "reduceLeft", [f]) => self.reducing(recv, Some(f), method.name, e),
            ("max" | "min", []) => self.reducing(recv, None, method.name, e),
            ("maxBy" | "minBy", [f]) => self.best_by(method.name, recv, f, e),
            ("sum" | "product", []) => self.summing(method.name, recv, e),
            ("mkString", _) => self.joined(recv, args, e.span),
            ("zipWithIndex", []) => {
                let sink = self.sink(e)?;
                self.numbered(recv, &mut |s, item, _| {
                    s.add(&sink, item);
                    Ok(())
                })?;
                Ok(self.gathered(&sink, e.span))
            }
            ("foreach", [f]) => self.foreach(recv, f).map(|()| String::new()),
            ("partition" | "span", [f]) => self.dividing(method.name, recv, f, e),
            (name @ ("distinct" | "sorted"), []) if recv.ty == Ty::String => {
                let chars = self.materialized(recv)?;
                let kept = self.helped(&format!("rw::seq_{name}"), &[chars], e.span);
                Ok(self.helped("rw::seq_string", &[kept], e.span))
            }
            (
                "toList" | "toSeq" | "toVector" | "toIndexedSeq" | "toArray" | "iterator" | "toIterator" | "clone"
                | "seq",
                [],
            ) => self.copied(method, recv, e),
            ("size" | "length", []) => {
                let counter = self.temp();
                self.line(format!("int32_t {counter} = 0;"));
                self.walk(recv, &mut |s, _, _| {
                    s.line(format!("++{counter};"));
                    Ok(())
                })?;
                Ok(counter)
            }
            _ => Err(uncovered(method, e.span)),
        }
    }

    fn copied(&mut self, method: &'static Method, recv: &'p Expr, e: &'p Expr) -> Understood<String> {
        let (Cpp::Seq(item), wanted) = (Cpp::of(&e.ty, e.span)?, self.cpp(recv)) else {
            return Err(uncovered(method, e.span));
        };
        match wanted {
            // A sequence that never changes is its own copy.
            Ok(Cpp::Seq(own))
                if own == item
                    && matches!(recv.ty, Ty::Seq(..))
                    && !matches!(super::slots::bare(recv).kind, ExprKind::Convert(Conv::ToSeq, _))
                    && method.name != "toArray" =>
            {
                let value = self.materialized(recv)?;
                let value = self.spill(value, recv.span);
                self.checked(format!("rw::seq_length(row, {value})"), e.span);
                Ok(value)
            }
            Ok(Cpp::Seq(own)) if own == item && !matches!(recv.ty, Ty::Iterator(_)) => {
                let value = self.materialized(recv)?;
                let value = self.spill(value, recv.span);
                self.roomy = true;
                Ok(self.helped("rw::seq_take", &[value.clone(), format!("{value}.size")], e.span))
            }
            _ => self.collected(recv),
        }
    }

    fn gathering(&mut self, name: &str, recv: &'p Expr, f: &'p Expr, e: &'p Expr) -> Understood<String> {
        let sink = self.sink(e)?;
        let dropping = self.temp();
        if name == "dropWhile" {
            self.line(format!("bool {dropping} = true;"));
        }
        self.walk(recv, &mut |s, item, of| {
            let arg = [(item.to_owned(), of.clone())];
            match name {
                "map" => {
                    let value = s.lambda(f, &arg, Some(&sink.item))?;
                    if !value.is_empty() {
                        s.add(&sink, &value);
                    }
                    return Ok(());
                }
                "flatMap" => return s.flattened(&sink, f, &arg),
                "collect" => {
                    let (value, hit) = s.match_partial(f, item, of, &sink.item)?;
                    return s.block(None, &format!("if ({hit})"), |s| {
                        s.add(&sink, &value);
                        Ok(())
                    });
                }
                _ => {}
            }
            if *of != sink.item {
                return Err(Refusal::new(
                    f.span,
                    "this kind of result is not covered by the cuda tier",
                ));
            }
            let head = match name {
                "dropWhile" => {
                    let (lines, held) = s.apart(|s| s.lambda(f, &arg, Some(&BOOL)))?;
                    s.line(format!("if ({dropping}) {{"));
                    let mut lines = lines;
                    lines.push(None, format!("{dropping} = {held};"));
                    s.lines.nest(lines);
                    s.line("}");
                    format!("if (!{dropping})")
                }
                _ => {
                    let held = s.lambda(f, &arg, Some(&BOOL))?;
                    match name {
                        "filterNot" => format!("if (!{held})"),
                        "takeWhile" => {
                            s.line(format!("if (!{held}) break;"));
                            String::new()
                        }
                        _ => format!("if ({held})"),
                    }
                }
            };
            if head.is_empty() {
                s.add(&sink, item);
                return Ok(());
            }
            s.block(None, &head, |s| {
                s.add(&sink, item);
                Ok(())
            })
        })?;
        Ok(self.gathered(&sink, e.span))
    }

    /// One turn of `flatMap`: what the function gives is put in piece by piece.
    fn flattened(&mut self, sink: &Sink, f: &'p Expr, arg: &[(String, Cpp)]) -> Understood<()> {
        let gives = self.gives(f)?;
        let value = self.lambda(f, arg, Some(&gives))?;
        match &gives {
            Cpp::Maybe(inner) if **inner == sink.item => {
                let value = self.spill(value, f.span);
                self.block(None, &format!("if ({value}.valid)"), |s| {
                    s.add(sink, &format!("{value}.value"));
                    Ok(())
                })
            }
            Cpp::Seq(item) if **item == sink.item => {
                let value = self.spill(value, f.span);
                self.checked(format!("rw::seq_length(row, {value})"), f.span);
                let i = self.temp();
                self.block(
                    None,
                    &format!("for (int32_t {i} = 0; {i} < {value}.size; ++{i})"),
                    |s| {
                        s.add(sink, &format!("{value}.items[{i}]"));
                        Ok(())
                    },
                )
            }
            Cpp::Text if sink.text => {
                let value = self.spill(value, f.span);
                self.checked(format!("rw::length(row, {value})"), f.span);
                self.add(sink, &value);
                Ok(())
            }
            _ => Err(Refusal::new(
                f.span,
                "what this function gives is not covered by the cuda tier",
            )),
        }
    }

    fn searching(&mut self, method: &'static Method, recv: &'p Expr, f: &'p Expr, e: &'p Expr) -> Understood<String> {
        let ty = Cpp::of(&e.ty, e.span)?;
        let result = self.temp();
        let start = match method.name {
            "exists" => "false",
            "forall" => "true",
            "indexWhere" => "-1",
            "find" => "{}",
            _ => "0",
        };
        self.line(format!("{} {result} = {start};", ty.name()));
        let counter = self.temp();
        if method.name == "indexWhere" {
            self.line(format!("int32_t {counter} = -1;"));
        }
        self.walk(recv, &mut |s, item, of| {
            if method.name == "indexWhere" {
                s.line(format!("++{counter};"));
            }
            let held = s.lambda(f, &[(item.to_owned(), of.clone())], Some(&BOOL))?;
            let (head, set, leave) = match method.name {
                "exists" => (format!("if ({held})"), format!("{result} = true;"), true),
                "forall" => (format!("if (!{held})"), format!("{result} = false;"), true),
                "indexWhere" => (format!("if ({held})"), format!("{result} = {counter};"), true),
                "find" => {
                    if ty != Cpp::Maybe(Box::new(of.clone())) {
                        return Err(uncovered(method, e.span));
                    }
                    (
                        format!("if ({held})"),
                        format!("{result} = {}{{{item}, true}};", ty.name()),
                        true,
                    )
                }
                "prefixLength" => {
                    s.line(format!("if (!{held}) break;"));
                    s.line(format!("++{result};"));
                    return Ok(());
                }
                _ => (format!("if ({held})"), format!("++{result};"), false),
            };
            s.block(None, &head, |s| {
                s.line(set);
                if leave {
                    s.line("break;");
                }
                Ok(())
            })
        })?;
        Ok(result)
    }

    /// `mkString`.
    fn joined(&mut self, recv: &'p Expr, args: &'p [Expr], span: Span) -> Understood<String> {
        let values = self.operands(args)?;
        let values: Vec<String> = values.into_iter().map(|v| self.spill(v, span)).collect();
        let (start, between, end) = match values.as_slice() {
            [] => (None, None, None),
            [between] => (None, Some(between), None),
            [start, between, end] => (Some(start), Some(between), Some(end)),
            _ => return Err(Refusal::new(span, "this `mkString` is not covered by the cuda tier")),
        };
        self.partial = true;
        let builder = self.variable(&Cpp::Builder);
        if let Some(start) = start {
            self.line(format!("{builder}.append(row, {start});"));
        }
        let first = self.temp();
        if between.is_some() {
            self.line(format!("bool {first} = true;"));
        }
        self.walk(recv, &mut |s, item, of| {
            if let Some(between) = between {
                s.line(format!("if (!{first}) {builder}.append(row, {between});"));
                s.line(format!("{first} = false;"));
            }
            let line = s.appending(&builder, of, item, recv)?;
            s.line(line);
            s.leave_on_error();
            Ok(())
        })?;
        if let Some(end) = end {
            self.line(format!("{builder}.append(row, {end});"));
        }
        Ok(self.checked(format!("{builder}.finish(row)"), span))
    }

    /// Whether an element out of bounds throws an error that is known, and which.
    pub(super) fn beyond(&self, recv: &Expr) -> &'static str {
        let recv = super::slots::bare(recv);
        let column = matches!(&recv.kind, ExprKind::Local(id)
            if self.function == Some(self.program.entry)
                && (id.0 as usize) < self.program.functions[self.program.entry.0 as usize].params.len());
        match &recv.ty {
            Ty::Array(_) => "rw::kArrayIndexOutOfBoundsException",
            // Spark hands a column over as an array.
            Ty::Seq(SeqKind::Seq, _) if column => "rw::kArrayIndexOutOfBoundsException",
            Ty::Seq(SeqKind::List | SeqKind::Vector | SeqKind::Buffer, _) => "rw::kIndexOutOfBoundsException",
            _ => "rw::kNotCovered",
        }
    }
}
