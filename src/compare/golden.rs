//! The cases of `tests/data/compare`, which every comparer gives the same answer to.

use std::sync::Arc;

use arrow::array::*;
use arrow::buffer::OffsetBuffer;
use arrow::datatypes::*;
use serde_json::Value;

use super::*;

/// A type of Spark's DDL, as far as the cases use it.
fn parse(text: &str) -> DataType {
    let inner = |prefix: &str| text.strip_prefix(prefix)?.strip_suffix('>');
    if let Some(item) = inner("array<") {
        return DataType::List(Arc::new(Field::new("item", parse(item), true)));
    }
    if let Some(fields) = inner("struct<") {
        let field = |f: &str| {
            let (name, ty) = f.split_once(':').unwrap();
            Field::new(name, parse(ty), true)
        };
        return DataType::Struct(split(fields).into_iter().map(field).collect());
    }
    if let Some(entry) = inner("map<") {
        let parts = split(entry);
        let fields = vec![
            Field::new("keys", parse(parts[0]), false),
            Field::new("values", parse(parts[1]), true),
        ];
        return DataType::Map(
            Arc::new(Field::new("entries", DataType::Struct(fields.into()), false)),
            false,
        );
    }
    if let Some(digits) = text.strip_prefix("decimal(").and_then(|t| t.strip_suffix(')')) {
        let (p, s) = digits.split_once(',').unwrap();
        return DataType::Decimal128(p.parse().unwrap(), s.parse().unwrap());
    }
    match text {
        "boolean" => DataType::Boolean,
        "tinyint" => DataType::Int8,
        "smallint" => DataType::Int16,
        "int" => DataType::Int32,
        "bigint" => DataType::Int64,
        "float" => DataType::Float32,
        "double" => DataType::Float64,
        "string" => DataType::Utf8,
        "binary" => DataType::Binary,
        "date" => DataType::Date32,
        "timestamp" => DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())),
        "timestamp_ntz" => DataType::Timestamp(TimeUnit::Microsecond, None),
        other => panic!("no type {other}"),
    }
}

/// Splits at the commas outside of brackets.
fn split(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut from) = (Vec::new(), 0, 0);
    for (i, c) in text.char_indices() {
        match c {
            '<' | '(' => depth += 1,
            '>' | ')' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&text[from..i]);
                from = i + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[from..]);
    parts
}

fn double(v: &Value) -> f64 {
    match v.as_str() {
        Some(text) => match text.strip_prefix("bits:0x") {
            Some(bits) => f64::from_bits(u64::from_str_radix(bits, 16).unwrap()),
            None => text.parse().unwrap(),
        },
        None => v.as_f64().unwrap(),
    }
}

fn single(v: &Value) -> f32 {
    let text = v.as_str().unwrap();
    match text.strip_prefix("bits:0x") {
        Some(bits) => f32::from_bits(u32::from_str_radix(bits, 16).unwrap()),
        None => text.parse().unwrap(),
    }
}

fn bytes(v: &Value) -> Vec<u8> {
    let hex = v.as_str().unwrap().strip_prefix("0x").unwrap();
    let byte = |i: usize| u8::from_str_radix(&hex[i..i + 2], 16).unwrap();
    (0..hex.len()).step_by(2).map(byte).collect()
}

fn array(ty: &DataType, values: &[&Value]) -> ArrayRef {
    let some = |v: &&Value| (!v.is_null()).then_some(());
    let int = |v: &&Value| some(v).map(|()| v.as_i64().unwrap());
    let valid = || Some(values.iter().map(|v| !v.is_null()).collect::<Vec<_>>().into());
    let lists = || values.iter().map(|v| v.as_array().map_or(&[][..], Vec::as_slice));
    let offsets = || OffsetBuffer::from_lengths(lists().map(<[Value]>::len));
    match ty {
        DataType::Boolean => Arc::new(values.iter().map(|v| v.as_bool()).collect::<BooleanArray>()),
        DataType::Int8 => Arc::new(values.iter().map(|v| int(v).map(|x| x as i8)).collect::<Int8Array>()),
        DataType::Int16 => Arc::new(values.iter().map(|v| int(v).map(|x| x as i16)).collect::<Int16Array>()),
        DataType::Int32 => Arc::new(values.iter().map(|v| int(v).map(|x| x as i32)).collect::<Int32Array>()),
        DataType::Date32 => Arc::new(values.iter().map(|v| int(v).map(|x| x as i32)).collect::<Date32Array>()),
        DataType::Int64 => Arc::new(values.iter().map(int).collect::<Int64Array>()),
        DataType::Timestamp(_, zone) => {
            let plain = values.iter().map(int).collect::<TimestampMicrosecondArray>();
            Arc::new(plain.with_timezone_opt(zone.clone()))
        }
        DataType::Float32 => Arc::new(
            values
                .iter()
                .map(|v| some(v).map(|()| single(v)))
                .collect::<Float32Array>(),
        ),
        DataType::Float64 => Arc::new(
            values
                .iter()
                .map(|v| some(v).map(|()| double(v)))
                .collect::<Float64Array>(),
        ),
        DataType::Utf8 => Arc::new(values.iter().map(|v| v.as_str()).collect::<StringArray>()),
        DataType::Binary => Arc::new(
            values
                .iter()
                .map(|v| some(v).map(|()| bytes(v)))
                .collect::<BinaryArray>(),
        ),
        DataType::Decimal128(p, s) => {
            let digits = |v: &&Value| v.as_str().map(|t| t.replace('.', "").parse::<i128>().unwrap());
            let plain = values.iter().map(digits).collect::<Decimal128Array>();
            Arc::new(plain.with_precision_and_scale(*p, *s).unwrap())
        }
        DataType::List(item) => {
            let items: Vec<&Value> = lists().flatten().collect();
            let items = array(item.data_type(), &items);
            Arc::new(ListArray::new(item.clone(), offsets(), items, valid()))
        }
        DataType::Struct(fields) => {
            let column = |i: usize, f: &Field| {
                let below: Vec<&Value> = values.iter().map(|v| v.get(i).unwrap_or(&Value::Null)).collect();
                array(f.data_type(), &below)
            };
            let columns = fields.iter().enumerate().map(|(i, f)| column(i, f)).collect();
            Arc::new(StructArray::new(fields.clone(), columns, valid()))
        }
        DataType::Map(entries, sorted) => {
            let pairs: Vec<&Value> = lists().flatten().collect();
            let pairs = array(entries.data_type(), &pairs);
            let pairs = StructArray::from(pairs.to_data());
            Arc::new(MapArray::new(entries.clone(), offsets(), pairs, valid(), *sorted))
        }
        other => panic!("no values of {other}"),
    }
}

fn outcome(ty: &DataType, v: &Value) -> Outcome {
    match v.get("threw") {
        Some(class) => Outcome {
            errors: Some(StringArray::from(vec![class.as_str()])),
            ..Outcome::of_values(array(ty, &[&Value::Null]))
        },
        None => Outcome::of_values(array(ty, &[v])),
    }
}

fn found(case: &Value) -> Vec<Value> {
    let ty = parse(case["type"].as_str().unwrap());
    let other = case["candidate_type"].as_str().map_or(ty.clone(), parse);
    let args = case["args"].as_array().map_or(&[][..], Vec::as_slice);
    let columns = args.iter().enumerate().map(|(i, a)| {
        let column: ArrayRef = Arc::new(StringArray::from(vec![a.as_str()]));
        (format!("a{i}"), column)
    });
    let columns: Vec<_> = columns
        .chain([("n".to_owned(), Arc::new(Int32Array::from(vec![1])) as ArrayRef)])
        .collect();
    let inputs = RecordBatch::try_from_iter(columns).unwrap();
    let (a, b) = (outcome(&ty, &case["original"]), outcome(&other, &case["candidate"]));
    let result = compare(&inputs, &a, &b, &Policy::default());
    let json = |m: &Mismatch| {
        serde_json::json!({
            "path": m.path, "class": m.class, "ulp": m.ulp, "abs": m.abs, "rel": m.rel,
        })
    };
    result.sample.iter().map(json).collect()
}

#[test]
fn the_golden_cases_compare_as_they_say() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/compare");
    let (mut wrong, mut count) = (Vec::new(), 0);
    for file in std::fs::read_dir(folder).unwrap().flatten() {
        if file.path().extension().is_none_or(|e| e != "jsonl") {
            continue;
        }
        for line in std::fs::read_to_string(file.path()).unwrap().lines() {
            let case: Value = serde_json::from_str(line).unwrap();
            let (found, expected) = (found(&case), case["expect"].as_array().unwrap());
            count += 1;
            if &found != expected {
                wrong.push(format!("{}: {} is {found:?}", file.path().display(), case["name"]));
            }
        }
    }
    assert!(count > 100 && wrong.is_empty(), "{count} cases\n{}", wrong.join("\n"));
}
