//! A benchmark against an earlier one. In: two reports; out: a claim where both are of the same thing on the same device, and
//! otherwise what stands in the way of one.

use serde::{Deserialize, Serialize};

use super::claim::{Claim, claim, speed_up};
use super::report::{BenchReport, GpuLane, Verified};
use super::stats::Interval;

/// Against an earlier run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Compared {
    /// When the earlier one was made, and of what.
    pub with: String,
    /// What differs about the circumstances, in words.
    pub differences: Vec<String>,
    /// What may be said; nothing where the circumstances differ.
    pub claim: Option<Claim>,
    /// How many times as fast this one is.
    pub speed_up: Option<Interval>,
}

/// Facts that have to be the same for a claim.
const FACTS: &[&str] = &["device", "driver", "architecture", "core clock", "memory clock", "ecc"];

/// Compares a report with an earlier one.
pub fn against(now: &BenchReport, before: &BenchReport) -> Compared {
    let mut differences = Vec::new();
    let mut differ = |what: &str, was: String, is: String| {
        if was != is {
            differences.push(format!("{what} was {was}, is {is}"));
        }
    };
    differ("the UDF", before.udf.clone(), now.udf.clone());
    differ("the tier", before.tier.name().into(), now.tier.name().into());
    differ("the number of rows", before.rows.to_string(), now.rows.to_string());
    differ("the seed", before.seed.to_string(), now.seed.to_string());
    let share = |r: &BenchReport| r.null_share.map_or("as a test makes it".into(), |s| s.to_string());
    differ("the share of nulls", share(before), share(now));
    let gpus = now.gpu.as_ref().ok().zip(before.gpu.as_ref().ok());
    if let Some((now, before)) = gpus {
        for fact in FACTS {
            differ(fact, of(before, fact), of(now, fact));
        }
    } else {
        let who = if now.gpu.is_err() {
            "this run"
        } else {
            "the earlier run"
        };
        differences.push(format!("{who} has no time of a kernel"));
    }
    for (who, report) in [("this run", now), ("the earlier run", before)] {
        if report.gpu.is_ok() && !report.verified.as_ref().is_some_and(Verified::holds) {
            differences.push(format!("what {who} timed is not proven the same"));
        }
    }
    let times = gpus.filter(|_| differences.is_empty());
    let speed_up = times.and_then(|(now, before)| speed_up(&now.cold, &before.cold, false));
    Compared {
        with: format!("{} of {} by rewright {}", before.udf, before.at, before.rewright),
        differences,
        claim: speed_up.map(claim),
        speed_up,
    }
}

fn of(gpu: &GpuLane, fact: &str) -> String {
    gpu.facts.get(fact).cloned().unwrap_or_else(|| "unknown".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn saved() -> BenchReport {
        BenchReport::parse(include_str!("../../tests/data/bench/h200.json")).unwrap()
    }

    #[test]
    fn the_same_on_the_same_device_is_the_same() {
        let found = against(&saved(), &saved());
        assert_eq!((found.claim, found.differences), (Some(Claim::Same), Vec::new()));
        let mut slower = saved();
        if let Ok(gpu) = &mut slower.gpu {
            gpu.cold.seconds = gpu.cold.seconds.scaled(1.5);
        }
        assert_eq!(against(&slower, &saved()).claim, Some(Claim::Slower));
    }

    #[test]
    fn another_gpu_or_driver_allows_no_claim() {
        for (fact, value) in [("device", "NVIDIA L4"), ("driver", "550.1")] {
            let mut before = saved();
            if let Ok(gpu) = &mut before.gpu {
                gpu.facts.insert(fact.into(), value.into());
            }
            let found = against(&saved(), &before);
            assert_eq!((found.claim, found.speed_up), (None, None));
            assert!(
                found.differences[0].starts_with(&format!("{fact} was {value}")),
                "{found:?}"
            );
        }
        let mut before = saved();
        before.rows /= 2;
        assert_eq!(against(&saved(), &before).claim, None);
    }

    #[test]
    fn what_is_no_benchmark_is_told() {
        assert!(BenchReport::parse("{}").is_err());
        let text = serde_json::to_string(&saved()).unwrap();
        assert_eq!(BenchReport::parse(&text).unwrap(), saved());
        let newer = text.replacen("\"format\":1", "\"format\":2", 1);
        assert!(
            BenchReport::parse(&newer)
                .unwrap_err()
                .to_string()
                .contains("its format is 2")
        );
    }
}
