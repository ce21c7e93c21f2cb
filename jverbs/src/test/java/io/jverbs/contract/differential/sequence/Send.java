package io.jverbs.contract.differential.sequence;

import io.jverbs.SendFlags;
import io.jverbs.WrOpcode;
import java.util.List;

/**
 * A send work request without any value that a device chooses.
 *
 * @param remote target of a WRITE, READ or atomic; range of a BIND_MW; key of an invalidation; null for none
 * @param operand immediate data, compare value or addend, access of a window
 * @param matching whether a compare-and-swap compares with the value in memory
 */
public record Send(WrOpcode opcode, int flags, List<Part> parts, Part remote, int operand, boolean matching) {

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

    /** Returns whether the request consumes a receive request of the other side. */
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
