package io.jverbs.soft.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.CompletionQueue;
import io.jverbs.QpAttributes;
import io.jverbs.QpState;
import io.jverbs.soft.LoopbackAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Threads that wait for completion events of a device with sockets. One platform thread that waits receives by itself,
 * and blocks in the poller of the sockets. No event is lost, whatever the threads do.
 */
@Timeout(120)
final class WaitingThreadsTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofMillis(15);
    private static final Duration LONGER_THAN_A_TERM = Duration.ofMillis(100);
    private static final int MESSAGES = 200;

    private final String own = LoopbackAddress.next();
    private final String selector = "soft:" + own + "?fabric=wire";
    private final String engine = "jverbs-soft-" + own;

    /** A call that waits. */
    private interface Wait<T> {
        T run() throws InterruptedException;
    }

    private static <T> CompletableFuture<T> inThread(Thread.Builder builder, Wait<T> body) {
        CompletableFuture<T> result = new CompletableFuture<>();
        builder.start(() -> {
            try {
                result.complete(body.run());
            } catch (InterruptedException | RuntimeException | Error e) {
                result.completeExceptionally(e);
            }
        });
        return result;
    }

    private static <T> T get(CompletableFuture<T> result) throws Exception {
        return result.get(LONG.toSeconds(), TimeUnit.SECONDS);
    }

    /** Returns whether a thread executes a method of a class. */
    private static boolean isIn(Thread thread, String simpleName, String method) {
        return Arrays.stream(thread.getStackTrace()).anyMatch(each -> each.getMethodName().equals(method)
                && each.getClassName().endsWith('.' + simpleName));
    }

    private static boolean blocks(Thread thread) {
        return isIn(thread, "SocketWait", "block") && isIn(thread, "ReceivingWait", "lead");
    }

    private static void awaitBlocked(Thread thread) {
        DeviceThreads.await("a thread that blocks in the poller", () -> blocks(thread));
    }

    /** Waits in short steps, so that the thread is the leader again and again. */
    private static CompletionQueue repeatedWait(WaitingEnd end) throws InterruptedException {
        long deadline = System.nanoTime() + LONG.toNanos();
        CompletionQueue event = null;
        while (event == null && System.nanoTime() - deadline < 0) {
            event = end.channel.awaitEvent(SHORT);
        }
        return event;
    }

    private static Thread named(String name) {
        return DeviceThreads.named(name).getFirst();
    }

    private void exchange(WaitingEnd waiting, WaitingEnd other) throws InterruptedException {
        waiting.cq.requestNotification(false);
        waiting.receive();
        other.send();
        waiting.awaitEvent();
        other.awaitDone();
    }

    @Test
    void aThreadThatWaitsReceivesByItself() throws Exception {
        try (WaitingEnd left = new WaitingEnd(LoopbackAddress.wired()); WaitingEnd right = new WaitingEnd(selector)) {
            left.connect(right);
            CompletableFuture<Integer> received = inThread(Thread.ofPlatform().name("receives"), () -> {
                for (int i = 0; i < MESSAGES; i++) {
                    right.cq.requestNotification(false);
                    right.receive();
                    assertNotNull(repeatedWait(right));
                    right.cq.acknowledgeEvents(1);
                    right.awaitDone();
                }
                return MESSAGES;
            });
            Thread thread = named("receives");
            for (int i = 0; i < MESSAGES; i++) {
                if (i % 10 == 0) {
                    awaitBlocked(thread);
                }
                left.send();
                left.awaitDone();
            }
            assertEquals(MESSAGES, get(received));
        }
    }

    @Test
    void anInterruptEndsTheWaitOfAThreadThatBlocksAndNothingElse() throws Exception {
        try (WaitingEnd left = new WaitingEnd(LoopbackAddress.wired()); WaitingEnd right = new WaitingEnd(selector)) {
            left.connect(right);
            CompletableFuture<CompletionQueue> event = inThread(Thread.ofPlatform().name("interrupted"),
                    () -> repeatedWait(right));
            Thread thread = named("interrupted");
            awaitBlocked(thread);
            thread.interrupt();
            ExecutionException thrown = assertThrows(ExecutionException.class, () -> get(event));
            assertTrue(thrown.getCause() instanceof InterruptedException, thrown::toString);
            for (int i = 0; i < MESSAGES; i++) {
                exchange(right, left);
            }
        }
    }

    @Test
    void aWaitThatTimesOutReturnsNullAfterItsTimeAndNotBefore() throws Exception {
        try (WaitingEnd end = new WaitingEnd(selector)) {
            for (long millis : new long[] {1, 5, 30}) {
                long start = System.nanoTime();
                assertNull(end.channel.awaitEvent(Duration.ofMillis(millis)));
                assertTrue(System.nanoTime() - start >= TimeUnit.MILLISECONDS.toNanos(millis));
            }
            assertNull(end.channel.awaitEvent(Duration.ZERO));
        }
    }

    /** The shortest of several waits, since other processes may occupy the processors during one of them. */
    @Test
    void aWaitOfLessThanAMillisecondIsNotRoundedUp() throws Exception {
        try (WaitingEnd end = new WaitingEnd(selector)) {
            Duration time = Duration.ofNanos(200_000);
            long shortest = Long.MAX_VALUE;
            for (int i = 0; i < 50; i++) {
                long start = System.nanoTime();
                assertNull(end.channel.awaitEvent(time));
                shortest = Math.min(shortest, System.nanoTime() - start);
            }
            assertTrue(shortest >= time.toNanos() && shortest < 900_000, "nanoseconds: " + shortest);
        }
    }

    @Test
    void anInterruptEndsTheWaitOfTheLeaderWithinMilliseconds() throws Exception {
        try (WaitingEnd end = new WaitingEnd(selector)) {
            long shortest = Long.MAX_VALUE;
            for (int i = 0; i < 20; i++) {
                CompletableFuture<CompletionQueue> event = inThread(Thread.ofPlatform().name("interrupted"),
                        () -> repeatedWait(end));
                Thread thread = named("interrupted");
                awaitBlocked(thread);
                long start = System.nanoTime();
                thread.interrupt();
                assertThrows(ExecutionException.class, () -> get(event));
                thread.join();
                shortest = Math.min(shortest, System.nanoTime() - start);
            }
            assertTrue(shortest < TimeUnit.MILLISECONDS.toNanos(4), "nanoseconds: " + shortest);
        }
    }

    @Test
    void anEventThatAnotherThreadAddsWakesTheThreadThatBlocks() throws Exception {
        try (WaitingEnd left = new WaitingEnd(LoopbackAddress.wired()); WaitingEnd right = new WaitingEnd(selector)) {
            left.connect(right);
            for (int i = 0; i < 20; i++) {
                right.receive();
                right.cq.requestNotification(false);
                String name = "wakes-" + i;
                CompletableFuture<CompletionQueue> event = inThread(Thread.ofPlatform().name(name),
                        () -> repeatedWait(right));
                awaitBlocked(named(name));
                // flushes the receive
                right.qp.modify(QpAttributes.builder().state(QpState.ERR).build());
                assertEquals(right.cq, get(event));
                right.cq.acknowledgeEvents(1);
                right.qp.modify(QpAttributes.builder().state(QpState.RESET).build());
                left.qp.modify(QpAttributes.builder().state(QpState.RESET).build());
                left.connect(right);
            }
        }
    }

    @Test
    void theCloseOfAChannelEndsTheWaitOfAThreadThatBlocks() throws Exception {
        try (WaitingEnd end = new WaitingEnd(selector)) {
            CompletableFuture<CompletionQueue> event = inThread(Thread.ofPlatform().name("closed"),
                    () -> repeatedWait(end));
            awaitBlocked(named("closed"));
            end.qp.close();
            end.cq.close();
            end.channel.close();
            event.exceptionally(e -> null).get(LONG.toSeconds(), TimeUnit.SECONDS);
        }
    }

    @Test
    void theCloseOfTheContextEndsTheWaitOfAThreadThatBlocks() throws Exception {
        WaitingEnd end = new WaitingEnd(selector);
        CompletableFuture<CompletionQueue> event = inThread(Thread.ofPlatform().name("context"),
                () -> repeatedWait(end));
        awaitBlocked(named("context"));
        end.close();
        try {
            assertNull(event.handle((queue, failure) -> queue).get(LONG.toSeconds(), TimeUnit.SECONDS));
        } catch (CompletionException e) {
            // the channel is closed
        }
    }

    private boolean parksDuringExchanges(Thread thread, WaitingEnd waiting, WaitingEnd other) {
        boolean parks = true;
        try {
            for (int i = 0; i < MESSAGES; i++) {
                exchange(waiting, other);
                parks &= isIn(thread, "ReceivingWait", "follow");
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        return parks;
    }

    /** Returns whether a thread is seen as the leader within a time that is longer than it can lead. */
    private static boolean isSeenToLead(Thread thread) {
        long end = System.nanoTime() + LONGER_THAN_A_TERM.toNanos();
        while (System.nanoTime() - end < 0) {
            if (blocks(thread)) {
                return true;
            }
        }
        return false;
    }

    @Test
    void aThreadThatWaitsForLongParksAndLeavesTheSocketsToOthers() throws Exception {
        try (WaitingEnd left = new WaitingEnd(LoopbackAddress.wired());
                WaitingEnd idle = new WaitingEnd(selector);
                WaitingEnd busy = new WaitingEnd(selector)) {
            left.connect(busy);
            for (boolean isSeen = false; !isSeen;) {
                CompletableFuture<CompletionQueue> nothing = inThread(Thread.ofPlatform().name("idle"),
                        () -> idle.channel.awaitEvent(LONG));
                Thread idleThread = named("idle");
                // it leads once, for a short time, in which this thread may not run
                isSeen = isSeenToLead(idleThread);
                if (isSeen) {
                    DeviceThreads.await("the idle thread to park", () -> parksDuringExchanges(idleThread, busy, left));
                    for (int i = 0; i < 5; i++) {
                        assertTrue(parksDuringExchanges(idleThread, busy, left));
                    }
                }
                idleThread.interrupt();
                assertTrue(nothing.handle((queue, failure) -> failure != null).get(LONG.toSeconds(), TimeUnit.SECONDS));
                idleThread.join();
            }
        }
    }

    @Test
    void aThreadThatParksGetsItsEventThoughTheLeaderHasLeft() throws Exception {
        try (WaitingEnd left = new WaitingEnd(LoopbackAddress.wired());
                WaitingEnd other = new WaitingEnd(LoopbackAddress.wired());
                WaitingEnd leads = new WaitingEnd(selector);
                WaitingEnd follows = new WaitingEnd(selector)) {
            left.connect(leads);
            other.connect(follows);
            for (int i = 0; i < 20; i++) {
                leads.cq.requestNotification(false);
                leads.receive();
                String name = "leads-" + i;
                CompletableFuture<CompletionQueue> first = inThread(Thread.ofPlatform().name(name),
                        () -> repeatedWait(leads));
                awaitBlocked(named(name));
                follows.cq.requestNotification(false);
                follows.receive();
                CompletableFuture<CompletionQueue> second = inThread(Thread.ofPlatform().name("follows"),
                        () -> follows.channel.awaitEvent(LONG));
                left.send();
                assertNotNull(get(first));
                leads.cq.acknowledgeEvents(1);
                other.send();
                assertNotNull(get(second));
                follows.cq.acknowledgeEvents(1);
                left.awaitDone();
                leads.awaitDone();
                other.awaitDone();
                follows.awaitDone();
            }
        }
    }

    @Test
    void threadsThatShareAChannelReturnNullOnlyAfterTheirTime() throws Exception {
        try (WaitingEnd left = new WaitingEnd(LoopbackAddress.wired()); WaitingEnd right = new WaitingEnd(selector)) {
            left.connect(right);
            List<CompletableFuture<CompletionQueue>> waits = new ArrayList<>();
            int threads = 4;
            for (int i = 0; i < threads; i++) {
                Thread.Builder builder = i % 2 == 0 ? Thread.ofPlatform() : Thread.ofVirtual();
                waits.add(inThread(builder, () -> right.channel.awaitEvent(LONG)));
            }
            for (int i = 0; i < threads; i++) {
                int wanted = i + 1;
                right.cq.requestNotification(false);
                right.receive();
                left.send();
                DeviceThreads.await("an event for a thread",
                        () -> waits.stream().filter(CompletableFuture::isDone).count() == wanted);
                left.awaitDone();
                right.awaitDone();
            }
            for (CompletableFuture<CompletionQueue> each : waits) {
                assertEquals(right.cq, get(each));
                right.cq.acknowledgeEvents(1);
            }
        }
    }

    /** Completions of several queues arrive while one thread of their channel receives. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void eachThreadOfAChannelGetsOneOfTheEventsThatArriveTogether(boolean isWire) throws Exception {
        int threads = 3;
        try (WaitingEnd end = new WaitingEnd(isWire ? selector : "soft")) {
            for (int round = 0; round < 100; round++) {
                List<CompletableFuture<CompletionQueue>> waits = new ArrayList<>();
                for (int i = 0; i < threads; i++) {
                    Thread.Builder builder = (i + round) % 2 == 0 ? Thread.ofPlatform() : Thread.ofVirtual();
                    waits.add(inThread(builder, () -> end.channel.awaitEvent(LONG)));
                }
                List<CompletionQueue> queues = end.raiseEvents(threads);
                for (CompletableFuture<CompletionQueue> each : waits) {
                    get(each).acknowledgeEvents(1);
                }
                queues.forEach(CompletionQueue::close);
            }
        }
    }

    @Test
    void manyThreadsOfBothKindsGetTheirEvents() throws Exception {
        List<WaitingEnd> ends = new ArrayList<>();
        try {
            List<CompletableFuture<Integer>> results = new ArrayList<>();
            String peer = LoopbackAddress.wired();
            for (int i = 0; i < 8; i++) {
                WaitingEnd left = new WaitingEnd(peer);
                ends.add(left);
                WaitingEnd right = new WaitingEnd(selector);
                ends.add(right);
                left.connect(right);
                Thread.Builder builder = i % 2 == 0 ? Thread.ofPlatform() : Thread.ofVirtual();
                results.add(inThread(builder, () -> {
                    for (int message = 0; message < MESSAGES; message++) {
                        exchange(right, left);
                    }
                    return MESSAGES;
                }));
            }
            for (CompletableFuture<Integer> each : results) {
                assertEquals(MESSAGES, get(each));
            }
        } finally {
            ends.forEach(WaitingEnd::close);
        }
    }
}
