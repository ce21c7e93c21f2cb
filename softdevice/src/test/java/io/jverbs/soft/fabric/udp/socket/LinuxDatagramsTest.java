package io.jverbs.soft.fabric.udp.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jverbs.Gid;
import io.jverbs.RdmaContext;
import io.jverbs.RdmaDevice;
import io.jverbs.Verbs;
import io.jverbs.control.DeviceRemoval;
import io.jverbs.soft.LoopbackAddress;
import io.jverbs.soft.congestion.PathCapacity;
import io.jverbs.soft.linux.Descriptors;
import io.jverbs.soft.linux.UdpSocket;
import io.jverbs.soft.queue.ProcessorYield;
import io.jverbs.soft.transport.Route;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** A Linux socket: what it receives, the size of its buffers, and its end. */
@Isolated("it counts the open files of the process")
final class LinuxDatagramsTest extends LinuxDatagramsPair {
    @Test
    void theWindowIsLargerIfTheSystemGrantsALargeBuffer() throws IOException {
        int requested = 100_000;
        socket.buffers(requested);
        // the kernel doubles the value: socket(7)
        assertEquals(2 * requested, socket.receiveBuffer());
        assertEquals(PathCapacity.COALESCED, new LinuxDatagrams(socket, false).capacity());
        socket.buffers(Sockets.SOCKET_BUFFER);
        boolean large = socket.receiveBuffer() == 2 * Sockets.SOCKET_BUFFER;
        assumeTrue(large, "the system does not grant such a buffer");
        assertEquals(PathCapacity.COALESCED_LARGE_BUFFER, new LinuxDatagrams(socket, false).capacity());
    }

    @Test
    void aSegmentedMessageIsReceivedAsACoalescedMessage() throws IOException {
        UdpSocket other = UdpSocket.open(false);
        Gid third = Gid.parse(LoopbackAddress.next());
        other.bind(address(third));
        LinuxDatagrams receiver = new LinuxDatagrams(other, false);
        try {
            receiver.enableCoalescing();
            Route there = new Route(OWN, third, datagrams.address(address(third)), null);
            send(there, 256);
            send(there, 256);
            send(there, 8);
            datagrams.flush(out);
            ReceivedPackets arrival = new ReceivedPackets();
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
            while (!receiver.receive(arrival, 1)) {
                assertTrue(System.nanoTime() - end < 0, "no packet arrived");
            }
            List<Integer> lengths = new ArrayList<>();
            do {
                arrival.next();
                lengths.add(arrival.length());
            } while (arrival.hasNext());

            assertEquals(List.of(256 + OVERHEAD, 256 + OVERHEAD, 8 + OVERHEAD), lengths);
            assertEquals(List.of(OWN.high(), OWN.low(), (long) PORT),
                    List.of(arrival.sourceHigh(), arrival.sourceLow(), (long) arrival.sourcePort()));
            assertFalse(receiver.receive(arrival, 1));
        } finally {
            receiver.close();
        }
    }

    /** Receives a message; returns how many packets it had. */
    private static int packets(LinuxDatagrams receiver) throws IOException {
        ReceivedPackets arrival = new ReceivedPackets();
        assertTrue(receiver.receive(arrival, 1), "no packet arrived");
        int count = 0;
        do {
            arrival.next();
            count++;
        } while (arrival.hasNext());
        return count;
    }

    /** Sends runs of three packets, and waits until they are in the socket buffer of the receiver. */
    private void sendRuns(Gid to, Route there, int count) throws IOException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        long each = 0;
        for (int i = 1; i <= count; i++) {
            for (int j = 0; j < 3; j++) {
                send(there, 256);
            }
            datagrams.flush(out);
            long least = Math.max(1, i * each);
            while (Descriptors.queued(to, PORT) < least) {
                assertTrue(System.nanoTime() - end < 0, "fewer than " + least + " bytes are queued");
            }
            each = i == 1 ? Descriptors.queued(to, PORT) : each;
        }
    }

    @Test
    void withThePollerOfTheseSocketsVirtualThreadsCanYieldTheirProcessors() throws IOException {
        new LinuxSockets(false).poller().close();
        assertTrue(ProcessorYield.yieldProcessor());
    }

    @Test
    void packetsAreReceivedOneByOneUntilSeveralArriveAtOnce() throws IOException {
        Gid third = Gid.parse(LoopbackAddress.next());
        Datagrams opened = new LinuxSockets(false).open(address(third), NetworkInterface.getByInetAddress(
                InetAddress.getLoopbackAddress()));
        try {
            LinuxDatagrams receiver = (LinuxDatagrams) opened;
            Route there = new Route(OWN, third, datagrams.address(address(third)), null);
            for (int i = 0; i < 4; i++) {
                sendRuns(third, there, 2);
                for (int j = 0; j < 6; j++) {
                    assertEquals(1, packets(receiver));
                }
                // an empty receive: not enough arrived at once
                assertFalse(receiver.receive(new ReceivedPackets(), 1));
            }
            sendRuns(third, there, 3);
            for (int i = 0; i < 9; i++) {
                assertEquals(1, packets(receiver));
            }

            sendRuns(third, there, 1);
            assertEquals(3, packets(receiver));
            assertFalse(receiver.receive(new ReceivedPackets(), 1));
        } finally {
            opened.close();
        }
    }

    @Test
    void aClosedSocketIsNoLongerUsed() throws IOException {
        datagrams.close();
        send(route, 256);

        assertThrows(ClosedChannelException.class, () -> datagrams.flush(out));
        assertThrows(ClosedChannelException.class, () -> datagrams.receive(new ReceivedPackets(), 1));
        datagrams.close();
    }

    @Test
    void removedDevicesLeaveNoOpenDescriptors() throws Exception {
        String[] selectors = {"soft:" + LoopbackAddress.next(), "soft:" + LoopbackAddress.next()};
        removeOne(selectors[0]);
        long before = Descriptors.count();
        for (int i = 0; i < 20; i++) {
            removeOne(selectors[i % 2]);
        }
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        while (Descriptors.count() > before) {
            assertTrue(System.nanoTime() - end < 0,
                    Descriptors.count() + " descriptors are open, and " + before + " were");
            Thread.sleep(1);
        }
    }

    private static void removeOne(String selector) {
        try (RdmaContext context = Verbs.open(selector)) {
            assertNotNull(context);
        }
        RdmaDevice device = Verbs.select(selector);
        device.capability(DeviceRemoval.class).orElseThrow().remove();
    }
}
