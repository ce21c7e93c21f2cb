package io.jverbs.soft.fabric.udp;

import io.jverbs.Gid;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/** The senders from which a socket has received packets. Finding a known one allocates nothing. Not thread-safe. */
final class SenderTable {
    /** The maximum number of senders. When it is reached, all are forgotten. */
    private static final int MAX_SENDERS = 4096;
    private static final int INITIAL_SLOTS = 16;

    /** A random factor of the hash function, so that peers cannot choose addresses that share a slot. */
    private final long hashFactor = ThreadLocalRandom.current().nextLong() | 1;
    private RemoteSender[] slots = new RemoteSender[INITIAL_SLOTS];
    private int count;
    /** The policies by address: the device of a Linux kernel has a port for each queue pair, but one counter of IDs. */
    private final Map<Gid, IpIdPolicy> ipIdPolicies = new HashMap<>();

    /** Returns the sender with an address and a port. */
    RemoteSender of(long high, long low, int port) {
        int slot = slot(high, low, port);
        if (slots[slot] == null) {
            if (count == MAX_SENDERS) {
                slots = new RemoteSender[INITIAL_SLOTS];
                ipIdPolicies.clear();
                count = 0;
            } else if (2 * count >= slots.length) {
                grow();
            }
            slot = slot(high, low, port);
            Gid gid = Gid.of(high, low);
            slots[slot] = new RemoteSender(gid, port, ipIdPolicies.computeIfAbsent(gid, address -> new IpIdPolicy()));
            count++;
        }
        return slots[slot];
    }

    /** Returns the slot of a sender, or the empty slot where it belongs. */
    private int slot(long high, long low, int port) {
        long mixed = (high * hashFactor ^ low) * hashFactor + port;
        mixed = (mixed ^ mixed >>> 32) * hashFactor;
        int slot = (int) (mixed >>> 32) & slots.length - 1;
        while (slots[slot] != null && !slots[slot].matches(high, low, port)) {
            slot = slot + 1 & slots.length - 1;
        }
        return slot;
    }

    private void grow() {
        RemoteSender[] old = slots;
        slots = new RemoteSender[2 * old.length];
        for (RemoteSender sender : old) {
            if (sender != null) {
                slots[slot(sender.gid().high(), sender.gid().low(), sender.port())] = sender;
            }
        }
    }
}
