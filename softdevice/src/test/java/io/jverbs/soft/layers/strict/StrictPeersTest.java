package io.jverbs.soft.layers.strict;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.jverbs.Access;
import io.jverbs.AhAttributes;
import io.jverbs.GidEntry;
import io.jverbs.MemoryRegion;
import io.jverbs.Mtu;
import io.jverbs.QpAttributes;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WrOpcode;
import io.jverbs.control.PortControl;
import io.jverbs.soft.layers.LayeredPair;
import io.jverbs.spi.ContextOps;
import io.jverbs.spi.DeviceLayer;
import io.jverbs.spi.ForwardingContext;
import io.jverbs.spi.Handle;
import io.jverbs.spi.ProviderDevice;
import io.jverbs.strict.StrictMode;
import io.jverbs.strict.StrictViolationException;
import io.jverbs.strict.Violation.Kind;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Checks what strict mode reports on two queue pairs that communicate, and what is legal. */
final class StrictPeersTest extends StrictReports {
    private static final int SIGNALED = SendFlags.SIGNALED;

    @Test
    void aKeyOfADeregisteredRegionIsReportedWithThePlaceOfItsDeregistration() {
        try (LayeredPair pair = new LayeredPair(strict)) {
            SendWorkRequest write = pair.write(1, SIGNALED);
            pair.sender.postSend(write);
            pair.await(pair.sendCq, 1);
            assertNothingFound();
            pair.target.close();
            pair.sender.postSend(write);
            assertFound(Kind.STALE_RKEY, "deregistered at " + StrictPeersTest.class.getName(), "REM_ACCESS_ERR");
        }
    }

    @Test
    void keysOfRegisteredRegionsAreLegal() {
        try (LayeredPair pair = new LayeredPair(strict)) {
            for (int i = 0; i < 50; i++) {
                pair.pd.allocate(64, Access.LOCAL_WRITE | Access.REMOTE_WRITE).close();
                try (MemoryRegion fresh = pair.pd.allocate(64, Access.LOCAL_WRITE | Access.REMOTE_WRITE)) {
                    pair.sender.postSend(pair.write(i, SIGNALED).remote(fresh.address(), fresh.rkey()));
                    pair.await(pair.sendCq, 1);
                }
            }
            assertNothingFound();
        }
    }

    /** Catalogue B27, F43: such a request can serve as a doorbell. */
    @Test
    void anInvalidKeyIsLegalForAnEmptyOperation() {
        try (LayeredPair pair = new LayeredPair(strict)) {
            int key = pair.target.rkey();
            pair.target.close();
            for (WrOpcode opcode : List.of(WrOpcode.RDMA_WRITE, WrOpcode.RDMA_WRITE_WITH_IMM, WrOpcode.RDMA_READ)) {
                pair.receiver.postReceive(ReceiveWorkRequest.create(0));
                pair.sender.postSend(SendWorkRequest.create(1).opcode(opcode).flags(SIGNALED).sge(pair.source, 0, 0)
                        .remote(0, key));
                assertEquals(List.of("0 SUCCESS"), pair.await(pair.sendCq, 1));
            }
            assertNothingFound();
        }
    }

    static void connectWith(LayeredPair pair, Mtu mtu, int maxRdAtomic, int pkeyIndex) {
        for (QueuePair qp : List.of(pair.sender, pair.receiver)) {
            qp.modify(QpAttributes.builder().state(QpState.RESET).build());
        }
        pair.receiver.connect(pair.sender.localInfo());
        QueuePair qp = pair.sender;
        qp.modify(QpAttributes.builder().state(QpState.INIT).pkeyIndex(pkeyIndex).port(1).accessFlags(0).build());
        qp.modify(QpAttributes.builder().state(QpState.RTR)
                .addressVector(
                        AhAttributes.to(pair.receiver.localInfo().gid(), 1, pair.context.preferredGid(1).index()))
                .pathMtu(mtu).destinationQpn(pair.receiver.number()).rqPsn(pair.receiver.localInfo().psn())
                .maxDestRdAtomic(16).minRnrTimer(1).build());
        qp.modify(QpAttributes.builder().state(QpState.RTS).sqPsn(qp.localInfo().psn()).timeout(14).retryCount(7)
                .rnrRetry(7).maxRdAtomic(maxRdAtomic).build());
    }

    @Test
    void differentPathMtusAreReported() {
        try (LayeredPair pair = new LayeredPair(strict)) {
            connectWith(pair, Mtu.MTU_1024, 16, 0);
            assertFound(Kind.MTU_MISMATCH, "1024", "4096");
        }
    }

    @Test
    void aThrowingStrictModeDoesNotModifyTheQueuePair() {
        try (LayeredPair pair = new LayeredPair(StrictMode.throwing())) {
            StrictViolationException refused = assertThrows(StrictViolationException.class,
                    () -> connectWith(pair, Mtu.MTU_1024, 16, 0));
            assertEquals(Kind.MTU_MISMATCH, refused.violation().kind());
            assertEquals(QpState.INIT, pair.sender.state());
        }
    }

    @Test
    void aMaxRdAtomicAboveThatOfThePeerIsReported() {
        try (LayeredPair pair = new LayeredPair(strict)) {
            connectWith(pair, Mtu.MTU_4096, 17, 0);
            assertFound(Kind.TOO_MANY_READS_FOR_PEER, "17", "16");
        }
    }

    @Test
    void peersInDifferentPartitionsAreReported() {
        try (LayeredPair pair = new LayeredPair(strict)) {
            PortControl port = pair.context.capability(PortControl.class).orElseThrow();
            port.setPkey(1, 5, 0x8123);
            try {
                connectWith(pair, Mtu.MTU_4096, 16, 5);
            } finally {
                port.setPkey(1, 5, 0);
            }
            assertFound(Kind.PKEY_MISMATCH, "0x8123", "0xffff");
        }
    }

    @Test
    void matchingPeersAreLegal() {
        try (LayeredPair pair = new LayeredPair(strict)) {
            connectWith(pair, Mtu.MTU_4096, 1, 0);
            pair.sender.postSend(pair.write(1, SIGNALED));
            pair.await(pair.sendCq, 1);
            assertNothingFound();
        }
    }

    private static SendWorkRequest datagram(LayeredPair pair, QueuePair to, int qkey) {
        return SendWorkRequest.create(0).flags(SIGNALED).destination(pair.loopbackAddress(), to.number(), qkey);
    }

    @Test
    void aDatagramWithAWrongQkeyIsReported() {
        try (LayeredPair pair = new LayeredPair(strict)) {
            QueuePair from = pair.datagramQueuePair(0x11, 0);
            QueuePair to = pair.datagramQueuePair(0x22, 0);
            from.postSend(datagram(pair, to, 0x22));
            assertNothingFound();
            from.postSend(datagram(pair, to, 0x23));
            assertFound(Kind.QKEY_MISMATCH, "0x23", "0x22");
        }
    }

    /** Counts the queries of a device. */
    private static final class QueryCounter implements DeviceLayer {
        final AtomicInteger count = new AtomicInteger();

        @Override
        public int position() {
            return DEVICE;
        }

        @Override
        public ContextOps wrap(ProviderDevice device, ContextOps inner) {
            return new ForwardingContext(inner) {
                @Override
                public List<GidEntry> queryGidTable() {
                    count.incrementAndGet();
                    return super.queryGidTable();
                }

                @Override
                public QpAttributes queryQp(Handle.Qp qp) {
                    count.incrementAndGet();
                    return super.queryQp(qp);
                }
            };
        }
    }

    @Test
    void aValidDatagramCausesNoQueryOfTheDevice() {
        QueryCounter queries = new QueryCounter();
        try (LayeredPair pair = new LayeredPair(strict, queries)) {
            QueuePair from = pair.datagramQueuePair(0x11, 0);
            QueuePair to = pair.datagramQueuePair(0x22, 0);
            SendWorkRequest valid = datagram(pair, to, 0x22);
            int before = queries.count.get();
            from.postSend(valid);
            assertEquals(before, queries.count.get());
            assertNothingFound();
        }
    }

    @Test
    void aQkeyWithBit31SelectsThatOfTheSender() {
        try (LayeredPair pair = new LayeredPair(strict)) {
            QueuePair from = pair.datagramQueuePair(0x22, 0);
            QueuePair same = pair.datagramQueuePair(0x22, 0);
            QueuePair other = pair.datagramQueuePair(0x33, 0);
            from.postSend(datagram(pair, same, 0x8000_0001));
            assertNothingFound();
            from.postSend(datagram(pair, other, 0x8000_0033));
            assertFound(Kind.QKEY_MISMATCH, "bit 31");
        }
    }

    @Test
    void aDatagramToAnotherPartitionIsReported() {
        try (LayeredPair pair = new LayeredPair(strict)) {
            PortControl port = pair.context.capability(PortControl.class).orElseThrow();
            port.setPkey(1, 6, 0x8222);
            try {
                QueuePair from = pair.datagramQueuePair(0x22, 0);
                QueuePair to = pair.datagramQueuePair(0x22, 6);
                from.postSend(datagram(pair, to, 0x22));
            } finally {
                port.setPkey(1, 6, 0);
            }
            assertFound(Kind.PKEY_MISMATCH, "0x8222");
        }
    }

    @Test
    void peersWithoutStrictModeAreNotChecked() {
        try (LayeredPair lenient = new LayeredPair(); LayeredPair pair = new LayeredPair(strict)) {
            QueuePair qp = pair.pd.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(pair.sendCq).build());
            QueuePair peer = lenient.pd.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(lenient.sendCq).build());
            peer.connect(qp.localInfo());
            LayeredPair.connectWithoutRnrRetry(pair.context, qp, peer);
            peer.postReceive(ReceiveWorkRequest.create(0));
            qp.postSend(SendWorkRequest.create(0).flags(SIGNALED));
            pair.await(pair.sendCq, 1);
            assertNothingFound();
            assertNull(lenient.context.capability(StrictMode.class).orElse(null));
        }
    }

    @Test
    void readsAndAtomicsAreLegal() {
        try (LayeredPair pair = new LayeredPair(strict)) {
            MemoryRegion words = pair.pd.allocate(64, Access.LOCAL_WRITE | Access.REMOTE_ATOMIC | Access.REMOTE_READ);
            for (int i = 0; i < 3 * LayeredPair.DEPTH; i++) {
                pair.sender.postSend(SendWorkRequest.create(1).flags(SIGNALED).sge(pair.source, 8, 8)
                        .fetchAndAdd(words.address(), words.rkey(), 1));
                pair.sender.postSend(SendWorkRequest.create(1).opcode(WrOpcode.RDMA_READ).flags(SIGNALED)
                        .sge(pair.source, 16, 8).remote(words.address(), words.rkey()));
                pair.await(pair.sendCq, 2);
            }
            assertNothingFound();
        }
    }
}
