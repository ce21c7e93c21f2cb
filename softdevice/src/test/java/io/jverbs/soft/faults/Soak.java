package io.jverbs.soft.faults;

import io.jverbs.Access;
import io.jverbs.AddressHandle;
import io.jverbs.AhAttributes;
import io.jverbs.AsyncEvent;
import io.jverbs.CompletionQueue;
import io.jverbs.ConnectionInfo;
import io.jverbs.Gid;
import io.jverbs.MemoryRegion;
import io.jverbs.MemoryWindow;
import io.jverbs.Mtu;
import io.jverbs.MwBind;
import io.jverbs.MwType;
import io.jverbs.ProtectionDomain;
import io.jverbs.Psn;
import io.jverbs.QpAttributes;
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
import io.jverbs.Verbs;
import io.jverbs.WcStatus;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import io.jverbs.control.DeviceCounters;
import io.jverbs.soft.LoopbackAddress;
import io.jverbs.soft.faults.Middlebox.Faults;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * A program that sends traffic of every kind between two devices over the wire for a given time: all operations over
 * reliable and unreliable connections and datagrams, partly over a network that loses packets; requests that fail;
 * objects that are created and destroyed. It samples the memory use every minute. The exit status is 0 if the memory
 * use does not grow.
 */
public final class Soak {
    private static final String LEFT = LoopbackAddress.next();
    private static final String RIGHT = LoopbackAddress.next();
    private static final String ROUTER = LoopbackAddress.next();
    private static final int PORT = 1;
    private static final int SGID_INDEX = 1;
    private static final int QKEY = 7;
    private static final int GRH = 40;
    private static final int DEPTH = 16;
    private static final int SLOT = 16 << 10;
    private static final int MESSAGES = 40;
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);
    private static final long QUIET = TimeUnit.MILLISECONDS.toNanos(2);
    /** The codes of ACK timeouts of 134 ms, and of 8 ms where no response is expected. */
    private static final int TIMEOUT = 15;
    private static final int SHORT_TIMEOUT = 11;
    private static final int ERRORS = 4;
    private static final int SILENCE = 2;
    private static final int SAMPLES_AT_LEAST = 24;
    private static final double NANOS_PER_MINUTE = 60e9;
    private static final int ALL = Access.LOCAL_WRITE | Access.REMOTE_WRITE | Access.REMOTE_READ
            | Access.REMOTE_ATOMIC | Access.MW_BIND;

    private final Random random;
    private final RdmaContext left;
    private final RdmaContext right;
    private final Gid leftGid;
    private final Gid rightGid;
    private final Gid router;
    private final Map<String, Long> counts = new TreeMap<>();

    private Soak(RdmaContext left, RdmaContext right, Gid router, long seed) throws Exception {
        this.left = left;
        this.right = right;
        this.router = router;
        random = new Random(seed);
        leftGid = Gid.ofAddress(InetAddress.getByName(LEFT));
        rightGid = Gid.ofAddress(InetAddress.getByName(RIGHT));
    }

    /** One side, created for a round and destroyed after it. */
    private static final class Side implements AutoCloseable {
        final ProtectionDomain pd;
        final CompletionQueue cq;
        final SharedReceiveQueue srq;
        final QueuePair qp;
        final MemoryRegion memory;
        final WorkCompletions completions = WorkCompletions.create(DEPTH);
        final SendWorkRequest send = SendWorkRequest.create(1);
        final ReceiveWorkRequest receive = ReceiveWorkRequest.create(1);

        Side(RdmaContext context, QpType type, boolean shared) {
            pd = context.allocatePd();
            cq = context.createCompletionQueue(4 * DEPTH);
            srq = shared ? pd.createSharedReceiveQueue(SrqInitAttributes.of(DEPTH, 1)) : null;
            QpInitAttributes.Builder init = QpInitAttributes.builder(type).cq(cq).maxSendWr(DEPTH).maxRecvWr(DEPTH);
            qp = pd.createQueuePair((shared ? init.srq(srq) : init).build());
            memory = pd.allocate(4L * SLOT, ALL);
        }

        MemorySegment slot(int index) {
            return memory.segment().asSlice((long) index * SLOT, SLOT);
        }

        void postReceive(int slot) {
            receive.wrId(slot).sge(memory, (long) slot * SLOT, SLOT);
            if (srq != null) {
                srq.postReceive(receive);
            } else {
                qp.postReceive(receive);
            }
        }

        void postSend(WrOpcode opcode, int slot, int length) {
            qp.postSend(send.opcode(opcode).flags(SendFlags.SIGNALED).sge(memory, (long) slot * SLOT, length));
        }

        /** Waits for the next completion, which must have this status. */
        void await(WcStatus status) {
            long end = System.nanoTime() + PATIENCE;
            while (cq.poll(completions, 1) == 0) {
                if (System.nanoTime() > end) {
                    throw new IllegalStateException("no completion of " + qp);
                }
                Thread.onSpinWait();
            }
            if (completions.status(0) != status) {
                throw new IllegalStateException(completions + " instead of " + status);
            }
        }

        /** Returns whether a completion arrives within a short time. */
        boolean arrives() {
            long end = System.nanoTime() + QUIET;
            while (cq.poll(completions, 1) == 0) {
                if (System.nanoTime() > end) {
                    return false;
                }
            }
            return true;
        }

        @Override
        public void close() {
            qp.close();
            if (srq != null) {
                srq.close();
            }
            memory.close();
            cq.close();
            pd.close();
        }
    }

    private void count(String what, long more) {
        counts.merge(what, more, Long::sum);
    }

    private static void connect(Side from, Side to, Gid toSeenFrom, Gid fromSeenTo, Mtu mtu, int timeout) {
        int there = Psn.random();
        int back = Psn.random();
        Connector.connect(from.qp, there, new ConnectionInfo(to.qp.number(), back, toSeenFrom, mtu), timeout);
        Connector.connect(to.qp, back, new ConnectionInfo(from.qp.number(), there, fromSeenTo, mtu), timeout);
    }

    private static Mtu mtu(int choice) {
        return List.of(Mtu.MTU_256, Mtu.MTU_512, Mtu.MTU_1024, Mtu.MTU_2048, Mtu.MTU_4096).get(choice % 5);
    }

    private void fill(MemorySegment slot, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        MemorySegment.copy(bytes, 0, slot, ValueLayout.JAVA_BYTE, 0, length);
    }

    private static void assertSame(MemorySegment expected, MemorySegment found, int length) {
        long at = MemorySegment.mismatch(expected, 0, length, found, 0, length);
        if (at >= 0) {
            throw new IllegalStateException("byte " + at + " of " + length + " is wrong");
        }
    }

    private void reliable(boolean lossy, boolean shared) {
        try (Side a = new Side(left, QpType.RC, false); Side b = new Side(right, QpType.RC, shared)) {
            connect(a, b, lossy ? router : rightGid, lossy ? router : leftGid, mtu(random.nextInt(5)), TIMEOUT);
            try (MemoryWindow window = b.pd.allocateMemoryWindow(MwType.TYPE_2)) {
                for (int i = 0; i < MESSAGES; i++) {
                    operations(a, b, window);
                }
            }
        }
        count(lossy ? "RC lossy" : shared ? "RC shared" : "RC", MESSAGES);
    }

    private void operations(Side a, Side b, MemoryWindow window) {
        int length = 1 + random.nextInt(SLOT);
        fill(a.slot(0), length);
        b.postReceive(1);
        a.send.immediate(length);
        a.postSend(random.nextBoolean() ? WrOpcode.SEND : WrOpcode.SEND_WITH_IMM, 0, length);
        a.await(WcStatus.SUCCESS);
        b.await(WcStatus.SUCCESS);
        assertSame(a.slot(0), b.slot(1), length);
        int key = MemoryWindow.incrementRkey(window.rkey());
        b.qp.postSend(b.send.opcode(WrOpcode.BIND_MW).flags(SendFlags.SIGNALED).sgeCount(0).bind(window, key,
                new MwBind(b.memory, b.memory.address() + 2L * SLOT, SLOT,
                        Access.REMOTE_WRITE | Access.REMOTE_READ)));
        b.await(WcStatus.SUCCESS);
        a.send.remote(b.memory.address() + 2L * SLOT, key);
        a.postSend(WrOpcode.RDMA_WRITE, 0, length);
        a.await(WcStatus.SUCCESS);
        a.postSend(WrOpcode.RDMA_READ, 3, length);
        a.await(WcStatus.SUCCESS);
        assertSame(a.slot(0), a.slot(3), length);
        b.postReceive(1);
        a.postSend(WrOpcode.RDMA_WRITE_WITH_IMM, 0, length);
        a.await(WcStatus.SUCCESS);
        b.await(WcStatus.SUCCESS);
        a.send.fetchAndAdd(b.memory.address(), b.memory.rkey(), 1);
        a.postSend(WrOpcode.ATOMIC_FETCH_AND_ADD, 3, Long.BYTES);
        a.await(WcStatus.SUCCESS);
        a.send.compareAndSwap(b.memory.address(), b.memory.rkey(), 1, 0);
        a.postSend(WrOpcode.ATOMIC_CMP_AND_SWP, 3, Long.BYTES);
        a.await(WcStatus.SUCCESS);
        b.postReceive(1);
        a.send.invalidateRkey(key);
        a.postSend(WrOpcode.SEND_WITH_INV, 0, 1);
        a.await(WcStatus.SUCCESS);
        b.await(WcStatus.SUCCESS);
    }

    private void unreliable() {
        try (Side a = new Side(left, QpType.UC, false); Side b = new Side(right, QpType.UC, false)) {
            connect(a, b, router, router, mtu(random.nextInt(5)), TIMEOUT);
            int arrived = 0;
            b.postReceive(1);
            for (int i = 0; i < MESSAGES; i++) {
                int length = 1 + random.nextInt(SLOT);
                a.send.remote(b.memory.address() + 2L * SLOT, b.memory.rkey()).immediate(i);
                a.postSend(switch (i % 3) {
                    case 0 -> WrOpcode.SEND;
                    case 1 -> WrOpcode.RDMA_WRITE;
                    default -> WrOpcode.RDMA_WRITE_WITH_IMM;
                }, 0, length);
                a.await(WcStatus.SUCCESS);
                if (b.arrives()) {
                    arrived++;
                    b.postReceive(1);
                }
            }
            count("UC arrived", arrived);
        }
        count("UC", MESSAGES);
    }

    private void datagrams() {
        try (Side a = new Side(left, QpType.UD, false); Side b = new Side(right, QpType.UD, false)) {
            for (Side side : List.of(a, b)) {
                side.qp.modify(QpAttributes.builder().state(QpState.INIT).pkeyIndex(0).port(PORT).qkey(QKEY).build());
                side.qp.modify(QpAttributes.builder().state(QpState.RTR).build());
                side.qp.modify(QpAttributes.builder().state(QpState.RTS).sqPsn(Psn.random()).build());
            }
            int arrived = 0;
            for (int i = 0; i < MESSAGES; i++) {
                int length = 1 + random.nextInt(4096);
                fill(a.slot(0), length);
                b.postReceive(1);
                try (AddressHandle path = a.pd.createAddressHandle(AhAttributes.to(rightGid, PORT, SGID_INDEX))) {
                    a.send.destination(path, b.qp.number(), QKEY).immediate(i);
                    a.postSend(i % 2 == 0 ? WrOpcode.SEND : WrOpcode.SEND_WITH_IMM, 0, length);
                    a.await(WcStatus.SUCCESS);
                }
                b.await(WcStatus.SUCCESS);
                assertSame(a.slot(0), b.slot(1).asSlice(GRH), length);
                arrived++;
            }
            count("UD", arrived);
        }
    }

    /** Posts requests that fail, and destroys the queue pairs with requests queued. */
    private void errors() throws InterruptedException {
        for (int kind = 0; kind < ERRORS; kind++) {
            try (Side a = new Side(left, QpType.RC, false); Side b = new Side(right, QpType.RC, false)) {
                connect(a, b, rightGid, leftGid, Mtu.MTU_1024, kind == SILENCE ? SHORT_TIMEOUT : TIMEOUT);
                a.send.remote(b.memory.address(), b.memory.rkey() ^ 1 << 20);
                b.postReceive(0);
                switch (kind) {
                    case 0 -> {
                        a.postSend(WrOpcode.RDMA_WRITE, 0, SLOT);
                        a.postSend(WrOpcode.SEND, 0, SLOT);
                        a.await(WcStatus.REM_ACCESS_ERR);
                        a.await(WcStatus.WR_FLUSH_ERR);
                        b.await(WcStatus.WR_FLUSH_ERR);
                    }
                    case 1 -> {
                        a.postSend(WrOpcode.RDMA_READ, 0, SLOT);
                        a.await(WcStatus.REM_ACCESS_ERR);
                    }
                    case SILENCE -> {
                        b.qp.modify(QpAttributes.builder().state(QpState.ERR).build());
                        b.await(WcStatus.WR_FLUSH_ERR);
                        a.postSend(WrOpcode.SEND, 0, 2 * SLOT);
                        a.await(WcStatus.RETRY_EXC_ERR);
                    }
                    // destroyed while its packets are in flight
                    default -> a.postSend(WrOpcode.SEND, 0, 3 * SLOT);
                }
            }
            count("errors", 1);
        }
        for (RdmaContext context : List.of(left, right)) {
            for (AsyncEvent event = context.awaitAsyncEvent(Duration.ZERO); event != null;) {
                event.close();
                event = context.awaitAsyncEvent(Duration.ZERO);
            }
        }
    }

    private void round() throws InterruptedException {
        reliable(false, false);
        reliable(true, false);
        reliable(false, true);
        unreliable();
        datagrams();
        errors();
    }

    private void run(long duration, long interval, Samples samples, Middlebox network) throws Exception {
        long start = System.nanoTime();
        long next = start + interval;
        try {
            while (System.nanoTime() - start < duration) {
                round();
                if (System.nanoTime() - next >= 0) {
                    next += interval;
                    long[] sample = samples.take();
                    System.out.printf(Locale.ROOT, "%6.1f min%s  %s, %d of %d packets harmed%n",
                            (System.nanoTime() - start) / NANOS_PER_MINUTE, Samples.line(sample), counts,
                            network.harmed(), network.passed());
                }
            }
        } finally {
            System.out.println(LEFT + " " + counters(left));
            System.out.println(RIGHT + " " + counters(right));
        }
    }

    private static Map<String, Long> counters(RdmaContext context) {
        return context.device().capability(DeviceCounters.class).orElseThrow().snapshot();
    }

    /**
     * Runs the soak test.
     *
     * @param arguments the duration in minutes, and optionally a seed
     * @throws Exception if data or a status is wrong
     */
    public static void main(String[] arguments) throws Exception {
        double minutes = Double.parseDouble(arguments[0]);
        long seed = arguments.length > 1 ? Long.parseLong(arguments[1]) : System.nanoTime();
        System.out.printf(Locale.ROOT, "Soak of %.1f minutes with seed %d%n", minutes, seed);
        long duration = (long) (minutes * TimeUnit.MINUTES.toNanos(1));
        long interval = Math.min(TimeUnit.MINUTES.toNanos(1), duration / SAMPLES_AT_LEAST);
        Samples samples = new Samples();
        try (Middlebox router = new Middlebox(ROUTER, LEFT, RIGHT, new Faults(1, 1, 1, 1), seed);
                RdmaContext left = Verbs.open("soft:" + LEFT + "?fabric=wire");
                RdmaContext right = Verbs.open("soft:" + RIGHT + "?fabric=wire")) {
            new Soak(left, right, router.gid(), seed).run(duration, interval, samples, router);
        }
        System.out.print(samples.table());
        List<String> growth = samples.growth();
        growth.forEach(System.out::println);
        System.exit(growth.isEmpty() ? 0 : 1);
    }
}
