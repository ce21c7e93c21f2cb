package io.jverbs.soft.truncated;

import io.jverbs.Access;
import io.jverbs.CompletionQueue;
import io.jverbs.Gid;
import io.jverbs.MemoryRegion;
import io.jverbs.QpAttributes;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WcStatus;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Sends datagrams to a multicast group while the memory of the sender or of one of the members is truncated. The other
 * members receive the datagram, or none does if it has no data.
 */
final class MulticastRounds implements AutoCloseable {
    private static final Gid GROUP = Gid.parse("::ffff:239.255.77.9");
    private static final int MULTICAST_QPN = 0xFFFFFF;
    private static final int FILE_BYTES = 12_288;
    private static final int BYTES = 200;
    private static final int GRH = 40;
    private static final long DEADLINE_NANOS = 20_000_000_000L;

    private final RoundLog log;
    private final NetworkPath path;
    private final Stage stage;
    private final SendWorkRequest send = SendWorkRequest.create(1);
    private final WorkCompletions completions = WorkCompletions.create(4);
    /** The members whose memory is not truncated. */
    private final List<Member> members = new ArrayList<>();

    /** A member of the group at the responder's device. The right queue pair of the stage is another one. */
    private final class Member {
        private final CompletionQueue cq = stage.pair.right.context.createCompletionQueue(4);
        private final MemoryRegion memory = stage.pair.right.pd.allocate(BYTES + GRH, Access.LOCAL_WRITE);
        private final QueuePair qp = stage.pair.right.pd
                .createQueuePair(QpInitAttributes.builder(QpType.UD).cq(cq).build());

        Member() {
            connect();
            qp.attachMulticast(GROUP, 0);
        }

        private void connect() {
            qp.modify(QpAttributes.builder().state(QpState.INIT).pkeyIndex(0).port(1).qkey(Stage.QKEY).build());
            qp.modify(QpAttributes.builder().state(QpState.RTR).build());
        }

        void postReceive() {
            memory.segment().fill((byte) 0);
            qp.postReceive(ReceiveWorkRequest.create(1).wrId(Stage.RECEIVED).sge(memory, 0, BYTES + GRH));
        }

        void expectDatagram(MemorySegment data) {
            long deadline = System.nanoTime() + DEADLINE_NANOS;
            while (cq.poll(completions) == 0) {
                if (System.nanoTime() > deadline) {
                    throw new IllegalStateException("a member has not received the datagram");
                }
                Thread.onSpinWait();
            }
            Stage.expect(WcStatus.SUCCESS, completions.status(0));
            if (memory.segment().asSlice(GRH).mismatch(data) >= 0) {
                throw new IllegalStateException("a member has received other data than was sent");
            }
        }

        void expectNothing() {
            if (cq.poll(completions) != 0) {
                throw new IllegalStateException("a member has received a datagram without data: " + completions);
            }
        }

        void reset() {
            qp.modify(QpAttributes.builder().state(QpState.RESET).build());
            while (cq.poll(completions) != 0) {
                Thread.onSpinWait();
            }
            connect();
        }
    }

    MulticastRounds(RoundLog log, NetworkPath path, Path folder) throws IOException {
        this.log = log;
        this.path = path;
        stage = new Stage(path, QpType.UD, false, folder, FILE_BYTES);
        members.add(new Member());
        stage.pair.right.qp.attachMulticast(GROUP, 0);
        members.add(new Member());
        send.wrId(Stage.SENT).opcode(WrOpcode.SEND).flags(SendFlags.SIGNALED).destination(stage.pathTo(GROUP),
                MULTICAST_QPN, Stage.QKEY);
    }

    void run(int each) throws IOException {
        for (End gone : End.values()) {
            for (int i = 0; i < each; i++) {
                boolean partly = i % 2 != 0;
                log.run(path.name() + " multicast, the memory of the " + gone + " is truncated",
                        () -> round(gone, partly), () -> {
                            stage.file(gone).extend();
                            stage.reconnect();
                            members.forEach(Member::reset);
                        });
            }
        }
    }

    private void round(End gone, boolean partly) throws IOException {
        members.forEach(Member::postReceive);
        int offset = partly ? MappedFile.PAGE - BYTES / 2 : 0;
        MemoryRegion sink = gone == End.RESPONDER ? stage.mapped(gone) : stage.pair.right.memory;
        stage.pair.right.post(ReceiveWorkRequest.create(1).wrId(Stage.RECEIVED).sge(sink,
                gone == End.RESPONDER ? offset : 0, BYTES + GRH));
        stage.file(gone).truncate(partly ? MappedFile.PAGE : 0);
        log.expectWarning(stage, gone);
        if (gone == End.REQUESTER) {
            stage.pair.left.qp.postSend(send.sge(stage.mapped(gone), offset, BYTES));
            Stage.expect(WcStatus.LOC_PROT_ERR, stage.next(End.REQUESTER, Stage.SENT));
            stage.awaitRequester(QpState.SQE);
        } else {
            stage.pair.left.qp.postSend(send.sge(stage.pair.left.memory, 0, BYTES));
            Stage.expect(WcStatus.SUCCESS, stage.next(End.REQUESTER, Stage.SENT));
            Stage.expect(WcStatus.LOC_PROT_ERR, stage.next(End.RESPONDER, Stage.RECEIVED));
            MemorySegment data = stage.pair.left.memory.segment().asSlice(0, BYTES);
            members.forEach(member -> member.expectDatagram(data));
        }
        stage.file(gone).extend();
        stage.expectNothing(End.REQUESTER);
        stage.expectNothing(End.RESPONDER);
        members.forEach(Member::expectNothing);
    }

    @Override
    public void close() throws IOException {
        stage.close();
    }
}
