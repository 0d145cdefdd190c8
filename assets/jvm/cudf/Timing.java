package rewright.worker.cudf;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.ColumnView;
import ai.rapids.cudf.Cuda;
import ai.rapids.cudf.CudaException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import rewright.worker.Failure;

/**
 * Times a candidate, one call a sample: from its start until the device has done all of it. The columns are there before, the rows of
 * a stream over and over; the result is freed after the clock has stopped.
 */
final class Timing {
  private String key = "";
  private final List<ColumnVector> columns = new ArrayList<>();
  /** Rows of the stream. */
  private int tile;

  void sample(Candidate candidate, JsonNode request, ObjectNode reply) {
    int rows = request.path("rows").asInt();
    try {
      String asked = rows + " " + request.path("input").asText();
      if (!asked.equals(key)) {
        load(request, rows);
        key = asked;
      }
      ColumnVector[] arguments = columns.toArray(new ColumnVector[0]);
      takeTurn();
      long start = System.nanoTime();
      ColumnVector result = candidate.evaluate(rows, arguments);
      Cuda.DEFAULT_STREAM.sync();
      reply.put("ns", System.nanoTime() - start);
      finish(result, rows, request.path("output").asText(), reply);
    } catch (OutOfMemoryError e) {
      throw new Failure("memory", Natives.why(e));
    } catch (CudaException e) {
      throw new Failure("fatal", Natives.why(e));
    } catch (Failure f) {
      throw f;
    } catch (Throwable t) {
      throw new Failure("unsupported", "the call threw " + Failure.describe(t, candidate.file));
    }
  }

  /** Has the device work for this process: another one had it meanwhile, and the change is no part of the call. */
  private void takeTurn() {
    if (!columns.isEmpty()) {
      columns.get(0).subVector(0, 1).close();
    }
    Cuda.DEFAULT_STREAM.sync();
  }

  /** Keeps the first rows of a result where they are asked for. */
  private void finish(ColumnVector result, int rows, String output, ObjectNode reply) {
    if (result == null || result.getRowCount() != rows) {
      throw new Failure("unsupported", "the call gave no column of " + rows + " rows");
    }
    try {
      if (!output.isEmpty()) {
        try (ColumnVector first = result.subVector(0, Math.min(tile, rows))) {
          ToHost.write(first, Paths.get(output));
        }
        reply.put("tile", Math.min(tile, rows));
      }
    } finally {
      result.close();
    }
  }

  private void load(JsonNode request, int rows) {
    columns.forEach(ColumnVector::close);
    columns.clear();
    tile = ToDevice.columns(request.path("input").asText(), once -> {
      try (once) {
        columns.add(repeated(once, rows));
      }
    });
  }

  /** The rows of a column over and over, so many. */
  private static ColumnVector repeated(ColumnVector once, int rows) {
    int length = (int) once.getRowCount();
    if (rows <= length) {
      return once.subVector(0, rows);
    }
    ColumnView[] parts = new ColumnView[(rows + length - 1) / length];
    Arrays.fill(parts, once);
    try (ColumnVector rest = once.subVector(0, rows - (parts.length - 1) * length)) {
      parts[parts.length - 1] = rest;
      return ColumnVector.concatenate(parts);
    }
  }
}
