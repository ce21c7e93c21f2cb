package io.jverbs;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jverbs.spi.SgeLayout;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * The scatter/gather elements of a work request: an array of {@code struct ibv_sge} in the memory of the request, and
 * references to the objects that the elements name. Not thread-safe.
 */
final class SgeArray {
    private static final long MAX_LENGTH = 0xFFFF_FFFFL;

    private final MemorySegment memory;
    private final long base;
    private final long numSgeOffset;
    /** The region or segment of each element; null for raw values. */
    private final Object[] named;
    /** A copy of the count in the memory. */
    private int count;
    /** The region of the only element; null if there are other elements or no region. Shortens the check at a post. */
    private MemoryRegion onlyRegion;

    /**
     * @param memory the memory of the work request
     * @param base the offset of the first element
     * @param sgListOffset the offset of the address of the first element, which is written here
     * @param numSgeOffset the offset of the number of elements
     * @param max the maximum number of elements
     */
    SgeArray(MemorySegment memory, long base, long sgListOffset, long numSgeOffset, int max) {
        this.memory = memory;
        this.base = base;
        this.numSgeOffset = numSgeOffset;
        this.named = new Object[max];
        memory.set(JAVA_LONG, sgListOffset, max == 0 ? 0 : memory.address() + base);
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
        updateOnlyRegion();
    }

    private void updateOnlyRegion() {
        MemoryRegion region = count == 1 && named[0] instanceof MemoryRegion first ? first : null;
        if (onlyRegion != region) {
            onlyRegion = region;
        }
    }

    void set(int index, MemoryRegion region, long offset, long length) {
        Objects.requireNonNull(region, "region");
        if (offset < 0 || length < 0 || length > MAX_LENGTH || offset > region.length() - length) {
            throw new IndexOutOfBoundsException(
                    "offset " + offset + " and length " + length + " exceed a region of " + region.length()
                            + " bytes (the maximum length of an element is " + MAX_LENGTH + ")");
        }
        put(index, region.address() + offset, (int) length, region.lkey(), region);
    }

    void setRaw(int index, long address, int length, int lkey) {
        put(index, address, length, lkey, null);
    }

    void setInline(int index, MemorySegment source) {
        Objects.requireNonNull(source, "inlineSource");
        if (source.byteSize() > MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "inline source of " + source.byteSize() + " bytes is longer than " + MAX_LENGTH + " bytes");
        }
        if (!source.isNative()) {
            throw new IllegalArgumentException("inline source is on the heap: copy it to native memory, for"
                    + " example from Arena.ofAuto(), and use the copy");
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
            updateOnlyRegion();
        }
        if (count <= index) {
            count(index + 1);
        }
    }

    /** Returns the region or segment that an element was set from; null if it was set from raw values. */
    Object named(int index) {
        return named[index];
    }

    /**
     * Returns whether the regions of all elements belong to a context. Throws IllegalStateException if the region or
     * segment of an element is closed: its memory may be in other use.
     */
    boolean check(RdmaContext context) {
        MemoryRegion region = onlyRegion;
        return region != null && region.openContext() == context || checkEach(context);
    }

    private boolean checkEach(RdmaContext context) {
        for (int i = 0; i < count; i++) {
            Object what = named[i];
            if (what instanceof MemoryRegion region) {
                if (region.context() != context) {
                    return false;
                }
                if (region.isClosed()) {
                    throw closed(i, region);
                }
            } else if (what instanceof MemorySegment segment && !segment.scope().isAlive()) {
                throw new IllegalStateException("element " + i + " names a segment whose arena is closed");
            }
        }
        return true;
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
