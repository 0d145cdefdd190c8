//! Bytes of columns and how fast they moved. In: what a kernel was handed and has written, its times and those of a copy of the
//! same bytes; out: bytes per second and the share of the copy. More than a copy can move is an error of counting.

use serde::{Deserialize, Serialize};

use super::claim::speed_up;
use super::stats::{Interval, Times};
use crate::error::{Error, Result};

/// Bytes of columns: values, offsets and validity.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Traffic {
    /// Of the arguments.
    pub read_bytes: u64,
    /// Of the result.
    pub written_bytes: u64,
}

impl Traffic {
    /// Both.
    pub fn total(&self) -> u64 {
        self.read_bytes + self.written_bytes
    }
}

/// How fast bytes moved.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Bandwidth {
    /// Bytes read and written, per second.
    pub bytes_per_second: Interval,
    /// As a share of a copy of the same bytes in the same run.
    pub share_of_copy: Interval,
}

/// The bandwidth of a kernel. Both lanes took turns and moved the same number of bytes.
pub fn bandwidth(traffic: Traffic, kernel: &Times, copy: &Times) -> Result<Bandwidth> {
    let few = || Error::not_proven("there are too few samples for a bandwidth");
    let share = speed_up(kernel, copy, true).ok_or_else(few)?;
    if share.low > 1.0 {
        return Err(Error::not_proven(format!(
            "the kernel would have moved {:.1} % of what a copy of the same bytes moves",
            share.median * 100.0
        ))
        .because("no kernel can: it does not touch every column, or something else was timed")
        .hint("look for arguments that the kernel does not read"));
    }
    let total = Interval::exactly(traffic.total() as f64);
    Ok(Bandwidth {
        bytes_per_second: total.per(kernel.seconds),
        share_of_copy: share,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRAFFIC: Traffic = Traffic {
        read_bytes: 800,
        written_bytes: 825,
    };

    fn steady(seconds: f64) -> Times {
        Times::of(vec![seconds; 12]).unwrap()
    }

    #[test]
    fn the_share_is_that_of_the_copy() {
        let found = bandwidth(TRAFFIC, &steady(2.0), &steady(1.9)).unwrap();
        assert_eq!(found.bytes_per_second.median, 812.5);
        assert!((found.share_of_copy.median - 0.95).abs() < 1e-12);
    }

    #[test]
    fn more_than_a_copy_is_an_error() {
        let error = bandwidth(TRAFFIC, &steady(1.0), &steady(1.2)).unwrap_err();
        assert!(error.to_string().contains("120.0 %"), "{error}");
        // What is above only within the noise is the copy's speed.
        let copy = Times::of((0..12).map(|i| 1.0 + f64::from(i % 3 - 1) / 100.0).collect()).unwrap();
        assert!(bandwidth(TRAFFIC, &steady(1.0), &copy).is_ok());
    }
}
