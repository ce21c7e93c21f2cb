package io.jverbs.cm;

import io.jverbs.Errno;
import io.jverbs.VerbsException;
import io.jverbs.spi.Waits;
import java.time.Duration;
import java.util.Arrays;

/**
 * Retrieves the events that end the steps of a synchronous ID. Each is acknowledged at once, so that no other ID must
 * wait for it. One thread at a time may use it.
 */
final class StepEvents {
    private final CmEventChannel channel;
    private CmEvent latest;

    StepEvents(CmEventChannel channel, CmEvent latest) {
        this.channel = channel;
        this.latest = latest;
    }

    CmEventChannel channel() {
        return channel;
    }

    /** Returns the latest event, or null. */
    CmEvent latest() {
        return latest;
    }

    /** Forgets the latest event, which belongs to another ID from now on. */
    void forget() {
        latest = null;
    }

    /** Acknowledges the latest event, if an Error has prevented it. */
    void acknowledge() {
        CmEvent event = latest;
        if (event != null) {
            event.acknowledge();
        }
    }

    /**
     * Closes what a creation that has failed has made. A further failure is added to the first.
     *
     * @param made in this order; null for what was not made
     */
    static void closeAfter(Throwable failure, AutoCloseable... made) {
        for (AutoCloseable each : made) {
            try {
                if (each != null) {
                    each.close();
                }
            } catch (Exception | Error e) {
                if (e != failure) {
                    failure.addSuppressed(e);
                }
            }
        }
    }

    /**
     * The limit of a wait, which may be for several events.
     *
     * @param timeout the maximum time, null for no limit
     * @param deadline when it is over, a value of {@link System#nanoTime}
     */
    record Limit(Duration timeout, long deadline) {
        static final Limit NONE = new Limit(null, 0);

        /** Returns a limit that begins now; refuses a time that is null or negative. */
        static Limit of(Duration timeout) {
            return new Limit(timeout, System.nanoTime() + Waits.nanos(timeout));
        }

        private Duration left() {
            return Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
        }

        /** Returns the exception of a step, which begins with the name of its verb, that has not ended in time. */
        VerbsException expired(String step) {
            return new VerbsException(step.replaceFirst(" .*", ""), Errno.ETIMEDOUT, step + " has not ended within "
                    + timeout + ": it goes on, so close the ID; to try again, check the peer or allow more time");
        }
    }

    /** Retrieves the next event; returns null if the time is up. */
    CmEvent next(Limit limit) throws InterruptedException {
        acknowledge();
        CmEvent event = limit.timeout == null ? channel.awaitEvent() : channel.awaitEvent(limit.left());
        if (event != null) {
            latest = event;
            event.acknowledge();
        }
        return event;
    }

    /** Retrieves the next event that is about a step; returns null if the time is up. */
    CmEvent nextOfStep(Limit limit) throws InterruptedException {
        CmEvent event = next(limit);
        while (event != null && isOfNoStep(event.type())) {
            event = next(limit);
        }
        return event;
    }

    private static boolean isOfNoStep(CmEventType type) {
        return type == CmEventType.TIMEWAIT_EXIT || type == CmEventType.ADDR_CHANGE || type == CmEventType.USER;
    }

    /** Waits for the event that ends a step; throws the exception of another event, or that the time is up. */
    void complete(String step, Limit limit, CmEventType... expected) throws InterruptedException {
        CmEvent event = nextOfStep(limit);
        if (event == null) {
            throw limit.expired(step);
        }
        check(step, event, expected);
    }

    /** Waits until the connection of an ID has ended, unless the event of its end was retrieved before. */
    void awaitEnd(CmId id, Limit limit) throws InterruptedException {
        String step = "disconnect from " + id.peerAddress();
        while (id.connected().end() == null) {
            CmEvent event = nextOfStep(limit);
            if (event == null) {
                throw limit.expired(step);
            }
            if (event.type() == CmEventType.ESTABLISHED) {
                // the end of a step whose wait was interrupted; the call before may have come too early
                id.disconnect();
            } else if (event.type() == CmEventType.DISCONNECTED || event.type() == CmEventType.DEVICE_REMOVAL) {
                check(step, event, CmEventType.DISCONNECTED);
            }
        }
    }

    /** Throws the exception of an event that does not end a step well. */
    static void check(String step, CmEvent event, CmEventType... expected) {
        if (event.isFailure() || !Arrays.asList(expected).contains(event.type())) {
            throw event.failure(step);
        }
    }
}
