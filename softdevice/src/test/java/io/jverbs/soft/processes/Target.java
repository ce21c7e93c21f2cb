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

/** A process whose memory others write: it connects its queue pairs and does nothing more, until its line or its life ends. */
final class Target {
    static final int SIZE = 4096;

    private Target() {}

    /** What a writer needs to know. */
    record Place(ConnectionInfo peer, long address, int rkey) {
        /** Tells our side and hears the other one. */
        static Place exchange(PeerProcess.Line line, ConnectionInfo own, MemoryRegion region) throws IOException {
            ConnectionInfo peer = line.exchange(own);
            long[] place = line.exchange(region.address(), region.rkey());
            return new Place(peer, place[0], (int) place[1]);
        }
    }

    public static void main(String... arguments) throws IOException {
        int count = Integer.parseInt(arguments[2]);
        try (PeerProcess.Line line = PeerProcess.Line.call(arguments[0]);
                RdmaContext context = Verbs.open(arguments[1])) {
            ProtectionDomain pd = context.allocatePd();
            CompletionQueue cq = context.createCompletionQueue(1);
            MemoryRegion region = pd.allocate(SIZE, Access.LOCAL_WRITE | Access.REMOTE_WRITE);
            for (int i = 0; i < count; i++) {
                QueuePair qp = pd.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(cq).build());
                qp.connect(Place.exchange(line, qp.localInfo(), region).peer());
            }
            line.meet();
            line.meet();
        }
    }
}
