package io.jverbs.soft.layers.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.jverbs.Access;
import io.jverbs.AddressHandle;
import io.jverbs.AhAttributes;
import io.jverbs.AsyncEventType;
import io.jverbs.CompletionQueue;
import io.jverbs.Errno;
import io.jverbs.Gid;
import io.jverbs.MemoryWindow;
import io.jverbs.MwBind;
import io.jverbs.MwType;
import io.jverbs.QpAttributes;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.Reregistration;
import io.jverbs.SendFlags;
import io.jverbs.SharedReceiveQueue;
import io.jverbs.SrqInitAttributes;
import io.jverbs.SrqModification;
import io.jverbs.VerbsException;
import io.jverbs.fault.FaultInjection;
import io.jverbs.soft.layers.LayeredPair;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Catalogue J11: a device that fault injection makes fail permanently. */
final class FaultyDeviceTest {
    private static final Gid GROUP = Gid.parse("ff0e::7");
    private static final int EIO = Errno.EIO.code();

    private final FaultInjection faults = FaultInjection.of();
    private LayeredPair pair;
    private QueuePair datagrams;
    private SharedReceiveQueue srq;
    private MemoryWindow window;
    private AddressHandle address;
    private CompletionQueue spare;

    @BeforeEach
    void make() throws InterruptedException {
        pair = new LayeredPair(faults);
        srq = pair.pd.createSharedReceiveQueue(SrqInitAttributes.of(8, 1));
        datagrams = pair.pd.createQueuePair(
                QpInitAttributes.builder(QpType.UD).sendCq(pair.sendCq).recvCq(pair.recvCq).build());
        datagrams.attachMulticast(GROUP, 0);
        window = pair.pd.allocateMemoryWindow(MwType.TYPE_1);
        address = pair.pd.createAddressHandle(ownAddress());
        spare = pair.context.createCompletionQueue(4);
    }

    private AhAttributes ownAddress() {
        return AhAttributes.to(pair.sender.localInfo().gid(), 1, pair.context.preferredGid(1).index());
    }

    private void fail() throws InterruptedException {
        faults.raise(AsyncEventType.DEVICE_FATAL, pair.sender);
        assertEquals(AsyncEventType.DEVICE_FATAL, pair.context.awaitAsyncEvent(Duration.ZERO).type());
    }

    @Test
    void allVerbsExceptThoseThatReleaseObjectsFailWithEio() throws InterruptedException {
        AhAttributes to = ownAddress();
        Map<String, Executable> verbs = new TreeMap<>();
        verbs.put("query_device", () -> pair.context.queryDevice());
        verbs.put("query_port", () -> pair.context.queryPort(1));
        verbs.put("query_gid", () -> pair.context.queryGid(1, 0));
        verbs.put("query_gid_ex", () -> pair.context.queryGidEntry(1, 0));
        verbs.put("query_gid_table", () -> pair.context.queryGidTable());
        verbs.put("query_pkey", () -> pair.context.queryPkey(1, 0));
        verbs.put("alloc_pd", () -> pair.context.allocatePd());
        verbs.put("reg_mr", () -> pair.pd.allocate(64, 0));
        verbs.put("rereg_mr", () -> pair.source.reregister(Reregistration.builder().access(0).build()));
        verbs.put("alloc_mw", () -> pair.pd.allocateMemoryWindow(MwType.TYPE_1));
        verbs.put("bind_mw", () -> pair.sender.bindMemoryWindow(window, 1, SendFlags.SIGNALED,
                new MwBind(pair.target, pair.target.address(), 8, Access.REMOTE_READ)));
        verbs.put("create_comp_channel", () -> pair.context.createCompletionChannel());
        verbs.put("create_cq", () -> pair.context.createCompletionQueue(4));
        verbs.put("resize_cq", () -> spare.resize(8));
        verbs.put("req_notify_cq", () -> pair.sendCq.requestNotification(false));
        verbs.put("create_qp", () -> pair.pd.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(spare).build()));
        verbs.put("modify_qp", () -> pair.sender.modify(QpAttributes.builder().state(QpState.RESET).build()));
        verbs.put("query_qp", () -> pair.sender.query());
        verbs.put("attach_mcast", () -> datagrams.attachMulticast(Gid.parse("ff0e::8"), 0));
        verbs.put("create_srq", () -> pair.pd.createSharedReceiveQueue(SrqInitAttributes.of(8, 1)));
        verbs.put("modify_srq", () -> srq.modify(SrqModification.ofLimit(1)));
        verbs.put("query_srq", () -> srq.query());
        verbs.put("create_ah", () -> pair.pd.createAddressHandle(to));
        fail();
        verbs.forEach((operation, verb) -> {
            VerbsException refused = assertThrows(VerbsException.class, verb, operation);
            assertEquals(Errno.EIO, refused.error(), operation);
            assertEquals(operation, refused.operation());
        });
        assertEquals(EIO, pair.sender.tryPostSend(pair.write(1, SendFlags.SIGNALED)));
        assertEquals(EIO, pair.sender.tryPostReceive(pair.receive(1)));
        assertEquals(EIO, srq.tryPostReceive(pair.receive(1)));
        pair.close();
    }

    @Test
    void outstandingRequestsAreFlushedAndAllObjectsCanBeClosed() throws InterruptedException {
        pair.receiver.postReceive(pair.receive(7));
        fail();
        assertEquals(List.of("7 WR_FLUSH_ERR"), pair.polled(pair.recvCq));
        datagrams.detachMulticast(GROUP, 0);
        datagrams.close();
        srq.close();
        window.close();
        address.close();
        spare.close();
        pair.sender.close();
        pair.receiver.close();
        pair.source.close();
        pair.target.close();
        pair.sendCq.close();
        pair.recvCq.close();
        pair.channel.close();
        pair.pd.close();
        pair.close();
    }
}
