package rewright.worker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collection;

/**
 * What the worker asks of a library of device columns. Its one implementation is compiled against the user's jar, so that nothing
 * else of the worker needs such a jar.
 */
public interface Accelerator {
  /** Loads the library's native code and takes the device; facts about both. */
  void open(JsonNode request, ObjectNode reply);

  /** Calls the candidate among these classes over the rows of an Arrow stream; {@code file} is what stack traces name. */
  void call(ClassLoader loader, Collection<String> classes, String file, JsonNode request, ObjectNode reply);

  /** Times one call of it over the rows of an Arrow stream, repeated to a number of rows. */
  void time(ClassLoader loader, Collection<String> classes, String file, JsonNode request, ObjectNode reply);
}
