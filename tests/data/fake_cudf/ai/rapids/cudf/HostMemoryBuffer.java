package ai.rapids.cudf;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Host memory. */
public class HostMemoryBuffer implements AutoCloseable {
  private final ByteBuffer bytes;
  private int references = 1;

  private HostMemoryBuffer(int length) {
    bytes = ByteBuffer.allocate(length).order(ByteOrder.nativeOrder());
    // What is not written must not be read as zeros.
    java.util.Arrays.fill(bytes.array(), (byte) 0xA5);
  }

  public static HostMemoryBuffer allocate(long length) {
    return new HostMemoryBuffer(Math.toIntExact(length));
  }

  static HostMemoryBuffer of(byte[] from) {
    HostMemoryBuffer made = allocate(from.length);
    made.bytes.duplicate().put(from);
    return made;
  }

  byte[] first(long length) {
    if (length > bytes.capacity()) {
      throw new IndexOutOfBoundsException(length + " bytes of a buffer of " + bytes.capacity());
    }
    return java.util.Arrays.copyOf(bytes.array(), (int) length);
  }

  public final ByteBuffer asByteBuffer(long offset, int length) {
    ByteBuffer part = bytes.duplicate();
    part.position((int) offset).limit((int) offset + length);
    return part.slice().order(ByteOrder.nativeOrder());
  }

  public final byte getByte(long at) {
    return bytes.get((int) at);
  }

  public final void setByte(long at, byte value) {
    bytes.put((int) at, value);
  }

  public final int getInt(long at) {
    return bytes.getInt((int) at);
  }

  public final void setInt(long at, int value) {
    bytes.putInt((int) at, value);
  }

  public final long getLong(long at) {
    return bytes.getLong((int) at);
  }

  public final void setLong(long at, long value) {
    bytes.putLong((int) at, value);
  }

  @Override
  public void close() {
    if (--references < 0) {
      throw new IllegalStateException("Close called too many times " + this);
    }
  }
}
