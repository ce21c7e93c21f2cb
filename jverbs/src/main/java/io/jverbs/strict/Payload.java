package io.jverbs.strict;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jverbs.SendWorkRequest;
import io.jverbs.spi.SendWrLayout;
import io.jverbs.spi.SgeLayout;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** What a request sends, as far as only the program may change it: as it was when it was posted, and by whom. */
final class Payload {
    private final WatchedMemory memory;
    private final List<WatchedMemory.Piece> pieces;
    private final long bytes;
    private final StackTraceElement place;

    private Payload(WatchedMemory memory, List<WatchedMemory.Piece> pieces, long bytes, StackTraceElement place) {
        this.memory = memory;
        this.pieces = pieces;
        this.bytes = bytes;
        this.place = place;
    }

    /** The payload of a request; null if nothing of it is watched. */
    static Payload of(SendWorkRequest request, Keys keys, WatchedMemory watching) {
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
        return pieces.isEmpty() ? null : new Payload(watching, pieces, bytes, Places.caller());
    }

    /** Whether it is other than it was, and only the program can have changed it. */
    boolean isChanged() {
        return pieces.stream().anyMatch(WatchedMemory.Piece::isChanged);
    }

    /** Where it was posted. */
    StackTraceElement place() {
        return place;
    }

    long bytes() {
        return bytes;
    }

    /** Nobody is to look at it any more. */
    void end() {
        pieces.forEach(memory::unwatch);
    }
}
