package io.jverbs.contract.differential;

import io.jverbs.GidEntry;
import io.jverbs.contract.differential.sequence.Layout;
import io.jverbs.contract.differential.sequence.Peer;
import io.jverbs.contract.end.End;
import io.jverbs.contract.end.MemoryCommands.Kind;
import io.jverbs.contract.end.Pattern;
import java.util.Arrays;

/**
 * Runs sequences one after the other: either one device with both queue pairs, or two devices with one queue pair each.
 *
 * @param a the end of queue pair A
 * @param b the end of queue pair B; the same object if there is one device
 * @param settleMillis time for effects that cannot be awaited, such as a dropped datagram; 0 for a device that does
 *            everything before a post returns
 * @param patienceMillis deadline for expected effects
 * @param compareAll whether to compare all fields of completions, and asynchronous events; devices may differ in some
 *            of them
 */
record Device(String name, Seat a, Seat b, long settleMillis, long patienceMillis, boolean compareAll) {

    private static final byte[] INITIAL = Pattern.bytes(1, Layout.SIZE);

    /**
     * An end, with the memory that all sequences use. Of two ends, each uses the half of the memory that belongs to its
     * queue pair.
     */
    record Seat(End end, int memory, GidEntry gid) {

        static Seat of(End end) {
            return new Seat(end, end.allocateMemory(Kind.SHARED, Layout.SIZE), end.preferredGid(End.MAIN, World.PORT));
        }

        private void wipe() {
            end.write(memory, 0, INITIAL);
        }

        private byte[] bytes() {
            return end.read(memory, 0, Layout.SIZE);
        }
    }

    static Device of(String name, End first, End second, long settleMillis, long patienceMillis, boolean compareAll) {
        Seat one = Seat.of(first);
        return new Device(name, one, first == second ? one : Seat.of(second), settleMillis, patienceMillis, compareAll);
    }

    boolean isOne() {
        return a == b;
    }

    Seat seat(Peer peer) {
        return peer == Peer.A ? a : b;
    }

    /** Restores the initial contents of the memory, before each sequence. */
    void wipe() {
        a.wipe();
        if (!isOne()) {
            b.wipe();
        }
    }

    byte[] bytes() {
        byte[] all = a.bytes();
        if (!isOne()) {
            int half = Layout.SIZE / 2;
            System.arraycopy(Arrays.copyOfRange(b.bytes(), half, Layout.SIZE), 0, all, half, half);
        }
        return all;
    }
}
