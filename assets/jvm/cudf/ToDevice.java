package rewright.worker.cudf;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.HostColumnVector;
import ai.rapids.cudf.HostColumnVectorCore;
import ai.rapids.cudf.HostMemoryBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Paths;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import rewright.worker.Failure;

/**
 * Arrow columns to device columns, with the type that the accelerator gives to each of Spark's: truth values take a byte, decimals
 * the narrowest of 32, 64 and 128 bits, binary and maps are lists. Never changes a value.
 */
final class ToDevice {
  /** A chunk that both kinds of buffers can show as one. */
  private static final long CHUNK = 1 << 30;

  private ToDevice() {}

  private static ColumnVector column(FieldVector vector) {
    HostColumnVectorCore core = host(vector, true);
    try (HostColumnVector host = (HostColumnVector) core) {
      return host.copyToDevice();
    }
  }

  /** Hands over each column of an Arrow stream, whose owner is the taker then; the number of rows. */
  static int columns(String from, Consumer<ColumnVector> taker) {
    try (RootAllocator memory = new RootAllocator(Long.MAX_VALUE);
        FileChannel in = FileChannel.open(Paths.get(from), StandardOpenOption.READ);
        ArrowStreamReader reader = new ArrowStreamReader(in, memory)) {
      VectorSchemaRoot root = reader.getVectorSchemaRoot();
      reader.loadNextBatch();
      for (FieldVector v : root.getFieldVectors()) {
        taker.accept(column(v));
      }
      return root.getRowCount();
    } catch (IOException e) {
      throw new Failure("internal", "the columns cannot be read: " + e);
    }
  }

  private static HostColumnVectorCore host(FieldVector v, boolean top) {
    int rows = v.getValueCount();
    List<HostMemoryBuffer> made = new ArrayList<>();
    List<HostColumnVectorCore> children = new ArrayList<>();
    try {
      HostMemoryBuffer validity = v.getNullCount() == 0 ? null : keep(made, validity(v, rows));
      HostMemoryBuffer offsets = null;
      HostMemoryBuffer data = null;
      DType type = type(v);
      if (v instanceof ListVector) {
        offsets = keep(made, offsets(v.getOffsetBuffer(), rows));
        children.add(host(((ListVector) v).getDataVector(), false));
      } else if (v instanceof StructVector) {
        for (FieldVector child : v.getChildrenFromFields()) {
          children.add(host(child, false));
        }
      } else if (v instanceof VarBinaryVector) {
        offsets = keep(made, offsets(v.getOffsetBuffer(), rows));
        children.add(bytes(v, rows));
      } else if (v instanceof VarCharVector) {
        offsets = keep(made, offsets(v.getOffsetBuffer(), rows));
        // A text column has a buffer even where all of its texts are empty.
        data = rows == 0 ? null : keep(made, copy(v.getDataBuffer(), end(v, rows), 1));
      } else if (rows > 0) {
        data = keep(made, fixed(v, type, rows));
      }
      return build(top, type, rows, v.getNullCount(), data, validity, offsets, children);
    } catch (Throwable t) {
      made.forEach(HostMemoryBuffer::close);
      children.forEach(HostColumnVectorCore::close);
      throw t;
    }
  }

  private static HostColumnVectorCore build(boolean top, DType type, int rows, int nulls, HostMemoryBuffer data,
      HostMemoryBuffer validity, HostMemoryBuffer offsets, List<HostColumnVectorCore> children) {
    Optional<Long> count = Optional.of((long) nulls);
    return top
        ? new HostColumnVector(type, rows, count, data, validity, offsets, children)
        : new HostColumnVectorCore(type, rows, count, data, validity, offsets, children);
  }

  private static HostMemoryBuffer keep(List<HostMemoryBuffer> made, HostMemoryBuffer one) {
    if (one != null) {
      made.add(one);
    }
    return one;
  }

  private static DType type(FieldVector v) {
    switch (v.getMinorType()) {
      case BIT:
        return DType.BOOL8;
      case TINYINT:
        return DType.INT8;
      case SMALLINT:
        return DType.INT16;
      case INT:
        return DType.INT32;
      case BIGINT:
        return DType.INT64;
      case FLOAT4:
        return DType.FLOAT32;
      case FLOAT8:
        return DType.FLOAT64;
      case DATEDAY:
        return DType.TIMESTAMP_DAYS;
      case TIMESTAMPMICRO:
      case TIMESTAMPMICROTZ:
        return DType.TIMESTAMP_MICROSECONDS;
      case VARCHAR:
        return DType.STRING;
      case VARBINARY:
      case LIST:
      case MAP:
        return DType.LIST;
      case STRUCT:
        return DType.STRUCT;
      case DECIMAL:
        return decimal(((DecimalVector) v).getPrecision(), ((DecimalVector) v).getScale());
      default:
        throw new Failure("unsupported", "a column of " + v.getField().getType() + " does not reach cuDF");
    }
  }

  private static DType decimal(int precision, int scale) {
    DType.DTypeEnum width = precision <= DType.DECIMAL32_MAX_PRECISION
        ? DType.DTypeEnum.DECIMAL32
        : precision <= DType.DECIMAL64_MAX_PRECISION ? DType.DTypeEnum.DECIMAL64 : DType.DTypeEnum.DECIMAL128;
    return DType.create(width, -scale);
  }

  /** The bits of both are laid out alike; the library reads whole groups of 64 bytes. */
  private static HostMemoryBuffer validity(FieldVector v, int rows) {
    long bytes = (rows + 7L) / 8;
    return copy(v.getValidityBuffer(), bytes, (bytes + 63) / 64 * 64);
  }

  private static HostMemoryBuffer offsets(ArrowBuf from, int rows) {
    return rows == 0 ? null : copy(from, 4L * (rows + 1), 0);
  }

  private static long end(FieldVector v, int rows) {
    return rows == 0 ? 0 : v.getOffsetBuffer().getInt(4L * rows);
  }

  private static HostColumnVectorCore bytes(FieldVector v, int rows) {
    long length = end(v, rows);
    if (length > Integer.MAX_VALUE) {
      throw new Failure("unsupported", "a column of more than 2 GiB of bytes");
    }
    HostMemoryBuffer data = length == 0 ? null : copy(v.getDataBuffer(), length, 0);
    return build(false, DType.UINT8, (int) length, 0, data, null, null, new ArrayList<>());
  }

  private static HostMemoryBuffer fixed(FieldVector v, DType type, int rows) {
    if (v instanceof BitVector) {
      HostMemoryBuffer data = HostMemoryBuffer.allocate(rows);
      ByteBuffer out = data.asByteBuffer(0, rows);
      ArrowBuf bits = v.getDataBuffer();
      for (int i = 0; i < rows; i++) {
        out.put(i, (byte) (bits.getByte(i >> 3) >> (i & 7) & 1));
      }
      return data;
    }
    int size = type.getSizeInBytes();
    if (v instanceof DecimalVector && size < DecimalVector.TYPE_WIDTH) {
      return narrowed(v.getDataBuffer(), size, rows);
    }
    return copy(v.getDataBuffer(), (long) rows * size, 0);
  }

  /** The low bytes of each 128-bit number: what is left out are copies of its sign. */
  private static HostMemoryBuffer narrowed(ArrowBuf from, int size, int rows) {
    HostMemoryBuffer data = HostMemoryBuffer.allocate((long) rows * size);
    for (long i = 0; i < rows; i++) {
      long low = from.getLong(i * DecimalVector.TYPE_WIDTH);
      if (size == Integer.BYTES) {
        data.setInt(i * size, (int) low);
      } else {
        data.setLong(i * size, low);
      }
    }
    return data;
  }

  /** A copy of the first bytes, with zeros after them up to a length. */
  private static HostMemoryBuffer copy(ArrowBuf from, long bytes, long atLeast) {
    long length = Math.max(bytes, atLeast);
    HostMemoryBuffer to = HostMemoryBuffer.allocate(length);
    for (long at = 0; at < bytes; at += CHUNK) {
      int part = (int) Math.min(CHUNK, bytes - at);
      to.asByteBuffer(at, part).put(from.nioBuffer(at, part));
    }
    for (long at = bytes; at < length; at++) {
      to.setByte(at, (byte) 0);
    }
    return to;
  }
}
