//! What the user accepts: classes of mismatch with a bound, a reason and a name.

use serde::{Deserialize, Serialize};

use super::{Distances, Mismatch};

/// What the user accepts for one UDF.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Policy {
    /// Accepted classes.
    #[serde(default, rename = "accept")]
    pub entries: Vec<PolicyEntry>,
}

/// One accepted deviation. Every bound that is set must hold; an entry never reaches beyond its class, so that a
/// tolerance on `last-ulp` says nothing about signs of zero, NaN, infinities or nulls.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PolicyEntry {
    /// Class id.
    pub class: String,
    /// Largest accepted distance in ULP.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_ulp: Option<u64>,
    /// Largest accepted absolute distance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_abs: Option<f64>,
    /// Largest accepted relative distance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_rel: Option<f64>,
    /// Why it is acceptable.
    pub reason: String,
    /// Who accepted it.
    pub who: String,
}

impl Policy {
    /// Whether some entry accepts this mismatch.
    pub fn accepts(&self, m: &Mismatch) -> bool {
        self.accepts_distances(&m.class, m.distances())
    }

    /// Whether some entry accepts a mismatch of this class, so far apart.
    pub(super) fn accepts_distances(&self, class: &str, d: Distances) -> bool {
        self.entries.iter().any(|e| e.accepts(class, d))
    }
}

impl PolicyEntry {
    fn accepts(&self, class: &str, d: Distances) -> bool {
        // A bound on a distance that this mismatch does not have does not hold.
        let within = |bound: Option<f64>, distance: Option<f64>| match bound {
            None => true,
            Some(b) => distance.is_some_and(|d| d <= b),
        };
        let ulp = match self.max_ulp {
            None => true,
            Some(bound) => d.ulp.is_some_and(|d| d <= bound),
        };
        self.class == class && ulp && within(self.max_abs, d.abs) && within(self.max_rel, d.rel)
    }
}
