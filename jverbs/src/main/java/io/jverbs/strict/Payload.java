package io.jverbs.strict;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jverbs.SendWorkRequest;
import io.jverbs.spi.SendWrLayout;
import io.jverbs.spi.SgeLayout;
import java.lang.foreign.MemorySegment;
import java.util.zip.CRC32C;

/** What a request sends: where it lies, its sum when it was posted, and by whom. */
final class Payload {
    private final Region[] regions;
    private final long[] addresses;
    private final long[] lengths;
    private final long sum;
    private final StackTraceElement place;

    private Payload(Region[] regions, long[] addresses, long[] lengths, StackTraceElement place) {
        this.regions = regions;
        this.addresses = addresses;
        this.lengths = lengths;
        this.sum = sum();
        this.place = place;
    }

    /** The payload of a request; null if it has none, or others than the program may change it. */
    static Payload of(SendWorkRequest request, Keys keys) {
        int count = request.sgeCount();
        MemorySegment memory = request.memory();
        Region[] regions = new Region[count];
        long[] addresses = new long[count];
        long[] lengths = new long[count];
        for (int i = 0; i < count; i++) {
            long at = SendWrLayout.SIZE + i * SgeLayout.SIZE;
            addresses[i] = memory.get(JAVA_LONG, at + SgeLayout.ADDR);
            lengths[i] = Integer.toUnsignedLong(memory.get(JAVA_INT, at + SgeLayout.LENGTH));
            regions[i] = keys.region(memory.get(JAVA_INT, at + SgeLayout.LKEY));
            if (regions[i] == null || !regions[i].isPrograms(addresses[i], lengths[i])) {
                return null;
            }
        }
        return count == 0 ? null : new Payload(regions, addresses, lengths, Places.caller());
    }

    private long sum() {
        CRC32C sum = new CRC32C();
        for (int i = 0; i < regions.length; i++) {
            regions[i].sum(addresses[i], lengths[i], sum);
        }
        return sum.getValue();
    }

    /** Whether it is other than it was, and only the program can have changed it. */
    boolean isChanged() {
        for (int i = 0; i < regions.length; i++) {
            if (!regions[i].isPrograms(addresses[i], lengths[i])) {
                return false;
            }
        }
        return sum() != sum;
    }

    /** Where it was posted. */
    StackTraceElement place() {
        return place;
    }

    long bytes() {
        long all = 0;
        for (long length : lengths) {
            all += length;
        }
        return all;
    }
}
