package io.jverbs.ibverbs.rdmacm;

import io.jverbs.spi.CmEventData;
import java.util.Iterator;
import java.util.LinkedList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The events that the program has posted to the IDs of a context and not retrieved. Only librdmacm of 2025 and later
 * has rdma_write_cm_event(3), so they do not pass through the library. They stay here if an ID moves to another
 * channel. Any thread may call any method.
 */
final class UserEvents {
    /** RDMA_CM_EVENT_USER, which the headers of the bindings do not have. */
    private static final int TYPE = 18;

    private final ReentrantLock lock = new ReentrantLock();
    private final List<CmEventData> events = new LinkedList<>();

    /** Adds an event of an ID, which is open; returns 0, as a call that has succeeded. */
    int add(NativeCmId id, int status, long argument) {
        CmEventData event = new CmEventData(TYPE, id, null, status, null, null, argument);
        lock.lock();
        try {
            events.add(event);
        } finally {
            lock.unlock();
        }
        id.channel().userEventAdded();
        return 0;
    }

    /** Removes and returns the first event of the IDs of a channel; null if there is none. */
    CmEventData poll(NativeCmChannel channel) {
        lock.lock();
        try {
            for (Iterator<CmEventData> each = events.iterator(); each.hasNext();) {
                CmEventData event = each.next();
                if (((NativeCmId) event.id()).channel() == channel) {
                    each.remove();
                    return event;
                }
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    /** Discards the events of an ID that is destroyed. */
    void discard(NativeCmId id) {
        lock.lock();
        try {
            events.removeIf(each -> each.id() == id);
        } finally {
            lock.unlock();
        }
    }
}
