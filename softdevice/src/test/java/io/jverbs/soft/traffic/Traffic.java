package io.jverbs.soft.traffic;

import io.jverbs.control.SimulatedPacket;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;

/** Runs seeds, and shrinks what fails. */
public final class Traffic {
    private static final int MOST_TRIES = 2_000;
    private static final int LATEST = 40;

    private final World.Rooms rooms = new World.Rooms();
    private long packets;
    private List<SimulatedPacket> latest = List.of();
    private volatile Script current;

    /** Runs a script; what went wrong, or null if all is well. */
    Throwable run(Script script) {
        current = script;
        try (World world = new World(script, rooms)) {
            try {
                world.run();
            } catch (Throwable e) {
                latest = world.latest();
                throw e;
            } finally {
                packets += world.packets();
            }
            return null;
        } catch (OutOfMemoryError e) {
            throw e;
        } catch (Throwable e) {
            // whatever it is, a report tells by which seed
            return e;
        }
    }

    /** The script that runs now; any thread may ask. */
    Script current() {
        return current;
    }

    /** The hash of a script's packets. */
    String hash(Script script) {
        try (World world = new World(script, rooms)) {
            world.run();
            return world.hash();
        }
    }

    /** How many packets were sent in all runs. */
    long packets() {
        return packets;
    }

    /**
     * Runs seeds one after the other.
     *
     * @param first the first of them
     * @param count how many
     * @return what the first that fails does, with its shortest replay; null if none fails
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
     * As {@link #failure}, for who has this class from another class loader.
     *
     * @param first the first seed
     * @param count how many
     * @return the number of the seed that fails, counted from the first, and what it does; null if none does
     */
    public static String find(long first, long count) {
        return new Traffic().failure(first, count);
    }

    /** Leaves out as many steps as can be: halves first, then single ones. */
    Script shrink(Script failing) {
        Script smallest = failing;
        int tries = 0;
        for (int size = Math.max(1, failing.numbers().size() / 2); size >= 1 && tries < MOST_TRIES; size /= 2) {
            boolean shorter = true;
            while (shorter && tries < MOST_TRIES) {
                shorter = false;
                for (int at = 0; at < smallest.numbers().size() && tries < MOST_TRIES; tries++) {
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

    /** Runs a script; what it does wrong, with the stack and what it takes to see it again, or null. */
    String told(Script script) {
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
        latest.stream().skip(Math.max(0, latest.size() - LATEST)).forEach(packet -> text.append("\n  ").append(packet));
        return text.append(replay(script)).toString();
    }

    /** The command that runs a script again. */
    static String replay(Script script) {
        return "\n  replay: mvn -pl softdevice -am test -Dtest=RandomTrafficTest"
                + " -Dsurefire.failIfNoSpecifiedTests=false " + script.replay();
    }
}
