package io.jverbs.rsocket;

import io.jverbs.QpAttributes;
import io.jverbs.QpState;
import io.jverbs.VerbsException;
import io.jverbs.cm.CmId;
import io.jverbs.rsocket.closing.Destruction;
import io.jverbs.rsocket.protocol.StreamState;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a stream gives back at its end: its queue pair and memory, its ID, and its use of the device. The lock of the
 * completion queue guards it. Thread-safe.
 */
final class StreamResources {
    private static final Logger LOG = LoggerFactory.getLogger(StreamResources.class);

    private final StreamConnection stream;
    private final ReentrantLock lock;
    private StreamQueuePair qp;
    private Release release = Release.HELD;

    /**
     * What of the resources is given back.
     * <pre>
     * state       close         a failure ends it
     * HELD        RELEASING     -
     * RELEASING   RELEASED      HELD
     * RELEASED    -             -
     * </pre>
     */
    private enum Release {
        HELD, RELEASING, RELEASED
    }

    StreamResources(StreamConnection stream) {
        this.stream = stream;
        this.lock = stream.lock();
    }

    /** Creates the queue pair and the memory; closes them and returns false if the stream has ended meanwhile. */
    boolean createQueuePair() {
        CmId id = stream.establishment().id();
        StreamQueuePair made = null;
        boolean isTaken = false;
        try {
            made = new StreamQueuePair(stream.device(), id, stream.options(), stream);
            isTaken = take(made);
            return isTaken;
        } finally {
            if (!isTaken && made != null) {
                made.close(id);
            }
        }
    }

    private boolean take(StreamQueuePair made) {
        lock.lock();
        try {
            boolean isHeld = release == Release.HELD && stream.state() == StreamState.CONNECTING;
            if (isHeld) {
                qp = made;
            }
            return isHeld;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the queue pair; null before it was taken. */
    StreamQueuePair queuePair() {
        lock.lock();
        try {
            return qp;
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether nothing is given back yet; the lock is held. */
    boolean isHeld() {
        assert lock.isHeldByCurrentThread();
        return release == Release.HELD;
    }

    /** Gives everything back, once. No interrupt ends this; after a failure, the next call does what is left. */
    void release() {
        if (!begin()) {
            return;
        }
        boolean isDone = false;
        try {
            Destruction.uninterrupted(this::giveBack);
            isDone = true;
        } finally {
            end(isDone);
        }
    }

    /** Closes streams at the same time, all within a time; throws the first failure at the end. */
    static void closeAll(List<StreamConnection> streams, Duration timeout) {
        RuntimeException failed = null;
        for (StreamConnection each : streams) {
            each.beginClose();
        }
        long deadline = System.nanoTime() + timeout.toNanos();
        for (StreamConnection each : streams) {
            try {
                each.endClose(deadline);
            } catch (RuntimeException e) {
                failed = failed == null ? e : failed;
            }
        }
        if (failed != null) {
            throw failed;
        }
    }

    private boolean begin() {
        lock.lock();
        try {
            boolean isFirst = release == Release.HELD;
            if (isFirst) {
                release = Release.RELEASING;
            }
            return isFirst;
        } finally {
            lock.unlock();
        }
    }

    private void end(boolean isDone) {
        lock.lock();
        try {
            release = isDone ? Release.RELEASED : Release.HELD;
        } finally {
            lock.unlock();
        }
    }

    private void giveBack() {
        // a thread that is in the middle of a transfer ends it before its memory is deregistered
        if (stream.reader() != null) {
            stream.reader().awaitIdle();
            stream.writer().awaitIdle();
        }
        stream.device().remove(stream);
        destroy();
        stream.device().release();
    }

    /** Destroys the objects, if their context has not. */
    private void destroy() {
        if (stream.device().context().isClosed()) {
            return;
        }
        try {
            stream.establishment().disconnect();
            StreamQueuePair own = queuePair();
            if (own != null) {
                toError(own);
                if (stream.iomaps() != null) {
                    stream.iomaps().close();
                }
                if (stream.device().leader().drop(own.cq())) {
                    stream.device().wake();
                }
                own.close(stream.establishment().id());
            }
            stream.establishment().id().close();
        } catch (IllegalStateException e) {
            if (!stream.device().context().isClosed()) {
                throw e;
            }
            LOG.debug("{} ends with its context", stream, e);
        }
    }

    /** The peer gets no acknowledgement of anything that it sends from now on. */
    private void toError(StreamQueuePair own) {
        if (own.qp().isClosed()) {
            // by a call before this one
            return;
        }
        try {
            own.qp().modify(QpAttributes.builder().state(QpState.ERR).build());
        } catch (VerbsException e) {
            LOG.debug("the queue pair of {} was not moved to ERR", stream, e);
        }
    }
}
