package io.jverbs.rsocket;

import io.jverbs.cm.CmEvent;
import io.jverbs.cm.CmEventType;
import io.jverbs.cm.CmId;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Passes each event of the connection manager to its stream or listener. */
final class EventThread extends DeviceThread {
    private static final Duration LONG = Duration.ofHours(1);

    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

    EventThread(StreamDevice device) {
        super(device, "jverbs-rsocket-events");
    }

    void later(Runnable task) {
        tasks.add(task);
        wake();
    }

    @Override
    void next() throws InterruptedException {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
        CmId rejected = null;
        try (CmEvent event = await()) {
            if (event != null) {
                rejected = handle(event);
            }
        }
        if (rejected != null) {
            rejected.close();
        }
    }

    private CmEvent await() throws InterruptedException {
        if (!beginSleep()) {
            return null;
        }
        try {
            return device().events().awaitEvent(LONG);
        } finally {
            endSleep();
        }
    }

    /** Returns the ID to close when the event is acknowledged; or null. */
    private static CmId handle(CmEvent event) {
        if (event.type() == CmEventType.CONNECT_REQUEST) {
            return ((RdmaStreamListener) event.listener().userContext()).requested(event);
        }
        if (event.id().userContext() instanceof StreamConnection connection) {
            connection.establishment().onEvent(event);
        } else if (event.id().userContext() instanceof RdmaStreamListener listener && event.isFailure()) {
            listener.failed(event);
        }
        return null;
    }
}
