package io.jverbs.soft.fabric.udp;

import io.jverbs.soft.fabric.EventWait;
import io.jverbs.soft.fabric.WaitQueue;
import java.io.IOException;
import java.nio.channels.ClosedSelectorException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * The wait for completion events of a device with sockets. A platform thread that waits receives by itself, and blocks
 * in the poller of the sockets, so that a packet wakes the thread that needs it and no other. One thread at a time does
 * this, the leader of the Leader/Followers pattern. It adds the events of the others, which park, and wakes them. A
 * virtual thread parks always, because blocking would occupy its carrier. If many threads wait, all of them park, and
 * the device's thread receives, or the {@link VirtualReceiver}.
 *
 * <p>
 * Before it blocks, the leader receives for a short time without a pause, if earlier waits have shown that packets
 * arrive within this time, see {@link SpinPolicy}. Thread-safe.
 */
final class ReceivingWait implements EventWait, WaitQueue.ExternalWaiter {
    /** How long the leader receives before it blocks. */
    private static final long SPIN_NANOS = 50_000;
    /**
     * How long a thread is the leader at most. After that it parks, so that a thread that gets more events can be the
     * leader, and a thread that waits for long causes no work.
     */
    private static final long LEAD_NANOS = 20_000_000;
    private static final long NANOS_PER_MILLI = 1_000_000;
    /** How long the leader blocks at most before it checks whether it was interrupted: the least time to block for. */
    private static final long BLOCK_NANOS = NANOS_PER_MILLI;
    /** How long a thread parks after its attempt to block has failed. */
    private static final long RETRY_NANOS = 1_000_000;
    /** Instead of a pause: this thread does not become the leader, so it parks without a limit. */
    private static final long NO_PAUSE = Long.MAX_VALUE;

    private final ReceiveEngine engine;
    private final SocketWait socketWait;
    private final ReceiverRole role;
    private final BooleanSupplier isIdle = this::isIdle;
    /** The queue for whose events the leader waits. */
    private volatile WaitQueue<?> awaited;
    // only the leader uses the fields below
    /** The number of polls before it looked for packets for the last time. */
    private long pollsSeen;
    /** The number of polls when the leader began, or blocked for the last time. */
    private long pollsBefore;
    private final SpinPolicy spinPolicy = new SpinPolicy(Runtime.getRuntime().availableProcessors());

    ReceivingWait(ReceiveEngine engine, SocketWait socketWait, ReceiverRole role) {
        this.engine = engine;
        this.socketWait = socketWait;
        this.role = role;
    }

    /** Nothing comes between taking the event and returning it, so that no Error can lose it. */
    @Override
    public <E> E await(WaitQueue<E> queue, long nanos) throws InterruptedException {
        boolean isDone = false;
        try {
            E event = awaitEvent(queue, nanos);
            isDone = true;
            return event;
        } finally {
            if (!isDone) {
                passOn(queue);
            }
        }
    }

    private static void passOn(WaitQueue<?> queue) {
        try {
            queue.passOn();
        } catch (RuntimeException | Error e) {
            // once more, because no other thread wakes those that wait
            queue.passOn();
            throw e;
        }
    }

    private <E> E awaitEvent(WaitQueue<E> queue, long nanos) throws InterruptedException {
        boolean isVirtual = Thread.currentThread().isVirtual();
        boolean mayLead = !isVirtual;
        long start = System.nanoTime();
        long left = nanos;
        while (true) {
            E event = queue.awaitKeepingWake(0);
            if (event != null || queue.takeWake() || left <= 0) {
                return event;
            }
            // for less time, the thread cannot block, and parks until the end
            boolean leads = mayLead && left >= BLOCK_NANOS && engine.mayBeLed();
            try {
                if (leads && role.lead(start)) {
                    lead(queue, Math.min(left, LEAD_NANOS));
                    mayLead = left < LEAD_NANOS;
                } else {
                    follow(queue, left, leads, isVirtual);
                }
            } finally {
                if (role.isMine() && role.endLead()) {
                    engine.listen();
                }
            }
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            left = nanos - (System.nanoTime() - start);
        }
    }

    /** Parks until another thread has added an event. Returns earlier if this thread may be the leader soon. */
    private void follow(WaitQueue<?> queue, long left, boolean mayLead, boolean isVirtual)
            throws InterruptedException {
        long pause = mayLead && left > ReceiverRole.HANDOVER_NANOS ? requestRole() : NO_PAUSE;
        role.followerAdded(isVirtual);
        try {
            if (pause == NO_PAUSE) {
                engine.listen();
            }
            queue.awaitReady(Math.min(left, pause));
        } finally {
            role.followerRemoved(isVirtual);
        }
    }

    /**
     * Makes the engine's thread leave the poller of the sockets, unless another thread is the leader. Returns how long
     * the caller parks before it tries to be the leader.
     */
    private long requestRole() {
        if (role.isLed()) {
            return NO_PAUSE;
        }
        role.expectLeader();
        socketWait.wakeOther();
        return ReceiverRole.HANDOVER_NANOS;
    }

    /**
     * Receives until there is an event, the time is over, the thread is interrupted, or other threads poll, or many
     * wait.
     */
    private void lead(WaitQueue<?> queue, long nanos) {
        pollsBefore = engine.polls();
        awaited = queue;
        try {
            queue.beginExternalWait(this);
            boolean spins = spinPolicy.mustSpin();
            long start = System.nanoTime();
            while (true) {
                pollsSeen = engine.polls();
                ReceiveEngine.Burst burst = engine.pollAsLeader();
                long now = System.nanoTime();
                if (queue.isReady()) {
                    if (spins) {
                        spinPolicy.found();
                    }
                    return;
                }
                if (nanos - (now - start) < BLOCK_NANOS || Thread.currentThread().isInterrupted()
                        || !engine.mayBeLed()) {
                    return;
                }
                if (burst == ReceiveEngine.Burst.BUSY) {
                    // the thread that receives may need this processor
                    Thread.yield();
                    continue;
                }
                if (burst == ReceiveEngine.Burst.RECEIVED) {
                    continue;
                }
                if (spins && now - start < SPIN_NANOS) {
                    Thread.onSpinWait();
                    continue;
                }
                if (spins) {
                    spins = false;
                    spinPolicy.foundNothing();
                }
                block();
            }
        } finally {
            awaited = null;
            queue.endExternalWait();
        }
    }

    @Override
    public boolean waitsFor(WaitQueue<?> queue) {
        return awaited == queue && role.isLed();
    }

    @Override
    public void wake() {
        socketWait.wakeOther();
    }

    /** Blocks until there is a packet to receive, an event in the queue, or the time is over. */
    private void block() {
        try {
            if (engine.polls() - pollsBefore >= ReceiveThread.FREQUENT_POLLS) {
                engine.thread().polled();
            } else if (engine.finish()) {
                socketWait.block((int) (BLOCK_NANOS / NANOS_PER_MILLI), isIdle);
                pollsBefore = engine.polls();
            }
        } catch (ClosedSelectorException e) {
            // the engine was closed
        } catch (IOException | RuntimeException | Error e) {
            if (!engine.isClosed()) {
                engine.logFailure(e);
                LockSupport.parkNanos(RETRY_NANOS);
            }
        }
    }

    private boolean isIdle() {
        return !awaited.isReady() && engine.polls() == pollsSeen && !engine.isClosed() && !engine.isUnfinished();
    }
}
