//! What names mean where UDFs are looked for: Spark's `udf` under any name that imports give it, definitions of the file,
//! methods that wrap `udf`. In: a name or a dotted path; out: what it stands for. Types nothing.

use tree_sitter::Node;

use super::sites::Sites;
use crate::lang::scala::{self as cst, Outer, field, field_all, kids, name_text, text, unparen};

/// The function of a call, as far as UDFs go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Callee {
    /// `org.apache.spark.sql.functions.udf`.
    Udf,
    /// `org.apache.spark.sql.functions.udaf`.
    Udaf,
    /// A method of the file that only passes a parameter to `udf`: the id of its definition.
    Factory(usize),
    /// Something else of the name `udf`.
    Foreign,
}

/// What a name stands for.
#[derive(Debug, Clone)]
pub(super) enum Meaning<'t> {
    /// A definition of the file.
    Local(Outer<'t>),
    /// Imported: the full path.
    Path(String),
    /// Neither: the path as written.
    Unknown(String),
}

/// A method that makes UDFs out of one of its parameters.
#[derive(Debug, Clone, Copy)]
pub(super) struct Factory<'t> {
    /// The parameter in the only list.
    pub index: usize,
    /// The written type of the parameter, where no type parameter can stand in it.
    pub ty: Option<Node<'t>>,
}

const FUNCTIONS: &str = "org.apache.spark.sql.functions";

impl<'t> Sites<'t> {
    /// What the function of a call is, if it may make a UDF.
    pub(super) fn callee(&self, call: Node<'t>) -> Option<Callee> {
        let function = bare_function(call)?;
        let name = match function.kind() {
            "field_expression" => field(function, "field")?,
            _ => function,
        };
        let name = name_text(name, self.text());
        if !self.words.contains(name) {
            return None;
        }
        let by_path = |path: &str| match path.strip_prefix("_root_.").unwrap_or(path) {
            p if p == format!("{FUNCTIONS}.udf") => Some(Callee::Udf),
            p if p == format!("{FUNCTIONS}.udaf") => Some(Callee::Udaf),
            _ => None,
        };
        match self.meaning(function)? {
            Meaning::Local(Outer::Def(def)) if self.factories.contains_key(&def.id()) => {
                Some(Callee::Factory(def.id()))
            }
            Meaning::Local(_) => (name == "udf").then_some(Callee::Foreign),
            Meaning::Path(path) => by_path(&path).or((name == "udf").then_some(Callee::Foreign)),
            // Without an import in sight (a fragment, or a name inherited from elsewhere) the name has to do.
            Meaning::Unknown(path) => by_path(&path).or(match name {
                "udf" => Some(Callee::Udf),
                "udaf" => Some(Callee::Udaf),
                _ => None,
            }),
        }
    }

    /// What a name or a dotted path stands for; `None` for any other expression.
    pub(super) fn meaning(&self, n: Node<'t>) -> Option<Meaning<'t>> {
        match n.kind() {
            "identifier" => Some(self.simple(n, name_text(n, self.text()))),
            "field_expression" => {
                let (value, member) = (field(n, "value")?, field(n, "field")?);
                let name = name_text(member, self.text());
                if value.kind() == "identifier" && name_text(value, self.text()) == "this" {
                    return cst::lookup(n, name, self.text()).map(Meaning::Local);
                }
                Some(match self.meaning(value)? {
                    Meaning::Local(Outer::Object(o)) => Meaning::Local(cst::member(o, name, self.text())?),
                    // A value's member.
                    Meaning::Local(_) => Meaning::Unknown(text(n, self.text()).to_owned()),
                    Meaning::Path(path) => self.at_path(format!("{path}.{name}")),
                    Meaning::Unknown(path) => Meaning::Unknown(format!("{path}.{name}")),
                })
            }
            _ => None,
        }
    }

    fn simple(&self, n: Node<'t>, name: &str) -> Meaning<'t> {
        let place = n.start_byte();
        let found = cst::lookup(n, name, self.text());
        let import = self.imports.named(name, place);
        match (found, import) {
            (Some(found), import) if !import.is_some_and(|i| i.hides(&found)) => Meaning::Local(found),
            (_, Some(_)) => self.at_path(self.imports.expand(name, place)),
            _ => self.by_wildcard(name, place),
        }
    }

    fn by_wildcard(&self, name: &str, place: usize) -> Meaning<'t> {
        for import in self.imports.wild(place) {
            let path = self.imports.expand(&import.path, import.span.start as usize);
            let known = (path == FUNCTIONS && matches!(name, "udf" | "udaf"))
                || (path == "org.apache.spark.sql" && name == "functions");
            if known {
                return Meaning::Path(format!("{path}.{name}"));
            }
            if let Some(found) = self.object_at(&path).and_then(|o| cst::member(o, name, self.text())) {
                return Meaning::Local(found);
            }
        }
        Meaning::Unknown(name.to_owned())
    }

    /// A full path: a member of an object of this file, or something elsewhere.
    fn at_path(&self, path: String) -> Meaning<'t> {
        if let Some(found) = self.object_at(&path) {
            return Meaning::Local(Outer::Object(found));
        }
        let member = path
            .rsplit_once('.')
            .and_then(|(owner, name)| cst::member(self.object_at(owner)?, name, self.text()));
        match member {
            Some(found) => Meaning::Local(found),
            None => Meaning::Path(path),
        }
    }

    /// An object of the file by the last name of a path.
    fn object_at(&self, path: &str) -> Option<Node<'t>> {
        let last = path.rsplit('.').next()?;
        self.objects.get(last).copied()
    }

    /// What a name or a dotted path stands for in this file.
    pub(super) fn resolve(&self, n: Node<'t>) -> Option<Outer<'t>> {
        match self.meaning(n)? {
            Meaning::Local(found) => Some(found),
            _ => None,
        }
    }

    /// Whether an expression is a session's registry of UDFs: `spark.udf`, `sqlContext.udf`, a value that is made so.
    pub(super) fn is_registry(&self, n: Node<'t>) -> bool {
        let typed =
            |n: Node<'t>| field(n, "type").is_some_and(|t| text(t, self.text()).trim().ends_with("UDFRegistration"));
        match n.kind() {
            "field_expression" => field(n, "field").is_some_and(|f| name_text(f, self.text()) == "udf"),
            "call_expression" => {
                field(n, "function").is_some_and(|f| f.kind() == "field_expression" && self.is_registry(f))
            }
            "parenthesized_expression" => self.is_registry(unparen(n)),
            "identifier" => match cst::lookup(n, name_text(n, self.text()), self.text()) {
                Some(Outer::Val { def, .. }) => {
                    typed(def) || field(def, "value").is_some_and(|v| v.kind() != "identifier" && self.is_registry(v))
                }
                Some(Outer::Param(p) | Outer::ClassParam(p) | Outer::Abstract(p)) => typed(p),
                Some(_) => false,
                None => name_text(n, self.text()) == "udf",
            },
            _ => false,
        }
    }

    /// Finds the methods that only pass a parameter to `udf`, also by way of each other.
    pub(super) fn learn_factories(&mut self, calls: &[Node<'t>]) {
        loop {
            let mut found = Vec::new();
            for call in calls {
                let made = matches!(self.callee(*call), Some(Callee::Udf | Callee::Factory(_)));
                if let Some((def, factory)) = self.passes_parameter(*call).filter(|_| made)
                    && !self.factories.contains_key(&def.id())
                {
                    found.push((def, factory));
                }
            }
            if found.is_empty() {
                return;
            }
            for (def, factory) in found {
                if let Some(name) = field(def, "name") {
                    self.words.insert(name_text(name, self.text()).to_owned());
                }
                self.factories.insert(def.id(), factory);
            }
        }
    }

    /// The method around a call whose function is a parameter of that method.
    fn passes_parameter(&self, call: Node<'t>) -> Option<(Node<'t>, Factory<'t>)> {
        let param = match self.resolve(self.function_argument(call)?)? {
            Outer::Param(p) if p.kind() == "parameter" => p,
            _ => return None,
        };
        let list = param.parent()?;
        let def = list.parent().filter(|d| d.kind() == "function_definition")?;
        let lists = field_all(def, "parameters");
        if lists.iter().filter(|l| l.kind() == "parameters").count() != 1 {
            return None;
        }
        let index = kids(list).iter().position(|p| p.id() == param.id())?;
        let generic = lists.iter().any(|l| l.kind() == "type_parameters");
        let ty = field(param, "type").filter(|_| !generic);
        Some((def, Factory { index, ty }))
    }

    /// The argument of a call that is the function, without what surrounds a plain name.
    pub(super) fn function_argument(&self, call: Node<'t>) -> Option<Node<'t>> {
        let args = field(call, "arguments")?;
        if args.kind() != "arguments" {
            return Some(args);
        }
        let index = match self.callee(call) {
            Some(Callee::Factory(id)) => self.factories.get(&id)?.index,
            _ => 0,
        };
        let arg = unparen(kids(args).get(index).copied()?);
        Some(if arg.kind() == "method_value" {
            kids(arg).first().copied()?
        } else {
            arg
        })
    }
}

/// The function of a call without its type arguments.
pub(super) fn bare_function(call: Node) -> Option<Node> {
    let function = field(call, "function")?;
    if function.kind() == "generic_function" {
        return field(function, "function");
    }
    Some(function)
}
