//! Texts as sequences of characters: where a predicate is a class of characters, a regular expression; else a list of
//! characters, whose results become text again where the source says so.

use std::sync::Arc;

use super::Lower;
use super::library::Call;
use super::sym::{State, Sym};
use crate::ir::func::Func;
use crate::ir::node::{ColTy, Const, NodeId, Op};
use crate::lang::ty::{Prim, Ty};
use crate::source::Understood;

const CHAR: ColTy = ColTy::Prim(Prim::Char);

impl Lower<'_> {
    /// Methods of a text that it has as a sequence.
    pub(super) fn string_chars(&mut self, st: &mut State, s: NodeId, call: Call<'_>) -> Understood<Sym> {
        let by_class = matches!(
            call.name,
            "filter" | "filterNot" | "forall" | "exists" | "count" | "takeWhile" | "dropWhile" | "span" | "partition"
        );
        if by_class
            && call.args.len() == 1
            && let Ok(class) = self.char_class(st, &call.args[0], call.span)
        {
            return Ok(self.by_class(s, class.into(), call.name));
        }
        if let ("map", 1) = call.key()
            && call.ty == Ty::String
            && let Some(replaced) = self.one_replaced(st, s, &call)?
        {
            return Ok(replaced);
        }
        let chars = self.g.call(Func::Chars, vec![s], ColTy::Array(Box::new(CHAR)));
        if let ("toCharArray" | "getChars", 0) = call.key() {
            return Ok(Sym::Node(chars));
        }
        let wanted = call.ty.clone();
        let result = self.list_method(st, chars, CHAR, call)?;
        Ok(self.as_text(&result, &wanted))
    }

    fn by_class(&mut self, s: NodeId, class: Arc<str>, name: &str) -> Sym {
        let other: Arc<str> = if let Some(rest) = class.strip_prefix("[^").filter(|c| !c.contains('[')) {
            format!("[{rest}").into()
        } else if class[1..].contains('[') {
            format!("[^{class}]").into()
        } else {
            format!("[^{}", &class[1..]).into()
        };
        let without = |l: &mut Self, class: &Arc<str>| {
            let f = Func::ReplaceAll(class.clone(), "".into());
            l.g.call(f, vec![s], ColTy::Str)
        };
        let start = |l: &mut Self| {
            let f = Func::Extract {
                pattern: format!("\\A{class}*").into(),
                group: 0,
                whole: false,
                sure: true,
                may_be_empty: true,
            };
            l.g.call(f, vec![s], ColTy::Str)
        };
        let rest = |l: &mut Self| {
            let f = Func::ReplaceFirst(format!("\\A{class}+").into(), "".into());
            l.g.call(f, vec![s], ColTy::Str)
        };
        match name {
            "filter" => Sym::Node(without(self, &other)),
            "filterNot" => Sym::Node(without(self, &class)),
            "partition" => Sym::Tuple(vec![Sym::Node(without(self, &other)), Sym::Node(without(self, &class))]),
            "forall" => {
                let f = Func::Matches(format!("{class}*").into());
                Sym::Node(self.g.call(f, vec![s], ColTy::BOOL))
            }
            "exists" => Sym::Node(self.g.call(Func::Finds(class), vec![s], ColTy::BOOL)),
            "count" => {
                let kept = without(self, &other);
                Sym::Node(self.length(kept))
            }
            "takeWhile" => Sym::Node(start(self)),
            "dropWhile" => Sym::Node(rest(self)),
            _ => Sym::Tuple(vec![Sym::Node(start(self)), Sym::Node(rest(self))]),
        }
    }

    /// `s.map(c => if (test(c)) 'x' else c)` as a replacement.
    fn one_replaced(&mut self, st: &mut State, s: NodeId, call: &Call<'_>) -> Understood<Option<Sym>> {
        self.vars += 1;
        let var = self.g.add(Op::Var(self.vars), CHAR);
        let mut inner = st.scope();
        inner.set_not_null(var);
        let value = self.apply(&mut inner, &call.args[0], &[Sym::Node(var)], call.span)?;
        let Sym::Node(body) = value else { return Ok(None) };
        let Op::Case(branches, other) = self.g.op(body).clone() else {
            return Ok(None);
        };
        let (&[(cond, value)], true) = (branches.as_slice(), inner.events.is_empty()) else {
            return Ok(None);
        };
        let (class, unit) = match (self.g.constant(value), self.g.constant(other)) {
            (Some(Const::Char(unit)), _) if other == var => (self.class_of(cond, var, false), *unit),
            (_, Some(Const::Char(unit))) if value == var => (self.class_of(cond, var, true), *unit),
            _ => return Ok(None),
        };
        let (Some(class), Some(c)) = (class, char::from_u32(u32::from(unit))) else {
            return Ok(None);
        };
        let with = match c {
            '$' | '\\' => format!("\\{c}"),
            _ => c.to_string(),
        };
        let f = Func::ReplaceAll(class.into(), with.into());
        Ok(Some(Sym::Node(self.g.call(f, vec![s], ColTy::Str))))
    }

    /// Lists of characters as texts, where the source has texts.
    fn as_text(&mut self, value: &Sym, wanted: &Ty) -> Sym {
        match (value, wanted) {
            (Sym::Node(n), Ty::String) if *self.g.ty(*n) == ColTy::Array(Box::new(CHAR)) => {
                Sym::Node(self.g.call(Func::MkString("".into()), vec![*n], ColTy::Str))
            }
            (Sym::Tuple(items), Ty::Tuple(types)) if items.len() == types.len() => {
                Sym::Tuple(items.iter().zip(types).map(|(v, t)| self.as_text(v, t)).collect())
            }
            _ => value.clone(),
        }
    }

    /// `s.padTo(n, c)`.
    pub(super) fn pad_to(&mut self, s: NodeId, call: &Call<'_>) -> Understood<Sym> {
        let (n, c) = (self.arg(call, 0)?, self.arg(call, 1)?);
        match self.g.as_text(c) {
            Some(c) if c.chars().count() == 1 => {
                let c = self.g.text(&c);
                Ok(Sym::Node(self.g.call(Func::PadRight, vec![s, n, c], ColTy::Str)))
            }
            _ => self.refuse(
                call.span,
                "padding by a character that is not a constant has no columnar form",
            ),
        }
    }
}
