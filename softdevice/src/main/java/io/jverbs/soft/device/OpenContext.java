package io.jverbs.soft.device;

import io.jverbs.AsyncEventType;

/** An open context, as its device sees it: it gets the events that concern every context of the device. */
interface OpenContext {

    /**
     * Queues an asynchronous event of a port.
     *
     * @param type the type of the event
     * @param port the number of the port
     */
    void raisePortEvent(AsyncEventType type, int port);

    /** Moves all queue pairs to ERR and queues DEVICE_FATAL, on the first call only. */
    void deviceRemoved();
}
