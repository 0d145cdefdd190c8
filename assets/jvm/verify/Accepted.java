package rewright.verify;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/** What the user accepts: classes with bounds. An entry never reaches beyond its class. */
final class Accepted implements Serializable {
  private static final long serialVersionUID = 1L;

  private final List<Entry> entries = new ArrayList<>();

  private static final class Entry implements Serializable {
    private static final long serialVersionUID = 1L;

    final String id;
    final Long ulp;
    final Double abs;
    final Double rel;

    Entry(JsonNode json) {
      id = json.path("class").asText();
      ulp = json.hasNonNull("max_ulp") ? json.get("max_ulp").bigIntegerValue().longValue() : null;
      abs = json.hasNonNull("max_abs") ? json.get("max_abs").asDouble() : null;
      rel = json.hasNonNull("max_rel") ? json.get("max_rel").asDouble() : null;
    }

    boolean accepts(Mismatch m) {
      // A bound on a distance that this mismatch does not have does not hold.
      return id.equals(m.id)
          && (ulp == null || (m.ulp != null && Long.compareUnsigned(m.ulp, ulp) <= 0))
          && (abs == null || (m.abs != null && m.abs <= abs))
          && (rel == null || (m.rel != null && m.rel <= rel));
    }
  }

  Accepted(JsonNode entries) {
    entries.forEach(e -> this.entries.add(new Entry(e)));
  }

  boolean accepts(Mismatch m) {
    for (Entry e : entries) {
      if (e.accepts(m)) {
        return true;
      }
    }
    return false;
  }
}
