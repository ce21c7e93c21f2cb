package io.jverbs.soft.management;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Access;
import io.jverbs.CompletionQueue;
import io.jverbs.Errno;
import io.jverbs.MemoryRegion;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.RdmaContext;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.Verbs;
import io.jverbs.VerbsException;
import io.jverbs.WorkCompletions;
import io.jverbs.cm.AddressInfo;
import io.jverbs.cm.CmException;
import io.jverbs.cm.ConnectionParameters;
import io.jverbs.cm.PortSpace;
import io.jverbs.cm.SynchronousCmId;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** IDs that are created for an address, as by rdma_getaddrinfo(3) and rdma_create_ep(3). */
@Timeout(60)
final class SynchronousIdTest {
    private static final String CLIENT = "soft:soft74";
    private static final String SERVER = "soft:soft75";

    /** A context, and what its queue pairs need. */
    private static final class Side implements AutoCloseable {
        final RdmaContext context;
        final ProtectionDomain pd;
        final CompletionQueue cq;

        Side(String selector) {
            context = Verbs.open(selector);
            pd = context.allocatePd();
            cq = context.createCompletionQueue(16);
        }

        String host() {
            return context.preferredGid(1).gid().toInetAddress().getHostAddress();
        }

        QpInitAttributes attributes() {
            return QpInitAttributes.builder(QpType.RC).cq(cq).build();
        }

        @Override
        public void close() {
            context.close();
        }
    }

    private static void refused(Errno errno, String part, Executable call) {
        VerbsException refusal = assertThrows(VerbsException.class, call);
        assertEquals(errno, refusal.error());
        assertTrue(refusal.getMessage().contains(part), refusal::getMessage);
    }

    /** K75, K139, K140: a passive ID is bound, an active one is resolved, and both have queue pairs. */
    @Test
    void bothSidesOfAConnectionAreCreatedForTheirAddresses() throws Exception {
        try (Side client = new Side(CLIENT); Side server = new Side(SERVER)) {
            AddressInfo own = AddressInfo.passive(server.host(), 0, PortSpace.TCP);
            try (SynchronousCmId listener = SynchronousCmId.create(server.context, own, server.pd,
                    server.attributes())) {
                assertNull(listener.queuePair(), "a listener has no queue pair");
                listener.listen(4);
                CompletableFuture<SynchronousCmId> accepted = CompletableFuture.supplyAsync(() -> {
                    try {
                        SynchronousCmId request = listener.getRequest();
                        request.accept(ConnectionParameters.DEFAULT);
                        return request;
                    } catch (InterruptedException e) {
                        throw new CompletionException(e);
                    }
                });
                AddressInfo peer = AddressInfo.active(server.host(), listener.id().localAddress().getPort(),
                        PortSpace.TCP);
                try (SynchronousCmId id = SynchronousCmId.create(client.context, peer, client.pd,
                        client.attributes())) {
                    assertEquals(QpState.INIT, id.queuePair().state());
                    id.connect(ConnectionParameters.DEFAULT);
                    assertEquals(QpState.RTS, id.queuePair().state());
                    try (SynchronousCmId other = accepted.get(30, TimeUnit.SECONDS)) {
                        assertEquals(QpState.RTS, other.queuePair().state());
                    }
                }
            }
        }
    }

    /** K76: port space IB has queue pairs of the type that is asked for. */
    @Test
    void idsOfPortSpaceIbConnectUcQueuePairs() throws Exception {
        QpInitAttributes attributes = QpInitAttributes.builder(QpType.UC).build();
        try (Side client = new Side(CLIENT); Side server = new Side(SERVER)) {
            AddressInfo own = AddressInfo.passive(server.host(), "0", PortSpace.IB).withQpType(QpType.UC);
            try (SynchronousCmId listener = SynchronousCmId.create(server.context, own, attributes)) {
                listener.listen(4);
                CompletableFuture<SynchronousCmId> accepted = CompletableFuture.supplyAsync(() -> {
                    try {
                        SynchronousCmId request = listener.getRequest();
                        request.queuePair().postReceive(ReceiveWorkRequest.create(0));
                        request.accept(ConnectionParameters.DEFAULT);
                        return request;
                    } catch (InterruptedException e) {
                        throw new CompletionException(e);
                    }
                });
                AddressInfo peer = AddressInfo
                        .active(server.host(), listener.id().localAddress().getPort(), PortSpace.IB)
                        .withQpType(QpType.UC);
                try (SynchronousCmId id = SynchronousCmId.create(client.context, peer, attributes)) {
                    id.connect(ConnectionParameters.DEFAULT);
                    try (SynchronousCmId other = accepted.get(30, TimeUnit.SECONDS)) {
                        assertEquals(QpType.UC, other.queuePair().type());
                        assertEquals(QpState.RTS, other.queuePair().state());
                        id.queuePair().postSend(SendWorkRequest.create(0).flags(SendFlags.SIGNALED));
                        CompletionQueue received = other.id().resources().recvCq();
                        received.requestNotification(false);
                        WorkCompletions completions = WorkCompletions.create(1);
                        if (received.poll(completions) == 0) {
                            assertNotNull(received.channel().awaitEvent(Duration.ofSeconds(30)));
                            received.acknowledgeEvents(1);
                            assertEquals(1, received.poll(completions));
                        }
                        assertTrue(completions.isSuccess(0), () -> completions.status(0).toString());
                        id.id().disconnect();
                    }
                }
            }
        }
    }

    /** K75. */
    @Test
    void anUnknownServiceIsRefused() {
        refused(Errno.EINVAL, "service \"no service\" has no port",
                () -> AddressInfo.active("192.0.2.1", "no service", PortSpace.TCP));
        refused(Errno.EINVAL, "port 65536 is outside 0..65535",
                () -> AddressInfo.passive(null, "65536", PortSpace.TCP));
        assertEquals(7471, AddressInfo.active("192.0.2.1", "7471", PortSpace.TCP).destination().getPort());
    }

    @Test
    void anIdWithoutAttributesHasNoQueuePair() throws Exception {
        try (Side client = new Side(CLIENT); Side server = new Side(SERVER)) {
            AddressInfo peer = AddressInfo.active(server.host(), 7, PortSpace.TCP)
                    .withSource(new InetSocketAddress(client.context.preferredGid(1).gid().toInetAddress(), 0));
            try (SynchronousCmId id = SynchronousCmId.create(client.context, peer)) {
                assertNull(id.queuePair());
                assertNotNull(id.id().localAddress());
            }
        }
    }

    /** K139: the ID is destroyed if a step fails, so that the context can be closed. */
    @Test
    void anAddressThatCannotBeReachedLeavesNoIdBehind() {
        try (Side client = new Side(CLIENT)) {
            AddressInfo nowhere = AddressInfo.active("203.0.113.9", 7, PortSpace.TCP);
            CmException failure = assertThrows(CmException.class,
                    () -> SynchronousCmId.create(client.context, nowhere, client.pd, client.attributes()));
            assertTrue(failure.getMessage().contains("resolve_addr of /203.0.113.9:7"), failure::getMessage);
            MemoryRegion region = client.pd.allocate(64, Access.LOCAL_WRITE);
            region.close();
            client.cq.close();
            client.pd.close();
        }
    }

    /** K75, K76: the wildcard address without a node; the type of the queue pair comes from the port space. */
    @Test
    void aPassiveAddressWithoutANodeIsTheWildcardAddress() {
        AddressInfo any = AddressInfo.passive(null, 7471, PortSpace.UDP);

        assertTrue(any.passive());
        assertTrue(any.source().getAddress().isAnyLocalAddress());
        assertEquals(7471, any.source().getPort());
        assertEquals(QpType.UD, any.qpType());
        assertNull(any.destination());
        assertFalse(AddressInfo.active("::1", 1, PortSpace.TCP).passive());
    }

    /** K75. */
    @Test
    void anAddressOfTheWantedFamilyIsTaken() {
        InetAddress six = AddressInfo.passive(null, 7, PortSpace.TCP, StandardProtocolFamily.INET6).source()
                .getAddress();
        assertTrue(six instanceof Inet6Address && six.isAnyLocalAddress(), six::toString);
        InetAddress four = AddressInfo.passive(null, 7, PortSpace.TCP, StandardProtocolFamily.INET).source()
                .getAddress();
        assertTrue(four instanceof Inet4Address && four.isAnyLocalAddress(), four::toString);
        AddressInfo peer = AddressInfo.active("2001:db8::1", 7, PortSpace.TCP, StandardProtocolFamily.INET6);
        assertTrue(peer.destination().getAddress() instanceof Inet6Address);
        refused(Errno.EHOSTUNREACH, "node \"2001:db8::1\" has no address of family INET:",
                () -> AddressInfo.active("2001:db8::1", 7, PortSpace.TCP, StandardProtocolFamily.INET));
        refused(Errno.EHOSTUNREACH, "node \"192.0.2.1\" has no address of family INET6",
                () -> AddressInfo.passive("192.0.2.1", 7, PortSpace.TCP, StandardProtocolFamily.INET6));
        refused(Errno.EINVAL, "family UNIX, allowed are INET and INET6",
                () -> AddressInfo.active("192.0.2.1", 7, PortSpace.TCP, StandardProtocolFamily.UNIX));
    }

    @ParameterizedTest
    @ValueSource(ints = {65536, -1, Integer.MIN_VALUE})
    void aPortOutsideItsRangeIsRefused(int port) {
        refused(Errno.EINVAL, "port " + port, () -> AddressInfo.active("192.0.2.1", port, PortSpace.TCP));
        refused(Errno.EINVAL, "port " + port, () -> AddressInfo.passive(null, port, PortSpace.TCP));
    }

    @Test
    void addressesThatDoNotFitAreRefused() {
        InetSocketAddress four = new InetSocketAddress("192.0.2.1", 7);
        InetSocketAddress named = InetSocketAddress.createUnresolved("node7.invalid", 7);
        refused(Errno.EHOSTUNREACH, "node \"node7.invalid\" has no address",
                () -> AddressInfo.active("node7.invalid", 7, PortSpace.TCP));
        refused(Errno.EINVAL, "an ID that listens has no destination",
                () -> new AddressInfo(true, PortSpace.TCP, QpType.RC, four, four));
        refused(Errno.EINVAL, "destination node7.invalid is a host name without an address",
                () -> new AddressInfo(false, PortSpace.TCP, QpType.RC, null, named));
        refused(Errno.EINVAL, "is not of the family of",
                () -> AddressInfo.active("2001:db8::1", 7, PortSpace.TCP).withSource(four));
        refused(Errno.EINVAL, "is not of the family of", () -> new AddressInfo(false, PortSpace.TCP, QpType.RC, four,
                new InetSocketAddress("2001:db8::1", 7)));
        refused(Errno.EINVAL, "node \"\" is empty", () -> AddressInfo.active("", 7, PortSpace.TCP));
        refused(Errno.EINVAL, "node \"\" is empty", () -> AddressInfo.passive("", 7, PortSpace.TCP));
        assertThrows(NullPointerException.class, () -> new AddressInfo(true, PortSpace.TCP, QpType.RC, null, null));
    }
}
