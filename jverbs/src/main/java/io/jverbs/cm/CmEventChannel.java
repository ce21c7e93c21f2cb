package io.jverbs.cm;

import io.jverbs.Errno;
import io.jverbs.ManagementChannel;
import io.jverbs.QpType;
import io.jverbs.RdmaContext;
import io.jverbs.VerbsException;
import io.jverbs.spi.CmChannelOps;
import io.jverbs.spi.CmEventData;
import io.jverbs.spi.CmIdOps;
import io.jverbs.spi.StackReserve;
import io.jverbs.spi.Waits;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/**
 * An event channel, {@code struct rdma_event_channel}: the events of its IDs, in the order in which they occurred. See
 * rdma_create_event_channel(3) and rdma_get_cm_event(3).
 *
 * <p>
 * As librdmacm, the channel moves the queue pairs of its IDs when an event is retrieved: to RTS when a connection is
 * established, and to ERR when it was rejected. This class is thread-safe.
 *
 * {@snippet :
 * try (CmEventChannel channel = CmEventChannel.create(context);
 *         CmId id = channel.createId(PortSpace.TCP)) {
 *     id.resolveAddress(new InetSocketAddress("192.0.2.7", 7471), Duration.ofSeconds(2));
 *     try (CmEvent event = channel.awaitEvent()) {
 *         System.out.println(event);
 *     }
 * }
 * }
 */
public final class CmEventChannel implements AutoCloseable {
    private static final Duration NO_LIMIT = Duration.ofNanos(Long.MAX_VALUE);

    private final ManagementChannel channel;
    private final Set<CmId> ids = ConcurrentHashMap.newKeySet();
    private final NextEvents next = new NextEvents(this);

    private CmEventChannel(ManagementChannel channel) {
        this.channel = channel;
    }

    /**
     * Creates a channel; see rdma_create_event_channel(3).
     *
     * @param context the context whose device the IDs use
     * @return the channel
     * @throws VerbsException with EOPNOTSUPP if the device has no connection manager; with ENODEV if the connection
     *         manager cannot be used here
     * @throws IllegalStateException if the context is closed
     */
    public static CmEventChannel create(RdmaContext context) {
        StackReserve.check();
        return new CmEventChannel(Objects.requireNonNull(context, "context").createManagementChannel());
    }

    /** {@return the context whose device the IDs use} */
    public RdmaContext context() {
        return channel.context();
    }

    /**
     * Creates an ID with the type of queue pair of its port space; see rdma_create_id(3).
     *
     * @param portSpace the port space
     * @return the ID
     * @throws VerbsException with EINVAL if the device does not have the port space
     * @throws IllegalStateException if the channel is closed
     */
    public CmId createId(PortSpace portSpace) {
        return createId(portSpace, Objects.requireNonNull(portSpace, "portSpace").qpType());
    }

    /**
     * Creates an ID; see rdma_create_id(3).
     *
     * @param portSpace the port space
     * @param qpType the type of its queue pair; all but {@link PortSpace#IB} allow only their own
     * @return the ID
     * @throws VerbsException with EINVAL if the port space does not allow the type, or the device does not have it
     * @throws IllegalStateException if the channel is closed
     */
    public CmId createId(PortSpace portSpace, QpType qpType) {
        StackReserve.check();
        Objects.requireNonNull(portSpace, "portSpace");
        Objects.requireNonNull(qpType, "qpType");
        if (portSpace != PortSpace.IB && qpType != portSpace.qpType()) {
            throw new VerbsException("create_id", Errno.EINVAL, "port space " + portSpace + " has queue pairs of type "
                    + portSpace.qpType() + ", not " + qpType);
        }
        CmId id = new CmId(this, portSpace, qpType, null);
        boolean isCreated = false;
        ids.add(id);
        try {
            id.created(channel.operations().createId(portSpace.code(), qpType.code(), id));
            isCreated = true;
            return id;
        } finally {
            if (!isCreated) {
                ids.remove(id);
            }
        }
    }

    /**
     * Waits for an event, without a limit; see rdma_get_cm_event(3). The caller acknowledges it.
     *
     * @return the event
     * @throws InterruptedException if the thread is interrupted
     * @throws IllegalStateException if the channel is closed, before or during the wait
     */
    public CmEvent awaitEvent() throws InterruptedException {
        CmEvent event;
        do {
            event = awaitEvent(NO_LIMIT);
        } while (event == null);
        return event;
    }

    /**
     * Waits for an event; see rdma_get_cm_event(3). The caller acknowledges it.
     *
     * @param timeout the maximum time to wait; {@link Duration#ZERO} returns immediately
     * @return the event, or null if the timeout expired
     * @throws InterruptedException if the thread is interrupted
     * @throws IllegalArgumentException if the timeout is negative
     * @throws IllegalStateException if the channel is closed, before or during the wait
     */
    public CmEvent awaitEvent(Duration timeout) throws InterruptedException {
        StackReserve.check();
        long nanos = Waits.nanos(timeout);
        long deadline = System.nanoTime() + nanos;
        CmChannelOps ops = channel.operations();
        CmEvent event = next.poll();
        for (long left = nanos; event == null; left = Math.max(0, deadline - System.nanoTime())) {
            CmEventData data = ops.await(left);
            if (data == null) {
                channel.operations();
                event = next.poll();
                if (event == null && !next.takeWake()) {
                    return null;
                }
                continue;
            }
            boolean isCounted = false;
            try {
                isCounted = EventConversion.count(data);
                event = EventConversion.convert(this, data);
            } finally {
                if (event == null) {
                    // also after an Error: nobody could acknowledge the event, and the ID could not be closed
                    EventConversion.discard(data, isCounted);
                }
            }
        }
        return event;
    }

    /**
     * Returns the event that is retrieved next, when it occurs. A virtual thread waits for it. Several stages get the
     * events in the order of the calls. A stage that the program has cancelled, or that a timeout has completed, takes
     * no event: the next one is retrieved by others. If its thread has retrieved an event just then, it returns the
     * event to the channel: later calls of {@link #awaitEvent()} wait until that is done, which takes as long as to run
     * a virtual thread, even if their timeout is shorter. A call that has begun before may get a later event first.
     *
     * @return completes with the event, which the program must acknowledge; or with {@link IllegalStateException} when
     *         the channel is closed
     */
    public CompletionStage<CmEvent> nextEvent() {
        return next.next();
    }

    /** Adds an ID that a connect request has created. */
    void add(CmId id) {
        ids.add(id);
    }

    /** Removes an ID that was closed or moved to another channel. */
    void remove(CmId id) {
        ids.remove(id);
        if (id.isClosed()) {
            next.discard(id);
            id.resources().releaseDomain();
        }
    }

    /** Takes an ID, and its events that were not retrieved, from another channel, or keeps it. */
    void take(CmId id, CmIdOps ops) {
        if (context() != id.context()) {
            throw new VerbsException("migrate_id", Errno.EINVAL, "the channel belongs to another context");
        }
        CmEventChannel from = id.channel();
        add(id);
        boolean isMoved = false;
        try {
            int retrieved = ops.migrate(operations());
            isMoved = true;
            id.channel = this;
            id.events().destroyed(retrieved - from.moveReturned(id, this), false);
        } finally {
            if (this != from) {
                (isMoved ? from : this).remove(id);
            }
        }
    }

    /** Moves the events of an ID that were retrieved for nobody to another channel; returns how many these are. */
    int moveReturned(CmId id, CmEventChannel target) {
        return next.move(id, target.next);
    }

    /** Makes a thread that waits look for returned events. */
    void wake() {
        if (!channel.isClosed()) {
            channel.closingOperations().wake();
        }
    }

    /** Returns the device's part of this channel. */
    ManagementChannel device() {
        return channel;
    }

    CmChannelOps operations() {
        return channel.operations();
    }

    /** {@return whether this channel is closed} */
    public boolean isClosed() {
        return channel.isClosed();
    }

    /**
     * Closes the channel; see rdma_destroy_event_channel(3). Threads that wait on it throw {@link
     * IllegalStateException}. Events that were not retrieved are discarded.
     *
     * @throws VerbsException with EBUSY if it has IDs that are not closed
     */
    @Override
    public void close() {
        if (!channel.isClosed() && !ids.isEmpty()) {
            throw new VerbsException("destroy_event_channel", Errno.EBUSY, "the channel has " + ids.size() + " ID"
                    + (ids.size() == 1 ? "" : "s") + " that are not closed, for instance " + ids.iterator().next()
                    + ": close or migrate these first");
        }
        channel.close();
    }

    @Override
    public String toString() {
        return channel.toString();
    }
}
