package io.jverbs.endpoint;

import io.jverbs.Errno;
import io.jverbs.RdmaContext;
import io.jverbs.VerbsException;
import io.jverbs.cm.CmEvent;
import io.jverbs.cm.CmEventChannel;
import io.jverbs.cm.CmEventType;
import io.jverbs.cm.CmId;
import java.net.InetSocketAddress;
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

    /**
     * Binds the ID of a listener and listens. The message of an address in use is for programs with endpoints, which
     * do not have the options of IDs.
     */
    static void listen(CmId id, InetSocketAddress address, int backlog) {
        try {
            id.bind(address);
            id.listen(backlog);
        } catch (VerbsException e) {
            if (e.error() != Errno.EADDRINUSE && e.error() != Errno.EADDRNOTAVAIL) {
                throw e;
            }
            String reason = e.error() == Errno.EADDRINUSE
                    ? "the port is in use at this address"
                    : "the port is in use at an address that includes this one or is included in it, or no port is"
                            + " free, or this machine does not have the address";
            VerbsException advice = new VerbsException(e.operation(), e.error(),
                    "cannot listen at " + address + ": " + reason + ": use another port or address");
            advice.initCause(e);
            throw advice;
        }
    }

    @Override
    int process() {
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
            handleNext(LONG);
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
