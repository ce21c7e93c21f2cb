package io.jverbs.rsocket.datagram;

import io.jverbs.AddressHandle;
import java.net.InetSocketAddress;

/**
 * A peer, {@code struct ds_dest}: its address, and the number and address handle of its queue pair when they are known.
 * The lock of the socket guards it.
 */
final class Destination {
    private final InetSocketAddress address;
    private final DatagramQueuePair queuePair;
    private State state = State.UNRESOLVED;
    private AddressHandle handle;
    private int remoteQueuePair;
    /** How many datagrams are being sent to the peer over RDMA. */
    private int inFlight;
    /** When the program has sent to the peer, as a number of the table; 0 for never. */
    private long lastUse;

    /**
     * What is known of the peer. Its UDP datagrams name its queue pair. While the state is not RESOLVED, datagrams to
     * it go over UDP.
     * <pre>
     * state        queue pair named    another one named    resolved    not resolved   table is full
     * UNRESOLVED   RESOLVING           -                    -           -              REMOVED
     * RESOLVING    RESOLVING           RESOLVING            RESOLVED    UNRESOLVED     -
     * RESOLVED     RESOLVED            RESOLVING            -           -              REMOVED
     * REMOVED      -                   -                    -           -              -
     * </pre>
     * Another queue pair than before means another process, and maybe another port. If datagrams to the old one are
     * being sent, the address handle must stay: then the state stays RESOLVED, with the new number.
     */
    enum State {
        /** The queue pair is not known, or its address could not be resolved. */
        UNRESOLVED,
        /** The queue pair is known, and its address is being resolved. */
        RESOLVING,
        /** Datagrams go over RDMA. */
        RESOLVED,
        /** Another peer has taken the place in the table. */
        REMOVED
    }

    Destination(InetSocketAddress address, DatagramQueuePair queuePair) {
        this.address = address;
        this.queuePair = queuePair;
    }

    InetSocketAddress address() {
        return address;
    }

    /** Returns the local queue pair from which datagrams go to the peer. */
    DatagramQueuePair queuePair() {
        return queuePair;
    }

    State state() {
        return state;
    }

    AddressHandle handle() {
        return handle;
    }

    int remoteQueuePair() {
        return remoteQueuePair;
    }

    /** Notes the queue pair that the peer has named; returns whether its address must be resolved now. */
    boolean named(int number) {
        boolean isOther = number != remoteQueuePair;
        boolean mustResolve = switch (state) {
            case UNRESOLVED -> true;
            case RESOLVED -> isOther && inFlight == 0;
            case RESOLVING, REMOVED -> false;
        };
        if (state != State.REMOVED) {
            remoteQueuePair = number;
        }
        if (mustResolve) {
            closeHandle();
            state = State.RESOLVING;
        }
        return mustResolve;
    }

    /** Takes the address handle of the peer. */
    void resolved(AddressHandle made) {
        handle = made;
        state = State.RESOLVED;
    }

    /** Notes that the address could not be resolved. */
    void notResolved() {
        if (state == State.RESOLVING) {
            state = State.UNRESOLVED;
        }
    }

    /** Returns whether another peer can take the place of this one. */
    boolean isRemovable() {
        return inFlight == 0 && state != State.RESOLVING;
    }

    void remove() {
        closeHandle();
        state = State.REMOVED;
    }

    private void closeHandle() {
        if (handle != null) {
            handle.close();
            handle = null;
        }
    }

    void used(long number) {
        lastUse = number;
    }

    long lastUse() {
        return lastUse;
    }

    void sending() {
        inFlight++;
    }

    void sent() {
        inFlight--;
    }
}
