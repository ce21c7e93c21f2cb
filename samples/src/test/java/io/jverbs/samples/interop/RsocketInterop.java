package io.jverbs.samples.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.rsocket.datagram.RdmaDatagramCounters;
import io.jverbs.rsocket.datagram.RdmaDatagramSocket;
import io.jverbs.samples.interop.process.InteropSettings;
import io.jverbs.samples.interop.process.Outcome;
import io.jverbs.samples.interop.process.Polling;
import io.jverbs.samples.interop.process.RdmacmProgram;
import io.jverbs.samples.interop.process.SampleThread;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The samples rstream and udpong with the programs of rdmacm-utils of the same names, each as server and as client. It
 * needs rxe0: {@code .ci/rxe-samples} runs it in a virtual machine, and its name keeps it out of the build's tests.
 */
class RsocketInterop {
    private static final int FIRST_STREAM_PORT = 19_100;
    private static final int FIRST_PORT = 19_150;
    private static final int UDPONG_BYTES = 64;
    private static final int UDPONG_MESSAGES = 20;
    /** The operation of a message that the server returns. */
    private static final byte UDPONG_ECHO = 3;
    private static final Duration UDPONG_WAIT = Duration.ofMillis(200);

    private static int nextPort = FIRST_PORT;

    private final InteropSettings settings = InteropSettings.ofSystemProperties();

    private static List<String> words(String first, String options) {
        List<String> words = new ArrayList<>(List.of(first.split(" ")));
        words.addAll(List.of(options.split(" ")));
        return words;
    }

    @TestFactory
    Stream<DynamicTest> bothSidesOfRstreamTransferAllBytes() {
        return new StreamPairings("rstream", settings, FIRST_STREAM_PORT)
                .tests("-S 64 -C 1 -I 200 -T b", "-S 64 -C 1 -I 200", "-S 1000 -C 50 -I 2 -T a",
                        "-S 100000 -C 20 -I 2 -T b -T v", "-S 300000 -C 4 -I 2 -T a -T b -T v",
                        "-S 5000 -C 40 -I 2 -T n -T v", "-S 5000 -C 10 -I 2 -T r -T v",
                        "-S 70000 -C 10 -I 2 -B 16384 -T b -T v", "-S 1024 -C 10 -I 2 -i 0 -T b -T v",
                        "-S 64 -C 1 -I 20 -k 2 -T b",
                        // with these two, the C program takes TCP; on rsockets, see SocketsInterop
                        "-S 5000 -C 10 -I 2 -T s -T v", "-S 5000 -C 10 -I 2 -T f -T b -T v");
    }

    @TestFactory
    Stream<DynamicTest> bothSidesOfUdpongTransferDatagrams() {
        return Stream
                .of("-S 64 -C 100 -T e -T b", "-S 64 -C 100 -T e", "-S 1000 -C 200 -T a", "-S 2000 -C 50 -T e -T a")
                .flatMap(options -> Stream.of(
                        dynamicTest("java server, c client: " + options, () -> pongToProgram(options)),
                        dynamicTest("c server, java client: " + options, () -> pongToSample(options))));
    }

    private void pongToProgram(String options) throws Exception {
        int number = nextPort++;
        String at = " -p " + number;
        SampleThread server = SampleThread.start(
                words("udpong -b " + settings.sampleAddress() + at, options).toArray(String[]::new));
        // the server prints nothing before its first client, which ends if it does not find the server
        Polling.until(() -> isBound(settings.sampleAddress(), number), server::isRunning);
        try (RdmacmProgram client = RdmacmProgram.start(udpongPrefix(),
                words("udpong -s " + settings.sampleAddress() + at, options))) {
            Outcome ended = client.await();
            Outcome served = server.interrupt();
            checkPong(served, ended);
        }
    }

    private void pongToSample(String options) throws Exception {
        String at = " -p " + nextPort++;
        try (RdmacmProgram server = RdmacmProgram.start(udpongPrefix(),
                words("udpong -b " + settings.programAddress() + at, options))) {
            Outcome ended = SampleThread.start(
                    words("udpong -s " + settings.programAddress() + at, options).toArray(String[]::new)).await();
            server.kill();
            checkPong(server.await(), ended);
        }
    }

    /** The pairings above also pass if all datagrams go over UDP. */
    @Test
    void bothSidesSendDatagramsOverRdma() throws Exception {
        int number = nextPort++;
        InetSocketAddress program = new InetSocketAddress(settings.programAddress(), number);
        try (RdmacmProgram server = RdmacmProgram.start(udpongPrefix(),
                words("udpong -b " + settings.programAddress() + " -p " + number, "-T b"));
                RdmaContext context = Verbs.open();
                RdmaDatagramSocket socket = RdmaDatagramSocket.open(context)) {
            socket.connect(program);
            Polling.until(() -> isEchoedOverRdma(socket), server::isRunning);
            RdmaDatagramCounters counters = socket.counters();
            server.kill();
            Outcome served = server.await();
            assertTrue(isOverRdma(counters), () -> counters + served.describe("the server"));
        }
    }

    /** Sends a message that udpong returns; returns whether enough have gone over RDMA in both directions. */
    private static boolean isEchoedOverRdma(RdmaDatagramSocket socket) {
        try {
            socket.send(ByteBuffer.allocate(UDPONG_BYTES).put(0, UDPONG_ECHO));
            if (socket.awaitReadable(UDPONG_WAIT)) {
                socket.tryReceive(ByteBuffer.allocate(UDPONG_BYTES));
            }
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
        return isOverRdma(socket.counters());
    }

    private static boolean isOverRdma(RdmaDatagramCounters counters) {
        return counters.sent() >= UDPONG_MESSAGES
                && counters.received() - counters.receivedOverUdp() >= UDPONG_MESSAGES;
    }

    private static void checkPong(Outcome server, Outcome client) {
        String outputs = server.describe("the server") + client.describe("the client") + "\n ";
        assertEquals("0", client.status(), () -> "exit status of the client" + outputs);
        assertTrue(client.lines().getLast().startsWith("custom "), () -> "last line" + outputs);
        assertTrue(server.lines().stream().anyMatch(line -> line.startsWith("client login from ")),
                () -> "login" + outputs);
    }

    /** The words before the command of the C program: the datagram mode of librdmacm needs roce_ah.c on RoCE. */
    private List<String> udpongPrefix() {
        List<String> prefix = new ArrayList<>(settings.programPrefix());
        prefix.addAll(List.of("env", "LD_PRELOAD=" + settings.library("roce_ah.so")));
        return prefix;
    }

    /** Returns whether a UDP socket is bound to an address and port of this network namespace. */
    private static boolean isBound(String address, int port) {
        try (DatagramSocket socket = new DatagramSocket(new InetSocketAddress(address, port))) {
            return socket.isClosed();
        } catch (BindException e) {
            return true;
        } catch (SocketException e) {
            throw new UncheckedIOException(e);
        }
    }
}
