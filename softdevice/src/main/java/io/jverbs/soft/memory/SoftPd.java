package io.jverbs.soft.memory;

import io.jverbs.spi.Handle;
import java.lang.foreign.MemorySegment;
import java.util.function.ToLongFunction;

/** A protection domain. Immutable. */
public final class SoftPd implements Handle.Pd {
    private final ToLongFunction<MemorySegment> addresses;

    /**
     * Makes a protection domain.
     *
     * @param addresses gives the address of registered memory if the program states none
     */
    public SoftPd(ToLongFunction<MemorySegment> addresses) {
        this.addresses = addresses;
    }

    @Override
    public long addressOf(MemorySegment segment) {
        return addresses.applyAsLong(segment);
    }
}
