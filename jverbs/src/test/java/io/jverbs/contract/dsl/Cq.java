package io.jverbs.contract.dsl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.contract.end.End;
import io.jverbs.contract.end.Wc;
import java.util.ArrayList;
import java.util.List;

/** A completion queue of an end. Completions that a wait polled beyond its number are kept for the next wait. */
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

    /** One poll call; nothing is kept or waited for. */
    public List<Wc> poll(int max) {
        return end().poll(id, max);
    }

    /** The next completion. */
    public Wc await() {
        return await(1).getFirst();
    }

    /** The next {@code count} completions in the order of the queue. Fails when they do not come. */
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

    /** The next completion of a queue pair; others are kept. For queues that several pairs share. */
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
            assertTrue(left > 0, () -> "no completion of " + qp + " came, but " + kept);
            kept.addAll(end().pollUntil(id, 1, left));
        }
    }

    /** No completion comes: the end keeps polling for the fixture's quiet time. */
    public void assertQuiet() {
        kept.addAll(end().pollUntil(id, 1, side.quietMillis()));
        assertEquals(List.of(), kept, () -> "queue " + id + " of " + side + " should be empty");
    }

    /** Nothing is in the queue now: for use behind an event that comes later than any completion would. */
    public void assertEmpty() {
        kept.addAll(end().poll(id, 1));
        assertEquals(List.of(), kept, () -> "queue " + id + " of " + side + " should be empty");
    }

    /** Arms for the next completion of any kind. */
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
