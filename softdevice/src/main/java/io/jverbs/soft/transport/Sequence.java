package io.jverbs.soft.transport;

/**
 * The PSNs of a reliable connection's requests: which requests have them, which packet leaves next, and which one is the oldest
 * that is not acknowledged. A request gets its PSNs when it begins and keeps them when its packets are sent again. Guarded by the
 * requester's lock.
 */
final class Sequence {
    /** There is no such request. */
    static final long NONE = -1;

    private final SendRing ring;
    private final int[] firstPsns;
    private final int[] packetCounts;
    private final int mask;
    /** The request that sends, as a position in the ring, and how many of its packets have been sent. */
    private long next;
    private int sent;
    /** Requests before this position have PSNs. */
    private long begun;
    private int nextPsn;
    private int unacknowledged;
    /** READs and atomics that were sent and are not complete. */
    private int reads;

    Sequence(SendRing ring) {
        this.ring = ring;
        int slots = ring.slots();
        this.firstPsns = new int[slots];
        this.packetCounts = new int[slots];
        this.mask = slots - 1;
    }

    void clear() {
        next = ring.first();
        begun = next;
        sent = 0;
        reads = 0;
    }

    void nextPsn(int psn) {
        nextPsn = psn & Psns.MASK;
        unacknowledged = nextPsn;
    }

    int nextPsn() {
        return nextPsn;
    }

    /** Whether the oldest request has begun. */
    boolean isBusy() {
        return begun > ring.first();
    }

    /** The request that sends. */
    long next() {
        return next;
    }

    /** How many packets of the request that sends have been sent. */
    int sent() {
        return sent;
    }

    /** Whether there is a request to send. */
    boolean hasNext() {
        return next < ring.end();
    }

    /** Whether the request that sends has PSNs already. */
    boolean hasBegun() {
        return next < begun;
    }

    /** Whether the request that sends is the oldest one. */
    boolean isOldest() {
        return next == ring.first();
    }

    int reads() {
        return reads;
    }

    int unacknowledged() {
        return unacknowledged;
    }

    int firstPsn(long position) {
        return firstPsns[(int) position & mask];
    }

    int packets(long position) {
        return packetCounts[(int) position & mask];
    }

    /** The PSN of the packet that leaves next. */
    int psn() {
        return hasBegun() ? Psns.add(firstPsn(next), sent) : nextPsn;
    }

    /** How many packets are sent and not acknowledged; none if what leaves next is a READ of which a part has come. */
    int underWay() {
        return Math.max(0, Psns.difference(psn(), unacknowledged));
    }

    /** Whether a PSN may be of a packet under way; what was sent before going back may be answered yet. */
    boolean isUnderWay(int psn) {
        return Psns.difference(psn, unacknowledged) >= 0 && Psns.difference(psn, nextPsn) < 0;
    }

    /** Gives PSNs to the request that sends, unless it has them. */
    void begin(int packets) {
        if (!hasBegun()) {
            int slot = (int) next & mask;
            firstPsns[slot] = nextPsn;
            packetCounts[slot] = packets;
            nextPsn = Psns.add(nextPsn, packets);
            begun++;
        }
    }

    /** A packet of the request that sends has been sent. */
    void packetSent() {
        sent++;
        if (sent == packets(next)) {
            next++;
            sent = 0;
        }
    }

    /** The request that sends, a READ or an atomic, has been sent; its PSNs are those of the answer. */
    void readSent() {
        reads++;
        next++;
        sent = 0;
    }

    /** The oldest request needed no PSN and is complete. */
    void skipped() {
        next = ring.first();
        begun = next;
    }

    /** A request is complete, sent or not. */
    void completed(long position, boolean read) {
        if (read) {
            reads = Math.max(0, reads - 1);
        }
        if (next <= position) {
            next = position + 1;
            sent = 0;
        }
    }

    /** The oldest request has failed, and all others will. */
    void failed() {
        next = Math.max(next, ring.first());
        begun = Math.max(begun, ring.first());
        unacknowledged = psn();
    }

    /** Whether all packets of the oldest request are before a PSN. */
    boolean isOldestBefore(int psn) {
        long oldest = ring.first();
        return oldest < begun && Psns.difference(Psns.add(firstPsn(oldest), packets(oldest)), psn) <= 0;
    }

    /** Takes all PSNs before one as acknowledged; how many are so that were not. */
    int acknowledge(int psn) {
        int progress = Psns.difference(psn, unacknowledged);
        if (progress > 0) {
            unacknowledged = psn;
            if (hasBegun() && Psns.difference(psn, psn()) > 0 && !isRead(next)) {
                // what was to be sent again has arrived meanwhile
                sent = Psns.difference(psn, firstPsn(next));
            }
        }
        return progress;
    }

    /** Makes a packet that was sent the next one to send. */
    void goBackTo(int psn) {
        reads = 0;
        for (long position = ring.first(); position < begun; position++) {
            int into = Psns.difference(psn, firstPsn(position));
            if (into >= 0 && into < packets(position)) {
                next = position;
                sent = isRead(position) ? 0 : into;
                return;
            }
            reads += isRead(position) ? 1 : 0;
        }
    }

    /** The READ or atomic at which answers arrive. */
    long oldestRead() {
        for (long position = ring.first(); position < begun; position++) {
            if (isRead(position)) {
                return position;
            }
        }
        return NONE;
    }

    private boolean isRead(long position) {
        return Opcode.isResponding(ring.opcode(ring.place(position)));
    }
}
