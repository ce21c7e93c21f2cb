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

/** What can be wrong with send requests that are about to be posted. The lock of the queue pair is held. */
final class PostChecks {
    private static final int PRIVILEGED_QKEY = 1 << 31;

    private final StrictMode mode;
    private final StrictQp qp;
    private final int places;
    private int outstanding;
    private boolean hasSignaled;
    private int completions;
    private int messages;

    /** For one chain. */
    PostChecks(StrictMode mode, StrictQp qp) {
        this.mode = mode;
        this.qp = qp;
        this.places = qp.handle().capabilities().maxSendWr();
        this.outstanding = qp.outstanding();
        this.hasSignaled = qp.hasSignaled();
    }

    /** Whether a receive is taken by an operation at the peer. */
    static boolean takesReceive(WrOpcode opcode) {
        return switch (opcode) {
            case SEND, SEND_WITH_IMM, SEND_WITH_INV, RDMA_WRITE_WITH_IMM -> true;
            case RDMA_WRITE, RDMA_READ, ATOMIC_CMP_AND_SWP, ATOMIC_FETCH_AND_ADD, LOCAL_INV, BIND_MW, TSO, DRIVER1,
                    FLUSH, ATOMIC_WRITE, UNKNOWN ->
                false;
        };
    }

    /** Looks at the next request of the chain. */
    void check(SendWorkRequest request) {
        checkPlace(qp.completes(request.flags()));
        WrOpcode opcode = request.opcode();
        if (qp.type() == QpType.UD) {
            checkDatagram(request);
        } else if (qp.type() == QpType.RC && takesReceive(opcode)) {
            checkReceive();
        }
        checkRkey(request, opcode);
    }

    /** Looks at the place that a request takes, and at the one for its completion. */
    void checkPlace(boolean completes) {
        outstanding++;
        hasSignaled |= completes;
        if (!hasSignaled && outstanding >= places && places > 0 && isSending()) {
            outstanding = 0;
            mode.refuse(Kind.NEVER_SIGNALED, "all " + places + " places of the send queue of "
                    + ConnectionChecks.name(qp)
                    + " are taken, and none of these requests is signaled: nothing ever tells that there is room, and hardware"
                    + " refuses the next one with ENOMEM",
                    "Set SendFlags.SIGNALED on one of each " + places + " requests at least, and poll its completion");
        }
        if (completes) {
            checkRoom(mode, qp.sendCq(), ++completions);
        }
    }

    /** What is wrong with requests that the device has taken; empty if there is nothing. */
    static List<Violation> taken(StrictQp qp) {
        int places = qp.handle().capabilities().maxSendWr();
        if (qp.outstanding() <= places || !qp.hasSignaled() || !isSending(qp)) {
            return List.of();
        }
        return List.of(new Violation(Kind.NEVER_SIGNALED, qp.outstanding() + " requests are posted to "
                + ConnectionChecks.name(qp)
                + " of which the program has not polled that they are over, and its send queue has "
                + places + " places: this device took them, and hardware refuses them with ENOMEM", Places.caller(),
                "Set SendFlags.SIGNALED on one of each " + places
                        + " requests at least, and poll its completion before "
                        + places + " more are posted"));
    }

    /** What the view cannot know: whether an error has ended it. */
    private boolean isSending() {
        return isSending(qp);
    }

    private static boolean isSending(StrictQp qp) {
        return qp.view().state() == QpState.RTS && qp.context().state(qp) == QpState.RTS;
    }

    static void checkRoom(StrictMode mode, StrictCq cq, int more) {
        int expected = cq.expectedWith(more);
        if (expected > cq.handle().cqe()) {
            mode.refuse(Kind.COMPLETION_QUEUE_TOO_SMALL, "with this request " + expected
                    + " completions are to come that are not polled yet, and the completion queue holds "
                    + cq.handle().cqe() + ": when it overflows, its queue pairs are lost",
                    "Create the completion queue for all requests that can be outstanding on its queue pairs, or poll before"
                            + " posting more");
        }
    }

    private void checkReceive() {
        if (qp.view().rnrRetry() != 0) {
            return;
        }
        StrictQp peer = qp.peer();
        if (peer != null && peer.type() == QpType.RC && peer.receiveCount().isAtMost(messages++) && isSending()) {
            mode.refuse(Kind.NO_RECEIVE_POSTED,
                    "the peer " + ConnectionChecks.name(peer) + " has no receive posted for this message of "
                            + ConnectionChecks.name(qp)
                            + ", which does not try again (rnrRetry 0): it ends with RNR_RETRY_EXC_ERR",
                    "Have the peer post receives before messages are sent to it, or set rnrRetry to 7");
        }
    }

    private void checkRkey(SendWorkRequest request, WrOpcode opcode) {
        MemorySegment memory = request.memory();
        long at = switch (opcode) {
            // without a byte to move the key is not looked at: it may be a doorbell
            case RDMA_WRITE, RDMA_WRITE_WITH_IMM, RDMA_READ -> bytes(request) == 0 ? -1 : SendWrLayout.RDMA_RKEY;
            case ATOMIC_CMP_AND_SWP, ATOMIC_FETCH_AND_ADD -> SendWrLayout.ATOMIC_RKEY;
            default -> -1;
        };
        StrictQp peer = at < 0 ? null : qp.peer();
        if (peer == null) {
            return;
        }
        int rkey = memory.get(JAVA_INT, at);
        String end = peer.context().keys().end(rkey);
        if (end != null && isSending()) {
            mode.refuse(Kind.RKEY_OF_NOTHING, "rkey " + ConnectionChecks.key(rkey) + " for address 0x"
                    + Long.toHexString(memory.get(JAVA_LONG, SendWrLayout.REMOTE_ADDR)) + " is of memory that was "
                    + end
                    + ": the request ends with REM_ACCESS_ERR, or reaches what has the key by then",
                    "Tell the users of a key before its memory goes, and await their answer");
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
        if (KnownQueuePairs.numbered(network, number).stream().noneMatch(peer -> isDeaf(peer, qkey))) {
            // most datagrams: no device is asked
            return;
        }
        StrictQp peer = KnownQueuePairs.find(network, request.addressHandle().attributes().destination(), number);
        if (peer == null || !isDeaf(peer, qkey) || !isSending()) {
            return;
        }
        if (qkey != peer.view().qkey()) {
            mode.refuse(Kind.QKEY_MISMATCH, "the datagram carries Q_Key " + ConnectionChecks.key(qkey)
                    + ((given & PRIVILEGED_QKEY) != 0
                            ? ", that of its queue pair, as bit 31 of the one given is set"
                            : "")
                    + ", and " + ConnectionChecks.name(peer) + " takes " + ConnectionChecks.key(peer.view().qkey())
                    + ": it is dropped without a word", "Send the Q_Key that the receiver was set to, without bit 31");
        }
        if (QpView.pkeysDiffer(qp.view().pkey(), peer.view().pkey())) {
            mode.refuse(Kind.PKEY_MISMATCH,
                    ConnectionChecks.name(qp) + " has P_Key " + ConnectionChecks.key(qp.view().pkey())
                            + ", and " + ConnectionChecks.name(peer) + " has "
                            + ConnectionChecks.key(peer.view().pkey())
                            + ": the datagram is dropped without a word",
                    "Choose places of the P_Key tables that hold the same key, one of them at least with bit 15 set");
        }
    }

    /** Whether a queue pair drops datagrams of this one that carry a Q_Key. */
    private boolean isDeaf(StrictQp peer, int qkey) {
        QpView view = peer.view();
        return peer.type() == QpType.UD && view.hasQkey()
                && (qkey != view.qkey() || QpView.pkeysDiffer(qp.view().pkey(), view.pkey()));
    }
}
