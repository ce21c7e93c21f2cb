package io.jverbs.rsocket.datagram;

import io.jverbs.AddressHandle;
import io.jverbs.AhAttributes;
import io.jverbs.CompletionQueue;
import io.jverbs.CqInitAttributes;
import io.jverbs.Errno;
import io.jverbs.Gid;
import io.jverbs.QpAttributes;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WcStatus;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import io.jverbs.cm.CmId;
import io.jverbs.cm.PortSpace;
import io.jverbs.rsocket.closing.Destruction;
import io.jverbs.rsocket.datagram.protocol.MessageHeader;
import io.jverbs.rsocket.datagram.protocol.ReceivedGrh;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/**
 * The queue pair for one local address, {@code struct ds_qp}, with its completion queue, memory and ID, which reserves
 * the port. The lock of the socket guards it.
 */
final class DatagramQueuePair {
    /** The Q_Key of the port space, RDMA_UDP_QKEY. */
    private static final Runnable NOTHING = () -> {};
    private static final int QKEY = 0x0123_4567;
    /** The ID of a receive has this bit, and the slot. */
    private static final long RECEIVE = 1L << 63;
    private static final int BATCH = 32;

    private final InetSocketAddress local;
    private final byte[] header;
    private final MessageFilter filter;
    private final Counter.Values counters;
    private final SendSlots sends;
    private final ReceiveSlots receives;
    private final DatagramWait.Goal writable;
    private final WorkCompletions completions = WorkCompletions.create(BATCH);
    private final SendWorkRequest send = SendWorkRequest.create(1).opcode(WrOpcode.SEND);
    private final ReceiveWorkRequest receive = ReceiveWorkRequest.create(1);
    private final CmId id;
    private final DatagramMemory memory;
    private final CompletionQueue cq;
    private final QueuePair qp;
    /** The path to this queue pair itself. */
    private final AddressHandle own;
    private final int inlineSize;
    /** Whether the queue pair is in ERR, without a close of this side. */
    private boolean failed;

    /** Creates the objects, posts all receives and arms the completion queue. */
    DatagramQueuePair(DatagramDevice device, InetSocketAddress local, RdmaDatagramOptions options, MessageFilter filter,
            Counter.Values counters, DatagramWait wait) {
        this.local = local;
        this.filter = filter;
        this.counters = counters;
        header = MessageHeader.encode(local);
        sends = new SendSlots(options.sendQueueSize());
        receives = new ReceiveSlots(options.receiveQueueSize());
        writable = wait.goal(this::canSend);
        DatagramMemory madeMemory = null;
        CompletionQueue madeCq = null;
        AddressHandle madeOwn = null;
        boolean isMade = false;
        id = device.events().createId(PortSpace.UDP);
        try {
            id.bind(local);
            madeMemory = new DatagramMemory(device.pd(), options);
            madeCq = device.context().createCompletionQueue(CqInitAttributes
                    .of(options.sendQueueSize() + options.receiveQueueSize()).withChannel(device.channel()));
            qp = id.createQueuePair(device.pd(), QpInitAttributes.builder(QpType.UD).cq(madeCq)
                    .maxSendWr(options.sendQueueSize()).maxRecvWr(options.receiveQueueSize()).maxSendSge(1)
                    .maxRecvSge(1).maxInlineData(options.inlineSize()).build());
            inlineSize = Math.min(options.inlineSize(), qp.capabilities().maxInlineData());
            Gid gid = Gid.ofAddress(local.getAddress());
            madeOwn = device.pd().createAddressHandle(
                    AhAttributes.to(gid, id.port(), device.gidIndex(id.port(), gid)));
            memory = madeMemory;
            cq = madeCq;
            own = madeOwn;
            cq.requestNotification(false);
            postReceives();
            isMade = true;
        } finally {
            if (!isMade) {
                closeAll(madeOwn, id, madeCq, madeMemory);
            }
        }
    }

    InetSocketAddress local() {
        return local;
    }

    int number() {
        return qp.number();
    }

    /** Returns the goal that there is room for a message. */
    DatagramWait.Goal writable() {
        return writable;
    }

    boolean canSend() {
        return sends.freeCount() > 0 || failed;
    }

    boolean hasSentAll() {
        return sends.areAllFree() || failed;
    }

    boolean canReceive() {
        return receives.arrivedCount() > 0 || failed;
    }

    void arm() {
        cq.requestNotification(false);
    }

    /** Processes all completions; returns their number. */
    int poll() {
        int total = 0;
        int count;
        do {
            count = cq.poll(completions);
            for (int i = 0; i < count; i++) {
                completed(i);
            }
            total += count;
        } while (count == BATCH);
        // not before: else a flood of messages that are dropped would have no end
        postReceives();
        return total;
    }

    private void completed(int index) {
        long wrId = completions.wrId(index);
        int status = completions.rawStatus(index);
        if (wrId < 0) {
            arrived((int) wrId, index, status);
            return;
        }
        sends.free((int) wrId);
        if (status != 0) {
            counters.add(Counter.FAILED_SENDS);
            failed |= WcStatus.of(status) == WcStatus.WR_FLUSH_ERR;
        }
    }

    private void arrived(int slot, int index, int status) {
        if (status != 0) {
            // all others follow, if the queue pair is in ERR
            failed |= WcStatus.of(status) == WcStatus.WR_FLUSH_ERR;
            receives.release(slot);
            return;
        }
        int length = (int) completions.byteLength(index) - ReceivedGrh.BYTES;
        boolean isForwarded = completions.sourceQp(index) == qp.number() && isOwn(slot);
        Counter dropped = filter.check(memory.receiveBuffer(), DatagramMemory.grhOffset(slot), length, isForwarded);
        if (dropped == null) {
            receives.arrived(slot, length);
            counters.add(Counter.RECEIVED);
        } else {
            receives.release(slot);
            counters.add(dropped);
        }
    }

    /** Returns whether a packet has the address of this side as its source. */
    private boolean isOwn(int slot) {
        Gid gid = own.attributes().destination();
        return ReceivedGrh.isFrom(memory.receiveBuffer(), DatagramMemory.grhOffset(slot), gid.high(), gid.low());
    }

    /** Posts receives for all slots that have none; what cannot be posted stays for the next time. */
    private void postReceives() {
        while (receives.idleCount() > 0 && !failed) {
            int slot = receives.nextIdle();
            receive.wrId(RECEIVE | slot)
                    .sge(memory.receive(), DatagramMemory.grhOffset(slot), DatagramMemory.RECEIVE);
            if (qp.tryPostReceive(receive) != 0) {
                return;
            }
            receives.posted();
        }
    }

    /** Copies the first message to the program, and returns its sender; there is one. */
    InetSocketAddress receive(ByteBuffer into) {
        ByteBuffer messages = memory.receiveBuffer();
        int at = DatagramMemory.messageOffset(receives.firstSlot());
        int headerBytes = MessageHeader.length(messages, at);
        int length = Math.min(into.remaining(), receives.firstLength() - headerBytes);
        InetSocketAddress sender = filter.sender(messages, at);
        into.put(into.position(), messages, at + headerBytes, length);
        receives.removeFirst();
        into.position(into.position() + length);
        postReceives();
        return sender;
    }

    /** Returns whether there is a message to receive; throws if there will be none. */
    boolean hasMessage() throws IOException {
        if (receives.arrivedCount() > 0) {
            return true;
        }
        requireUsable();
        return false;
    }

    private void requireUsable() throws IOException {
        if (failed) {
            throw new IOException("queue pair " + qp.number() + " of " + local
                    + " is in state ERR: its device has failed or was removed; close the socket and open another one");
        }
    }

    /** Sends a message to a peer whose address is resolved. There is a slot. */
    void send(Destination to, ByteBuffer from) throws IOException {
        send.destination(to.handle(), to.remoteQueuePair(), QKEY);
        post(to, header, from);
    }

    /** Sends a message, which has come over UDP, to this queue pair itself, with the header of its sender. */
    void forward(byte[] senderHeader, ByteBuffer payload) throws IOException {
        send.destination(own, qp.number(), QKEY);
        post(null, senderHeader, payload);
    }

    private void post(Destination to, byte[] messageHeader, ByteBuffer from) throws IOException {
        requireUsable();
        int slot = sends.next();
        int at = DatagramMemory.sendOffset(slot);
        int length = messageHeader.length + from.remaining();
        ByteBuffer messages = memory.sendBuffer();
        messages.put(at, messageHeader);
        messages.put(at + messageHeader.length, from, from.position(), from.remaining());
        send.wrId(slot).sge(memory.send(), at, length)
                .flags(SendFlags.SIGNALED | (length <= inlineSize ? SendFlags.INLINE : 0));
        sends.take(to);
        int errno = -1;
        try {
            errno = qp.tryPostSend(send);
        } finally {
            if (errno != 0) {
                sends.free(slot);
            }
        }
        if (errno != 0) {
            counters.add(Counter.FAILED_SENDS);
            throw new IOException("queue pair " + qp.number() + " of " + local + " does not send: " + Errno.of(errno));
        }
    }

    /** Moves the queue pair to ERR: nothing more arrives, and its completion queue raises an event. */
    void end() {
        if (!qp.isClosed()) {
            qp.modify(QpAttributes.builder().state(QpState.ERR).build());
        }
    }

    /** Destroys the objects, also if a step fails. */
    void close() {
        closeAll(own, id, cq, memory);
    }

    private static void closeAll(AddressHandle handle, CmId id, CompletionQueue cq, DatagramMemory memory) {
        Destruction.all(id::destroyQueuePair, handle == null ? NOTHING : handle::close,
                cq == null ? NOTHING : () -> Destruction.uninterrupted(cq::close),
                memory == null ? NOTHING : memory::close, () -> Destruction.uninterrupted(id::close));
    }
}
