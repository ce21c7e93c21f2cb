package io.jverbs.fault;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.jverbs.spi.Handle;
import io.jverbs.spi.WcLayout;
import java.lang.foreign.MemorySegment;

/**
 * What is known of a completion queue. Guarded by the context's lock, but for what never changes.
 *
 * <p>
 * As long as no completion of it was ever to change, wait or come from here, its events are the device's. From then on the queue
 * is managed: whether an event is due follows from how it was armed and from what became visible since, and the device's events only
 * have somebody look, and tell that something solicited has come.
 */
final class TrackedCq {
    private final Handle.Cq handle;
    private final Object owner;
    private final TrackedChannel channel;
    private final PendingCompletions pending = new PendingCompletions();
    private boolean managed;
    private boolean armed;
    /** It was armed once more, perhaps after the device's event was on its way. */
    private boolean armedAgain;
    private boolean solicitedOnly;
    /** How many pending completions were visible when the queue was armed: they raise no event. */
    private int visibleAtArm;
    /** How many were pending then, visible or not: the device is silent about them. */
    private int pendingAtArm;
    /** A completion that was not visible then has been polled since. */
    private boolean polledSinceArm;
    /** One of them counted as solicited. */
    private boolean polledSolicited;
    /** The device raised its event: it is not armed any more, and what raised it may not be visible yet. */
    private boolean deviceFired;
    /** Events of earlier arms that the program has not got yet. */
    private int owed;
    private int given;
    private int fromDevice;

    /** @param channel where its events go, null for none */
    TrackedCq(Handle.Cq handle, Object owner, TrackedChannel channel) {
        this.handle = handle;
        this.owner = owner;
        this.channel = channel;
    }

    Handle.Cq handle() {
        return handle;
    }

    Object owner() {
        return owner;
    }

    TrackedChannel channel() {
        return channel;
    }

    PendingCompletions pending() {
        return pending;
    }

    boolean isManaged() {
        return managed;
    }

    void manage() {
        managed = true;
    }

    /** What is pending changed, or its time: who waits for an event may have to wait less. */
    void pendingChanged() {
        managed = true;
        if (armed && channel != null) {
            channel.changed();
        }
    }

    boolean isArmed() {
        return armed;
    }

    /** Notes that the program armed the queue and the device agreed. */
    void arm(boolean onlySolicited, long now) {
        boolean again = armed;
        if (managed && again && hasNews(now)) {
            owed++;
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

    /** Notes that so many completions went to the program, which are at the start of an array. */
    void polled(MemorySegment memory, int count) {
        for (int i = visibleAtArm; i < count; i++) {
            polledSinceArm = true;
            long at = i * WcLayout.SIZE;
            polledSolicited |= memory.get(JAVA_INT, at + WcLayout.STATUS) != 0 || i < pendingAtArm
                    && (memory.get(JAVA_INT, at + WcLayout.OPCODE) & PendingCompletions.RECEIVE_BIT) != 0;
        }
        visibleAtArm = Math.max(0, visibleAtArm - count);
        pendingAtArm = Math.max(0, pendingAtArm - count);
    }

    /** Notes an event of the device; whether it goes to the program as it is. */
    boolean passes() {
        fromDevice++;
        deviceFired = true;
        if (!managed) {
            given();
        }
        return !managed;
    }

    /** An event goes to the program. */
    void given() {
        given++;
        if (owed > 0) {
            owed--;
        } else {
            armed = armedAgain;
            armedAgain = false;
            forgetPolled();
        }
    }

    /** Whether the device has to be armed anew: its event was spent on what never becomes visible. */
    boolean isEventWasted(long now) {
        return armed && deviceFired && !isDue(now) && pending.ready(now) == pending.size();
    }

    boolean solicitedOnly() {
        return solicitedOnly;
    }

    /** Notes that the device was armed anew and what it had was taken: which of that was solicited nobody knows. */
    void rearmed() {
        deviceFired = false;
        pendingAtArm = pending.size();
    }

    /** Whether the program has an event to get. */
    boolean isDue(long now) {
        return managed && (owed > 0 || armed && hasNews(now));
    }

    /** Whether there is what raises an event, among what the program has polled, or could poll, since it armed. */
    private boolean hasNews(long now) {
        boolean any = polledSinceArm || pending.ready(now) > visibleAtArm;
        return any && (!solicitedOnly || deviceFired || polledSolicited
                || pending.hasSolicited(visibleAtArm, pendingAtArm, now));
    }

    /** How many more events the program got than the device knows. */
    int eventDifference() {
        return given - fromDevice;
    }
}
