package ai.rapids.cudf;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A column of a device that counts its references. */
public final class ColumnVector extends ColumnView {
  private int refCount = 1;

  ColumnVector(Memory memory) {
    super(memory);
    offHeap.addRef();
  }

  public static ColumnVector fromScalar(Scalar value, int rows) {
    return new ColumnVector(value.rows(rows));
  }

  /** Columns of int one after the other. */
  public static ColumnVector concatenate(ColumnView... parts) {
    int rows = 0;
    int nulls = 0;
    for (ColumnView p : parts) {
      rows += p.offHeap.get().rows;
      nulls += p.offHeap.get().nulls;
    }
    ByteBuffer out = ByteBuffer.allocate(4 * rows).order(ByteOrder.nativeOrder());
    byte[] validity = nulls == 0 ? null : new byte[((rows + 7) / 8 + 63) / 64 * 64];
    int at = 0;
    for (ColumnView p : parts) {
      Memory m = p.offHeap.get();
      out.put(m.data, 0, 4 * m.rows);
      for (int i = 0; i < m.rows; i++, at++) {
        boolean valid = m.validity == null || (m.validity[i >> 3] >> (i & 7) & 1) == 1;
        if (validity != null && valid) {
          validity[at >> 3] |= (byte) (1 << (at & 7));
        }
      }
    }
    return new ColumnVector(new Memory(DType.INT32, rows, nulls, out.array(), validity, null));
  }

  /** The first rows of a column of int. */
  public ColumnVector subVector(int from, int to) {
    Memory m = offHeap.get();
    if (from != 0) {
      throw new UnsupportedOperationException();
    }
    int nulls = 0;
    for (int i = 0; m.validity != null && i < to; i++) {
      nulls += (m.validity[i >> 3] >> (i & 7) & 1) == 0 ? 1 : 0;
    }
    byte[] data = java.util.Arrays.copyOf(m.data, 4 * to);
    return new ColumnVector(new Memory(m.type, to, nulls, data, nulls == 0 ? null : m.validity, null));
  }

  /** The sum of two columns of int; null where either is. */
  public ColumnVector add(ColumnVector other) {
    Memory a = offHeap.get();
    Memory b = other.offHeap.get();
    if (!a.type.equals(DType.INT32) || !b.type.equals(DType.INT32)) {
      throw new CudfException("CUDF failure at: binaryop.cpp:1: Unsupported operator for these types");
    }
    if (a.rows != b.rows) {
      throw new CudfException("CUDF failure at: binaryop.cpp:2: Column sizes don't match");
    }
    ByteBuffer out = ByteBuffer.allocate(4 * a.rows).order(ByteOrder.nativeOrder());
    for (int i = 0; i < a.rows; i++) {
      out.putInt(Memory.at(a.data, i) + Memory.at(b.data, i));
    }
    byte[] validity = a.validity == null ? b.validity : a.validity.clone();
    for (int i = 0; a.validity != null && b.validity != null && i < validity.length; i++) {
      validity[i] &= b.validity[i];
    }
    int nulls = 0;
    for (int i = 0; validity != null && i < a.rows; i++) {
      nulls += (validity[i >> 3] >> (i & 7) & 1) == 0 ? 1 : 0;
    }
    return new ColumnVector(new Memory(DType.INT32, a.rows, nulls, out.array(), validity, null));
  }

  /** The same bits as another type of that width. */
  public ColumnVector bitCastTo(DType type) {
    Memory m = offHeap.get();
    return new ColumnVector(new Memory(type, m.rows, m.nulls, m.data, m.validity, null));
  }

  public ColumnVector incRefCount() {
    offHeap.addRef();
    if (refCount <= 0) {
      throw new IllegalStateException("Column is already closed");
    }
    refCount++;
    return this;
  }

  public int getRefCount() {
    return refCount;
  }

  @Override
  public synchronized void close() {
    refCount--;
    offHeap.delRef();
    if (refCount == 0) {
      offHeap.clean();
    } else if (refCount < 0) {
      throw new IllegalStateException("Close called too many times " + this);
    }
  }
}
