package io.jverbs.soft.queue;

import io.jverbs.spi.Handle;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A completion queue: a {@link CompletionRing}, the notification state (see ibv_req_notify_cq(3)) and the overflow
 * state.
 *
 * <p>
 * Completions are added under the ring's put lock. The notification state and the overflow state are guarded by the
 * same lock, so that no completion is added unnoticed while the queue is being armed. Polling takes no lock.
 *
 * <p>
 * A half of a queue pair adds completions while it holds its own lock. As long as a single half adds completions to a
 * queue that has no completion channel, that lock is sufficient and the put lock is not taken. Therefore each half
 * registers with {@link #registerProducer} before it adds its first completion. When a second half registers, all
 * halves take the put lock from then on; {@link #registerProducer} first waits until the first half has released its
 * own lock. It waits in no monitor, which would pin a virtual thread on a JDK before 24.
 */
public final class CompletionQueueCore extends DeferredWork implements Handle.Cq {
    /** A virtual thread yields after one in 1024 polls of an empty queue. */
    private static final int YIELD_MASK = 0x3FF;
    /** Every 16th time, it parks. */
    private static final int PARK_MASK = 0x3FFF;
    private static final long PARK_NANOS = 1_000;
    private static final int NOTIFY = 1;
    private static final int OVERFLOW = 2;
    /** A completion was lost after the overflow: the queue pair that added it must fail, too. */
    private static final int LOSS = 4;

    /**
     * For which completions the queue is armed. A completion in error counts as a solicited one. One that overflows the
     * queue raises no event.
     * <pre>
     * state            armed for solicited ones  armed for any  solicited completion  other completion
     * DISARMED         ARMED_SOLICITED           ARMED_ANY      -                     -
     * ARMED_SOLICITED  -                         ARMED_ANY      DISARMED, an event    -
     * ARMED_ANY        -                         -              DISARMED, an event    DISARMED, an event
     * </pre>
     */
    private enum Arming {
        DISARMED, ARMED_SOLICITED, ARMED_ANY
    }

    private final CompletionRing ring;
    private final YieldPolicy yieldPolicy = new YieldPolicy();
    private final CompletionEvents events;
    private final boolean notifies;
    /** Guards the producers. */
    private final ReentrantLock registration = new ReentrantLock();
    /** The halves that add completions. */
    private final Set<Guarded> producers = new HashSet<>();
    /** The only producer, which needs no put lock; null if the put lock is needed. Read under that producer's lock. */
    private volatile Guarded soleProducer;
    private Arming arming = Arming.DISARMED;
    /** The number of notification events to raise in {@link #perform}. */
    private int eventsDue;
    private boolean overflowed;

    /**
     * Makes an empty completion queue.
     *
     * @param deferred the queue of deferred work
     * @param capacity the number of completions that fit, a power of two
     * @param notifies whether the queue has a completion channel
     * @param events receives notification events and overflows
     */
    public CompletionQueueCore(DeferredQueue deferred, int capacity, boolean notifies, CompletionEvents events) {
        super(deferred);
        this.ring = new CompletionRing(capacity);
        this.notifies = notifies;
        this.events = events;
    }

    /** {@return the receiver of notification events and overflows} */
    public CompletionEvents events() {
        return events;
    }

    @Override
    public int cqe() {
        return ring.capacity();
    }

    /**
     * Registers a half of a queue pair that will add completions. The caller holds no lock.
     *
     * @param half the lock under which the half adds completions
     */
    public void registerProducer(Guarded half) {
        registration.lock();
        try {
            if (!producers.add(half)) {
                return;
            }
            if (producers.size() == 1) {
                soleProducer = notifies ? null : half;
            } else {
                requirePutLock();
            }
        } finally {
            registration.unlock();
        }
    }

    /**
     * Unregisters a half of a queue pair, which adds no more completions. The caller holds no lock.
     *
     * @param half the lock under which the half has added completions
     */
    public void unregisterProducer(Guarded half) {
        registration.lock();
        try {
            producers.remove(half);
            if (producers.isEmpty()) {
                soleProducer = null;
            }
        } finally {
            registration.unlock();
        }
    }

    /** Makes all producers take the put lock. */
    private void requirePutLock() {
        if (soleProducer != null) {
            soleProducer = null;
            producers.forEach(Guarded::awaitRelease);
        }
    }

    /**
     * Prefetches the next entry for writing, because a completion is about to be added. This makes adding it faster if
     * another thread is polling for it.
     *
     * @param half the lock under which the completion will be added, which is held; null if it is not registered yet
     */
    public void prefetch(Guarded half) {
        assert half == null || half.isHeldByCurrentThread();
        ring.prefetch(half != null && half == soleProducer);
    }

    /**
     * Adds the successful completion of a send request. If this throws, nothing was added.
     *
     * @param wrId the request's {@code wr_id}
     * @param opcode {@code enum ibv_wc_opcode}
     * @param byteLength the number of bytes received or read
     * @param immediate immediate data or invalidated rkey, in the byte order of the structure
     * @param qpNumber the local QPN
     * @param sourceQp the sender's QPN, for datagrams
     * @param flags bits of {@link io.jverbs.WcFlags}
     * @param solicited whether it raises the event of a queue that is armed for solicited completions only
     * @return the number of the completion, counted from 1: it is no longer in the queue when {@link #polled} is not
     *         less. If the completion was lost, the number of the last one that was added
     */
    public long putSuccess(long wrId, int opcode, int byteLength, int immediate, int qpNumber, int sourceQp, int flags,
            boolean solicited) {
        return put(wrId, WcStatusCode.SUCCESS, opcode, byteLength, immediate, qpNumber, sourceQp, flags, solicited,
                null);
    }

    /**
     * Adds the successful completion of a receive request. If this throws, nothing was added.
     *
     * @param wrId the request's {@code wr_id}
     * @param opcode {@code enum ibv_wc_opcode}
     * @param byteLength the number of bytes received
     * @param immediate immediate data or invalidated rkey, in the byte order of the structure
     * @param qpNumber the local QPN
     * @param sourceQp the sender's QPN, for datagrams
     * @param flags bits of {@link io.jverbs.WcFlags}
     * @param solicited whether it raises the event of a queue that is armed for solicited completions only
     * @param receives the receive ring whose oldest request completes; null for a request of a shared receive queue
     */
    public void putReceived(long wrId, int opcode, int byteLength, int immediate, int qpNumber, int sourceQp, int flags,
            boolean solicited, ReceiveRing receives) {
        put(wrId, WcStatusCode.SUCCESS, opcode, byteLength, immediate, qpNumber, sourceQp, flags, solicited, receives);
    }

    /**
     * Adds the completion in error of a send request. Completions in error of send and receive requests always count as
     * solicited. If this throws, nothing was added.
     *
     * @param wrId the request's {@code wr_id}
     * @param status {@code enum ibv_wc_status}
     * @param opcode {@code enum ibv_wc_opcode}
     * @param qpNumber the local QPN
     * @return as {@link #putSuccess}
     */
    public long putError(long wrId, int status, int opcode, int qpNumber) {
        return put(wrId, status, opcode, 0, 0, qpNumber, 0, 0, true, null);
    }

    /**
     * Adds the completion in error of a receive request.
     *
     * @param wrId the request's {@code wr_id}
     * @param status {@code enum ibv_wc_status}
     * @param opcode {@code enum ibv_wc_opcode}
     * @param qpNumber the local QPN
     * @param receives the receive ring whose oldest request completes; null for a request of a shared receive queue
     */
    public void putReceiveError(long wrId, int status, int opcode, int qpNumber, ReceiveRing receives) {
        put(wrId, status, opcode, 0, 0, qpNumber, 0, 0, true, receives);
    }

    private long put(long wrId, int status, int opcode, int byteLength, int immediate, int qpNumber, int sourceQp,
            int flags, boolean solicited, ReceiveRing receives) {
        Guarded sole = soleProducer;
        assert sole == null || sole.isHeldByCurrentThread();
        SpinLock lock = sole != null ? null : ring.putLock();
        if (lock != null) {
            lock.lock();
        }
        int work = 0;
        long number;
        try {
            if (overflowed
                    || !ring.put(wrId, status, opcode, byteLength, immediate, qpNumber, sourceQp, flags, receives)) {
                work = overflowed ? LOSS : OVERFLOW;
                overflowed = true;
                if (receives != null) {
                    receives.completed(ring.added());
                }
            } else if (arming != Arming.DISARMED && (solicited || arming == Arming.ARMED_ANY)) {
                arming = Arming.DISARMED;
                eventsDue++;
                work = NOTIFY;
            }
            number = ring.added();
        } finally {
            if (lock != null) {
                lock.unlock();
            }
        }
        if (work != 0) {
            defer(work);
        }
        return number;
    }

    /**
     * {@return the number of completions ever added} Without the put lock the value may be out of date, but it includes
     * those that the calling thread has added.
     */
    public long added() {
        return ring.added();
    }

    /**
     * {@return the number of the last completion before the next one to be polled} All completions up to it have been
     * polled or removed. Resizing the queue does not change it.
     */
    public long polled() {
        return ring.polled();
    }

    /**
     * {@return a number that {@link #polled} is not less than} Reading it does not take a cache line from the threads
     * that poll.
     */
    public long polledAtLeast() {
        return ring.polledAtLeast();
    }

    /**
     * {@return the {@code wr_id} of a completion}
     *
     * @param number the number of a completion that is in the queue; for one that was polled or removed the result is
     *        undefined
     */
    public long wrId(long number) {
        return ring.wrId(number);
    }

    /**
     * Polls completions, see ibv_poll_cq(3).
     *
     * @param memory an array of {@code ibv_wc}
     * @param max the number of completions that fit into the array
     * @return the number of completions polled
     */
    public int poll(MemorySegment memory, int max) {
        return ring.poll(memory, max);
    }

    /** {@return when platform threads that find the queue empty yield} */
    public YieldPolicy yieldPolicy() {
        return yieldPolicy;
    }

    /**
     * Called by a virtual thread that has found the queue empty and holds no lock of the device. Now and then it lets
     * other virtual threads run on its carrier: one of them may hold a lock that the device needs to receive, and the
     * program may poll without a pause on all carriers.
     */
    public void foundEmpty() {
        int polls = ring.countEmptyPoll();
        if ((polls & PARK_MASK) == 0) {
            ShortPark.park(PARK_NANOS);
        } else if ((polls & YIELD_MASK) == 0) {
            ShortPark.yield();
        }
    }

    /**
     * Arms the queue for one event. Arming for any completion overrides arming for solicited completions, not the other
     * way round.
     *
     * @param solicitedOnly whether only solicited completions and completions in error raise the event
     * @return false if the queue has no completion channel
     */
    public boolean arm(boolean solicitedOnly) {
        if (!notifies) {
            return false;
        }
        ring.putLock().lock();
        arming = solicitedOnly && arming != Arming.ARMED_ANY ? Arming.ARMED_SOLICITED : Arming.ARMED_ANY;
        ring.putLock().unlock();
        return true;
    }

    /**
     * Changes the capacity and keeps the completions in the queue.
     *
     * @param capacity the new capacity, a power of two
     * @param requested the capacity that the program requested, which must not be less than the number of completions
     *        in the queue
     * @return false, with nothing changed, if the queue holds more completions than requested
     */
    public boolean resize(int capacity, int requested) {
        registration.lock();
        Guarded former = soleProducer;
        try {
            requirePutLock();
            return ring.resize(capacity, requested);
        } finally {
            soleProducer = former;
            registration.unlock();
        }
    }

    /**
     * Removes the completions of a queue pair that enters RESET or is destroyed, because their requests no longer
     * occupy slots: otherwise the completions of later requests could overflow a queue that is as deep as its send
     * queues. Other completions keep their order and their numbers. The caller holds the locks of both halves of the
     * queue pair.
     *
     * @param qpNumber the local QPN
     * @param half a half of the queue pair that is registered
     */
    public void removeCompletions(int qpNumber, Guarded half) {
        assert half.isHeldByCurrentThread();
        if (soleProducer == half) {
            ring.remove(qpNumber);
        } else {
            // while this half is registered, no other one is the sole producer
            ring.putLock().lock();
            ring.remove(qpNumber);
            ring.putLock().unlock();
        }
    }

    /** {@return the number of completions in the queue} */
    public long size() {
        return ring.size();
    }

    @Override
    protected void perform(int bits) {
        if ((bits & NOTIFY) != 0) {
            raiseEvents();
        }
        if ((bits & (OVERFLOW | LOSS)) != 0) {
            events.overflow(this, (bits & OVERFLOW) != 0);
        }
    }

    private void raiseEvents() {
        int due = takeEventsDue();
        try {
            while (due > 0) {
                events.completionEvent(this);
                due--;
            }
        } finally {
            if (due > 0) {
                // perform() is called once more after it has thrown
                giveBackEventsDue(due);
            }
        }
        events.allEventsRaised(this);
    }

    private void giveBackEventsDue(int due) {
        ring.putLock().lock();
        eventsDue += due;
        ring.putLock().unlock();
    }

    private int takeEventsDue() {
        ring.putLock().lock();
        int due = eventsDue;
        eventsDue = 0;
        ring.putLock().unlock();
        return due;
    }
}
