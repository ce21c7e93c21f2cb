package io.jverbs.soft.fuzz;

import io.jverbs.Access;
import io.jverbs.AsyncEvent;
import io.jverbs.CompletionQueue;
import io.jverbs.Gid;
import io.jverbs.MemoryRegion;
import io.jverbs.MemoryWindow;
import io.jverbs.MwBind;
import io.jverbs.MwType;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.SharedReceiveQueue;
import io.jverbs.SrqInitAttributes;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import io.jverbs.soft.fabric.udp.ScriptedDevice;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * The device under test of the fuzzer. It has queue pairs of each type in each relevant state, and memory regions with
 * different access flags between guard bytes.
 */
public final class FuzzedDevice implements PacketGenerator.Keys {
    public static final Gid GID = Gid.parse("::ffff:192.0.2.1");
    public static final Gid PEER = Gid.parse("::ffff:192.0.2.2");
    public static final Gid OTHER_HOST = Gid.parse("::ffff:192.0.2.3");
    private static final long OPEN_AT = 0x10_0000;
    private static final long WINDOW_AT = 0x20_0000;
    private static final long READ_ONLY_AT = 0x30_0000;
    private static final long CLOSED_AT = 0x40_0000;
    private static final long FOREIGN_AT = 0x50_0000;
    private static final int ALL = Access.LOCAL_WRITE | Access.REMOTE_WRITE | Access.REMOTE_READ
            | Access.REMOTE_ATOMIC;
    private static final int OPEN_BYTES = 2048;
    private static final int SMALL = 256;
    private static final int RECEIVES = 4;
    private static final int SLOT = 1024;
    /** The lengths of the two elements of a receive request, with a gap between them and after them. */
    private static final int FIRST_ELEMENT = 400;
    private static final int SECOND_ELEMENT = 300;
    private static final int GAP = 8;
    private static final int SRQ_SIZE = 16;
    private static final int QUEUE = 16;
    private static final int COMPLETIONS = 4096;
    private static final int MAX_EVENTS = 100;

    private final GuardedMemory guarded = new GuardedMemory(64 << 10);
    private final List<Target> targets = new ArrayList<>();
    private final VirtualTimers timers = new VirtualTimers();
    private final SentPacketChecker sentPackets = new SentPacketChecker(GID);
    private final ScriptedDevice device = new ScriptedDevice(GID, timers, new Random(1), sentPackets);
    private final RdmaContext context = device.open();
    private final ProtectionDomain pd = context.allocatePd();
    private final CompletionQueue cq = context.createCompletionQueue(COMPLETIONS);
    private final WorkCompletions completions = WorkCompletions.create(64);
    private final MemoryRegion open;
    private final MemoryRegion windowed;
    private final MemoryRegion readOnly;
    private final MemoryRegion closed;
    private final MemoryRegion foreign;
    private final MemoryRegion inbox;
    private final MemoryWindow window;
    private final SendWorkRequest bind = SendWorkRequest.create(0);
    private final SharedReceiveQueue srq;
    private final ReceiveWorkRequest shared;
    private final ReceiveWorkRequest extra;
    private final ReceiveWorkRequest unusable = ReceiveWorkRequest.create(1);
    private final SendWorkRequest extraSend;
    private final PacketAccounting accounting = new PacketAccounting(device.port());
    private final boolean[] used;
    private int inboxUsed;
    private long received;
    private long delivered;

    FuzzedDevice() {
        MemorySegment openArea = guarded.area(OPEN_BYTES);
        guarded.open(openArea, 0, OPEN_BYTES);
        MemorySegment windowArea = guarded.area(3 * SMALL);
        guarded.open(windowArea, SMALL, SMALL);
        MemorySegment readOnlyArea = guarded.area(SMALL);
        MemorySegment closedArea = guarded.area(SMALL);
        MemorySegment foreignArea = guarded.area(SMALL);
        open = pd.registerMemory(openArea, ALL, OPEN_AT);
        windowed = pd.registerMemory(windowArea, Access.LOCAL_WRITE | Access.MW_BIND, WINDOW_AT);
        readOnly = pd.registerMemory(readOnlyArea, Access.REMOTE_READ, READ_ONLY_AT);
        closed = pd.registerMemory(closedArea, Access.LOCAL_WRITE, CLOSED_AT);
        foreign = context.allocatePd().registerMemory(foreignArea, ALL, FOREIGN_AT);
        inbox = pd.registerMemory(guarded.area(40L * SLOT), Access.LOCAL_WRITE);
        window = pd.allocateMemoryWindow(MwType.TYPE_2);
        srq = pd.createSharedReceiveQueue(SrqInitAttributes.of(SRQ_SIZE, 2));
        shared = receive();
        extra = receive();
        unusable.sge(0, OPEN_AT, SMALL, 1).sgeCount(1);
        extraSend = send(WrOpcode.SEND, 300);
        add(QpType.RC, QpState.RTS, true, receives(), List.of());
        add(QpType.UC, QpState.RTS, true, receives(), List.of());
        add(QpType.UD, QpState.RTS, true, receives(), List.of());
        add(QpType.RC, QpState.RTS, true, List.of(), outstandingSends());
        targets.add(new Target(pd.createQueuePair(init(QpType.RC).srq(srq).build()), PEER, QpState.RTS, true,
                List.of(), List.of()));
        add(QpType.RC, QpState.RTR, true, List.of(), List.of());
        add(QpType.RC, QpState.RTS, false, receives(), List.of());
        add(QpType.UC, QpState.RTS, false, List.of(), List.of());
        add(QpType.RC, QpState.INIT, true, receives(), List.of());
        add(QpType.UC, QpState.ERR, true, receives(), List.of());
        targets.add(new Target(pd.createQueuePair(init(QpType.UD).srq(srq).build()), PEER, QpState.RTS, true,
                List.of(), List.of()));
        guarded.finish();
        used = new boolean[targets.size()];
        for (Target target : targets) {
            prepare(target);
        }
        drain();
    }

    private QpInitAttributes.Builder init(QpType type) {
        return QpInitAttributes.builder(type).cq(cq).maxSendWr(QUEUE).maxRecvWr(QUEUE).maxSendSge(2).maxRecvSge(2)
                .signalAll(true);
    }

    private void add(QpType type, QpState state, boolean remoteAccess, List<ReceiveWorkRequest> receives,
            List<SendWorkRequest> sends) {
        QueuePair qp = pd.createQueuePair(init(type).build());
        targets.add(new Target(qp, PEER, state, remoteAccess, receives, sends));
    }

    private List<ReceiveWorkRequest> receives() {
        List<ReceiveWorkRequest> all = new ArrayList<>();
        for (int i = 0; i < RECEIVES; i++) {
            all.add(receive());
        }
        return all;
    }

    private ReceiveWorkRequest receive() {
        long at = (long) SLOT * inboxUsed++;
        guarded.open(inbox.segment(), at, FIRST_ELEMENT);
        guarded.open(inbox.segment(), at + FIRST_ELEMENT + GAP, SECOND_ELEMENT);
        return ReceiveWorkRequest.create(2).wrId(inboxUsed).sge(0, inbox, at, FIRST_ELEMENT)
                .sge(1, inbox, at + FIRST_ELEMENT + GAP, SECOND_ELEMENT).sgeCount(2);
    }

    private SendWorkRequest send(WrOpcode opcode, int length) {
        long at = (long) SLOT * inboxUsed++;
        if (opcode == WrOpcode.RDMA_READ || opcode == WrOpcode.ATOMIC_FETCH_AND_ADD
                || opcode == WrOpcode.ATOMIC_CMP_AND_SWP) {
            guarded.open(inbox.segment(), at, length);
        }
        return SendWorkRequest.create(1).wrId(inboxUsed).opcode(opcode).sge(inbox, at, length).remote(OPEN_AT, 1);
    }

    /** Requests of three packets, three packets, three response packets, and four of one packet each. */
    private List<SendWorkRequest> outstandingSends() {
        return List.of(send(WrOpcode.SEND, 600), send(WrOpcode.RDMA_WRITE, 700), send(WrOpcode.RDMA_READ, 600),
                send(WrOpcode.ATOMIC_FETCH_AND_ADD, 8).fetchAndAdd(OPEN_AT, 1, 1),
                send(WrOpcode.ATOMIC_CMP_AND_SWP, 8).compareAndSwap(OPEN_AT, 1, 1, 2), send(WrOpcode.RDMA_READ, 8),
                send(WrOpcode.SEND_WITH_IMM, 0));
    }

    private void prepare(Target target) {
        target.prepare();
        if (target == targets.getFirst()) {
            target.qp().postSend(bind.opcode(WrOpcode.BIND_MW).flags(SendFlags.SIGNALED).bind(window,
                    MemoryWindow.incrementRkey(window.rkey()),
                    new MwBind(windowed, WINDOW_AT + SMALL, SMALL, ALL & ~Access.LOCAL_WRITE)));
        }
    }

    @Override
    public int rkey(int choice) {
        return switch (choice & 7) {
            case 1 -> window.rkey();
            case 2 -> readOnly.rkey();
            case 3 -> closed.rkey();
            case 4 -> foreign.rkey();
            case 5 -> open.rkey() ^ 1 << (choice >>> 3);
            case 6 -> windowed.rkey();
            default -> open.rkey();
        };
    }

    @Override
    public long address(int choice) {
        return switch (choice & 7) {
            case 1 -> WINDOW_AT + SMALL;
            case 2 -> READ_ONLY_AT;
            case 3 -> CLOSED_AT;
            case 4 -> FOREIGN_AT;
            case 6 -> WINDOW_AT;
            case 7 -> OPEN_AT + OPEN_BYTES;
            default -> OPEN_AT;
        };
    }

    /** Returns the queue pair that a script selects, or null if no queue pair has the index. */
    Target target(int choice) {
        int index = choice & 15;
        if (index >= targets.size()) {
            return null;
        }
        used[index] = true;
        return targets.get(index);
    }

    /**
     * Delivers a packet to the engine as if it arrived at the socket, and checks that it is accepted, or dropped for
     * exactly one reason.
     */
    void deliver(PacketGenerator generator, ByteBuffer packet) {
        pollUntilIdle();
        accounting.open();
        delivered++;
        device.wire().deliver(packet, generator.source());
        accounting.expectOne();
        pollUntilIdle();
    }

    /** Polls the engine until it sends nothing more. */
    private void pollUntilIdle() {
        while (device.wire().sendResponses()) {
            sentPackets.checkBounded();
        }
    }

    /** Advances the clock by a power of two of nanoseconds. */
    void advance(int code) {
        markAllWithSendsUsed();
        timers.advance(1L << Math.min(code, 40));
        pollUntilIdle();
    }

    private void markAllWithSendsUsed() {
        for (int i = 0; i < used.length; i++) {
            used[i] |= targets.get(i).hasSends();
        }
    }

    /** Posts a receive request; one choice in four has an invalid key. */
    void postReceive(Target target, int choice) {
        target.qp().tryPostReceive((choice & 3) == 3 ? unusable : extra);
    }

    void postSend(Target target) {
        target.qp().tryPostSend(extraSend);
    }

    void poll() {
        int count = cq.poll(completions);
        for (int i = 0; i < count; i++) {
            received++;
            if (completions.isSuccess(i) && completions.byteLength(i) > OPEN_BYTES) {
                throw new AssertionError(
                        "a completion reports " + completions.byteLength(i) + " bytes, more than " + OPEN_BYTES);
            }
        }
    }

    /** Checks the invariants after an input, and restores the state before the input. */
    void finish() {
        pollUntilIdle();
        guarded.check();
        sentPackets.check();
        drain();
        drainEvents();
        boolean resetSends = false;
        for (int i = 0; i < used.length; i++) {
            if (used[i]) {
                targets.get(i).reset();
                resetSends |= targets.get(i).hasSends();
            }
        }
        if (resetSends) {
            markAllWithSendsUsed();
            timers.advance(Long.MAX_VALUE >>> 2);
            if (timers.pending() != 0) {
                throw new AssertionError(timers.pending() + " timers are set after the queue pairs were reset");
            }
        }
        for (int i = 0; i < used.length; i++) {
            if (used[i]) {
                used[i] = false;
                prepare(targets.get(i));
            }
        }
        while (srq.tryPostReceive(shared) == 0) {
            // fills the queue
        }
        pollUntilIdle();
        drain();
        sentPackets.clear();
    }

    private void drain() {
        long before;
        int rounds = 0;
        do {
            before = received;
            poll();
            if (++rounds > COMPLETIONS) {
                throw new AssertionError("more than " + COMPLETIONS + " polls returned completions");
            }
        } while (received != before);
    }

    private void drainEvents() {
        try {
            for (int i = 0; i < MAX_EVENTS; i++) {
                AsyncEvent event = context.awaitAsyncEvent(Duration.ZERO);
                if (event == null) {
                    return;
                }
                event.close();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new AssertionError("one input caused " + MAX_EVENTS + " or more events");
    }

    /** Returns the number of packets that were delivered. */
    long delivered() {
        return delivered;
    }

    /** Returns the number of completions that were polled. */
    long received() {
        return received;
    }

    PacketAccounting accounting() {
        return accounting;
    }

    SentPacketChecker sentPackets() {
        return sentPackets;
    }
}
