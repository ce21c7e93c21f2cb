package io.jverbs.soft.traffic;

import io.jverbs.control.SimulatedPacket;
import java.util.ArrayList;
import java.util.List;

/** Runs seeds, and shrinks what fails. */
public final class Traffic {
    private static final int MOST_TRIES = 2_000;
    private static final int LATEST = 40;

    private final World.Rooms rooms = new World.Rooms();
    private long packets;
    private List<SimulatedPacket> latest = List.of();

    /** Runs a script; the violation, or null if all is well. */
    Throwable run(Script script) {
        try (World world = new World(script, rooms)) {
            try {
                world.run();
            } finally {
                packets += world.packets();
                latest = world.latest();
            }
            return null;
        } catch (Violation | RuntimeException e) {
            return e;
        }
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
                return report(shrink(script));
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

    /** What a script does, with what it takes to see it again. */
    String report(Script script) {
        Throwable violation = run(script);
        StringBuilder text = new StringBuilder("seed ").append(script.seed()).append(": ").append(violation)
                .append("\n  ").append(script.terms());
        for (int i = 0; i < script.steps().size(); i++) {
            text.append("\n  step ").append(script.numbers().get(i)).append(": ").append(script.steps().get(i));
        }
        latest.stream().skip(Math.max(0, latest.size() - LATEST)).forEach(packet -> text.append("\n  ").append(packet));
        return text.append("\n  replay: mvn -pl softdevice -am test -Dtest=RandomTrafficTest"
                + " -Dsurefire.failIfNoSpecifiedTests=false ").append(script.replay()).toString();
    }
}
