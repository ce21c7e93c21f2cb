package io.jverbs.soft.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.soft.LoopbackAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Virtual threads that wait for completion events of a device with sockets. With Linux's sockets, a virtual thread
 * receives for them and for the platform threads that wait.
 */
@Timeout(120)
final class VirtualWaitersTest {
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final int WAITS = 3;
    private static final int MESSAGES = 200;
    private static final int ROUNDS = 20;

    private final String selector = "soft:" + LoopbackAddress.next() + "?fabric=wire";
    private final List<Thread> virtual = new ArrayList<>();
    private final AtomicInteger interrupted = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();
    private WaitingEnd left;
    private WaitingEnd right;
    private WaitingEnd silent;
    private volatile boolean stopped;

    @BeforeEach
    void open() {
        left = new WaitingEnd(LoopbackAddress.wired());
        right = new WaitingEnd(selector);
        silent = new WaitingEnd(selector);
        left.connect(right);
    }

    @AfterEach
    void close() throws InterruptedException {
        stopped = true;
        left.close();
        right.close();
        silent.close();
        for (Thread each : virtual) {
            each.join();
        }
    }

    /** Starts virtual threads that wait for events that do not come. */
    private void startWaits() {
        for (int i = 0; i < WAITS; i++) {
            virtual.add(Thread.ofVirtual().start(() -> {
                try {
                    silent.channel.awaitEvent(LONG);
                } catch (InterruptedException e) {
                    interrupted.incrementAndGet();
                } catch (IllegalStateException e) {
                    // the channel was closed before the wait
                } finally {
                    ended.incrementAndGet();
                }
            }));
        }
    }

    private void exchange(int messages) throws InterruptedException {
        for (int i = 0; i < messages; i++) {
            right.cq.requestNotification(false);
            right.receive();
            left.send();
            right.awaitEvent();
            left.awaitDone();
        }
    }

    /** Until other virtual threads occupy the carriers, after that, and when they have ended. */
    @Test
    void aPlatformThreadGetsItsEventsWhetherVirtualThreadsThatWaitAreScheduledOrNot() throws Exception {
        startWaits();
        exchange(MESSAGES);
        for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
            virtual.add(Thread.ofVirtual().start(() -> {
                while (!stopped) {
                    Thread.onSpinWait();
                }
            }));
        }
        exchange(MESSAGES / ROUNDS);
        stopped = true;
        exchange(MESSAGES);
    }

    @Test
    void anInterruptEndsTheWaitsOfVirtualThreadsAndNothingElse() throws Exception {
        for (int round = 1; round <= ROUNDS; round++) {
            startWaits();
            exchange(MESSAGES / ROUNDS);
            virtual.forEach(Thread::interrupt);
            exchange(MESSAGES / ROUNDS);
            int expected = WAITS * round;
            DeviceThreads.await("the interrupted threads to end", () -> interrupted.get() == expected);
        }
    }

    /** The packets of a peer arrive during the close. */
    @Test
    void theCloseOfTheContextEndsTheWaitsOfVirtualThreads() throws Exception {
        startWaits();
        exchange(MESSAGES);
        right.receive();
        left.send();
        silent.close();
        DeviceThreads.await("the waits to end", () -> ended.get() == WAITS);
        assertEquals(0, interrupted.get());
    }
}
