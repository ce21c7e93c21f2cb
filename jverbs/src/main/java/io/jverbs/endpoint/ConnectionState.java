package io.jverbs.endpoint;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/** The state of a connection, and which state can follow which. */
enum ConnectionState {
    /** A client resolves the address of the listener. */
    RESOLVING_ADDRESS("resolving the address", "check the address, and that its host is up"),
    /** A client resolves the route. */
    RESOLVING_ROUTE("resolving the route", "check the interface and the network between the hosts"),
    /** A client has sent the connect request. */
    CONNECTING("connecting", "check that the host is up and that no firewall drops UDP port 4791"),
    /** A server has accepted, and waits for the RTU of the client. */
    ACCEPTING("accepting, which ends with the RTU of the client", "check that the client runs"),
    /** Both sides can send. */
    ESTABLISHED,
    /** The program has closed the endpoint; its last message is not acknowledged yet. */
    CLOSING,
    /** The queue pair is in ERR; not all of its requests have completed. */
    DRAINING,
    /** The queue pair and the ID are destroyed. */
    ENDED;

    private final String step;
    private final String advice;

    ConnectionState() {
        this("", "");
    }

    /** A state in which the connection is not established yet. */
    ConnectionState(String step, String advice) {
        this.step = step;
        this.advice = advice;
    }

    private static final Map<ConnectionState, Set<ConnectionState>> NEXT = new EnumMap<>(Map.of(
            RESOLVING_ADDRESS, EnumSet.of(RESOLVING_ROUTE, DRAINING),
            RESOLVING_ROUTE, EnumSet.of(CONNECTING, DRAINING),
            CONNECTING, EnumSet.of(ESTABLISHED, DRAINING),
            ACCEPTING, EnumSet.of(ESTABLISHED, DRAINING),
            ESTABLISHED, EnumSet.of(CLOSING, DRAINING),
            CLOSING, EnumSet.of(DRAINING),
            DRAINING, EnumSet.of(ENDED),
            ENDED, EnumSet.noneOf(ConnectionState.class)));

    /**
     * Which sides have closed the connection.
     * <pre>
     * present    the program closes its endpoint    the last message of the peer arrives
     * NEITHER    PROGRAM                            PEER
     * PROGRAM    -                                  BOTH
     * PEER       BOTH                               -
     * BOTH       -                                  -
     * </pre>
     */
    enum ClosedSides {
        NEITHER, PROGRAM, PEER, BOTH;

        boolean isProgram() {
            return this == PROGRAM || this == BOTH;
        }

        boolean isPeer() {
            return this == PEER || this == BOTH;
        }

        ClosedSides withProgram() {
            return isPeer() ? BOTH : PROGRAM;
        }

        ClosedSides withPeer() {
            return isProgram() ? BOTH : PEER;
        }
    }

    /** Returns the step of establishing the connection that is done in this state; empty if it is established. */
    String step() {
        return step;
    }

    /** Returns what to do if the step does not end. */
    String advice() {
        return advice;
    }

    /** Returns whether a state can follow this one. */
    boolean allows(ConnectionState next) {
        return NEXT.get(this).contains(next);
    }

    /** Returns whether the connection carries messages, or will. */
    boolean isAlive() {
        return this != DRAINING && this != ENDED;
    }
}
