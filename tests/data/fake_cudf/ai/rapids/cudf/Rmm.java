package ai.rapids.cudf;

import java.util.concurrent.atomic.AtomicLong;

/** Counts bytes. */
public class Rmm {
  static final AtomicLong BYTES = new AtomicLong();
  private static boolean initialized;

  /** Where allocations are logged. */
  public static class LogConf {}

  public static boolean isInitialized() {
    return initialized;
  }

  public static void initialize(int mode, LogConf log, long pool) {
    initialized = true;
  }

  public static long getTotalBytesAllocated() {
    return BYTES.get();
  }
}
