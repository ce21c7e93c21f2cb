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

/** Many reliable connections to one other process, all of which send all the time and number their messages. One thread. */
final class Crowd implements AutoCloseable {
    /** Two packets at the MTU in use. */
    private static final int SIZE = 2048;
    private static final Mtu MTU = Mtu.MTU_1024;
    private static final int RECEIVES = 8;
    /** How many messages of a queue pair may be under way. */
    private static final int SENDS = 4;
    /**
     * How many messages each queue pair has sent on average before anything is counted: beside others that are busy, a JVM that has
     * just started takes longer for a window of packets than the timeout.
     */
    private static final int WARM = 20;
    /** How many it has sent on average after that, however slow the machine is. */
    private static final int ENOUGH = 40;
    private static final int BATCH = 64;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

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
    /** For each queue pair, how many of its messages were posted, have completed, have come. */
    private final long[] posted;
    private final long[] completed;
    private final long[] came;

    /** What one side has to tell: messages of each queue pair that completed, and packets that came again or too early. */
    record Result(long[] completed, long repeated) {}

    Crowd(String device, int size) {
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
        came = new long[size];
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
    void connect(PeerProcess.Line line) throws IOException {
        for (int i = 0; i < queuePairs.length; i++) {
            ConnectionInfo own = queuePairs[i].localInfo();
            queuePairs[i].connect(line.exchange(new ConnectionInfo(own.qpn(), own.psn(), own.gid(), MTU)));
            for (ReceiveWorkRequest receive : receives[i]) {
                queuePairs[i].postReceive(receive);
            }
        }
        line.meet();
    }

    /**
     * Sends, counts from when both sides have sent for a while, for a time and until it is enough, and then waits for the
     * completions of all and for all that the peer sent.
     */
    Result run(PeerProcess.Line line, long millis) throws IOException {
        for (int i = 0; i < queuePairs.length; i++) {
            fill(i);
        }
        send(0, WARM);
        exchange(line, true);
        long[] before = completed.clone();
        long repeatedBefore = repeated();
        send(millis, sum(before) / queuePairs.length + ENOUGH);
        long[] sent = completed.clone();
        Arrays.setAll(sent, i -> sent[i] - before[i]);
        takeAll(line);
        line.meet();
        return new Result(sent, repeated() - repeatedBefore);
    }

    /** Sends for a time, and on until so many messages of each queue pair have completed on average. */
    private void send(long millis, long enough) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        long deadline = end + PATIENCE_NANOS;
        while (System.nanoTime() - end < 0 || sum(completed) < enough * queuePairs.length) {
            take(true);
            await(deadline, "of " + enough * queuePairs.length + " messages " + sum(completed) + " completed");
        }
    }

    private void takeAll(PeerProcess.Line line) {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (sum(completed) < sum(posted)) {
            take(false);
            await(deadline, "of " + sum(posted) + " messages " + sum(completed) + " completed");
        }
        long[] sent = exchange(line, false);
        while (sum(came) < sum(sent)) {
            take(false);
            await(deadline, "of " + sum(sent) + " messages " + sum(came) + " came");
        }
        for (int i = 0; i < sent.length; i++) {
            if (came[i] != sent[i]) {
                throw new IllegalStateException("to queue pair " + i + " " + came[i] + " of " + sent[i] + " came");
            }
        }
    }

    private long repeated() {
        Map<String, Long> counted = counters.snapshot();
        return counted.get("duplicate_request") + counted.get("out_of_seq_request");
    }

    /** Tells the peer what was posted and hears the same of it, and goes on meanwhile: the peer may still be sending. */
    private long[] exchange(PeerProcess.Line line, boolean send) {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        long[] own = posted.clone();
        CompletableFuture<long[]> heard = CompletableFuture.supplyAsync(() -> {
            try {
                return line.exchange(own);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        while (!heard.isDone()) {
            take(send);
            await(deadline, "the peer did not say how much it has sent");
        }
        return heard.join();
    }

    private static void await(long deadline, String what) {
        if (System.nanoTime() - deadline > 0) {
            throw new IllegalStateException(what + " in time");
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

    private void take(boolean send) {
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
        if (first != came[qp] || last != ~first) {
            throw new IllegalStateException(
                    "message " + came[qp] + " to queue pair " + qp + " came as " + first + " and " + ~last);
        }
        came[qp]++;
        queuePairs[qp].postReceive(receives[qp][slot]);
    }

    @Override
    public void close() {
        context.close();
    }

    /** The other process. */
    public static void main(String... arguments) throws IOException {
        try (PeerProcess.Line line = PeerProcess.Line.call(arguments[0]);
                Crowd crowd = new Crowd(arguments[1], Integer.parseInt(arguments[2]))) {
            crowd.connect(line);
            Result result = crowd.run(line, Long.parseLong(arguments[3]));
            line.exchange(result.completed());
            line.exchange(result.repeated());
        }
    }
}
