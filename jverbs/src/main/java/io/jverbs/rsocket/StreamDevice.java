package io.jverbs.rsocket;

import io.jverbs.CompletionChannel;
import io.jverbs.CompletionQueue;
import io.jverbs.CqInitAttributes;
import io.jverbs.DeviceAttributes;
import io.jverbs.Errno;
import io.jverbs.RdmaContext;
import io.jverbs.TransportType;
import io.jverbs.VerbsException;
import io.jverbs.cm.CmEventChannel;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What all streams and listeners of a context share: the channels, and the two threads that wait for events. It exists
 * while there are streams or listeners. Thread-safe.
 */
final class StreamDevice {
    private static final ReentrantLock LOCK = new ReentrantLock();
    /** The devices in use; guarded by the lock, as is the number of users. */
    private static final Map<RdmaContext, StreamDevice> IN_USE = new HashMap<>();

    private final RdmaContext context;
    private final DeviceAttributes attributes;
    private final CompletionChannel channel;
    private final CmEventChannel events;
    private final Set<StreamConnection> streams = ConcurrentHashMap.newKeySet();
    private final Set<RdmaStreamListener> listeners = ConcurrentHashMap.newKeySet();
    private final EventLeader leader;
    private final CompletionThread completionThread;
    private final EventThread eventThread;
    private int users;

    private StreamDevice(RdmaContext context) {
        this.context = context;
        attributes = context.queryDevice();
        requireImmediateData();
        CompletionChannel madeChannel = context.createCompletionChannel();
        CmEventChannel madeEvents = null;
        boolean isMade = false;
        try {
            madeEvents = CmEventChannel.create(context);
            channel = madeChannel;
            events = madeEvents;
            leader = new EventLeader(madeChannel);
            completionThread = new CompletionThread(this);
            eventThread = new EventThread(this);
            isMade = true;
        } finally {
            if (!isMade) {
                if (madeEvents != null) {
                    madeEvents.close();
                }
                madeChannel.close();
            }
        }
    }

    private void requireImmediateData() {
        if (attributes.transportType() == TransportType.IWARP) {
            throw new VerbsException("rsocket", Errno.EOPNOTSUPP, "streams need RDMA WRITE with immediate data, which"
                    + " iWARP does not have: use a device with another transport");
        }
    }

    /** Returns the device of a context for a new user, which calls {@link #release} at its end. */
    static StreamDevice acquire(RdmaContext context) {
        Objects.requireNonNull(context, "context");
        LOCK.lock();
        try {
            IN_USE.keySet().removeIf(RdmaContext::isClosed);
            StreamDevice device = IN_USE.get(context);
            if (device == null) {
                device = new StreamDevice(context);
                device.start();
            }
            device.users++;
            return device;
        } finally {
            LOCK.unlock();
        }
    }

    private void start() {
        boolean isStarted = false;
        try {
            completionThread.start();
            eventThread.start();
            IN_USE.put(context, this);
            isStarted = true;
        } finally {
            if (!isStarted) {
                destroy();
            }
        }
    }

    /** Ends a use; the last one destroys this object. Not for the threads of this object. */
    void release() {
        LOCK.lock();
        try {
            if (users > 1) {
                users--;
                return;
            }
            // a failure after this is repeated by the same user: nobody else can acquire this object any more
            IN_USE.remove(context, this);
            users = 0;
        } finally {
            LOCK.unlock();
        }
        destroy();
    }

    private void destroy() {
        completionThread.end();
        eventThread.end();
        if (!context.isClosed()) {
            try {
                events.close();
                channel.close();
            } catch (IllegalStateException e) {
                if (!context.isClosed()) {
                    throw e;
                }
            }
        }
    }

    /** Ends the threads, fails the streams and notifies those who wait for others, because the context was closed. */
    void contextClosed() {
        completionThread.stop();
        eventThread.stop();
        streams.forEach(StreamConnection::contextClosed);
        listeners.forEach(RdmaStreamListener::contextClosed);
    }

    RdmaContext context() {
        return context;
    }

    /** The limits of the device. */
    DeviceAttributes attributes() {
        return attributes;
    }

    /** Which thread waits for the events of the completion queues. */
    EventLeader leader() {
        return leader;
    }

    CmEventChannel events() {
        return events;
    }

    /** Returns the streams that have timers or completions. */
    Set<StreamConnection> streams() {
        return streams;
    }

    /** Runs a task in the thread of the events, which holds no event then. */
    void later(Runnable task) {
        eventThread.later(task);
    }

    /** Adds a stream, whose timers run from now on. */
    void add(StreamConnection stream) {
        streams.add(stream);
        schedule(stream);
    }

    /** Makes the timers of a stream run when they are due. */
    void schedule(StreamConnection stream) {
        completionThread.schedule(stream.timers().deadline());
    }

    /** Makes the thread of the context lead, if no other one does. */
    void wake() {
        completionThread.wake();
    }

    void remove(StreamConnection stream) {
        streams.remove(stream);
    }

    /** Adds a listener, which is told when the context is closed. */
    void add(RdmaStreamListener listener) {
        listeners.add(listener);
    }

    void remove(RdmaStreamListener listener) {
        listeners.remove(listener);
    }

    CompletionQueue createCompletionQueue(int entries, Object owner) {
        return context.createCompletionQueue(
                CqInitAttributes.of(entries).withChannel(channel).withUserContext(owner));
    }
}
