package io.jverbs.soft;

import io.jverbs.spi.Handle;

/** A completion channel: the owners of the queues that fired, in order. */
final class SoftChannel implements Handle.Channel {
    private final EventQueue<Object> events = new EventQueue<>(owner -> owner);

    EventQueue<Object> events() {
        return events;
    }
}
