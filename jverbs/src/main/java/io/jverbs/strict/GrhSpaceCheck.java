package io.jverbs.strict;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.spi.RecvWrLayout;
import io.jverbs.spi.SgeLayout;
import io.jverbs.strict.Violation.Kind;
import java.util.List;

/**
 * Checks that receive requests for datagrams have room for the 40 bytes before the payload. A datagram needs these
 * bytes even if it has no GRH.
 */
final class GrhSpaceCheck {
    private static final int BYTES = 40;
    private static final String REMEDY = "Post receive requests for datagrams with room for 40 bytes plus the longest"
            + " payload";

    private GrhSpaceCheck() {}

    /**
     * A receive request of a shared receive queue that is too short for any datagram.
     *
     * @param bytes its length
     * @param place where it was posted
     */
    record ShortReceive(long bytes, StackTraceElement place) {}

    /** Checks a receive request that is about to be posted to a queue pair's own receive queue. */
    static void check(StrictMode mode, StrictQp qp, ReceiveWorkRequest request) {
        long bytes = qp.type() == QpType.UD ? bytes(request) : BYTES;
        if (bytes < BYTES && isReceiving(qp)) {
            mode.refuse(Kind.NO_ROOM_FOR_GRH, describe(request.wrId(), ConnectionChecks.name(qp), bytes)
                    + ". While it is the oldest receive request, every arriving datagram is dropped silently, and the"
                    + " request stays the oldest", REMEDY);
        }
    }

    /** False in RESET, where posts fail, and in ERR, where an empty receive request may serve as a flush marker. */
    private static boolean isReceiving(StrictQp qp) {
        QpState asked = qp.view().state();
        QpState state = asked == QpState.RESET || asked == QpState.ERR ? asked : qp.context().state(qp);
        return state != QpState.RESET && state != QpState.ERR;
    }

    /**
     * Checks receive requests that are about to be posted to a shared receive queue. A short one is a violation if the
     * queue has queue pairs and all of them are UD.
     */
    static void check(StrictMode mode, SharedReceives shared, ReceiveWorkRequest head) {
        if (shared.isOfDatagrams()) {
            int index = 0;
            // a chain may be a cycle, so only as many as the queue holds are checked
            for (ReceiveWorkRequest each = head; each != null && index < shared.capacity(); each = each.next()) {
                long bytes = bytes(each);
                if (bytes < BYTES) {
                    mode.refuse(Kind.NO_ROOM_FOR_GRH,
                            describe(each.wrId(), "a shared receive queue of UD queue pairs", bytes)
                                    + ". It completes with LOC_LEN_ERR when a datagram takes it, and that datagram is"
                                    + " lost",
                            REMEDY);
                }
                index++;
            }
        }
    }

    private static String describe(long wrId, String queue, long bytes) {
        return "the receive request with wrId " + wrId + " of " + queue + " has room for " + bytes
                + " bytes, but a datagram needs 40 bytes before its payload";
    }

    /** What to report if a datagram takes a receive request of a shared receive queue; null if it is long enough. */
    static ShortReceive tooShort(ReceiveWorkRequest request) {
        long bytes = bytes(request);
        return bytes < BYTES ? new ShortReceive(bytes, CallSites.caller()) : null;
    }

    /** Adds the violation of a receive request of a shared receive queue that was too short for a received message. */
    static void failed(StrictQp qp, long wrId, ShortReceive receive, List<Violation> found) {
        if (qp.type() == QpType.UD) {
            found.add(new Violation(Kind.NO_ROOM_FOR_GRH,
                    describe(wrId, "a shared receive queue", receive.bytes()) + ". " + ConnectionChecks.name(qp)
                            + " lost the datagram that took it",
                    receive.place(), REMEDY));
        }
    }

    private static long bytes(ReceiveWorkRequest request) {
        long bytes = 0;
        for (int i = 0; i < request.sgeCount(); i++) {
            bytes += Integer.toUnsignedLong(
                    request.memory().get(JAVA_INT, RecvWrLayout.SIZE + i * SgeLayout.SIZE + SgeLayout.LENGTH));
        }
        return bytes;
    }
}
