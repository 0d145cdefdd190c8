package rewright.worker.cudf;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.HostColumnVector;
import ai.rapids.cudf.HostColumnVectorCore;
import ai.rapids.cudf.HostMemoryBuffer;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorLoader;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import rewright.worker.Failure;
import rewright.worker.Results;

/** A device column to an Arrow stream of one column {@code value}, as Spark would see it. Never changes a value. */
final class ToHost implements AutoCloseable {
  private static final long CHUNK = 1 << 30;

  private final BufferAllocator memory = new RootAllocator(Long.MAX_VALUE);
  private final List<ArrowFieldNode> nodes = new ArrayList<>();
  private final List<ArrowBuf> buffers = new ArrayList<>();

  static void write(ColumnVector column, Path to) {
    try (ToHost out = new ToHost(); HostColumnVector host = column.copyToHost()) {
      Field field = out.add("value", host);
      out.store(field, (int) host.getRowCount(), to);
    }
  }

  private void store(Field field, int rows, Path to) {
    try (VectorSchemaRoot root = VectorSchemaRoot.create(new Schema(Collections.singletonList(field)), memory);
        ArrowRecordBatch batch = new ArrowRecordBatch(rows, nodes, buffers)) {
      new VectorLoader(root).load(batch);
      Results.write(root, to);
    }
  }

  /** Adds the column's buffers and those below it, parents first, as a stream has them. */
  private Field add(String name, HostColumnVectorCore c) {
    int rows = (int) c.getRowCount();
    DType type = c.getType();
    nodes.add(new ArrowFieldNode(rows, c.getNullCount()));
    buffers.add(c.getNullCount() == 0 ? memory.getEmpty() : copy(c.getValidity(), (rows + 7L) / 8));
    if (type.equals(DType.LIST)) {
      return list(name, c, rows);
    }
    if (type.equals(DType.STRUCT)) {
      List<Field> fields = new ArrayList<>();
      for (int i = 0; i < c.getNumChildren(); i++) {
        fields.add(add("_" + (i + 1), c.getChildColumnView(i)));
      }
      return new Field(name, FieldType.nullable(ArrowType.Struct.INSTANCE), fields);
    }
    if (type.equals(DType.STRING)) {
      text(c, rows);
    } else if (type.equals(DType.BOOL8)) {
      buffers.add(bits(c.getData(), rows));
    } else if (type.isDecimalType()) {
      buffers.add(decimals(c.getData(), type.getSizeInBytes(), rows));
    } else {
      buffers.add(copy(c.getData(), (long) rows * type.getSizeInBytes()));
    }
    return new Field(name, FieldType.nullable(arrow(type)), null);
  }

  private Field list(String name, HostColumnVectorCore c, int rows) {
    buffers.add(offsets(c, rows));
    HostColumnVectorCore child = c.getNumChildren() == 0 ? null : c.getChildColumnView(0);
    if (child == null) {
      throw new Failure("unsupported", "a list without a column of elements has no Spark type");
    }
    if (child.getType().equals(DType.UINT8)) {
      if (child.getNullCount() > 0) {
        throw new Failure("unsupported", "bytes that are null have no Spark type");
      }
      buffers.add(copy(child.getData(), child.getRowCount()));
      return new Field(name, FieldType.nullable(ArrowType.Binary.INSTANCE), null);
    }
    Field element = add("element", child);
    return new Field(name, FieldType.nullable(ArrowType.List.INSTANCE), Collections.singletonList(element));
  }

  private static ArrowType arrow(DType type) {
    switch (type.getTypeId()) {
      case BOOL8:
        return ArrowType.Bool.INSTANCE;
      case INT8:
        return new ArrowType.Int(8, true);
      case INT16:
        return new ArrowType.Int(16, true);
      case INT32:
        return new ArrowType.Int(32, true);
      case INT64:
        return new ArrowType.Int(64, true);
      case FLOAT32:
        return new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE);
      case FLOAT64:
        return new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
      case TIMESTAMP_DAYS:
        return new ArrowType.Date(DateUnit.DAY);
      case TIMESTAMP_MICROSECONDS:
        return new ArrowType.Timestamp(TimeUnit.MICROSECOND, "UTC");
      case STRING:
        return ArrowType.Utf8.INSTANCE;
      case DECIMAL32:
        return new ArrowType.Decimal(9, -type.getScale(), 128);
      case DECIMAL64:
        return new ArrowType.Decimal(18, -type.getScale(), 128);
      case DECIMAL128:
        return new ArrowType.Decimal(38, -type.getScale(), 128);
      default:
        throw new Failure("unsupported", "a result of " + type + " has no Spark type");
    }
  }

  private ArrowBuf copy(HostMemoryBuffer from, long bytes) {
    ArrowBuf to = memory.buffer(bytes);
    if (from == null) {
      to.setZero(0, bytes);
    } else {
      for (long at = 0; at < bytes; at += CHUNK) {
        int part = (int) Math.min(CHUNK, bytes - at);
        to.setBytes(at, from.asByteBuffer(at, part));
      }
    }
    to.writerIndex(bytes);
    return to;
  }

  private ArrowBuf offsets(HostColumnVectorCore c, int rows) {
    return copy(rows == 0 ? null : c.getOffsets(), 4L * (rows + 1));
  }

  private ArrowBuf bits(HostMemoryBuffer from, int rows) {
    ArrowBuf to = copy(null, (rows + 7L) / 8);
    for (int i = 0; from != null && i < rows; i++) {
      if (from.getByte(i) != 0) {
        to.setByte(i >> 3, to.getByte(i >> 3) | 1 << (i & 7));
      }
    }
    return to;
  }

  /** Numbers of 4 or 8 bytes widened with their sign. */
  private ArrowBuf decimals(HostMemoryBuffer from, int size, int rows) {
    if (size == 16 || from == null) {
      return copy(from, 16L * rows);
    }
    ArrowBuf to = copy(null, 16L * rows);
    for (long i = 0; i < rows; i++) {
      long low = size == Integer.BYTES ? from.getInt(i * size) : from.getLong(i * size);
      to.setLong(16 * i, low);
      to.setLong(16 * i + 8, low >> 63);
    }
    return to;
  }

  private void text(HostColumnVectorCore c, int rows) {
    ArrowBuf offsets = offsets(c, rows);
    buffers.add(offsets);
    long end = rows == 0 ? 0 : offsets.getInt(4L * rows);
    ArrowBuf chars = copy(c.getData(), end);
    buffers.add(chars);
    if (!isAscii(chars, end)) {
      decode(c, offsets, chars, rows);
    }
  }

  private static boolean isAscii(ArrowBuf chars, long end) {
    for (long i = 0; i < end; i++) {
      if (chars.getByte(i) < 0) {
        return false;
      }
    }
    return true;
  }

  /** A text that is no UTF-8 has no Spark value; the library can cut one in the middle of a character. */
  private static void decode(HostColumnVectorCore c, ArrowBuf offsets, ArrowBuf chars, int rows) {
    CharsetDecoder strict = StandardCharsets.UTF_8.newDecoder()
        .onMalformedInput(CodingErrorAction.REPORT)
        .onUnmappableCharacter(CodingErrorAction.REPORT);
    for (int i = 0; i < rows; i++) {
      int from = offsets.getInt(4L * i);
      ByteBuffer one = chars.nioBuffer(from, offsets.getInt(4L * (i + 1)) - from);
      try {
        strict.decode(one);
      } catch (CharacterCodingException e) {
        throw new Failure("unsupported", "the result holds text that is not valid UTF-8, first in row " + i);
      }
    }
  }

  @Override
  public void close() {
    buffers.forEach(ArrowBuf::close);
    memory.close();
  }
}
