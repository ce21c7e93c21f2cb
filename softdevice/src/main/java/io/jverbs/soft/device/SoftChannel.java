package io.jverbs.soft.device;

import io.jverbs.spi.Handle;

/** A completion channel: the queue of completion events of its completion queues. */
final class SoftChannel implements Handle.Channel {
    private final EventQueue events = new EventQueue();

    EventQueue events() {
        return events;
    }
}
