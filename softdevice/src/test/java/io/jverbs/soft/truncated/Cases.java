package io.jverbs.soft.truncated;

import io.jverbs.QpType;
import io.jverbs.WrOpcode;
import java.util.ArrayList;
import java.util.List;

/** The requests that are posted on truncated memory, for each type of queue pair. */
final class Cases {
    private static final List<WrOpcode> SENDS = List.of(WrOpcode.SEND, WrOpcode.SEND_WITH_IMM);
    private static final List<WrOpcode> WRITES = List.of(WrOpcode.RDMA_WRITE, WrOpcode.RDMA_WRITE_WITH_IMM);
    private static final List<WrOpcode> ATOMICS = List.of(WrOpcode.ATOMIC_FETCH_AND_ADD, WrOpcode.ATOMIC_CMP_AND_SWP);
    private static final int ELEMENTS = 3;
    private static final int WORD = 8;
    private static final int SHORT = 64;
    private static final int DATAGRAM = 200;
    private static final int LONG = 3000;

    private final QpType type;
    private final List<Case> all = new ArrayList<>();

    private Cases(QpType type) {
        this.type = type;
    }

    /** Every opcode, at both ends, with one element and with several. */
    static List<Case> of(QpType type) {
        Cases cases = new Cases(type);
        if (type == QpType.UD) {
            for (int bytes : new int[] {WORD, DATAGRAM}) {
                cases.add(SENDS, bytes, 1);
            }
            cases.add(SENDS, DATAGRAM, ELEMENTS);
            return cases.all;
        }
        for (int bytes : new int[] {WORD, SHORT, LONG}) {
            cases.add(SENDS, bytes, 1);
            cases.add(WRITES, bytes, 1);
            cases.addReads(bytes, 1);
        }
        for (int bytes : new int[] {SHORT, LONG}) {
            cases.add(List.of(WrOpcode.SEND, WrOpcode.RDMA_WRITE), bytes, ELEMENTS);
            cases.addReads(bytes, ELEMENTS);
        }
        if (type == QpType.RC) {
            cases.add(ATOMICS, WORD, 1);
            // the original value is stored in several elements
            cases.all.add(new Case(type, WrOpcode.ATOMIC_FETCH_AND_ADD, End.REQUESTER, WORD, ELEMENTS, false));
            cases.add(List.of(WrOpcode.SEND_WITH_INV), SHORT, 1);
            cases.add(List.of(WrOpcode.SEND_WITH_INV), LONG, 1);
        }
        cases.addWindowed();
        return cases.all;
    }

    /** The requests that consume a receive request, which comes from a shared receive queue. */
    static List<Case> withSharedReceives(QpType type) {
        Cases cases = new Cases(type);
        for (int bytes : type == QpType.UD ? new int[] {DATAGRAM} : new int[] {SHORT, LONG}) {
            cases.add(List.of(WrOpcode.SEND), bytes, 1);
            cases.add(List.of(WrOpcode.SEND), bytes, ELEMENTS);
            if (type != QpType.UD) {
                cases.add(List.of(WrOpcode.RDMA_WRITE_WITH_IMM), bytes, 1);
            }
        }
        return cases.all;
    }

    private void add(List<WrOpcode> opcodes, int bytes, int elements) {
        for (WrOpcode opcode : opcodes) {
            for (End gone : End.values()) {
                all.add(new Case(type, opcode, gone, bytes, elements, false));
            }
        }
    }

    private void addReads(int bytes, int elements) {
        if (type == QpType.RC) {
            add(List.of(WrOpcode.RDMA_READ), bytes, elements);
        }
    }

    /** Requests that name the truncated memory by the key of a memory window. */
    private void addWindowed() {
        for (int bytes : new int[] {SHORT, LONG}) {
            for (WrOpcode opcode : WRITES) {
                all.add(new Case(type, opcode, End.RESPONDER, bytes, 1, true));
            }
            if (type == QpType.RC) {
                all.add(new Case(type, WrOpcode.RDMA_READ, End.RESPONDER, bytes, 1, true));
            }
        }
        if (type == QpType.RC) {
            for (WrOpcode atomic : ATOMICS) {
                all.add(new Case(type, atomic, End.RESPONDER, WORD, 1, true));
            }
        }
    }
}
