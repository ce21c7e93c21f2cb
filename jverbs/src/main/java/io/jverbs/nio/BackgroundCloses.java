package io.jverbs.nio;

import io.jverbs.rsocket.RdmaStream;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes streams in the background: the close of a stream waits for the peer's device, that of a socket does not. When
 * the JVM ends, the closes that have begun are awaited, so that what was written is delivered. Thread-safe.
 */
final class BackgroundCloses {
    private static final Logger LOG = LoggerFactory.getLogger(BackgroundCloses.class);
    private static final ReentrantLock LOCK = new ReentrantLock();
    private static final Condition IDLE = LOCK.newCondition();
    private static final AtomicInteger PENDING = new AtomicInteger();
    /** The longest close timeout of the streams that were closed; guarded by the lock, as is the hook. */
    private static long timeoutNanos;
    private static Thread hook;

    private BackgroundCloses() {}

    /** Begins to close a stream. */
    static void close(RdmaStream stream) {
        start(stream, stream::close);
    }

    /** Begins to abort a stream. */
    static void abort(RdmaStream stream) {
        start(stream, stream::abort);
    }

    private static void start(RdmaStream stream, Runnable close) {
        PENDING.incrementAndGet();
        boolean isStarted = false;
        try {
            begin(stream.options().closeTimeout().toNanos());
            Thread.ofVirtual().name("jverbs-nio-close").start(() -> run(stream, close));
            isStarted = true;
        } finally {
            if (!isStarted) {
                // without memory for a thread, the caller waits; its Error goes on
                run(stream, close);
            }
        }
    }

    private static void run(RdmaStream stream, Runnable close) {
        try {
            close.run();
        } catch (RuntimeException e) {
            LOG.debug("{} was not closed properly", stream, e);
        } finally {
            end();
        }
    }

    private static void begin(long nanos) {
        LOCK.lock();
        try {
            timeoutNanos = Math.max(timeoutNanos, nanos);
            if (hook == null) {
                hook = new Thread(BackgroundCloses::await, "jverbs-nio-exit");
                Runtime.getRuntime().addShutdownHook(hook);
            }
        } catch (IllegalStateException e) {
            // the JVM ends already
        } finally {
            LOCK.unlock();
        }
    }

    private static void end() {
        if (PENDING.decrementAndGet() == 0) {
            LOCK.lock();
            try {
                IDLE.signalAll();
            } finally {
                LOCK.unlock();
            }
        }
    }

    /** Waits for the closes that have begun, at most for the longest close timeout. */
    private static void await() {
        LOCK.lock();
        try {
            long left = timeoutNanos;
            while (PENDING.get() > 0 && left > 0) {
                left = IDLE.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            // the JVM ends
        } finally {
            LOCK.unlock();
        }
    }
}
