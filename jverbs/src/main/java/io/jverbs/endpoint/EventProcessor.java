package io.jverbs.endpoint;

import io.jverbs.RdmaContext;
import io.jverbs.cm.CmEvent;
import io.jverbs.cm.CmEventChannel;
import io.jverbs.cm.CmEventType;
import io.jverbs.cm.CmId;
import io.jverbs.endpoint.polling.Poller;
import java.time.Duration;

/** The event channel of all IDs of the endpoints of a context: passes each event to its connection or listener. */
final class EventProcessor extends Poller {
    private static final int BATCH = 64;
    private static final Duration LONG = Duration.ofHours(1);

    private final RdmaContext context;
    private final CmEventChannel channel;
    /** The event that is being handled. After an Error before its acknowledgement, the next call goes on with it. */
    private CmEvent next;
    private boolean isHandled;
    /** The ID of a connect request that was rejected, which is destroyed after the event was acknowledged; or null. */
    private CmId rejected;

    EventProcessor(RdmaContext context) {
        super("jverbs-endpoint-events");
        this.context = context;
        this.channel = CmEventChannel.create(context);
    }

    CmEventChannel channel() {
        return channel;
    }

    @Override
    protected int process() {
        boolean interrupted = false;
        try {
            int count = 0;
            while (count < BATCH && handleNext(Duration.ZERO)) {
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

    /** Waits for an event, handles it, and acknowledges it; returns whether there was one. */
    private boolean handleNext(Duration limit) throws InterruptedException {
        closeRejected();
        if (next == null) {
            isHandled = false;
            next = channel.awaitEvent(limit);
        }
        if (next == null) {
            return false;
        }
        try {
            handle(next);
        } finally {
            next.close();
            next = null;
            closeRejected();
        }
        return true;
    }

    private void closeRejected() {
        CmId id = rejected;
        if (id != null) {
            id.close();
            rejected = null;
        }
    }

    private void handle(CmEvent event) {
        if (isHandled) {
            return;
        }
        try {
            isHandled = true;
            pass(event);
        } catch (RuntimeException | Error e) {
            failed(event, e);
            throw e;
        }
    }

    private void pass(CmEvent event) {
        if (event.type() == CmEventType.CONNECT_REQUEST) {
            rejected = ((Listener) event.listener().userContext()).requested(event);
        } else if (event.id().userContext() instanceof Connection connection) {
            connection.establishment().onEvent(event);
        } else if (event.id().userContext() instanceof Listener listener && event.isFailure()) {
            listener.failed(event);
        }
    }

    /** Ends what an event was for after it was not handled. */
    private void failed(CmEvent event, Throwable failure) {
        if (event.id().userContext() instanceof Connection connection) {
            connection.establishment().failed(event, failure);
        } else if (event.type() == CmEventType.CONNECT_REQUEST && event.id().userContext() == null) {
            rejected = Establishment.reject(event.id(), "the listener failed: " + failure);
        }
    }

    @Override
    protected void deliver() {
        // the completion processor calls the program
    }

    @Override
    protected void block(long nanos) throws InterruptedException {
        // nobody else may process meanwhile: the events of an ID must stay in order
        if (!tryOwn()) {
            return;
        }
        try {
            handleNext(LONG);
        } finally {
            disown();
        }
    }

    @Override
    protected long timers() {
        return Long.MAX_VALUE;
    }

    @Override
    protected boolean needsThread() {
        return false;
    }

    @Override
    protected long spinNanos() {
        return 0;
    }

    @Override
    protected void contextClosed() {
        if (context.isClosed()) {
            stop();
        }
    }

    void close() {
        channel.close();
    }
}
