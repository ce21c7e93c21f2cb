package io.jverbs.rsocket.protocol;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The target SGL of this side: where in the memory of the peer the next bytes go. The peer writes an entry when half of
 * its receive buffer is free, and sends an SGL message. The thread that polls then takes the entry out of the memory
 * that the peer can write, and the thread that writes uses it until it is full.
 */
public final class TargetSgl {
    /** The number of entries, as in librdmacm: one for each half of the receive buffer. */
    public static final int ENTRIES = 2;
    /** The number of bytes of its memory. */
    public static final int BYTES = ENTRIES * RemoteSge.BYTES;

    private static final long MAX_LENGTH = 1L << 31;
    private static final int MASK = ENTRIES - 1;
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
    /** Whether the length of an entry, which follows its key, is the upper half of a long with both. */
    private static final boolean LENGTH_IS_HIGH = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
    private static final long LOW = 0xFFFF_FFFFL;

    private final MemorySegment memory;
    private final long[] addresses = new long[ENTRIES];
    private final int[] keys = new int[ENTRIES];
    private final long[] lengths = new long[ENTRIES];
    /** The number of entries that were taken out of the memory. */
    private final Position taken = new Position(0);
    /** The number of entries that are full. */
    private final Position used = new Position(0);
    /** The bytes that were written at the present entry. */
    private long passed;

    /**
     * Creates it.
     *
     * @param memory {@link #BYTES} bytes that the peer can write, aligned to 8 bytes, all 0
     */
    public TargetSgl(MemorySegment memory) {
        this.memory = memory;
    }

    /**
     * Sets the first entry, which the peer has sent in its connect data.
     *
     * @param buffer the entry
     */
    public void first(RemoteSge buffer) {
        add(buffer.address(), buffer.key(), Integer.toUnsignedLong(buffer.length()));
    }

    private void add(long address, int key, long length) {
        int index = (int) taken.get() & MASK;
        addresses[index] = address;
        keys[index] = key;
        lengths[index] = length;
        taken.add(1);
    }

    /**
     * Takes the entries that the peer has written. After an SGL message without an entry, there is none.
     *
     * @throws ProtocolViolation if an entry is none that a peer can publish
     */
    public void update() {
        while (taken.get() - used.get() < ENTRIES) {
            long at = (taken.get() & MASK) * RemoteSge.BYTES;
            // the peer may be writing this entry for its next message: devices write the last word last
            long last = (long) LONG.getAcquire(memory, at + RemoteSge.KEY);
            long length = LENGTH_IS_HIGH ? last >>> Integer.SIZE : last & LOW;
            if (length == 0) {
                return;
            }
            long address = memory.get(ValueLayout.JAVA_LONG, at);
            int key = (int) (LENGTH_IS_HIGH ? last : last >>> Integer.SIZE);
            if (length > MAX_LENGTH) {
                throw new ProtocolViolation("the peer published " + length + " bytes of its receive buffer, which is"
                        + " outside 1.." + MAX_LENGTH);
            }
            RemoteSge.requireInAddressSpace("receive buffer", address, length);
            // before the bytes are written that let the peer write this entry again
            memory.set(ValueLayout.JAVA_INT, at + RemoteSge.LENGTH, 0);
            add(address, key, length);
        }
    }

    /** {@return how many bytes can be written at {@link #address}; 0 if the peer has published none} */
    public long available() {
        long index = used.get();
        return index == taken.get() ? 0 : lengths[(int) index & MASK] - passed;
    }

    /** {@return the address where the next bytes go; valid if bytes are available} */
    public long address() {
        return addresses[(int) used.get() & MASK] + passed;
    }

    /** {@return the rkey for {@link #address}} */
    public int key() {
        return keys[(int) used.get() & MASK];
    }

    /**
     * Passes bytes that are written; the caller has checked that as many are available.
     *
     * @param bytes the number of bytes
     */
    public void advance(int bytes) {
        passed += bytes;
        if (passed == lengths[(int) used.get() & MASK]) {
            passed = 0;
            used.add(1);
        }
    }
}
