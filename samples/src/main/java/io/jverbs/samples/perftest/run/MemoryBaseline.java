package io.jverbs.samples.perftest.run;

import io.jverbs.samples.connect.SpinWait;
import io.jverbs.samples.console.SampleFailure;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * The baseline within one process: memory copies. For a ping-pong, two threads take turns: each copies and then sets a
 * variable that the other polls. For atomics, the baseline is the atomic instruction of the processor.
 */
final class MemoryBaseline implements Baseline {
    private static final double NANOS_PER_SECOND = 1e9;
    /** Copies that are too short to be timed one by one are timed in batches. */
    private static final int BATCH = 64;
    private static final int LONGEST_IN_BATCHES = 1 << 16;
    private static final int PASSES = 3;
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

    private final Settings settings;
    /** The number of messages in a ping-pong so far; the client copies next if it is even. */
    private volatile int turn;

    MemoryBaseline(Settings settings) {
        this.settings = settings;
    }

    @Override
    public String name() {
        if (settings.verb() == Verb.ATOMIC) {
            return "memory: getAndAdd";
        }
        return settings.latency() && !settings.verb().fetches()
                ? "memory: MemorySegment.copy, volatile variable"
                : "memory: MemorySegment.copy";
    }

    @Override
    public String failureReason() {
        return "there is not enough memory.";
    }

    @Override
    public double measure(int size) {
        int iterations = Baseline.iterations(size);
        try (Arena arena = Arena.ofShared()) {
            // As with verbs, each side has a send buffer and a receive buffer.
            MemorySegment from = allocate(arena, size);
            MemorySegment to = allocate(arena, size);
            MemorySegment back = allocate(arena, size);
            MemorySegment home = allocate(arena, size);
            long[] times = new long[iterations];
            boolean pingPong = settings.latency() && !settings.verb().fetches();
            // The result is that of the last pass, whose code is compiled.
            for (int pass = 0; pass < PASSES; pass++) {
                if (pingPong) {
                    pingPong(from, to, back, home, size, times);
                } else {
                    batches(from, to, size, times);
                }
            }
            double micros = Baseline.medianMicros(times);
            if (settings.latency()) {
                return pingPong ? micros / 2 : micros / batch(size);
            }
            return size * (double) batch(size) / (micros * 1e3) * NANOS_PER_SECOND;
        } catch (OutOfMemoryError e) {
            // there is enough memory for the messages, but not for the baseline too
            return Double.NaN;
        }
    }

    private static int batch(int size) {
        return size > LONGEST_IN_BATCHES ? 1 : BATCH;
    }

    private static MemorySegment allocate(Arena arena, int size) {
        return arena.allocate(Math.max(size, Long.BYTES), Long.BYTES).fill((byte) 1);
    }

    private void batches(MemorySegment from, MemorySegment to, int size, long[] times) {
        int batch = batch(size);
        for (int i = 0; i < times.length; i++) {
            long start = System.nanoTime();
            for (int j = 0; j < batch; j++) {
                if (settings.verb() == Verb.ATOMIC) {
                    from.set(ValueLayout.JAVA_LONG, 0, (long) LONG.getAndAdd(to, 0L, 1L));
                } else {
                    MemorySegment.copy(from, 0, to, 0, size);
                }
            }
            times[i] = System.nanoTime() - start;
        }
    }

    private void pingPong(MemorySegment from, MemorySegment to, MemorySegment back, MemorySegment home, int size,
            long[] times) {
        turn = 0;
        int end = 2 * times.length;
        Thread other = Thread.ofPlatform().daemon().name("baseline").start(() -> {
            SpinWait wait = new SpinWait(SpinWait.SHORT_POLLS);
            for (int i = 1; i < end && await(i, wait); i += 2) {
                MemorySegment.copy(back, 0, home, 0, size);
                turn = i + 1;
            }
        });
        SpinWait wait = new SpinWait(SpinWait.SHORT_POLLS);
        for (int i = 0; i < end; i += 2) {
            long start = System.nanoTime();
            MemorySegment.copy(from, 0, to, 0, size);
            turn = i + 1;
            if (!await(i + 2, wait)) {
                break;
            }
            times[i / 2] = System.nanoTime() - start;
        }
        try {
            if (Thread.currentThread().isInterrupted()) {
                other.interrupt();
            }
            other.join();
        } catch (InterruptedException e) {
            other.interrupt();
            Thread.currentThread().interrupt();
            throw new SampleFailure("interrupted while measuring the baseline.");
        }
    }

    private boolean await(int wanted, SpinWait wait) {
        wait.begin();
        while (turn != wanted) {
            if (wait.idle() && Thread.currentThread().isInterrupted()) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void serve(int size) {
        throw new SampleFailure("the peer requested a baseline of datagrams, but both sides are in one process.");
    }
}
