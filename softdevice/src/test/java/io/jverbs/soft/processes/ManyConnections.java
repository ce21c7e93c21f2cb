package io.jverbs.soft.processes;

import io.jverbs.Access;
import io.jverbs.CompletionQueue;
import io.jverbs.ConnectionInfo;
import io.jverbs.MemoryRegion;
import io.jverbs.Mtu;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.Verbs;
import io.jverbs.WcOpcode;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import io.jverbs.control.DeviceCounters;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Many reliable connections to one other process. All of them send all the time and number their messages. One thread
 * posts and polls for all.
 */
final class ManyConnections implements AutoCloseable {
    /** Two packets at the MTU in use. */
    private static final int SIZE = 2048;
    private static final Mtu MTU = Mtu.MTU_1024;
    private static final int RECEIVES = 8;
    /** The most messages of a queue pair that are outstanding. */
    private static final int SENDS = 4;
    /**
     * How many messages each queue pair sends on average before counting starts. A JVM that has just started on a busy
     * machine takes longer than the timeout for a window of packets.
     */
    private static final int WARM_UP = 20;
    /** How many messages each queue pair sends on average after that at least, however slow the machine is. */
    private static final int ENOUGH = 40;
    private static final int BATCH = 64;
    private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final RdmaContext context;
    private final DeviceCounters counters;
    private final CompletionQueue cq;
    private final WorkCompletions completions = WorkCompletions.create(BATCH);
    private final QueuePair[] queuePairs;
    private final SendWorkRequest[][] sends;
    private final ReceiveWorkRequest[][] receives;
    private final Map<Integer, Integer> indexOfQpn = new HashMap<>();
    private final MemoryRegion outgoing;
    private final MemoryRegion incoming;
    /** For each queue pair, how many messages were posted, have completed, and were received. */
    private final long[] posted;
    private final long[] completed;
    private final long[] arrived;

    /**
     * The counts of one side.
     *
     * @param completed the messages of each queue pair that completed
     * @param repeated the packets that arrived a second time or ahead of sequence
     */
    record Result(long[] completed, long repeated) {}

    ManyConnections(String device, int size) {
        context = Verbs.open(device);
        counters = Verbs.select(device).capability(DeviceCounters.class).orElseThrow();
        ProtectionDomain pd = context.allocatePd();
        cq = context.createCompletionQueue(size * (SENDS + RECEIVES));
        outgoing = pd.allocate((long) size * SENDS * SIZE, Access.LOCAL_WRITE);
        incoming = pd.allocate((long) size * RECEIVES * SIZE, Access.LOCAL_WRITE);
        queuePairs = new QueuePair[size];
        sends = new SendWorkRequest[size][SENDS];
        receives = new ReceiveWorkRequest[size][RECEIVES];
        posted = new long[size];
        completed = new long[size];
        arrived = new long[size];
        for (int i = 0; i < size; i++) {
            queuePairs[i] = pd.createQueuePair(
                    QpInitAttributes.builder(QpType.RC).cq(cq).maxSendWr(SENDS).maxRecvWr(RECEIVES).build());
            indexOfQpn.put(queuePairs[i].number(), i);
            for (int j = 0; j < SENDS; j++) {
                sends[i][j] = SendWorkRequest.create(1).opcode(WrOpcode.SEND).flags(SendFlags.SIGNALED)
                        .sge(outgoing, place(i, SENDS, j), SIZE);
            }
            for (int j = 0; j < RECEIVES; j++) {
                receives[i][j] = ReceiveWorkRequest.create(1).wrId(j).sge(incoming, place(i, RECEIVES, j), SIZE);
            }
        }
    }

    private static long place(int qp, int perQp, int number) {
        return ((long) qp * perQp + number) * SIZE;
    }

    /** Connects each queue pair to its counterpart and posts receives. */
    void connect(PeerProcess.ControlChannel control) throws IOException {
        for (int i = 0; i < queuePairs.length; i++) {
            ConnectionInfo own = queuePairs[i].localInfo();
            queuePairs[i].connect(control.exchange(new ConnectionInfo(own.qpn(), own.psn(), own.gid(), MTU)));
            for (ReceiveWorkRequest receive : receives[i]) {
                queuePairs[i].postReceive(receive);
            }
        }
        control.barrier();
    }

    /**
     * Sends until both sides have warmed up, counts from then on for at least the given time, and then waits until all
     * messages have completed and all messages of the peer have been received.
     */
    Result run(PeerProcess.ControlChannel control, long millis) throws IOException {
        for (int i = 0; i < queuePairs.length; i++) {
            fill(i);
        }
        send(0, WARM_UP);
        exchange(control, true);
        long[] before = completed.clone();
        long repeatedBefore = repeated();
        send(millis, sum(before) / queuePairs.length + ENOUGH);
        long[] sent = completed.clone();
        Arrays.setAll(sent, i -> sent[i] - before[i]);
        drain(control);
        control.barrier();
        return new Result(sent, repeated() - repeatedBefore);
    }

    /** Sends for the given time, and until the given number of messages of each queue pair has completed on average. */
    private void send(long millis, long least) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        long deadline = end + TIMEOUT_NANOS;
        while (System.nanoTime() - end < 0 || sum(completed) < least * queuePairs.length) {
            poll(true);
            await(deadline,
                    "only " + sum(completed) + " of " + least * queuePairs.length + " messages completed");
        }
    }

    private void drain(PeerProcess.ControlChannel control) {
        long deadline = System.nanoTime() + TIMEOUT_NANOS;
        while (sum(completed) < sum(posted)) {
            poll(false);
            await(deadline, "only " + sum(completed) + " of " + sum(posted) + " messages completed");
        }
        long[] sent = exchange(control, false);
        while (sum(arrived) < sum(sent)) {
            poll(false);
            await(deadline, "only " + sum(arrived) + " of " + sum(sent) + " messages of the peer were received");
        }
        for (int i = 0; i < sent.length; i++) {
            if (arrived[i] != sent[i]) {
                throw new IllegalStateException(
                        "queue pair " + i + " received " + arrived[i] + " messages, but its peer sent " + sent[i]);
            }
        }
    }

    private long repeated() {
        Map<String, Long> counted = counters.snapshot();
        return counted.get("duplicate_request") + counted.get("out_of_seq_request");
    }

    /**
     * Exchanges the numbers of posted messages with the peer. It polls meanwhile because the peer may still be sending.
     */
    private long[] exchange(PeerProcess.ControlChannel control, boolean send) {
        long deadline = System.nanoTime() + TIMEOUT_NANOS;
        long[] own = posted.clone();
        CompletableFuture<long[]> reply = CompletableFuture.supplyAsync(() -> {
            try {
                return control.exchange(own);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        while (!reply.isDone()) {
            poll(send);
            await(deadline, "the peer did not report how many messages it posted");
        }
        return reply.join();
    }

    private static void await(long deadline, String what) {
        if (System.nanoTime() - deadline > 0) {
            throw new IllegalStateException(
                    "timeout after " + TimeUnit.NANOSECONDS.toSeconds(TIMEOUT_NANOS) + " s: " + what);
        }
    }

    private static long sum(long[] values) {
        long sum = 0;
        for (long value : values) {
            sum += value;
        }
        return sum;
    }

    private void fill(int qp) {
        while (posted[qp] - completed[qp] < SENDS) {
            int slot = (int) (posted[qp] % SENDS);
            outgoing.segment().set(ValueLayout.JAVA_LONG, place(qp, SENDS, slot), posted[qp]);
            outgoing.segment().set(ValueLayout.JAVA_LONG, place(qp, SENDS, slot) + SIZE - Long.BYTES, ~posted[qp]);
            queuePairs[qp].postSend(sends[qp][slot]);
            posted[qp]++;
        }
    }

    private void poll(boolean send) {
        int count = cq.poll(completions);
        for (int i = 0; i < count; i++) {
            if (!completions.isSuccess(i)) {
                throw new IllegalStateException(completions.toString());
            }
            int qp = indexOfQpn.get(completions.qpNumber(i));
            if (completions.opcode(i) == WcOpcode.RECV) {
                receive(qp, (int) completions.wrId(i));
            } else {
                completed[qp]++;
                if (send) {
                    fill(qp);
                }
            }
        }
    }

    private void receive(int qp, int slot) {
        long first = incoming.segment().get(ValueLayout.JAVA_LONG, place(qp, RECEIVES, slot));
        long last = incoming.segment().get(ValueLayout.JAVA_LONG, place(qp, RECEIVES, slot) + SIZE - Long.BYTES);
        if (first != arrived[qp] || last != ~first) {
            throw new IllegalStateException(
                    "queue pair " + qp + " received message " + first + " with end " + ~last + ", expected "
                            + arrived[qp]);
        }
        arrived[qp]++;
        queuePairs[qp].postReceive(receives[qp][slot]);
    }

    @Override
    public void close() {
        context.close();
    }

    /** Runs the peer process. */
    public static void main(String... arguments) throws IOException {
        try (PeerProcess.ControlChannel control = PeerProcess.ControlChannel.connect(arguments[0]);
                ManyConnections connections = new ManyConnections(arguments[1], Integer.parseInt(arguments[2]))) {
            connections.connect(control);
            Result result = connections.run(control, Long.parseLong(arguments[3]));
            control.exchange(result.completed());
            control.exchange(result.repeated());
        }
    }
}
