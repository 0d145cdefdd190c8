//! Operators and conditionals: how their arguments are cast and what type they give. Part of the
//! analyzer; the functions of the table bring signatures of their own, which [`apply`] reads.

use super::analyze::{A, Analyzer, lacking, wrong};
use super::ast::{Ast, AstKind};
use super::cast;
use super::fns;
use super::operators;
use super::plan::{Cmp, Kind, Mode, Node};
use super::ty::{self, Ty};
use super::val::Val;
use crate::source::Span;

/// The type that a cast function such as `int(x)` casts to.
pub fn cast_function(name: &str) -> Option<Ty> {
    Some(match name {
        "boolean" => Ty::Bool,
        "tinyint" => Ty::I8,
        "smallint" => Ty::I16,
        "int" => Ty::I32,
        "bigint" => Ty::I64,
        "float" => Ty::F32,
        "double" => Ty::F64,
        "decimal" => Ty::Dec(10, 0),
        "string" => Ty::Str,
        "binary" => Ty::Bin,
        "date" => Ty::Date,
        "timestamp" => Ty::Ts,
        _ => return None,
    })
}

/// Operators and conditionals; `None` when the name is neither.
pub(super) fn core(an: &mut Analyzer, name: &str, args: &[Ast], span: Span) -> A<Option<Node>> {
    let want = |n: usize| {
        if args.len() == n {
            Ok(())
        } else {
            wrong(span, format!("`{name}` takes {n} arguments, found {}", args.len()))
        }
    };
    let cmp = match name {
        "=" => Some(Cmp::Eq),
        "<=>" | "equal_null" => Some(Cmp::NullSafe),
        "<" => Some(Cmp::Lt),
        "<=" => Some(Cmp::Le),
        ">" => Some(Cmp::Gt),
        ">=" => Some(Cmp::Ge),
        _ => None,
    };
    if let Some(op) = cmp {
        want(2)?;
        let (a, b) = (an.node(&args[0])?, an.node(&args[1])?);
        return an.compare(op, a, b, span).map(Some);
    }
    Ok(Some(match name {
        "and" | "or" => {
            want(2)?;
            let what = if name == "and" { "AND" } else { "OR" };
            let (a, b) = (
                Box::new(an.boolean(&args[0], what)?),
                Box::new(an.boolean(&args[1], what)?),
            );
            Node::new(Ty::Bool, if name == "and" { Kind::And(a, b) } else { Kind::Or(a, b) })
        }
        "not" => {
            want(1)?;
            Node::new(Ty::Bool, Kind::Not(Box::new(an.boolean(&args[0], "NOT")?)))
        }
        "isnull" | "isnotnull" => {
            want(1)?;
            let e = Node::new(Ty::Bool, Kind::IsNull(Box::new(an.node(&args[0])?)));
            if name == "isnull" {
                e
            } else {
                Node::new(Ty::Bool, Kind::Not(Box::new(e)))
            }
        }
        "in" => in_list(an, args, span)?,
        "case" | "if" | "iff" => {
            if name != "case" {
                want(3)?;
            }
            case(an, args, span)?
        }
        "coalesce" | "nvl" | "ifnull" => {
            if name != "coalesce" {
                want(2)?;
            }
            let nodes = an.nodes(args)?;
            if nodes.is_empty() {
                return wrong(span, "`coalesce` takes at least one argument");
            }
            let (nodes, t) = an.widen(nodes, name, span)?;
            Node::new(t, Kind::Coalesce(nodes))
        }
        "nvl2" => {
            want(3)?;
            let not_null = Ast::call("isnotnull", vec![args[0].clone()], span);
            case(an, &[not_null, args[1].clone(), args[2].clone()], span)?
        }
        "nullif" => {
            want(2)?;
            let (a, b) = (an.node(&args[0])?, an.node(&args[1])?);
            let t = a.ty.clone();
            let same = an.compare(Cmp::Eq, a.clone(), b, span)?;
            Node::new(
                t.clone(),
                Kind::Case(vec![(same, Node::lit(t, Val::Null))], Box::new(a)),
            )
        }
        "[]" => {
            want(2)?;
            let (a, i) = (an.node(&args[0])?, an.node(&args[1])?);
            index(an, a, i, span)?
        }
        "struct" | "named_struct" => structure(an, name, args, span)?,
        "positive" => {
            want(1)?;
            an.node(&args[0])?
        }
        _ => return operators::operator(an, name, args, span),
    }))
}

fn in_list(an: &mut Analyzer, args: &[Ast], span: Span) -> A<Node> {
    if args.len() < 2 {
        return wrong(span, "IN needs a list");
    }
    let nodes = an.nodes(args)?;
    let (mut nodes, t) = an.widen(nodes, "IN", span)?;
    if t.has_map() {
        return wrong(span, format!("values of {t} have no equality"));
    }
    let value = nodes.remove(0);
    Ok(Node::new(Ty::Bool, Kind::In(Box::new(value), nodes)))
}

fn case(an: &mut Analyzer, args: &[Ast], span: Span) -> A<Node> {
    let pairs = args.len() / 2;
    let mut conds = Vec::new();
    let mut values = Vec::new();
    for k in 0..pairs {
        conds.push(an.boolean(&args[2 * k], "a condition")?);
        values.push(an.node(&args[2 * k + 1])?);
    }
    if args.len() % 2 == 1 {
        values.push(an.node(&args[args.len() - 1])?);
    }
    let has_else = args.len() % 2 == 1;
    let (mut values, t) = an.widen(values, "CASE", span)?;
    let otherwise = if has_else { values.pop() } else { None };
    let otherwise = otherwise.unwrap_or_else(|| Node::lit(t.clone(), Val::Null));
    let mut whens = Vec::new();
    for (c, v) in conds.into_iter().zip(values) {
        match c.constant() {
            Some(Val::Bool(true)) if whens.is_empty() => return Ok(v),
            Some(Val::Bool(false) | Val::Null) => {}
            _ => whens.push((c, v)),
        }
    }
    if whens.is_empty() {
        return Ok(otherwise);
    }
    Ok(Node::new(t, Kind::Case(whens, Box::new(otherwise))))
}

/// `a[i]` and `m[k]`.
pub(super) fn index(an: &mut Analyzer, a: Node, i: Node, span: Span) -> A<Node> {
    match a.ty.clone() {
        Ty::Arr(_) => {
            if !i.ty.is_integral() && i.ty != Ty::Null {
                return wrong(span, format!("an array is indexed by an integer, found {}", i.ty));
            }
            let i = an.coerce(i, &Ty::I64, span)?;
            an.table_call(fns::builtin("[array]"), vec![a, i], span)
        }
        Ty::Map(k, _) => {
            let i = match ty::wider_no_string(&i.ty, &k, an.rt.ansi).filter(|t| *t == *k) {
                Some(t) => an.coerce(i, &t, span)?,
                None => an.coerce(i, &k, span)?,
            };
            an.table_call(fns::builtin("[map]"), vec![a, i], span)
        }
        other => wrong(span, format!("{other} has no elements to index")),
    }
}

fn structure(an: &mut Analyzer, name: &str, args: &[Ast], span: Span) -> A<Node> {
    let mut fields = Vec::new();
    let mut nodes = Vec::new();
    if name == "named_struct" {
        for pair in args.chunks(2) {
            let [key, value] = pair else {
                return wrong(span, "`named_struct` takes pairs of name and value");
            };
            let key = an.node(key)?;
            let Some(Val::Str(key)) = key.constant() else {
                return wrong(span, "the names of `named_struct` are string constants");
            };
            let value = an.node(value)?;
            fields.push((key.to_string(), value.ty.clone()));
            nodes.push(value);
        }
    } else {
        for (i, arg) in args.iter().enumerate() {
            let name = match &arg.kind {
                AstKind::Alias(_, n) => n.clone(),
                AstKind::Name(parts) => parts[parts.len() - 1].clone(),
                _ => format!("col{}", i + 1),
            };
            let value = an.node(arg)?;
            fields.push((name, value.ty.clone()));
            nodes.push(value);
        }
    }
    Ok(Node::new(
        Ty::Struct(fields),
        Kind::Call(fns::builtin("[struct]"), nodes),
    ))
}

/// Casts an argument as Spark's `ImplicitTypeCasts` would; `None` when it would not.
pub fn implicit(e: Node, to: &Ty, ansi: bool) -> Option<Node> {
    if e.ty == *to {
        return Some(e);
    }
    let from = e.ty.clone();
    let ok = match (&from, to) {
        (Ty::Null, _) => true,
        (a, Ty::Str) => a.is_atomic() && !a.is_interval() && !(ansi && *a == Ty::Bin),
        (Ty::Str, Ty::Bool) => ansi,
        (Ty::Str, b) => b.is_atomic() && !b.is_interval(),
        (a, b) if a.is_numeric() && b.is_numeric() => !ansi || up_cast(a, b),
        (Ty::Date, Ty::Ts) => true,
        (Ty::Ts, Ty::Date) => !ansi,
        (Ty::Arr(_), Ty::Arr(_)) | (Ty::Map(..), Ty::Map(..)) => cast::allowed(&from, to, Mode::Legacy),
        _ => false,
    };
    let mode = if ansi { Mode::Ansi } else { Mode::Legacy };
    ok.then(|| Node::new(to.clone(), Kind::Cast(Box::new(e), mode)))
}

fn up_cast(a: &Ty, b: &Ty) -> bool {
    ty::tightest(a, b, true).as_ref() == Some(b)
        || (matches!(a, Ty::Dec(..)) && *b == Ty::F64)
        || (a.is_integral() && b.is_float())
}

fn letter(c: char) -> Option<Ty> {
    Some(match c {
        's' => Ty::Str,
        'b' => Ty::Bool,
        'y' => Ty::I8,
        'h' => Ty::I16,
        'i' => Ty::I32,
        'l' => Ty::I64,
        'f' => Ty::F32,
        'd' => Ty::F64,
        'x' => Ty::Bin,
        'D' => Ty::Date,
        'T' => Ty::Ts,
        _ => return None,
    })
}

/// Casts arguments to a signature and gives the result type. Letters: `s b y h i l f d x D T` are types; `a` anything,
/// `n` numeric, `z` STRING or BINARY, `A` array, `M` map; `?` optional, `*` repeated. Result: a letter, `[` and a letter for an array, a digit for the
/// type of that argument, `e` for the element type of the first.
pub fn apply(sig: &str, args: &mut Vec<Node>, ansi: bool) -> Result<Ty, String> {
    let (params, ret) = sig.split_once(" -> ").ok_or("malformed signature")?;
    let params: Vec<&str> = params.split_whitespace().collect();
    let least = params.iter().filter(|p| !p.ends_with(['?', '*'])).count();
    let most = if params.iter().any(|p| p.ends_with('*')) {
        usize::MAX
    } else {
        params.len()
    };
    if args.len() < least || args.len() > most {
        let counts = if least == most {
            least.to_string()
        } else {
            format!("{least} to {}", params.len())
        };
        return Err(format!("takes {counts} arguments, found {}", args.len()));
    }
    let given = std::mem::take(args);
    for (i, arg) in given.into_iter().enumerate() {
        let p = params[i.min(params.len() - 1)];
        let c = p.chars().next().ok_or("malformed signature")?;
        let from = arg.ty.clone();
        let fitted = match c {
            'a' => Some(arg),
            'n' if from.is_numeric() => Some(arg),
            'n' => implicit(arg, &Ty::F64, ansi),
            'z' if from == Ty::Bin => Some(arg),
            'z' => implicit(arg, &Ty::Str, ansi),
            'A' => matches!(from, Ty::Arr(_)).then_some(arg),
            'M' => matches!(from, Ty::Map(..)).then_some(arg),
            _ => implicit(arg, &letter(c).ok_or("malformed signature")?, ansi),
        };
        match fitted {
            Some(n) => args.push(n),
            None => return Err(format!("argument {} is {from}, which does not fit", i + 1)),
        }
    }
    let c = ret.chars().next().ok_or("malformed signature")?;
    Ok(match c {
        '[' => Ty::Arr(Box::new(
            letter(ret.chars().nth(1).unwrap_or('s')).ok_or("malformed signature")?,
        )),
        '0'..='9' => args[c as usize - '0' as usize].ty.clone(),
        'e' => match &args[0].ty {
            Ty::Arr(t) => (**t).clone(),
            other => return Err(format!("{other} has no elements")),
        },
        _ => letter(c).ok_or("malformed signature")?,
    })
}

/// Marks a refusal that is this engine's own, for [`super::analyze`].
pub fn lacks(why: &str) -> String {
    format!("lacking: {why}")
}

/// An interval operand where none is covered.
pub(super) fn no_interval<T>(span: Span, what: &str) -> A<T> {
    lacking(span, format!("{what} of an interval is not covered by the cpu engine"))
}
