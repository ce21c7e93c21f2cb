package io.jverbs.ibverbs.shared;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.jverbs.contract.end.Wait;
import io.jverbs.ffm.FileCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Threads that wait for the events of a file descriptor, which is an eventfd here: each signal is an event. */
@EnabledOnOs(OS.LINUX)
@Timeout(60)
final class EventSourceTest {
    private static final long LONG_MILLIS = 30_000;
    private static final long LONG = TimeUnit.MILLISECONDS.toNanos(LONG_MILLIS);
    private static final String DEVICE = "eventsource";

    private final EventPoller poller = new EventPoller(DEVICE);
    private final List<Thread> threads = new ArrayList<>();
    private int fd;
    private EventSource source;

    @BeforeEach
    void open() {
        fd = FileCalls.eventFd();
        assertEquals(0, FileCalls.setNonBlocking(fd));
        source = new EventSource(fd);
    }

    @AfterEach
    void close() throws InterruptedException {
        source.close();
        poller.close();
        FileCalls.close(fd);
        for (Thread each : threads) {
            each.join(LONG);
            assertFalse(each.isAlive(), each::getName);
        }
    }

    /** Returns the number of signals since the last read, null for none. */
    private Long read() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment count = arena.allocate(ValueLayout.JAVA_LONG);
            return FileCalls.drain(fd, count) == 0 ? count.get(ValueLayout.JAVA_LONG, 0) : null;
        }
    }

    private FutureTask<Long> waiting(boolean virtual, long nanos) {
        return waiting(poller, virtual, nanos);
    }

    private FutureTask<Long> waiting(EventPoller used, boolean virtual, long nanos) {
        FutureTask<Long> task = new FutureTask<>(() -> source.await(used, this::read, nanos));
        threads.add(virtual ? Thread.ofVirtual().start(task) : Thread.ofPlatform().daemon().start(task));
        return task;
    }

    private static <T> T result(FutureTask<T> task) throws Exception {
        return task.get(LONG, TimeUnit.NANOSECONDS);
    }

    private static boolean hasPollerThread(String device) {
        return Thread.getAllStackTraces().keySet().stream().anyMatch(each -> each.getName().contains(device));
    }

    private void awaitParked(Thread thread) throws InterruptedException {
        assertTrue(Wait.until(LONG_MILLIS, () -> Arrays.stream(thread.getStackTrace())
                .anyMatch(f -> f.getMethodName().equals("awaitNanos"))), "the thread does not park");
    }

    /** Several attempts, since an event of one may be late on a busy machine. */
    @Test
    void aPlatformThreadThatExchangesEventsNeedsNoOtherThread() throws Exception {
        for (int attempt = 0; attempt < 100; attempt++) {
            String device = DEVICE + '-' + attempt;
            EventPoller unused = new EventPoller(device);
            for (int i = 0; i < 10; i++) {
                FutureTask<Long> task = waiting(unused, false, LONG);
                FileCalls.signal(fd);
                assertEquals(1, result(task));
            }
            boolean isUnused = !hasPollerThread(device);
            unused.close();
            if (isUnused) {
                return;
            }
        }
        fail("the events needed another thread in each attempt");
    }

    @Test
    void aPlatformThreadThatWaitsForLongParks() throws Exception {
        FutureTask<Long> task = waiting(false, LONG);
        awaitParked(threads.getFirst());
        assertTrue(hasPollerThread(DEVICE));
        FileCalls.signal(fd);
        assertEquals(1, result(task));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anEventEndsTheWait(boolean virtual) throws Exception {
        for (int i = 0; i < 1_000; i++) {
            FutureTask<Long> task = waiting(virtual, LONG);
            if (i % 3 == 0) {
                Thread.sleep(0, i * 1_000);
            }
            FileCalls.signal(fd);
            assertEquals(1, result(task), "round " + i);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void eachOfManyThreadsGetsAnEvent(boolean virtual) throws Exception {
        List<FutureTask<Long>> tasks = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            tasks.add(waiting(virtual && i % 2 == 0, LONG));
        }
        for (int done = 0; done < tasks.size(); done++) {
            FileCalls.signal(fd);
            int expected = done + 1;
            assertTrue(Wait.until(LONG_MILLIS, () -> tasks.stream().filter(FutureTask::isDone).count() >= expected),
                    "only " + done + " threads got an event");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void wakeMakesTheWaitReturnNull(boolean virtual) throws Exception {
        for (int i = 0; i < 200; i++) {
            FutureTask<Long> task = waiting(virtual, LONG);
            if (i % 2 == 0) {
                Thread.sleep(0, i * 5_000);
            }
            source.wake();
            assertNull(result(task), "round " + i);
        }
    }

    /** The waits are in poll(2), or parked, or about to wait. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void closeMakesAllWaitsReturnNull(boolean virtual) throws Exception {
        for (int i = 0; i < 30; i++) {
            source.close();
            source = new EventSource(fd);
            FutureTask<Long> first = waiting(virtual, LONG);
            FutureTask<Long> second = waiting(false, LONG);
            LockSupport.parkNanos(i * 1_000_000L);
            source.close();
            assertNull(result(first), "round " + i);
            assertNull(result(second), "round " + i);
        }
        assertNull(source.await(poller, this::read, LONG), "a wait after close");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anInterruptEndsTheWait(boolean virtual) throws Exception {
        FutureTask<Long> task = waiting(virtual, LONG);
        Thread.sleep(2);
        threads.getFirst().interrupt();
        ExecutionException e = assertThrows(ExecutionException.class, () -> result(task));
        assertInstanceOf(InterruptedException.class, e.getCause());
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 300_000, 1_000_000, 1_700_000, 12_000_000, 40_000_000})
    void aWaitWithoutAnEventEndsAfterItsTime(long nanos) throws Exception {
        long start = System.nanoTime();
        assertNull(source.await(poller, this::read, nanos));
        assertTrue(System.nanoTime() - start >= nanos);
    }

    @Test
    void anEventThatIsThereNeedsNoWait() throws Exception {
        FileCalls.signal(fd);
        FileCalls.signal(fd);
        assertEquals(2, source.await(poller, this::read, 0));
        assertNull(source.await(poller, this::read, 0));
    }

    /** The thread's next wait must begin anew, and close must not wait for it. */
    @Test
    void aReaderThatThrowsLeavesTheSourceUsable() throws Exception {
        FutureTask<Long> task = new FutureTask<>(() -> source.await(poller, () -> {
            Long count = read();
            if (count != null) {
                throw new StackOverflowError("on purpose");
            }
            return null;
        }, LONG));
        threads.add(Thread.ofPlatform().daemon().start(task));
        FileCalls.signal(fd);
        ExecutionException e = assertThrows(ExecutionException.class, () -> result(task));
        assertInstanceOf(StackOverflowError.class, e.getCause());
        FileCalls.signal(fd);
        assertEquals(1, source.await(poller, this::read, LONG));
    }
}
