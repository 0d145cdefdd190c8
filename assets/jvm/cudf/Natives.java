package rewright.worker.cudf;

import ai.rapids.cudf.Cuda;
import ai.rapids.cudf.NativeDepsLoader;
import ai.rapids.cudf.Rmm;
import ai.rapids.cudf.RmmAllocationMode;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import rewright.worker.Failure;

/** Loads the library's native code, takes a device, and says why either cannot be done. */
final class Natives {
  /** Where releases keep their version, first the library's own. */
  private static final String[] VERSIONS = {
    "cudf-java-version-info.properties",
    "spark-rapids-jni-version-info.properties",
    "rapids4spark-version-info.properties",
  };

  private Natives() {}

  /** The library only logs why it does not load, so the reason is asked for once more. */
  static void load() {
    boolean loaded;
    try {
      loaded = NativeDepsLoader.libraryLoaded();
    } catch (LinkageError | RuntimeException e) {
      throw new Failure("native", why(e));
    }
    if (!loaded) {
      throw new Failure("native", again());
    }
  }

  private static String again() {
    try {
      NativeDepsLoader.loadNativeDeps(names());
    } catch (IOException | LinkageError | RuntimeException e) {
      return why(e);
    }
    return "the library gives no reason";
  }

  /** The libraries that this release loads, in its order. */
  private static String[] names() {
    List<String> names = new ArrayList<>();
    try {
      Field order = NativeDepsLoader.class.getDeclaredField("loadOrder");
      order.setAccessible(true);
      for (String[] stage : (String[][]) order.get(null)) {
        names.addAll(List.of(stage));
      }
    } catch (ReflectiveOperationException | ClassCastException e) {
      names.addAll(List.of("cudf", "cudfjni"));
    }
    return names.toArray(new String[0]);
  }

  /**
   * Allocations go to the driver one by one and are counted: what is tested is small, and leaks have to show. What is timed takes
   * them from a pool, as an executor does.
   */
  static void take(int device, boolean pooled) {
    try {
      int count = Cuda.getDeviceCount();
      if (device >= count) {
        throw new Failure("device", "it sees " + count + (count == 1 ? " device" : " devices"));
      }
      Cuda.setDevice(device);
      if (!Rmm.isInitialized()) {
        // A pool grows by whole pages, and leaves room for what is no column.
        long pool = pooled ? Cuda.memGetInfo().free / 10 * 8 >> 20 << 20 : 0;
        Rmm.initialize(pooled ? RmmAllocationMode.POOL : RmmAllocationMode.CUDA_DEFAULT, null, pool);
      }
    } catch (Failure f) {
      throw f;
    } catch (LinkageError e) {
      throw new Failure("native", why(e));
    } catch (RuntimeException e) {
      throw new Failure("device", why(e));
    }
  }

  static String version() {
    for (String name : VERSIONS) {
      try (InputStream in = Natives.class.getClassLoader().getResourceAsStream(name)) {
        if (in == null) {
          continue;
        }
        Properties found = new Properties();
        found.load(in);
        String version = found.getProperty("version", "");
        String revision = found.getProperty("revision", "");
        if (!version.isEmpty()) {
          return revision.length() < 8 ? version : version + " (" + revision.substring(0, 8) + ")";
        }
      } catch (IOException e) {
        System.err.println(name + " cannot be read: " + e);
      }
    }
    String title = Rmm.class.getPackage().getImplementationVersion();
    return title == null ? "of unknown version" : title;
  }

  /** CUDA counts 13.1 as 13010. */
  static String cuda(int version) {
    return version / 1000 + "." + version % 1000 / 10;
  }

  static String why(Throwable t) {
    Throwable root = t;
    while (root.getCause() != null && root.getCause() != root) {
      root = root.getCause();
    }
    return Failure.describe(root, "");
  }
}
