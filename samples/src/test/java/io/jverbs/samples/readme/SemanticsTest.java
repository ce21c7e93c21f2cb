package io.jverbs.samples.readme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page about semantics has an entry for every number of the catalogue that a test cites. */
class SemanticsTest {
    private static final String PAGE = "docs/semantics.md";
    private static final String LIST = "jverbs/src/test/resources/io/jverbs/contract/catalogue.txt";
    private static final List<String> TESTS = List.of("jverbs/src/test/java", "softdevice/src/test/java",
            "samples/src/test/java");
    private static final List<String> RESOURCES = List.of("softdevice/src/test/resources");
    private static final String TABLES = "jverbs/src/rxe/resources";
    private static final Pattern ENTRY = Pattern.compile("(?m)^- \\*\\*([A-M][0-9]+)\\*\\* \\S");
    private static final Pattern LISTED = Pattern.compile("(?m)^([A-M][0-9]+) = ");
    private static final Pattern ANNOTATION = Pattern.compile("@Catalogue\\(([^)]*)\\)");
    private static final Pattern QUOTED = Pattern.compile("\"([A-M][0-9]+)\"");
    /** Numbers of the connection manager, the wire format and rxe, which tests cite in comments and tables. */
    private static final Pattern CITED = Pattern.compile("(?<!\\w)([LM][1-9][0-9]?|K[1-9][0-9]{0,2})(?!\\w)");
    private static final int FEWEST_NUMBERS = 275;

    private static List<String> found(Pattern pattern, String text) {
        return pattern.matcher(text).results().map((MatchResult number) -> number.group(1)).toList();
    }

    private static List<String> entries() {
        return found(ENTRY, Documents.read(PAGE));
    }

    private static Set<String> cited() {
        Set<String> numbers = new TreeSet<>(Comparator.comparing((String number) -> number.charAt(0))
                .thenComparing(number -> Integer.parseInt(number.substring(1))));
        numbers.addAll(found(LISTED, Documents.read(LIST)));
        List<Path> files = new ArrayList<>(Documents.files(TABLES, 1, ".txt"));
        TESTS.forEach(folder -> files.addAll(Documents.files(folder, Integer.MAX_VALUE, ".java")));
        RESOURCES.forEach(folder -> files.addAll(Documents.files(folder, Integer.MAX_VALUE, ".txt")));
        for (Path file : files) {
            String text = Documents.read(file.toString());
            found(ANNOTATION, text).forEach(arguments -> numbers.addAll(found(QUOTED, arguments)));
            numbers.addAll(found(CITED, text));
        }
        return numbers;
    }

    @Test
    void everyNumberThatATestCitesHasAnEntry() {
        Set<String> missing = cited();
        assertTrue(missing.size() >= FEWEST_NUMBERS, missing::toString);
        missing.removeAll(entries());
        assertEquals(Set.of(), missing);
    }

    @Test
    void noNumberHasTwoEntries() {
        assertEquals(new HashSet<>(entries()).size(), entries().size());
    }
}
