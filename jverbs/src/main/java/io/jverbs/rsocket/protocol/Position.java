package io.jverbs.rsocket.protocol;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A number that only grows: how many bytes or messages have passed a place. One thread at a time, which holds the lock
 * of that place, advances it; any thread reads it, and then sees what that thread has written before.
 */
public final class Position {
    private static final VarHandle VALUE;

    static {
        try {
            VALUE = MethodHandles.lookup().findVarHandle(Position.class, "value", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private long value;

    Position(long value) {
        set(value);
    }

    long get() {
        return (long) VALUE.getAcquire(this);
    }

    void set(long next) {
        VALUE.setRelease(this, next);
    }

    void add(long count) {
        set(value + count);
    }
}
