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

/** The program that {@link IdleTest} starts. After traffic it checks the threads and their CPU time while idle. */
final class IdleProbe {
    private static final int MESSAGES = 20_000;
    private static final int BYTES = 64;
    private static final long IDLE_MILLIS = 400;
    private static final long MAX_IDLE_CPU_NANOS = 10_000_000;
    private static final long WATCHDOG_MILLIS = 15_000;
    private static final String TIMER = "jverbs-soft-timer";

    private final WorkerThreads workers = new WorkerThreads();
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
        Thread.ofPlatform().daemon().name("watchdog").start(probe::haltOnTimeout);
        probe.run();
    }

    private void haltOnTimeout() {
        try {
            Thread.sleep(WATCHDOG_MILLIS);
            System.out.println(workers.timeout("the probe to end").getMessage());
            Runtime.getRuntime().halt(1);
        } catch (InterruptedException e) {
            // this thread is never interrupted
        }
    }

    private void run() throws Exception {
        Node.connect(left, right);
        Thread waiter = Thread.ofPlatform().daemon().name("event-waiter").start(this::awaitEvent);
        cq.requestNotification(true);
        for (int i = 0; i < MESSAGES; i++) {
            right.postReceive(receive);
            left.postSend(send);
            pollSuccess(2);
        }
        check(jverbsThreads().isEmpty(),
                "traffic without timers needs no thread, but there are " + jverbsThreads());
        checkIdle("after traffic");

        left.postSend(send);
        check(jverbsThreads().equals(List.of(TIMER)),
                "a request that waits for a receive needs one timer thread, but there are " + jverbsThreads());
        right.postReceive(receive);
        pollSuccess(2);
        checkIdle("after a timer");
        check(waiter.isAlive(), "the thread that waits for an event has ended");
        node.close();
    }

    private void awaitEvent() {
        try {
            channel.awaitEvent(WorkerThreads.TIMEOUT);
        } catch (IllegalStateException | InterruptedException e) {
            // the context was closed
        }
    }

    private void pollSuccess(int count) {
        for (int i = 0; i < count; i++) {
            workers.await("a completion", () -> cq.poll(done, 1) == 1);
            check(done.status(0) == WcStatus.SUCCESS, "status " + done.status(0));
        }
    }

    private static List<String> jverbsThreads() {
        return Thread.getAllStackTraces().keySet().stream().map(Thread::getName)
                .filter(name -> name.startsWith("jverbs")).toList();
    }

    /**
     * Checks that all Java threads together use at most 10 ms of CPU time in 400 ms. The JIT compiler threads are not
     * Java threads and do not count.
     */
    private static void checkIdle(String when) throws InterruptedException {
        Map<String, Long> before = cpuTimes();
        Thread.sleep(IDLE_MILLIS);
        Map<String, Long> after = cpuTimes();
        after.replaceAll((name, nanos) -> nanos - before.getOrDefault(name, 0L));
        long sum = after.values().stream().mapToLong(Long::longValue).sum();
        check(sum <= MAX_IDLE_CPU_NANOS,
                "CPU nanoseconds used in " + IDLE_MILLIS + " ms without traffic " + when + ": " + after);
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
