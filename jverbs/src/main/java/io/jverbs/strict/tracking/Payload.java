package io.jverbs.strict.tracking;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jverbs.SendWorkRequest;
import io.jverbs.spi.SendWrLayout;
import io.jverbs.spi.SgeLayout;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * The data that a send request sends: checksums of those parts that only the program may change, taken at the post.
 * Immutable.
 */
public final class Payload {
    private final WatchedMemory memory;
    private final List<WatchedMemory.Piece> pieces;
    private final long bytes;

    private Payload(WatchedMemory memory, List<WatchedMemory.Piece> pieces, long bytes) {
        this.memory = memory;
        this.pieces = pieces;
        this.bytes = bytes;
    }

    /**
     * {@return the payload of a request; null if no part of it can be watched}
     *
     * @param request the request
     * @param keys the keys of its context
     * @param watching the memory of its context
     */
    public static Payload of(SendWorkRequest request, MemoryKeys keys, WatchedMemory watching) {
        MemorySegment memory = request.memory();
        List<WatchedMemory.Piece> pieces = new ArrayList<>();
        long bytes = 0;
        for (int i = 0; i < request.sgeCount(); i++) {
            long at = SendWrLayout.SIZE + i * SgeLayout.SIZE;
            long from = memory.get(JAVA_LONG, at + SgeLayout.ADDR);
            long length = Integer.toUnsignedLong(memory.get(JAVA_INT, at + SgeLayout.LENGTH));
            Region region = keys.region(memory.get(JAVA_INT, at + SgeLayout.LKEY));
            bytes += length;
            WatchedMemory.Piece piece = region == null || length == 0 || !region.contains(from, length)
                    ? null
                    : watching.watch(region, from, length);
            if (piece != null) {
                pieces.add(piece);
            }
        }
        return pieces.isEmpty() ? null : new Payload(watching, pieces, bytes);
    }

    /** {@return whether it has changed since the post, and only the program can have changed it} */
    public boolean isChanged() {
        return pieces.stream().anyMatch(WatchedMemory.Piece::isChanged);
    }

    /** {@return the length of the whole payload, parts that are not watched included} */
    public long bytes() {
        return bytes;
    }

    /** Stops watching the memory. */
    public void end() {
        pieces.forEach(memory::unwatch);
    }
}
