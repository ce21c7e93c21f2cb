package io.jverbs.contract.interop;

import io.jverbs.contract.interop.Message.Kind;
import java.util.ArrayList;
import java.util.List;

/**
 * The packets of a plan's requests (catalogue L.3), as lines for comparison with the capture: opcode, bytes of payload,
 * immediate data in hexadecimal, length in the RETH. A field is empty if the packet does not have it.
 */
final class WirePackets {
    private static final int UC = 0x20;
    private static final int UD = 0x60;
    private static final int SEND_FIRST = 0x00;
    private static final int WRITE_FIRST = 0x06;
    private static final int MIDDLE = 1;
    private static final int LAST = 2;
    private static final int LAST_WITH_IMM = 3;
    private static final int ONLY = 4;
    private static final int ONLY_WITH_IMM = 5;
    private static final int SEND_LAST_WITH_INV = 0x16;
    private static final int SEND_ONLY_WITH_INV = 0x17;
    private static final int READ_REQUEST = 0x0C;
    private static final int COMPARE_SWAP = 0x13;
    private static final int FETCH_ADD = 0x14;

    private final int mtu;
    private final List<String> lines = new ArrayList<>();

    private WirePackets(int mtu) {
        this.mtu = mtu;
    }

    static List<String> of(Plan plan) {
        WirePackets packets = new WirePackets(plan.mtu().bytes());
        plan.reliable().forEach(message -> packets.add(0, message));
        plan.unreliable().forEach(message -> packets.add(UC, message));
        plan.datagrams().forEach(message -> packets.add(UD, message));
        return packets.lines;
    }

    private void add(int transport, Message message) {
        switch (message.kind()) {
            case READ -> line(READ_REQUEST, 0, "", Integer.toString(message.length()));
            case FETCH_AND_ADD -> line(FETCH_ADD, 0, "", "");
            case COMPARE_AND_SWAP -> line(COMPARE_SWAP, 0, "", "");
            default -> addParts(transport, message);
        }
    }

    private void addParts(int transport, Message message) {
        Kind kind = message.kind();
        boolean write = kind == Kind.WRITE || kind == Kind.WRITE_WITH_IMM;
        boolean immediate = kind == Kind.SEND_WITH_IMM || kind == Kind.WRITE_WITH_IMM;
        int base = transport + (write ? WRITE_FIRST : SEND_FIRST);
        int count = Math.max(1, (message.length() + mtu - 1) / mtu);
        for (int i = 0; i < count; i++) {
            boolean last = i == count - 1;
            int payload = last ? message.length() - i * mtu : mtu;
            int opcode;
            if (last && kind == Kind.SEND_WITH_INV) {
                opcode = count == 1 ? SEND_ONLY_WITH_INV : SEND_LAST_WITH_INV;
            } else if (last) {
                opcode = base + (count == 1 ? immediate ? ONLY_WITH_IMM : ONLY : immediate ? LAST_WITH_IMM : LAST);
            } else {
                opcode = base + (i == 0 ? 0 : MIDDLE);
            }
            line(opcode, payload, last && immediate ? String.format("%08x", message.index()) : "",
                    write && i == 0 ? Integer.toString(message.length()) : "");
        }
    }

    private void line(int opcode, int payload, String immediate, String length) {
        lines.add(opcode + "\t" + payload + "\t" + immediate + "\t" + length);
    }
}
