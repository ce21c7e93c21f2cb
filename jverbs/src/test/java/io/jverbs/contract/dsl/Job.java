package io.jverbs.contract.dsl;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.contract.end.Infos.JobResult;

/** A command that runs on a thread of its end. */
public final class Job {

    private final Side side;
    private final int id;

    Job(Side side, int id) {
        this.side = side;
        this.id = id;
    }

    /** Waits for the command to end. Returns its value, or throws what it threw. */
    public Object await() {
        JobResult result = side.end().awaitJob(id, Waits.deadline());
        assertTrue(result.done(), "the command did not return within " + Waits.deadline() + " ms");
        return result.get();
    }

    /** Asserts that the command is still blocked after the quiet time. */
    public void assertBlocked() {
        JobResult result = side.end().awaitJob(id, side.quietMillis());
        assertTrue(!result.done(), () -> "the command should block, but returned: " + result);
    }

    public void interrupt() {
        side.end().interruptJob(id);
    }
}
