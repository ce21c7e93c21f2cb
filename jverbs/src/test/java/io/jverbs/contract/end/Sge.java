package io.jverbs.contract.end;

import java.io.Serializable;

/** One scatter/gather element of a work request, by value. */
public sealed interface Sge extends Serializable {

    /** A raw address, length and key, exactly as written to the work request. */
    record Raw(long address, int length, int lkey) implements Sge {}

    /** A part of a region of the end, with the region's id. */
    record InRegion(int region, long offset, long length) implements Sge {}

    /**
     * Bytes for an INLINE request. The end copies them into unregistered memory, and overwrites that memory after the
     * post.
     */
    record Inline(byte[] bytes) implements Sge {}

    static Sge raw(long address, int length, int lkey) {
        return new Raw(address, length, lkey);
    }

    static Sge inRegion(int region, long offset, long length) {
        return new InRegion(region, offset, length);
    }

    static Sge inline(byte[] bytes) {
        return new Inline(bytes.clone());
    }
}
