package io.jverbs.soft.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Access;
import io.jverbs.CompletionQueue;
import io.jverbs.MemoryRegion;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.Verbs;
import io.jverbs.WcStatus;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import io.jverbs.control.DeviceCounters;
import io.jverbs.control.SimulatedNetwork;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Many queue pairs of one device that send a long READ at the same time, through a switch with a short queue. */
final class ManyReadersTest {
    private static final int BYTES = 1 << 20;
    private static final int MTU = 4096;
    private static final double MOST_USELESS = 0.01;
    private static final Duration LONG = Duration.ofSeconds(60);

    private static long counted(RdmaContext context, String counter) {
        return context.device().capability(DeviceCounters.class).orElseThrow().snapshot().get(counter);
    }

    private static long counted(List<RdmaContext> contexts, String counter) {
        return contexts.stream().mapToLong(each -> counted(each, counter)).sum();
    }

    /** Connects queue pairs, each to another responder in turn, and posts a READ to each. */
    private static void postAll(int queuePairs, ProtectionDomain pd, CompletionQueue cq, List<RdmaContext> responders) {
        MemoryRegion to = pd.allocate(BYTES, Access.LOCAL_WRITE);
        List<QueuePair> peers = new ArrayList<>();
        List<MemoryRegion> sources = new ArrayList<>();
        for (RdmaContext each : responders) {
            ProtectionDomain domain = each.allocatePd();
            CompletionQueue none = each.createCompletionQueue(1);
            sources.add(domain.allocate(BYTES, Access.LOCAL_WRITE | Access.REMOTE_READ));
            for (int i = 0; i < queuePairs / responders.size(); i++) {
                peers.add(domain.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(none).build()));
            }
        }
        SendWorkRequest read = SendWorkRequest.create(1).opcode(WrOpcode.RDMA_READ).flags(SendFlags.SIGNALED)
                .sge(to, 0, BYTES);
        List<QueuePair> all = new ArrayList<>();
        for (QueuePair peer : peers) {
            QueuePair qp = pd.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(cq).build());
            qp.connect(peer.localInfo());
            peer.connect(qp.localInfo());
            all.add(qp);
        }
        for (int i = 0; i < all.size(); i++) {
            MemoryRegion source = sources.get(i / (queuePairs / responders.size()));
            all.get(i).postSend(read.remote(source.address(), source.rkey()));
        }
    }

    /**
     * The columns are the number of queue pairs, the number of devices that they read from, the bytes that a queue of
     * the switch holds, and other options of the network. The short queues hold less than what READs may request
     * together.
     */
    @ParameterizedTest
    @CsvSource(textBlock = """
            1000, 1,  262144, congestion=window
            960,  16, 65536,  congestion=window
            192,  16, 65536,  'congestion=dcqcn&ecn=20000,60000,0.2'
            """)
    void eachReadSucceedsAndFewPacketsAreUseless(int queuePairs, int devices, int buffer, String options) {
        String network = "seed=5&network=readers" + queuePairs
                + "&time=stepped&delay=2us&bandwidth=10Gbit&switch=10Gbit," + buffer + "&" + options;
        List<RdmaContext> responders = new ArrayList<>();
        try (RdmaContext reader = Verbs.open("soft:sim0?" + network)) {
            for (int i = 1; i <= devices; i++) {
                responders.add(Verbs.open("soft:sim" + i + "?" + network));
            }
            SimulatedNetwork simulation = reader.device().capability(SimulatedNetwork.class).orElseThrow();
            CompletionQueue cq = reader.createCompletionQueue(queuePairs);
            postAll(queuePairs, reader.allocatePd(), cq, responders);
            WorkCompletions completions = WorkCompletions.create(1);
            for (int i = 0; i < queuePairs; i++) {
                assertTrue(simulation.runUntil(() -> cq.poll(completions) != 0, LONG));
                assertEquals(WcStatus.SUCCESS, completions.status(0));
            }

            double needed = (double) queuePairs * BYTES / MTU;
            double again = counted(responders, "sent_bytes") / (double) MTU - needed;
            double useless = (again + counted(responders, "duplicate_request")) / needed;
            String result = String.format(Locale.ROOT, "useless %.4f, early %d, timeouts %d, %s", useless,
                    counted(reader, "roce_adp_retrans"), counted(reader, "local_ack_timeout_err"),
                    simulation.queue(0));
            assertTrue(useless < MOST_USELESS, result);
        } finally {
            responders.forEach(RdmaContext::close);
        }
    }
}
