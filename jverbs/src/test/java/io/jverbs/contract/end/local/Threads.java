package io.jverbs.contract.end.local;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Runs a body on several threads that start at the same time. */
final class Threads {

    private Threads() {}

    /** The body of a thread. Indices start at 0. */
    interface Body {
        void run(int index) throws Exception;
    }

    /** Returns when all threads have ended. Throws if any failed. */
    static void run(int count, Body body) {
        run(count, 0, body);
    }

    /** Returns when all threads have ended, or at the timeout (0 for none). Throws if any failed. */
    static void run(int count, long millis, Body body) {
        CountDownLatch ready = new CountDownLatch(count);
        List<Throwable> failures = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int index = i;
            threads.add(Thread.ofPlatform().daemon().name("end-" + index).start(() -> {
                try {
                    ready.countDown();
                    ready.await();
                    body.run(index);
                } catch (Throwable e) {
                    synchronized (failures) {
                        failures.add(e);
                    }
                }
            }));
        }
        try {
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
            for (Thread thread : threads) {
                thread.join(millis == 0 ? 0 : Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())));
            }
        } catch (InterruptedException e) {
            threads.forEach(Thread::interrupt);
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while " + count + " threads ran", e);
        }
        synchronized (failures) {
            if (!failures.isEmpty()) {
                IllegalStateException failure = new IllegalStateException(
                        failures.size() + " of " + count + " threads failed: " + failures.getFirst());
                failures.forEach(failure::addSuppressed);
                throw failure;
            }
        }
    }
}
