package io.jverbs.soft.transport;

import io.jverbs.soft.protocol.QpStateCode;
import io.jverbs.soft.queue.DeferredWork;

/**
 * What each request reads of a {@link SoftQp}. In a class of its own, because the JVM lays the fields of a class out
 * together: with many queue pairs in turn, a request takes as long as the cache misses that it has.
 */
abstract class SoftQpState extends DeferredWork {
    final int number;
    volatile int state = QpStateCode.RESET;
    /** Whether a valid request has arrived since RESET. Guarded by the responder's lock. */
    boolean requested;

    SoftQpState(DeferredQueue deferred, int number) {
        super(deferred);
        this.number = number;
    }
}
