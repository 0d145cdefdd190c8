//! Being written.

use super::super::plan::Def;

/// The functions of this file.
pub const TABLE: &[Def] = &[];
