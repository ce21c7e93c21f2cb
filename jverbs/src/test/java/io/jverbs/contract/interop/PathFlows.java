package io.jverbs.contract.interop;

import io.jverbs.Access;
import io.jverbs.CompletionChannel;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * A program that measures how queue pairs of one device share the path to another process, in several cases. Both
 * processes have a folder in common, in which they exchange the addresses of their queue pairs:
 *
 * <pre>
 * PathFlows receive ADDRESSES FOLDER CASE...                 ends after the last case
 * PathFlows send    ADDRESSES FOLDER CASE... SECONDS MBITS   writes, prints goodput and fairness
 * </pre>
 *
 * ADDRESSES are two addresses with a comma between: of the device with "window" and of that with "dcqcn". A case is a
 * subfolder with a name like dcqcn-2-red: the congestion control, the number of queue pairs, and a name for the limit
 * of the path. The sender writes a file "warm" to it when it has written at twice the rate MBITS. The script that has
 * started it then limits the path to MBITS, writes a file "limited", and removes the limit when there is a file "end".
 *
 * <p>
 * The exit status of the sender is 0 if in each case the goodput is at least a percentage of the rate, Jain's index of
 * the queue pairs at least 0.9, and each request succeeded. The sender waits for its completions and does not poll: if
 * the machine has one processor for both processes, or an emulation executes two in turn for up to 0.1 s each, a sender
 * that polls keeps the receiver from sending acknowledgements.
 */
public final class PathFlows {
    private static final int MESSAGE = 1 << 16;
    private static final int OUTSTANDING = 4;
    /**
     * The path is not limited until the processes can use it: it takes long under emulation to load and compile the
     * classes, and how long depends on the machine.
     */
    private static final int WARM_UP_MULTIPLE = 2;
    private static final int WARM_UP_INTERVAL_SECONDS = 2;
    private static final int LONGEST_WARM_UP_SECONDS = 180;
    /** The time from the limit to the measurement, in which the queue of the link becomes as long as it stays. */
    private static final int SETTLING_SECONDS = 5;
    /** The percentage of the link that is used at least; red drops packets that are not ECN-capable. */
    private static final int LEAST_PERCENT_OF_WINDOW = 75;
    private static final int LEAST_PERCENT = 85;
    private static final double LEAST_FAIRNESS = 0.9;
    private static final Duration LONGEST_WAIT = Duration.ofMillis(100);

    private PathFlows() {}

    /**
     * Runs one side.
     *
     * @param args see above
     */
    public static void main(String[] args) throws Exception {
        Path folder = Path.of(args[2]);
        if (args[0].equals("receive")) {
            for (int i = 3; i < args.length; i++) {
                receive(args[1], folder.resolve(args[i]));
            }
            return;
        }
        int seconds = Integer.parseInt(args[args.length - 2]);
        int megabits = Integer.parseInt(args[args.length - 1]);
        boolean succeeded = true;
        for (int i = 3; i < args.length - 2; i++) {
            succeeded &= send(args[1], folder.resolve(args[i]), seconds, megabits);
        }
        System.exit(succeeded ? 0 : 1);
    }

    private static String control(Path folder) {
        return folder.getFileName().toString().split("-")[0];
    }

    private static int flows(Path folder) {
        return Integer.parseInt(folder.getFileName().toString().split("-")[1]);
    }

    private static RdmaContext open(String addresses, Path folder) {
        String address = addresses.split(",")[control(folder).equals("window") ? 0 : 1];
        return Verbs.open("soft:" + address + "?congestion=" + control(folder));
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

    private static void receive(String addresses, Path folder) throws Exception {
        try (RdmaContext context = open(addresses, folder)) {
            receive(context, folder, flows(folder));
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

    private static boolean send(String addresses, Path folder, int seconds, int megabits) throws Exception {
        try (RdmaContext context = open(addresses, folder)) {
            return send(context, folder, seconds, megabits);
        } finally {
            publish(folder.resolve("end"), List.of());
        }
    }

    private static boolean send(RdmaContext context, Path folder, int seconds, int megabits) throws Exception {
        int flows = flows(folder);
        int percent = control(folder).equals("window") ? LEAST_PERCENT_OF_WINDOW : LEAST_PERCENT;
        ProtectionDomain pd = context.allocatePd();
        MemoryRegion memory = pd.allocate(MESSAGE, Access.LOCAL_WRITE);
        CompletionChannel channel = context.createCompletionChannel();
        CompletionQueue cq = context.createCompletionQueue(flows * OUTSTANDING, channel);
        cq.requestNotification(false);
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
        if (!warmUp(queuePairs, channel, requests, megabits)) {
            return false;
        }
        publish(folder.resolve("warm"), List.of());
        await(folder.resolve("limited"));
        boolean succeeded = repeat(queuePairs, channel, requests, SETTLING_SECONDS, new long[flows]);
        long[] completed = new long[flows];
        long start = System.nanoTime();
        succeeded = succeeded && repeat(queuePairs, channel, requests, seconds, completed);
        double time = (System.nanoTime() - start) / 1e9;
        double sum = Arrays.stream(completed).sum();
        double squares = Arrays.stream(completed).mapToDouble(each -> (double) each * each).sum();
        double goodput = megabits(sum, time) / megabits;
        double fairness = sum * sum / (flows * squares);
        System.out.printf(Locale.ROOT, "%d flows: goodput %.3f of %d Mbit/s, fairness %.3f, messages %s%n", flows,
                goodput, megabits, fairness, Arrays.toString(completed));
        print(context, "sent_pkts", "sent_bytes", "retransmissions", "roce_adp_retrans", "local_ack_timeout_err",
                "retry_exceeded_err", "rcvd_seq_err", "rp_cnp_handled", "rp_cnp_ignored");
        return succeeded && goodput * 100 >= percent && fairness >= LEAST_FAIRNESS;
    }

    private static double megabits(double messages, double seconds) {
        return messages * MESSAGE * Byte.SIZE / seconds / 1e6;
    }

    /** Returns whether the requests have reached a multiple of a rate and each has succeeded. */
    private static boolean warmUp(List<QueuePair> queuePairs, CompletionChannel channel, SendWorkRequest[] requests,
            int megabits) throws InterruptedException {
        double reached = 0;
        for (int i = 0; i < LONGEST_WARM_UP_SECONDS / WARM_UP_INTERVAL_SECONDS; i++) {
            long[] completed = new long[requests.length];
            if (!repeat(queuePairs, channel, requests, WARM_UP_INTERVAL_SECONDS, completed)) {
                return false;
            }
            reached = megabits(Arrays.stream(completed).sum(), WARM_UP_INTERVAL_SECONDS);
            if (reached >= WARM_UP_MULTIPLE * megabits) {
                return true;
            }
        }
        System.out.printf(Locale.ROOT, "without a limit, the path carries %.1f Mbit/s; the measurement needs %d%n",
                reached, WARM_UP_MULTIPLE * megabits);
        return false;
    }

    /**
     * Posts each request again when it has completed, for a number of seconds or until one fails.
     *
     * @param completed counts the requests of each flow that succeeded
     * @return whether all have succeeded
     */
    private static boolean repeat(List<QueuePair> queuePairs, CompletionChannel channel, SendWorkRequest[] requests,
            int seconds, long[] completed) throws InterruptedException {
        WorkCompletions completions = WorkCompletions.create(requests.length);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (System.nanoTime() < end) {
            CompletionQueue cq = channel.awaitEvent(LONGEST_WAIT);
            if (cq == null) {
                continue;
            }
            cq.acknowledgeEvents(1);
            // a completion that is added after the last poll raises the next event
            cq.requestNotification(false);
            for (int count = cq.poll(completions); count > 0; count = cq.poll(completions)) {
                if (!postAgain(queuePairs, requests, completions, count, completed)) {
                    return false;
                }
            }
        }
        return true;
    }

    private static boolean postAgain(List<QueuePair> queuePairs, SendWorkRequest[] requests,
            WorkCompletions completions, int count, long[] completed) {
        for (int i = 0; i < count; i++) {
            int flow = (int) completions.wrId(i);
            if (completions.status(i) != WcStatus.SUCCESS) {
                System.out.println("flow " + flow + ": " + completions.status(i));
                return false;
            }
            completed[flow]++;
            queuePairs.get(flow).postSend(requests[flow]);
        }
        return true;
    }

    private static void print(RdmaContext context, String... counters) {
        DeviceCounters all = context.device().capability(DeviceCounters.class).orElseThrow();
        Arrays.stream(counters).forEach(each -> System.out.println("  " + each + " " + all.snapshot().get(each)));
    }
}
