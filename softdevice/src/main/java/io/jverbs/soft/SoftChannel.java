package io.jverbs.soft;

import io.jverbs.spi.Handle;

/** A completion channel: the owners of the queues that fired, in order. */
final class SoftChannel implements Handle.Channel {
    private final EventQueue<Owner> events = new EventQueue<>(owner -> owner);

    EventQueue<Owner> events() {
        return events;
    }
}
