//! Takes samples. In: a [`Timer`] with lanes and a [`Plan`]; out: for each lane its times, or why it has none. Lanes take
//! turns, so that what changes over time changes all of them. A lane that fails leaves the others alone.

use serde::{Deserialize, Serialize};

use super::stats::{Times, median};
use crate::error::{ErrorKind, Result};

/// One measured run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// What it took.
    pub seconds: f64,
    /// What taking it took, with everything around it; counts against the plan's limits.
    pub cost: f64,
    /// Whether the clocks were slowed down meanwhile.
    pub throttled: bool,
}

/// Whatever can be timed.
pub trait Timer {
    /// Runs a lane once.
    fn sample(&mut self, lane: usize) -> Result<Sample>;

    /// Called before a lane of another timer has its turn, which is to find the machine as a lane of this one would.
    fn give_way(&mut self) -> Result<()> {
        Ok(())
    }
}

/// Two timers whose lanes take turns: first those of one, then those of the other.
pub struct Both<'a> {
    /// The one.
    pub first: &'a mut dyn Timer,
    /// How many lanes it has.
    pub lanes: usize,
    /// The other.
    pub second: &'a mut dyn Timer,
}

impl Timer for Both<'_> {
    fn sample(&mut self, lane: usize) -> Result<Sample> {
        match lane.checked_sub(self.lanes) {
            None => self.first.sample(lane),
            Some(lane) => {
                self.first.give_way()?;
                self.second.sample(lane)
            }
        }
    }
}

/// When to stop.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// Samples that every lane gets.
    pub least: usize,
    /// Samples after which no more are taken.
    pub most: usize,
    /// Seconds after which no more are taken once every lane has the least.
    pub seconds: f64,
    /// The half width of the interval, as a share of the median, that is narrow enough.
    pub narrow: f64,
    /// Samples of warming up after which measuring starts anyway.
    pub most_warm_up: usize,
    /// Seconds of warming up after which measuring starts anyway.
    pub warm_up_seconds: f64,
}

impl Default for Plan {
    fn default() -> Plan {
        Plan {
            least: 10,
            most: 200,
            seconds: 2.0,
            narrow: 0.005,
            most_warm_up: 60,
            warm_up_seconds: 1.0,
        }
    }
}

/// How a lane ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Lane {
    /// With times.
    Measured(Times),
    /// Without; why.
    Failed(String),
}

impl Lane {
    /// Its times.
    pub fn times(&self) -> Option<&Times> {
        match self {
            Lane::Measured(times) => Some(times),
            Lane::Failed(_) => None,
        }
    }
}

/// What a lane gathers.
#[derive(Default)]
struct Gathered {
    samples: Vec<f64>,
    warm_up: usize,
    flat: bool,
    throttled: usize,
    failed: Option<String>,
}

/// Windows of so many samples are compared to tell whether times are flat.
const WINDOW: usize = 3;
/// Windows whose medians differ by less are alike.
const FLAT: f64 = 0.02;

/// Warms up until every lane is flat, then samples the lanes in turns. Fails only if it was cancelled.
pub fn sample(timer: &mut dyn Timer, lanes: usize, plan: &Plan) -> Result<Vec<Lane>> {
    let mut all: Vec<Gathered> = (0..lanes).map(|_| Gathered::default()).collect();
    let mut cost = 0.0;
    for round in 1..=plan.most_warm_up.max(1) {
        cost += turn(timer, &mut all)?;
        all.iter_mut().for_each(|g| g.flat |= is_flat(&g.samples));
        let over = round >= plan.most_warm_up || cost > plan.warm_up_seconds;
        if over || going(&all).all(|g| g.flat) {
            break;
        }
    }
    for g in &mut all {
        g.warm_up = std::mem::take(&mut g.samples).len();
        g.throttled = 0;
    }
    cost = 0.0;
    for round in 1..=plan.most.max(plan.least) {
        cost += turn(timer, &mut all)?;
        let enough = going(&all).all(|g| is_narrow(&g.samples, plan));
        if round >= plan.least && (enough || cost > plan.seconds) {
            break;
        }
    }
    Ok(all.into_iter().map(|g| g.end(plan)).collect())
}

fn going(all: &[Gathered]) -> impl Iterator<Item = &Gathered> {
    all.iter().filter(|g| g.failed.is_none())
}

/// One sample of every lane that goes on; what they cost.
fn turn(timer: &mut dyn Timer, all: &mut [Gathered]) -> Result<f64> {
    let mut cost = 0.0;
    for (lane, g) in all.iter_mut().enumerate().filter(|(_, g)| g.failed.is_none()) {
        match timer.sample(lane) {
            Ok(s) if s.seconds.is_finite() && s.seconds > 0.0 => {
                g.samples.push(s.seconds);
                g.throttled += usize::from(s.throttled);
                cost += s.cost;
            }
            Ok(s) => g.failed = Some(format!("its timer gave {} s, which is no time", s.seconds)),
            Err(e) if e.kind == ErrorKind::Interrupted => return Err(e),
            Err(e) => g.failed = Some(e.to_string()),
        }
    }
    Ok(cost)
}

fn is_flat(samples: &[f64]) -> bool {
    let Some(from) = samples.len().checked_sub(2 * WINDOW) else {
        return false;
    };
    let (before, now) = (median(&samples[from..from + WINDOW]), median(&samples[from + WINDOW..]));
    before.zip(now).is_some_and(|(a, b)| (b / a - 1.0).abs() <= FLAT)
}

fn is_narrow(samples: &[f64], plan: &Plan) -> bool {
    super::Interval::of(samples).is_some_and(|i| i.half_width() <= plan.narrow)
}

impl Gathered {
    fn end(self, plan: &Plan) -> Lane {
        if let Some(why) = self.failed {
            return Lane::Failed(why);
        }
        let converged = is_narrow(&self.samples, plan);
        match Times::of(self.samples) {
            Some(times) => Lane::Measured(Times {
                warm_up: self.warm_up,
                flat: self.flat,
                converged,
                throttled: self.throttled,
                ..times
            }),
            None => Lane::Failed("it was never run".into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;

    /// Times by lane and by the number of the call; remembers the order of calls.
    struct Fake<F: FnMut(usize, usize) -> Result<f64>> {
        of: F,
        calls: Vec<usize>,
    }

    impl<F: FnMut(usize, usize) -> Result<f64>> Fake<F> {
        fn new(of: F) -> Fake<F> {
            Fake { of, calls: Vec::new() }
        }
    }

    impl<F: FnMut(usize, usize) -> Result<f64>> Timer for Fake<F> {
        fn sample(&mut self, lane: usize) -> Result<Sample> {
            let n = self.calls.iter().filter(|l| **l == lane).count();
            self.calls.push(lane);
            let seconds = (self.of)(lane, n)?;
            Ok(Sample {
                seconds,
                cost: 0.01,
                throttled: seconds > 2.0,
            })
        }
    }

    /// Noise of a share of one, the same on every run.
    fn noise(n: usize, share: f64) -> f64 {
        let x = (n as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 11;
        1.0 + share * (x as f64 / (1_u64 << 53) as f64 - 0.5)
    }

    fn measured(lane: &Lane) -> &Times {
        lane.times().expect("measured")
    }

    #[test]
    fn lanes_take_turns_and_stop_when_narrow() {
        let mut timer = Fake::new(|lane, n| Ok((lane + 1) as f64 * noise(n, 0.004)));
        let lanes = sample(&mut timer, 2, &Plan::default()).unwrap();
        assert!(timer.calls.chunks(2).all(|c| c == [0, 1]), "A and B are interleaved");
        let (a, b) = (measured(&lanes[0]), measured(&lanes[1]));
        assert_eq!((a.samples.len(), b.samples.len(), a.warm_up), (10, 10, 6));
        assert!(a.flat && a.converged && b.converged);
        assert!((b.seconds.median / a.seconds.median - 2.0).abs() < 0.02);
    }

    /// The order of calls of two timers, and of what one does for the other.
    struct Logged<'l> {
        name: &'static str,
        log: &'l std::cell::RefCell<Vec<String>>,
        fails_from: usize,
    }

    impl Timer for Logged<'_> {
        fn sample(&mut self, lane: usize) -> Result<Sample> {
            let mut log = self.log.borrow_mut();
            log.push(format!("{}{lane}", self.name));
            if log.iter().filter(|l| l.starts_with(self.name)).count() > self.fails_from {
                return Err(Error::not_proven("the device has too little memory"));
            }
            Ok(Sample {
                seconds: 1.0 + lane as f64,
                cost: 0.01,
                throttled: false,
            })
        }

        fn give_way(&mut self) -> Result<()> {
            self.log.borrow_mut().push("flush".into());
            Ok(())
        }
    }

    fn in_turns(rival_fails_from: usize) -> (Vec<Lane>, Vec<String>) {
        let log = std::cell::RefCell::default();
        let logged = |name, fails_from| Logged {
            name,
            log: &log,
            fails_from,
        };
        let (mut kernel, mut rival) = (logged("kernel", usize::MAX), logged("rival", rival_fails_from));
        let mut both = Both {
            first: &mut kernel,
            lanes: 2,
            second: &mut rival,
        };
        let lanes = sample(&mut both, 3, &Plan::default()).unwrap();
        (lanes, log.into_inner())
    }

    #[test]
    fn a_kernel_and_its_rival_take_turns_with_the_same_cache() {
        let (lanes, log) = in_turns(usize::MAX);
        let turn = ["kernel0", "kernel1", "flush", "rival0"];
        assert!(log.chunks(4).all(|c| c == turn), "{log:?}");
        let counts: Vec<usize> = lanes.iter().map(|l| measured(l).samples.len()).collect();
        assert_eq!((counts, log.len()), (vec![10; 3], 16 * 4));
    }

    #[test]
    fn a_rival_that_fails_midway_leaves_the_kernel_alone() {
        for (fails_from, turns) in [(0, 1), (3, 4), (12, 13)] {
            let (lanes, log) = in_turns(fails_from);
            assert_eq!(measured(&lanes[0]).samples.len(), 10);
            assert_eq!(measured(&lanes[1]).samples.len(), 10);
            assert_eq!(lanes[2], Lane::Failed("the device has too little memory".into()));
            assert!(log[..4 * turns].chunks(4).all(|c| c[3] == "rival0"));
            assert!(
                log[4 * turns..].chunks(2).all(|c| c == ["kernel0", "kernel1"]),
                "{log:?}"
            );
        }
    }

    #[test]
    fn a_slow_start_is_left_out() {
        let mut timer = Fake::new(|_, n| Ok(if n < 12 { 2.0 - n as f64 / 12.0 } else { 1.0 }));
        let lanes = sample(&mut timer, 1, &Plan::default()).unwrap();
        let times = measured(&lanes[0]);
        assert!(times.warm_up >= 15 && times.flat, "{times:?}");
        assert_eq!(times.seconds.median, 1.0);
    }

    #[test]
    fn noise_ends_at_the_cap_as_not_converged() {
        let plan = Plan {
            most: 30,
            seconds: 1e9,
            ..Plan::default()
        };
        let mut timer = Fake::new(|_, n| Ok(noise(n, 1.0)));
        let times = measured(&sample(&mut timer, 1, &plan).unwrap()[0]).clone();
        assert_eq!((times.samples.len(), times.converged), (30, false));
        let plan = Plan { seconds: 0.155, ..plan };
        let times = measured(&sample(&mut Fake::new(|_, n| Ok(noise(n, 1.0))), 1, &plan).unwrap()[0]).clone();
        assert_eq!(times.samples.len(), 16, "the time is up");
    }

    #[test]
    fn what_never_becomes_flat_is_measured_and_told() {
        let mut timer = Fake::new(|_, n| Ok(1.1_f64.powi(n as i32)));
        let plan = Plan {
            most_warm_up: 10,
            most: 12,
            ..Plan::default()
        };
        let times = measured(&sample(&mut timer, 1, &plan).unwrap()[0]).clone();
        assert!(!times.flat && !times.converged && times.warm_up == 10);
        assert!(times.drift() > 0.3);
    }

    #[test]
    fn a_lane_that_fails_leaves_the_others_alone() {
        let mut timer = Fake::new(|lane, n| match (lane, n) {
            (1, 4) => Err(Error::not_proven("the kernel failed")),
            (2, _) => Ok(0.0),
            _ => Ok(1.0),
        });
        let lanes = sample(&mut timer, 3, &Plan::default()).unwrap();
        assert_eq!(measured(&lanes[0]).samples.len(), 10);
        assert_eq!(lanes[1], Lane::Failed("the kernel failed".into()));
        assert!(matches!(&lanes[2], Lane::Failed(why) if why.contains("no time")));
    }

    #[test]
    fn outliers_and_throttled_samples_are_counted_not_dropped() {
        let plan = Plan {
            least: 20,
            ..Plan::default()
        };
        let mut timer = Fake::new(|_, n| Ok(if n % 10 == 9 { 3.0 } else { 1.0 }));
        let times = measured(&sample(&mut timer, 1, &plan).unwrap()[0]).clone();
        assert_eq!((times.samples.len(), times.outliers, times.throttled), (20, 2, 2));
        assert_eq!(times.seconds.median, 1.0);
    }

    #[test]
    fn cancelling_ends_everything() {
        let mut timer = Fake::new(|_, _| Err(Error::new(ErrorKind::Interrupted, "cancelled")));
        let error = sample(&mut timer, 2, &Plan::default()).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Interrupted);
    }
}
