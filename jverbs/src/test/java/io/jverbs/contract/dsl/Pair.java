package io.jverbs.contract.dsl;

import io.jverbs.contract.end.SendSpec;

/**
 * Two queue pairs that speak to each other, one on each end. For datagrams, {@code toRight} and {@code toLeft} are
 * address handles; else they are {@code End.NONE}.
 */
public record Pair(Qp left, Qp right, int toRight, int toLeft) {

    /** A datagram of the left pair addressed to the right one. */
    public SendSpec toRight(SendSpec datagram) {
        return datagram.to(toRight, right.number(), right.options().qkey());
    }

    /** A datagram of the right pair addressed to the left one. */
    public SendSpec toLeft(SendSpec datagram) {
        return datagram.to(toLeft, left.number(), left.options().qkey());
    }
}
