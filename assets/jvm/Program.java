package rewright.worker;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataType;

/** A compiled UDF: its classes and how to get at the function. Makes any number of copies that share nothing. */
final class Program {
  /** Of the user's file; stack traces name it. */
  final String file;

  final Map<String, byte[]> classes;
  final String entry;
  final String returns;
  private final int arity;
  private final Map<String, Deque<Bound>> idle = new HashMap<>();
  private Loader shared;

  Program(JsonNode request, Map<String, byte[]> classes) {
    this.file = request.path("name").asText();
    this.classes = classes;
    this.entry = entryClass(classes, request.path("entry").asText());
    this.returns = request.path("returns").asText("");
    this.arity = request.path("arity").asInt();
  }

  /** The class whose simple name this is; a program that is called another way has none. */
  private static String entryClass(Map<String, byte[]> classes, String simple) {
    if (simple.isEmpty()) {
      return "";
    }
    for (String name : classes.keySet()) {
      if (name.equals(simple) || name.endsWith("." + simple)) {
        return name;
      }
    }
    throw new Failure("internal", "the compiled file has no class " + simple);
  }

  /** A loader with classes of its own: threads that use different loaders do not share static state. */
  Loader loader() {
    return new Loader(Program.class.getClassLoader(), classes);
  }

  /** The loader of a session's queries, whose threads share static state as in a real executor. */
  Loader sharedLoader() {
    if (shared == null) {
      shared = loader();
    }
    return shared;
  }

  /** A bound copy that no other thread uses, or null; it goes back with {@link #give}. */
  synchronized Bound take(String key) {
    Deque<Bound> free = idle.get(key);
    return free == null ? null : free.poll();
  }

  /** Takes a bound copy back for the next run over such columns. */
  synchronized void give(String key, Bound bound) {
    idle.computeIfAbsent(key, k -> new ArrayDeque<>()).add(bound);
  }

  /** The UDF as Spark takes it; runs the initialisers of the user's objects. */
  Object function(Loader loader) {
    return function(loader, entry, returns, arity, file);
  }

  /** The same from any loader that has the classes. */
  static Object function(ClassLoader loader, String entry, String returns, int arity, String file) {
    Object made;
    try {
      java.lang.reflect.Method apply = loader.loadClass(entry).getMethod("apply");
      apply.setAccessible(true);
      made = apply.invoke(null);
    } catch (InvocationTargetException e) {
      Throwable root = e.getCause();
      if (root instanceof ExceptionInInitializerError && root.getCause() != null) {
        root = root.getCause();
      }
      throw new Failure("raised", "making the function threw " + Failure.describe(root, file));
    } catch (ReflectiveOperationException e) {
      throw new Failure("internal", "the compiled function cannot be reached: " + e);
    }
    if (Hive.is(made)) {
      return new Hive((Class<?>) made);
    }
    if (returns.isEmpty() || made instanceof org.apache.spark.sql.expressions.UserDefinedFunction) {
      return made;
    }
    if (arity > 10) {
      return Wide.udf(made, arity, DataType.fromDDL(returns));
    }
    // The overload for any object makes an untyped Scala UDF of it, so the interface has to be named.
    for (java.lang.reflect.Method m : functions.class.getMethods()) {
      Class<?>[] types = m.getParameterTypes();
      if (m.getName().equals("udf") && types.length == 2 && types[0].getSimpleName().equals("UDF" + arity)) {
        try {
          return m.invoke(null, made, DataType.fromDDL(returns));
        } catch (ReflectiveOperationException e) {
          throw new Failure("internal", "the function cannot be wrapped: " + Failure.root(e));
        }
      }
    }
    throw new Failure("internal", "Spark has no interface UDF" + arity);
  }

  /** Holds the bytes of the user's classes; everything else comes from Spark's jars and the user's. */
  static final class Loader extends ClassLoader {
    private final Map<String, byte[]> classes;

    Loader(ClassLoader parent, Map<String, byte[]> classes) {
      super(parent);
      this.classes = classes;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      synchronized (getClassLoadingLock(name)) {
        // The user's own class goes before one of the same name in a jar, as in a file that is being edited.
        if (classes.containsKey(name)) {
          Class<?> known = findLoadedClass(name);
          return known != null ? known : findClass(name);
        }
      }
      return super.loadClass(name, resolve);
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      byte[] bytes = classes.get(name);
      if (bytes == null) {
        throw new ClassNotFoundException(name);
      }
      return defineClass(name, bytes, 0, bytes.length);
    }

    @Override
    public InputStream getResourceAsStream(String name) {
      if (name.endsWith(".class")) {
        byte[] bytes = classes.get(name.substring(0, name.length() - 6).replace('/', '.'));
        if (bytes != null) {
          return new ByteArrayInputStream(bytes);
        }
      }
      return super.getResourceAsStream(name);
    }
  }
}
