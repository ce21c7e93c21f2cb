package io.jverbs.samples.connect;

import io.jverbs.Access;
import io.jverbs.CompletionChannel;
import io.jverbs.CompletionQueue;
import io.jverbs.MemoryRegion;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WcStatus;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import io.jverbs.cm.CmId;
import io.jverbs.samples.console.SampleFailure;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;

/**
 * Messages over a connection of rdma_cm: each is a SEND. A C program has room for one message, which it sends and
 * receives in turn, as this side does. Not thread-safe.
 */
final class CmMessageChannel implements MessageChannel {
    private static final int RECEIVES = 4;
    /** The room for a message. */
    private static final int SLOT = 128;
    private static final Duration CHECK_INTERVAL = Duration.ofMillis(50);

    private final CmId id;
    private final CmEvents events;
    private final InetSocketAddress own;
    private final InetSocketAddress peer;
    private final ProtectionDomain pd;
    private final CompletionChannel channel;
    private final CompletionQueue sendCq;
    private final CompletionQueue receiveCq;
    private final MemoryRegion region;
    private final QueuePair qp;
    private final WorkCompletions completions = WorkCompletions.create(1);
    private boolean ended;

    /** Creates the queue pair of an ID, and posts its receives; the ID connects next. */
    CmMessageChannel(CmId id, CmEvents events) {
        this.id = id;
        this.events = events;
        own = id.localAddress();
        peer = id.peerAddress();
        RdmaContext context = id.context();
        pd = context.allocatePd();
        channel = context.createCompletionChannel();
        sendCq = context.createCompletionQueue(1);
        receiveCq = context.createCompletionQueue(RECEIVES, channel);
        region = pd.allocate((RECEIVES + 1L) * SLOT, Access.LOCAL_WRITE);
        qp = id.createQueuePair(pd, QpInitAttributes.builder(QpType.RC).sendCq(sendCq).recvCq(receiveCq).maxSendWr(1)
                .maxRecvWr(RECEIVES).build());
        receiveCq.requestNotification(false);
        for (int slot = 0; slot < RECEIVES; slot++) {
            postReceive(slot);
        }
    }

    private void postReceive(int slot) {
        qp.postReceive(ReceiveWorkRequest.create(1).wrId(slot).sge(region, (long) slot * SLOT, SLOT));
    }

    @Override
    public void send(byte[] message) {
        long offset = (long) RECEIVES * SLOT;
        region.segment().asSlice(offset, message.length).copyFrom(MemorySegment.ofArray(message));
        qp.postSend(SendWorkRequest.create(1).opcode(WrOpcode.SEND).sge(region, offset, message.length)
                .flags(SendFlags.SIGNALED));
        CompletionWait.one(sendCq, events.patience(), "a message to the peer");
    }

    @Override
    public byte[] receive(String part, int length, Duration timeout) {
        long deadline = System.nanoTime() + (timeout == null ? 0 : timeout.toNanos());
        while (!pollReceive()) {
            if (timeout != null && System.nanoTime() - deadline > 0) {
                throw new SampleFailure("the peer sent nothing for " + timeout.toSeconds() + " s where " + part
                        + " was expected.");
            }
            if (isPeerGone()) {
                // the message may have arrived before the end
                if (pollReceive()) {
                    break;
                }
                throw ended(part);
            }
            awaitCompletion();
        }
        if (completions.status(0) == WcStatus.WR_FLUSH_ERR) {
            ended = true;
            throw ended(part);
        }
        if (!completions.isSuccess(0)) {
            throw new SampleFailure("the receive of " + part + " failed with " + completions.status(0) + " ("
                    + completions.rawStatus(0) + ").");
        }
        return message(part, length);
    }

    private boolean pollReceive() {
        return receiveCq.poll(completions) > 0;
    }

    private byte[] message(String part, int length) {
        int slot = (int) completions.wrId(0);
        int arrived = (int) completions.byteLength(0);
        byte[] message = new byte[arrived];
        MemorySegment.ofArray(message).copyFrom(region.segment().asSlice((long) slot * SLOT, arrived));
        postReceive(slot);
        if (arrived != length) {
            throw new SampleFailure("the peer sent a message of " + arrived + " bytes, " + Messages.quote(message)
                    + ", where " + part + " of " + length
                    + " bytes was expected: start both sides with the same program and the same options.");
        }
        return Arrays.copyOf(message, length);
    }

    private void awaitCompletion() {
        try {
            CompletionQueue fired = channel.awaitEvent(CHECK_INTERVAL);
            if (fired != null) {
                fired.acknowledgeEvents(1);
                fired.requestNotification(false);
            }
        } catch (InterruptedException e) {
            throw CompletionWait.interrupted();
        }
    }

    private static SampleFailure ended(String part) {
        return new SampleFailure("the peer exited before the end of the test, where " + part
                + " was expected; its output may say why.");
    }

    @Override
    public boolean isPeerGone() {
        ended |= events.isDisconnected(id);
        return ended;
    }

    @Override
    public boolean usesRdmaCm() {
        return true;
    }

    @Override
    public InetSocketAddress own() {
        return own;
    }

    @Override
    public InetSocketAddress peer() {
        return peer;
    }

    /**
     * Waits for the disconnection, unless this side was the last to send: that message has been acknowledged, and the
     * peer waits for this side.
     */
    @Override
    public void finish(boolean sentLast, Duration timeout) {
        if (!sentLast && !ended) {
            events.awaitDisconnection(id, timeout);
        }
    }

    /** Closes the objects of the queue pair, after that has been closed with its ID. */
    @Override
    public void close() {
        events.close(id);
        sendCq.close();
        receiveCq.close();
        channel.close();
        region.close();
        pd.close();
    }
}
