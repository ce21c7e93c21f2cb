package io.jverbs.fault;

import io.jverbs.AsyncEventType;
import io.jverbs.Errno;
import io.jverbs.WcStatus;
import io.jverbs.cm.CmEventType;
import java.time.Duration;
import java.util.Objects;

/** The action of a {@link FaultRule} when it fires. Implementations are immutable. */
public sealed interface Fault {

    /**
     * Fails the post of a send request, or the bind of a memory window. This request and later ones of the chain are
     * not posted; earlier ones are.
     *
     * @param errno the error of the post
     */
    record FailSend(Errno errno) implements Fault {
        /** Rejects {@link Errno#UNKNOWN}. */
        public FailSend {
            check(errno);
        }
    }

    /**
     * Fails the post of a receive request to a queue pair or a shared receive queue, as {@link FailSend}.
     *
     * @param errno the error of the post
     */
    record FailReceive(Errno errno) implements Fault {
        /** Rejects {@link Errno#UNKNOWN}. */
        public FailReceive {
            check(errno);
        }
    }

    /**
     * Fails the registration of memory.
     *
     * @param errno the error of the exception
     */
    record FailRegistration(Errno errno) implements Fault {
        /** Rejects {@link Errno#UNKNOWN}. */
        public FailRegistration {
            check(errno);
        }
    }

    /**
     * Changes a successful completion to one in error when it is polled, and moves the queue pair to ERR, also if it is
     * UC or UD. All other outstanding requests of the queue pair are flushed, including unsignaled ones and those that
     * the device has executed meanwhile. The effect of the failed request at the peer remains, as when an
     * acknowledgement is lost. The rule matches only completions that can have the status: a receive request, for
     * instance, never completes with RETRY_EXC_ERR.
     *
     * @param status the status, neither SUCCESS nor UNKNOWN
     */
    record FailCompletion(WcStatus status) implements Fault {
        /** Rejects a status that is not an error. */
        public FailCompletion {
            if (Objects.requireNonNull(status, "status") == WcStatus.SUCCESS || status == WcStatus.UNKNOWN) {
                throw new IllegalArgumentException("status " + status + " is not a completion error");
            }
        }
    }

    /**
     * Delays a completion, and those behind it in the completion queue.
     *
     * @param time the delay, which starts at the first poll of the queue, or wait for its event, after the completion
     *         is in the queue; greater than 0 and at most {@code Long.MAX_VALUE / 2} nanoseconds (146 years)
     */
    record Delay(Duration time) implements Fault {
        /** Rejects durations out of range. */
        public Delay {
            check(time);
        }
    }

    /** Holds a completion, and those behind it in the completion queue, until {@link FaultInjection#release}. */
    record Hold() implements Fault {}

    /**
     * Moves the queue pair to ERR just before a send request is posted. This request and all outstanding ones are
     * flushed.
     */
    record Flush() implements Fault {}

    /**
     * Raises an asynchronous event just before a send request is posted. Depending on its type, the event belongs to
     * the queue pair, its send completion queue, its shared receive queue, port 1 or the device. If the event stands
     * for a failure, queue pairs go to ERR first: with QP_FATAL, QP_REQ_ERR and QP_ACCESS_ERR the queue pair; with
     * CQ_ERR and SRQ_ERR all queue pairs that use the queue; with DEVICE_FATAL all queue pairs of the context, whose
     * verbs then fail with EIO, except for those that release something. Other events change nothing. If the event
     * belongs to a shared receive queue, the rule does not match posts of queue pairs without one.
     *
     * @param event the event, not UNKNOWN and not WQ_FATAL
     */
    record RaiseEvent(AsyncEventType event) implements Fault {
        /** Rejects events that no object can have. */
        public RaiseEvent {
            if (Objects.requireNonNull(event, "event") == AsyncEventType.UNKNOWN || event == AsyncEventType.WQ_FATAL) {
                throw new IllegalArgumentException("event " + event + " cannot be raised");
            }
        }
    }

    /**
     * Drops a packet that arrives for a queue pair of the context. Software devices only. A message from within the JVM
     * counts as one packet; on the wire, acknowledgements and responses count too. A packet to a multicast group counts
     * once for each member.
     */
    record LosePacket() implements Fault {}

    /** Drops a message of the connection manager that arrives at the device. Software devices only. */
    record LoseMessage() implements Fault {}

    /**
     * Delays a message of the connection manager that arrives at the device; later ones may overtake it. Software
     * devices only.
     *
     * @param time the delay, greater than 0 and at most {@code Long.MAX_VALUE / 2} nanoseconds (146 years)
     */
    record DelayMessage(Duration time) implements Fault {
        /** Rejects durations out of range. */
        public DelayMessage {
            check(time);
        }
    }

    /**
     * Fails the resolution of an address by a CM ID: the program gets ADDR_ERROR, and the device is not asked.
     *
     * @param errno the error; the status of the event is its negative number
     */
    record FailResolution(Errno errno) implements Fault {
        /** Rejects {@link Errno#UNKNOWN}. */
        public FailResolution {
            check(errno);
        }
    }

    /**
     * Fails the connect of a CM ID: the program gets an event that says so, and the peer gets no request.
     *
     * @param event REJECTED, with status 28 as if the program of the peer had rejected it, or UNREACHABLE, with
     *        -ETIMEDOUT as if no host had responded
     */
    record FailConnection(CmEventType event) implements Fault {
        /** Rejects other events. */
        public FailConnection {
            if (Objects.requireNonNull(event, "event") != CmEventType.REJECTED && event != CmEventType.UNREACHABLE) {
                throw new IllegalArgumentException("event " + event
                        + " is not the failure of a connect, allowed are REJECTED, UNREACHABLE");
            }
        }
    }

    private static void check(Duration time) {
        if (Objects.requireNonNull(time, "time").isNegative() || time.isZero()
                || time.compareTo(Duration.ofNanos(Long.MAX_VALUE / 2)) > 0) {
            throw new IllegalArgumentException("delay must be greater than 0 and at most 146 years, but is " + time);
        }
    }

    private static void check(Errno errno) {
        if (Objects.requireNonNull(errno, "errno") == Errno.UNKNOWN) {
            throw new IllegalArgumentException("errno UNKNOWN has no number, so it cannot be injected");
        }
    }
}
