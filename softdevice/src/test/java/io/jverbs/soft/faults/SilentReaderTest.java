package io.jverbs.soft.faults;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Access;
import io.jverbs.CompletionQueue;
import io.jverbs.ConnectionInfo;
import io.jverbs.Gid;
import io.jverbs.MemoryRegion;
import io.jverbs.Mtu;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.control.DeviceCounters;
import io.jverbs.soft.LoopbackAddress;
import java.net.InetAddress;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A READ of much data from a peer that sends nothing more, and whose source address may be forged. */
@Timeout(60)
final class SilentReaderTest {
    private static final String DEVICE = LoopbackAddress.next();
    private static final String SELECTOR = "soft:" + DEVICE + "?fabric=wire";
    private static final String PEER = LoopbackAddress.next();
    private static final int BYTES = 1 << 30;
    /** The number of bytes that are sent immediately. */
    private static final long IMMEDIATE = 5 << 18;
    /** 1 Gbit/s. */
    private static final double BYTES_PER_NANO = 0.125;
    private static final long SLACK = 1 << 20;
    private static final long SECONDS = 20;

    private static long sent() {
        DeviceCounters counters = Verbs.select(SELECTOR).capability(DeviceCounters.class).orElseThrow();
        return counters.snapshot().get("sent_pkts") * 4096;
    }

    @Test
    void responsesToASilentReaderAreSentAtALimitedRate() throws Exception {
        try (RdmaContext context = Verbs.open(SELECTOR)) {
            ProtectionDomain pd = context.allocatePd();
            CompletionQueue cq = context.createCompletionQueue(1);
            QueuePair qp = pd
                    .createQueuePair(QpInitAttributes.builder(QpType.RC).cq(cq).maxSendWr(1).maxRecvWr(1).build());
            MemoryRegion memory = pd.allocate(BYTES, Access.LOCAL_WRITE | Access.REMOTE_READ);
            Gid gid = Gid.ofAddress(InetAddress.getByName(PEER));
            Connector.connect(qp, 0, new ConnectionInfo(77, 0, gid, Mtu.MTU_4096));
            try (RawPeer peer = new RawPeer(PEER, DEVICE, qp.number())) {
                long before = sent();
                long began = System.nanoTime();
                peer.read(0, memory.address(), memory.rkey(), BYTES);
                long deadline = began + TimeUnit.SECONDS.toNanos(SECONDS);
                long bytes = 0;
                // long enough to distinguish the limited rate from full speed
                while (bytes < IMMEDIATE + 100 * SLACK) {
                    bytes = sent() - before;
                    long most = IMMEDIATE + SLACK + (long) ((System.nanoTime() - began) * BYTES_PER_NANO);
                    long present = bytes;
                    assertTrue(present <= most, () -> present + " bytes were sent, and " + most + " are allowed");
                    assertTrue(System.nanoTime() < deadline, () -> "only " + present + " bytes were sent");
                    Thread.sleep(1);
                }
            }
        }
    }
}
