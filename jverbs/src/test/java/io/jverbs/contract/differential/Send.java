package io.jverbs.contract.differential;

import io.jverbs.SendFlags;
import io.jverbs.WrOpcode;
import java.util.List;

/**
 * A send work request without any number that a device chooses.
 *
 * @param remote    what a WRITE, READ or atomic aims at, what BIND_MW opens, what an invalidation names; null for none
 * @param operand   immediate data, compare or addend, access of a window
 * @param matching  a compare-and-swap compares with what is in memory
 */
record Send(WrOpcode opcode, int flags, List<Part> parts, Part remote, int operand, boolean matching) {

    static Send of(WrOpcode opcode, List<Part> parts, Part remote) {
        return new Send(opcode, 0, parts, remote, 1, false);
    }

    Send with(int more) {
        return new Send(opcode, flags | more, parts, remote, operand, matching);
    }

    Send operand(int value) {
        return new Send(opcode, flags, parts, remote, value, matching);
    }

    Send matching(boolean value) {
        return new Send(opcode, flags, parts, remote, operand, value);
    }

    Send remote(Part to) {
        return new Send(opcode, flags, parts, to, operand, matching);
    }

    Send parts(Part... list) {
        return new Send(opcode, flags & ~SendFlags.INLINE, List.of(list), remote, operand, matching);
    }

    /** Whether it uses up a receive request at the other side. */
    boolean needsReceive() {
        return switch (opcode) {
            case SEND, SEND_WITH_IMM, SEND_WITH_INV, RDMA_WRITE_WITH_IMM -> true;
            default -> false;
        };
    }

    @Override
    public String toString() {
        return opcode + (flags == 0 ? "" : "{" + SendFlags.toString(flags) + "}") + parts
                + (remote == null ? "" : " -> " + remote);
    }
}
