package io.jverbs.soft.layers.strict;

import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.soft.layers.LayeredPair;
import io.jverbs.strict.StrictMode;
import java.time.Duration;
import java.util.Random;

/**
 * A program that posts and polls in strict mode while the stack or the heap is exhausted, at a different instruction in
 * each round. Each request that was posted must have one completion, and each other request none. It exits with status
 * 1 if that does not hold, or if a lock is still held.
 */
final class ResourceExhaustionProgram {
    private static final int STACKS = 20;
    private static final int STACK = 256 << 10;
    private static final int STEPS = 1_000;
    private static final int HEAP_ROUNDS = 10;
    private static final int POSTS = 30;
    private static final Duration DEADLINE = Duration.ofSeconds(20);

    private final LayeredPair pair;
    private final SendWorkRequest request;
    private int posted;
    private int completed;
    private int errors;
    /** The number of remaining steps. */
    private int remainingSteps;

    private ResourceExhaustionProgram(LayeredPair pair) {
        this.pair = pair;
        this.request = pair.write(1, SendFlags.SIGNALED);
    }

    public static void main(String... arguments) {
        try {
            int errors = arguments[0].equals("stack") ? stack() : heap();
            System.out.println(errors + " errors");
            check(errors > 0 || arguments[0].equals("heap"), "no step overflowed the stack");
            System.exit(0);
        } catch (Throwable e) {
            e.printStackTrace(System.out);
            System.exit(1);
        }
    }

    private static void check(boolean condition, String message) {
        if (!condition) {
            throw new AssertionError(message);
        }
    }

    /** Posts a request, or polls its completion. */
    private void step() {
        try {
            if (posted == completed) {
                pair.sender.postSend(request);
                posted++;
            } else {
                completed += pair.sendCq.poll(pair.completions);
            }
        } catch (VirtualMachineError e) {
            errors++;
        }
    }

    private void settle() throws InterruptedException {
        Thread other = Thread.ofPlatform().start(() -> {
            long start = System.nanoTime();
            while (completed < posted && System.nanoTime() - start < DEADLINE.toNanos()) {
                completed += pair.sendCq.poll(pair.completions);
            }
            completed += pair.sendCq.poll(pair.completions);
            pair.sender.postSend(request);
            pair.await(pair.sendCq, 1);
        });
        check(other.join(DEADLINE), "a thread did not end: a lock may be held");
        check(posted == completed, posted + " requests have " + completed + " completions");
    }

    private static int stack() throws InterruptedException {
        StrictMode strict = StrictMode.reporting();
        try (LayeredPair pair = new LayeredPair(strict)) {
            ResourceExhaustionProgram program = new ResourceExhaustionProgram(pair);
            for (int i = 0; i < 1000; i++) {
                program.step();
            }
            for (int i = 0; i < STACKS; i++) {
                program.remainingSteps = STEPS;
                Thread small = new Thread(null, program::descend, "small", STACK);
                small.start();
                check(small.join(DEADLINE), "a thread did not end: a lock may be held");
                program.settle();
            }
            program.settle();
            check(strict.violations().isEmpty(), strict.violations().toString());
            return program.errors;
        }
    }

    /** Recurses until the stack overflows, and runs a step at each depth on return. */
    private void descend() {
        try {
            descend();
        } catch (StackOverflowError e) {
            // the deepest frame
        }
        if (remainingSteps > 0) {
            remainingSteps--;
            step();
        }
    }

    private static int heap() throws InterruptedException {
        int errors = 0;
        Random random = new Random(5);
        for (int i = 0; i < HEAP_ROUNDS; i++) {
            StrictMode strict = StrictMode.reporting();
            try (LayeredPair pair = new LayeredPair(strict)) {
                ResourceExhaustionProgram program = new ResourceExhaustionProgram(pair);
                for (int k = 0; k < 100; k++) {
                    program.step();
                }
                program.fillAndStep(random.nextInt(400));
                program.settle();
                check(strict.violations().isEmpty(), strict.violations().toString());
                errors += program.errors;
            }
        }
        return errors;
    }

    private void fillAndStep(int reservedBytes) {
        byte[] reserve = new byte[reservedBytes];
        Object[] filling = null;
        int bytes = 1 << 20;
        while (bytes >= 16) {
            try {
                filling = new Object[] {filling, new byte[bytes]};
            } catch (OutOfMemoryError e) {
                bytes /= 2;
            }
        }
        reserve = null;
        for (int i = 0; i < POSTS; i++) {
            step();
        }
        // frees the heap before the check, whose message needs memory
        boolean full = filling != null && reserve == null;
        filling = null;
        check(full, "the heap was not full");
    }
}
