package io.jverbs.ibverbs;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jverbs.Access;
import io.jverbs.AhAttributes;
import io.jverbs.CompletionChannel;
import io.jverbs.CompletionQueue;
import io.jverbs.Gid;
import io.jverbs.MwType;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpType;
import io.jverbs.RdmaContext;
import io.jverbs.RdmaDevice;
import io.jverbs.SrqInitAttributes;
import io.jverbs.Verbs;
import io.jverbs.ffm.NativeLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * A program that creates and closes native objects of each kind while the heap or the stack is exhausted, with a little
 * more free memory in each attempt. An attempt that fails must leave no object behind, and each object must be
 * destroyed once. Arguments: heap or stack, and of how many of the smallest steps a step of the free heap consists. It
 * exits with status 1 if that does not hold.
 */
final class ExhaustedMemory {
    private static final int WARM_UP = 300;
    /** The size of the largest array that is allocated to fill the heap. */
    private static final int LARGEST = 1 << 20;
    /** The same of the smallest one. */
    private static final int SMALLEST = 16;
    /** The same to leave some memory free. */
    private static final int LARGE = 1 << 19;
    /** How many more bytes are free in each attempt, in addition to the header of an array. */
    private static final int STEP = 8;
    /** The same for contexts, whose creation takes much more memory. */
    private static final int CONTEXT_STEP = 112;
    private static final String CONTEXT = "context";
    /** The maximum number of attempts. */
    private static final int ATTEMPTS = 2000;
    /** How many calls fail at least with the smallest steps. */
    private static final int LEAST_FAILURES = 100;
    private static final int STACK_BYTES = 256 << 10;
    /** How many objects are created or closed on a short stack. */
    private static final int SUCCESSES = 5;

    private final RdmaDevice device = Verbs.select("stub");
    private final RdmaContext context = device.open();
    private final ProtectionDomain pd = context.allocatePd();
    private final CompletionQueue cq = context.createCompletionQueue(16);
    private final MemorySegment memory = Arena.global().allocate(64, 8);
    private final MemorySegment objects = counter("stub_objects");
    private final MemorySegment wrongDestructions = counter("stub_wrong_destructions");
    private int failed;

    /** Keeps the heap full, except for small arrays that are freed one at a time. */
    private static final class Ballast {
        private final byte[][] small = new byte[ATTEMPTS][];
        private final int bytes;
        private Object[] filling;
        private int freed;

        /** Sets the size of the small arrays. */
        Ballast(int bytes) {
            this.bytes = bytes;
        }

        /**
         * Fills the heap.
         *
         * @param smallest the size of the smallest array that is allocated
         */
        void fill(int smallest) {
            for (int i = 0; i < small.length; i++) {
                small[i] = new byte[bytes];
            }
            freed = 0;
            int size = LARGEST;
            while (size >= smallest) {
                try {
                    filling = new Object[] {filling, new byte[size]};
                } catch (OutOfMemoryError e) {
                    // each of these Errors takes two garbage collections
                    size = size > smallest ? Math.max(size / 8, smallest) : 0;
                }
            }
        }

        /** Frees a small array; returns false if there is none left. */
        boolean free() {
            if (freed == small.length) {
                return false;
            }
            small[freed++] = null;
            return true;
        }

        void freeAll() {
            check(filling != null, "the heap was not filled");
            filling = null;
        }
    }

    private ExhaustedMemory() {}

    public static void main(String... arguments) {
        try {
            ExhaustedMemory program = new ExhaustedMemory();
            int steps = Integer.parseInt(arguments[1]);
            for (Map.Entry<String, Supplier<AutoCloseable>> each : program.creations().entrySet()) {
                if (arguments[0].equals("heap")) {
                    program.onFullHeap(each.getKey(), each.getValue(), steps);
                } else {
                    program.onShortStack(each.getKey(), each.getValue());
                }
            }
            System.out.println(program.failed + " calls failed");
            check(program.failed > LEAST_FAILURES / steps, "only " + program.failed + " calls failed");
            System.exit(0);
        } catch (Throwable e) {
            e.printStackTrace(System.out);
            System.exit(1);
        }
    }

    @SuppressWarnings("restricted")
    private static MemorySegment counter(String name) {
        return ((NativeLibrary.Usable) NativeLibrary.ibverbs()).symbols().find(name).orElseThrow()
                .reinterpret(Long.BYTES);
    }

    private static void check(boolean condition, String message) {
        if (!condition) {
            throw new AssertionError(message);
        }
    }

    private void checkObjects(String what, long expected) {
        long found = objects.get(JAVA_LONG, 0);
        check(found == expected, what + ": " + found + " objects exist instead of " + expected);
        long wrong = wrongDestructions.get(JAVA_LONG, 0);
        check(wrong == 0, what + ": " + wrong + " objects were destroyed twice");
    }

    private Map<String, Supplier<AutoCloseable>> creations() {
        CompletionChannel channel = context.createCompletionChannel();
        AhAttributes path = AhAttributes.to(Gid.parse("::ffff:192.0.2.1"), 1, 0);
        QpInitAttributes init = QpInitAttributes.builder(QpType.RC).cq(cq).build();
        Map<String, Supplier<AutoCloseable>> all = new LinkedHashMap<>();
        all.put("protection domain", context::allocatePd);
        all.put("region", () -> pd.registerMemory(memory, Access.LOCAL_WRITE));
        all.put("window", () -> pd.allocateMemoryWindow(MwType.TYPE_2));
        all.put("channel", context::createCompletionChannel);
        all.put("completion queue", () -> context.createCompletionQueue(16, channel));
        all.put("shared receive queue", () -> pd.createSharedReceiveQueue(SrqInitAttributes.of(16, 1)));
        all.put("address handle", () -> pd.createAddressHandle(path));
        all.put("queue pair", () -> pd.createQueuePair(init));
        all.put(CONTEXT, device::open);
        return all;
    }

    private void onFullHeap(String kind, Supplier<AutoCloseable> creation, int steps) throws Exception {
        for (int i = 0; i < WARM_UP; i++) {
            creation.get().close();
        }
        Ballast ballast = new Ballast(steps * (kind.equals(CONTEXT) ? CONTEXT_STEP : STEP));
        // loads the classes of this loop
        ballast.fill(LARGE);
        untilItSucceeds(index -> {
            if (ballast.freed == 0) {
                throw new OutOfMemoryError();
            }
        }, ballast);
        ballast.freeAll();
        AutoCloseable[] created = new AutoCloseable[1];
        Step create = index -> created[index] = creation.get();
        Step close = index -> created[index].close();
        long before = objects.get(JAVA_LONG, 0);
        ballast.fill(SMALLEST);
        untilItSucceeds(create, ballast);
        untilItSucceeds(close, ballast);
        ballast.freeAll();
        check(created[0] != null, kind + ": not created after " + ATTEMPTS + " attempts");
        created[0].close();
        checkObjects(kind, before);
    }

    /** Runs a step with a little more free memory in each attempt, until it succeeds or all memory is free. */
    private void untilItSucceeds(Step step, Ballast ballast) throws Exception {
        boolean isFull = true;
        while (isFull && !succeeds(step)) {
            isFull = ballast.free();
        }
    }

    private boolean succeeds(Step step) throws Exception {
        try {
            step.run(0);
            return true;
        } catch (OutOfMemoryError e) {
            failed++;
            return false;
        }
    }

    private void onShortStack(String kind, Supplier<AutoCloseable> creation) throws Exception {
        for (int i = 0; i < WARM_UP; i++) {
            creation.get().close();
        }
        long before = objects.get(JAVA_LONG, 0);
        AutoCloseable[] created = new AutoCloseable[SUCCESSES];
        run(index -> created[index] = creation.get());
        checkObjects(kind + ", created", before + SUCCESSES);
        run(index -> created[index].close());
        for (AutoCloseable each : created) {
            each.close();
        }
        checkObjects(kind + ", closed", before);
    }

    private interface Step {
        void run(int index) throws Exception;
    }

    /** Runs a step for each index on a thread with a short stack, at each depth until it succeeds. */
    private void run(Step step) throws InterruptedException {
        int[] next = new int[1];
        Exception[] thrown = new Exception[1];
        Thread thread = new Thread(null, () -> descend(step, next, thrown), "short", STACK_BYTES);
        thread.start();
        thread.join();
        check(thrown[0] == null, "thrown on a short stack: " + thrown[0]);
        check(next[0] == SUCCESSES, "only " + next[0] + " calls succeeded");
    }

    private void descend(Step step, int[] next, Exception... thrown) {
        try {
            descend(step, next, thrown);
        } catch (StackOverflowError e) {
            // the end of the stack is reached
        }
        if (next[0] == SUCCESSES) {
            return;
        }
        try {
            step.run(next[0]);
            next[0]++;
        } catch (StackOverflowError e) {
            failed++;
        } catch (Exception e) {
            thrown[0] = e;
        }
    }
}
