package io.jverbs.soft.processes;

import io.jverbs.Access;
import io.jverbs.CompletionQueue;
import io.jverbs.ConnectionInfo;
import io.jverbs.MemoryRegion;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import java.io.IOException;

/**
 * A process whose memory is the target of RDMA WRITEs. It connects its queue pairs and then waits until the connection
 * to the process that started it closes, or until it is killed.
 */
final class Target {
    static final int SIZE = 4096;

    private Target() {}

    /** What a writer needs to reach the memory: queue pair, address and rkey. */
    record Place(ConnectionInfo peer, long address, int rkey) {
        /** Sends the values of this side and receives those of the peer. */
        static Place exchange(PeerProcess.ControlChannel control, ConnectionInfo own, MemoryRegion region)
                throws IOException {
            ConnectionInfo peer = control.exchange(own);
            long[] place = control.exchange(region.address(), region.rkey());
            return new Place(peer, place[0], (int) place[1]);
        }
    }

    public static void main(String... arguments) throws IOException {
        int count = Integer.parseInt(arguments[2]);
        try (PeerProcess.ControlChannel control = PeerProcess.ControlChannel.connect(arguments[0]);
                RdmaContext context = Verbs.open(arguments[1])) {
            ProtectionDomain pd = context.allocatePd();
            CompletionQueue cq = context.createCompletionQueue(1);
            MemoryRegion region = pd.allocate(SIZE, Access.LOCAL_WRITE | Access.REMOTE_WRITE);
            for (int i = 0; i < count; i++) {
                QueuePair qp = pd.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(cq).build());
                qp.connect(Place.exchange(control, qp.localInfo(), region).peer());
            }
            control.barrier();
            control.barrier();
        }
    }
}
