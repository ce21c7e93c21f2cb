package io.jverbs.soft.queue;

/** How a scatter/gather element's length and key share a long: the length below, the key above. */
public final class Elements {

    private Elements() {}

    /**
     * {@return the long}
     *
     * @param length unsigned
     * @param lkey the key
     */
    public static long pack(int length, int lkey) {
        return length & 0xFFFF_FFFFL | (long) lkey << 32;
    }

    /**
     * {@return the length}
     *
     * @param packed what {@link #pack} made
     */
    public static long length(long packed) {
        return packed & 0xFFFF_FFFFL;
    }

    /**
     * {@return the key}
     *
     * @param packed what {@link #pack} made
     */
    public static int lkey(long packed) {
        return (int) (packed >>> 32);
    }
}
