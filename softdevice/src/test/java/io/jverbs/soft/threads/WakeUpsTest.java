package io.jverbs.soft.threads;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.CompletionQueue;
import io.jverbs.soft.LoopbackAddress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Which threads a message wakes while platform threads wait for completion events. Linux counts how often a thread has
 * given up its processor until it was woken: its voluntary context switches.
 */
@Timeout(120)
@EnabledOnOs(OS.LINUX)
final class WakeUpsTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final int MESSAGES = 500;
    /** The messages before the threads are what they remain: a thread that waits leads for 20 ms at first. */
    private static final int FIRST_MESSAGES = 300;
    /** Before each message, the thread that receives has this time to block. */
    private static final long PAUSE_NANOS = 150_000;
    /** The device's thread checks at most this often whether threads of the program receive. */
    private static final long CHECK_NANOS = 2_000_000;
    /** A thread that waits blocks at most this long. */
    private static final long BLOCK_NANOS = 1_000_000;
    /** A thread may be woken a few times for another reason. */
    private static final int FEW = 20;
    private static final Path TASKS = Path.of("/proc/self/task");
    private static final String SWITCHES = "voluntary_ctxt_switches:";
    /** Linux has the first 15 characters of a name. */
    private static final String DEVICE = "jverbs-soft-127";

    private final String selector = LoopbackAddress.wired();
    private final List<WaitingEnd> ends = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicInteger received = new AtomicInteger();
    private volatile boolean isOver;
    private WaitingEnd sender;
    private WaitingEnd receiver;
    private Path device;
    private int sent;
    private long nanos;

    @BeforeEach
    void open() {
        List<Path> others = tasks(DEVICE);
        sender = opened(LoopbackAddress.wired());
        Path senderDevice = newDevice(others);
        receiver = opened(selector);
        others.add(senderDevice);
        device = newDevice(others);
        sender.connect(receiver);
        receiver.cq.requestNotification(false);
        receiver.receive();
    }

    @AfterEach
    void close() throws InterruptedException {
        isOver = true;
        for (Thread each : threads) {
            each.interrupt();
            each.join();
        }
        ends.forEach(WaitingEnd::close);
    }

    private WaitingEnd opened(String name) {
        WaitingEnd end = new WaitingEnd(name);
        ends.add(end);
        return end;
    }

    /** Waits for the thread of a device that was opened: a new thread has its name soon after its start. */
    private static Path newDevice(List<Path> others) {
        DeviceThreads.await("the thread of the device", () -> !others.containsAll(tasks(DEVICE)));
        return tasks(DEVICE).stream().filter(each -> !others.contains(each)).findFirst().orElseThrow();
    }

    private static List<Path> tasks(String name) {
        try (Stream<Path> all = Files.list(TASKS)) {
            return all.filter(each -> read(each, "comm").startsWith(name))
                    .collect(Collectors.toCollection(ArrayList::new));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns nothing if the thread has ended. */
    private static String read(Path task, String file) {
        try {
            return Files.readString(task.resolve(file));
        } catch (IOException e) {
            return "";
        }
    }

    private static long wakeUps(Path task) {
        String count = read(task, "status").lines().filter(each -> each.startsWith(SWITCHES)).findFirst().orElseThrow();
        return Long.parseLong(count.substring(SWITCHES.length()).strip());
    }

    private static long wakeUps(List<Path> tasks) {
        return tasks.stream().mapToLong(WakeUpsTest::wakeUps).sum();
    }

    /** Starts a thread, and returns it as Linux knows it. */
    private Path start(String name, Runnable body) {
        threads.add(Thread.ofPlatform().name(name).start(body));
        DeviceThreads.await(name, () -> !tasks(name).isEmpty());
        return tasks(name).getFirst();
    }

    /** Receives messages until the end of the test. Several threads may do this at the same time. */
    private void receiveAll() {
        try {
            while (!isOver) {
                CompletionQueue cq = receiver.channel.awaitEvent(LONG);
                cq.acknowledgeEvents(1);
                receiver.awaitDone();
                cq.requestNotification(false);
                receiver.receive();
                received.incrementAndGet();
            }
        } catch (InterruptedException e) {
            // the test is over
        }
    }

    private void waitForNothing(WaitingEnd end) {
        try {
            end.channel.awaitEvent(LONG);
        } catch (InterruptedException e) {
            // the test is over
        }
    }

    /** Sends messages, each when the one before it was received and the receiver blocks again. */
    private void send(int messages) {
        long start = System.nanoTime();
        for (int i = 0; i < messages; i++) {
            long begin = System.nanoTime();
            while (System.nanoTime() - begin < PAUSE_NANOS) {
                Thread.onSpinWait();
            }
            sender.send();
            sent++;
            sender.awaitDone();
            DeviceThreads.await("a message", () -> received.get() == sent);
        }
        nanos = System.nanoTime() - start;
    }

    /** The others wait on channels of their own for messages that are never sent. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3})
    void aMessageWakesNoThreadThatWaitsForAnotherEvent(int others) {
        List<Path> idle = new ArrayList<>();
        for (int i = 0; i < others; i++) {
            WaitingEnd end = opened(selector);
            idle.add(start("nothing-" + i, () -> waitForNothing(end)));
        }
        start("receiving", this::receiveAll);
        send(FIRST_MESSAGES);
        long idleBefore = wakeUps(idle);
        long deviceBefore = wakeUps(device);
        send(MESSAGES);
        assertAtMost(FEW, wakeUps(idle) - idleBefore);
        if (others == 0) {
            // with others, the device's thread may receive for them
            assertAtMost(FEW + 2 * nanos / CHECK_NANOS, wakeUps(device) - deviceBefore);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void aMessageWakesOneOfTheThreadsThatWaitOnItsChannel(int number) {
        List<Path> receiving = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            receiving.add(start("receiving-" + i, this::receiveAll));
        }
        send(FIRST_MESSAGES);
        long before = wakeUps(receiving);
        send(MESSAGES);
        assertAtMost(MESSAGES * 3 / 2 + nanos / BLOCK_NANOS, wakeUps(receiving) - before);
    }

    private void assertAtMost(long most, long count) {
        assertTrue(count <= most, () -> count + " wake-ups, at most " + most + " for " + MESSAGES + " messages in "
                + nanos + " ns");
    }
}
