package io.jverbs.samples.perftest.run;

import io.jverbs.CompletionChannel;
import io.jverbs.CompletionQueue;
import io.jverbs.QueuePair;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendWorkRequest;
import io.jverbs.WorkCompletions;
import io.jverbs.samples.console.SampleFailure;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The loops that post requests and poll for completions. The same requests are posted repeatedly. Not thread-safe;
 * {@link #run} allocates nothing unless it fails.
 */
final class Traffic {
    private static final int BATCH = 64;
    private static final int POLLS_BETWEEN_CLOCK_READS = 16;
    private static final Duration EVENT_TIMEOUT = Duration.ofMillis(500);
    private static final VarHandle BYTE = ValueLayout.JAVA_BYTE.varHandle();

    private final Settings settings;
    private final Side side;
    private final boolean client;
    private final StallDetector stalls;
    private final Progress progress;
    private final QueuePair qp;
    private final CompletionQueue cq;
    private final CompletionChannel channel;
    private final ReceiveWorkRequest receive;
    private final MemorySegment incoming;
    private final MemorySegment outgoing;
    private final WorkCompletions completions = WorkCompletions.create(BATCH);
    private final int signaledEach;
    private final int list;
    private final int depth;
    private int size;
    private int iterations;
    /** Whether a duration is given instead of a number of messages. */
    private boolean timed;
    private long duration;
    /** The time at which a round with a duration ends, and whether it has come; 0 before the first message. */
    private long end;
    private boolean timeUp;
    private int emptyPolls;
    private Times times;
    private long posted;
    private long completed;
    private long received;
    private int events;

    /**
     * Creates the loops.
     *
     * @param settings the options
     * @param side a connected side
     * @param client whether the side is the client
     * @param stalls fails if there is no progress
     * @param progress the progress display
     */
    Traffic(Settings settings, Side side, boolean client, StallDetector stalls, Progress progress) {
        this.settings = settings;
        this.side = side;
        this.client = client;
        this.stalls = stalls;
        this.progress = progress;
        this.qp = side.qp();
        this.cq = side.cq();
        this.channel = side.channel();
        this.receive = side.receive();
        this.incoming = side.incoming();
        this.outgoing = side.outgoing();
        this.signaledEach = settings.cqMod();
        this.list = settings.postList();
        this.depth = settings.txDepth();
    }

    /** Runs a round. */
    void run(Round round, Times kept) {
        size = round.size();
        iterations = round.iterations();
        timed = round.timed();
        duration = TimeUnit.SECONDS.toNanos(round.seconds());
        end = 0;
        timeUp = false;
        times = kept;
        posted = 0;
        completed = 0;
        received = 0;
        side.setSize(size);
        stalls.begin();
        progress.begin(round);
        times.first = System.nanoTime();
        times.last = times.first;
        try {
            transfer();
        } finally {
            // also after a failure: closing the queue waits for it
            if (events > 0) {
                cq.acknowledgeEvents(events);
                events = 0;
            }
        }
        times.messages = timed ? transferred() : iterations;
    }

    /** {@return the messages of a round with a duration} With SEND in both directions, perftest counts both. */
    private long transferred() {
        if (!settings.latency() && settings.verb() == Verb.SEND) {
            return completed + received;
        }
        return completed;
    }

    private void transfer() {
        if (!settings.latency()) {
            stream();
        } else if (settings.verb() == Verb.SEND) {
            sendPingPong();
        } else if (settings.verb() == Verb.WRITE) {
            writePingPong();
        } else if (client) {
            fetch();
        }
    }

    /** Sends messages back and forth; the client sends the first one. */
    private void sendPingPong() {
        long awaited = 0;
        while (posted < iterations || awaited < iterations || completed < posted) {
            if (awaited < iterations && !(client && posted == 0)) {
                awaited++;
                while (received < awaited && !timeUp) {
                    step();
                }
            }
            if (timeUp) {
                break;
            }
            post();
            while ((posted - completed >= depth || posted == iterations && completed < posted) && !timeUp) {
                step();
            }
        }
        times.last = System.nanoTime();
    }

    /**
     * The ping-pong with WRITEs: the last byte of the memory changes when a message has arrived. Unlike with SENDs, the
     * server sends the first message, as in perftest.
     */
    private void writePingPong() {
        long awaited = 0;
        long last = size - 1L;
        while (posted < iterations || awaited < iterations || completed < posted) {
            if (awaited < iterations && !(!client && posted == 0)) {
                awaited++;
                // Polling reaps completions, detects failures, and lets a software device make progress.
                while ((byte) BYTE.getAcquire(incoming, last) != (byte) awaited && !timeUp) {
                    step();
                }
                received = awaited;
            }
            if (timeUp) {
                break;
            }
            if (posted < iterations) {
                outgoing.set(ValueLayout.JAVA_BYTE, last, (byte) (posted + 1));
                post();
            }
            while ((posted - completed >= depth || posted == iterations && completed < posted) && !timeUp) {
                step();
            }
        }
        times.last = System.nanoTime();
    }

    /** Executes READs or atomics one at a time; the other side is passive. */
    private void fetch() {
        while (completed < iterations && !timeUp) {
            post();
            while (completed < posted && !timeUp) {
                step();
            }
        }
        times.last = System.nanoTime();
    }

    /** Keeps as many messages in flight as the send queue holds, in one direction or in both. */
    private void stream() {
        long toSend = client || settings.bidirectional() ? iterations : 0;
        long toReceive = settings.verb() == Verb.SEND && (!client || settings.bidirectional()) ? iterations : 0;
        while ((completed < toSend || received < toReceive) && !timeUp) {
            while (posted < toSend && posted - completed + list <= depth && !timeUp) {
                post();
            }
            step();
        }
    }

    private void post() {
        if (posted == iterations) {
            return;
        }
        long now = System.nanoTime();
        if (times.posted != null) {
            times.posted[(int) posted] = now;
        }
        if (posted == 0) {
            times.first = now;
        }
        if (timed) {
            checkTime(now);
        }
        posted += list;
        SendWorkRequest request = list == 1 && (posted % signaledEach == 0 || posted == iterations)
                ? side.signaled()
                : side.send();
        qp.postSend(request);
        progress.at(completed + received, now);
    }

    /** Determines whether the time of the round is up, which begins with the first message. */
    private void checkTime(long now) {
        if (end == 0) {
            end = now + duration;
        }
        timeUp = now - end >= 0;
    }

    /** Handles completions, or waits briefly if there are none. */
    private void step() {
        if (cq.poll(completions) > 0) {
            handleCompletions(System.nanoTime());
            return;
        }
        if (timed && end != 0 && (channel != null || ++emptyPolls % POLLS_BETWEEN_CLOCK_READS == 0)) {
            checkTime(System.nanoTime());
        }
        if (channel == null) {
            stalls.idle(completed + received, expected());
        } else {
            awaitEvent();
        }
    }

    private void awaitEvent() {
        try {
            if (channel.awaitEvent(EVENT_TIMEOUT) == null) {
                stalls.check(completed + received, expected());
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SampleFailure("interrupted while waiting for the peer.");
        }
        events++;
        // Rearmed before the next poll: a completion that arrives after that poll raises the next event.
        cq.requestNotification(false);
    }

    private void handleCompletions(long now) {
        boolean first = received == 0 && posted == 0;
        for (int i = 0; i < completions.count(); i++) {
            if (!completions.isSuccess(i)) {
                throw failed(i);
            }
            if (completions.wrId(i) == Side.SENT) {
                completed = Math.min(completed + signaledEach, iterations);
                if (times.completed != null) {
                    times.completed[(int) completed - 1] = now;
                }
            } else {
                handleMessage(i);
            }
        }
        if (first) {
            times.first = now;
            times.untimed = (int) received;
        }
        times.last = now;
        if (timed) {
            checkTime(now);
        }
        progress.at(completed + received, now);
    }

    private void handleMessage(int index) {
        if (completions.byteLength(index) != size + side.headroom()) {
            throw new SampleFailure("received a message of " + (completions.byteLength(index) - side.headroom())
                    + " bytes instead of " + size + ".");
        }
        received++;
        qp.postReceive(receive);
    }

    private long expected() {
        return timed ? 0 : (long) settings.directions() * iterations;
    }

    private SampleFailure failed(int index) {
        boolean send = completions.wrId(index) == Side.SENT;
        return new SampleFailure("a " + (send ? settings.verb().word() : "receive") + " failed with "
                + completions.status(index) + " (" + completions.rawStatus(index) + "), vendor error 0x"
                + Integer.toHexString(completions.vendorError(index)) + ", after " + completed
                + (timed ? "" : " of " + iterations)
                + " completions; the peer's output may say why.");
    }
}
