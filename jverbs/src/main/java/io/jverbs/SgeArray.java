package io.jverbs;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jverbs.spi.SgeLayout;
import java.lang.foreign.MemorySegment;

/** The scatter/gather elements of a work request: their off-heap form and references to what they name. */
final class SgeArray {
    private static final long MAX_LENGTH = 0xFFFF_FFFFL;

    private final MemorySegment memory;
    private final long base;
    private final long numSgeOffset;
    private final Object[] named;
    /** The count as it stands in the memory. */
    private int count;
    /** What the only element names, if that is a region: a post then needs to look at nothing else. */
    private MemoryRegion only;

    /**
     * @param memory the work request's memory
     * @param base where the elements start in it
     * @param numSgeOffset where their count is kept
     * @param max how many there can be
     */
    SgeArray(MemorySegment memory, long base, long numSgeOffset, int max) {
        this.memory = memory;
        this.base = base;
        this.numSgeOffset = numSgeOffset;
        this.named = new Object[max];
    }

    static int checkMax(int maxSge) {
        if (maxSge < 0 || maxSge > 1 << 16) {
            throw new IllegalArgumentException("maxSge " + maxSge + " is outside 0..65536");
        }
        return maxSge;
    }

    int max() {
        return named.length;
    }

    int count() {
        return count;
    }

    void count(int changed) {
        if (changed < 0 || changed > named.length) {
            throw new IllegalArgumentException("sgeCount " + changed + " is outside 0.." + named.length);
        }
        count = changed;
        memory.set(JAVA_INT, numSgeOffset, changed);
        noteOnly();
    }

    private void noteOnly() {
        MemoryRegion region = count == 1 && named[0] instanceof MemoryRegion first ? first : null;
        if (only != region) {
            only = region;
        }
    }

    void set(int index, MemoryRegion region, long offset, long length) {
        if (offset < 0 || length < 0 || length > MAX_LENGTH || offset > region.length() - length) {
            throw new IndexOutOfBoundsException(
                    "offset " + offset + ", length " + length + " do not fit into a region of "
                            + region.length() + " bytes (an element holds at most " + MAX_LENGTH + ")");
        }
        put(index, region.address() + offset, (int) length, region.lkey(), region);
    }

    void setRaw(int index, long address, int length, int lkey) {
        put(index, address, length, lkey, null);
    }

    void setInline(int index, MemorySegment source) {
        if (source.byteSize() > MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "inline source of " + source.byteSize() + " bytes is longer than " + MAX_LENGTH);
        }
        if (!source.isNative()) {
            throw new IllegalArgumentException("inline source lies on the heap: copy it to native memory,"
                    + " for instance from Arena.ofAuto(), and name that");
        }
        put(index, source.address(), (int) source.byteSize(), 0, source);
    }

    private void put(int index, long address, int length, int lkey, Object what) {
        if (index < 0 || index >= named.length) {
            throw new IndexOutOfBoundsException("element " + index + " is outside 0.." + (named.length - 1));
        }
        long at = base + index * SgeLayout.SIZE;
        memory.set(JAVA_LONG, at + SgeLayout.ADDR, address);
        memory.set(JAVA_INT, at + SgeLayout.LENGTH, length);
        memory.set(JAVA_INT, at + SgeLayout.LKEY, lkey);
        if (named[index] != what) {
            named[index] = what;
            noteOnly();
        }
        if (count <= index) {
            count(index + 1);
        }
    }

    /** The region or segment that an element was set from, null if it was set from raw values. */
    Object named(int index) {
        return named[index];
    }

    /** Refuses elements whose region or segment is closed: their memory may be somebody else's by now. */
    void checkOpen() {
        if (only == null) {
            checkEachOpen();
        } else if (only.isClosed()) {
            throw closed(0, only);
        }
    }

    private void checkEachOpen() {
        for (int i = 0; i < count; i++) {
            Object what = named[i];
            if (what instanceof MemoryRegion region) {
                if (region.isClosed()) {
                    throw closed(i, region);
                }
            } else if (what instanceof MemorySegment segment && !segment.scope().isAlive()) {
                throw new IllegalStateException("element " + i + " names a segment whose arena is closed");
            }
        }
    }

    private static IllegalStateException closed(int index, MemoryRegion region) {
        return new IllegalStateException("element " + index + " names " + region + ", which is closed");
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("[");
        for (int i = 0; i < count(); i++) {
            long at = base + i * SgeLayout.SIZE;
            text.append(i == 0 ? "" : ", ").append("0x")
                    .append(Long.toHexString(memory.get(JAVA_LONG, at + SgeLayout.ADDR)));
            text.append('+').append(Integer.toUnsignedString(memory.get(JAVA_INT, at + SgeLayout.LENGTH)));
            text.append(" lkey ").append(Hex.key(memory.get(JAVA_INT, at + SgeLayout.LKEY)));
        }
        return text.append(']').toString();
    }
}
