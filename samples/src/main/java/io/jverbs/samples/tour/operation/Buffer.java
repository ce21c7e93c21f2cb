package io.jverbs.samples.tour.operation;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jverbs.MemoryRegion;
import io.jverbs.ProtectionDomain;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendWorkRequest;
import java.lang.foreign.MemorySegment;

/**
 * A memory region for one payload, with guard bytes before and after it that detect writes outside the payload. A
 * buffer that receives datagrams has room for their 40-byte GRH before the payload.
 */
final class Buffer implements AutoCloseable {
    /** The length of the header that a device writes before the payload of a datagram; see ibv_post_recv(3). */
    static final int GRH_BYTES = 40;
    private static final int GUARD_BYTES = 64;
    private static final byte GUARD = (byte) 0xA5;

    private final MemoryRegion region;
    private final int header;

    private Buffer(MemoryRegion region, int header) {
        this.region = region;
        this.header = header;
    }

    /** Allocates a buffer for payloads up to a capacity in bytes. */
    static Buffer allocate(ProtectionDomain pd, long capacity, int access) {
        return new Buffer(pd.allocate(GUARD_BYTES + capacity + GUARD_BYTES, access), 0);
    }

    /** Allocates a buffer that receives datagrams with payloads up to a capacity in bytes. */
    static Buffer allocateForDatagrams(ProtectionDomain pd, long capacity, int access) {
        return new Buffer(pd.allocate(GUARD_BYTES + GRH_BYTES + capacity + GUARD_BYTES, access), GRH_BYTES);
    }

    /** {@return the remote address of the payload} */
    long address() {
        return region.address() + payloadAt();
    }

    /** {@return the remote key} */
    int rkey() {
        return region.rkey();
    }

    private long payloadAt() {
        return GUARD_BYTES + header;
    }

    /** {@return the memory of a payload} */
    MemorySegment payload(int size) {
        return region.segment().asSlice(payloadAt(), size);
    }

    /** Sets the element of a send request to the payload. */
    SendWorkRequest setElement(SendWorkRequest request, int size) {
        return request.sge(region, payloadAt(), size);
    }

    /** Sets the element of a receive request to the payload and the room for a header before it. */
    ReceiveWorkRequest setElement(ReceiveWorkRequest request, int size) {
        return request.sge(region, GUARD_BYTES, header + size);
    }

    /** Writes the payload to send. */
    void fill(int size, long seed) {
        Pattern.fill(payload(size), seed);
    }

    /** Writes the guards around a payload that will be received. */
    void guard(int size) {
        MemorySegment memory = region.segment();
        memory.asSlice(0, GUARD_BYTES).fill(GUARD);
        memory.asSlice(payloadAt() + size, GUARD_BYTES).fill(GUARD);
    }

    /** Checks every byte of the received payload, and both guards. */
    void check(int size, long seed) {
        MemorySegment payload = payload(size);
        long wrong = Pattern.mismatch(payload, seed);
        if (wrong >= 0) {
            throw new Mismatch("byte " + wrong + " of the payload", hex(Pattern.byteAt(seed, wrong)),
                    hex(payload.get(JAVA_BYTE, wrong)));
        }
        checkGuards(size);
    }

    /** Checks that nothing was written outside the payload. */
    void checkGuards(int size) {
        checkGuard("before the payload", 0);
        checkGuard("after the payload", payloadAt() + size);
    }

    private void checkGuard(String where, long at) {
        for (long i = at; i < at + GUARD_BYTES; i++) {
            byte found = region.segment().get(JAVA_BYTE, i);
            if (found != GUARD) {
                throw new Mismatch("byte " + (i - at) + " of the guard " + where, hex(GUARD), hex(found));
            }
        }
    }

    /** {@return the first eight bytes of the payload as a number} */
    long word() {
        return payload(Long.BYTES).get(JAVA_LONG, 0);
    }

    private static String hex(byte value) {
        return String.format("0x%02x", value);
    }

    @Override
    public void close() {
        region.close();
    }
}
