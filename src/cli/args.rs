//! The command line, as clap sees it.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};

use crate::propose::Tier;

/// Turns a row-by-row Spark UDF into a columnar rewrite and tests that the two still mean the same.
#[derive(Debug, Parser)]
#[command(
    name = "rewright",
    version,
    before_help = "Examples:\n  \
        rewright                                   open the workbench on the samples\n  \
        rewright Prices.scala                      open it on a file\n  \
        rewright find src/                         list the UDFs of a source tree\n  \
        rewright propose Prices.scala --tier sql   print a rewrite\n  \
        rewright check Prices.scala                test every rewrite against the original\n  \
        rewright bench Prices.scala                time the kernel on a GPU",
    after_help = "Exit codes: 0 proven equal or done, 1 different, 2 usage or unreadable input, 3 not proven, \
        4 does not compile, 70 internal error, 130 interrupted."
)]
pub struct Cli {
    /// Source file to open in the workbench.
    pub file: Option<PathBuf>,
    /// UDF to open, if the file holds several.
    #[arg(long)]
    pub udf: Option<String>,
    /// Data file whose rows are tested instead of made-up ones.
    #[arg(long, value_name = "FILE")]
    pub data: Option<PathBuf>,
    /// Leave the mouse to the terminal.
    #[arg(long)]
    pub no_mouse: bool,
    /// Colours of the screen.
    #[arg(long, value_name = "NAME")]
    pub theme: Option<String>,
    /// Settings of the session.
    #[command(flatten)]
    pub settings: SettingsArgs,
    /// What to do.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// Flags of every command.
    #[command(flatten)]
    pub common: Common,
}

impl Cli {
    /// Parses a command line. Flags of every command may stand on both sides of the command's name; what is about the
    /// workbench stands where there is no command.
    pub fn parse_line(args: impl IntoIterator<Item = OsString>) -> Result<Cli, clap::Error> {
        let mut command = Cli::command();
        let matches = command.try_get_matches_from_mut(args)?;
        misplaced(&mut command, &matches)?;
        Cli::from_arg_matches(&matches).map_err(|e| e.format(&mut command))
    }
}

/// Refuses what stands before a command and is not for it: it would be passed over in silence.
fn misplaced(command: &mut clap::Command, matches: &ArgMatches) -> Result<(), clap::Error> {
    let Some(name) = matches.subcommand_name() else {
        return Ok(());
    };
    let given = |a: &&clap::Arg| {
        !a.is_global_set() && matches.value_source(a.get_id().as_str()) == Some(ValueSource::CommandLine)
    };
    let Some(arg) = command.get_arguments().find(given).map(ToString::to_string) else {
        return Ok(());
    };
    let why = format!("'{arg}' cannot stand before the command '{name}'; what is for the command stands after it");
    Err(command.error(ErrorKind::ArgumentConflict, why))
}

/// Flags of every command.
#[derive(Debug, Clone, Args)]
pub struct Common {
    /// Print JSON: one object, or one per line.
    #[arg(long, global = true)]
    pub json: bool,
    /// Print only what was asked for.
    #[arg(long, short, global = true)]
    pub quiet: bool,
    /// Colours: auto, always or never (NO_COLOR counts too).
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto)]
    pub color: Color,
    /// Session folder to open or to record into.
    #[arg(long, global = true, value_name = "PATH")]
    pub session: Option<PathBuf>,
}

/// When to colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal only.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// List the UDFs in files and folders (respects .gitignore).
    Find(FindArgs),
    /// Print the text of a rewrite.
    Propose(ProposeArgs),
    /// Run the original, or a candidate, over a data file.
    Eval(EvalArgs),
    /// Test rewrites against the original.
    Check(CheckArgs),
    /// Time a kernel on a GPU and the original on the CPU, and say what the times allow.
    Bench(BenchArgs),
    /// Run the original and an SQL rewrite over a whole table or Parquet files on a Spark cluster, and compare every row.
    Verify(VerifyArgs),
    /// Recorded work.
    #[command(subcommand)]
    Session(SessionCommand),
    /// Show a session step by step, or run its tests again.
    Replay {
        /// Session folder.
        path: PathBuf,
        /// Run every recorded test again and report each outcome that differs.
        #[arg(long)]
        verify: bool,
        /// Also run what the session's code needs a JVM, Spark, a compiler or a GPU for: you trust where it comes from.
        #[arg(long, requires = "verify")]
        trust: bool,
    },
    /// Say what this machine can do, and how to get what is missing.
    Doctor,
    /// Get what rewright can use and this machine does not have.
    #[command(subcommand)]
    Setup(SetupCommand),
    /// Run kernels for another rewright, which talks to it over standard input and output.
    #[command(subcommand, hide = true)]
    Worker(WorkerCommand),
    /// Print shell completions.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Print the manual page (roff).
    Man,
}

/// What to get.
#[derive(Debug, Subcommand)]
pub enum SetupCommand {
    /// A Spark for the jvm and spark oracles and the spark engine, in the cache (asks the Python package index).
    Spark {
        /// Which Spark.
        #[arg(long, value_enum, default_value_t = SparkVersion::V3_5)]
        version: SparkVersion,
    },
    /// NVRTC, the compiler of CUDA kernels, in the cache (asks the Python package index). It needs no GPU.
    Cuda {
        /// For which CUDA; a driver takes kernels of its own version and of earlier ones.
        #[arg(long, value_enum, default_value_t = CudaVersion::V13)]
        version: CudaVersion,
    },
}

/// What a worker runs kernels on.
#[derive(Debug, Subcommand)]
pub enum WorkerCommand {
    /// A GPU of this machine.
    Gpu {
        /// Its number.
        #[arg(long, value_name = "N", default_value_t = 0)]
        device: u32,
    },
    /// The CPU.
    CudaHost,
}

/// A CUDA whose compiler can be set up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CudaVersion {
    /// CUDA 12.
    #[value(name = "12")]
    V12,
    /// CUDA 13.
    #[value(name = "13")]
    V13,
}

/// A Spark that can be set up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SparkVersion {
    /// Spark 3.5 with Scala 2.12.
    #[value(name = "3.5")]
    V3_5,
    /// Spark 4 with Scala 2.13.
    #[value(name = "4")]
    V4,
}

/// What to do with recorded work.
#[derive(Debug, Subcommand)]
pub enum SessionCommand {
    /// List the sessions in this folder and in the state folder.
    List,
    /// Print the steps of one session.
    Show {
        /// Session folder.
        path: PathBuf,
    },
}

/// Arguments of `find`.
#[derive(Debug, Args)]
pub struct FindArgs {
    /// Files and folders.
    #[arg(required = true)]
    pub paths: Vec<PathBuf>,
}

/// Which UDF.
#[derive(Debug, Args)]
pub struct Which {
    /// Source file.
    pub file: PathBuf,
    /// Name of the UDF, or one of its other names, as `find` prints them.
    #[arg(long, value_name = "NAME")]
    pub udf: Option<String>,
}

/// A tier on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TierArg {
    /// A Spark SQL expression.
    Sql,
    /// A class with evaluateColumnar.
    Cudf,
    /// A CUDA kernel.
    Cuda,
}

impl From<TierArg> for Tier {
    fn from(t: TierArg) -> Tier {
        match t {
            TierArg::Sql => Tier::Sql,
            TierArg::Cudf => Tier::Cudf,
            TierArg::Cuda => Tier::Cuda,
        }
    }
}

/// Arguments of `propose`.
#[derive(Debug, Args)]
pub struct ProposeArgs {
    /// Which UDF.
    #[command(flatten)]
    pub which: Which,
    /// Which tier; without it the best-ranked one.
    #[arg(long, value_enum)]
    pub tier: Option<TierArg>,
}

/// Settings that change what a run means.
#[derive(Debug, Args)]
pub struct SettingsArgs {
    /// Turn spark.sql.ansi.enabled on.
    #[arg(long)]
    pub ansi: bool,
    /// Session time zone (an IANA name).
    #[arg(long, value_name = "ZONE")]
    pub time_zone: Option<String>,
    /// What runs the original: embedded, jvm or spark; without it jvm where `doctor` finds a JDK and a Spark, else embedded.
    #[arg(long, value_name = "NAME")]
    pub oracle: Option<String>,
    /// What runs the candidate: cpu, or spark for the sql tier, cudf for the cudf tier, or cuda or cuda-host for the cuda tier.
    #[arg(long, value_name = "NAME")]
    pub engine: Option<String>,
    /// Which GPU the engines cuda and cudf use, as `doctor` lists them.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub device: u32,
    /// Jars and class folders that the original needs beside Spark's, separated by colons.
    #[arg(long, value_name = "PATHS", value_delimiter = ':')]
    pub classpath: Vec<PathBuf>,
    /// The accelerator's jar (rapids-4-spark), or a cudf jar, that cudf candidates are compiled against and the engine cudf
    /// calls; without it one among Spark's jars, else its signatures.
    #[arg(long, value_name = "JAR")]
    pub rapids_jar: Option<PathBuf>,
    /// Where the native libraries of that jar are (libcudf.so, libcudfjni.so), for the engine cudf; without it inside the jar.
    #[arg(long, value_name = "DIR")]
    pub rapids_native_dir: Option<PathBuf>,
}

/// A candidate of the user's.
#[derive(Debug, Args)]
pub struct CandidateArgs {
    /// File with the candidate's text; its tier comes from --tier, else from .sql, .scala or .cu.
    #[arg(long, value_name = "FILE")]
    pub candidate: Option<PathBuf>,
    /// Which tier.
    #[arg(long, value_enum)]
    pub tier: Option<TierArg>,
}

/// Arguments of `eval`.
#[derive(Debug, Args)]
pub struct EvalArgs {
    /// Which UDF.
    #[command(flatten)]
    pub which: Which,
    /// Input table (.parquet, .arrow, .csv, .jsonl).
    #[arg(long, value_name = "FILE")]
    pub data: PathBuf,
    /// Where the outcomes go.
    #[arg(long, short, value_name = "FILE")]
    pub output: PathBuf,
    /// A candidate to run instead of the original.
    #[command(flatten)]
    pub candidate: CandidateArgs,
    /// Settings.
    #[command(flatten)]
    pub settings: SettingsArgs,
}

/// Arguments of `check`.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// Which UDF; without --udf all of the file.
    #[command(flatten)]
    pub which: Which,
    /// A candidate; without it the proposals of every tier.
    #[command(flatten)]
    pub candidate: CandidateArgs,
    /// Input table; without it inputs are made up.
    #[arg(long, value_name = "FILE")]
    pub data: Option<PathBuf>,
    /// Number of made-up rows: digits, or a power such as 2^20.
    #[arg(long, value_name = "N", value_parser = batch_rows)]
    pub rows: Option<usize>,
    /// Seed of the made-up rows.
    #[arg(long, value_name = "S")]
    pub seed: Option<u64>,
    /// Accepted differences (TOML).
    #[arg(long, value_name = "FILE")]
    pub policy: Option<PathBuf>,
    /// See that a kernel on a GPU keeps to its memory: live bytes over many calls, and compute-sanitizer if it is there.
    #[arg(long)]
    pub memcheck: bool,
    /// Print Markdown for a pull request, with data masked.
    #[arg(long, conflicts_with = "json")]
    pub markdown: bool,
    /// Show data in Markdown.
    #[arg(long, requires = "markdown")]
    pub show_data: bool,
    /// Settings.
    #[command(flatten)]
    pub settings: SettingsArgs,
}

/// Arguments of `verify`.
#[derive(Debug, Args)]
pub struct VerifyArgs {
    /// Which UDF.
    #[command(flatten)]
    pub which: Which,
    /// A candidate; without it the proposal of the sql tier.
    #[command(flatten)]
    pub candidate: CandidateArgs,
    /// Parquet files (a path, or a URL that Spark reads) or the name of a table.
    #[arg(long, value_name = "TABLE_OR_PARQUET")]
    pub input: String,
    /// Spark's master: local[N], spark://HOST:PORT, yarn, k8s://….
    #[arg(long, value_name = "URL")]
    pub master: String,
    /// A setting of Spark; can be given again.
    #[arg(long, value_name = "KEY=VALUE")]
    pub conf: Vec<String>,
    /// Stop once so many rows differ outside of the policy.
    #[arg(long, value_name = "N")]
    pub max_mismatches: Option<std::num::NonZeroU64>,
    /// Rows kept per class of difference.
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub samples: usize,
    /// Accepted differences (TOML).
    #[arg(long, value_name = "FILE")]
    pub policy: Option<PathBuf>,
    /// Turn spark.sql.ansi.enabled on.
    #[arg(long)]
    pub ansi: bool,
    /// Session time zone (an IANA name).
    #[arg(long, value_name = "ZONE")]
    pub time_zone: Option<String>,
    /// Jars that the original needs beside Spark's, separated by colons.
    #[arg(long, value_name = "PATHS", value_delimiter = ':')]
    pub classpath: Vec<PathBuf>,
}

/// Arguments of `bench`.
#[derive(Debug, Args)]
pub struct BenchArgs {
    /// Which UDF.
    #[command(flatten)]
    pub which: Which,
    /// A candidate; without it the proposal of the cuda tier.
    #[command(flatten)]
    pub candidate: CandidateArgs,
    /// Rows on the device, as 16777216 or 2^24; without it 2^24, or as many as --data has.
    #[arg(long, value_name = "N", value_parser = rows)]
    pub rows: Option<u64>,
    /// Input table whose rows are repeated; without it inputs are made up.
    #[arg(long, value_name = "FILE", conflicts_with = "null_share")]
    pub data: Option<PathBuf>,
    /// Seed of the made-up rows.
    #[arg(long, value_name = "S")]
    pub seed: Option<u64>,
    /// Share of nulls in every column, from 0 to 1; without it as `check` makes them.
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub null_share: Option<f64>,
    /// A cuDF rewrite of yours (Scala or Java) that takes turns with the kernel instead of the proposal: called by your cuDF library
    /// (--rapids-jar), or without one each call as a kernel of its own.
    #[arg(long, value_name = "FILE")]
    pub rival: Option<PathBuf>,
    /// Go through sizes from a thousand rows on, with a chart and where the GPU becomes faster.
    #[arg(long)]
    pub sweep: bool,
    /// Time other shapes of the kernel, each compared with the original first: rows of a thread, threads of a block and so on.
    #[arg(long)]
    pub tune: bool,
    /// Compare with an earlier result (what -o wrote).
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Write the result as JSON, every sample in it.
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Accepted differences of what was timed (TOML).
    #[arg(long, value_name = "FILE")]
    pub policy: Option<PathBuf>,
    /// Rows of the job that the gain is worked out for; without it --rows.
    #[arg(long, value_name = "N", value_parser = rows)]
    pub job_rows: Option<u64>,
    /// Share of the job's time on the CPU that the UDF takes, above 0 up to 1.
    #[arg(long, value_name = "SHARE", value_parser = part, default_value_t = crate::measure::JOB_SHARE)]
    pub job_share: f64,
    /// Price of an hour on the machine with the GPU over that of the one without.
    #[arg(long, value_name = "RATIO", value_parser = ratio)]
    pub price_ratio: Option<f64>,
    /// Settings.
    #[command(flatten)]
    pub settings: SettingsArgs,
}

/// Digits, or a power such as 2^28.
fn count(text: &str) -> Result<u64, String> {
    let number = |t: &str| t.replace('_', "").parse::<u64>().map_err(|e| e.to_string());
    match text.split_once('^') {
        Some((base, exponent)) => {
            let exponent = u32::try_from(number(exponent)?).map_err(|e| e.to_string())?;
            Ok(number(base)?.checked_pow(exponent).ok_or("it is too large")?)
        }
        None => number(text),
    }
}

/// Rows of one batch.
fn batch_rows(text: &str) -> Result<usize, String> {
    let rows = count(text)?;
    i32::try_from(rows).map_err(|_| "a batch holds fewer than 2^31 rows".to_owned())?;
    Ok(rows as usize)
}

/// Rows on a device.
fn rows(text: &str) -> Result<u64, String> {
    match count(text)? {
        0 => Err("there has to be a row".into()),
        n if n > 1 << 40 => Err("no device has room for so many".into()),
        n => Ok(n),
    }
}

fn within(text: &str, fits: impl Fn(f64) -> bool, what: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| "it is no number".to_owned())?;
    fits(number).then_some(number).ok_or_else(|| what.to_owned())
}

fn share(text: &str) -> Result<f64, String> {
    within(text, |x| (0.0..=1.0).contains(&x), "a share lies between 0 and 1")
}

fn part(text: &str) -> Result<f64, String> {
    within(text, |x| x > 0.0 && x <= 1.0, "the share lies above 0, up to 1")
}

fn ratio(text: &str) -> Result<f64, String> {
    within(text, |x| x > 0.0 && x.is_finite(), "a ratio of prices is above 0")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_digits_or_powers() {
        assert_eq!((batch_rows("0"), batch_rows("2^26")), (Ok(0), Ok(1 << 26)));
        assert!(batch_rows("2^31").is_err() && batch_rows("-1").is_err());
        assert_eq!((rows("2^28"), rows("1_000"), rows("7")), (Ok(1 << 28), Ok(1000), Ok(7)));
        assert!(
            [rows("0"), rows("2^70"), rows("x"), rows("2^63")]
                .iter()
                .all(Result::is_err)
        );
        assert!(part("0").is_err() && share("0").is_ok() && share("1.1").is_err() && ratio("inf").is_err());
    }
}
