//! Loops, and what leaves them. In: `while`, `do`, `for`, `break`, `continue`, `return`; out: C++ lines. A jump that C++ has no word
//! for becomes a `goto` out of a block.

use super::emit::Emit;
use super::lines::Lines;
use super::types::Cpp;
use crate::lang::ast::*;
use crate::source::{Refusal, Span, Understood};

/// A loop or a closure that is open.
pub(super) enum Open {
    /// A loop of the original.
    Loop {
        label: Option<String>,
        /// Names of the places behind it and behind its body, where something jumps there.
        name: String,
        left: bool,
        next: bool,
    },
    /// The closure of a `try`: nothing jumps out of it, but a `return` can leave through it.
    Closure { result: String, left: bool },
}

/// One `while`, `do` or `for`.
pub(super) struct Turn<'p> {
    pub cond: &'p Expr,
    pub body: &'p Expr,
    pub update: &'p [Stmt],
    pub test_first: bool,
    pub label: Option<&'p String>,
    pub span: Span,
}

impl<'p> Emit<'p> {
    pub(super) fn loop_(&mut self, turn: &Turn<'p>) -> Understood<()> {
        let (before, c) = self.apart(|s| s.expr(turn.cond))?;
        let name = self.temp();
        self.open.push(Open::Loop {
            label: turn.label.cloned(),
            name: name.clone(),
            left: false,
            next: false,
        });
        let body = self.apart(|s| s.statement(turn.body));
        let (left, next) = match self.open.pop() {
            Some(Open::Loop { left, next, .. }) => (left, next),
            _ => (false, false),
        };
        let (mut inside, ()) = body?;
        if next {
            let mut block = Lines::default();
            block.push(None, "{");
            block.nest(inside);
            block.push(None, "}");
            block.push(None, format!("next_{name}:;"));
            inside = block;
        }
        let (after, ()) = self.apart(|s| turn.update.iter().try_for_each(|u| s.stmt(u)))?;
        if turn.test_first && before.is_empty() {
            inside.append(after);
            self.lines.push(Some(turn.span), format!("while ({c}) {{"));
            self.lines.nest(inside);
        } else {
            let mut test = before;
            test.push(Some(turn.cond.span), format!("if (!{c}) break;"));
            let mut whole = Lines::default();
            if turn.test_first {
                whole.append(test);
                whole.append(inside);
                whole.append(after);
            } else {
                whole.append(inside);
                whole.append(after);
                whole.append(test);
            }
            self.lines.push(Some(turn.span), "for (;;) {");
            self.lines.nest(whole);
        }
        self.lines.push(None, "}");
        if left {
            self.lines.push(None, format!("left_{name}:;"));
        }
        Ok(())
    }

    /// `break` and `continue`.
    pub(super) fn leave_loop(&mut self, label: Option<&String>, next_turn: bool) -> Understood<()> {
        for open in self.open.iter_mut().rev() {
            match open {
                Open::Closure { .. } => break,
                Open::Loop { label: own, .. } if label.is_some() && own.as_ref() != label => {}
                Open::Loop { name, left, next, .. } => {
                    let jump = match next_turn {
                        true => format!("goto next_{name};"),
                        false => format!("goto left_{name};"),
                    };
                    *(if next_turn { next } else { left }) = true;
                    self.lines.push(None, jump);
                    return Ok(());
                }
            }
        }
        Err(Refusal::new(
            Span::default(),
            "a jump out of a `try` or a function value is not covered by the cuda tier",
        ))
    }

    pub(super) fn return_(&mut self, value: Option<&'p Expr>, span: Span) -> Understood<()> {
        let ty = self.returned_type()?;
        let closed = self.open.iter().any(|o| matches!(o, Open::Closure { .. }));
        if let Some(v) = value.filter(|_| self.again && !closed) {
            return self.tail(v);
        }
        let text = match value {
            Some(v) if ty == Cpp::Void => {
                self.statement(v)?;
                if v.ty == crate::lang::ty::Ty::Nothing {
                    return Ok(());
                }
                String::new()
            }
            Some(v) => {
                let text = self.branch(v, &ty)?;
                if text.is_empty() {
                    return Ok(());
                }
                text
            }
            None => String::new(),
        };
        self.leave_with(&text, Some(span));
        Ok(())
    }

    /// What the function itself returns, whatever closure stands around.
    fn returned_type(&self) -> Understood<Cpp> {
        match self.function {
            Some(f) if self.open.iter().any(|o| matches!(o, Open::Closure { .. })) => {
                let function = &self.program.functions[f.0 as usize];
                Cpp::of(&function.ret, function.span)
            }
            _ => Ok(self.ret.clone()),
        }
    }

    /// Leaves the function with a value; out of a closure, once its `try` is over.
    pub(super) fn leave_with(&mut self, text: &str, span: Option<Span>) {
        let bail = self.ret.bail();
        let closure = self.open.iter_mut().rev().find_map(|o| match o {
            Open::Closure { result, left } => Some((result.clone(), left)),
            Open::Loop { .. } => None,
        });
        match closure {
            Some((name, left)) => {
                *left = true;
                if !text.is_empty() {
                    self.lines.push(span, format!("{name} = {text};"));
                }
                self.lines.push(None, format!("{name}_left = true;"));
                self.lines.push(None, bail);
            }
            None if text.is_empty() => self.lines.push(span, "return;"),
            None => self.lines.push(span, format!("return {text};")),
        }
    }
}
