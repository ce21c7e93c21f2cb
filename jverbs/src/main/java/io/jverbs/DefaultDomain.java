package io.jverbs;

import java.util.concurrent.locks.ReentrantLock;

/**
 * The protection domain that the CM IDs of a context share if the program gives none; see rdma_create_qp(3). It exists
 * while an ID uses it. If the program then still has objects in it, it remains for the next ID, and the close of the
 * context closes it. Thread-safe.
 */
final class DefaultDomain {
    private final RdmaContext context;
    private final ReentrantLock lock = new ReentrantLock();
    private ProtectionDomain domain;
    private int users;

    DefaultDomain(RdmaContext context) {
        this.context = context;
    }

    /** Adds a user, and returns the domain. */
    ProtectionDomain acquire() {
        lock.lock();
        try {
            if (domain == null || domain.isClosed()) {
                domain = context.allocatePd();
            }
            users++;
            return domain;
        } finally {
            lock.unlock();
        }
    }

    /** Removes a user, and closes the domain after the last one. If this throws, the user is not removed. */
    void release() {
        lock.lock();
        try {
            if (users == 1) {
                close();
            }
            users--;
        } finally {
            lock.unlock();
        }
    }

    private void close() {
        try {
            domain.close();
        } catch (VerbsException e) {
            if (e.error() != Errno.EBUSY) {
                throw e;
            }
            // objects of the program are left in it
        }
    }
}
