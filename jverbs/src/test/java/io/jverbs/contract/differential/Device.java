package io.jverbs.contract.differential;

import io.jverbs.GidEntry;
import io.jverbs.contract.end.End;
import io.jverbs.contract.end.MemoryCommands.Kind;
import io.jverbs.contract.end.Pattern;

/**
 * An end that runs sequences one after the other, with the memory they all use.
 *
 * @param settleMillis how long what nobody can wait for may take (a datagram that is dropped); 0 for a device that
 *                     does everything before post returns
 * @param patienceMillis how long what should come may take
 */
record Device(String name, End end, int memory, GidEntry gid, long settleMillis,
        long patienceMillis) {

    private static final byte[] INITIAL = Pattern.bytes(1, Layout.SIZE);

    static Device of(String name, End end, long settleMillis, long patienceMillis) {
        return new Device(name, end, end.allocateMemory(Kind.SHARED, Layout.SIZE),
                end.preferredGid(End.MAIN, World.PORT), settleMillis, patienceMillis);
    }

    /** The memory as it is before every sequence. */
    void wipe() {
        end.write(memory, 0, INITIAL);
    }

    byte[] bytes() {
        return end.read(memory, 0, Layout.SIZE);
    }
}
