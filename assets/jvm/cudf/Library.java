package rewright.worker.cudf;

import ai.rapids.cudf.Cuda;
import ai.rapids.cudf.CudaMemInfo;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import rewright.worker.Accelerator;
import rewright.worker.Failure;

/** The user's cuDF library. In: a device, then candidates and columns; out: facts, then what each call came to. */
public final class Library implements Accelerator {
  private boolean open;
  private final Timing timing = new Timing();
  /** The instance of each set of classes: an executor keeps one as well. */
  private final Map<ClassLoader, Candidate> made = new HashMap<>();

  @Override
  public void open(JsonNode request, ObjectNode reply) {
    if (!open) {
      Natives.load();
      Natives.take(request.path("device").asInt(), request.path("pooled").asBoolean());
      open = true;
    }
    CudaMemInfo memory = Cuda.memGetInfo();
    reply.put("version", Natives.version());
    reply.putObject("facts")
        .put("cuda runtime", Natives.cuda(Cuda.getRuntimeVersion()))
        .put("cuda driver", Natives.cuda(Cuda.getDriverVersion()))
        .put("compute capability", Cuda.getComputeCapabilityMajor() + "." + Cuda.getComputeCapabilityMinor())
        .put("device memory", (memory.total >> 20) + " MiB");
  }

  @Override
  public void call(ClassLoader loader, Collection<String> classes, String file, JsonNode request, ObjectNode reply) {
    new Call(candidate(loader, classes, file), request, reply).run();
  }

  @Override
  public void time(ClassLoader loader, Collection<String> classes, String file, JsonNode request, ObjectNode reply) {
    timing.sample(candidate(loader, classes, file), request, reply);
  }

  private Candidate candidate(ClassLoader loader, Collection<String> classes, String file) {
    if (!open) {
      throw new Failure("internal", "the device was not taken");
    }
    Candidate candidate = made.get(loader);
    if (candidate == null) {
      made.clear();
      candidate = new Candidate(make(loader, classes, file), file);
      made.put(loader, candidate);
    }
    return candidate;
  }

  /** An instance of the one class that is a columnar UDF. */
  private static Object make(ClassLoader loader, Collection<String> names, String file) {
    List<Class<?>> found = new ArrayList<>();
    try {
      for (String name : names) {
        Class<?> c = Class.forName(name, false, loader);
        boolean concrete = !Modifier.isAbstract(c.getModifiers()) && !c.isAnonymousClass() && !name.endsWith("$");
        if (concrete && Candidate.INTERFACE.isAssignableFrom(c)) {
          found.add(c);
        }
      }
    } catch (ClassNotFoundException | LinkageError e) {
      throw new Failure("unsupported", "its classes do not load: " + e);
    }
    if (found.size() != 1) {
      String which = found.isEmpty() ? "no class of the candidate is a" : found.size() + " classes of the candidate are a";
      throw new Failure("unsupported", which + " RapidsUDF; it has to be one");
    }
    try {
      java.lang.reflect.Constructor<?> made = found.get(0).getDeclaredConstructor();
      made.setAccessible(true);
      return made.newInstance();
    } catch (NoSuchMethodException e) {
      throw new Failure("unsupported", found.get(0).getSimpleName() + " has no constructor without parameters");
    } catch (InvocationTargetException e) {
      throw new Failure("unsupported", "making the candidate threw " + Failure.describe(Failure.root(e), file));
    } catch (ReflectiveOperationException | LinkageError e) {
      throw new Failure("unsupported", "the candidate cannot be made: " + e);
    }
  }
}
