package io.jverbs.contract.dsl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.contract.end.End;
import io.jverbs.contract.end.Wc;
import java.util.ArrayList;
import java.util.List;

/** A completion queue of an end. If a wait polls more completions than it needs, the rest is kept for the next wait. */
public final class Cq {

    private final Side side;
    private final int id;
    private final List<Wc> kept = new ArrayList<>();

    Cq(Side side, int id) {
        this.side = side;
        this.id = id;
    }

    public int id() {
        return id;
    }

    public Side side() {
        return side;
    }

    private End end() {
        return side.end();
    }

    public int cqe() {
        return end().cqe(id);
    }

    /** Makes one poll call. Does not wait, and does not return kept completions. */
    public List<Wc> poll(int max) {
        return end().poll(id, max);
    }

    /** Waits for the next completion. */
    public Wc await() {
        return await(1).getFirst();
    }

    /**
     * Waits for the next {@code count} completions, and returns them in order. Fails if they do not arrive before the
     * deadline.
     */
    public List<Wc> await(int count) {
        return await(count, Waits.deadline());
    }

    public List<Wc> await(int count, long millis) {
        if (kept.size() < count) {
            kept.addAll(end().pollUntil(id, count - kept.size(), millis));
        }
        List<Wc> seen = List.copyOf(kept);
        assertTrue(seen.size() >= count, () -> "expected " + count + " completions within " + millis
                + " ms at queue " + id + " of " + side + ", but saw " + seen);
        List<Wc> wanted = List.copyOf(kept.subList(0, count));
        kept.subList(0, count).clear();
        return wanted;
    }

    /**
     * Waits for the next completion of a queue pair, and keeps those of others. For queues that several queue pairs
     * share.
     */
    public Wc awaitOf(Qp qp) {
        long end = System.nanoTime() + Waits.deadlineNanos();
        while (true) {
            for (Wc wc : kept) {
                if (wc.qpNumber() == qp.number()) {
                    kept.remove(wc);
                    return wc;
                }
            }
            long left = (end - System.nanoTime()) / 1_000_000;
            assertTrue(left > 0, () -> "no completion of " + qp + " arrived, but " + kept);
            kept.addAll(end().pollUntil(id, 1, left));
        }
    }

    /** Asserts that no completion arrives. Polls for the quiet time of the fixture. */
    public void assertQuiet() {
        kept.addAll(end().pollUntil(id, 1, side.quietMillis()));
        assertEquals(List.of(), kept, () -> "queue " + id + " of " + side + " should be empty");
    }

    /** Asserts that the queue is empty now, with one poll. For use after an event that follows all completions. */
    public void assertEmpty() {
        kept.addAll(end().poll(id, 1));
        assertEquals(List.of(), kept, () -> "queue " + id + " of " + side + " should be empty");
    }

    /** Requests a notification for the next completion of any kind. */
    public void arm() {
        end().arm(id, false);
    }

    public void armSolicited() {
        end().arm(id, true);
    }

    public void destroy() {
        end().destroy(id);
    }

    @Override
    public String toString() {
        return "completion queue " + id + " of " + side;
    }
}
