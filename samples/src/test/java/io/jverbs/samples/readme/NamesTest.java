package io.jverbs.samples.readme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Every class that the page about the architecture or one of its pictures names exists. */
class NamesTest {
    private static final String PAGE = "docs/architecture.md";
    private static final List<String> SOURCES = List.of("ffm-bindings/src", "jverbs/src", "softdevice/src");
    private static final List<String> JDK = List.of("java.lang.", "java.lang.foreign.", "java.util.");
    /** A name of two words or more, alone or before a method. */
    private static final String NAME = "([A-Z][a-z]+[A-Z][A-Za-z]+)";
    private static final Pattern IN_PAGE = Pattern.compile("`" + NAME + "(?:\\.\\w+(?:\\([^`]*\\))?)?`");
    private static final Pattern IN_PICTURE = Pattern.compile("\\b" + NAME + "\\b");

    private static void add(Set<String> names, Pattern pattern, String text) {
        pattern.matcher(text).results().map((MatchResult name) -> name.group(1)).forEach(names::add);
    }

    private static boolean isOfTheJdk(String name) {
        return JDK.stream().anyMatch(each -> exists(each + name));
    }

    private static boolean exists(String className) {
        try {
            Class.forName(className);
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    @Test
    void everyClassExists() {
        Set<String> names = new TreeSet<>();
        add(names, IN_PAGE, Documents.read(PAGE));
        for (Path picture : Documents.files("docs/images", 1, ".svg")) {
            // the texts alone
            Pattern.compile(">([^<>]+)</text>").matcher(Documents.read(picture.toString())).results()
                    .forEach(text -> add(names, IN_PICTURE, text.group(1)));
        }
        assertTrue(names.size() > SOURCES.size(), names::toString);
        for (String folder : SOURCES) {
            for (Path file : Documents.files(folder, Integer.MAX_VALUE, ".java")) {
                names.remove(file.getFileName().toString().replace(".java", ""));
            }
        }
        names.removeIf(NamesTest::isOfTheJdk);
        assertEquals(Set.of(), names);
    }
}
