//! Expressions. In: a node and the type that is expected, if any; out: a typed expression. The expected type is a hint
//! that flows inwards (literals, lambdas, branches); [`Typer::checked`] makes sure that it is met.

use tree_sitter::Node;

use super::cst::{field, field_all, kids, name_text, span, unparen};
use super::literal;
use super::names::Target;
use super::outer;
use super::{MAX_DEPTH, Typer, mk};
use crate::jvm::lookup;
use crate::lang::ast::{BinOp, Conv, Expr, ExprKind, Lit, UnOp};
use crate::lang::ty::{Prim, Ty};
use crate::source::{Refusal, Understood};

impl<'t> Typer<'t> {
    /// An expression of exactly this type.
    pub(super) fn checked(&mut self, n: Node<'t>, want: &Ty) -> Understood<Expr> {
        let e = self.expr(n, Some(want))?;
        self.coerce(e, want)
    }

    /// An expression, with a hint.
    pub(super) fn expr(&mut self, n: Node<'t>, hint: Option<&Ty>) -> Understood<Expr> {
        if n.is_error() || n.is_missing() {
            return Err(Refusal::syntax(span(n)));
        }
        if self.depth >= MAX_DEPTH {
            return self.refuse(n, "expression nested too deeply");
        }
        self.depth += 1;
        let result = self.expr_at_depth(n, hint);
        self.depth -= 1;
        result
    }

    fn expr_at_depth(&mut self, n: Node<'t>, hint: Option<&Ty>) -> Understood<Expr> {
        let holes = self.placeholders_of(n);
        if !holes.is_empty() {
            return self.placeholder_lambda(n, holes, hint);
        }
        match n.kind() {
            "integer_literal"
            | "floating_point_literal"
            | "boolean_literal"
            | "null_literal"
            | "unit"
            | "character_literal"
            | "string" => self.literal(n, hint),
            "interpolated_string_expression" => self.interpolation(n),
            "identifier" | "operator_identifier" | "field_expression" => self.select_or_name(n, hint),
            "wildcard" => match self.placeholders.get(&n.id()) {
                Some(e) => Ok(e.clone()),
                None => self.refuse(n, "placeholder whose function is not clear"),
            },
            "parenthesized_expression" => match kids(n).first() {
                Some(k) => self.expr(*k, hint),
                None => self.refuse(n, "empty parentheses"),
            },
            "tuple_expression" => self.tuple(n, hint),
            "block" | "indented_block" => self.block(n, hint),
            "if_expression" => self.if_(n, hint),
            "match_expression" => self.match_(n, hint),
            "try_expression" => self.try_(n, hint),
            "throw_expression" => self.throw(n),
            "return_expression" => self.return_(n),
            "while_expression" | "do_while_expression" | "assignment_expression" => self.statement_value(n),
            "for_expression" => self.for_(n, hint),
            "lambda_expression" | "case_block" => self.lambda(n, hint),
            "method_value" => self.method_value(n, hint),
            "prefix_expression" => self.prefix(n),
            "infix_expression" => self.infix(n, hint),
            "postfix_expression" => self.postfix(n, hint),
            "call_expression" | "generic_function" => self.call(n, hint),
            "instance_expression" => self.instance(n, hint),
            "ascription_expression" => self.ascription(n, hint),
            "ERROR" => Err(Refusal::syntax(span(n))),
            other => self.refuse(n, format!("{} is not covered", other.replace('_', " "))),
        }
    }

    fn literal(&mut self, n: Node<'t>, hint: Option<&Ty>) -> Understood<Expr> {
        let lit = literal::literal(n, self.text())?;
        let ty = match &lit {
            Lit::Unit => Ty::Unit,
            Lit::Null => Ty::Null,
            Lit::Bool(_) => Ty::BOOLEAN,
            Lit::Char(_) => Ty::CHAR,
            Lit::Int(_) => Ty::INT,
            Lit::Long(_) => Ty::LONG,
            Lit::Float(_) => Ty::FLOAT,
            Lit::Double(_) => Ty::DOUBLE,
            Lit::Byte(_) => Ty::Prim(Prim::Byte),
            Lit::Short(_) => Ty::Prim(Prim::Short),
            Lit::Str(_) => Ty::String,
        };
        let e = mk(ExprKind::Lit(lit), ty, span(n));
        match hint {
            Some(want @ Ty::Prim(_)) if e.ty.prim().is_some() && super::coerce::coercible(&e.ty, want) => {
                self.coerce(e, want)
            }
            Some(want @ Ty::Prim(Prim::Byte | Prim::Short | Prim::Char)) if e.ty == Ty::INT => self.coerce(e, want),
            _ => Ok(e),
        }
    }

    fn tuple(&mut self, n: Node<'t>, hint: Option<&Ty>) -> Understood<Expr> {
        let items = kids(n);
        let hints: Vec<Option<&Ty>> = match hint {
            Some(Ty::Tuple(hs)) if hs.len() == items.len() => hs.iter().map(Some).collect(),
            _ => vec![None; items.len()],
        };
        let mut out = Vec::new();
        for (item, h) in items.into_iter().zip(hints) {
            out.push(match h {
                Some(want) if !lookup::is_open(want) => self.checked(item, want)?,
                other => self.expr(item, other)?,
            });
        }
        let ty = Ty::Tuple(out.iter().map(|e| e.ty.clone()).collect());
        Ok(mk(ExprKind::Tuple(out), ty, span(n)))
    }

    fn ascription(&mut self, n: Node<'t>, hint: Option<&Ty>) -> Understood<Expr> {
        match (&kids(n)[..], field(n, "type")) {
            ([value, ..], Some(_)) => {
                let ty = self.ascribed_type(n)?;
                let e = self.checked(*value, &ty)?;
                Ok(Expr { ty, ..e })
            }
            // `x: @unchecked`: annotations speak to the compiler only.
            ([value, rest @ ..], None) if !rest.is_empty() && rest.iter().all(|k| k.kind() == "annotation") => {
                self.expr(*value, hint)
            }
            _ => self.refuse(n, "ascription that cannot be read"),
        }
    }

    /// The type of an ascription; one of a function stands there in pieces, `A => B` as `A` and its result.
    pub(super) fn ascribed_type(&mut self, n: Node<'t>) -> Understood<Ty> {
        let Some(first) = field(n, "type") else {
            return self.refuse(n, "ascription without a type");
        };
        let mut pieces = vec![first];
        pieces.extend(field_all(n, "return_type"));
        let Some(last) = pieces.pop() else {
            return self.refuse(n, "ascription without a type");
        };
        let mut ty = self.ty(last)?;
        for params in pieces.into_iter().rev() {
            let items = if params.kind() == "tuple_type" {
                kids(params)
            } else {
                vec![params]
            };
            let items = items.into_iter().map(|p| self.ty(p)).collect::<Understood<Vec<Ty>>>()?;
            ty = Ty::Fn(items, Box::new(ty));
        }
        Ok(ty)
    }

    fn select_or_name(&mut self, n: Node<'t>, hint: Option<&Ty>) -> Understood<Expr> {
        if let Some(target) = self.target(n)? {
            return self.target_value(target, n, hint);
        }
        let (Some(value), Some(member)) = (field(n, "value"), field(n, "field")) else {
            return self.refuse(n, "selection that cannot be read");
        };
        let recv = self.expr(value, None)?;
        let name = name_text(member, self.text()).to_owned();
        self.select_member(recv, &name, n, hint)
    }

    /// `recv.name` without arguments.
    pub(super) fn select_member(&mut self, recv: Expr, name: &str, n: Node<'t>, hint: Option<&Ty>) -> Understood<Expr> {
        let call = super::calls::Call::new(name, Vec::new(), hint.cloned(), n);
        self.member(recv, call)
    }

    /// A target as a value.
    pub(super) fn target_value(&mut self, target: Target<'t>, n: Node<'t>, hint: Option<&Ty>) -> Understood<Expr> {
        match target {
            Target::Value(e) => Ok(e),
            Target::CaseClass(class) => self.eta_class(class, n, hint),
            Target::Module(m) if m == "None" => {
                let kind = self.none(n, hint)?;
                Ok(kind)
            }
            Target::Module(m) if m == "Nil" => {
                let elem = match hint {
                    Some(Ty::Seq(_, a)) if !lookup::is_open(a) => (**a).clone(),
                    _ => Ty::Nothing,
                };
                let ty = Ty::Seq(crate::lang::ty::SeqKind::List, Box::new(elem));
                Ok(mk(ExprKind::SeqLit(Vec::new()), ty, span(n)))
            }
            Target::Module(m) => self.module_value(&m, n, hint),
            Target::Object(object) if outer::is_case(object) => self.singleton(object, n),
            Target::Object(_) | Target::Package(_) => self.refuse(n, "an object as a value is not covered"),
            other => {
                let call = super::calls::Call::new("", Vec::new(), hint.cloned(), n);
                self.call_target(other, call)
            }
        }
    }

    fn none(&mut self, n: Node<'t>, hint: Option<&Ty>) -> Understood<Expr> {
        let elem = match hint {
            Some(Ty::Option(a)) if !lookup::is_open(a) => (**a).clone(),
            _ => Ty::Nothing,
        };
        let mut e = self.static_call("None", &["value", "None", "apply"], Vec::new(), n)?;
        e.ty = Ty::Option(Box::new(elem));
        Ok(e)
    }

    fn prefix(&mut self, n: Node<'t>) -> Understood<Expr> {
        let (Some(operator), Some(operand)) = (n.child(0), kids(n).last().copied()) else {
            return self.refuse(n, "operator that cannot be read");
        };
        let op = super::cst::text(operator, self.text()).to_owned();
        if op == "-" && matches!(unparen(operand).kind(), "integer_literal") && operand.kind() == "integer_literal" {
            let literal = format!("-{}", super::cst::text(operand, self.text()));
            if let Some(lit) = literal::integer(&literal) {
                let ty = if matches!(lit, Lit::Long(_)) { Ty::LONG } else { Ty::INT };
                return Ok(mk(ExprKind::Lit(lit), ty, span(n)));
            }
        }
        let e = self.expr(operand, None)?;
        let e = self.unboxed(e);
        match (op.as_str(), &e.ty) {
            ("!", Ty::Prim(Prim::Boolean)) => Ok(unary(UnOp::Not, e, n)),
            ("-" | "+" | "~", Ty::Prim(p)) if p.is_numeric() => self.sign(&op, e, n),
            ("+" | "-" | "!" | "~", _) => self.select_member(e, &format!("unary_{op}"), n, None),
            _ => self.refuse(n, format!("operator `{op}` on `{}`", e.ty)),
        }
    }

    fn sign(&mut self, op: &str, e: Expr, n: Node<'t>) -> Understood<Expr> {
        let small = matches!(e.ty, Ty::Prim(Prim::Byte | Prim::Short | Prim::Char));
        let e = if small { self.coerce(e, &Ty::INT)? } else { e };
        let at = span(n);
        match (op, &e.kind) {
            ("-", ExprKind::Lit(Lit::Double(v))) => Ok(mk(ExprKind::Lit(Lit::Double(-v)), Ty::DOUBLE, at)),
            ("-", ExprKind::Lit(Lit::Float(v))) => Ok(mk(ExprKind::Lit(Lit::Float(-v)), Ty::FLOAT, at)),
            ("-", _) => Ok(unary(UnOp::Neg, e, n)),
            ("~", _) if matches!(e.ty, Ty::Prim(Prim::Int | Prim::Long)) => Ok(unary(UnOp::BitNot, e, n)),
            ("+", _) => Ok(Expr { span: at, ..e }),
            _ => self.refuse(n, format!("operator `{op}` on `{}`", e.ty)),
        }
    }

    fn postfix(&mut self, n: Node<'t>, hint: Option<&Ty>) -> Understood<Expr> {
        let parts = kids(n);
        let [value, member] = parts[..] else {
            return self.refuse(n, "postfix operation that cannot be read");
        };
        let name = name_text(member, self.text()).to_owned();
        let recv = self.expr(value, None)?;
        // `x +` reads as a call without arguments, which no operator of a value is: the right side is missing.
        let operator = name.bytes().all(|b| b.is_ascii_punctuation());
        if operator && (recv.ty.prim_type().is_some() || recv.ty == Ty::String) {
            return Err(Refusal::syntax(span(member)));
        }
        self.select_member(recv, &name, n, hint)
    }

    /// `toInt` and its kind on a primitive.
    pub(super) fn primitive_conversion(&mut self, recv: &Expr, name: &str, n: Node<'t>) -> Option<Expr> {
        let Ty::Prim(from) = recv.ty else { return None };
        let to = match name {
            "toByte" => Prim::Byte,
            "toShort" => Prim::Short,
            "toChar" => Prim::Char,
            "toInt" => Prim::Int,
            "toLong" => Prim::Long,
            "toFloat" => Prim::Float,
            "toDouble" => Prim::Double,
            _ => return None,
        };
        if !from.is_numeric() {
            return None;
        }
        if from == to {
            return Some(Expr {
                span: span(n),
                ..recv.clone()
            });
        }
        let kind = ExprKind::Convert(Conv::Prim { from, to }, Box::new(recv.clone()));
        Some(mk(kind, Ty::Prim(to), span(n)))
    }
}

fn unary(op: UnOp, e: Expr, n: Node) -> Expr {
    let ty = e.ty.clone();
    mk(ExprKind::Unary(op, Box::new(e)), ty, span(n))
}

/// A binary operation on operands that already have its type.
pub(super) fn binary(op: BinOp, prim: Prim, lhs: Expr, rhs: Expr, ty: Ty, n: Node) -> Expr {
    let kind = ExprKind::Binary {
        op,
        prim,
        lhs: Box::new(lhs),
        rhs: Box::new(rhs),
    };
    mk(kind, ty, span(n))
}
