package io.jverbs.soft.memory;

import io.jverbs.soft.queue.Guarded;
import io.jverbs.spi.Handle;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToLongFunction;

/**
 * A protection domain. It knows the locks under which its memory is accessed: those of its queue pairs, and of queue pairs
 * whose shared receive queue it owns.
 */
public final class Domain implements Handle.Pd {
    private final ToLongFunction<MemorySegment> addresses;
    private final Set<Guarded> requesters = ConcurrentHashMap.newKeySet();
    private final Set<Guarded> responders = ConcurrentHashMap.newKeySet();

    /**
     * @param addresses what addresses memory has unless the program says
     */
    public Domain(ToLongFunction<MemorySegment> addresses) {
        this.addresses = addresses;
    }

    @Override
    public long addressOf(MemorySegment segment) {
        return addresses.applyAsLong(segment);
    }

    /**
     * Notes the lock of a half that accesses memory by local keys alone.
     *
     * @param lock the lock, or who knows it
     */
    public void addRequester(Guarded lock) {
        requesters.add(lock);
    }

    /**
     * Notes the lock of a half that accesses memory by local and remote keys.
     *
     * @param lock the lock, or who knows it
     */
    public void addResponder(Guarded lock) {
        responders.add(lock);
    }

    /**
     * Forgets a lock whose owner is gone.
     *
     * @param lock the lock, or who knows it
     */
    public void remove(Guarded lock) {
        requesters.remove(lock);
        responders.remove(lock);
    }

    /**
     * Waits until every access that may have looked up a key before this call is over: each lock held now is released once.
     * Whoever takes a lock later looks keys up anew. The caller holds no lock.
     */
    void awaitUsers() {
        VarHandle.fullFence();
        requesters.forEach(Guarded::awaitRelease);
        responders.forEach(Guarded::awaitRelease);
    }

    /** As {@link #awaitUsers} for remote keys; the caller may hold a requester's lock, which no responder waits for. */
    void awaitResponders() {
        VarHandle.fullFence();
        responders.forEach(Guarded::awaitRelease);
    }
}
