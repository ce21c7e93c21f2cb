package io.jverbs.soft.congestion;

import io.jverbs.soft.protocol.Timers;

/** A queue pair as the windows that it shares see it. */
public interface PathWindowUser {

    /** Makes it send again once the present locks are released: its turn has come. Callable with locks held. */
    void resumeSend();

    /** {@return its clock} */
    Timers timers();

    /** Performs the work that was deferred while locks were held. The caller holds no lock. */
    void runDeferred();
}
