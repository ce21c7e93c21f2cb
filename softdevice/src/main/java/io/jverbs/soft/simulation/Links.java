package io.jverbs.soft.simulation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The links of a network, two directions each, and its partitions. A direction is created when it is first used.
 * Guarded by the schedule's lock.
 */
final class Links {
    static final int DEVICES = 256;
    private static final long MIX = 0x9E37_79B9_7F4A_7C15L;

    private final long seed;
    /** The settings of directions that do not exist yet. */
    private LinkSettings defaults;
    private final TreeMap<Integer, LinkDirection> directions = new TreeMap<>();
    /** The partitions: each is a set of devices that is cut off from all others. */
    private final List<BitSet> partitions = new ArrayList<>();
    private boolean allCut;

    Links(long seed, LinkSettings defaults) {
        this.seed = seed;
        // a copy, because settings are changed in place
        this.defaults = new LinkSettings(defaults);
    }

    /** Derives the seed of one generator from the seed of the network. */
    static long mix(long seed, long use) {
        long mixed = (seed ^ use * MIX) * 0xBF58_476D_1CE4_E5B9L;
        mixed = (mixed ^ mixed >>> 31) * 0x94D0_49BB_1331_11EBL;
        return mixed ^ mixed >>> 29;
    }

    LinkDirection direction(int from, int to) {
        int key = from * DEVICES + to;
        LinkDirection present = directions.get(key);
        if (present == null) {
            present = new LinkDirection(mix(seed, key + 1L), defaults);
            present.cut(allCut);
            directions.put(key, present);
        }
        return present;
    }

    List<LinkDirection> between(int one, int other) {
        return one == other
                ? List.of(direction(one, one))
                : List.of(direction(one, other), direction(other, one));
    }

    /** Changes all directions, including those that do not exist yet. */
    void change(Consumer<LinkSettings> change) {
        change.accept(defaults);
        directions.values().forEach(direction -> change.accept(direction.settings()));
    }

    /** Removes all faults and partitions from all directions, including those that do not exist yet. */
    void perfect() {
        defaults = new LinkSettings();
        directions.values().forEach(LinkDirection::perfect);
        heal();
    }

    /** Adds a partition that cuts some devices off from all others. */
    void isolate(int... devices) {
        BitSet inside = new BitSet();
        Arrays.stream(devices).forEach(inside::set);
        if (!partitions.contains(inside)) {
            partitions.add(inside);
        }
        directions.forEach((key, direction) -> {
            if (inside.get(key / DEVICES) != inside.get(key % DEVICES)) {
                direction.clearQueue();
            }
        });
    }

    /** Ends all partitions, also those of single links. */
    void heal() {
        partitions.clear();
        cutAll(false);
    }

    /** Cuts all directions, including those that do not exist yet, or restores them. */
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
