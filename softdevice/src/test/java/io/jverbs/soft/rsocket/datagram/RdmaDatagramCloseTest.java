package io.jverbs.soft.rsocket.datagram;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.contract.fixture.BindsAgain;
import io.jverbs.rsocket.datagram.RdmaDatagramOptions;
import io.jverbs.rsocket.datagram.RdmaDatagramSocket;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Threads that wait in a socket, and the end of a socket. */
@Timeout(120)
@BindsAgain
final class RdmaDatagramCloseTest {
    private static final RdmaDatagramOptions BLOCKING = RdmaDatagramOptions.DEFAULT.withSpin(Duration.ZERO);

    private static FutureTask<Integer> receiver(RdmaDatagramSocket socket, boolean isVirtual) {
        FutureTask<Integer> task = new FutureTask<>(() -> {
            ByteBuffer into = ByteBuffer.allocate(8);
            socket.receive(into);
            return into.flip().getInt();
        });
        Thread thread = isVirtual ? Thread.ofVirtual().start(task) : Thread.ofPlatform().daemon().start(task);
        assertTrue(thread.isAlive() || task.isDone());
        return task;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void eachOfTheThreadsThatWaitGetsADatagram(boolean isVirtual) throws Exception {
        try (DatagramPair pair = DatagramPair.open("wire", BLOCKING)) {
            pair.resolve();
            List<FutureTask<Integer>> receivers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                receivers.add(receiver(pair.right(), isVirtual));
            }
            for (int i = 1; i <= 4; i++) {
                pair.left().send(ByteBuffer.allocate(4).putInt(0, i), pair.right().localAddress());
            }
            int sum = 0;
            for (FutureTask<Integer> each : receivers) {
                sum += each.get(30, TimeUnit.SECONDS);
            }
            assertEquals(10, sum);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aCloseEndsTheThreadsThatWait(boolean isBound) throws Exception {
        try (RdmaContext context = Verbs.open(DatagramPair.selector("jvm"))) {
            // without an address, there is no queue pair whose end raises an event
            RdmaDatagramSocket socket = isBound
                    ? RdmaDatagramSocket.open(context, DatagramPair.anyPort(context), BLOCKING)
                    : RdmaDatagramSocket.open(context);
            List<FutureTask<Integer>> receivers = List.of(receiver(socket, false), receiver(socket, true),
                    receiver(socket, false));
            assertFalse(socket.awaitReadable(Duration.ofMillis(50)));
            socket.close();
            for (FutureTask<Integer> each : receivers) {
                ExecutionException thrown = assertThrows(ExecutionException.class,
                        () -> each.get(30, TimeUnit.SECONDS));
                assertInstanceOf(IllegalStateException.class, thrown.getCause());
            }
            socket.close();
            assertFalse(socket.isOpen());
            assertThrows(IllegalStateException.class, () -> socket.tryReceive(ByteBuffer.allocate(1)));
            assertThrows(IllegalStateException.class, () -> socket.awaitWritable(Duration.ZERO));
        }
    }

    @Test
    void anInterruptEndsAWaitAndTheSocketStaysUsable() throws Exception {
        try (DatagramPair pair = DatagramPair.open("jvm", BLOCKING)) {
            Thread.currentThread().interrupt();
            assertThrows(InterruptedException.class, () -> pair.right().receive(ByteBuffer.allocate(1)));
            Thread.currentThread().interrupt();
            assertTrue(pair.left().trySend(ByteBuffer.allocate(4), pair.right().localAddress()), "over UDP");
            assertTrue(Thread.interrupted());
            assertEquals(0, DatagramPair.receive(pair.right(), pair.left().localAddress()));
            pair.resolve();
        }
    }

    @Test
    void aSocketThatIsClosedLeavesItsPortForUdpAndForRdma() throws Exception {
        try (RdmaContext left = Verbs.open(DatagramPair.selector("jvm"));
                DatagramPair pair = DatagramPair.open("jvm")) {
            InetSocketAddress address = DatagramPair.anyPort(left);
            for (int i = 0; i < 50; i++) {
                try (RdmaDatagramSocket socket = RdmaDatagramSocket.open(left, address)) {
                    address = socket.localAddress();
                    DatagramPair.exchange(socket, pair.right(), i);
                    if (i % 2 == 0) {
                        DatagramPair.exchange(pair.right(), socket, i);
                    }
                }
            }
        }
    }

    @Test
    void aSocketCanBeClosedAfterItsContext() throws Exception {
        RdmaContext context = Verbs.open(DatagramPair.selector("jvm"));
        RdmaDatagramSocket socket = RdmaDatagramSocket.open(context, DatagramPair.anyPort(context));
        context.close();
        assertThrows(IllegalStateException.class, () -> socket.tryReceive(ByteBuffer.allocate(1)));
        socket.close();
        assertThrows(IllegalStateException.class, () -> RdmaDatagramSocket.open(context));
    }
}
