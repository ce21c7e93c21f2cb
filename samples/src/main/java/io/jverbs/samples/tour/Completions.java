package io.jverbs.samples.tour;

import io.jverbs.CompletionQueue;
import io.jverbs.WcOpcode;
import io.jverbs.WcStatus;
import io.jverbs.WorkCompletions;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for the completions of a queue, one by one, and holds them against what is expected. For one thread. */
final class Completions implements AutoCloseable {
    /** How long the slowest device may take. */
    static final Duration PATIENCE = Duration.ofSeconds(10);
    /** How long to wait for what a network has probably lost. */
    private static final Duration PATIENCE_WITH_FAULTS = Duration.ofMillis(100);
    private static final int POLLS_BETWEEN_LOOKS_AT_THE_CLOCK = 1000;

    private final CompletionQueue queue;
    private final BooleanSupplier mayBeLost;
    private final WorkCompletions taken = WorkCompletions.create(1);

    /** @param mayBeLost whether it is likely that what is waited for never comes */
    Completions(CompletionQueue queue, BooleanSupplier mayBeLost) {
        this.queue = queue;
        this.mayBeLost = mayBeLost;
    }

    CompletionQueue queue() {
        return queue;
    }

    /** {@return the next completion, entry 0 of what is returned} */
    WorkCompletions next() {
        if (queue.poll(taken) == 0) {
            await(PATIENCE);
        }
        return taken;
    }

    private void await(Duration patience) {
        if (!arrivesWithin(patience)) {
            throw new Mismatch("completion", "one within " + patience.toSeconds() + " s", "none");
        }
    }

    /** {@return whether a completion comes in time; it is taken then} */
    boolean arrivesWithin(Duration patience) {
        long start = System.nanoTime();
        long passed;
        do {
            for (int i = 0; i < POLLS_BETWEEN_LOOKS_AT_THE_CLOCK; i++) {
                if (queue.poll(taken) > 0) {
                    return true;
                }
                Thread.onSpinWait();
            }
            // A device in software may need the processor to get on.
            Thread.yield();
            passed = System.nanoTime() - start;
        } while (passed < patience.toNanos()
                && (passed < PATIENCE_WITH_FAULTS.toNanos() || !mayBeLost.getAsBoolean()));
        return false;
    }

    /** Waits for the success of a request. */
    WorkCompletions expect(long wrId, WcOpcode opcode) {
        WorkCompletions next = next();
        checkSuccess(next, wrId, opcode);
        return next;
    }

    /** Waits for the arrival of a message. */
    WorkCompletions expectArrival(long wrId, WcOpcode opcode, long bytes) {
        WorkCompletions next = expect(wrId, opcode);
        Mismatch.check("byte length", bytes, next.byteLength(0));
        return next;
    }

    /** Waits for the failure of a request. */
    void expectFailure(long wrId, WcStatus status) {
        WorkCompletions next = next();
        Mismatch.check("status of request " + next.wrId(0), status, next.status(0));
        Mismatch.check("request that completed", wrId, next.wrId(0));
    }

    /** Makes sure that no completion is left over. */
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
