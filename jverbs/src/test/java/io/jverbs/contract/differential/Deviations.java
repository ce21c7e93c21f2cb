package io.jverbs.contract.differential;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

/**
 * What the right device is known to do otherwise. A line of a table is
 * {@code catalogue number | step | what | left | right | reason}; step, what, left and right are regular expressions
 * for the words of a {@link Difference}. A line whose "what" is {@code avoid} names what the generator leaves out.
 */
final class Deviations {

    /** The devices are held to be equal. */
    static final Deviations NONE = new Deviations(List.of(), Set.of());

    /** A line of the table. */
    record Rule(String number, Pattern step, Pattern what, Pattern left, Pattern right, String reason,
            AtomicInteger met) {

        boolean covers(String label, String subject, String theirs, String ours) {
            return step.matcher(label).matches() && what.matcher(subject).matches() && left.matcher(theirs).matches()
                    && right.matcher(ours).matches();
        }

        @Override
        public String toString() {
            return number + " | " + step + " | " + what + " | " + left + " | " + right;
        }
    }

    private final List<Rule> rules;
    private final Set<Enum<?>> avoided;

    private Deviations(List<Rule> rules, Set<Enum<?>> avoided) {
        this.rules = rules;
        this.avoided = avoided;
    }

    /** Reads a table beside this class. */
    static Deviations load(String name) {
        try (InputStream in = Deviations.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalArgumentException("there is no table of deviations " + name);
            }
            return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Deviations parse(String table) {
        List<Rule> rules = new ArrayList<>();
        Set<Enum<?>> avoided = new HashSet<>();
        for (String line : table.lines().filter(text -> !text.isBlank() && !text.startsWith("#")).toList()) {
            String[] cells = line.split("\\s+\\|\\s+", -1);
            if (cells.length != 6 || cells[5].isBlank()) {
                throw new IllegalArgumentException("not number | step | what | left | right | reason: " + line);
            }
            if (cells[2].equals("avoid")) {
                for (String fault : cells[1].trim().split(",\\s*")) {
                    avoided.add(avoidable(fault));
                }
            } else {
                rules.add(new Rule(cells[0].trim(), Pattern.compile(cells[1]), Pattern.compile(cells[2]),
                        Pattern.compile(cells[3]), Pattern.compile(cells[4]), cells[5].trim(), new AtomicInteger()));
            }
        }
        return new Deviations(rules, avoided);
    }

    private static Enum<?> avoidable(String name) {
        for (Habit habit : Habit.values()) {
            if (habit.name().equals(name)) {
                return habit;
            }
        }
        return Fault.valueOf(name);
    }

    /** {@link Fault}s and {@link Habit}s that the generator leaves out. */
    Set<Enum<?>> avoided() {
        return avoided;
    }

    /** Whether a difference is declared. */
    boolean covers(String label, String what, String left, String right) {
        return rules.stream().anyMatch(rule -> rule.covers(label, what, left, right));
    }

    /** As {@link #covers}, and notes that the deviation was met. */
    boolean meets(Difference difference) {
        for (Rule rule : rules) {
            if (rule.covers(difference.label(), difference.what(), difference.left(), difference.right())) {
                rule.met().incrementAndGet();
                return true;
            }
        }
        return false;
    }

    /** Deviations that never showed. */
    List<Rule> unmet() {
        return rules.stream().filter(rule -> rule.met().get() == 0).toList();
    }

    List<Rule> rules() {
        return rules;
    }
}
