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
    private ArmState armState = ArmState.DISARMED;
    /** Whether it was armed while armed and not managed. The device's event for the first arm may be on its way. */
    private boolean armedAgain;
    /** How many pending completions were visible when the queue was armed. They raise no event. */
    private int visibleAtArm;
    /** How many completions were pending then, visible or not. The device raises no event for them. */
    private int pendingAtArm;
    private Polled polledSinceArm = Polled.NONE;
    /**
     * Whether the device has raised its event and is no longer armed. The completion may not be visible yet. This is
     * no arm state, because an event of the device does not disarm a queue that is managed or was armed again.
     */
    private boolean deviceFired;
    /** How many events of earlier arms the program has not received yet. */
    private int dueEvents;
    /** How many events the program has received. */
    private int delivered;
    /** How many events the device has raised. */
    private int fromDevice;

    /**
     * For which completions the program has armed the queue.
     * <pre>
     * state              armed for solicited ones    armed for any    event delivered, and not armed again
     * DISARMED           ARMED_SOLICITED             ARMED_ANY        -
     * ARMED_SOLICITED    -                           ARMED_ANY        DISARMED
     * ARMED_ANY          -                           -                DISARMED
     * </pre>
     * If an event is due while the queue is armed, arming it begins at DISARMED, and the event stays due.
     */
    private enum ArmState {
        DISARMED, ARMED_SOLICITED, ARMED_ANY;

        ArmState arm(boolean onlySolicited) {
            return onlySolicited && this != ARMED_ANY ? ARMED_SOLICITED : ARMED_ANY;
        }
    }

    /** Which completions have been polled since the queue was armed, of those that were not visible then. */
    private enum Polled {
        NONE,
        UNSOLICITED,
        /** At least one counts as solicited. */
        SOLICITED
    }

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
        if (isArmed() && channel != null) {
            channel.wakeWaiter();
        }
    }

    boolean isArmed() {
        return armState != ArmState.DISARMED;
    }

    /** Records that the program has armed the queue, after the device has done so. */
    void arm(boolean onlySolicited, long now) {
        ArmState before = armState;
        if (managed && isArmed() && hasNewCompletion(now)) {
            dueEvents++;
            before = ArmState.DISARMED;
        }
        deviceFired = false;
        armedAgain = before != ArmState.DISARMED && !managed;
        armState = before.arm(onlySolicited);
        if (!(before == ArmState.ARMED_SOLICITED && onlySolicited)) {
            visibleAtArm = pending.ready(now);
            pendingAtArm = pending.size();
            polledSinceArm = Polled.NONE;
        }
        if (!pending.isEmpty()) {
            pendingChanged();
        }
    }

    /** Records that the program has polled the first {@code count} completions of an array. */
    void polled(MemorySegment memory, int count) {
        for (int i = visibleAtArm; i < count; i++) {
            if (polledSinceArm == Polled.NONE) {
                polledSinceArm = Polled.UNSOLICITED;
            }
            long at = i * WcLayout.SIZE;
            if (memory.get(JAVA_INT, at + WcLayout.STATUS) != 0 || i < pendingAtArm
                    && (memory.get(JAVA_INT, at + WcLayout.OPCODE) & PendingCompletions.RECEIVE_BIT) != 0) {
                polledSinceArm = Polled.SOLICITED;
            }
        }
        forgetVisible(count);
    }

    /**
     * Records that the program has polled completions that could not be read. They count as solicited: one event too
     * many is better than a thread that waits for ever.
     */
    void polledUnread(int count) {
        if (count > visibleAtArm) {
            polledSinceArm = Polled.SOLICITED;
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
            polledSinceArm = Polled.SOLICITED;
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
            if (!armedAgain) {
                armState = ArmState.DISARMED;
            }
            armedAgain = false;
            polledSinceArm = Polled.NONE;
        }
    }

    /** Whether the device must be armed again, because the completion that raised its event was dropped. */
    boolean mustRearm(long now) {
        return isArmed() && deviceFired && !isDue(now) && pending.ready(now) == pending.size();
    }

    boolean solicitedOnly() {
        return armState == ArmState.ARMED_SOLICITED;
    }

    /** Records that the device was armed again and drained. Which of these completions are solicited is not known. */
    void rearmed() {
        deviceFired = false;
        pendingAtArm = pending.size();
    }

    /** Whether an event is due for the program. */
    boolean isDue(long now) {
        return managed && (dueEvents > 0 || isArmed() && hasNewCompletion(now));
    }

    /** Whether a completion that raises an event has become visible since the queue was armed, polled or not. */
    private boolean hasNewCompletion(long now) {
        boolean any = polledSinceArm != Polled.NONE || pending.ready(now) > visibleAtArm;
        return any && (!solicitedOnly() || deviceFired || polledSinceArm == Polled.SOLICITED
                || pending.hasSolicited(visibleAtArm, pendingAtArm, now));
    }

    /** How many more events the program has received than the device has raised. */
    int eventDifference() {
        return delivered - fromDevice;
    }
}
