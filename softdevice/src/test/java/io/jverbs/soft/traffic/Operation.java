package io.jverbs.soft.traffic;

import io.jverbs.WcStatus;
import io.jverbs.soft.traffic.Step.Kind;
import java.time.Duration;

/** A request that was posted. */
final class Operation {
    static final int PSN_MASK = 0xFFFFFF;

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
    /** The PSN of its first packet, and how many it has, or its answer; unless it is never sent. */
    int firstPsn;
    int packets;
    /** Of a reliable connection, which window it uses or invalidates; -1 if none. And whether an earlier one has invalidated that. */
    int window = -1;
    boolean windowGone;
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

    /** Whether it brings data back. */
    boolean gets() {
        return kind == Kind.READ || kind.isAtomic();
    }

    /** Whether the sender cannot use the memory that it names. */
    boolean lacksMemory() {
        return is(Step.WRONG_LKEY) && content.length != 0;
    }

    /** Whether it is never sent, for want of what to send. */
    boolean staysHere() {
        return lacksMemory() && !gets();
    }

    /** Whether its key does not give the right that it needs. */
    boolean lacksRight() {
        return (is(Step.WRONG_KEY) || windowGone) && kind != Kind.SEND && content.length != 0;
    }

    /** Whether it is a SEND that invalidates a window. */
    boolean invalidates() {
        return kind == Kind.SEND && window >= 0;
    }

    /** Whether it invalidates what there is not: the receiver fails, and says nothing. */
    boolean invalidatesNothing() {
        return invalidates() && (is(Step.WRONG_KEY) || windowGone);
    }

    /** Whether it brings immediate data. */
    boolean hasImmediate() {
        return kind == Kind.WRITE_IMM || kind == Kind.SEND && is(Step.IMMEDIATE) && !invalidates();
    }

    /** The PSN of the packet that needs a receive request. */
    int consumingPsn() {
        return kind == Kind.WRITE_IMM ? firstPsn + packets - 1 & PSN_MASK : firstPsn;
    }

    boolean succeeded() {
        return status == WcStatus.SUCCESS;
    }

    /** Whether it writes a byte of the receiver's memory, and what if so; -1 if not. */
    int writes(int at) {
        boolean write = kind == Kind.WRITE || kind == Kind.WRITE_IMM;
        return write && !lacksRight() && !lacksMemory() && at >= remote && at < remote + content.length
                ? content[at - remote] & 0xFF
                : -1;
    }

    @Override
    public String toString() {
        return kind + " #" + index + " of " + content.length + " bytes";
    }
}
