package io.jverbs.soft.errors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Access;
import io.jverbs.AddressHandle;
import io.jverbs.AhAttributes;
import io.jverbs.CompletionChannel;
import io.jverbs.CompletionQueue;
import io.jverbs.Errno;
import io.jverbs.GidEntry;
import io.jverbs.MemoryRegion;
import io.jverbs.MemoryWindow;
import io.jverbs.MwBind;
import io.jverbs.MwType;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpAttributes;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.Reregistration;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.SharedReceiveQueue;
import io.jverbs.SrqInitAttributes;
import io.jverbs.Verbs;
import io.jverbs.VerbsException;
import io.jverbs.WorkCompletions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Catalogue A3: objects of another context, of the same device or of another one, are refused with EINVAL before
 * anything else is checked. The message names the argument and both devices.
 */
@ParameterizedClass
@ValueSource(strings = {"soft:soft0", "soft:soft1"})
final class ForeignObjectsTest {
    private static final int ALL = Access.LOCAL_WRITE | Access.REMOTE_WRITE | Access.MW_BIND;
    private static final int EINVAL = Errno.EINVAL.code();

    @Parameter
    String otherDevice;

    private RdmaContext context;
    private RdmaContext other;
    private ProtectionDomain pd;
    private ProtectionDomain otherPd;
    private CompletionQueue cq;
    private MemoryRegion region;
    private MemoryRegion otherRegion;
    private final WorkCompletions completions = WorkCompletions.create(4);

    @BeforeEach
    void open() {
        context = Verbs.select("soft:soft0").open();
        other = Verbs.select(otherDevice).open();
        pd = context.allocatePd();
        otherPd = other.allocatePd();
        cq = context.createCompletionQueue(16);
        region = pd.allocate(64, ALL);
        otherRegion = otherPd.allocate(64, ALL);
    }

    @AfterEach
    void close() {
        other.close();
        context.close();
    }

    private void assertRefused(String operation, String argument, Executable call) {
        VerbsException refusal = assertThrows(VerbsException.class, call);
        assertEquals(Errno.EINVAL, refusal.error());
        assertEquals(operation, refusal.operation());
        String message = refusal.getMessage();
        assertTrue(message.contains(argument + " belongs to another context, which is open on device " + otherDevice
                + "; this context is open on device soft:soft0"), message);
    }

    private QpInitAttributes.Builder attributes() {
        return QpInitAttributes.builder(QpType.RC).cq(cq);
    }

    private enum QueueOfAQueuePair {
        sendCq,
        recvCq,
        srq
    }

    @ParameterizedTest
    @EnumSource
    void queuesOfAQueuePair(QueueOfAQueuePair argument) {
        CompletionQueue otherCq = other.createCompletionQueue(16);
        SharedReceiveQueue otherSrq = otherPd.createSharedReceiveQueue(SrqInitAttributes.of(4, 1));
        // the number of requests is illegal too: it must not be what is reported
        QpInitAttributes.Builder attributes = attributes().maxSendWr(-1);
        switch (argument) {
            case sendCq -> attributes.sendCq(otherCq);
            case recvCq -> attributes.recvCq(otherCq);
            case srq -> attributes.srq(otherSrq);
        }

        assertRefused("create_qp", argument.name(), () -> pd.createQueuePair(attributes.build()));
        otherCq.close();
        otherSrq.close();
    }

    @Test
    void theChannelOfACompletionQueue() {
        CompletionChannel channel = other.createCompletionChannel();

        assertRefused("create_cq", "channel", () -> context.createCompletionQueue(-1, channel));
        channel.close();
    }

    @Test
    void theNewDomainOfARegion() {
        Reregistration change = Reregistration.builder().pd(otherPd).access(-1).build();

        assertRefused("rereg_mr", "pd", () -> region.reregister(change));
        assertSame(pd, region.pd());
        assertEquals(ALL, region.access());
    }

    @Test
    void theWindowAndTheRegionOfATypeOneBind() {
        QueuePair qp = pd.createQueuePair(attributes().build());
        MwBind whole = new MwBind(region, region.address(), 64, Access.REMOTE_WRITE);
        MwBind theirs = new MwBind(otherRegion, otherRegion.address(), 64, Access.REMOTE_WRITE);
        MemoryWindow window = pd.allocateMemoryWindow(MwType.TYPE_1);
        MemoryWindow otherWindow = otherPd.allocateMemoryWindow(MwType.TYPE_1);
        int rkey = window.rkey();

        assertRefused("bind_mw", "window", () -> qp.bindMemoryWindow(otherWindow, 1, 0, whole));
        assertRefused("bind_mw", "bind.region", () -> qp.bindMemoryWindow(window, 1, 0, theirs));
        assertEquals(rkey, window.rkey());
    }

    /** The parts of a send request that can name an object of another context. */
    private enum Named {
        ONLY_REGION("the region of element 0"),
        REGION("the region of element 1"),
        ADDRESS_HANDLE("the address handle"),
        WINDOW("the window"),
        BIND_REGION("the region to bind");

        private final String argument;

        Named(String argument) {
            this.argument = argument;
        }
    }

    private SendWorkRequest send() {
        return SendWorkRequest.create(2).flags(SendFlags.SIGNALED).sge(region, 0, 8);
    }

    private SendWorkRequest naming(Named named) {
        SendWorkRequest request = send();
        return switch (named) {
            case ONLY_REGION -> request.sge(otherRegion, 0, 8);
            case REGION -> request.sge(1, otherRegion, 0, 8);
            case ADDRESS_HANDLE -> request.destination(otherAddressHandle(), 1, 0);
            case WINDOW -> bind(request, otherPd, region);
            case BIND_REGION -> bind(request, pd, otherRegion);
        };
    }

    private AddressHandle otherAddressHandle() {
        GidEntry gid = other.preferredGid(1);
        return otherPd.createAddressHandle(AhAttributes.to(gid.gid(), 1, gid.index()));
    }

    private static SendWorkRequest bind(SendWorkRequest request, ProtectionDomain domain, MemoryRegion to) {
        MemoryWindow window = domain.allocateMemoryWindow(MwType.TYPE_2);
        return request.sgeCount(0).bind(window, window.rkey(), new MwBind(to, to.address(), 8, Access.REMOTE_WRITE));
    }

    /** Moves a queue pair to ERR, in which it accepts and flushes requests. */
    private QueuePair flushing(QpInitAttributes.Builder attributes) {
        QueuePair qp = pd.createQueuePair(attributes.build());
        qp.modify(QpAttributes.builder().state(QpState.INIT).pkeyIndex(0).port(1).accessFlags(0).build());
        qp.modify(QpAttributes.builder().state(QpState.ERR).build());
        return qp;
    }

    @ParameterizedTest
    @EnumSource
    void whatASendRequestNames(Named named) {
        QueuePair qp = flushing(attributes().maxSendSge(2));
        SendWorkRequest alone = naming(named);
        SendWorkRequest first = send().next(naming(named).next(send()));

        assertRefused("post_send", "in request 0 of the chain, " + named.argument, () -> qp.postSend(alone));
        assertSame(alone, alone.failed());
        assertEquals(EINVAL, qp.tryPostSend(alone));
        assertRefused("post_send", "in request 1 of the chain, " + named.argument, () -> qp.postSend(first));
        assertSame(first, first.failed(), "no request is posted");
        assertEquals(0, cq.poll(completions));
        assertEquals(0, qp.tryPostSend(first.next(null)));
        assertNull(first.failed());
        assertEquals(1, cq.poll(completions));
    }

    @Test
    void theStateOfTheQueuePairIsNotWhatIsReported() {
        QueuePair reset = pd.createQueuePair(attributes().build());

        assertRefused("post_send", "the region of element 0", () -> reset.postSend(naming(Named.ONLY_REGION)));
    }

    @Test
    void theRegionsOfAReceiveRequest() {
        QueuePair qp = flushing(attributes().maxRecvSge(2));
        ReceiveWorkRequest second = ReceiveWorkRequest.create(2).sge(region, 0, 8).sge(1, otherRegion, 0, 8);
        ReceiveWorkRequest first = ReceiveWorkRequest.create(1).sge(region, 0, 8).next(second);

        assertRefused("post_recv", "in request 0 of the chain, the region of element 1",
                () -> qp.postReceive(second));
        assertRefused("post_recv", "in request 1 of the chain, the region of element 1", () -> qp.postReceive(first));
        assertSame(first, first.failed());
        assertEquals(EINVAL, qp.tryPostReceive(first));
        assertEquals(0, cq.poll(completions));
        assertEquals(0, qp.tryPostReceive(first.next(null)));
    }

    @Test
    void theRegionsOfARequestForASharedReceiveQueue() {
        SharedReceiveQueue srq = pd.createSharedReceiveQueue(SrqInitAttributes.of(1, 1));
        ReceiveWorkRequest second = ReceiveWorkRequest.create(1).sge(otherRegion, 0, 8);
        ReceiveWorkRequest first = ReceiveWorkRequest.create(1).sge(region, 0, 8).next(second);

        assertRefused("post_srq_recv", "in request 1 of the chain, the region of element 0",
                () -> srq.postReceive(first));
        assertSame(first, first.failed());
        assertEquals(EINVAL, srq.tryPostReceive(first));
        assertEquals(0, srq.tryPostReceive(first.next(null)), "the queue is still empty");
    }
}
