package io.jverbs.contract.interop;

import io.jverbs.Access;
import io.jverbs.AhAttributes;
import io.jverbs.CompletionQueue;
import io.jverbs.Gid;
import io.jverbs.GidEntry;
import io.jverbs.MemoryWindow;
import io.jverbs.MwBind;
import io.jverbs.MwType;
import io.jverbs.ProtectionDomain;
import io.jverbs.Psn;
import io.jverbs.QpType;
import io.jverbs.RdmaContext;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WorkCompletions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** One side of a round of traffic in both directions, on new queue pairs of all types. */
final class Round {

    /** The action of the leader after all reliable traffic has ended. */
    interface Pause {
        void run() throws IOException, InterruptedException;
    }

    private static final long SECONDS = 90;
    private static final int BIND = 1 << 30;

    private final Control control;
    private final CompletionQueue cq;
    private final WorkCompletions completions = WorkCompletions.create(16);
    private final TestedQueuePair reliable;
    private final TestedQueuePair unreliable;
    private final TestedQueuePair datagrams;
    private final List<TestedQueuePair> pairs;
    private final List<MemoryWindow> windows = new ArrayList<>();
    private long end;

    /**
     * Creates the queue pairs and connects them to those of the other side.
     *
     * @param ours what this side sends
     * @param theirs what the other side sends
     */
    Round(RdmaContext context, Control control, Plan ours, Plan theirs) throws IOException {
        this.control = control;
        ProtectionDomain pd = context.allocatePd();
        cq = context.createCompletionQueue(256);
        reliable = new TestedQueuePair(pd, cq, QpType.RC, Psn.random(), ours, theirs);
        unreliable = new TestedQueuePair(pd, cq, QpType.UC, Psn.random(), ours, theirs);
        datagrams = new TestedQueuePair(pd, cq, QpType.UD, Psn.random(), ours, theirs);
        pairs = List.of(reliable, unreliable, datagrams);
        GidEntry gid = context.preferredGid(TestedQueuePair.PORT);
        Gid other = Gid.parse(control.exchange(gid.gid().toString()));
        AhAttributes path = AhAttributes.to(other, TestedQueuePair.PORT, gid.index());
        for (TestedQueuePair pair : pairs) {
            pair.connect(TestedQueuePair.Address.parse(control.exchange(pair.address().text())), path);
        }
        openWindows(pd, theirs.windows());
        String keys = windows.stream().map(window -> Integer.toString(window.rkey()))
                .collect(Collectors.joining(" "));
        reliable.windows(Arrays.stream(control.exchange(keys).split(" ")).filter(key -> !key.isEmpty())
                .map(Integer::valueOf).toList());
    }

    /** Opens the windows that the peer invalidates. */
    private void openWindows(ProtectionDomain pd, int count) {
        startClock();
        for (int i = 0; i < count; i++) {
            MemoryWindow window = pd.allocateMemoryWindow(MwType.TYPE_2);
            windows.add(window);
            int rkey = MemoryWindow.incrementRkey(window.rkey());
            reliable.queuePair().postSend(SendWorkRequest.create(1).wrId(BIND).flags(SendFlags.SIGNALED).bind(window,
                    rkey, new MwBind(reliable.sharedMemory(), reliable.sharedMemory().address(), Plan.SHARED,
                            Access.REMOTE_WRITE)));
            while (cq.poll(completions, 1) == 0) {
                checkClock("binding windows");
            }
            Faulty.check(completions.isSuccess(0) && completions.wrId(0) == BIND, "bind: %s", completions);
        }
    }

    private void startClock() {
        end = System.nanoTime() + SECONDS * 1_000_000_000L;
    }

    private void checkClock(String what) {
        Faulty.check(System.nanoTime() < end, "%s takes more than %d s: %s", what, SECONDS, pairs);
        Thread.yield();
    }

    /**
     * Sends and receives all messages.
     *
     * @param pause restores the network
     */
    void run(Pause pause) throws IOException, InterruptedException {
        control.barrier("ready");
        startClock();
        while (!reliable.ended() || !unreliable.sentAllButTail() || !datagrams.sentAllButTail()
                || !unreliable.idle() || !datagrams.idle()) {
            while (reliable.roomToSend()) {
                reliable.postNext();
            }
            if (poll() == 0) {
                checkClock("traffic");
                if (reliable.ended()) {
                    postUnreliable();
                }
            }
        }
        control.barrier("done");
        pause.run();
        control.barrier("clean");
        unreliable.postTail();
        datagrams.postTail();
        startClock();
        while (!unreliable.lastReceived() || !datagrams.lastReceived() || !unreliable.idle() || !datagrams.idle()) {
            if (poll() == 0) {
                checkClock("the last message");
            }
        }
        control.barrier("ended");
        Faulty.check(poll() == 0, "more completions than posted requests: %s", pairs);
        reliable.checkMemory();
    }

    /** Checks that the unreliable queue pairs have not lost a message. */
    void checkNothingLost() {
        for (TestedQueuePair pair : List.of(unreliable, datagrams)) {
            Faulty.check(pair.received() == pair.expectedReceives(), "%s: messages are missing", pair);
            pair.checkMemory();
        }
    }

    /** {@return the number of received messages that are not expected but belong to the plan} */
    int pollStray() {
        return poll();
    }

    private int poll() {
        int some = cq.poll(completions);
        for (int i = 0; i < some; i++) {
            for (TestedQueuePair pair : pairs) {
                if (pair.owns(completions, i) && pair.completed(completions, i) && pair.reliable()) {
                    postUnreliable();
                }
            }
        }
        return some;
    }

    /** Posts at the rate of the reliable queue pair, because unreliable queue pairs have no flow control. */
    private void postUnreliable() {
        for (TestedQueuePair pair : List.of(unreliable, datagrams)) {
            if (!pair.sentAllButTail() && pair.roomToSend()) {
                pair.postNext();
            }
        }
    }

    /** Returns the number of messages received on UC. */
    int unreliableReceived() {
        return unreliable.received();
    }

    /** Returns the number of messages received on UD. */
    int datagramsReceived() {
        return datagrams.received();
    }

    /** Closes both sides together, because a closed queue pair does not respond. */
    void close() throws IOException {
        control.barrier("leaving");
        windows.forEach(MemoryWindow::close);
        ProtectionDomain pd = reliable.queuePair().pd();
        pairs.forEach(TestedQueuePair::close);
        cq.close();
        pd.close();
    }
}
