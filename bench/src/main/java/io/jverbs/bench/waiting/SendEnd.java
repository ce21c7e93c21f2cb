package io.jverbs.bench.waiting;

import io.jverbs.CompletionChannel;
import io.jverbs.CompletionQueue;
import io.jverbs.RdmaContext;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WcOpcode;
import io.jverbs.WrOpcode;
import io.jverbs.bench.process.Connection;
import io.jverbs.bench.process.ControlConnection;
import java.io.IOException;
import java.time.Duration;

/**
 * An end of an RC connection that exchanges SENDs, with its own queue pair, completion queue and completion channel. It
 * waits as programs of libibverbs do: it gets an event, acknowledges it, arms the completion queue, and polls until the
 * queue is empty.
 */
final class SendEnd implements ConnectionEnd {
    private static final int RECV = WcOpcode.RECV.code();
    /** One SEND of this many is signaled, so that few events are those of send completions. */
    private static final int SIGNALED_ONE_IN = 16;
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final Connection connection;
    private final CompletionChannel channel;
    private final SendWorkRequest send;
    private final SendWorkRequest signaledSend;
    private final ReceiveWorkRequest receive;
    /** The number of SENDs since the last one that was signaled. */
    private int unsignaled;
    /** The number of received messages that the thread has not consumed. */
    private int received;
    /** The number of receives to post again. */
    private int toPost;

    SendEnd(RdmaContext context, ControlConnection control, int bytes) throws IOException {
        channel = context.createCompletionChannel();
        connection = new Connection(context, channel, control, 2 * bytes);
        send = SendWorkRequest.create(1).opcode(WrOpcode.SEND).sge(connection.region(), 0, bytes);
        signaledSend = SendWorkRequest.create(1).opcode(WrOpcode.SEND).flags(SendFlags.SIGNALED)
                .sge(connection.region(), 0, bytes);
        receive = ReceiveWorkRequest.create(1).sge(connection.region(), bytes, bytes);
        connection.cq().requestNotification(false);
        for (int i = 0; i < Connection.DEPTH; i++) {
            connection.qp().postReceive(receive);
        }
    }

    @Override
    public void request() throws InterruptedException {
        post();
        while (received == 0) {
            if (!awaitEvent()) {
                throw new IllegalStateException("no completion event within " + TIMEOUT.toSeconds() + " s");
            }
        }
        received--;
    }

    @Override
    public void respond() throws InterruptedException {
        while (received == 0) {
            // there is no limit on how long the measuring process may take
            awaitEvent();
        }
        received--;
        post();
    }

    /** Sends, and then posts the consumed receives again, as enough others are posted. */
    private void post() {
        unsignaled++;
        if (unsignaled == SIGNALED_ONE_IN) {
            unsignaled = 0;
            connection.qp().postSend(signaledSend);
        } else {
            connection.qp().postSend(send);
        }
        while (toPost > 0) {
            connection.qp().postReceive(receive);
            toPost--;
        }
    }

    /** Waits for an event and takes all completions; returns false if there is no event within the timeout. */
    private boolean awaitEvent() throws InterruptedException {
        CompletionQueue cq = channel.awaitEvent(TIMEOUT);
        if (cq == null) {
            return false;
        }
        cq.acknowledgeEvents(1);
        // before polling: a completion that is added after the last poll raises the next event
        cq.requestNotification(false);
        for (int count = connection.poll(); count > 0; count = connection.poll()) {
            count(count);
        }
        return true;
    }

    private void count(int completions) {
        for (int i = 0; i < completions; i++) {
            if (connection.completions().rawOpcode(i) == RECV) {
                received++;
                toPost++;
            }
        }
    }
}
