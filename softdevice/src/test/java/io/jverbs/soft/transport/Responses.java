package io.jverbs.soft.transport;

import io.jverbs.soft.protocol.Psns;
import io.jverbs.soft.wire.Aeth;
import io.jverbs.soft.wire.PacketView;
import io.jverbs.soft.wire.WireOpcode;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Names the packets that a responder sends: {@code ack3} is an ACK with PSN 3 and any credits, {@code seq},
 * {@code inv}, {@code acc} and {@code op} are NAKs, {@code rnr} is an RNR NAK, {@code first}, {@code mid}, {@code last}
 * and {@code only} are parts of READ responses, {@code atom} is an atomic response.
 */
public final class Responses {
    private Responses() {}

    /** {@return the names of packets, whose PSNs count from the first one} */
    public static String names(List<PacketView> packets, int firstPsn) {
        return packets.stream().map(packet -> name(packet) + Psns.difference(packet.psn(), firstPsn))
                .collect(Collectors.joining(" "));
    }

    private static String name(PacketView packet) {
        return switch (packet.opcode()) {
            case WireOpcode.READ_RESPONSE_FIRST -> "first";
            case WireOpcode.READ_RESPONSE_MIDDLE -> "mid";
            case WireOpcode.READ_RESPONSE_LAST -> "last";
            case WireOpcode.READ_RESPONSE_ONLY -> "only";
            case WireOpcode.ATOMIC_ACKNOWLEDGE -> "atom";
            case WireOpcode.ACKNOWLEDGE -> name(packet.syndrome());
            default -> throw new AssertionError(WireOpcode.name(packet.opcode()) + " is no response");
        };
    }

    private static String name(int syndrome) {
        return switch (syndrome) {
            case Aeth.NAK_PSN_SEQUENCE_ERROR -> "seq";
            case Aeth.NAK_INVALID_REQUEST -> "inv";
            case Aeth.NAK_REMOTE_ACCESS_ERROR -> "acc";
            case Aeth.NAK_REMOTE_OPERATIONAL_ERROR -> "op";
            default -> {
                if (Aeth.isAck(syndrome)) {
                    yield "ack";
                }
                if (!Aeth.isRnrNak(syndrome)) {
                    throw new AssertionError("syndrome " + syndrome);
                }
                yield "rnr";
            }
        };
    }
}
