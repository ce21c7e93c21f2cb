package io.jverbs.soft.structure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * A method whose Javadoc says that a lock is held asserts it in its first statement, and so does a method that
 * overrides it. A method with an empty body need not, nor one that first calls the method that it overrides.
 */
final class HeldLocksTest {
    private static final List<String> MODULES = List.of("ffm-bindings", "jverbs", "softdevice");
    private static final String MAIN = "/src/main/java/";
    private static final String LOCKS = "\\b(?:locks?|runner)\\b";
    private static final String CLAUSE = "[^.;,]*";
    /** The remark: a sentence, or the end of one. "No lock is held" and "until the lock is held" are none. */
    private static final Pattern REMARK = Pattern.compile("(?:^|[.;,}] )(?:"
            + "(?:the|both)\\b" + CLAUSE + LOCKS + CLAUSE + "\\b(?:is|are) held\\b"
            + "|called with (?:the|both)\\b" + CLAUSE + LOCKS + CLAUSE + "\\bheld\\b"
            + "|the (?:calling )?(?:caller|thread) holds (?!no )" + CLAUSE + LOCKS + ")", Pattern.CASE_INSENSITIVE);
    private static final Pattern JAVADOC = Pattern.compile("/\\*\\*(.*?)\\*/", Pattern.DOTALL);
    private static final Pattern ANNOTATIONS = Pattern.compile("(?:\\s*@\\w+(?:\\([^)]*\\))?)*");
    private static final Pattern COMMENTS = Pattern.compile("(?:\\s*//[^\n]*\n)*");
    private static final Pattern OVERRIDE = Pattern.compile("@Override\\b");
    /** A method, up to its body or its end. A field has "=" or ";" before any parenthesis. */
    private static final Pattern METHOD = Pattern.compile(
            "\\s*(?:[\\w<>\\[\\].,?&]+\\s+)*?(\\w+)\\(([^{;=]*?)\\)([^{;=]*)([{;])");

    /** Methods of classes that have no reference to the lock, and what asserts it instead. */
    private static final Map<String, String> EXCEPTIONS = Map.of(
            "CompletionRing.put", "CompletionQueueCore.put takes the put lock or asserts that of the only producer",
            "RequesterProtocol.clear", "Requester.clear, and the protocols that override it",
            "PacketInTransit.run", "EventRunner.runNextLocked, and Simulation.arrive, which it calls",
            "Schedule.run", "EventRunner.runNextLocked");

    /** A source file, by the name of its type, and its text. */
    private record Source(String type, String text) {
        /** Returns whether a type of this file extends or implements another one. */
        boolean extendsType(String other) {
            return text.contains(other) && Pattern.compile("\\b(?:extends|implements)\\b[^{;]*\\b" + other + "\\b")
                    .matcher(text).find();
        }

        /** Returns the method that is declared at a position; null if it is another declaration. */
        Method methodAt(int position) {
            Matcher annotations = ANNOTATIONS.matcher(text).region(position, text.length());
            Matcher method = METHOD.matcher(text).region(annotations.lookingAt() ? annotations.end() : position,
                    text.length());
            if (!method.lookingAt()) {
                return null;
            }
            Matcher comments = COMMENTS.matcher(text).region(method.end(), text.length());
            String body = text.substring(comments.lookingAt() ? comments.end() : method.end()).stripLeading();
            String name = method.group(1);
            String parameters = method.group(2);
            return new Method(type, name, parameters.isBlank() ? 0 : parameters.split(",").length,
                    method.group(4).equals(";") || body.startsWith("}") || body.startsWith("super." + name + "(")
                            || body.startsWith("assert "));
        }

        /** Returns the methods that override a method of another file, as far as the names tell. */
        List<Method> overriding(Method other) {
            List<Method> found = new ArrayList<>();
            Matcher override = OVERRIDE.matcher(extendsType(other.type()) ? text : "");
            while (override.find()) {
                Method method = methodAt(override.start());
                if (method != null && method.name().equals(other.name())
                        && method.parameters() == other.parameters()) {
                    found.add(method);
                }
            }
            return found;
        }
    }

    /** A method of a file, the number of its parameters, and whether it asserts what its Javadoc says, if it must. */
    private record Method(String type, String name, int parameters, boolean isRight) {
        String qualifiedName() {
            return type + "." + name;
        }
    }

    private static List<Source> sources() throws IOException {
        List<Source> sources = new ArrayList<>();
        for (Path file : SourceFiles.files()) {
            String path = SourceFiles.name(file);
            if (SourceFiles.isJava(file) && MODULES.stream().anyMatch(module -> path.startsWith(module + MAIN))) {
                String name = file.getFileName().toString();
                sources.add(new Source(name.substring(0, name.length() - ".java".length()),
                        String.join("\n", SourceFiles.lines(file))));
            }
        }
        return sources;
    }

    /** Returns the methods with the remark and those that override them. */
    private static List<Method> remarked(List<Source> sources) {
        List<Method> remarked = new ArrayList<>();
        for (Source source : sources) {
            Matcher javadoc = JAVADOC.matcher(source.text());
            while (javadoc.find()) {
                Method method = isRemark(javadoc.group(1)) ? source.methodAt(javadoc.end()) : null;
                if (method != null) {
                    remarked.add(method);
                    sources.forEach(each -> remarked.addAll(each.overriding(method)));
                }
            }
        }
        return remarked;
    }

    private static boolean isRemark(String javadoc) {
        return REMARK.matcher(javadoc.replaceAll("\\s*\n\\s*\\* ?", " ").strip()).find();
    }

    @Test
    void aMethodWhoseJavadocSaysThatALockIsHeldAssertsIt() throws IOException {
        List<Method> remarked = remarked(sources());
        Set<String> silent = remarked.stream().filter(each -> !each.isRight()).map(Method::qualifiedName)
                .collect(Collectors.toCollection(TreeSet::new));
        assertTrue(remarked.size() > 100, () -> remarked.size() + " methods were found");
        assertEquals(new TreeSet<>(EXCEPTIONS.keySet()), silent,
                "the exceptions, and the methods whose first statement is no assertion");
    }

    @Test
    void onlyARemarkThatALockIsHeldIsOne() {
        for (String remark : List.of("Adds it. The lock is held.", "Adds it; the lock of the context is held.",
                "{@return the PSN} The lock of either\n     * half is held.", "Clears it. Both locks are held.",
                "Waits. The caller holds the lock of the queue.",
                "Moves it. The locks of both\n     * halves are held.",
                "Runs it. The runner is held, and no other lock.",
                "Wakes it. Called with the lock held, also later.")) {
            assertTrue(isRemark(remark), remark);
        }
        for (String other : List.of("Calls it. No lock is held.", "Runs it. The caller holds no lock.",
                "Waits until each user's lock that is held now has been released.", "The packets are held.",
                "Notes it. Called with no lock held.", "Work that is noted while locks are held.")) {
            assertTrue(!isRemark(other), other);
        }
    }
}
