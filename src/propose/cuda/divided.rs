//! `partition`, `span`, `zip`: two sequences at once. In: what is walked; out: a loop that fills one or two sequences.

use super::emit::Emit;
use super::types::Cpp;
use crate::lang::ast::*;
use crate::lang::ty::{Prim, Ty};
use crate::source::{Refusal, Understood};

const BOOL: Cpp = Cpp::Prim(Prim::Boolean);

impl<'p> Emit<'p> {
    /// `partition`, `span`: two results.
    pub(super) fn dividing(&mut self, name: &str, recv: &'p Expr, f: &'p Expr, e: &'p Expr) -> Understood<String> {
        let ty = Cpp::of(&e.ty, e.span)?;
        let (Cpp::Tuple(parts), Ty::Tuple(types)) = (&ty, &e.ty) else {
            return Err(Refusal::new(e.span, "this division is not covered by the cuda tier"));
        };
        let part = |i: usize| Expr {
            kind: ExprKind::Lit(Lit::Unit),
            ty: types[i].clone(),
            span: e.span,
        };
        let sinks = [self.sink(&part(0))?, self.sink(&part(1))?];
        let holds = self.temp();
        self.line(format!("bool {holds} = true;"));
        self.walk(recv, &mut |s, item, of| {
            if *of != sinks[0].item {
                return Err(Refusal::new(
                    e.span,
                    format!("`{name}` of {} is not covered", parts[0].name()),
                ));
            }
            let (mut lines, held) = s.apart(|s| s.lambda(f, &[(item.to_owned(), of.clone())], Some(&BOOL)))?;
            lines.push(None, format!("{holds} = {held};"));
            if name == "span" {
                s.line(format!("if ({holds}) {{"));
                s.lines.nest(lines);
                s.line("}");
            } else {
                s.lines.append(lines);
            }
            s.block(None, &format!("if ({holds})"), |s| {
                s.add(&sinks[0], item);
                Ok(())
            })?;
            s.block(None, "else", |s| {
                s.add(&sinks[1], item);
                Ok(())
            })
        })?;
        let (a, b) = (self.gathered(&sinks[0], e.span), self.gathered(&sinks[1], e.span));
        Ok(format!("{}{{{a}, {b}}}", ty.name()))
    }

    /// `zip` with another sequence: as many pairs as the shorter one has elements.
    pub(super) fn zipped(&mut self, recv: &'p Expr, other: &'p Expr, e: &'p Expr) -> Understood<String> {
        let (a, b) = (self.materialized(recv)?, self.materialized(other)?);
        let (a, b) = (self.spill(a, recv.span), self.spill(b, other.span));
        let sink = self.sink(e)?;
        let size = self.spill(
            format!("rw::min_of(rw::seq_length(row, {a}), rw::seq_length(row, {b}))"),
            e.span,
        );
        self.leave_on_error();
        let i = self.temp();
        self.block(
            Some(e.span),
            &format!("for (int32_t {i} = 0; {i} < {size}; ++{i})"),
            |s| {
                s.add(
                    &sink,
                    &format!("{}{{{a}.items[{i}], {b}.items[{i}]}}", sink.item.name()),
                );
                Ok(())
            },
        )?;
        Ok(self.gathered(&sink, e.span))
    }
}
