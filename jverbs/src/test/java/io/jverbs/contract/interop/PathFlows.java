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
    /** In so many intervals: a first fast one may be followed by seconds in which the JVM compiles. */
    private static final int WARM_UP_INTERVALS = 5;
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
                receive(args[1], Case.of(folder.resolve(args[i])));
            }
            return;
        }
        int seconds = Integer.parseInt(args[args.length - 2]);
        int megabits = Integer.parseInt(args[args.length - 1]);
        boolean succeeded = true;
        for (int i = 3; i < args.length - 2; i++) {
            succeeded &= send(args[1], Case.of(folder.resolve(args[i])), seconds, megabits);
        }
        System.exit(succeeded ? 0 : 1);
    }

    /**
     * What is measured.
     *
     * @param folder the folder in which both processes and the script exchange files
     * @param control the kind of congestion control
     * @param queuePairs the number of queue pairs
     */
    private record Case(Path folder, String control, int queuePairs) {

        static Case of(Path folder) {
            String[] words = folder.getFileName().toString().split("-");
            return new Case(folder, words[0], Integer.parseInt(words[1]));
        }

        boolean isWindow() {
            return control.equals("window");
        }

        RdmaContext open(String addresses) {
            return Verbs.open("soft:" + addresses.split(",")[isWindow() ? 0 : 1] + "?congestion=" + control);
        }

        void publish(String name, List<String> lines) throws IOException {
            Path draft = folder.resolve(name + ".new");
            Files.write(draft, lines);
            Files.move(draft, folder.resolve(name));
        }

        List<String> await(String name) throws IOException, InterruptedException {
            Path file = folder.resolve(name);
            while (!Files.exists(file)) {
                TimeUnit.MILLISECONDS.sleep(20);
            }
            return Files.readAllLines(file);
        }
    }

    /**
     * The queue pairs of the sender, whose requests are posted again when they have completed.
     *
     * @param queuePairs the connected queue pairs
     * @param requests the request of each
     * @param channel the channel of their completion queue
     */
    private record Flows(List<QueuePair> queuePairs, SendWorkRequest[] requests, CompletionChannel channel) {

        /** Posts the first requests. */
        void start() {
            for (int i = 0; i < requests.length; i++) {
                for (int j = 0; j < OUTSTANDING; j++) {
                    queuePairs.get(i).postSend(requests[i]);
                }
            }
        }

        /**
         * Posts each request again when it has completed, for a number of seconds or until one fails.
         *
         * @param completed counts the requests of each queue pair that succeeded
         * @return whether all have succeeded
         */
        boolean repeat(int seconds, long[] completed) throws InterruptedException {
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
                    if (!postAgain(completions, count, completed)) {
                        return false;
                    }
                }
            }
            return true;
        }

        private boolean postAgain(WorkCompletions completions, int count, long[] completed) {
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
    }

    private static List<QueuePair> queuePairs(ProtectionDomain pd, CompletionQueue cq, int flows) {
        List<QueuePair> all = new ArrayList<>();
        for (int i = 0; i < flows; i++) {
            all.add(pd.createQueuePair(
                    QpInitAttributes.builder(QpType.RC).cq(cq).maxSendWr(OUTSTANDING).build()));
        }
        return all;
    }

    private static List<String> addresses(List<QueuePair> queuePairs) {
        return new ArrayList<>(queuePairs.stream().map(qp -> qp.localInfo().toString()).toList());
    }

    private static void connect(List<QueuePair> queuePairs, List<String> peers) {
        for (int i = 0; i < queuePairs.size(); i++) {
            queuePairs.get(i).connect(ConnectionInfo.parse(peers.get(i)));
        }
    }

    private static void receive(String addresses, Case each) throws Exception {
        try (RdmaContext context = each.open(addresses)) {
            receive(context, each);
        }
    }

    private static void receive(RdmaContext context, Case each) throws Exception {
        ProtectionDomain pd = context.allocatePd();
        MemoryRegion memory = pd.allocate(MESSAGE, Access.LOCAL_WRITE | Access.REMOTE_WRITE);
        List<QueuePair> queuePairs = queuePairs(pd, context.createCompletionQueue(1), each.queuePairs());
        List<String> lines = addresses(queuePairs);
        lines.add(memory.address() + " " + memory.rkey());
        each.publish("receiver", lines);
        connect(queuePairs, each.await("sender"));
        each.publish("connected", List.of());
        each.await("end");
        print(context, "np_ecn_marked_roce_packets", "np_cnp_sent", "duplicate_request", "out_of_seq_request");
    }

    private static boolean send(String addresses, Case each, int seconds, int megabits) throws Exception {
        try (RdmaContext context = each.open(addresses)) {
            return send(context, each, seconds, megabits);
        } finally {
            each.publish("end", List.of());
        }
    }

    private static boolean send(RdmaContext context, Case each, int seconds, int megabits) throws Exception {
        int count = each.queuePairs();
        Flows flows = connectSender(context, each);
        flows.start();
        if (!warmUp(flows, count, megabits)) {
            return false;
        }
        each.publish("warm", List.of());
        each.await("limited");
        boolean succeeded = flows.repeat(SETTLING_SECONDS, new long[count]);
        long[] completed = new long[count];
        long start = System.nanoTime();
        succeeded = succeeded && flows.repeat(seconds, completed);
        double time = (System.nanoTime() - start) / 1e9;
        double sum = Arrays.stream(completed).sum();
        double squares = Arrays.stream(completed).mapToDouble(number -> (double) number * number).sum();
        double goodput = megabits(sum, time) / megabits;
        double fairness = sum * sum / (count * squares);
        System.out.printf(Locale.ROOT, "%d flows: goodput %.3f of %d Mbit/s, fairness %.3f, messages %s%n", count,
                goodput, megabits, fairness, Arrays.toString(completed));
        print(context, "sent_pkts", "sent_bytes", "retransmissions", "roce_adp_retrans", "local_ack_timeout_err",
                "retry_exceeded_err", "rcvd_seq_err", "rp_cnp_handled", "rp_cnp_ignored");
        int percent = each.isWindow() ? LEAST_PERCENT_OF_WINDOW : LEAST_PERCENT;
        return succeeded && goodput * 100 >= percent && fairness >= LEAST_FAIRNESS;
    }

    private static Flows connectSender(RdmaContext context, Case each) throws Exception {
        int count = each.queuePairs();
        ProtectionDomain pd = context.allocatePd();
        MemoryRegion memory = pd.allocate(MESSAGE, Access.LOCAL_WRITE);
        CompletionChannel channel = context.createCompletionChannel();
        CompletionQueue cq = context.createCompletionQueue(count * OUTSTANDING, channel);
        cq.requestNotification(false);
        List<QueuePair> queuePairs = queuePairs(pd, cq, count);
        List<String> peers = each.await("receiver");
        each.publish("sender", addresses(queuePairs));
        connect(queuePairs, peers);
        each.await("connected");
        String[] target = peers.get(count).split(" ");
        SendWorkRequest[] requests = new SendWorkRequest[count];
        for (int i = 0; i < count; i++) {
            requests[i] = SendWorkRequest.create(1).wrId(i).opcode(WrOpcode.RDMA_WRITE).flags(SendFlags.SIGNALED)
                    .sge(memory, 0, MESSAGE).remote(Long.parseLong(target[0]), Integer.parseInt(target[1]));
        }
        return new Flows(queuePairs, requests, channel);
    }

    private static double megabits(double messages, double seconds) {
        return messages * MESSAGE * Byte.SIZE / seconds / 1e6;
    }

    /** Returns whether the requests have reached a multiple of a rate and each has succeeded. */
    private static boolean warmUp(Flows flows, int count, int megabits) throws InterruptedException {
        double reached = 0;
        int intervals = 0;
        for (int i = 0; i < LONGEST_WARM_UP_SECONDS / WARM_UP_INTERVAL_SECONDS; i++) {
            long[] completed = new long[count];
            if (!flows.repeat(WARM_UP_INTERVAL_SECONDS, completed)) {
                return false;
            }
            reached = megabits(Arrays.stream(completed).sum(), WARM_UP_INTERVAL_SECONDS);
            if (reached >= WARM_UP_MULTIPLE * megabits) {
                intervals++;
            }
            if (intervals == WARM_UP_INTERVALS) {
                return true;
            }
        }
        System.out.printf(Locale.ROOT, "without a limit, the path carries %.1f Mbit/s; the measurement needs %d%n",
                reached, WARM_UP_MULTIPLE * megabits);
        return false;
    }

    private static void print(RdmaContext context, String... counters) {
        DeviceCounters all = context.device().capability(DeviceCounters.class).orElseThrow();
        Arrays.stream(counters).forEach(each -> System.out.println("  " + each + " " + all.snapshot().get(each)));
    }
}
