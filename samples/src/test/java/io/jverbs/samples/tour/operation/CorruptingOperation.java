package io.jverbs.samples.tour.operation;

import io.jverbs.Access;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** A transfer that corrupts one byte. */
public final class CorruptingOperation implements Operation {
    private final Buffer target;
    private final int at;
    private int size;
    private long seed;

    public CorruptingOperation(Sides sides, int largest, int at) {
        this.target = Buffer.allocate(sides.right().pd(), largest, Access.LOCAL_WRITE);
        this.at = at;
    }

    @Override
    public void prepare(int size, long seed) {
        this.size = size;
        this.seed = seed;
        target.guard(size);
    }

    @Override
    public void run() {
        target.fill(size, seed);
        MemorySegment memory = target.payload(at + 1);
        memory.set(ValueLayout.JAVA_BYTE, at, (byte) ~memory.get(ValueLayout.JAVA_BYTE, at));
    }

    @Override
    public void check() {
        target.check(size, seed);
    }

    @Override
    public void close() {
        target.close();
    }
}
