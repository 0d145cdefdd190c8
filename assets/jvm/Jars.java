package rewright.worker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Packs what a cluster has to be sent: the compiled UDF, and the application that runs it. */
final class Jars {
  private Jars() {}

  static void write(Program program, JsonNode request, ObjectNode reply) {
    Map<String, byte[]> udf = new TreeMap<>();
    program.classes.forEach((name, bytes) -> udf.put(name.replace('.', '/') + ".class", bytes));
    try {
      write(udf, Paths.get(request.path("udf").asText()));
      write(folder(own(), ".class"), Paths.get(request.path("application").asText()));
      for (JsonNode pair : request.path("folders")) {
        write(folder(Paths.get(pair.get(0).asText()), ""), Paths.get(pair.get(1).asText()));
      }
    } catch (IOException | URISyntaxException e) {
      throw new Failure("internal", "the jars cannot be written: " + e);
    }
    reply.put("entry", program.entry).put("returns", program.returns).put("file", program.file);
  }

  /** The classes of this worker, among them the application's. */
  private static Path own() throws URISyntaxException {
    return Paths.get(Jars.class.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  /** The files of a folder with an ending, by their path. */
  private static Map<String, byte[]> folder(Path folder, String ending) throws IOException {
    Map<String, byte[]> all = new TreeMap<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(f -> Files.isRegularFile(f) && f.toString().endsWith(ending))
          .collect(Collectors.toList())) {
        all.put(folder.relativize(file).toString(), Files.readAllBytes(file));
      }
    }
    return all;
  }

  private static void write(Map<String, byte[]> entries, Path to) throws IOException {
    try (OutputStream out = Files.newOutputStream(to); JarOutputStream jar = new JarOutputStream(out)) {
      for (Map.Entry<String, byte[]> e : entries.entrySet()) {
        jar.putNextEntry(new JarEntry(e.getKey()));
        jar.write(e.getValue());
        jar.closeEntry();
      }
    }
  }
}
