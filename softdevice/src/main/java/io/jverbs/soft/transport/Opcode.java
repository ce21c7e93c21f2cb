package io.jverbs.soft.transport;

import io.jverbs.QpType;
import io.jverbs.WcOpcode;
import io.jverbs.WrOpcode;

/** The numbers of {@link WrOpcode}, what each may be used for, and what its completion says. */
final class Opcode {
    static final int RDMA_WRITE = 0;
    static final int RDMA_WRITE_WITH_IMM = 1;
    static final int SEND = 2;
    static final int SEND_WITH_IMM = 3;
    static final int RDMA_READ = 4;
    static final int CMP_AND_SWP = 5;
    static final int FETCH_AND_ADD = 6;
    static final int LOCAL_INV = 7;
    static final int BIND_MW = 8;
    static final int SEND_WITH_INV = 9;

    private static final int COUNT = 10;
    private static final int UD_LEGAL = bit(SEND) | bit(SEND_WITH_IMM);
    private static final int UC_LEGAL = UD_LEGAL | bit(RDMA_WRITE) | bit(RDMA_WRITE_WITH_IMM) | bit(LOCAL_INV)
            | bit(BIND_MW);
    private static final int RC_LEGAL = UC_LEGAL | bit(SEND_WITH_INV) | bit(RDMA_READ) | bit(CMP_AND_SWP)
            | bit(FETCH_AND_ADD);
    private static final int INLINE_LEGAL = bit(SEND) | bit(SEND_WITH_IMM) | bit(SEND_WITH_INV) | bit(RDMA_WRITE)
            | bit(RDMA_WRITE_WITH_IMM);
    private static final int RESPONDING = bit(RDMA_READ) | bit(CMP_AND_SWP) | bit(FETCH_AND_ADD);
    private static final int LOCAL = bit(LOCAL_INV) | bit(BIND_MW);
    private static final int[] COMPLETION = completions();

    private Opcode() {}

    private static int bit(int opcode) {
        return 1 << opcode;
    }

    private static int[] completions() {
        int[] codes = new int[COUNT];
        codes[RDMA_WRITE] = WcOpcode.RDMA_WRITE.code();
        codes[RDMA_WRITE_WITH_IMM] = WcOpcode.RDMA_WRITE.code();
        codes[SEND] = WcOpcode.SEND.code();
        codes[SEND_WITH_IMM] = WcOpcode.SEND.code();
        codes[SEND_WITH_INV] = WcOpcode.SEND.code();
        codes[RDMA_READ] = WcOpcode.RDMA_READ.code();
        codes[CMP_AND_SWP] = WcOpcode.COMP_SWAP.code();
        codes[FETCH_AND_ADD] = WcOpcode.FETCH_ADD.code();
        codes[LOCAL_INV] = WcOpcode.LOCAL_INV.code();
        codes[BIND_MW] = WcOpcode.BIND_MW.code();
        return codes;
    }

    /** The set of operations that a type of queue pair has. */
    static int legalFor(QpType type) {
        return switch (type) {
            case RC -> RC_LEGAL;
            case UC -> UC_LEGAL;
            default -> UD_LEGAL;
        };
    }

    private static boolean in(int set, int opcode) {
        return opcode >= 0 && opcode < COUNT && (set >>> opcode & 1) != 0;
    }

    static boolean isLegal(int legalSet, int opcode) {
        return in(legalSet, opcode);
    }

    static boolean mayBeInline(int opcode) {
        return in(INLINE_LEGAL, opcode);
    }

    /** Whether the peer answers with data: READ and atomics. */
    static boolean isResponding(int opcode) {
        return in(RESPONDING, opcode);
    }

    static boolean isAtomic(int opcode) {
        return opcode == CMP_AND_SWP || opcode == FETCH_AND_ADD;
    }

    /** Whether nothing leaves the device. */
    static boolean isLocal(int opcode) {
        return in(LOCAL, opcode);
    }

    static boolean isSend(int opcode) {
        return opcode == SEND || opcode == SEND_WITH_IMM || opcode == SEND_WITH_INV;
    }

    static boolean isWrite(int opcode) {
        return opcode == RDMA_WRITE || opcode == RDMA_WRITE_WITH_IMM;
    }

    static boolean hasImmediate(int opcode) {
        return opcode == SEND_WITH_IMM || opcode == RDMA_WRITE_WITH_IMM;
    }

    /** What the requester's completion says. */
    static int completion(int opcode) {
        return COMPLETION[opcode];
    }
}
