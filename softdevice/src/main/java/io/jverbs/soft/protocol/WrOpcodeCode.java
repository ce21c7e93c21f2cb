package io.jverbs.soft.protocol;

import io.jverbs.WcOpcode;
import io.jverbs.WrOpcode;

/**
 * The values of {@code enum ibv_wr_opcode} as constants for the data path, the properties of each operation, and the
 * opcode of its completion. See {@link WrOpcode}.
 */
public final class WrOpcodeCode {
    public static final int RDMA_WRITE = 0;
    public static final int RDMA_WRITE_WITH_IMM = 1;
    public static final int SEND = 2;
    public static final int SEND_WITH_IMM = 3;
    public static final int RDMA_READ = 4;
    public static final int CMP_AND_SWP = 5;
    public static final int FETCH_AND_ADD = 6;
    public static final int LOCAL_INV = 7;
    public static final int BIND_MW = 8;
    public static final int SEND_WITH_INV = 9;

    private static final int COUNT = 10;
    /** The set of operations that are legal for UD. */
    public static final int UD_LEGAL = bit(SEND) | bit(SEND_WITH_IMM);
    /** The set of operations that are legal for UC. */
    public static final int UC_LEGAL = UD_LEGAL | bit(RDMA_WRITE) | bit(RDMA_WRITE_WITH_IMM) | bit(LOCAL_INV)
            | bit(BIND_MW);
    /** The set of operations that are legal for RC. */
    public static final int RC_LEGAL = UC_LEGAL | bit(SEND_WITH_INV) | bit(RDMA_READ) | bit(CMP_AND_SWP)
            | bit(FETCH_AND_ADD);
    private static final int INLINE_LEGAL = bit(SEND) | bit(SEND_WITH_IMM) | bit(SEND_WITH_INV) | bit(RDMA_WRITE)
            | bit(RDMA_WRITE_WITH_IMM);
    private static final int READ_OR_ATOMIC = bit(RDMA_READ) | bit(CMP_AND_SWP) | bit(FETCH_AND_ADD);
    private static final int TAKES_RECEIVE = bit(SEND) | bit(SEND_WITH_IMM) | bit(SEND_WITH_INV)
            | bit(RDMA_WRITE_WITH_IMM);
    private static final int LOCAL = bit(LOCAL_INV) | bit(BIND_MW);
    private static final int[] COMPLETION = completions();

    private WrOpcodeCode() {}

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

    private static boolean in(int set, int opcode) {
        return opcode >= 0 && opcode < COUNT && (set >>> opcode & 1) != 0;
    }

    public static boolean isLegal(int legalSet, int opcode) {
        return in(legalSet, opcode);
    }

    public static boolean mayBeInline(int opcode) {
        return in(INLINE_LEGAL, opcode);
    }

    /** Whether the peer's response carries data: READ and atomics. */
    public static boolean isReadOrAtomic(int opcode) {
        return in(READ_OR_ATOMIC, opcode);
    }

    /** Whether the operation takes a receive request of the peer. */
    public static boolean takesReceive(int opcode) {
        return in(TAKES_RECEIVE, opcode);
    }

    public static boolean isAtomic(int opcode) {
        return opcode == CMP_AND_SWP || opcode == FETCH_AND_ADD;
    }

    /** Whether the operation sends no packet. */
    public static boolean isLocal(int opcode) {
        return in(LOCAL, opcode);
    }

    public static boolean isSend(int opcode) {
        return opcode == SEND || opcode == SEND_WITH_IMM || opcode == SEND_WITH_INV;
    }

    public static boolean isWrite(int opcode) {
        return opcode == RDMA_WRITE || opcode == RDMA_WRITE_WITH_IMM;
    }

    public static boolean hasImmediate(int opcode) {
        return opcode == SEND_WITH_IMM || opcode == RDMA_WRITE_WITH_IMM;
    }

    /** The opcode of the requester's completion, {@code enum ibv_wc_opcode}. */
    public static int completion(int opcode) {
        return COMPLETION[opcode];
    }
}
