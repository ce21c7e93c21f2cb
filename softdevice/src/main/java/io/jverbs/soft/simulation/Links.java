package io.jverbs.soft.simulation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.TreeMap;

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
        this.defaults = defaults;
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

    List<Direction> all() {
        return List.copyOf(directions.values());
    }

    LinkSettings defaults() {
        return defaults;
    }

    void defaults(LinkSettings changed) {
        defaults = new LinkSettings(changed);
    }

    /** Cuts some devices off from all others. */
    void isolate(int... devices) {
        BitSet inside = new BitSet();
        Arrays.stream(devices).forEach(inside::set);
        partitions.add(inside);
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
