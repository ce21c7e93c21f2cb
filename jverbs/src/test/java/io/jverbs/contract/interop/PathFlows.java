package io.jverbs.contract.interop;

import io.jverbs.Access;
import io.jverbs.CompletionQueue;
import io.jverbs.ConnectionInfo;
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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * A program that measures how queue pairs of one device share the path to another process. Both processes have a
 * folder in common, in which they exchange the addresses of their queue pairs:
 *
 * <pre>
 * PathFlows receive SELECTOR FOLDER FLOWS                  ends when the folder contains a file "end"
 * PathFlows send    SELECTOR FOLDER FLOWS SECONDS MBITS PERCENT    writes, prints goodput and fairness
 * </pre>
 *
 * The exit status of the sender is 0 if the goodput is at least a percentage of the rate, Jain's index of the flows at
 * least 0.9, and each request succeeded.
 */
public final class PathFlows {
    private static final int MESSAGE = 1 << 16;
    private static final int OUTSTANDING = 4;
    /** The time before the measurement, to load and compile the classes, which takes long under emulation. */
    private static final int WARM_UP_SECONDS = 10;
    private static final double LEAST_FAIRNESS = 0.9;

    private PathFlows() {}

    /**
     * Runs one side.
     *
     * @param args see above
     */
    public static void main(String[] args) throws Exception {
        Path folder = Path.of(args[2]);
        int flows = Integer.parseInt(args[3]);
        try (RdmaContext context = Verbs.open(args[1])) {
            if (args[0].equals("receive")) {
                receive(context, folder, flows);
            } else if (!send(context, folder, flows, Integer.parseInt(args[4]), Integer.parseInt(args[5]),
                    Integer.parseInt(args[6]))) {
                System.exit(1);
            }
        }
    }

    private static List<QueuePair> queuePairs(ProtectionDomain pd, CompletionQueue cq, int flows) {
        List<QueuePair> all = new ArrayList<>();
        for (int i = 0; i < flows; i++) {
            all.add(pd.createQueuePair(
                    QpInitAttributes.builder(QpType.RC).cq(cq).maxSendWr(OUTSTANDING).build()));
        }
        return all;
    }

    private static void publish(Path file, List<String> lines) throws IOException {
        Path draft = file.resolveSibling(file.getFileName() + ".new");
        Files.write(draft, lines);
        Files.move(draft, file);
    }

    private static List<String> await(Path file) throws IOException, InterruptedException {
        while (!Files.exists(file)) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
        return Files.readAllLines(file);
    }

    private static void connect(List<QueuePair> queuePairs, List<String> peers) {
        for (int i = 0; i < queuePairs.size(); i++) {
            queuePairs.get(i).connect(ConnectionInfo.parse(peers.get(i)));
        }
    }

    private static void receive(RdmaContext context, Path folder, int flows) throws Exception {
        ProtectionDomain pd = context.allocatePd();
        MemoryRegion memory = pd.allocate(MESSAGE, Access.LOCAL_WRITE | Access.REMOTE_WRITE);
        List<QueuePair> queuePairs = queuePairs(pd, context.createCompletionQueue(1), flows);
        List<String> lines = new ArrayList<>(
                queuePairs.stream().map(qp -> qp.localInfo().toString()).toList());
        lines.add(memory.address() + " " + memory.rkey());
        publish(folder.resolve("receiver"), lines);
        connect(queuePairs, await(folder.resolve("sender")));
        publish(folder.resolve("connected"), List.of());
        await(folder.resolve("end"));
        print(context, "np_ecn_marked_roce_packets", "np_cnp_sent", "duplicate_request", "out_of_seq_request");
    }

    private static boolean send(RdmaContext context, Path folder, int flows, int seconds, int megabits,
            int percent) throws Exception {
        ProtectionDomain pd = context.allocatePd();
        MemoryRegion memory = pd.allocate(MESSAGE, Access.LOCAL_WRITE);
        CompletionQueue cq = context.createCompletionQueue(flows * OUTSTANDING);
        List<QueuePair> queuePairs = queuePairs(pd, cq, flows);
        List<String> peers = await(folder.resolve("receiver"));
        publish(folder.resolve("sender"), queuePairs.stream().map(qp -> qp.localInfo().toString()).toList());
        connect(queuePairs, peers);
        await(folder.resolve("connected"));
        String[] target = peers.get(flows).split(" ");
        SendWorkRequest[] requests = new SendWorkRequest[flows];
        for (int i = 0; i < flows; i++) {
            requests[i] = SendWorkRequest.create(1).wrId(i).opcode(WrOpcode.RDMA_WRITE).flags(SendFlags.SIGNALED)
                    .sge(memory, 0, MESSAGE).remote(Long.parseLong(target[0]), Integer.parseInt(target[1]));
            for (int j = 0; j < OUTSTANDING; j++) {
                queuePairs.get(i).postSend(requests[i]);
            }
        }
        boolean succeeded = repeat(queuePairs, cq, requests, WARM_UP_SECONDS, new long[flows]);
        long[] completed = new long[flows];
        long start = System.nanoTime();
        succeeded = succeeded && repeat(queuePairs, cq, requests, seconds, completed);
        double time = (System.nanoTime() - start) / 1e9;
        double sum = Arrays.stream(completed).sum();
        double squares = Arrays.stream(completed).mapToDouble(each -> (double) each * each).sum();
        double goodput = sum * MESSAGE * Byte.SIZE / time / (megabits * 1e6);
        double fairness = sum * sum / (flows * squares);
        System.out.printf(Locale.ROOT, "%d flows: goodput %.3f of %d Mbit/s, fairness %.3f, messages %s%n", flows,
                goodput, megabits, fairness, Arrays.toString(completed));
        print(context, "sent_pkts", "sent_bytes", "retransmissions", "roce_adp_retrans", "local_ack_timeout_err",
                "retry_exceeded_err", "rcvd_seq_err", "rp_cnp_handled", "rp_cnp_ignored");
        publish(folder.resolve("end"), List.of());
        return succeeded && goodput * 100 >= percent && fairness >= LEAST_FAIRNESS;
    }

    /**
     * Posts each request again when it has completed, for a number of seconds or until one fails.
     *
     * @param completed counts the requests of each flow that succeeded
     * @return whether all have succeeded
     */
    private static boolean repeat(List<QueuePair> queuePairs, CompletionQueue cq, SendWorkRequest[] requests,
            int seconds, long[] completed) {
        WorkCompletions completions = WorkCompletions.create(requests.length);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (System.nanoTime() < end) {
            int count = cq.poll(completions);
            for (int i = 0; i < count; i++) {
                int flow = (int) completions.wrId(i);
                if (completions.status(i) != WcStatus.SUCCESS) {
                    System.out.println("flow " + flow + ": " + completions.status(i));
                    return false;
                }
                completed[flow]++;
                queuePairs.get(flow).postSend(requests[flow]);
            }
            Thread.yield();
        }
        return true;
    }

    private static void print(RdmaContext context, String... counters) {
        DeviceCounters all = context.device().capability(DeviceCounters.class).orElseThrow();
        Arrays.stream(counters).forEach(each -> System.out.println("  " + each + " " + all.snapshot().get(each)));
    }
}
