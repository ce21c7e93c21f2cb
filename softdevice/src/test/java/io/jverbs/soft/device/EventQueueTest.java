package io.jverbs.soft.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.jverbs.soft.device.PendingEvent.Repeat;
import org.junit.jupiter.api.Test;

/** Events are retrieved in order, each once, or as often as it occurred. */
final class EventQueueTest {
    private final EventQueue queue = new EventQueue();

    private static PendingEvent event(Repeat repeat) {
        return new PendingEvent(null, null, repeat);
    }

    private void add(PendingEvent... events) {
        for (PendingEvent event : events) {
            queue.add(event);
        }
    }

    private void assertRetrieved(PendingEvent... expected) throws InterruptedException {
        for (PendingEvent event : expected) {
            assertSame(event, queue.await(0));
        }
        assertNull(queue.await(0));
    }

    @Test
    void aRepeatedEventKeepsItsPositionAndIsRetrievedOnce() throws InterruptedException {
        PendingEvent first = event(Repeat.KEEP_POSITION);
        PendingEvent second = event(Repeat.KEEP_POSITION);
        add(first, second, first, second, first);
        assertRetrieved(first, second);
        add(first);
        assertRetrieved(first);
    }

    @Test
    void anEventThatReportsAStateMovesToTheEndWhenRepeated() throws InterruptedException {
        PendingEvent down = event(Repeat.MOVE_TO_END);
        PendingEvent up = event(Repeat.MOVE_TO_END);
        add(down, up, down);
        assertRetrieved(up, down);
    }

    @Test
    void aCountedEventIsRetrievedAsOftenAsItOccurred() throws InterruptedException {
        PendingEvent first = event(Repeat.COUNT);
        PendingEvent second = event(Repeat.COUNT);
        add(first, first, second, first);
        assertRetrieved(first, second, first, first);
    }

    @Test
    void aForgottenEventIsNotRetrievedAndReportsHowOftenItWas() throws InterruptedException {
        PendingEvent forgotten = event(Repeat.COUNT);
        PendingEvent other = event(Repeat.COUNT);
        add(forgotten, other, forgotten);
        assertSame(forgotten, queue.await(0));
        assertEquals(1, queue.forget(forgotten));
        assertRetrieved(other);
    }

    @Test
    void aClosedQueueIsEmpty() throws InterruptedException {
        PendingEvent event = event(Repeat.KEEP_POSITION);
        add(event);
        queue.close();
        assertRetrieved();
        add(event);
        assertRetrieved();
    }
}
