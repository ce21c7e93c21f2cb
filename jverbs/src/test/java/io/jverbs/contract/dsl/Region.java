package io.jverbs.contract.dsl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.contract.end.BindSpec;
import io.jverbs.contract.end.End;
import io.jverbs.contract.end.MrInfo;
import io.jverbs.contract.end.ReregSpec;
import io.jverbs.contract.end.Sge;
import io.jverbs.contract.end.Wait;

/** A memory region of an end, and its bytes. */
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

    /** Address of a byte, as peers and raw elements name it. */
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

    /** The whole region as one element. */
    public Sge sge() {
        return sge(0, info.length());
    }

    /** A part of the region by its raw address and key: also one that lies outside. */
    public Sge sge(long offset, long length) {
        return Sge.raw(at(offset), (int) length, info.lkey());
    }

    /** A part as the API's (region, offset, length) form; must lie inside. */
    public Sge part(long offset, long length) {
        return Sge.inRegion(info.id(), offset, length);
    }

    /** The range for a memory window. */
    public BindSpec range(long offset, long length, int access) {
        return new BindSpec(info.id(), at(offset), length, access);
    }

    /** Re-registers; address and keys are read anew. */
    public Region reregister(ReregSpec spec) {
        info = end().reregister(info.id(), spec);
        return this;
    }

    public void destroy() {
        end().destroy(info.id());
    }

    /** Fills everything with the pattern of a seed. */
    public Region fill(int seed) {
        return fill(0, length(), seed);
    }

    /** Fills a part; the pattern starts with its byte 0 at the offset. */
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

    /** The part holds the first bytes of the pattern. */
    public void assertHolds(long offset, long length, int seed) {
        long at = end().firstMismatch(info.memory(), offset, length, seed);
        assertEquals(-1, at, () -> "byte " + at + " of " + length + " from offset " + offset + " of region " + id()
                + " of " + side + " differs from pattern " + seed);
    }

    public void assertHolds(int seed) {
        assertHolds(0, length(), seed);
    }

    /** The part comes to hold the first bytes of the pattern, as no completion tells of what a peer has written. */
    public void awaitHolds(long offset, long length, int seed) {
        Wait wait = new Wait(Waits.deadline());
        while (end().firstMismatch(info.memory(), offset, length, seed) >= 0 && wait.goesOn()) {
            Thread.yield();
        }
        assertHolds(offset, length, seed);
    }

    /** Nothing was written there since registration. */
    public void assertZero(long offset, long length) {
        long at = end().firstOther(info.memory(), offset, length, (byte) 0);
        assertEquals(-1, at, () -> "byte " + at + " of " + length + " from offset " + offset + " of region " + id()
                + " of " + side + " was written");
    }

    public void assertZero() {
        assertZero(0, length());
    }

    /** The end spins on the 8 bytes until they have the value. */
    public void awaitLong(long offset, long value) {
        assertTrue(end().awaitLong(info.memory(), offset, value, Waits.deadline()),
                () -> "the word at " + offset + " never became " + value + ", it is " + load(offset));
    }

    @Override
    public String toString() {
        return "region " + id() + " of " + side;
    }
}
