package io.jverbs.rsocket;

import io.jverbs.WcFlags;
import io.jverbs.WcStatus;
import io.jverbs.WorkCompletions;
import io.jverbs.rsocket.RdmaStreamException.Reason;
import io.jverbs.rsocket.memory.Iomaps;
import io.jverbs.rsocket.protocol.ConnectData;
import io.jverbs.rsocket.protocol.ControlQueue;
import io.jverbs.rsocket.protocol.ProtocolViolation;
import io.jverbs.rsocket.protocol.ReceiveBuffer;
import io.jverbs.rsocket.protocol.RemoteSge;
import io.jverbs.rsocket.protocol.SendQueue;
import io.jverbs.rsocket.protocol.SendSequence;
import io.jverbs.rsocket.protocol.StreamMessage;
import io.jverbs.rsocket.protocol.StreamState;
import io.jverbs.rsocket.protocol.StreamState.Event;
import io.jverbs.rsocket.protocol.TargetSgl;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Processes the completions of a stream: the messages of the peer, and the requests that have completed; and sends
 * control and SGL messages. The lock of the completion queue guards it.
 */
final class StreamProgress {
    private static final Logger LOG = LoggerFactory.getLogger(StreamProgress.class);
    /** The maximum number of completions that are processed at a time. */
    static final int BATCH = 64;

    private final StreamConnection stream;
    private final StreamQueuePair qp;
    private final ConnectData peer;
    private final SendSequence sequence;
    private final TargetSgl target;
    private final SendQueue sends;
    private final ReceiveBuffer receive;
    private final Iomaps iomaps;
    private final ControlQueue control = new ControlQueue();
    private final WorkCompletions completions = WorkCompletions.create(BATCH);
    /** The entry of the target SGL of the peer that is written next; the peer has set the first one itself. */
    private int nextEntry = 1;
    /** Whether what arrives is discarded; no thread reads then. */
    private boolean discards;
    /** Whether the peer has ended its output. */
    private boolean peerShut;
    /** How many data messages have arrived after that. */
    private long lateMessages;
    /** Whether completions that were polled may not be processed; set and cleared without a call. */
    private boolean unprocessed;

    StreamProgress(StreamConnection stream, StreamQueuePair qp, ConnectData peer, SendSequence sequence,
            TargetSgl target, SendQueue sends, ReceiveBuffer receive, Iomaps iomaps) {
        this.stream = stream;
        this.qp = qp;
        this.peer = peer;
        this.sequence = sequence;
        this.target = target;
        this.sends = sends;
        this.receive = receive;
        this.iomaps = iomaps;
    }

    /** Processes completions, and sends what is due; returns the number of completions. */
    int process() {
        requireProcessed();
        unprocessed = true;
        int count = qp.cq().poll(completions);
        for (int i = 0; i < count; i++) {
            completed(i);
        }
        unprocessed = false;
        StreamState state = stream.state();
        if (!peerShut && state.isConnected() && !state.isEnding()) {
            sendUpdates();
        }
        if (count > 0) {
            stream.waits().changed();
        }
        return count;
    }

    /** Throws if completions were lost; the stream fails, and goes on to process what comes until it is closed. */
    private void requireProcessed() {
        if (unprocessed) {
            unprocessed = false;
            throw new IllegalStateException("an Error has ended the processing of completions");
        }
    }

    private void completed(int index) {
        long id = completions.wrId(index);
        int status = completions.rawStatus(index);
        if (status != 0) {
            failed(id, WcStatus.of(status));
            return;
        }
        stream.timers().heard();
        if (id < 0) {
            if (stream.state().isConnected()) {
                received(index);
                qp.received();
            }
        } else if ((id & (StreamQueuePair.CONTROL | StreamQueuePair.KEEP_ALIVE)) == 0) {
            sends.completed(id);
        } else if (StreamMessage.operation((int) id) == StreamMessage.CONTROL) {
            stream.move(StreamMessage.value((int) id) == StreamMessage.CONTROL_SHUTDOWN
                    ? Event.SHUTDOWN_ACKNOWLEDGED
                    : Event.DISCONNECT_ACKNOWLEDGED);
        } else {
            control.completed();
        }
    }

    private void received(int index) {
        if ((completions.flags(index) & WcFlags.WITH_IMM) == 0) {
            throw new ProtocolViolation("the peer sent a message without immediate data, which no rsocket sends");
        }
        int message = completions.immediate(index);
        int value = StreamMessage.value(message);
        switch (StreamMessage.operation(message)) {
            case StreamMessage.DATA -> arrived(message, value);
            case StreamMessage.SGL -> {
                sequence.limit(value);
                target.update();
            }
            case StreamMessage.IOMAP -> {
                receive.arrivedOther();
                iomaps.arrived(value);
            }
            case StreamMessage.CONTROL -> control(message, value);
            default -> throw unknown(message);
        }
    }

    private static ProtocolViolation unknown(int message) {
        return new ProtocolViolation("the peer sent " + StreamMessage.text(message)
                + "; allowed operations are 0, 4, 6 and 7, and 7 with a value of 0..2");
    }

    private void arrived(int message, int bytes) {
        if (peerShut) {
            // an rsocket of librdmacm sends them if one of its threads shuts down while another one writes
            lateMessages++;
            LOG.debug("{} ignores {}, the {}. after the peer has shut down its output", stream,
                    StreamMessage.text(message), lateMessages);
            return;
        }
        receive.arrived(bytes);
        if (discards) {
            receive.read(receive.available());
        }
    }

    private void control(int message, int value) {
        switch (value) {
            case StreamMessage.CONTROL_DISCONNECT -> {
                endInput();
                stream.move(Event.PEER_DISCONNECT);
            }
            case StreamMessage.CONTROL_SHUTDOWN -> {
                endInput();
                stream.move(Event.PEER_SHUTDOWN);
            }
            case StreamMessage.CONTROL_KEEP_ALIVE -> {
                // it was heard
            }
            default -> throw unknown(message);
        }
    }

    private void endInput() {
        peerShut = true;
        stream.reader().peerHasEnded();
    }

    /** Fails the stream because a request has completed in error. */
    private void failed(long id, WcStatus status) {
        if (!stream.state().isConnected()) {
            // the queue pair was moved to ERR at the end
            return;
        }
        if (status == WcStatus.WR_FLUSH_ERR) {
            stream.flushed();
            return;
        }
        stream.fail(switch (status) {
            case RETRY_EXC_ERR -> failure(Reason.PEER_SILENT,
                    "the device of the peer has not acknowledged a message: check that its host and its process run");
            case REM_ACCESS_ERR, REM_INV_REQ_ERR -> failure(Reason.PROTOCOL_ERROR,
                    "the peer published memory that its device does not let this side write, " + status);
            case LOC_LEN_ERR, LOC_PROT_ERR -> failure(id < 0 ? Reason.PROTOCOL_ERROR : Reason.DEVICE_FAILED, id < 0
                    ? "the peer sent a message that is no RDMA WRITE, which no rsocket sends: " + status
                    : "a request failed with " + status);
            default -> failure(Reason.DEVICE_FAILED, "a request failed with " + status);
        });
    }

    private RdmaStreamException failure(Reason reason, String explanation) {
        return new RdmaStreamException(reason, stream.toString(), explanation);
    }

    /**
     * Discards what has arrived and what arrives; the program reads nothing any more. The lock of the reader is held,
     * and the reader has noted this.
     */
    void discardInput() {
        assert stream.reader().isLocked();
        discards = true;
        int left = receive.available();
        if (left > 0) {
            receive.read(left);
        }
    }

    /** Sends SHUTDOWN or DISCONNECT, for which there is always room. */
    void sendEnd(int value) {
        qp.postControl(StreamMessage.of(StreamMessage.CONTROL, value));
    }

    /** Sends a keep-alive, unless there are other requests which the device of the peer has not acknowledged. */
    void sendKeepAlive() {
        if (control.isFree()) {
            qp.postKeepAlive();
            control.take();
        }
    }

    /** Sends credits and parts of the receive buffer, if they are due and there is room for the messages. */
    private void sendUpdates() {
        while (control.isFree() && receive.isUpdateDue()) {
            sendUpdate();
        }
    }

    /** Sends credits, and the half of the receive buffer that is free. */
    private void sendUpdate() {
        int message = StreamMessage.of(StreamMessage.SGL, receive.grant());
        if (receive.mustPublish()) {
            int from = receive.nextHalf();
            receive.published();
            qp.postEntry(message, control.next(), from, receive.half(),
                    peer.targetSgl().address() + (long) RemoteSge.BYTES * nextEntry, peer.targetSgl().key(),
                    peer.byteOrder());
            nextEntry = (nextEntry + 1) % peer.targetSgl().length();
        } else {
            qp.postControl(message);
        }
        control.take();
    }
}
