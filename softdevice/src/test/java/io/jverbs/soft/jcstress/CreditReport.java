package io.jverbs.soft.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.jverbs.Access;
import io.jverbs.QpType;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.soft.memory.SoftMr;
import io.jverbs.soft.protocol.Message;
import io.jverbs.soft.protocol.PacketAddresses;
import io.jverbs.soft.protocol.Traffic;
import io.jverbs.soft.transport.BareDevice;
import io.jverbs.soft.transport.BareQueuePair;
import io.jverbs.soft.transport.RecordedService;
import io.jverbs.soft.transport.ResponderProtocol;
import io.jverbs.soft.wire.PacketView;
import java.lang.foreign.MemorySegment;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A receive request is posted while the responder states its credits. If they do not include the request, the post is
 * reported after that.
 */
@Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "The credits include the request.")
@Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "The credits do not include the request, and it was reported.")
@Outcome(id = "0, 0", expect = FORBIDDEN, desc = "The peer does not learn of the request.")
@Outcome(expect = FORBIDDEN, desc = "The credits or the reports are impossible.")
public final class CreditReport {
    private CreditReport() {}

    /** A queue pair whose responder records, instead of sending them, the credits and the reports. From a pool. */
    private static final class Receiver extends ResponderProtocol {
        private static final Queue<Receiver> POOL = new ConcurrentLinkedQueue<>();
        private static final int NOT_STATED = -1;
        private static final int MTU = 256;

        private final BareDevice device = BareDevice.withWire();
        private final RecordedService service = new RecordedService(device.service(QpType.RC), this);
        private final BareQueuePair pair = device.create(service, 5, null);
        private final MemorySegment memory = BareDevice.memory(Long.BYTES);
        private final SoftMr region = device.register(memory, Access.LOCAL_WRITE);
        private final ReceiveWorkRequest request = ReceiveWorkRequest.create(1).sge(0, memory.address(), Long.BYTES,
                region.lkey());
        /** The latest credits and the number of reports of receive requests that they do not include. */
        private int stated = NOT_STATED;
        private int reports;

        private Receiver() {
            pair.qp.settings().pathMtu = MTU;
            connect();
        }

        static Receiver take() {
            Receiver pooled = POOL.poll();
            return pooled == null ? new Receiver() : pooled;
        }

        private void connect() {
            pair.connect(BareDevice.PEER, 9, 0, 0);
        }

        void post() {
            pair.postReceive(request);
        }

        int stateCredits() {
            pair.qp.responder().lock().lock();
            try {
                stated = service.receives().credits();
                return stated;
            } finally {
                pair.qp.responder().lock().unlock();
            }
        }

        @Override
        public void sendCredits() {
            reports += stated == 0 ? 1 : 0;
        }

        /** Returns the number of reports, and returns the receiver to the pool in its initial state. */
        int release() {
            int counted = reports;
            pair.reset();
            connect();
            stated = NOT_STATED;
            reports = 0;
            POOL.add(this);
            return counted;
        }

        @Override
        public void execute(Message message) {
            throw new AssertionError("no peer is in this JVM");
        }

        @Override
        public void receive(PacketView packet, PacketAddresses addresses) {
            throw new AssertionError("no packet was sent");
        }

        @Override
        public int expectedPsn() {
            return 0;
        }

        @Override
        public void expectPsn(int psn) {
            // no packet arrives
        }

        @Override
        public Traffic traffic() {
            return Traffic.NONE;
        }

        @Override
        public void clear() {
            // nothing is kept
        }
    }

    /** The credits are stated for the first time. */
    @JCStressTest
    @JCStressMeta(CreditReport.class)
    @State
    public static class FirstCredits {
        private final Receiver receiver = Receiver.take();

        @Actor
        public void poster() {
            receiver.post();
        }

        @Actor
        public void responder(II_Result result) {
            result.r1 = receiver.stateCredits();
        }

        @Arbiter
        public void end(II_Result result) {
            result.r2 = receiver.release();
        }
    }

    /** No credits were stated before, so that the next post is reported in any case. */
    @JCStressTest
    @JCStressMeta(CreditReport.class)
    @State
    public static class CreditsStatedAgain {
        private final Receiver receiver = Receiver.take();

        public CreditsStatedAgain() {
            receiver.stateCredits();
            receiver.stated = Receiver.NOT_STATED;
        }

        @Actor
        public void poster() {
            receiver.post();
        }

        @Actor
        public void responder(II_Result result) {
            result.r1 = receiver.stateCredits();
        }

        @Arbiter
        public void end(II_Result result) {
            result.r2 = receiver.release();
        }
    }
}
