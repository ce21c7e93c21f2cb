package io.jverbs.soft.injection;

import io.jverbs.CompletionChannel;
import io.jverbs.CompletionQueue;
import io.jverbs.QpType;
import io.jverbs.SendWorkRequest;
import io.jverbs.Verbs;
import io.jverbs.WrOpcode;
import io.jverbs.injection.ErrorInjector;
import io.jverbs.injection.ErrorInjector.InjectedError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;

/**
 * A thread that waits for the completions of messages, while an Error is thrown at a point of its wait or of the thread
 * of the device. The messages are sent when the thread probably blocks. Virtual threads can wait beside it, for events
 * that never come.
 */
public final class InjectedWaits implements IntFunction<String>, AutoCloseable {
    private static final int MESSAGES = 3;
    private static final int BYTES = 64;
    private static final long PAUSE_NANOS = 300_000;
    private static final Duration STEP = Duration.ofMillis(200);
    private static final Duration EVENT = Duration.ofSeconds(10);

    private final List<String> errors = new ArrayList<>();
    private final InjectedEnd left;
    private final InjectedEnd right;
    private final ExecutorService sender = Executors
            .newSingleThreadExecutor(Thread.ofPlatform().daemon().name("sender").factory());

    private final List<Thread> waiting = new ArrayList<>();

    /** The latest send, which the thread of the sender may not have posted yet. */
    private Future<?> latest;

    /** Opens two devices, and starts virtual threads that wait. */
    public InjectedWaits(String leftSelector, String rightSelector, int virtualThreads) {
        left = new InjectedEnd(Verbs.open(leftSelector), QpType.RC, errors);
        right = new InjectedEnd(Verbs.open(rightSelector), QpType.RC, errors);
        CompletionChannel silent = right.context.createCompletionChannel();
        for (int i = 0; i < virtualThreads; i++) {
            waiting.add(Thread.ofVirtual().start(() -> waitUntilInterrupted(silent)));
        }
    }

    private static void waitUntilInterrupted(CompletionChannel channel) {
        while (true) {
            try {
                channel.awaitEvent(EVENT.multipliedBy(60));
            } catch (InjectedError e) {
                // the Error concerns this thread
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    /** Runs one round with an Error at an injection point, or without one if the number is negative. */
    @Override
    public String apply(int point) {
        errors.clear();
        left.create(true, false);
        right.create(true, false);
        left.qp.connect(right.qp.localInfo());
        right.qp.connect(left.qp.localInfo());
        try {
            ErrorInjector.begin(point);
            try {
                for (int i = 0; i < MESSAGES; i++) {
                    send();
                    awaitMessage();
                }
            } finally {
                ErrorInjector.end();
            }
            // nobody polls now, so that only a thread that waits, or that of the device, can receive the message
            send();
            if (right.channel.awaitEvent(EVENT) == null) {
                errors.add("no event within " + EVENT + " after the Error");
            }
            // the event can be that of an earlier message: the next round replaces the queue pair
            latest.get();
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
        // an event may have been lost with an Error that ended its wait
        right.cq.acknowledgeEvents(right.cq.unacknowledgedEvents());
        left.close();
        right.close();
        return String.join("; ", errors);
    }

    private void send() {
        right.cq.requestNotification(false);
        right.postReceive(BYTES);
        SendWorkRequest request = SendWorkRequest.create(1).wrId(left.nextId++).opcode(WrOpcode.SEND).sge(left.memory,
                0, BYTES);
        latest = sender.submit(() -> {
            LockSupport.parkNanos(PAUSE_NANOS);
            left.post(request);
        });
    }

    /** Waits for a message. After an Error, the completion may be there without an event. */
    private void awaitMessage() throws InterruptedException {
        long deadline = System.nanoTime() + EVENT.toNanos();
        int count = 0;
        while (count == 0 && System.nanoTime() - deadline < 0) {
            try {
                CompletionQueue fired = right.channel.awaitEvent(STEP);
                if (fired != null && fired != right.cq) {
                    errors.add("an event of " + fired);
                }
            } catch (InjectedError e) {
                // the Error concerns this thread
            }
            count = right.cq.poll(right.completions);
        }
        if (count != 1) {
            errors.add("a message has " + count + " completions after " + EVENT);
        }
    }

    @Override
    public void close() {
        sender.shutdownNow();
        waiting.forEach(Thread::interrupt);
        for (Thread each : waiting) {
            try {
                each.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        left.context.close();
        right.context.close();
    }
}
