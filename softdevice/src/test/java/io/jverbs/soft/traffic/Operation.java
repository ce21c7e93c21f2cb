package io.jverbs.soft.traffic;

import io.jverbs.WcStatus;
import io.jverbs.soft.traffic.Step.Kind;
import java.time.Duration;

/** A posted request, with what the model knows of it. */
final class Operation {
    static final int PSN_MASK = 0xFFFFFF;

    final int index;
    final Kind kind;
    final int flags;
    final byte[] content;
    /** The offset in the sender's memory, of the data to send or of the data that is returned. */
    final int local;
    /** The offset in the receiver's memory. */
    final int remote;
    /** The operands of an atomic. */
    long compareAdd;
    long swap;
    /** The index of the receive request that it consumes, and whether that was posted when this was posted. */
    int receiveIndex;
    boolean receivePosted;
    /** The network's time when it was posted. */
    Duration postedAt;
    /** The PSN of its first packet and the number of packets of the request or its response; 0 if it is never sent. */
    int firstPsn;
    int packets;
    /**
     * On a reliable connection, the index of the memory window that it uses or invalidates, -1 if none; and whether an
     * earlier request invalidates this window.
     */
    int window = -1;
    boolean windowInvalidated;
    /** The status of its completion; null until it is known. */
    WcStatus status;
    int deliveries;

    Operation(int index, Step.Post step, byte[] content, int local, int remote) {
        this.index = index;
        this.kind = step.kind();
        this.flags = step.flags();
        this.content = content;
        this.local = local;
        this.remote = remote;
    }

    boolean has(int flag) {
        return (flags & flag) != 0;
    }

    int length() {
        return content.length;
    }

    /** Whether its response carries data. */
    boolean returnsData() {
        return kind == Kind.READ || kind.isAtomic();
    }

    /** Whether its lkey is invalid for its memory. */
    boolean lacksMemory() {
        return has(Step.WRONG_LKEY) && content.length != 0;
    }

    /** Whether it is never sent because the sender cannot read its data. */
    boolean isNeverSent() {
        return lacksMemory() && !returnsData();
    }

    /** Whether its rkey does not give the required access. */
    boolean lacksAccess() {
        return (has(Step.WRONG_KEY) || windowInvalidated) && kind != Kind.SEND && content.length != 0;
    }

    /** Whether it is a SEND that invalidates a memory window. */
    boolean invalidates() {
        return kind == Kind.SEND && window >= 0;
    }

    /** Whether it invalidates a window that does not exist; the receiver enters the error state without a response. */
    boolean invalidatesNoWindow() {
        return invalidates() && (has(Step.WRONG_KEY) || windowInvalidated);
    }

    /** Whether it carries immediate data. */
    boolean hasImmediate() {
        return kind == Kind.WRITE_IMM || kind == Kind.SEND && has(Step.IMMEDIATE) && !invalidates();
    }

    /** The PSN of the packet that consumes a receive request. */
    int consumingPsn() {
        return kind == Kind.WRITE_IMM ? firstPsn + packets - 1 & PSN_MASK : firstPsn;
    }

    boolean succeeded() {
        return status == WcStatus.SUCCESS;
    }

    /** The value that it writes to a byte of the receiver's memory; -1 if it does not write this byte. */
    int valueWrittenAt(int at) {
        boolean write = kind == Kind.WRITE || kind == Kind.WRITE_IMM;
        return write && !lacksAccess() && !lacksMemory() && at >= remote && at < remote + content.length
                ? content[at - remote] & 0xFF
                : -1;
    }

    @Override
    public String toString() {
        return kind + " #" + index + " of " + content.length + " bytes";
    }
}
