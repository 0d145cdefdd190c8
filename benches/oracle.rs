//! The embedded oracle against a native Rust closure over the same column: `celsius * 9.0 / 5.0 + 32.0` with nulls, one thread and all.

use std::sync::Arc;

use arrow::array::{Array, Float64Array, RecordBatch};
use arrow::datatypes::{DataType, Field, Schema};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rewright::run::embedded::Embedded;
use rewright::run::{Cancel, Evaluator, Settings};
use rewright::source::{Language, SourceFile};

const ROWS: usize = 1_000_000;
const SOURCE: &str = "import org.apache.spark.sql.functions.udf
object Sensor {
  val toFahrenheit = udf((celsius: java.lang.Double) => if (celsius == null) null else Double.box(celsius * 9.0 / 5.0 + 32.0))
  val luhn = udf((n: Long) => { var s = 0L; var r = n; while (r > 0) { s += r % 10; r /= 10 }; s % 10 == 0 })
}
";

fn oracle(name: &str, batch: &RecordBatch) -> Embedded {
    let file = SourceFile::from_text("Sensor.scala", Language::Scala, SOURCE);
    let found = rewright::find::find(&file);
    let udf = found.udfs.iter().find(|u| u.name == name).expect("the UDF is found");
    let mut oracle = Embedded::new(udf, Settings::default()).expect("the UDF is covered");
    oracle.prepare(&batch.schema()).expect("the column fits");
    oracle
}

fn batch(column: arrow::array::ArrayRef) -> RecordBatch {
    let field = Field::new("a", column.data_type().clone(), true);
    RecordBatch::try_new(Arc::new(Schema::new(vec![field])), vec![column]).expect("one column")
}

fn fahrenheit(c: &mut Criterion) {
    let values = (0..ROWS).map(|i| (i % 100 != 0).then_some(i as f64 / 7.0 - 40.0));
    let column = Arc::new(Float64Array::from_iter(values));
    let batch = batch(column.clone());
    let mut oracle = oracle("toFahrenheit", &batch);
    let mut group = c.benchmark_group("fahrenheit");
    group.throughput(Throughput::Elements(ROWS as u64)).sample_size(10);
    group.bench_function("native closure, one thread", |b| {
        b.iter(|| {
            column
                .iter()
                .map(|v| v.map(|v| v * 9.0 / 5.0 + 32.0))
                .collect::<Float64Array>()
        })
    });
    group.bench_function("embedded oracle, all threads", |b| {
        b.iter(|| oracle.eval(&batch, &Cancel::default()).expect("it runs"))
    });
    group.finish();
}

fn digits(c: &mut Criterion) {
    let column = Arc::new(arrow::array::Int64Array::from_iter_values(
        (0..ROWS as i64).map(|i| i * 7919),
    ));
    let batch = batch(column);
    assert_eq!(batch.column(0).data_type(), &DataType::Int64);
    let mut oracle = oracle("luhn", &batch);
    let mut group = c.benchmark_group("digit sum loop");
    group.throughput(Throughput::Elements(ROWS as u64)).sample_size(10);
    group.bench_function("embedded oracle, all threads", |b| {
        b.iter(|| oracle.eval(&batch, &Cancel::default()).expect("it runs"))
    });
    group.finish();
}

criterion_group!(benches, fahrenheit, digits);
criterion_main!(benches);
