package io.jverbs.strict;

import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.strict.Violation.Kind;
import java.util.ArrayList;
import java.util.List;

/** Checks that the attributes of both ends of a connection agree, when the second end connects. Stateless. */
final class ConnectionChecks {

    static final String PKEY_REMEDY = "Set pkeyIndex on both ends to entries of the P_Key tables that hold the same"
            + " key, with bit 15 (full member) set in at least one of them";

    private ConnectionChecks() {}

    /**
     * The other end of the connection that a modify is about to establish, if that end is already connected to this
     * one; else null. An end that is in an error state, or that is still connected to this one from before its reset,
     * must be reconnected first and does not count.
     */
    static StrictQp peer(StrictQp qp, QpView next) {
        if (qp.type() != QpType.RC && qp.type() != QpType.UC || !isConnected(next)) {
            return null;
        }
        StrictQp peer = PeerRegistry.find(qp.context().network(), next.path().destination(), next.destinationQpn());
        boolean agrees = peer != null && isConnected(peer.view()) && peer.view().destinationQpn() == qp.number()
                && !peer.isPeerDisconnected() && isConnected(peer.context().state(peer));
        return agrees ? peer : null;
    }

    /** The violations of a modify that is about to be executed, against a peer that is already connected. */
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
        return new Violation(kind, explanation, CallSites.caller(), remedy);
    }

    private static void checkPath(List<Violation> found, StrictQp qp, QpView next, StrictQp peer) {
        QpView other = peer.view();
        String ends = name(qp) + " and its peer " + name(peer);
        if (next.mtu() != null && other.mtu() != null && next.mtu() != other.mtu()) {
            found.add(violation(Kind.MTU_MISMATCH, ends + " have path MTUs of " + next.mtu().bytes() + " and "
                    + other.mtu().bytes()
                    + " bytes. Messages longer than the smaller of the two complete with REM_INV_REQ_ERR, or are lost",
                    "Set the smaller path MTU on both ends, as QueuePair.connect does"));
        }
        if (QpView.pkeysDiffer(next.pkey(), other.pkey())) {
            found.add(violation(Kind.PKEY_MISMATCH,
                    ends + " have P_Keys " + key(next.pkey()) + " and " + key(other.pkey())
                            + ". Packets between them are dropped: requests complete with RETRY_EXC_ERR, or are lost",
                    PKEY_REMEDY));
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
                            + " READs and atomics outstanding (maxRdAtomic), but its peer "
                            + name(to) + " accepts " + toView.maxDestRdAtomic()
                            + " (maxDestRdAtomic). Requests beyond that number complete with REM_INV_REQ_ERR",
                    "Set maxRdAtomic to at most maxDestRdAtomic of the peer"));
        }
    }

    static String name(StrictQp qp) {
        return qp.type() + " queue pair 0x" + Integer.toHexString(qp.number());
    }

    static String key(int key) {
        return "0x" + Integer.toHexString(key);
    }
}
