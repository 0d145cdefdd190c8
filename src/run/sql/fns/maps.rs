//! Being written.

use super::super::plan::Def;

/// The functions of this file.
pub const TABLE: &[Def] = &[];
use super::super::plan::RowResult;
use super::super::val::Val;

/// A map from entries.
pub fn checked_map<'a>(entries: Vec<(Val<'a>, Val<'a>)>) -> RowResult<Val<'a>> {
    Ok(Val::Map(entries))
}
