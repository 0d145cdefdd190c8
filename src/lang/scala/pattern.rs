//! Patterns. In: a pattern node and the type it is matched against; out: a typed pattern. Variables are declared in the
//! innermost scope.

use tree_sitter::Node;

use super::cst::{field, kids, name_text, span, text};
use super::literal;
use super::names::Target;
use super::outer::{self, Outer};
use super::{Typer, mk};
use crate::lang::ast::{Expr, ExprKind, Lit, Pattern, PatternKind};
use crate::lang::relate::conforms;
use crate::lang::ty::{Prim, SeqKind, Ty};
use crate::source::Understood;

impl<'t> Typer<'t> {
    /// A pattern against a type.
    pub(super) fn pattern(&mut self, n: Node<'t>, ty: &Ty) -> Understood<Pattern> {
        let kind = match n.kind() {
            "wildcard" => PatternKind::Wildcard,
            "identifier" => self.name_pattern(n, ty)?,
            "stable_identifier" => PatternKind::Value(Box::new(self.stable(n)?)),
            "capture_pattern" => self.capture_pattern(n, ty)?,
            "typed_pattern" => self.typed_pattern(n)?,
            "alternative_pattern" => {
                let mut items = Vec::new();
                self.alternatives(n, ty, &mut items)?;
                PatternKind::Alternative(items)
            }
            "tuple_pattern" => {
                let items = kids(n);
                if let [only] = items[..] {
                    return self.pattern(only, ty);
                }
                self.tuple_pattern(n, &items, ty)?
            }
            "infix_pattern" => self.infix_pattern(n, ty)?,
            "case_class_pattern" => self.extractor(n, ty)?,
            "integer_literal"
            | "floating_point_literal"
            | "boolean_literal"
            | "null_literal"
            | "character_literal"
            | "string"
            | "unit" => PatternKind::Lit(self.literal_pattern(n, ty)?),
            other => return self.refuse(n, format!("{} is not covered", other.replace('_', " "))),
        };
        Ok(Pattern { kind, span: span(n) })
    }

    pub(super) fn name_pattern(&mut self, n: Node<'t>, ty: &Ty) -> Understood<PatternKind> {
        let written = text(n, self.text());
        let variable = written.starts_with(|c: char| c.is_lowercase() || c == '_');
        if variable {
            let id = self.declare(written, ty.clone(), false);
            return Ok(PatternKind::Bind(id, None));
        }
        match self.target(n)? {
            Some(Target::Module(m)) if m == "None" => Ok(PatternKind::None),
            Some(Target::Module(m)) if m == "Nil" => Ok(PatternKind::Nil),
            Some(target) => {
                let e = self.target_value(target, n, None)?;
                Ok(PatternKind::Value(Box::new(e)))
            }
            None => self.refuse(n, "pattern that cannot be read"),
        }
    }

    /// `Obj.Name` in a pattern: a `stable_identifier`, which has no fields.
    pub(super) fn stable(&mut self, n: Node<'t>) -> Understood<Expr> {
        let parts: Vec<Node<'t>> = kids(n);
        let (Some(first), Some(last)) = (parts.first(), parts.last()) else {
            return self.refuse(n, "name that cannot be read");
        };
        let name = name_text(*last, self.text()).to_owned();
        if first.kind() == "stable_identifier" {
            return self.refuse(n, "long paths in patterns are not covered");
        }
        match self.target(*first)? {
            Some(Target::Object(object)) => match outer::member(object, &name, self.text()) {
                Some(Outer::Val { def, is_var: false }) => self.global(def, &name, n),
                _ => self.refuse(n, format!("`{name}` is not a constant of this file")),
            },
            Some(Target::Module(m)) => {
                let call = super::calls::Call::new(&name, Vec::new(), None, n);
                self.call_static(&m, call)
            }
            Some(Target::Value(e)) => self.select_member(e, &name, n, None),
            _ => self.refuse(n, "path in a pattern that is not covered"),
        }
    }

    pub(super) fn capture_pattern(&mut self, n: Node<'t>, ty: &Ty) -> Understood<PatternKind> {
        let (Some(name), Some(inner)) = (field(n, "name"), field(n, "pattern")) else {
            return self.refuse(n, "pattern that cannot be read");
        };
        let bound = if inner.kind() == "typed_pattern" {
            match field(inner, "type") {
                Some(t) => self.ty(t)?,
                None => ty.clone(),
            }
        } else {
            ty.clone()
        };
        let inner = self.pattern(inner, ty)?;
        let name = name_text(name, self.text()).to_owned();
        let id = self.declare(&name, bound, false);
        Ok(PatternKind::Bind(id, Some(Box::new(inner))))
    }

    pub(super) fn typed_pattern(&mut self, n: Node<'t>) -> Understood<PatternKind> {
        let (Some(inner), Some(written)) = (field(n, "pattern"), field(n, "type")) else {
            return self.refuse(n, "pattern that cannot be read");
        };
        let ty = self.pattern_type(written)?;
        let one = |ty: Ty| Pattern {
            kind: PatternKind::Typed(ty),
            span: span(n),
        };
        let typed = match self.tested_classes(&ty, n)? {
            Some(classes) => Pattern {
                kind: PatternKind::Alternative(classes.into_iter().map(one).collect()),
                span: span(n),
            },
            None => one(ty.clone()),
        };
        match inner.kind() {
            "wildcard" => Ok(typed.kind),
            "identifier" => {
                let name = name_text(inner, self.text()).to_owned();
                let id = self.declare(&name, ty, false);
                Ok(PatternKind::Bind(id, Some(Box::new(typed))))
            }
            _ => self.refuse(n, "pattern that cannot be read"),
        }
    }

    /// A type in a pattern; wildcards as type arguments stand for anything.
    pub(super) fn pattern_type(&mut self, n: Node<'t>) -> Understood<Ty> {
        if n.kind() == "generic_type" {
            let args = field(n, "type_arguments").map(kids).unwrap_or_default();
            if let (true, Some(head)) = (args.iter().all(|a| a.kind() == "wildcard"), field(n, "type")) {
                let name = name_text(head, self.text()).to_owned();
                return self.named_type(&name, vec![Ty::Any; args.len()], head);
            }
        }
        self.ty(n)
    }

    pub(super) fn alternatives(&mut self, n: Node<'t>, ty: &Ty, out: &mut Vec<Pattern>) -> Understood<()> {
        for k in kids(n) {
            if k.kind() == "alternative_pattern" {
                self.alternatives(k, ty, out)?;
            } else {
                out.push(self.pattern(k, ty)?);
            }
        }
        Ok(())
    }

    pub(super) fn tuple_pattern(&mut self, n: Node<'t>, items: &[Node<'t>], ty: &Ty) -> Understood<PatternKind> {
        let Ty::Tuple(tys) = ty else {
            return self.refuse(n, format!("tuple pattern against `{ty}`"));
        };
        if tys.len() != items.len() {
            return self.refuse(n, format!("tuple pattern against `{ty}`"));
        }
        let items = items
            .iter()
            .zip(tys)
            .map(|(i, t)| self.pattern(*i, t))
            .collect::<Understood<Vec<Pattern>>>()?;
        Ok(PatternKind::Tuple(items))
    }

    /// `a :: b`, `a -> b`: the tree is left-associative, `::` is not.
    pub(super) fn infix_pattern(&mut self, n: Node<'t>, ty: &Ty) -> Understood<PatternKind> {
        let mut operands = Vec::new();
        let mut operators = Vec::new();
        let mut at = n;
        loop {
            let (Some(l), Some(o), Some(r)) = (field(at, "left"), field(at, "operator"), field(at, "right")) else {
                return self.refuse(n, "pattern that cannot be read");
            };
            operands.insert(0, r);
            operators.insert(0, name_text(o, self.text()).to_owned());
            if l.kind() == "infix_pattern" {
                at = l;
            } else {
                operands.insert(0, l);
                break;
            }
        }
        if operators.iter().all(|o| o == "::") {
            return self.cons(&operands, ty, n);
        }
        if let (true, Ty::Seq(kind, elem)) = (operators.iter().all(|o| o == "+:"), ty)
            && *kind != SeqKind::JavaList
        {
            return self.prepended(&operands, elem, ty, n);
        }
        match (&operators[..], &operands[..]) {
            ([op], [l, r]) if op == ":+" && matches!(ty, Ty::Seq(k, _) if *k != SeqKind::JavaList) => {
                let Ty::Seq(_, elem) = ty else {
                    return self.refuse(n, "pattern that cannot be read");
                };
                let init = self.pattern(*l, ty)?;
                let last = self.pattern(*r, elem)?;
                Ok(PatternKind::Snoc(Box::new(init), Box::new(last)))
            }
            ([op], [l, r]) if op == "->" => self.tuple_pattern(n, &[*l, *r], ty),
            _ => self.refuse(n, format!("`{}` in a pattern is not covered", operators.join(" "))),
        }
    }

    fn prepended(&mut self, operands: &[Node<'t>], elem: &Ty, ty: &Ty, n: Node<'t>) -> Understood<PatternKind> {
        let [head, rest @ ..] = operands else {
            return self.refuse(n, "pattern that cannot be read");
        };
        let head = self.pattern(*head, elem)?;
        let tail = match rest {
            [last] => self.pattern(*last, ty)?,
            _ => Pattern {
                kind: self.prepended(rest, elem, ty, n)?,
                span: span(n),
            },
        };
        Ok(PatternKind::Prepended(Box::new(head), Box::new(tail)))
    }

    pub(super) fn cons(&mut self, operands: &[Node<'t>], ty: &Ty, n: Node<'t>) -> Understood<PatternKind> {
        let Ty::Seq(SeqKind::List | SeqKind::Seq, elem) = ty else {
            return self.refuse(n, format!("`::` against `{ty}`"));
        };
        let [head, rest @ ..] = operands else {
            return self.refuse(n, "pattern that cannot be read");
        };
        let head = self.pattern(*head, elem)?;
        let list = Ty::Seq(SeqKind::List, elem.clone());
        let tail = match rest {
            [last] => self.pattern(*last, &list)?,
            _ => Pattern {
                kind: self.cons(rest, &list, n)?,
                span: span(n),
            },
        };
        Ok(PatternKind::Cons(Box::new(head), Box::new(tail)))
    }

    pub(super) fn literal_pattern(&mut self, n: Node<'t>, ty: &Ty) -> Understood<Lit> {
        let lit = literal::literal(n, self.text())?;
        let (own, at) = (literal_type(&lit), span(n));
        match ty {
            Ty::Prim(_) if own != *ty => {
                let adapted = self.coerce(mk(ExprKind::Lit(lit.clone()), own.clone(), at), ty);
                match adapted {
                    Ok(Expr {
                        kind: ExprKind::Lit(l), ..
                    }) => Ok(l),
                    // `case 'a'` on an Int compares as numbers do.
                    _ if own.prim().is_some_and(Prim::is_numeric) && ty.prim().is_some_and(Prim::is_numeric) => {
                        self.refuse(n, format!("literal of `{own}` against `{ty}`"))
                    }
                    _ => self.refuse(n, format!("literal of `{own}` against `{ty}`")),
                }
            }
            Ty::String if !matches!(lit, Lit::Str(_) | Lit::Null) => {
                self.refuse(n, format!("literal of `{own}` against `{ty}`"))
            }
            _ if conforms(&own, ty) || ty.prim().is_some() || *ty == Ty::Any => Ok(lit),
            _ => self.refuse(n, format!("literal of `{own}` against `{ty}`")),
        }
    }
}

pub(super) fn literal_type(lit: &Lit) -> Ty {
    match lit {
        Lit::Unit => Ty::Unit,
        Lit::Null => Ty::Null,
        Lit::Bool(_) => Ty::BOOLEAN,
        Lit::Byte(_) => Ty::Prim(Prim::Byte),
        Lit::Short(_) => Ty::Prim(Prim::Short),
        Lit::Char(_) => Ty::CHAR,
        Lit::Int(_) => Ty::INT,
        Lit::Long(_) => Ty::LONG,
        Lit::Float(_) => Ty::FLOAT,
        Lit::Double(_) => Ty::DOUBLE,
        Lit::Str(_) => Ty::String,
    }
}
