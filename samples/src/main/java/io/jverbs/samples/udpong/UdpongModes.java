package io.jverbs.samples.udpong;

import java.util.List;
import java.util.Locale;

/**
 * The values of -T of udpong.
 *
 * @param sockets whether UDP takes the place of datagrams over RDMA
 * @param async whether the program waits until it can send or receive, as with rpoll
 * @param blocking whether sending and receiving wait
 * @param echo whether the server returns all messages
 */
record UdpongModes(boolean sockets, boolean async, boolean blocking, boolean echo) {
    private static final String ALLOWED = "s, socket, a, async, b, blocking, n, nonblocking, e, echo";

    /**
     * Parses the values of -T; a later one of blocking and nonblocking replaces an earlier one.
     *
     * @throws IllegalArgumentException if a value is none of them
     */
    static UdpongModes parse(List<String> values) {
        UdpongModes modes = new UdpongModes(false, false, false, false);
        for (String value : values) {
            modes = modes.with(value);
        }
        return modes;
    }

    private UdpongModes with(String value) {
        return switch (value.toLowerCase(Locale.ROOT)) {
            case "s", "socket", "sockets" -> new UdpongModes(true, async, blocking, echo);
            case "a", "async" -> new UdpongModes(sockets, true, blocking, echo);
            case "b", "block", "blocking" -> new UdpongModes(sockets, async, true, echo);
            case "n", "nonblock", "nonblocking" -> new UdpongModes(sockets, async, false, echo);
            case "e", "echo" -> new UdpongModes(sockets, async, blocking, true);
            default -> throw new IllegalArgumentException("-T " + value + " is not a test option; allowed are "
                    + ALLOWED);
        };
    }

    /** Returns whether the program waits before it sends or receives. */
    boolean waits() {
        return async || blocking;
    }
}
