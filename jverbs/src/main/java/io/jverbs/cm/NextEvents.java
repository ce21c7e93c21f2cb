package io.jverbs.cm;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The stages of a channel that complete with its next events, in the order in which the program has asked for them. A
 * virtual thread waits for each, one at a time in the channel. If the program cancels a stage, or a timeout completes
 * it, just when that thread has retrieved an event, the event is kept, and is retrieved before all others. Thread-safe.
 */
final class NextEvents {
    private final CmEventChannel channel;
    private final ReentrantLock lock = new ReentrantLock();
    /** Signaled when a thread has ended. */
    private final Condition ended = lock.newCondition();
    private final Set<Taker> takers = new HashSet<>();
    /** The threads that have retrieved no event yet; the first one waits in the channel. */
    private final Deque<Taker> turns = new ArrayDeque<>();
    /** Events that were retrieved for a stage which did not take them. */
    private final Deque<CmEvent> returned = new ArrayDeque<>();
    /** How often a wait of the device was ended because of a returned event. */
    private int wakes;
    /** Whether there was a stage ever. */
    private volatile boolean isUsed;

    NextEvents(CmEventChannel channel) {
        this.channel = channel;
    }

    /** A thread that retrieves an event for a stage. */
    private final class Taker implements Runnable {
        private final CompletableFuture<CmEvent> stage;
        private final Thread thread;
        /** Signaled when the thread is the first one in the queue of turns. */
        private final Condition turn = lock.newCondition();
        private volatile CmEvent taken;

        Taker(CompletableFuture<CmEvent> stage) {
            this.stage = stage;
            this.thread = Thread.ofVirtual().name("jverbs-cm-event").unstarted(this);
        }

        /** Returns whether the program has completed the stage, so that this thread ends, and returns its event. */
        boolean isAbandoned() {
            return stage.isDone() && thread != Thread.currentThread() && !hasTakenEvent();
        }

        private boolean hasTakenEvent() {
            CmEvent event = taken;
            return event != null && stage.state() == Future.State.SUCCESS && stage.resultNow() == event;
        }

        @Override
        public void run() {
            try {
                if (!stage.isDone()) {
                    awaitTurn(this);
                    taken = channel.awaitEvent();
                    endTurn(this);
                    stage.complete(taken);
                }
            } catch (Throwable e) {
                stage.completeExceptionally(e);
            } finally {
                end();
            }
        }

        /** Ends this thread; also after an Error, the next thread gets its turn. */
        private void end() {
            try {
                NextEvents.this.end(this, hasTakenEvent() ? null : taken);
            } catch (Error e) {
                endTurn(this);
                throw e;
            }
        }
    }

    /** Returns a stage that completes with the next event. */
    CompletionStage<CmEvent> next() {
        CompletableFuture<CmEvent> stage = new CompletableFuture<>();
        Taker taker = new Taker(stage);
        boolean isStarted = false;
        lock.lock();
        try {
            isUsed = true;
            takers.add(taker);
            turns.add(taker);
            taker.thread.start();
            isStarted = true;
        } finally {
            if (!isStarted) {
                takers.remove(taker);
                turns.remove(taker);
            }
            lock.unlock();
        }
        stage.whenComplete((event, failure) -> {
            if (taker.isAbandoned()) {
                taker.thread.interrupt();
            }
        });
        return stage;
    }

    private void awaitTurn(Taker taker) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (turns.peek() != taker) {
                taker.turn.await();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Lets the next thread wait in the channel. Its stage may complete before that of this thread. */
    private void endTurn(Taker taker) {
        lock.lock();
        try {
            turns.remove(taker);
            Taker first = turns.peek();
            if (first != null) {
                first.turn.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    private void end(Taker taker, CmEvent unwanted) {
        lock.lock();
        try {
            endTurn(taker);
            takers.remove(taker);
            ended.signalAll();
            if (unwanted != null && !discards(unwanted)) {
                returned.add(unwanted);
                wakes++;
                channel.wake();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Discards an event whose ID is closed; returns whether it is. */
    private static boolean discards(CmEvent event) {
        boolean isClosed = event.counter().isClosed();
        if (isClosed) {
            discard(event);
        }
        return isClosed;
    }

    /** Acknowledges an event that the program does not get, and rejects a connect request. */
    private static void discard(CmEvent event) {
        event.acknowledge();
        if (event.listener() != null) {
            event.id().close();
        }
    }

    /** Interrupts the threads whose stages the program has completed; returns whether there are any. */
    private boolean interruptAbandoned() {
        assert lock.isHeldByCurrentThread();
        boolean isAny = false;
        for (Taker each : takers) {
            if (each.isAbandoned()) {
                isAny = true;
                each.thread.interrupt();
            }
        }
        return isAny;
    }

    /** Returns an event that was retrieved before, for a stage that did not take it; null if there is none. */
    CmEvent poll() throws InterruptedException {
        if (!isUsed) {
            return null;
        }
        lock.lockInterruptibly();
        try {
            while (interruptAbandoned()) {
                ended.await();
            }
            return returned.poll();
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether a wait of the device may have ended early because of a returned event. */
    boolean takeWake() {
        if (!isUsed) {
            return false;
        }
        lock.lock();
        try {
            boolean isWoken = wakes > 0;
            wakes = Math.max(0, wakes - 1);
            return isWoken;
        } finally {
            lock.unlock();
        }
    }

    /** Removes the returned events that an ID counts. */
    private List<CmEvent> remove(CmId id) {
        lock.lock();
        try {
            List<CmEvent> removed = new ArrayList<>(returned);
            removed.removeIf(each -> each.counter() != id);
            returned.removeAll(removed);
            return removed;
        } finally {
            lock.unlock();
        }
    }

    /** Discards the returned events of an ID that is closed. */
    void discard(CmId id) {
        if (isUsed) {
            remove(id).forEach(NextEvents::discard);
        }
    }

    /** Moves the returned events of an ID to another channel; returns how many these are. */
    int move(CmId id, NextEvents target) {
        if (!isUsed) {
            return 0;
        }
        lock.lock();
        try {
            while (interruptAbandoned()) {
                ended.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
        List<CmEvent> moved = remove(id);
        if (!moved.isEmpty()) {
            try {
                for (CmEvent each : moved) {
                    if (each.listener() != null) {
                        // the ID of a connect request belongs to the channel that the request is retrieved from
                        each.id().migrate(target.channel);
                    }
                }
            } finally {
                target.add(moved);
            }
        }
        return moved.size();
    }

    private void add(List<CmEvent> events) {
        lock.lock();
        try {
            isUsed = true;
            returned.addAll(events);
            wakes++;
            channel.wake();
        } finally {
            lock.unlock();
        }
    }
}
