package io.jverbs.soft.memory;

import io.jverbs.soft.queue.SpinLock;
import io.jverbs.spi.Handle;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A protection domain. It knows the locks under which its memory is accessed: those of its queue pairs, and of queue pairs
 * whose shared receive queue it owns.
 */
public final class Domain implements Handle.Pd {
    private final Set<SpinLock> users = ConcurrentHashMap.newKeySet();

    /**
     * Notes a lock under which memory of this domain is accessed.
     *
     * @param lock the lock
     */
    public void addUser(SpinLock lock) {
        users.add(lock);
    }

    /**
     * Forgets a lock whose owner is gone.
     *
     * @param lock the lock
     */
    public void removeUser(SpinLock lock) {
        users.remove(lock);
    }

    /**
     * Waits until every access that may have looked up a key before this call is over: each lock held now is released once.
     * Whoever takes a lock later looks keys up anew.
     */
    void awaitUsers() {
        users.forEach(SpinLock::awaitRelease);
    }
}
