package io.jverbs.soft.fabric;

import io.jverbs.Gid;
import io.jverbs.soft.transport.Tap;
import io.jverbs.soft.transport.Wire;
import java.io.IOException;

/** How packets leave a device and come to it, for those who open, poll and close it: over UDP, or simulated. */
public interface WayOut extends Wire {

    /** {@return the device's name} */
    String name();

    /** {@return the device's address} */
    Gid gid();

    /**
     * Says whose packets these are; before that nothing may be received.
     *
     * @param behind the port whose queue pairs packets are for
     */
    void serve(SoftPort behind);

    /**
     * Says who looks at packets from now on, as the port knows too.
     *
     * @param tap who, null for nobody
     */
    void tap(Tap tap);

    /** {@return whether packets travel it even between queue pairs that could reach each other within the JVM} */
    boolean isOnlyWay();

    /** Receives something, if nobody else does so already; for pollers of empty queues, who hold no lock. */
    void help();

    /** Has a thread receive, if there is one: somebody is about to wait. */
    void listen();

    /** {@return what threads do that wait for events; null if they need do nothing} */
    Progress progress();

    /** A context was opened on the device. */
    void opened();

    /** A context on the device was closed. */
    void contextClosed();

    /**
     * Receives what is sent to a group from now on; as often as it is joined it must be left.
     *
     * @param group the group
     * @throws IOException if the system does not let us
     */
    void join(Gid group) throws IOException;

    /**
     * Leaves a group that was joined.
     *
     * @param group the group
     * @throws IOException if the system reports an error
     */
    void leave(Gid group) throws IOException;

    /** Sends and receives nothing any more. */
    void close();

    /** The work of a network that has no thread: who waits for an event does it. Callers hold no lock. */
    interface Progress {

        /**
         * {@return the moment that is so many nanoseconds from now, by the network's clock}
         *
         * @param nanos how long, not negative
         */
        long deadline(long nanos);

        /**
         * Has the next thing happen.
         *
         * @param deadline when it must be due at the latest
         * @return false if nothing is due by then
         */
        boolean step(long deadline);

        /**
         * Sets the clock on to a moment at which a wait has ended in vain.
         *
         * @param deadline the moment
         * @return false if something is due by then after all
         */
        boolean elapsed(long deadline);
    }
}
