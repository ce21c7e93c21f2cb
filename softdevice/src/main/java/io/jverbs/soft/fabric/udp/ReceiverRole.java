package io.jverbs.soft.fabric.udp;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Which thread may block in the poller of the sockets: a thread that waits for a completion event, the leader, or
 * the device's own thread. Thread-safe.
 *
 * <pre>
 * holder   lead     endLead   take     give   expectLeader
 * none     leader   -         thread   -      a leader is expected
 * leader   -        none      -        -      -
 * thread   -        -         -        none   a leader is expected
 * </pre>
 * While a leader is expected, the device's thread does not receive and does not block, so that it gives up the role.
 * {@code endLead} and {@link #takeLeaderExpected} end the expectation. The {@link VirtualReceiver} does not block, so
 * it is never the holder.
 */
final class ReceiverRole {
    /** How long a thread parks until the holder, which it has woken, has given up the role. */
    static final long HANDOVER_NANOS = 50_000;
    /**
     * With so many threads that wait and do not lead, the device's thread receives for all of them, or the
     * {@link VirtualReceiver} if so many are virtual.
     */
    private static final int MANY_FOLLOWERS = 2;
    /** What a platform thread that waits adds to {@link #followers}. */
    private static final long PLATFORM_FOLLOWER = 1;
    /** What a virtual thread that waits adds to it. */
    private static final long VIRTUAL_FOLLOWER = (1L << Integer.SIZE) + 1;
    /** A leader that has left is expected back within this time. */
    private static final long SHORT_ABSENCE_NANOS = 100_000;
    /** The maximum of the number of long absences minus that of short ones. */
    private static final int MAX_LONG_ABSENCES = 8;
    /** After this many more long than short absences, the next one is expected to be long. */
    private static final int LONG_ABSENCES = 2;

    /** The holder: the device's thread, or the leader, which is any other thread; null for none. */
    private final AtomicReference<Thread> holder = new AtomicReference<>();
    /** The number of threads that wait and do not lead, plus 2^32 for each of them that is virtual. */
    private final AtomicLong followers = new AtomicLong();
    private volatile Thread deviceThread;
    private volatile boolean leaderExpected;
    /** How many times a thread that waits has been the leader. Changed by the leader. */
    private volatile long terms;
    // only the holder uses the fields below
    private long leftAt;
    private int longAbsences;

    /** Sets the device's thread, before it starts. */
    void deviceThread(Thread thread) {
        deviceThread = thread;
    }

    /** Makes the calling thread, the device's, the holder; returns false if there is one. */
    boolean take() {
        assert Thread.currentThread() == deviceThread;
        return holder.compareAndSet(null, Thread.currentThread());
    }

    /** Ends what {@link #take} began. */
    void give() {
        holder.set(null);
    }

    /**
     * Makes the calling thread, which waits for an event, the holder; returns false if there is one.
     *
     * @param waitBegan when the thread began to wait; the time until now is no absence
     */
    boolean lead(long waitBegan) {
        assert Thread.currentThread() != deviceThread;
        if (!holder.compareAndSet(null, Thread.currentThread())) {
            return false;
        }
        terms = terms + 1;
        longAbsences = waitBegan - leftAt > SHORT_ABSENCE_NANOS
                ? Math.min(longAbsences + 1, MAX_LONG_ABSENCES)
                : Math.max(longAbsences - 1, 0);
        return true;
    }

    /**
     * Ends what {@link #lead} began. Returns whether the device's thread must receive now: other threads wait, and no
     * leader is expected soon.
     */
    boolean endLead() {
        boolean isLong = longAbsences >= LONG_ABSENCES;
        leftAt = System.nanoTime();
        leaderExpected = false;
        give();
        return hasManyFollowers() || isLong && hasFollowers();
    }

    /** Notes that a thread that waits will be the leader as soon as the device's thread has given up the role. */
    void expectLeader() {
        leaderExpected = true;
    }

    /** Returns whether a thread that waits is about to be the leader. */
    boolean isLeaderExpected() {
        return leaderExpected;
    }

    /** Returns whether {@link #expectLeader} was called since the last call, and since the last leader left. */
    boolean takeLeaderExpected() {
        boolean result = leaderExpected;
        if (result) {
            // only then, to lose no later expectation
            leaderExpected = false;
        }
        return result;
    }

    /** Returns whether a thread that waits is the holder. */
    boolean isLed() {
        Thread present = holder.get();
        return present != null && present != deviceThread;
    }

    /** Returns whether the calling thread is the holder. */
    boolean isMine() {
        return holder.get() == Thread.currentThread();
    }

    /** Returns how many times there has been a leader. */
    long terms() {
        return terms;
    }

    /** Notes that a thread waits and is not the leader. */
    void followerAdded(boolean isVirtual) {
        followers.getAndAdd(isVirtual ? VIRTUAL_FOLLOWER : PLATFORM_FOLLOWER);
    }

    /** Ends what {@link #followerAdded} began. */
    void followerRemoved(boolean isVirtual) {
        followers.getAndAdd(isVirtual ? -VIRTUAL_FOLLOWER : -PLATFORM_FOLLOWER);
    }

    /** Returns whether threads wait that are not the leader. */
    boolean hasFollowers() {
        return followers.get() != 0;
    }

    /**
     * Returns whether so many threads wait that are not the leader that no thread shall lead. Most packets would be for
     * others, and each term ends with the first packet that is not.
     */
    boolean hasManyFollowers() {
        return (int) followers.get() >= MANY_FOLLOWERS;
    }

    /** Returns whether virtual threads wait. */
    boolean hasVirtualFollowers() {
        return followers.get() >= VIRTUAL_FOLLOWER;
    }

    /** Returns whether so many virtual threads wait that a virtual thread shall receive for them. */
    boolean hasManyVirtualFollowers() {
        return followers.get() >= MANY_FOLLOWERS * VIRTUAL_FOLLOWER;
    }
}
