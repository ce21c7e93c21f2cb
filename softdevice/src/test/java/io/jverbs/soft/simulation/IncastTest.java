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
import io.jverbs.control.SimulatedQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several senders that write to one receiver as fast as they can, through a switch with a short queue. */
final class IncastTest {
    private static final int BUFFER = 256 << 10;
    private static final double LINK_BYTES_PER_SECOND = 10e9 / 8;
    private static final int MESSAGE = 1 << 16;
    private static final int OUTSTANDING = 4;
    /** The time in which the senders find their share, which counts for nothing but what is sent twice. */
    private static final Duration WARM_UP = Duration.ofMillis(300);
    /** As {@link #WARM_UP}, for at most {@link #FEW} senders. */
    private static final Duration SHORT_WARM_UP = Duration.ofMillis(150);
    private static final int FEW = 4;
    private static final Duration MEASURED = Duration.ofMillis(150);
    private static final int SEED = 5;
    private static final Duration STEP = Duration.ofNanos(50_000);

    private final WorkCompletions completions = WorkCompletions.create(OUTSTANDING);

    /** A device with a queue pair that is connected to one of the receiver. */
    private final class Sender {
        final RdmaContext context;
        final CompletionQueue cq;
        final QueuePair qp;
        final SendWorkRequest request;
        int posted;
        int completed;

        Sender(String selector, ProtectionDomain receiver, CompletionQueue receiverCq, MemoryRegion target) {
            context = Verbs.open(selector);
            ProtectionDomain pd = context.allocatePd();
            cq = context.createCompletionQueue(OUTSTANDING);
            MemoryRegion source = pd.allocate(MESSAGE, Access.LOCAL_WRITE);
            qp = pd.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(cq).maxSendWr(OUTSTANDING).build());
            QueuePair peer = receiver.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(receiverCq).build());
            qp.connect(peer.localInfo());
            peer.connect(qp.localInfo());
            request = SendWorkRequest.create(1).opcode(WrOpcode.RDMA_WRITE).flags(SendFlags.SIGNALED)
                    .sge(source, 0, MESSAGE).remote(target.address(), target.rkey());
        }

        void start() {
            for (int i = 0; i < OUTSTANDING; i++) {
                post();
            }
        }

        void post() {
            qp.postSend(request);
            posted++;
        }

        void poll(boolean continues) {
            int count = cq.poll(completions);
            for (int i = 0; i < count; i++) {
                assertEquals(WcStatus.SUCCESS, completions.status(i));
                completed++;
                if (continues) {
                    post();
                }
            }
        }

        long counted(String counter) {
            return context.device().capability(DeviceCounters.class).orElseThrow().snapshot().get(counter);
        }
    }

    private static void run(SimulatedNetwork simulation, List<Sender> senders, Duration time) {
        Duration end = simulation.now().plus(time);
        while (simulation.now().compareTo(end) < 0) {
            simulation.advance(STEP);
            senders.forEach(sender -> sender.poll(true));
        }
    }

    /** Jain's index of what the senders have sent: 1 if all have sent the same. */
    private static double fairness(List<Sender> senders, List<Integer> before) {
        double sum = 0;
        double squares = 0;
        for (int i = 0; i < senders.size(); i++) {
            double share = senders.get(i).completed - before.get(i);
            sum += share;
            squares += share * share;
        }
        return sum * sum / (senders.size() * squares);
    }

    private static final String ALONE = "congestion=window";
    private static final String MARKED = "congestion=dcqcn&ecn=40000,160000,0.2";

    /** The same link is filled by few senders and by many, by window alone. */
    @ParameterizedTest
    @ValueSource(ints = {2, 4, 8, 12, 16, 20, 24, 32})
    void sendersWithoutMarksFillTheLinkAndShareItEquallyAndLittleIsSentTwice(int count) {
        check(count, Duration.ZERO, 0, ALONE, SEED);
    }

    /** The same with marks of congestion. */
    @ParameterizedTest
    @ValueSource(ints = {2, 4, 8, 12, 16, 20, 24, 32})
    void sendersThatHearMarksFillTheLinkAndShareItEquallyAndLittleIsSentTwice(int count) {
        check(count, Duration.ZERO, 0, MARKED, SEED);
    }

    /**
     * With this seed, two of the senders had a large window whatever the queue, and twice the share of the others, when
     * a CNP did not show that the path is congested.
     */
    @Test
    void allSendersThatHearMarksAreLimitedByTheSameQueue() {
        check(16, Duration.ZERO, 0, MARKED, 9);
    }

    /** A sender that begins later never sees the queue empty before it has waited for others. */
    @ParameterizedTest
    @ValueSource(ints = {2, 8, 24})
    void aSenderThatBeginsLaterHasTheSameShare(int count) {
        check(count, Duration.ofMillis(50), 0, ALONE, SEED);
    }

    /** The links of half of the senders are longer: their shortest round trip is about four times as long. */
    @ParameterizedTest
    @ValueSource(ints = {4, 16})
    void sendersWithLongerLinksHaveASimilarShare(int count) {
        check(count, Duration.ZERO, 20, ALONE, SEED);
    }

    /**
     * @param count the number of senders
     * @param later how much later the last one begins
     * @param micros the delay of the links of every other sender, 0 for that of all links
     * @param options options of the network
     * @param seed chooses the packets that are marked; without marks it has no effect
     */
    private void check(int count, Duration later, int micros, String options, int seed) {
        String network = "seed=" + seed + "&network=incast" + count + options.length() + later.toMillis() + micros
                + "&time=stepped&delay=2us&bandwidth=10Gbit&switch=10Gbit," + BUFFER + "&" + options;
        List<Sender> senders = new ArrayList<>();
        try (RdmaContext receiver = Verbs.open("soft:sim0?" + network)) {
            ProtectionDomain pd = receiver.allocatePd();
            CompletionQueue cq = receiver.createCompletionQueue(1);
            MemoryRegion target = pd.allocate(MESSAGE, Access.LOCAL_WRITE | Access.REMOTE_WRITE);
            SimulatedNetwork simulation = receiver.device().capability(SimulatedNetwork.class).orElseThrow();
            for (int i = 1; i <= count; i++) {
                senders.add(new Sender("soft:sim" + i + "?" + network, pd, cq, target));
            }
            for (int i = 2; micros != 0 && i <= count; i += 2) {
                simulation.link(0, i).delay(Duration.ofNanos(micros * 1_000L));
            }
            senders.subList(0, count - 1).forEach(Sender::start);
            run(simulation, senders.subList(0, count - 1), later);
            senders.getLast().start();
            run(simulation, senders, count > FEW ? WARM_UP : SHORT_WARM_UP);
            List<Integer> before = senders.stream().map(sender -> sender.completed).toList();
            run(simulation, senders, MEASURED);
            long completed = (senders.stream().mapToLong(sender -> sender.completed).sum()
                    - before.stream().mapToLong(each -> each).sum()) * MESSAGE;
            double goodput = completed / (MEASURED.toNanos() / 1e9) / LINK_BYTES_PER_SECOND;
            double fairness = fairness(senders, before);
            SimulatedQueue queue = simulation.queue(0);
            assertTrue(simulation.runUntil(() -> {
                senders.forEach(sender -> sender.poll(false));
                return senders.stream().allMatch(sender -> sender.completed == sender.posted);
            }, Duration.ofSeconds(10)));
            long sent = senders.stream().mapToLong(sender -> sender.counted("sent_bytes")).sum();
            long needed = senders.stream().mapToLong(sender -> sender.posted).sum() * MESSAGE;
            double again = (sent - needed) / (double) sent;

            String result = String.format(Locale.ROOT,
                    "goodput %.3f, fairness %.3f, sent again %.4f, %s, CNPs %d, early %d", goodput,
                    fairness, again, queue,
                    senders.stream().mapToLong(sender -> sender.counted("rp_cnp_handled")).sum(),
                    senders.stream().mapToLong(sender -> sender.counted("roce_adp_retrans")).sum());
            assertTrue(goodput >= 0.9, result);
            assertTrue(fairness >= (micros == 0 ? 0.95 : 0.9), result);
            assertTrue(again < 0.01, result);
            assertTrue(queue.longest() <= BUFFER + 1, result);
        } finally {
            senders.forEach(sender -> sender.context.close());
        }
    }
}
