package io.jverbs.samples.tour;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jverbs.MemoryRegion;
import io.jverbs.ProtectionDomain;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendWorkRequest;
import java.lang.foreign.MemorySegment;

/**
 * Registered memory for one payload, with guards before and behind it, so that a byte that lands outside is seen. One
 * that receives datagrams has room for their 40 bytes of header before the payload.
 */
final class Buffer implements AutoCloseable {
    /** What a datagram puts before its payload; see ibv_post_recv(3). */
    static final int GRH_BYTES = 40;
    private static final int GUARD_BYTES = 64;
    private static final byte GUARD = (byte) 0xA5;

    private final MemoryRegion region;
    private final int header;

    private Buffer(MemoryRegion region, int header) {
        this.region = region;
        this.header = header;
    }

    /** Makes a buffer for payloads of at most so many bytes. */
    static Buffer allocate(ProtectionDomain pd, long capacity, int access) {
        return new Buffer(pd.allocate(GUARD_BYTES + capacity + GUARD_BYTES, access), 0);
    }

    /** Makes a buffer for datagrams with payloads of at most so many bytes. */
    static Buffer allocateForDatagrams(ProtectionDomain pd, long capacity, int access) {
        return new Buffer(pd.allocate(GUARD_BYTES + GRH_BYTES + capacity + GUARD_BYTES, access), GRH_BYTES);
    }

    /** {@return the address of the payload, for peers} */
    long address() {
        return region.address() + payloadAt();
    }

    /** {@return the key that peers need} */
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

    /** Names the payload as the only element of a request. */
    SendWorkRequest describe(SendWorkRequest request, int size) {
        return request.sge(region, payloadAt(), size);
    }

    /** Names the payload, and the room for a header before it, as the only element of a request. */
    ReceiveWorkRequest describe(ReceiveWorkRequest request, int size) {
        return request.sge(region, GUARD_BYTES, header + size);
    }

    /** Writes the payload to send. */
    void fill(int size, long seed) {
        Pattern.fill(payload(size), seed);
    }

    /** Sets the guards around a payload that is to come. */
    void guard(int size) {
        MemorySegment memory = region.segment();
        memory.asSlice(0, GUARD_BYTES).fill(GUARD);
        memory.asSlice(payloadAt() + size, GUARD_BYTES).fill(GUARD);
    }

    /** Checks every byte of the payload that came, and both guards. */
    void check(int size, long seed) {
        MemorySegment payload = payload(size);
        long wrong = Pattern.mismatch(payload, seed);
        if (wrong >= 0) {
            throw new Mismatch("byte " + wrong + " of the payload", hex(Pattern.byteAt(seed, wrong)),
                    hex(payload.get(JAVA_BYTE, wrong)));
        }
        checkGuards(size);
    }

    /** Checks that nothing came to lie outside the payload. */
    void checkGuards(int size) {
        checkGuard("before the payload", 0);
        checkGuard("behind the payload", payloadAt() + size);
    }

    private void checkGuard(String where, long at) {
        for (long i = at; i < at + GUARD_BYTES; i++) {
            byte came = region.segment().get(JAVA_BYTE, i);
            if (came != GUARD) {
                throw new Mismatch("byte " + (i - at) + " of the guard " + where, hex(GUARD), hex(came));
            }
        }
    }

    /** {@return the payload's first eight bytes as a number} */
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
