//! The stand-in for the library, built once, with the ways in which an installation can be broken; columns of every type.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, OnceLock};

use arrow::array::*;
use arrow::datatypes::{DataType, Field, Fields, Int32Type};
use rewright::run::spark::Kit;

const SOURCES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/fake_cudf/ai/rapids/cudf");

fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fake_cudf");
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn tool(name: &str, args: &[&std::ffi::OsStr]) {
    let java = Kit::find(&[]).unwrap().java;
    let program = java.home.join("bin").join(name);
    let out = Command::new(&program).args(args).output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
}

fn classes() -> &'static Path {
    static MADE: OnceLock<PathBuf> = OnceLock::new();
    MADE.get_or_init(|| {
        let into = folder().join("classes");
        let _ = std::fs::remove_dir_all(&into);
        let sources: Vec<PathBuf> = std::fs::read_dir(SOURCES)
            .unwrap()
            .map(|e| e.unwrap().path())
            .filter(|p| p.extension().is_some_and(|e| e == "java"))
            .collect();
        let mut args: Vec<&std::ffi::OsStr> = vec!["-nowarn".as_ref(), "-g".as_ref(), "-d".as_ref(), into.as_ref()];
        args.extend(sources.iter().map(|p| p.as_os_str()));
        tool("javac", &args);
        into
    })
}

/// Whether a jar was made after the last change to the sources: one that stays the same is not made, nor compiled against, again.
fn is_fresh(jar: &Path) -> bool {
    let modified = |p: &Path| std::fs::metadata(p).and_then(|m| m.modified()).ok();
    let older = "older/com/nvidia/spark/RapidsUDF.java";
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/fake_cudf");
    let sources = std::fs::read_dir(SOURCES).unwrap().map(|e| e.unwrap().path());
    let newest = sources.chain([data.join(older)]).filter_map(|p| modified(&p)).max();
    modified(jar) > newest
}

/// A jar of the classes with a mode.
pub fn with_mode(mode: &str) -> PathBuf {
    let jar = folder().join(format!("cudf-{mode}.jar"));
    if is_fresh(&jar) {
        return jar;
    }
    let file = folder().join(mode);
    std::fs::create_dir_all(&file).unwrap();
    std::fs::write(file.join("mode.properties"), format!("mode={mode}\n")).unwrap();
    let dash = std::ffi::OsStr::new("-C");
    let dot = std::ffi::OsStr::new(".");
    let args = [
        "cf".as_ref(),
        jar.as_os_str(),
        dash,
        classes().as_ref(),
        dot,
        dash,
        file.as_ref(),
        dot,
    ];
    tool("jar", &args);
    jar
}

/// A jar of an older release, whose interface has no number of rows.
pub fn older() -> PathBuf {
    let jar = folder().join("older.jar");
    if is_fresh(&jar) {
        return jar;
    }
    let into = folder().join("older");
    let source = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/data/fake_cudf/older/com/nvidia/spark/RapidsUDF.java"
    );
    let on: [&std::ffi::OsStr; 2] = ["-cp".as_ref(), classes().as_ref()];
    tool(
        "javac",
        &[&on[..], &["-d".as_ref(), into.as_ref(), source.as_ref()]].concat(),
    );
    let (dash, dot) = (std::ffi::OsStr::new("-C"), std::ffi::OsStr::new("."));
    let args = [
        "cf".as_ref(),
        jar.as_os_str(),
        dash,
        classes().as_ref(),
        dot,
        dash,
        into.as_ref(),
        dot,
    ];
    tool("jar", &args);
    jar
}

/// The jar that works.
pub fn jar() -> &'static Path {
    static MADE: OnceLock<PathBuf> = OnceLock::new();
    MADE.get_or_init(|| with_mode("works"))
}

/// A jar of something else.
pub fn without_cudf() -> PathBuf {
    let jar = folder().join("other.jar");
    let file = folder().join("nothing");
    std::fs::create_dir_all(&file).unwrap();
    std::fs::write(file.join("readme.txt"), "nothing").unwrap();
    tool(
        "jar",
        &[
            "cf".as_ref(),
            jar.as_os_str(),
            "-C".as_ref(),
            file.as_ref(),
            ".".as_ref(),
        ],
    );
    jar
}

/// A file that is no jar at all.
pub fn no_jar() -> PathBuf {
    let jar = folder().join("text.jar");
    std::fs::write(&jar, "not a jar").unwrap();
    jar
}

/// Columns of every type that reaches the library, each with nulls and without, of at least three rows.
pub fn columns() -> Vec<ArrayRef> {
    let decimal = |p: u8, s: i8, v: Vec<Option<i128>>| -> ArrayRef {
        Arc::new(Decimal128Array::from(v).with_precision_and_scale(p, s).unwrap())
    };
    let mut maps = MapBuilder::new(None, StringBuilder::new(), Int32Builder::new());
    for (i, keys) in [vec!["a", "b"], vec![], vec!["c"], vec!["é"]].into_iter().enumerate() {
        for k in keys {
            maps.keys().append_value(k);
            maps.values().append_option((i != 2).then_some(i as i32));
        }
        maps.append(i != 3).unwrap();
    }
    let lists: ArrayRef = Arc::new(ListArray::from_iter_primitive::<Int32Type, _, _>([
        Some(vec![Some(1), None]),
        None,
        Some(vec![]),
        Some(vec![Some(-7)]),
    ]));
    let strings = Arc::new(StringArray::from(vec![Some("x"), None, Some(""), Some("日本")]));
    let fields: Fields = vec![
        Field::new("a", DataType::Utf8, true),
        Field::new("b", lists.data_type().clone(), true),
    ]
    .into();
    let valid = Some(vec![true, true, false, true].into());
    let structs: ArrayRef = Arc::new(StructArray::new(fields, vec![strings.clone(), lists.clone()], valid));
    let mut nested = ListBuilder::new(ListBuilder::new(StringBuilder::new()));
    for row in [Some(vec![Some("p"), None]), None, Some(vec![]), Some(vec![Some("qq")])] {
        for text in row.iter().flatten() {
            nested.values().values().append_option(*text);
            nested.values().append(true);
        }
        nested.append(row.is_some());
    }
    vec![
        Arc::new(BooleanArray::from(vec![
            Some(true),
            None,
            Some(false),
            Some(true),
            Some(true),
        ])),
        Arc::new(BooleanArray::from((0..70).map(|i| i % 3 == 0).collect::<Vec<_>>())),
        Arc::new(Int8Array::from(vec![Some(i8::MIN), None, Some(1)])),
        Arc::new(Int16Array::from(vec![Some(i16::MIN), None, Some(1)])),
        Arc::new(Int32Array::from(vec![1, 2, 3])),
        Arc::new(Int32Array::from(
            (0..200).map(|i| (i % 7 != 0).then_some(i)).collect::<Vec<_>>(),
        )),
        Arc::new(Int64Array::from(vec![Some(i64::MIN), None, Some(i64::MAX)])),
        Arc::new(Float32Array::from(vec![Some(-0.0), None, Some(f32::NAN)])),
        Arc::new(Float64Array::from(vec![Some(-0.0), None, Some(f64::MIN_POSITIVE)])),
        Arc::new(Date32Array::from(vec![Some(-1), None, Some(20000)])),
        Arc::new(TimestampMicrosecondArray::from(vec![Some(-1), None, Some(1 << 50)]).with_timezone("UTC")),
        decimal(9, 2, vec![Some(-999_999_999), None, Some(1)]),
        decimal(18, 4, vec![Some(-999_999_999_999_999_999), None, Some(1)]),
        decimal(38, 18, vec![Some(-(10i128.pow(38) - 1)), None, Some(10i128.pow(37))]),
        strings,
        Arc::new(StringArray::from(vec!["", "", ""])),
        Arc::new(StringArray::from(vec![None::<&str>, None, None])),
        Arc::new(BinaryArray::from(vec![
            Some(&b"\xff\x00"[..]),
            None,
            Some(b""),
            Some(b"z"),
        ])),
        lists,
        structs,
        Arc::new(nested.finish()),
        Arc::new(maps.finish()),
    ]
}

/// Every value as text. A map is the list of its pairs, and fields have the names that a result gives them.
pub fn texts(a: &ArrayRef) -> Vec<String> {
    (0..a.len()).map(|i| text(a, i)).collect()
}

fn text(a: &ArrayRef, i: usize) -> String {
    if a.is_null(i) {
        return "null".into();
    }
    let items = |v: ArrayRef| format!("[{}]", texts(&v).join(", "));
    match a.data_type() {
        DataType::List(_) => items(a.as_list::<i32>().value(i)),
        DataType::Map(..) => items(Arc::new(a.as_map().value(i))),
        DataType::Struct(_) => {
            let fields: Vec<String> = a.as_struct().columns().iter().map(|c| text(c, i)).collect();
            format!("({})", fields.join(", "))
        }
        DataType::Float32 => format!(
            "{:08x}",
            a.as_primitive::<arrow::datatypes::Float32Type>().value(i).to_bits()
        ),
        DataType::Float64 => format!(
            "{:016x}",
            a.as_primitive::<arrow::datatypes::Float64Type>().value(i).to_bits()
        ),
        DataType::Timestamp(..) => a
            .as_primitive::<arrow::datatypes::TimestampMicrosecondType>()
            .value(i)
            .to_string(),
        _ => arrow::util::display::array_value_to_string(a, i).unwrap(),
    }
}
