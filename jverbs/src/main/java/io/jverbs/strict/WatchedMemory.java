package io.jverbs.strict;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * What is known of a context's memory, by the addresses at which it really is, however often it is registered: which of it others than
 * the program may write, as a peer has the right to or the device is to put something there, and which payloads are watched.
 */
final class WatchedMemory {
    private final CountedRanges writableByOthers = new CountedRanges();
    private final Set<Piece> watched = Collections.newSetFromMap(new IdentityHashMap<>());

    /** Part of a payload. */
    static final class Piece {
        private final Region region;
        private final long from;
        private final long length;
        private final long sum;
        /** Whether others than the program might have written to it since. */
        private volatile boolean spoiled;

        private Piece(Region region, long from, long length) {
            this.region = region;
            this.from = from;
            this.length = length;
            this.sum = region.sum(from, length);
        }

        /** Whether it is other than it was, and only the program can have changed it. */
        boolean isChanged() {
            return !spoiled && region.isChanged(from, length, sum);
        }

        private boolean meets(long start, long bytes) {
            long own = region.nativeAddress(from);
            return Long.compareUnsigned(own, start + bytes) < 0 && Long.compareUnsigned(start, own + length) < 0;
        }
    }

    /** Others than the program may write to a range from now on. */
    synchronized void opened(long start, long length) {
        writableByOthers.add(start, length);
        for (Piece piece : watched) {
            if (piece.meets(start, length)) {
                piece.spoiled = true;
            }
        }
    }

    /** Takes back one {@link #opened}. */
    synchronized void closed(long start, long length) {
        writableByOthers.remove(start, length);
    }

    /** Watches a range that lies within a region; null if others than the program may write to it. */
    Piece watch(Region region, long from, long length) {
        Piece piece = new Piece(region, from, length);
        synchronized (this) {
            if (writableByOthers.meets(region.nativeAddress(from), length)) {
                return null;
            }
            watched.add(piece);
        }
        return piece;
    }

    /** Watches a range no more. */
    synchronized void unwatch(Piece piece) {
        watched.remove(piece);
    }
}
