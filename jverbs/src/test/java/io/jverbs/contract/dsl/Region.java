package io.jverbs.contract.dsl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.contract.end.BindSpec;
import io.jverbs.contract.end.End;
import io.jverbs.contract.end.MrInfo;
import io.jverbs.contract.end.ReregSpec;
import io.jverbs.contract.end.Sge;
import io.jverbs.contract.end.Wait;

/** A memory region of an end, and its contents. */
public final class Region {

    private final Side side;
    private MrInfo info;

    Region(Side side, MrInfo info) {
        this.side = side;
        this.info = info;
    }

    private End end() {
        return side.end();
    }

    public Side side() {
        return side;
    }

    public int id() {
        return info.id();
    }

    public int memory() {
        return info.memory();
    }

    public long address() {
        return info.address();
    }

    /** Returns the address of a byte, as peers and raw elements use it. */
    public long at(long offset) {
        return info.address() + offset;
    }

    public long length() {
        return info.length();
    }

    public int lkey() {
        return info.lkey();
    }

    public int rkey() {
        return info.rkey();
    }

    public int access() {
        return info.access();
    }

    /** Returns the whole region as one element. */
    public Sge sge() {
        return sge(0, info.length());
    }

    /** Returns a range as an element with its raw address and key. The range may be outside the region. */
    public Sge sge(long offset, long length) {
        return Sge.raw(at(offset), (int) length, info.lkey());
    }

    /** Returns a range in the form (region, offset, length) of the API. It must be inside the region. */
    public Sge part(long offset, long length) {
        return Sge.inRegion(info.id(), offset, length);
    }

    /** Returns a range for a memory window. */
    public BindSpec range(long offset, long length, int access) {
        return new BindSpec(info.id(), at(offset), length, access);
    }

    /** Re-registers the region, and updates its address and keys. */
    public Region reregister(ReregSpec spec) {
        info = end().reregister(info.id(), spec);
        return this;
    }

    public void destroy() {
        end().destroy(info.id());
    }

    /** Fills the region with the pattern of a seed. */
    public Region fill(int seed) {
        return fill(0, length(), seed);
    }

    /** Fills a range. Byte 0 of the pattern is at the offset. */
    public Region fill(long offset, long length, int seed) {
        end().fill(info.memory(), offset, length, seed);
        return this;
    }

    public byte[] bytes(long offset, int length) {
        return end().read(info.memory(), offset, length);
    }

    public Region put(long offset, byte[] bytes) {
        end().write(info.memory(), offset, bytes);
        return this;
    }

    public long load(long offset) {
        return end().loadLong(info.memory(), offset);
    }

    public Region store(long offset, long value) {
        end().storeLong(info.memory(), offset, value);
        return this;
    }

    /** Asserts that the range contains the first bytes of the pattern. */
    public void assertHolds(long offset, long length, int seed) {
        long at = end().firstMismatch(info.memory(), offset, length, seed);
        assertEquals(-1, at, () -> "byte " + at + " of " + length + " from offset " + offset + " of region " + id()
                + " of " + side + " differs from pattern " + seed);
    }

    public void assertHolds(int seed) {
        assertHolds(0, length(), seed);
    }

    /**
     * Waits until the range contains the first bytes of the pattern. For writes of a peer, which generate no completion
     * here.
     */
    public void awaitHolds(long offset, long length, int seed) {
        Wait wait = new Wait(Waits.deadline());
        while (end().firstMismatch(info.memory(), offset, length, seed) >= 0 && wait.goesOn()) {
            Thread.yield();
        }
        assertHolds(offset, length, seed);
    }

    /** Asserts that the range was not written since registration. */
    public void assertZero(long offset, long length) {
        long at = end().firstOther(info.memory(), offset, length, (byte) 0);
        assertEquals(-1, at, () -> "byte " + at + " of " + length + " from offset " + offset + " of region " + id()
                + " of " + side + " was written");
    }

    public void assertZero() {
        assertZero(0, length());
    }

    /** Waits until the 8 bytes have the value; the end spins on them. */
    public void awaitLong(long offset, long value) {
        assertTrue(end().awaitLong(info.memory(), offset, value, Waits.deadline()),
                () -> "the word at " + offset + " should become " + value + ", but is " + load(offset));
    }

    @Override
    public String toString() {
        return "region " + id() + " of " + side;
    }
}
