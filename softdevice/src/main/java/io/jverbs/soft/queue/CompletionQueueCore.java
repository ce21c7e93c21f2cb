package io.jverbs.soft.queue;

import io.jverbs.spi.Handle;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.Set;

/**
 * A completion queue: the ring, its notification state and its overflow. Locking is the ring's; the notification state
 * belongs to the put lock, so that arming and putting cannot miss each other.
 *
 * <p>
 * Who puts holds the lock of its half of a queue pair anyway. As long as one half alone completes into a queue that nobody can
 * arm, that is all it takes, and the put lock is left alone. So halves say that they will put before they do: the second to say
 * so ends that state, and waits until the first is out of what it was doing.
 */
public final class CompletionQueueCore extends Deferral implements Handle.Cq {
    private static final int NOTIFY = 1;
    private static final int OVERFLOW = 2;
    /** A completion was lost after the overflow: whoever put it has to fail too. */
    private static final int LOSS = 4;

    private static final int DISARMED = 0;
    private static final int ARMED_SOLICITED = 1;
    private static final int ARMED_ANY = 2;

    private final CompletionRing ring;
    private final CompletionEvents events;
    private final boolean notifies;
    /** The halves that put. */
    private final Set<Guarded> claimants = new HashSet<>();
    /** The one claimant, which needs no put lock, or null; read under that one's lock. */
    private volatile Guarded sole;
    private int armed = DISARMED;
    private int eventsDue;
    private boolean broken;

    /**
     * @param agenda where deferred work is listed
     * @param capacity how many completions fit, a power of two
     * @param notifies whether the queue has a channel
     * @param events what is told of events and overflow
     */
    public CompletionQueueCore(Agenda agenda, int capacity, boolean notifies, CompletionEvents events) {
        super(agenda);
        this.ring = new CompletionRing(capacity);
        this.notifies = notifies;
        this.events = events;
    }

    /** {@return what is told of events and overflow} */
    public CompletionEvents events() {
        return events;
    }

    @Override
    public int cqe() {
        return ring.capacity();
    }

    /**
     * Says that a half of a queue pair will put. No lock is held.
     *
     * @param half what it puts under
     */
    public synchronized void claim(Guarded half) {
        if (!claimants.add(half)) {
            return;
        }
        if (claimants.size() == 1) {
            sole = notifies ? null : half;
        } else {
            endSolitude();
        }
    }

    /**
     * Says that a half will put no more. No lock is held.
     *
     * @param half what it has put under
     */
    public synchronized void leave(Guarded half) {
        claimants.remove(half);
        if (claimants.isEmpty()) {
            sole = null;
        }
    }

    /** Has all that put take the put lock. */
    private void endSolitude() {
        if (sole != null) {
            sole = null;
            claimants.forEach(Guarded::awaitRelease);
        }
    }

    /**
     * Says that a completion will be added in a moment, which is faster then if another thread waits for it.
     *
     * @param half what holds its lock and will put, or null if it has not said yet that it does
     */
    public void approach(Guarded half) {
        ring.approach(half != null && half == sole);
    }

    /**
     * Adds a successful completion.
     *
     * @param wrId names the request
     * @param opcode {@code enum ibv_wc_opcode}
     * @param byteLength the bytes received or read
     * @param immediate immediate data or invalidated key as it stands in the structure
     * @param qpNumber the local queue pair
     * @param sourceQp the sender's queue pair, for datagrams
     * @param flags bits of {@link io.jverbs.WcFlags}
     * @param solicited whether it counts for a queue that is armed for solicited completions
     */
    public void putSuccess(long wrId, int opcode, int byteLength, int immediate, int qpNumber, int sourceQp, int flags,
            boolean solicited) {
        put(wrId, WcStatusCode.SUCCESS, opcode, byteLength, immediate, qpNumber, sourceQp, flags, solicited);
    }

    /**
     * Adds a completion in error, which always counts as solicited.
     *
     * @param wrId names the request
     * @param status {@code enum ibv_wc_status}
     * @param opcode {@code enum ibv_wc_opcode}
     * @param qpNumber the local queue pair
     */
    public void putError(long wrId, int status, int opcode, int qpNumber) {
        put(wrId, status, opcode, 0, 0, qpNumber, 0, 0, true);
    }

    private void put(long wrId, int status, int opcode, int byteLength, int immediate, int qpNumber, int sourceQp,
            int flags,
            boolean solicited) {
        SpinLock lock = sole != null ? null : ring.putLock();
        if (lock != null) {
            lock.lock();
        }
        int work = 0;
        if (broken || !ring.put(wrId, status, opcode, byteLength, immediate, qpNumber, sourceQp, flags)) {
            work = broken ? LOSS : OVERFLOW;
            broken = true;
        } else if (armed != DISARMED && (solicited || armed == ARMED_ANY)) {
            armed = DISARMED;
            eventsDue++;
            work = NOTIFY;
        }
        if (lock != null) {
            lock.unlock();
        }
        if (work != 0) {
            defer(work);
        }
    }

    /**
     * Moves completions to the caller.
     *
     * @param memory an array of {@code ibv_wc}
     * @param max how many fit
     * @return how many there were
     */
    public int poll(MemorySegment memory, int max) {
        return ring.poll(memory, max);
    }

    /**
     * Arms the queue for one event; "any" overrides "solicited" and is not overridden by it.
     *
     * @param solicitedOnly whether only solicited completions and errors count
     * @return false if the queue has no channel
     */
    public boolean arm(boolean solicitedOnly) {
        if (!notifies) {
            return false;
        }
        ring.putLock().lock();
        armed = Math.max(armed, solicitedOnly ? ARMED_SOLICITED : ARMED_ANY);
        ring.putLock().unlock();
        return true;
    }

    /**
     * Changes the capacity and keeps what the queue holds.
     *
     * @param capacity the new capacity, a power of two
     * @param asked the capacity asked for, which decides whether what is held fits
     * @return false, with nothing changed, if what the queue holds is more than asked for
     */
    public synchronized boolean resize(int capacity, int asked) {
        Guarded wasSole = sole;
        endSolitude();
        boolean resized = ring.resize(capacity, asked);
        sole = wasSole;
        return resized;
    }

    /** {@return how many completions wait to be polled} */
    public long size() {
        return ring.size();
    }

    @Override
    protected void perform(int bits) {
        if ((bits & NOTIFY) != 0) {
            for (int due = takeEventsDue(); due > 0; due--) {
                events.completionEvent(this);
            }
        }
        if ((bits & (OVERFLOW | LOSS)) != 0) {
            events.overflow(this, (bits & OVERFLOW) != 0);
        }
    }

    private int takeEventsDue() {
        ring.putLock().lock();
        int due = eventsDue;
        eventsDue = 0;
        ring.putLock().unlock();
        return due;
    }
}
