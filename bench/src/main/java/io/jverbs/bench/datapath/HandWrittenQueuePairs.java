package io.jverbs.bench.datapath;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jverbs.Access;
import io.jverbs.spi.SendWrLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The baseline of RDMA WRITEs on many queue pairs: a {@link HandWrittenPath} with the least that a request reads and
 * writes of its queue pair and of the peer. The sender has a lock, a state, a PSN and a send queue, whose entries are
 * free when completions have been polled; the peer has a state, the expected PSN and access flags. The two are one
 * object each, of less than a cache line. Each has its queue behind it in the heap, as queue pairs have, so that a
 * processor cannot prefetch the objects as an array. A request is executed when it is posted, so only its wr_id is
 * stored in the send queue. As soon as there are several queue pairs, their completions need the lock of the completion
 * queue, too.
 */
public final class HandWrittenQueuePairs {
    private static final int READY = 3;
    /** The size of an entry of the send queue or receive queue: a request with one element. */
    private static final int ENTRY = 64 / Long.BYTES;
    private static final int PSN_MASK = 0xFF_FFFF;
    private static final VarHandle LOCK;

    static {
        try {
            LOCK = MethodHandles.lookup().findVarHandle(Sender.class, "lock", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** The side of a connection that sends. */
    private static final class Sender {
        @SuppressWarnings("unused")
        private int lock;
        private int state = READY;
        private int psn;
        private int posted;
        /** The number of requests for which the queue has entries. */
        private int limit;
        private Receiver peer;
        /** The number of the latest request's completion. */
        private long completion;
        private long[] queue;
    }

    /** The side of a connection whose memory is written. Guarded by the lock of the sender. */
    private static final class Receiver {
        private int state = READY;
        private int expectedPsn;
        private int access = Access.REMOTE_WRITE;
        @SuppressWarnings("unused")
        private long[] queue;
    }

    private final HandWrittenPath path;
    private final int depth;
    private final Sender[] senders;

    /**
     * Connects queue pairs.
     *
     * @param path the registered memory and the completion queue of all queue pairs
     * @param count the number of connections
     * @param depth the number of entries of a send queue, a power of two
     */
    public HandWrittenQueuePairs(HandWrittenPath path, int count, int depth) {
        this.path = path;
        this.depth = depth;
        senders = new Sender[count];
        for (int i = 0; i < count; i++) {
            senders[i] = new Sender();
            senders[i].limit = depth;
            senders[i].queue = new long[depth * ENTRY];
            senders[i].peer = new Receiver();
            senders[i].peer.queue = new long[depth * ENTRY];
        }
    }

    /**
     * Executes a request.
     *
     * @param index the index of the queue pair that sends
     * @param request a WRITE, as for {@link HandWrittenPath#post}
     */
    public void post(int index, MemorySegment request) {
        Sender sender = senders[index];
        while (!LOCK.compareAndSet(sender, 0, 1)) {
            Thread.onSpinWait();
        }
        try {
            Receiver peer = sender.peer;
            if (sender.state != READY || sender.posted == sender.limit && !free(sender)) {
                throw new IllegalStateException("the send queue is full, or not in RTS");
            }
            if (peer.state != READY || peer.expectedPsn != sender.psn || (peer.access & Access.REMOTE_WRITE) == 0) {
                throw new IllegalStateException("the peer does not execute the request");
            }
            if (senders.length == 1) {
                path.execute(request);
            } else {
                path.post(request);
            }
            sender.queue[(sender.posted & depth - 1) * ENTRY] = request.get(JAVA_LONG, SendWrLayout.WR_ID);
            sender.completion = path.added();
            sender.posted++;
            sender.psn = sender.psn + 1 & PSN_MASK;
            peer.expectedPsn = sender.psn;
        } finally {
            LOCK.setRelease(sender, 0);
        }
    }

    /** Frees the entries if the completion of the latest request has been polled; returns whether one is free. */
    private boolean free(Sender sender) {
        if (sender.completion > path.polled()) {
            return false;
        }
        sender.limit = sender.posted + depth;
        return true;
    }
}
