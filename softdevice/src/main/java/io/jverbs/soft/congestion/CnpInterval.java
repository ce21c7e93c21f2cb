package io.jverbs.soft.congestion;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Limits the congestion notification packets (CNPs) to one peer to one in 50 us (IBTA annex A17). Thread-safe. */
public final class CnpInterval {
    /** The least time between two CNPs. */
    static final long NANOS = 50_000;
    private static final VarHandle NEXT;

    static {
        try {
            NEXT = MethodHandles.lookup().findVarHandle(CnpInterval.class, "next", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** The earliest time of the next CNP. */
    private volatile long next;

    /** @param now the time in nanoseconds */
    public CnpInterval(long now) {
        next = now;
    }

    /**
     * {@return whether a CNP may be sent now} If so, the interval begins.
     *
     * @param now the time in nanoseconds
     */
    public boolean admits(long now) {
        long earliest = next;
        return now - earliest >= 0 && NEXT.compareAndSet(this, earliest, now + NANOS);
    }
}
