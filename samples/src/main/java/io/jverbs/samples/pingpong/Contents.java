package io.jverbs.samples.pingpong;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Locale;

/**
 * What {@code -c} sends and checks. The client makes each message anew, the server sends it back, and both check each byte of it.
 * With a client that does not make messages but sends its initial memory and then what it got, as the C programs do, the server
 * makes them, and checks what comes back. For one thread; allocates nothing while messages go.
 */
final class Contents {
    private final boolean client;
    private final boolean severalQueuePairs;
    private final int iterations;
    private final byte filler;
    private final int[] ownPsns;
    private final int[] peerPsns;
    private final int[] made;
    private final int[] came;
    private final Underway underway;
    private boolean decided;
    private boolean maker;
    private int wrong;
    private int mixed;
    private int wrongQp;
    private int wrongNumber;
    private long wrongAt;
    private byte wrongByte;

    /**
     * Starts a run.
     *
     * @param settings the options
     * @param own where the own queue pairs are reached
     * @param peers where the peer's are
     * @param filler the initial memory of the C program
     */
    Contents(Settings settings, List<Destination> own, List<Destination> peers, byte filler) {
        this.client = settings.isClient();
        this.severalQueuePairs = settings.queuePairs() > 1;
        this.iterations = settings.iterations();
        this.filler = filler;
        this.ownPsns = psns(own);
        this.peerPsns = psns(peers.subList(0, own.size()));
        this.made = new int[own.size()];
        this.came = new int[own.size()];
        this.underway = severalQueuePairs ? new Underway(ownPsns, filler) : null;
        this.decided = client;
        this.maker = client;
    }

    private static int[] psns(List<Destination> destinations) {
        return destinations.stream().mapToInt(Destination::psn).toArray();
    }

    /** {@return whether this side makes the messages; a server knows when the first one has come} */
    boolean makes() {
        return maker;
    }

    /** Writes the next message of a queue pair. */
    void make(int qp, MemorySegment memory) {
        if (severalQueuePairs) {
            underway.make(qp);
        }
        MessagePattern.fill(memory, key(ownPsns, qp, made[qp]++));
    }

    /** Checks a message. */
    void check(int qp, MemorySegment memory) {
        int number = came[qp]++;
        if (!decided) {
            decided = true;
            maker = MessagePattern.mismatch(memory, key(peerPsns, qp, number)) >= 0;
        }
        if (maker) {
            checkEcho(qp, client ? number : number - 1, memory);
        } else {
            note(MessagePattern.mismatch(memory, key(peerPsns, qp, number)), qp, memory);
        }
    }

    /** A number of -1 is what the client sends before it has got anything. */
    private void checkEcho(int qp, int number, MemorySegment memory) {
        long at = number < 0
                ? InitialMemory.mismatch(memory, filler)
                : MessagePattern.mismatch(memory, key(ownPsns, qp, number));
        if (at >= 0 && severalQueuePairs) {
            at = underway.mismatch(qp, memory, number < 0);
            if (at < 0) {
                mixed++;
            }
        }
        if (severalQueuePairs && number >= 0) {
            underway.comeBack(qp);
        }
        note(at, qp, memory);
    }

    /** The C server looks at what came last; which message that is, is open if there are several queue pairs. */
    private long key(int[] psns, int qp, int number) {
        return MessagePattern.key(psns[qp], number, severalQueuePairs || number == iterations - 1);
    }

    private void note(long at, int qp, MemorySegment memory) {
        if (at >= 0 && wrong++ == 0) {
            wrongQp = qp;
            wrongNumber = came[qp];
            wrongAt = at;
            wrongByte = memory.get(JAVA_BYTE, at);
        }
    }

    /** {@return how many messages were wrong} */
    int wrong() {
        return wrong;
    }

    /** {@return how many messages were right, but put together from several} */
    int mixed() {
        return mixed;
    }

    /** {@return the page, counted from 0, in which the first wrong byte was} */
    long wrongPage() {
        return wrongAt / MessagePattern.PAGE;
    }

    /** {@return in one sentence what was wrong first} */
    String firstWrong(List<Destination> own) {
        return String.format(Locale.ROOT, "%d messages did not have the contents that they should have;"
                + " the first was number %d to QPN 0x%06x, where byte %d came as 0x%02x.", wrong, wrongNumber,
                own.get(wrongQp).qpn(), wrongAt, wrongByte);
    }
}
