//! Walks over what has elements. In: a sequence, range, text, iterator, option or regular expression's matches, and what happens to
//! an element; out: one C++ loop. Filters and the steps of an iterator run element by element inside it, as on the JVM.

use super::emit::Emit;
use super::slots::bare;
use super::types::Cpp;
use crate::lang::ast::*;
use crate::lang::ty::{Prim, SeqKind, Ty};
use crate::source::{Refusal, Span, Understood};

/// What happens to an element: its text and its type are given.
pub(super) type Step<'s, 'p> = &'s mut dyn FnMut(&mut Emit<'p>, &str, &Cpp) -> Understood<()>;

impl<'p> Emit<'p> {
    /// Writes a loop over the elements. `break` inside the step's lines leaves it.
    pub(super) fn walk(&mut self, over: &'p Expr, step: Step<'_, 'p>) -> Understood<()> {
        let over = bare(over);
        if let ExprKind::Convert(Conv::ToSeq, inner) = &over.kind {
            return self.walk(inner, step);
        }
        if let ExprKind::Call {
            method,
            recv: Some(recv),
            args,
        } = &over.kind
        {
            match (method.name, args.as_slice(), &over.ty) {
                ("until" | "to", [to], Ty::Seq(SeqKind::Range, _)) => {
                    return self.range(recv, to, None, method.name == "to", over.span, step);
                }
                ("by", [by], Ty::Seq(SeqKind::Range, _)) => {
                    if let ExprKind::Call {
                        method,
                        recv: Some(from),
                        args,
                    } = &recv.kind
                        && let ("until" | "to", [to]) = (method.name, args.as_slice())
                    {
                        return self.range(from, to, Some(by), method.name == "to", over.span, step);
                    }
                }
                ("indices", [], Ty::Seq(SeqKind::Range, _)) => return self.indices(recv, over.span, step),
                ("withFilter", [f], _) => return self.filtered(recv, f, true, step),
                ("iterator" | "toIterator", [], _) => return self.walk(recv, step),
                ("filter", [f], Ty::Iterator(_)) => return self.filtered(recv, f, true, step),
                ("filterNot", [f], Ty::Iterator(_)) => return self.filtered(recv, f, false, step),
                ("map", [f], Ty::Iterator(_)) => {
                    let ty = self.gives(f)?;
                    return self.walk(recv, &mut |s, item, of| {
                        let value = s.lambda(f, &[(item.to_owned(), of.clone())], Some(&ty))?;
                        step(s, &value, &ty)
                    });
                }
                ("grouped", [size], Ty::Iterator(_)) => return self.groups(recv, size, over.span, step),
                ("zipWithIndex", [], Ty::Iterator(_)) => return self.numbered(recv, step),
                ("findAllIn", [text], Ty::Iterator(_)) => return self.all_matches(recv, text, step),
                _ => {}
            }
        }
        match &over.ty {
            Ty::String => self.characters(over, step),
            Ty::Option(_) => {
                let Cpp::Maybe(inner) = self.cpp(over)? else {
                    return Err(not_walked(over));
                };
                let value = self.expr(over)?;
                let option = self.spill(value, over.span);
                // A loop of one turn at most, so that `break` means the same.
                self.block(
                    Some(over.span),
                    &format!("for (bool once = {option}.valid; once; once = false)"),
                    |s| step(s, &format!("{option}.value"), &inner),
                )
            }
            Ty::Seq(..) | Ty::Array(_) => self.elements(over, step),
            Ty::Iterator(_) if matches!(over.kind, ExprKind::Call { .. }) => self.elements(over, step),
            _ => Err(not_walked(over)),
        }
    }

    fn filtered(&mut self, over: &'p Expr, f: &'p Expr, keep: bool, step: Step<'_, 'p>) -> Understood<()> {
        self.walk(over, &mut |s, item, of| {
            let held = s.lambda(f, &[(item.to_owned(), of.clone())], Some(&Cpp::Prim(Prim::Boolean)))?;
            let head = format!("if ({}{held})", if keep { "" } else { "!" });
            s.block(Some(f.span), &head, |s| step(s, item, of))
        })
    }

    pub(super) fn numbered(&mut self, over: &'p Expr, step: Step<'_, 'p>) -> Understood<()> {
        let counter = self.temp();
        self.line(format!("int32_t {counter} = 0;"));
        self.walk(over, &mut |s, item, of| {
            let pair = Cpp::Tuple(vec![of.clone(), Cpp::Prim(Prim::Int)]);
            let value = s.spill(format!("{}{{{item}, {counter}++}}", pair.name()), over.span);
            step(s, &value, &pair)
        })
    }

    /// `a until b by c`, in 64 bits, so that `to Int.MaxValue` ends.
    fn range(
        &mut self,
        from: &'p Expr,
        to: &'p Expr,
        by: Option<&'p Expr>,
        inclusive: bool,
        span: Span,
        step: Step<'_, 'p>,
    ) -> Understood<()> {
        let Cpp::Prim(p @ (Prim::Int | Prim::Char)) = self.cpp(from)? else {
            return Err(Refusal::new(
                span,
                "only ranges of Int and Char are covered by the cuda tier",
            ));
        };
        let bounds = self.operands([from, to].into_iter().chain(by))?;
        let bounds: Vec<String> = bounds.into_iter().map(|b| self.spill(b, span)).collect();
        let counter = self.temp();
        let head = match bounds.get(2) {
            None => format!(
                "for (int64_t {counter} = {}; {counter} {} {}; ++{counter})",
                bounds[0],
                if inclusive { "<=" } else { "<" },
                bounds[1]
            ),
            Some(by) => {
                self.line(format!("if ({by} == 0) row.fail(rw::kIllegalArgumentException);"));
                self.leave_on_error();
                let equal = if inclusive { "=" } else { "" };
                format!(
                    "for (int64_t {counter} = {}; {by} > 0 ? {counter} <{equal} {end} : {counter} >{equal} {end}; {counter} += {by})",
                    bounds[0],
                    end = bounds[1]
                )
            }
        };
        let ty = Cpp::Prim(p);
        let item = format!("static_cast<{}>({counter})", ty.name());
        self.block(Some(span), &head, |s| step(s, &item, &ty))
    }

    /// `grouped(n)`: pieces of that many elements, the last one of those that are left.
    fn groups(&mut self, over: &'p Expr, size: &'p Expr, span: Span, step: Step<'_, 'p>) -> Understood<()> {
        let ty = self.cpp(over)?;
        let (helper, value) = match &ty {
            Cpp::Text => ("rw::slice", self.expr(over)?),
            Cpp::Seq(_) => ("rw::seq_slice", self.materialized(over)?),
            _ => return Err(not_walked(over)),
        };
        let whole = self.spill(value, over.span);
        let size = self.expr(size)?;
        let size = self.spill(size, span);
        let length = if ty == Cpp::Text {
            "rw::length"
        } else {
            "rw::seq_length"
        };
        let count = self.checked(format!("{length}(row, {whole})"), span);
        self.line(format!("if ({size} < 1) row.fail(rw::kIllegalArgumentException);"));
        self.leave_on_error();
        let i = self.temp();
        self.block(
            Some(span),
            &format!("for (int64_t {i} = 0; {i} < {count}; {i} += {size})"),
            |s| {
                let end = format!(
                    "static_cast<int32_t>(min(static_cast<long long>({i} + {size}), static_cast<long long>({count})))"
                );
                let piece = s.helped(
                    helper,
                    &[whole.clone(), format!("static_cast<int32_t>({i})"), end],
                    span,
                );
                step(s, &piece, &ty)
            },
        )
    }

    fn indices(&mut self, over: &'p Expr, span: Span, step: Step<'_, 'p>) -> Understood<()> {
        let size = self.size_of(over)?;
        let counter = self.temp();
        let head = format!("for (int32_t {counter} = 0; {counter} < {size}; ++{counter})");
        self.block(Some(span), &head, |s| step(s, &counter, &Cpp::Prim(Prim::Int)))
    }

    /// How many elements there are.
    pub(super) fn size_of(&mut self, over: &'p Expr) -> Understood<String> {
        match self.cpp(over)? {
            Cpp::Text => {
                let value = self.expr(over)?;
                Ok(self.checked(format!("rw::length(row, {value})"), over.span))
            }
            Cpp::Buffer(_) => self.held(over).map(|b| format!("{b}.size")),
            _ => {
                let value = self.materialized(over)?;
                Ok(self.checked(format!("rw::seq_length(row, {value})"), over.span))
            }
        }
    }

    fn characters(&mut self, over: &'p Expr, step: Step<'_, 'p>) -> Understood<()> {
        let value = self.expr(over)?;
        let text = self.spill(value, over.span);
        self.checked(format!("rw::length(row, {text})"), over.span);
        let walker = self.temp();
        let head = format!("for (rw::Walk {walker}({text}); {walker}.more();)");
        self.block(Some(over.span), &head, |s| {
            let item = s.spill(format!("{walker}.next()"), over.span);
            step(s, &item, &Cpp::Prim(Prim::Char))
        })
    }

    fn elements(&mut self, over: &'p Expr, step: Step<'_, 'p>) -> Understood<()> {
        let ty = self.cpp(over)?;
        let (seq, item) = match &ty {
            Cpp::Seq(item) => {
                let value = self.expr(over)?;
                let seq = self.spill(value, over.span);
                self.checked(format!("rw::seq_length(row, {seq})"), over.span);
                (seq, item)
            }
            Cpp::Buffer(item) => (self.held(over)?, item),
            _ => return Err(not_walked(over)),
        };
        let counter = self.temp();
        let head = format!("for (int32_t {counter} = 0; {counter} < {seq}.size; ++{counter})");
        self.block(Some(over.span), &head, |s| {
            let value = s.spill(format!("{seq}.items[{counter}]"), over.span);
            step(s, &value, item)
        })
    }

    /// The elements as an `rw::Seq`, whatever they stand in.
    pub(super) fn materialized(&mut self, over: &'p Expr) -> Understood<String> {
        let over = bare(over);
        self.partial = true;
        match (&over.ty, &over.kind) {
            (Ty::String, _) => {
                self.roomy = true;
                let text = self.expr(over)?;
                return Ok(self.checked(format!("rw::seq_chars(row, {text})"), over.span));
            }
            (Ty::Seq(SeqKind::Range, _), _) | (Ty::Option(_), _) => return self.collected(over),
            (Ty::Iterator(_), ExprKind::Call { method, .. })
                if matches!(
                    method.name,
                    "iterator"
                        | "toIterator"
                        | "filter"
                        | "filterNot"
                        | "withFilter"
                        | "map"
                        | "zipWithIndex"
                        | "findAllIn"
                ) =>
            {
                return self.collected(over);
            }
            (Ty::Seq(..), ExprKind::Call { method, .. }) if method.name == "withFilter" => return self.collected(over),
            _ => {}
        }
        match self.cpp(over)? {
            Cpp::Seq(_) => self.expr(over),
            Cpp::Buffer(_) => {
                // What is taken from a buffer does not change with it.
                let name = self.held(over)?;
                Ok(self.checked(format!("rw::seq_slice(row, {name}.view(), 0, {name}.size)"), over.span))
            }
            _ => Err(not_walked(over)),
        }
    }

    /// Walks and keeps every element.
    pub(super) fn collected(&mut self, over: &'p Expr) -> Understood<String> {
        self.roomy = true;
        self.partial = true;
        let mut item_type = None;
        let name = self.temp();
        let (lines, ()) = self.apart(|s| {
            s.walk(over, &mut |s, item, of| {
                item_type = Some(of.clone());
                s.line(format!("{name}.add(row, {item});"));
                s.leave_on_error();
                Ok(())
            })
        })?;
        let ty = item_type.ok_or_else(|| not_walked(over))?;
        self.line(format!("rw::Buffer<{}> {name};", ty.name()));
        self.lines.append(lines);
        Ok(self.checked(format!("{name}.seq(row)"), over.span))
    }

    /// The variable of an object that changes.
    pub(super) fn held(&mut self, e: &'p Expr) -> Understood<String> {
        let value = self.expr(e)?;
        match super::values::is_variable(&value) {
            true => Ok(value),
            false => Err(Refusal::new(
                e.span,
                format!("only a {} in a variable is covered by the cuda tier", e.ty),
            )),
        }
    }

    /// `foreach`.
    pub(super) fn foreach(&mut self, over: &'p Expr, f: &'p Expr) -> Understood<()> {
        self.walk(over, &mut |s, item, of| {
            s.lambda(f, &[(item.to_owned(), of.clone())], Some(&Cpp::Void))
                .map(drop)
        })
    }
}

fn not_walked(over: &Expr) -> Refusal {
    Refusal::new(
        over.span,
        format!("walking a value of type {} is not covered by the cuda tier", over.ty),
    )
}
