package io.jverbs.soft.management;

import io.jverbs.soft.fabric.EventWait;
import io.jverbs.soft.fabric.WaitQueue;
import io.jverbs.spi.CmChannelOps;
import io.jverbs.spi.CmEventData;
import io.jverbs.spi.CmIdOps;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** An event channel of a software device. The lock of the agent is taken before that of the queue of events. */
final class SoftCmChannel implements CmChannelOps {
    private final CmDevice device;
    private final EventWait eventWait;
    private final Events events = new Events();
    private final Set<SoftCmId> ids = ConcurrentHashMap.newKeySet();

    /** An event, and the ID that counts it, whose destruction discards it: the listener for a connect request. */
    private record Queued(SoftCmId counter, CmEventData data) {}

    /** The events that the program has not retrieved yet. */
    private static final class Events extends WaitQueue<CmEventData> {
        private final Deque<Queued> queue = new ArrayDeque<>();

        void add(Queued event) {
            lock();
            try {
                if (!isClosed()) {
                    // first, as after an Error the event must not have been added
                    signal();
                    queue.add(event);
                }
            } finally {
                unlock();
            }
        }

        @Override
        protected boolean isEmpty() {
            assert isLocked();
            return queue.isEmpty();
        }

        @Override
        protected CmEventData take() {
            assert isLocked();
            Queued first = queue.poll();
            if (first == null) {
                return null;
            }
            first.counter.countRetrieved(first.data.listener() != null);
            return first.data;
        }

        @Override
        protected void clear() {
            assert isLocked();
            queue.clear();
        }

        /** Removes the events of an ID. */
        List<Queued> removeAll(SoftCmId id) {
            lock();
            try {
                List<Queued> removed = new ArrayList<>(queue.size());
                for (Iterator<Queued> each = queue.iterator(); each.hasNext();) {
                    Queued event = each.next();
                    if (event.counter == id) {
                        removed.add(event);
                        each.remove();
                    }
                }
                return removed;
            } finally {
                unlock();
            }
        }
    }

    SoftCmChannel(CmDevice device, EventWait eventWait) {
        this.device = device;
        this.eventWait = eventWait;
    }

    @Override
    public CmIdOps createId(int portSpace, int qpType, Object owner) {
        return device.agent().call(() -> {
            SoftCmId id = new SoftCmId(device, this, CmServiceType.of(portSpace, qpType), owner);
            ids.add(id);
            return id.handle();
        });
    }

    /** Adds an ID that was created by a connect request, or that comes from another channel. */
    void add(SoftCmId id) {
        ids.add(id);
    }

    /** Removes an ID that was destroyed or goes to another channel. */
    void remove(SoftCmId id) {
        ids.remove(id);
    }

    /** Adds an event, which an ID counts. */
    void add(SoftCmId counter, CmEventData event) {
        events.add(new Queued(counter, event));
    }

    /** Removes and returns the events that an ID counts. */
    List<CmEventData> removeEvents(SoftCmId id) {
        return events.removeAll(id).stream().map(Queued::data).toList();
    }

    /** Moves the events that an ID counts to another channel. After an Error, those that are left are here. */
    void moveEvents(SoftCmId id, SoftCmChannel target) {
        // removed first, because a thread may retrieve them meanwhile
        List<Queued> moved = events.removeAll(id);
        int done = 0;
        try {
            for (; done < moved.size(); done++) {
                CmEventData event = moved.get(done).data();
                if (event.listener() != null) {
                    // the ID of a connect request belongs to the channel that the request is retrieved from
                    ((LockedCmId) event.id()).id().moveTo(target);
                }
                target.events.add(moved.get(done));
            }
        } finally {
            for (; done < moved.size(); done++) {
                events.add(moved.get(done));
            }
        }
    }

    @Override
    public CmEventData await(long nanos) throws InterruptedException {
        return eventWait.await(events, nanos);
    }

    @Override
    public void wake() {
        events.wake();
    }

    @Override
    public void close() {
        for (SoftCmId id : List.copyOf(ids)) {
            id.handle().destroy();
        }
        events.close();
    }
}
