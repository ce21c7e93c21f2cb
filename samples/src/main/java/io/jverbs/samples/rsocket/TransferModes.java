package io.jverbs.samples.rsocket;

import java.util.List;
import java.util.Locale;

/**
 * The values of -T.
 *
 * @param sockets whether TCP connections take the place of streams over RDMA
 * @param async whether the program waits until it can transfer, as with rpoll
 * @param blocking whether transfers wait
 * @param fork whether another thread serves each client, with TCP connections
 * @param verify whether the data are compared
 */
record TransferModes(boolean sockets, boolean async, boolean blocking, boolean fork, boolean verify) {
    private static final String ALLOWED = "s, socket, a, async, b, blocking, f, fork, n, nonblocking, r, resolve, v,"
            + " verify";
    private static final String ALLOWED_DIRECT = "a, async, b, blocking, n, nonblocking, v, verify";

    /**
     * Parses the values of -T; a later one of blocking and nonblocking replaces an earlier one.
     *
     * @throws IllegalArgumentException if a value is none of them
     */
    static TransferModes parse(List<String> values) {
        TransferModes modes = new TransferModes(false, false, false, false, false);
        for (String value : values) {
            modes = modes.with(value, ALLOWED);
        }
        return modes;
    }

    /**
     * Parses the values of -T of riostream, which has fewer of them.
     *
     * @throws IllegalArgumentException if a value is none of them
     */
    static TransferModes parseDirect(List<String> values) {
        TransferModes modes = parse(List.of());
        for (String value : values) {
            modes = switch (value.toLowerCase(Locale.ROOT)) {
                case "s", "socket", "sockets", "f", "fork", "r", "resolve" -> throw unknown(value, ALLOWED_DIRECT);
                default -> modes.with(value, ALLOWED_DIRECT);
            };
        }
        return modes;
    }

    private static IllegalArgumentException unknown(String value, String allowed) {
        return new IllegalArgumentException("-T " + value + " is not a test option; allowed are " + allowed);
    }

    /** Returns these options without a comparison of the data. */
    TransferModes withoutVerify() {
        return new TransferModes(sockets, async, blocking, fork, false);
    }

    private TransferModes with(String value, String allowed) {
        return switch (value.toLowerCase(Locale.ROOT)) {
            case "s", "socket", "sockets" -> new TransferModes(true, async, blocking, fork, verify);
            case "a", "async" -> new TransferModes(sockets, true, blocking, fork, verify);
            case "b", "block", "blocking" -> new TransferModes(sockets, async, true, fork, verify);
            case "f", "fork" -> new TransferModes(true, async, blocking, true, verify);
            case "n", "nonblock", "nonblocking" -> new TransferModes(sockets, async, false, fork, verify);
            // rdma_cm resolves the addresses of streams over RDMA in any case
            case "r", "resolve" -> this;
            case "v", "verify" -> new TransferModes(sockets, async, blocking, fork, true);
            default -> throw unknown(value, allowed);
        };
    }
}
