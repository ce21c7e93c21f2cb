package io.jverbs.rsocket.datagram;

import io.jverbs.Access;
import io.jverbs.MemoryRegion;
import io.jverbs.ProtectionDomain;
import io.jverbs.rsocket.closing.Destruction;
import io.jverbs.rsocket.datagram.protocol.ReceivedGrh;
import java.nio.ByteBuffer;

/** The registered memory of a queue pair: slots for the messages that are sent, and for those that arrive. */
final class DatagramMemory {
    /** The maximum number of bytes of a message with its header, RS_SNDLOWAT: librdmacm posts such receives. */
    static final int MESSAGE = 2048;
    /** The number of bytes of a receive: a message with the GRH in front of it. */
    static final int RECEIVE = ReceivedGrh.BYTES + MESSAGE;

    /** A multiple of a cache line. */
    private static final int RECEIVE_STRIDE = 2112;

    private final MemoryRegion send;
    private final MemoryRegion receive;
    private final ByteBuffer sendBuffer;
    private final ByteBuffer receiveBuffer;

    DatagramMemory(ProtectionDomain pd, RdmaDatagramOptions options) {
        send = pd.allocate((long) options.sendQueueSize() * MESSAGE, Access.LOCAL_WRITE);
        MemoryRegion madeReceive = null;
        boolean isMade = false;
        try {
            madeReceive = pd.allocate((long) options.receiveQueueSize() * RECEIVE_STRIDE, Access.LOCAL_WRITE);
            receive = madeReceive;
            sendBuffer = send.segment().asByteBuffer();
            receiveBuffer = receive.segment().asByteBuffer();
            isMade = true;
        } finally {
            if (!isMade) {
                Destruction.all(send::close, madeReceive == null ? () -> {} : madeReceive::close);
            }
        }
    }

    MemoryRegion send() {
        return send;
    }

    MemoryRegion receive() {
        return receive;
    }

    /** Returns the send slots, in network byte order. */
    ByteBuffer sendBuffer() {
        return sendBuffer;
    }

    /** Returns the receive slots, in network byte order. */
    ByteBuffer receiveBuffer() {
        return receiveBuffer;
    }

    static int sendOffset(int slot) {
        return slot * MESSAGE;
    }

    /** Returns where the GRH of a received message is; the message follows it. */
    static int grhOffset(int slot) {
        return slot * RECEIVE_STRIDE;
    }

    static int messageOffset(int slot) {
        return grhOffset(slot) + ReceivedGrh.BYTES;
    }

    /** Deregisters the memory. After a failure, the next call does what is left. */
    void close() {
        Destruction.all(send::close, receive::close);
    }
}
