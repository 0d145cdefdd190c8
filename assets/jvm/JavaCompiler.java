package rewright.worker;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.net.URI;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** The JDK's own compiler. In: one file's text; out: classes in memory, or the messages with their offsets. */
final class JavaCompiler {
  private final javax.tools.JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
  private final String classpath;

  JavaCompiler(String classpath) {
    this.classpath = classpath;
  }

  synchronized Map<String, byte[]> compile(String name, String text) {
    DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
    StandardJavaFileManager standard = javac.getStandardFileManager(found, Locale.ROOT, null);
    Memory memory = new Memory(standard);
    // A source that lies beside its class on the class path is not compiled along: it would make a second class of that name.
    List<String> options = Arrays.asList(
        "-classpath", classpath, "-g", "-proc:none", "-nowarn", "-parameters", "-implicit:none");
    List<JavaFileObject> units = Arrays.asList(new Text(name, text));
    boolean ok = javac.getTask(null, memory, found, options, null, units).call();
    if (!ok) {
      ArrayNode errors = errors(found);
      String first = errors.size() > 0 ? errors.get(0).get("message").asText() : "it does not compile";
      throw new Failure("compile", first).with(errors);
    }
    return memory.classes();
  }

  private static ArrayNode errors(DiagnosticCollector<JavaFileObject> found) {
    ArrayNode errors = Main.JSON.createArrayNode();
    for (Diagnostic<?> d : found.getDiagnostics()) {
      if (d.getKind() == Diagnostic.Kind.ERROR) {
        ObjectNode error = errors.addObject();
        error.put("message", d.getMessage(Locale.ROOT));
        if (d.getPosition() != Diagnostic.NOPOS) {
          error.put("offset", d.getPosition());
        }
      }
    }
    return errors;
  }

  private static final class Text extends SimpleJavaFileObject {
    private final String text;

    Text(String name, String text) {
      super(URI.create("memory:///" + name.replace(' ', '_')), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignored) {
      return text;
    }

    @Override
    public boolean isNameCompatible(String simpleName, Kind kind) {
      // A public class may stand in a file of another name here: nothing is read back from a folder.
      return kind == Kind.SOURCE;
    }
  }

  private static final class Memory extends ForwardingJavaFileManager<JavaFileManager> {
    private final Map<String, ByteArrayOutputStream> written = new HashMap<>();

    Memory(JavaFileManager under) {
      super(under);
    }

    @Override
    public JavaFileObject getJavaFileForOutput(Location l, String name, JavaFileObject.Kind kind, FileObject sibling) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      written.put(name, bytes);
      return new SimpleJavaFileObject(URI.create("memory:///" + name.replace('.', '/')), kind) {
        @Override
        public OutputStream openOutputStream() {
          return bytes;
        }
      };
    }

    Map<String, byte[]> classes() {
      Map<String, byte[]> classes = new HashMap<>();
      written.forEach((name, bytes) -> classes.put(name, bytes.toByteArray()));
      return classes;
    }
  }
}
