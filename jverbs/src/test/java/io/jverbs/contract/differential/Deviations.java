package io.jverbs.contract.differential;

import io.jverbs.contract.differential.sequence.Fault;
import io.jverbs.contract.differential.sequence.UnsupportedAction;
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
 * The declared deviations of the right device. A line of a table is
 * {@code catalogue number | step | what | left | right | reason}. Step, what, left and right are regular expressions
 * that match the components of a {@link Difference}. A line whose "what" is {@code avoid} names a fault or action that
 * the generator leaves out.
 */
final class Deviations {

    /** No deviations: the devices must behave the same. */
    static final Deviations NONE = new Deviations(List.of(), Set.of());

    /** One line of the table. */
    record Rule(String number, Pattern step, Pattern what, Pattern left, Pattern right, String reason,
            AtomicInteger occurred) {

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

    /** Reads a table from the resources of this class. */
    static Deviations load(String name) {
        try (InputStream in = Deviations.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalArgumentException(
                        "--deviations " + name.replace(".txt", "") + ": there is no such table;"
                                + " allowed are none and the tables beside Deviations.class" + Options.PAGE);
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
                throw new IllegalArgumentException(
                        "a line must be number | step | what | left | right | reason, but is: " + line);
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
        for (UnsupportedAction action : UnsupportedAction.values()) {
            if (action.name().equals(name)) {
                return action;
            }
        }
        return Fault.valueOf(name);
    }

    /** Returns the {@link Fault}s and {@link UnsupportedAction}s that the generator leaves out. */
    Set<Enum<?>> avoided() {
        return avoided;
    }

    /** Returns whether a difference is declared. */
    boolean covers(String label, String what, String left, String right) {
        return rules.stream().anyMatch(rule -> rule.covers(label, what, left, right));
    }

    /** Returns whether a difference is declared, like {@link #covers}, and counts that the deviation occurred. */
    boolean countIfCovered(Difference difference) {
        for (Rule rule : rules) {
            if (rule.covers(difference.label(), difference.what(), difference.left(), difference.right())) {
                rule.occurred().incrementAndGet();
                return true;
            }
        }
        return false;
    }

    /** Returns the deviations that never occurred. */
    List<Rule> neverOccurred() {
        return rules.stream().filter(rule -> rule.occurred().get() == 0).toList();
    }

    List<Rule> rules() {
        return rules;
    }
}
