package io.jverbs.bench.waiting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.bench.process.ControlConnection;
import io.jverbs.bench.process.Sides;
import io.jverbs.bench.process.Workload;
import io.jverbs.bench.process.WorkloadType;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The workloads between two ends in this JVM, the SENDs between two devices in it. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class WaitingWorkloadsTest {
    private static final int BYTES = 64;
    private static final int CONNECTIONS = 5;
    private static final int TIMEOUT_MILLIS = 20_000;
    private static final Sides DEVICES = new Sides("soft90", "soft91", true);
    private static final Sides ADDRESSES = new Sides("127.0.0.1", "127.0.0.1", true);

    /** Both sides of a workload. A thread serves the other one. */
    private static final class Pair implements AutoCloseable {
        private final ControlConnection ownControl;
        private final ControlConnection otherControl;
        private final Workload measuring;
        private final FutureTask<Void> serving;
        private volatile boolean stopped;

        Pair(WorkloadType type, int size) throws Exception {
            Sides own = type.name().startsWith("SEND") ? DEVICES : ADDRESSES;
            Sides reversed = new Sides(own.other(), own.own(), false);
            try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                ownControl = control(new Socket(listener.getInetAddress(), listener.getLocalPort()));
                otherControl = control(listener.accept());
            }
            FutureTask<Workload> opening = started(() -> type.open(reversed, otherControl, size));
            measuring = type.open(own, ownControl, size);
            Workload other = opening.get();
            serving = started(() -> {
                try (other) {
                    other.serve(() -> stopped);
                }
                return null;
            });
        }

        private static <T> FutureTask<T> started(Callable<T> task) {
            FutureTask<T> started = new FutureTask<>(task);
            Thread.ofPlatform().daemon().name("other side").start(started);
            return started;
        }

        private static ControlConnection control(Socket socket) throws IOException {
            // a side that fails to open must not let the other one wait
            socket.setSoTimeout(TIMEOUT_MILLIS);
            return new ControlConnection(socket);
        }

        /** Stops the other side and closes it. Its serving must not have failed. */
        void stop() {
            stopped = true;
            try {
                serving.get(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
            } catch (InterruptedException | ExecutionException | TimeoutException e) {
                throw new AssertionError("the other side", e);
            }
        }

        @Override
        public void close() throws IOException {
            try (ownControl; otherControl; measuring) {
                stop();
            }
        }
    }

    static Stream<Arguments> workloads() {
        return Stream.concat(Stream.of(LatencyWorkload.values()).map(type -> Arguments.of(type, BYTES)),
                Stream.of(ThreadsWorkload.values()).map(type -> Arguments.of(type, CONNECTIONS)));
    }

    /** More round trips than the queue pairs hold requests. */
    @ParameterizedTest
    @MethodSource("workloads")
    void roundTripsCompleteUntilTheOtherSideIsStopped(WorkloadType type, int size) throws Exception {
        try (Pair pair = new Pair(type, size)) {
            for (int i = 0; i < 200; i++) {
                pair.measuring.warmUp();
            }
            for (int i = 0; i < 2; i++) {
                pair.measuring.once();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("workloads")
    void aRoundTripFailsWithTheReasonIfTheOtherSideIsClosed(WorkloadType type, int size) throws Exception {
        try (Pair pair = new Pair(type, size)) {
            pair.measuring.warmUp();
            pair.stop();

            String reason = assertThrows(Exception.class, pair.measuring::once).toString();
            assertTrue(reason.contains(type.name().startsWith("SEND") ? "RETRY_EXC_ERR" : "closed the connection")
                    || reason.contains("Connection reset"), reason);
        }
    }

    @Test
    void theSharesOfAllConnectionsAreTheWholeBatch() {
        for (int connections : List.of(1, 3, 16, 256)) {
            assertEquals(ManyConnections.BATCH, IntStream.range(0, connections)
                    .map(number -> ManyConnections.share(ManyConnections.BATCH, connections, number)).sum());
        }
    }
}
