package io.jverbs.soft.transport.ud;

import io.jverbs.soft.protocol.Counter;
import io.jverbs.soft.transport.Port;
import io.jverbs.soft.transport.SoftQp;
import java.util.ArrayList;
import java.util.List;

/**
 * Datagrams to a multicast GID whose destination QPN is not the multicast QPN 0xffffff. The specification requires that
 * they are dropped, whatever queue pairs are attached to the group.
 */
final class MulticastQpnCheck {
    private static final SoftQp[] NO_MEMBERS = {};

    private MulticastQpnCheck() {}

    /** Counts such a datagram as dropped at each port that the group has members at; returns an empty array. */
    static SoftQp[] drop(SoftQp[] members) {
        List<Port> counted = new ArrayList<>();
        for (SoftQp member : members) {
            Port port = member.environment().port();
            if (!counted.contains(port)) {
                counted.add(port);
                port.count(port.isUp() ? Counter.UNKNOWN_QUEUE_PAIR : Counter.PORT_DOWN);
            }
        }
        return NO_MEMBERS;
    }
}
