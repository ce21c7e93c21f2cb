package io.jverbs.soft.truncated;

import io.jverbs.MemoryRegion;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WcStatus;
import io.jverbs.WrOpcode;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.SplittableRandom;

/**
 * Truncates a file while long messages are copied from or to its memory. A request either succeeds, and then all of the
 * data was copied, or fails at the right end.
 */
final class CopyRounds implements AutoCloseable {
    private static final int LONG = 1 << 20;
    /** Through a network, each packet takes time. */
    private static final int MODERATE = 1 << 16;

    private final RoundLog log;
    private final NetworkPath path;
    private final Stage stage;
    private final Bystander bystander;
    private final Truncater truncater = new Truncater();
    private final SplittableRandom random = new SplittableRandom(1);
    private final int bytes;
    private byte pattern;

    CopyRounds(RoundLog log, NetworkPath path, Path folder) throws IOException {
        this.log = log;
        this.path = path;
        this.bytes = path.isNetwork() ? MODERATE : LONG;
        stage = new Stage(path, QpType.RC, false, folder, bytes);
        bystander = new Bystander(path);
    }

    void run(int each) throws IOException {
        for (WrOpcode opcode : new WrOpcode[] {WrOpcode.SEND, WrOpcode.RDMA_WRITE, WrOpcode.RDMA_READ}) {
            long nanos = nanosOf(opcode);
            for (End gone : End.values()) {
                Case one = new Case(QpType.RC, opcode, gone, bytes, 1, false);
                for (int i = 0; i < each; i++) {
                    log.run(path.name() + " during the copy, " + one, () -> round(one, nanos), () -> {
                        truncater.await();
                        stage.file(gone).extend();
                        stage.reconnect();
                    });
                }
            }
        }
    }

    /** Returns how long a request takes if nothing is truncated. */
    private long nanosOf(WrOpcode opcode) {
        long start = System.nanoTime();
        post(opcode);
        Stage.expect(WcStatus.SUCCESS, stage.next(End.REQUESTER, Stage.SENT));
        long nanos = System.nanoTime() - start;
        if (opcode == WrOpcode.SEND) {
            Stage.expect(WcStatus.SUCCESS, stage.next(End.RESPONDER, Stage.RECEIVED));
        }
        return nanos;
    }

    private void post(WrOpcode opcode) {
        MemoryRegion remote = stage.mapped(End.RESPONDER);
        if (opcode == WrOpcode.SEND) {
            stage.pair.right.post(ReceiveWorkRequest.create(1).wrId(Stage.RECEIVED).sge(remote, 0, bytes));
        }
        stage.pair.left.qp.postSend(SendWorkRequest.create(1).wrId(Stage.SENT).opcode(opcode)
                .flags(SendFlags.SIGNALED).sge(stage.mapped(End.REQUESTER), 0, bytes)
                .remote(remote.address(), remote.rkey()));
    }

    private void round(Case one, long nanos) throws IOException {
        boolean reads = one.opcode() == WrOpcode.RDMA_READ;
        MemorySegment source = stage.mapped(reads ? End.RESPONDER : End.REQUESTER).segment();
        MemorySegment target = stage.mapped(reads ? End.REQUESTER : End.RESPONDER).segment();
        source.fill(++pattern);
        target.fill((byte) (pattern + 1));
        MappedFile file = stage.file(one.gone());
        truncater.start(file, (long) random.nextInt(bytes / MappedFile.PAGE) * MappedFile.PAGE,
                random.nextLong(nanos));
        post(one.opcode());
        WcStatus status = stage.next(End.REQUESTER, Stage.SENT);
        boolean failed = status != WcStatus.SUCCESS;
        if (failed) {
            Stage.expect(one.status(), status);
            log.expectWarning(stage, one.gone());
        }
        log.ended(failed);
        endReceive(one, failed);
        truncater.await();
        file.extend();
        stage.awaitRequester(failed ? QpState.ERR : QpState.RTS);
        stage.awaitResponder(failed && one.gone() == End.RESPONDER ? QpState.ERR : QpState.RTS);
        stage.expectNothing(End.REQUESTER);
        stage.expectNothing(End.RESPONDER);
        // what was in the target when it was truncated is lost
        if (!failed && target != stage.mapped(one.gone()).segment()) {
            expectCopied(target);
        }
        bystander.check();
    }

    private void endReceive(Case one, boolean failed) {
        if (one.receives() && (!failed || one.gone() == End.RESPONDER)) {
            Stage.expect(failed ? WcStatus.LOC_PROT_ERR : WcStatus.SUCCESS,
                    stage.next(End.RESPONDER, Stage.RECEIVED));
        }
    }

    /** Memory disappears in whole pages, so the ends of each page are checked. */
    private void expectCopied(MemorySegment target) {
        for (long page = 0; page < bytes; page += MappedFile.PAGE) {
            for (long i : new long[] {page, page + MappedFile.PAGE - 1}) {
                if (target.get(ValueLayout.JAVA_BYTE, i) != pattern) {
                    throw new IllegalStateException("SUCCESS, but byte " + i + " was not copied");
                }
            }
        }
    }

    @Override
    public void close() throws IOException {
        truncater.close();
        bystander.close();
        stage.close();
    }
}
