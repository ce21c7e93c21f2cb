package io.jverbs.soft.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Access;
import io.jverbs.CompletionQueue;
import io.jverbs.ConnectionInfo;
import io.jverbs.Gid;
import io.jverbs.MemoryRegion;
import io.jverbs.Mtu;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.soft.LoopbackAddress;
import io.jverbs.soft.wire.Aeth;
import io.jverbs.soft.wire.Bth;
import io.jverbs.soft.wire.DropReason;
import io.jverbs.soft.wire.Icrc;
import io.jverbs.soft.wire.PacketBuffer;
import io.jverbs.soft.wire.PacketEncoder;
import io.jverbs.soft.wire.PacketView;
import io.jverbs.soft.wire.WireOpcode;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import java.util.concurrent.TimeUnit;
import jdk.net.ExtendedSocketOptions;

/** A peer of a reliable connection that sends single packets for a test and returns each packet that arrives. */
final class RawPeer implements AutoCloseable {
    private static final int PORT = 4791;
    private static final int PKEY = 0xFFFF;
    private static final long SECONDS = 20;

    /** A packet that arrived. */
    record Packet(int opcode, int psn) {}

    /** A software device whose queue pair is connected with a raw peer. */
    static final class ConnectedDevice implements AutoCloseable {
        private static final String PEER = LoopbackAddress.next();
        private static final int PEER_QPN = 77;
        private static final int MEMORY_BYTES = 64;

        final String address;
        final RdmaContext context;
        final CompletionQueue cq;
        /** The memory of the device, which its peer may access in each way. */
        final MemoryRegion memory;
        final QueuePair qp;
        final RawPeer peer;

        /**
         * Connects a queue pair, whose first PSN is 0.
         *
         * @param address the address of the device
         * @param peerPsn the first PSN of the peer
         * @param timeout the code of the ACK timeout
         */
        ConnectedDevice(String address, int peerPsn, int timeout) throws IOException {
            this.address = address;
            context = Verbs.open("soft:" + address + "?fabric=wire");
            cq = context.createCompletionQueue(16);
            ProtectionDomain pd = context.allocatePd();
            memory = pd.allocate(MEMORY_BYTES,
                    Access.LOCAL_WRITE | Access.REMOTE_WRITE | Access.REMOTE_READ | Access.REMOTE_ATOMIC);
            qp = pd.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(cq).maxSendWr(4).maxRecvWr(1).build());
            Gid gid = Gid.ofAddress(InetAddress.getByName(PEER));
            Connector.connect(qp, 0, new ConnectionInfo(PEER_QPN, peerPsn, gid, Mtu.MTU_1024), timeout);
            peer = new RawPeer(PEER, address, qp.number());
        }

        @Override
        public void close() throws IOException {
            peer.close();
            context.close();
        }
    }

    private final DatagramChannel channel;
    private final InetSocketAddress device;
    private final PacketBuffer buffer = new PacketBuffer(Arena.ofAuto().allocate(PacketBuffer.MAX_BYTES + 1, 64));
    private final PacketEncoder encoder = new PacketEncoder();
    private final PacketView view = new PacketView();
    private final Icrc icrc = new Icrc();
    private final int qpn;

    /**
     * @param address the address of the peer
     * @param deviceAddress the address of the software device
     * @param qpn the number of the device's queue pair
     */
    RawPeer(String address, String deviceAddress, int qpn) throws IOException {
        this.qpn = qpn;
        device = new InetSocketAddress(InetAddress.getByName(deviceAddress), PORT);
        channel = DatagramChannel.open();
        channel.setOption(ExtendedSocketOptions.IP_DONTFRAGMENT, true);
        channel.bind(new InetSocketAddress(address, PORT)).configureBlocking(false);
        Gid own = Gid.ofAddress(InetAddress.getByName(address));
        Gid other = Gid.ofAddress(device.getAddress());
        icrc.setAddresses(own.high(), own.low(), PORT, other.high(), other.low(), PORT);
    }

    /** Sends a WRITE of eight bytes in one packet that requests an acknowledgement. */
    void write(int psn, long address, int rkey) throws IOException {
        int length = Long.BYTES;
        encoder.begin(buffer, WireOpcode.WRITE_ONLY, Bth.ACK_REQUEST, PKEY, qpn, psn,
                length).reth(address, rkey, length);
        send();
    }

    /** Sends a FETCH_ADD of one. */
    void add(int psn, long address, int rkey) throws IOException {
        encoder.begin(buffer, WireOpcode.FETCH_ADD, Bth.ACK_REQUEST, PKEY, qpn, psn, 0).atomicEth(address, rkey, 1, 0);
        send();
    }

    /** Sends a READ of eight bytes. */
    void read(int psn, long address, int rkey) throws IOException {
        read(psn, address, rkey, Long.BYTES);
    }

    /** Sends a READ of a number of bytes. */
    void read(int psn, long address, int rkey, int bytes) throws IOException {
        encoder.begin(buffer, WireOpcode.READ_REQUEST, Bth.ACK_REQUEST, PKEY, qpn, psn, 0).reth(address, rkey, bytes);
        send();
    }

    /** Sends an ACK or a NAK. */
    void acknowledge(int psn, int syndrome) throws IOException {
        acknowledge(psn, syndrome, 0);
    }

    /** Sends an ACK or a NAK with an MSN. */
    void acknowledge(int psn, int syndrome, int msn) throws IOException {
        encoder.begin(buffer, WireOpcode.ACKNOWLEDGE, 0, PKEY, qpn, psn, 0).aeth(syndrome, msn);
        send();
    }

    /** Sends the response to an atomic. */
    void atomicResponse(int psn, long value) throws IOException {
        encoder.begin(buffer, WireOpcode.ATOMIC_ACKNOWLEDGE, 0, PKEY, qpn, psn, 0).aeth(Aeth.ACK, 0)
                .atomicAckEth(value);
        send();
    }

    /** Sends a congestion notification packet. */
    void notifyOfCongestion() throws IOException {
        encoder.begin(buffer, WireOpcode.CNP, 0, PKEY, qpn, 0, 0);
        send();
    }

    private void send() throws IOException {
        channel.send(buffer.bytes().position(0).limit(encoder.finish(icrc)), device);
    }

    /** Waits for the next packet and returns it. */
    Packet next() throws IOException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        while (channel.receive(buffer.bytes().clear()) == null) {
            assertTrue(System.nanoTime() < end, "no packet arrived within 20 s");
            Thread.yield();
        }
        assertEquals(DropReason.NONE, view.decode(buffer, buffer.bytes().position()));
        return new Packet(view.opcode(), view.psn());
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
