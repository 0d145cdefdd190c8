//! Hash tables with chains, laid out as the JVM lays them out, because their layout shows in the order of iteration.
//! In: keys and values; out: look-up and the order of `scala.collection.mutable.HashMap` (2.12) or `java.util.HashMap`.

use std::collections::HashMap;

use super::equality::{java_eq, scala_eq};
use super::hash::{java_hash, scala_hash};
use super::maps::unknown_order;
use super::object::{Object, SeqClass};
use super::value::{Eval, Throw, Value};

/// Whose layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Scala's `mutable.HashMap`: new entries in front of their chain, walked from the last bucket down.
    Scala,
    /// `java.util.HashMap`: new entries behind, walked from the first bucket up.
    Java,
    /// Order of insertion.
    Linked,
    /// A layout that is not covered.
    Unordered,
    /// Order of insertion, keys compared by `equals`.
    JavaLinked,
    /// A layout that is not covered, keys compared by `equals`.
    JavaUnordered,
}

/// From this length on Java turns a chain into a tree, whose order is not covered.
const TREE_FROM: usize = 8;

/// Scala rotates hashes by the number of bits of its first table's indices, and keeps to it when the table grows.
const SCALA_SEED: u32 = 4;

#[derive(Debug)]
struct Entry {
    key: Value,
    value: Value,
    hash: Option<i32>,
}

/// A chained hash table. Entries keep their place in `entries`; removed ones leave a hole.
#[derive(Debug)]
pub struct Chains {
    style: Style,
    entries: Vec<Option<Entry>>,
    live: usize,
    by_hash: HashMap<Option<i32>, Vec<u32>>,
    buckets: Vec<Vec<u32>>,
    unknown: bool,
}

impl Chains {
    /// An empty table of the initial size of both libraries.
    pub fn new(style: Style) -> Chains {
        Chains {
            style,
            entries: Vec::new(),
            live: 0,
            by_hash: HashMap::new(),
            buckets: vec![Vec::new(); 16],
            unknown: matches!(style, Style::Unordered | Style::JavaUnordered),
        }
    }

    fn hash(&self, key: &Value) -> Option<i32> {
        match self.style {
            Style::Java | Style::JavaLinked | Style::JavaUnordered => match key {
                // What Java gives objects of Scala's or of the user's classes is another number.
                Value::Obj(o) if !matches!(&**o, Object::Seq(SeqClass::JavaList | SeqClass::JavaFixed, _)) => None,
                _ => java_hash(key),
            },
            _ => scala_hash(key),
        }
    }

    /// Makes an empty table of at least so many buckets, a power of two.
    pub fn reserve(&mut self, capacity: usize) {
        if self.live == 0 {
            self.buckets = vec![Vec::new(); capacity.max(1).next_power_of_two()];
        }
    }

    fn same(&self, a: &Value, b: &Value) -> Eval<bool> {
        match self.style {
            Style::Java | Style::JavaLinked | Style::JavaUnordered => java_eq(a, b),
            _ => scala_eq(a, b),
        }
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.live
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.live == 0
    }

    fn find(&self, key: &Value) -> Eval<Option<u32>> {
        for at in self.by_hash.get(&self.hash(key)).into_iter().flatten() {
            if let Some(entry) = &self.entries[*at as usize]
                && self.same(&entry.key, key)?
            {
                return Ok(Some(*at));
            }
        }
        Ok(None)
    }

    /// The value of a key.
    pub fn get(&self, key: &Value) -> Eval<Option<Value>> {
        let at = self.find(key)?;
        Ok(at
            .and_then(|at| self.entries[at as usize].as_ref())
            .map(|e| e.value.clone()))
    }

    fn bucket(&self, hash: i32) -> usize {
        let size = self.buckets.len();
        match self.style {
            Style::Scala => {
                let ones = (size - 1) as u32;
                let swapped = (hash.wrapping_mul(0x9e37_75cd_u32 as i32) as u32).swap_bytes();
                let mixed = swapped.wrapping_mul(0x9e37_75cd).rotate_right(SCALA_SEED);
                ((mixed >> ones.leading_zeros()) & ones) as usize
            }
            _ => ((hash as u32 ^ (hash as u32 >> 16)) as usize) & (size - 1),
        }
    }

    fn link(&mut self, at: u32, hash: i32) -> Eval<()> {
        let bucket = self.bucket(hash);
        match self.style {
            Style::Scala => self.buckets[bucket].insert(0, at),
            _ => self.buckets[bucket].push(at),
        }
        if self.style == Style::Java && self.buckets[bucket].len() > TREE_FROM {
            return Err(Throw::Unsupported(
                "a java.util.HashMap with many colliding keys is not covered".into(),
            ));
        }
        Ok(())
    }

    /// Doubles the table; both libraries do so when more than three quarters are filled.
    fn resize(&mut self) -> Eval<()> {
        let size = self.buckets.len() * 2;
        let old = std::mem::replace(&mut self.buckets, vec![Vec::new(); size]);
        // Scala walks its old buckets from the last one down and puts each entry in front.
        let order: Vec<u32> = match self.style {
            Style::Scala => old.into_iter().rev().flatten().collect(),
            _ => old.into_iter().flatten().collect(),
        };
        for at in order {
            let hash = self.entries[at as usize].as_ref().and_then(|e| e.hash).unwrap_or(0);
            self.link(at, hash)?;
        }
        Ok(())
    }

    /// What `merge` and `compute` of `java.util.HashMap` do before they look: a table that is over its threshold grows.
    pub fn settle(&mut self) -> Eval<()> {
        if self.style == Style::Java && self.live > self.buckets.len() * 3 / 4 {
            self.resize()?;
        }
        Ok(())
    }

    /// Adds or replaces as `merge` and `compute` do: a new entry goes in front of its chain, and the table does not grow yet.
    pub fn put_front(&mut self, key: Value, value: Value) -> Eval<()> {
        if self.style != Style::Java || self.find(&key)?.is_some() {
            self.put(key, value)?;
            return Ok(());
        }
        let Some(hash) = self.hash(&key) else {
            self.put(key, value)?;
            return Ok(());
        };
        let at = self.entries.len() as u32;
        self.by_hash.entry(Some(hash)).or_default().push(at);
        self.entries.push(Some(Entry {
            key,
            value,
            hash: Some(hash),
        }));
        self.live += 1;
        self.link(at, hash)?;
        let bucket = self.bucket(hash);
        if let Some(last) = self.buckets[bucket].pop() {
            self.buckets[bucket].insert(0, last);
        }
        Ok(())
    }

    /// Adds or replaces; gives the old value.
    pub fn put(&mut self, key: Value, value: Value) -> Eval<Option<Value>> {
        if let Some(at) = self.find(&key)?
            && let Some(entry) = &mut self.entries[at as usize]
        {
            return Ok(Some(std::mem::replace(&mut entry.value, value)));
        }
        let at = self.entries.len() as u32;
        let hash = self.hash(&key);
        self.by_hash.entry(hash).or_default().push(at);
        self.entries.push(Some(Entry { key, value, hash }));
        self.live += 1;
        match (self.style, hash) {
            (Style::Linked | Style::Unordered | Style::JavaLinked | Style::JavaUnordered, _) => {}
            (_, None) => self.unknown = true,
            (_, Some(hash)) => {
                self.link(at, hash)?;
                if self.live > self.buckets.len() * 3 / 4 {
                    self.resize()?;
                }
            }
        }
        Ok(None)
    }

    /// Removes; gives the old value.
    pub fn remove(&mut self, key: &Value) -> Eval<Option<Value>> {
        let Some(at) = self.find(key)? else {
            return Ok(None);
        };
        let Some(entry) = self.entries[at as usize].take() else {
            return Ok(None);
        };
        self.live -= 1;
        if let Some(places) = self.by_hash.get_mut(&entry.hash) {
            places.retain(|p| *p != at);
        }
        if let (Style::Scala | Style::Java, Some(hash)) = (self.style, entry.hash) {
            let bucket = self.bucket(hash);
            self.buckets[bucket].retain(|p| *p != at);
        }
        Ok(Some(entry.value))
    }

    /// Removes everything; the table keeps its size.
    pub fn clear(&mut self) {
        let style = self.style;
        let size = self.buckets.len();
        *self = Chains::new(style);
        self.buckets = vec![Vec::new(); size];
    }

    /// Entries as they were added.
    pub fn unordered(&self) -> Vec<(Value, Value)> {
        self.entries
            .iter()
            .flatten()
            .map(|e| (e.key.clone(), e.value.clone()))
            .collect()
    }

    /// Entries in the order of iteration.
    pub fn in_order(&self) -> Eval<Vec<(Value, Value)>> {
        if self.unknown && self.live > 1 {
            return Err(unknown_order());
        }
        let pair = |e: &Entry| (e.key.clone(), e.value.clone());
        let at = |i: &u32| self.entries[*i as usize].as_ref().map(pair);
        Ok(match self.style {
            _ if self.unknown => self.entries.iter().flatten().map(pair).collect(),
            Style::Scala => self.buckets.iter().rev().flatten().filter_map(at).collect(),
            Style::Java => self.buckets.iter().flatten().filter_map(at).collect(),
            Style::Linked | Style::Unordered | Style::JavaLinked | Style::JavaUnordered => {
                self.entries.iter().flatten().map(pair).collect()
            }
        })
    }
}
