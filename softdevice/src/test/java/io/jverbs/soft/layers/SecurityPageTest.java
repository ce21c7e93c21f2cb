package io.jverbs.soft.layers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.control.DeviceCounters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks that the tests and counters that docs/security.md names exist. */
final class SecurityPageTest {
    private static final List<Path> TESTS = List.of(Path.of("src/test/java"), Path.of("../jverbs/src/test/java"));

    private static Set<String> namesMatching(String pattern) throws IOException {
        String page = Files.readString(Path.of("../docs/security.md"));
        return Pattern.compile("`(" + pattern + ")`").matcher(page).results().map((MatchResult found) -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void everyTestNamedInTheDocumentationExists() throws IOException {
        Set<String> tests = namesMatching("\\w+(Test|Contract)");
        assertTrue(tests.size() > 10, tests::toString);
        for (Path folder : TESTS) {
            try (Stream<Path> files = Files.walk(folder)) {
                files.map(file -> file.getFileName().toString()).filter(name -> name.endsWith(".java"))
                        .forEach(name -> tests.remove(name.substring(0, name.length() - ".java".length())));
            }
        }
        assertEquals(Set.of(), tests);
    }

    @Test
    void everyCounterNamedInTheDocumentationExists() throws IOException {
        Set<String> counters = namesMatching("[a-z]+(_[a-z]+)+");
        assertTrue(counters.contains("wrong_address"), counters::toString);
        try (RdmaContext context = Verbs.open("soft")) {
            counters.removeAll(context.capability(DeviceCounters.class).orElseThrow().snapshot().keySet());
        }
        assertEquals(Set.of(), counters);
    }
}
