package io.jverbs.samples.tour.operation;

import io.jverbs.CompletionQueue;
import io.jverbs.WcOpcode;
import io.jverbs.WcStatus;
import io.jverbs.WorkCompletions;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * A completion queue whose completions are taken one by one and compared with the expected ones. Polls busily. Not
 * thread-safe.
 */
final class Completions implements AutoCloseable {
    /** The time that the slowest device may need. */
    static final Duration TIMEOUT = Duration.ofSeconds(10);
    /** The time to wait for a packet that the simulated network has probably lost. */
    private static final Duration TIMEOUT_WITH_FAULTS = Duration.ofMillis(100);
    private static final int POLLS_BETWEEN_CLOCK_READS = 1000;

    private final CompletionQueue queue;
    private final BooleanSupplier mayBeLost;
    private final WorkCompletions taken = WorkCompletions.create(1);

    /**
     * Creates the wrapper of a completion queue.
     *
     * @param queue the completion queue
     * @param mayBeLost whether the packets of the expected completion were probably lost
     */
    Completions(CompletionQueue queue, BooleanSupplier mayBeLost) {
        this.queue = queue;
        this.mayBeLost = mayBeLost;
    }

    CompletionQueue queue() {
        return queue;
    }

    /** {@return the next completion, as entry 0} */
    WorkCompletions next() {
        if (queue.poll(taken) == 0) {
            await(TIMEOUT);
        }
        return taken;
    }

    private void await(Duration timeout) {
        if (!arrivesWithin(timeout)) {
            throw new Mismatch("completion", "one within " + timeout.toSeconds() + " s", "none");
        }
    }

    /** {@return whether a completion arrives within a time; the completion is consumed} */
    boolean arrivesWithin(Duration timeout) {
        long start = System.nanoTime();
        long passed;
        do {
            for (int i = 0; i < POLLS_BETWEEN_CLOCK_READS; i++) {
                if (queue.poll(taken) > 0) {
                    return true;
                }
                Thread.onSpinWait();
            }
            // A software device may need this processor.
            Thread.yield();
            passed = System.nanoTime() - start;
        } while (passed < timeout.toNanos()
                && (passed < TIMEOUT_WITH_FAULTS.toNanos() || !mayBeLost.getAsBoolean()));
        return false;
    }

    /** Waits for the successful completion of a request. */
    WorkCompletions expect(long wrId, WcOpcode opcode) {
        WorkCompletions next = next();
        checkSuccess(next, wrId, opcode);
        return next;
    }

    /** Waits for the successful completion of a request that received a number of bytes. */
    WorkCompletions expect(long wrId, WcOpcode opcode, long bytes) {
        WorkCompletions next = expect(wrId, opcode);
        Mismatch.check("byte length", bytes, next.byteLength(0));
        return next;
    }

    /** Waits for the completion of a request in error. */
    void expectFailure(long wrId, WcStatus status) {
        WorkCompletions next = next();
        Mismatch.check("status of request " + next.wrId(0), status, next.status(0));
        Mismatch.check("request that completed", wrId, next.wrId(0));
    }

    /** Checks that there is no further completion. */
    void expectNone() {
        if (queue.poll(taken) > 0) {
            throw new Mismatch("completion", "none", taken);
        }
    }

    static void checkSuccess(WorkCompletions completions, long wrId, WcOpcode opcode) {
        if (!completions.isSuccess(0)) {
            throw new Mismatch("status of request " + completions.wrId(0), WcStatus.SUCCESS, completions.status(0)
                    + " (vendor error 0x" + Integer.toHexString(completions.vendorError(0)) + ")");
        }
        Mismatch.check("request that completed", wrId, completions.wrId(0));
        Mismatch.check("opcode", opcode, completions.opcode(0));
    }

    @Override
    public void close() {
        queue.close();
    }
}
