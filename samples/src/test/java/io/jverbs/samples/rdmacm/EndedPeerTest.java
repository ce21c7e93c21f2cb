package io.jverbs.samples.rdmacm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.CompletionQueue;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpType;
import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.cm.CmException;
import io.jverbs.cm.ConnectionParameters;
import io.jverbs.cm.PortSpace;
import io.jverbs.cm.SynchronousCmId;
import io.jverbs.samples.Run;
import io.jverbs.samples.TwoSides;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Servers that wait for a message when the peer disconnects. */
@Timeout(90)
class EndedPeerTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int REJECTED_WITHOUT_LISTENER = 8;

    /** Connects and closes; returns whether there was a listener. */
    private static boolean connectAndClose(RdmaContext context, InetSocketAddress server) throws InterruptedException {
        try (ProtectionDomain pd = context.allocatePd();
                CompletionQueue cq = context.createCompletionQueue(16);
                SynchronousCmId id = SynchronousCmId.create(context, PortSpace.TCP)) {
            id.resolve(server, LIMIT);
            id.createQueuePair(pd, QpInitAttributes.builder(QpType.RC).cq(cq).maxSendWr(1).maxRecvWr(1).build());
            id.connect(ConnectionParameters.DEFAULT, LIMIT);
            return true;
        } catch (CmException e) {
            assertEquals(REJECTED_WITHOUT_LISTENER, e.status(), e::getMessage);
            return false;
        }
    }

    @ParameterizedTest
    @CsvSource({"rdma-server -s, 7351", "ucmatose -b, 7352"})
    void aServerSaysThatThePeerDisconnected(String program, int port) throws Exception {
        String address = BothSides.address();
        CompletableFuture<Run> server = TwoSides
                .inThread(() -> Run.of((program + " " + address + " -p " + port).split(" ")));
        try (RdmaContext context = Verbs.open()) {
            boolean isConnected = false;
            while (!isConnected && !server.isDone()) {
                isConnected = connectAndClose(context, new InetSocketAddress(address, port));
            }
        }
        Run ended = server.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        assertEquals(1, ended.status(), ended::out);
        assertTrue(ended.err().contains("the peer disconnected before all requests had completed"), ended::err);
    }
}
