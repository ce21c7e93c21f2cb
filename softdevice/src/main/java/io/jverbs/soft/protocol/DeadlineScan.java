package io.jverbs.soft.protocol;

import io.jverbs.soft.queue.Rethrow;
import io.jverbs.soft.queue.SpinLock;
import java.util.Arrays;

/**
 * Watches the deadlines of many objects with one alarm. It is for deadlines that rarely pass, because they move with
 * each message: an alarm for each object would expire again and again without effect. An object may set its deadline
 * without a call. The deadline must be at least {@link #INTERVAL_NANOS} later than the time at which it is set. It is
 * found to have passed at most {@link #STEP_NANOS} late, or, if no deadline has passed for a while, at most
 * {@link #QUIET_INTERVAL_NANOS} late: each check takes the processor from a thread that polls if no other is free.
 * Thread-safe.
 */
public final class DeadlineScan {
    /** The longest time from one check of all deadlines to the next, in nanoseconds. */
    public static final long INTERVAL_NANOS = 8_388_608;
    /** The shortest time from one check of all deadlines to the next, in nanoseconds. */
    public static final long STEP_NANOS = INTERVAL_NANOS / 4;
    /** After so many checks in a row in which no deadline has passed, the checks are less frequent. */
    static final int CHECKS_UNTIL_QUIET = 64;
    /** The time from one check of all deadlines to the next after {@link #CHECKS_UNTIL_QUIET}, in nanoseconds. */
    static final long QUIET_INTERVAL_NANOS = 4 * INTERVAL_NANOS;
    private static final int INITIAL_LENGTH = 8;

    /** An object whose deadline is watched. */
    public abstract static class Member {
        private static final int NONE = -1;

        /** The index in the array of members, or NONE. Guarded by the lock of the scan. */
        private int index = NONE;

        /** For subclasses. */
        protected Member() {
            // it is not watched yet
        }

        /**
         * {@return the time until the deadline in nanoseconds; if it is not positive, {@link #deadlinePassed} is
         * called} Called without a lock: the value may be old, but not for long.
         *
         * @param now the time in nanoseconds
         */
        protected abstract long nanosLeft(long now);

        /** Called when the deadline seems to have passed, with no lock held. Returns whether it has. */
        protected abstract boolean deadlinePassed();
    }

    private final Timers timers;
    private final Runnable onAlarm = this::expire;
    private final SpinLock lock = new SpinLock();
    // the lock guards the fields below
    private Member[] members = new Member[INITIAL_LENGTH];
    private int count;
    private boolean alarmSet;
    /** The time of the alarm. One that expires earlier was set by a call that has failed. */
    private long expiresAt;
    // end of the fields that the lock guards
    /** How many checks in a row have found that no deadline has passed. Only the alarm uses it. */
    private int quietChecks;

    /** @param timers the clock and the timers */
    public DeadlineScan(Timers timers) {
        this.timers = timers;
    }

    /**
     * Watches the deadline of an object from now on. Without effect if it is watched already, except that an alarm is
     * set that could not be set before. May be called with locks of queue pairs held.
     *
     * @param member the object
     */
    public void add(Member member) {
        boolean starts;
        lock.lock();
        try {
            if (member.index == Member.NONE) {
                if (count == members.length) {
                    members = Arrays.copyOf(members, 2 * count);
                }
                members[count] = member;
                member.index = count++;
            }
            starts = !alarmSet;
            alarmSet = true;
        } finally {
            lock.unlock();
        }
        if (starts) {
            setAlarm(INTERVAL_NANOS);
        }
    }

    /**
     * Stops watching the deadline of an object, if it is watched. May be called with locks of queue pairs held.
     *
     * @param member the object
     */
    public void remove(Member member) {
        lock.lock();
        try {
            int index = member.index;
            if (index != Member.NONE) {
                // during a scan, which goes from the last to the first, the last one has been checked
                Member last = members[--count];
                members[index] = last;
                last.index = index;
                members[count] = null;
                member.index = Member.NONE;
            }
        } finally {
            lock.unlock();
        }
    }

    private void setAlarm(long nanos) {
        boolean set = false;
        try {
            expiresAt(timers.nanoTime() + nanos);
            timers.set(nanos, onAlarm);
            set = true;
        } finally {
            if (!set) {
                // the next call sets it
                lock.lock();
                alarmSet = false;
                lock.unlock();
            }
        }
    }

    private void expiresAt(long time) {
        lock.lock();
        expiresAt = time;
        lock.unlock();
    }

    /** Returns whether the alarm that has expired is the latest one. */
    private boolean isExpired() {
        lock.lock();
        try {
            return !alarmSet || expiresAt - timers.nanoTime() <= 0;
        } finally {
            lock.unlock();
        }
    }

    private void expire() {
        // after a failure, the time until the next deadline is not known
        long next = STEP_NANOS;
        boolean isLatest = true;
        try {
            isLatest = isExpired();
            if (isLatest) {
                next = scan();
            }
        } finally {
            if (isLatest) {
                continueUnlessEmpty(next);
            }
        }
    }

    private void continueUnlessEmpty(long nanos) {
        boolean again;
        lock.lock();
        try {
            again = count != 0;
            alarmSet = again;
        } finally {
            lock.unlock();
        }
        if (again) {
            setAlarm(nanos);
        }
    }

    /** Checks all deadlines; returns the time until the next scan. */
    private long scan() {
        long now = timers.nanoTime();
        long next = INTERVAL_NANOS;
        Throwable failure = null;
        boolean isQuiet = true;
        for (int i = count() - 1; i >= 0; i--) {
            Member member = member(i);
            long left = member == null ? INTERVAL_NANOS : member.nanosLeft(now);
            if (left > 0) {
                next = Math.min(next, left);
            } else {
                // the deadlines of the others are checked if one call fails
                try {
                    isQuiet &= !member.deadlinePassed();
                } catch (RuntimeException | Error e) {
                    isQuiet = false;
                    failure = failure == null ? e : failure;
                }
            }
        }
        quietChecks = isQuiet ? Math.min(quietChecks + 1, CHECKS_UNTIL_QUIET) : 0;
        if (failure != null) {
            throw Rethrow.of(failure);
        }
        return quietChecks == CHECKS_UNTIL_QUIET ? QUIET_INTERVAL_NANOS : Math.max(next, STEP_NANOS);
    }

    private int count() {
        lock.lock();
        try {
            return count;
        } finally {
            lock.unlock();
        }
    }

    /** Returns a member, or null if there are fewer now. */
    private Member member(int index) {
        lock.lock();
        try {
            return index < count ? members[index] : null;
        } finally {
            lock.unlock();
        }
    }
}
