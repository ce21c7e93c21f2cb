package io.jverbs.soft.structure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The sizes of packages, files and lines of all modules, tests and text files included, and the addresses that tests
 * share.
 */
final class SourceFilesTest {
    private static final int MAX_FILES = 25;
    private static final int MAX_LINES = 450;
    private static final int MAX_COLUMNS = 120;

    /** The API is one package, because its classes share what is not public. */
    private static final Path API = Path.of("jverbs/src/main/java/io/jverbs");
    /** A line that has no blank at which it could end: an address, a path, an element, bytes. */
    private static final Pattern ONE_WORD = Pattern.compile("\\s*\\S+");
    /** The start of a paragraph of Javadoc with text behind it. */
    private static final Pattern PARAGRAPH = Pattern.compile("\\s*(/\\*)?\\*+ <p> ?\\S.*");
    /** A row of a table: in Markdown, and in the lists of deviations, whose cells may contain anything but a bar. */
    private static final Pattern ROW = Pattern.compile("\\|.*|\\w+ \\| .*");

    /** A loopback address that devices of tests have. Tests also parse 127.0.0.1, without opening it. */
    private static final Pattern LOOPBACK = Pattern.compile("127\\.\\d+\\.\\d+\\.\\d+");
    private static final String PARSED_ONLY = "127.0.0.1";

    private static void assertNone(List<String> offenders, String rule) {
        assertTrue(offenders.isEmpty(), () -> rule + ":\n" + String.join("\n", offenders));
    }

    @Test
    void noPackageExceptTheApiHasMoreFilesThanTheMaximum() throws IOException {
        Map<Path, Integer> counts = new TreeMap<>();
        for (Path file : SourceFiles.files()) {
            if (SourceFiles.isJava(file)) {
                counts.merge(file.getParent(), 1, Integer::sum);
            }
        }
        assertTrue(counts.remove(API) > MAX_FILES, "the API needs no exception any more");
        assertNone(counts.entrySet().stream().filter(each -> each.getValue() > MAX_FILES)
                .map(each -> each.getKey() + " has " + each.getValue()).toList(),
                "packages with more than " + MAX_FILES + " files");
    }

    @Test
    void noClassHasMoreLinesThanTheMaximum() throws IOException {
        List<String> tall = new ArrayList<>();
        for (Path file : SourceFiles.files()) {
            if (SourceFiles.isJava(file) && SourceFiles.lines(file).size() > MAX_LINES) {
                tall.add(file + " has " + SourceFiles.lines(file).size());
            }
        }
        assertNone(tall, "files with more than " + MAX_LINES + " lines");
    }

    @Test
    void noLineHasMoreColumnsThanTheMaximum() throws IOException {
        List<String> wide = new ArrayList<>();
        for (Path file : SourceFiles.files()) {
            if (SourceFiles.isText(file)) {
                addWide(file, wide);
            }
        }
        assertNone(wide, "lines with more than " + MAX_COLUMNS + " columns");
    }

    private static void addWide(Path file, List<String> wide) throws IOException {
        boolean output = false;
        int number = 0;
        for (String line : SourceFiles.lines(file)) {
            number++;
            // what a program prints is quoted as it is
            output = line.startsWith("```") ? !output && line.equals("```text") : output;
            int columns = line.codePointCount(0, line.length());
            if (columns > MAX_COLUMNS && !mayBeWide(file, line, output)) {
                wide.add(file + ":" + number + " has " + columns);
            }
        }
    }

    private static boolean mayBeWide(Path file, String line, boolean output) {
        if (SourceFiles.isJava(file)) {
            return false;
        }
        boolean isMarkdown = file.toString().endsWith(".md");
        return ONE_WORD.matcher(line).matches() || ROW.matcher(line).matches() || isMarkdown && output;
    }

    /** As the formatter would have it, which leaves comments as they are. */
    @Test
    void everyParagraphOfAJavadocCommentStartsOnALineOfItsOwn() throws IOException {
        List<String> same = new ArrayList<>();
        for (Path file : SourceFiles.files()) {
            if (SourceFiles.isJava(file)) {
                SourceFiles.lines(file).stream().filter(line -> PARAGRAPH.matcher(line).matches())
                        .forEach(line -> same.add(file + ": " + line));
            }
        }
        assertNone(same, "paragraphs whose text is on the line of <p>");
    }

    /** A device keeps its UDP port until its JVM ends, so a program of another test could not have the address. */
    @Test
    void noLoopbackAddressIsUsedByTwoTests() throws IOException {
        Map<String, Set<Path>> users = new TreeMap<>();
        for (Path file : SourceFiles.files()) {
            if (SourceFiles.isJava(file) && file.startsWith(Path.of("softdevice", "src", "test"))) {
                LOOPBACK.matcher(String.join("\n", SourceFiles.lines(file))).results()
                        .forEach(each -> users.computeIfAbsent(each.group(), address -> new TreeSet<>()).add(file));
            }
        }
        assertTrue(users.remove(PARSED_ONLY).size() > 1, PARSED_ONLY + " needs no exception any more");
        assertNone(users.entrySet().stream().filter(each -> each.getValue().size() > 1).map(Map.Entry::toString)
                .toList(), "loopback addresses of several tests");
    }

    @Test
    void theFilesOfAllModulesAreFound() throws IOException {
        Set<String> expected = Set.of("pom.xml", ".ci/run", "bench/run", "docs/semantics.md",
                "docs/images/close.svg",
                "jverbs/src/rxe/resources/rxe-deviations.txt", "ffm-bindings/src/jextract/umbrella.h");
        List<String> found = SourceFiles.files().stream().map(file -> file.toString().replace('\\', '/')).toList();
        assertEquals(Set.of(), expected.stream().filter(file -> !found.contains(file))
                .collect(Collectors.toSet()));
    }
}
