package io.jverbs.fault;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jverbs.spi.WcLayout;
import java.lang.foreign.MemorySegment;

/**
 * Adds completions to {@link PendingCompletions} while the heap is full, until one cannot be added. The numbers of
 * completions include those at which an array that grows by half, and one that doubles, must be replaced by a longer
 * one: the heap has room for a few more completions then, but not for that array. Prints what is wrong, and exits with
 * status 1 if there is something.
 */
final class FullHeapProgram {
    /** Where an array that doubles becomes too short: at 16384. */
    private static final int[] DOUBLED = {16_000, 16_500};
    /** Where the array of an ArrayDeque becomes too short: at 21465. */
    private static final int[] LONGER_BY_HALF = {21_100, 21_600};
    private static final int RESERVE = 32 << 10;
    private static final int SMALLEST_BLOCK = 16 << 10;

    private final PendingCompletions pending = new PendingCompletions(() -> Integer.MAX_VALUE);
    /** Fills the heap. Fields, because compiled code does not keep a local variable that it no longer reads. */
    private Object[] filling;
    private byte[] reserve;
    private int added;
    private int refused;

    private FullHeapProgram() {}

    public static void main(String... arguments) {
        FullHeapProgram program = new FullHeapProgram();
        for (int[] range : new int[][] {DOUBLED, LONGER_BY_HALF}) {
            while (program.added < range[0]) {
                program.add();
            }
            while (program.added < range[1]) {
                program.addUntilRefused();
            }
        }
        program.takeAll();
        System.out.println(program.added + " completions, " + program.refused + " refused");
    }

    private void add() {
        pending.addFlushed(added, false, 1, null);
        added++;
    }

    /** Fills the heap and adds completions until one is refused; adds that one again when there is memory. */
    private void addUntilRefused() {
        reserve = new byte[RESERVE];
        for (int bytes = 1 << 20; bytes >= SMALLEST_BLOCK;) {
            try {
                filling = new Object[] {filling, new byte[bytes]};
            } catch (OutOfMemoryError e) {
                bytes /= 2;
            }
        }
        reserve = null;
        try {
            while (filling != null) {
                add();
            }
        } catch (OutOfMemoryError e) {
            refused++;
        }
        filling = null;
        check(pending.size() == added, added + " completions were added, " + pending.size() + " are pending");
        add();
    }

    /** Takes all completions, oldest first. */
    private void takeAll() {
        MemorySegment memory = MemorySegment.ofArray(new long[(int) WcLayout.SIZE / Long.BYTES]);
        for (int i = 0; i < added; i++) {
            check(pending.take(memory, 0, 0), "completion " + i + " is missing");
            long wrId = memory.get(JAVA_LONG, WcLayout.WR_ID);
            check(wrId == i, "completion " + wrId + " instead of " + i);
        }
        check(pending.isEmpty(), pending.size() + " completions too many");
    }

    private static void check(boolean condition, String message) {
        if (!condition) {
            System.out.println(message);
            System.exit(1);
        }
    }
}
