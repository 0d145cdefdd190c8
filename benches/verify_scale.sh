#!/bin/bash
# Proof at scale against Spark's own time, in one run: `rewright verify` over many rows, and Spark running the UDF and the SQL
# expression once each over the same rows. Also follows the driver's memory.
#
#   SPARK_HOME=… benches/verify_scale.sh [ROWS] [REWRIGHT]      (50,000,000 rows, target/release/rewright)
set -euo pipefail
rows=${1:-50000000}
rewright=${2:-target/release/rewright}
here=$(cd "$(dirname "$0")" && pwd)
jars="${SPARK_HOME:?the folder of a Spark distribution}/jars"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sql='celsius * 9.0D / 5.0D + 32.0D'
opens=()
for p in java.lang java.lang.invoke java.lang.reflect java.io java.net java.nio java.util java.util.concurrent \
  java.util.concurrent.atomic sun.nio.ch sun.nio.cs sun.security.action sun.util.calendar; do
  opens+=("--add-opens=java.base/$p=ALL-UNNAMED")
done

echo "object BenchEntry { def apply(): Any = org.apache.spark.sql.functions.udf(new weather.stations.ToFahrenheit) }" > "$work/BenchEntry.scala"
java -cp "$jars/*" scala.tools.nsc.Main -usejavacp -nowarn -d "$work" "$here/../assets/samples/ToFahrenheit.scala" "$work/BenchEntry.scala"
javac -nowarn -proc:none -cp "$work:$jars/*" -d "$work" "$here/VerifyScale.java"
printf 'status = warn\nrootLogger.level = error\n' > "$work/log4j2.properties"
spark() {
  java "${opens[@]}" -Xmx1g -Dspark.master="local[2]" -Dspark.app.name=bench -Dspark.ui.enabled=false \
    -Dspark.sql.session.timeZone=UTC -Dlog4j2.configurationFile="$work/log4j2.properties" -cp "$work:$jars/*" VerifyScale "$@" 2> "$work/err" ||
    { tail -5 "$work/err" >&2; return 1; }
}
now() { date +%s%3N; }

spark make "$work/rows" "$rows"
echo "$rows rows in $(du -sh "$work/rows" | cut -f1) of Parquet"
echo "$sql" > "$work/candidate.sql"

# Spark's own two runs come before and after, so that a machine that gets slower or faster shows.
start=$(now)
spark both "$work/rows" "$sql" | tee "$work/before.json"
echo "  Spark, whole application: $(($(now) - start)) ms"

start=$(now)
"$rewright" verify "$here/../assets/samples/ToFahrenheit.scala" --candidate "$work/candidate.sql" --tier sql --input "$work/rows" \
  --master 'local[2]' --json > "$work/verify.jsonl" &
pid=$!
# The driver is the one child that runs SparkSubmit; its resident memory every second.
while kill -0 $pid 2> /dev/null; do
  for child in $(cat /proc/$pid/task/*/children 2> /dev/null); do
    if tr '\0' ' ' < "/proc/$child/cmdline" 2> /dev/null | grep -q SparkSubmit; then
      echo "$(($(now) - start)) $(awk '/^VmRSS/ {print $2}' "/proc/$child/status" 2> /dev/null)" >> "$work/rss"
    fi
  done
  sleep 1
done
wait $pid && code=0 || code=$?
echo "verify: exit $code, $(($(now) - start)) ms with compiling and starting"
spark both "$work/rows" "$sql" | tee "$work/after.json"

python3 - "$work" << 'PYTHON'
import json, sys
work = sys.argv[1]
last = json.loads(open(work + "/verify.jsonl").read().splitlines()[-1])
result = last["result"]
job = result["evidence"]["run_ms"]
spark = [sum(json.load(open(f"{work}/{n}.json")).values()) for n in ("before", "after")]
rss = [int(l.split()[1]) // 1024 for l in open(work + "/rss") if len(l.split()) == 2]
half = rss[len(rss) // 2:]
print(f"{result['verdict']}: {result['rows']} rows, {result['different_rows']} differ")
print(f"verify's run {job} ms; Spark's UDF + SQL {spark} ms; ratio {job / (sum(spark) / len(spark)):.2f}")
print(f"driver RSS in MiB, every tenth of the run: {rss[::max(1, len(rss) // 10)]}, second half {min(half)}..{max(half)}")
PYTHON
