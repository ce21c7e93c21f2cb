package io.jverbs.soft.fabric;

import io.jverbs.Gid;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/** The senders that a socket has met. Finding one that was met allocates nothing. Not thread-safe. */
final class Senders {
    /** So many are remembered; the others are met anew. */
    private static final int MOST = 4096;
    private static final int FIRST_SLOTS = 16;

    /** Which addresses share a slot is nobody's business. */
    private final long secret = ThreadLocalRandom.current().nextLong() | 1;
    private Sender[] slots = new Sender[FIRST_SLOTS];
    private int count;
    /** By address: a kernel's device has a port for each queue pair, and one counter. */
    private final Map<Gid, Numbering> numberings = new HashMap<>();

    /** The sender with an address. */
    Sender of(long high, long low, int port) {
        int slot = slot(high, low, port);
        if (slots[slot] == null) {
            if (count == MOST) {
                slots = new Sender[FIRST_SLOTS];
                numberings.clear();
                count = 0;
            } else if (2 * count >= slots.length) {
                grow();
            }
            slot = slot(high, low, port);
            Gid gid = Gid.of(high, low);
            slots[slot] = new Sender(gid, port, numberings.computeIfAbsent(gid, address -> new Numbering()));
            count++;
        }
        return slots[slot];
    }

    /** Its slot, or the empty one where it belongs. */
    private int slot(long high, long low, int port) {
        long mixed = (high * secret ^ low) * secret + port;
        mixed = (mixed ^ mixed >>> 32) * secret;
        int slot = (int) (mixed >>> 32) & slots.length - 1;
        while (slots[slot] != null && !slots[slot].is(high, low, port)) {
            slot = slot + 1 & slots.length - 1;
        }
        return slot;
    }

    private void grow() {
        Sender[] before = slots;
        slots = new Sender[2 * before.length];
        for (Sender sender : before) {
            if (sender != null) {
                slots[slot(sender.gid().high(), sender.gid().low(), sender.port())] = sender;
            }
        }
    }
}
