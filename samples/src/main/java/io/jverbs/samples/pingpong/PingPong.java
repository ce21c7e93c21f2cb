package io.jverbs.samples.pingpong;

import io.jverbs.CompletionChannel;
import io.jverbs.CompletionQueue;
import io.jverbs.QueuePair;
import io.jverbs.SendWorkRequest;
import io.jverbs.WcStatus;
import io.jverbs.WorkCompletions;
import io.jverbs.samples.SampleFailure;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Arrays;

/**
 * The loop: a queue pair that has got a message and whose own one is complete sends the next. For one thread; allocates nothing
 * once it is made.
 */
final class PingPong {
    private static final int RECEIVE = 1;
    private static final int SEND = 2;
    private static final int NONE = -1;
    private static final int BATCH = 64;
    private static final int POLLS_BETWEEN_YIELDS = 1000;
    private static final Duration PATIENCE = Duration.ofHours(1);

    private final Settings settings;
    private final int messageBytes;
    private final byte filler;
    private final QueuePair[] queuePairs;
    private final SendWorkRequest[] requests;
    private final Buffers own;
    private final Receives receives;
    private final CompletionQueue cq;
    private final CompletionChannel channel;
    private final Contents contents;
    private final WorkCompletions completions;
    /** For each queue pair, what must happen before it may send. */
    private final int[] pending;
    /** For each queue pair, the places of the message that goes back next and of the one that is on its way. */
    private final int[] next;
    private final int[] going;
    private int sent;
    private int received;
    private int events;

    /**
     * Prepares the loop.
     *
     * @param settings the options
     * @param endpoint connected queue pairs
     * @param headroom how many bytes a receive has before the message
     * @param contents checks the contents, null not to
     * @param filler what the client sends all over before it has got anything, if contents are not checked
     */
    PingPong(Settings settings, Endpoint endpoint, int headroom, Contents contents, byte filler) {
        this.settings = settings;
        this.messageBytes = headroom + settings.size();
        this.filler = filler;
        this.queuePairs = endpoint.queuePairs().toArray(QueuePair[]::new);
        this.requests = endpoint.requests().toArray(SendWorkRequest[]::new);
        this.own = endpoint.own();
        this.receives = endpoint.receives();
        this.cq = endpoint.cq();
        this.channel = endpoint.channel();
        this.contents = contents;
        this.completions = WorkCompletions.create(BATCH);
        this.pending = new int[queuePairs.length];
        this.next = new int[queuePairs.length];
        this.going = new int[queuePairs.length];
        Arrays.fill(pending, RECEIVE);
        Arrays.fill(next, NONE);
        Arrays.fill(going, NONE);
    }

    /** {@return how many nanoseconds all messages took} */
    long run() {
        for (int qp = 0; qp < queuePairs.length && settings.isClient(); qp++) {
            own.message(qp).fill(filler);
            send(qp);
        }
        long start = System.nanoTime();
        while (received < settings.iterations() || sent < settings.iterations()) {
            if (channel == null) {
                awaitCompletions();
            } else {
                awaitEvent();
            }
            do {
                for (int i = 0; i < completions.count(); i++) {
                    take(i);
                }
            } while (channel != null && cq.poll(completions) > 0);
        }
        long end = System.nanoTime();
        if (events > 0) {
            cq.acknowledgeEvents(events);
        }
        return end - start;
    }

    private void awaitCompletions() {
        int polls = 0;
        while (cq.poll(completions) == 0) {
            Thread.onSpinWait();
            // Both sides, and a device in software, may have to share a processor.
            if (++polls % POLLS_BETWEEN_YIELDS == 0) {
                Thread.yield();
                if (Thread.interrupted()) {
                    throw interrupted();
                }
            }
        }
    }

    private void awaitEvent() {
        try {
            while (channel.awaitEvent(PATIENCE) == null) {
                // a peer may take its time
            }
        } catch (InterruptedException e) {
            throw interrupted();
        }
        events++;
        // Arm before looking: what comes after the look raises the next event.
        cq.requestNotification(false);
        cq.poll(completions);
    }

    private static SampleFailure interrupted() {
        Thread.currentThread().interrupt();
        return new SampleFailure("interrupted while waiting for the peer.");
    }

    private void take(int index) {
        if (!completions.isSuccess(index)) {
            throw failed(index);
        }
        int qp = find(completions.qpNumber(index));
        if (WrIds.isSend(completions.wrId(index))) {
            sent++;
            pending[qp] &= ~SEND;
            if (going[qp] != NONE) {
                receives.release(going[qp]);
                going[qp] = NONE;
            }
        } else {
            received++;
            arrived(qp, index);
            pending[qp] &= ~RECEIVE;
        }
        if (sent < settings.iterations() && pending[qp] == 0) {
            send(qp);
        }
    }

    private int find(int number) {
        for (int qp = 0; qp < queuePairs.length; qp++) {
            if (queuePairs[qp].number() == number) {
                return qp;
            }
        }
        throw new SampleFailure("a completion came for QPN " + number + ", which is none of this program's.");
    }

    private void arrived(int qp, int index) {
        if (completions.byteLength(index) != messageBytes) {
            throw new SampleFailure("a message of " + (completions.byteLength(index) - messageBytes + settings.size())
                    + " bytes came instead of " + settings.size() + ": give both sides the same --size.");
        }
        if ((pending[qp] & RECEIVE) == 0) {
            throw new SampleFailure("the peer sent a message before it had got one: it is no ping-pong program.");
        }
        int place = WrIds.place(completions.wrId(index));
        receives.used();
        if (contents != null) {
            contents.check(qp, receives.buffers().message(place));
        }
        if (contents != null && contents.makes()) {
            receives.release(place);
        } else {
            next[qp] = place;
        }
    }

    private void send(int qp) {
        SendWorkRequest request = requests[qp];
        if (next[qp] != NONE) {
            receives.buffers().aim(request, next[qp]);
            going[qp] = next[qp];
            next[qp] = NONE;
        } else {
            own.aim(request, qp);
            if (contents != null) {
                MemorySegment message = own.message(qp);
                contents.make(qp, message);
            }
        }
        queuePairs[qp].postSend(request);
        pending[qp] = RECEIVE | SEND;
    }

    private SampleFailure failed(int index) {
        boolean send = WrIds.isSend(completions.wrId(index));
        if (completions.status(index) == WcStatus.RETRY_EXC_ERR && received >= settings.iterations()) {
            return new SampleFailure(
                    "the peer has sent all its messages, but has not acknowledged the last of this side's: it ended,"
                            + " and an ACK on the way was lost. It may have what it needs; its output tells.");
        }
        return new SampleFailure("a " + (send ? "send" : "receive") + " failed with " + completions.status(index) + " ("
                + completions.rawStatus(index) + "), vendor error 0x"
                + Integer.toHexString(completions.vendorError(index)) + "; the peer's output may tell why.");
    }
}
