package io.jverbs.soft.fabric.udp.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jverbs.contract.fixture.BindsAgain;
import io.jverbs.soft.linux.Availability;
import io.jverbs.soft.linux.UdpSocket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * L51: a Linux socket reads the mark of congestion of each packet. Needs native access: see the execution "linux" in
 * the POM.
 */
@BindsAgain
final class LinuxEcnTest {
    /** The values of the ECN field; the last is CE. */
    private static final int ECN_VALUES = 4;
    private static final int CONGESTION_EXPERIENCED = 3;
    private static final int ROUNDS = 8;
    private static final long SECONDS = 20;

    /** Returns whether each of the next packets has the mark, in the order in which they arrive. */
    private static List<Boolean> receive(LinuxDatagrams datagrams, int packets) throws IOException {
        ReceivedPackets arrival = new ReceivedPackets();
        List<Boolean> marks = new ArrayList<>();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        while (marks.size() < packets) {
            boolean received = datagrams.holds();
            if (received) {
                datagrams.next(arrival);
            } else {
                received = datagrams.receive(arrival, 64);
            }
            while (received && arrival.hasNext()) {
                arrival.next();
                marks.add(arrival.congestionExperienced());
            }
            assertTrue(System.nanoTime() - end < 0, () -> "only these have arrived: " + marks);
        }
        return marks;
    }

    /** Packets one by one, and several at once. */
    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1"})
    void onlyTheMarkOfCongestionIsOne(String text) throws IOException {
        assumeTrue(Availability.obstacle().isEmpty(), () -> Availability.obstacle().orElseThrow());
        InetAddress address = InetAddress.getByName(text);
        boolean ipv6 = text.contains(":");
        int port;
        try (DatagramChannel free = DatagramChannel.open().bind(new InetSocketAddress(address, 0))) {
            port = ((InetSocketAddress) free.getLocalAddress()).getPort();
        }
        UdpSocket socket = UdpSocket.open(ipv6);
        socket.enableEcn();
        socket.bind(new InetSocketAddress(address, port));
        LinuxDatagrams datagrams = new LinuxDatagrams(socket, true);
        try (DatagramChannel sender = DatagramChannel
                .open(ipv6 ? StandardProtocolFamily.INET6 : StandardProtocolFamily.INET)) {
            List<Boolean> expected = new ArrayList<>();
            for (int i = 0; i < ROUNDS * ECN_VALUES; i++) {
                int ecn = i % ECN_VALUES;
                sender.setOption(StandardSocketOptions.IP_TOS, ecn);
                assertEquals(ecn, sender.getOption(StandardSocketOptions.IP_TOS));
                sender.send(ByteBuffer.allocate(30 + i), new InetSocketAddress(address, port));
                boolean marked = ecn == CONGESTION_EXPERIENCED;
                if (i < ECN_VALUES) {
                    assertEquals(List.of(marked), receive(datagrams, 1));
                } else {
                    expected.add(marked);
                }
            }
            assertEquals(expected, receive(datagrams, expected.size()));
        } finally {
            datagrams.close();
        }
    }
}
