package io.jverbs.soft.fabric.udp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.Verbs;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import io.jverbs.control.DeviceCounters;
import io.jverbs.soft.LoopbackAddress;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Many connections read over the wire at once: no more data is in flight than the reader's socket buffer holds, and few
 * packets are sent again.
 */
@Timeout(120)
final class ManyReadsTest {
    private static final int MTU = 4096;
    private static final double MOST_USELESS = 0.01;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(90);

    /** Packets and timeouts of a number of READs. */
    private record Outcome(long needed, long sentAgain, Map<String, Long> reader, Map<String, Long> source) {

        /** The packets that were not needed: response packets that were sent again, and requests for them. */
        private double useless() {
            return (double) (sentAgain + source.get("duplicate_request") + source.get("out_of_seq_request")) / needed;
        }

        private double unexpected() {
            return (double) reader.get("unexpected_response") / needed;
        }

        @Override
        public String toString() {
            return String.format(Locale.ROOT, "useless %.5f, unexpected %.5f, early %d, timeouts %d, CNPs %d",
                    useless(), unexpected(), reader.get("roce_adp_retrans"), reader.get("local_ack_timeout_err"),
                    source.get("rp_cnp_handled"));
        }
    }

    private static Map<String, Long> counters(RdmaContext context) {
        return context.device().capability(DeviceCounters.class).orElseThrow().snapshot();
    }

    /** The columns are the number of queue pairs, the MiB that each reads, and the congestion control. */
    @ParameterizedTest
    @CsvSource({"64, 8, window", "1000, 1, window", "1000, 1, dcqcn"})
    void eachReadSucceedsAndFewPacketsAreUseless(int queuePairs, int mebibytes, String congestion) {
        int bytes = mebibytes << 20;
        String options = "&congestion=" + congestion;
        try (RdmaContext reader = Verbs.open(LoopbackAddress.wired() + options);
                RdmaContext source = Verbs.open(LoopbackAddress.wired() + options)) {
            ProtectionDomain readerPd = reader.allocatePd();
            ProtectionDomain sourcePd = source.allocatePd();
            CompletionQueue cq = reader.createCompletionQueue(queuePairs);
            MemoryRegion into = readerPd.allocate(bytes, Access.LOCAL_WRITE);
            MemoryRegion from = sourcePd.allocate(bytes, Access.LOCAL_WRITE | Access.REMOTE_READ);
            for (int at = 0; at < bytes; at += Long.BYTES) {
                from.segment().set(ValueLayout.JAVA_LONG, at, ~at);
            }
            List<QueuePair> all = connect(queuePairs, readerPd, cq, sourcePd, source.createCompletionQueue(1));
            SendWorkRequest read = SendWorkRequest.create(1).opcode(WrOpcode.RDMA_READ).flags(SendFlags.SIGNALED)
                    .sge(into, 0, bytes).remote(from.address(), from.rkey());
            all.forEach(qp -> qp.postSend(read));
            awaitAll(queuePairs, cq);

            assertEquals(-1, into.segment().mismatch(from.segment()));
            long needed = (long) queuePairs * bytes / MTU;
            Map<String, Long> sent = counters(source);
            Outcome outcome = new Outcome(needed, sent.get("sent_bytes") / MTU - needed, counters(reader), sent);
            // some are allowed, because a busy machine may not run a thread for longer than the timeout
            assertTrue(outcome.useless() < MOST_USELESS, outcome::toString);
            assertTrue(outcome.unexpected() < MOST_USELESS, outcome::toString);
        }
    }

    private static List<QueuePair> connect(int queuePairs, ProtectionDomain reader, CompletionQueue cq,
            ProtectionDomain source, CompletionQueue unused) {
        List<QueuePair> all = new ArrayList<>();
        for (int i = 0; i < queuePairs; i++) {
            QueuePair one = reader
                    .createQueuePair(QpInitAttributes.builder(QpType.RC).cq(cq).maxSendWr(1).maxRecvWr(1).build());
            QueuePair other = source
                    .createQueuePair(QpInitAttributes.builder(QpType.RC).cq(unused).maxSendWr(1).maxRecvWr(1).build());
            one.connect(large(other.localInfo()));
            other.connect(large(one.localInfo()));
            all.add(one);
        }
        return all;
    }

    private static ConnectionInfo large(ConnectionInfo info) {
        return new ConnectionInfo(info.qpn(), info.psn(), info.gid(), Mtu.MTU_4096);
    }

    private static void awaitAll(int queuePairs, CompletionQueue cq) {
        WorkCompletions completions = WorkCompletions.create(queuePairs);
        long end = System.nanoTime() + PATIENCE_NANOS;
        for (int completed = 0; completed < queuePairs;) {
            int count = cq.poll(completions);
            for (int i = 0; i < count; i++) {
                assertTrue(completions.isSuccess(i), completions::toString);
            }
            completed += count;
            int present = completed;
            assertTrue(System.nanoTime() < end, () -> present + " completed in time");
        }
    }
}
