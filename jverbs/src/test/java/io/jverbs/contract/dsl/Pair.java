package io.jverbs.contract.dsl;

import io.jverbs.contract.end.SendSpec;

/**
 * Two connected queue pairs, one on each end. For UD, {@code toRight} and {@code toLeft} are address handles; otherwise
 * they are {@code End.NONE}.
 */
public record Pair(Qp left, Qp right, int toRight, int toLeft) {

    /** Returns a datagram of the left queue pair, addressed to the right one. */
    public SendSpec toRight(SendSpec datagram) {
        return datagram.to(toRight, right.number(), right.options().qkey());
    }

    /** Returns a datagram of the right queue pair, addressed to the left one. */
    public SendSpec toLeft(SendSpec datagram) {
        return datagram.to(toLeft, left.number(), left.options().qkey());
    }
}
