package io.jverbs.samples.nodes;

import io.jverbs.samples.console.SampleFailure;
import java.time.Duration;

/** How long a program waits for a peer that has a connection: that of a killed one may not end. */
public final class PeerLimit {
    static final Duration LIMIT = Duration.ofSeconds(15);

    private PeerLimit() {}

    /**
     * Refuses a wait that is longer than 15 seconds.
     *
     * @param waited how long the wait has lasted
     * @param missing what has not arrived, the beginning of the message, such as "no completion"
     * @throws SampleFailure if it is longer
     */
    public static void check(Duration waited, String missing) {
        if (waited.compareTo(LIMIT) > 0) {
            throw failure(missing);
        }
    }

    static SampleFailure failure(String missing) {
        return new SampleFailure(missing + " within " + LIMIT.toSeconds()
                + " s: the peer was killed, is not reachable, or does not exchange the same messages");
    }
}
