package rewright.worker;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The Scala compiler of Spark's jars, kept warm: one {@code Global} for all compilations. In: a text; out: classes in memory,
 * or the messages with their offsets.
 *
 * <p>The compiler is reached by reflection: its class files carry Scala signatures that javac misreads.
 */
final class ScalaCompiler {
  private final Object settings = Interop.make("scala.tools.nsc.Settings");
  private final Object reporter;
  private final Object global;

  ScalaCompiler(String classpath) {
    List<String> options = Arrays.asList("-classpath", classpath, "-nowarn", "-g:vars");
    Interop.call(settings, "processArguments", Interop.list(options), true);
    reporter = Interop.make("scala.tools.nsc.reporters.StoreReporter", settings);
    global = Interop.make("scala.tools.nsc.Global", settings, reporter);
  }

  /** Compiles one file; a failure carries every error. */
  synchronized Map<String, byte[]> compile(String name, String text) {
    Object none = Interop.module("scala.None");
    Object out = Interop.make("scala.reflect.io.VirtualDirectory", "(memory)", none);
    Interop.call(Interop.call(settings, "outputDirs"), "setSingleOutput", out);
    Interop.call(reporter, "reset");
    Object file = Interop.make("scala.reflect.io.VirtualFile", name, name);
    Object source = Interop.make("scala.reflect.internal.util.BatchSourceFile", file, text.toCharArray());
    Object run = Interop.make("scala.tools.nsc.Global$Run", global);
    try {
      Interop.call(run, "compileSources", Interop.list(Arrays.asList(source)));
      ArrayNode errors = errors();
      if (errors.size() > 0) {
        throw new Failure("compile", errors.get(0).get("message").asText()).with(errors);
      }
    } finally {
      forget(run);
    }
    Map<String, byte[]> classes = new HashMap<>();
    collect(out, "", classes);
    return classes;
  }

  private ArrayNode errors() {
    ArrayNode errors = Main.JSON.createArrayNode();
    for (Object info : Interop.items(Interop.call(reporter, "infos"))) {
      if (!String.valueOf(Interop.call(info, "severity")).contains("ERROR")) {
        continue;
      }
      ObjectNode error = errors.addObject();
      error.put("message", String.valueOf(Interop.call(info, "msg")));
      Object at = Interop.call(info, "pos");
      if ((Boolean) Interop.call(at, "isDefined")) {
        error.put("offset", (Integer) Interop.call(at, "point"));
      }
    }
    return errors;
  }

  /** Takes what a run defined out of its packages, so that no later text sees a class that is gone from the user's file. */
  private void forget(Object run) {
    for (Object symbol : Interop.items(Interop.call(Interop.call(run, "symSource"), "keys"))) {
      Object owner = Interop.call(symbol, "owner");
      Object scope = Interop.call(Interop.call(owner, "info"), "decls");
      Interop.call(scope, "unlink", symbol);
    }
  }

  private static void collect(Object dir, String prefix, Map<String, byte[]> classes) {
    for (Object f : Interop.items(dir)) {
      String name = (String) Interop.call(f, "name");
      if ((Boolean) Interop.call(f, "isDirectory")) {
        collect(f, prefix + name + ".", classes);
      } else if (name.endsWith(".class")) {
        classes.put(prefix + name.substring(0, name.length() - 6), (byte[]) Interop.call(f, "toByteArray"));
      }
    }
  }
}
