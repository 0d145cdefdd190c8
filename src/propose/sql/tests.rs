//! Texts of hand-built programs.

use crate::find::{NullRule, Udf, UdfKind};
use crate::lang::ast::*;
use crate::lang::ty::{Prim, Ty};
use crate::source::Span;

fn e(kind: ExprKind, ty: Ty) -> Expr {
    Expr {
        kind,
        ty,
        span: Span::new(0, 1),
    }
}

fn boxed(kind: ExprKind, ty: Ty) -> Box<Expr> {
    Box::new(e(kind, ty))
}

/// A UDF of one parameter from its body.
pub(crate) fn udf_of(param: Ty, rule: NullRule, ret: Ty, body: Expr) -> Udf {
    let function = Function {
        name: "apply".into(),
        params: vec![Param {
            name: "a".into(),
            ty: param.clone(),
            by_name: false,
            span: Span::default(),
        }],
        ret: ret.clone(),
        body,
        locals: vec![Local {
            name: "a".into(),
            ty: param.clone(),
            mutable: false,
            captured: None,
        }],
        parent: None,
        span: Span::new(0, 1),
    };
    let program = Program {
        entry: FnId(0),
        functions: vec![function],
        globals: vec![],
        classes: vec![],
        dialect: Dialect::Scala,
    };
    Udf {
        name: "f".into(),
        aliases: vec![],
        kind: UdfKind::FunctionClass,
        span: Span::new(0, 1),
        body: Span::new(0, 1),
        params: vec![crate::find::UdfParam {
            name: "a".into(),
            ty: param,
            data_type: None,
            null_rule: rule,
        }],
        returns: ret,
        return_type: None,
        needs: vec![],
        program: Ok(program),
    }
}

fn double(v: f64) -> Box<Expr> {
    boxed(ExprKind::Lit(Lit::Double(v)), Ty::DOUBLE)
}

fn binary(op: BinOp, prim: Prim, lhs: Box<Expr>, rhs: Box<Expr>, ty: Ty) -> Box<Expr> {
    boxed(ExprKind::Binary { op, prim, lhs, rhs }, ty)
}

fn celsius(x: Box<Expr>) -> Box<Expr> {
    let nine = binary(BinOp::Mul, Prim::Double, x, double(9.0), Ty::DOUBLE);
    let fifth = binary(BinOp::Div, Prim::Double, nine, double(5.0), Ty::DOUBLE);
    binary(BinOp::Add, Prim::Double, fifth, double(32.0), Ty::DOUBLE)
}

#[test]
fn celsius_keeps_the_order_of_operations() {
    let a = boxed(ExprKind::Local(LocalId(0)), Ty::DOUBLE);
    let udf = udf_of(Ty::DOUBLE, NullRule::ResultIsNull, Ty::DOUBLE, *celsius(a));
    let candidate = super::propose(&udf).unwrap();
    assert_eq!(candidate.text, "a * 9.0D / 5.0D + 32.0D");
    assert!(candidate.claims_exact());
    assert_eq!(candidate.rank, 0);
}

#[test]
fn a_null_test_stays_a_branch() {
    let boxed_double = Ty::Boxed(Prim::Double);
    let a = || boxed(ExprKind::Local(LocalId(0)), boxed_double.clone());
    let cond = boxed(
        ExprKind::RefEq {
            lhs: a(),
            rhs: boxed(ExprKind::Lit(Lit::Null), Ty::Null),
            negated: false,
        },
        Ty::BOOLEAN,
    );
    let unboxed = boxed(ExprKind::Convert(Conv::Unbox(Prim::Double), a()), Ty::DOUBLE);
    let otherwise = boxed(
        ExprKind::Convert(Conv::Box(Prim::Double), celsius(unboxed)),
        boxed_double.clone(),
    );
    let then = boxed(ExprKind::Lit(Lit::Null), Ty::Null);
    let body = e(
        ExprKind::If {
            cond,
            then,
            otherwise: Some(otherwise),
        },
        boxed_double.clone(),
    );
    let udf = udf_of(boxed_double.clone(), NullRule::PassedOn, boxed_double, body);
    assert_eq!(
        super::propose(&udf).unwrap().text,
        "IF(a IS NULL, NULL, a * 9.0D / 5.0D + 32.0D)"
    );
}

#[test]
fn integer_division_raises_like_the_jvm() {
    let a = boxed(ExprKind::Local(LocalId(0)), Ty::INT);
    let seven = boxed(ExprKind::Lit(Lit::Int(7)), Ty::INT);
    let udf = udf_of(
        Ty::INT,
        NullRule::ResultIsNull,
        Ty::INT,
        *binary(BinOp::Div, Prim::Int, seven, a, Ty::INT),
    );
    assert_eq!(
        super::propose(&udf).unwrap().text,
        "CASE\n  WHEN a IS NULL THEN NULL\n  WHEN a = 0 THEN CAST(raise_error('ArithmeticException: / by zero') AS INT)\n  \
         ELSE CAST(7 div a AS INT)\nEND"
    );
}
