package io.jverbs.samples.pingpong;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Locale;

/**
 * Generates and checks the messages of option {@code -c}. The client generates each message, the server returns it, and
 * both check every byte. The C clients do not generate messages: they send their initial memory, and then what they
 * received. With such a client, the server generates the messages and checks what returns. Not thread-safe; allocates
 * nothing after construction.
 */
final class ContentCheck {
    private final boolean client;
    private final boolean severalQueuePairs;
    private final int iterations;
    private final byte filler;
    private final int[] ownPsns;
    private final int[] peerPsns;
    private final int[] generated;
    private final int[] received;
    /** The messages in flight; null with a single queue pair. */
    private final InFlightMessages inFlight;
    /** Whether {@link #generator} is final: a server decides with the first message. */
    private boolean decided;
    private boolean generator;
    private int wrong;
    private int mixed;
    private int wrongQp;
    private int wrongNumber;
    private long wrongAt;
    private byte wrongByte;

    /**
     * Creates the check of a run.
     *
     * @param settings the options
     * @param own the destinations of this side
     * @param peers the destinations of the peer
     * @param filler the byte that fills the initial memory of the C program
     */
    ContentCheck(Settings settings, List<Destination> own, List<Destination> peers, byte filler) {
        this.client = settings.isClient();
        this.severalQueuePairs = settings.queuePairs() > 1;
        this.iterations = settings.iterations();
        this.filler = filler;
        this.ownPsns = psns(own);
        this.peerPsns = psns(peers.subList(0, own.size()));
        this.generated = new int[own.size()];
        this.received = new int[own.size()];
        this.inFlight = severalQueuePairs ? new InFlightMessages(ownPsns, filler) : null;
        this.decided = client;
        this.generator = client;
    }

    private static int[] psns(List<Destination> destinations) {
        return destinations.stream().mapToInt(Destination::psn).toArray();
    }

    /** {@return whether this side generates the messages; valid on a server after the first {@link #check}} */
    boolean generates() {
        return generator;
    }

    /** Writes the next message of a queue pair. */
    void generate(int qp, MemorySegment memory) {
        if (severalQueuePairs) {
            inFlight.sent(qp);
        }
        MessagePattern.fill(memory, key(ownPsns, qp, generated[qp]++));
    }

    /** Checks a received message. */
    void check(int qp, MemorySegment memory) {
        int number = received[qp]++;
        if (!decided) {
            decided = true;
            generator = MessagePattern.mismatch(memory, key(peerPsns, qp, number)) >= 0;
        }
        if (generator) {
            checkEcho(qp, client ? number : number - 1, memory);
        } else {
            record(MessagePattern.mismatch(memory, key(peerPsns, qp, number)), qp, memory);
        }
    }

    /** Checks a returned message. Number -1 is the initial memory, which the C client sends first. */
    private void checkEcho(int qp, int number, MemorySegment memory) {
        long at = number < 0
                ? InitialMemory.mismatch(memory, filler)
                : MessagePattern.mismatch(memory, key(ownPsns, qp, number));
        if (at >= 0 && severalQueuePairs) {
            at = inFlight.mismatch(qp, memory, number < 0);
            if (at < 0) {
                mixed++;
            }
        }
        if (severalQueuePairs && number >= 0) {
            inFlight.returned(qp);
        }
        record(at, qp, memory);
    }

    /**
     * {@return the key of a message} Pages of the last message begin with 0, as the C server checks that. With several
     * queue pairs, any message may be the last.
     */
    private long key(int[] psns, int qp, int number) {
        return MessagePattern.key(psns[qp], number, severalQueuePairs || number == iterations - 1);
    }

    /** Counts a message with a wrong byte at an index, -1 for none, and records the first one. */
    private void record(long at, int qp, MemorySegment memory) {
        if (at >= 0 && wrong++ == 0) {
            wrongQp = qp;
            wrongNumber = received[qp];
            wrongAt = at;
            wrongByte = memory.get(JAVA_BYTE, at);
        }
    }

    /** {@return the number of messages with wrong contents} */
    int wrong() {
        return wrong;
    }

    /** {@return the number of messages whose bytes were correct, but from several messages in flight} */
    int mixed() {
        return mixed;
    }

    /** {@return the page of the first wrong byte, counted from 0} */
    long wrongPage() {
        return wrongAt / MessagePattern.PAGE;
    }

    /** {@return a sentence about the first wrong message} */
    String firstWrong(List<Destination> own) {
        return String.format(Locale.ROOT, "%d messages had wrong contents; the first was message %d to QPN 0x%06x,"
                + " in which byte %d was 0x%02x.", wrong, wrongNumber, own.get(wrongQp).qpn(), wrongAt, wrongByte);
    }
}
