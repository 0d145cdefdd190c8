//! Calls that make UDFs: `udf(…)`, `….register("name", …)`, methods that wrap them, and `val`s of function type. In: nodes;
//! out: what is handed on as the function, with its name.

use super::UdfKind;
use super::forms::*;
use super::functions::Around;
use super::meaning::{Callee, bare_function};
use super::sites::{Entry, Site, Sites};
use crate::lang::scala::{Outer, field, kids, name_text, span, text};
use crate::source::Refusal;
use tree_sitter::Node;

impl<'t> Sites<'t> {
    /// A call whose function may be Spark's `udf`.
    pub(super) fn udf_call(&mut self, n: Node<'t>) {
        let Some(callee) = self.callee(n) else { return };
        let Some(args) = field(n, "arguments") else { return };
        let list = if args.kind() == "arguments" {
            kids(args)
        } else {
            vec![args]
        };
        let Some(first) = list.first().copied() else { return };
        let mut around = Around::default();
        let mut function = first;
        match callee {
            Callee::Udf => {
                if let Some(generic) = field(n, "function").filter(|f| f.kind() == "generic_function") {
                    around.targs = field(generic, "type_arguments").map(kids).unwrap_or_default();
                }
            }
            Callee::Udaf => return self.not_udf(n, "an aggregator works on groups, not on rows"),
            Callee::Foreign => return self.not_udf(n, "this `udf` is not the one of Spark's `functions`"),
            Callee::Factory(id) => {
                let Some(factory) = self.factories.get(&id).copied() else {
                    return;
                };
                let Some(arg) = list.get(factory.index).copied() else {
                    return;
                };
                if arg.kind() == "assignment_expression" {
                    return self.not_udf(n, "named argument of a method that wraps `udf`");
                }
                around.ty = factory.ty;
                function = arg;
            }
        }
        let (whole, name) = self.named_by(n);
        let name = name.unwrap_or_else(|| self.line_name(n));
        if let (Callee::Udf, Some(declared)) = (callee, list.get(1)) {
            if !self.is_java(first) {
                let reason =
                    "`udf` with a result type is not covered: Spark does not check its arguments for null then";
                return self.refused_site(n, name, whole, reason);
            }
            around.declared = Some(*declared);
        }
        self.function(function, name, UdfKind::UdfLambda, whole, around, whole.id());
    }

    fn refused_site(&mut self, n: Node<'t>, name: String, whole: Node<'t>, reason: &str) {
        let site = Site {
            name,
            aliases: Vec::new(),
            kind: UdfKind::UdfLambda,
            node: whole,
            entry: Entry::Refused(Refusal::new(span(n), reason)),
            declared: None,
        };
        self.push(site, n.id());
    }

    /// `spark.udf.register("name", f)`.
    pub(super) fn register(&mut self, n: Node<'t>) {
        if !self.registers(n) {
            return;
        }
        let Some(args) = field(n, "arguments").filter(|a| a.kind() == "arguments") else {
            return;
        };
        let args = kids(args);
        let [first, function, ..] = args[..] else { return };
        let name = self.constant_text(first).unwrap_or_else(|| self.line_name(n));
        if self.makes_udf(function) {
            return;
        }
        let declared = args.get(2).copied();
        let generic = field(n, "function").filter(|f| f.kind() == "generic_function");
        let around = Around {
            targs: generic
                .and_then(|g| field(g, "type_arguments"))
                .map(kids)
                .unwrap_or_default(),
            ty: None,
            declared,
            java: declared.is_some(),
        };
        let before = self.sites.len();
        self.function(function, name, UdfKind::Register, n, around, n.id());
        // `val f = spark.udf.register(…)`: the `val` is a name too.
        if let (val, Some(alias)) = self.named_by(n)
            && val.kind() == "val_definition"
            && self.sites.len() > before
        {
            let index = self.sites.len() - 1;
            self.rename(index, std::iter::once(alias));
            self.by_origin.entry(val.id()).or_insert(index);
        }
    }

    /// Whether a call is `….register(…)` of a session's registry.
    fn registers(&self, call: Node<'t>) -> bool {
        let Some(function) = bare_function(call) else {
            return false;
        };
        match function.kind() {
            "field_expression" => {
                field(function, "field").is_some_and(|f| name_text(f, self.text()) == "register")
                    && field(function, "value").is_some_and(|v| self.is_registry(v))
            }
            // `import spark.udf._; register(…)`.
            "identifier" if name_text(function, self.text()) == "register" => {
                let mut wild = self.imports.wild(function.start_byte());
                let named = self.imports.expand("register", function.start_byte());
                named.ends_with(".udf.register") || wild.any(|i| i.path.ends_with(".udf"))
            }
            _ => false,
        }
    }

    /// Whether an expression is itself a call of `udf`, perhaps with settings after it.
    fn makes_udf(&self, n: Node<'t>) -> bool {
        let mut at = n;
        loop {
            match at.kind() {
                "call_expression" => {
                    if matches!(self.callee(at), Some(Callee::Udf | Callee::Factory(_) | Callee::Udaf)) {
                        return true;
                    }
                    match field(at, "function") {
                        Some(f) => at = f,
                        None => return false,
                    }
                }
                "field_expression" => match field(at, "value") {
                    Some(v) => at = v,
                    None => return false,
                },
                _ => return false,
            }
        }
    }

    /// The definition around a `udf(…)` call, and the name it gives.
    fn named_by(&self, n: Node<'t>) -> (Node<'t>, Option<String>) {
        let mut at = n;
        while let Some(parent) = at.parent() {
            match parent.kind() {
                "field_expression" | "parenthesized_expression" | "call_expression" | "generic_function" => {}
                // An argument of some other call is not named by what surrounds it.
                "arguments" => match parent.parent().map(|call| (call, self.sql_name(call))) {
                    Some((call, Some(name))) => return (call, Some(name)),
                    _ => return (n, None),
                },
                "val_definition" | "var_definition" | "given_definition" => {
                    let simple = field(parent, "pattern").is_none_or(|p| p.kind() == "identifier");
                    return if simple {
                        (parent, self.name_of(parent))
                    } else {
                        (n, None)
                    };
                }
                "function_definition" => return (parent, self.name_of(parent)),
                "tuple_expression" => return (n, self.name_in_tuple(parent, at)),
                "block" | "indented_block" if kids(parent).last().is_some_and(|l| l.id() == at.id()) => {}
                _ => break,
            }
            at = parent;
        }
        (n, None)
    }

    /// `val (a, b) = (udf(…), udf(…))`.
    fn name_in_tuple(&self, tuple: Node<'t>, item: Node<'t>) -> Option<String> {
        let val = tuple.parent().filter(|v| v.kind() == "val_definition")?;
        let names = field(val, "pattern")
            .filter(|p| p.kind() == "tuple_pattern")
            .map(kids)?;
        let items = kids(tuple);
        let index = items.iter().position(|i| i.id() == item.id())?;
        let name = names
            .get(index)
            .filter(|n| n.kind() == "identifier" && names.len() == items.len())?;
        Some(name_text(*name, self.text()).to_owned())
    }

    /// `val a = b`, `def a = b` where `b` is a UDF: another name.
    pub(super) fn renamed(&mut self, n: Node<'t>) {
        let value = field(n, "value").or_else(|| field(n, "body"));
        let value = value.map(|v| without_settings(v, self.text()));
        let Some(value) = value.filter(|v| matches!(v.kind(), "identifier" | "field_expression")) else {
            return;
        };
        let takes_none = super::forms::parameter_count(n) == 0;
        let index = match self.resolve(value) {
            Some(Outer::Val { def, is_var: false } | Outer::Def(def))
                if takes_none && !self.by_origin.contains_key(&n.id()) =>
            {
                self.by_origin.get(&def.id()).copied()
            }
            _ => None,
        };
        let udf = index.filter(|i| self.sites[*i].kind != UdfKind::FunctionVal);
        if let (Some(index), Some(name)) = (udf, self.name_of(n)) {
            self.rename(index, std::iter::once(name));
            self.by_origin.insert(n.id(), index);
        }
    }

    /// The SQL name that a call registers, if it is `….register("name", …)`.
    fn sql_name(&self, call: Node<'t>) -> Option<String> {
        if call.kind() != "call_expression" || !self.registers(call) {
            return None;
        }
        let first = kids(field(call, "arguments")?).first().copied()?;
        self.constant_text(first)
    }

    fn constant_text(&self, n: Node<'t>) -> Option<String> {
        match n.kind() {
            "string" => {
                let t = text(n, self.text());
                Some(t.trim_matches('"').to_owned())
            }
            "identifier" | "field_expression" => match self.resolve(n)? {
                Outer::Val { def, is_var: false } => field(def, "value")
                    .filter(|v| v.kind() == "string")
                    .and_then(|v| self.constant_text(v)),
                _ => None,
            },
            _ => None,
        }
    }

    fn line_name(&self, n: Node<'t>) -> String {
        format!("udf@{}", self.source.line_of(n.start_byte() as u32) + 1)
    }

    /// A `val` of function type, or one that keeps a `UDFn`.
    pub(super) fn function_val(&mut self, n: Node<'t>) {
        let member = n
            .parent()
            .is_some_and(|p| matches!(p.kind(), "template_body" | "compilation_unit"));
        let (Some(value), Some(name)) = (field(n, "value"), field(n, "pattern")) else {
            return;
        };
        if !member || name.kind() != "identifier" || self.by_origin.contains_key(&n.id()) {
            return;
        }
        let (ty, literal) = (field(n, "type"), literal_of(value));
        let mut site = Site {
            name: name_text(name, self.text()).to_owned(),
            aliases: Vec::new(),
            kind: UdfKind::FunctionVal,
            node: n,
            entry: Entry::Expression {
                node: literal,
                ty,
                targs: Vec::new(),
                java: false,
            },
            declared: None,
        };
        if literal.kind() == "instance_expression" {
            let class = kids(literal).first().map(|c| self.base(*c));
            if matches!(class, Some(Base::Function(_) | Base::JavaUdf(_))) {
                site.kind = UdfKind::FunctionClass;
                self.instance(literal, site, n.id());
            }
            return;
        }
        let typed = match ty {
            Some(t) => matches!(self.base(t), Base::Function(_)),
            None => literal.kind() == "lambda_expression" && all_typed(literal),
        };
        if !typed || mentions_frame(n, ty.unwrap_or(literal), self.text()) {
            return;
        }
        self.push(site, n.id());
    }
}
