//! `rewright check`: the differential test without a screen.

use std::path::Path;

use arrow::array::RecordBatch;

use super::args::CheckArgs;
use super::config::Config;
use super::output::Output;
use super::pick::{Opened, candidate, open, policy, settings};
use super::record::Recording;
use crate::check::check;
use crate::compare::Policy;
use crate::error::{ErrorKind, Result};
use crate::find::Udf;
use crate::inputs::{bind, generate, read_data};
use crate::propose::{Candidate, Tier, propose};
use crate::report::{CheckResult, InputsFrom, JSON_FORMAT, TierResult, UdfSummary, check_markdown, check_text};
use crate::run::{Cancel, Settings};

/// Made-up rows where neither flag nor configuration says.
const DEFAULT_ROWS: usize = 100_000;
/// Seed where neither flag nor configuration says.
const DEFAULT_SEED: u64 = 42;

pub(super) fn run(args: &CheckArgs, session: Option<&Path>, out: &mut Output) -> Result<u8> {
    let config = Config::load(&args.which.file)?;
    let setup = Setup {
        settings: settings(&args.settings, &config)?,
        policy: policy(args.policy.as_ref())?,
        rows: args.rows.or(config.rows).unwrap_or(DEFAULT_ROWS),
        seed: args.seed.or(config.seed).unwrap_or(DEFAULT_SEED),
        given: candidate(&args.candidate)?,
        tier: args.candidate.tier.map(Tier::from),
        args,
    };
    let opened = open(&args.which)?;
    let mut recording = Recording::open(session)?;
    let mut codes = Vec::new();
    for udf in opened.some(args.which.udf.as_deref())? {
        let result = setup.check_udf(&opened, udf, &mut recording)?;
        codes.push(result.exit_code());
        if out.is_json() {
            out.object(&result);
        } else if args.markdown {
            out.text(&check_markdown(&result, args.show_data));
        } else {
            let text = check_text(&result, out.paint(), out.is_quiet());
            out.text(&text);
        }
    }
    // Over several UDFs the worst counts: different, does not compile, not proven, proven.
    Ok([1, 4, 3].into_iter().find(|c| codes.contains(c)).unwrap_or(0))
}

struct Setup<'a> {
    settings: Settings,
    policy: Policy,
    rows: usize,
    seed: u64,
    given: Option<Candidate>,
    tier: Option<Tier>,
    args: &'a CheckArgs,
}

impl Setup<'_> {
    fn check_udf(&self, opened: &Opened, udf: &Udf, recording: &mut Recording) -> Result<CheckResult> {
        let (inputs, from) = self.inputs(opened, udf)?;
        let mut tiers = Vec::new();
        recording.opened(&opened.file, udf, inputs.num_rows(), self.seed, &self.settings);
        recording.accepted(&self.policy);
        match &self.given {
            Some(given) => {
                recording.given(given);
                tiers.push(self.check_tier(opened, udf, given, &inputs, recording)?);
            }
            None => {
                let proposals = propose(&opened.file, udf);
                recording.proposed(&proposals);
                for tier in Tier::ALL
                    .into_iter()
                    .filter(|t| self.tier.is_none_or(|wanted| wanted == *t))
                {
                    if let Some(c) = proposals.candidates.iter().find(|c| c.tier == tier) {
                        tiers.push(self.check_tier(opened, udf, c, &inputs, recording)?);
                    } else if let Some((_, r)) = proposals.refused.iter().find(|(t, _)| *t == tier) {
                        tiers.push(TierResult::refused(&opened.file, tier, r));
                    }
                }
            }
        }
        Ok(CheckResult {
            format: JSON_FORMAT,
            udf: UdfSummary::of(&opened.file, udf),
            inputs: from,
            row_count: inputs.num_rows() as u64,
            settings: self.settings.clone(),
            tiers,
        })
    }

    fn inputs(&self, opened: &Opened, udf: &Udf) -> Result<(RecordBatch, InputsFrom)> {
        match &self.args.data {
            Some(path) => {
                let bound = bind(udf, &read_data(path)?, path)?;
                Ok((
                    bound.args,
                    InputsFrom::Data {
                        path: path.display().to_string(),
                    },
                ))
            }
            None => {
                let batch = generate(udf, &opened.file, self.rows, self.seed)?;
                Ok((batch, InputsFrom::Generated { seed: self.seed }))
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
        let outcome = check(udf, candidate, inputs, &self.settings, &self.policy, &Cancel::default());
        recording.checked(candidate, &self.policy, &outcome);
        match outcome {
            Ok(report) => Ok(TierResult::of_report(&opened.file, candidate, &report)),
            Err(e) if matches!(e.kind, ErrorKind::Interrupted | ErrorKind::Internal) => Err(e),
            Err(e) => Ok(TierResult::failed(candidate, &e)),
        }
    }
}
