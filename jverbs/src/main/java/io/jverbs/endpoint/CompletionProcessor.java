package io.jverbs.endpoint;

import io.jverbs.CompletionChannel;
import io.jverbs.CompletionQueue;
import io.jverbs.Errno;
import io.jverbs.RdmaContext;
import io.jverbs.VerbsException;
import io.jverbs.WorkCompletions;
import io.jverbs.endpoint.KeepAlive.ConnectionTimers;
import io.jverbs.endpoint.polling.Poller;
import io.jverbs.endpoint.polling.SpinPolicy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The completion queue of all connections of a context: passes each completion to its connection, and calls the
 * handlers of the program afterwards, when all completions of a batch are processed. Its thread also does what is due
 * at a time.
 */
final class CompletionProcessor extends Poller {
    /** The part of the ID of a work request that is the sequence number of a send, or the buffer of a receive. */
    static final int VALUE_MASK = (1 << 22) - 1;
    private static final long SEND = 1L << 22;
    private static final int TOKEN_SHIFT = 32;
    private static final int BATCH = 64;
    private static final int FIRST_ENTRIES = 512;
    private static final int FIRST_CONNECTIONS = 8;
    private static final int INDEX_BITS = 20;
    private static final int MAX_CONNECTIONS = 1 << INDEX_BITS;
    private static final int GENERATIONS = 1 << Integer.SIZE - 1 - INDEX_BITS;
    /** How long the thread of this object sleeps if another thread is polling. */
    private static final long BUSY_NANOS = TimeUnit.MICROSECONDS.toNanos(100);
    private static final Duration LONG = Duration.ofHours(1);

    private final RdmaContext context;
    private final CompletionChannel channel;
    private final CompletionQueue cq;
    private final WorkCompletions completions = WorkCompletions.create(BATCH);
    /** Guards the fields below, except for the volatile ones, which it guards for changes. */
    private final ReentrantLock lock = new ReentrantLock();
    private volatile Connection[] connections = new Connection[FIRST_CONNECTIONS];
    private int[] generations = new int[FIRST_CONNECTIONS];
    private int reserved;
    /** Connections for which something is to be delivered. */
    private final ArrayDeque<Connection> ready = new ArrayDeque<>();
    private volatile boolean hasReady;
    private final AtomicInteger handlers = new AtomicInteger();
    private long nextTimers;
    /** The number of retrieved events that are not acknowledged; only the thread of this object changes it. */
    private int unacknowledged;

    CompletionProcessor(RdmaContext context) {
        super("jverbs-endpoint-completions");
        this.context = context;
        this.channel = context.createCompletionChannel();
        CompletionQueue made = null;
        try {
            made = context.createCompletionQueue(Math.min(FIRST_ENTRIES, context.queryDevice().maxCqe()), channel);
        } finally {
            if (made == null) {
                channel.close();
            }
        }
        cq = made;
        nextTimers = System.nanoTime();
    }

    /** Returns the ID of a work request: the connection, that it is a send, and its sequence number. */
    static long sendId(int token, int sequence) {
        return (long) token << TOKEN_SHIFT | SEND | sequence;
    }

    /** Returns the ID of a work request: the connection and the buffer of the receive. */
    static long receiveId(int token, int buffer) {
        return (long) token << TOKEN_SHIFT | buffer;
    }

    CompletionQueue cq() {
        return cq;
    }

    /** Adds a connection that has at most some completions outstanding, and returns the token of its work requests. */
    int add(Connection connection, int entries) {
        lock.lock();
        try {
            int index = freeIndex();
            reserve(entries);
            connections[index] = connection;
            generations[index] = (generations[index] + 1) % GENERATIONS;
            return generations[index] << INDEX_BITS | index;
        } finally {
            lock.unlock();
        }
    }

    private int freeIndex() {
        Connection[] present = connections;
        for (int i = 0; i < present.length; i++) {
            if (present[i] == null) {
                return i;
            }
        }
        if (present.length == MAX_CONNECTIONS) {
            throw new VerbsException("create_qp", Errno.ENOMEM,
                    "a context has at most " + MAX_CONNECTIONS + " endpoints: close some");
        }
        generations = Arrays.copyOf(generations, 2 * present.length);
        connections = Arrays.copyOf(present, 2 * present.length);
        return present.length;
    }

    private void reserve(int entries) {
        if (reserved + entries > cq.cqe()) {
            int max = context.queryDevice().maxCqe();
            if (reserved + entries > max) {
                throw new VerbsException("resize_cq", Errno.ENOMEM, "the endpoints of a context need "
                        + (reserved + entries) + " entries of the completion queue, the device has at most " + max
                        + ": close some, or give them fewer buffers");
            }
            cq.resize(Math.min(max, 2 * (reserved + entries)));
        }
        reserved += entries;
    }

    void remove(int token, int entries) {
        lock.lock();
        try {
            connections[token & MAX_CONNECTIONS - 1] = null;
            reserved -= entries;
        } finally {
            lock.unlock();
        }
    }

    private Connection find(int token) {
        Connection found = connections[token & MAX_CONNECTIONS - 1];
        return found != null && found.token() == token ? found : null;
    }

    void handlerAdded() {
        boolean isDone = handlers.getAndIncrement() > 0;
        try {
            if (!isDone) {
                wake();
                isDone = true;
            }
        } finally {
            if (!isDone) {
                handlers.decrementAndGet();
            }
        }
    }

    void handlerRemoved() {
        handlers.decrementAndGet();
    }

    /** Makes the thread that polls call {@link Connection#deliver}; wakes no thread. */
    void add(Connection connection) {
        lock.lock();
        try {
            if (!connection.isReady()) {
                // marked last: a connection that an Error has kept out of the queue is added by the next call
                ready.add(connection);
                hasReady = true;
                connection.ready(true);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Makes the thread that polls, or else that of this object, call {@link Connection#deliver}. */
    void ready(Connection connection) {
        add(connection);
        if (!isOwner()) {
            wake();
        }
    }

    /** Makes the thread of this object call {@link ConnectionTimers#at} at a time, and no later. */
    void schedule(long deadline) {
        boolean isEarlier;
        lock.lock();
        try {
            isEarlier = deadline - nextTimers < 0;
            if (isEarlier) {
                nextTimers = deadline;
            }
        } finally {
            lock.unlock();
        }
        if (isEarlier) {
            wake();
        }
    }

    @Override
    protected int process() {
        int count = cq.poll(completions);
        for (int i = 0; i < count; i++) {
            long id = completions.wrId(i);
            Connection connection = find((int) (id >>> TOKEN_SHIFT));
            if (connection != null) {
                int status = completions.rawStatus(i);
                int length = status == 0 ? (int) completions.byteLength(i) : 0;
                connection.completed((id & SEND) != 0, (int) id & VALUE_MASK, status, length);
            }
        }
        return count;
    }

    @Override
    protected void deliver() {
        while (hasReady) {
            Connection next;
            lock.lock();
            try {
                next = ready.peek();
                if (next != null) {
                    next.ready(false);
                    ready.remove();
                }
                hasReady = !ready.isEmpty();
            } finally {
                lock.unlock();
            }
            if (next != null) {
                deliver(next);
            }
        }
    }

    /** Delivers what a connection has; after an Error, the thread that polls next tries again. */
    private void deliver(Connection next) {
        try {
            next.deliver();
        } catch (Error e) {
            add(next);
            throw e;
        }
    }

    @Override
    protected void block(long nanos) throws InterruptedException {
        cq.requestNotification(false);
        int count = hasReady ? 1 : poll();
        if (count != 0) {
            if (count < 0) {
                LockSupport.parkNanos(this, BUSY_NANOS);
            }
            return;
        }
        CompletionQueue fired = channel.awaitEvent(nanos == Long.MAX_VALUE ? LONG : Duration.ofNanos(nanos));
        if (fired != null) {
            unacknowledged++;
            acknowledgeEvents();
        }
    }

    /** Acknowledges the events of the queue; after an Error, the next call does it. */
    private void acknowledgeEvents() {
        if (unacknowledged > 0) {
            cq.acknowledgeEvents(unacknowledged);
            unacknowledged = 0;
        }
    }

    @Override
    protected long timers() {
        long now = System.nanoTime();
        lock.lock();
        try {
            if (now - nextTimers < 0) {
                return nextTimers - now;
            }
            nextTimers = now + LONG.toNanos();
        } finally {
            lock.unlock();
        }
        long idle = LONG.toNanos();
        for (Connection each : connections) {
            if (each != null) {
                idle = Math.min(idle, each.timers().at(now));
            }
        }
        lock.lock();
        try {
            if (nextTimers - (now + idle) > 0) {
                nextTimers = now + idle;
            }
            return Math.max(0, nextTimers - now);
        } finally {
            lock.unlock();
        }
    }

    @Override
    protected boolean needsThread() {
        return handlers.get() > 0 || hasReady;
    }

    @Override
    protected long spinNanos() {
        return handlers.get() > 0 ? SpinPolicy.defaultNanos() : 0;
    }

    @Override
    protected void contextClosed() {
        if (context.isClosed()) {
            for (Connection each : connections) {
                if (each != null) {
                    each.end().contextClosed();
                }
            }
            if (tryOwn()) {
                try {
                    deliver();
                } finally {
                    disown();
                }
            }
            stop();
        }
    }

    /** Destroys the queue and its channel. */
    void close() {
        acknowledgeEvents();
        cq.close();
        channel.close();
    }
}
