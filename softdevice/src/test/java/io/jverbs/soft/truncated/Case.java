package io.jverbs.soft.truncated;

import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.WcStatus;
import io.jverbs.WrOpcode;

/**
 * A request on truncated memory, and its expected result.
 *
 * @param type the queue pair type
 * @param opcode the opcode of the request
 * @param gone the end whose memory is truncated
 * @param bytes the length of the message
 * @param pieces the number of scatter/gather elements of a list; if there are several, the memory of the second is
 *        truncated
 * @param windowed whether the key of remote memory is that of a memory window
 */
record Case(QpType type, WrOpcode opcode, End gone, int bytes, int pieces, boolean windowed) {
    /** From so many bytes on, part of an element can be truncated. */
    private static final int PARTLY = 32;
    private static final int GRH = 40;

    boolean isAtomic() {
        return opcode == WrOpcode.ATOMIC_FETCH_AND_ADD || opcode == WrOpcode.ATOMIC_CMP_AND_SWP;
    }

    private boolean isSend() {
        return opcode == WrOpcode.SEND || opcode == WrOpcode.SEND_WITH_IMM || opcode == WrOpcode.SEND_WITH_INV;
    }

    private boolean isReliable() {
        return type == QpType.RC;
    }

    /** Whether the request consumes a receive request. */
    boolean receives() {
        return isSend() || opcode == WrOpcode.RDMA_WRITE_WITH_IMM;
    }

    /** Whether the truncated memory is that of the receive request, not that of an rkey. */
    boolean inReceive() {
        return gone == End.RESPONDER && isSend();
    }

    /** The number of bytes that the receive request has room for. */
    int room() {
        return bytes + (type == QpType.UD ? GRH : 0);
    }

    /** Returns the length of an element of a list, whose total is a multiple of 4 if there are several. */
    int length(int total, int element) {
        return pieces == 1 ? total : element == 1 ? total / 2 : total / 4;
    }

    /** Returns the offset of the message in truncated memory at which part of it is truncated; 0 if there is none. */
    int partlyTruncatedAt() {
        boolean inList = gone == End.REQUESTER || inReceive();
        int total = inReceive() ? room() : bytes;
        int mapped = inList ? length(total, truncatedElement()) : total;
        return mapped < PARTLY ? 0 : MappedFile.PAGE - mapped / 2;
    }

    /** The index of the element whose memory is truncated. */
    int truncatedElement() {
        return pieces == 1 ? 0 : 1;
    }

    /** The status of the request's completion. */
    WcStatus status() {
        if (gone == End.REQUESTER) {
            return WcStatus.LOC_PROT_ERR;
        }
        if (!isReliable()) {
            return WcStatus.SUCCESS;
        }
        return inReceive() ? WcStatus.REM_OP_ERR : WcStatus.REM_ACCESS_ERR;
    }

    /** The state of the requester's queue pair afterwards. */
    QpState requester() {
        if (isReliable()) {
            return QpState.ERR;
        }
        return gone == End.REQUESTER ? QpState.SQE : QpState.RTS;
    }

    /** The state of the responder's queue pair afterwards. */
    QpState responder() {
        return gone == End.RESPONDER && (isReliable() || inReceive()) ? QpState.ERR : QpState.RTS;
    }
}
