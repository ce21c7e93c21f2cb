package io.jverbs.soft.threads;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.WorkCompletions;
import io.jverbs.soft.LoopbackAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Virtual threads that poll without a pause, more of them than carriers. */
@Timeout(120)
final class VirtualPollersTest {
    private static final int DEADLINE_SECONDS = 30;

    private volatile boolean stopped;

    /** A thread that holds a lock of the device can be unmounted. The others poll until it has released the lock. */
    @ParameterizedTest
    @CsvSource({"wire, false", "wire, true", "JVM, false", "JVM, true"})
    void virtualThreadsThatPollLetOthersRun(String network, boolean interrupted) throws InterruptedException {
        int pollers = 2 * Runtime.getRuntime().availableProcessors();
        CountDownLatch polling = new CountDownLatch(pollers);
        CountDownLatch ran = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        try (WaitingEnd end = new WaitingEnd(network.equals("wire") ? LoopbackAddress.wired() : "soft")) {
            for (int i = 0; i < pollers; i++) {
                threads.add(Thread.ofVirtual().start(() -> {
                    polling.countDown();
                    if (interrupted) {
                        Thread.currentThread().interrupt();
                    }
                    WorkCompletions completions = WorkCompletions.create(1);
                    while (!stopped) {
                        end.cq.poll(completions);
                        Thread.onSpinWait();
                    }
                }));
            }
            try {
                assertTrue(polling.await(DEADLINE_SECONDS, TimeUnit.SECONDS), "a poller has not started");
                Thread.ofVirtual().start(ran::countDown);
                assertTrue(ran.await(DEADLINE_SECONDS, TimeUnit.SECONDS), "no carrier took another thread");
            } finally {
                stopped = true;
                for (Thread thread : threads) {
                    thread.join();
                }
            }
        }
    }
}
