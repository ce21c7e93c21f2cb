package io.jverbs.fault;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.jverbs.spi.Handle;
import io.jverbs.spi.WcLayout;
import java.lang.foreign.MemorySegment;

/**
 * The state that fault injection tracks for a completion queue. Guarded by the lock of the context, except for final
 * fields.
 *
 * <p>
 * Events of the device go to the program unchanged until a rule may change, hold or delay a completion of the queue or
 * this layer adds one. From then on the queue is managed: this class decides whether an event is due, from how the
 * queue was armed and which completions have become visible since. An event of the device then only triggers that
 * decision, and shows that a completion that counts has arrived if the queue is armed for solicited completions only.
 */
final class TrackedCq extends AsyncEventFilter.Source {
    /** The maximum number of pending completions, as a multiple of the capacity of the queue. */
    private static final int MAX_PENDING_FACTOR = 4;

    private final Handle.Cq handle;
    private final TrackedChannel channel;
    private final PendingCompletions pending;
    private final KeptCompletions kept = new KeptCompletions();
    /** What a poll that returned completions has not thrown; null for none. */
    private Throwable thrown;
    private boolean managed;
    private boolean armed;
    /** Whether it was armed while armed and not managed. The device's event for the first arm may be on its way. */
    private boolean armedAgain;
    private boolean solicitedOnly;
    /** How many pending completions were visible when the queue was armed. They raise no event. */
    private int visibleAtArm;
    /** How many completions were pending then, visible or not. The device raises no event for them. */
    private int pendingAtArm;
    /** Whether a completion that was not visible then has been polled since. */
    private boolean polledSinceArm;
    /** Whether one of those counted as solicited. */
    private boolean polledSolicited;
    /** Whether the device has raised its event and is no longer armed. The completion may not be visible yet. */
    private boolean deviceFired;
    /** How many events of earlier arms the program has not received yet. */
    private int dueEvents;
    /** How many events the program has received. */
    private int delivered;
    /** How many events the device has raised. */
    private int fromDevice;

    /**
     * Starts unarmed and not managed.
     *
     * @param channel the channel that gets its events, null for none
     */
    TrackedCq(Handle.Cq handle, Object owner, TrackedChannel channel) {
        super(owner);
        this.handle = handle;
        this.channel = channel;
        this.pending = new PendingCompletions(() -> MAX_PENDING_FACTOR * handle.cqe());
    }

    Handle.Cq handle() {
        return handle;
    }

    TrackedChannel channel() {
        return channel;
    }

    PendingCompletions pending() {
        return pending;
    }

    KeptCompletions kept() {
        return kept;
    }

    /** Leaves an exception or Error to the next poll. */
    void throwLater(Throwable e) {
        thrown = e;
    }

    /** Throws what was left to this poll, once. */
    void rethrow() {
        Throwable left = thrown;
        thrown = null;
        if (left instanceof Error e) {
            throw e;
        }
        if (left instanceof RuntimeException e) {
            throw e;
        }
    }

    boolean isManaged() {
        return managed;
    }

    void manage() {
        managed = true;
    }

    /** Records a change of the pending completions or of their time. Wakes a waiting thread if the queue is armed. */
    void pendingChanged() {
        managed = true;
        if (armed && channel != null) {
            channel.wakeWaiter();
        }
    }

    boolean isArmed() {
        return armed;
    }

    /** Records that the program has armed the queue, after the device has done so. */
    void arm(boolean onlySolicited, long now) {
        boolean again = armed;
        if (managed && again && hasNewCompletion(now)) {
            dueEvents++;
            again = false;
        }
        deviceFired = false;
        armedAgain = again && !managed;
        boolean both = again && solicitedOnly && onlySolicited;
        solicitedOnly = again ? solicitedOnly && onlySolicited : onlySolicited;
        armed = true;
        if (!both) {
            visibleAtArm = pending.ready(now);
            pendingAtArm = pending.size();
            forgetPolled();
        }
        if (!pending.isEmpty()) {
            pendingChanged();
        }
    }

    private void forgetPolled() {
        polledSinceArm = false;
        polledSolicited = false;
    }

    /** Records that the program has polled the first {@code count} completions of an array. */
    void polled(MemorySegment memory, int count) {
        for (int i = visibleAtArm; i < count; i++) {
            polledSinceArm = true;
            long at = i * WcLayout.SIZE;
            polledSolicited |= memory.get(JAVA_INT, at + WcLayout.STATUS) != 0 || i < pendingAtArm
                    && (memory.get(JAVA_INT, at + WcLayout.OPCODE) & PendingCompletions.RECEIVE_BIT) != 0;
        }
        forgetVisible(count);
    }

    /**
     * Records that the program has polled completions that could not be read. They count as solicited: one event too
     * many is better than a thread that waits for ever.
     */
    void polledUnread(int count) {
        if (count > visibleAtArm) {
            polledSinceArm = true;
            polledSolicited = true;
        }
        forgetVisible(count);
    }

    /**
     * Removes the completions of a queue pair that has entered RESET or was destroyed, as drivers do. Those that would
     * have raised an event raise it all the same: the device may have raised its event for them, so it may be no longer
     * armed.
     */
    void removeCompletions(int qpNumber) {
        int visible = pending.count(qpNumber, visibleAtArm);
        int known = pending.count(qpNumber, pendingAtArm);
        boolean more = pending.count(qpNumber, pending.size()) > visible;
        kept.remove(qpNumber);
        pending.remove(qpNumber);
        visibleAtArm -= visible;
        pendingAtArm -= known;
        if (more) {
            polledSinceArm = true;
            polledSolicited = true;
            pendingChanged();
        }
    }

    private void forgetVisible(int count) {
        visibleAtArm = Math.max(0, visibleAtArm - count);
        pendingAtArm = Math.max(0, pendingAtArm - count);
    }

    /** Records an event of the device; returns whether it goes to the program unchanged. */
    boolean deviceRaisedEvent() {
        fromDevice++;
        deviceFired = true;
        if (!managed) {
            eventDelivered();
        }
        return !managed;
    }

    /** Records an event of the device that the program does not receive, because a failure has interrupted it. */
    void deviceEventLost() {
        fromDevice++;
        deviceFired = true;
    }

    /** Records that the program receives an event. */
    void eventDelivered() {
        delivered++;
        if (dueEvents > 0) {
            dueEvents--;
        } else {
            armed = armedAgain;
            armedAgain = false;
            forgetPolled();
        }
    }

    /** Whether the device must be armed again, because the completion that raised its event was dropped. */
    boolean mustRearm(long now) {
        return armed && deviceFired && !isDue(now) && pending.ready(now) == pending.size();
    }

    boolean solicitedOnly() {
        return solicitedOnly;
    }

    /** Records that the device was armed again and drained. Which of these completions are solicited is not known. */
    void rearmed() {
        deviceFired = false;
        pendingAtArm = pending.size();
    }

    /** Whether an event is due for the program. */
    boolean isDue(long now) {
        return managed && (dueEvents > 0 || armed && hasNewCompletion(now));
    }

    /** Whether a completion that raises an event has become visible since the queue was armed, polled or not. */
    private boolean hasNewCompletion(long now) {
        boolean any = polledSinceArm || pending.ready(now) > visibleAtArm;
        return any && (!solicitedOnly || deviceFired || polledSolicited
                || pending.hasSolicited(visibleAtArm, pendingAtArm, now));
    }

    /** How many more events the program has received than the device has raised. */
    int eventDifference() {
        return delivered - fromDevice;
    }
}
