package io.jverbs.bench.program;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Every command of a document that runs benchmarks selects existing ones, and has options that are allowed. */
class DocumentsTest {
    private static final Path CHECKOUT = Path.of("..");
    /** A line in a block of code, or a part of a sentence. */
    private static final Pattern COMMAND = Pattern
            .compile("(?m)^(?:taskset -c \\S+ )?bench/run ([^#\\n`]+)|`bench/run ([^`]+)`");
    private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");

    static List<String> commands() throws IOException {
        List<String> commands = new ArrayList<>();
        try (Stream<Path> pages = Files.list(CHECKOUT.resolve("docs"))) {
            for (Path page : pages.filter(file -> file.toString().endsWith(".md")).sorted().toList()) {
                COMMAND.matcher(Files.readString(page)).results().map(DocumentsTest::group)
                        .forEach(command -> commands.add(command.strip()));
            }
        }
        assertTrue(commands.size() > 10, commands::toString);
        return commands.stream().distinct().toList();
    }

    /** {@return the group of a match that is not empty} */
    private static String group(MatchResult match) {
        return match.group(1) == null ? match.group(2) : match.group(1);
    }

    /** {@return the arguments of the program, whose files are relative to the checkout} */
    private static String[] arguments(String command) {
        List<String> words = new ArrayList<>();
        Iterator<String> all = WORD.matcher(command).results().map(DocumentsTest::group).iterator();
        while (all.hasNext()) {
            String word = all.next();
            switch (word) {
                case ChartOptions.CHARTS -> words.addAll(List.of(word, CHECKOUT.resolve(all.next()).toString()));
                // the results of an earlier command, which exist only after it
                case ChartOptions.RESULTS, "-rff" -> all.next();
                default -> {
                    // the launcher gives properties to the JVM
                    if (!word.startsWith("-D")) {
                        words.add(word);
                    }
                }
            }
        }
        return words.toArray(String[]::new);
    }

    private static List<String> benchmarks() {
        PrintStream nowhere = new PrintStream(PrintStream.nullOutputStream());
        return BenchmarkList.defaultList()
                .getAll(OutputFormatFactory.createFormatInstance(nowhere, VerboseMode.SILENT), List.of()).stream()
                .map(BenchmarkListEntry::getUsername).toList();
    }

    @ParameterizedTest
    @MethodSource("commands")
    void aCommandSelectsBenchmarksAndHasAllowedOptions(String command) {
        for (Arguments part : Arguments.parse(arguments(command)).parts()) {
            List<Group> groups = Group.select(part);
            assertFalse(groups.isEmpty());
            part.checkParameters(groups.stream().flatMap(Group::parameters).toList());
            for (String pattern : part.jmh().getIncludes()) {
                assertTrue(benchmarks().stream().anyMatch(name -> Pattern.compile(pattern).matcher(name).find()),
                        pattern);
            }
        }
    }
}
