//! Methods of arrays, sequences and buffers that need no walk, and what makes sequences. In: a row of the library; out: a helper's
//! call.

use super::calls::uncovered;
use super::emit::Emit;
use super::types::Cpp;
use crate::jvm::table::Method;
use crate::lang::ast::*;
use crate::lang::ty::{Prim, SeqKind, Ty};
use crate::source::{Refusal, Understood};

impl<'p> Emit<'p> {
    pub(super) fn seq_call(
        &mut self,
        method: &'static Method,
        recv: &'p Expr,
        args: &'p [Expr],
        e: &'p Expr,
    ) -> Understood<String> {
        let Cpp::Seq(item) = self.cpp(recv)? else {
            return Err(uncovered(method, e.span));
        };
        let helper = match (method.name, args.len()) {
            ("head", 0) => "rw::seq_first",
            ("last", 0) => "rw::seq_last",
            ("take", 1) => "rw::seq_take",
            ("drop", 1) => "rw::seq_drop",
            ("takeRight", 1) => "rw::seq_take_right",
            ("dropRight", 1) => "rw::seq_drop_right",
            ("slice", 2) => "rw::seq_slice",
            ("tail", 0) => "rw::seq_tail",
            ("init", 0) => "rw::seq_init",
            ("reverse", 0) => "rw::seq_reverse",
            ("distinct", 0) if item.plain_equality() => "rw::seq_distinct",
            ("sorted", 0) if matches!(*item, Cpp::Prim(_) | Cpp::Text) => "rw::seq_sorted",
            _ => "",
        };
        if !helper.is_empty() && !matches!(recv.ty, Ty::Iterator(_)) {
            let seq = self.materialized(recv)?;
            let seq = self.spill(seq, recv.span);
            let mut values = vec![seq];
            values.extend(self.operands(args)?);
            self.roomy = true;
            return Ok(self.helped(helper, &values, e.span));
        }
        match (method.name, args) {
            ("length" | "size", []) if !matches!(recv.ty, Ty::Iterator(_) | Ty::Seq(SeqKind::Range, _)) => {
                self.size_of(recv)
            }
            ("isEmpty" | "nonEmpty", []) if !matches!(recv.ty, Ty::Iterator(_)) => {
                let size = self.size_of(recv)?;
                Ok(format!(
                    "({size} {} 0)",
                    if method.name == "isEmpty" { "==" } else { "!=" }
                ))
            }
            ("apply" | "get", [index]) => {
                let seq = self.materialized(recv)?;
                let seq = self.spill(seq, recv.span);
                let index = self.expr(index)?;
                Ok(self.checked(
                    format!("rw::seq_at(row, {seq}, {index}, {})", self.beyond(recv)),
                    e.span,
                ))
            }
            ("update", [index, value]) if matches!(recv.ty, Ty::Array(_)) => {
                let values = self.operands([recv, index])?;
                let value = self.branch(value, &item)?;
                self.line(format!(
                    "rw::seq_set<{}>(row, {}, {}, {value});",
                    item.name(),
                    values[0],
                    values[1]
                ));
                self.leave_on_error();
                Ok(String::new())
            }
            ("headOption" | "lastOption", []) => {
                let seq = self.materialized(recv)?;
                let seq = self.spill(seq, recv.span);
                self.checked(format!("rw::seq_length(row, {seq})"), e.span);
                let ty = Cpp::of(&e.ty, e.span)?;
                let at = if method.name == "headOption" {
                    "0".to_owned()
                } else {
                    format!("{seq}.size - 1")
                };
                let result = self.variable(&ty);
                self.line(format!(
                    "if ({seq}.size > 0) {result} = {}{{{seq}.items[{at}], true}};",
                    ty.name()
                ));
                Ok(result)
            }
            ("contains" | "indexOf", [other]) if item.plain_equality() => {
                let other = super::slots::unboxed(other);
                let ty = self.cpp(other)?;
                if ty != *item && Cpp::Maybe(Box::new(ty.clone())) != *item {
                    return Err(uncovered(method, e.span));
                }
                let seq = self.materialized(recv)?;
                let seq = self.spill(seq, recv.span);
                let value = self.expr(other)?;
                let value = if ty == *item {
                    value
                } else {
                    format!("rw::some({value})")
                };
                let helper = if method.name == "contains" {
                    "rw::seq_contains"
                } else {
                    "rw::seq_index_of"
                };
                Ok(self.checked(format!("{helper}<{}>(row, {seq}, {value})", item.name()), e.span))
            }
            ("++" | "union" | "++:", [other]) if self.cpp(other)? == self.cpp(recv)? => {
                let a = self.materialized(recv)?;
                let a = self.spill(a, recv.span);
                let b = self.materialized(other)?;
                self.roomy = true;
                let pair = if method.name == "++:" { [b, a] } else { [a, b] };
                Ok(self.helped("rw::seq_concat", &pair, e.span))
            }
            (":+" | "+:" | "::", [one]) => {
                let seq = self.materialized(recv)?;
                let seq = self.spill(seq, recv.span);
                let value = self.branch(super::slots::unboxed(one), &item)?;
                self.roomy = true;
                let front = method.name != ":+";
                Ok(self.checked(
                    format!("rw::seq_with<{}>(row, {seq}, {value}, {front})", item.name()),
                    e.span,
                ))
            }
            ("splitAt", [at]) => {
                let seq = self.materialized(recv)?;
                let seq = self.spill(seq, recv.span);
                let at = self.expr(at)?;
                let at = self.spill(at, e.span);
                self.roomy = true;
                let a = self.helped("rw::seq_take", &[seq.clone(), at.clone()], e.span);
                let b = self.helped("rw::seq_drop", &[seq, at], e.span);
                Ok(format!("{}{{{a}, {b}}}", Cpp::of(&e.ty, e.span)?.name()))
            }
            ("zip", [other]) => self.zipped(recv, other, e),
            ("sortBy", [f]) => {
                let key = self.gives(f)?;
                if !matches!(key, Cpp::Prim(_) | Cpp::Text) {
                    return Err(uncovered(method, e.span));
                }
                self.roomy = true;
                let seq = self.materialized(recv)?;
                let seq = self.spill(seq, recv.span);
                let made = self.helped("rw::seq_take", &[seq.clone(), format!("{seq}.size")], e.span);
                let keys = self.checked(format!("rw::seq_new<{}>(row, {made}.size)", key.name()), e.span);
                let i = self.temp();
                self.block(
                    Some(f.span),
                    &format!("for (int32_t {i} = 0; {i} < {made}.size; ++{i})"),
                    |s| {
                        let item_value = s.spill(format!("{made}.items[{i}]"), f.span);
                        let value = s.lambda(f, &[(item_value, (*item).clone())], Some(&key))?;
                        s.line(format!("{keys}.items[{i}] = {value};"));
                        Ok(())
                    },
                )?;
                self.line(format!("rw::seq_sort(row, {made}, {keys});"));
                self.leave_on_error();
                Ok(made)
            }
            ("startsWith" | "sameElements", [_]) => Err(uncovered(method, e.span)),
            _ => self.walked_call(method, recv, args, e),
        }
    }

    /// Methods of what grows: `ListBuffer`, `ArrayBuffer`.
    pub(super) fn buffer_call(
        &mut self,
        method: &'static Method,
        recv: &'p Expr,
        args: &'p [Expr],
        e: &'p Expr,
    ) -> Understood<String> {
        let Cpp::Buffer(item) = self.cpp(recv)? else {
            return Err(uncovered(method, e.span));
        };
        self.roomy = true;
        match (method.name.strip_prefix("java.").unwrap_or(method.name), args) {
            ("+=" | "append" | "add", [one]) => {
                let b = self.held(recv)?;
                let items: &[Expr] = match &one.kind {
                    ExprKind::SeqLit(items) if method.name == "append" => items,
                    _ => std::slice::from_ref(one),
                };
                for one in items {
                    let value = self.branch(one, &item)?;
                    self.line(format!("{b}.add(row, {value});"));
                    self.leave_on_error();
                }
                Ok(match method.name {
                    "+=" => b,
                    "add" => "true".into(),
                    _ => String::new(),
                })
            }
            ("++=" | "appendAll", [all]) => {
                let b = self.held(recv)?;
                self.walk(all, &mut |s, value, of| {
                    if *of != *item {
                        return Err(uncovered(method, e.span));
                    }
                    s.line(format!("{b}.add(row, {value});"));
                    s.leave_on_error();
                    Ok(())
                })?;
                Ok(if method.name == "++=" { b } else { String::new() })
            }
            ("length" | "size", []) => self.held(recv).map(|b| format!("{b}.size")),
            ("isEmpty", []) => self.held(recv).map(|b| format!("({b}.size == 0)")),
            ("nonEmpty", []) => self.held(recv).map(|b| format!("({b}.size != 0)")),
            ("clear", []) => {
                let b = self.held(recv)?;
                self.line(format!("{b}.size = 0;"));
                Ok(String::new())
            }
            ("apply" | "get", [index]) => {
                let (b, index) = (self.held(recv)?, self.expr(index)?);
                Ok(self.checked(
                    format!("rw::seq_at(row, {b}.view(), {index}, rw::kIndexOutOfBoundsException)"),
                    e.span,
                ))
            }
            ("update" | "set", [index, value]) => {
                let b = self.held(recv)?;
                let index = self.expr(index)?;
                let index = self.spill(index, e.span);
                let value = self.branch(value, &item)?;
                self.line(format!(
                    "rw::seq_set<{}>(row, {b}.view(), {index}, {value}, rw::kIndexOutOfBoundsException);",
                    item.name()
                ));
                self.leave_on_error();
                Ok(String::new())
            }
            ("toList" | "toSeq" | "toVector" | "toIndexedSeq" | "toArray" | "result" | "clone", []) => {
                let seq = self.materialized(recv)?;
                Ok(seq)
            }
            ("head" | "last", []) => {
                let b = self.held(recv)?;
                let helper = if method.name == "head" {
                    "rw::seq_first"
                } else {
                    "rw::seq_last"
                };
                Ok(self.checked(format!("{helper}(row, {b}.view())"), e.span))
            }
            ("contains" | "indexOf", [other]) if item.plain_equality() => {
                let other = super::slots::unboxed(other);
                if self.cpp(other)? != *item {
                    return Err(uncovered(method, e.span));
                }
                let (b, value) = (self.held(recv)?, self.expr(other)?);
                let helper = if method.name == "contains" {
                    "rw::seq_contains"
                } else {
                    "rw::seq_index_of"
                };
                Ok(self.checked(format!("{helper}<{}>(row, {b}.view(), {value})", item.name()), e.span))
            }
            _ => self.walked_call(method, recv, args, e),
        }
    }

    /// `new Array[T](n)`, `Array.fill`, `Seq.tabulate` and the like.
    pub(super) fn seq_static(&mut self, module: &str, name: &str, args: &'p [Expr], e: &'p Expr) -> Understood<String> {
        let refuse = || Refusal::new(e.span, format!("`{name}` has no helper for the device yet"));
        match (module, name, args) {
            ("System", "arraycopy", [from, at, to, there, count]) => {
                let values = self.operands([from, at, to, there, count])?;
                self.line(format!("rw::seq_copy(row, {});", values.join(", ")));
                self.leave_on_error();
                return Ok(String::new());
            }
            ("Arrays", "fill", [array, value]) => {
                let Cpp::Seq(item) = self.cpp(array)? else {
                    return Err(refuse());
                };
                let values = self.operands([array, value])?;
                self.line(format!(
                    "rw::seq_fill<{}>(row, {}, {});",
                    item.name(),
                    values[0],
                    values[1]
                ));
                self.leave_on_error();
                return Ok(String::new());
            }
            ("Arrays", "sort", [array]) => {
                let Cpp::Seq(item) = self.cpp(array)? else {
                    return Err(refuse());
                };
                if !matches!(*item, Cpp::Prim(_) | Cpp::Text) {
                    return Err(refuse());
                }
                let value = self.expr(array)?;
                let value = self.spill(value, array.span);
                self.roomy = true;
                let keys = self.helped("rw::seq_take", &[value.clone(), format!("{value}.size")], e.span);
                self.line(format!("rw::seq_sort(row, {value}, {keys});"));
                self.leave_on_error();
                return Ok(String::new());
            }
            ("Arrays", "equals", [a, b]) if matches!(self.cpp(a)?, Cpp::Seq(i) if i.plain_equality()) => {
                let values = self.operands([a, b])?;
                return Ok(format!("rw::same({}, {})", values[0], values[1]));
            }
            _ => {}
        }
        let Ok(Cpp::Seq(item)) = Cpp::of(&e.ty, e.span) else {
            return Err(refuse());
        };
        self.partial = true;
        self.roomy = true;
        let t = item.name();
        let sequence = matches!(
            module,
            "Array" | "Seq" | "List" | "Vector" | "new Array" | "Arrays" | "IndexedSeq"
        );
        match (name, args) {
            ("new" | "ofDim", [size]) if matches!(module, "new Array" | "Array") => {
                let size = self.expr(size)?;
                Ok(self.checked(format!("rw::seq_new<{t}>(row, {size})"), e.span))
            }
            ("empty", []) if sequence => Ok(self.checked(format!("rw::seq_new<{t}>(row, 0)"), e.span)),
            ("fill" | "tabulate", [size, f]) if sequence => {
                let size = self.expr(size)?;
                let size = self.spill(size, e.span);
                // A negative number of elements is none.
                let made = self.checked(format!("rw::seq_new<{t}>(row, {size} < 0 ? 0 : {size})"), e.span);
                let i = self.temp();
                self.block(
                    Some(f.span),
                    &format!("for (int32_t {i} = 0; {i} < {size}; ++{i})"),
                    |s| {
                        let value = match name {
                            "fill" => s.thunk(f, &item)?,
                            _ if matches!(&f.kind, ExprKind::Lambda { .. } | ExprKind::FnRef(_)) => {
                                s.lambda(f, &[(i.clone(), Cpp::Prim(Prim::Int))], Some(&item))?
                            }
                            // `identity`.
                            _ => return Err(refuse()),
                        };
                        s.line(format!("{made}.items[{i}] = {value};"));
                        Ok(())
                    },
                )?;
                Ok(made)
            }
            ("range", [from, to]) if sequence && *item == Cpp::Prim(Prim::Int) => {
                self.helper("rw::seq_range", [from, to], e.span)
            }
            ("copyOf", [array, size]) => self.helper("rw::seq_resized", [array, size], e.span),
            ("copyOfRange", [array, from, to]) => self.helper("rw::seq_between", [array, from, to], e.span),
            ("concat", [all]) => match &all.kind {
                ExprKind::SeqLit(parts) if parts.len() == 2 => self.helper("rw::seq_concat", parts, e.span),
                _ => Err(refuse()),
            },
            ("asList" | "of" | "apply", [all]) if matches!(all.ty, Ty::Seq(..) | Ty::Array(_)) => {
                self.materialized(all)
            }
            _ => Err(refuse()),
        }
    }

    /// `String.join`.
    pub(super) fn join(&mut self, args: &'p [Expr], e: &'p Expr) -> Understood<String> {
        let [between, all] = args else {
            return Err(Refusal::new(e.span, "this `join` is not covered by the cuda tier"));
        };
        let between = super::slots::unboxed(between);
        let texts = matches!(self.cpp(all)?, Cpp::Seq(item) | Cpp::Buffer(item) if *item == Cpp::Text);
        if self.cpp(between)? != Cpp::Text || !texts {
            return Err(Refusal::new(e.span, "this `join` is not covered by the cuda tier"));
        }
        let separator = self.expr(between)?;
        let separator = self.spill(separator, between.span);
        self.checked(format!("rw::length(row, {separator})"), between.span);
        let seq = self.materialized(all)?;
        let empty = super::types::text_literal(&[], e.span)?;
        Ok(self.helped("rw::seq_text", &[seq, empty.clone(), separator, empty], e.span))
    }
}
