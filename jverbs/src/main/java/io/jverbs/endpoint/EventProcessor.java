package io.jverbs.endpoint;

import io.jverbs.RdmaContext;
import io.jverbs.cm.CmEvent;
import io.jverbs.cm.CmEventChannel;
import io.jverbs.cm.CmEventType;
import io.jverbs.cm.CmId;
import java.time.Duration;

/** The event channel of all IDs of the endpoints of a context: passes each event to its connection or listener. */
final class EventProcessor extends Poller {
    private static final int BATCH = 64;
    private static final Duration LONG = Duration.ofHours(1);

    private final RdmaContext context;
    private final CmEventChannel channel;

    EventProcessor(RdmaContext context) {
        super("jverbs-endpoint-events");
        this.context = context;
        this.channel = CmEventChannel.create(context);
    }

    CmEventChannel channel() {
        return channel;
    }

    @Override
    int process() {
        boolean interrupted = false;
        try {
            int count = 0;
            while (count < BATCH && handle(channel.awaitEvent(Duration.ZERO))) {
                count++;
            }
            return count;
        } catch (InterruptedException e) {
            interrupted = true;
            return 0;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Handles an event, and acknowledges it; returns whether there was one. */
    private static boolean handle(CmEvent event) {
        if (event == null) {
            return false;
        }
        CmId rejected = null;
        try (event) {
            if (event.type() == CmEventType.CONNECT_REQUEST) {
                rejected = ((Listener) event.listener().userContext()).requested(event);
            } else if (event.id().userContext() instanceof Connection connection) {
                connection.establishment().onEvent(event);
            } else if (event.id().userContext() instanceof Listener listener && event.isFailure()) {
                listener.failed(event);
            }
        } finally {
            if (rejected != null) {
                rejected.close();
            }
        }
        return true;
    }

    @Override
    void deliver() {
        // the completion processor calls the program
    }

    @Override
    void block(long nanos) throws InterruptedException {
        // nobody else may process meanwhile: the events of an ID must stay in order
        if (!tryOwn()) {
            return;
        }
        try {
            handle(channel.awaitEvent(LONG));
        } finally {
            disown();
        }
    }

    @Override
    long timers() {
        return Long.MAX_VALUE;
    }

    @Override
    boolean needsThread() {
        return false;
    }

    @Override
    long spinNanos() {
        return 0;
    }

    @Override
    void contextClosed() {
        if (context.isClosed()) {
            stop();
        }
    }

    void close() {
        channel.close();
    }
}
