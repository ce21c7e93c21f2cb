package io.jverbs.strict.tracking;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * The registered memory of a context by native address, so that memory that is registered several times counts as one.
 * It tracks which memory a peer or the device may write, and which payloads are watched for changes. Thread-safe.
 */
public final class WatchedMemory {
    private final CountedRanges writableByOthers = new CountedRanges();
    private final Set<Piece> watched = Collections.newSetFromMap(new IdentityHashMap<>());

    /** Starts without registered memory. */
    public WatchedMemory() {
        // nothing is watched yet
    }

    /** One scatter/gather element of a watched payload. */
    static final class Piece {
        private final Region region;
        private final long from;
        private final long length;
        private final long sum;
        /** Whether a peer or the device may have written to it since the post. */
        private volatile boolean maybeWritten;

        private Piece(Region region, long from, long length, long sum) {
            this.region = region;
            this.from = from;
            this.length = length;
            this.sum = sum;
        }

        /** Whether it has changed since the post, and only the program can have changed it. */
        boolean isChanged() {
            return !maybeWritten && region.isChanged(from, length, sum);
        }

        private boolean overlaps(long start, long bytes) {
            long own = region.nativeAddress(from);
            return Long.compareUnsigned(own, start + bytes) < 0 && Long.compareUnsigned(start, own + length) < 0;
        }
    }

    /**
     * Records that a peer or the device may write to a range from now on.
     *
     * @param start the native address of the range
     * @param length its length in bytes
     */
    public synchronized void addWritable(long start, long length) {
        writableByOthers.add(start, length);
        for (Piece piece : watched) {
            if (piece.overlaps(start, length)) {
                piece.maybeWritten = true;
            }
        }
    }

    /**
     * Reverts one {@link #addWritable}.
     *
     * @param start the native address of the range
     * @param length its length in bytes
     */
    public synchronized void removeWritable(long start, long length) {
        writableByOthers.remove(start, length);
    }

    /**
     * Watches a range within a region for changes; null if a peer or the device may write to it, or it cannot be read.
     */
    Piece watch(Region region, long from, long length) {
        long sum = region.sum(from, length);
        if (sum == Region.UNKNOWN) {
            return null;
        }
        Piece piece = new Piece(region, from, length, sum);
        synchronized (this) {
            if (writableByOthers.overlaps(region.nativeAddress(from), length)) {
                return null;
            }
            watched.add(piece);
        }
        return piece;
    }

    /** Stops watching a range. */
    synchronized void unwatch(Piece piece) {
        watched.remove(piece);
    }
}
