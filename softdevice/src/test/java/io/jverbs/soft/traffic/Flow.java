package io.jverbs.soft.traffic;

import static io.jverbs.soft.traffic.Violation.unless;

import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WcFlags;
import io.jverbs.WcOpcode;
import io.jverbs.WcStatus;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import io.jverbs.control.SimulatedPacket;
import io.jverbs.soft.traffic.Step.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;

/** One direction of one connection. It posts requests and checks their completions and effects against the model. */
abstract class Flow {
    private static final int GARBAGE = 0x5A5A_5A5A;
    private static final long RECEIVE = 1L << 31;
    private static final int FLOW_SHIFT = 16;

    final ScriptRunner runner;
    final int number;
    final Side from;
    final Side to;
    final QueuePair sender;
    final QueuePair receiver;
    final List<Operation> posted = new ArrayList<>();
    final List<Operation> consuming = new ArrayList<>();
    final List<PostedReceive> receives = new ArrayList<>();
    /** How many of the receive requests have completed. */
    int received;
    private int nextPsn;
    private final SendWorkRequest request = SendWorkRequest.create(1);
    private final ReceiveWorkRequest receive = ReceiveWorkRequest.create(1);
    private final Random contents;

    /**
     * A receive request.
     *
     * @param capacity the length of its buffer, without the GRH
     * @param at the offset of its buffer in the receiver's region
     * @param since the time at which it was posted
     * @param before the number of packets that had been sent when it was posted
     */
    record PostedReceive(int capacity, int at, Duration since, long before) {

        /** Whether it was posted before a packet arrived. */
        boolean isBefore(SimulatedPacket packet) {
            return packet.number() >= before || packet.arrives().compareTo(since) > 0;
        }
    }

    Flow(ScriptRunner runner, int number, Side from, Side to, QueuePair sender, QueuePair receiver) {
        this.runner = runner;
        this.number = number;
        this.from = from;
        this.to = to;
        this.sender = sender;
        this.receiver = receiver;
        this.contents = new Random(runner.script().seed() * ScriptRunner.FLOWS + number);
        this.nextPsn = runner.psn(sender);
    }

    static int flowOf(long wrId) {
        return (int) (wrId >>> 32);
    }

    static boolean isReceive(long wrId) {
        return (wrId & RECEIVE) != 0;
    }

    /** The opcode in the completion of a send request. */
    static WcOpcode opcodeOf(Kind kind) {
        return switch (kind) {
            case SEND -> WcOpcode.SEND;
            case WRITE, WRITE_IMM -> WcOpcode.RDMA_WRITE;
            case READ -> WcOpcode.RDMA_READ;
            case FETCH_ADD -> WcOpcode.FETCH_ADD;
            case COMPARE_SWAP -> WcOpcode.COMP_SWAP;
        };
    }

    private static int indexOf(long wrId) {
        return (int) (wrId & RECEIVE - 1);
    }

    /** Whether this flow supports a kind of request. */
    abstract boolean takes(Kind kind);

    /** The length of a step's request on this flow. */
    int length(Step.Post step) {
        return step.kind().isAtomic() ? Long.BYTES : step.length();
    }

    /** The offset in the receiver's memory that a request names. */
    abstract int remote(Step.Post step, int length);

    /** The bytes before each message in the buffer of a receive request: 40 for a GRH, otherwise 0. */
    int grhBytes() {
        return 0;
    }

    /** Determines the memory window that a request uses or invalidates. */
    void useWindow(Operation operation, Step.Post step) {
        // no windows
    }

    /** Prepares the sender for a request. */
    void prepare(Step.Post next) {
        // nothing to do
    }

    /** Whether a request is never sent. */
    boolean isNeverSent(Operation operation) {
        return operation.isNeverSent();
    }

    /** How many packets a request or its response has. */
    int packets(Operation operation) {
        int mtu = runner.script().terms().mtu().bytes();
        return operation.kind.isAtomic() ? 1 : Math.max(1, (operation.length() + mtu - 1) / mtu);
    }

    /** Posts a request; null if this flow does not support it. */
    final Operation post(Step.Post step) {
        if (!takes(step.kind())) {
            return null;
        }
        prepare(step);
        byte[] content = new byte[length(step)];
        contents.nextBytes(content);
        boolean returnsData = step.kind() == Kind.READ || step.kind().isAtomic();
        int local = returnsData ? from.allocate(content.length) : from.allocate(content);
        Operation operation = new Operation(posted.size(), step, content, local, remote(step, content.length));
        useWindow(operation, step);
        if (!isNeverSent(operation)) {
            operation.firstPsn = nextPsn;
            operation.packets = packets(operation);
            nextPsn = nextPsn + operation.packets & Operation.PSN_MASK;
        }
        operation.compareAdd = contents.nextInt(4);
        operation.swap = contents.nextInt(4);
        operation.receiveIndex = consuming.size();
        operation.receivePosted = receives.size() > operation.receiveIndex;
        operation.postedAt = runner.now();
        posted.add(operation);
        if (operation.kind.consumesReceive()) {
            consuming.add(operation);
        }
        sender.postSend(write(operation));
        return operation;
    }

    private SendWorkRequest write(Operation operation) {
        boolean immediate = operation.hasImmediate();
        int flags = (operation.has(Step.SIGNALED) ? SendFlags.SIGNALED : 0)
                | (operation.has(Step.FENCE) && receiver.type() == QpType.RC ? SendFlags.FENCE : 0)
                | (operation.has(Step.SOLICITED) ? SendFlags.SOLICITED : 0);
        request.wrId((long) number << 32 | operation.index).flags(flags);
        if (operation.length() == 0) {
            request.sgeCount(0);
        } else if (operation.lacksMemory()) {
            request.sge(0, from.region.address() + operation.local, operation.length(), GARBAGE);
        } else {
            request.sge(from.region, operation.local, operation.length());
        }
        long address = to.region.address() + operation.remote;
        int rkey = operation.has(Step.WRONG_KEY) ? GARBAGE : rkey(operation);
        switch (operation.kind) {
            case SEND -> {
                if (operation.invalidates()) {
                    request.opcode(WrOpcode.SEND_WITH_INV).invalidateRkey(rkey);
                } else {
                    request.opcode(immediate ? WrOpcode.SEND_WITH_IMM : WrOpcode.SEND);
                }
            }
            case WRITE -> request.opcode(WrOpcode.RDMA_WRITE).remote(address, rkey);
            case WRITE_IMM -> request.opcode(WrOpcode.RDMA_WRITE_WITH_IMM).remote(address, rkey);
            case READ -> request.opcode(WrOpcode.RDMA_READ).remote(address, rkey);
            case FETCH_ADD -> request.opcode(WrOpcode.ATOMIC_FETCH_AND_ADD).fetchAndAdd(address, rkey,
                    operation.compareAdd);
            case COMPARE_SWAP -> request.opcode(WrOpcode.ATOMIC_CMP_AND_SWP).compareAndSwap(address, rkey,
                    operation.compareAdd, operation.swap);
        }
        if (immediate) {
            request.immediate(immediateOf(operation));
        }
        address(request, operation);
        return request;
    }

    /** The rkey of the receiver's memory. */
    int rkey(Operation operation) {
        return to.region.rkey();
    }

    /** Sets the destination of a datagram. */
    void address(SendWorkRequest datagram, Operation operation) {
        // the connection determines it
    }

    private int immediateOf(Operation operation) {
        return number << FLOW_SHIFT | operation.index;
    }

    final void receive(int count, int capacity) {
        for (int i = 0; i < count; i++) {
            int bytes = capacity + grhBytes();
            int at = to.allocate(bytes);
            receive.wrId((long) number << 32 | RECEIVE | receives.size());
            if (bytes == 0) {
                receive.sgeCount(0);
            } else {
                receive.sge(to.region, at, bytes);
            }
            receives.add(new PostedReceive(capacity, at, runner.now(), runner.packets()));
            receiver.postReceive(receive);
        }
    }

    /** Checks a polled completion of this flow. */
    final void completed(WorkCompletions completions, int which) {
        long wrId = completions.wrId(which);
        int index = indexOf(wrId);
        WcStatus status = completions.status(which);
        if (isReceive(wrId)) {
            unless(completions.qpNumber(which) == receiver.number(),
                    "%s: receive completion with another queue pair number", this);
            unless(index == received, "%s: receive request %d completed, expected %d", this, index, received);
            unless(index < receives.size(), "%s: receive request %d was never posted", this, index);
            received++;
            arrived(receives.get(index), status, completions, which);
        } else {
            unless(completions.qpNumber(which) == sender.number(), "%s: send completion with another queue pair number",
                    this);
            unless(index < posted.size(), "%s: request %d was never posted", this, index);
            Operation operation = posted.get(index);
            if (status == WcStatus.SUCCESS) {
                checkValues(operation, completions, which);
            }
            sent(operation, status);
        }
    }

    /** Checks the fields in the completion of a successful request. */
    private void checkValues(Operation operation, WorkCompletions completions, int which) {
        unless(completions.opcode(which) == opcodeOf(operation.kind), "%s: %s completed as %s", this, operation,
                completions.opcode(which));
        unless(!operation.returnsData() || completions.byteLength(which) == operation.length(),
                "%s: %s completed with %d bytes", this, operation, completions.byteLength(which));
    }

    /** Checks the completion of a receive request. */
    abstract void arrived(PostedReceive into, WcStatus status, WorkCompletions completions, int which);

    /** Checks the completion of a send request. */
    abstract void sent(Operation operation, WcStatus status);

    /** Checks that a receive completion and its buffer match a message. */
    final void checkMessage(Operation operation, PostedReceive into, WorkCompletions completions, int which) {
        boolean write = operation.kind == Kind.WRITE_IMM;
        boolean immediate = operation.hasImmediate();
        unless(completions.opcode(which) == (write ? WcOpcode.RECV_RDMA_WITH_IMM : WcOpcode.RECV),
                "%s: %s arrived as %s", this, operation, completions.opcode(which));
        unless(completions.byteLength(which) == operation.length() + (write ? 0 : grhBytes()),
                "%s: %s arrived with %d bytes", this, operation, completions.byteLength(which));
        unless(((completions.flags(which) & WcFlags.WITH_IMM) != 0) == immediate, "%s: %s arrived with flags %x", this,
                operation, completions.flags(which));
        unless(!immediate || completions.immediate(which) == immediateOf(operation), "%s: %s arrived with immediate %x",
                this, operation, completions.immediate(which));
        boolean invalidated = (completions.flags(which) & WcFlags.WITH_INV) != 0;
        unless(invalidated == operation.invalidates()
                && (!invalidated || completions.invalidatedRkey(which) == rkey(operation)),
                "%s: %s arrived with flags %x and invalidated %x", this, operation, completions.flags(which),
                invalidated ? completions.invalidatedRkey(which) : 0);
        unless(write || operation.length() <= into.capacity(), "%s: %s arrived in a buffer of %d bytes", this,
                operation,
                into.capacity());
        if (!write) {
            unless(to.holds(into.at() + grhBytes(), operation.content), "%s: %s arrived with wrong data", this,
                    operation);
            checkHeader(operation, into);
            to.expect(into.at() + grhBytes(), operation.content);
        }
        operation.deliveries++;
    }

    /** Checks the GRH before a message in the buffer of a receive request. */
    void checkHeader(Operation operation, PostedReceive into) {
        // no GRH
    }

    /** Returns the operation that immediate data identifies. */
    final Operation named(int immediate) {
        int index = immediate & (1 << FLOW_SHIFT) - 1;
        unless(immediate >>> FLOW_SHIFT == number && index < posted.size(),
                "%s: immediate %x identifies no request of this flow", this, immediate);
        return posted.get(index);
    }

    /** Accepts that a buffer contains the start of a message that was not delivered, but no other data. */
    final void acceptPart(PostedReceive into, int from, Predicate<Operation> mayHave) {
        byte[] nothing = new byte[Math.max(0, into.capacity() - from)];
        List<Operation> may = null;
        for (int i = to.differs(into.at() + from, nothing, 0); i >= 0; i = to.differs(into.at() + from, nothing,
                i + 1)) {
            may = may != null
                    ? may
                    : consuming.stream().filter(each -> each.kind == Kind.SEND).filter(mayHave).toList();
            unless(isOf(may, from + i, to.at(into.at() + from + i)),
                    "%s: byte %d after the data delivered to a receive request is %d", this, from + i,
                    to.at(into.at() + from + i));
        }
        to.accept(into.at() + from, nothing.length);
    }

    private static boolean isOf(List<Operation> messages, int at, byte value) {
        for (Operation message : messages) {
            if (at < message.length() && message.content[at] == value) {
                return true;
            }
        }
        return false;
    }

    /** Checks completions and memory at the end of the run, when nothing is in flight. */
    abstract void checkFinalState();

    /** Checks that all receive requests have completed. */
    final void checkReceives() {
        unless(received == receives.size(), "%s: of %d receive requests %d completed", this, receives.size(),
                received);
    }

    /** Whether there are outstanding requests. */
    abstract boolean hasOutstanding();

    @Override
    public String toString() {
        return sender.type() + (number < ScriptRunner.SECOND_PAIR ? "" : ", second pair,")
                + (number % 2 == 0 ? " left to right" : " right to left");
    }
}
