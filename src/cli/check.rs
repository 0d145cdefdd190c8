//! `rewright check`: the differential test without a screen.

use std::path::{Path, PathBuf};

use arrow::array::RecordBatch;

use super::args::CheckArgs;
use super::config::Config;
use super::output::Output;
use super::pick::{Opened, candidate, engine_of_tier, open, policy, runners, settings};
use super::record::Recording;
use crate::check::{Bench, Runners, made_up};
use crate::compare::Policy;
use crate::error::{Error, Result};
use crate::find::Udf;
use crate::inputs::data::ByPosition;
use crate::inputs::{bind, read_data};
use crate::propose::{Candidate, Tier, propose};
use crate::report::{
    CheckResult, InputsFrom, JSON_FORMAT, TierResult, UdfSummary, check_head, check_markdown, check_text, check_tier,
};
use crate::run::{Cancel, Settings};

/// Made-up rows where neither flag nor configuration says.
const DEFAULT_ROWS: usize = 100_000;
/// Seed where neither flag nor configuration says.
const DEFAULT_SEED: u64 = 42;

pub(super) fn run(args: &CheckArgs, session: Option<&Path>, out: &mut Output) -> Result<u8> {
    let config = Config::load(&args.which.file)?;
    let setup = Setup {
        settings: settings(&args.settings, &config)?,
        runners: Runners {
            memcheck: args.memcheck,
            ..runners(&args.settings, &config)?
        },
        policy: policy(args.policy.as_ref())?,
        rows: args.rows.or(config.rows).unwrap_or(DEFAULT_ROWS),
        seed: args.seed.or(config.seed).unwrap_or(DEFAULT_SEED),
        given: candidate(&args.candidate)?,
        data: args
            .data
            .as_ref()
            .map(|path| Ok((read_data(path)?, path.clone())))
            .transpose()?,
        tier: args.candidate.tier.map(Tier::from),
    };
    engine_of_tier(&args.settings, setup.given.as_ref().map(|g| g.tier).or(setup.tier))?;
    let opened = open(&args.which)?;
    let mut recording = Recording::open(session)?;
    let mut codes = Vec::new();
    let udfs = opened.some(args.which.udf.as_deref())?;
    for udf in &udfs {
        // Whoever reads along sees each verdict as soon as it is known: a kernel takes a compiler a second.
        let whole = out.is_json() || args.markdown;
        let result = match setup.check_udf(&opened, udf, &mut recording, &mut |result| tell(out, result, whole)) {
            // Of several UDFs, one that cannot be tested is a result among the others.
            Err(e) if udfs.len() > 1 && !e.kind.ends_all() => {
                let result = setup.not_tried(&opened, udf, &e);
                if !whole {
                    out.text(&check_text(&result, out.paint(), out.is_quiet()));
                }
                result
            }
            other => other?,
        };
        codes.push(result.exit_code());
        if out.is_json() {
            out.object(&result);
        } else if args.markdown {
            out.text(&check_markdown(&result, args.show_data));
        }
    }
    // Over several UDFs the worst counts: different, does not compile, not proven, proven.
    Ok([1, 4, 3].into_iter().find(|c| codes.contains(c)).unwrap_or(0))
}

/// Prints what a test came to so far: the head once, then its newest tier.
fn tell(out: &mut Output, result: &CheckResult, whole: bool) {
    let Some(newest) = result.tiers.last() else {
        out.by_position(&result.by_position);
        if !whole {
            out.text(&check_head(result, out.paint()));
        }
        return;
    };
    if !whole {
        out.text(&check_tier(result, newest, out.paint(), out.is_quiet()));
    }
}

struct Setup {
    settings: Settings,
    runners: Runners,
    policy: Policy,
    rows: usize,
    seed: u64,
    given: Option<Candidate>,
    data: Option<(RecordBatch, PathBuf)>,
    tier: Option<Tier>,
}

impl Setup {
    fn tiers(&self) -> impl Iterator<Item = Tier> {
        let wanted = self.given.as_ref().map(|g| g.tier).or(self.tier);
        Tier::ALL.into_iter().filter(move |t| wanted.is_none_or(|w| w == *t))
    }

    fn not_tried(&self, opened: &Opened, udf: &Udf, error: &Error) -> CheckResult {
        CheckResult {
            format: JSON_FORMAT,
            udf: UdfSummary::of(&opened.file, udf),
            inputs: self.inputs_from(),
            by_position: Vec::new(),
            row_count: 0,
            settings: self.settings.clone(),
            tiers: self.tiers().map(|t| TierResult::not_tried(t, error)).collect(),
        }
    }

    /// Tests every tier that was asked for; `tell` gets the result before the first one and after each.
    fn check_udf(
        &self,
        opened: &Opened,
        udf: &Udf,
        recording: &mut Recording,
        tell: &mut dyn FnMut(&CheckResult),
    ) -> Result<CheckResult> {
        opened.parses(udf)?;
        let (inputs, by_position) = self.inputs(opened, udf)?;
        let mut result = CheckResult {
            format: JSON_FORMAT,
            udf: UdfSummary::of(&opened.file, udf),
            inputs: self.inputs_from(),
            by_position,
            row_count: inputs.num_rows() as u64,
            settings: self.settings.clone(),
            tiers: Vec::new(),
        };
        tell(&result);
        let mut add = |tier: TierResult| {
            result.tiers.push(tier);
            tell(&result);
        };
        recording.opened(&opened.file, udf, inputs.num_rows(), self.seed, &self.settings);
        recording.accepted(&self.policy);
        match &self.given {
            Some(given) => {
                recording.given(given);
                add(self.check_tier(opened, udf, given, &inputs, recording)?);
            }
            None => {
                let proposals = propose(&opened.file, udf);
                recording.proposed(&proposals);
                for tier in self.tiers() {
                    if let Some(c) = proposals.candidates.iter().find(|c| c.tier == tier) {
                        add(self.check_tier(opened, udf, c, &inputs, recording)?);
                    } else if let Some((_, r)) = proposals.refused.iter().find(|(t, _)| *t == tier) {
                        add(TierResult::refused(&opened.file, tier, r));
                    }
                }
            }
        }
        Ok(result)
    }

    fn inputs_from(&self) -> InputsFrom {
        match &self.data {
            Some((_, path)) => InputsFrom::Data {
                path: path.display().to_string(),
            },
            None => InputsFrom::Generated { seed: self.seed },
        }
    }

    fn inputs(&self, opened: &Opened, udf: &Udf) -> Result<(RecordBatch, Vec<ByPosition>)> {
        match &self.data {
            Some((data, path)) => {
                let bound = bind(udf, data, path)?;
                Ok((bound.args, bound.by_position))
            }
            None => {
                let (file, cancel) = (&opened.file, Cancel::default());
                let device = self.tiers().find_map(|t| self.runners.device_of(t));
                let made = made_up(file, udf, self.rows, self.seed, device, &cancel)?;
                Ok((made, Vec::new()))
            }
        }
    }

    /// A candidate that cannot run is a result of its tier; only an interrupt or a defect ends the command.
    fn check_tier(
        &self,
        opened: &Opened,
        udf: &Udf,
        candidate: &Candidate,
        inputs: &RecordBatch,
        recording: &mut Recording,
    ) -> Result<TierResult> {
        let bench = Bench {
            file: &opened.file,
            udf,
            settings: &self.settings,
            runners: &self.runners,
        };
        let outcome = bench.check(candidate, inputs, &self.policy, &Cancel::default());
        recording.checked(candidate, &self.policy, &outcome);
        match outcome {
            Ok(report) => Ok(TierResult::of_report(&opened.file, candidate, &report)),
            Err(e) if e.kind.ends_all() => Err(e),
            Err(e) => Ok(TierResult::failed(candidate, &e)),
        }
    }
}
