package io.jverbs.strict;

import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.strict.Violation.Kind;
import java.util.ArrayList;
import java.util.List;

/** What both ends of a connection must agree about, checked when the second of them learns of the first. */
final class ConnectionChecks {

    private ConnectionChecks() {}

    /**
     * The other end of the connection that a modify is about to make, if that end is connected to this one already; else null. An
     * end that the device has failed, or that is left over from before this one was reset, has to be connected anew itself.
     */
    static StrictQp peer(StrictQp qp, QpView next) {
        if (qp.type() != QpType.RC && qp.type() != QpType.UC || !isConnected(next)) {
            return null;
        }
        StrictQp peer = KnownQueuePairs.find(qp.context().network(), next.path().destination(), next.destinationQpn());
        boolean agrees = peer != null && isConnected(peer.view()) && peer.view().destinationQpn() == qp.number()
                && !peer.isLeftOver() && isConnected(peer.context().state(peer));
        return agrees ? peer : null;
    }

    /** What is wrong with what a modify is about to make of a queue pair. */
    static List<Violation> check(StrictQp qp, QpView next, StrictQp peer) {
        List<Violation> found = new ArrayList<>();
        if (!isConnected(qp.view())) {
            checkPath(found, qp, next, peer);
        }
        boolean readsChange = next.maxRdAtomic() != qp.view().maxRdAtomic()
                || next.maxDestRdAtomic() != qp.view().maxDestRdAtomic();
        if (qp.type() == QpType.RC && readsChange) {
            checkReads(found, qp, next, peer, peer.view());
            checkReads(found, peer, peer.view(), qp, next);
        }
        return found;
    }

    private static Violation violation(Kind kind, String explanation, String remedy) {
        return new Violation(kind, explanation, Places.caller(), remedy);
    }

    private static void checkPath(List<Violation> found, StrictQp qp, QpView next, StrictQp peer) {
        QpView other = peer.view();
        String ends = name(qp) + " and its peer " + name(peer);
        if (next.mtu() != null && other.mtu() != null && next.mtu() != other.mtu()) {
            found.add(violation(Kind.MTU_MISMATCH, ends + " have path MTUs of " + next.mtu().bytes() + " and "
                    + other.mtu().bytes()
                    + " bytes: messages longer than the smaller one fail with REM_INV_REQ_ERR, or are lost",
                    "Give both ends the smaller one of both, as QueuePair.connect does"));
        }
        if (QpView.pkeysDiffer(next.pkey(), other.pkey())) {
            found.add(violation(Kind.PKEY_MISMATCH,
                    ends + " have P_Keys " + key(next.pkey()) + " and " + key(other.pkey())
                            + ": packets are dropped, requests end with RETRY_EXC_ERR or are lost",
                    "Choose places of the P_Key tables that hold the same key, one of them at least with bit 15 set"));
        }
    }

    private static boolean isConnected(QpView view) {
        return view.path() != null && isConnected(view.state());
    }

    private static boolean isConnected(QpState state) {
        return state == QpState.RTR || state == QpState.RTS || state == QpState.SQD;
    }

    private static void checkReads(List<Violation> found, StrictQp from, QpView fromView, StrictQp to, QpView toView) {
        if (toView.maxDestRdAtomic() >= 0 && fromView.maxRdAtomic() > toView.maxDestRdAtomic()) {
            found.add(violation(Kind.TOO_MANY_READS_FOR_PEER,
                    name(from) + " may have " + fromView.maxRdAtomic()
                            + " READs and atomics under way (maxRdAtomic), its peer "
                            + name(to) + " has room for " + toView.maxDestRdAtomic()
                            + " (maxDestRdAtomic): more end with REM_INV_REQ_ERR",
                    "Set maxRdAtomic to no more than maxDestRdAtomic of the peer"));
        }
    }

    static String name(StrictQp qp) {
        return qp.type() + " queue pair 0x" + Integer.toHexString(qp.number());
    }

    static String key(int key) {
        return "0x" + Integer.toHexString(key);
    }
}
