package io.jverbs.rsocket;

import io.jverbs.cm.CmEvent;
import io.jverbs.cm.CmEventType;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Passes each event of the connection manager to its stream or listener. */
final class EventThread extends DeviceThread {
    private static final Logger LOG = LoggerFactory.getLogger(EventThread.class);
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
        runTasks();
        if (beginSleep()) {
            CmEvent event = null;
            try {
                event = device().events().awaitEvent(LONG);
            } finally {
                try {
                    endSleep();
                } finally {
                    process(event);
                }
            }
        }
    }

    private void runTasks() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }

    /** Runs the tasks that are left, such as the close of the ID of a request that was rejected. */
    @Override
    void last() {
        while (!tasks.isEmpty()) {
            try {
                runTasks();
            } catch (RuntimeException e) {
                LOG.debug("a task at the end has failed", e);
            }
        }
    }

    private static void process(CmEvent event) {
        if (event != null) {
            try (event) {
                pass(event);
            }
        }
    }

    private static void pass(CmEvent event) {
        if (event.type() == CmEventType.CONNECT_REQUEST) {
            ((RdmaStreamListener) event.listener().userContext()).requested(event);
        } else if (event.id().userContext() instanceof StreamConnection connection) {
            connection.establishment().onEvent(event);
        } else if (event.id().userContext() instanceof RdmaStreamListener listener && event.isFailure()) {
            listener.failed(event);
        }
    }
}
