package io.jverbs.soft.structure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The names and words of {@code avoided-words.txt} occur in no file that people write. */
final class AvoidedWordsTest {
    private static final Path LIST = Path.of("src/test/resources/io/jverbs/soft/structure/avoided-words.txt");
    private static final Pattern RULE = Pattern.compile(
            "(class|method|words) ([\\w ]+?)(?: ([a-z-]+(?:/[a-z-]+)*))? = (.+)");
    private static final Pattern TYPE = Pattern.compile("\\b(?:class|record|enum|interface) (\\w+)");
    /** A declaration, not a call, which has no type before it. */
    private static final Pattern METHOD = Pattern
            .compile("(?m)^ ++(?!return |new |throw )[\\w<>., ]*[\\w>\\]] (\\w+)\\(");

    /** What does not occur, in which folder, and what to write instead. */
    private record Rule(String kind, String name, String folder, String better) {

        static Rule of(String line) {
            Matcher rule = RULE.matcher(line);
            assertTrue(rule.matches(), line);
            // several words have no folder
            return rule.group(1).equals("words")
                    ? new Rule("words", line.substring("words ".length(), rule.start(4) - " = ".length()), "",
                            rule.group(4))
                    : new Rule(rule.group(1), rule.group(2), rule.group(3) == null ? "" : rule.group(3) + "/",
                            rule.group(4));
        }

        boolean finds(Path file, String text, String lowerCase) {
            if (!SourceFiles.name(file).startsWith(folder)) {
                return false;
            }
            return switch (kind) {
                case "class" -> declares(file, text, TYPE);
                case "method" -> declares(file, text, METHOD);
                default -> lowerCase.contains(name);
            };
        }

        private boolean declares(Path file, String text, Pattern declaration) {
            return SourceFiles.isJava(file) && text.contains(name)
                    && declaration.matcher(text).results().anyMatch(found -> found.group(1).equals(name));
        }
    }

    private static List<Rule> rules() throws IOException {
        return Files.readAllLines(LIST).stream().filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .map(Rule::of).toList();
    }

    private static boolean finds(String rule, String file, String text) {
        return Rule.of(rule).finds(Path.of(file), text, text.toLowerCase(Locale.ROOT));
    }

    @Test
    void noNameAndNoWordOfTheListOccurs() throws IOException {
        List<Rule> rules = rules();
        List<String> offenders = new ArrayList<>();
        for (Path file : SourceFiles.files()) {
            if (SourceFiles.isText(file) && !file.endsWith(LIST.getFileName())) {
                String text = String.join("\n", SourceFiles.lines(file));
                String lowerCase = text.toLowerCase(Locale.ROOT);
                rules.stream().filter(rule -> rule.finds(file, text, lowerCase)).forEach(
                        rule -> offenders
                                .add(file + " has " + rule.kind + " " + rule.name + ", better: " + rule.better));
            }
        }

        assertEquals(List.of(), offenders);
    }

    @Test
    void aRuleFindsADeclarationInItsFolderAndWordsInEachCase() {
        String type = "    record Lane(int number) {}";
        assertTrue(finds("class Lane jverbs = pair", "jverbs/A.java", type));
        assertEquals(false, finds("class Lane jverbs = pair", "samples/A.java", type));
        assertEquals(false, finds("class Lan = pair", "jverbs/A.java", type));
        assertTrue(finds("method help a/b = poll", "a/b/A.java", "    private boolean help(int most) {"));
        assertEquals(false, finds("method help a/b = poll", "a/b/A.java", "        return help(3);"));
        assertTrue(finds("words two words = one", "a.md", "These are Two Words."));
    }
}
