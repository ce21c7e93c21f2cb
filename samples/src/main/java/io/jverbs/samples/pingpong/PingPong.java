package io.jverbs.samples.pingpong;

import io.jverbs.CompletionChannel;
import io.jverbs.CompletionQueue;
import io.jverbs.QueuePair;
import io.jverbs.SendWorkRequest;
import io.jverbs.WcStatus;
import io.jverbs.WorkCompletions;
import io.jverbs.samples.connect.SpinWait;
import io.jverbs.samples.console.SampleFailure;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.BooleanSupplier;

/**
 * The message loop. A queue pair sends its next message when it has received one and its previous send is complete. Not
 * thread-safe; allocates nothing after construction.
 */
final class PingPong {
    private static final int RECEIVE = 1;
    private static final int SEND = 2;
    private static final int NONE = -1;
    private static final int BATCH = 64;
    private static final Duration BETWEEN_CHECKS = Duration.ofSeconds(1);

    private final Settings settings;
    private final int messageBytes;
    private final byte filler;
    private final QueuePair[] queuePairs;
    private final SendWorkRequest[] requests;
    private final Buffers own;
    private final Receives receives;
    private final CompletionQueue cq;
    private final CompletionChannel channel;
    /** Null if contents are not checked. */
    private final ContentCheck contents;
    private final BooleanSupplier peerGone;
    private final WorkCompletions completions;
    private final SpinWait wait = new SpinWait(SpinWait.SHORT_POLLS);
    /** For each queue pair, the completions that must arrive before it may send: RECEIVE, SEND, or both. */
    private final int[] pending;
    /**
     * For each queue pair, the slot of the message to return next, and of the one being sent; NONE if there is none.
     */
    private final int[] next;
    private final int[] sending;
    private int sent;
    private int received;
    private int events;
    private long lastCheck;

    /**
     * Prepares the loop.
     *
     * @param settings the options
     * @param endpoint connected queue pairs
     * @param headroom the number of bytes before the message in a receive buffer
     * @param contents checks the contents; null not to check them
     * @param filler the byte that fills the client's first message if contents are not checked
     * @param peerGone whether the peer has ended the connection, which it does before the last message if it failed
     */
    PingPong(Settings settings, Endpoint endpoint, int headroom, ContentCheck contents, byte filler,
            BooleanSupplier peerGone) {
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
        this.peerGone = peerGone;
        this.completions = WorkCompletions.create(BATCH);
        this.pending = new int[queuePairs.length];
        this.next = new int[queuePairs.length];
        this.sending = new int[queuePairs.length];
        Arrays.fill(pending, RECEIVE);
        Arrays.fill(next, NONE);
        Arrays.fill(sending, NONE);
    }

    /** {@return the time of all messages in nanoseconds} */
    long run() {
        for (int qp = 0; qp < queuePairs.length && settings.isClient(); qp++) {
            own.message(qp).fill(filler);
            send(qp);
        }
        long start = System.nanoTime();
        lastCheck = start;
        try {
            exchange();
            return System.nanoTime() - start;
        } finally {
            // also after a failure: closing the queue waits for it
            if (events > 0) {
                cq.acknowledgeEvents(events);
            }
        }
    }

    private void exchange() {
        while (received < settings.iterations() || sent < settings.iterations()) {
            if (channel == null) {
                awaitCompletions();
            } else {
                awaitEvent();
            }
            do {
                for (int i = 0; i < completions.count(); i++) {
                    handle(i);
                }
            } while (channel != null && cq.poll(completions) > 0);
        }
    }

    private void awaitCompletions() {
        wait.begin();
        while (cq.poll(completions) == 0) {
            if (wait.idle()) {
                if (Thread.interrupted()) {
                    throw interrupted();
                }
                if (System.nanoTime() - lastCheck > BETWEEN_CHECKS.toNanos()) {
                    checkPeer();
                }
            }
        }
    }

    private void awaitEvent() {
        try {
            // there is no limit on how long the peer may take
            while (channel.awaitEvent(BETWEEN_CHECKS) == null) {
                checkPeer();
            }
        } catch (InterruptedException e) {
            throw interrupted();
        }
        events++;
        // Arm before polling: a completion that arrives after the poll raises the next event.
        cq.requestNotification(false);
        cq.poll(completions);
    }

    private void checkPeer() {
        lastCheck = System.nanoTime();
        if (peerGone.getAsBoolean()) {
            throw new SampleFailure("the peer ended the connection after " + received + " of "
                    + settings.iterations() + " messages: its output may say why.");
        }
    }

    private static SampleFailure interrupted() {
        Thread.currentThread().interrupt();
        return new SampleFailure("interrupted while waiting for the peer.");
    }

    private void handle(int index) {
        if (!completions.isSuccess(index)) {
            throw failed(index);
        }
        int qp = find(completions.qpNumber(index));
        if (WrIds.isSend(completions.wrId(index))) {
            sent++;
            pending[qp] &= ~SEND;
            if (sending[qp] != NONE) {
                receives.release(sending[qp]);
                sending[qp] = NONE;
            }
        } else {
            received++;
            handleMessage(qp, index);
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
        throw new SampleFailure("a completion names QPN " + number + ", which this program did not create.");
    }

    private void handleMessage(int qp, int index) {
        if (completions.byteLength(index) != messageBytes) {
            throw new SampleFailure("received a message of "
                    + (completions.byteLength(index) - messageBytes + settings.size()) + " bytes instead of "
                    + settings.size() + ": start both sides with the same --size.");
        }
        if ((pending[qp] & RECEIVE) == 0) {
            throw new SampleFailure("the peer sent a message before it received one: it is not a ping-pong program.");
        }
        int slot = WrIds.slot(completions.wrId(index));
        receives.consumed();
        if (contents != null) {
            contents.check(qp, receives.buffers().message(slot));
        }
        if (contents != null && contents.generates()) {
            receives.release(slot);
        } else {
            next[qp] = slot;
        }
    }

    private void send(int qp) {
        SendWorkRequest request = requests[qp];
        if (next[qp] != NONE) {
            receives.buffers().setElement(request, next[qp]);
            sending[qp] = next[qp];
            next[qp] = NONE;
        } else {
            own.setElement(request, qp);
            if (contents != null) {
                MemorySegment message = own.message(qp);
                contents.generate(qp, message);
            }
        }
        queuePairs[qp].postSend(request);
        pending[qp] = RECEIVE | SEND;
    }

    private SampleFailure failed(int index) {
        boolean send = WrIds.isSend(completions.wrId(index));
        if (completions.status(index) == WcStatus.RETRY_EXC_ERR && received >= settings.iterations()) {
            return new SampleFailure("the peer sent all its messages, but did not acknowledge the last message of this"
                    + " side: it has exited, and an ACK was lost. It may have received everything: see its output.");
        }
        return new SampleFailure("a " + (send ? "send" : "receive") + " failed with " + completions.status(index) + " ("
                + completions.rawStatus(index) + "), vendor error 0x"
                + Integer.toHexString(completions.vendorError(index)) + "; the peer's output may say why.");
    }
}
