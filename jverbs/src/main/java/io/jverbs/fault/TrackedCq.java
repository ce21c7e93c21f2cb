package io.jverbs.fault;

import io.jverbs.spi.Handle;

/** What is known of a completion queue. Guarded by the context's lock, but for what never changes. */
final class TrackedCq {
    private final Handle.Cq handle;
    private final Object owner;
    private final Handle.Channel channel;
    private final PendingCompletions pending = new PendingCompletions();
    private boolean armed;
    private boolean solicitedOnly;
    /** How many pending completions were visible when the queue was armed: they raise no event. */
    private int visibleAtArm;
    /** A completion that was not visible then has been polled since. */
    private boolean polledSinceArm;
    /** The device is armed, or has raised its event, for an event that was given in its place. */
    private boolean surplus;
    private int swallowed;
    private int added;

    TrackedCq(Handle.Cq handle, Object owner, Handle.Channel channel) {
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

    Handle.Channel channel() {
        return channel;
    }

    PendingCompletions pending() {
        return pending;
    }

    /** Notes that the program armed the queue and the device agreed. */
    void arm(boolean onlySolicited, long now) {
        surplus = false;
        if (armed) {
            solicitedOnly &= onlySolicited;
            return;
        }
        armed = true;
        solicitedOnly = onlySolicited;
        visibleAtArm = pending.ready(now);
        polledSinceArm = false;
    }

    /** Notes that so many completions went to the program. */
    void polled(int count) {
        if (count > visibleAtArm) {
            polledSinceArm = true;
        }
        visibleAtArm = Math.max(0, visibleAtArm - count);
    }

    boolean solicitedOnly() {
        return solicitedOnly;
    }

    /** Whether an event of the device is one too many; at most one is. */
    boolean takeSurplus() {
        boolean was = surplus;
        surplus = false;
        return was;
    }

    /** An event of the device goes to the program. */
    void passed() {
        armed = false;
    }

    /** An event of the device does not, as there is nothing to see: the queue stays armed. */
    void swallowed() {
        swallowed++;
        armed = true;
    }

    /** An event of the device does not, as the program had one for it. */
    void discarded() {
        swallowed++;
    }

    /** An event goes to the program that is not the device's. */
    void added() {
        armed = false;
        surplus = true;
        added++;
    }

    /** Whether there is what the program has polled, or could poll, since it armed. */
    boolean hasNews(long now) {
        return polledSinceArm || pending.ready(now) > visibleAtArm;
    }

    /** Whether it is armed and a completion became visible that the device raises no event for. */
    boolean isDue(long now) {
        return armed && pending.ready(now) > visibleAtArm
                && (!solicitedOnly || pending.hasSolicited(visibleAtArm, now));
    }

    /** How many more events the program got than the device knows. */
    int eventDifference() {
        return added - swallowed;
    }
}
