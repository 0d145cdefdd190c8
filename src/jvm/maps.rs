//! Immutable and mutable maps and sets in the JVM's iteration order. In: entries in the order they were added; out: look-up,
//! and iteration as Scala 2.12's and Java's classes iterate. Where a key's hash is not known, iterating is refused.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::chains::{Chains, Style};
use super::equality::scala_eq;
use super::hash::{scala_hash, trie_key};
use super::value::{Eval, Throw, Value};

/// Up to this many entries Scala's immutable maps and sets keep the order of insertion.
const SMALL: usize = 4;

/// How an immutable map orders its entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    /// `Map1` to `Map4`: as inserted.
    Inserted,
    /// `HashMap`: by hash.
    Trie,
    /// `ListMap`, `TreeMap`, `LinkedHashMap` made immutable: the order is given.
    Given,
    /// A hash that is not known is among the keys.
    Unknown,
}

/// Whether two values are the same key.
fn same_key(a: &Value, b: &Value) -> Eval<bool> {
    scala_eq(a, b)
}

/// Positions of keys by hash, for maps too large to walk.
#[derive(Debug, Clone, Default)]
struct Index(OnceLock<Option<HashMap<i32, Vec<u32>>>>);

impl Index {
    fn find<'a>(&self, key: &Value, len: usize, at: impl Fn(usize) -> &'a Value) -> Eval<Option<usize>> {
        let scan = |from: &mut dyn Iterator<Item = usize>| -> Eval<Option<usize>> {
            for i in from {
                if same_key(at(i), key)? {
                    return Ok(Some(i));
                }
            }
            Ok(None)
        };
        if len <= 8 {
            return scan(&mut (0..len));
        }
        let Some(hash) = scala_hash(key) else {
            return scan(&mut (0..len));
        };
        let index = self.0.get_or_init(|| {
            let mut index: HashMap<i32, Vec<u32>> = HashMap::new();
            for i in 0..len {
                index.entry(scala_hash(at(i))?).or_default().push(i as u32);
            }
            Some(index)
        });
        match index {
            Some(index) => scan(&mut index.get(&hash).into_iter().flatten().map(|i| *i as usize)),
            None => scan(&mut (0..len)),
        }
    }
}

/// Sorts entries as the trie would; `false` if a hash is not known.
fn sort_as_trie<T>(items: &mut [T], key: impl Fn(&T) -> &Value) -> bool {
    if items.iter().any(|i| scala_hash(key(i)).is_none()) {
        return false;
    }
    items.sort_by_key(|i| trie_key(scala_hash(key(i)).unwrap_or(0)));
    true
}

/// An immutable map.
#[derive(Debug, Clone)]
pub struct ImMap {
    entries: Vec<(Value, Value)>,
    order: Order,
    index: Index,
    /// `withDefaultValue`, or the function of `withDefault`.
    pub default: Option<(Value, bool)>,
}

impl ImMap {
    /// Built by adding entries in order; a later entry of an equal key replaces the value. Keys that cannot be compared stay.
    pub fn from_entries(entries: Vec<(Value, Value)>) -> ImMap {
        let mut map = ImMap {
            entries: Vec::with_capacity(entries.len()),
            order: Order::Inserted,
            index: Index::default(),
            default: None,
        };
        let mut seen: HashMap<i32, Vec<usize>> = HashMap::new();
        for (k, v) in entries {
            let found = match scala_hash(&k) {
                Some(h) => {
                    let at = seen.entry(h).or_default();
                    let found = at
                        .iter()
                        .copied()
                        .find(|i| matches!(same_key(&map.entries[*i].0, &k), Ok(true)));
                    if found.is_none() {
                        at.push(map.entries.len());
                    }
                    found
                }
                None => (0..map.entries.len()).find(|i| matches!(same_key(&map.entries[*i].0, &k), Ok(true))),
            };
            match found {
                Some(i) => map.entries[i].1 = v,
                None => map.entries.push((k, v)),
            }
        }
        map.settle(map.entries.len() > SMALL);
        map
    }

    /// With the order as given (`ListMap`, `TreeMap`); keys are distinct.
    pub fn ordered(entries: Vec<(Value, Value)>) -> ImMap {
        ImMap {
            entries,
            order: Order::Given,
            index: Index::default(),
            default: None,
        }
    }

    fn settle(&mut self, hashed: bool) {
        self.index = Index::default();
        if self.order == Order::Given {
            return;
        }
        if hashed || self.order != Order::Inserted {
            self.order = if sort_as_trie(&mut self.entries, |e| &e.0) {
                Order::Trie
            } else {
                Order::Unknown
            };
        }
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Entries in no promised order.
    pub fn entries(&self) -> &[(Value, Value)] {
        &self.entries
    }

    /// Entries in the JVM's order, or why it is not known.
    pub fn in_order(&self) -> Eval<&[(Value, Value)]> {
        if self.order == Order::Unknown && self.entries.len() > 1 {
            return Err(unknown_order());
        }
        Ok(&self.entries)
    }

    /// The value of a key.
    pub fn get(&self, key: &Value) -> Eval<Option<&Value>> {
        let found = self.index.find(key, self.entries.len(), |i| &self.entries[i].0)?;
        Ok(found.map(|i| &self.entries[i].1))
    }

    /// With one entry added or replaced.
    pub fn with(&self, key: Value, value: Value) -> Eval<ImMap> {
        let mut out = self.clone();
        match self.index.find(&key, self.entries.len(), |i| &self.entries[i].0)? {
            Some(i) => out.entries[i].1 = value,
            None => {
                out.entries.push((key, value));
                out.settle(out.entries.len() > SMALL);
            }
        }
        Ok(out)
    }

    /// Without a key; a hash map stays one however small it gets.
    pub fn without(&self, key: &Value) -> Eval<ImMap> {
        let mut out = self.clone();
        if let Some(i) = self.index.find(key, self.entries.len(), |i| &self.entries[i].0)? {
            out.entries.remove(i);
            out.index = Index::default();
        }
        Ok(out)
    }

    /// The entries that are kept, in the same order and class.
    pub fn keeping(&self, keep: &[bool]) -> ImMap {
        let mut out = self.clone();
        let mut flags = keep.iter();
        out.entries.retain(|_| *flags.next().unwrap_or(&false));
        out.index = Index::default();
        out
    }

    /// The same keys with other values.
    pub fn with_values(&self, values: Vec<Value>) -> ImMap {
        let mut out = self.clone();
        for (entry, value) in out.entries.iter_mut().zip(values) {
            entry.1 = value;
        }
        out.default = None;
        out
    }

    /// The keys as a set of the same order.
    pub fn key_set(&self) -> ImSet {
        ImSet {
            items: self.entries.iter().map(|e| e.0.clone()).collect(),
            order: self.order,
            index: Index::default(),
        }
    }
}

/// Why a hash collection cannot be walked.
pub fn unknown_order() -> Throw {
    Throw::Unsupported("the iteration order of a hash collection with keys of this type is not covered".into())
}

/// An immutable set.
#[derive(Debug, Clone)]
pub struct ImSet {
    items: Vec<Value>,
    order: Order,
    index: Index,
}

impl ImSet {
    /// Built by adding elements in order.
    pub fn from_items(items: Vec<Value>) -> ImSet {
        let entries = items.into_iter().map(|i| (i, Value::Unit)).collect();
        ImMap::from_entries(entries).key_set()
    }

    /// With the order as given (`ListSet`, `TreeSet`); elements are distinct.
    pub fn ordered(items: Vec<Value>) -> ImSet {
        ImSet {
            items,
            order: Order::Given,
            index: Index::default(),
        }
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Elements in no promised order.
    pub fn items(&self) -> &[Value] {
        &self.items
    }

    /// Elements in the JVM's order, or why it is not known.
    pub fn in_order(&self) -> Eval<&[Value]> {
        if self.order == Order::Unknown && self.items.len() > 1 {
            return Err(unknown_order());
        }
        Ok(&self.items)
    }

    /// Whether it holds an element.
    pub fn contains(&self, item: &Value) -> Eval<bool> {
        Ok(self.index.find(item, self.items.len(), |i| &self.items[i])?.is_some())
    }

    /// With one more element.
    pub fn with(&self, item: Value) -> Eval<ImSet> {
        let mut out = self.clone();
        if !self.contains(&item)? {
            out.items.push(item);
            out.index = Index::default();
            if out.order != Order::Given && (out.items.len() > SMALL || out.order != Order::Inserted) {
                out.order = if sort_as_trie(&mut out.items, |i| i) {
                    Order::Trie
                } else {
                    Order::Unknown
                };
            }
        }
        Ok(out)
    }

    /// Without an element.
    pub fn without(&self, item: &Value) -> Eval<ImSet> {
        let mut out = self.clone();
        if let Some(i) = self.index.find(item, self.items.len(), |i| &self.items[i])? {
            out.items.remove(i);
            out.index = Index::default();
        }
        Ok(out)
    }

    /// The elements that are kept, in the same order and class.
    pub fn keeping(&self, keep: &[bool]) -> ImSet {
        let mut out = self.clone();
        let mut flags = keep.iter();
        out.items.retain(|_| *flags.next().unwrap_or(&false));
        out.index = Index::default();
        out
    }
}

/// Class of a mutable map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MutClass {
    /// `scala.collection.mutable.HashMap`, `mutable.Map`.
    ScalaHash,
    /// `java.util.HashMap`.
    JavaHash,
    /// `LinkedHashMap` of either library.
    Linked,
    /// `mutable.HashSet`, whose order is not covered.
    ScalaHashSet,
    /// `java.util.LinkedHashMap`, `LinkedHashSet`.
    JavaLinked,
    /// `java.util.TreeMap`, `TreeSet` by the natural order.
    JavaSorted,
    /// `Map.of`, `Set.of`: cannot change, and iterates in an order of its own on every run.
    JavaFixed,
}

impl MutClass {
    /// Whether it is one of `java.util`.
    pub fn is_java(self) -> bool {
        matches!(
            self,
            MutClass::JavaHash | MutClass::JavaLinked | MutClass::JavaSorted | MutClass::JavaFixed
        )
    }
}

/// A mutable map; a mutable set is one with `Unit` values.
#[derive(Debug)]
pub struct MutMap {
    /// Its class.
    pub class: MutClass,
    chains: Chains,
    /// `withDefaultValue`, or the function of `withDefault`.
    pub default: Option<(Value, bool)>,
}

impl MutMap {
    /// An empty one.
    pub fn new(class: MutClass) -> MutMap {
        let style = match class {
            MutClass::ScalaHash => Style::Scala,
            MutClass::JavaHash => Style::Java,
            MutClass::Linked => Style::Linked,
            MutClass::ScalaHashSet => Style::Unordered,
            MutClass::JavaLinked | MutClass::JavaSorted => Style::JavaLinked,
            MutClass::JavaFixed => Style::JavaUnordered,
        };
        MutMap {
            class,
            chains: Chains::new(style),
            default: None,
        }
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.chains.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The value of a key.
    pub fn get(&self, key: &Value) -> Eval<Option<Value>> {
        self.chains.get(key)
    }

    /// Adds or replaces; gives the old value.
    pub fn put(&mut self, key: Value, value: Value) -> Eval<Option<Value>> {
        self.chains.put(key, value)
    }

    /// Removes; gives the old value.
    pub fn remove(&mut self, key: &Value) -> Eval<Option<Value>> {
        self.chains.remove(key)
    }

    /// Removes everything; the table keeps its size, as in both libraries.
    pub fn clear(&mut self) {
        self.chains.clear();
    }

    /// Entries in no promised order.
    pub fn unordered(&self) -> Vec<(Value, Value)> {
        self.chains.unordered()
    }

    /// Entries in the JVM's order.
    pub fn in_order(&self) -> Eval<Vec<(Value, Value)>> {
        let mut entries = self.chains.in_order()?;
        if self.class == MutClass::JavaSorted {
            let mut failed = None;
            entries.sort_by(|a, b| {
                super::order::compare(&a.0, &b.0).unwrap_or_else(|e| {
                    failed.get_or_insert(e);
                    std::cmp::Ordering::Equal
                })
            });
            if let Some(e) = failed {
                return Err(e);
            }
        }
        Ok(entries)
    }

    /// Before `merge` and `compute` of a Java map look at it.
    pub fn settle(&mut self) -> Eval<()> {
        self.chains.settle()
    }

    /// Adds or replaces as `merge` and `compute` of a Java map do.
    pub fn put_front(&mut self, key: Value, value: Value) -> Eval<()> {
        self.chains.put_front(key, value)
    }

    /// Makes an empty table large enough for a number of entries, as a constructor of the JDK does.
    pub fn reserve(&mut self, capacity: usize) {
        self.chains.reserve(capacity);
    }
}
