package io.jverbs.soft.management;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Access;
import io.jverbs.CompletionChannel;
import io.jverbs.CompletionQueue;
import io.jverbs.Errno;
import io.jverbs.MemoryRegion;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpAttributes;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.SharedReceiveQueue;
import io.jverbs.SrqInitAttributes;
import io.jverbs.Verbs;
import io.jverbs.VerbsException;
import io.jverbs.WcStatus;
import io.jverbs.WorkCompletions;
import io.jverbs.cm.AddressInfo;
import io.jverbs.cm.CmEventChannel;
import io.jverbs.cm.CmId;
import io.jverbs.cm.CmIdResources;
import io.jverbs.cm.ConnectionParameters;
import io.jverbs.cm.PortSpace;
import io.jverbs.cm.SynchronousCmId;
import io.jverbs.strict.StrictMode;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

/** K141, K142: the objects that an ID creates for its queue pair. A strict context tells what was not closed. */
@Timeout(60)
final class CmIdResourcesTest {
    private static final QpInitAttributes RC = QpInitAttributes.builder(QpType.RC).maxSendWr(20).maxRecvWr(10).build();

    private final StrictMode strict = StrictMode.throwing();
    private final RdmaContext context = Verbs.select("soft:soft78").open(strict);

    @AfterEach
    void close() {
        context.close();
    }

    private InetSocketAddress address() {
        return new InetSocketAddress(context.preferredGid(1).gid().toInetAddress(), 0);
    }

    private SynchronousCmId bound() {
        SynchronousCmId id = SynchronousCmId.create(context, PortSpace.TCP);
        id.bind(address());
        return id;
    }

    private static void refused(Errno errno, String part, Executable call) {
        VerbsException refusal = assertThrows(VerbsException.class, call);
        assertEquals(errno, refusal.error());
        assertTrue(refusal.getMessage().contains(part), refusal::getMessage);
    }

    @Test
    void aWaitForACompletionEndsWithItOrAfterItsTime() throws Exception {
        try (SynchronousCmId id = bound()) {
            WorkCompletions completions = WorkCompletions.create(1);
            CmIdResources own = id.id().resources();
            refused(Errno.EINVAL, "no completion queue of send", () -> own.awaitSend(completions, CmPair.LONG));
            id.createQueuePair(RC);
            assertFalse(own.awaitReceive(completions, Duration.ZERO));
            assertFalse(own.awaitSend(completions, Duration.ofMillis(10)));
            IllegalArgumentException refusal = assertThrows(IllegalArgumentException.class,
                    () -> own.awaitSend(completions, Duration.ofMillis(-1)));
            assertEquals("timeout PT-0.001S is negative", refusal.getMessage());
            FutureTask<Boolean> waiter = CmPair.start(() -> own.awaitReceive(completions, CmPair.LONG));
            id.queuePair().postReceive(ReceiveWorkRequest.create(0));
            id.queuePair().modify(QpAttributes.builder().state(QpState.ERR).build());
            assertTrue(CmPair.resultOf(waiter));
            assertEquals(WcStatus.WR_FLUSH_ERR, completions.status(0));
        }
    }

    @Test
    void idsWithoutOtherObjectsConnectAndExchangeAMessage() throws Exception {
        String host = address().getAddress().getHostAddress();
        try (SynchronousCmId listener = SynchronousCmId.create(context, AddressInfo.passive(host, 0, PortSpace.TCP),
                RC)) {
            listener.listen(1);
            FutureTask<SynchronousCmId> accepted = CmPair.start(() -> {
                SynchronousCmId request = listener.getRequest(CmPair.LONG);
                request.queuePair().postReceive(ReceiveWorkRequest.create(0));
                request.accept(ConnectionParameters.DEFAULT, CmPair.LONG);
                return request;
            });
            int port = listener.id().localAddress().getPort();
            try (SynchronousCmId client = SynchronousCmId.create(context,
                    AddressInfo.active(host, port, PortSpace.TCP), RC)) {
                client.connect(ConnectionParameters.DEFAULT, CmPair.LONG);
                try (SynchronousCmId server = CmPair.resultOf(accepted)) {
                    client.queuePair().postSend(SendWorkRequest.create(0).flags(SendFlags.SIGNALED));
                    WorkCompletions completions = WorkCompletions.create(1);
                    assertTrue(client.id().resources().awaitSend(completions, CmPair.LONG));
                    assertTrue(completions.isSuccess(0), () -> completions.status(0).toString());
                    assertTrue(server.id().resources().awaitReceive(completions, CmPair.LONG));
                    assertTrue(completions.isSuccess(0), () -> completions.status(0).toString());
                    assertSame(client.queuePair().pd(), server.id().resources().pd(), "the IDs share a domain");
                }
            }
        }
        assertEquals(1, strict.open().size(), () -> "besides the context: " + strict.open());
    }

    @Test
    void theCompletionQueuesHaveTheSizesOfTheQueuePairAndEndWithIt() {
        try (SynchronousCmId id = bound()) {
            assertNull(id.id().resources().sendCq());
            id.createQueuePair(RC);
            CompletionQueue send = id.id().resources().sendCq();
            CompletionQueue receive = id.id().resources().recvCq();
            CompletionChannel channel = send.channel();
            assertTrue(send.cqe() >= 20 && receive.cqe() >= 10, () -> send + ", " + receive);
            assertNotSame(channel, receive.channel());
            assertSame(id.id(), send.userContext());

            id.id().destroyQueuePair();

            assertTrue(send.isClosed() && receive.isClosed() && channel.isClosed());
            assertNull(id.id().resources().sendCq());
            assertNull(id.id().resources().recvCq());
            id.createQueuePair(RC);
            assertNotNull(id.id().resources().recvCq());
        }
    }

    @Test
    void anIdEndsAlthoughAnotherQueuePairUsesItsQueue() {
        CmEventChannel channel = CmEventChannel.create(context);
        CmId id = channel.createId(PortSpace.TCP);
        id.bind(address());
        InetSocketAddress bound = id.localAddress();
        id.createQueuePair(RC);
        CompletionQueue send = id.resources().sendCq();
        QueuePair other = context.allocatePd().createQueuePair(QpInitAttributes.builder(QpType.RC).cq(send).build());
        refused(Errno.EBUSY, "", id::close);
        CmId next = channel.createId(PortSpace.TCP);
        next.bind(bound);
        assertEquals(bound, next.localAddress(), "the port is free");
        other.close();
        id.close();
        assertTrue(send.isClosed());
        next.close();
        channel.close();
    }

    @Test
    void aQueueOfTheProgramIsUsedAndRemains() {
        try (CompletionQueue own = context.createCompletionQueue(8)) {
            try (SynchronousCmId id = bound()) {
                QueuePair qp = id.createQueuePair(RC.toBuilder().sendCq(own).build());
                assertSame(own, qp.sendCq());
                assertNull(id.id().resources().sendCq());
                assertSame(qp.recvCq(), id.id().resources().recvCq());
            }
            assertFalse(own.isClosed());
        }
    }

    @Test
    void aQueuePairThatCannotBeCreatedLeavesNoQueuesBehind() {
        try (ProtectionDomain pd = context.allocatePd(); SynchronousCmId id = bound()) {
            int before = strict.open().size();
            assertThrows(VerbsException.class,
                    () -> id.createQueuePair(pd, RC.toBuilder().maxSendSge(1_000_000).build()));
            assertThrows(VerbsException.class,
                    () -> id.createQueuePair(pd, RC.toBuilder().maxRecvWr(Integer.MAX_VALUE).build()));
            assertEquals(before, strict.open().size(), () -> "not closed: " + strict.open());
            assertNull(id.id().resources().sendCq());
        }
    }

    @Test
    void theDefaultDomainEndsWithTheLastIdThatUsesIt() {
        SynchronousCmId first = bound();
        SynchronousCmId second = bound();
        ProtectionDomain pd = first.id().resources().pd();
        assertSame(pd, second.id().resources().pd());
        first.close();
        assertFalse(pd.isClosed());
        second.close();
        assertTrue(pd.isClosed());
        try (SynchronousCmId third = bound()) {
            assertNotSame(pd, third.id().resources().pd());
        }
    }

    @Test
    void theDefaultDomainRemainsWhileTheProgramHasObjectsInIt() {
        SynchronousCmId first = bound();
        ProtectionDomain pd = first.id().resources().pd();
        MemoryRegion region = pd.allocate(64, Access.LOCAL_WRITE);
        first.close();
        assertFalse(pd.isClosed());
        region.close();
        try (SynchronousCmId second = bound()) {
            assertSame(pd, second.id().resources().pd());
        }
        assertTrue(pd.isClosed());
    }

    @Test
    void theDomainIsThatOfTheQueuePair() {
        try (ProtectionDomain own = context.allocatePd(); SynchronousCmId id = bound()) {
            id.createQueuePair(own, RC);
            assertSame(own, id.id().resources().pd());
        }
    }

    @Test
    void aQueuePairUsesTheSharedReceiveQueueOfItsId() {
        try (SynchronousCmId id = bound(); SynchronousCmId other = bound()) {
            SharedReceiveQueue srq = id.id().resources().createSrq(SrqInitAttributes.of(40, 1));
            assertSame(id.id().resources().pd(), srq.pd());
            QueuePair qp = id.createQueuePair(RC);
            assertSame(srq, qp.srq());
            assertTrue(qp.recvCq().cqe() >= 40, qp.recvCq()::toString);
            assertSame(srq, other.createQueuePair(RC.toBuilder().srq(srq).build()).srq());

            refused(Errno.EBUSY, "", id.id().resources()::destroySrq);
            assertSame(srq, id.id().resources().srq());
            other.id().destroyQueuePair();
            id.id().destroyQueuePair();
            id.id().resources().destroySrq();

            assertTrue(srq.isClosed());
            assertNull(id.id().resources().srq());
            assertNull(id.createQueuePair(RC).srq());
        }
    }

    @Test
    void theCloseOfAnIdDestroysItsSharedReceiveQueue() {
        SynchronousCmId id = bound();
        SharedReceiveQueue srq;
        try (ProtectionDomain pd = context.allocatePd(); id) {
            srq = id.id().resources().createSrq(pd, SrqInitAttributes.of(4, 1));
            id.createQueuePair(RC);
        }
        assertTrue(srq.isClosed());
        assertEquals(1, strict.open().size(), () -> "besides the context: " + strict.open());
    }

    @Test
    void objectsThatTheIdCannotHaveAreRefused() {
        SynchronousCmId id = bound();
        try (RdmaContext elsewhere = Verbs.open("soft:soft79");
                SynchronousCmId idle = SynchronousCmId.create(context, PortSpace.TCP)) {
            refused(Errno.EINVAL, "is not bound to a device", () -> idle.createQueuePair(RC));
            refused(Errno.EINVAL, "is not bound to a device", () -> idle.id().resources().pd());
            SrqInitAttributes attributes = SrqInitAttributes.of(4, 1);
            refused(Errno.EINVAL, "is not bound to a device", () -> idle.id().resources().createSrq(attributes));
            refused(Errno.EINVAL, "belongs to another context",
                    () -> id.id().resources().createSrq(elsewhere.allocatePd(), attributes));
            id.id().resources().createSrq(attributes);
            refused(Errno.EINVAL, "has a shared receive queue already",
                    () -> id.id().resources().createSrq(attributes));
            id.createQueuePair(RC);
            refused(Errno.EINVAL, "has a queue pair already", () -> id.createQueuePair(RC));
        }
        id.close();
        assertThrows(IllegalStateException.class, () -> id.id().resources().pd());
    }
}
