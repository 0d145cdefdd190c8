package ai.rapids.cudf;

import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;

/** Loads nothing, and fails as the real one does where a jar has no native code. */
public class NativeDepsLoader {
  private static final String[][] loadOrder = {{"nvcomp"}, {"cudf"}, {"cudfjni"}};
  private static final String libNativeDir = System.getProperty("ai.rapids.cudf.lib-native-dir");

  public static boolean libraryLoaded() {
    return !Mode.NAME.equals("no-native") || libNativeDir != null && new File(libNativeDir, "libcudf.so").isFile();
  }

  public static void loadNativeDeps(String[] names) throws IOException {
    if (!libraryLoaded()) {
      throw new FileNotFoundException("Could not locate native dependency amd64/Linux/lib" + names[0] + ".so");
    }
  }
}
