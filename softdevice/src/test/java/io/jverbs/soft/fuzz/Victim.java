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
import io.jverbs.soft.ScriptedDevice;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A device with queue pairs of each type, in each state that matters, and memory of each kind of right around them. */
final class Victim implements Forge.Names {
    static final Gid GID = Gid.parse("::ffff:192.0.2.1");
    static final Gid PEER = Gid.parse("::ffff:192.0.2.2");
    static final Gid STRANGER = Gid.parse("::ffff:192.0.2.3");
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
    /** A receive request has two elements with a gap between them, and a gap behind. */
    private static final int FIRST_ELEMENT = 400;
    private static final int SECOND_ELEMENT = 300;
    private static final int GAP = 8;
    private static final int SRQ_SIZE = 16;
    private static final int QUEUE = 16;
    private static final int COMPLETIONS = 4096;
    private static final int MANY_EVENTS = 100;

    private final Field field = new Field(64 << 10);
    private final List<Target> targets = new ArrayList<>();
    private final VirtualTimers timers = new VirtualTimers();
    private final Outlet outlet = new Outlet(GID);
    private final ScriptedDevice device = new ScriptedDevice(GID, timers, new Random(1), outlet);
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
    private final Ledger ledger = new Ledger(device.port());
    private final boolean[] used;
    private int inboxUsed;
    private long received;
    private long delivered;

    Victim() {
        MemorySegment openArea = field.area(OPEN_BYTES);
        field.open(openArea, 0, OPEN_BYTES);
        MemorySegment windowArea = field.area(3 * SMALL);
        field.open(windowArea, SMALL, SMALL);
        MemorySegment readOnlyArea = field.area(SMALL);
        MemorySegment closedArea = field.area(SMALL);
        MemorySegment foreignArea = field.area(SMALL);
        open = pd.registerMemory(openArea, ALL, OPEN_AT);
        windowed = pd.registerMemory(windowArea, Access.LOCAL_WRITE | Access.MW_BIND, WINDOW_AT);
        readOnly = pd.registerMemory(readOnlyArea, Access.REMOTE_READ, READ_ONLY_AT);
        closed = pd.registerMemory(closedArea, Access.LOCAL_WRITE, CLOSED_AT);
        foreign = context.allocatePd().registerMemory(foreignArea, ALL, FOREIGN_AT);
        inbox = pd.registerMemory(field.area(40L * SLOT), Access.LOCAL_WRITE);
        window = pd.allocateMemoryWindow(MwType.TYPE_2);
        srq = pd.createSharedReceiveQueue(SrqInitAttributes.of(SRQ_SIZE, 2));
        shared = receive();
        extra = receive();
        unusable.sge(0, OPEN_AT, SMALL, 1).sgeCount(1);
        extraSend = send(WrOpcode.SEND, 300);
        add(QpType.RC, QpState.RTS, true, receives(), List.of());
        add(QpType.UC, QpState.RTS, true, receives(), List.of());
        add(QpType.UD, QpState.RTS, true, receives(), List.of());
        add(QpType.RC, QpState.RTS, true, List.of(), underWay());
        targets.add(new Target(pd.createQueuePair(init(QpType.RC).srq(srq).build()), PEER, QpState.RTS, true,
                List.of(), List.of()));
        add(QpType.RC, QpState.RTR, true, List.of(), List.of());
        add(QpType.RC, QpState.RTS, false, receives(), List.of());
        add(QpType.UC, QpState.RTS, false, List.of(), List.of());
        add(QpType.RC, QpState.INIT, true, receives(), List.of());
        add(QpType.UC, QpState.ERR, true, receives(), List.of());
        targets.add(new Target(pd.createQueuePair(init(QpType.UD).srq(srq).build()), PEER, QpState.RTS, true,
                List.of(), List.of()));
        field.finish();
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

    private void add(QpType type, QpState state, boolean rights, List<ReceiveWorkRequest> receives,
            List<SendWorkRequest> sends) {
        QueuePair qp = pd.createQueuePair(init(type).build());
        targets.add(new Target(qp, PEER, state, rights, receives, sends));
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
        field.open(inbox.segment(), at, FIRST_ELEMENT);
        field.open(inbox.segment(), at + FIRST_ELEMENT + GAP, SECOND_ELEMENT);
        return ReceiveWorkRequest.create(2).wrId(inboxUsed).sge(0, inbox, at, FIRST_ELEMENT)
                .sge(1, inbox, at + FIRST_ELEMENT + GAP, SECOND_ELEMENT).sgeCount(2);
    }

    private SendWorkRequest send(WrOpcode opcode, int length) {
        long at = (long) SLOT * inboxUsed++;
        if (opcode == WrOpcode.RDMA_READ || opcode == WrOpcode.ATOMIC_FETCH_AND_ADD
                || opcode == WrOpcode.ATOMIC_CMP_AND_SWP) {
            field.open(inbox.segment(), at, length);
        }
        return SendWorkRequest.create(1).wrId(inboxUsed).opcode(opcode).sge(inbox, at, length).remote(OPEN_AT, 1);
    }

    /** Three packets, three, three answers, one, one, one, and one. */
    private List<SendWorkRequest> underWay() {
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

    /** The queue pair that a script chooses, or null for none that there is. */
    Target target(int choice) {
        int index = choice & 15;
        if (index >= targets.size()) {
            return null;
        }
        used[index] = true;
        return targets.get(index);
    }

    /** Hands a packet to the engine, as if it had come to the socket, and looks that it was taken or dropped for a reason. */
    void deliver(Forge forge, ByteBuffer packet) {
        settle();
        ledger.open();
        delivered++;
        device.wire().deliver(packet, forge.source());
        ledger.expectOne();
        settle();
    }

    /** Sends what is due. */
    private void settle() {
        while (device.wire().pump()) {
            outlet.checkBounded();
        }
    }

    void letTimePass(int code) {
        useAllWithSends();
        timers.advance(1L << Math.min(code, 40));
        settle();
    }

    private void useAllWithSends() {
        for (int i = 0; i < used.length; i++) {
            used[i] |= targets.get(i).hasSends();
        }
    }

    /** Posts a receive request, one in four of memory that there is not. */
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
                throw new AssertionError("a completion of " + completions.byteLength(i) + " bytes");
            }
        }
    }

    /** Looks whether all is as it must be after an input, and makes it as before the input. */
    void finish() {
        settle();
        field.check();
        outlet.check();
        drain();
        drainEvents();
        boolean any = false;
        for (int i = 0; i < used.length; i++) {
            if (used[i]) {
                targets.get(i).reset();
                any |= targets.get(i).hasSends();
            }
        }
        if (any) {
            useAllWithSends();
            timers.advance(Long.MAX_VALUE >>> 2);
            if (timers.pending() != 0) {
                throw new AssertionError(timers.pending() + " alarms of queue pairs that are reset");
            }
        }
        for (int i = 0; i < used.length; i++) {
            if (used[i]) {
                used[i] = false;
                prepare(targets.get(i));
            }
        }
        while (srq.tryPostReceive(shared) == 0) {
            // until it is full again
        }
        settle();
        drain();
        outlet.clear();
    }

    private void drain() {
        long before;
        int rounds = 0;
        do {
            before = received;
            poll();
            if (++rounds > COMPLETIONS) {
                throw new AssertionError("completions without end");
            }
        } while (received != before);
    }

    private void drainEvents() {
        try {
            for (int i = 0; i < MANY_EVENTS; i++) {
                AsyncEvent event = context.awaitAsyncEvent(Duration.ZERO);
                if (event == null) {
                    return;
                }
                event.close();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new AssertionError(MANY_EVENTS + " events of one input");
    }

    /** Packets that were delivered. */
    long delivered() {
        return delivered;
    }

    /** Completions that were polled. */
    long received() {
        return received;
    }

    Ledger ledger() {
        return ledger;
    }

    Outlet outlet() {
        return outlet;
    }
}
