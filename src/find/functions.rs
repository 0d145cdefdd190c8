//! The functions that are given to `udf` and `register`: literals, methods, `val`s, instances. In: the argument; out: the site
//! it makes, another name for one that is known, or why it is none.

use super::UdfKind;
use super::forms::*;
use super::sites::{Entry, Site, Sites};
use crate::lang::scala::{Instance, Outer, field, in_container, kids, lookup, overloads, span, text};
use crate::source::Refusal;
use tree_sitter::Node;

/// What stands around a function.
#[derive(Debug, Clone, Default)]
pub(super) struct Around<'t> {
    /// Type arguments of `udf[R, A]`.
    pub targs: Vec<Node<'t>>,
    /// The function type that a wrapping method asks for.
    pub ty: Option<Node<'t>>,
    /// The result type given beside it.
    pub declared: Option<Node<'t>>,
    /// Whether a literal stands for a `UDFn`.
    pub java: bool,
}

impl<'t> Sites<'t> {
    /// A function given to `udf` or `register`.
    pub(super) fn function(
        &mut self,
        n: Node<'t>,
        name: String,
        kind: UdfKind,
        whole: Node<'t>,
        around: Around<'t>,
        origin: usize,
    ) {
        let value = without_settings(n, self.text());
        let site = Site {
            name,
            aliases: Vec::new(),
            kind,
            node: whole,
            entry: Entry::Expression {
                node: value,
                ty: around.ty,
                targs: around.targs.clone(),
                java: around.java,
            },
            declared: around.declared,
        };
        let literal = value.kind() == "lambda_expression";
        let reference = match value.kind() {
            "method_value" => kids(value).first().copied(),
            "identifier" | "field_expression" => Some(value),
            "lambda_expression" => self.forwarded(value),
            "call_expression" => self.forwarded_holes(value),
            "instance_expression" => return self.instance(value, site, origin),
            _ => None,
        };
        let Some(reference) = reference else {
            return match self.companion_class(value) {
                Some(class) => {
                    let args = field(value, "arguments").filter(|a| a.kind() == "arguments").map(kids);
                    self.of_class(class, args.unwrap_or_default(), site, origin)
                }
                None => self.push(site, origin),
            };
        };
        match self.resolve(reference) {
            Some(Outer::Def(def)) if parameter_count(def) > 0 || value.kind() == "method_value" => {
                self.of_method(def, site, origin)
            }
            Some(Outer::Def(def)) if !literal => self.of_nullary(def, site, origin),
            Some(Outer::Val { def, is_var: false }) if !literal => self.of_val(def, site),
            Some(Outer::Class(class) | Outer::Object(class)) if self.by_origin.contains_key(&class.id()) => {
                self.push(site, class.id());
            }
            Some(Outer::Param(p)) if !literal && value.kind() != "call_expression" => {
                let what = text(reference, self.text());
                let made = match self.method_around(p) {
                    Some(m) => format!("`{what}` is a parameter of `{m}`: its UDFs are where that is called"),
                    None => format!("`{what}` is a variable: its UDFs are where its values are written"),
                };
                self.not_udf(whole, made);
            }
            Some(Outer::ClassParam(_)) if !literal => {
                let what = text(reference, self.text());
                self.not_udf(
                    whole,
                    format!("`{what}` is a constructor parameter: its UDFs are where instances are made"),
                );
            }
            _ => self.push(site, origin),
        }
    }

    fn method_around(&self, param: Node<'t>) -> Option<String> {
        let def = param.parent()?.parent().filter(|d| d.kind() == "function_definition")?;
        self.name_of(def).filter(|_| param.kind() == "parameter")
    }

    /// `udf(f _)`: the method names the UDF, what wraps it is another name.
    fn of_method(&mut self, def: Node<'t>, mut site: Site<'t>, origin: usize) {
        if overloads(def, self.text()).len() > 1 {
            // Only types tell which one is meant; the name of the method would not.
            return self.push(site, origin);
        }
        let own = self.name_of(def).unwrap_or_default();
        let keeper = site.node;
        if site.kind == UdfKind::UdfLambda {
            site.aliases.push(std::mem::replace(&mut site.name, own));
            site.kind = UdfKind::UdfMethod;
        } else {
            site.aliases.push(own);
        }
        site.node = def;
        let java = matches!(site.entry, Entry::Expression { java: true, .. });
        site.entry = Entry::Def {
            def,
            java,
            instance: Instance::default(),
        };
        self.push(site, def.id());
        self.kept_in(keeper, def.id());
    }

    /// A `val` that keeps a UDF leads to it.
    pub(super) fn kept_in(&mut self, keeper: Node<'t>, origin: usize) {
        if matches!(
            keeper.kind(),
            "val_definition" | "var_definition" | "function_definition"
        ) && let Some(index) = self.by_origin.get(&origin).copied()
        {
            self.by_origin.entry(keeper.id()).or_insert(index);
        }
    }

    /// `udf(f)` and `register("n", f)` for a `def` without parameters: what it returns.
    fn of_nullary(&mut self, def: Node<'t>, site: Site<'t>, origin: usize) {
        if let Some(index) = self.by_origin.get(&def.id()).copied() {
            return self.rename(index, std::iter::once(site.name));
        }
        match field(def, "body") {
            Some(body) => self.of_value(def, body, field(def, "return_type"), site),
            None => self.push(site, origin),
        }
    }

    /// `udf(f)` and `register("n", f)` for a `val`.
    fn of_val(&mut self, def: Node<'t>, site: Site<'t>) {
        if let Some(index) = self.by_origin.get(&def.id()).copied() {
            return self.rename(index, std::iter::once(site.name));
        }
        let Some(value) = field(def, "value") else { return };
        self.of_value(def, value, field(def, "type"), site);
    }

    /// The value of a definition as the function.
    fn of_value(&mut self, def: Node<'t>, value: Node<'t>, ty: Option<Node<'t>>, mut site: Site<'t>) {
        let value = literal_of(value);
        let own = self.name_of(def).unwrap_or_default();
        if site.kind == UdfKind::UdfLambda {
            site.aliases.push(std::mem::replace(&mut site.name, own));
            site.kind = UdfKind::UdfMethod;
        } else {
            site.aliases.push(own);
        }
        let keeper = std::mem::replace(&mut site.node, def);
        if value.kind() == "instance_expression" {
            self.instance(value, site, def.id());
        } else {
            let java = matches!(site.entry, Entry::Expression { java: true, .. });
            site.entry = Entry::Expression {
                node: value,
                ty,
                targs: Vec::new(),
                java,
            };
            self.push(site, def.id());
        }
        self.kept_in(keeper, def.id());
    }

    /// `new F` of a class that is a UDF, `new UDF1[A, B] { … }`.
    pub(super) fn instance(&mut self, n: Node<'t>, mut site: Site<'t>, origin: usize) {
        let parts = kids(n);
        let Some(class) = parts.first().copied() else { return };
        if let Some(body) = parts.iter().find(|p| p.kind() == "template_body") {
            let found = match self.base(class) {
                Base::JavaUdf(_) => Some(("call", true)),
                Base::Function(_) => Some(("apply", false)),
                _ => None,
            };
            if let Some((method, java)) = found
                && let Some(Outer::Def(def)) = in_container(*body, method, self.text())
            {
                site.entry = Entry::Def {
                    def,
                    java,
                    instance: Instance::default(),
                };
                return self.push(site, origin);
            }
        } else if let Some(def) = self.class_named(class)
            && self.by_origin.contains_key(&def.id())
        {
            let args = parts.iter().find(|p| p.kind() == "arguments").map(|a| kids(*a));
            return self.of_class(def, args.unwrap_or_default(), site, origin);
        }
        let name = text(class, self.text());
        site.entry = Entry::Refused(Refusal::new(
            span(n),
            format!("`{name}` is not a function class of this file"),
        ));
        self.push(site, origin);
    }

    /// The class of this file that a type names.
    fn class_named(&self, ty: Node<'t>) -> Option<Node<'t>> {
        let head = if ty.kind() == "generic_type" {
            field(ty, "type")?
        } else {
            ty
        };
        let written = text(head, self.text());
        if let Some(Outer::Class(c)) = lookup(head, written, self.text()) {
            return Some(c);
        }
        // `new Udfs.Clean`, or imported from an object of this file.
        let path = self.imports.expand(written, head.start_byte());
        let (owner, name) = path.rsplit_once('.')?;
        let object = self.objects.get(owner.rsplit('.').next()?)?;
        match crate::lang::scala::member(*object, name, self.text()) {
            Some(Outer::Class(c)) => Some(c),
            _ => None,
        }
    }

    /// `F()` for a case class that is a UDF.
    fn companion_class(&self, n: Node<'t>) -> Option<Node<'t>> {
        let function = field(n, "function").filter(|_| n.kind() == "call_expression")?;
        match self.resolve(function)? {
            Outer::Class(c) if self.by_origin.contains_key(&c.id()) => Some(c),
            _ => None,
        }
    }

    /// Whether an expression is a `UDFn`: an instance of one, or a name of such an instance.
    pub(super) fn is_java(&self, n: Node<'t>) -> bool {
        let n = literal_of(n);
        match n.kind() {
            "instance_expression" => kids(n).first().is_some_and(|c| {
                let own = self.class_named(*c).and_then(|c| field(c, "extend")).map(kids);
                let bases = own.unwrap_or_else(|| vec![*c]);
                bases.into_iter().any(|b| matches!(self.base(b), Base::JavaUdf(_)))
            }),
            "identifier" | "field_expression" => match self.resolve(n) {
                Some(Outer::Val { def, is_var: false }) => {
                    let typed = field(def, "type").is_some_and(|t| matches!(self.base(t), Base::JavaUdf(_)));
                    typed || field(def, "value").is_some_and(|v| v.kind() != "identifier" && self.is_java(v))
                }
                Some(Outer::Object(o)) => {
                    let bases = field(o, "extend").map(kids).unwrap_or_default();
                    bases.into_iter().any(|b| matches!(self.base(b), Base::JavaUdf(_)))
                }
                _ => false,
            },
            _ => false,
        }
    }
}
