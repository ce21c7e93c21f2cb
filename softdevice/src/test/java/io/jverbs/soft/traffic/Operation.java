package io.jverbs.soft.traffic;

import io.jverbs.WcStatus;
import io.jverbs.soft.traffic.Step.Kind;
import java.time.Duration;

/** A request that was posted. */
final class Operation {
    final int index;
    final Kind kind;
    final int flags;
    final byte[] content;
    /** Where its data is at the sender: what it sends, or what it gets. */
    final int local;
    /** Where in the receiver's memory; of the flow's own area. */
    final int remote;
    /** Of an atomic. */
    long compareAdd;
    long swap;
    /** How many operations before it consume a receive request, and whether that for it was there when it was posted. */
    int turn;
    boolean receiveWasThere;
    /** When it was posted, by the network's clock. */
    Duration postedAt;
    /** Null until it is known. */
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

    boolean is(int flag) {
        return (flags & flag) != 0;
    }

    int length() {
        return content.length;
    }

    boolean succeeded() {
        return status == WcStatus.SUCCESS;
    }

    /** Whether it writes a byte of the receiver's memory, and what if so; -1 if not. */
    int writes(int at) {
        boolean write = kind == Kind.WRITE || kind == Kind.WRITE_IMM;
        return write && !is(Step.WRONG_KEY) && at >= remote && at < remote + content.length
                ? content[at - remote] & 0xFF
                : -1;
    }

    @Override
    public String toString() {
        return kind + " #" + index + " of " + content.length + " bytes";
    }
}
