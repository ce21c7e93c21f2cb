package io.jverbs.soft.bounds;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Every queue, map and list of the three libraries has a bound, which {@code bounds.txt} states. */
final class BoundsTest {
    private static final String LIST = "/io/jverbs/soft/bounds.txt";

    private static Map<String, String> listed() throws IOException {
        Map<String, String> bounds = new TreeMap<>();
        try (InputStream list = BoundsTest.class.getResourceAsStream(LIST)) {
            for (String line : new String(list.readAllBytes(), StandardCharsets.UTF_8).split("\\R")) {
                if (!line.isBlank() && !line.startsWith("#")) {
                    String[] parts = line.split(" = ", 2);
                    assertEquals(2, parts.length, () -> "this line states no bound: " + line);
                    assertNull(bounds.put(parts[0], parts[1]), () -> parts[0] + " is listed twice");
                }
            }
        }
        return bounds;
    }

    private static Set<String> missing(Set<String> from, Set<String> in) {
        Set<String> missing = new TreeSet<>(from);
        missing.removeAll(in);
        return missing;
    }

    @Test
    void everyFieldThatCanGrowIsListedWithItsBound() throws IOException {
        Set<String> missing = missing(GrowingFields.all(), listed().keySet());
        assertTrue(missing.isEmpty(), () -> "state in " + LIST + " what bounds these fields: " + missing);
    }

    @Test
    void everyListedFieldExists() throws IOException {
        Set<String> stale = missing(listed().keySet(), GrowingFields.all());
        assertTrue(stale.isEmpty(), () -> "remove from " + LIST + " these fields, which do not exist: " + stale);
    }

    @Test
    void noBoundIsBlank() throws IOException {
        listed().forEach((field, bound) -> assertFalse(bound.isBlank(), field));
    }
}
