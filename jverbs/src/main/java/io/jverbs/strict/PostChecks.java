package io.jverbs.strict;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.SendWorkRequest;
import io.jverbs.WrOpcode;
import io.jverbs.spi.SendWrLayout;
import io.jverbs.spi.SgeLayout;
import io.jverbs.strict.Violation.Kind;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Checks the send requests of one chain before they are posted, and whether a completion queue has room for all
 * requests that use it. Used by one thread, with the lock of the queue pair held.
 */
final class PostChecks {
    private static final int PRIVILEGED_QKEY = 1 << 31;

    private final StrictMode mode;
    private final StrictQp qp;
    private final int capacity;
    private int outstanding;
    private int inQueue;
    private boolean hasSignaled;
    private int completions;
    private int messages;

    /** Starts with the outstanding requests of the queue pair. */
    PostChecks(StrictMode mode, StrictQp qp) {
        this.mode = mode;
        this.qp = qp;
        this.capacity = qp.handle().capabilities().maxSendWr();
        this.outstanding = qp.outstanding();
        this.inQueue = outstanding;
        this.hasSignaled = qp.hasSignaled();
    }

    /** Whether an operation takes a receive request of the peer. */
    static boolean takesReceive(WrOpcode opcode) {
        return switch (opcode) {
            case SEND, SEND_WITH_IMM, SEND_WITH_INV, RDMA_WRITE_WITH_IMM -> true;
            case RDMA_WRITE, RDMA_READ, ATOMIC_CMP_AND_SWP, ATOMIC_FETCH_AND_ADD, LOCAL_INV, BIND_MW, TSO, DRIVER1,
                    FLUSH, ATOMIC_WRITE, UNKNOWN ->
                false;
        };
    }

    /** Checks the next request of the chain. */
    void check(SendWorkRequest request) {
        checkQueueRoom(qp.completes(request.flags()));
        WrOpcode opcode = request.opcode();
        if (qp.type() == QpType.UD) {
            checkDatagram(request);
        } else if (qp.type() == QpType.RC && takesReceive(opcode)) {
            checkReceive();
        }
        checkRkey(request, opcode);
    }

    /** Checks the room for a request in the send queue, and for its completion in the completion queue. */
    void checkQueueRoom(boolean completes) {
        outstanding++;
        inQueue++;
        hasSignaled |= completes;
        if (!hasSignaled && outstanding >= capacity && capacity > 0 && isSending()) {
            outstanding = 0;
            mode.refuse(Kind.NEVER_SIGNALED, "all " + capacity + " entries of the send queue of "
                    + ConnectionChecks.name(qp)
                    + " are taken, and none of these requests is signaled. No completion ever reports free entries, and"
                    + " on hardware the next post fails with ENOMEM",
                    "Set SendFlags.SIGNALED on at least one of every " + capacity
                            + " requests, and poll its completion");
        }
        // a request that exceeds the queue is rejected, so it does not complete
        if (completes && inQueue <= capacity) {
            checkCompletionRoom(mode, qp.sendCq(), ++completions);
        }
    }

    /** The violation if the device has accepted more requests than the send queue holds; empty if there is none. */
    static List<Violation> checkAccepted(StrictQp qp) {
        int capacity = qp.handle().capabilities().maxSendWr();
        if (qp.outstanding() <= capacity || !qp.hasSignaled() || !isSending(qp)) {
            return List.of();
        }
        return List.of(new Violation(Kind.NEVER_SIGNALED, qp.outstanding() + " requests are outstanding on "
                + ConnectionChecks.name(qp)
                + ", because the program has polled no completion that covers them, but its send queue has " + capacity
                + " entries. This device accepted them; on hardware the post fails with ENOMEM", CallSites.caller(),
                "Set SendFlags.SIGNALED on at least one of every " + capacity
                        + " requests, and poll its completion before posting " + capacity + " more"));
    }

    /** Whether it is in RTS. The device is asked too, because an error changes the state without a modify. */
    private boolean isSending() {
        return isSending(qp);
    }

    private static boolean isSending(StrictQp qp) {
        return qp.view().state() == QpState.RTS && qp.context().state(qp) == QpState.RTS;
    }

    /** Checks that a completion queue has room for {@code more} completions. */
    static void checkCompletionRoom(StrictMode mode, StrictCq cq, int more) {
        int expected = cq.expectedWith(more);
        if (expected > cq.handle().cqe()) {
            mode.refuse(Kind.COMPLETION_QUEUE_TOO_SMALL, "with this request, " + expected
                    + " completions are expected that the program has not polled, but the completion queue holds "
                    + cq.handle().cqe() + ". If it overflows, its queue pairs fail",
                    "Create the completion queue with room for all requests that can be outstanding on its queue pairs,"
                            + " or poll before posting more");
        }
    }

    private void checkReceive() {
        if (qp.view().rnrRetry() != 0) {
            return;
        }
        StrictQp peer = qp.peer();
        if (peer != null && peer.type() == QpType.RC && peer.receiveCount().isAtMost(messages++) && isSending()) {
            mode.refuse(Kind.NO_RECEIVE_POSTED,
                    ConnectionChecks.name(qp) + " sends a message with rnrRetry 0 (no retry), but its peer "
                            + ConnectionChecks.name(peer)
                            + " has no receive request posted for it. The request completes with RNR_RETRY_EXC_ERR",
                    "Post receive requests at the peer before sending to it, or set rnrRetry to 7 (unlimited retries)");
        }
    }

    private void checkRkey(SendWorkRequest request, WrOpcode opcode) {
        MemorySegment memory = request.memory();
        long at = switch (opcode) {
            // the rkey of a request of 0 bytes is not validated; programs use such requests as doorbells
            case RDMA_WRITE, RDMA_WRITE_WITH_IMM, RDMA_READ -> bytes(request) == 0 ? -1 : SendWrLayout.RDMA_RKEY;
            case ATOMIC_CMP_AND_SWP, ATOMIC_FETCH_AND_ADD -> SendWrLayout.ATOMIC_RKEY;
            default -> -1;
        };
        StrictQp peer = at < 0 ? null : qp.peer();
        if (peer == null) {
            return;
        }
        int rkey = memory.get(JAVA_INT, at);
        String reason = peer.context().keys().staleReason(rkey);
        if (reason != null && isSending()) {
            mode.refuse(Kind.STALE_RKEY, "rkey " + ConnectionChecks.key(rkey) + " for remote address 0x"
                    + Long.toHexString(memory.get(JAVA_LONG, SendWrLayout.REMOTE_ADDR)) + " is no longer valid: "
                    + reason
                    + ". The request completes with REM_ACCESS_ERR, or accesses other memory that has the same key by"
                    + " then",
                    "Before a key becomes invalid, tell every peer that uses it and wait for their confirmation");
        }
    }

    private static long bytes(SendWorkRequest request) {
        long bytes = 0;
        for (int i = 0; i < request.sgeCount(); i++) {
            bytes += Integer.toUnsignedLong(
                    request.memory().get(JAVA_INT, SendWrLayout.SIZE + i * SgeLayout.SIZE + SgeLayout.LENGTH));
        }
        return bytes;
    }

    private void checkDatagram(SendWorkRequest request) {
        if (request.addressHandle() == null) {
            return;
        }
        int number = request.memory().get(JAVA_INT, SendWrLayout.UD_REMOTE_QPN);
        int given = request.memory().get(JAVA_INT, SendWrLayout.UD_REMOTE_QKEY);
        int qkey = (given & PRIVILEGED_QKEY) != 0 ? qp.view().qkey() : given;
        Object network = qp.context().network();
        if (PeerRegistry.numbered(network, number).stream().noneMatch(peer -> dropsDatagram(peer, qkey))) {
            // the common case, decided without a query to the device
            return;
        }
        StrictQp peer = PeerRegistry.find(network, request.addressHandle().attributes().destination(), number);
        if (peer == null || !dropsDatagram(peer, qkey) || !isSending()) {
            return;
        }
        if (qkey != peer.view().qkey()) {
            mode.refuse(Kind.QKEY_MISMATCH, "the datagram carries Q_Key " + ConnectionChecks.key(qkey)
                    + ((given & PRIVILEGED_QKEY) != 0
                            ? " (that of its queue pair, because bit 31 of the request's Q_Key is set)"
                            : "")
                    + ", but " + ConnectionChecks.name(peer) + " accepts Q_Key "
                    + ConnectionChecks.key(peer.view().qkey()) + ". The receiver drops the datagram silently",
                    "Set the Q_Key of the request to that of the receiving queue pair, with bit 31 clear");
        }
        if (QpView.pkeysDiffer(qp.view().pkey(), peer.view().pkey())) {
            mode.refuse(Kind.PKEY_MISMATCH,
                    ConnectionChecks.name(qp) + " has P_Key " + ConnectionChecks.key(qp.view().pkey())
                            + ", but " + ConnectionChecks.name(peer) + " has P_Key "
                            + ConnectionChecks.key(peer.view().pkey())
                            + ". The receiver drops the datagram silently",
                    ConnectionChecks.PKEY_REMEDY);
        }
    }

    /** Whether a queue pair drops datagrams from this one that carry a Q_Key. */
    private boolean dropsDatagram(StrictQp peer, int qkey) {
        QpView view = peer.view();
        return peer.type() == QpType.UD && view.hasQkey()
                && (qkey != view.qkey() || QpView.pkeysDiffer(qp.view().pkey(), view.pkey()));
    }
}
