package io.jverbs.fault;

import io.jverbs.AsyncEventType;
import io.jverbs.Errno;
import io.jverbs.WcStatus;
import java.time.Duration;
import java.util.Objects;

/** What a {@link FaultRule} does where it fires. */
public sealed interface Fault {

    /**
     * A post of a send request, or the bind of a window, fails: that request and those chained behind it are not posted, those
     * before it are.
     *
     * @param errno what the post returns
     */
    record FailSend(Errno errno) implements Fault {
        /** Refuses {@link Errno#UNKNOWN}. */
        public FailSend {
            check(errno);
        }
    }

    /**
     * A post of a receive request fails, to a queue pair or a shared receive queue, as {@link FailSend}.
     *
     * @param errno what the post returns
     */
    record FailReceive(Errno errno) implements Fault {
        /** Refuses {@link Errno#UNKNOWN}. */
        public FailReceive {
            check(errno);
        }
    }

    /**
     * A registration of memory fails.
     *
     * @param errno the error of the exception
     */
    record FailRegistration(Errno errno) implements Fault {
        /** Refuses {@link Errno#UNKNOWN}. */
        public FailRegistration {
            check(errno);
        }
    }

    /**
     * A successful completion becomes one in error, when it is polled, and the queue pair goes to ERR, UC and UD ones too:
     * whatever else is outstanding on it flushes, requests that are not signaled and those that the device has carried out
     * meanwhile included. What the request has done at the peer stays done, as when an acknowledgement is lost. Only completions
     * that can have the status are taken: of receives, for instance, none is RETRY_EXC_ERR.
     *
     * @param status neither SUCCESS nor UNKNOWN
     */
    record FailCompletion(WcStatus status) implements Fault {
        /** Refuses what is no error. */
        public FailCompletion {
            if (Objects.requireNonNull(status, "status") == WcStatus.SUCCESS || status == WcStatus.UNKNOWN) {
                throw new IllegalArgumentException("status " + status + " is no error of a completion");
            }
        }
    }

    /**
     * A completion comes late, and with it those behind it in its queue.
     *
     * @param time how much later than the queue is first polled, or waited for, when it is there; greater than 0
     */
    record Delay(Duration time) implements Fault {
        /** Refuses durations that are not positive, or longer than 292 years. */
        public Delay {
            if (time.isNegative() || time.isZero() || time.compareTo(Duration.ofNanos(Long.MAX_VALUE / 2)) > 0) {
                throw new IllegalArgumentException("delay " + time + " is not positive, or too long");
            }
        }
    }

    /** A completion, and those behind it in its queue, stay away until {@link FaultInjection#release}. */
    record Hold() implements Fault {}

    /** The queue pair goes to ERR just before a send request is posted to it, which flushes with all that is outstanding. */
    record Flush() implements Fault {}

    /**
     * An asynchronous event is raised just before a send request is posted, of the queue pair, its completion queue, its shared
     * receive queue or port 1, whichever the event is of. Of those events that stand for a failure, what failed goes to ERR first:
     * with QP_FATAL, QP_REQ_ERR and QP_ACCESS_ERR the queue pair, with CQ_ERR and SRQ_ERR those that use the queue, with
     * DEVICE_FATAL all of the context, whose verbs then fail with EIO, but for those that give something back. Other events change
     * nothing. Rules leave posts alone where there is no shared receive queue and the event is of one.
     *
     * @param event what is raised, not UNKNOWN and not WQ_FATAL
     */
    record RaiseEvent(AsyncEventType event) implements Fault {
        /** Refuses events that no object here can have. */
        public RaiseEvent {
            if (Objects.requireNonNull(event, "event") == AsyncEventType.UNKNOWN || event == AsyncEventType.WQ_FATAL) {
                throw new IllegalArgumentException("event " + event + " cannot be raised");
            }
        }
    }

    /**
     * A packet that arrives for a queue pair of the context is lost. Software devices only: a message from within the JVM counts as
     * one packet, on the wire acknowledgements and answers count too. What is sent to a multicast group is not lost.
     */
    record LosePacket() implements Fault {}

    private static void check(Errno errno) {
        if (Objects.requireNonNull(errno, "errno") == Errno.UNKNOWN) {
            throw new IllegalArgumentException("errno UNKNOWN has no number");
        }
    }
}
