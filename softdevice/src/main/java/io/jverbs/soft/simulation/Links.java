package io.jverbs.soft.simulation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;

/** All directions of a network, made when first asked for. Guarded by the schedule's lock. */
final class Links {
    static final int DEVICES = 256;
    private static final long MIX = 0x9E37_79B9_7F4A_7C15L;

    private final long seed;
    private LinkSettings defaults;
    private final TreeMap<Integer, Direction> directions = new TreeMap<>();
    /** Who is cut off from all others. */
    private final List<BitSet> partitions = new ArrayList<>();
    private boolean allCut;

    Links(long seed, LinkSettings defaults) {
        this.seed = seed;
        // settings are changed in place
        this.defaults = new LinkSettings(defaults);
    }

    /** A number of its own for each use of a seed. */
    static long mix(long seed, long use) {
        long mixed = (seed ^ use * MIX) * 0xBF58_476D_1CE4_E5B9L;
        mixed = (mixed ^ mixed >>> 31) * 0x94D0_49BB_1331_11EBL;
        return mixed ^ mixed >>> 29;
    }

    Direction direction(int from, int to) {
        int key = from * DEVICES + to;
        Direction present = directions.get(key);
        if (present == null) {
            present = new Direction(mix(seed, key + 1L), defaults);
            present.cut(allCut);
            directions.put(key, present);
        }
        return present;
    }

    List<Direction> between(int one, int other) {
        return one == other
                ? List.of(direction(one, one))
                : List.of(direction(one, other), direction(other, one));
    }

    /** Changes all directions, also those to come. */
    void change(Consumer<LinkSettings> change) {
        change.accept(defaults);
        directions.values().forEach(direction -> change.accept(direction.settings()));
    }

    /** Makes all directions whole and without faults, also those to come. */
    void perfect() {
        defaults = new LinkSettings();
        directions.values().forEach(Direction::perfect);
        heal();
    }

    /** Cuts some devices off from all others. */
    void isolate(int... devices) {
        BitSet inside = new BitSet();
        Arrays.stream(devices).forEach(inside::set);
        partitions.add(inside);
        directions.forEach((key, direction) -> {
            if (inside.get(key / DEVICES) != inside.get(key % DEVICES)) {
                direction.forgetTheLine();
            }
        });
    }

    /** Ends all partitions. */
    void heal() {
        partitions.clear();
        cutAll(false);
    }

    /** Cuts all directions, also those to come, or ends that. */
    void cutAll(boolean now) {
        allCut = now;
        directions.values().forEach(direction -> direction.cut(now));
    }

    boolean isCut(int from, int to) {
        for (BitSet inside : partitions) {
            if (inside.get(from) != inside.get(to)) {
                return true;
            }
        }
        return direction(from, to).isCut();
    }
}
