package io.jverbs;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.jverbs.spi.SendWrLayout;
import io.jverbs.spi.SgeLayout;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;

/** Explains why a device rejected a send request with EINVAL. It checks the rules that all devices have in common. */
final class SendRefusal {
    private static final Set<WrOpcode> UD = EnumSet.of(WrOpcode.SEND, WrOpcode.SEND_WITH_IMM);
    private static final Set<WrOpcode> UC = with(UD, WrOpcode.RDMA_WRITE, WrOpcode.RDMA_WRITE_WITH_IMM,
            WrOpcode.LOCAL_INV, WrOpcode.BIND_MW);
    private static final Set<WrOpcode> RC = with(UC, WrOpcode.SEND_WITH_INV, WrOpcode.RDMA_READ,
            WrOpcode.ATOMIC_CMP_AND_SWP, WrOpcode.ATOMIC_FETCH_AND_ADD);

    private SendRefusal() {}

    private static Set<WrOpcode> with(Set<WrOpcode> some, WrOpcode... more) {
        EnumSet<WrOpcode> all = EnumSet.copyOf(some);
        all.addAll(Set.of(more));
        return all;
    }

    /**
     * Returns the first rule that the request violates; null if it violates none of these rules.
     *
     * @param attributes the attributes of the queue pair; null if they are unknown
     */
    static String reason(QueuePair qp, QpAttributes attributes, SendWorkRequest request) {
        String why = attributes == null ? null : ofState(attributes.state());
        why = why == null ? ofOpcode(qp.type(), request) : why;
        why = why == null ? PostFailure.tooMany(request.sgeCount(), qp.capabilities().maxSendSge()) : why;
        why = why == null ? ofObjects(qp, request) : why;
        return why == null ? ofInline(qp.capabilities().maxInlineData(), request) : why;
    }

    private static String ofState(QpState state) {
        return switch (state) {
            case RESET, INIT, RTR ->
                "a queue pair in " + state + " does not accept send requests, which require RTS, SQD, SQE or ERR:"
                        + " move it to RTS first";
            default -> null;
        };
    }

    private static String ofOpcode(QpType type, SendWorkRequest request) {
        Set<WrOpcode> legal = switch (type) {
            case UD -> UD;
            case UC -> UC;
            default -> RC;
        };
        if (legal.contains(request.opcode())) {
            return null;
        }
        return WrOpcode.toString(request.rawOpcode()) + " is not supported by queue pairs of type " + type
                + ", which support " + legal.stream().map(Enum::name).collect(Collectors.joining(", "));
    }

    /** Checks the objects that the request names. */
    private static String ofObjects(QueuePair qp, SendWorkRequest request) {
        if (qp.type() == QpType.UD) {
            AddressHandle path = request.addressHandle();
            return path == null
                    ? "a datagram needs an address handle, and the request has none: set it with destination(...)"
                    : null;
        }
        if (request.opcode() != WrOpcode.BIND_MW) {
            return null;
        }
        MemoryWindow window = request.memoryWindow();
        if (window == null) {
            return "BIND_MW needs a window, and the request has none: set it with bind(...)";
        }
        return window.type() == MwType.TYPE_2
                ? null
                : "BIND_MW binds windows of TYPE_2, and this one is of " + window.type()
                        + ": bind it with bindMemoryWindow(...)";
    }

    private static String ofInline(int max, SendWorkRequest request) {
        long length = 0;
        for (int i = 0; i < request.sgeCount(); i++) {
            length += Integer.toUnsignedLong(
                    request.memory().get(JAVA_INT, SendWrLayout.SIZE + i * SgeLayout.SIZE + SgeLayout.LENGTH));
        }
        return (request.flags() & SendFlags.INLINE) == 0 || length <= max
                ? null
                : "its inline data has " + length + " bytes, and the queue pair allows 0 to " + max
                        + " bytes (maxInlineData)";
    }
}
