package io.jverbs.ibverbs;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Access;
import io.jverbs.AddressHandle;
import io.jverbs.AhAttributes;
import io.jverbs.CompletionQueue;
import io.jverbs.Ece;
import io.jverbs.Errno;
import io.jverbs.Gid;
import io.jverbs.MemoryRegion;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.Verbs;
import io.jverbs.VerbsException;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import io.jverbs.ffm.NativeLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the native device with a stub of libibverbs, which refuses requests with more elements than the queue pair
 * allows. {@link NativeDataPathTest} runs it.
 */
class OnStubLibrary {
    private static final int EINVAL = Errno.EINVAL.code();

    private RdmaContext context;
    private ProtectionDomain pd;
    private CompletionQueue cq;
    private QueuePair connected;
    private QueuePair datagram;

    @BeforeEach
    void open() {
        context = Verbs.select("stub").open();
        pd = context.allocatePd();
        cq = context.createCompletionQueue(64);
        connected = queuePair(QpType.RC);
        datagram = queuePair(QpType.UD);
        variable("stub_refusal", Integer.BYTES).set(JAVA_INT, 0, EINVAL);
    }

    @AfterEach
    void close() {
        context.close();
    }

    private QueuePair queuePair(QpType type) {
        return pd.createQueuePair(QpInitAttributes.builder(type).cq(cq).maxSendWr(16).maxRecvWr(16).maxSendSge(1)
                .maxRecvSge(1).build());
    }

    @Test
    void theOptionsOfEceReachTheDriver() {
        assertEquals(new Ece(0x15B3, 0), connected.queryEce());
        connected.setEce(new Ece(0x15B3, 0x8000_0001));
        assertEquals(new Ece(0x15B3, 0x8000_0001), connected.queryEce());
        VerbsException refused = assertThrows(VerbsException.class, () -> connected.setEce(new Ece(0x2C9, 1)));
        assertEquals(Errno.EINVAL, refused.error());
        assertEquals(new Ece(0x15B3, 0x8000_0001), connected.queryEce());
    }

    @Test
    void theCreationFlagReachesTheDriver() {
        QpInitAttributes.Builder attributes = QpInitAttributes.builder(QpType.UD).cq(cq).maxSendWr(7);
        pd.createQueuePair(attributes.build());
        assertEquals(0, variable("stub_create_flags", Integer.BYTES).get(JAVA_INT, 0));

        QueuePair qp = pd.createQueuePair(attributes.blockSelfMulticastLoopback(true).build());
        assertEquals(2, variable("stub_create_flags", Integer.BYTES).get(JAVA_INT, 0));
        assertEquals(QpType.UD, qp.type());
        assertEquals(7, qp.capabilities().maxSendWr());
    }

    @Test
    void aDriverWithoutTheCreationFlagRefusesTheQueuePair() {
        variable("stub_create_flags_refusal", Integer.BYTES).set(JAVA_INT, 0, Errno.EOPNOTSUPP.code());
        VerbsException refused = assertThrows(VerbsException.class, () -> pd.createQueuePair(
                QpInitAttributes.builder(QpType.UD).cq(cq).blockSelfMulticastLoopback(true).build()));
        assertEquals(Errno.EOPNOTSUPP.code(), refused.errno());
        assertTrue(refused.getMessage().contains("blockSelfMulticastLoopback=true"), refused.getMessage());
    }

    @SuppressWarnings("restricted")
    private static MemorySegment variable(String name, long bytes) {
        return ((NativeLibrary.Usable) NativeLibrary.ibverbs()).symbols().find(name).orElseThrow().reinterpret(bytes);
    }

    private static long posts() {
        return variable("stub_posts", Long.BYTES).get(JAVA_LONG, 0);
    }

    private static SendWorkRequest send(long wrId, SendWorkRequest next) {
        return SendWorkRequest.create(2).opcode(WrOpcode.SEND).flags(SendFlags.SIGNALED).wrId(wrId).next(next);
    }

    private SendWorkRequest sendTo(AddressHandle handle, long wrId, SendWorkRequest next) {
        return send(wrId, next).destination(handle, 1, 2);
    }

    private AddressHandle addressHandle() {
        return pd.createAddressHandle(AhAttributes.to(Gid.parse("::ffff:192.0.2.1"), 1, 0));
    }

    private List<Long> completed() {
        WorkCompletions completions = WorkCompletions.create(16);
        int count = cq.poll(completions);
        List<Long> names = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            names.add(completions.wrId(i));
        }
        return names;
    }

    @Test
    void aPreparedRequestIsPostedUnchanged() {
        assertEquals(0, connected.tryPostSend(send(0x1234_5678_9ABCL, null)));
        assertEquals(List.of(0x1234_5678_9ABCL), completed());
    }

    @Test
    void aRefusedRequestIsReportedAndThoseBeforeItArePosted() {
        SendWorkRequest third = send(3, null);
        SendWorkRequest second = send(2, third).sgeCount(2);
        SendWorkRequest first = send(1, second);

        assertEquals(EINVAL, connected.tryPostSend(first));
        assertSame(second, first.failed());
        assertEquals(List.of(1L), completed());
    }

    @Test
    void aSingleRefusedRequestIsReported() {
        SendWorkRequest request = send(1, null).sgeCount(2);

        assertEquals(EINVAL, connected.tryPostSend(request));
        assertSame(request, request.failed());
        assertEquals(0, connected.tryPostSend(request.sgeCount(1)));
        assertNull(request.failed());
    }

    @Test
    void aNegativeErrnoOfTheDriverIsReturnedAsPositive() {
        variable("stub_refusal", Integer.BYTES).set(JAVA_INT, 0, -Errno.ENOMEM.code());
        SendWorkRequest second = send(2, null).sgeCount(2);

        assertEquals(Errno.ENOMEM.code(), connected.tryPostSend(second));
        assertEquals(Errno.ENOMEM.code(), connected.tryPostSend(send(1, second)));
    }

    @Test
    void aDatagramWithoutAddressHandleIsNotPassedToTheDriver() {
        long before = posts();
        SendWorkRequest request = send(1, null);

        assertEquals(EINVAL, datagram.tryPostSend(request));
        assertSame(request, request.failed());
        assertEquals(before, posts());
    }

    @Test
    void aDatagramWithAnAddressHandleOfAnotherContextIsNotPassedToTheDriver() {
        long before = posts();
        try (RdmaContext other = Verbs.select("stub").open()) {
            AddressHandle theirs = other.allocatePd()
                    .createAddressHandle(AhAttributes.to(Gid.parse("::ffff:192.0.2.1"), 1, 0));

            assertEquals(EINVAL, datagram.tryPostSend(sendTo(theirs, 1, null)));
        }
        assertEquals(before, posts());
    }

    @Test
    void aChainIsPostedUpToItsFirstBadDatagram() {
        AddressHandle handle = addressHandle();
        SendWorkRequest third = sendTo(handle, 3, null);
        SendWorkRequest second = sendTo(null, 2, third);
        SendWorkRequest first = sendTo(handle, 1, second);

        assertEquals(EINVAL, datagram.tryPostSend(first));
        assertSame(second, first.failed());
        assertEquals(List.of(1L), completed());
    }

    @Test
    void aCutChainIsRestoredAfterThePost() {
        AddressHandle handle = addressHandle();
        SendWorkRequest second = sendTo(null, 2, sendTo(handle, 3, null));
        SendWorkRequest first = sendTo(handle, 1, second);
        assertEquals(EINVAL, datagram.tryPostSend(first));
        completed();

        second.destination(handle, 1, 2);

        assertEquals(0, datagram.tryPostSend(first));
        assertEquals(List.of(1L, 2L, 3L), completed());
    }

    /** M37: a driver may have more room than it reports. */
    @Test
    void aChainLongerThanTheReportedRoomIsPostedUpToItsFirstBadDatagram() {
        AddressHandle handle = addressHandle();
        int posted = 3 * datagram.capabilities().maxSendWr();
        SendWorkRequest bad = sendTo(null, posted, sendTo(handle, posted + 1, null));
        SendWorkRequest first = bad;
        for (int i = posted - 1; i >= 0; i--) {
            first = sendTo(handle, i, first);
        }

        assertEquals(EINVAL, datagram.tryPostSend(first));
        assertSame(bad, first.failed());
        assertEquals(LongStream.range(0, posted).boxed().toList(), allCompleted());
    }

    /** E1: the chain never ends, so the driver refuses the request that finds its queue full. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 8})
    void aCyclicChainIsPostedUntilTheDriverRefuses(int length) {
        AddressHandle handle = addressHandle();
        SendWorkRequest last = sendTo(handle, length - 1, null);
        SendWorkRequest first = last;
        for (int i = length - 2; i >= 0; i--) {
            first = sendTo(handle, i, first);
        }
        SendWorkRequest lead = sendTo(handle, length, first);
        last.next(first);

        assertEquals(Errno.ENOMEM.code(), datagram.tryPostSend(lead));
        List<Long> completed = allCompleted();
        assertEquals(length, completed.getFirst());
        for (int i = 1; i < completed.size(); i++) {
            assertEquals((i - 1) % length, completed.get(i));
        }
        assertTrue(completed.size() > datagram.capabilities().maxSendWr(), () -> completed.size() + " posted");
    }

    private List<Long> allCompleted() {
        List<Long> all = new ArrayList<>();
        List<Long> some;
        while (!(some = completed()).isEmpty()) {
            all.addAll(some);
        }
        return all;
    }

    @Test
    void aRefusalByTheDriverBeforeTheCutIsReported() {
        AddressHandle handle = addressHandle();
        SendWorkRequest second = sendTo(handle, 2, sendTo(null, 3, null)).sgeCount(2);
        SendWorkRequest first = sendTo(handle, 1, second);

        assertEquals(EINVAL, datagram.tryPostSend(first));
        assertSame(second, first.failed());
        assertEquals(List.of(1L), completed());
    }

    @Test
    void unsupportedOpcodesAreNotPassedToTheDriver() {
        long before = posts();
        for (int opcode : new int[] {-1, WrOpcode.SEND_WITH_INV.code() + 1, Integer.MIN_VALUE}) {
            assertEquals(EINVAL, connected.tryPostSend(send(1, null).opcode(opcode)), () -> "opcode " + opcode);
        }
        assertEquals(before, posts());
    }

    @Test
    void aBindWithoutWindowIsNotPassedToTheDriver() {
        long before = posts();

        assertEquals(EINVAL, connected.tryPostSend(send(1, null).opcode(WrOpcode.BIND_MW)));
        assertEquals(before, posts());
    }

    @Test
    void aRefusedReceiveIsReported() {
        ReceiveWorkRequest second = ReceiveWorkRequest.create(2).sgeCount(2);
        ReceiveWorkRequest first = ReceiveWorkRequest.create(2).next(second);

        assertEquals(EINVAL, connected.tryPostReceive(first));
        assertSame(second, first.failed());
    }

    private void assertRefusedAsAWhole(QueuePair qp, SendWorkRequest bad) {
        long before = posts();
        AddressHandle open = addressHandle();
        assertThrows(IllegalStateException.class, () -> qp.tryPostSend(bad));
        SendWorkRequest first = sendTo(open, 1, sendTo(open, 2, bad.next(sendTo(open, 4, null))));
        assertThrows(IllegalStateException.class, () -> qp.tryPostSend(first));
        assertEquals(before, posts());
        assertEquals(List.of(), completed());
    }

    @Test
    void aChainWithAClosedRegionIsRefusedAsAWhole() {
        MemoryRegion region = pd.allocate(64, Access.LOCAL_WRITE);
        SendWorkRequest request = send(3, null).sge(region, 0, 8);
        region.close();

        assertRefusedAsAWhole(connected, request);
        assertRefusedAsAWhole(datagram, sendTo(addressHandle(), 3, null).sge(1, region, 0, 8));
    }

    @Test
    void aChainWithASegmentOfAClosedArenaIsRefusedAsAWhole() {
        Arena arena = Arena.ofShared();
        SendWorkRequest request = send(3, null).flags(SendFlags.INLINE).sge(0, arena.allocate(8));
        arena.close();

        assertRefusedAsAWhole(connected, request);
    }

    @Test
    void aChainWithAClosedAddressHandleIsRefusedAsAWhole() {
        AddressHandle handle = addressHandle();
        SendWorkRequest request = sendTo(handle, 3, null);
        handle.close();

        assertRefusedAsAWhole(datagram, request);
    }

    @Test
    void aReceiveWithAClosedRegionIsRefused() {
        MemoryRegion region = pd.allocate(64, Access.LOCAL_WRITE);
        ReceiveWorkRequest second = ReceiveWorkRequest.create(1).sge(region, 0, 8);
        ReceiveWorkRequest first = ReceiveWorkRequest.create(1).next(second);
        region.close();

        assertThrows(IllegalStateException.class, () -> connected.tryPostReceive(first));
        assertThrows(IllegalStateException.class, () -> connected.tryPostReceive(second));
    }

    @Test
    void requestMemoryIsReadOnlyForPrograms() {
        assertTrue(send(1, null).memory().isReadOnly());
        assertTrue(ReceiveWorkRequest.create(1).memory().isReadOnly());
    }
}
