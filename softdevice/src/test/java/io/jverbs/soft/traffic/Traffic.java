package io.jverbs.soft.traffic;

import io.jverbs.control.SimulatedPacket;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;

/** Runs the scripts of seeds and shrinks one that fails. */
public final class Traffic {
    private static final int MAX_TRIES = 2_000;
    private static final int REPORTED_PACKETS = 40;

    private final ScriptRunner.Buffers buffers = new ScriptRunner.Buffers();
    private long packets;
    private List<SimulatedPacket> latest = List.of();
    private volatile Script current;

    /** Runs a script; returns its failure, or null if it passes. */
    Throwable run(Script script) {
        current = script;
        try (ScriptRunner runner = new ScriptRunner(script, buffers)) {
            try {
                runner.run();
            } catch (Throwable e) {
                latest = runner.latest();
                throw e;
            } finally {
                packets += runner.packets();
            }
            return null;
        } catch (OutOfMemoryError e) {
            throw e;
        } catch (Throwable e) {
            // any failure is reported with its seed
            return e;
        }
    }

    /** The script that is running; may be called by any thread. */
    Script current() {
        return current;
    }

    /** The hash of a script's packets. */
    String hash(Script script) {
        try (ScriptRunner runner = new ScriptRunner(script, buffers)) {
            runner.run();
            return runner.hash();
        }
    }

    /** How many packets were sent in all runs. */
    long packets() {
        return packets;
    }

    /**
     * Runs seeds one after the other.
     *
     * @param first the first seed
     * @param count the number of seeds
     * @return the report on the first seed that fails, with its shrunk script; null if none fails
     */
    String failure(long first, long count) {
        for (long seed = first; seed < first + count; seed++) {
            Script script = Script.of(seed);
            if (run(script) != null) {
                Script shortest = shrink(script);
                return report(shortest, run(shortest));
            }
        }
        return null;
    }

    /**
     * Does the same as {@link #failure}, for callers that load this class in another class loader.
     *
     * @param first the first seed
     * @param count the number of seeds
     * @return the report on the first seed that fails, with its shrunk script; null if none fails
     */
    public static String find(long first, long count) {
        return new Traffic().failure(first, count);
    }

    /** Removes as many steps as possible while the script still fails: halves first, then smaller parts. */
    Script shrink(Script failing) {
        Script smallest = failing;
        int tries = 0;
        for (int size = Math.max(1, failing.numbers().size() / 2); size >= 1 && tries < MAX_TRIES; size /= 2) {
            boolean shorter = true;
            while (shorter && tries < MAX_TRIES) {
                shorter = false;
                for (int at = 0; at < smallest.numbers().size() && tries < MAX_TRIES; tries++) {
                    List<Integer> rest = new ArrayList<>(smallest.numbers());
                    rest.subList(at, Math.min(at + size, rest.size())).clear();
                    Script candidate = failing.only(rest);
                    if (run(candidate) != null) {
                        smallest = candidate;
                        shorter = true;
                    } else {
                        at += size;
                    }
                }
            }
        }
        return smallest;
    }

    /** Runs a script; returns the report on its failure with the stack trace, or null if it passes. */
    String describe(Script script) {
        Throwable violation = run(script);
        if (violation == null) {
            return null;
        }
        StringWriter stack = new StringWriter();
        violation.printStackTrace(new PrintWriter(stack));
        return report(script, violation) + "\n" + stack;
    }

    private String report(Script script, Throwable violation) {
        StringBuilder text = new StringBuilder("seed ").append(script.seed()).append(": ").append(violation)
                .append("\n  ").append(script.terms());
        for (int i = 0; i < script.steps().size(); i++) {
            text.append("\n  step ").append(script.numbers().get(i)).append(": ").append(script.steps().get(i));
        }
        latest.stream().skip(Math.max(0, latest.size() - REPORTED_PACKETS))
                .forEach(packet -> text.append("\n  ").append(packet));
        return text.append(replay(script)).toString();
    }

    /** Returns the command that repeats a script. */
    static String replay(Script script) {
        return "\n  replay: mvn -pl softdevice -am test -Dtest=RandomTrafficTest"
                + " -Dsurefire.failIfNoSpecifiedTests=false " + script.replay();
    }
}
