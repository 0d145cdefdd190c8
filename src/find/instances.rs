//! Instances of function classes that take constructor arguments: each is a UDF of its own. In: the class and the arguments;
//! out: its site, with what every constructor parameter stands for.

use super::sites::{Entry, Site, Sites};
use crate::lang::scala::{Instance, field, field_all, kids, name_text};
use tree_sitter::Node;

impl<'t> Sites<'t> {
    /// `new F(…)` for a function class of this file.
    pub(super) fn of_class(&mut self, class: Node<'t>, args: Vec<Node<'t>>, mut site: Site<'t>, origin: usize) {
        let keeper = site.node;
        let known = self.by_origin.get(&class.id()).map(|i| self.sites[*i].entry.clone());
        let bound = self.bind_constructor(class, &args, 0);
        match (known, bound) {
            (Some(Entry::Def { def, java, .. }), Some(args)) if !args.is_empty() => {
                let template = Some(class);
                site.entry = Entry::Def {
                    def,
                    java,
                    instance: Instance { template, args },
                };
                self.made.entry(class.id()).or_default().push(site.name.clone());
                self.push(site, origin);
            }
            _ => {
                self.push(site, class.id());
                self.kept_in(keeper, class.id());
            }
        }
    }

    /// Each constructor parameter with its argument or default; by way of `def this(…)` with constants. `None` if that cannot
    /// be told.
    fn bind_constructor(&self, class: Node<'t>, args: &[Node<'t>], depth: usize) -> Option<Vec<(Node<'t>, Node<'t>)>> {
        let lists = field_all(class, "class_parameters");
        let [list] = lists[..] else {
            return lists.is_empty().then(Vec::new);
        };
        let plain = |a: &Node| !matches!(a.kind(), "assignment_expression" | "splat_expression");
        if !args.iter().all(plain) || depth > 4 {
            return None;
        }
        let params: Vec<Node<'t>> = kids(list)
            .into_iter()
            .filter(|p| p.kind() == "class_parameter")
            .collect();
        let rest = params.get(args.len()..)?;
        let defaults: Option<Vec<Node<'t>>> = rest.iter().map(|p| field(*p, "default_value")).collect();
        if let Some(defaults) = defaults {
            let values = args.iter().copied().chain(defaults);
            return Some(params.iter().copied().zip(values).collect());
        }
        if !args.is_empty() {
            return None;
        }
        let mut others = field(class, "body")
            .map(kids)
            .unwrap_or_default()
            .into_iter()
            .filter(|k| {
                let named = field(*k, "name").is_some_and(|n| name_text(n, self.text()) == "this");
                let takes_none = field_all(*k, "parameters").into_iter().all(|p| kids(p).is_empty());
                k.kind() == "function_definition" && named && takes_none
            });
        let call = super::forms::literal_of(field(others.next()?, "body")?);
        let given = field(call, "arguments").filter(|a| call.kind() == "call_expression" && a.kind() == "arguments")?;
        self.bind_constructor(class, &kids(given), depth + 1)
    }

    /// A class that is only made with arguments is no UDF by itself.
    pub(super) fn classes_with_arguments(&mut self) {
        let made = std::mem::take(&mut self.made);
        let mut gone = Vec::new();
        for (class, names) in made {
            let Some(index) = self.by_origin.get(&class).copied() else {
                continue;
            };
            if self.sites[index].aliases.is_empty() {
                let (name, node) = (self.sites[index].name.clone(), self.sites[index].node);
                let reason = format!("`{name}` is made with arguments: the UDFs are {}", names.join(", "));
                self.not_udf(node, reason);
                gone.push(index);
            }
        }
        gone.sort_unstable();
        for index in gone.into_iter().rev() {
            self.sites.remove(index);
        }
    }
}
