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
    /** Whether an Error has ended the first task. */
    private boolean isRepeated;
    /** The event that is being processed. After an Error before its acknowledgement, the next call goes on with it. */
    private CmEvent current;
    private Progress progress = Progress.RETRIEVED;

    /** What was done with the event. */
    private enum Progress {
        RETRIEVED,
        /** An attempt to pass it was made. */
        TRIED,
        /** It is to be acknowledged. */
        PASSED
    }

    EventThread(StreamDevice device) {
        super(device, "jverbs-rsocket-events");
    }

    void later(Runnable task) {
        tasks.add(task);
        wake();
    }

    @Override
    void next() throws InterruptedException {
        process();
        runTasks();
        if (beginSleep()) {
            try {
                progress = Progress.RETRIEVED;
                current = device().events().awaitEvent(LONG);
            } finally {
                try {
                    endSleep();
                } finally {
                    process();
                }
            }
        }
    }

    /** Runs the tasks. One that an Error has ended runs once more; it can be repeated. */
    private void runTasks() {
        for (Runnable task = tasks.peek(); task != null; task = tasks.peek()) {
            boolean isDone = isRepeated;
            try {
                task.run();
                isDone = true;
            } catch (RuntimeException e) {
                isDone = true;
                throw e;
            } finally {
                isRepeated = !isDone;
                if (isDone) {
                    tasks.remove();
                }
            }
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

    /** Passes the event, and acknowledges it. An Error that its receiver has not handled is repeated once. */
    private void process() {
        CmEvent event = current;
        if (event == null) {
            return;
        }
        boolean isTried = progress != Progress.RETRIEVED;
        try {
            if (progress != Progress.PASSED) {
                progress = Progress.TRIED;
                pass(event);
            }
            isTried = true;
        } catch (RuntimeException e) {
            isTried = true;
            throw e;
        } finally {
            if (isTried) {
                progress = Progress.PASSED;
                event.close();
                current = null;
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
