package io.jverbs.soft.stress;

import io.jverbs.CompletionChannel;
import io.jverbs.CompletionQueue;
import io.jverbs.MemoryRegion;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendWorkRequest;
import io.jverbs.WcStatus;
import io.jverbs.WorkCompletions;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The program that {@link IdleTest} starts: traffic, then silence, then a look at threads and their CPU time. */
final class IdleProbe {
    private static final int MESSAGES = 20_000;
    private static final int BYTES = 64;
    private static final long SILENCE_MILLIS = 400;
    private static final long SILENCE_COSTS_AT_MOST_NANOS = 10_000_000;
    private static final long HANGS_MILLIS = 15_000;
    private static final String TIMER = "jverbs-soft-timer";

    private final Team team = new Team();
    private final Node node = Node.open();
    private final CompletionChannel channel = node.context.createCompletionChannel();
    private final CompletionQueue cq = node.context.createCompletionQueue(16, channel);
    private final QueuePair left = node.queuePair(QpType.RC, cq, cq);
    private final QueuePair right = node.queuePair(QpType.RC, cq, cq);
    private final MemoryRegion memory = node.region(BYTES);
    private final SendWorkRequest send = SendWorkRequest.create(1).sge(memory, 0, BYTES);
    private final ReceiveWorkRequest receive = ReceiveWorkRequest.create(1).sge(memory, 0, BYTES);
    private final WorkCompletions done = WorkCompletions.create(1);

    public static void main(String[] arguments) throws Exception {
        IdleProbe probe = new IdleProbe();
        Thread.ofPlatform().daemon().name("watchdog").start(probe::endWhatHangs);
        probe.run();
    }

    private void endWhatHangs() {
        try {
            Thread.sleep(HANGS_MILLIS);
            System.out.println(team.stuck("the probe to end").getMessage());
            Runtime.getRuntime().halt(1);
        } catch (InterruptedException e) {
            // nobody interrupts
        }
    }

    private void run() throws Exception {
        Node.connect(left, right);
        Thread waiter = Thread.ofPlatform().daemon().name("waits for an event").start(this::awaitEvent);
        cq.requestNotification(true);
        for (int i = 0; i < MESSAGES; i++) {
            right.postReceive(receive);
            left.postSend(send);
            take(2);
        }
        check(jverbsThreads().isEmpty(),
                "traffic that waits for no timer needs no thread, but there is " + jverbsThreads());
        checkSilence("after traffic");

        left.postSend(send);
        check(jverbsThreads().equals(List.of(TIMER)), "a request that waits for a receive has one timer thread, not "
                + jverbsThreads());
        right.postReceive(receive);
        take(2);
        checkSilence("after a timer");
        check(waiter.isAlive(), "the thread that waits for an event still waits");
        node.close();
    }

    private void awaitEvent() {
        try {
            channel.awaitEvent(Team.PATIENCE);
        } catch (IllegalStateException | InterruptedException e) {
            // the context was closed: the end
        }
    }

    private void take(int count) {
        for (int i = 0; i < count; i++) {
            team.await("a completion", () -> cq.poll(done, 1) == 1);
            check(done.status(0) == WcStatus.SUCCESS, "status " + done.status(0));
        }
    }

    private static List<String> jverbsThreads() {
        return Thread.getAllStackTraces().keySet().stream().map(Thread::getName)
                .filter(name -> name.startsWith("jverbs")).toList();
    }

    /** All threads together use next to no CPU for a while; the compilers, which are none of Java's threads, do not count. */
    private static void checkSilence(String when) throws InterruptedException {
        Map<String, Long> before = cpuTimes();
        Thread.sleep(SILENCE_MILLIS);
        Map<String, Long> after = cpuTimes();
        after.replaceAll((name, nanos) -> nanos - before.getOrDefault(name, 0L));
        long sum = after.values().stream().mapToLong(Long::longValue).sum();
        check(sum <= SILENCE_COSTS_AT_MOST_NANOS, SILENCE_MILLIS + " ms of silence " + when + " cost " + after);
    }

    private static Map<String, Long> cpuTimes() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        Map<String, Long> times = new HashMap<>();
        for (long id : threads.getAllThreadIds()) {
            var info = threads.getThreadInfo(id);
            if (info != null) {
                times.merge(info.getThreadName(), Math.max(0, threads.getThreadCpuTime(id)), Long::sum);
            }
        }
        return times;
    }

    private static void check(boolean holds, String message) {
        if (!holds) {
            throw new AssertionError(message);
        }
    }
}
